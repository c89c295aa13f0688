"""Say why a file is related, in words a reviewer can check. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sidelight.history.past import CoChange
from sidelight.model import Reason, display_path
from sidelight.related.definitions import Definition
from sidelight.related.rank import RankedFile

SHOWN_WORDS = 4
SHOWN_NAMES = 4
LEAST_TOGETHER = 2  # commits; one common commit is no habit


def explain(
    ranked: RankedFile,
    definitions: Sequence[Definition],
    cochange: CoChange | None,
    words: Sequence[str],
    scope: str,
) -> tuple[Reason, ...]:
    """Return the reasons of a file, the heaviest first; what took something off comes last."""
    details = {
        "mix": "shares " + ", ".join(f"`{word}`" for word in words[:SHOWN_WORDS]),
        "message": "commits with words of this title touched it",
        "cochange": _together(cochange),
        "title_path": "the title's words are in its path",
        "import_walk": "near the changed files in the import graph",
        "defines": "defines " + _names(definitions),
        "recent": "changed lately",
        "scope": f"lies in the scope `{scope}` of the title",
        "test": "is a test",
        "off_kind": "is of another kind than the changed files",
    }
    reasons = [
        Reason(name, details[name], round(share, 4))
        for name, share in ranked.shares.items()
        if details.get(name) and abs(share) >= 0.0005
    ]
    return tuple(sorted(reasons, key=lambda reason: (-reason.weight, reason.kind)))


def telling_words(
    terms: Mapping[str, float], idf: Mapping[str, float], held: Sequence[str]
) -> list[str]:
    """Return the terms of the diff that a chunk holds, the heaviest and rarest first."""
    found = [term for term in held if terms.get(term, 0.0) > 0 and not term.isdigit()]
    return sorted(found, key=lambda term: (-terms[term] * idf.get(term, 0.0), term))


def _together(cochange: CoChange | None) -> str:
    if cochange is None or cochange.together < LEAST_TOGETHER:
        return "changed together with the changed files before"
    partner = display_path(cochange.partner)
    return f"changed together with {partner} in {cochange.together} of {cochange.of} commits"


def _names(definitions: Sequence[Definition]) -> str:
    names = list(dict.fromkeys(definition.qualified_name for definition in definitions))
    more = f" and {len(names) - SHOWN_NAMES} more" if len(names) > SHOWN_NAMES else ""
    shown = ", ".join(f"`{name}`" for name in names[:SHOWN_NAMES])
    return f"{shown}{more}, used in changed lines" if names else ""
