"""How often findings are right, on the commits of public repositories.

    python -m benchmarks.findings_precision replay --repos DIR --only pallets/click [--commits 300]
        [--mode committed|part] [--kinds signature,removed] > firings.jsonl
    python -m benchmarks.findings_precision report [evaluation/findings/*.jsonl]

`committed` shows each commit as it was made. `part` shows each of its changed files alone over the
commit's parent: what the author changed elsewhere in the same commit is the answer, so the oracle
needs no reader. Firings are printed with the lines that were found; what is kept in
evaluation/findings/ is repository, commit, finding and verdict, and no code.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from sidelight.config import Config
from sidelight.errors import GitError, SidelightError
from sidelight.evaluation.repositories import find_git_dir
from sidelight.findings import Finding, FindingKind, open_ground
from sidelight.focal import FocalSet, SymbolChange, build_focal
from sidelight.git.diffs import FileDiff, diff_revisions
from sidelight.git.history import Commit, iter_commits
from sidelight.git.repository import open_repository
from sidelight.graph.model import text_path
from sidelight.graph.testpaths import is_test_path
from sidelight.indexing.place import EmbedderSource, Place
from sidelight.indexing.refresh import index_target
from sidelight.indexing.report import Target
from sidelight.model import ChangeKind, display_path

JUDGED = Path(__file__).resolve().parent.parent / "evaluation" / "findings"
VIEW = "rev/replay"
MAX_FILES = 30  # of a commit; more are no change that a reviewer reads
_OF_DEFINITIONS = {FindingKind.SIGNATURE, FindingKind.REMOVED, FindingKind.LOOKALIKE}
_DEFINES = re.compile(
    rb"\b(?:def|class|func|fn|fun|function|struct|enum|trait|interface)\b|[{(,]\s*$"
)
CALL_LINES = 12  # a call may go on so far below its name
MOVED_TOGETHER = 3  # renames that are a move of a folder: one of them alone breaks the others
LATER = 10  # commits in which a companion that was missed may follow


def main(arguments: list[str] | None = None) -> int:
    """Run one of the two commands; return the exit code."""
    parser = argparse.ArgumentParser(prog="benchmarks.findings_precision")
    commands = parser.add_subparsers(dest="command", required=True)
    replay = commands.add_parser("replay", help="print what is found in commits, as JSON lines")
    replay.add_argument("--repos", type=Path, required=True)
    replay.add_argument("--only", action="append", default=[], metavar="OWNER/NAME", required=True)
    replay.add_argument("--commits", type=int, default=200, help="how many, newest first")
    replay.add_argument("--skip", type=int, default=0, help="newest commits left out")
    replay.add_argument("--rev", default="HEAD")
    replay.add_argument("--mode", choices=("committed", "part"), default="committed")
    replay.add_argument("--kinds", default=",".join(FindingKind))
    replay.add_argument("--index", type=Path, help="folder of the indexes, kept")
    report = commands.add_parser("report", help="print the precision of judged firings")
    report.add_argument("files", nargs="*", type=Path)
    options = parser.parse_args(arguments)
    try:
        if options.command == "report":
            _report(options.files or sorted(JUDGED.glob("*.jsonl")))
        else:
            for name in options.only:
                _replay(name, options)
    except SidelightError as error:
        print(f"error: {error}", file=sys.stderr)
        return int(error.exit_code)
    return 0


# -- replaying --------------------------------------------------------------------------------


def _replay(name: str, options: argparse.Namespace) -> None:
    found = find_git_dir(options.repos, name)
    if found is None:
        print(f"{name} is not below {options.repos}", file=sys.stderr)
        return
    repo = open_repository(found)
    kinds = frozenset(FindingKind(kind) for kind in options.kinds.split(","))
    with tempfile.TemporaryDirectory() as temporary:
        folder = (options.index or Path(temporary)) / name.replace("/", "+")
        place = Place(repo, folder, Config(), EmbedderSource(Config()))
        commits = list(
            iter_commits(
                repo, repo.resolve_commit(options.rev), limit=options.skip + options.commits
            )
        )
        order = {commit.oid: at for at, commit in enumerate(commits)}
        for commit in reversed(commits[options.skip :]):
            if len(commit.parents) != 1 or not 0 < len(commit.changes) <= MAX_FILES:
                continue
            with suppress(GitError):  # a partial mirror: the commit is left out
                later = commits[max(0, order[commit.oid] - LATER) : order[commit.oid]]
                _one_commit(place, name, commit, later, options.mode, kinds)


def _one_commit(
    place: Place,
    name: str,
    commit: Commit,
    later: list[Commit],
    mode: str,
    kinds: frozenset[FindingKind],
) -> None:
    repo, parent = place.repo, commit.parents[0]
    diffs = diff_revisions(repo, parent, commit.oid)
    if kinds <= _OF_DEFINITIONS and not any(_touches_definition(diff) for diff in diffs):
        return
    whole = build_focal(repo, diffs, commit.subject)
    shown = [part for part in _parts(diffs, whole, mode) if _may_find(part[0], kinds)]
    if not shown:
        return
    target = Target(VIEW, parent, repo.tree_of(parent))
    index_target(place, target, wait=True, create=True, vectors=False)
    for focal, part in shown:
        with open_ground(place, VIEW, focal, before=parent) as ground:
            findings = ground.findings(kinds)
        for finding in findings.items:
            row = _row(name, commit, part, finding)
            if mode == "part":
                row["oracle"] = _in_same_commit(finding, diffs)
            elif finding.kind is FindingKind.COMPANION:
                row["oracle"] = _followed(finding, later)
            print(json.dumps(row, ensure_ascii=False), flush=True)


def _touches_definition(diff: FileDiff) -> bool:
    """Return whether a line may be a definition's, without parsing anything."""
    if diff.change.kind is not ChangeKind.MODIFIED:
        return True
    lines = (line.text for hunk in diff.hunks for line in (*hunk.removed, *hunk.added))
    return any(_DEFINES.search(line) for line in lines)


