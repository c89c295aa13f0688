"""Say why a file is related, in words a reviewer can check. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from sidelight.focal import FocalSet
from sidelight.graph import Edge
from sidelight.history.past import CoChange
from sidelight.model import Reason, display_path
from sidelight.related.definitions import Definition
from sidelight.related.evidence import SURENESS
from sidelight.related.rank import RankedFile
from sidelight.related.signals import Signals
from sidelight.related.sweeps import Overlap
from sidelight.tokens import text_terms
from sidelight.tokens.stopwords import STOP_WORDS

SHOWN_WORDS = 4
SHOWN_NAMES = 4
LEAST_TOGETHER = 2  # commits; one common commit is no habit
LEAST_SHARE = 0.0005  # of a score; less is not worth a reason
LEAST_COPIED = 0.1  # of the lines; a licence and imports are as much
LEAST_IDF = 3.0  # of a word worth quoting: it is in less than one chunk of twenty
LEAST_WORD = 2  # characters
STOP_STEMS = frozenset(part for word in STOP_WORDS for part in text_terms(word))


@dataclass(frozen=True, slots=True)
class Background:
    """What the reasons of all hits are made from; `definitions` by file number."""

    signals: Signals
    focal: FocalSet
    definitions: Mapping[int, Sequence[Definition]]


def explain(
    ranked: RankedFile, path: bytes, background: Background, words: Sequence[str]
) -> tuple[Reason, ...]:
    """Return the reasons of a file, the heaviest first; what took something off comes last."""
    signals, focal = background.signals, background.focal
    overlap = signals.overlaps.get(path, Overlap())
    details = {
        "mix": "shares " + ", ".join(f"`{word}`" for word in words[:SHOWN_WORDS])
        if words
        else "shares words",
        "structure": "imports connect it with the changed files",
        "message": "commits with words of this title touched it",
        "cochange": _together(signals.cochange.get(path)),
        "title_path": "the title's words are in its path",
        "import_walk": _near(path, signals),
        "uses": _uses(signals.evidence.uses.get(path, ())),
        "defines": _names(background.definitions.get(ranked.file, ())),
        "named": "changed lines name it",
        "path_like": "its path resembles a changed file's",
        "beside": "lies near the changed files",
        "swept": _swept(overlap, signals.idf),
        "gone": _gone(overlap),
        "copied": _copied(overlap),
        "recent": "changed lately",
        "same_language": "is in a language of the diff",
        "scope": f"lies in the scope `{focal.scope}` of the title",
        "test": "is a test",
        "off_kind": "is of another kind than the changed files",
    }
    reasons = [
        Reason(name, details[name], round(share, 4))
        for name, share in ranked.shares.items()
        if details.get(name) and abs(share) >= LEAST_SHARE
    ]
    return tuple(sorted(reasons, key=lambda reason: (-reason.weight, reason.kind)))


def telling_words(
    terms: Mapping[str, float], idf: Mapping[str, float], held: Sequence[str]
) -> list[str]:
    """Return the terms of the diff that a chunk holds, the heaviest and rarest first.

    Stop words, digits and single letters are left out, and so is what another of them consists of
    or stems to: `total_seconds` is told, and not `total`, `second` and `seconds` beside it. A stem
    is told by the word of the diff that it is the stem of.
    """
    found = [
        term
        for term in held
        if terms.get(term, 0.0) > 0
        and len(term) >= LEAST_WORD
        and not term.isdigit()
        and term not in STOP_STEMS
    ]
    parts = {part for term in found for part in text_terms(term) if part != term}
    whole = [term for term in found if term not in parts]
    whole.sort(key=lambda term: (-terms[term] * idf.get(term, 0.0), term))
    return list(dict.fromkeys(_word_of(term, terms) for term in whole[:SHOWN_WORDS]))


def _word_of(term: str, terms: Iterable[str]) -> str:
    """Return the shortest word of the diff that has this stem, or the term if it is no stem."""
    start = term[:-1]  # stemming may change the last letter: `parties`, `parti`; `any`, `ani`
    words = (
        word
        for word in terms
        if word != term and word.startswith(start) and text_terms(word).keys() == {word, term}
    )
    return min(words, key=lambda word: (len(word), word), default=term)


def _together(cochange: CoChange | None) -> str:
    if cochange is None or cochange.together < LEAST_TOGETHER:
        return "changed together with the changed files before"
    partner = display_path(cochange.partner)
    return f"changed together with {partner} in {cochange.together} of {cochange.of} commits"


def _near(path: bytes, signals: Signals) -> str:
    importer = signals.evidence.imports.get(path)
    if importer is not None:
        return f"{display_path(importer)} imports it"
    return "near the changed files in the import graph"


def _uses(edges: Sequence[Edge]) -> str:
    """Name what a file uses, surest first, with the first line of each."""
    lines: dict[str, int] = {}
    for edge in sorted(edges, key=lambda edge: (-SURENESS[edge.confidence], edge.line)):
        lines.setdefault(edge.target.qualified_name, edge.line)
    shown = [f"`{name}` (line {line})" for name, line in list(lines.items())[:SHOWN_NAMES]]
    more = f" and {len(lines) - SHOWN_NAMES} more" if len(lines) > SHOWN_NAMES else ""
    return f"uses {', '.join(shown)}{more}, changed here" if shown else ""


def _swept(overlap: Overlap, idf: Mapping[str, float]) -> str:
    """Quote the runs that have a word of some rarity: `private static void` tells nothing."""
    runs = [[token.decode("utf-8", "replace") for token in gram] for gram in overlap.grams]
    rare = [run for run in runs if any(idf.get(w.lower(), 0.0) >= LEAST_IDF for w in run)]
    shown = ", ".join(f"`{' '.join(run)}`" for run in rare)
    if shown:
        return f"has code like the removed lines: {shown}"
    return "has runs of tokens like those removed" if runs else ""


def _gone(overlap: Overlap) -> str:
    shown = ", ".join(f"`{name.decode('utf-8', 'replace')}`" for name in overlap.names)
    return f"still has {shown}, gone from the changed files" if shown else ""


def _copied(overlap: Overlap) -> str:
    original = display_path(overlap.copy_of)
    if overlap.copied < LEAST_COPIED:
        return f"a few of its lines are also in {original}"
    return f"{overlap.copied:.0%} of its lines and those of {original} agree"


def _names(definitions: Sequence[Definition]) -> str:
    names = list(dict.fromkeys(definition.qualified_name for definition in definitions))
    more = f" and {len(names) - SHOWN_NAMES} more" if len(names) > SHOWN_NAMES else ""
    shown = ", ".join(f"`{name}`" for name in names[:SHOWN_NAMES])
    return f"defines {shown}{more}, used in changed lines" if names else ""
