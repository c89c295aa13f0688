"""Score candidates by named features on top of the fused lists. Pure.

Every feature is in [0, 1] and leaves a reason, so that a hit can say why it stands where it does.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from sidelight.model import Reason, display_path
from sidelight.search.names import NameCover, stem_of
from sidelight.search.pathkind import PathKind, asked_kinds, path_kind
from sidelight.search.questionpaths import NamedPaths, named_line
from sidelight.search.weights import FeatureWeights
from sidelight.store.reader import ChunkInfo

Share = tuple[str, str, float]  # of a score: the kind of reason, its detail, the share
VERSION_FOLDER = re.compile(r"v(\d+)")


@dataclass(slots=True)
class Candidate:
    """A chunk on its way to being a hit."""

    chunk: ChunkInfo
    score: float
    shares: list[Share] = field(default_factory=list)

    def add(self, kind: str, value: float, weight: float, detail: str) -> None:
        """Add a feature's share to the score, and say so; nothing if the share is nought."""
        if value * weight:
            self.take([(kind, detail, value * weight)])

    def take(self, shares: Sequence[Share]) -> None:
        """Add features' shares to the score, one after the other, and keep what they are for."""
        for _, _, share in shares:
            self.score += share
        self.shares += shares

    @property
    def reasons(self) -> list[Reason]:
        """What the score is made of; put into words for the few that are shown."""
        return [Reason(kind, detail, round(share, 4)) for kind, detail, share in self.shares]


@dataclass(frozen=True, slots=True)
class FileSignals:
    """What else is known of files for one query: how well commit messages match and how much
    was done lately, by path, and which paths the query names."""

    messages: Mapping[bytes, float] = field(default_factory=dict)
    recent: Mapping[bytes, float] = field(default_factory=dict)
    named: NamedPaths = field(default_factory=NamedPaths)


@dataclass(frozen=True, slots=True)
class Scoring:
    """All that orders the candidates of one query but the weights."""

    chunks: Sequence[ChunkInfo]
    fused: Mapping[int, float]
    query: str
    names: NameCover
    files: FileSignals

    def candidates(self, weights: FeatureWeights) -> list[Candidate]:
        """Return the candidates, best first; see `score_candidates`."""
        return score_candidates(
            self.chunks, self.fused, self.query, self.names, self.files, weights
        )


def score_candidates(
    chunks: Sequence[ChunkInfo],
    fused: Mapping[int, float],
    query: str,
    names: NameCover,
    files: FileSignals,
    weights: FeatureWeights,
) -> list[Candidate]:
    """Return the candidates with features added, best first; ties: path, then line.

    The best chunk of each file also gets a share of its file's second and third: a file that
    matches in several places answers better than one that matches once. The others keep their own
    score, or the files that match best would crowd out the rest.
    """
    candidates = [Candidate(chunk, fused[chunk.id]) for chunk in chunks]
    by_file: defaultdict[bytes, list[Candidate]] = defaultdict(list)
    for candidate in candidates:
        by_file[candidate.chunk.path].append(candidate)
    paths = _PathFeatures(by_file, query, names, files, weights)
    line = named_line(query) if files.named else None
    for name, own in by_file.items():
        shares = paths.shares(name)
        for candidate in own:
            candidate.take(shares)
            if line and candidate.chunk.start_line <= line <= candidate.chunk.end_line:
                certainty = files.named.certainty(display_path(name))
                candidate.add("line", certainty, 2 * weights.mention, f"line {line} lies here")
            _add_definition(candidate, names, weights)
        if len(own) > 1:
            _support_best(own, weights)
    return sorted(candidates, key=order)


def _add_definition(candidate: Candidate, names: NameCover, weights: FeatureWeights) -> None:
    name = candidate.chunk.symbol
    if candidate.chunk.symbol_kind and (held := names.of_query(name)):
        candidate.add("definition", held, weights.definition, f"defines {name}")
        if weights.named:
            whole = names.of_name(name)
            candidate.add("named", whole, weights.named, f"the query speaks of {name}")


