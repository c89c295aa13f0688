"""How alike two function bodies are, by their tokens. Pure."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import Any

_TOKEN = re.compile(
    r"(?P<comment>//[^\n]*|\#(?![\[!])[^\n]*|/\*.*?\*/)"
    r"|(?P<string>\"\"\".*?\"\"\"|'''.*?'''|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`)"
    r"|(?P<word>[A-Za-z_$]\w*)|(?P<number>\d[\w.]*)|(?P<sign>[^\s\w])",
    re.DOTALL,
)
_LOCAL = re.compile(r"(?<![.\w$])([A-Za-z_$]\w*)\s*(?::=|[-+*/|&]?=(?!=))|\bfor\s+\(?\s*(\w+)")
SHINGLE = 4  # tokens in a row


@dataclass(frozen=True, slots=True)
class Body:
    """A function's body as bags: of its tokens in rows of four, and of its names."""

    shingles: Counter[tuple[str, ...]]
    names: Counter[str]
    n_tokens: int


@dataclass(frozen=True, slots=True)
class Likeness:
    """Shares in common (0 to 1): `text` of the rows of tokens, `names` of the words."""

    text: float
    names: float


def read_body(text: str) -> Body:
    """Return a body's bags; literals count by their kind, what is assigned by its place, comments
    not at all."""
    local = {word for pair in _LOCAL.findall(text) for word in pair if word}
    tokens: list[str] = []
    names: Counter[str] = Counter()
    for match in _TOKEN.finditer(text):
        kind = match.lastgroup
        if kind == "comment":
            continue
        if kind == "string":
            tokens.append("'")
        elif kind == "number":
            tokens.append("0")
        else:
            is_local = match[0] in local
            tokens.append("=" if is_local else match[0])
            if kind == "word":
                names["=" if is_local else match[0]] += 1
    rows = zip(*(tokens[start:] for start in range(SHINGLE)), strict=False)
    return Body(Counter(rows), names, len(tokens))


def likeness(first: Body, second: Body) -> Likeness:
    """Return how alike two bodies are: weighted Jaccard, Σ min / Σ max, of either bag."""
    return Likeness(_jaccard(first.shingles, second.shingles), _jaccard(first.names, second.names))


def _jaccard(first: Counter[Any], second: Counter[Any]) -> float:
    together = (first | second).total()
    return (first & second).total() / together if together else 0.0
