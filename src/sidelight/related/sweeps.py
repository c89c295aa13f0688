"""What the text of candidates has in common with removed code: a sweep's next places. Pure.

A change that replaces an idiom here often has to replace it elsewhere; a name that is gone must be
gone everywhere.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from sidelight.focal import FocalSet
from sidelight.related.query import lost_name

TOKEN = re.compile(rb"[A-Za-z_]\w*|\d+|[^\w\s]")
MOST_BYTES = 200_000  # of a candidate that are looked at
MOST_GRAMS = 600  # of removed code
MOST_NAMES = 200
LEAST_LINE = 6  # bytes; shorter lines are alike by chance
SHOWN = 2

Gram = tuple[bytes, bytes, bytes]


@dataclass(frozen=True, slots=True)
class Removed:
    """What the diff took out and did not put back: runs of three tokens, names, and base's lines.

    `names` occur nowhere in the changed files any more. `lines` are those of each focal file.
    """

    grams: frozenset[Gram]
    names: frozenset[bytes]
    lines: Mapping[bytes, frozenset[bytes]]


@dataclass(frozen=True, slots=True)
class Overlap:
    """What one candidate has of it: rarity-weighted sums, the share of lines, and examples."""

    swept: float = 0.0
    gone: float = 0.0
    copied: float = 0.0
    copy_of: bytes = b""
    grams: tuple[Gram, ...] = ()
    names: tuple[bytes, ...] = ()


def read_removed(focal: FocalSet) -> Removed:
    """Return what a diff removed."""
    removed: set[Gram] = set()
    added: set[Gram] = set()
    left: set[bytes] = set()
    for file in focal.files:
        for hunk in file.diff.hunks:
            for line in hunk.removed:
                removed |= _grams(TOKEN.findall(line.text))
            for line in hunk.added:
                added |= _grams(TOKEN.findall(line.text))
        left.update(TOKEN.findall(file.new_source[: 10 * MOST_BYTES]))
    words = {*focal.removed, *filter(None, map(lost_name, focal.files))}
    taken = (name.encode("utf-8", "surrogateescape") for name in words)
    names = sorted((name for name in taken if name not in left), key=lambda n: (-len(n), n))
    grams = sorted(removed - added, key=lambda gram: (-sum(map(len, gram)), gram))
    lines = {file.path: _lines(file.old_source) for file in focal.files if file.old_source}
    return Removed(frozenset(grams[:MOST_GRAMS]), frozenset(names[:MOST_NAMES]), lines)


def compare_texts(removed: Removed, texts: Mapping[bytes, bytes]) -> dict[bytes, Overlap]:
    """Return what each candidate's text has of the removed code, by path.

    `swept` and `gone` are Σ ln(1 + (n - df + ½) / (df + ½)) over the runs and names that it holds,
    df counting the n candidates that do; `copied` is |A ∩ B| / |A ∪ B| over lines, the best of the
    focal files'.
    """
    grams: dict[bytes, frozenset[Gram]] = {}
    names: dict[bytes, frozenset[bytes]] = {}
    for path, text in texts.items():
        tokens = TOKEN.findall(text[:MOST_BYTES])
        grams[path] = removed.grams & _grams(tokens) if removed.grams else frozenset()
        names[path] = removed.names.intersection(tokens)
    gram_idf = _rarity(grams.values(), len(texts))
    name_idf = _rarity(names.values(), len(texts))
    found = {}
    for path, text in texts.items():
        share, original = _copied(_lines(text[:MOST_BYTES]), removed.lines)
        found[path] = Overlap(
            swept=math.fsum(sorted(gram_idf[gram] for gram in grams[path])),
            gone=math.fsum(sorted(name_idf[name] for name in names[path])),
            copied=share,
            copy_of=original,
            grams=tuple(sorted(grams[path], key=lambda g: (-gram_idf[g], g))[:SHOWN]),
            names=tuple(sorted(names[path], key=lambda n: (-name_idf[n], n))[:SHOWN]),
        )
    return found


def holds(text: bytes, overlap: Overlap) -> bool:
    """Return whether a stretch of text has one of the rarest runs or names of an overlap."""
    tokens = TOKEN.findall(text)
    return not _grams(tokens).isdisjoint(overlap.grams) or not set(tokens).isdisjoint(overlap.names)


def _grams(tokens: list[bytes]) -> set[Gram]:
    return set(zip(tokens, tokens[1:], tokens[2:], strict=False))


def _lines(text: bytes) -> frozenset[bytes]:
    stripped = (line.strip() for line in text.split(b"\n"))
    return frozenset(line for line in stripped if len(line) >= LEAST_LINE)


def _copied(own: frozenset[bytes], others: Mapping[bytes, frozenset[bytes]]) -> tuple[float, bytes]:
    best, original = 0.0, b""
    for path, lines in sorted(others.items()):
        both = len(own & lines)
        share = both / (len(own) + len(lines) - both) if both else 0.0
        if share > best:
            best, original = share, path
    return best, original


def _rarity(held: Iterable[frozenset[Gram] | frozenset[bytes]], n: int) -> dict[object, float]:
    counts: dict[object, int] = {}
    for items in held:
        for item in items:
            counts[item] = counts.get(item, 0) + 1
    return {item: math.log(1 + (n - df + 0.5) / (df + 0.5)) for item, df in counts.items()}
