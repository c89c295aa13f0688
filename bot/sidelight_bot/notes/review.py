"""Ask a model for notes on a change, and let through what code and a second look confirm.

No note is posted here, and no model is trusted: every way of failing ends with fewer notes and a
problem that is told.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from sidelight.focal import FocalSet
from sidelight.llm.errors import BudgetSpentError, LanguageModelError, ModelUnavailableError
from sidelight.llm.protocol import ChatModel, JsonSchema, Message, Usage
from sidelight.untrusted.incoming import new_nonce
from sidelight.untrusted.redaction import redact
from sidelight_bot.notes.anchors import anchor_of, line_hash
from sidelight_bot.notes.checks import (
    Fault,
    Grounds,
    check_candidate,
    first_line,
    named_symbols,
    rows_of,
    side_of,
)
from sidelight_bot.notes.duplicates import Remark, is_said
from sidelight_bot.notes.feedback import ALIKE, PENALTY, Dislike, dislike_of
from sidelight_bot.notes.grouping import HunkGroup, group_hunks
from sidelight_bot.notes.model import Evidence, Note, Side
from sidelight_bot.notes.prompts import review_prompt, verify_prompt
from sidelight_bot.notes.schema import (
    Candidate,
    Severity,
    notes_schema,
    read_candidates,
    verdict_schema,
)

NOTES_LIMIT = 5
SECONDS = 480.0  # the comment waits for the notes, and the shipped job ends after 20 minutes
OUT_OF_TIME = "the time for review notes is over: not all of the change was reviewed"
MAX_VERIFIED = 10  # second looks; each is a call
ANSWER_TOKENS = 2000
VERDICT_TOKENS = 200
Prompt = tuple[str, str]  # the system's text and the user's
_WORTH = {Severity.CRITICAL: 3.0, Severity.MAJOR: 2.0, Severity.MINOR: 1.0}


@dataclass(frozen=True, slots=True)
class GroupContext:
    """Code around a group: the text that the model reads, and each numbered source by itself.

    `places` gives the path and lines of a source by its number.
    """

    text: str = ""
    sources: Mapping[str, str] = field(default_factory=dict)
    places: Mapping[str, tuple[str, int, int]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ReviewRequest:
    """A change to review, and what is known about it.

    `context_of` packs the code around a group; None sends the diff only (an ablation). `defines`
    tells whether the tree at head has a definition of a name. `remarks` are comments that stand
    on the pull request already. After `seconds` no further request is made.
    """

    focal: FocalSet
    title: str
    body: str
    defines: Callable[[str], bool]
    context_of: Callable[[HunkGroup], GroupContext] | None = None
    remarks: Sequence[Remark] = ()
    dislikes: Sequence[Dislike] = ()
    limit: int = NOTES_LIMIT
    seconds: float = SECONDS
    clock: Callable[[], float] = time.monotonic


@dataclass(frozen=True, slots=True)
class Withheld:
    """A note that is not shown, and why."""

    path: str
    line: int
    title: str
    fault: Fault


@dataclass(frozen=True, slots=True)
class Review:
    """Notes to post, worst first; what was withheld; what was not read; what went wrong."""

    notes: tuple[Note, ...] = ()
    withheld: tuple[Withheld, ...] = ()
    unread: tuple[tuple[str, str], ...] = ()
    problems: tuple[str, ...] = ()
    calls: int = 0
    usage: Usage = field(default_factory=Usage)
    is_budget_spent: bool = False


@dataclass(slots=True)
class _Found:
    candidate: Candidate
    group: HunkGroup
    context: GroupContext
    grounds: Grounds
    rank: float


def review_change(model: ChatModel, request: ReviewRequest) -> Review:
    """Return the notes on a change; a failure of the model is a problem of the result, no error."""
    grouping = group_hunks(request.focal)
    run = _Run(model, request)
    for group in grouping.groups:
        if not run.propose(group):
            break
    notes = run.choose()
    return Review(
        notes=notes,
        withheld=tuple(run.withheld),
        unread=grouping.unread,
        problems=tuple(dict.fromkeys(run.problems)),
        calls=run.calls,
        usage=run.usage,
        is_budget_spent=run.is_budget_spent,
    )


class _Run:
    """One review: what was found, withheld and failed so far."""

    def __init__(self, model: ChatModel, request: ReviewRequest) -> None:
        self._model = model
        self._request = request
        self._found: list[_Found] = []
        self.withheld: list[Withheld] = []
        self.problems: list[str] = []
        self.calls = 0
        self.usage = Usage()
        self._is_over = False
        self._until = request.clock() + request.seconds
        self.is_budget_spent = False

    def propose(self, group: HunkGroup) -> bool:
        """Ask for notes on a group, keep those that pass; False if asking on makes no sense."""
        request = self._request
        context = request.context_of(group) if request.context_of is not None else GroupContext()
        nonce = new_nonce()

        def prompt(around: str) -> Prompt:
            return review_prompt(group, around, request.title, request.body, nonce)

        schema = JsonSchema("notes", notes_schema())
        data = self._ask(prompt, context.text, schema, ANSWER_TOKENS)
        if data is None:
            return not self._is_over
        candidates, malformed = read_candidates(data)
        for _ in range(malformed):
            self.withheld.append(Withheld("", 0, "", Fault.FORM))
        grounds = Grounds(group, context.sources, request.defines)
        for candidate in candidates:
            self._admit(candidate, group, context, grounds)
        return True

    def choose(self) -> tuple[Note, ...]:
        """Return the notes that a second look confirms, worst first, each place once."""
        chosen: list[Note] = []
        looks = 0
        ordered = sorted(
            self._found, key=lambda f: (-f.rank, f.candidate.path, f.candidate.start_line)
        )
        for found in ordered:
            if len(chosen) == self._request.limit or looks == MAX_VERIFIED:
                self._withhold(found.candidate, Fault.LIMIT)
                continue
            if self._is_double(found, chosen):
                self._withhold(found.candidate, Fault.DUPLICATE)
                continue
            looks += 1
            holds = self._is_confirmed(found)
            if not holds:
                fault = Fault.UNCONFIRMED if holds is None else Fault.REFUTED
                self._withhold(found.candidate, fault)
                continue
            chosen.append(note_of(found.candidate, found.grounds, found.context))
        return tuple(chosen)

    def _admit(
        self, candidate: Candidate, group: HunkGroup, context: GroupContext, grounds: Grounds
    ) -> None:
        checked = check_candidate(candidate, grounds)
        if isinstance(checked, Fault):
            self._withhold(candidate, checked)
            return
        text = f"{checked.title} {checked.body}"
        lines = range(checked.start_line, checked.end_line + 1)
        anchor = anchor_of(checked.path, first_line(checked.quote), checked.kind.value)
        if is_said(checked.path, lines, anchor, text, self._request.remarks):
            self._withhold(checked, Fault.DUPLICATE)
            return
        disliked = dislike_of(checked.kind.value, text, self._request.dislikes)
        if disliked >= ALIKE:
            self._withhold(checked, Fault.DISLIKED)
            return
        rank = _WORTH[checked.severity] - PENALTY * disliked
        self._found.append(_Found(checked, group, context, grounds, rank))

    def _is_double(self, found: _Found, chosen: Sequence[Note]) -> bool:
        candidate = found.candidate
        lines = range(candidate.start_line, candidate.end_line + 1)
        said = [Remark(note.path, note.line, f"{note.title} {note.body}") for note in chosen]
        anchor = anchor_of(candidate.path, first_line(candidate.quote), candidate.kind.value)
        if any(note.anchor == anchor for note in chosen):
            return True
        return is_said(candidate.path, lines, "", f"{candidate.title} {candidate.body}", said)

    def _is_confirmed(self, found: _Found) -> bool | None:
        """Return what the second look says; None if there was none."""
        nonce = new_nonce()

        def prompt(around: str) -> Prompt:
            return verify_prompt(found.candidate, found.group, around, nonce)

        schema = JsonSchema("verdict", verdict_schema())
        data = self._ask(prompt, found.context.text, schema, VERDICT_TOKENS)
        return None if data is None else data.get("holds") is True

    def _ask(
        self, prompt: Callable[[str], Prompt], around: str, schema: JsonSchema, max_tokens: int
    ) -> Mapping[str, object] | None:
        """Return the model's data; a prompt that is too long is sent once more, the diff alone."""

        def messages(context: str) -> list[Message]:
            system, user = prompt(context)
            return [Message("system", system), Message("user", redact(user))]

        if self._is_over:
            return None
        if self._request.clock() > self._until:
            self._is_over = True
            self.problems.append(OUT_OF_TIME)
            return None
        self.calls += 1
        try:
            completion = self._model.complete(
                messages(around),
                max_tokens=max_tokens,
                schema=schema,
                shrink=(lambda _room: messages("")) if around else None,
            )
        except LanguageModelError as error:
            self.problems.append(str(error))
            self.is_budget_spent = isinstance(error, BudgetSpentError)
            if self.is_budget_spent or isinstance(error, ModelUnavailableError):
                self._is_over = True  # asking on would take time, and bring nothing
            return None
        self.usage += completion.usage
        return completion.data

    def _withhold(self, candidate: Candidate, fault: Fault) -> None:
        self.withheld.append(Withheld(candidate.path, candidate.start_line, candidate.title, fault))


