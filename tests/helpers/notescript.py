"""A model that follows a script, and what it may say of the cases: right notes and false ones.

focals = focals_of(folder, CASES)                  # from real commits, by path
model = ScriptedModel(lambda _: [note_on(case)])   # and a verdict for each
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from helpers.gitrepo import GitRepo
from helpers.notecases import NoteCase
from sidelight.focal import FocalSet, build_focal
from sidelight.git.diffs import diff_revisions
from sidelight.git.repository import open_repository
from sidelight.llm.errors import ContextOverflowError
from sidelight.llm.protocol import Completion, JsonSchema, Message, ModelChoice, Shrink, Usage
from sidelight_bot.notes.checks import Fault


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


def focals_of(folder: Path, cases: Sequence[NoteCase]) -> dict[str, FocalSet]:
    """Return the focal set of each case by its path, from real commits."""
    repo = GitRepo.init(folder)
    for case in cases:
        repo.write(case.path, case.before)
    base = repo.commit("before")
    for case in cases:
        repo.write(case.path, case.after)
    head = repo.commit("after")
    opened = open_repository(repo.path)
    found = {}
    for diff in diff_revisions(opened, base, head):
        found[diff.change.path.decode()] = build_focal(opened, [diff], "after")
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


def false_notes(case: NoteCase) -> Iterator[tuple[Fault, dict[str, Any]]]:
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
