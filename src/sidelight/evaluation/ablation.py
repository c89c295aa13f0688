"""What each signal is worth: figures without it, and with it alone. Pure, but for one reader."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sidelight.errors import UsageError
from sidelight.evaluation.comparison import paired_json
from sidelight.evaluation.fitting import Example, Objective, Weights
from sidelight.evaluation.intervals import Estimate, estimate
from sidelight.evaluation.paired import Paired, Verdict, compare_pairs
from sidelight.evaluation.tables import figure, interval, signed, table

TOGETHER: Mapping[str, tuple[str, ...]] = {
    "all history": ("message", "cochange", "recent"),
    "the code graph": ("import_walk", "uses"),
    "texts of candidates": ("swept", "gone", "copied"),
    "places": ("named", "path_like", "beside", "title_path", "scope"),
    "all kinds of files": ("test", "off_kind"),
}


@dataclass(frozen=True, slots=True)
class Dropped:
    """What is lost without a signal (before: all signals), and how far it gets alone.

    `alone` is None where that makes no sense: a signal that only takes off, or several together.
    """

    name: str
    without: Paired
    alone: Estimate | None


@dataclass(frozen=True, slots=True)
class Ablation:
    """The signals of one kind of case, those that matter most first."""

    about: str
    whole: Estimate
    dropped: tuple[Dropped, ...]


def ablate_diffs(about: str, examples: Sequence[Example], weights: Weights) -> Ablation:
    """Return the ablation of a diff's signals; the weights of the others stay as they are."""
    objective = Objective(examples)
    whole = objective.values(weights).tolist()
    groups: dict[str, tuple[str, ...]] = {
        name: (name,) for name, weight in weights.items() if weight
    }
    groups |= {
        name: names for name, names in TOGETHER.items() if sum(n in groups for n in names) > 1
    }
    dropped = []
    for name, names in groups.items():
        without = objective.values(dict(weights) | dict.fromkeys(names, 0.0)).tolist()
        paired = compare_pairs(name, list(zip(whole, without, strict=True)))
        alone = objective.values(dict.fromkeys(weights, 0.0) | {name: 1.0}).tolist()
        useful = len(names) == 1 and any(alone)
        dropped.append(Dropped(name, paired, estimate({"": alone}) if useful else None))
    return Ablation(about, estimate({"": whole}), _worst_first(dropped))


def ablate_runs(
    about: str, whole: Sequence[float], without: Mapping[str, Sequence[float]]
) -> Ablation:
    """Return the ablation of signals whose cases were asked again without each."""
    dropped = [
        Dropped(name, compare_pairs(name, list(zip(whole, values, strict=True))), None)
        for name, values in without.items()
    ]
    return Ablation(about, estimate({"": whole}), _worst_first(dropped))


def _worst_first(dropped: Iterable[Dropped]) -> tuple[Dropped, ...]:
    return tuple(sorted(dropped, key=lambda item: (item.without.difference.mean, item.name)))


def render_ablation(ablation: Ablation) -> str:
    """Return the ablation as a table."""
    whole = ablation.whole
    head = f"{ablation.about}: nDCG@10 {figure(whole.mean)} ({interval(whole)}, {whole.n} cases)"
    rows = [
        [
            item.name,
            figure(item.without.after),
            signed(item.without.difference.mean),
            interval(item.without.difference, signed),
            _verdict(item.without),
            "–" if item.alone is None else figure(item.alone.mean),
        ]
        for item in ablation.dropped
    ]
    lines = [head, *table(["without", "nDCG@10", "change", "95 %", "verdict", "alone"], rows)]
    return "\n".join(lines) + "\n"


def _verdict(paired: Paired) -> str:
    match paired.verdict:
        case Verdict.WORSE:
            return "needed"
        case Verdict.BETTER:
            return "harmful"
        case other:
            return str(other)


def ablation_json(ablation: Ablation) -> dict[str, Any]:
    """Return the ablation as JSON-ready values; `docs/evaluation.md` describes them."""
    return {
        "about": ablation.about,
        "whole": _estimate_json(ablation.whole),
        "signals": [
            paired_json(item.without)
            | {"alone": None if item.alone is None else _estimate_json(item.alone)}
            for item in ablation.dropped
        ],
    }


def load_ablations(path: Path) -> tuple[Ablation, ...]:
    """Return what `sidelight eval ablate --format json` wrote.

    Raises:
        UsageError: the file cannot be read, or is something else.
    """
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
        return tuple(map(_parse_ablation, value["ablations"]))
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}") from error
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise UsageError(
            f"{path} holds no ablation",
            hint="make it with `sidelight eval ablate … --format json > FILE`",
        ) from error


def _parse_ablation(value: Any) -> Ablation:
    dropped = []
    for item in value["signals"]:
        n = int(item["cases"])
        change = Estimate(float(item["change"]), float(item["low"]), float(item["high"]), n)
        paired = Paired(
            str(item["label"]),
            n,
            float(item["before"]),
            float(item["after"]),
            change,
            int(item["better"]),
            int(item["worse"]),
        )
        alone = None if item["alone"] is None else _parse_estimate(item["alone"])
        dropped.append(Dropped(paired.label, paired, alone))
    return Ablation(str(value["about"]), _parse_estimate(value["whole"]), tuple(dropped))


def _parse_estimate(value: Any) -> Estimate:
    low, high = float(value["low"]), float(value["high"])
    return Estimate(float(value["mean"]), low, high, int(value["cases"]))


def _estimate_json(value: Estimate) -> dict[str, float | int]:
    return {
        "mean": round(value.mean, 6),
        "low": round(value.low, 6),
        "high": round(value.high, 6),
        "cases": value.n,
    }
