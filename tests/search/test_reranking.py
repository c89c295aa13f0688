"""A reranker reads the first hits of a hybrid search, if one is given or configured."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from helpers.gitrepo import GitRepo
from helpers.tiny_reranker import write_reranker
from helpers.workspace import Workspace
from sidelight.config import Config, SearchConfig, parse_config
from sidelight.errors import ConfigError, ModelError
from sidelight.search import Searcher, SearchMode, SearchRequest

QUERY = "where is the cache filled"
CODE = "def cache_{0}():\n    return fill({0}, 'n{0}')\n"
FILES = {f"src/part{i}.py": CODE.format(i) for i in range(1, 5)}


class Reading:
    """Gives each text the number of the part that it is of, and keeps what it was given."""

    name = "reading"

    def __init__(self) -> None:
        self.texts: list[str] = []

    def score(self, query: str, texts: Sequence[str]) -> NDArray[np.float32]:
        assert query == QUERY
        self.texts += texts
        return np.asarray([float(text.split("part")[1][0]) for text in texts], np.float32)


@pytest.fixture(scope="module")
def work(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    repo = GitRepo.init(tmp_path_factory.mktemp("rerank") / "repo")
    for path, text in FILES.items():
        repo.write(path, text)
    repo.commit("parts")
    work = Workspace.at(repo)
    work.refresh()
    return work


def paths(work: Workspace, reranker: Reading | None, **search: object) -> list[str]:
    config = replace(work.place.config.search, **search)  # type: ignore[arg-type]
    place = replace(work.place, config=replace(work.place.config, search=config))
    with Searcher.open(place, work.view, reranker=reranker) as searcher:
        return [hit.path.decode() for hit in searcher.search(SearchRequest(QUERY)).hits]


def test_the_order_is_the_rerankers_as_far_as_its_share_says(work: Workspace) -> None:
    by_part = [f"src/part{i}.py" for i in "4321"]
    plain = paths(work, None)
    assert sorted(plain, reverse=True) == by_part
    assert paths(work, Reading(), rerank_share=1.0) == by_part
    assert paths(work, Reading(), rerank_share=0.0) == plain


def test_only_the_first_hits_are_read_and_they_stay_ahead(work: Workspace) -> None:
    plain, reading = paths(work, None), Reading()
    mixed = paths(work, reading, rerank_most=2, rerank_share=1.0)
    assert len(reading.texts) == 2
    assert sorted(mixed[:2]) == sorted(plain[:2])
    assert mixed[2:] == plain[2:]


def test_the_model_reads_path_name_and_code_and_its_hits_say_so(work: Workspace) -> None:
    reading = Reading()
    with Searcher.open(work.place, work.view, reranker=reading) as searcher:
        first, *_ = searcher.search(SearchRequest(QUERY)).hits
    text = next(text for text in reading.texts if text.startswith(first.path.decode()))
    assert first.symbol in text
    assert "return fill(" in text
    (reason,) = [reason for reason in first.reasons if reason.kind == "rerank"]
    assert reason.detail.startswith("reading gives ")


def test_other_modes_are_not_reranked(work: Workspace) -> None:
    reading = Reading()
    with Searcher.open(work.place, work.view, reranker=reading) as searcher:
        assert searcher.search(SearchRequest(QUERY, mode=SearchMode.BM25)).hits
    assert reading.texts == []


def test_the_configuration_names_a_folder(work: Workspace, tmp_path: Path) -> None:
    folder = write_reranker(tmp_path / "tiny", max_tokens=64)
    with_it = paths(work, None, rerank=str(folder), rerank_share=1.0)
    assert sorted(with_it) == sorted(paths(work, None))
    (folder / "model.onnx").write_bytes(b"another")
    with pytest.raises(ModelError, match="not the file"):
        paths(work, None, rerank=str(folder))
    assert paths(work, None, rerank="") == paths(work, None)


def test_a_relative_folder_is_refused() -> None:
    assert Config().search == SearchConfig(rerank="")
    with pytest.raises(ConfigError, match="absolute"):
        parse_config({"search": {"rerank": "models/mine"}}, "test")
    with pytest.raises(ConfigError, match="between 0 and 1"):
        parse_config({"search": {"rerank_share": 1.5}}, "test")
