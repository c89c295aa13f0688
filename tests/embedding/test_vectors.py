"""Pooling and quantising against plain oracles."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from sidelight.embedding.info import Pooling
from sidelight.embedding.pooling import pool_tokens
from sidelight.embedding.quantize import quantize_rows

finite = st.floats(-1e3, 1e3, width=32)
matrices = arrays(np.float32, array_shapes(min_dims=2, max_dims=2, max_side=9), elements=finite)


@given(matrices)
def test_quantised_rows_reach_127_and_keep_their_direction(rows: np.ndarray) -> None:
    quantised = quantize_rows(rows)
    assert quantised.dtype == np.int8
    assert quantised.shape == rows.shape
    for row, small in zip(rows.astype(np.float64), quantised, strict=True):
        largest = np.abs(row).max()
        if largest == 0:
            assert not small.any()
            continue
        assert np.abs(small.astype(int)).max() == 127
        assert np.abs(small - row * 127 / largest).max() <= 0.5 + 1e-9


def test_halves_are_rounded_to_even() -> None:
    row = np.array([[127, 0.5, 1.5, 2.5, -0.5, -1.5]], dtype=np.float32)
    assert quantize_rows(row).tolist() == [[127, 0, 2, 2, 0, -2]]


@given(matrices, st.sampled_from([0.25, 2.0, 1024.0]))
def test_quantising_does_not_see_the_length(rows: np.ndarray, factor: float) -> None:
    usual = np.where(np.abs(rows) < 1e-30, 0, rows)  # no subnormals, which lose bits
    scaled = (usual * np.float32(factor)).astype(np.float32)
    assert (quantize_rows(scaled) == quantize_rows(usual)).all()


def test_no_rows_give_no_rows() -> None:
    assert quantize_rows(np.empty((0, 384), dtype=np.float32)).shape == (0, 384)


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_a_value_that_is_not_finite_is_refused(bad: float) -> None:
    with pytest.raises(ValueError, match="not finite"):
        quantize_rows(np.array([[1, bad]], dtype=np.float32))


def test_a_flat_vector_is_refused() -> None:
    with pytest.raises(ValueError, match="expected"):
        quantize_rows(np.ones(4, dtype=np.float32))


@given(matrices, st.sampled_from(Pooling))
def test_pooled_vectors_equal_the_textbook(tokens: np.ndarray, pooling: Pooling) -> None:
    exact = tokens.astype(np.float64)
    pooled = {
        Pooling.MEAN: exact.mean(axis=0),
        Pooling.CLS: exact[0],
        Pooling.LAST: exact[-1],
        Pooling.MAX: exact.max(axis=0),
    }[pooling]
    length = np.linalg.norm(pooled)
    vector = pool_tokens(tokens, pooling)
    if np.isnan(vector).any():
        assert length < 1e-3  # only what cancels out has no direction
    elif length > 1:
        np.testing.assert_allclose(vector, pooled / length, atol=1e-3)
        assert abs(np.linalg.norm(vector.astype(np.float64)) - 1) < 1e-6
