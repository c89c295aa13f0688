"""Sort related code into groups by the reason to look at it. Asks the tree for excerpts only."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from sidelight.findings.model import Evidence, Finding, FindingKind, Findings
from sidelight.findings.sides import Sides
from sidelight.focal import SymbolChange
from sidelight.model import Hit, Span
from sidelight_bot.analysis.limits import AnalysisLimits
from sidelight_bot.analysis.names import is_compound, is_test
from sidelight_bot.analysis.reasons import reason_text, still_has
from sidelight_bot.analysis.texts import excerpt_of, name_of, one_line, report_path
from sidelight_bot.analysis.uses import Use, told
from sidelight_bot.report import Excerpt, Group, GroupReason, Item

_WORD = re.compile(r"[^\W\d]\w{2,}")
_CODE_SIGN = re.compile(r"[(){}=;\[\]<>]|^\w+ \w+:$")
_LONG_STRING = re.compile(r'"""|\'\'\'')
MAX_NAMES = 60  # changed definitions whose names are looked for
MAX_DEFINED = 3  # definitions of one name; more, and it means many things
PROSE_SHARE = 0.2
MAX_HIT_LINES = 40  # of a hit's span that is linked as a whole
SHOWN_AROUND = 3  # lines


@dataclass(slots=True)
class _Chosen:
    """Items by group, each path at most once but for its excerpt-less namesakes."""

    items: dict[GroupReason, list[Item]] = field(default_factory=dict)
    left: Counter[GroupReason] = field(default_factory=Counter)
    paths: set[bytes] = field(default_factory=set)


def group_related(
    sides: Sides,
    hits: Sequence[Hit],
    callers: Sequence[Use],
    used: Sequence[Use],
    findings: Findings,
    limits: AnalysisLimits,
) -> tuple[Group, ...]:
    """Return the groups that have items.

    Every hit's file is in one of them, under the strongest reason that there is. Beyond the hits
    come what usually changes along, what resembles added code, and `limits.extra` more callers
    and definitions in other files, the surest first.
    """
    chosen = _Chosen()
    ranks = {hit.path: at for at, hit in enumerate(hits)}
    outside = [use for use in callers if not use.is_test]
    _take_uses(sides, chosen, GroupReason.CALLERS, outside, ranks)
    _take_uses(sides, chosen, GroupReason.DEFINITIONS, used, ranks)
    _take_found(sides, chosen, findings)
    tests = [use for use in callers if use.is_test]
    _take_uses(sides, chosen, GroupReason.TESTS, tests, ranks)
    names = changed_names(sides)
    for hit in hits:
        if hit.path not in chosen.paths:
            item = mention_item(sides, hit, names)
            is_told = item is not None or still_has(hit, sides.focal)
            reason = GroupReason.MENTIONS if is_told else GroupReason.RELATED
            _take(chosen, reason, hit.path, item or hit_item(sides, hit))
    _take_extra(sides, chosen, [*outside, *used], limits.extra)
    return tuple(
        Group(reason, tuple(chosen.items[reason]), chosen.left[reason])
        for reason in GroupReason
        if chosen.items.get(reason)
    )


def _take_uses(
    sides: Sides,
    chosen: _Chosen,
    reason: GroupReason,
    uses: Sequence[Use],
    ranks: Mapping[bytes, int],
) -> None:
    """Take one use of each ranked file, the best ranked file first."""
    best: dict[bytes, Use] = {}
    for use in uses:
        if use.path in ranks and use.path not in chosen.paths:
            best.setdefault(use.path, use)
    for path in sorted(best, key=lambda p: ranks[p]):
        _take(chosen, reason, path, use_item(sides, best[path]))


