"""Write sources as text or Markdown. Pure; what comes from a repository cannot leave its fence."""

from __future__ import annotations

import re
from collections.abc import Iterable
from enum import StrEnum

from sidelight.model import display_path
from sidelight.packing.model import PackedContext, Source

BLOB_DIGITS = 12  # shown; JSON has all of them
REASON_CHARACTERS = 160
_FENCE = re.compile(r"^\s*(`{3,})", re.MULTILINE)


class Form(StrEnum):
    """How a packed context is printed."""

    TEXT = "text"
    MARKDOWN = "markdown"


def render_context(context: PackedContext, form: Form) -> str:
    """Return all sources in the order of reading; "" if there is none."""
    return render_sources(context.items, form)


def render_sources(sources: Iterable[Source], form: Form) -> str:
    """Return the sources one below the other, an empty line between."""
    return "\n".join(render_source(source, form) for source in sources)


def render_source(source: Source, form: Form) -> str:
    """Return one source with its heading: number, path, lines, names, blob id, and why."""
    path = _printable(display_path(source.path))
    where = f"{path}:{source.lines.first}-{source.lines.last}"
    blob = source.blob[:BLOB_DIGITS]
    names = _printable(", ".join(source.symbols))
    why = _printable("; ".join(source.reasons))[:REASON_CHARACTERS]
    text = "\n".join(_printable(line) for line in source.text.split("\n"))
    if form is Form.TEXT:
        heading = " ".join(word for word in (f"[{source.number}]", where, names) if word)
        reason = f"# {why}\n" if why else ""
        return f"{heading} (blob {blob})\n{reason}{text}\n"
    fence = "`" * max([3, *(len(found) + 1 for found in _FENCE.findall(text))])
    named = f" {_code(names)}" if names else ""
    reason = f"{_escape(why)}\n" if why else ""
    heading = f"**[{source.number}]** {_code(where)}{named} (blob `{blob}`)"
    language = source.language if source.language.isalnum() else ""
    return f"{heading}\n{reason}{fence}{language}\n{text}\n{fence}\n"


def _printable(text: str) -> str:
    """Return the text without what moves a terminal's cursor or hides text."""
    if text.isprintable():
        return text  # nearly every line; packing renders each many times
    return "".join(c if c.isprintable() or c == "\t" else "�" for c in text)


def _code(text: str) -> str:
    """Return inline code; longer quotes where the text has quotes of its own."""
    quotes = "`" * (1 + max((len(run) for run in re.findall("`+", text)), default=0))
    space = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{quotes}{space}{text}{space}{quotes}"


def _escape(text: str) -> str:
    return re.sub(r"([\\`*_<>\[\]#|])", r"\\\1", text)
