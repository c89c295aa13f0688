"""What people with write permission turned down (👎), so that its like is not said again. Pure.

Kept as a small JSON file beside the index in the cache, which only the default branch's job saves;
still read as if a stranger had written it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sidelight_bot.notes.duplicates import likeness, words_of

VERSION = 1
MOST = 500
MAX_WORDS = 60
MAX_BYTES = 1_000_000
ALIKE = 0.6
PENALTY = 0.5  # taken off the rank of what is somewhat like a disliked note
_ANCHOR = re.compile(r"[0-9a-f]{16}")
_WORD = re.compile(r"[a-z0-9_]{3,60}")
_KIND = re.compile(r"[a-z_]{1,24}")


@dataclass(frozen=True, slots=True)
class Dislike:
    """A note that was turned down: its anchor, kind and words."""

    anchor: str
    kind: str
    words: frozenset[str]


def read_dislikes(data: bytes) -> tuple[Dislike, ...]:
    """Return the well-formed entries of the file; () of one that is none of ours."""
    if len(data) > MAX_BYTES:
        return ()
    try:
        table = json.loads(data)
    except (ValueError, RecursionError):
        return ()
    if not isinstance(table, dict) or table.get("version") != VERSION:
        return ()
    rows = table.get("dislikes")
    found = [_read(row) for row in rows[:MOST]] if isinstance(rows, list) else []
    return tuple(item for item in found if item is not None)


def write_dislikes(dislikes: Iterable[Dislike]) -> bytes:
    """Return the file's content; the same entries give the same bytes, the newest 500 are kept."""
    latest = {item.anchor: item for item in dislikes}
    rows = [
        {"anchor": d.anchor, "kind": d.kind, "words": sorted(d.words)[:MAX_WORDS]}
        for d in list(latest.values())[-MOST:]
    ]
    return json.dumps({"version": VERSION, "dislikes": rows}, indent=1, sort_keys=True).encode()


def dislike_of(kind: str, text: str, dislikes: Sequence[Dislike]) -> float:
    """Return how much a note is like one of its kind that was turned down, in [0, 1]."""
    words = words_of(text)
    return max((likeness(words, d.words) for d in dislikes if d.kind == kind), default=0.0)


def _read(row: object) -> Dislike | None:
    if not isinstance(row, dict):
        return None
    anchor, kind, words = row.get("anchor"), row.get("kind"), row.get("words")
    if not (isinstance(anchor, str) and _ANCHOR.fullmatch(anchor)):
        return None
    if not (isinstance(kind, str) and _KIND.fullmatch(kind)) or not isinstance(words, list):
        return None
    kept = [w for w in words[:MAX_WORDS] if isinstance(w, str) and _WORD.fullmatch(w)]
    return Dislike(anchor, kind, frozenset(kept))
