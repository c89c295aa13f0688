"""Say what an event asks for, before anything is installed. Standard library only, any Python 3.6.

Reads the event's file and prints `name=value` lines: `kind` is one of `KINDS`, `reaction` the path
of the comment to put 👀 on (or nothing). Each value is one of ours or made of digits: no text of the
event gets out. It decides no permission and starts nothing; the bot looks at everything again.
"""

import json
import os
import re
import sys

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
COMMANDS = "ask|related|callers|callees|tests|review|help"
COMMAND = re.compile(r" {0,3}/(?:%s)(?![\w/-])" % COMMANDS, re.IGNORECASE)
ANY_COMMAND = re.compile(r" {0,3}/[a-z][a-z-]*(?![\w/.-])", re.IGNORECASE)
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
    if not isinstance(comment, dict) or event.get("action") != "created":
        return "skip", ""
    issue = event.get("issue")
    if event_name == "issue_comment" and not (
        isinstance(issue, dict) and isinstance(issue.get("pull_request"), dict)
    ):
        return "skip", ""
    user = comment.get("user")
    body, number = comment.get("body"), comment.get("id")
    is_person = isinstance(user, dict) and user.get("type") == "User"
    if not is_person or not isinstance(body, str) or type(number) is not int:
        return "skip", ""
    prose = list(lines_of_prose(body))
    if not any(ANY_COMMAND.match(line) for line in prose):
        return "skip", ""
    wanted = any(COMMAND.match(line) for line in prose)
    if wanted and comment.get("author_association") in KNOWN:
        return kind, "%s/%d" % (COMMENT_PATHS[event_name], number)
    return kind, ""


def main():
    """Print what the event of this job asks for."""
    with open(os.environ["GITHUB_EVENT_PATH"], "rb") as file:
        event = json.loads(file.read().decode("utf-8"))
    if not isinstance(event, dict):
        event = {}
    mode = os.environ.get("SIDELIGHT_MODE", "").strip()
    kind, reaction = look(os.environ.get("GITHUB_EVENT_NAME", ""), event, mode)
    sys.stdout.write("kind=%s\nreaction=%s\n" % (kind, reaction))


if __name__ == "__main__":
    main()
