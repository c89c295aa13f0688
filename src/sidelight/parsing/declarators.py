"""Read C and C++ declarators, which nest around the name they declare. Pure, over syntax nodes.

`int *(*f(int))[3]` hides `f` four levels deep; a query would need a pattern for every depth, and
C++'s grammar makes each of them cost milliseconds to compile.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from tree_sitter import Node

from sidelight.model import ReferenceKind, SymbolKind
from sidelight.parsing.rules import DefinitionSpec, ReferenceSpec

_NAMES = frozenset(
    {"identifier", "field_identifier", "type_identifier", "operator_name", "destructor_name"}
)
_NAMED_BY = _NAMES | {"qualified_identifier", "template_function", "operator_cast"}
_AGGREGATES = {
    "struct_specifier": SymbolKind.STRUCT,
    "union_specifier": SymbolKind.STRUCT,
    "class_specifier": SymbolKind.CLASS,
    "enum_specifier": SymbolKind.ENUM,
}
_TYPE_NODES = frozenset({"type_identifier", "template_type", "qualified_identifier"})
_CALLED_NODES = _TYPE_NODES | {"identifier", "template_function"}
_CASTS = frozenset({b"static_cast", b"dynamic_cast", b"const_cast", b"reinterpret_cast"})
_DECLARES_AHEAD = frozenset(
    {"translation_unit", "declaration_list", "template_declaration", "preproc_if", "preproc_ifdef"}
)
_TEST = re.compile(rb"(?:TYPED_)?TEST(?:_[FP])?$")
_MAX_DEPTH = 16  # declarators and names nest this deep in no sane source


def definitions_of(node: Node) -> Iterator[DefinitionSpec]:
    """Yield what a function definition, declaration, field declaration or typedef declares."""
    if node.type == "type_definition":
        yield from _typedef(node)
        return
    if node.type in _AGGREGATES:
        yield from _aggregate(node)
        return
    if node.type == "expression_statement":
        for found, qualifiers in _defaulted(node):
            yield DefinitionSpec(found, SymbolKind.METHOD, qualifiers)
        return
    body = None
    if node.type == "function_definition":
        body = node.child_by_field_name("body") or _trailing_clause(node)
    for declarator in node.children_by_field_name("declarator"):
        name, scopes, is_function = _declared(declarator)
        kind = _kind(node, declarator, bool(scopes), is_function)
        if body is not None and is_function and node.child_by_field_name("type") is None:
            name, scopes = _named_by_arguments(declarator, name, scopes)
        if name is not None and kind is not None:
            yield DefinitionSpec(name, kind, scopes, body)


def _named_by_arguments(
    declarator: Node, name: Node | None, scopes: tuple[Node, ...]
) -> tuple[Node | None, tuple[Node, ...]]:
    """Return Suite and Case for GoogleTest's `TEST_F(Suite, Case) {`, else what came in."""
    arguments = declarator.child_by_field_name("parameters")
    if name is None or arguments is None or not _TEST.match(name.text or b""):
        return name, scopes
    words = [parameter.child_by_field_name("type") for parameter in arguments.named_children]
    if len(words) == 2 and words[0] is not None and words[1] is not None:
        return words[1], (words[0],)
    return name, scopes


def _kind(node: Node, declarator: Node, qualified: bool, is_function: bool) -> SymbolKind | None:
    """Return what is declared; None for locals that look like prototypes, and broken source.

    `function` becomes `method` in the framework where a class is around it.
    """
    if is_function:
        if node.type == "declaration" and _is_local(node):
            return None  # `Point p(other);`
        in_class = qualified or node.type == "field_declaration"
        return SymbolKind.METHOD if in_class else SymbolKind.FUNCTION
    if node.type == "function_definition":
        return None
    if _is_constant(node, declarator):
        return SymbolKind.CONSTANT
    is_field = qualified or node.type == "field_declaration"
    return SymbolKind.FIELD if is_field else SymbolKind.VARIABLE


def references_of(node: Node) -> Iterator[ReferenceSpec]:
    """Yield what a call, made object, list of bases, qualified type or declaring node refers to.

    The receiver of `a::b::c` is all before its last name. A declared name is claimed (kind None),
    so that the general pattern for type names does not take it for a use.
    """
    match node.type:
        case "call_expression":
            yield from _called(node.child_by_field_name("function"))
        case "new_expression" | "compound_literal_expression":
            yield from _called(node.child_by_field_name("type"))
        case "base_class_clause":
            for child in node.named_children:
                if child.type in _TYPE_NODES:
                    yield _qualified(child, ReferenceKind.BASE)
        case "qualified_identifier":
            found = _qualified(node, ReferenceKind.TYPE)
            if found.name.type == "type_identifier":
                yield found
        case _:
            yield from _claimed(node)


def _called(called: Node | None) -> Iterator[ReferenceSpec]:
    if called is None:
        return
    if called.type == "field_expression":
        field = called.child_by_field_name("field")
        receiver = called.child_by_field_name("argument")
        if field is not None and receiver is not None:
            yield ReferenceSpec(_unqualified(field)[0], ReferenceKind.CALL, (receiver,))
    elif called.type in _CALLED_NODES:
        found = _qualified(called, ReferenceKind.CALL)
        if found.name.text not in _CASTS:
            yield found