def note_of(candidate: Candidate, grounds: Grounds, context: GroupContext) -> Note:
    """Return the note of a checked candidate, its quote being the line as the diff has it."""
    side = Side(side_of(candidate, grounds))
    quote = next(
        (
            row.text
            for row in rows_of(grounds.group)
            if row.path == candidate.path
            and row.side == side.value
            and row.number == candidate.start_line
        ),
        candidate.quote,
    )
    start = candidate.start_line if candidate.end_line > candidate.start_line else None
    return Note(
        path=candidate.path,
        line=candidate.end_line,
        start_line=start,
        side=side,
        severity=candidate.severity,
        kind=candidate.kind,
        title=redact(candidate.title),
        body=redact(candidate.body),
        suggestion=None if candidate.replacement is None else redact(candidate.replacement),
        evidence=_evidence(candidate, context),
        anchor=anchor_of(candidate.path, first_line(candidate.quote), candidate.kind.value),
        quote=line_hash(quote),
    )


def _evidence(candidate: Candidate, context: GroupContext) -> tuple[Evidence, ...]:
    found = []
    for quote in candidate.evidence:
        place = context.places.get(quote.source.strip("[] "))
        if place is not None:
            path, first, last = place
            found.append(Evidence(path, first, last, redact(" ".join(quote.text.split())[:160])))
    if not found:
        names = ", ".join(named_symbols(candidate)[:3])
        found.append(Evidence(candidate.path, candidate.start_line, candidate.end_line, names))
    return tuple(dict.fromkeys(found))
