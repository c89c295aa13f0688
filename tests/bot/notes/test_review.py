"""Seeded defects and clean changes: right notes pass, each kind of false note meets its check."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from helpers.gitrepo import GitRepo
from helpers.notecases import CLEAN, DEFECTS, NoteCase
from sidelight.focal import FocalSet, build_focal
from sidelight.git.diffs import diff_revisions
from sidelight.git.repository import open_repository
from sidelight.llm.errors import (
    BudgetSpentError,
    ContextOverflowError,
    ModelOutputInvalidError,
    ModelUnavailableError,
)
from sidelight.llm.protocol import Completion, JsonSchema, Message, ModelChoice, Shrink, Usage
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


@dataclass
class ScriptedModel:
    """Gives the notes of a script, and a verdict for each; remembers what it was sent."""

    notes: Callable[[str], Sequence[Mapping[str, Any]]]
    holds: Callable[[str], bool] = lambda _claim: True
    fail: Exception | None = None
    fail_on: str = ""  # the form that fails; "": each
    room: int | None = None  # characters
    sent: list[tuple[str, str]] = field(default_factory=list)

    @property
    def info(self) -> ModelChoice:
        return ModelChoice("openai", "scripted", "http://127.0.0.1", 32_000)

    def complete(
        self,
        messages: Sequence[Message],
        *,
        max_tokens: int,
        temperature: float = 0.1,
        schema: JsonSchema | None = None,
        shrink: Shrink | None = None,
    ) -> Completion:
        assert max_tokens > 0
        assert temperature <= 0.2
        assert schema is not None
        system, user = (message.text for message in messages)
        self.sent.append((system, user))
        if self.room is not None and len(user) > self.room:
            if shrink is None:
                raise ContextOverflowError("the prompt does not fit")
            system, user = (message.text for message in shrink(None))
            self.sent.append((system, user))
        if self.fail is not None and self.fail_on in {"", schema.name}:
            raise self.fail
        if schema.name == "verdict":
            data: Mapping[str, Any] = {"holds": self.holds(user), "because": "so it is"}
        else:
            data = {"notes": list(self.notes(user))}
        return Completion("", data, Usage(100, 10, None, 1), "stop")


@pytest.fixture(scope="module")
def focals(tmp_path_factory: pytest.TempPathFactory) -> dict[str, FocalSet]:
    """The focal set of each case, from real commits."""
    repo = GitRepo.init(tmp_path_factory.mktemp("notes") / "repo")
    for case in CASES:
        repo.write(case.path, case.before)
    base = repo.commit("before")
    for case in CASES:
        repo.write(case.path, case.after)
    head = repo.commit("after")
    opened = open_repository(repo.path)
    found = {}
    for diff in diff_revisions(opened, base, head):
        focal = build_focal(opened, [diff], "after")
        found[diff.change.path.decode()] = focal
    return found


def note_on(case: NoteCase, **changes: Any) -> dict[str, Any]:
    """The right note on a case, as a model writes it, with some fields changed."""
    lines = [line.strip() for line in case.after.split("\n")]
    line = lines.index(case.quote) + 1
    note: dict[str, Any] = {
        "path": case.path,
        "start_line": line,
        "end_line": line,
        "quote": case.quote,
        "severity": "major",
        "kind": case.kind,
        "title": case.title,
        "body": case.body,
        "symbols": list(case.symbols),
        "evidence": [{"source": "diff", "text": case.quote}],
        "replacement": None,
    }
    return note | changes


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


def _false_notes(case: NoteCase) -> Iterator[tuple[Fault, dict[str, Any]]]:
    """One false note of every kind that code can tell by itself."""
    yield Fault.PATH, note_on(case, path="other/" + case.path)
    yield Fault.QUOTE, note_on(case, quote="this_line_is_nowhere(1)")
    yield Fault.QUOTE, note_on(case, quote="")
    yield Fault.EVIDENCE, note_on(case, evidence=[{"source": "1", "text": "never written = 1"}])
    yield Fault.SYMBOL, note_on(case, symbols=["imagined_helper"])
    yield (
        Fault.SYMBOL,
        note_on(case, body="It loses rows, since `imagined.helper()` is wrong here."),
    )
    yield (
        Fault.DEFINED,
        note_on(
            case,
            kind="undefined",
            symbols=["known_elsewhere"],
            body="The name `known_elsewhere` is not defined anywhere, so this fails.",
        ),
    )
    yield (
        Fault.DEFINED,
        note_on(case, body="`known_elsewhere` is undefined, so this line crashes at once."),
    )
    yield (
        Fault.STYLE,
        note_on(case, title="Poor naming", body="A better name improves readability a lot."),
    )
    yield (
        Fault.STYLE,
        note_on(case, title="Docs", body="Please add a docstring to this function here."),
    )
    yield (
        Fault.VAGUE,
        note_on(case, title="Check this", body="Make sure that this is what is wanted."),
    )
    yield Fault.VAGUE, note_on(case, body="Hmm.")
    yield Fault.FORM, note_on(case, start_line="four")
    yield Fault.FORM, note_on(case, severity="enormous")
    yield Fault.FORM, note_on(case, end_line=0)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.path)
def test_every_kind_of_false_note_is_withheld_by_its_check(
    case: NoteCase, focals: dict[str, FocalSet]
) -> None:
    for fault, note in _false_notes(case):
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
