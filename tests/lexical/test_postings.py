"""Postings are the same however they are sorted."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from sidelight.lexical import PostingsBuilder
from sidelight.store.rows import pack_terms

HASHES = st.one_of(st.integers(0, (1 << 64) - 1), st.sampled_from([0, 1, 1 << 60, (1 << 64) - 1]))


@given(st.lists(st.dictionaries(HASHES, st.integers(1, 9), max_size=8), max_size=8))
def test_sorted_in_parts_or_at_once(chunks: list[dict[int, int]]) -> None:
    packed = [pack_terms(terms) for terms in chunks]
    lengths = np.asarray([sum(terms.values()) for terms in chunks], np.int32)
    found = []
    for at_once in (0, 1000):
        builder = PostingsBuilder(sum(map(len, chunks)), sorted_at_once=at_once)
        for item in packed:
            builder.add(item)
        found.append(builder.finish(lengths))
    parts, whole = found
    for name in ("terms", "offsets", "rows", "tfs"):
        assert getattr(parts, name).tolist() == getattr(whole, name).tolist()
        assert getattr(parts, name).dtype == getattr(whole, name).dtype
