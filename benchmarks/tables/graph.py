"""What questions to the code graph cost, and what graph and history add to a commit's refresh."""

from __future__ import annotations

from statistics import median
from typing import Any

from benchmarks.corpora import Corpus, describe_sources, synthetic_corpus
from benchmarks.measuring import Finished, middle, run_child, run_task, seconds_of
from benchmarks.options import ROOT, Options
from benchmarks.repositories import FLASK, clone_at, find_mirror, git
from benchmarks.results import Check, Table

SIZES = (10_000, 100_000)
SYMBOLS = 40
ROUNDS = 15  # of a commit that costs 30 ms: medians of fewer differ by as much as is measured
CALLERS_S, SHARE = 0.2, 0.2
CODE = "from sidelight.cli.main import main; raise SystemExit(main())"
QUESTIONS = ("callers", "callees", "impact", "stats")


def run(options: Options) -> Table:
    """Ask a sample of functions in an open index and in new processes; then commit and refresh."""
    table = Table("graph", "The code graph: questions, and its share of a refresh, seconds")
    for size in options.sizes(*SIZES):
        _add_questions(table, options, synthetic_corpus(options, size))
    _add_refresh(table, options)
    table.notes.append(
        f"corpora of {describe_sources(options)}, parts of them several times over; a sample of "
        f"{SYMBOLS} functions and methods from all over the tree; `open`: in one process, in which "
        "others were asked before; `process`: the command, its median over the first ones; `stats` "
        "reads and binds everything"
    )
    return table


def _add_questions(table: Table, options: Options, corpus: Corpus) -> None:
    n_symbols = options.rounds(SYMBOLS)
    arguments: dict[str, Any] = {"repository": corpus.repository, "n_symbols": n_symbols}
    chosen = run_task("graphing:choose", **arguments)
    answers = run_task("graphing:warm", **arguments)
    for question in QUESTIONS:
        done = _processes(options, corpus, question, chosen["names"])
        process = middle([one.seconds for one in done])
        found = answers[question]
        table.add(
            chunks=chosen["chunks"],
            question=question,
            open=seconds_of(found["median"]).wall,
            open_cpu=seconds_of(found["median"]).cpu,
            p95=seconds_of(found["p95"]).wall,
            process=process.wall,
            process_cpu=process.cpu,
            peak_MB=median(one.peak_bytes for one in done) / 1e6,
        )
        if question == "callers":
            warm = getattr(seconds_of(found["median"]), options.clock)
            cold = getattr(process, options.clock)
            name = f"callers over {corpus.label}"
            table.checks.append(Check(f"{name}, index open", warm, CALLERS_S, "s"))
            tail = getattr(seconds_of(found["p95"]), options.clock)
            table.checks.append(Check(f"{name}, index open, 95 of 100", tail, CALLERS_S, "s"))
            table.checks.append(Check(f"{name}, new process", cold, CALLERS_S, "s"))


def _processes(options: Options, corpus: Corpus, question: str, names: list[str]) -> list[Finished]:
    words = [options.python, "-c", CODE, "-C", corpus.repository, "graph", question]
    if question == "stats":
        return [run_child(words, cwd=ROOT)]
    flag = ["--symbol"] if question == "impact" else []
    chosen = names[:: max(1, len(names) // options.rounds(options.runs))]
    run_child([*words, *flag, chosen[0]], cwd=ROOT)
    return [run_child([*words, *flag, name], cwd=ROOT) for name in chosen]


def _add_refresh(table: Table, options: Options) -> None:
    mirror = find_mirror(options.repos, FLASK)
    label, commit = FLASK.label, FLASK.commit
    if mirror is None:
        label, mirror, commit = "this repository", ROOT / ".git", git(ROOT, "rev-parse", "HEAD")
    clone = clone_at(mirror, commit, options.work / "graph-clone")
    found = run_task("committing:share", repository=str(clone), rounds=options.rounds(ROUNDS))
    seconds = {name: seconds_of(found[name]) for name in found if isinstance(found[name], dict)}
    rest = seconds["neither"].cpu
    share = (seconds["all"].cpu - rest) / rest
    graph = (seconds["no history"].cpu - rest) / rest
    history = (seconds["no graph"].cpu - rest) / rest
    table.checks.append(Check(f"graph and history / rest of a refresh, {label}", share, SHARE))
    table.notes.append(
        f"a refresh after a commit to 3 files of {label}, CPU: {seconds['all'].cpu * 1e3:.1f} ms, "
        f"without graph and history {rest * 1e3:.1f} ms; graph alone adds {graph:.1%}, history "
        f"alone {history:.1%}; by turns in one process, medians of {options.rounds(ROUNDS)}; "
        "without the model and the start of a process, so the share is an upper bound"
    )
