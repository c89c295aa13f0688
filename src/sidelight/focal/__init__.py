"""From a diff to what it is about: the focal files, definitions, identifiers, title and scope."""

from sidelight.focal.build import build_focal
from sidelight.focal.model import FocalFile, FocalSet, FocalSymbol, SymbolChange
from sidelight.focal.title import scope_of, title_of

__all__ = [
    "FocalFile",
    "FocalSet",
    "FocalSymbol",
    "SymbolChange",
    "build_focal",
    "scope_of",
    "title_of",
]