def _take_extra(sides: Sides, chosen: _Chosen, uses: Sequence[Use], most: int) -> None:
    taken = 0
    for use in uses:
        if use.is_type:
            continue
        reason = GroupReason.DEFINITIONS if use.verb == "used by" else GroupReason.CALLERS
        if use.path in chosen.paths and not _is_elsewhere(chosen, reason, use):
            continue
        if taken < most:
            _take(chosen, reason, use.path, use_item(sides, use))
            taken += 1
        else:
            chosen.left[reason] += 1


def _is_elsewhere(chosen: _Chosen, reason: GroupReason, use: Use) -> bool:
    """Return whether another place of the same file is still worth a line of its own."""
    shown = [item for item in chosen.items.get(reason, ()) if item.path == report_path(use.path)]
    return bool(shown) and all(
        use.span.end_line < item.start_line or item.end_line < use.span.start_line for item in shown
    )


def _take_found(sides: Sides, chosen: _Chosen, findings: Findings) -> None:
    for kind, reason, make in (
        (FindingKind.COMPANION, GroupReason.COMPANIONS, companion_item),
        (FindingKind.LOOKALIKE, GroupReason.LOOKALIKES, lookalike_item),
    ):
        for finding in findings.of(kind):
            for proof in finding.evidence[:1]:
                _take(chosen, reason, proof.path, make(sides, finding, proof))


def _take(chosen: _Chosen, reason: GroupReason, path: bytes, item: Item | None) -> None:
    if item is not None:
        chosen.items.setdefault(reason, []).append(item)
        chosen.paths.add(path)


def use_item(sides: Sides, use: Use) -> Item | None:
    """Return a use of, or by, changed code as an item; None if its path cannot be shown."""
    line = use.line
    if use.verb == "used by":  # past decorators and attributes
        rows = sides.head.source(use.path).decode("utf-8", "replace").split("\n")
        named = re.compile(rf"\b{re.escape(use.symbol.rpartition('.')[2])}\b")
        span = range(use.span.start_line, min(use.span.end_line, len(rows)) + 1)
        line = next((at for at in span if named.search(rows[at - 1])), line)
    return _item(sides, use.path, use.span, line, use.symbol, told(use))


def changed_names(sides: Sides) -> tuple[str, ...]:
    """Return names of changed production code that are unlikely to mean anything else."""
    names = dict.fromkeys(
        s.symbol.name
        for s in sides.focal.symbols
        if s.change is not SymbolChange.ADDED
        and is_compound(s.symbol.name)
        and not is_test(s.path, s.symbol.qualified_name)
    )
    some = list(names)[:MAX_NAMES]
    return tuple(name for name in some if len(sides.head.named(name)) <= MAX_DEFINED)


def mention_item(sides: Sides, hit: Hit, names: Sequence[str]) -> Item | None:
    """Return the hit's first line of code that holds a changed name, as an item."""
    if not names:
        return None
    named = re.compile(rf"(?<!\w)({'|'.join(map(re.escape, names))})(?!\w)")
    rows = sides.head.source(hit.path).decode("utf-8", "replace").split("\n")
    for at, row in _code_rows(rows):
        match = named.search(row)
        if match is None or sides.is_changed(hit.path, at, at):
            continue
        inside = hit.span.start_line <= at <= hit.span.end_line
        span = Span(0, 0, max(1, at - SHOWN_AROUND), min(len(rows), at + SHOWN_AROUND))
        why = f"names `{match[1]}`, which changed (line {at})"
        return _item(sides, hit.path, span, at, hit.symbol if inside else "", why)
    return None


def companion_item(sides: Sides, finding: Finding, proof: Evidence) -> Item | None:
    """Return a file that usually changes along as an item."""
    del sides
    path = report_path(proof.path)
    focal = report_path(finding.path) or "a changed file"
    why = f"changed in {proof.note.replace(';', ' that touched `' + focal + '`;')}"
    return None if path is None else Item(path, 1, 1, "", one_line(why), None)


