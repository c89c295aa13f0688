"""Make the report of one change from its diff, the related code, the graph and the findings."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from sidelight.findings.finding import Ground, find_all
from sidelight.findings.model import Evidence, FindingKind, Findings
from sidelight.findings.model import Touched as FoundTouched
from sidelight.findings.session import open_ground
from sidelight.findings.sides import Sides
from sidelight.focal import FocalSymbol, SymbolChange
from sidelight.git.discovery import merge_base as find_merge_base
from sidelight.graph.model import Edge, SymbolRef
from sidelight.indexing.place import Place
from sidelight.related.session import RelatedResult, RelatedSession
from sidelight.search.pathkind import PathKind, path_kind
from sidelight_bot import report as reported
from sidelight_bot.analysis.change import ChangeRead, read_change
from sidelight_bot.analysis.groups import group_related, site_excerpt
from sidelight_bot.analysis.limits import AnalysisLimits
from sidelight_bot.analysis.names import is_test
from sidelight_bot.analysis.texts import name_of, one_line, report_path
from sidelight_bot.analysis.uses import callers_of_change, used_by_change
from sidelight_bot.report import ChangeReport, Group, Stage
from sidelight_bot.views import head_view

RELATED = AnalysisLimits().related
NO_MERGE_BASE = "base and head have no common ancestor here: nothing was compared"
_TOUCH_ORDER = {"signature": 0, "removed": 1, "changed": 2, "added": 3}
_IS_TEST = re.compile(r"test|spec", re.IGNORECASE)  # the name of a file; others may be helpers
_THROUGH = " through "
MANY_TESTS = 40
REACHES = "reaches the change through other code"
_COUNTED_ELSEWHERE = "not looked into"  # the ledger names them


@dataclass(slots=True)
class _Clock:
    """Seconds of each stage, by a clock that the caller gives."""

    now: Callable[[], float]
    stages: list[Stage] = field(default_factory=list)

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        started = self.now()
        yield
        self.stages.append(Stage(name, round(max(self.now() - started, 0.0), 3)))


def analyse(
    place: Place,
    base: str,
    head: str,
    title: str,
    limits: AnalysisLimits | int = RELATED,
    *,
    view: str | None = None,
    merge_base: str | None = None,
    now: Callable[[], float] = time.perf_counter,
) -> ChangeReport:
    """Return the report of the change from `base` to `head` (commit ids), without a number.

    The view (by default that of `views.index_head`) must be indexed. The diff is taken from the
    merge base, which is looked for unless it is given ("": there is none); without one, nothing is
    compared and the report says so. What a caller knows besides (the repository's name, the
    number, notes, the index's state) is for `dataclasses.replace`. A whole number as `limits` is
    the one of related files.

    Raises:
        GitError: a commit is not here.
        IndexStateError, StorageError: the view cannot be read.
    """
    limits = AnalysisLimits(related=limits) if isinstance(limits, int) else limits
    clock = _Clock(now)
    start = merge_base if merge_base is not None else find_merge_base(place.repo, base, head)
    shown_title = one_line(title.strip().partition("\n")[0], reported.MAX_TITLE)
    report = ChangeReport("", None, base, start or "", head, shown_title)
    if not start:
        return replace(report, remarks=(one_line(NO_MERGE_BASE),))
    name = view or head_view(head, base)
    with clock.stage("diff"):
        change = read_change(place, name, start, head, title, limits)
    with clock.stage("related"), RelatedSession.open(place, name) as session:
        related = session.rank(change.focal, limits.related)
    with open_ground(place, name, change.focal, before=start) as ground:
        told = _tell(report, ground, change, related, limits, clock)
    return replace(told, stages=tuple(clock.stages))


def _tell(
    report: ChangeReport,
    ground: Ground,
    change: ChangeRead,
    related: RelatedResult,
    limits: AnalysisLimits,
    clock: _Clock,
) -> ChangeReport:
    """Return the report with what the change touches, what follows from it, and what is near."""
    sides = ground.sides
    with clock.stage("findings"):
        found = find_all(sides, history=ground.history, near_code=ground.near_code)
        found = _outside(found, {path for path, _ in change.focal.skipped})
    with clock.stage("graph"):
        callers = callers_of_change(sides, limits.symbols)
        used = used_by_change(sides, limits.symbols)
        groups = group_related(sides, related.hits, callers, used, found, limits)
        touched = _touched(sides, found)
        tests = _tests(found, groups)
    return replace(
        report,
        n_files=change.n_files,
        n_added=change.n_added,
        n_removed=change.n_removed,
        touched=tuple(touched[: limits.touched]),
        n_touched=len(touched),
        signatures=tuple(_signatures(sides, found, limits)),
        findings=tuple(_others(sides, found, limits)),
        groups=groups,
        tests=tuple(tests[: limits.tests]),
        n_tests=len(tests),
        ledger=change.unread[: limits.ledger],
        n_unread=len(change.unread),
        remarks=_remarks((*related.notes, *found.notes)),
    )


def _outside(found: Findings, unread: Collection[bytes]) -> Findings:
    """Return the findings without evidence in changed files that were not parsed.

    Such a file may have followed the change.
    """
    items = []
    for item in found.items:
        evidence = tuple(proof for proof in item.evidence if proof.path not in unread)
        if evidence or not item.evidence:
            items.append(replace(item, evidence=evidence))
    return replace(found, items=tuple(items))


def _touched(sides: Sides, found: Findings) -> list[reported.Touched]:
    """Return the changed definitions, those first whose change reaches furthest."""
    rows = [row for row in map(_touched_row, found.touched) if row is not None]
    rows += [row for row in (_removed_row(sides, i) for i in sides.focal.symbols) if row]
    return sorted(rows, key=lambda r: (_TOUCH_ORDER.get(r.change, 9), -r.callers, r.path, r.name))


def _touched_row(item: FoundTouched) -> reported.Touched | None:
    path = report_path(item.path)
    if path is None or is_test(item.path, item.symbol):
        return None
    return reported.Touched(
        path,
        item.span.start_line,
        item.span.end_line,
        name_of(item.symbol),
        item.kind.value,
        item.change,
        item.callers,
        item.tests,
    )


def _removed_row(sides: Sides, item: FocalSymbol) -> reported.Touched | None:
    path = report_path(item.path)
    if item.change is not SymbolChange.REMOVED or path is None:
        return None
    if path_kind(item.path) is not PathKind.PRODUCTION:
        return None
    span = item.symbol.span
    old = sides.files[item.path].diff.change.old_path or item.path
    ref = SymbolRef(old, item.symbol.qualified_name, item.symbol.kind, span)
    callers = {edge.source for edge in sides.base.callers(ref) if _is_production(edge)}
    name, kind = name_of(item.symbol.qualified_name), item.symbol.kind.value
    return reported.Touched(
        path, span.start_line, span.end_line, name, kind, "removed", len(callers), None
    )


def _is_production(edge: Edge) -> bool:
    return path_kind(edge.source.path) is not PathKind.TEST


def _signatures(
    sides: Sides, found: Findings, limits: AnalysisLimits
) -> Iterator[reported.SignatureFinding]:
    for item in found.of(FindingKind.SIGNATURE)[: limits.findings]:
        path = report_path(item.path)
        sites = _sites(sides, item.evidence)
        if path is not None and sites:
            yield reported.SignatureFinding(
                path,
                item.span.start_line,
                name_of(item.symbol),
                one_line(item.message),
                sites[: limits.sites],
                max(len(sites) - limits.sites, 0),
            )


def _others(
    sides: Sides, found: Findings, limits: AnalysisLimits
) -> Iterator[reported.OtherFinding]:
    for kind, own in (
        (FindingKind.REMOVED, reported.FindingKind.REMOVED),
        (FindingKind.UNTESTED, reported.FindingKind.UNTESTED),
    ):
        items = [item for item in found.of(kind) if not is_test(item.path, item.symbol)]
        for item in items[: limits.findings]:
            path = report_path(item.path)
            if path is not None:
                sites = _sites(sides, item.evidence)[: limits.sites]
                line = max(item.span.start_line, 1)
                name = name_of(item.symbol)
                yield reported.OtherFinding(own, path, line, name, one_line(item.message), sites)


def _sites(sides: Sides, evidence: Sequence[Evidence]) -> tuple[reported.Site, ...]:
    sites = []
    for proof in evidence:
        path = report_path(proof.path)
        if path is not None:
            excerpt = site_excerpt(sides, proof.path, proof.line)
            sites.append(reported.Site(path, proof.line, one_line(proof.note), excerpt))
    return tuple(sites)


def _tests(found: Findings, groups: Sequence[Group]) -> list[reported.TestFile]:
    """Return the test files that reach the change, those with the most tests first.

    Of what half of all tests reach somehow, only the tests that use it themselves are named.
    """
    names: dict[bytes, dict[str, None]] = {}
    counts = {(item.path, item.symbol): item.tests or 0 for item in found.touched}
    for finding in found.of(FindingKind.TESTS):
        is_wide = counts.get((finding.path, finding.symbol), 0) > MANY_TESTS
        for proof in finding.evidence:
            own = names.setdefault(proof.path, {})
            if proof.note and not (is_wide and _THROUGH in proof.note):
                own[name_of(proof.note.partition(_THROUGH)[0])] = None
    shown = {
        item.path: at
        for group in groups
        if group.reason is reported.GroupReason.TESTS
        for at, item in enumerate(group.items)
    }
    rows = [
        reported.TestFile(path, tuple(tests)[: reported.MAX_ITEMS], REACHES)
        for path, tests in ((report_path(p), tests) for p, tests in names.items())
        if path is not None
    ]
    real = [row for row in rows if _IS_TEST.search(row.path.rpartition("/")[2])]
    return sorted(
        real or rows, key=lambda r: (-len(r.names), shown.get(r.path, len(shown)), r.path)
    )


def _remarks(notes: Sequence[str]) -> tuple[str, ...]:
    kept = [note for note in dict.fromkeys(notes) if not note.endswith(_COUNTED_ELSEWHERE)]
    return tuple(one_line(note) for note in kept[:5])
