"""Choose, of a ranking's reasons, those that a reviewer can check. Pure: words in, words out."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from sidelight.focal import FocalSet
from sidelight.graph.model import byte_path
from sidelight.model import Hit
from sidelight.search.pathkind import PathKind, path_kind
from sidelight_bot.analysis.names import is_compound, is_telling
from sidelight_bot.analysis.texts import one_line

MAX_TOLD = 2
MAX_NAMES = 3
MIN_HABIT, MIN_TOGETHER = 0.15, 3  # share and number of the partner's commits; less is chance
LEAST_COPIED = 40  # per cent; boilerplate agrees to a tenth or two
_CODE = (PathKind.PRODUCTION, PathKind.TEST)
_HABIT = re.compile(r"changed together with (.*) in (\d+) of (\d+) commits")
_COPIED = re.compile(r"(\d+)% of its lines and those of (.*) agree")
_USE = re.compile(r"`([^`]+)` \(line (\d+)\)")
_QUOTED = re.compile(r"`([^`]+)`")


def reason_text(hit: Hit, focal: FocalSet) -> str:
    """Return the reasons that can be checked, the most definite first, as one line.

    "" if there is none: that a file shares common words, is near, or was changed lately can be
    true of any.
    """
    found = [
        text
        for kind, tell in _TELL.items()
        for reason in hit.reasons
        if reason.kind == kind and reason.weight > 0 and (text := tell(reason.detail, focal))
    ]
    return one_line("; ".join(found[:MAX_TOLD]))


def still_has(hit: Hit, focal: FocalSet) -> bool:
    """Return whether the hit holds names that are gone from the changed files."""
    return any(r.kind == "gone" and r.weight > 0 and _gone(r.detail, focal) for r in hit.reasons)


def _gone(detail: str, focal: FocalSet) -> str:
    del focal
    names = [name for name in _QUOTED.findall(detail) if is_compound(name)]
    return _with_names("still has", names, ", gone from the changed files")


def _copied(detail: str, focal: FocalSet) -> str:
    del focal
    match = _COPIED.fullmatch(detail)
    if match is None or int(match[1]) < LEAST_COPIED:
        return ""
    return f"{match[1]}% of its lines and those of `{match[2]}` agree"


def _uses(detail: str, focal: FocalSet) -> str:
    """A use may be bound by its name alone: only names that mean one thing are told."""
    del focal
    uses = [f"`{n}` (line {at})" for n, at in _USE.findall(detail) if is_compound(_last(n))]
    return f"uses {', '.join(uses[:MAX_NAMES])}, changed here" if uses else ""


def _defines(detail: str, focal: FocalSet) -> str:
    del focal
    names = [n for n in _QUOTED.findall(detail) if is_telling(_last(n))]
    return _with_names("defines", names, ", used in changed lines")


def _cochange(detail: str, focal: FocalSet) -> str:
    del focal
    habit = _HABIT.fullmatch(detail)
    if habit is None or int(habit[2]) < max(MIN_TOGETHER, MIN_HABIT * int(habit[3])):
        return ""
    if path_kind(byte_path(habit[1])) not in _CODE:  # a changelog goes with everything
        return ""
    return detail.replace(habit[1], f"`{habit[1]}`", 1)


def _shares(detail: str, focal: FocalSet) -> str:
    """The words are folded, and some are stems: only names of the diff itself are told."""
    known = {name.casefold(): name for name in (*focal.removed, *focal.added)}
    found = (known.get(word, "") for word in _QUOTED.findall(detail))
    return _with_names("shares", [word for word in found if is_compound(word)])


def _last(name: str) -> str:
    return name.rpartition(".")[2]


def _with_names(verb: str, names: Sequence[str], rest: str = "") -> str:
    listed = ", ".join(f"`{name}`" for name in names[:MAX_NAMES])
    return f"{verb} {listed}{rest}" if names else ""


# Kinds of reasons, the most definite first.
_TELL: Mapping[str, Callable[[str, FocalSet], str]] = {
    "gone": _gone,
    "copied": _copied,
    "uses": _uses,
    "defines": _defines,
    "cochange": _cochange,
    "mix": _shares,
}
