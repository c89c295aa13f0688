"""How near files are to some others by imports: personalised PageRank. Arrays in, scores out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from sidelight.history.log import distinct

RESTART = 0.3
STEPS = 40  # .7 ** 40 < 1e-6: what is left is noise
GROUP = 3  # a package of more files is a node of its own, lest its edges be counted by its size


def import_walk(
    imports: Mapping[str, Iterable[Sequence[str]]], focal: Sequence[str]
) -> dict[str, float]:
    """Return the share of time that a walk over import edges, both ways, spends in each file.

    It starts at a focal file, each as likely as the other, and at each step returns to one with
    probability `RESTART`, else follows an edge (Page et al. 1999, personalised). The shares of all
    files sum to at most 1; files that are not reached are left out. No focal file in the graph: {}.
    """
    nodes: dict[object, int] = {path: at for at, path in enumerate(imports)}
    sources: list[int] = []
    targets: list[int] = []
    for path, groups in imports.items():
        for group in groups:
            known = [nodes[file] for file in group if file in nodes]
            if len(known) > GROUP:
                package = nodes.setdefault(tuple(group), len(nodes))
                if package == len(nodes) - 1:
                    sources += [package] * len(known)
                    targets += known
                known = [package]
            sources += [nodes[path]] * len(known)
            targets += known
    starts = [nodes[path] for path in focal if path in nodes]
    if not starts:
        return {}
    shares = _rank(len(nodes), sources, targets, starts)
    files = list(imports)
    return {files[at]: float(shares[at]) for at in np.flatnonzero(shares[: len(files)] > 1e-9)}


def _rank(
    n_nodes: int, sources: list[int], targets: list[int], starts: list[int]
) -> NDArray[np.float64]:
    start = np.zeros(n_nodes)
    np.add.at(start, starts, 1.0 / len(starts))
    ends = np.array([sources + targets, targets + sources], np.int64)
    tails, heads = np.divmod(distinct(ends[0] * n_nodes + ends[1]), n_nodes)
    degrees = np.bincount(tails, minlength=n_nodes)
    weights = 1.0 / degrees[tails] if len(tails) else np.zeros(0)
    shares = start
    for _ in range(STEPS):
        spread = np.bincount(heads, shares[tails] * weights, minlength=n_nodes)
        lost = shares[degrees == 0].sum()  # files without an edge go back to the start
        shares = RESTART * start + (1 - RESTART) * (spread + lost * start)
    return shares
