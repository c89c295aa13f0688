"""JavaScript's and TypeScript's rules: blocks, and imports in all their forms."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from sidelight.model import ImportedName, ImportKind
from sidelight.parsing.assignments import definitions_of, references_of
from sidelight.parsing.names import text_of, unquoted
from sidelight.parsing.rules import ImportSpec, Rules

_TRANSPARENT = frozenset({"await_expression", "parenthesized_expression", "as_expression"})
_MAX_CLIMB = 8  # `(await import("x")).default as T`: a handful of nodes at most


def _imports(node: Node, source: bytes) -> Iterator[ImportSpec]:
    if node.type == "import_statement":
        yield from _statement(node, source)
    elif node.type == "export_statement":
        yield from _reexport(node, source)
    else:
        yield from _call(node, source)


def _text(node: Node, source: bytes) -> str:
    return unquoted(text_of(source, *node.byte_range))


def _statement(node: Node, source: bytes) -> Iterator[ImportSpec]:
    alias = None
    names: list[ImportedName] = []
    module = node.child_by_field_name("source")
    for clause in node.named_children:
        if clause.type == "import_require_clause":  # import fs = require("fs")
            module = clause.child_by_field_name("source")
            alias = _text(clause.named_children[0], source)
        elif clause.type == "import_clause":
            for part in clause.named_children:
                if part.type == "identifier":
                    names.append(ImportedName("default", _text(part, source)))
                elif part.type == "namespace_import":
                    alias = _text(part.named_children[-1], source)
                elif part.type == "named_imports":
                    names.extend(_specifiers(part, source))
    if module is not None:
        yield ImportSpec(_text(module, source), ImportKind.IMPORT, tuple(names), alias)


def _specifiers(clause: Node, source: bytes) -> Iterator[ImportedName]:
    for specifier in clause.named_children:
        name = specifier.child_by_field_name("name")
        alias = specifier.child_by_field_name("alias")
        if name is not None:
            yield ImportedName(_text(name, source), _text(alias, source) if alias else None)


def _reexport(node: Node, source: bytes) -> Iterator[ImportSpec]:
    module = node.child_by_field_name("source")
    if module is None:
        return
    names: list[ImportedName] = []
    for part in node.named_children:
        if part.type == "export_clause":
            names.extend(_specifiers(part, source))
        elif part.type == "namespace_export":
            names.append(ImportedName("*", _text(part.named_children[-1], source)))
    wildcard = (ImportedName("*"),)
    yield ImportSpec(
        _text(module, source), ImportKind.REEXPORT, tuple(names) or wildcard, alias=None
    )


def _call(node: Node, source: bytes) -> Iterator[ImportSpec]:
    """Yield the import of `require("m")` or `import("m")`, with the names its statement takes."""
    arguments = node.child_by_field_name("arguments")
    if arguments is None or not arguments.named_children:
        return
    argument = arguments.named_children[0]
    is_fixed = argument.type == "string" or (
        argument.type == "template_string"
        and all(part.type != "template_substitution" for part in argument.named_children)
    )
    if not is_fixed:
        return
    module = _text(argument, source)
    member, holder = _climb(node, source)
    kind = ImportKind.IMPORT
    names: tuple[ImportedName, ...] = (ImportedName(member),) if member else ()
    alias = None
    if holder is not None and holder.type == "variable_declarator":
        target = holder.child_by_field_name("name")
        if target is not None and target.type == "identifier":
            called = _text(target, source)
            if member:
                names = (ImportedName(member, called if called != member else None),)
            else:
                alias = called
        elif target is not None and target.type == "object_pattern" and not member:
            names = tuple(_pattern(target, source))
    elif holder is not None and _is_export(holder, source):
        kind = ImportKind.REEXPORT
    yield ImportSpec(module, kind, names, alias)


def _climb(node: Node, source: bytes) -> tuple[str, Node | None]:
    """Return the member taken from the module, or "", and the statement part that holds it all."""
    member = ""
    current = node
    for _ in range(_MAX_CLIMB):
        parent = current.parent
        if parent is None:
            break
        if parent.type == "member_expression" and not member:
            property_ = parent.child_by_field_name("property")
            if property_ is None or property_.id == current.id:
                break
            member = _text(property_, source)
            if (above := parent.parent) is not None and above.type == "call_expression":
                return member, None
        elif parent.type in {"variable_declarator", "assignment_expression"}:
            return member, parent
        elif parent.type not in _TRANSPARENT:
            break
        current = parent
    return member, None


def _pattern(pattern: Node, source: bytes) -> Iterator[ImportedName]:
    for part in pattern.named_children:
        if part.type == "shorthand_property_identifier_pattern":
            yield ImportedName(_text(part, source))
        elif part.type == "pair_pattern":
            key = part.child_by_field_name("key")
            value = part.child_by_field_name("value")
            if key is not None and value is not None:
                alias = _text(value, source) if value.type == "identifier" else None
                yield ImportedName(_text(key, source), alias)
        elif part.type == "object_assignment_pattern" and part.named_children:
            yield ImportedName(_text(part.named_children[0], source))


def _is_export(assignment: Node, source: bytes) -> bool:
    target = assignment.child_by_field_name("left")
    text = text_of(source, *target.byte_range) if target is not None else ""
    return text.startswith(("module.exports", "exports"))


RULES = Rules(
    blocks=(
        "statement_block",
        "class_body",
        "switch_body",
        "switch_case",
        "switch_default",
        "object",
        "array",
        "arguments",
        "object_type",
        "interface_body",
        "enum_body",
    ),
    scope_drop=frozenset({"this", "self", "exports", "module", "prototype"}),
    imports=_imports,
    definitions=definitions_of,
    references=references_of,
)
