"""Render results as one HTML page without any other file. Pure; every text is escaped."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sidelight.evaluation.ablation import Ablation
from sidelight.evaluation.intervals import Estimate, estimate
from sidelight.evaluation.pagestyle import STYLE
from sidelight.evaluation.plots import Group, bar_plot, change_plot, sorted_plot, text
from sidelight.evaluation.ports import DIFF
from sidelight.evaluation.results import CaseFigures, ResultSet, ResultTable
from sidelight.evaluation.summary import Aim
from sidelight.evaluation.tables import aim_text, figure, interval

MAIN = "ndcg@10"
N_WORST = 15
N_HITS = 6
COLUMNS = ("recall@5", "recall@10", "recall@20", "mrr", "acc@1", "acc@5", "acc@10", "span_hit@10")
MAX_SERIES = 6  # colours


def render_page(results: ResultSet, ablations: Sequence[Ablation] = ()) -> str:
    """Return the page of a result set, with ablations where there are any."""
    aims = list(dict.fromkeys(table.aim for table in results.tables if table.cases))
    sections = [_aim_section(aim, [t for t in results.tables if t.aim == aim]) for aim in aims]
    if ablations:
        sections.append(_ablation_section(ablations))
    title = f"Retrieval quality: {results.name}"
    partial = (
        '<p class="partial">Partial results: some cases have no answer and are in no figure.</p>'
        if results.partial
        else ""
    )
    links = "".join(f'<a href="#{_anchor(aim)}">{text(_heading(aim))}</a>' for aim in aims)
    links += '<a href="#signals">Signals</a>' if ablations else ""
    body = "".join(sections) or "<p>No case was answered.</p>"
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{text(title)}</title><style>{STYLE}</style></head><body><main>"
        f"<h1>{text(title)}</h1>{partial}<nav>{links}</nav>{body}"
        "<footer>Intervals hold 95 % of bootstrap means over cases: how a figure would move with"
        " other cases of the same kind.</footer></main></body></html>\n"
    )


def _heading(aim: Aim) -> str:
    words = aim_text(aim)
    return words[0].upper() + words[1:]


def _anchor(aim: Aim) -> str:
    return f"{aim.task}-{aim.targets}"


def _aim_section(aim: Aim, tables: Sequence[ResultTable]) -> str:
    shown = [table for table in tables if table.cases][:MAX_SERIES]
    first = shown[0]
    n = len(first.cases)
    parts = [
        f'<section id="{_anchor(aim)}"><h2>{text(_heading(aim))} <small>{n} cases</small></h2>',
        _legend(shown),
        _figures(aim, shown),
    ]
    labels = {"By set": "family", "By repository": "repo", "By language": "language"}
    for heading, attribute in labels.items():
        groups = _groups(shown, attribute)
        if len(groups) > 1:
            parts += [f"<h3>{heading}, nDCG@10</h3>", bar_plot(heading, groups)]
    values = [[case.values[MAIN] for case in table.cases.values()] for table in shown]
    parts += ["<h3>By query, nDCG@10</h3>", sorted_plot("nDCG@10 of every query", values)]
    parts.append(_worst(first))
    return "".join(parts) + "</section>"


def _legend(tables: Sequence[ResultTable]) -> str:
    items = "".join(
        f'<span><i class="s{index}"></i>{text(table.mode)}</span>'
        for index, table in enumerate(tables)
    )
    return f'<p class="legend">{items}</p>'


def _figures(aim: Aim, tables: Sequence[ResultTable]) -> str:
    names = [name for name in COLUMNS if name != "span_hit@10" or aim.task == DIFF]
    head = "".join(f"<th>{text(name)}</th>" for name in (MAIN, "95 %", *names))
    rows = []
    for table in tables:
        main = _mean(table.cases.values(), MAIN)
        cells = [f"<b>{figure(main.mean)}</b>", interval(main)]
        cells += [figure(_mean(table.cases.values(), name).mean) for name in names]
        row = "".join(f"<td>{cell}</td>" for cell in cells)
        rows.append(f"<tr><th>{text(table.mode)}</th>{row}</tr>")
    return (
        f'<div class="wide"><table><thead><tr><th>mode</th>{head}</tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table></div>"
    )


def _mean(cases: Iterable[CaseFigures], name: str) -> Estimate:
    return estimate({"": [case.values.get(name, 0.0) for case in cases]})


def _groups(tables: Sequence[ResultTable], attribute: str) -> list[Group]:
    """Return a group of bars for each value of a case's attribute, the best first."""
    labels = {getattr(case, attribute) for table in tables for case in table.cases.values()}
    groups = []
    for label in sorted(labels):
        own = [
            [case for case in table.cases.values() if getattr(case, attribute) == label]
            for table in tables
        ]
        bars = tuple(_mean(cases, MAIN) if cases else None for cases in own)
        groups.append(Group(label, bars))
    return sorted(groups, key=lambda group: -(group.bars[0].mean if group.bars[0] else 0.0))


def _worst(table: ResultTable) -> str:
    cases = sorted(table.cases.values(), key=lambda case: (case.values[MAIN], case.id))[:N_WORST]
    items = "".join(map(_case, cases))
    return f"<h3>Worst cases of {text(table.mode)}, and what came instead</h3>{items}"


def _case(case: CaseFigures) -> str:
    title = case.query.strip().splitlines()[0][:140] if case.query.strip() else "(no title)"
    wanted = "".join(
        f"<li><code>{text(path)}</code> {'not found' if rank is None else f'rank {rank}'}</li>"
        for path, rank in sorted(case.ranks.items(), key=lambda item: (item[1] or 10**9, item[0]))
    )
    hits = "".join(
        f'<li class="{"right" if path in case.ranks else "other"}">'
        f"<code>{text(path)}:{first}–{last}</code></li>"
        for path, first, last in case.hits[:N_HITS]
    )
    focal = ", ".join(f"<code>{text(path)}</code>" for path in case.focal)
    given = f"<p>shown: {focal}</p>" if focal else ""
    return (
        f"<details><summary><b>{figure(case.values[MAIN])}</b> {text(title)}"
        f"<small>{text(case.repo)} · {text(case.id)}</small></summary>{given}"
        f'<div class="two"><div><h4>wanted</h4><ul>{wanted}</ul></div>'
        f"<div><h4>came first</h4><ol>{hits}</ol></div></div></details>"
    )


def _ablation_section(ablations: Sequence[Ablation]) -> str:
    parts = ['<section id="signals"><h2>What each signal is worth</h2>']
    for ablation in ablations:
        whole = ablation.whole
        heading = f"{ablation.about}: nDCG@10 without each signal"
        rows = [(item.name, item.without.difference) for item in ablation.dropped]
        parts += [
            f"<h3>{text(heading[0].upper() + heading[1:])}</h3>",
            f"<p>With all of them {figure(whole.mean)} ({interval(whole)}, {whole.n} cases)."
            " Grey: no difference shown.</p>",
            change_plot(heading, rows),
        ]
        alone = [(item.name, item.alone) for item in ablation.dropped if item.alone is not None]
        if alone:
            alone.sort(key=lambda item: -item[1].mean)
            groups = [Group(name, (value,)) for name, value in alone]
            parts += ["<h3>Each signal alone</h3>", bar_plot("Each signal alone", groups)]
    return "".join(parts) + "</section>"
