"""Terms of documents, queries and literals, and their hashes. Pure."""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache
from hashlib import blake2b

from sidelight.model import Chunk, ChunkKind
from sidelight.tokens.stopwords import STOP_WORDS
from sidelight.tokens.words import WORD_CLASS, bigrams, expand, fold

NAME_WEIGHT = 3  # MRR .669 → .693 on docstring queries against 1
PATH_WEIGHT = 2  # file nDCG@10 .724 → .744 by BM25 alone on the semble cases; 3 gave .740
HASH_CACHE = 1 << 17
LONGEST_CACHED = 100

_TOKEN_ASCII = re.compile(r"\w+(?:-\w+)*", re.ASCII)
_TOKEN = re.compile(rf"{WORD_CLASS}+(?:-{WORD_CLASS}+)*")
_WORD = re.compile(rf"{WORD_CLASS}+")
_IDENTIFIER = re.compile(r"[^\W\d]\w*")
# Han and kana that folding leaves alone: a pair of them is a term wherever it stands.
_PLAIN_UNSPACED = re.compile("[\u3041-\u3096\u30a1-\u30fa\u3400-\u4dbf\u4e00-\u9fff]+")
_MEMBER_LINES = re.compile(r"  \[\d+-\d+\]$", re.MULTILINE)


def document_terms(chunk: Chunk, path: bytes) -> dict[str, int]:
    """Return term → frequency of a chunk.

    Its text and header count once, its path twice, its name three times. Whatever word is in the
    text has all its terms here: nothing is left out for being common.
    """
    counts = _count_tokens(searched_text(chunk))
    if chunk.header:
        counts.update(_count_tokens(chunk.header))
    for text, weight in (
        (path.decode("utf-8", "replace"), PATH_WEIGHT),
        (chunk.symbol, NAME_WEIGHT),
    ):
        for token, n in _count_tokens(text).items():
            counts[token] += weight * n
    return _expand_counts(counts)


def query_terms(query: str) -> dict[str, int]:
    """Return term → frequency of a query, from the documents' own code.

    English stop words are dropped if anything else is left.
    """
    counts = _count_tokens(query)
    telling = Counter({t: n for t, n in counts.items() if t.lower() not in STOP_WORDS})
    return _expand_counts(telling or counts)


def text_terms(text: str) -> dict[str, int]:
    """Return term → frequency of any text, stop words included."""
    return _expand_counts(_count_tokens(text))


def searched_text(chunk: Chunk) -> str:
    """Return the text without the line numbers of an overview's members.

    They would be terms that mean nothing, and would embed the class anew whenever it moves.
    """
    if chunk.kind is ChunkKind.OVERVIEW:
        return _MEMBER_LINES.sub("", chunk.text)
    return chunk.text


@lru_cache(maxsize=HASH_CACHE)
def term_hash(term: str) -> int:
    """Return the term's unsigned 64-bit hash: BLAKE2b, 8 bytes, little-endian, of its UTF-8."""
    digest = blake2b(term.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "little")


def identifiers(text: str) -> frozenset[str]:
    """Return the whole identifiers of a text as they are written."""
    return frozenset(_IDENTIFIER.findall(text))


def literal_terms(query: str) -> frozenset[str]:
    """Return terms that the terms of every text containing `query` literally include.

    The first and last words may be parts of longer words there, so only words with a boundary on
    both sides count, and pairs of Han or kana. May be empty: then nothing can be ruled out.
    """
    terms: set[str] = set()
    for match in _WORD.finditer(query):
        if match.start() > 0 and match.end() < len(query):
            terms.update(expand(match.group()))
        else:
            terms.update(_inner_pairs(match.group()))
    return frozenset(terms)


def _inner_pairs(word: str) -> list[str]:
    """Return the pairs inside a cut word that stay pairs whatever is written around it."""
    pairs: list[str] = []
    for run in _PLAIN_UNSPACED.findall(word):
        text = run[:-1]  # a mark that follows may change the last character
        if len(text) > 1 and fold(text) == text:
            pairs += bigrams(text)
    return pairs


def _count_tokens(text: str) -> Counter[str]:
    pattern = _TOKEN_ASCII if text.isascii() else _TOKEN
    return Counter(pattern.findall(text))


def _expand_counts(tokens: Counter[str]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for token, n in tokens.items():
        # Digests and the like are many, long, and not met again: keep them out of the cache.
        terms = expand(token) if len(token) <= LONGEST_CACHED else expand.__wrapped__(token)
        for term in terms:
            counts[term] = counts.get(term, 0) + n
    return counts
