"""What a model is shown around each group of a change's hunks, as data that crosses processes.

Making it parses both sides of the change, so it is made where no token is (`apart`), and read here
believing nothing. Its texts go to the model, cleaned, and are what quotes are looked up in; its
places become links, so they are checked as a report's are.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Annotated, Any

from sidelight.focal import FocalSet, build_focal
from sidelight.git.blobs import BlobReader
from sidelight.git.diffs import diff_revisions
from sidelight.graph.graph import open_graph
from sidelight.model import Hit
from sidelight.related.session import RelatedSession
from sidelight.store.corpus import open_corpus
from sidelight.store.database import Database
from sidelight.store.snapshot import open_latest
from sidelight.store.views import find_view
from sidelight_bot.checked import (
    MAX_PATH,
    Line,
    Most,
    ReportError,
    Whole,
    is_plain_path,
    read_dataclass,
)
from sidelight_bot.ground import Ground
from sidelight_bot.notes.contexts import ContextSource
from sidelight_bot.notes.grouping import MAX_GROUPS, group_hunks
from sidelight_bot.notes.review import GroupContext

MAX_HITS = 10
MAX_JSON = 4_000_000  # bytes
MAX_TEXT = 100_000  # characters of one context, whose budget is some 3,000 tokens
MAX_SOURCES = 200


@dataclass(frozen=True, slots=True)
class AnyText:
    """A string of at most `most` characters, whichever a file may hold."""

    most: int

    def check(self, value: Any, where: str) -> str:
        """Return the string, or raise; halves of characters are replaced."""
        if not isinstance(value, str) or len(value) > self.most:
            raise ReportError(where, f"not a string of at most {self.most} characters")
        return value.encode("utf-8", "replace").decode("utf-8")


Code = Annotated[str, AnyText(MAX_TEXT)]


@dataclass(frozen=True, slots=True)
class Gathered:
    """One numbered source of a context."""

    number: Annotated[int, Whole(1, 10_000)]
    path: Annotated[str, AnyText(MAX_PATH)]
    first: Line
    last: Line
    text: Code


@dataclass(frozen=True, slots=True)
class Around:
    """The code around one group of hunks."""

    text: Code
    sources: Annotated[tuple[Gathered, ...], Most(MAX_SOURCES)]


@dataclass(frozen=True, slots=True)
class Contexts:
    """The contexts of a change's groups, in their order."""

    groups: Annotated[tuple[Around, ...], Most(MAX_GROUPS)]


def gather_contexts(ground: Ground, title: str) -> tuple[GroupContext, ...]:
    """Return the code around each group of the change's hunks, made in this process.

    Raises:
        SidelightError: the index or git cannot be read.
    """
    from sidelight.packing.reading import ViewReader  # noqa: PLC0415 - loads numpy

    place = ground.place
    diffs = diff_revisions(place.repo, ground.pin.fork_point, ground.pin.head)
    focal = build_focal(place.repo, diffs, title)
    hits = _related(ground, focal)
    with (
        Database.open(place.directory, place.identity) as database,
        database.read() as connection,
        BlobReader(place.repo) as blobs,
    ):
        view = find_view(connection, ground.view)
        if view is None:
            return ()
        corpus = open_corpus(connection, view, open_latest(database))
        graph = open_graph(connection, corpus, blobs.read_many)
        around = ContextSource(ViewReader(connection, corpus, blobs), graph, focal, hits)
        return tuple(around(group) for group in group_hunks(focal).groups)


def contexts_to_json(contexts: Sequence[GroupContext]) -> str:
    """Return contexts as JSON of one line in ASCII."""
    groups = tuple(
        Around(
            context.text,
            tuple(
                Gathered(int(number), *context.places[number], text=text)
                for number, text in context.sources.items()
            ),
        )
        for context in contexts
    )
    return json.dumps(asdict(Contexts(groups)), separators=(",", ":"))


def contexts_from_json(data: bytes) -> tuple[GroupContext, ...]:
    """Return the contexts that `contexts_to_json` wrote; a place that is no path is left out.

    Raises:
        ReportError: it did not write that.
    """
    if len(data) > MAX_JSON:
        raise ReportError("contexts", f"larger than {MAX_JSON} bytes")
    try:
        table = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise ReportError("contexts", "not JSON") from error
    read = read_dataclass(Contexts, table, "contexts")
    return tuple(
        GroupContext(
            text=around.text,
            sources={str(source.number): source.text for source in around.sources},
            places={
                str(source.number): (source.path, source.first, max(source.first, source.last))
                for source in around.sources
                if is_plain_path(source.path)
            },
        )
        for around in read.groups
    )


def _related(ground: Ground, focal: FocalSet) -> tuple[Hit, ...]:
    with RelatedSession.open(ground.place, ground.view) as session:
        return session.rank(focal, MAX_HITS).hits
