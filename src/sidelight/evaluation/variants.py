"""The engines that leave one signal of a question's ranking out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any

from sidelight.config import Config, RetrieverConfig
from sidelight.evaluation.engine import SearchEngine
from sidelight.indexing.place import EmbedderSource
from sidelight.search import SearchMode
from sidelight.search.weights import FeatureWeights

WHOLE = "hybrid"


def question_variants(
    config: Config, embedder: EmbedderSource, weights: FeatureWeights
) -> Mapping[str, SearchEngine]:
    """Return an engine for the whole ranking, and one for it without each feature or retriever.

    Each is the mode of its own name: `hybrid`, `hybrid without path`, `hybrid without dense`, …
    """

    def engine(name: str, config: Config, weights: FeatureWeights) -> tuple[str, SearchEngine]:
        return name, SearchEngine(config, embedder, weights, {name: SearchMode.HYBRID})

    engines = [engine(WHOLE, config, weights)]
    for field in fields(config.search):
        retriever = getattr(config.search, field.name)
        if isinstance(retriever, RetrieverConfig) and retriever.weight:
            changes: dict[str, Any] = {field.name: replace(retriever, weight=0.0)}
            search = replace(config.search, **changes)
            name = f"{WHOLE} without {field.name}"
            engines.append(engine(name, replace(config, search=search), weights))
    for weight in fields(weights):
        if getattr(weights, weight.name):
            without = replace(weights, **{weight.name: 0.0})
            engines.append(engine(f"{WHOLE} without {weight.name}", config, without))
    return dict(engines)
