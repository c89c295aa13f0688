"""What a run is given to work with. Types only: `wiring` has the real parts, tests their own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from sidelight_bot.github.port import GitHubPort, PostedReview
from sidelight_bot.ground import EmbedderOf, Ground
from sidelight_bot.model import PullRequest
from sidelight_bot.notes.model import Note
from sidelight_bot.permalinks import Permalinks
from sidelight_bot.purse import Purse
from sidelight_bot.report import ChangeReport, ModelUsage
from sidelight_bot.settings import Settings

if TYPE_CHECKING:
    from sidelight_bot.asking import Asker  # loads what answers are made of
    from sidelight_bot.notes.review import GroupContext  # and notes


@dataclass(frozen=True, slots=True)
class Reviewed:
    """Notes on a change and what they cost; `problems` tell why there are fewer, `remarks` what
    of it the reader should know.
    """

    notes: tuple[Note, ...] = ()
    usage: ModelUsage | None = None
    problems: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()


Analyser = Callable[[Ground, str, int], ChangeReport]  # the title, and the limit of related code
Gatherer = Callable[[Ground, str], "Sequence[GroupContext]"]  # the title; in the order of groups
Reviewer = Callable[[Ground, PullRequest, GitHubPort, int], Reviewed]
NotePoster = Callable[[GitHubPort, ChangeReport, Permalinks, Ground], PostedReview]


@dataclass(frozen=True, slots=True)
class Ports:
    """What a run is given to work with; tests give their own."""

    github: Callable[[Settings], GitHubPort]
    embedder: EmbedderOf
    analyse: Analyser
    review: Reviewer
    post_notes: NotePoster
    ask: Callable[[GitHubPort], Asker]
    purse: Purse = field(default_factory=Purse)
