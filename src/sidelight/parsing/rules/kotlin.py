"""Kotlin's rules: where its blocks are, what an import brings, and the gaps in its grammar."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tree_sitter import Node

from sidelight.model import ImportedName, ImportKind
from sidelight.parsing.names import text_of
from sidelight.parsing.rules import ImportSpec, Rules

# `class A : B by c() {`: the grammar takes the class's body for a lambda handed to c.
_DELEGATION = re.compile(
    rb"\b(?:class\s+\w|object\b)[^{};]{0,2000}?"
    rb"(?P<by>\sby\s+[\w.]+(?:\([^(){}]{0,200}\))?)\s*\{"
)
# A constructor on a line of its own: for the grammar the class ended with its name.
_CONSTRUCTOR = re.compile(
    rb"\bclass\s+\w+(?:<(?:[^<>{}]|<[^<>{}]{0,80}>){0,200}>)?"
    rb"(?P<gap>(?:[ \t]|//[^\n]*|/\*(?:[^*]|\*(?!/))*\*/|\n)*\n[ \t]*)"
    rb"(?=(?:@\w+\s+)?(?:(?:internal|private|protected|public|actual|expect)\s+){0,2}"
    rb"constructor\s*\()"
)
_ACTUAL = re.compile(rb"\b(?P<word>actual)(?=\s+(?:va[lr]|constructor)\b)")
# `@A("x")` before a function of the file: the grammar takes it for an expression of the script.
_ANNOTATIONS = re.compile(rb"^@(?!file:).*", re.MULTILINE)
_ARGUMENTS = re.compile(
    rb"@[\w.:]+(?P<arguments>\((?:[^()\"]|\"(?:\\.|[^\"\\\n])*\"|\([^()]{0,300}\)){0,600}\))"
)


def _readable(source: bytes) -> bytes:
    """Return `source` with what misleads the grammar blanked; every offset stays where it is."""
    places = [found.span("gap") for found in _CONSTRUCTOR.finditer(source)]
    places += [found.span("word") for found in _ACTUAL.finditer(source)]
    for found in _DELEGATION.finditer(source) if b" by " in source else ():
        start, end = found.span("by")
        if not _declares_property(source, start):
            places.append((start, end))
    for line in _ANNOTATIONS.finditer(source):
        at = line.start()
        while (annotation := _ARGUMENTS.match(source, at)) is not None:
            places.append(annotation.span("arguments"))
            at = annotation.end() + 1
    if not places:
        return source
    blanked = bytearray(source)
    for start, end in places:
        blanked[start:end] = b" " * (end - start)
    return bytes(blanked)


def _declares_property(source: bytes, by: int) -> bool:
    """Return whether `by` belongs to `val x by lazy {`, where the braces are a lambda indeed."""
    line = source[source.rfind(b"\n", 0, by) + 1 : by]
    words = line[line.rfind(b")") + 1 :].split()
    return b"val" in words or b"var" in words


def _imports(node: Node, source: bytes) -> Iterator[ImportSpec]:
    """Yield `import a.b.C as D`: C, here D, of a.b; a wildcard brings all of a.b."""
    path = next((child for child in node.named_children if child.type == "identifier"), None)
    if path is None:
        return
    words = text_of(source, *path.byte_range)
    kinds = {child.type: child for child in node.named_children}
    if "wildcard_import" in kinds:
        yield ImportSpec(words, ImportKind.IMPORT, (ImportedName("*"),))
        return
    renamed = kinds.get("import_alias")
    alias = None
    if renamed is not None and renamed.named_children:
        alias = text_of(source, *renamed.named_children[-1].byte_range)
    module, _, name = words.rpartition(".")
    if module:
        yield ImportSpec(module, ImportKind.IMPORT, (ImportedName(name, alias),))
    else:
        yield ImportSpec(name, ImportKind.IMPORT, (), alias)


RULES = Rules(
    blocks=(
        "statements",
        "class_body",
        "enum_class_body",
        "when_expression",
        "value_arguments",
    ),
    imports=_imports,
    mask=_readable,
)
