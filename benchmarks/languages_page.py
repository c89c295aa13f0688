"""Write docs/languages.md from the table of languages: `python -m benchmarks.languages_page`.

A test checks that the page is what this prints.
"""

from __future__ import annotations

import sys
from pathlib import Path

from sidelight.languages import LANGUAGES, QUERIED, Family, Language

PAGE = Path(__file__).resolve().parent.parent / "docs" / "languages.md"
INTRODUCTION = """# Languages

A file's language follows from its name, its extension, its `#!` line or, where languages share an
extension, its first bytes. `sidelight search --lang NAME` takes the names below.

**Queried** languages have hand-written queries: definitions with qualified names, references with
receivers, type references, base classes, decorators, imports. **Recognised** ones have a grammar,
whose definitions are found by the names of its syntax nodes; they have no references or imports.
**Prose** is cut by headings, **data and markup** by lines, and so is everything else. Every file
is indexed and can be found by its words, whatever its language.
"""
HEADINGS = {
    "queried": "Queried",
    "recognised": "Recognised by grammar",
    Family.PROSE: "Prose",
    Family.MARKUP: "Markup",
    Family.DATA: "Data and configuration",
    "other": "Known, without a grammar",
}


def render_page() -> str:
    """Return the page."""
    groups: dict[str, list[Language]] = {key: [] for key in HEADINGS}
    for name, language in sorted(LANGUAGES.items()):
        groups[_group(name, language)].append(language)
    lines = [INTRODUCTION]
    for key, heading in HEADINGS.items():
        if not groups[key]:
            continue
        lines.append(f"## {heading}\n\n| language | files |\n|---|---|")
        lines += [f"| `{language.name}` | {_files(language)} |" for language in groups[key]]
        lines.append("")
    return "\n".join(lines).rstrip() + "\n"


def _group(name: str, language: Language) -> str:
    if name in QUERIED:
        return "queried"
    if language.family is not Family.CODE:
        return language.family
    return "recognised" if language.grammar else "other"


def _files(language: Language) -> str:
    names = [f".{extension}" for extension in language.extensions] + list(language.filenames)
    shown = ", ".join(f"`{name}`" for name in names[:10])
    return shown + (" …" if len(names) > 10 else "") or "by its first line"


def main() -> int:
    """Write the page."""
    PAGE.write_text(render_page(), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
