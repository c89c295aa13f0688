"""Texts of names, scopes and receivers as the index keeps them. Pure: bytes in, text out."""

from __future__ import annotations

import re

MAX_RECEIVER = 80  # characters; longer chains resolve to nothing, so their text is only weight
_RECEIVER_SCAN = 600  # bytes of a receiver that are looked at: n chained calls cost n of these

_SPACE = re.compile(r"\s+")
_AROUND_DOT = re.compile(r"\s*(\?\.|\.|->|::)\s*")
_GENERIC = re.compile(r"[\w:]<")
_BEFORE = re.compile(rb"([\w.:]*\w)\s*(?:\.|::)\s*\Z")
_ANGLED = re.compile(r"<[\w./].*>")  # an include; `<=>` is an operator
_QUOTES = "\"'`"
_POINTERS = " \t\r\n*&()"  # `&'a mut Foo`, `(*Foo)`; words before the name go with the last blank
_OPEN, _CLOSE = "([{", ")]}"


def text_of(source: bytes, start: int, end: int) -> str:
    """Return the text of a stretch; bytes that are not UTF-8 are replaced."""
    return source[start:end].decode("utf-8", "replace")


def unquoted(text: str) -> str:
    """Return a string's or include's text without quotes or angle brackets, Ruby's `:a` as a."""
    text = text.strip()
    if text[:1] == ":" and text[1:2] not in {":", ""}:
        text = text[1:]
    quoted = len(text) >= 2 and text[0] in _QUOTES and text[-1] == text[0]
    if quoted or _ANGLED.fullmatch(text):
        return text[1:-1]
    return text


def without_generics(text: str) -> str:
    """Return `text` without `<...>` and `[...]` arguments, at any depth."""
    if "<" not in text and "[" not in text:
        return text
    kept: list[str] = []
    depth = 0
    for char in text:
        if char in "<[":
            depth += 1
        elif char in ">]" and depth:
            depth -= 1
        elif not depth:
            kept.append(char)
    return "".join(kept)


def scope_text(text: str, drop: frozenset[str] = frozenset()) -> str:
    """Return an explicit qualifier in the form of qualified names: dotted, no generics.

    `*Stack[T]` → `Stack`, `a::B<T>` → `a.B`, `Foo.prototype` → `Foo` when `prototype` is dropped.
    """
    plain = without_generics(text).replace("::", ".").replace("\\", ".").replace("#", ".")
    words = (word.strip(_POINTERS).rpartition(" ")[2] for word in plain.split("."))
    return ".".join(word for word in words if word and word not in drop)


def receiver_text(source: bytes, start: int, end: int) -> str | None:
    """Return what stands before the last dot of a use, on one line.

    Argument lists, subscripts and literals shrink to their brackets (`get(a, b).x` → `get().x`);
    a text of more than `MAX_RECEIVER` characters keeps its end behind an ellipsis.
    """
    cut = end - start > _RECEIVER_SCAN
    text = text_of(source, end - _RECEIVER_SCAN if cut else start, end)
    if "(" in text or "[" in text or "{" in text or cut:
        text = _without_arguments(text)
    if _GENERIC.search(text):
        text = without_generics(text).removesuffix("::")
    if not text.isidentifier():
        text = _SPACE.sub(" ", _AROUND_DOT.sub(r"\1", text)).strip()
    if cut or len(text) > MAX_RECEIVER:
        text = "…" + text[-MAX_RECEIVER + 1 :]
    return text or None


def receiver_before(source: bytes, start: int) -> str | None:
    """Return the dotted words that end right before `start`, where syntax shows only tokens."""
    found = _BEFORE.search(source, max(0, start - MAX_RECEIVER), start)
    return found[1].decode("utf-8", "replace") if found else None


def _without_arguments(text: str) -> str:
    kept: list[str] = []
    depth = 0
    for char in reversed(text):  # from the end: the nearest words are the ones that matter
        if char in _CLOSE:
            if not depth:
                kept.append(char)
            depth += 1
        elif char in _OPEN:
            depth = max(0, depth - 1)
            if not depth:
                kept.append(char)
        elif not depth:
            kept.append(char)
        if len(kept) > MAX_RECEIVER:
            break
    return "".join(reversed(kept))
