"""The comment's sections, in their order. Each yields its lines, or nothing. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from sidelight.untrusted.outgoing import clean_outgoing, code_text, escape_text, rich_text
from sidelight_bot.comment.sizes import Sizes
from sidelight_bot.comment.words import (
    Links,
    counted,
    fold,
    printable,
    shown_name,
    shown_path,
    spent_words,
)
from sidelight_bot.report import (
    ChangeReport,
    FindingKind,
    Group,
    GroupReason,
    Item,
    SignatureFinding,
    Site,
    TestFile,
    Touched,
)

A_LINE = 3  # places: lines stay short in plain mail
NOTHING = "nothing outside this diff seems to need a look"
TITLES = {
    GroupReason.CALLERS: "Callers of what changed",
    GroupReason.MENTIONS: "Names what changed",
    GroupReason.DEFINITIONS: "What the changed code uses",
    GroupReason.COMPANIONS: "Usually changed together, not in this diff",
    GroupReason.LOOKALIKES: "Resembles the added code",
    GroupReason.RELATED: "Also related",
}
COUNTED = {
    GroupReason.CALLERS: ("caller of what changed", "callers of what changed"),
    GroupReason.MENTIONS: ("place that names it", "places that name it"),
    GroupReason.DEFINITIONS: ("definition that it uses", "definitions that it uses"),
    GroupReason.COMPANIONS: ("file that usually changes along", "files that usually change along"),
    GroupReason.LOOKALIKES: ("look-alike of added code", "look-alikes of added code"),
}
CHANGES = {"signature": "new signature", "added": "added", "removed": "removed"}
FINDINGS = {FindingKind.REMOVED: "Removed, but still referred to"}


@dataclass(frozen=True, slots=True)
class Page:
    """What sections are made of."""

    report: ChangeReport
    links: Links
    sizes: Sizes
    placed: frozenset[str]
    notice: str


def summary(page: Page) -> Iterator[str]:
    """Yield one sentence with what matters most."""
    report = page.report
    calls = sum(len(found.sites) + found.n_more for found in report.signatures)
    parts = []
    if calls:
        fit = "does not fit" if calls == 1 else "do not fit"
        parts.append(f"{counted(calls, 'call')} outside the diff {fit} a changed signature")
    gone = sum(found.kind is FindingKind.REMOVED for found in report.findings)
    if gone:
        parts.append(f"{counted(gone, 'removed name')} still in use")
    if report.notes:
        parts.append(counted(len(report.notes), "review note"))
    if len(parts) < 2:
        told = [_counted_group(group) for group in _untold(report) if group.reason in COUNTED]
        parts.append(f"outside this diff, {', '.join(told)}" if told else "")
    parts = [part for part in parts if part]
    yield f"**Sidelight**: {'; '.join(parts) or NOTHING}."


def _counted_group(group: Group) -> str:
    return counted(len(group.items) + group.n_more, *COUNTED[group.reason])


def signatures(page: Page) -> Iterator[str]:
    """Yield changed signatures with the calls that did not follow."""
    found = page.report.signatures
    if not found:
        return
    yield from _heading("Changed signature, unchanged call sites")
    for at, item in enumerate(found[: page.sizes.findings]):
        if at:
            yield ""
        yield from _signature(page, item)
    yield from _more(len(found) - page.sizes.findings, "changed signature")


def _signature(page: Page, item: SignatureFinding) -> Iterator[str]:
    where = page.links.link(item.symbol or shown_path(item.path), item.path, item.line, item.line)
    yield f"{where}: {_line(item.message)}"
    yield ""
    yield from _sites(page, item.sites, item.n_more)


def findings(page: Page) -> Iterator[str]:
    """Yield the other findings, each kind under its own title."""
    for at, (kind, title) in enumerate(FINDINGS.items()):
        found = [item for item in page.report.findings if item.kind is kind]
        if not found:
            continue
        if at:
            yield ""
        yield from _heading(title)
        for item in found[: page.sizes.findings]:
            name = item.symbol or shown_path(item.path)
            where = page.links.link(name, item.path, item.line, item.line)
            yield f"- {where} {_line(item.message)}".rstrip()
            for row in _sites(page, item.sites, 0):
                yield f"  {row}" if row else ""
        yield from _more(len(found) - page.sizes.findings, "")


def notes(page: Page) -> Iterator[str]:
    """Yield the review notes that stand on no line of the diff, and count the others."""
    loose = [note for note in page.report.notes if note.anchor not in page.placed]
    n_placed = len(page.report.notes) - len(loose)
    if not page.report.notes:
        return
    yield from _heading("Review notes")
    if n_placed:
        yield f"{counted(n_placed, 'note')} on the lines that they are about."
        yield ""
    for note in loose[: page.sizes.notes]:
        where = page.links.place(note.path, note.start_line or note.line, note.line)
        yield f"- {where} **{escape_text(_one_line(note.title))}** ({note.severity})"
        yield ""
        for row in clean_outgoing(printable(note.body[: page.sizes.body])).split("\n"):
            yield f"  {row}" if row else ""
        for proof in note.evidence[:3]:
            place = page.links.place(proof.path, proof.start_line, proof.end_line)
            yield f"  - evidence: {place} {_line(proof.shows)}"
    yield from _more(len(loose) - page.sizes.notes, "note")


def touched(page: Page) -> Iterator[str]:
    """Yield the definitions that the change touches, with callers and tests counted."""
    report = page.report
    if not report.touched:
        return
    yield from _heading("What this touches")
    for item in report.touched[: page.sizes.touched]:
        yield f"- {_touched(page, item)}"
    shown = min(len(report.touched), page.sizes.touched)
    yield from _more(max(report.n_touched, len(report.touched)) - shown, "definition")


def _touched(page: Page, item: Touched) -> str:
    if item.change == "removed":  # it has no lines at head
        name, counts = f"{shown_name(item.name)} in {code_text(shown_path(item.path))}", []
    else:
        name = page.links.link(item.name, item.path, item.start_line, item.end_line)
        counts = [counted(item.callers, "caller") if item.callers else "no callers found"]
        if item.tests is not None:
            untested = (item.path, item.name) in _untested(page)
            none = "**no test reaches it**" if untested else "no tests found"
            counts.append(counted(item.tests, "test") if item.tests else none)
    change = CHANGES.get(item.change)
    return ", ".join([f"{name} {escape_text(item.kind)}", *([change] if change else []), *counts])


def _untested(page: Page) -> set[tuple[str, str]]:
    found = page.report.findings
    return {(f.path, f.symbol) for f in found if f.kind is FindingKind.UNTESTED}


def groups(page: Page) -> Iterator[str]:
    """Yield related code, one group a reason; what merely ranks high is folded as a whole."""
    shown = [g for g in _untold(page.report) if g.items and g.reason in TITLES]
    for at, group in enumerate(shown):
        if at:
            yield ""
        is_folded = group.reason is GroupReason.RELATED
        if is_folded:
            title = f"{TITLES[group.reason]}: {counted(len(group.items), 'place')}"
            yield f"<details><summary>{title}</summary>"
            yield ""
        else:
            yield from _heading(TITLES[group.reason])
        yield from _group(page, group)
        if is_folded:
            yield ""
            yield "</details>"


def _untold(report: ChangeReport) -> Iterator[Group]:
    """Yield the groups without callers whose call stands above as one that no longer fits."""
    sites = [(site.path, site.line) for found in report.signatures for site in found.sites]
    for group in report.groups:
        items = tuple(
            item
            for item in group.items
            if group.reason is not GroupReason.CALLERS
            or not any(p == item.path and item.start_line <= n <= item.end_line for p, n in sites)
        )
        if items:
            yield replace(group, items=items)


def _group(page: Page, group: Group) -> Iterator[str]:
    shown = group.items[: page.sizes.items]
    for item in shown:
        if item.why:
            yield f"- {_item(page, item)}"
            yield from fold(item.excerpt, page.sizes.excerpt)
    weak = [page.links.place(i.path, i.start_line, i.end_line) for i in shown if not i.why]
    for at in range(0, len(weak), A_LINE):
        said = "" if at else "by words in common: "
        yield f"- {said}{', '.join(weak[at : at + A_LINE])}"
    yield from _more(len(group.items) - len(shown) + group.n_more, "place")


def _item(page: Page, item: Item) -> str:
    where = page.links.place(item.path, item.start_line, item.end_line)
    name = f" {shown_name(item.symbol)}" if item.symbol else ""
    alike = f"; the same in {counted(len(item.alike), 'other file')}" if item.alike else ""
    return f"{where}{name}: {_line(item.why)}{alike}"


def tests(page: Page) -> Iterator[str]:
    """Yield the tests to run: files, with the tests in them that reach the change."""
    report = page.report
    items = {
        item.path: item
        for group in report.groups
        if group.reason is GroupReason.TESTS
        for item in group.items
    }
    listed = {test.path for test in report.tests}
    rows: list[TestFile | Item] = [
        *report.tests,
        *(item for path, item in items.items() if path not in listed),
    ]
    if not rows:
        return
    yield from _heading("Tests to run")
    for row in rows[: page.sizes.tests]:
        item = items.get(row.path)
        if isinstance(row, TestFile):
            yield f"- {_test(page, row, item)}"
        else:
            yield f"- {_item(page, row)}"
        if item is not None:
            yield from fold(item.excerpt, page.sizes.excerpt)
    hidden = max(report.n_tests - len(report.tests), 0)
    yield from _more(len(rows) - page.sizes.tests + hidden, "test file")


def _test(page: Page, test: TestFile, item: Item | None) -> str:
    start, end = (item.start_line, item.end_line) if item else (1, 1)
    where = page.links.link(shown_path(test.path), test.path, start, end)
    names = [shown_name(name) for name in test.names[:3]]
    more = f" and {len(test.names) - 3} more" if len(test.names) > 3 else ""
    what = ", ".join(names) + more
    return f"{where}: {what or _line(test.why)}"


def ledger(page: Page) -> Iterator[str]:
    """Yield the changed files that were not looked into, and why, folded."""
    report = page.report
    n = max(report.n_unread, len(report.ledger))
    if not n:
        return
    verb = "was" if n == 1 else "were"
    yield f"<details><summary>{counted(n, 'changed file')} {verb} not looked into</summary>"
    yield ""
    for item in report.ledger[: page.sizes.ledger]:
        yield f"- {code_text(shown_path(item.name))}: {escape_text(item.reason)}"
    yield from _more(n - min(len(report.ledger), page.sizes.ledger), "file")
    yield ""
    yield "</details>"


def footer(page: Page) -> Iterator[str]:
    """Yield what is partial, the index's state, and how to see the same locally."""
    report = page.report
    for remark in (*report.remarks[:5], *([page.notice] if page.notice else [])):
        yield f"Note: {_line(remark)}"
        yield ""
    said = [f"index {report.index.state}"] if report.index.state else []
    if report.index.cache_hit is not None:
        said.append("cache hit" if report.index.cache_hit else "cold cache")
        said.append(f"{counted(report.index.files_refreshed, 'file')} refreshed")
    if report.index.pending:
        said.append(f"{counted(report.index.pending, 'vector')} to come")
    if report.usage is not None:
        said.append(_usage(report))
    base, head = report.base[:12], report.head[:12]
    said.append(f"the same locally: `sidelight related --base {base} --head {head}`")
    yield f"<sub>{' · '.join(said)}</sub>"


