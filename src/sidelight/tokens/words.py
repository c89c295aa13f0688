"""Split one token into terms: folded, taken apart, stemmed. Pure; every answer is cached.

A token is a maximal run of word characters of the raw text. What it becomes depends on nothing
around it: exact search rests on that (`terms.literal_terms`).
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from itertools import pairwise
from typing import Protocol, cast

import Stemmer

MAX_TOKEN = 64  # longer ones are hashes, base64 or names of tests: only the latter have words
MAX_NUMBER = 20  # digits of the largest unsigned 64-bit number
CACHE_SIZE = 1 << 16  # distinct tokens kept; about 15 MB when full

# Marks that Python's `\w` leaves out although they stand inside words (Latin, Hebrew, Arabic,
# Indic, Thai, Lao, Myanmar, Khmer, kana); the danda, U+0964 and U+0965, is punctuation.
_MARKS = (
    "\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u064b-\u065f\u0670"
    "\u0900-\u0963\u0966-\u0dff\u0e00-\u0eff\u1000-\u1049\u1780-\u17d3\u3099\u309a"
)
WORD_CLASS = rf"[\w{_MARKS}]"
# Scripts written without spaces (and Hangul, whose particles stick to their words): bigrams.
_UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17d3\u2e80-\u2fdf\u3005-\u3007\u3040-\u30ff"
    "\u3105-\u312f\u3131-\u318e\u31a0-\u31bf\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff"
    "\ua960-\ua97c\uac00-\ud7fb\uf900-\ufaff\uff66-\uff9d\U00020000-\U0003ffff"
)
_SEGMENT = re.compile(rf"(?P<unspaced>[{_UNSPACED}]+)|(?:(?![{_UNSPACED}]){WORD_CLASS})+")
_LATIN_MARKS = re.compile("[\u0300-\u036f]+")

# IPv4 | URLs | HTTP(Server) | Server, server | 42
_PART = re.compile(r"IPv\d+|[A-Z]{2,}s(?![a-z])|[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+", re.ASCII)
_WRITTEN_PART = re.compile(r"[A-Z]{2,}s(?![a-z])|[A-Z]+(?![a-z])\d*|[A-Z]?[a-z]+\d*|\d+")
_HEX_LITERAL = re.compile(r"0[xX][0-9a-fA-F]+")
_DIGITS = re.compile(r"\d+", re.ASCII)


class _EnglishStemmer(Protocol):
    def stemWord(self, word: str) -> str: ...  # noqa: N802 - PyStemmer's name


@lru_cache(maxsize=1)
def _stemmer() -> _EnglishStemmer:
    # Its own cache would hold what `expand` holds already.
    return cast("_EnglishStemmer", Stemmer.Stemmer("english", 0))


def fold(text: str) -> str:
    """Return the text in NFKC with Latin, Greek and Cyrillic accents removed; case is kept."""
    bare = _LATIN_MARKS.sub("", unicodedata.normalize("NFKD", text))
    return unicodedata.normalize("NFKC", bare)


@lru_cache(maxsize=CACHE_SIZE)
def expand(token: str) -> tuple[str, ...]:
    """Return the terms of one token, without repetition, the whole one first.

    `HTTPServer` → httpserver, http, server; `parseURL2` → parseurl2, pars, url, url2, 2;
    `ERR_0x80` → err_0x80, err, 0x80; `retries` → retries, retri; `no-hook` → no-hook, no, hook.
    """
    if "-" in token:
        return _kebab_terms(token)
    if token.isascii():
        return tuple(dict.fromkeys(_ascii_terms(token)))
    terms: list[str] = []
    for segment in _SEGMENT.finditer(fold(token)):
        run = segment.group()
        if segment["unspaced"]:
            terms += bigrams(run)
        elif run.isascii():
            terms += _ascii_terms(run)
        else:
            terms += _foreign_terms(run)
    return tuple(dict.fromkeys(terms))


def split_parts(token: str) -> list[str]:
    """Return the words inside an identifier as they are written; digits stay with their word."""
    if not token.isascii():
        return [part for part in re.split(r"[_\-]+", token) if part]
    return _WRITTEN_PART.findall(token)


def bigrams(run: str) -> list[str]:
    """Return the overlapping pairs of a run of unspaced script; a lone character stays."""
    return [a + b for a, b in pairwise(run)] or [run]


def _kebab_terms(token: str) -> tuple[str, ...]:
    pieces = token.split("-")
    terms: list[str] = []
    # `max-width` is a name; `i-1`, `a-b` and dates are not.
    if len(token) <= MAX_TOKEN and all(len(p) > 1 and p[0].isalpha() for p in pieces):
        terms.append(fold(token).casefold())
    for piece in pieces:
        terms += expand(piece)
    return tuple(dict.fromkeys(terms))


def _foreign_terms(run: str) -> list[str]:
    folded = run.casefold()
    if folded.isascii():  # ß
        return _ascii_terms(folded)
    if len(folded) > MAX_TOKEN:
        return []
    parts = [part for part in folded.split("_") if part]
    return parts if parts == [folded] else [folded, *parts]


def _ascii_terms(token: str) -> list[str]:
    whole = token.lower()
    if whole.isalpha() and (token.islower() or len(token) < 3):
        if len(whole) > MAX_TOKEN:
            return []
        return [whole, _stem(whole)]
    if whole.isdigit():
        return [whole] if len(whole) <= MAX_NUMBER else []
    segments = [segment for segment in token.split("_") if segment]
    parts: list[str] = []
    words = 0
    for segment in segments:
        found, letters = _segment_parts(segment)
        parts += found
        words += letters
    wordy = words * 10 >= len(token) * 6
    if len(token) > MAX_TOKEN:
        return [whole, *parts] if wordy else []
    if not parts or (len(token) >= 20 and not wordy):
        return [whole] if segments else []
    return [whole, *parts]


def _segment_parts(segment: str) -> tuple[list[str], int]:
    """Return a segment's terms, and how many of its characters stand in words of three or more."""
    if _HEX_LITERAL.fullmatch(segment):
        return [segment.lower()], 0
    if len(_DIGITS.findall(segment)) > 2:  # a digest, an identifier of a machine
        return ([segment.lower()] if len(segment) <= MAX_TOKEN else []), 0
    terms: list[str] = []
    letters = 0
    before = ""  # the word directly before, when a number follows it: `utf` of `utf8`
    for found in _PART.findall(segment):
        part = found.lower()
        if part[0].isdigit():
            if len(part) <= MAX_NUMBER:
                # `v2`, `E0382` are one thing; `url2` is also `url` and `2`.
                terms += [before + part] if len(before) == 1 else [part, *_joined(before, part)]
            before = ""
            continue
        if len(before) == 1:
            terms.append(before)
        before = part
        if len(part) > 1:
            terms.append(_stem(part))
            letters += len(part) if len(part) > 2 else 0
    if len(before) == 1:
        terms.append(before)
    return terms, letters


def _joined(before: str, number: str) -> list[str]:
    return [before + number] if before else []


def _stem(word: str) -> str:
    return _stemmer().stemWord(word) if len(word) > 2 else word
