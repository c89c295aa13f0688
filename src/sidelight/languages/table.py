"""The languages: name, grammar, comment markers, and the file names that mean them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType


class Family(StrEnum):
    """What a language is for: it decides how a file is chunked and ranked."""

    CODE = "code"
    MARKUP = "markup"  # HTML, CSS, templates
    DATA = "data"  # JSON, YAML, CSV, lock files
    PROSE = "prose"  # Markdown, reStructuredText, plain text


@dataclass(frozen=True, slots=True)
class Language:
    """One language. `grammar` is the name in the language pack, None if we do not parse it."""

    name: str
    grammar: str | None
    family: Family
    has_queries: bool
    line_comments: tuple[str, ...]
    block_comment: tuple[str, str] | None
    extensions: tuple[str, ...] = ()
    filenames: tuple[str, ...] = ()
    interpreters: tuple[str, ...] = ()


# Languages with a `.scm` of our own that covers definitions, references and imports.
QUERIED = (
    "python",
    "javascript",
    "typescript",
    "tsx",
    "go",
    "rust",
    "java",
    "c",
    "cpp",
    "csharp",
    "ruby",
    "php",
    "kotlin",
    "swift",
    "scala",
    "bash",
    "lua",
)

_C_BLOCK = ("/*", "*/")


def _language(
    name: str,
    suffixes: str = "",
    *,
    grammar: str | None = "",
    family: Family = Family.CODE,
    line: str = "//",
    block: tuple[str, str] | None = _C_BLOCK,
    names: str = "",
    run: str = "",
) -> Language:
    """Return an entry; `grammar` "" means the language's own name, words are split at blanks."""
    return Language(
        name=name,
        grammar=name if grammar == "" else grammar,
        family=family,
        has_queries=name in QUERIED,
        line_comments=tuple(line.split()),
        block_comment=block,
        extensions=tuple(suffixes.split()),
        filenames=tuple(names.split()),
        interpreters=tuple(run.split()),
    )


_ENTRIES: tuple[Language, ...] = (
    _language("python", "py pyi pyw", line="#", block=None, run="python python2 python3 pypy"),
    _language("javascript", "js jsx mjs cjs", run="node nodejs"),
    _language("typescript", "ts mts cts", run="deno ts-node tsx"),
    _language("tsx", "tsx"),
    _language("go", "go"),
    _language("rust", "rs"),
    _language("java", "java"),
    _language("c", "c h"),
    _language("cpp", "cc cpp cxx hpp hh hxx"),
    _language("csharp", "cs"),
    _language("ruby", "rb", line="#", block=None, run="ruby"),
    _language("php", "php", run="php"),
    _language("kotlin", "kt kts"),
    _language("swift", "swift"),
    _language("scala", "scala"),
    _language("bash", "sh bash", line="#", block=None, run="sh bash"),
    _language("lua", "lua", line="--", block=("--[[", "]]"), run="lua"),
    _language("markdown", "md", grammar=None, family=Family.PROSE, line="", block=None),
    _language("text", "txt", grammar=None, family=Family.PROSE, line="", block=None),
)

LANGUAGES: Mapping[str, Language] = MappingProxyType({entry.name: entry for entry in _ENTRIES})
