"""Which files a change affects: code-review-graph beside `graph impact` and `related`."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

from benchmarks.impact_metrics import Scores, mean_scores, score_files
from benchmarks.impact_queries import (
    CASES,
    OWN,
    ImpactQuery,
    changed_paths,
    queries_of,
    read_cases,
)
from benchmarks.measuring import run_task
from benchmarks.options import ROOT, Options
from benchmarks.peer_graph import PeerGraph, how_to_install, read_versions
from benchmarks.repositories import clone_at
from benchmarks.results import Table
from sidelight.evaluation.repositories import find_git_dir

REPOSITORIES = ("pallets/flask", "gin-gonic/gin", "google/gson")
PER_REPOSITORY = 25  # cases; each is a full build of the peer's graph
FEW = 5
WHOLE, AS_LONG, FIRST = "whole", "as long as the peer's", f"first {FEW}"
PEER, DIRECT = "code-review-graph impact", "code-review-graph impact --depth 1"
GRAPH, RELATED, UNTITLED = "graph impact", "related", "related, no title"
BRIEF = ((PEER, WHOLE), (GRAPH, WHOLE), (RELATED, AS_LONG))  # the rows of one repository
Key = tuple[str, str]  # tool, list


@dataclass(frozen=True, slots=True)
class Answered:
    """A query, and the files that every tool lists for it, best first."""

    repository: str
    query: ImpactQuery
    files: Mapping[str, Sequence[str]]

    def lists(self) -> dict[Key, Sequence[str]]:
        """Return every list that is scored: whole, cut to the peer's length, and the first few."""
        peer = self.files[PEER]
        whole = {(tool, WHOLE): self.files[tool] for tool in (PEER, DIRECT, GRAPH)}
        cut = {(t, AS_LONG): self.files[t][: len(peer)] for t in (GRAPH, RELATED, UNTITLED)}
        return whole | cut | {(t, FIRST): self.files[t][:FEW] for t in (PEER, GRAPH, RELATED)}


@dataclass(slots=True)
class Remembered:
    """The peer's answers in a file: the same version gives the same list for the same tree."""

    file: Path
    known: dict[str, tuple[str, ...]] = field(default_factory=dict)

    def load(self) -> None:
        """Read what is there."""
        if self.file.exists():
            rows = map(json.loads, self.file.read_text("utf-8").splitlines())
            self.known = {row["key"]: tuple(row["files"]) for row in rows}

    def keep(self, key: str, files: tuple[str, ...]) -> None:
        """Add an answer."""
        self.known[key] = files
        with self.file.open("a", encoding="utf-8") as stream:
            stream.write(json.dumps({"key": key, "files": files}) + "\n")


def run(options: Options) -> Table:
    """Ask every tool about parts of real commits, and grade by the rest of the commit."""
    table = Table("peerimpact", "Which files a change affects, beside code-review-graph")
    if not Path(options.peers).exists():
        table.notes.append(how_to_install(options.peers))
        return table
    version = read_versions(options.peers, ["code-review-graph"])["code-review-graph"]
    answered: list[Answered] = []
    for name in REPOSITORIES[: 1 if options.small else None]:
        mirror = find_git_dir(options.repos, name) if options.repos else None
        if mirror is None:
            table.notes.append(f"{name} is missing below --repos")
            continue
        answered += _ask(options, name, mirror, version)
    for method in (OWN, CASES):
        some = [item for item in answered if item.query.method == method]
        if some:
            _add_method(table, method, some)
    table.notes += _notes(version, answered)
    return table


