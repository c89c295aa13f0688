"""Find the JSON in an answer and check it against a schema. Pure.

The checker knows the subset that providers accept for strict output, and refuses any other keyword:
type (also a list of types), properties, required, additionalProperties false, items, enum, const,
anyOf, min/maxLength, min/maxItems, minimum/maximum, pattern.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

MAX_ANSWER = 400_000  # characters; no answer of ours is near it
MAX_PROBLEMS = 8  # told to the model for a repair
MAX_SHOWN = 60

_TYPES: Mapping[str, tuple[type, ...]] = {
    "object": (dict,),
    "array": (list,),
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "null": (type(None),),
}
_NOTES = frozenset({"title", "description", "$schema", "default", "examples"})
_THOUGHT = re.compile(r"\A\s*<(think|thinking|reasoning)>.*?</\1>\s*", re.DOTALL)
_FENCED = re.compile(r"```[A-Za-z]*\n(.*?)\n?```", re.DOTALL)


class NoJsonError(ValueError):
    """The text holds no JSON object."""


def without_thoughts(text: str) -> str:
    """Return the text after the reasoning that some local models write in front of an answer."""
    return _THOUGHT.sub("", text, count=1)


def find_object(text: str) -> dict[str, Any]:
    """Return the JSON object of an answer: alone, in a code fence, or after some words.

    Raises:
        NoJsonError: there is none, or it ends too soon.
    """
    text = without_thoughts(text[:MAX_ANSWER]).strip()
    for candidate in _candidates(text):
        try:
            value, _ = _DECODER.raw_decode(candidate)
        except (ValueError, RecursionError):
            continue
        if isinstance(value, dict):
            return value
    raise NoJsonError("the answer holds no JSON object")


def _candidates(text: str) -> Iterator[str]:
    yield text
    yield from (found.strip() for found in _FENCED.findall(text)[:3])
    if (start := text.find("{")) >= 0:
        yield text[start:]


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")


_DECODER = json.JSONDecoder(parse_constant=_no_constant)


def check(value: Any, schema: Mapping[str, Any]) -> list[str]:
    """Return what is wrong with the value, at most a handful; [] if it conforms.

    Raises:
        ValueError: the schema uses what this checker does not know.
    """
    problems: list[str] = []
    for problem in _problems(value, schema, "answer"):
        problems.append(problem)
        if len(problems) == MAX_PROBLEMS:
            break
    return problems


def _problems(value: Any, schema: Mapping[str, Any], at: str) -> Iterator[str]:
    unknown = schema.keys() - _RULES.keys() - _NOTES
    if unknown:
        raise ValueError(f"not checked by us: {', '.join(sorted(unknown))}")
    if "type" in schema and not _has_type(value, schema["type"]):
        yield f"{at} must be of type {schema['type']}, not {_shown(value)}"
        return
    for keyword, argument in schema.items():
        rule = _RULES.get(keyword)
        if rule is not None:
            yield from rule(value, argument, at, schema)


def _has_type(value: Any, wanted: str | list[str]) -> bool:
    names = [wanted] if isinstance(wanted, str) else wanted
    if isinstance(value, bool):
        return "boolean" in names
    if isinstance(value, float) and value.is_integer() and "integer" in names:
        return True
    return any(isinstance(value, _TYPES[name]) for name in names)


def _properties(
    value: Any, properties: Mapping[str, Any], at: str, _: Mapping[str, Any]
) -> Iterator[str]:
    if isinstance(value, dict):
        for name, inner in properties.items():
            if name in value:
                yield from _problems(value[name], inner, f"{at}.{name}")


def _required(value: Any, names: list[str], at: str, _: Mapping[str, Any]) -> Iterator[str]:
    if isinstance(value, dict):
        yield from (f"{at}.{name} is missing" for name in names if name not in value)


def _additional(value: Any, allowed: bool, at: str, schema: Mapping[str, Any]) -> Iterator[str]:
    if isinstance(value, dict) and not allowed:
        for name in value.keys() - schema.get("properties", {}).keys():
            yield f"{at} has an unknown field {_shown(name)}"


def _items(value: Any, inner: Mapping[str, Any], at: str, _: Mapping[str, Any]) -> Iterator[str]:
    if isinstance(value, list):
        for n, item in enumerate(value):
            yield from _problems(item, inner, f"{at}[{n}]")


def _enum(value: Any, known: list[Any], at: str, _: Mapping[str, Any]) -> Iterator[str]:
    if value not in known:
        yield f"{at} must be one of {json.dumps(known)}, not {_shown(value)}"


def _const(value: Any, only: Any, at: str, schema: Mapping[str, Any]) -> Iterator[str]:
    yield from _enum(value, [only], at, schema)


def _any_of(
    value: Any, options: list[Mapping[str, Any]], at: str, _: Mapping[str, Any]
) -> Iterator[str]:
    found = [list(_problems(value, option, at)) for option in options]
    if all(found):
        yield from min(found, key=len)


def _length(value: Any, limit: int, at: str, schema: Mapping[str, Any]) -> Iterator[str]:
    del schema
    if isinstance(value, str | list) and len(value) > limit:
        yield f"{at} is longer than {limit}"


def _least_length(value: Any, limit: int, at: str, schema: Mapping[str, Any]) -> Iterator[str]:
    del schema
    if isinstance(value, str | list) and len(value) < limit:
        yield f"{at} is shorter than {limit}"


def _minimum(value: Any, limit: float, at: str, _: Mapping[str, Any]) -> Iterator[str]:
    if isinstance(value, int | float) and value < limit:
        yield f"{at} is below {limit}"


def _maximum(value: Any, limit: float, at: str, _: Mapping[str, Any]) -> Iterator[str]:
    if isinstance(value, int | float) and value > limit:
        yield f"{at} is above {limit}"


def _pattern(value: Any, pattern: str, at: str, _: Mapping[str, Any]) -> Iterator[str]:
    if isinstance(value, str) and re.search(pattern, value) is None:
        yield f"{at} does not look like {pattern}"


_RULES: Mapping[str, Any] = {
    "type": None,
    "properties": _properties,
    "required": _required,
    "additionalProperties": _additional,
    "items": _items,
    "enum": _enum,
    "const": _const,
    "anyOf": _any_of,
    "maxLength": _length,
    "maxItems": _length,
    "minLength": _least_length,
    "minItems": _least_length,
    "minimum": _minimum,
    "maximum": _maximum,
    "pattern": _pattern,
}


def _shown(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=True)
    return text if len(text) <= MAX_SHOWN else text[: MAX_SHOWN - 1] + "…"
