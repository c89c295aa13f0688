"""Files that usually change together with a changed one, and did not. Asks the history alone."""

from __future__ import annotations

from collections.abc import Iterator

from sidelight.findings.asides import is_aside, is_generated
from sidelight.findings.model import Evidence, Finding, FindingKind
from sidelight.findings.sides import Sides
from sidelight.history.companions import Companion
from sidelight.history.past import History
from sidelight.model import ChangeKind, Span, display_path

MAX_COMPANIONS = 5  # of one diff: beyond, the change is of another sort than the habits
MAX_FOCAL_FILES = 30  # the commits that habits are read from have no more
OLD_DAYS = 2 * 365  # a habit that was last kept longer ago is over
_START = Span(0, 0, 1, 1)


def missing_companions(sides: Sides, history: History) -> Iterator[Finding]:
    """Yield the files that history expects beside the changed ones, surest first."""
    focal = sides.focal.paths
    changed = [
        file.path
        for file in sides.focal.files
        if file.diff.change.kind is ChangeKind.MODIFIED and not is_aside(file.path)
    ]
    if not changed or len(focal) > MAX_FOCAL_FILES:
        return
    seen: set[bytes] = set()
    for companion in history.usual_companions(focal):
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
    if is_generated(companion.path, sides.head.source(companion.path)):
        return True
    return any(path == companion.path for path, _ in sides.base.near_copies(companion.focal))


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
        round(0.85 * companion.confidence, 2),
    )