def _ask(options: Options, name: str, mirror: Path, version: str) -> Iterator[Answered]:
    file = ROOT / "evaluation" / "cases" / f"cochange_{name.partition('/')[2]}.jsonl"
    queries = [
        query
        for case in read_cases(file, 3 if options.small else PER_REPOSITORY)
        for query in queries_of(case, changed_paths(mirror, case["base"], case["head"]))
    ]
    flat = name.replace("/", "+")
    ours = run_task(
        "impacting:lists",
        repository=str(mirror),
        directory=str(options.work / "peer-index" / flat),
        queries=[{**asdict(query), "wanted": []} for query in queries],
    )["answers"]
    remembered = Remembered(options.work / "peer-impact.jsonl")
    remembered.load()
    clone = options.work / "peer-impact" / flat
    at = ""
    for query, own in zip(queries, ours, strict=True):
        theirs = {}
        for tool, depth in ((PEER, None), (DIRECT, 1)):
            key = json.dumps([version, name, query.base, depth, query.seed])
            if key not in remembered.known:
                peer = PeerGraph(options.peers, clone, clone.with_name(f"{flat}-graph"))
                if at != query.base:
                    clone_at(mirror, query.base, clone)
                    peer.start_over()
                    peer.build()
                    at = query.base
                remembered.keep(key, peer.impacted(query.seed, depth))
            theirs[tool] = remembered.known[key]
        mine = {GRAPH: own["graph"], RELATED: own["related"], UNTITLED: own["untitled"]}
        yield Answered(name, query, theirs | mine)


def _add_method(table: Table, method: str, answered: Sequence[Answered]) -> None:
    for name in dict.fromkeys(item.repository for item in answered):
        scores = _score([item for item in answered if item.repository == name])
        _add_rows(table, method, name, {key: scores[key] for key in BRIEF})
    scores = _score(answered)
    _add_rows(table, method, "all", scores)
    for ours, theirs in (
        ((RELATED, AS_LONG), (PEER, WHOLE)),
        ((GRAPH, WHOLE), (PEER, WHOLE)),
        ((RELATED, FIRST), (PEER, FIRST)),
    ):
        pairs = [
            (before.f1, after.f1)
            for before, after in zip(scores[theirs], scores[ours], strict=True)
        ]
        gap = run_task("impacting:difference", pairs=pairs)
        table.notes.append(
            f"{method}: F1 of {ours[0]} ({ours[1]}) less that of the peer ({theirs[1]}): "
            f"{gap['mean']:+.3f} ({gap['low']:+.3f} to {gap['high']:+.3f}, paired): "
            f"{gap['verdict']}"
        )


def _score(answered: Sequence[Answered]) -> dict[Key, list[Scores]]:
    scores: dict[Key, list[Scores]] = {}
    for item in answered:
        for key, files in item.lists().items():
            scores.setdefault(key, []).append(score_files(files, item.query.wanted))
    return scores


def _add_rows(table: Table, method: str, name: str, scores: Mapping[Key, Sequence[Scores]]) -> None:
    means = {key: mean_scores(values) for key, values in scores.items()}
    for (tool, cut), mean in means.items():
        peer = means.get((PEER, FIRST if cut == FIRST else WHOLE))
        table.add(
            method=method,
            repository=name,
            commits=len(scores[tool, cut]),
            tool=tool,
            list=cut,
            files=mean.length,
            precision=mean.precision,
            recall=mean.recall,
            F1=mean.f1,
            times_F1=mean.f1 / peer.f1 if peer and peer.f1 else None,
        )


def _notes(version: str, answered: Sequence[Answered]) -> list[str]:
    empty = {
        tool: sum(not item.files[tool] for item in answered) for tool in (PEER, GRAPH, RELATED)
    }
    told = ", ".join(f"{tool} {count}" for tool, count in empty.items())
    return [
        f"code-review-graph {version}: a full build at each commit's parent, its embeddings off; "
        "it is given file names, our commands the diff of these files, `related` also the title",
        "means over commits; precision is 0 for an empty list, which were, of "
        f"{len(answered)}: {told}; `times F1` is against the peer's list of that kind",
        f"{OWN}: as the peer describes its co-change measurement, the file being the first of "
        "source or tests by name; changed documentation is wanted too, which its graph lacks",
    ]