def lookalike_item(sides: Sides, finding: Finding, proof: Evidence) -> Item | None:
    """Return existing code that an added definition resembles as an item."""
    span = next(
        (ref.span for ref in sides.head.named(_last_name(finding.message)) if ref.path == proof.path
         and ref.span.start_line == proof.line),
        Span(0, 0, proof.line, proof.line + 2 * SHOWN_AROUND),
    )  # fmt: skip
    why = f"resembles the added `{finding.symbol}`: {proof.note}"
    return _item(sides, proof.path, span, proof.line, "", why)


def hit_item(sides: Sides, hit: Hit) -> Item | None:
    """Return a hit as an item whose excerpt shows the line that shares most with the diff."""
    focus = telling_line(sides, hit)
    span = hit.span
    if span.end_line - span.start_line > MAX_HIT_LINES:
        last = min(span.end_line, focus + SHOWN_AROUND)
        span = Span(0, 0, max(span.start_line, focus - SHOWN_AROUND), last)
    item = _item(sides, hit.path, span, focus, hit.symbol, reason_text(hit, sides.focal))
    if item is None or not hit.alike:
        return item
    alike = [path for path in map(report_path, hit.alike[:20]) if path is not None]
    return Item(
        *(item.path, item.start_line, item.end_line, item.symbol, item.why, item.excerpt),
        tuple(alike),
    )


def _code_rows(rows: Sequence[str]) -> Iterator[tuple[int, str]]:
    """Yield the lines outside of comments and of strings over several lines, with numbers."""
    inside = False
    for at, row in enumerate(rows, 1):
        opens = len(_LONG_STRING.findall(row)) % 2 == 1
        if not inside and not opens and not _is_prose(row):
            yield at, row
        inside ^= opens


def telling_line(sides: Sides, hit: Hit) -> int:
    """Return the hit's line with the most of the diff's identifiers, rare ones counting more."""
    wanted = sides.focal.added.keys() | sides.focal.removed.keys()
    source = sides.head.source(hit.path).decode("utf-8", "replace").split("\n")
    rows = source[hit.span.start_line - 1 : hit.span.end_line]
    counts = Counter(word for row in source for word in set(_WORD.findall(row)) & wanted)
    scores = [
        sum(1 / counts[word] for word in sorted(set(_WORD.findall(row)) & wanted))
        * (PROSE_SHARE if _is_prose(row) else 1)
        for row in rows
    ]
    best = max(range(len(rows)), key=lambda at: (round(scores[at], 6), -at), default=0)
    if rows and _is_prose(rows[best]):  # words of a comment alone: show what is defined here
        name = re.compile(rf"\b{re.escape(hit.symbol.rpartition('.')[2])}\b")
        best = next((i for i, r in enumerate(rows) if name.search(r) and not _is_prose(r)), 0)
    return hit.span.start_line + best


def _is_prose(row: str) -> bool:
    """Return whether a line looks like a comment or a docstring."""
    text = row.strip()
    return text.startswith(("#", "//", "*", "/*", "--", ":")) or not _CODE_SIGN.search(text)


def site_excerpt(sides: Sides, path: bytes, line: int) -> Excerpt | None:
    """Return the lines around one line of a file at head."""
    span = Span(0, 0, max(1, line - SHOWN_AROUND), line + SHOWN_AROUND)
    return excerpt_of(sides.head.source(path), sides.head.language(path), span, line)


def _item(sides: Sides, path: bytes, span: Span, focus: int, symbol: str, why: str) -> Item | None:
    shown = report_path(path)
    if shown is None:
        return None
    excerpt = excerpt_of(sides.head.source(path), sides.head.language(path), span, focus)
    return Item(shown, span.start_line, span.end_line, name_of(symbol), one_line(why), excerpt)


def _last_name(message: str) -> str:
    """Return the last part of the second name that a finding's message quotes."""
    quoted = re.findall(r"`([^`]*)`", message)
    return quoted[1].rpartition(".")[2] if len(quoted) > 1 else ""
