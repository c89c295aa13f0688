"""Learn which notes were turned down: 👎 by people with the right to write.

Only the default branch's job can save the cache that the file lies in, so only it collects; every
other run reads. The file is read as if a stranger had written it.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from pathlib import Path

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
    asked = 0
    for item in islice(port.recent_review_comments(), MAX_LOOKED_AT):
        marker = read_marker(item.comment.body)
        is_new = marker is not None and marker.anchor not in anchors
        if marker is None or not is_new or not item.n_down or asked == MAX_ASKED_ABOUT:
            continue
        if item.comment.author.lower() != port.viewer().lower():
            continue
        asked += 1
        if _is_turned_down(port, item):
            anchors.add(marker.anchor)
            found.append(Dislike(marker.anchor, marker.kind, words_of(_plain(item))))
    if found:
        _write(place, [*known, *found])
    return len(found)


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
