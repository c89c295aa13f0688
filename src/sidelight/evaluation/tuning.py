"""Fit weights on one part of the cases, and report them on another that the fit has not seen. Pure.

Several repositories: each is reported with weights fitted on the others. One: the later commits
are reported with weights fitted on the earlier ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sidelight.errors import UsageError
from sidelight.evaluation.comparison import PAIRED_HEADER, paired_cells, paired_json, verdict_text
from sidelight.evaluation.fitting import Objective, Weighable, Weights, fit_weights
from sidelight.evaluation.paired import Paired, Verdict, compare_pairs
from sidelight.evaluation.tables import table

EARLIER_SHARE = 0.6


@dataclass(frozen=True, slots=True)
class Tuned:
    """Weights with the figures of cases that were held out when they were fitted.

    `held_out` compares the start (before) with fitted weights (after) over all held-out cases,
    `parts` the same by repository. `weights` are fitted as the method says for use from now on.
    """

    method: str
    start: Weights
    weights: Weights
    n_fitted: int
    fitted: Paired
    held_out: Paired
    parts: tuple[Paired, ...]

    @property
    def accepted(self) -> bool:
        """Return whether held-out cases gained beyond noise, and the weights may be used."""
        return self.held_out.verdict is Verdict.BETTER


def tune_weights(examples: Sequence[Weighable], start: Weights) -> Tuned:
    """Return fitted weights and what they are worth on cases that were held out.

    Raises:
        UsageError: there are too few cases to hold any out.
    """
    if len(examples) < 2:
        raise UsageError("there are too few cases to hold any out", hint="give more cases")
    objective = Objective(examples)
    repos = sorted({example.repo for example in examples})
    if len(repos) > 1:
        return _leave_one_out(objective, repos, start)
    return _earlier_later(objective, start)


def _leave_one_out(objective: Objective, repos: Sequence[str], start: Weights) -> Tuned:
    everything = range(len(objective.examples))
    parts = []
    pairs: list[tuple[float, float]] = []
    for repo in repos:
        own = [i for i in everything if objective.examples[i].repo == repo]
        others = [i for i in everything if objective.examples[i].repo != repo]
        fitted = fit_weights(objective, others, start)
        held = _pairs(objective, own, start, fitted)
        parts.append(compare_pairs(repo, held))
        pairs += held
    final = fit_weights(objective, everything, start)
    return Tuned(
        method="each repository with weights fitted on the others",
        start=start,
        weights=final,
        n_fitted=len(everything),
        fitted=compare_pairs("fitted", _pairs(objective, everything, start, final)),
        held_out=compare_pairs("held out", pairs),
        parts=tuple(parts),
    )


def _earlier_later(objective: Objective, start: Weights) -> Tuned:
    by_time = sorted(
        range(len(objective.examples)),
        key=lambda i: (objective.examples[i].time, objective.examples[i].id),
    )
    cut = min(max(1, round(len(by_time) * EARLIER_SHARE)), len(by_time) - 1)
    earlier, later = by_time[:cut], by_time[cut:]
    weights = fit_weights(objective, earlier, start)
    return Tuned(
        method="the later commits with weights fitted on the earlier ones",
        start=start,
        weights=weights,
        n_fitted=len(earlier),
        fitted=compare_pairs("fitted", _pairs(objective, earlier, start, weights)),
        held_out=compare_pairs("held out", _pairs(objective, later, start, weights)),
        parts=(),
    )


def _pairs(
    objective: Objective, rows: Sequence[int], before: Weights, after: Weights
) -> list[tuple[float, float]]:
    old, new = objective.values(before), objective.values(after)
    return [(float(old[i]), float(new[i])) for i in rows]


def render_tuned(tuned: Tuned) -> str:
    """Return the outcome as text: figures first, then the weights that changed."""
    lines = [f"nDCG@10, weights before → fitted; reported: {tuned.method}"]
    rows = [paired_cells(row) for row in (*tuned.parts, tuned.held_out, tuned.fitted)]
    lines += table(PAIRED_HEADER, rows)
    lines.append(f"(fitted: on the {tuned.n_fitted} cases that the weights were fitted on)")
    changed = [
        [name, f"{old:g}", f"{tuned.weights[name]:g}"]
        for name, old in tuned.start.items()
        if tuned.weights[name] != old
    ]
    lines.append("")
    if changed:
        lines += table(["weight", "before", "fitted"], changed)
    else:
        lines.append("no weight changed")
    lines.append(f"held out: {verdict_text(tuned.held_out)}")
    return "\n".join(lines) + "\n"


def tuned_json(tuned: Tuned) -> dict[str, Any]:
    """Return the outcome as JSON-ready values; `docs/evaluation.md` describes them."""
    return {
        "method": tuned.method,
        "accepted": tuned.accepted,
        "start": dict(tuned.start),
        "weights": dict(tuned.weights),
        "n_fitted": tuned.n_fitted,
        "fitted": paired_json(tuned.fitted),
        "held_out": paired_json(tuned.held_out),
        "repositories": [paired_json(row) for row in tuned.parts],
    }
