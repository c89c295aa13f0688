"""The paths of the REST API that the double knows, each checked against GitHub's description."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from helpers.githubdouble.schema import SchemaError, check, complete
from helpers.githubdouble.state import Hub, Person, Pull, Remark

MAX_BODY = 65_536
PATCHLESS = 3_000  # GitHub leaves patches of large files out; so do we, by characters
MAX_DIFF_FILES, MAX_DIFF_LINES = 300, 20_000
_LISTED = {"A": "added", "M": "modified", "D": "removed", "T": "changed", "C": "copied"}


@dataclass
class Answer:
    """What goes back: a status, JSON (or text), and the whole list if it is one page of it."""

    status: int
    data: Any
    pages: bool = False
    text: str | None = None


class RefusalError(Exception):
    """GitHub's answer to what it does not accept."""

    def __init__(self, status: int, message: str, *errors: dict[str, Any]) -> None:
        super().__init__(message)
        self.status, self.message, self.errors = status, message, list(errors)


@dataclass
class Asked:
    """A request, and who made it."""

    verb: str
    path: str
    query: dict[str, str]
    body: Any
    accept: str
    viewer: Person


Handler = Callable[[Hub, Asked, re.Match[str]], Answer]
ROUTES: list[tuple[str, re.Pattern[str], Handler]] = []


def route(verb: str, pattern: str) -> Callable[[Handler], Handler]:
    """Register a handler for `/repos/OWNER/NAME` + pattern; `{n}` is a number."""
    whole = pattern.replace("{n}", r"(\d+)").replace("{sha}", r"([0-9a-f]+)")

    def register(handler: Handler) -> Handler:
        ROUTES.append((verb, re.compile(whole), handler))
        return handler

    return register


def answer(hub: Hub, asked: Asked) -> Answer:
    """Return the answer to a request of this repository.

    Raises:
        RefusalError: GitHub would not accept it.
        SchemaError: the request is not one that GitHub describes.
    """
    prefix = f"/repos/{hub.slug}"
    if not asked.path.startswith(prefix):
        raise RefusalError(404, "Not Found")
    for verb, pattern, handler in ROUTES:
        found = pattern.fullmatch(asked.path.removeprefix(prefix))
        if found and verb == asked.verb:
            return handler(hub, asked, found)
    raise SchemaError(f"the double knows no {asked.verb} {asked.path}")


def _pull(hub: Hub, number: str) -> Pull:
    pull = hub.pulls.get(int(number))
    if pull is None:
        raise RefusalError(404, "Not Found")
    return pull


def _remark(hub: Hub, remark_id: str, *, in_thread: bool) -> Remark:
    remark = hub.find(int(remark_id))
    if remark is None or bool(remark.path) != in_thread:
        raise RefusalError(404, "Not Found")
    return remark


def _body(asked: Asked, name: str) -> dict[str, Any]:
    body = check(name, asked.body, closed=True)
    text = body.get("body") or ""
    if len(text) > MAX_BODY:
        raise _invalid("body", f"body is too long (maximum is {MAX_BODY} characters)")
    return body


def _invalid(field: str, message: str) -> RefusalError:
    error = {"resource": "Comment", "code": "custom", "field": field, "message": message}
    return RefusalError(422, "Validation Failed", error)


# -- reading ----------------------------------------------------------------------------------


@route("GET", "/pulls/{n}")
def get_pull(hub: Hub, asked: Asked, found: re.Match[str]) -> Answer:
    pull = _pull(hub, found[1])
    if "diff" not in asked.accept:
        return Answer(200, hub.pull_table(pull))
    text = hub.diff(pull)
    n_files = text.count("\ndiff --git ") + text.startswith("diff --git ")
    if n_files > MAX_DIFF_FILES or text.count("\n") > MAX_DIFF_LINES:
        error = {"resource": "PullRequest", "field": "diff", "code": "too_large"}
        raise RefusalError(406, "Sorry, the diff exceeded the maximum.", error)
    return Answer(200, None, text=text + "\n")


