"""All findings of a diff, from both of its sides, the history and the index. Pure questions."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property

from sidelight.findings.companions import missing_companions
from sidelight.findings.lookalikes import NearCode, look_alikes
from sidelight.findings.model import Finding, FindingKind, Findings, Touched
from sidelight.findings.removed import broken_references
from sidelight.findings.sides import Sides
from sidelight.findings.signatures import broken_calls
from sidelight.findings.testing import MAX_SYMBOLS, look_at_tests
from sidelight.history.past import History


@dataclass(frozen=True)
class Ground:
    """What findings are made from, over one view. The history is read when it is asked for."""

    sides: Sides
    near_code: NearCode
    _read_history: Callable[[], History]

    @cached_property
    def history(self) -> History:
        """The past of the diff's base."""
        return self._read_history()

    def findings(self, kinds: Iterable[FindingKind] = frozenset(FindingKind)) -> Findings:
        """Return the findings of these kinds; see `find_all`."""
        wanted = frozenset(kinds)
        history = self.history if FindingKind.COMPANION in wanted else None
        return find_all(self.sides, history=history, near_code=self.near_code, kinds=wanted)


ALL_KINDS = frozenset(FindingKind)
_ORDER = {kind: at for at, kind in enumerate(FindingKind)}
_ABOUT_TESTS = frozenset({FindingKind.TESTS, FindingKind.UNTESTED})


def find_all(
    sides: Sides,
    *,
    history: History | None = None,
    near_code: NearCode | None = None,
    kinds: Iterable[FindingKind] = ALL_KINDS,
) -> Findings:
    """Return the findings of a diff: by kind, then surest first, then by path and line.

    Without `history` no companions are missed; `near_code` finds functions outside the changed
    files that added ones may resemble.
    """
    wanted = frozenset(kinds)
    found: list[Finding] = []
    touched: list[Touched] = []
    notes: list[str] = []
    if FindingKind.SIGNATURE in wanted:
        found += broken_calls(sides)
    if FindingKind.REMOVED in wanted:
        found += broken_references(sides)
    if FindingKind.COMPANION in wanted and history is not None:
        found += missing_companions(sides, history)
        if history.is_shallow:
            notes.append("the clone is shallow: habits older than it are not known")
    if FindingKind.LOOKALIKE in wanted:
        found += look_alikes(sides, near_code)
    if wanted & _ABOUT_TESTS:
        touched, about = _about_tests(sides)
        found += [finding for finding in about if finding.kind in wanted]
        if len(touched) >= MAX_SYMBOLS:
            notes.append(f"only the first {MAX_SYMBOLS} changed definitions were looked at")
    if sides.focal.note:
        notes.append(sides.focal.note)
    found.sort(key=lambda f: (_ORDER[f.kind], -f.confidence, f.path, f.span.start_line, f.message))
    return Findings(tuple(found), tuple(touched), tuple(notes))


def _about_tests(sides: Sides) -> tuple[list[Touched], list[Finding]]:
    pairs = list(look_at_tests(sides))
    return [item for item, _ in pairs], [finding for _, finding in pairs if finding is not None]
