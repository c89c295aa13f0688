"""What definitions take: parameters as syntax has them.

Not part of `ParsedFile`: read on demand, for the few files in question. Never raises for any
source; what cannot be read for sure is None, and nothing is concluded from it.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from tree_sitter import Node

from sidelight.languages import LANGUAGES
from sidelight.model import Span
from sidelight.parsing.grammars import load_grammar
from sidelight.parsing.trees import Deadline, parse_tree, valid_utf8

TIMEOUT_S = 2.0


class ParameterKind(StrEnum):
    """How a parameter is filled."""

    POSITION = "position"  # by position alone
    EITHER = "either"  # by position or by name
    KEYWORD = "keyword"  # by name alone
    REST = "rest"  # any number of positional arguments
    KEYWORD_REST = "keyword_rest"  # any named arguments


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter; `name` is "" where it has none (patterns, C prototypes)."""

    name: str
    kind: ParameterKind
    is_required: bool


@dataclass(frozen=True, slots=True)
class Parameters:
    """A definition's parameters without its receiver (`self`, `cls`, `&self`, `this`)."""

    items: tuple[Parameter, ...]
    has_receiver: bool = False


SUPPORTED = frozenset(
    "python javascript typescript tsx go rust java kotlin c cpp csharp php ruby".split()
)
_LISTS = frozenset(
    "parameters formal_parameters parameter_list function_value_parameters method_parameters"
    " lambda_parameters".split()
)
_OPAQUE = frozenset(
    "call call_expression new_expression arguments argument_list decorator attribute_item"
    " template_parameter_list type_parameters receiver block class_body declaration_list"
    " field_initializer_list annotation modifiers attribute_list".split()
)


def read_parameters(
    source: bytes, language: str, spans: Sequence[tuple[Span, int]]
) -> list[Parameters | None]:
    """Return the parameters of each definition (its span and the byte of its body), in order."""
    root = root_of(source, language)
    if root is None:
        return [None] * len(spans)
    return [_parameters_at(root, source, language, span, body) for span, body in spans]


def root_of(source: bytes, language: str) -> Node | None:
    """Return the root of a source's tree; None of what is not read here, or too slowly."""
    known = LANGUAGES.get(language)
    if language not in SUPPORTED or known is None or not source.strip():
        return None
    tree = parse_tree(
        valid_utf8(source), load_grammar(known.grammar or known.name), Deadline(TIMEOUT_S)
    )
    return None if tree is None else tree.root_node


def _parameters_at(
    root: Node, source: bytes, language: str, span: Span, body: int
) -> Parameters | None:
    around = root.descendant_for_byte_range(
        span.start_byte, max(span.start_byte, span.end_byte - 1)
    )
    if around is None or (around.has_error and _is_broken(around, span.start_byte, body)):
        return None
    found = _parameter_list(around, span, body)
    if found is None:
        return None
    if found.type not in _LISTS:  # a lone `x => …`
        return Parameters((Parameter(node_text(found, source), ParameterKind.EITHER, True),))
    read = _READERS.get(language, _read_plain)
    parameters = read(found, source)
    is_script = language in ("javascript", "typescript", "tsx")
    if is_script and b"arguments" in source[body : span.end_byte]:
        return None  # it may take more than it names
    return parameters


def _is_broken(around: Node, start: int, end: int) -> bool:
    stack = [around]
    while stack:
        node = stack.pop()
        if node.start_byte >= end or node.end_byte <= start:
            continue
        if node.is_error or node.is_missing:
            return True
        stack.extend(node.children)
    return False


def _parameter_list(around: Node, span: Span, body: int) -> Node | None:
    queue = deque([around])
    while queue:
        node = queue.popleft()
        if node.start_byte > max(body, span.start_byte) or node.end_byte <= span.start_byte:
            continue
        for at, child in enumerate(node.children):
            field = node.field_name_for_child(at)
            inside = child.start_byte >= span.start_byte and child.end_byte <= span.end_byte
            if field == "receiver":
                continue
            if inside and (
                (field == "parameters" and child.type in _LISTS)
                or child.type == "function_value_parameters"
                or (field == "parameter" and node.type == "arrow_function")
            ):
                return child
            if child.type not in _OPAQUE and child.is_named:
                queue.append(child)
    return None