@route("GET", "/pulls/{n}/files")
def get_files(hub: Hub, asked: Asked, found: re.Match[str]) -> Answer:
    pull = _pull(hub, found[1])
    base, head = hub.base_of(pull), hub.head_of(pull)
    revisions = f"{hub.merge_base(base, head) or base}..{head}"
    names = hub.repo.git("diff", "--name-status", "-z", "-M", revisions).split("\0")
    counts = hub.repo.git("diff", "--numstat", "--no-renames", revisions).splitlines()
    changed = {line.split("\t")[2]: line.split("\t")[:2] for line in counts}
    files, words = [], iter(names)
    for letter in words:
        if not letter:
            break
        old = next(words)
        path = next(words) if letter[0] in "RC" else old
        patch = hub.diff(pull, path).partition("\n@@")[2]
        added, removed = changed.get(path, ["0", "0"])
        table = {
            "filename": path,
            "status": "renamed" if letter[0] == "R" else _LISTED[letter[0]],
            "additions": int(added) if added.isdigit() else 0,
            "deletions": int(removed) if removed.isdigit() else 0,
            "sha": "1" * 40,
        }
        if letter[0] in "RC":
            table["previous_filename"] = old
        if patch and len(patch) < PATCHLESS:
            table["patch"] = "@@" + patch
        files.append(complete("DiffEntry", table))
    return Answer(200, files[:3000], pages=True)


@route("GET", "/issues/{n}/comments")
def get_conversation(hub: Hub, asked: Asked, found: re.Match[str]) -> Answer:
    number = _pull(hub, found[1]).number
    return Answer(200, [hub.remark_table(item) for item in hub.conversation(number)], pages=True)


@route("GET", "/pulls/{n}/comments")
def get_threads(hub: Hub, asked: Asked, found: re.Match[str]) -> Answer:
    number = _pull(hub, found[1]).number
    return Answer(200, [hub.remark_table(item) for item in hub.threads(number)], pages=True)


@route("GET", "/pulls/comments")
def get_all_threads(hub: Hub, asked: Asked, found: re.Match[str]) -> Answer:
    tables = [hub.remark_table(item) for item in hub.remarks if item.path]
    return Answer(200, tables[::-1] if asked.query.get("direction") == "desc" else tables, True)


@route("GET", "/(issues|pulls)/comments/{n}/reactions")
def get_reactions(hub: Hub, asked: Asked, found: re.Match[str]) -> Answer:
    remark = _remark(hub, found[2], in_thread=found[1] == "pulls")
    wanted = asked.query.get("content")
    pairs = [pair for pair in remark.reactions if wanted in (None, pair[1])]
    return Answer(200, [_reaction(hub, *pair) for pair in pairs], pages=True)


@route("GET", "/collaborators/([^/]+)/permission")
def get_permission(hub: Hub, asked: Asked, found: re.Match[str]) -> Answer:
    person = hub.people.get(found[1])
    if person is None:
        raise RefusalError(404, f"{found[1]} is not a user")
    coarse = {"maintain": "write", "triage": "read"}.get(person.role, person.role)
    user = {**person.table(), "role_name": person.role}
    table = {"permission": coarse, "role_name": person.role, "user": user}
    return Answer(200, complete("RepositoryCollaboratorPermission", table))


@route("GET", r"/compare/{sha}\.\.\.{sha}")
def get_compare(hub: Hub, asked: Asked, found: re.Match[str]) -> Answer:
    base = hub.merge_base(found[1], found[2])
    if base is None:
        raise RefusalError(404, f"No common ancestor between {found[1]} and {found[2]}.")
    commits = [{"sha": base}, {"sha": found[1]}]
    table = {"merge_base_commit": commits[0], "base_commit": commits[1], "status": "diverged"}
    return Answer(200, complete("CommitComparison", table))


# -- writing ----------------------------------------------------------------------------------


@route("POST", "/issues/{n}/comments")
def post_comment(hub: Hub, asked: Asked, found: re.Match[str]) -> Answer:
    number = _pull(hub, found[1]).number
    body = _body(asked, "ReposOwnerRepoIssuesIssueNumberCommentsPostBody")["body"]
    return Answer(201, hub.remark_table(hub.say(number, asked.viewer.login, body)))


@route("PATCH", "/(issues|pulls)/comments/{n}")
def patch_comment(hub: Hub, asked: Asked, found: re.Match[str]) -> Answer:
    name = "Issues" if found[1] == "issues" else "Pulls"
    body = _body(asked, f"ReposOwnerRepo{name}CommentsCommentIdPatchBody")["body"]
    remark = _remark(hub, found[2], in_thread=found[1] == "pulls")
    if remark.author.login != asked.viewer.login:
        raise RefusalError(403, "Resource not accessible by integration")
    remark.body, remark.edits = body, remark.edits + 1
    return Answer(200, hub.remark_table(remark))


