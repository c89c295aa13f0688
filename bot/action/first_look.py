"""Say what an event asks for, before anything is installed. Standard library only, any Python 3.8.

Reads the event's file and prints `name=value` lines: `kind` is one of `KINDS`, `reaction` the
path of the comment to put 👀 on (or nothing). Each value is one of ours or made of digits: no text
of the event gets out. It decides no permission and starts nothing; the bot looks again.
"""

import json
import os
import re
import sys
from pathlib import Path

KINDS = ("skip", "index", "pull", "publish")
MODES = {"index": "index", "review": "pull", "ask": "pull", "publish": "publish"}
EVENTS = {
    "push": "index",
    "schedule": "index",
    "workflow_dispatch": "index",
    "workflow_run": "publish",
    "pull_request": "pull",
    "issue_comment": "pull",
    "pull_request_review_comment": "pull",
}
COMMENT_PATHS = {
    "issue_comment": "issues/comments",
    "pull_request_review_comment": "pulls/comments",
}
COMMANDS = "ask|related|callers|callees|tests|review|help|sidelight"
COMMAND = re.compile(rf" {{0,3}}/(?:{COMMANDS})(?![\w/-])", re.IGNORECASE)
ANY_COMMAND = re.compile(r" {0,3}/[a-z]", re.IGNORECASE)  # whatever the bot may answer
FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
# A stranger's comment is looked at, but it is the bot that answers it or not, after asking GitHub
# for the permission: this field does not know the private members of an organisation.
KNOWN = ("OWNER", "MEMBER", "COLLABORATOR", "CONTRIBUTOR")


def lines_of_prose(body):
    """Yield the lines outside code fences."""
    fence = ""
    for line in body.splitlines():
        mark = FENCE.match(line)
        if fence:
            closes = mark and mark.group(1).startswith(fence) and not line[mark.end() :].strip()
            fence = "" if closes else fence
        elif mark:
            fence = mark.group(1)
        else:
            yield line


def look(event_name, event, mode):
    """Return `(kind, reaction)` for an event; `mode` is the action's input, "" if not given."""
    kind = EVENTS.get(event_name, "skip") if mode in ("", "auto") else MODES.get(mode, "skip")
    if event_name not in COMMENT_PATHS or kind != "pull":
        return kind, ""
    comment = event.get("comment")
    if not is_for_us(event_name, event, comment):
        return "skip", ""
    if not any(ANY_COMMAND.match(line) for line in comment["body"].splitlines()):
        return "skip", ""
    known = any(COMMAND.match(line) for line in lines_of_prose(comment["body"]))
    if known and comment.get("author_association") in KNOWN:
        return kind, f"{COMMENT_PATHS[event_name]}/{comment['id']:d}"
    return kind, ""


def is_for_us(event_name, event, comment):
    """Return whether a person has just written a comment in a pull request."""
    if not isinstance(comment, dict) or event.get("action") != "created":
        return False
    issue, user = event.get("issue"), comment.get("user")
    in_pull = isinstance(issue, dict) and isinstance(issue.get("pull_request"), dict)
    if event_name == "issue_comment" and not in_pull:
        return False
    is_person = isinstance(user, dict) and user.get("type") == "User"
    return is_person and isinstance(comment.get("body"), str) and type(comment.get("id")) is int


def main():
    """Print what the event of this job asks for."""
    event = json.loads(Path(os.environ["GITHUB_EVENT_PATH"]).read_bytes())
    if not isinstance(event, dict):
        event = {}
    mode = os.environ.get("SIDELIGHT_MODE", "").strip()
    kind, reaction = look(os.environ.get("GITHUB_EVENT_NAME", ""), event, mode)
    sys.stdout.write(f"kind={kind}\nreaction={reaction}\n")


if __name__ == "__main__":
    main()
