"""Typed reads from JSON that somebody else wrote. Pure; an error names the place in the data.

pull = Fields.of(payload, "payload").table("pull_request")
number = pull.whole("number")                 # PayloadError: payload.pull_request.number …
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from sidelight.errors import SidelightError
from sidelight_bot.model import Comment, PullRequest, Repo

_SLUG_PART = re.compile(r"[A-Za-z0-9_.-]{1,100}")
_SHA = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
GHOST = "ghost"  # how GitHub shows an account that was deleted


class PayloadError(SidelightError):
    """A webhook payload, or an answer of the API, is not what GitHub documents."""


@dataclass(frozen=True, slots=True)
class Fields:
    """A JSON object and where it stands."""

    values: Mapping[str, Any]
    where: str

    @classmethod
    def of(cls, value: object, where: str) -> Fields:
        """Return the fields of a JSON object.

        Raises:
            PayloadError: it is something else.
        """
        if not isinstance(value, Mapping):
            raise PayloadError(f"{where} is not an object but {_kind(value)}")
        return cls(value, where)

    def has(self, key: str) -> bool:
        """Return whether there is a value, and it is not null."""
        return self.values.get(key) is not None

    def table(self, key: str) -> Fields:
        """Return the object under `key`."""
        return Fields.of(self._given(key), f"{self.where}.{key}")

    def table_or_none(self, key: str) -> Fields | None:
        """Return the object under `key`, or None if it is null or absent."""
        return self.table(key) if self.has(key) else None

    def tables(self, key: str) -> Iterator[Fields]:
        """Yield the objects of the list under `key`."""
        value = self._given(key)
        if not isinstance(value, list):
            raise self._refusal(key, "a list", value)
        for at, item in enumerate(value):
            yield Fields.of(item, f"{self.where}.{key}[{at}]")

    def text(self, key: str) -> str:
        """Return the string under `key`."""
        value = self._given(key)
        if not isinstance(value, str):
            raise self._refusal(key, "a string", value)
        return value

    def text_or(self, key: str, default: str = "") -> str:
        """Return the string under `key`, or the default if it is null or absent."""
        return self.text(key) if self.has(key) else default

    def whole(self, key: str) -> int:
        """Return the whole number ≥ 0 under `key`."""
        value = self._given(key)
        if not isinstance(value, int) or isinstance(value, bool) or value < 0:
            raise self._refusal(key, "a whole number", value)
        return value

    def whole_or_none(self, key: str) -> int | None:
        """Return the whole number under `key`, or None if it is null or absent."""
        return self.whole(key) if self.has(key) else None

    def flag(self, key: str, *, default: bool = False) -> bool:
        """Return the boolean under `key`, or the default if it is null or absent."""
        if not self.has(key):
            return default
        value = self.values[key]
        if not isinstance(value, bool):
            raise self._refusal(key, "true or false", value)
        return value

    def sha(self, key: str) -> str:
        """Return the whole object id under `key`: it may stand among git's arguments."""
        value = self.text(key)
        if not _SHA.fullmatch(value):
            raise self._refusal(key, "an object id", value)
        return value

    def _given(self, key: str) -> Any:
        if not self.has(key):
            raise PayloadError(f"{self.where}.{key} is missing")
        return self.values[key]

    def _refusal(self, key: str, wanted: str, value: object) -> PayloadError:
        return PayloadError(f"{self.where}.{key} is not {wanted} but {_kind(value)}")


def _kind(value: object) -> str:
    if value is None:
        return "null"
    return repr(value)[:60] if isinstance(value, str | int | float) else type(value).__name__


def parse_slug(slug: str, where: str) -> Repo:
    """Return the repository that `owner/name` names.

    Raises:
        PayloadError: it is no such name.
    """
    owner, _, name = slug.partition("/")
    is_name = _SLUG_PART.fullmatch(owner) and _SLUG_PART.fullmatch(name)
    if not is_name or {owner, name} & {".", ".."}:
        raise PayloadError(f"{where} is not owner/name but {slug[:60]!r}")
    return Repo(owner, name)


def read_repo(table: Fields) -> Repo:
    """Return the repository of GitHub's repository object."""
    return parse_slug(table.text("full_name"), f"{table.where}.full_name")


def read_pull(table: Fields) -> PullRequest:
    """Return the pull request of GitHub's pull request object."""
    base, head = table.table("base"), table.table("head")
    head_repo = head.table_or_none("repo")
    source = read_repo(head_repo) if head_repo else None
    target = read_repo(base.table("repo"))
    return PullRequest(
        number=table.whole("number"),
        title=table.text("title"),
        body=table.text_or("body"),
        author=read_login(table, "user")[0],
        draft=table.flag("draft"),
        state=table.text("state"),
        base_sha=base.sha("sha"),
        head_sha=head.sha("sha"),
        base_ref=base.text("ref"),
        head_repo=source,
        is_fork=source is None or source.slug.lower() != target.slug.lower(),
        url=table.text("html_url"),
    )


def read_comment(table: Fields) -> Comment:
    """Return the comment of GitHub's issue comment or review comment object."""
    login, kind = read_login(table, "user")
    return Comment(
        id=table.whole("id"),
        author=login,
        author_type=kind,
        body=table.text_or("body"),
        created=table.text_or("created_at"),
        url=table.text_or("html_url"),
        association=table.text_or("author_association", "NONE"),
    )


def read_login(table: Fields, key: str) -> tuple[str, str]:
    """Return the login and the type of an account; a deleted one is GitHub's ghost."""
    user = table.table_or_none(key)
    return (user.text("login"), user.text_or("type", "User")) if user else (GHOST, "User")
