"""Tell definitions whose code changed from those in which only comments did. Pure.

Most changes of words are made in comments: whoever calls such a definition has nothing to look at.
"""

from __future__ import annotations

import re
from dataclasses import replace

from sidelight.focal import FocalFile, FocalSet, FocalSymbol, SymbolChange
from sidelight.languages import LANGUAGES

_DOCSTRING = re.compile(r'^[rRuU]?("""|\'\'\')')


def without_comment_changes(focal: FocalSet) -> FocalSet:
    """Return the focal set without the symbols of which only comments and blank lines changed."""
    files = {file.path: file for file in focal.files}
    quiet = {path: _quiet_lines(file) for path, file in files.items()}
    kept = [
        item
        for item in focal.symbols
        if item.change is not SymbolChange.CHANGED
        or _touches_code(files[item.path], item, *quiet[item.path])
    ]
    return focal if len(kept) == len(focal.symbols) else replace(focal, symbols=tuple(kept))


def comment_lines(source: bytes, language: str) -> frozenset[int]:
    """Return the 1-based lines that hold nothing but comment, docstring or white space.

    By the beginnings of lines, so a comment after code is code; unknown languages have blanks only.
    """
    known = LANGUAGES.get(language)
    marks = known.line_comments if known is not None else ()
    opening, ending = (known.block_comment if known is not None else None) or ("", "")
    found: set[int] = set()
    closing = ""
    for at, row in enumerate(source.decode("utf-8", "replace").split("\n"), 1):
        text = row.strip()
        if closing:
            found.add(at)
            closing = "" if closing in text else closing
        elif not text or (marks and text.startswith(marks)):
            found.add(at)
        elif opening and text.startswith(opening):
            rest = text.removeprefix(opening)
            if ending not in rest or rest.endswith(ending):
                found.add(at)
            closing = "" if ending in rest else ending
        elif language == "python" and (match := _DOCSTRING.match(text)):
            found.add(at)
            closing = "" if text.find(match[1], match.end()) >= 0 else match[1]
    return frozenset(found)


def _quiet_lines(file: FocalFile) -> tuple[frozenset[int], frozenset[int]]:
    return (
        comment_lines(file.old_source, file.language),
        comment_lines(file.new_source, file.language),
    )


def _touches_code(
    file: FocalFile, item: FocalSymbol, old: frozenset[int], new: frozenset[int]
) -> bool:
    name = item.symbol.qualified_name
    before = [s.span for s in file.old.symbols if s.qualified_name == name]
    after = [s.span for s in file.new.symbols if s.qualified_name == name]
    for hunk in file.diff.hunks:
        for line in (*hunk.added, *hunk.removed):
            number, quiet, spans = (
                (line.new, new, after) if line.new is not None else (line.old, old, before)
            )
            if number is None or number in quiet:
                continue
            if any(span.start_line <= number <= span.end_line for span in spans):
                return True
    return False
