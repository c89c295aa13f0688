"""Weights as a TOML file: written by `sidelight eval tune`, read by `sidelight eval run`."""

from __future__ import annotations

import difflib
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any, TypeVar

from sidelight.errors import ConfigError
from sidelight.related.weights import DIFF, DiffWeights
from sidelight.search.weights import QUESTION, FeatureWeights

W = TypeVar("W", DiffWeights, FeatureWeights)
MAX_WEIGHT = 1000.0


@dataclass(frozen=True, slots=True)
class WeightSet:
    """The weights of both tasks; what a file leaves out is as the program has it."""

    diff: DiffWeights = DIFF
    question: FeatureWeights = QUESTION


def read_weights(path: Path) -> WeightSet:
    """Return the weights in a file with the tables `weights.diff` and `weights.question`.

    Raises:
        ConfigError: it cannot be read, or has an unknown table or key, or a value is no number.
    """
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path} is not valid TOML: {error}") from error
    except OSError as error:
        raise ConfigError(f"{path} cannot be read: {error.strerror}") from error
    tables = content.get("weights")
    if set(content) != {"weights"} or not isinstance(tables, dict):
        raise ConfigError(f"{path} holds no weights", hint="expected [weights.diff]")
    unknown = sorted(tables.keys() - {"diff", "question"})
    if unknown:
        raise ConfigError(f"{path}: unknown table weights.{unknown[0]}", hint="diff or question")
    return WeightSet(
        _changed(DIFF, tables.get("diff", {}), f"{path}: weights.diff"),
        _changed(QUESTION, tables.get("question", {}), f"{path}: weights.question"),
    )


def _changed(start: W, given: Any, where: str) -> W:
    if not isinstance(given, dict):
        raise ConfigError(f"{where} must be a table")
    names = [field.name for field in fields(start)]
    for name, value in given.items():
        if name not in names:
            near = difflib.get_close_matches(name, names, 1)
            raise ConfigError(
                f"{where}.{name} is unknown",
                hint=f"did you mean {near[0]}?" if near else f"known: {', '.join(names)}",
            )
        if type(value) not in (int, float) or not 0 <= value <= MAX_WEIGHT:
            raise ConfigError(f"{where}.{name} must be a number from 0 to {MAX_WEIGHT:g}")
    return replace(start, **{name: float(value) for name, value in given.items()})


def render_weights(table: str, weights: Mapping[str, float], comment: str) -> str:
    """Return the file's text; the comment says which evaluation chose the weights."""
    lines = [f"# {line}" for line in comment.splitlines()]
    lines += [f"[weights.{table}]", *(f"{name} = {value:g}" for name, value in weights.items())]
    return "\n".join(lines) + "\n"


def as_mapping(weights: DiffWeights | FeatureWeights) -> dict[str, float]:
    """Return the weights by name, in their order."""
    return {field.name: float(getattr(weights, field.name)) for field in fields(weights)}
