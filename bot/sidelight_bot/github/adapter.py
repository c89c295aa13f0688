"""`GitHubPort` over PyGithub's requester: the paths of the REST API, and nothing else.

PyGithub's objects would ask for more than is needed (a repository before its pull request, a pull
request before its comments): the paths are called by name, so a run's requests can be counted.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any
from urllib.parse import quote

from sidelight_bot.events import read_thread
from sidelight_bot.github.errors import (
    GitHubError,
    NotThereError,
    RateLimitedError,
    RefusedError,
    UnreachableError,
)
from sidelight_bot.github.port import ChangedFile, InlineNote, PostedReview, ReviewComment
from sidelight_bot.github.transport import Patience, Transport
from sidelight_bot.model import Comment, Permission, PullRequest, Repo
from sidelight_bot.payload import Fields, read_comment, read_login, read_pull

ACTIONS_LOGIN = "github-actions[bot]"  # who comments with a job's own token
_VIEWER = "query { viewer { login } }"


class GitHubAdapter:
    """One repository on one server; conforms to `GitHubPort`."""

    def __init__(
        self, repo: Repo, api_url: str, token: str, patience: Patience, *, user_agent: str
    ) -> None:
        self._transport = Transport(api_url, token, patience, user_agent=user_agent)
        self._root = f"/repos/{quote(repo.owner, safe='')}/{quote(repo.name, safe='')}"
        self._viewer = ""

    @property
    def n_requests(self) -> int:
        """How many requests were sent so far, repeated ones included."""
        return self._transport.n_requests

    def viewer(self) -> str:
        """Return the login that comments of this token carry; asked once.

        Only GraphQL tells it for the tokens of apps and jobs. A server that does not is taken to
        have given the job's own token.
        """
        if not self._viewer:
            try:
                answer = self._transport.write(
                    "POST", self._transport.graphql_url, {"query": _VIEWER}
                )
                data = Fields.of(answer, "graphql").table("data")
                self._viewer = data.table("viewer").text("login")
            except (RateLimitedError, UnreachableError):
                raise
            except GitHubError:
                self._viewer = ACTIONS_LOGIN
        return self._viewer

    # -- reading ------------------------------------------------------------------------------

    def pull(self, number: int) -> PullRequest:
        """Return a pull request as it is now."""
        return read_pull(Fields.of(self._get(f"/pulls/{number}"), "pull"))

    def permission(self, login: str) -> Permission:
        """Return what a person may do here; `role_name` tells triage and maintain apart.

        Custom roles have names of their own: the coarser `permission` counts then.
        """
        try:
            answer = self._get(f"/collaborators/{quote(login, safe='')}/permission")
        except NotThereError:  # not a user, or not a collaborator of a private repository
            return Permission.NONE
        fields = Fields.of(answer, "permission")
        for key in ("role_name", "permission"):
            try:
                return Permission(fields.text_or(key).lower())
            except ValueError:
                continue
        return Permission.NONE

    def conversation(self, number: int) -> Iterator[Comment]:
        """Yield all comments of the conversation, oldest first."""
        for item in self._transport.pages(f"{self._root}/issues/{number}/comments"):
            yield read_comment(Fields.of(item, "comment"))

    def review_comments(self, number: int) -> Iterator[ReviewComment]:
        """Yield all comments of all review threads, oldest first."""
        for item in self._transport.pages(f"{self._root}/pulls/{number}/comments"):
            yield _review_comment(item)

    def recent_review_comments(self) -> Iterator[ReviewComment]:
        """Yield review comments of all pull requests, newest first."""
        order = {"sort": "created", "direction": "desc"}
        for item in self._transport.pages(f"{self._root}/pulls/comments", **order):
            yield _review_comment(item)

    def reactors(self, comment_id: int, content: str) -> Iterator[str]:
        """Yield who reacted so to a comment of a review thread."""
        path = f"{self._root}/pulls/comments/{comment_id}/reactions"
        for item in self._transport.pages(path, content=content):
            fields = Fields.of(item, "reaction")
            if fields.text("content") == content:
                yield read_login(fields, "user")[0]

    def changed_files(self, number: int) -> Iterator[ChangedFile]:
        """Yield the files of a pull request (GitHub gives 3,000 at most)."""
        for item in self._transport.pages(f"{self._root}/pulls/{number}/files"):
            fields = Fields.of(item, "file")
            yield ChangedFile(
                path=fields.text("filename"),
                status=fields.text("status"),
                previous_path=fields.text_or("previous_filename") or None,
                additions=fields.whole("additions"),
                deletions=fields.whole("deletions"),
                patch=fields.text("patch") if fields.has("patch") else None,
            )

    def merge_base(self, base_sha: str, head_sha: str) -> str | None:
        """Return the merge base that the server knows, or None if there is none."""
        try:
            answer = self._get(f"/compare/{quote(base_sha)}...{quote(head_sha)}?per_page=1")
        except NotThereError:  # "No common ancestor"
            return None
        return Fields.of(answer, "compare").table("merge_base_commit").sha("sha")

    # -- writing ------------------------------------------------------------------------------

    def create_comment(self, number: int, body: str) -> Comment:
        """Write in the conversation."""
        return _comment(self._write("POST", f"/issues/{number}/comments", {"body": body}))

    def update_comment(self, comment_id: int, body: str) -> Comment:
        """Replace a comment of the conversation; `NotThereError` if it was deleted."""
        return _comment(self._write("PATCH", f"/issues/comments/{comment_id}", {"body": body}))

    def reply(self, number: int, top_comment_id: int, body: str) -> Comment:
        """Write in a review thread, named by the comment that opened it."""
        path = f"/pulls/{number}/comments/{top_comment_id}/replies"
        return _comment(self._write("POST", path, {"body": body}))

    def update_review_comment(self, comment_id: int, body: str) -> Comment:
        """Replace a comment of a review thread."""
        return _comment(self._write("PATCH", f"/pulls/comments/{comment_id}", {"body": body}))

    def react(self, comment_id: int, content: str, *, in_thread: bool) -> None:
        """React to a comment; again is no error."""
        kind = "pulls" if in_thread else "issues"
        self._write("POST", f"/{kind}/comments/{comment_id}/reactions", {"content": content})

    def create_review(
        self, number: int, head_sha: str, body: str, notes: Sequence[InlineNote]
    ) -> PostedReview:
        """Write all notes by one request; one by one if GitHub refuses an anchor.

        GitHub refuses a review whole and does not say for which note.
        """
        content: dict[str, Any] = {
            "commit_id": head_sha,
            "event": "COMMENT",
            "comments": [_anchored(note) for note in notes],
        }
        if body:
            content["body"] = body
        try:
            answer = self._write("POST", f"/pulls/{number}/reviews", content)
        except RefusedError:
            return self._post_singly(number, head_sha, notes)
        return PostedReview(tuple(notes), (), Fields.of(answer, "review").text_or("html_url"))

    def _post_singly(self, number: int, head_sha: str, notes: Sequence[InlineNote]) -> PostedReview:
        posted, refused, url = [], [], ""
        for note in notes:
            content = {**_anchored(note), "commit_id": head_sha}
            try:
                made = _comment(self._write("POST", f"/pulls/{number}/comments", content))
            except RefusedError:
                refused.append(note)
            else:
                posted.append(note)
                url = url or made.url
        return PostedReview(tuple(posted), tuple(refused), url)

    def _get(self, path: str) -> Any:
        return self._transport.get(self._root + path)

    def _write(self, verb: str, path: str, content: dict[str, Any]) -> Any:
        return self._transport.write(verb, self._root + path, content)


def _review_comment(item: Any) -> ReviewComment:
    fields = Fields.of(item, "comment")
    reactions = fields.table_or_none("reactions")
    n_down = (reactions.whole_or_none("-1") or 0) if reactions else 0
    return ReviewComment(read_comment(fields), read_thread(fields), n_down)


def _comment(answer: Any) -> Comment:
    return read_comment(Fields.of(answer, "comment"))


def _anchored(note: InlineNote) -> dict[str, Any]:
    """Return a note as the API takes it; the range is left out where it is one line."""
    content: dict[str, Any] = {
        "path": note.path,
        "line": note.line,
        "side": note.side.value,
        "body": note.body,
    }
    if note.start_line is not None and note.start_line < note.line:
        content |= {"start_line": note.start_line, "start_side": note.side.value}
    return content