def node_text(node: Node | None, source: bytes) -> str:
    """Return a node's text, "" of none."""
    return (
        "" if node is None else source[node.start_byte : node.end_byte].decode("utf-8", "replace")
    )


def children_of(node: Node) -> list[Node]:
    """Return the named children but for comments."""
    return [child for child in node.named_children if not child.is_extra]


def _python(node: Node, source: bytes) -> Parameters | None:
    items: list[Parameter] = []
    only_named = False
    for child in children_of(node):
        kind = child.type
        shown = child.named_children[0] if kind == "typed_parameter" else child
        if kind == "positional_separator":
            items = [Parameter(p.name, ParameterKind.POSITION, p.is_required) for p in items]
        elif kind == "keyword_separator":
            only_named = True
        elif shown.type == "list_splat_pattern":
            only_named = True
            items.append(Parameter(node_text(shown, source)[1:], ParameterKind.REST, False))
        elif shown.type == "dictionary_splat_pattern":
            items.append(Parameter(node_text(shown, source)[2:], ParameterKind.KEYWORD_REST, False))
        elif shown.type == "identifier" or kind in ("default_parameter", "typed_default_parameter"):
            is_required = shown.type == "identifier"
            name = node_text(shown if is_required else child.child_by_field_name("name"), source)
            how = ParameterKind.KEYWORD if only_named else ParameterKind.EITHER
            items.append(Parameter(name, how, is_required))
        else:
            return None
    if items and items[0].name in ("self", "cls", "mcs", "mcls", "klass"):
        return Parameters(tuple(items[1:]), has_receiver=True)
    return Parameters(tuple(items))


def _ecmascript(node: Node, source: bytes) -> Parameters | None:
    items: list[Parameter] = []
    for child in children_of(node):
        pattern = child.child_by_field_name("pattern") or child
        if pattern.type == "this":
            continue
        if pattern.type == "rest_pattern":
            items.append(Parameter("", ParameterKind.REST, False))
            continue
        is_optional = (
            child.type in ("optional_parameter", "assignment_pattern")
            or child.child_by_field_name("value") is not None
        )
        if pattern.type == "assignment_pattern":
            pattern = pattern.child_by_field_name("left") or pattern
        name = node_text(pattern, source) if pattern.type == "identifier" else ""
        items.append(Parameter(name, ParameterKind.POSITION, not is_optional))
    return Parameters(tuple(items))


def _go(node: Node, source: bytes) -> Parameters | None:
    items: list[Parameter] = []
    for child in children_of(node):
        names = [node_text(name, source) for name in child.children_by_field_name("name")]
        if child.type == "variadic_parameter_declaration":
            items.append(Parameter("".join(names), ParameterKind.REST, False))
        elif child.type == "parameter_declaration":
            items += [Parameter(name, ParameterKind.POSITION, True) for name in names or [""]]
        else:
            return None
    return Parameters(tuple(items))


def _rust(node: Node, source: bytes) -> Parameters | None:
    items: list[Parameter] = []
    has_receiver = False
    for child in children_of(node):
        if child.type == "self_parameter":
            has_receiver = True
        elif child.type == "parameter":
            name = node_text(child.child_by_field_name("pattern"), source)
            if name == "self":
                has_receiver = True
            else:
                items.append(Parameter(name, ParameterKind.POSITION, True))
        elif child.type == "variadic_parameter":
            items.append(Parameter("", ParameterKind.REST, False))
        elif child.type != "attribute_item":
            return None
    return Parameters(tuple(items), has_receiver)


