"""Record what orders the candidates of questions, so that weights are fitted without asking again.

The very function of the product orders them; only copies are not collapsed here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from sidelight.config import Config
from sidelight.errors import SidelightError
from sidelight.evaluation.cases import CaseFile, QuestionCase
from sidelight.evaluation.engine import SearchEngine
from sidelight.evaluation.fitting import CUTOFF, Weights
from sidelight.evaluation.metrics import ndcg
from sidelight.evaluation.ports import Question
from sidelight.evaluation.repositories import Repositories
from sidelight.evaluation.runner import Event, Failure, refuse_cache_inside
from sidelight.evaluation.weightfile import as_mapping
from sidelight.indexing.place import EmbedderSource
from sidelight.search.features import Scoring
from sidelight.search.question import QueryKind
from sidelight.search.weights import FeatureWeights, weights_for

AT_RETRIEVAL = ("title", "prose", "code")  # decide what is found, and are not fitted
FAINT = 1e-9  # asks for a signal that has no weight yet
HITS = 100  # as `eval run` asks for
RECORD = "record"  # what failures name instead of a mode


@dataclass(frozen=True, slots=True)
class RecordedQuestion:
    """A question with its candidates and the paths that were wanted."""

    id: str
    repo: str
    kind: QueryKind
    scoring: Scoring
    wanted: frozenset[bytes]
    base: FeatureWeights
    time: int = 0

    def ndcg(self, weights: Weights) -> float:
        """Return nDCG@10 of the wanted files, each at the place of its best chunk."""
        ordered = self.scoring.candidates(replace(self.base, **dict(weights)))
        files = dict.fromkeys(candidate.chunk.path for candidate in ordered)
        ranks = [rank for rank, path in enumerate(files, 1) if path in self.wanted]
        return ndcg(ranks, len(self.wanted), k=CUTOFF)


@dataclass(frozen=True, slots=True)
class Recording:
    """Where questions are asked, and with which settings."""

    config: Config
    embedder: EmbedderSource
    weights: FeatureWeights
    repos: Repositories
    cache: Path
    on_event: Callable[[Event], None] = lambda _event: None


def record_questions(
    files: Sequence[CaseFile], settings: Recording
) -> tuple[list[RecordedQuestion], list[Failure]]:
    """Return the questions with their candidates, and those that could not be asked.

    Raises:
        UsageError: the cache lies inside a repository that would be evaluated.
    """
    cases = [case for file in files for case in file.cases if isinstance(case, QuestionCase)]
    faint = {name: FAINT for name in ("message", "recent") if not getattr(settings.weights, name)}
    engine = SearchEngine(settings.config, settings.embedder, replace(settings.weights, **faint))
    recorded: list[RecordedQuestion] = []
    failures: list[Failure] = []
    by_tree: dict[tuple[str, str], list[QuestionCase]] = {}
    for case in cases:
        by_tree.setdefault((case.repo, case.base), []).append(case)
    for (repo, base), own in by_tree.items():
        try:
            recorded += _record_tree(engine, repo, base, own, settings)
        except SidelightError as error:
            failures += [Failure(case.id, repo, RECORD, error.message) for case in own]
        done = len(recorded) + len(failures)
        settings.on_event(Event(done, len(cases), f"{repo} {base[:10]} recorded"))
    return recorded, failures


def start_of(recorded: Sequence[RecordedQuestion], base: FeatureWeights) -> dict[str, float]:
    """Return the weights to begin with: those of the kind that most of the questions are."""
    kinds = Counter(question.kind for question in recorded)
    kind = kinds.most_common(1)[0][0] if kinds else QueryKind.QUESTION
    weights = as_mapping(weights_for(kind, base))
    return {name: value for name, value in weights.items() if name not in AT_RETRIEVAL}


def _record_tree(
    engine: SearchEngine,
    repo: str,
    base: str,
    cases: Sequence[QuestionCase],
    settings: Recording,
) -> list[RecordedQuestion]:
    git_dir = settings.repos.find(repo)
    if git_dir is None:
        raise SidelightError(f"no git repository of {repo} below {settings.repos}")
    refuse_cache_inside(settings.cache, git_dir)
    store = settings.cache / "stores" / repo.replace("/", "+")

    def progress(stage: str, done: int, total: int) -> None:
        settings.on_event(Event(0, len(cases), f"{repo} {base[:10]}: {stage} {done}/{total}"))

    recorded = []
    with engine.open_tree(git_dir, base, store, progress) as tree:
        for case in cases:
            kind, scoring = tree.scoring(Question(case.query, case.root), k=HITS)
            wanted = frozenset(target.path for target in case.targets)
            recorded.append(
                RecordedQuestion(case.id, repo, kind, scoring, wanted, settings.weights)
            )
    return recorded
