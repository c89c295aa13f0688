"""Whole searches: limits, filters, order, reasons, and what pending vectors change."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from helpers.fake_embedder import FakeEmbedder
from helpers.gitrepo import GitRepo
from helpers.workspace import MODES, Workspace
from indexing.walk import QUERIES, Walk, random_steps
from sidelight.config import Config, RetrieverConfig, SearchConfig
from sidelight.errors import IndexMissingError, ModelError, UsageError
from sidelight.globs import match_any
from sidelight.indexing.place import FixedEmbedder
from sidelight.indexing.refresh import head_of, index_target
from sidelight.indexing.report import Target
from sidelight.search import Searcher, SearchMode, SearchRequest
from sidelight.search.request import MAX_QUERY_CHARS, clean_query

PATTERNS = ("src/**", "**/*.py", "docs", "*", "nowhere/**", "**/*_*")


@pytest.fixture(scope="module")
def work(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    walk = Walk(tmp_path_factory.mktemp("searcher") / "repo")
    work = Workspace.at(walk.repo)
    for at, (step, pick) in enumerate(random_steps(61, 30)):
        step(walk, pick)
        work.refresh()
        if at == 20:
            work.publish()
    return work


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("query", QUERIES)
def test_hits_are_ordered_distinct_and_prefixes_of_each_other(
    work: Workspace, query: str, mode: SearchMode
) -> None:
    all_hits = work.search(query, mode=mode, k=200)
    assert [hit.score for hit in all_hits] == sorted((h.score for h in all_hits), reverse=True)
    places = [(hit.path, hit.span) for hit in all_hits]
    assert len(places) == len(set(places))
    for at, hit in enumerate(all_hits):
        for other in all_hits[:at]:
            assert hit.path != other.path or not hit.span.overlaps_lines(other.span)
    for k in (0, 1, 3):
        first = work.search(query, mode=mode, k=k)
        assert [hit.score for hit in first] == [hit.score for hit in all_hits[: len(first)]]
        assert len(first) == min(k, len(all_hits))


@pytest.mark.parametrize("mode", [SearchMode.BM25, SearchMode.DENSE, SearchMode.SYMBOL])
@pytest.mark.parametrize("pattern", PATTERNS)
def test_a_path_filter_only_leaves_out(work: Workspace, mode: SearchMode, pattern: str) -> None:
    """Scores are the whole view's; copies join less often, so the members are compared."""
    matches = match_any([pattern])
    for query in QUERIES:
        filtered = work.search(query, mode=mode, k=500, paths=[pattern])
        assert all(matches(path) for hit in filtered for path in (hit.path, *hit.alike))
        members = {path for hit in filtered for path in (hit.path, *hit.alike)}
        everything = work.search(query, mode=mode, k=500)
        expected = {p for hit in everything for p in (hit.path, *hit.alike) if matches(p)}
        assert members == expected


def test_languages_filter_by_the_language_of_the_file(work: Workspace) -> None:
    for language in ("python", "markdown", "text"):
        hits = work.search("retry token cache", mode="bm25", k=100, languages=[language])
        assert {hit.language for hit in hits} <= {language}
    both = work.search("retry token cache", mode="bm25", k=100, languages=["python", "go"])
    assert {hit.language for hit in both} <= {"python", "go"}
    assert work.search("retry", mode="bm25", languages=["klingon"]) == ()


def test_every_hit_says_which_retrievers_found_it_at_which_rank(work: Workspace) -> None:
    for query in QUERIES:
        ranks: dict[str, list[int]] = {}
        for hit in work.search(query, k=100):
            found = [reason for reason in hit.reasons if reason.detail.startswith("rank ")]
            assert found, hit
            for reason in found:
                ranks.setdefault(reason.kind, []).append(int(reason.detail.removeprefix("rank ")))
        assert set(ranks) <= {"bm25", "dense", "symbol", "exact"}
        for own in ranks.values():
            assert len(own) == len(set(own))
            assert min(own) >= 1


