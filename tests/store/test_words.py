"""Which chunks hold all of some words: asked of a few chunks, or of all."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

from helpers.gitrepo import GitRepo
from helpers.workspace import Workspace
from sidelight.search import Searcher
from sidelight.store.corpus import rows_with_all, which_with_all
from sidelight.tokens import term_hash

WORDS = ("retry", "token", "queue", "absent")


def test_a_few_chunks_are_told_as_all_are_in_a_snapshot_and_beside_it(tmp_path: Path) -> None:
    repo = GitRepo.init(tmp_path / "repo")
    for at, words in enumerate(combinations(WORDS[:3], 2)):
        repo.write(f"old{at}.py", f"def first():\n    return {' + '.join(words)}\n")
    repo.commit()
    work = Workspace.at(repo)
    work.refresh()
    work.publish()
    repo.write("old0.py", "def changed():\n    return retry + token + queue\n")
    repo.write("new.py", "def fresh():\n    return token + queue\n")
    repo.commit()
    work.refresh()
    with Searcher.open(work.place, work.view) as searcher:
        corpus = searcher.corpus
        assert corpus.n_snapshot
        assert corpus.has_dead
        assert len(corpus.delta.lengths)
        live = corpus.ids[corpus.live].tolist()
        for size in range(len(WORDS) + 1):
            for words in combinations(WORDS, size):
                terms = {term_hash(word) for word in words}
                whole = set(rows_with_all(corpus, terms, corpus.live).tolist())
                expected = [chunk_id for chunk_id in reversed(live) if chunk_id in whole]
                assert which_with_all(corpus, terms, list(reversed(live))) == expected
        assert which_with_all(corpus, {term_hash("retry")}, []) == []
