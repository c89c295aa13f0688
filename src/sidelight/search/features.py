"""Score candidates by named features on top of the fused lists. Pure.

Every feature is in [0, 1] and leaves a reason, so that a hit can say why it stands where it does.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from sidelight.model import Reason, display_path
from sidelight.search.names import NameCover, stem_of
from sidelight.search.pathkind import PathKind, asked_kinds, path_kind
from sidelight.search.questionpaths import NamedPaths
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
            self.take((kind, detail, value * weight))

    def take(self, share: Share) -> None:
        """Add a feature's share to the score, and keep what it is for."""
        self.score += share[2]
        self.shares.append(share)

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
    asked = asked_kinds(query)
    latest = _latest_versions(chunks)
    loudest = max(files.messages.values(), default=0.0) or 1.0
    busiest = max(files.recent.values(), default=0.0) or 1.0
    of_paths: dict[bytes, list[Share]] = {}
    candidates = []
    for chunk in chunks:
        candidate = Candidate(chunk, fused[chunk.id])
        candidates.append(candidate)
        own = of_paths.get(chunk.path)
        if own is None:
            own = of_paths[chunk.path] = _path_shares(
                chunk.path, query, names, weights, asked, latest, files, (loudest, busiest)
            )
        for share in own:
            candidate.take(share)
        if chunk.symbol_kind and (held := names.of_query(chunk.symbol)):
            candidate.add("definition", held, weights.definition, f"defines {chunk.symbol}")
            whole = names.of_name(chunk.symbol)
            candidate.add("named", whole, weights.named, f"the query speaks of {chunk.symbol}")
    _support_best(candidates, weights)
    return sorted(candidates, key=order)


def _path_shares(
    name: bytes,
    query: str,
    names: NameCover,
    weights: FeatureWeights,
    asked: frozenset[PathKind],
    latest: Mapping[str, int],
    files: FileSignals,
    most: tuple[float, float],
) -> list[Share]:
    """Return what a file's path adds to the score of each of its chunks.

    `most` are the highest values among the candidates of what messages and recent work say.
    """
    path = display_path(name)
    stem = stem_of(path)
    shares = [
        ("path", "the path matches the query", names.of_query(path) * weights.path),
        ("name", f"the file is called {stem}", names.of_name(stem) * weights.stem),
    ]
    told = files.messages.get(name, 0.0) / most[0]
    recent = files.recent.get(name, 0.0) / most[1] * weights.recent
    shares.append(("recent", "the file was changed lately", recent))
    shares.append(("message", "commits that touched the file speak of it", told * weights.message))
    if files.named:
        named = files.named.certainty(path) * weights.mention
        shares.append(("mention", "the query names the path", named))
    kind = path_kind(name)
    if kind is not PathKind.PRODUCTION and kind not in asked:
        shares.append(("kind", f"{kind} file", -weights.non_production))
    newer = _superseded_by(path, latest, query) if latest else ""
    if newer:
        shares.append(("version", f"there is a {newer}, too", -weights.superseded))
    return [share for share in shares if share[2]]


def order(candidate: Candidate) -> tuple[float, bytes, int]:
    """Return the key that sorts candidates: score, then path, then line."""
    chunk = candidate.chunk
    return -round(candidate.score, 6), chunk.path, chunk.span.start_line


def _support_best(candidates: Sequence[Candidate], weights: FeatureWeights) -> None:
    by_file: defaultdict[bytes, list[Candidate]] = defaultdict(list)
    for candidate in candidates:
        by_file[candidate.chunk.path].append(candidate)
    for own in by_file.values():
        if len(own) == 1:
            continue
        best, *others = sorted(own, key=order)[:3]
        scores = [max(0.0, other.score) for other in others]
        share = sum(w * s for w, s in zip((weights.second, weights.third), scores, strict=False))
        best.add("file", share, 1.0, "other parts of the file match, too")


def _latest_versions(chunks: Sequence[ChunkInfo]) -> dict[str, int]:
    """Return the highest N of the folders `vN` beside each other, by the folder that holds them."""
    latest: dict[str, int] = {}
    for path in {chunk.path for chunk in chunks}:
        for parent, number in _version_folders(display_path(path)):
            latest[parent] = max(latest.get(parent, 0), number)
    return latest


def _superseded_by(path: str, latest: Mapping[str, int], query: str) -> str:
    """Return the name of a newer version's folder beside one of the path's own, unless the query
    names the old one."""
    for parent, number in _version_folders(path):
        named = re.search(rf"\bv{number}\b", query, re.IGNORECASE)
        if number < latest.get(parent, number) and not named:
            return f"v{latest[parent]}"
    return ""


@lru_cache(maxsize=1 << 16)
def _version_folders(path: str) -> tuple[tuple[str, int], ...]:
    folders = path.split("/")[:-1]
    found = []
    for depth, folder in enumerate(folders):
        match = VERSION_FOLDER.fullmatch(folder)
        if match and len(match[1]) < 4:
            found.append(("/".join(folders[:depth]), int(match[1])))
    return tuple(found)
