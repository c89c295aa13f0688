"""Names as people type them: `run`, `Server.run`, `src/server.py::Server.run`."""

from __future__ import annotations

import re
from difflib import SequenceMatcher

from sidelight.graph.facts import Facts
from sidelight.graph.lookup import distinct
from sidelight.graph.rows import Definition

_SEPARATOR = re.compile(r"::|#|->|\.|/")
_RECEIVER = re.compile(r"\(\*?(\w+)\)(?=\.)")  # Go's `(*Server).Run`, as its traces print it
_POOL = 20_000  # names compared for suggestions


def find_definitions(facts: Facts, name: str) -> tuple[Definition, ...]:
    """Return the definitions that a name may mean, one for each path and qualified name, by path.

    `path::Name` looks in the files whose path is, or ends in, `path`; a qualified name need not be
    complete at its beginning. Callables and types come before variables of the same name.
    """
    folder, words = _split(facts, name.strip().removesuffix("()"))
    if not words:
        return ()
    qualified = ".".join(words)
    found = [
        item
        for item in facts.named(words[-1])
        if f".{item.symbol.qualified_name}".endswith(f".{qualified}")
        and (folder is None or item.path == folder or item.path.endswith(f"/{folder}"))
    ]
    exact = [item for item in found if item.symbol.qualified_name == qualified]
    return distinct(exact if folder is not None and exact else found)


def nearest_names(facts: Facts, name: str, limit: int) -> tuple[str, ...]:
    """Return names of the tree that resemble `name`, likest first, then by the alphabet."""
    _, words = _split(facts, name.strip().removesuffix("()"))
    wanted = words[-1].casefold() if words else name.casefold()
    if not wanted:
        return ()
    scored = sorted(
        (-SequenceMatcher(None, wanted, other.casefold()).ratio(), other)
        for other in facts.names_like(wanted, _POOL)
    )
    return tuple(other for score, other in scored[:limit] if score <= -0.5)


def _split(facts: Facts, name: str) -> tuple[str | None, list[str]]:
    """Return the path before `::`, if it is one of a file, and the parts of the name."""
    before, separator, after = name.partition("::")
    if separator and after and _is_path(facts, before):
        return before, _SEPARATOR.split(_text(after))
    return None, [word for word in _SEPARATOR.split(_text(name)) if word]


def _text(typed: str) -> str:
    """Return typed words without what no symbol's name has: bytes that are not UTF-8, `(*T)`."""
    return _RECEIVER.sub(r"\1", typed.encode("utf-8", "replace").decode())


def _is_path(facts: Facts, text: str) -> bool:
    return bool(text) and (text in facts.tree or bool(facts.tree.ending(text)))
