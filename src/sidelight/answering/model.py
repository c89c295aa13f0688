"""What is asked and what is answered. Pure: frozen values."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from sidelight.llm.protocol import Usage
from sidelight.packing.gate import GateLimits
from sidelight.packing.model import Order, PackedContext, Source
from sidelight.search.request import IndexInfo

NOT_FOUND = "Not found in this repository."


@dataclass(frozen=True, slots=True)
class Turn:
    """One earlier message of the conversation, oldest first; `ours` if Sidelight wrote it."""

    text: str
    ours: bool = False
    author: str = ""


@dataclass(frozen=True, slots=True)
class Focus:
    """The place that a question was asked at: a file, and a line of it at the pinned head."""

    path: bytes
    line: int | None = None


@dataclass(frozen=True, slots=True)
class Question:
    """A question with what surrounds it. All texts are untrusted, as they were written.

    `diff` is the change that is talked about; `hunk` the part of it that the thread hangs on.
    """

    text: str
    thread: tuple[Turn, ...] = ()
    diff: str = ""
    hunk: str = ""
    focus: Focus | None = None


@dataclass(frozen=True, slots=True)
class AnswerOptions:
    """How a question is answered; tokens are counted offline. `gate` None lets everything pass."""

    k: int = 20  # hits considered
    min_score: float | None = None
    budget: int = 4000  # tokens of sources
    order: Order = Order.ASCENDING
    gate: GateLimits | None = field(default_factory=GateLimits)
    answer_tokens: int = 800
    temperature: float = 0.1


class Mode(StrEnum):
    """Who wrote the answer."""

    MODEL = "model"
    PASSAGES = "passages"  # nobody: the best passages stand for themselves


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer. `citations` are the sources that its text names, in the order of their numbers;
    of passages, all of them, best first.

    `context` is what was packed, `notes` what the reader should know: why there is no model, what
    was cut. `usage` is None if no request was made.
    """

    text: str
    citations: tuple[Source, ...]
    found: bool
    mode: Mode
    context: PackedContext
    index: IndexInfo
    usage: Usage | None = None
    notes: tuple[str, ...] = ()
