"""Where a file's text says of what type a variable is. Pure: patterns over one file's source.

The parser keeps uses and definitions but no types of variables; these patterns find, for the
receivers of calls, annotated parameters, fields and locals, and values that a call makes. They
take a source as Latin-1 text, so that offsets are bytes. What they miss costs an edge's certainty,
not its correctness: a name without a declaration has no known type.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from sidelight.graph.expressions import Chain, chain_at, parse_chain

_NO_NAMES = frozenset(
    "return new else throw case goto import package using namespace class struct enum if while for"
    " switch do try catch finally lambda except def elif in is not and or yield await delete typeof"
    " instanceof public private protected internal static final const void interface extends throws"
    " implements default break continue fn let var val match impl where use mod pub".split()
)
_ID = r"[A-Za-z_]\w*"
_JS_ID = r"[A-Za-z_$][\w$]*"
_PREFIX_TYPE = (
    rf"(?<![\w.])(?P<t>(?:{_ID}(?:\.|::))*{_ID})(?:<[^;(){{}}]*>)?(?:\[\])*[\s*&?]+"
    rf"(?P<n>{_ID})\s*(?=[=;,)\[{{]|:(?!:)|in\b)"
)
_SUFFIX_TYPE = rf"(?P<n>{_ID})\s*:\s*(?P<t>[A-Z][\w.]*(?:<[^;(){{}}]*>)?)"

# Of each family: patterns whose group `n` is the variable, and either `t` its type or `v` the place
# where its value begins.
_PATTERNS: dict[str, tuple[str, ...]] = {
    "python": (
        rf"(?:^[ \t]*|[(,]\s*)\*{{0,2}}(?P<n>{_ID})\s*:\s*(?P<t>[^=,)\n#:{{}}]+)",
        rf"^[ \t]*(?P<n>{_ID})[ \t]*=[ \t]*(?!=)(?P<v>)",
        rf"\b(?P<n>{_ID})\s*:=\s*(?P<v>)",
        rf"\bwith\s+(?P<v>)[^\n:]*?\bas\s+(?P<n>{_ID})",
        rf"\bexcept\s+(?P<t>[\w.]+)\s+as\s+(?P<n>{_ID})",
    ),
    "javascript": (
        rf"(?:[(,{{;\n]\s*(?:(?:private|public|protected|readonly|static)\s+)*|\b(?:const|let|var)\s+)"
        rf"(?P<n>{_JS_ID})[?!]?\s*:\s*"
        r"(?P<t>[A-Z][\w$.]*(?:<[^;(){}=]*>)?(?:\[\])*|string\b|number\b|boolean\b|bigint\b)",
        rf"(?:\b(?:const|let|var)\s+|[;{{}}\n(,]\s*)(?P<n>{_JS_ID})\s*=\s*(?![=>])(?P<v>)",
    ),
    "go": (
        rf"\bvar\s+(?P<n>{_ID})\s+(?P<t>[*\[\]\w.]+)",
        rf"(?P<n>{_ID})(?:\s*,\s*\w+)?\s*:?=\s*[\w.]+\.\(\*?(?P<t>[\w.]+)\)",
        rf"\bfor\s+\w+\s*,\s*(?P<n>{_ID})\s*:?=\s*range\s+(?P<v>)",
        rf"(?P<n>{_ID}(?:\s*,\s*\w+)*)\s*:?=\s*(?!=|range\b)(?P<v>)",
    ),
    "rust": (
        rf"(?:[(,|]\s*|^\s*|\blet\s+)(?:mut\s+)?(?P<n>{_ID})\s*:\s*"
        r"(?P<t>&?\s*(?:'\w+\s+)?(?:mut\s+)?(?:dyn\s+|impl\s+)?(?:\w+::)*[A-Z][\w:]*(?:<[^;(){}=]*>)?)",
        rf"\blet\s+(?:mut\s+)?(?P<n>{_ID})\s*=\s*(?P<v>)",
    ),
    "jvm": (
        rf"\b(?:val|var)\s+(?P<n>{_ID})\s*=\s*(?P<v>)",
        _SUFFIX_TYPE,
        _PREFIX_TYPE,
    ),
    "csharp": (rf"\bvar\s+(?P<n>{_ID})\s*=\s*(?P<v>)", _PREFIX_TYPE),
    "c": (
        rf"\b(?:const\s+)?auto[\s&*]+(?P<n>{_ID})\s*=\s*(?P<v>)",
        _PREFIX_TYPE,
        rf"(?<![\w.])(?P<t>(?:{_ID}::)*[A-Z]\w*)(?:<[^;(){{}}]*>)?\s+(?P<n>{_ID})\(",
    ),
    "swift": (rf"\b(?:let|var)\s+(?P<n>{_ID})\s*=\s*(?P<v>)", _SUFFIX_TYPE),
    "php": (
        r"(?P<t>\??\\?[A-Z][\w\\]*)\s+(?:&\s*)?(?P<n>\$\w+)",
        r"(?P<n>\$\w+)\s*=\s*(?![=>])(?P<v>)",
    ),
    "ruby": (rf"^\s*(?P<n>{_ID})\s*(?:\|\|)?=\s*(?![=~>])(?P<v>)",),
    "lua": (rf"(?:\blocal\s+|^\s*)(?P<n>{_ID})\s*=\s*(?!=)(?P<v>)",),
}
_RESULTS: dict[str, str] = {
    "python": r"->\s*(?P<t>[^:\n]+?)\s*:?\s*$",
    "javascript": r"\)\s*:\s*(?P<t>[\w$.]+(?:<[^;{}]*>)?(?:\[\])*)\s*(?:=>)?\s*$",
    "rust": r"->\s*(?P<t>[^{;]+?)\s*(?:\bwhere\b[^{]*)?\{?\s*$",
    "php": r"\)\s*:\s*(?P<t>\??\\?[\w\\]+)\s*\{?\s*$",
    "swift": r"->\s*(?P<t>[\w.]+)",
    "go": r"\)\s*(?:\(\s*(?:\w+\s+)?)?(?P<t>[*\[\]\w.]+)[^()]*\)?\s*\{?\s*$",
}
_BEFORE_NAME = (
    r"(?P<t>(?:{id}(?:\.|::))*{id})(?:<[^;(){{}}]*>)?(?:\[\])*[\s*&]+(?:\w+::)*{name}\s*\("
)
_AFTER_PARENTHESIS = r"\)\s*:\s*(?P<t>[A-Z][\w.]*)"
# Types that stand for what they hold when it comes to calling methods.
WRAPPERS = frozenset(
    "Optional Option Result Arc Rc Box Pin Promise Awaitable shared_ptr unique_ptr weak_ptr"
    " Annotated ClassVar Final Task Ref RefMut RefCell Mutex RwLock Lazy".split()
)
_WRAPPERS = re.compile(rf"(?:\w+(?:\.|::))*(?:{'|'.join(sorted(WRAPPERS))})\s*[<\[]")
_DECORATION = re.compile(
    r"^(?:[\s&*?\\'\"]+|'\w+\s|mut\s|dyn\s|impl\s|const\s|\.\.\.|\[\w*\]|map\[\w+\]|chan\s|readonly\s)+"
)
_GO_FUNCTION = re.compile(
    r"\bfunc\b\s*(?:\([^()\n]*\)\s*)?(?:\w+\s*)?(?:\[[^\]\n]*\]\s*)?\([^()]*\)(?:\s*\([^()\n]*\))?"
)
_PARENTHESES = re.compile(r"\(([^()]*)\)")
_GO_RESULTS = re.compile(r"\)\s*\(([^()]*)\)\s*\{?\s*$")
_LITERAL = re.compile(r"[\"'`\[{(\d]|[fbru]{1,2}[\"']|(?:true|false|True|False|nil|None|null)\b")
_CUT = re.compile(r"\s*\|\s*(?:None|null|undefined|nil)\b|\b(?:None|null|undefined)\s*\|\s*")


_ATTRIBUTES = {
    "python": ("self.", "cls."),
    "javascript": ("this.",),
    "ruby": ("@",),
    "php": ("$this->",),
    "jvm": ("this.",),
    "csharp": ("this.",),
    "swift": ("self.",),
    "lua": ("self.",),
}
# A parameter's type stands before its name, or behind it and a colon (Kotlin, Scala).
_TYPE_FIRST = frozenset({"jvm", "csharp", "c"})
_TYPED_NAME = re.compile(r"(\w+)\s*:(?!:)|(?<=[\s*&>\]?])(\w+)\s*(?:\[\])?\s*$")
_SET = re.compile(r"[ \t]*(?::[ \t]*(?P<t>[^=\n,;)]+))?(?:\|\|)?=[ \t]*(?![=>~])(?P<v>)")
_PROMOTION = re.compile(r"\b(?:private|public|protected|readonly)\s+$")
_PROMOTED_TYPE = re.compile(r"\??\s*:\s*(?P<t>[\w$.]+)")
_Places = dict[str, list[tuple[int, int, str, int]]]


@dataclass(frozen=True, slots=True)
class Declaration:
    """A variable's type: `chain` names it or makes a value of it; None: a literal's.

    `of_element`: the variable holds an element of that value (Go's `range`).
    """

    offset: int
    chain: Chain | None
    is_type: bool
    index: int = 0  # of the result it takes: Go's `a, b := f()`
    of_element: bool = False


class Declarations:
    """What one file declares, by stretch: only the functions that are asked about are read.

    A stretch is a function with all that it holds, or a variable's own statement.
    """

    def __init__(self, text: str, family: str) -> None:
        self._text = text
        self._family = family
        self._stretches: dict[tuple[int, int], _Places] = {}

    def within(
        self, name: str, start: int, end: int, until: int | None = None
    ) -> Iterator[Declaration]:
        """Yield what declares the variable in a stretch, before `until` if given, last first."""
        places = self._places(start, end).get(name, [])
        stop = len(places) if until is None else bisect_left(places, (until,))
        for place in reversed(places[:stop]):
            found = self._declaration(*place)
            if found is not None:
                yield found

    def attribute(self, name: str, start: int, end: int) -> Iterator[Declaration]:
        """Yield what `self.name` (`this.name`, `@name`) is set to between two offsets, in order."""
        for prefix in _ATTRIBUTES.get(self._family, ()):
            word = prefix + name
            at = self._text.find(word, start, end)
            while at >= 0:
                match = _SET.match(self._text, at + len(word))
                if match is not None:
                    kind = match["t"] or ""
                    value = -1 if kind else match.start("v")
                    found = self._declaration(at, value, kind.strip(), 0)
                    if found is not None:
                        yield found
                at = self._text.find(word, at + len(word), end)
        if self._family == "javascript":
            yield from self._promoted(name, start, end)

    def _promoted(self, name: str, start: int, end: int) -> Iterator[Declaration]:
        """Yield the field that a constructor's parameter declares (TypeScript)."""
        at = self._text.find(name, start, end)
        while at >= 0:
            before = self._text[max(start, at - 40) : at]
            match = _PROMOTED_TYPE.match(self._text, at + len(name))
            if match is not None and _PROMOTION.search(before):
                found = self._declaration(at, -1, match["t"], 0)
                if found is not None:
                    yield found
            at = self._text.find(name, at + len(name), end)

    def is_declared(self, name: str, start: int, end: int, until: int) -> bool:
        """Return whether the variable is declared in a stretch before an offset."""
        places = self._places(start, end).get(name, [])
        return bool(places) and places[0][0] < until

    def _places(self, start: int, end: int) -> _Places:
        """Return, of each variable: where it is declared, where its value begins (-1: it has a
        type), the type, and which of several results it takes; by place."""
        known = self._stretches.get((start, end))
        if known is not None:
            return known
        found: _Places = {}
        for pattern in _compiled(self._family):
            is_type = "t" in pattern.groupindex
            for match in pattern.finditer(self._text, start, end):
                if is_type and match["t"] in _NO_NAMES:
                    continue
                kind = match["t"] if is_type else ""
                at = -1 if is_type else match.start("v")
                _add(found, match["n"], (match.start("n"), at, kind))
        if self._family == "go":
            for group in _GO_FUNCTION.finditer(self._text, start, end):
                for name, kind in _go_parameters(group):
                    _add(found, name, (group.start(), -1, kind))
        for places in found.values():
            places.sort(key=lambda place: place[0])
        self._stretches[start, end] = found
        return found

    def _declaration(self, offset: int, value: int, kind: str, index: int) -> Declaration | None:
        if value < 0:
            chain = type_chain(kind)
            return None if chain is None else Declaration(offset, chain, is_type=True)
        if _LITERAL.match(self._text, value):
            is_empty = self._text.startswith(("None", "null", "nil"), value)
            return None if is_empty else Declaration(offset, None, is_type=False)
        chain = chain_at(self._text, value)
        if chain is None:
            return None
        of_element = self._family == "go" and self._text.endswith("range ", 0, value)
        return Declaration(offset, chain, is_type=False, index=index, of_element=of_element)


def _add(found: _Places, names: str, place: tuple[int, int, str]) -> None:
    for index, name in enumerate(names.split(",")):
        word = name.strip()
        if word not in _NO_NAMES:
            found.setdefault(word, []).append((*place, index))


@lru_cache(maxsize=1 << 12)
def type_chain(text: str) -> Chain | None:
    """Return the chain of a type without its wrapping: `Optional["a.B"]`, `&a::B<T>` → a, B."""
    text = _CUT.sub("", text).strip()
    for _ in range(4):
        text = text.partition(" + ")[0]  # `dyn A + Send`: the first says most
        text = _DECORATION.sub("", text).rstrip("\"'?! \t\n")
        wrapper = _WRAPPERS.match(text)
        if wrapper is None:
            break
        text = text[wrapper.end() :].rstrip(">] \t").partition(",")[0]
    if "|" in text:
        return None
    bare = re.split(r"[<\[]", text, maxsplit=1)[0]
    return parse_chain(bare) if bare else None


def bound_chain(signature: str, name: str) -> Chain | None:
    """Return the chain of the first trait that a type parameter of a Rust signature has to have."""
    found = re.search(rf"\b{re.escape(name)}\s*:\s*(?P<t>[^,{{;=>]+)", signature)
    return None if found is None else type_chain(found["t"])


def result_chain(signature: str, name: str, family: str, index: int = 0) -> Chain | None:
    """Return the chain of the type that a function's signature says it returns.

    `index` tells which of Go's results is meant.
    """
    if index:
        results = _GO_RESULTS.search(signature)
        parts = results[1].split(",") if results else []
        words = parts[index].split() if index < len(parts) else []
        return type_chain(words[-1]) if words else None
    if family in _RESULTS:
        found = re.search(_RESULTS[family], signature)
    else:
        before = _BEFORE_NAME.format(id=_ID, name=re.escape(name))
        found = re.search(_AFTER_PARENTHESIS, signature) or re.search(before, signature)
    if found is None or found["t"] in _NO_NAMES:
        return None
    return type_chain(found["t"])


def _go_parameters(function: re.Match[str]) -> Iterator[tuple[str, str]]:
    """Yield (name, type) of the receiver, parameters and named results of a Go function."""
    for group in _PARENTHESES.finditer(function[0]):
        kind = ""
        for part in reversed(group[1].split(",")):
            words = part.strip().split(None, 1)
            if len(words) == 2:
                kind = words[1]
            if words and kind and words[0].isidentifier():
                yield words[0], kind


def parameter_names(signature: str, family: str) -> frozenset[str]:
    """Return the words of a signature that may be its parameters' names."""
    inside = "(" + signature.partition("(")[2]
    if family in _TYPE_FIRST:
        parts = re.split(r"[(,)]", inside[: inside.rfind(")")])
        names = (_TYPED_NAME.search(part.partition("=")[0]) for part in parts)
        return frozenset(name[1] or name[2] for name in names if name is not None)
    return frozenset(re.findall(r"[(,]\s*[*&.]{0,3}([A-Za-z_$][\w$]*)\s*(?=[,:=)?]|\s\w)", inside))


@lru_cache(maxsize=64)
def _compiled(family: str) -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(pattern, re.MULTILINE) for pattern in _PATTERNS.get(family, ()))