def _c(node: Node, source: bytes) -> Parameters | None:
    items: list[Parameter] = []
    children = children_of(node)
    if len(children) == 1 and node_text(children[0], source).strip() == "void":
        return Parameters(())
    for child in children:
        if child.type in ("variadic_parameter", "variadic_parameter_declaration"):
            items.append(Parameter("", ParameterKind.REST, False))
        elif child.type in ("parameter_declaration", "optional_parameter_declaration"):
            is_required = child.type == "parameter_declaration"
            text = node_text(child.child_by_field_name("declarator"), source)
            name = re.sub(r"\W", "", text) if re.fullmatch(r"[\s*&]*\w+(?:\[\w*\])?", text) else ""
            items.append(Parameter(name, ParameterKind.POSITION, is_required))
        else:
            return None
    if any(token.type == "..." for token in node.children):
        items.append(Parameter("", ParameterKind.REST, False))
    return Parameters(tuple(items))


def _ruby(node: Node, source: bytes) -> Parameters | None:
    kinds = {
        "splat_parameter": ParameterKind.REST,
        "forward_parameter": ParameterKind.REST,
        "hash_splat_parameter": ParameterKind.KEYWORD_REST,
    }
    items: list[Parameter] = []
    for child in children_of(node):
        name = node_text(child.child_by_field_name("name"), source)
        if child.type in ("identifier", "destructured_parameter"):
            items.append(Parameter(node_text(child, source), ParameterKind.POSITION, True))
        elif child.type == "optional_parameter":
            items.append(Parameter(name, ParameterKind.POSITION, False))
        elif child.type == "keyword_parameter":
            is_required = child.child_by_field_name("value") is None
            items.append(Parameter(name, ParameterKind.KEYWORD, is_required))
        elif child.type in kinds:
            items.append(Parameter(name, kinds[child.type], False))
            if child.type == "forward_parameter":
                items.append(Parameter("", ParameterKind.KEYWORD_REST, False))
        elif child.type not in ("block_parameter", "hash_splat_nil"):
            return None
    return Parameters(tuple(items))


def _read_plain(node: Node, source: bytes) -> Parameters | None:
    """Read Java, Kotlin, C# and PHP."""
    items: list[Parameter] = []
    has_receiver = False
    rest = False
    is_kotlin = node.type == "function_value_parameters"
    can_name = is_kotlin or any(child.type != "formal_parameter" for child in children_of(node))
    how = ParameterKind.EITHER if can_name else ParameterKind.POSITION
    for child in node.children:
        kind = child.type
        if kind in ("params", "...") or (
            kind == "parameter_modifiers" and "vararg" in node_text(child, source)
        ):
            rest = True
            if kind == "params":
                items.append(Parameter("", ParameterKind.REST, False))
        elif kind in ("spread_parameter", "variadic_parameter"):
            items.append(Parameter("", ParameterKind.REST, False))
        elif kind in ("simple_parameter", "property_promotion_parameter"):
            name = node_text(child.child_by_field_name("name"), source).lstrip("$")
            is_required = child.child_by_field_name("default_value") is None
            items.append(Parameter(name, ParameterKind.EITHER, is_required))
        elif kind in ("parameter", "formal_parameter"):
            named = child.child_by_field_name("name") or next(
                (c for c in child.named_children if c.type == "simple_identifier"), None
            )
            text = node_text(child, source)
            if text.startswith("this "):
                has_receiver = True
                continue
            is_required = not any(token.type == "=" for token in child.children)
            what = ParameterKind.REST if rest or text.startswith("params ") else how
            items.append(Parameter(node_text(named, source), what, what is how and is_required))
            rest = False
        elif kind == "=" and items:  # Kotlin keeps the default beside its parameter
            last = items.pop()
            items.append(Parameter(last.name, last.kind, False))
    return Parameters(tuple(items), has_receiver)


_READERS = {
    "python": _python,
    "javascript": _ecmascript,
    "typescript": _ecmascript,
    "tsx": _ecmascript,
    "go": _go,
    "rust": _rust,
    "c": _c,
    "cpp": _c,
    "ruby": _ruby,
}
