"""What of a change's other files the posted comment names: `python -m benchmarks.comment_recall`.

Each `cochange` case becomes a commit that changes the focal files only, on top of the case's base.
The bot's own analysis and renderer make its comment; the files that the comment links to are
compared with those that the commit went on to change, and with `sidelight related` at one limit.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote

from sidelight.config import Config
from sidelight.evaluation.cases import DiffCase, load_cases
from sidelight.evaluation.repositories import find_git_dir
from sidelight.focal import build_focal
from sidelight.git.diffs import diff_revisions
from sidelight.git.repository import open_repository
from sidelight.graph.model import byte_path
from sidelight.indexing.place import EmbedderSource, Place
from sidelight.related.session import RelatedSession
from sidelight_bot.analysis import AnalysisLimits, analyse
from sidelight_bot.comment import is_worth_saying, render_comment
from sidelight_bot.permalinks import Permalinks
from sidelight_bot.views import head_view, index_head

ROOT = Path(__file__).resolve().parent.parent
CASES = ROOT / "evaluation" / "cases"
SERVER, SLUG = "https://server.invalid", "owner/name"
LINK = re.compile(rf"^\[s\d+\]: {re.escape(SERVER)}/{SLUG}/blob/\w+/([^?#\s]+)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Outcome:
    """One case: the share of the relevant files that is named, and how many files are."""

    repo: str
    posted: bool
    comment: float
    related: float
    related_same: float  # as many files as the comment has
    n_files: int


def main(argv: Sequence[str] | None = None) -> int:
    """Print the table; return 1 if the comment's recall is below that of `related`."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.comment_recall")
    parser.add_argument("--repos", type=Path, required=True, help="folder of the repositories")
    parser.add_argument("--cases", type=Path, default=CASES, help="folder of case files")
    parser.add_argument("--only", default="", help="names of case files, such as flask,gin")
    parser.add_argument("--each", type=int, default=4, help="cases of each repository")
    parser.add_argument("-k", type=int, default=10, help="the limit of both")
    given = parser.parse_args(argv)
    outcomes: list[Outcome] = []
    for cases in _chosen(given.cases, given.only, given.each):
        git_dir = find_git_dir(given.repos, cases[0].repo)
        if git_dir is None:
            print(f"{cases[0].repo}: not below {given.repos}", file=sys.stderr)
            continue
        with tempfile.TemporaryDirectory(prefix="comment-recall-") as folder:
            for case in cases:
                outcomes.append(_run(case, git_dir, Path(folder), given.k))
                print(f"{case.id} {_row([outcomes[-1]])}", file=sys.stderr)
    if not outcomes:
        print("no case could be run", file=sys.stderr)
        return 1
    _print(outcomes, given.k)
    mean = _means(outcomes)
    return 0 if mean["comment"] >= mean["related"] else 1


