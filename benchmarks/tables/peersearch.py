"""Answers to questions: LangChain's ensemble over our chunks and vectors, beside `search`."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean, median
from typing import Any

from benchmarks.measuring import run_child, run_task
from benchmarks.options import ROOT, Options
from benchmarks.peer_graph import how_to_install, read_versions
from benchmarks.results import Table
from sidelight.evaluation.cases import Target
from sidelight.evaluation.metrics import RankedSpan, score
from sidelight.evaluation.repositories import find_git_dir

DRIVER = Path(__file__).resolve().parent.parent / "peer_ensemble.py"
OURS = "sidelight search"
SYSTEMS = {
    "words": "LangChain ensemble, lower-case words",
    "defaults": "LangChain ensemble, as it splits words",
    "defaults, k = 4": "LangChain ensemble, its defaults throughout",
}
SEMBLE_PUBLISHED = 0.854  # its hybrid over these seven repositories, by its own protocol
REPOSITORIES = (
    "tokio-rs/axum",
    "spf13/cobra",
    "expressjs/express",
    "gin-gonic/gin",
    "google/gson",
    "sinatra/sinatra",
    "colinhacks/zod",
)


@dataclass(frozen=True, slots=True)
class Asked:
    """One question to one system: the figures of its answer and what it took, in milliseconds."""

    repository: str
    scores: Mapping[str, float]
    wall: float
    cpu: float


def run(options: Options) -> Table:
    """Ask the questions of the semble cases of both, and grade them by file."""
    table = Table("peersearch", "Answers to questions, beside LangChain's ensemble and semble")
    if not Path(options.peers).exists():
        table.notes.append(how_to_install(options.peers))
        return table
    asked: dict[str, list[Asked]] = {}
    embedding: list[float] = []
    versions: dict[str, str] = {}
    for name in REPOSITORIES[1:2] if options.small else REPOSITORIES:
        mirror = find_git_dir(options.repos, name) if options.repos else None
        if mirror is None:
            table.notes.append(f"{name} is missing below --repos")
            continue
        groups = _ask_ours(options, name, mirror)
        told = _ask_theirs(options, groups)
        versions = told["versions"]
        embedding += [question["embedding"] for group in groups for question in group["questions"]]
        _collect(asked, name, groups, told["groups"])
    for system, answers in asked.items():
        _add_row(table, system, answers, asked[OURS])
    _add_published(table)
    if asked:
        _add_notes(table, options, asked, versions, median(embedding))
    return table


def _ask_ours(options: Options, name: str, mirror: Path) -> list[dict[str, Any]]:
    short = name.partition("/")[2]
    answer = run_task(
        "questioning:answer",
        file=str(ROOT / "evaluation" / "cases" / f"semble_{short}.jsonl"),
        repository=str(mirror),
        directory=str(options.work / "peer-search" / short),
        limit=5 if options.small else 0,
        rounds=options.rounds(options.runs),
    )
    groups: list[dict[str, Any]] = answer["groups"]
    return groups


def _ask_theirs(options: Options, groups: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Run the driver in the peer's interpreter, which gets no answers to the questions."""
    arguments = {
        "rounds": options.rounds(options.runs),
        "groups": [
            {
                "texts": group["texts"],
                "vectors": group["vectors"],
                "questions": [
                    {"text": question["text"], "vector": question["vector"]}
                    for question in group["questions"]
                ],
            }
            for group in groups
        ],
    }
    file = options.work / "peer-ensemble.json"
    file.write_text(json.dumps(arguments), "utf-8")
    done = run_child([options.peers, "-I", str(DRIVER), str(file)], quiet=True)
    answer: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return answer


