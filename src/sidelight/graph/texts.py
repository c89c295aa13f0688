"""Files' sources as the graph reads them: declarations of variables, signatures, local names."""

from __future__ import annotations

from sidelight.graph.declared import Declarations, parameter_names
from sidelight.graph.facts import Facts
from sidelight.graph.rows import Definition
from sidelight.graph.scoping import Scoping
from sidelight.graph.values import Place
from sidelight.model import CALLABLE_KINDS


class Texts:
    """Sources of one view, read when asked for and then kept."""

    def __init__(self, facts: Facts, scoping: Scoping) -> None:
        self._facts = facts
        self._scoping = scoping
        self._texts: dict[str, str] = {}
        self._declarations: dict[str, Declarations] = {}

    def text(self, path: str) -> str:
        """Return the file's source as Latin-1, so that offsets are bytes."""
        if path not in self._texts:
            self._texts[path] = self._facts.source(path).decode("latin-1")
        return self._texts[path]

    def declarations(self, path: str) -> Declarations:
        """Return what the file's text declares of its variables."""
        found = self._declarations.get(path)
        if found is None:
            family = self._facts.family(path).name
            found = self._declarations[path] = Declarations(self.text(path), family)
        return found

    def signature(self, definition: Definition) -> str:
        """Return a definition's text before its body."""
        symbol = definition.symbol
        return self.text(definition.path)[symbol.span.start_byte : symbol.body_byte]

    def body(self, definition: Definition) -> str:
        """Return a definition's text from its body on."""
        symbol = definition.symbol
        return self.text(definition.path)[symbol.body_byte : symbol.span.end_byte]

    def stretch(self, place: Place) -> tuple[int, int]:
        """Return the bytes of the outermost function around a place; (0, 0) if there is none."""
        stretch = (0, 0)
        for around in self._scoping.enclosing(place.path, place.owner):
            if around.symbol.kind in CALLABLE_KINDS:
                stretch = (around.symbol.span.start_byte, around.symbol.span.end_byte)
        return stretch

    def is_parameter(self, name: str, place: Place) -> bool:
        """Return whether a function around a place has a parameter of that name."""
        family = self._facts.family(place.path).name
        return any(
            around.symbol.kind in CALLABLE_KINDS
            and name in parameter_names(self.signature(around), family)
            for around in self._scoping.enclosing(place.path, place.owner)
        )

    def is_local(self, name: str, place: Place) -> bool:
        """Return whether a parameter or variable of the functions around has that name."""
        start, end = self.stretch(place)
        family = self._facts.family(place.path).name
        for around in self._scoping.enclosing(place.path, place.owner):
            symbol = around.symbol
            if symbol.kind not in CALLABLE_KINDS or symbol.name == name:
                continue
            if name in parameter_names(self.signature(around), family):
                return True
            if symbol.span.start_byte == start and self.declarations(place.path).is_declared(
                name, start, end, place.byte
            ):
                return True
        return False
