"""Seeded defects and clean changes: right notes pass, each kind of false note meets its check."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from helpers.notecases import CLEAN, DEFECTS, NoteCase
from helpers.notescript import ScriptedModel, false_notes, focals_of, note_on
from sidelight.focal import FocalSet
from sidelight.llm.errors import (
    BudgetSpentError,
    ModelOutputInvalidError,
    ModelUnavailableError,
)
from sidelight_bot.notes.anchors import NoteMarker, anchor_of, line_hash
from sidelight_bot.notes.checks import Fault
from sidelight_bot.notes.duplicates import Remark, words_of
from sidelight_bot.notes.feedback import Dislike
from sidelight_bot.notes.review import (
    OUT_OF_TIME,
    GroupContext,
    Review,
    ReviewRequest,
    review_change,
)

CASES = (*DEFECTS, *CLEAN)


@pytest.fixture(scope="module")
def focals(tmp_path_factory: pytest.TempPathFactory) -> dict[str, FocalSet]:
    """The focal set of each case, from real commits."""
    return focals_of(tmp_path_factory.mktemp("notes") / "repo", CASES)


def review(focal: FocalSet, model: ScriptedModel, **changes: Any) -> Review:
    request = ReviewRequest(focal, "after", "", defines=lambda name: name == "known_elsewhere")
    return review_change(model, replace(request, **changes))


@pytest.mark.parametrize("case", DEFECTS, ids=lambda case: case.path)
def test_the_right_note_on_a_defect_passes(case: NoteCase, focals: dict[str, FocalSet]) -> None:
    result = review(focals[case.path], ScriptedModel(lambda _: [note_on(case)]))
    assert [(note.path, note.title) for note in result.notes] == [(case.path, case.title)]
    note = result.notes[0]
    assert case.after.split("\n")[note.line - 1].strip() == case.quote
    assert note.quote == line_hash(case.quote)
    assert not result.withheld
    assert result.usage.prompt_tokens == 200  # the notes, and the second look


@pytest.mark.parametrize("case", CLEAN, ids=lambda case: case.path)
def test_a_clean_change_gets_no_note_where_the_second_look_refutes(
    case: NoteCase, focals: dict[str, FocalSet]
) -> None:
    model = ScriptedModel(lambda _: [note_on(case)], holds=lambda _: False)
    result = review(focals[case.path], model)
    assert result.notes == ()
    assert [item.fault for item in result.withheld] == [Fault.REFUTED]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.path)
def test_every_kind_of_false_note_is_withheld_by_its_check(
    case: NoteCase, focals: dict[str, FocalSet]
) -> None:
    for fault, note in false_notes(case):
        result = review(focals[case.path], ScriptedModel(lambda _, note=note: [note]))
        assert result.notes == (), note
        assert [item.fault for item in result.withheld] == [fault], note


def test_an_undefined_name_is_reported_where_nothing_defines_it(
    focals: dict[str, FocalSet],
) -> None:
    case = next(case for case in CLEAN if case.path == "clean/user.js")
    note = note_on(
        case,
        kind="undefined",
        symbols=["fetch"],
        body="`fetch` is not defined in this runtime, so every call throws.",
    )
    assert review(focals[case.path], ScriptedModel(lambda _: [note])).notes
    known = review(focals[case.path], ScriptedModel(lambda _: [note]), defines=lambda _: True)
    assert [item.fault for item in known.withheld] == [Fault.DEFINED]


def test_a_note_whose_number_is_wrong_moves_to_the_line_it_quotes(
    focals: dict[str, FocalSet],
) -> None:
    for case in DEFECTS:
        right = review(focals[case.path], ScriptedModel(lambda _, c=case: [note_on(c)])).notes[0]
        wrong = note_on(case, start_line=900, end_line=900)
        moved = review(focals[case.path], ScriptedModel(lambda _, n=wrong: [n])).notes[0]
        assert moved.line == right.line
        assert moved.anchor == right.anchor


def test_what_was_said_is_not_said_again(focals: dict[str, FocalSet]) -> None:
    for case in DEFECTS:
        focal = focals[case.path]
        model = ScriptedModel(lambda _, c=case: [note_on(c)])
        anchor = anchor_of(case.path, case.quote, case.kind)
        marker = NoteMarker(anchor, line_hash(case.quote), case.kind)
        line = note_on(case)["start_line"]
        for remark in (
            Remark(case.path, None, "", marker),  # ours, outdated or moved
            Remark(case.path, line + 2, f"Hm: {case.title.lower()} - {case.body}"),  # a person's
        ):
            result = review(focal, model, remarks=[remark])
            assert [item.fault for item in result.withheld] == [Fault.DUPLICATE]
        far = Remark("elsewhere.py", line, case.body)
        assert review(focal, model, remarks=[far]).notes
        twice = review(focal, ScriptedModel(lambda _, c=case: [note_on(c), note_on(c)]))
        assert len(twice.notes) == 1


def test_the_like_of_a_disliked_note_is_withheld(focals: dict[str, FocalSet]) -> None:
    case = DEFECTS[0]
    model = ScriptedModel(lambda _: [note_on(case)])
    disliked = Dislike("0" * 16, case.kind, words_of(f"{case.title} {case.body}"))
    result = review(focals[case.path], model, dislikes=[disliked])
    assert [item.fault for item in result.withheld] == [Fault.DISLIKED]
    other = replace(disliked, kind="performance")
    assert review(focals[case.path], model, dislikes=[other]).notes


def test_at_most_the_limit_is_shown_worst_first(focals: dict[str, FocalSet]) -> None:
    parts = [focals[case.path] for case in DEFECTS]
    files = tuple(file for focal in parts for file in focal.files)
    whole = replace(parts[0], files=files)
    severities = ["minor", "major", "critical"]
    script = [note_on(c, severity=severities[i % 3]) for i, c in enumerate(DEFECTS)]

    def notes(user: str) -> list[dict[str, Any]]:
        return [n for n in script if f"file: {n['path']}" in user][:8]

    result = review(whole, ScriptedModel(notes), limit=5)
    assert len(result.notes) == 5
    assert [note.severity.value for note in result.notes] == sorted(
        (note.severity.value for note in result.notes), key=["critical", "major", "minor"].index
    )
    assert Counter(item.fault for item in result.withheld)[Fault.LIMIT] == 3


def test_a_suggestion_replaces_exactly_its_lines_or_goes(focals: dict[str, FocalSet]) -> None:
    case = DEFECTS[0]
    fixed = "    return rows[start:start + size]"
    for replacement, kept in (
        (fixed, fixed),
        (fixed + "\n", fixed),
        (fixed.strip(), None),  # another margin
        ("    " + case.quote, None),  # no change
        ("    ```\n" + fixed, None),  # leaves its block
    ):
        model = ScriptedModel(lambda _, r=replacement: [note_on(case, replacement=r)])
        assert review(focals[case.path], model).notes[0].suggestion == kept


def test_failures_of_the_model_leave_fewer_notes_and_a_problem(
    focals: dict[str, FocalSet],
) -> None:
    focal = focals[DEFECTS[0].path]
    for error in (BudgetSpentError("spent"), ModelOutputInvalidError("no data")):
        model = ScriptedModel(lambda _: [], fail=error)
        result = review(focal, model)
        assert result.notes == ()
        assert result.problems == (str(error),)


def test_context_is_sent_and_counts_as_evidence(focals: dict[str, FocalSet]) -> None:
    case = DEFECTS[0]
    note = note_on(case, evidence=[{"source": "1", "text": "first = page(rows, 10, 0)"}])
    context = GroupContext(
        "[1] app/use.py:3-3\nfirst = page(rows, 10, 0)\n",
        {"1": "first = page(rows, 10, 0)"},
        {"1": ("app/use.py", 3, 3)},
    )
    model = ScriptedModel(lambda _: [note])
    with_context = review(focals[case.path], model, context_of=lambda _: context)
    assert [(e.path, e.start_line) for e in with_context.notes[0].evidence] == [("app/use.py", 3)]
    assert "app/use.py:3-3" in model.sent[0][1]
    diff_only = ScriptedModel(lambda _: [note])
    assert review(focals[case.path], diff_only).notes == ()
    assert "app/use.py" not in diff_only.sent[0][1]


def test_a_prompt_that_is_too_long_is_sent_once_more_without_context(
    focals: dict[str, FocalSet],
) -> None:
    case = DEFECTS[0]
    context = GroupContext("code around " * 1_000, {"1": "x"}, {"1": ("x.py", 1, 1)})
    model = ScriptedModel(lambda _: [note_on(case)], room=3_000)
    result = review(focals[case.path], model, context_of=lambda _: context)
    assert [note.title for note in result.notes] == [case.title]
    assert not result.problems
    kept = [user for _, user in model.sent if "code around" not in user]
    assert len(kept) == 2  # the notes, and the second look
    assert all(case.quote in user for user in kept)


def test_a_diff_that_is_too_long_by_itself_is_a_problem(focals: dict[str, FocalSet]) -> None:
    result = review(focals[DEFECTS[0].path], ScriptedModel(lambda _: [], room=10))
    assert result.notes == ()
    assert "does not fit" in result.problems[0]


def test_a_model_that_is_gone_is_not_asked_for_second_looks(focals: dict[str, FocalSet]) -> None:
    case = DEFECTS[0]
    model = ScriptedModel(lambda _: [note_on(case), note_on(case, title="Something else is lost")])
    model.fail_on, model.fail = "verdict", ModelUnavailableError("gone")
    result = review(focals[case.path], model)
    assert result.notes == ()
    assert {item.fault for item in result.withheld} == {Fault.UNCONFIRMED}
    assert len(model.sent) == 2  # the notes, and one second look
    assert result.problems == ("gone",)


def test_after_its_time_a_review_asks_nothing_more(focals: dict[str, FocalSet]) -> None:
    ticks = iter(range(0, 1000, 100))
    case = DEFECTS[0]
    result = review(
        focals[case.path],
        ScriptedModel(lambda _: [note_on(case)]),
        seconds=150.0,
        clock=lambda: float(next(ticks)),
    )
    assert result.notes == ()
    assert [item.fault for item in result.withheld] == [Fault.UNCONFIRMED]
    assert result.problems == (OUT_OF_TIME,)
