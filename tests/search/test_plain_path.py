"""Quick scoring and collapsing equal the plain ones, which compute all anew and in the open."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import fields, replace

from hypothesis import given
from hypothesis import strategies as st

from sidelight.model import RankedList, display_path
from sidelight.search.collapse import ALIKE, ALIKE_LEAST_TERMS, LOOK_BACK, collapse
from sidelight.search.features import Candidate, FileSignals, Share, order, score_candidates
from sidelight.search.finishing import explain_ranks
from sidelight.search.names import NameCover, stem_of
from sidelight.search.pathkind import PathKind, asked_kinds, path_kind
from sidelight.search.questionpaths import named_paths
from sidelight.search.weights import BY_KIND, FeatureWeights
from sidelight.store.reader import ChunkInfo
from sidelight.store.rows import TermSet, pack_terms

PATHS = (
    "src/parser.py",
    "src/v2/parser.py",
    "src/v3/parser.py",
    "api/v1/mod.rs",
    "api/v2/mod.rs",
    "tests/test_parser.py",
    "docs/guide.md",
    "examples/v1/parse_url.py",
    "vendor/url/index.js",
    "setup.py",
)
NAMES = ("parse_url", "Parser.parse", "UrlPool", "Pool.close", "", "close")
QUERIES = (
    "where is the url parsed when a pool is closed",
    "Parser.parse",
    "tests of the parser in v2",
    "src/v2/parser.py",
    "docs and examples: parse_url fails in api.mod",
)


def plain_shares(
    chunk: ChunkInfo,
    chunks: Sequence[ChunkInfo],
    query: str,
    names: NameCover,
    files: FileSignals,
    weights: FeatureWeights,
) -> list[Share]:
    """Return one chunk's shares with nothing remembered from another chunk or query."""
    path = display_path(chunk.path)
    told = files.messages.get(chunk.path, 0.0) / (max(files.messages.values(), default=0.0) or 1.0)
    lately = files.recent.get(chunk.path, 0.0) / (max(files.recent.values(), default=0.0) or 1.0)
    kind = path_kind(chunk.path)
    aside = kind is not PathKind.PRODUCTION and kind not in asked_kinds(query)
    newer = plain_newer(path, chunks, query)
    stem = stem_of(path)
    held = names.of_query(chunk.symbol) if chunk.symbol_kind else 0.0
    whole = names.of_name(chunk.symbol) if held else 0.0
    shares = [
        ("path", "the path matches the query", names.of_query(path) * weights.path),
        ("name", f"the file is called {stem}", names.of_name(stem) * weights.stem),
        ("recent", "the file was changed lately", lately * weights.recent),
        ("message", "commits that touched the file speak of it", told * weights.message),
        ("mention", "the query names the path", files.named.certainty(path) * weights.mention),
        ("kind", f"{kind} file", -weights.non_production if aside else 0.0),
        ("version", f"there is a {newer}, too", -weights.superseded if newer else 0.0),
        ("definition", f"defines {chunk.symbol}", held * weights.definition),
        ("named", f"the query speaks of {chunk.symbol}", whole * weights.named),
    ]
    return [share for share in shares if share[2]]


def plain_newer(path: str, chunks: Sequence[ChunkInfo], query: str) -> str:
    for match in re.finditer(r"(?:^|/)v(\d{1,3})/", path):
        siblings = re.compile(re.escape(path[: match.start(1)]) + r"(\d{1,3})/")
        found = [siblings.match(display_path(chunk.path)) for chunk in chunks]
        newest = max(int(other[1]) for other in found if other)
        if int(match[1]) < newest and not re.search(rf"\bv{int(match[1])}\b", query, re.I):
            return f"v{newest}"
    return ""


def plain_candidates(
    chunks: Sequence[ChunkInfo],
    fused: dict[int, float],
    query: str,
    names: NameCover,
    files: FileSignals,
    weights: FeatureWeights,
) -> list[Candidate]:
    found = []
    for chunk in chunks:
        score, shares = fused[chunk.id], plain_shares(chunk, chunks, query, names, files, weights)
        for _, _, share in shares:
            score += share
        found.append(Candidate(chunk, score, shares))
    for path in {chunk.path for chunk in chunks}:
        own = sorted((c for c in found if c.chunk.path == path), key=order)
        best, *others = own[:3]
        scores = [max(0.0, other.score) for other in others]
        share = sum(w * s for w, s in zip((weights.second, weights.third), scores, strict=False))
        if share:
            best.score += share
            best.shares.append(("file", "other parts of the file match, too", share))
    return sorted(found, key=order)


CHUNKS = st.lists(
    st.tuples(
        st.sampled_from(PATHS),
        st.sampled_from(NAMES),
        st.sampled_from([None, "function", "class"]),
        st.integers(0, 20).map(lambda n: n / 20),
    ),
    max_size=25,
)
SIGNALS = st.dictionaries(
    st.sampled_from(PATHS).map(str.encode), st.sampled_from([0.25, 1.0, 2.5]), max_size=6
)
WEIGHTS = st.one_of(
    st.sampled_from(list(BY_KIND.values())),
    st.sampled_from([f.name for f in fields(FeatureWeights)]).map(
        lambda name: replace(FeatureWeights(named=0.2, recent=0.2), **{name: 0.0})
    ),
)


