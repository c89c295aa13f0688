"""What judgements of logged answers say, and question cases made of them. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sidelight.evaluation.querylog import LogEntry, LoggedSpan
from sidelight.evaluation.tables import figure

Judged = Mapping[tuple[str, LoggedSpan], bool]
N_SHOWN = 5  # hits of an answer that are judged


@dataclass(frozen=True, slots=True)
class Standing:
    """Figures of the judged answers; `n_cited` of the `n_packed` sources of a model were named."""

    n_entries: int
    n_judged: int
    n_hits: int
    precision: float
    first_right: float
    reciprocal: float
    n_packed: int
    n_cited: int


def to_review(entries: Sequence[LogEntry], judged: Judged, n: int) -> list[LogEntry]:
    """Return at most `n` answers with hits that nobody judged, evenly over time, oldest first.

    Of answers to the same query the last one counts.
    """
    done = {entry for entry, _ in judged}
    latest = {(entry.command, entry.query): entry for entry in entries if entry.hits}
    waiting = [entry for entry in latest.values() if entry.id not in done]
    waiting.sort(key=lambda entry: entry.time)
    n = min(n, len(waiting))
    return [waiting[(2 * i + 1) * len(waiting) // (2 * n)] for i in range(n)]


def standing(entries: Sequence[LogEntry], judged: Judged) -> Standing:
    """Return the figures of all entries; means are over answers with a judged hit."""
    first, reciprocal, shares = [], [], []
    n_hits = 0
    for entry in entries:
        said = [judged.get((entry.id, span)) for span in entry.hits[:N_SHOWN]]
        known = [value for value in said if value is not None]
        if not known:
            continue
        n_hits += len(known)
        shares.append(sum(known) / len(known))
        first.append(float(said[0] is True))
        right = [rank for rank, value in enumerate(said, 1) if value]
        reciprocal.append(1 / right[0] if right else 0.0)
    cited = {
        (entry.id, span) for entry in entries for span in entry.packed if _is_cited(span, entry)
    }
    return Standing(
        n_entries=len(entries),
        n_judged=len(shares),
        n_hits=n_hits,
        precision=_mean(shares),
        first_right=_mean(first),
        reciprocal=_mean(reciprocal),
        n_packed=sum(len(entry.packed) for entry in entries),
        n_cited=len(cited),
    )


def _is_cited(span: LoggedSpan, entry: LogEntry) -> bool:
    return any(
        span.path == other.path and span.first <= other.last and other.first <= span.last
        for other in entry.cited
    )


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0


def render_standing(found: Standing) -> str:
    """Return the figures as text."""
    lines = [f"{found.n_entries} answers logged, {found.n_judged} judged ({found.n_hits} hits)"]
    if found.n_judged:
        lines.append(
            f"judged hits that are relevant {figure(found.precision)}, first hit right"
            f" {figure(found.first_right)}, MRR {figure(found.reciprocal)}"
        )
    if found.n_packed:
        share = found.n_cited / found.n_packed
        lines.append(
            f"sources cited of those packed: {found.n_cited}/{found.n_packed} ({figure(share)})"
        )
    return "\n".join(lines) + "\n"


def judged_cases(entries: Sequence[LogEntry], judged: Judged, repo: str) -> list[dict[str, Any]]:
    """Return a question case for each searched query of which a hit was called relevant."""
    records = {}
    for entry in entries:
        right = [span for span in entry.hits if judged.get((entry.id, span))]
        if entry.command == "search" and right and re.fullmatch(r"[0-9a-f]{40,64}", entry.commit):
            records[entry.query] = {
                "id": f"judged-{entry.id}",
                "repo": repo,
                "language": "any",
                "task": "question",
                "base": entry.commit,
                "query": entry.query,
                "relevant": [
                    {"path": span.path, "lines": [[span.first, span.last]]} for span in right
                ],
            }
    return list(records.values())
