"""Cut files into chunks, the units of retrieval. Pure: bytes and syntax in, chunks out.

`versions.CHUNKER` rises with every change of any file's chunks.
"""

from __future__ import annotations

from dataclasses import replace
from operator import attrgetter

from sidelight.chunking.cutting import Limits
from sidelight.chunking.lines import split_lines
from sidelight.chunking.outline import build_outline
from sidelight.chunking.plain import chunk_prose, chunk_text
from sidelight.chunking.rendering import render_pieces
from sidelight.chunking.tidy import tidy_pieces
from sidelight.languages import LANGUAGES, Family
from sidelight.model import Chunk, ParsedFile

MAX_LINES = 60  # of a chunk; about what the embedder and a reader take in at once
MAX_BYTES = 6_000  # the same in bytes, for long lines

_PROSE = {
    "markdown": "markdown",
    "mdx": "markdown",
    "rst": "rst",
    "restructuredtext": "rst",
    "asciidoc": "asciidoc",
}
_PROSE_SUFFIXES = {
    b"md": "markdown",
    b"markdown": "markdown",
    b"mdx": "markdown",
    b"rst": "rst",
    b"adoc": "asciidoc",
    b"asciidoc": "asciidoc",
}
__all__ = ["MAX_BYTES", "MAX_LINES", "chunk_file"]


def chunk_file(
    source: bytes,
    path: bytes,
    parsed: ParsedFile,
    *,
    max_lines: int = MAX_LINES,
    max_bytes: int = MAX_BYTES,
) -> tuple[Chunk, ...]:
    """Return the chunks of a file, in order; the same input always gives the same chunks.

    Every byte of the source lies in exactly one chunk's span; an empty file has no chunk. Chunks
    are made of whole lines, except where a line alone exceeds `max_bytes`. At most ten short lines
    that only close a block come on top of `max_lines`, and a quarter on top of `max_bytes`.

    Definitions and methods are whole, with decorators and the comments above; a larger class is an
    overview and its methods, whose `parent` it is; what is longer than the limits is cut where
    statements begin, with its signature as `header`. Prose follows its headings, anything else its
    lines.

    Raises:
        ValueError: a limit is not positive.
    """
    if max_lines < 1 or max_bytes < 8:
        raise ValueError("max_lines must be at least 1, max_bytes at least 8")
    if not source:
        return ()
    limits = Limits(max_lines, max_bytes)
    lines = split_lines(source)
    language = parsed.language
    flavour = _PROSE.get(language)
    if flavour is None and language == "text":
        flavour = _PROSE_SUFFIXES.get(path.rpartition(b".")[2].lower())
    if flavour is not None:
        return chunk_prose(lines, language, flavour, limits)
    if _is_plain(parsed):
        return chunk_text(lines, language, limits)
    parsed = replace(parsed, breaks=tuple(sorted(parsed.breaks, key=attrgetter("byte"))))
    pieces = build_outline(parsed, lines, limits)
    return render_pieces(tidy_pieces(pieces, parsed, lines, limits), parsed, lines, limits)


def _is_plain(parsed: ParsedFile) -> bool:
    """Return whether lines are all there is; a key of a data file is not what one looks for."""
    known = LANGUAGES.get(parsed.language)
    if known is None:
        return not parsed.symbols and not parsed.breaks
    if known.family is Family.CODE:
        return False
    return known.family is not Family.MARKUP or not (parsed.symbols or parsed.imports)