def _usage(report: ChangeReport) -> str:
    usage = report.usage
    assert usage is not None  # noqa: S101 - asked before
    cost = f", ${usage.cost_usd:.4f}" if usage.cost_usd is not None else ""
    tokens = f"{usage.prompt_tokens:,} + {usage.completion_tokens:,} tokens"
    return f"{shown_name(usage.model)} {tokens}{cost}, {spent_words(usage)}"


def _sites(page: Page, sites: Sequence[Site], n_more: int) -> Iterator[str]:
    for site in sites[: page.sizes.sites]:
        where = page.links.place(site.path, site.line, site.line)
        yield f"- {where}" + (f": {_line(site.note)}" if site.note else "")
        yield from fold(site.excerpt, page.sizes.excerpt)
    yield from _more(len(sites) - page.sizes.sites + n_more, "place")


def _heading(text: str) -> Iterator[str]:
    yield f"#### {text}"
    yield ""


def _more(n: int, one: str, many: str = "") -> Iterator[str]:
    if n > 0:
        yield f"- … and {n:,} more" + (f" {one if n == 1 else many or one + 's'}" if one else "")


def _line(text: str) -> str:
    return rich_text(printable(text))


def _one_line(text: str) -> str:
    return " ".join(printable(text).split())


SECTIONS = (summary, signatures, findings, notes, touched, groups, tests, ledger, footer)
