"""Packed columns come back as they went in, on every machine."""

from __future__ import annotations

import struct
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sidelight.model import (
    Import,
    ImportedName,
    ImportKind,
    Problem,
    Reference,
    ReferenceKind,
    Span,
)
from sidelight.store.rows import (
    MAX_TF,
    pack_imports,
    pack_terms,
    pack_uses,
    unpack_imports,
    unpack_uses,
    vector_check,
)

TEXT = st.text(max_size=12)  # lone surrogates included: names come from sources of any encoding
SPANS = st.builds(Span, *(st.integers(0, 1 << 31) for _ in range(4)))
IMPORTS = st.builds(
    Import,
    TEXT,
    st.sampled_from(ImportKind),
    SPANS,
    st.lists(st.builds(ImportedName, TEXT, st.none() | TEXT), max_size=3).map(tuple),
    st.none() | TEXT,
)
REFERENCES = st.builds(
    Reference,
    TEXT,
    st.sampled_from(ReferenceKind),
    st.none() | TEXT,
    SPANS,
    st.none() | st.integers(0, 99),
)
PROBLEMS = st.builds(Problem, TEXT, SPANS)


@given(st.lists(IMPORTS, max_size=5).map(tuple))
def test_imports_come_back(imports: tuple[Import, ...]) -> None:
    assert unpack_imports(pack_imports(imports)) == imports


@given(st.lists(REFERENCES, max_size=5).map(tuple), st.lists(PROBLEMS, max_size=3).map(tuple))
def test_references_and_problems_come_back(
    references: tuple[Reference, ...], problems: tuple[Problem, ...]
) -> None:
    assert unpack_uses(pack_uses(references, problems)) == (references, problems)


@pytest.mark.parametrize("value", [b"{}", b"1", b'"x"', b"null"])
def test_what_is_no_packed_list_is_refused(value: bytes) -> None:
    with pytest.raises(TypeError):
        unpack_imports(zlib.compress(value))


@given(st.dictionaries(st.integers(0, (1 << 64) - 1), st.integers(1, MAX_TF + 9), max_size=30))
def test_terms_are_sorted_hashes_then_frequencies_in_little_endian(terms: dict[int, int]) -> None:
    n = len(terms)
    ordered = sorted(terms)
    counts = [min(terms[key], MAX_TF) for key in ordered]
    assert pack_terms(terms) == struct.pack(f"<{n}Q{n}H", *ordered, *counts)


@given(st.binary(min_size=16, max_size=16), st.binary(min_size=1, max_size=64), st.data())
def test_a_vectors_checksum_notices_every_flipped_bit(
    key: bytes, vector: bytes, data: st.DataObject
) -> None:
    bit = data.draw(st.integers(0, len(vector) * 8 - 1))
    other = bytearray(vector)
    other[bit // 8] ^= 1 << bit % 8
    assert vector_check(key, bytes(other)) != vector_check(key, vector)
