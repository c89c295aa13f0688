"""From hits over a real index to a context: gate, definitions, vectors for likeness."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from helpers.gitrepo import GitRepo
from helpers.workspace import Workspace
from sidelight.model import Hit
from sidelight.packing.context import ContextOptions, build_context
from sidelight.packing.gate import Evidence, GateLimits, is_weak
from sidelight.packing.model import DropReason, Lines, PackedContext
from sidelight.packing.reading import ViewReader, open_reader
from sidelight.packing.select import PackOptions
from sidelight.search import Searcher, SearchRequest
from sidelight.store.reader import read_vectors
from sidelight.tokens import query_terms

RETRIES = """\
LIMIT = 5

def backoff(attempt):
    return min(2 ** attempt, LIMIT)

def retry_request(request, attempt):
    wait(backoff(attempt))
    return request.send()
"""


@pytest.fixture(scope="module")
def work(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    repo = GitRepo.init(tmp_path_factory.mktemp("context") / "repo")
    repo.write("src/retries.py", RETRIES)
    repo.write("src/again.py", RETRIES.replace("LIMIT = 5", "LIMIT = 6"))
    repo.write("src/colours.py", "def paint(wall):\n    return wall.colour\n")
    repo.commit("Retry requests")
    work = Workspace.at(repo)
    work.refresh()
    return work


@pytest.fixture
def reader(work: Workspace) -> Iterator[ViewReader]:
    tree = work.place.repo.head_tree()
    assert tree is not None
    with open_reader(work.place, work.view, tree) as reader:
        yield reader


def packed(
    work: Workspace, reader: ViewReader, question: str, options: ContextOptions
) -> PackedContext:
    terms = {term: float(n) for term, n in query_terms(question).items()}
    return build_context(reader, hits_of(work, question), terms, options)


def hits_of(work: Workspace, question: str) -> tuple[Hit, ...]:
    with Searcher.open(work.place, work.view) as searcher:
        return searcher.search(SearchRequest(question, plain=True)).hits


def test_weak_retrieval_packs_nothing_and_says_so(work: Workspace, reader: ViewReader) -> None:
    question = "zygote chromosome mitosis retry"
    closed = ContextOptions(gate=GateLimits(strength=5.0, coverage=1.1))
    context = packed(work, reader, question, closed)
    assert context.items == ()
    assert context.used == 0
    assert {item.reason for item in context.dropped} == {DropReason.GATE}
    assert len(context.notes) == 1
    assert packed(work, reader, question, ContextOptions(gate=None)).items


def test_the_gate_goes_by_coverage_alone_without_vectors() -> None:
    limits = GateLimits(strength=0.44, coverage=0.19)
    assert is_weak(Evidence(None, 0.18), limits)
    assert not is_weak(Evidence(None, 0.2), limits)
    assert is_weak(Evidence(0.3, 0.2), limits)
    assert not is_weak(Evidence(0.4, 0.2), limits)


def test_sources_hold_the_lines_that_they_name(work: Workspace, reader: ViewReader) -> None:
    context = packed(work, reader, "retry the request", ContextOptions(gate=None))
    for source in context.items:
        parsed = reader.source(source.path)
        assert parsed is not None
        assert source.blob == parsed.file.blob
        assert source.text.endswith(parsed.file.text(source.lines))


def test_likeness_goes_by_the_vectors_of_the_index(work: Workspace, reader: ViewReader) -> None:
    path = b"src/retries.py"
    source = reader.source(path)
    assert source is not None
    with work.open() as database, database.read() as connection:
        known = read_vectors(connection, [chunk.id for chunk in reader.chunks(source)])
    for chunk in reader.chunks(source):
        whole = Lines(chunk.span.start_line, chunk.span.end_line)
        assert reader.vector(path, whole) == known[chunk.id]
    assert reader.vector(path, Lines(900, 901)) is None
    assert reader.vector(b"nowhere.py", Lines(1, 2)) is None
    options = ContextOptions(PackOptions(diversity=0.5), gate=None)
    assert packed(work, reader, "retry request", options).items
