"""Rust's paths in expressions: `crate::a::f`, `super::g`, `other_crate::h`, without any import."""

from __future__ import annotations

from sidelight.graph.expressions import Chain
from sidelight.graph.resolving import Imports
from sidelight.graph.scoping import Scoping
from sidelight.graph.values import LIBRARY, UNKNOWN, Place, Sort, Value
from sidelight.model import SymbolKind

_RELATIVE = ("crate", "self", "super")


def is_rust_path(chain: Chain, place: Place, text: str) -> bool:
    """Return whether `::` follows the first name of a receiver: then it is no variable."""
    return chain.is_path or (len(chain.steps) == 1 and text[: place.byte].endswith("::"))


def relative_module(
    chain: Chain, place: Place, imports: Imports, scoping: Scoping
) -> tuple[Value, int]:
    """Return the module that `crate`, `self` and `super` at the start lead to, and how many of them
    there are; 0: the path begins with something else."""
    words: list[str] = []
    for step in chain.steps:
        if step.name not in _RELATIVE:
            break
        words.append(step.name)
    if not words:
        return UNKNOWN, 0
    inline = sum(
        around.symbol.kind is SymbolKind.MODULE
        for around in scoping.enclosing(place.path, place.owner)
    )
    above = [word for word in words if word != "self"]
    if above[:1] == ["super"]:
        above = above[inline:]  # the file's own inline modules come first
    file, _ = imports.rust.module(place.path, "::".join(above)) if above else (place.path, "")
    if file is None:
        return UNKNOWN, len(words)
    return Value(Sort.MODULE, modules=(file,)), len(words)


def crate_module(name: str, place: Place, imports: Imports) -> Value:
    """Return the crate of the workspace that a path begins with; a library's if none."""
    root = imports.rust.crate(place.path, name)
    return LIBRARY if root is None else Value(Sort.MODULE, modules=(root,))