@dataclass(frozen=True, slots=True)
class _Path:
    """What a path says whatever is asked: as it is shown, the file's own name, the file's kind."""

    shown: str
    stem: str
    kind: PathKind
    version_folders: tuple[tuple[str, int], ...]


@lru_cache(maxsize=1 << 14)
def _read_path(path: bytes) -> _Path:
    shown = display_path(path)
    return _Path(shown, stem_of(shown), path_kind(path), _version_folders(shown))


class _PathFeatures:
    """What the paths of one query's candidates add to the scores of their chunks."""

    def __init__(
        self,
        paths: Iterable[bytes],
        query: str,
        names: NameCover,
        files: FileSignals,
        weights: FeatureWeights,
    ) -> None:
        self._query, self._names, self._files, self._weights = query, names, files, weights
        self._paths = {path: _read_path(path) for path in paths}
        self._names_paths = bool(files.named)
        self._asked = asked_kinds(query)
        self._loudest = max(files.messages.values(), default=0.0) or 1.0
        self._busiest = max(files.recent.values(), default=0.0) or 1.0
        self._latest: dict[str, int] = {}  # highest N of folders `vN`, by the folder that has them
        for path in self._paths.values():
            for parent, number in path.version_folders:
                self._latest[parent] = max(self._latest.get(parent, 0), number)

    def shares(self, name: bytes) -> list[Share]:
        """Return what the path adds to the score of each of the file's chunks."""
        path, names, files, weights = self._paths[name], self._names, self._files, self._weights
        shares: list[Share] = []
        if held := names.of_query(path.shown):
            shares.append(("path", "the path matches the query", held * weights.path))
        if held := names.of_name(path.stem):
            shares.append(("name", f"the file is called {path.stem}", held * weights.stem))
        if lately := files.recent.get(name):
            share = lately / self._busiest * weights.recent
            shares.append(("recent", "the file was changed lately", share))
        if told := files.messages.get(name):
            share = told / self._loudest * weights.message
            shares.append(("message", "commits that touched the file speak of it", share))
        if self._names_paths and (certainty := files.named.certainty(path.shown)):
            shares.append(("mention", "the query names the path", certainty * weights.mention))
        if path.kind is not PathKind.PRODUCTION and path.kind not in self._asked:
            shares.append(("kind", f"{path.kind} file", -weights.non_production))
        if path.version_folders and (newer := self._superseded_by(path)):
            shares.append(("version", f"there is a {newer}, too", -weights.superseded))
        return [share for share in shares if share[2]]

    def _superseded_by(self, path: _Path) -> str:
        """Return the name of a newer version's folder beside one of the path's own, unless the
        query names the old one."""
        for parent, number in path.version_folders:
            named = re.search(rf"\bv{number}\b", self._query, re.IGNORECASE)
            if number < self._latest.get(parent, number) and not named:
                return f"v{self._latest[parent]}"
        return ""


def order(candidate: Candidate) -> tuple[float, bytes, int]:
    """Return the key that sorts candidates: score, then path, then line."""
    chunk = candidate.chunk
    return -round(candidate.score, 6), chunk.path, chunk.start_line


def _support_best(own: Sequence[Candidate], weights: FeatureWeights) -> None:
    """Give the best of a file's candidates a share of its second and third."""
    best, *others = sorted(own, key=order)[:3]
    scores = [max(0.0, other.score) for other in others]
    share = sum(w * s for w, s in zip((weights.second, weights.third), scores, strict=False))
    best.add("file", share, 1.0, "other parts of the file match, too")


def _version_folders(path: str) -> tuple[tuple[str, int], ...]:
    folders = path.split("/")[:-1]
    found = []
    for depth, folder in enumerate(folders):
        match = VERSION_FOLDER.fullmatch(folder)
        if match and len(match[1]) < 4:
            found.append(("/".join(folders[:depth]), int(match[1])))
    return tuple(found)
