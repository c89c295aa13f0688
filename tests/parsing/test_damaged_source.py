"""Source that is cut off or damaged: it parses to something with sound spans, and never raises."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from helpers.parsed_text import SAMPLES
from sidelight.parsing import parse

_SAMPLES = sorted(path for path in SAMPLES.glob("*/*") if path.suffix != ".expected")


@pytest.mark.parametrize("path", _SAMPLES, ids=lambda path: path.name)
@settings(max_examples=12, deadline=None)
@given(data=st.data())
def test_spans_stay_sound_whatever_is_missing(path: Path, data: st.DataObject) -> None:
    source = path.read_bytes()
    start = data.draw(st.integers(0, len(source)), label="start")
    end = data.draw(st.integers(start, len(source)), label="end")
    damaged = source[:start] + source[end:]
    parsed = parse(damaged, path.parent.name)
    for symbol in parsed.symbols:
        assert symbol.name
        assert 0 <= symbol.lead_byte <= symbol.span.start_byte <= symbol.body_byte
        assert symbol.body_byte <= symbol.span.end_byte <= len(damaged)
    for before, after in pairwise(parsed.symbols):
        assert before.span.start_byte <= after.span.start_byte
    for reference in parsed.references:
        assert reference.name
        assert damaged[reference.span.start_byte : reference.span.end_byte]


@pytest.mark.parametrize(
    ("language", "source"),
    [
        ("php", "<?php require " + " . ".join(["'a'"] * 5_000) + ";"),
        ("cpp", "a" + "::b" * 5_000 + " x;"),
        ("cpp", "int " + "*" * 5_000 + "x;"),
        ("kotlin", "class " * 5_000 + " by x {"),
        ("kotlin", '@A("' * 5_000),
        ("c", "API_X " * 5_000 + "f(int x);"),
        ("csharp", "using A" + ".B" * 5_000 + ";"),
        ("scala", "import a" + ".b" * 5_000 + "\n"),
        ("ruby", "a" + ".b(1)" * 2_000),
    ],
)
def test_long_chains_are_read_within_bounds(language: str, source: str) -> None:
    parse(source.encode(), language)
