"""Digests that keep stored results and stores with the code that made them."""

from __future__ import annotations

from pathlib import Path

from sidelight.evaluation.identity import indexing_sources, ranking_sources, source_digest


def test_digest_follows_settings_and_every_content(tmp_path: Path) -> None:
    a, b = tmp_path / "a.py", tmp_path / "b.py"
    a.write_text("x")
    b.write_text("yz")
    first = source_digest("s", [a, b])
    assert first == source_digest("s", [a, b])
    assert first != source_digest("t", [a, b])
    a.write_text("xy")
    b.write_text("z")
    assert first != source_digest("s", [a, b])


def test_sources_cover_what_ranks_and_what_indexes() -> None:
    ranking = {path.name for path in ranking_sources()}
    indexing = {path.name for path in indexing_sources()}
    assert {"searcher.py", "config.py"} <= ranking
    assert any(name.endswith(".scm") for name in indexing)
    assert {"refresh.py", "config.py"} <= indexing
    assert indexing < ranking
    assert "runner.py" not in ranking
    assert "searcher.py" not in indexing
