"""Lay ranked things out for a reader that forgets the middle. Pure permutations.

Liu et al., "Lost in the Middle" (TACL 2024): models use the beginning and the end of a long context
best. Which order serves a model is measured by `sidelight eval positions`, not assumed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from sidelight.packing.model import Order

_T = TypeVar("_T")


def arrange(ranked: Sequence[_T], order: Order) -> tuple[_T, ...]:
    """Return the items, given best first, in the order of reading."""
    if order is Order.ASCENDING:
        return tuple(reversed(ranked))
    if order is Order.USHAPE:
        return (*ranked[::2], *reversed(ranked[1::2]))
    return tuple(ranked)
