"""What the double remembers: people, pull requests, comments, reviews, reactions. No HTTP here.

The commits are those of a real git repository: a pull request's head is its ref `refs/pull/N/head`,
so moving it is what a push does, and what may be commented on is what `git diff` shows.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from helpers.githubdouble.schema import complete
from helpers.gitrepo import GitRepo

OWNER, NAME = "octo", "demo"
BOT = "github-actions[bot]"
_HUNK = re.compile(r"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")


@dataclass
class Person:
    """An account. `role` is what it may do in the repository."""

    login: str
    role: str = "read"
    kind: str = "User"
    association: str = "NONE"
    id: int = 0

    def table(self) -> dict[str, Any]:
        """Return GitHub's `simple-user`."""
        return complete(
            "SimpleUser",
            {"login": self.login, "id": self.id, "type": self.kind, "site_admin": False},
        )


@dataclass
class Remark:
    """A comment of the conversation, or of a review thread (`path` is set then)."""

    id: int
    author: Person
    body: str
    number: int
    path: str = ""
    line: int | None = None
    start_line: int | None = None
    side: str = "RIGHT"
    hunk: str = ""
    commit: str = ""
    in_reply_to: int | None = None
    review: int | None = None
    edits: int = 0
    reactions: list[tuple[str, str]] = field(default_factory=list)  # (login, content)


@dataclass
class Pull:
    """A pull request; its head is a ref of the repository, whatever the fork."""

    number: int
    title: str
    body: str
    author: Person
    base_ref: str
    head_ref: str
    fork: str = ""  # owner of the fork, "" for a branch of the repository itself
    fork_is_gone: bool = False
    draft: bool = False
    state: str = "open"


