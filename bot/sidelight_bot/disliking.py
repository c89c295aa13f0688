"""Learn which notes were turned down: 👎 by people with the right to write.

Only the default branch's job can save the cache that the file lies in, so only it collects; every
other run reads. The file is read as if a stranger had written it.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from itertools import islice
from pathlib import Path
from random import SystemRandom

from sidelight.errors import StorageError
from sidelight_bot.github.port import GitHubPort, ReviewComment
from sidelight_bot.model import Permission
from sidelight_bot.notes.anchors import read_marker
from sidelight_bot.notes.duplicates import words_of
from sidelight_bot.notes.feedback import MAX_BYTES, Dislike, read_dislikes, write_dislikes

MAX_LOOKED_AT = 200  # review comments of the repository, newest first
MAX_ASKED_ABOUT = 10  # of them, in one run: each costs requests
MAX_PEOPLE = 5  # of those who turned one down


def known_dislikes(place: Path | None) -> tuple[Dislike, ...]:
    """Return what is known so far; nothing of a file that is not there or not ours."""
    if place is None:
        return ()
    try:
        with place.open("rb") as file:
            return read_dislikes(file.read(MAX_BYTES + 1))
    except OSError:
        return ()


def collect_dislikes(port: GitHubPort, place: Path) -> int:
    """Add what was turned down since; return how many are new.

    Raises:
        GitHubError: see `github.errors`.
        StorageError: the file cannot be written.
    """
    known = known_dislikes(place)
    anchors = {item.anchor for item in known}
    found: list[Dislike] = []
    for item in _some(_turned_down_by_anybody(port, anchors)):
        marker = read_marker(item.comment.body)
        if marker is None or marker.anchor in anchors:
            continue
        if _is_turned_down(port, item):
            anchors.add(marker.anchor)
            found.append(Dislike(marker.anchor, marker.kind, words_of(_plain(item))))
    if found:
        _write(place, [*known, *found])
    return len(found)


def _turned_down_by_anybody(port: GitHubPort, known: Container[str]) -> list[ReviewComment]:
    """Return recent notes of ours that somebody turned down, and that are not known for it."""
    found = []
    for item in islice(port.recent_review_comments(), MAX_LOOKED_AT):
        marker = read_marker(item.comment.body)
        if marker is None or marker.anchor in known or not item.n_down:
            continue
        if item.comment.author.lower() == port.viewer().lower():
            found.append(item)
    return found


def _some(items: Sequence[ReviewComment]) -> Sequence[ReviewComment]:
    """Return at most as many as one run asks about: any of them, since 👎 by strangers on the
    newest notes must not keep the others from ever being asked about.
    """
    if len(items) <= MAX_ASKED_ABOUT:
        return items
    return SystemRandom().sample(items, MAX_ASKED_ABOUT)


def _is_turned_down(port: GitHubPort, item: ReviewComment) -> bool:
    people = islice(port.reactors(item.comment.id, "-1"), MAX_PEOPLE)
    return any(port.permission(login).allows(Permission.WRITE) for login in people)


def _plain(item: ReviewComment) -> str:
    """Return the note's words: its first lines, without evidence and marks."""
    return item.comment.body.partition("\n\nRests on ")[0].partition("<!--")[0]


def _write(place: Path, dislikes: Iterable[Dislike]) -> None:
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(write_dislikes(dislikes))
    except OSError as error:
        raise StorageError(f"{place.name} cannot be written: {error.strerror}") from error
