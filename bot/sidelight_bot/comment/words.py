"""Small pieces of wording and markup that sections share. Pure."""

from __future__ import annotations

import html
import re
from dataclasses import dataclass, field

from sidelight.untrusted.incoming import clean_code
from sidelight.untrusted.outgoing import BREAK, SUGGESTION, code_text, fenced
from sidelight_bot.permalinks import Permalinks
from sidelight_bot.report import Excerpt, ModelUsage

MAX_SHOWN_PATH = 80
MAX_SHOWN_NAME = 80
MAX_FOCUS = 90
MAX_WIDTH = 110  # characters of one line of an excerpt
TAB = 4


@dataclass(slots=True)
class Links:
    """Gives each place one short label, and knows all addresses at the end.

    The text stays readable as plain mail, since addresses stand below it.
    """

    permalinks: Permalinks
    labels: dict[str, str] = field(default_factory=dict)

    def place(self, path: str, start: int, end: int) -> str:
        """Return `path:start-end` as a link."""
        lines = f"{start}" if end <= start else f"{start}-{end}"
        return self.link(f"{shown_path(path)}:{lines}", path, start, end)

    def link(self, text: str, path: str, start: int, end: int) -> str:
        """Return text as code that links to lines of a file, if there is a server to link to."""
        url = self.permalinks.lines(path, start, end)
        if url is None:
            return code_text(text)
        label = self.labels.setdefault(url, f"s{len(self.labels) + 1}")
        return f"[{code_text(text)}][{label}]"

    def definitions(self) -> list[str]:
        """Return the lines that say where the labels lead."""
        return [f"[{label}]: {url}" for url, label in self.labels.items()]


def spent_words(usage: ModelUsage) -> str:
    """Return what all runs of a pull request spent, of how much."""
    most = f" of {usage.budget_tokens:,}" if usage.budget_tokens is not None else ""
    text = f"this pull request: {usage.total_tokens:,}{most} tokens"
    if usage.total_usd is None and usage.budget_usd is None:
        return text
    most = f" of ${usage.budget_usd:.2f}" if usage.budget_usd is not None else ""
    return f"{text}, ${usage.total_usd or 0:.4f}{most}"


def counted(n: int, one: str, many: str = "") -> str:
    """Return `1 test`, `2 tests`, `1,234 chunks`."""
    return f"{n:,} {one if n == 1 else many or one + 's'}"


def shown_path(path: str) -> str:
    """Return a path for people: odd bytes escaped, the middle of a long one left out."""
    text = path.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
    if len(text) <= MAX_SHOWN_PATH:
        return text
    half = MAX_SHOWN_PATH // 2
    return f"{text[: half - 1]}…{text[-half:]}"


def shown_name(name: str) -> str:
    """Return a symbol as code, cut if it is very long."""
    text = name if len(name) <= MAX_SHOWN_NAME else name[: MAX_SHOWN_NAME - 1] + "…"
    return code_text(printable(text))


def printable(text: str) -> str:
    """Return text that can be encoded: halves of surrogate pairs become escapes."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def fold(excerpt: Excerpt | None, most: int, indent: str = "  ") -> list[str]:
    """Return an excerpt as a folded block whose title is the line that matters; [] for none."""
    if excerpt is None or most < 1:
        return []
    lines = printable(excerpt.text).expandtabs(TAB).split("\n")
    at = min(max(excerpt.focus - excerpt.line, 0), len(lines) - 1)
    focus = _cut(clean_code(lines[at]).strip(), MAX_FOCUS)
    if not focus:
        return []
    first = max(0, min(at - (most - 1) // 2, len(lines) - most))
    shown = _dedent([_cut(line, MAX_WIDTH) for line in lines[first : first + most]])
    title = re.sub(r"@(?=\w)", f"@{BREAK}", html.escape(focus))
    language = "" if excerpt.language == SUGGESTION else excerpt.language
    block = fenced("\n".join(shown), language).split("\n")
    rows = [f"<details><summary><code>{title}</code></summary>", "", *block, "", "</details>"]
    return [f"{indent}{row}" if row else "" for row in rows]


def _cut(text: str, most: int) -> str:
    text = text.rstrip()
    return text if len(text) <= most else text[: most - 1] + "…"


def _dedent(lines: list[str]) -> list[str]:
    margin = min((len(line) - len(line.lstrip()) for line in lines if line.strip()), default=0)
    return [line[margin:] for line in lines]