@route("POST", "/(issues|pulls)/comments/{n}/reactions")
def post_reaction(hub: Hub, asked: Asked, found: re.Match[str]) -> Answer:
    name = "Issues" if found[1] == "issues" else "Pulls"
    body = check(f"ReposOwnerRepo{name}CommentsCommentIdReactionsPostBody", asked.body, closed=True)
    remark = _remark(hub, found[2], in_thread=found[1] == "pulls")
    pair = (asked.viewer.login, body["content"])
    status = 200 if pair in remark.reactions else 201
    if status == 201:
        remark.reactions.append(pair)
    return Answer(status, _reaction(hub, *pair))


@route("POST", "/pulls/{n}/comments/{n}/replies")
def post_reply(hub: Hub, asked: Asked, found: re.Match[str]) -> Answer:
    pull = _pull(hub, found[1])
    body = _body(asked, "ReposOwnerRepoPullsPullNumberCommentsCommentIdRepliesPostBody")["body"]
    top = _remark(hub, found[2], in_thread=True)
    if top.in_reply_to is not None:
        raise _invalid("in_reply_to", "in_reply_to is not a top-level comment")
    place = {"path": top.path, "line": top.line, "hunk": top.hunk, "commit": top.commit}
    made = hub.say(pull.number, asked.viewer.login, body, in_reply_to=top.id, **place)
    return Answer(201, hub.remark_table(made))


@route("POST", "/pulls/{n}/comments")
def post_review_comment(hub: Hub, asked: Asked, found: re.Match[str]) -> Answer:
    pull = _pull(hub, found[1])
    body = _body(asked, "ReposOwnerRepoPullsPullNumberCommentsPostBody")
    _require_anchor(hub, pull, body)
    return Answer(201, hub.remark_table(_discussed(hub, pull, asked.viewer, body)))


@route("POST", "/pulls/{n}/reviews")
def post_review(hub: Hub, asked: Asked, found: re.Match[str]) -> Answer:
    pull = _pull(hub, found[1])
    body = _body(asked, "ReposOwnerRepoPullsPullNumberReviewsPostBody")
    comments = body.get("comments") or []
    if not comments and not body.get("body"):
        raise RefusalError(422, "Unprocessable Entity")
    if body.get("commit_id") not in (None, hub.head_of(pull)):
        hub.repo.git("cat-file", "-e", body["commit_id"])
    for comment in comments:  # one bad anchor refuses all
        _require_anchor(hub, pull, comment)
    review_id = hub.next_id()
    table = {
        "id": review_id,
        "user": asked.viewer.table(),
        "body": body.get("body") or "",
        "state": "COMMENTED",
        "html_url": f"{hub.web}/{hub.slug}/pull/{pull.number}#pullrequestreview-{review_id}",
        "commit_id": body.get("commit_id") or hub.head_of(pull),
        "author_association": asked.viewer.association,
    }
    for comment in comments:
        _discussed(hub, pull, asked.viewer, comment).review = review_id
    hub.reviews.append(complete("PullRequestReview", table))
    return Answer(200, hub.reviews[-1])


def _require_anchor(hub: Hub, pull: Pull, comment: dict[str, Any]) -> None:
    anchors = hub.anchors(pull, comment["path"])
    side, line = comment.get("side", "RIGHT"), comment.get("line")
    if not anchors:
        raise RefusalError(422, "Unprocessable Entity", {"message": "Path could not be resolved"})
    start = comment.get("start_line")
    hunk = anchors.get((side, line))
    if hunk is None:
        raise RefusalError(422, "Unprocessable Entity", {"message": "Line could not be resolved"})
    if start is not None:
        first = anchors.get((comment.get("start_side", side), start))
        if start >= line or first != hunk:
            raise RefusalError(422, "Validation Failed", {"message": "start_line is elsewhere"})
    if len(comment["body"]) > MAX_BODY:
        raise _invalid("body", "body is too long")


def _discussed(hub: Hub, pull: Pull, viewer: Person, body: dict[str, Any]) -> Remark:
    place = {name: body[name] for name in ("path", "line", "start_line", "side") if name in body}
    head, hunk = hub.head_of(pull), "@@ -1 +1 @@"
    return hub.say(pull.number, viewer.login, body["body"], commit=head, hunk=hunk, **place)


def _reaction(hub: Hub, login: str, content: str) -> dict[str, Any]:
    table = {"id": hub.next_id(), "content": content, "user": hub.person(login).table()}
    return complete("Reaction", table)
