"""Postings are the same however they are sorted."""

from __future__ import annotations

import io

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sidelight.lexical import PostingsSpool, build_postings
from sidelight.lexical import spool as spooling
from sidelight.store.rows import pack_terms

HASHES = st.one_of(st.integers(0, (1 << 64) - 1), st.sampled_from([0, 1, 1 << 60, (1 << 64) - 1]))


@given(
    st.lists(st.dictionaries(HASHES, st.integers(1, 9), max_size=8), max_size=8),
    st.sampled_from([1, 3, 1000]),
    st.sampled_from([1, 50, 1_000_000]),
)
def test_sorted_in_parts_on_disk_or_at_once_in_memory(
    tmp_path_factory: pytest.TempPathFactory,
    chunks: list[dict[int, int]],
    at_once: int,
    gathered: int,
) -> None:
    packed = [pack_terms(terms) for terms in chunks]
    whole = build_postings(packed, [sum(terms.values()) for terms in chunks])
    folder = tmp_path_factory.mktemp("spool")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(spooling, "GATHERED_BYTES", gathered)
        spool = PostingsSpool(folder, sum(map(len, chunks)), at_once=at_once)
        for item in packed:
            spool.add(item)
        rows, tfs = io.BytesIO(), io.BytesIO()
        terms, offsets = spool.write(rows, tfs)
    assert terms.tolist() == whole.terms.tolist()
    assert offsets.tolist() == whole.offsets.tolist()
    assert np.frombuffer(rows.getvalue(), np.int32).tolist() == whole.rows.tolist()
    assert np.frombuffer(tfs.getvalue(), np.uint16).tolist() == whole.tfs.tolist()
    assert (terms.dtype, offsets.dtype) == (whole.terms.dtype, whole.offsets.dtype)
    assert list(folder.iterdir()) == []