def _claimed(node: Node) -> Iterator[ReferenceSpec]:
    """Yield the names that `node` declares."""
    if node.type == "expression_statement":
        for found, _ in _defaulted(node):
            yield ReferenceSpec(found, None)
        return
    if node.type in _AGGREGATES:
        named = node.child_by_field_name("name")
        if named is not None and _is_declared_here(node):
            yield ReferenceSpec(_unqualified(named)[0], None)
        return
    for declarator in node.children_by_field_name("declarator"):
        name, scopes, _ = _declared(declarator)
        if node.type == "type_definition" and name is not None:
            yield ReferenceSpec(name, None)
        for scope in scopes:
            if scope.type == "template_type":
                yield ReferenceSpec(_unqualified(scope)[0], None)


def _is_declared_here(aggregate: Node) -> bool:
    """Return whether `struct a` declares a, ahead of its body or with it, instead of using it."""
    if aggregate.child_by_field_name("body") is not None:
        return True
    parent = aggregate.parent
    if parent is None or parent.type in _DECLARES_AHEAD:
        return True
    return parent.type == "field_declaration" and not parent.child_by_field_name("declarator")


def _declared(declarator: Node) -> tuple[Node | None, tuple[Node, ...], bool]:
    """Return (name, C++ qualifiers, whether it is a function) of one declarator."""
    node: Node | None = declarator
    is_function = in_parentheses = False
    for _ in range(_MAX_DEPTH):
        if node is None:
            break
        if node.type in _NAMED_BY:
            name, scopes = _unqualified(node)
            if name.type == "operator_cast":
                return name.children[0], scopes, True  # the word `operator`
            return (name if name.type in _NAMES else None), scopes, is_function
        if node.type == "function_declarator":
            is_function = True
        elif node.type == "parenthesized_declarator":
            in_parentheses = True
        elif in_parentheses and node.type == "pointer_declarator":
            is_function = in_parentheses = False  # `(*name)(...)`: a pointer to a function
        node = _inner(node)
    return None, (), False


def _inner(node: Node) -> Node | None:
    inner = node.child_by_field_name("declarator")
    if inner is None and node.type in {"parenthesized_declarator", "reference_declarator"}:
        inner = next((c for c in node.named_children if "declarator" in c.type), None) or next(
            (c for c in node.named_children if c.type in _NAMES or c.type.startswith("qual")), None
        )
    return inner


def _unqualified(node: Node) -> tuple[Node, tuple[Node, ...]]:
    """Return the last name of `a::b::c` and the scopes before it; it nests to the right."""
    scopes: list[Node] = []
    for _ in range(_MAX_DEPTH):
        if node.type not in {"qualified_identifier", "dependent_name"}:
            break
        scope = node.child_by_field_name("scope")
        if scope is not None:
            scopes.append(scope)
        inner = node.child_by_field_name("name") or next(iter(node.named_children), None)
        if inner is None:
            break
        node = inner
    if node.type in {"template_type", "template_function", "template_method"}:
        node = node.child_by_field_name("name") or node
    return node, tuple(scopes)


def _qualified(node: Node, kind: ReferenceKind) -> ReferenceSpec:
    name, scopes = _unqualified(node)
    return ReferenceSpec(name, kind, scopes)


def _is_local(declaration: Node) -> bool:
    return declaration.parent is not None and declaration.parent.type == "compound_statement"


def _is_constant(node: Node, declarator: Node) -> bool:
    """Return whether the name itself is constant: `const int a = 1`, not `const char *a`."""
    words = {
        c.text for c in node.children if c.type in {"type_qualifier", "storage_class_specifier"}
    }
    if b"constexpr" in words:
        return True
    if b"const" not in words:
        return False
    if node.type == "field_declaration":
        return b"static" in words and declarator.type == "field_identifier"
    if declarator.type != "init_declarator":
        return False
    inner = declarator.child_by_field_name("declarator")
    return inner is not None and inner.type in {"identifier", "array_declarator"}


def _defaulted(statement: Node) -> Iterator[tuple[Node, tuple[Node, ...]]]:
    """Yield the name of `A::~A() = default;`, which the grammar takes for an assignment."""
    assignment = statement.named_children[0] if statement.named_children else None
    if assignment is None or assignment.type != "assignment_expression":
        return
    left = assignment.child_by_field_name("left")
    right = assignment.child_by_field_name("right")
    called = left.child_by_field_name("function") if left is not None else None
    if right is None or right.text not in {b"default", b"delete"} or called is None:
        return
    if called.type == "qualified_identifier":
        yield _unqualified(called)


def _aggregate(node: Node) -> Iterator[DefinitionSpec]:
    """Yield a class, struct or union with a name and a body: `A`, `A<T>`, `a::b::A<T>`."""
    named = node.child_by_field_name("name")
    body = node.child_by_field_name("body")
    if named is not None and body is not None:
        name, scopes = _unqualified(named)
        yield DefinitionSpec(name, _AGGREGATES[node.type], scopes, body)


def _trailing_clause(node: Node) -> Node | None:
    """Return `= default` or `= delete`, which stand in the place of a body."""
    last = node.children[-1] if node.children else None
    return last if last is not None and last.type.endswith("_method_clause") else None


def _typedef(node: Node) -> Iterator[DefinitionSpec]:
    """Yield the names of a typedef; one that repeats the tag of its own struct adds nothing."""
    declared = node.child_by_field_name("type")
    body = declared.child_by_field_name("body") if declared is not None else None
    tag = declared.child_by_field_name("name") if declared is not None else None
    for declarator in node.children_by_field_name("declarator"):
        name, _, _ = _declared(declarator)
        if name is None or (body is not None and tag is not None and tag.text == name.text):
            continue
        kind = SymbolKind.TYPE
        if body is not None and declared is not None and declarator.type == "type_identifier":
            kind = _AGGREGATES.get(declared.type, SymbolKind.TYPE)
        yield DefinitionSpec(name, kind, body=body)
