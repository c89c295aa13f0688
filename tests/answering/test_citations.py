"""Citations are read in the ways models write them; none survives that was not given."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sidelight.answering.citations import check_citations

KNOWN = (1, 2, 3, 5)


@pytest.mark.parametrize(
    ("text", "shown", "numbers"),
    [
        ("a [1].", "a [1].", (1,)),
        ("a [1, 2] b", "a [1][2] b", (1, 2)),
        ("a [1-3] b", "a [1][2][3] b", (1, 2, 3)),
        ("a [1, 4, 5]", "a [1][5]", (1, 5)),
        ("a [4] b", "a b", ()),
        ("a[4]. b", "a. b", ()),
        ("a [source 2] b", "a [2] b", (2,)),
        ("a [Sources 1 and 2] b", "a [1][2] b", (1, 2)),
        ("a 【3】 b", "a [3] b", (3,)),
        ("a [#5] b", "a [5] b", (5,)),
        ("a [2](https://evil.example/x) b", "a [2] b", (2,)),
        ("a [1][1] b [1]", "a [1][1] b [1]", (1,)),
        ("in code `a[4]` no, here [2]", "in code `a[4]` no, here [2]", (2,)),
        ("```\nx[9] = y[1]\n```\nthus [3]", "```\nx[9] = y[1]\n```\nthus [3]", (3,)),
        ("a [9999999]", "a [9999999]", ()),
        ("a [1-99999]", "a [1-99999]", ()),
        ("a [0] [1-9999] b", "a [1][2][3][5] b", (1, 2, 3, 5)),
        ("a [3-1] b", "a [3][1] b", (1, 3)),
        ("a [x] [ ] []", "a [x] [ ] []", ()),
    ],
)
def test_citations(text: str, shown: str, numbers: tuple[int, ...]) -> None:
    cited = check_citations(text, KNOWN)
    assert (cited.text, cited.numbers) == (shown, numbers)


@given(st.text(alphabet="[]()0123456789,- a`\n#", max_size=40))
def test_no_unknown_number_survives_in_prose(text: str) -> None:
    cited = check_citations(text, KNOWN)
    prose = re.sub(r"`[^`]*`|```.*", "", cited.text, flags=re.DOTALL)
    found = {int(n) for n in re.findall(r"\[(\d{1,4})\]", prose)}
    if "`" not in text:
        assert found <= set(KNOWN)
    assert set(cited.numbers) <= set(KNOWN)
