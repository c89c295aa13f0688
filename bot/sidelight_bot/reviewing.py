"""The notes of one pull request: what the model is shown, what stands already, what is posted.

Without a configured model nothing is opened. Everything here can fail without costing the comment.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from sidelight.focal import build_focal
from sidelight.git.blobs import BlobReader
from sidelight.git.diffs import diff_revisions
from sidelight.git.trees import list_tree
from sidelight.llm.protocol import ChatModel
from sidelight.llm.settings import LlmSettings
from sidelight_bot import places
from sidelight_bot.disliking import known_dislikes
from sidelight_bot.github.port import GitHubPort, InlineNote, PostedReview, ReviewComment
from sidelight_bot.ground import Ground
from sidelight_bot.model import PullRequest
from sidelight_bot.notes.anchors import read_marker
from sidelight_bot.notes.duplicates import Remark
from sidelight_bot.notes.feedback import Dislike
from sidelight_bot.notes.posting import PostedNote, mark_resolved, render_note
from sidelight_bot.notes.review import GroupContext, Review, ReviewRequest, review_change
from sidelight_bot.permalinks import Permalinks
from sidelight_bot.ports import Gatherer, Reviewed
from sidelight_bot.purse import Purse, usage_since
from sidelight_bot.report import ChangeReport

BUDGET_SPENT = (
    "What a language model may cost this pull request is spent: not all of it was reviewed. People"
    " who may write to the base branch can raise `llm.budget_tokens`."
)
MAX_RESOLVED = 5  # notes marked in one run; the rest follows with the next push


@dataclass(frozen=True, slots=True)
class Said:
    """What need not be said: it stands already, or its like was turned down."""

    remarks: Sequence[Remark]
    dislikes: Sequence[Dislike]


class NoteDesk:
    """Makes the notes of one run, and posts them. Review threads are read once."""

    def __init__(
        self,
        inputs: Callable[[Ground], LlmSettings],
        purse: Purse,
        dislikes: Path | None,
        gather: Gatherer | None,
    ) -> None:
        """Take how to find the model's settings, where it stands what was turned down, and who
        gathers the code around the hunks: nobody, and the model sees the diff only (an ablation).
        """
        self._dislikes = dislikes
        self._purse = purse
        self._settings_of = inputs
        self._gather = gather
        self._standing: tuple[ReviewComment, ...] = ()

    def review(self, ground: Ground, pull: PullRequest, port: GitHubPort, limit: int) -> Reviewed:
        """Return the notes of a configured model on a change; nothing without one.

        Raises:
            SidelightError: the model cannot be opened, or GitHub or the index not be read.
        """
        settings = self._settings_of(ground)
        model = self._purse.model(settings, port, pull.number)
        if model is None:
            return Reviewed()
        budget = self._purse.budget(settings, port, pull.number)
        before = budget.spent
        contexts = self._gather(ground, pull.title) if self._gather is not None else ()
        self._standing = tuple(port.review_comments(pull.number))
        mine = self._mine(port)
        standing = [_remark(item, item in mine) for item in self._standing]
        said = Said(standing, known_dislikes(self._dislikes))
        found = review_pull(model, ground, pull, contexts, said, limit)
        remarks = (BUDGET_SPENT,) if found.is_budget_spent else ()
        return Reviewed(
            found.notes, usage_since(settings.model, budget, before), found.problems, remarks
        )

    def post(
        self, port: GitHubPort, report: ChangeReport, links: Permalinks, ground: Ground
    ) -> PostedReview:
        """Post the notes by one review; earlier ones whose line is gone are marked so.

        Nothing is asked of GitHub where no model was, nor written when the head has moved.
        """
        number = report.number or 0
        if report.usage is None or not (report.notes or self._standing):
            return PostedReview()
        if port.pull(number).head_sha != report.head:
            return PostedReview()
        self._resolve_earlier(port, ground)
        if not report.notes:
            return PostedReview()

        def link_to(path: str, start: int, end: int) -> str:
            return links.lines(path, start, end) or ""

        notes = [
            InlineNote(n.path, n.line, n.side, render_note(n, link_to), n.start_line)
            for n in report.notes
        ]
        return port.create_review(number, report.head, "", notes)

    def _mine(self, port: GitHubPort) -> list[ReviewComment]:
        """Return the notes that stand: a mark in somebody else's comment is text."""
        marked = [item for item in self._standing if read_marker(item.comment.body)]
        mine = port.viewer().lower() if marked else ""
        return [item for item in marked if item.comment.author.lower() == mine]

    def _resolve_earlier(self, port: GitHubPort, ground: Ground) -> None:
        earlier = [
            PostedNote(item.comment.id, item.thread.path, item.comment.body)
            for item in self._mine(port)
        ]
        files = _lines_at(ground, {note.path for note in earlier}) if earlier else {}
        for comment_id, body in mark_resolved(earlier, files)[:MAX_RESOLVED]:
            port.update_review_comment(comment_id, body)


def review_pull(
    model: ChatModel,
    ground: Ground,
    pull: PullRequest,
    contexts: Sequence[GroupContext],
    said: Said,
    limit: int,
) -> Review:
    """Return what a model says of a change. Nothing is parsed here: git's diff is read, the index
    is asked for names, and `contexts` holds the code around each group of hunks, in their order.

    Raises:
        SidelightError: the index or git cannot be read.
    """
    place = ground.place
    diffs = diff_revisions(place.repo, ground.pin.fork_point, ground.pin.head)
    focal = build_focal(place.repo, diffs, pull.title, syntax=False)
    remaining = iter(contexts)  # groups are asked about once each, in their order

    with places.opened(place, ground.view) as graph:
        request = ReviewRequest(
            focal=focal,
            title=pull.title,
            body=pull.body,
            defines=lambda name: bool(graph.definitions(name)),
            context_of=(lambda _: next(remaining, GroupContext())) if contexts else None,
            remarks=said.remarks,
            dislikes=said.dislikes,
            limit=limit,
        )
        return review_change(model, request)


def _lines_at(ground: Ground, paths: Iterable[str]) -> dict[str, list[str]]:
    """Return the lines at head of those paths that exist there."""
    repo = ground.place.repo
    wanted = {path.encode("utf-8", "surrogateescape"): path for path in paths}
    found = {}
    with BlobReader(repo) as blobs:
        for file in list_tree(repo, repo.tree_of(ground.pin.head)):
            if file.path in wanted and 0 <= file.size <= 2_000_000:
                text = blobs.read(file.blob).decode("utf-8", "replace")
                found[wanted[file.path]] = text.splitlines()
    return found


def _remark(item: ReviewComment, is_mine: bool) -> Remark:
    body = item.comment.body
    marker = read_marker(body) if is_mine else None
    return Remark(item.thread.path, item.thread.line, body, marker)
