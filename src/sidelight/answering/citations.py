"""Hold an answer to the sources that it was given. Pure."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass

_CITATION = re.compile(
    r"[ \t]?[\[【](?:sources?\s*)?#?"
    r"(\d{1,4}(?:\s*(?:[,;&–-]|and)\s*(?:sources?\s*)?#?\d{1,4})*)[\]】]"
    r"(\([^()\s]*\))?",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"(\d+)(?:\s*[–-]\s*(\d+))?")
_CODE = re.compile(r"(```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)|(`+)(?!`).*?(?<!`)\2(?!`))", re.DOTALL)
MAX_RANGE = 20  # sources in one `[1-5]`


@dataclass(frozen=True, slots=True)
class Cited:
    """An answer whose citations all exist; `unknown` are the numbers that were taken out."""

    text: str
    numbers: tuple[int, ...]
    unknown: tuple[int, ...]


def check_citations(text: str, known: Collection[int]) -> Cited:
    """Return the answer with every citation as `[n]`, and those of no source removed.

    `[1, 2]`, `[1-3]` and `[source 2]` become `[1][2]`; what stands in code is no citation; a link
    behind a number is dropped.
    """
    numbers: dict[int, None] = {}
    unknown: dict[int, None] = {}

    def replace(match: re.Match[str]) -> str:
        cited = list(dict.fromkeys(_numbers(match[1])))
        good = [n for n in cited if n in known]
        numbers.update(dict.fromkeys(good))
        unknown.update(dict.fromkeys(n for n in cited if n not in known))
        space = match[0][0] if match[0][0] in " \t" and good else ""
        return space + "".join(f"[{n}]" for n in good)

    parts: list[str] = []
    start = 0
    for code in _CODE.finditer(text):
        parts += [_CITATION.sub(replace, text[start : code.start()]), code[0]]
        start = code.end()
    parts.append(_CITATION.sub(replace, text[start:]))
    return Cited("".join(parts).strip(), tuple(sorted(numbers)), tuple(unknown))


def _numbers(text: str) -> list[int]:
    found: list[int] = []
    for match in _NUMBER.finditer(text):
        first = int(match[1])
        last = int(match[2]) if match[2] else first
        found += range(first, min(last, first + MAX_RANGE) + 1) if last >= first else [first, last]
    return found