@given(CHUNKS, st.sampled_from(QUERIES), SIGNALS, SIGNALS, WEIGHTS)
def test_candidates_equal_those_of_the_plain_path_to_the_last_bit(
    rows: list[tuple[str, str, str | None, float]],
    query: str,
    messages: dict[bytes, float],
    recent: dict[bytes, float],
    weights: FeatureWeights,
) -> None:
    chunks = [
        ChunkInfo(at, 0, at, path.encode(), b"", "x", "k", name, kind, 0, 1, at, at, None, "")
        for at, (path, name, kind, _) in enumerate(rows)
    ]
    fused = {at: score for at, (*_, score) in enumerate(rows)}
    terms = {"parser": 2.0, "url": 1.5, "pool": 1.0, "close": 0.7, "pars": 0.3}
    names = NameCover(terms, dict.fromkeys(terms, 1.0))
    files = FileSignals(messages, recent, named_paths(query))
    quick = score_candidates(chunks, fused, query, names, files, weights)
    plain = plain_candidates(chunks, fused, query, names, files, weights)
    assert [(c.chunk.id, c.score, c.shares) for c in quick] == [
        (c.chunk.id, c.score, c.shares) for c in plain
    ]


def plain_collapse(
    candidates: Sequence[Candidate], k: int, terms: dict[int, frozenset[int]]
) -> list[list[int]]:
    """Return each hit's chunks, the best first; every pair of sets is compared."""
    groups: list[list[Candidate]] = []
    taken: list[Candidate] = []
    for at, one in enumerate(candidates):
        own = [other.chunk for other in taken if other.chunk.path == one.chunk.path]
        if any(one.chunk.span.overlaps_lines(chunk.span) for chunk in own):
            continue
        twins = [group for group in groups[-LOOK_BACK:] if plain_alike(one, group[0], terms)]
        if twins:
            twins[0].append(one)
            taken.append(one)
        elif len(groups) < k:
            groups.append([one])
            taken.append(one)
        elif all(len(group) > 1 for group in groups):
            break
        if len(groups) == k and at == min(len(candidates), 3 * k) - 1:
            break
    return [[one.chunk.id for one in group] for group in groups]


def plain_alike(one: Candidate, two: Candidate, terms: dict[int, frozenset[int]]) -> bool:
    a, b = terms[one.chunk.id], terms[two.chunk.id]
    if len(a) < ALIKE_LEAST_TERMS or one.chunk.path == two.chunk.path:
        return False
    return one.chunk.language == two.chunk.language and len(a & b) / len(a | b) >= ALIKE


@given(
    st.lists(
        st.tuples(
            st.sampled_from(PATHS),
            st.integers(1, 12),
            st.integers(0, 3),
            st.sampled_from(["python", "rust"]),
            st.integers(0, 9),  # terms are a stretch of the numbers, from here …
            st.sampled_from([11, 12, 17, 20, 23, 100, 117]),  # … so many: 17 is .85 of 20
        ),
        max_size=30,
    ),
    st.integers(0, 6),
)
def test_hits_equal_those_of_the_plain_path(
    rows: list[tuple[str, int, int, str, int, int]], k: int
) -> None:
    found, terms = [], {}
    for at, (path, first, length, language, start, size) in enumerate(rows):
        place = (0, 1, first, first + length)
        names = (path.encode(), b"", language, "k", f"{at}", None)
        found.append(Candidate(ChunkInfo(at, 0, at, *names, *place, None, ""), 1 - at / 100))
        terms[at] = frozenset(range(start, start + size))
    packed = {at: TermSet(pack_terms(dict.fromkeys(own, 1))) for at, own in terms.items()}
    hits = collapse(found, k, packed.__getitem__)
    groups = plain_collapse(found, k, terms)
    assert [hit.score for hit in hits] == [round(1 - group[0] / 100, 6) for group in groups]
    for hit, group in zip(hits, groups, strict=True):
        paths = {rows[at][0].encode() for at in group}
        assert int(hit.symbol) in group
        assert set(hit.alike) == paths - {hit.path}


def test_a_candidate_says_which_retriever_found_it_where_and_how_well() -> None:
    chunk = ChunkInfo(7, 0, 0, b"a.py", b"", "x", "k", "", None, 0, 1, 1, 1, None, "")
    lists = [
        RankedList("bm25", (3, 7), (2.0, 1.5), 10),
        RankedList("symbol", (3,), (1.0,), 10),
        RankedList("dense", (7,), (0.5,), 10),
    ]
    candidate = Candidate(chunk, 1.0, [("path", "the path matches the query", 0.1)])
    explain_ranks([candidate], lists)
    assert candidate.shares == [
        ("bm25", "rank 2", 1.5),
        ("dense", "rank 1", 0.5),
        ("path", "the path matches the query", 0.1),
    ]
