"""Whole searches whose hits join to their class, shrink, or come down for repeating others."""

from __future__ import annotations

from dataclasses import replace

import pytest

from helpers.gitrepo import GitRepo
from helpers.workspace import Workspace
from sidelight.config import Config
from sidelight.model import Hit
from sidelight.search import Searcher, SearchMode, SearchRequest

QUERY = "retry the request after a timeout"


def method(name: str, n: int) -> str:
    lines = [f"    def {name}(self, request):", '        """Retry the request after a timeout."""']
    lines += [f"        self.step_{name}_{i} = {i}" for i in range(n)]
    return "\n".join([*lines, "        return self.retry(request)", ""])


@pytest.fixture(scope="module")
def work(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    repo = GitRepo.init(tmp_path_factory.mktemp("granularity") / "repo")
    methods = [method(name, 20) for name in ("first", "second", "third", "fourth")]
    repo.write("src/client.py", "class Client:\n" + "\n".join(methods))
    away = [f"    note_{i} = {i}" for i in range(30)]
    body = ["def wait(request):", *away, "    retry(request, after=timeout)", *away[:20]]
    repo.write("src/wait.py", "\n".join(body) + "\n")
    for n in range(3):
        repo.write(f"docs/unrelated{n}.py", f"def other_{n}():\n    return {n}\n")
    repo.commit("Add the client")
    work = Workspace.at(repo)
    work.refresh()
    return work


def ask(work: Workspace, k: int = 10, *, plain: bool = False, **search: object) -> list[Hit]:
    settings = replace(Config().search, **search)  # type: ignore[arg-type]
    place = replace(work.place, config=replace(work.place.config, search=settings))
    with Searcher.open(place, work.view) as searcher:
        return list(searcher.search(SearchRequest(QUERY, k, plain=plain)).hits)


def spans(hits: list[Hit], path: bytes) -> list[tuple[int, int]]:
    return [(h.span.start_line, h.span.end_line) for h in hits if h.path == path]


def test_methods_that_are_hit_join_to_their_class(work: Workspace) -> None:
    apart = ask(work, granularity="chunk")
    joined = ask(work, granularity="grow")
    assert len(spans(apart, b"src/client.py")) > 2
    ((first, last),) = spans(joined, b"src/client.py")
    assert first == 1
    assert last >= max(end for _, end in spans(apart, b"src/client.py"))
    assert next(h.symbol for h in joined if h.path == b"src/client.py") == "Client"
    assert spans(joined, b"src/wait.py") == spans(apart, b"src/wait.py")


def test_a_long_hit_shrinks_only_where_that_is_asked_for(work: Workspace) -> None:
    ((first, last),) = spans(ask(work, granularity="grow"), b"src/wait.py")
    ((start, end),) = spans(ask(work, granularity="fit"), b"src/wait.py")
    assert last - first > 40
    assert first <= start <= 32 <= end <= last
    assert end - start < 24


def test_the_first_hits_do_not_depend_on_how_many_are_wanted(work: Workspace) -> None:
    every = ask(work, 50)
    for k in (0, 1, 3):
        assert ask(work, k) == every[:k]


@pytest.mark.parametrize("diversity", [0.0, 0.3, 0.9])
def test_scores_descend_and_spans_share_no_line(work: Workspace, diversity: float) -> None:
    hits = ask(work, 50, diversity=diversity)
    scores = [hit.score for hit in hits]
    assert scores == sorted(scores, reverse=True)
    for at, hit in enumerate(hits):
        for other in hits[:at]:
            assert hit.path != other.path or not hit.span.overlaps_lines(other.span)


def test_plain_hits_and_single_retrievers_are_chunks_by_relevance(work: Workspace) -> None:
    wanted = ask(work, diversity=0.0, granularity="chunk")
    assert ask(work, plain=True) == wanted
    with Searcher.open(work.place, work.view) as searcher:
        request = SearchRequest(QUERY, mode=SearchMode.BM25)
        assert searcher.search(request) == searcher.search(replace(request, plain=True))


def test_a_hit_that_came_down_says_what_it_resembles(work: Workspace) -> None:
    hits = ask(work, diversity=0.5, granularity="chunk")
    told = [r.detail for hit in hits[1:] for r in hit.reasons if r.kind == "diversity"]
    assert any(detail.startswith("resembles src/") for detail in told)