def _may_find(focal: FocalSet, kinds: frozenset[FindingKind]) -> bool:
    """Return whether a diff holds what findings of these kinds come from: saves indexing a tree."""
    changes = {item.change for item in focal.symbols}
    if any(
        file.diff.change.kind in (ChangeKind.DELETED, ChangeKind.RENAMED) for file in focal.files
    ):
        changes.add(SymbolChange.REMOVED)
    needs = {
        FindingKind.SIGNATURE: SymbolChange.SIGNATURE,
        FindingKind.REMOVED: SymbolChange.REMOVED,
        FindingKind.LOOKALIKE: SymbolChange.ADDED,
    }
    return any(kind not in needs or needs[kind] in changes for kind in kinds)


def _parts(diffs: list[FileDiff], whole: FocalSet, mode: str) -> Iterator[tuple[FocalSet, str]]:
    if mode == "committed":
        yield whole, ""
        return
    if len(diffs) < 2:
        return
    others = {diff.change.path for diff in diffs}
    n_renamed = sum(diff.change.kind is ChangeKind.RENAMED for diff in diffs)
    for file in whole.files:
        if is_test_path(text_path(file.path)) or not (file.new.symbols or file.old.symbols):
            continue
        if file.diff.change.old_path in others and file.diff.change.old_path != file.path:
            continue  # another file took its place: neither makes sense alone
        if file.diff.change.kind is ChangeKind.RENAMED and n_renamed >= MOVED_TOGETHER:
            continue
        own = tuple(item for item in whole.symbols if item.path == file.path)
        yield replace(whole, files=(file,), symbols=own, skipped=()), display_path(file.path)


def _row(name: str, commit: Commit, shown: str, finding: Finding) -> dict[str, Any]:
    return {
        "repo": name,
        "commit": commit.oid,
        "part": shown,
        "kind": finding.kind.value,
        "path": display_path(finding.path),
        "symbol": finding.symbol,
        "message": finding.message,
        "confidence": finding.confidence,
        "evidence": [
            {"path": display_path(e.path), "line": e.line, "text": e.text, "note": e.note}
            for e in finding.evidence
        ],
    }


def _in_same_commit(finding: Finding, diffs: list[FileDiff]) -> str:
    """Return "right" if the author changed what the evidence names in the same commit.

    The other files stand at the parent: its lines are the diff's old side.
    """
    by_path = {diff.change.old_path: diff for diff in diffs if diff.change.old_path is not None}
    hits = 0
    for item in finding.evidence:
        diff = by_path.get(item.path)
        if diff is None:
            continue
        if finding.kind is FindingKind.COMPANION or diff.change.new_blob is None:
            hits += 1
            continue
        gone = {line.old for hunk in diff.hunks for line in hunk.removed}
        if finding.kind is FindingKind.REMOVED and _drops_name(diff, finding):
            hits += 1  # the line, or the import through which it got the name
            continue
        hits += any(at in gone for at in range(item.line - 1, item.line + CALL_LINES))
    if not finding.evidence:
        return ""
    return "right" if hits * 2 > len(finding.evidence) else "some" if hits else "untouched"


def _drops_name(diff: FileDiff, finding: Finding) -> bool:
    name = finding.symbol.rpartition(".")[2] or finding.path.rpartition(b"/")[2].decode("latin-1")
    word = re.compile(rb"(?<!\w)" + re.escape(name.partition(".")[0].encode("latin-1", "replace")))
    return any(word.search(line.text) for hunk in diff.hunks for line in hunk.removed)


def _followed(finding: Finding, later: list[Commit]) -> str:
    wanted = {item.path for item in finding.evidence}
    paths = {change.path for commit in later for change in commit.changes}
    return "right" if wanted & paths else "not followed"


# -- reporting --------------------------------------------------------------------------------


def _report(files: list[Path]) -> None:
    tally: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for file in files:
        for line in file.read_text("utf-8").splitlines():
            row = json.loads(line)
            tally[row["kind"], row["mode"]][row["verdict"]] += 1
    print("| finding | commits shown | firings | right | unclear | false | precision |")
    print("|---|---|---|---|---|---|---|")
    for (kind, mode), counts in sorted(tally.items()):
        right, false, unclear = counts["right"], counts["false"], counts["unclear"]
        judged = right + false
        share = f"{right / judged:.2f}" if judged else "–"
        total = counts.total()
        print(f"| {kind} | {mode} | {total} | {right} | {unclear} | {false} | {share} |")


if __name__ == "__main__":
    sys.exit(main())
