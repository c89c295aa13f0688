"""What a graph costs: code-review-graph beside our index; build, update, impact of a change."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

from benchmarks.impact_queries import two_file_commits
from benchmarks.measuring import Finished, Seconds, middle, run_child, run_task, seconds_of
from benchmarks.options import Options
from benchmarks.peer_graph import PeerGraph, how_to_install, read_versions
from benchmarks.repositories import FLASK, GIN, GSON, Pinned, clone_at, find_mirror, git
from benchmarks.repositories import how_to_mirror as how
from benchmarks.results import Table

COMMITS = 3  # of two files each
LOG = 400  # commits looked through for them
BUILDS = 3
COMMAND = "import sys; from sidelight.cli.main import main; sys.exit(main())"


@dataclass(slots=True)
class Measured:
    """What both needed for each thing that was asked of them."""

    peer: dict[str, list[Finished]] = field(default_factory=dict)
    own: dict[str, list[Finished]] = field(default_factory=dict)

    def note(self, what: str, peer: Finished | None, own: Finished) -> None:
        """Keep one measurement of each; of the peer none where `what` is ours alone."""
        if peer is not None:
            self.peer.setdefault(what, []).append(peer)
        self.own.setdefault(what, []).append(own)


def run(options: Options) -> Table:
    """Measure both on the same clones, alternately."""
    table = Table("peergraph", "A graph of the code, beside code-review-graph, seconds")
    if not Path(options.peers).exists():
        table.notes.append(how_to_install(options.peers))
        return table
    for pinned in (FLASK,) if options.small else (FLASK, GIN, GSON):
        mirror = find_mirror(options.repos, pinned)
        if mirror is None:
            table.notes.append(f"{pinned.label} is missing: {how(pinned)}")
            continue
        _compare(table, options, pinned, mirror)
    version = read_versions(options.peers, ["code-review-graph"])["code-review-graph"]
    table.notes += [
        f"code-review-graph {version}, its embeddings off; a process for each command, of which "
        "MB is the largest single process (its build starts several), medians",
        "its graph holds definitions and edges of the working tree, full-text search, flows and "
        "communities; our index holds chunks, words, symbols, uses, imports and the whole "
        "history of HEAD, and, unless `without vectors`, a vector of every chunk",
        "the update follows commits that changed two files of code; its impact query is given "
        "their names, ours the commit; `related` ranks files and looks for findings beside it",
    ]
    return table


def _compare(table: Table, options: Options, pinned: Pinned, mirror: Path) -> None:
    clone = clone_at(mirror, pinned.commit, options.work / "peer-graph" / pinned.name)
    peer = PeerGraph(options.peers, clone, clone.with_name(f"{clone.name}-graph"))
    found = Measured()
    _build(found, options, peer, clone)
    sizes = (peer.size_bytes() / 1e6, _size(clone / ".git" / "sidelight") / 1e6)
    words = ["log", "--no-merges", f"-{LOG}", "--format=%x01%H", "--name-status", "-M"]
    commits = two_file_commits(git(clone, *words), 1 if options.small else COMMITS)
    for commit, files in commits:
        _follow(found, peer, clone, commit, files)
    label = pinned.label
    for what in found.own:
        _add(table, label, what, found.peer[what], found.own[what])
    if commits:
        _add_warm(table, options, peer, clone, commits[-1], label)
    table.add(
        repository=label, what="on disk, MB", **{"peer MB": sizes[0], "sidelight MB": sizes[1]}
    )


def _build(found: Measured, options: Options, peer: PeerGraph, clone: Path) -> None:
    """Build both from nothing; then ours once more, whose vectors a rebuild keeps."""
    for _ in range(1 if options.small else min(options.runs, BUILDS)):
        peer.start_over()
        theirs = peer.build()
        if not found.own:
            shutil.rmtree(clone / ".git" / "sidelight", ignore_errors=True)
            found.note("full build, with vectors", theirs, _sidelight(clone, "index"))
        quick = _sidelight(clone, "index", "--rebuild", "--quick")
        found.note("full build, without vectors", theirs, quick)


def _follow(
    found: Measured, peer: PeerGraph, clone: Path, commit: str, files: Sequence[str]
) -> None:
    """Bring both to the commit's parent, and then, measured, to the commit; ask what it affects."""
    git(clone, "reset", "-q", "--hard", f"{commit}^")
    peer.update()
    _sidelight(clone, "index")
    git(clone, "reset", "-q", "--hard", commit)
    found.note("update, two files", peer.update(), _sidelight(clone, "index"))
    asked = peer.impact(files)
    span = ("--base", f"{commit}^", "--head", commit)
    found.note("impact", asked, _sidelight(clone, "graph", "impact", *span))
    found.note("impact against `related`", asked, _sidelight(clone, "related", *span))


def _add(
    table: Table, label: str, what: str, peer: Sequence[Finished], own: Sequence[Finished]
) -> None:
    _row(
        table,
        label,
        what,
        middle([done.seconds for done in peer]),
        middle([done.seconds for done in own]),
        (median(done.peak_bytes for done in peer), median(done.peak_bytes for done in own)),
    )


def _add_warm(
    table: Table,
    options: Options,
    peer: PeerGraph,
    clone: Path,
    change: tuple[str, Sequence[str]],
    label: str,
) -> None:
    """Ask once more in processes that stay, as a server of theirs or a session of ours does."""
    commit, files = change
    rounds = options.rounds(options.runs)
    theirs = peer.warm(files, rounds)
    base = git(clone, "rev-parse", f"{commit}^")
    ours = run_task("impacting:warm", repository=str(clone), base=base, head=commit, rounds=rounds)
    _row(table, label, "impact, warm", theirs, seconds_of(ours["graph"]))
    _row(table, label, "impact against `related`, warm", theirs, seconds_of(ours["related"]))


def _row(
    table: Table,
    label: str,
    what: str,
    peer: Seconds,
    own: Seconds,
    peaks: tuple[float, float] | None = None,
) -> None:
    table.add(
        repository=label,
        what=what,
        peer=peer.wall,
        sidelight=own.wall,
        peer_cpu=peer.cpu,
        sidelight_cpu=own.cpu,
        times_faster=peer.wall / own.wall,
        times_less_CPU=peer.cpu / own.cpu,
        peer_MB=peaks[0] / 1e6 if peaks else None,
        sidelight_MB=peaks[1] / 1e6 if peaks else None,
    )


def _sidelight(clone: Path, *words: str) -> Finished:
    return run_child([sys.executable, "-c", COMMAND, *words], cwd=clone, quiet=True)


def _size(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