@dataclass
class Hub:
    """One repository on the server."""

    repo: GitRepo
    web: str
    owner: str = OWNER
    name: str = NAME
    people: dict[str, Person] = field(default_factory=dict)
    pulls: dict[int, Pull] = field(default_factory=dict)
    remarks: list[Remark] = field(default_factory=list)
    reviews: list[dict[str, Any]] = field(default_factory=list)
    last_id: int = 1000

    @property
    def slug(self) -> str:
        """`owner/name`."""
        return f"{self.owner}/{self.name}"

    def next_id(self) -> int:
        """Return a new id; they grow, as GitHub's do."""
        self.last_id += 1
        return self.last_id

    def person(self, login: str, role: str = "read", **more: Any) -> Person:
        """Return the account of that name, made with a role if it is new."""
        if login not in self.people:
            kind = "Bot" if login.endswith("[bot]") else "User"
            self.people[login] = Person(login, role, **{"kind": kind, "id": self.next_id(), **more})
        return self.people[login]

    # -- commits ------------------------------------------------------------------------------

    def open_pull(
        self,
        head: str,
        *,
        base: str = "main",
        title: str = "A change",
        body: str = "",
        author: str = "ada",
        head_ref: str = "topic",
        **more: Any,
    ) -> Pull:
        """Return a new pull request of the commit `head`."""
        number = max(self.pulls, default=0) + 1
        pull = Pull(number, title, body, self.person(author), base, head_ref, **more)
        self.pulls[number] = pull
        self.push(pull, head)
        return pull

    def push(self, pull: Pull, head: str) -> None:
        """Move a pull request's head."""
        self.repo.git("update-ref", f"refs/pull/{pull.number}/head", head)

    def head_of(self, pull: Pull) -> str:
        """Return a pull request's head."""
        return self.repo.git("rev-parse", f"refs/pull/{pull.number}/head")

    def base_of(self, pull: Pull) -> str:
        """Return the commit of the base branch."""
        return self.repo.git("rev-parse", f"refs/heads/{pull.base_ref}")

    def merge_base(self, left: str, right: str) -> str | None:
        """Return the merge base of two commits, or None."""
        done = self.repo.run("merge-base", left, right, check=False)
        return done.stdout.decode().strip() or None

    def diff(self, pull: Pull, path: str | None = None) -> str:
        """Return the unified diff of a pull request."""
        paths = ["--", path] if path else []
        words = ["diff", "--no-ext-diff", "--no-color", "-M", "--src-prefix=a/", "--dst-prefix=b/"]
        base, head = self.base_of(pull), self.head_of(pull)
        return self.repo.git(*words, self.merge_base(base, head) or base, head, *paths)

    def anchors(self, pull: Pull, path: str) -> dict[tuple[str, int], int]:
        """Return (side, line) → hunk of every line of a file that may be commented on."""
        found: dict[tuple[str, int], int] = {}
        hunk = old = new = 0
        for line in self.diff(pull, path).split("\n"):
            header = _HUNK.match(line)
            if header:
                hunk, old, new = hunk + 1, int(header[1]), int(header[3])
            elif hunk and line[:1] in {" ", "-", "+"}:
                if line[0] != "+":
                    found["LEFT", old] = hunk
                    old += 1
                if line[0] != "-":
                    found["RIGHT", new] = hunk
                    new += 1
        return found

    # -- GitHub's objects ---------------------------------------------------------------------

    def repository(self, slug: str = "", model: str = "Repository") -> dict[str, Any]:
        """Return GitHub's repository object (for a fork, of the fork)."""
        slug = slug or self.slug
        owner, _, name = slug.partition("/")
        table = {
            "id": 7 if slug == self.slug else 8,
            "name": name,
            "full_name": slug,
            "owner": self.person(owner).table(),
            "private": False,
            "fork": slug != self.slug,
            "default_branch": "main",
            "html_url": f"{self.web}/{slug}",
            "clone_url": f"{self.web}/{slug}.git",
        }
        return complete(model, table) if model else table

    def pull_table(self, pull: Pull, model: str = "PullRequest") -> dict[str, Any]:
        """Return GitHub's pull request object, full or as payloads have it."""
        source = f"{pull.fork}/{self.name}" if pull.fork else self.slug
        head_repo = None if pull.fork_is_gone else self.repository(source, "")
        table = {
            "number": pull.number,
            "state": pull.state,
            "title": pull.title,
            "body": pull.body or None,
            "draft": pull.draft,
            "user": pull.author.table(),
            "html_url": f"{self.web}/{self.slug}/pull/{pull.number}",
            "author_association": pull.author.association,
            "base": {
                "ref": pull.base_ref,
                "sha": self.base_of(pull),
                "label": f"{self.owner}:{pull.base_ref}",
                "repo": self.repository(model=""),
                "user": self.person(self.owner).table(),
            },
            "head": {
                "ref": pull.head_ref,
                "sha": self.head_of(pull),
                "label": f"{pull.fork or self.owner}:{pull.head_ref}",
                "repo": head_repo,
                "user": self.person(pull.fork or self.owner).table(),
            },
        }
        return complete(model, table) if model else table

    def remark_table(self, remark: Remark) -> dict[str, Any]:
        """Return GitHub's object of a comment, of the conversation or of a review thread."""
        where = f"{self.web}/{self.slug}/pull/{remark.number}"
        table: dict[str, Any] = {
            "id": remark.id,
            "user": remark.author.table(),
            "body": remark.body,
            "author_association": remark.author.association,
            "created_at": f"2026-11-01T12:{remark.id // 60 % 60:02}:{remark.id % 60:02}Z",
            "html_url": f"{where}#issuecomment-{remark.id}",
        }
        if not remark.path:
            return complete("IssueComment", table)
        table |= {
            "html_url": f"{where}#discussion_r{remark.id}",
            "path": remark.path,
            "line": remark.line,
            "side": remark.side,
            "start_line": remark.start_line,
            "diff_hunk": remark.hunk,
            "commit_id": remark.commit,
            "original_commit_id": remark.commit,
            "pull_request_review_id": remark.review,
        }
        if remark.reactions:
            counts = {"-1": 0, "+1": 0, "eyes": 0}
            for _, content in remark.reactions:
                counts[content] = counts.get(content, 0) + 1
            table["reactions"] = {"total_count": len(remark.reactions), **counts}
        if remark.in_reply_to is not None:
            table["in_reply_to_id"] = remark.in_reply_to
        return complete("PullRequestReviewComment", table)

    # -- what people do -----------------------------------------------------------------------

    def say(self, number: int, login: str, body: str, **more: Any) -> Remark:
        """Return a new comment by somebody."""
        remark = Remark(self.next_id(), self.person(login), body, number, **more)
        self.remarks.append(remark)
        return remark

    def discuss(self, pull: Pull, login: str, body: str, path: str, line: int) -> Remark:
        """Return the first comment of a new review thread."""
        if ("RIGHT", line) not in self.anchors(pull, path):
            raise AssertionError(f"{path}:{line} is not in the diff")
        hunk = "@@" + self.diff(pull, path).partition("\n@@")[2]
        head = self.head_of(pull)
        return self.say(pull.number, login, body, path=path, line=line, hunk=hunk, commit=head)

    def conversation(self, number: int) -> list[Remark]:
        """Return the comments of the conversation."""
        return [item for item in self.remarks if item.number == number and not item.path]

    def threads(self, number: int) -> list[Remark]:
        """Return the comments of the review threads."""
        return [item for item in self.remarks if item.number == number and item.path]

    def find(self, remark_id: int) -> Remark | None:
        """Return a comment by its id."""
        return next((item for item in self.remarks if item.id == remark_id), None)

    def delete(self, remark_id: int) -> None:
        """Delete a comment, as people with the right to can."""
        self.remarks = [item for item in self.remarks if item.id != remark_id]