def _collect(
    asked: dict[str, list[Asked]],
    name: str,
    groups: Sequence[Mapping[str, Any]],
    theirs: Sequence[Mapping[str, Any]],
) -> None:
    """Grade all answers about a repository, and append them by system."""
    systems: list[tuple[str, Mapping[str, Any], Mapping[str, Any]]] = []
    for group, other in zip(groups, theirs, strict=True):
        questions = group["questions"]
        systems += [(OURS, question, question) for question in questions]
        for variant, answers in other.items():
            for question, answer in zip(questions, answers, strict=True):
                hits = [group["spans"][row] for row in answer["rows"]]
                systems.append((variant, question, {**answer, "hits": hits}))
    for system, question, answer in systems:
        item = Asked(name, grade(question, answer["hits"]), answer["wall"], answer["cpu"])
        asked.setdefault(system, []).append(item)


def grade(question: Mapping[str, Any], hits: Sequence[Sequence[Any]]) -> Mapping[str, float]:
    """Return the figures of `sidelight eval` for hits: path, first and last line, copies."""
    return score(
        [_span(*hit) for hit in hits],
        _targets(question["relevant"]),
        _targets(question["secondary"]),
    )


def by_repository(answers: Sequence[Asked], metric: str) -> dict[str, float]:
    """Return a figure's mean over the questions of each repository."""
    names = dict.fromkeys(item.repository for item in answers)
    return {
        name: fmean(item.scores[metric] for item in answers if item.repository == name)
        for name in names
    }


def _add_row(table: Table, system: str, answers: Sequence[Asked], ours: Sequence[Asked]) -> None:
    wall, cpu = median(item.wall for item in answers), median(item.cpu for item in answers)
    files = {
        name.partition("/")[2]: value for name, value in by_repository(answers, "ndcg@10").items()
    }
    table.add(
        system=SYSTEMS.get(system, system),
        questions=len(answers),
        nDCG=fmean(item.scores["ndcg@10"] for item in answers),
        recall=fmean(item.scores["recall@10"] for item in answers),
        own=fmean(by_repository(answers, "item_ndcg@10").values()),
        **files,
        ms=wall,
        cpu_ms=cpu,
        times_ours=wall / median(item.wall for item in ours),
    )


def _add_published(table: Table) -> None:
    table.add(system="semble's hybrid, as published; not run", own=SEMBLE_PUBLISHED)


def _add_notes(
    table: Table,
    options: Options,
    asked: Mapping[str, Sequence[Asked]],
    versions: Mapping[str, str],
    embedding_ms: float,
) -> None:
    ours = [item.scores["ndcg@10"] for item in asked[OURS]]
    for system, name in SYSTEMS.items():
        pairs = list(zip([item.scores["ndcg@10"] for item in asked[system]], ours, strict=True))
        gap = run_task("questioning:difference", pairs=pairs)
        table.notes.append(
            f"nDCG of ours less that of {name}: {gap['mean']:+.3f} ({gap['low']:+.3f} to "
            f"{gap['high']:+.3f}, paired): {gap['verdict']}"
        )
    semble = read_versions(options.peers, ["semble"])["semble"]
    told = ", ".join(f"{key} {value}" for key, value in versions.items())
    table.notes += [
        f"{told}; weights .4 (BM25) and .6 (FAISS, exact), c = 60, 100 documents of each unless "
        "named; its texts are those that were embedded, its vectors those of our index",
        "nDCG and recall are those of files at 10, `own` semble's own protocol; ms are medians of "
        "warm searches, ours for ten hits, the ensemble's for all of its two lists; embedding the "
        f"question is left out and takes {embedding_ms:.1f} ms more in either",
        f"semble ({semble}) needs a model from a hub at run time, so it was not run: its figure is "
        "the published one, of its own chunks and model",
    ]


def _span(path: str, first: int, last: int, alike: Sequence[str] = ()) -> RankedSpan:
    return RankedSpan(path.encode(), first, last, tuple(other.encode() for other in alike))


def _targets(plain: Sequence[Any]) -> tuple[Target, ...]:
    return tuple(
        Target(path.encode(), tuple((first, last) for first, last in lines))
        for path, lines in plain
    )
