"""What definitions take and what calls hand over: parameters and arguments as syntax has them.

Not part of `ParsedFile`: read on demand, for the few files in question. Never raises for any
source; what cannot be read for sure is None, and nothing is concluded from it.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Collection, Iterator, Mapping, Sequence
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


@dataclass(frozen=True, slots=True)
class Call:
    """What a call hands over. `spread` and `keyword_spread`: an unknown number more.

    `first` is the text of the first positional argument, `callee` that of what is called.
    `has_block` counts a trailing block or lambda, which is not among the positional ones.
    """

    callee: str
    name: str
    positional: int
    keywords: tuple[str, ...]
    spread: bool
    keyword_spread: bool
    has_block: bool
    first: str
    start_line: int
    end_line: int


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
_ARGUMENTS = frozenset("argument_list arguments value_arguments call_suffix".split())
_CALLS = frozenset(
    "call call_expression new_expression method_invocation object_creation_expression"
    " invocation_expression function_call_expression member_call_expression"
    " nullsafe_member_call_expression scoped_call_expression explicit_constructor_invocation"
    " implicit_object_creation_expression constructor_invocation".split()
)
_WORD = re.compile(r"[\w$]+[?!]?$")
_GENERICS = re.compile(r"(?:::)?<[^<>()]*>$|\[[^\[\]()]*\]$")


def read_parameters(
    source: bytes, language: str, spans: Sequence[tuple[Span, int]]
) -> list[Parameters | None]:
    """Return the parameters of each definition (its span and the byte of its body), in order."""
    root = _root(source, language)
    if root is None:
        return [None] * len(spans)
    return [_parameters_at(root, source, language, span, body) for span, body in spans]


def read_calls(
    source: bytes, language: str, wanted: Mapping[int, Collection[str]]
) -> dict[int, list[Call]]:
    """Return line → the calls of the wanted names whose called name ends on that line."""
    root = _root(source, language)
    found: dict[int, list[Call]] = {}
    if root is None or not wanted:
        return found
    first, last = min(wanted) - 1, max(wanted) - 1
    for node in _walk(root, first, last):
        if node.type not in _CALLS:
            continue
        call, line = _call(node, source, language)
        if call is not None and call.name in wanted.get(line, ()):
            found.setdefault(line, []).append(call)
    return found


def _root(source: bytes, language: str) -> Node | None:
    known = LANGUAGES.get(language)
    if language not in SUPPORTED or known is None or not source.strip():
        return None
    tree = parse_tree(
        valid_utf8(source), load_grammar(known.grammar or known.name), Deadline(TIMEOUT_S)
    )
    return None if tree is None else tree.root_node


def _walk(root: Node, first: int, last: int) -> Iterator[Node]:
    """Yield the nodes that touch the rows, in the order of the text."""
    stack = [root]
    while stack:
        node = stack.pop()
        if node.start_point.row > last or node.end_point.row < first:
            continue
        yield node
        stack.extend(reversed(node.named_children))


# -- parameters -------------------------------------------------------------------------------


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
        return Parameters((Parameter(_text(found, source), ParameterKind.EITHER, True),))
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


def _text(node: Node | None, source: bytes) -> str:
    return (
        "" if node is None else source[node.start_byte : node.end_byte].decode("utf-8", "replace")
    )


def _children(node: Node) -> list[Node]:
    return [child for child in node.named_children if not child.is_extra]


def _python(node: Node, source: bytes) -> Parameters | None:
    items: list[Parameter] = []
    only_named = False
    for child in _children(node):
        kind = child.type
        shown = child.named_children[0] if kind == "typed_parameter" else child
        if kind == "positional_separator":
            items = [Parameter(p.name, ParameterKind.POSITION, p.is_required) for p in items]
        elif kind == "keyword_separator":
            only_named = True
        elif shown.type == "list_splat_pattern":
            only_named = True
            items.append(Parameter(_text(shown, source)[1:], ParameterKind.REST, False))
        elif shown.type == "dictionary_splat_pattern":
            items.append(Parameter(_text(shown, source)[2:], ParameterKind.KEYWORD_REST, False))
        elif shown.type == "identifier" or kind in ("default_parameter", "typed_default_parameter"):
            is_required = shown.type == "identifier"
            name = _text(shown if is_required else child.child_by_field_name("name"), source)
            how = ParameterKind.KEYWORD if only_named else ParameterKind.EITHER
            items.append(Parameter(name, how, is_required))
        else:
            return None
    if items and items[0].name in ("self", "cls", "mcs", "mcls", "klass"):
        return Parameters(tuple(items[1:]), has_receiver=True)
    return Parameters(tuple(items))


def _ecmascript(node: Node, source: bytes) -> Parameters | None:
    items: list[Parameter] = []
    for child in _children(node):
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
        name = _text(pattern, source) if pattern.type == "identifier" else ""
        items.append(Parameter(name, ParameterKind.POSITION, not is_optional))
    return Parameters(tuple(items))


def _go(node: Node, source: bytes) -> Parameters | None:
    items: list[Parameter] = []
    for child in _children(node):
        names = [_text(name, source) for name in child.children_by_field_name("name")]
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
    for child in _children(node):
        if child.type == "self_parameter":
            has_receiver = True
        elif child.type == "parameter":
            name = _text(child.child_by_field_name("pattern"), source)
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
    children = _children(node)
    if len(children) == 1 and _text(children[0], source).strip() == "void":
        return Parameters(())
    for child in children:
        if child.type in ("variadic_parameter", "variadic_parameter_declaration"):
            items.append(Parameter("", ParameterKind.REST, False))
        elif child.type in ("parameter_declaration", "optional_parameter_declaration"):
            is_required = child.type == "parameter_declaration"
            text = _text(child.child_by_field_name("declarator"), source)
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
    for child in _children(node):
        name = _text(child.child_by_field_name("name"), source)
        if child.type in ("identifier", "destructured_parameter"):
            items.append(Parameter(_text(child, source), ParameterKind.POSITION, True))
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
    can_name = is_kotlin or any(child.type != "formal_parameter" for child in _children(node))
    how = ParameterKind.EITHER if can_name else ParameterKind.POSITION
    for child in node.children:
        kind = child.type
        if kind in ("params", "...") or (
            kind == "parameter_modifiers" and "vararg" in _text(child, source)
        ):
            rest = True
            if kind == "params":
                items.append(Parameter("", ParameterKind.REST, False))
        elif kind in ("spread_parameter", "variadic_parameter"):
            items.append(Parameter("", ParameterKind.REST, False))
        elif kind in ("simple_parameter", "property_promotion_parameter"):
            name = _text(child.child_by_field_name("name"), source).lstrip("$")
            is_required = child.child_by_field_name("default_value") is None
            items.append(Parameter(name, ParameterKind.EITHER, is_required))
        elif kind in ("parameter", "formal_parameter"):
            named = child.child_by_field_name("name") or next(
                (c for c in child.named_children if c.type == "simple_identifier"), None
            )
            text = _text(child, source)
            if text.startswith("this "):
                has_receiver = True
                continue
            is_required = not any(token.type == "=" for token in child.children)
            what = ParameterKind.REST if rest or text.startswith("params ") else how
            items.append(Parameter(_text(named, source), what, what is how and is_required))
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


# -- calls ------------------------------------------------------------------------------------


def _call(node: Node, source: bytes, language: str) -> tuple[Call | None, int]:
    """Return a call and the line of the called name; None if it cannot be read for sure."""
    held = node.child_by_field_name("arguments") or next(
        (child for child in node.children if child.type in _ARGUMENTS), None
    )
    end = held.start_byte if held is not None else node.end_byte
    block = node.child_by_field_name("block")
    if held is None and block is not None:
        end = block.start_byte
    if held is None and language not in ("ruby", "javascript", "typescript", "tsx"):
        return None, 0
    callee = source[node.start_byte : end].decode("utf-8", "replace").rstrip()
    name = _called_name(callee)
    line = node.start_point.row + 1 + callee.count("\n")
    if held is None:
        call = Call(callee, name, 0, (), False, False, block is not None, "", line, line)
        return (call if node.type in ("call", "new_expression") else None), line
    if held.type not in _ARGUMENTS and held.type != "generator_expression":
        return None, line
    return _read_arguments(held, source, callee, name, block is not None, language), line


def _called_name(callee: str) -> str:
    text = callee.removesuffix("?.").removesuffix(".").rstrip()
    for _ in range(3):
        shorter = _GENERICS.sub("", text).rstrip()
        if shorter == text:
            break
        text = shorter
    match = _WORD.search(text)
    return match[0] if match else ""


def _read_arguments(
    held: Node, source: bytes, callee: str, name: str, has_block: bool, language: str
) -> Call | None:
    children = [held] if held.type == "generator_expression" else _children(held)
    if held.type == "call_suffix":  # Kotlin
        inner = next((c for c in children if c.type == "value_arguments"), None)
        has_block = any("lambda" in child.type for child in children)
        children = _children(inner) if inner is not None else []
    sorts = [_sort(child) for child in children]
    if "unknown" in sorts:
        return None
    plain = [c for c, sort in zip(children, sorts, strict=True) if sort == "positional"]
    spread = "spread" in sorts
    if language == "go" and len(plain) == len(children) == 1 and plain[0].type in _CALLS:
        plain, spread = [], True  # it may return several values
    named = [c for c, sort in zip(children, sorts, strict=True) if sort == "keyword"]
    return Call(
        callee=callee,
        name=name,
        positional=len(plain),
        keywords=tuple(_label(child, source) for child in named),
        spread=spread,
        keyword_spread="keyword_spread" in sorts,
        has_block=has_block or "block" in sorts,
        first=_text(plain[0], source) if plain else "",
        start_line=held.start_point.row + 1 - callee.count("\n"),
        end_line=held.end_point.row + 1,
    )


_SORTS = {
    "keyword_argument": "keyword",
    "list_splat": "spread",
    "spread_element": "spread",
    "variadic_argument": "spread",
    "splat_argument": "spread",
    "parameter_pack_expansion": "spread",
    "variadic_unpacking": "spread",
    "forward_argument": "spread",
    "dictionary_splat": "keyword_spread",
    "hash_splat_argument": "keyword_spread",
    "variadic_placeholder": "unknown",
    "block_argument": "block",
}


def _sort(child: Node) -> str:
    """Return what an argument is: positional, keyword, spread, keyword_spread, block, unknown."""
    kind = child.type
    if kind in _SORTS:
        return _SORTS[kind]
    if kind == "pair":  # a hash with other keys than names fills what is not seen here
        key = child.child_by_field_name("key")
        return "keyword" if key is not None and key.type == "hash_key_symbol" else "unknown"
    inside = child.named_children[0] if child.named_child_count else None
    if kind == "argument":
        is_spread = inside is not None and inside.type == "variadic_unpacking"
        is_named = child.child_by_field_name("name") is not None
    else:
        is_spread = kind == "value_argument" and child.children[0].type == "*"
        is_named = kind == "value_argument" and any(token.type == "=" for token in child.children)
    return "spread" if is_spread else "keyword" if is_named else "positional"


def _label(child: Node, source: bytes) -> str:
    named = child.child_by_field_name("name") or child.child_by_field_name("key")
    return _text(named or child.named_children[0], source)