def test_a_least_score_leaves_out_the_rest(work: Workspace) -> None:
    with Searcher.open(work.place, work.view) as searcher:
        every = searcher.search(SearchRequest("retry", 50)).hits
        least = every[len(every) // 2].score
        some = searcher.search(SearchRequest("retry", 50, min_score=least)).hits
        none = searcher.search(SearchRequest("retry", 50, min_score=1e9)).hits
    assert {hit.score for hit in some} <= {hit.score for hit in every if hit.score >= least}
    assert some
    assert none == ()


@pytest.mark.parametrize("fusion", ["relative", "rrf"])
def test_a_retriever_without_weight_is_not_asked(work: Workspace, fusion: str) -> None:
    off = RetrieverConfig(pool=10, weight=0.0)
    search = SearchConfig(fusion=fusion, dense=off, symbol=off, exact=off)
    place = replace(work.place, config=replace(work.place.config, search=search))
    asked = work.embedder.n_queries
    hits = replace(work, place=place).search("retry token")
    assert work.embedder.n_queries == asked
    kinds = {r.kind for hit in hits for r in hit.reasons if r.detail.startswith("rank ")}
    assert kinds == {"bm25"}


def test_pending_vectors_hide_no_chunk(tmp_path: Path) -> None:
    repo = GitRepo.init(tmp_path / "repo")
    repo.write("a.py", "def alpha_beta():\n    return 'gamma'\n")
    repo.commit()
    work = Workspace.at(repo)
    commit, tree = head_of(work.place.repo)
    index_target(work.place, Target(work.view, commit, tree), wait=True, create=True, vectors=False)
    with Searcher.open(work.place, work.view) as searcher:
        for mode in (SearchMode.BM25, SearchMode.SYMBOL, SearchMode.EXACT, SearchMode.HYBRID):
            result = searcher.search(SearchRequest("alpha_beta", 5, mode))
            assert [hit.path for hit in result.hits] == [b"a.py"], mode
            assert result.index.state == "partial"
        assert searcher.search(SearchRequest("alpha_beta", 5, SearchMode.DENSE)).hits == ()
        work.refresh()
        found = searcher.search(SearchRequest("alpha_beta", 5, SearchMode.DENSE))
    assert [hit.path for hit in found.hits] == [b"a.py"]
    assert found.index.state == "current"


def test_an_unknown_view_is_named(work: Workspace) -> None:
    with pytest.raises(IndexMissingError) as caught:
        Searcher.open(work.place, "rev/v9")
    assert "v9 is not indexed" in caught.value.message
    assert "--rev v9" in caught.value.hint


@given(st.text(max_size=60))
def test_a_query_is_cleaned_of_what_cannot_be_printed(query: str) -> None:
    try:
        text, notes = clean_query(query)
    except UsageError:
        assert not any(c.isprintable() and not c.isspace() for c in query)
        return
    assert text == text.strip()
    assert all(c.isprintable() or c in "\n\t" for c in text)
    assert notes == ()


def test_a_long_query_is_cut_and_said_so() -> None:
    text, notes = clean_query("word " * 20_000)
    assert len(text) == MAX_QUERY_CHARS
    assert "cut" in notes[0]


@settings(deadline=None, max_examples=40, suppress_health_check=list(HealthCheck))
@given(query=st.text(min_size=1, max_size=200), k=st.integers(0, 10**6))
def test_any_query_is_answered(work: Workspace, query: str, k: int) -> None:
    for mode in MODES:
        try:
            hits = work.search(query, mode=mode, k=k)
        except UsageError:
            return
        assert len(hits) <= k


def test_a_searcher_follows_the_index(tmp_path: Path) -> None:
    repo = GitRepo.init(tmp_path / "repo")
    repo.write("a.py", "def first():\n    return 1\n")
    repo.commit()
    work = Workspace.at(repo, config=Config())
    work.refresh()
    with Searcher.open(work.place, work.view) as searcher:
        assert searcher.search(SearchRequest("second", 5, SearchMode.SYMBOL)).hits == ()
        repo.write("b.py", "def second():\n    return 2\n")
        repo.commit()
        work.refresh()
        (hit,) = searcher.search(SearchRequest("second", 5, SearchMode.SYMBOL)).hits
    assert hit.path == b"b.py"


class _Model(FakeEmbedder):
    """A model that sleeps over each query, or fails."""

    delay_s = 0.0
    fails = False

    def embed_query(self, text: str) -> NDArray[np.float32]:
        time.sleep(self.delay_s)
        if self.fails:
            raise ModelError("the model fails")
        return super().embed_query(text)


def test_whichever_retriever_is_quicker_the_hits_are_the_same(work: Workspace) -> None:
    model = _Model("fake")
    place = replace(work.place, embedder=FixedEmbedder(model))
    found = []
    with Searcher.open(place, work.view) as searcher:
        for model.delay_s in (0.0, 0.05, 0.0):
            found.append([searcher.search(SearchRequest(query)).hits for query in QUERIES])
    assert found[0] == found[1] == found[2] == [work.search(query) for query in QUERIES]


def test_a_model_that_fails_says_so_and_leaves_the_searcher_usable(work: Workspace) -> None:
    model = _Model("fake")
    place = replace(work.place, embedder=FixedEmbedder(model))
    with Searcher.open(place, work.view) as searcher:
        model.fails = True
        with pytest.raises(ModelError, match="the model fails"):
            searcher.search(SearchRequest("retry token"))
        model.fails = False
        assert searcher.search(SearchRequest("retry token")).hits == work.search("retry token")


@pytest.mark.parametrize("line", [1, 17, 902, 1799])
def test_a_path_and_a_line_lead_to_that_line(tmp_path: Path, line: int) -> None:
    """Even in a file of more chunks that say the same than any retriever returns."""
    repo = GitRepo.init(tmp_path / "repo")
    functions = (f"def step_{n}(state):\n    return state.advance()\n\n\n" for n in range(450))
    repo.write("src/machine.py", "".join(functions))
    repo.write("src/engine.py", "from machine import step_1\n\nMACHINE = 'machine.py'\n")
    repo.commit()
    work = Workspace.at(repo)
    work.refresh()
    for query in (f"machine.py:{line}", f"src/machine.py#L{line}"):
        hit = work.search(query, k=1)[0]
        assert hit.path == b"src/machine.py"
        assert hit.span.start_line <= line <= hit.span.end_line
        assert f"line {line} lies here" in [reason.detail for reason in hit.reasons]
    assert work.search(f"machine.py:{line}", k=1, paths=("docs/**",)) == ()