def _chosen(folder: Path, only: str, each: int) -> Iterator[list[DiffCase]]:
    """Yield some cases of each repository, evenly over its file."""
    names = set(only.split(",")) if only else None
    for path in sorted(folder.glob("cochange_*.jsonl")):
        if names is not None and path.stem.removeprefix("cochange_") not in names:
            continue
        cases = [c for f in load_cases([path]).files for c in f.cases if isinstance(c, DiffCase)]
        step = max(1, len(cases) // each)
        if cases:
            yield cases[::step][:each]


def _run(case: DiffCase, git_dir: Path, folder: Path, k: int) -> Outcome:
    bare = borrow(git_dir, folder / "repo")
    head = _commit_focal(bare, case)
    repo = open_repository(bare)
    config = Config()
    place = Place(repo, folder / "index", config, EmbedderSource(config))
    index_head(place, head, case.base)
    report = analyse(place, case.base, head, case.title, AnalysisLimits(related=k))
    text = render_comment(report, Permalinks(SERVER, SLUG, head), always=True) or ""
    focal = set(case.focal)
    linked = {byte_path(unquote(path, errors="surrogateescape")) for path in LINK.findall(text)}
    named = linked - focal
    view = head_view(head, case.base)
    change = build_focal(repo, diff_revisions(repo, case.base, head), case.title)
    with RelatedSession.open(place, view) as session:
        ranked = [hit.path for hit in session.rank(change, max(k, len(named))).hits]
    relevant = {target.path for target in case.relevant}

    def recall(found: set[bytes]) -> float:
        return len(relevant & found) / len(relevant)

    return Outcome(
        repo=case.repo,
        posted=is_worth_saying(report),
        comment=recall(named),
        related=recall(set(ranked[:k])),
        related_same=recall(set(ranked[: len(named)])),
        n_files=len(named),
    )


def borrow(git_dir: Path, bare: Path) -> Path:
    """Return a bare repository that borrows the objects of another, which is left alone."""
    if not bare.exists():
        _git(["init", "-q", "--bare", str(bare)], git_dir)
        objects = _git(["rev-parse", "--git-path", "objects"], git_dir)
        alternates = bare / "objects" / "info" / "alternates"
        alternates.write_text(f"{(git_dir / objects).resolve()}\n", encoding="utf-8")
    return bare


def _commit_focal(bare: Path, case: DiffCase) -> str:
    """Return a commit on the base that takes the focal files alone from the head."""
    index = {"GIT_INDEX_FILE": str(bare / "focal-index")}
    _git(["read-tree", case.base], bare, index)
    for path in case.focal:
        name = os.fsdecode(path)
        entry = _git(["ls-tree", case.head, "--", name], bare)
        if entry:
            mode, _, rest = entry.partition(" ")
            blob = rest.split()[1]
            _git(["update-index", "--add", "--cacheinfo", f"{mode},{blob},{name}"], bare, index)
        else:
            _git(["update-index", "--force-remove", "--", name], bare, index)
    tree = _git(["write-tree"], bare, index)
    return _git(["commit-tree", tree, "-p", case.base, "-m", case.title or "change"], bare)


def _git(words: list[str], git_dir: Path, env: dict[str, str] | None = None) -> str:
    who = {
        f"GIT_{role}_{field}": value
        for role in ("AUTHOR", "COMMITTER")
        for field, value in (
            ("NAME", "Ada"),
            ("EMAIL", "ada@example.org"),
            ("DATE", "1700000000 +0000"),
        )
    }
    done = subprocess.run(
        ["git", f"--git-dir={git_dir}", *words],
        env=os.environ | who | (env or {}),
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.strip()


def _means(outcomes: Sequence[Outcome]) -> dict[str, float]:
    n = len(outcomes) or 1
    return {
        "comment": sum(item.comment for item in outcomes) / n,
        "related": sum(item.related for item in outcomes) / n,
        "same": sum(item.related_same for item in outcomes) / n,
        "files": sum(item.n_files for item in outcomes) / n,
    }


def _row(outcomes: Sequence[Outcome]) -> str:
    mean = _means(outcomes)
    posted = sum(item.posted for item in outcomes)
    return (
        f"| {len(outcomes)} | {posted} | {mean['comment']:.3f} | {mean['related']:.3f}"
        f" | {mean['same']:.3f} | {mean['files']:.1f} |"
    )


def _print(outcomes: Sequence[Outcome], k: int) -> None:
    print(
        f"| repository | cases | posted | comment | related@{k} | related at as many files"
        " | files in the comment |"
    )
    print("|---|---|---|---|---|---|---|")
    for repo in dict.fromkeys(item.repo for item in outcomes):
        print(f"| {repo} {_row([item for item in outcomes if item.repo == repo])}")
    print(f"| all {_row(outcomes)}")
    posted = [item for item in outcomes if item.posted]
    if posted:
        print(f"| those posted when useful {_row(posted)}")


if __name__ == "__main__":
    sys.exit(main())
