"""Name the language of a file from its path and first bytes. Pure; falls back to "text".

In this order: the whole file name, a name such as `Dockerfile.dev`, the extension (where several
languages share one, the first bytes decide), a `#!` line, and XML or PHP openings.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from sidelight.languages.table import LANGUAGES

HEAD_BYTES = 4_096  # enough of a file for every decision here; more is not looked at

_BY_NAME = {name: entry.name for entry in LANGUAGES.values() for name in entry.filenames}
_BY_INTERPRETER = {word: entry.name for entry in LANGUAGES.values() for word in entry.interpreters}
_BY_EXTENSION: dict[str, str] = {}
for _entry in LANGUAGES.values():
    for _extension in _entry.extensions:
        _BY_EXTENSION.setdefault(_extension, _entry.name)

_STEMS = {  # `Dockerfile.dev`, `Makefile.am`, `requirements-dev.txt`
    "dockerfile": "dockerfile",
    "containerfile": "dockerfile",
    "makefile": "make",
    "gnumakefile": "make",
    "jenkinsfile": "groovy",
    "kconfig": "kconfig",
    ".env": "properties",
}
_REQUIREMENTS = re.compile(r"(?:.*[-_.])?(?:requirements|constraints)(?:[-_.].*)?\.(?:txt|in)")
_SHEBANG = re.compile(rb"#!\s*(\S+)([^\r\n]*)")
_VERSION = re.compile(r"[\d.]+$")

_CPP = re.compile(
    rb"^\s*(?:class\s+\w+[^;]*$|template\s*<|namespace\b|using\s+\w|public:|private:|protected:"
    rb"|#include\s*<(?:string|vector|map|memory|iostream|cstd\w+|algorithm|utility|functional|set"
    rb"|type_traits|optional|array|tuple|atomic|mutex|unordered_\w+)>)|\w::\w|\bconstexpr\b"
    rb"|\bvirtual\b|\bnoexcept\b",
    re.MULTILINE,
)
_OBJC = re.compile(
    rb"^\s*(?:@(?:interface|implementation|protocol|import|class|end)\b|#import\b)", re.MULTILINE
)
_PROLOG = re.compile(rb"^\s*:-|^[a-z]\w*\([^)]*\)\s*:-", re.MULTILINE)
_VERILOG = re.compile(rb"^\s*(?:`\w+|module\s+\w+\s*[#(;]|endmodule|package\s+\w+;)", re.MULTILINE)
_COQ = re.compile(
    rb"^\s*(?:Require|Theorem|Lemma|Definition|Inductive|Proof|Import|Section)\b", re.MULTILINE
)
_V = re.compile(rb"^\s*(?:module\s+\w+\s*$|fn\s|pub fn\s|import\s+\w)", re.MULTILINE)
_FORTH = re.compile(rb"^: \S+|^\\ ", re.MULTILINE)
_APEX = re.compile(rb"\b(?:public|private|global|with sharing)\b.*\bclass\b", re.IGNORECASE)
_MAKE_DEPENDENCIES = re.compile(rb"\A[^\n]*\.o\s*:")
_PHP = re.compile(rb"<\?(?:php|=)")
_PUPPET = re.compile(rb"^\s*(?:class|define|node|include)\s[\w:'\"]+.*[{(]?\s*$|=>", re.MULTILINE)


def _header(head: bytes) -> str:
    if _OBJC.search(head):
        return "objc"
    return "cpp" if _CPP.search(head) else "c"


def _verilog_or(head: bytes) -> str:
    if _VERILOG.search(head):
        return "verilog"
    if _COQ.search(head):
        return "coq"
    return "v" if _V.search(head) else "verilog"


def _pick(pattern: re.Pattern[bytes], match: str, otherwise: str) -> Callable[[bytes], str]:
    return lambda head: match if pattern.search(head) else otherwise


_SHARED: dict[str, Callable[[bytes], str]] = {
    "h": _header,
    "hh": _pick(re.compile(rb"\A<\?hh"), "hack", "cpp"),
    "m": _pick(_OBJC, "objc", "matlab"),
    "pl": _pick(_PROLOG, "prolog", "perl"),
    "v": _verilog_or,
    "fs": _pick(_FORTH, "text", "fsharp"),
    "cls": _pick(_APEX, "apex", "latex"),
    "d": _pick(_MAKE_DEPENDENCIES, "make", "d"),
    "inc": _pick(_PHP, "php", "text"),
    "pp": _pick(_PUPPET, "puppet", "pascal"),
    "ts": _pick(re.compile(rb"\A\s*<(?:\?xml|!DOCTYPE TS|TS\b)"), "xml", "typescript"),
    "conf": _pick(re.compile(rb"^\s*[\w:.-]+(?:\s+\S+)*\s*\{", re.MULTILINE), "text", "ini"),
    "key": _pick(re.compile(rb"\A-----BEGIN"), "pem", "text"),
    "pub": _pick(re.compile(rb"\A-----BEGIN"), "pem", "text"),
}
_CASED = {"C": "cpp", "H": "cpp", "R": "r", "S": "asm"}  # extensions whose case means something


def detect_language(path: bytes, head: bytes = b"") -> str:
    """Return the language's name in `LANGUAGES`; "text" when nothing says otherwise.

    `head` is the beginning of the file, up to `HEAD_BYTES`; without it shared extensions go to
    the commoner language.
    """
    name = path.rsplit(b"/", 1)[-1].decode("utf-8", "replace")
    head = head[:HEAD_BYTES]
    return _by_name(name) or _by_extension(name, head) or _by_content(head) or "text"


def _by_name(name: str) -> str | None:
    if name in _BY_NAME:
        return _BY_NAME[name]
    if _REQUIREMENTS.fullmatch(name.lower()):
        return "requirements"
    stem, separator, rest = name.partition(".") if name[:1] != "." else (name, "", "")
    if name.lower().startswith(".env."):
        return "properties"
    if (
        separator
        and rest.rpartition(".")[2].lower() in _BY_EXTENSION
        and stem.lower() != "makefile"
    ):
        return None  # `dockerfile.py` is Python
    return _STEMS.get(stem.lower())


def _by_extension(name: str, head: bytes) -> str | None:
    base, dot, extension = name.rpartition(".")
    if not dot or (not base and len(name) > 1 and extension.lower() not in _BY_EXTENSION):
        return None
    if extension in _CASED:
        return _CASED[extension]
    extension = extension.lower()
    if extension in {"in", "tmpl", "tpl", "template", "dist", "example", "sample", "default"}:
        return _by_extension(base, head) if base else None  # `config.h.in` is a header
    decide = _SHARED.get(extension)
    return decide(head) if decide is not None else _BY_EXTENSION.get(extension)


def _by_content(head: bytes) -> str | None:
    shebang = _SHEBANG.match(head.removeprefix(b"\xef\xbb\xbf"))
    if shebang is not None:
        return _by_shebang(shebang)
    if head.lstrip().startswith(b"<?xml"):
        return "xml"
    return "php" if head.startswith(b"<?php") else None


def _by_shebang(shebang: re.Match[bytes]) -> str | None:
    program = shebang[1].rsplit(b"/", 1)[-1].decode("utf-8", "replace")
    if program == "env":  # `env -S VAR=1 python3 -u`
        words = shebang[2].decode("utf-8", "replace").split()
        named = (word for word in words if not word.startswith("-") and "=" not in word)
        program = next(named, "").rsplit("/", 1)[-1]
    return _BY_INTERPRETER.get(program) or _BY_INTERPRETER.get(_VERSION.sub("", program))
