"""Files that usually change together with a changed one, and did not. Asks the history alone."""

from __future__ import annotations

from collections.abc import Iterator

from sidelight.findings.asides import is_aside, is_generated
from sidelight.findings.model import Evidence, Finding, FindingKind
from sidelight.findings.sides import Sides
from sidelight.focal import FocalFile
from sidelight.graph.model import text_path
from sidelight.graph.testpaths import is_test_path
from sidelight.history.companions import Companion
from sidelight.history.past import History
from sidelight.model import ChangeKind, Span, display_path

MAX_COMPANIONS = 5  # of one diff: beyond, the change is of another sort than the habits
# Of 397 habits (6 commits, .8), asked of each changed file alone, the same commit kept 81 %; with
# what follows 93 % of 129, and finished commits draw one in a hundred (of 1,500).
MIN_SUPPORT = 8
MIN_CONFIDENCE = 0.8
MAX_FOCAL_FILES = 15  # wider changes are sweeps: each file has its share, and no habit shows
MIN_LINES = 4  # changed, without comments: a smaller change of a file seldom needs another
OLD_DAYS = 365  # a habit that was last kept longer ago is over
PRECISION = 0.93
_START = Span(0, 0, 1, 1)
_COMMENTS = (b"#", b"//", b"*", b"/*", b"--", b"<!--")


def missing_companions(sides: Sides, history: History) -> Iterator[Finding]:
    """Yield the files that history expects beside the changed ones, surest first."""
    focal = sides.focal.paths
    changed = [
        file.path
        for file in sides.focal.files
        if file.diff.change.kind is ChangeKind.MODIFIED
        and not is_aside(file.path)
        and _n_lines(file) >= MIN_LINES
    ]
    if not changed or len(focal) > MAX_FOCAL_FILES:
        return
    seen: set[bytes] = set()
    for companion in history.usual_companions(
        focal, min_support=MIN_SUPPORT, min_confidence=MIN_CONFIDENCE
    ):
        if len(seen) >= MAX_COMPANIONS:
            return
        if companion.path in seen or companion.focal not in changed:
            continue
        if not sides.head.has_file(companion.path) or _is_noise(sides, companion):
            continue
        seen.add(companion.path)
        yield _finding(companion)


def _is_noise(sides: Sides, companion: Companion) -> bool:
    """Return whether the habit is a machine's, or over."""
    if is_aside(companion.path) or companion.last_age_days > OLD_DAYS:
        return True
    if _is_test(companion.focal) and not _is_test(companion.path):
        return True  # tests are added to what works
    if is_generated(companion.path, sides.head.source(companion.path)):
        return True
    return any(path == companion.path for path, _ in sides.base.near_copies(companion.focal))


def _is_test(path: bytes) -> bool:
    return is_test_path(text_path(path))


def _n_lines(file: FocalFile) -> int:
    """Return how many lines changed that are neither empty nor comments."""
    lines = (line.text.strip() for hunk in file.diff.hunks for line in (*hunk.added, *hunk.removed))
    return sum(bool(text) and not text.startswith(_COMMENTS) for text in lines)


def _finding(companion: Companion) -> Finding:
    path, focal = display_path(companion.path), display_path(companion.focal)
    habit = f"{companion.together} of the {companion.of} commits"
    lately = f"{companion.lately} of the last {companion.lately_of}"
    return Finding(
        FindingKind.COMPANION,
        companion.focal,
        _START,
        "",
        f"`{path}` changed in {habit} that touched `{focal}`, and not here",
        (Evidence(companion.path, 1, "", f"{habit}; {lately}"),),
        round(PRECISION * (0.8 + 0.2 * companion.confidence), 2),
    )
