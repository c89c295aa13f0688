"""Kotlin's rules: properties, imports, and the gaps in its grammar."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tree_sitter import Node

from sidelight.model import ImportedName, ImportKind, SymbolKind
from sidelight.parsing.names import text_of
from sidelight.parsing.rules import DefinitionSpec, ImportSpec, Rules

_HOLD_PROPERTIES = frozenset({"class_body", "enum_class_body", "source_file"})
# `class A : B by c() {`: the grammar takes the class's body for a lambda handed to c.
_DELEGATION = re.compile(rb"\sby\s+[\w.]+(?:\([^(){}]{0,200}\))?(?=\s*\{)")
_HEADER = re.compile(rb"\bclass\s+\w|\bobject\b")
_MAX_HEADER = 2_000  # bytes of a class's header that are looked at
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
    places += [
        found.span()
        for found in _DELEGATION.finditer(source)
        if _ends_header(source, found.start())
    ]
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


def _ends_header(source: bytes, by: int) -> bool:
    """Return whether `by` is in a class's header; `val x by lazy {` hands a lambda over indeed."""
    before = source[max(0, by - _MAX_HEADER) : by]
    before = before[max(before.rfind(b"{"), before.rfind(b"}"), before.rfind(b";")) + 1 :]
    line = before[max(before.rfind(b"\n"), before.rfind(b")")) + 1 :].split()
    return _HEADER.search(before) is not None and b"val" not in line and b"var" not in line


def _properties(node: Node) -> Iterator[DefinitionSpec]:
    """Yield a property of a type or file (none of a body) with the getter and setter below it."""
    parent = node.parent.type if node.parent is not None else "source_file"
    if parent not in _HOLD_PROPERTIES:
        return
    children = {child.type: child for child in node.named_children}
    declared = children.get("variable_declaration")
    receiver = node.child_by_field_name("receiver")
    scopes: tuple[Node, ...] = ()
    if receiver is not None and receiver.named_children:
        extended = receiver.named_children[-1]
        scopes = (extended.named_children[0] if extended.type == "nullable_type" else extended,)
    if declared is None or not declared.named_children:
        return
    modifiers = children.get("modifiers")
    words = modifiers.named_children if modifiers is not None else []
    if any(word.type == "property_modifier" and word.text == b"const" for word in words):
        kind = SymbolKind.CONSTANT
    elif parent == "source_file" and not scopes:
        kind = SymbolKind.VARIABLE
    else:
        kind = SymbolKind.FIELD
    body, last = children.get("getter"), None
    below = node.next_named_sibling
    while below is not None and below.type in {"getter", "setter"}:
        body, last = body or below, below
        below = below.next_named_sibling
    yield DefinitionSpec(declared.named_children[0], kind, scopes, body, last)


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
    definitions=_properties,
    imports=_imports,
    mask=_readable,
)
