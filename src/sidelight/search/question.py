"""Tell what kind of query a text is, and take an issue's text apart. Pure.

An issue says most in its first line; below it, templates, check lists, versions and logs say
little of where to look. `split_query` keeps what a person wrote, and apart from it the code.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from enum import StrEnum

from sidelight.search.questiontext import clean_prose, take_code_out, without_template
from sidelight.tokens import query_terms

ISSUE_WORDS = 60  # a longer text is no question any more
ISSUE_LINES = 3


class QueryKind(StrEnum):
    """What a query is, told by its form alone."""

    IDENTIFIER = "identifier"
    PATH = "path"
    ERROR = "error"
    QUESTION = "question"
    ISSUE = "issue"


LONG_KINDS = frozenset({QueryKind.ISSUE, QueryKind.ERROR})


@dataclass(frozen=True, slots=True)
class QueryParts:
    """A query taken apart: its first line, other prose, and code or logs. Any may be empty."""

    kind: QueryKind
    title: str
    prose: str = ""
    code: str = ""

    @property
    def text(self) -> str:
        """Title and prose: what a person says in words."""
        return f"{self.title}\n{self.prose}" if self.prose else self.title


_IDENTIFIER = re.compile(r"[@$]?[^\W\d]\w*[?!]?(?:(?:\.|::|#|->|\\)[^\W\d]\w*[?!]?)*(?:\(\))?")
_FILE_ENDING = re.compile(
    r"\.(?:py|pyi|js|mjs|cjs|jsx|ts|mts|cts|tsx|go|rs|java|kts?|scala|swift|c|h|cc|cpp|cxx|hh|hpp"
    r"|hxx|cs|rb|php|sh|bash|lua|md|rst|txt|toml|ya?ml|json|html|css|sql|proto|gradle|xml|cfg|ini)$"
)
_LINE_NUMBER = re.compile(r"(?::\d+){1,2}$|#L\d+(?:-L?\d+)?$")
_ERROR = re.compile(
    r"^(?:Traceback \(most recent call last\)|panic: |thread '.*' panicked at|fatal error: "
    r"|error(?:\[E?\d+\])?: |Exception in thread |Uncaught |Caused by: |undefined method "
    r"|(?:[\w.]+\.)?\w*(?:Error|Exception|Warning|Failure|Fault)\b(?:: |:?$| in | at ))",
    re.MULTILINE,
)
_FENCE = re.compile(r"^(?:```|~~~)", re.MULTILINE)


def query_kind(text: str) -> QueryKind:
    """Return the kind: by its form if it is one word, else by errors, length and lines."""
    stripped = text.strip()
    if not re.search(r"\s", stripped):
        return _kind_of_word(stripped)
    lines = [line for line in stripped.splitlines() if line.strip()]
    words = len(stripped.split())
    if _ERROR.match(stripped) and (words <= ISSUE_WORDS or _is_log(lines)):
        return QueryKind.ERROR
    if words > ISSUE_WORDS or len(lines) >= ISSUE_LINES or _FENCE.search(stripped):
        return QueryKind.ISSUE
    return QueryKind.QUESTION


def split_query(text: str) -> QueryParts:
    """Return the query's kind and parts; only issues and errors are taken apart and cleaned.

    If cleaning leaves no title, the text stays as it is: something must be searched for.
    """
    kind = query_kind(text)
    if kind is QueryKind.ERROR:
        first, _, rest = text.strip().partition("\n")
        *log, last = [line for line in text.strip().splitlines() if line.strip()]
        if first.startswith("Traceback"):  # Python says what happened in its last line
            return QueryParts(kind, last.strip(), code="\n".join(log))
        return QueryParts(kind, first.strip(), code=rest.strip())
    if kind is not QueryKind.ISSUE:
        return QueryParts(kind, text)
    prose, code = take_code_out(without_template(text))
    title, _, rest = clean_prose(prose).partition("\n")
    if not title:
        return QueryParts(kind, text)
    return QueryParts(kind, title, rest.strip(), code)


def question_terms(
    parts: QueryParts, *, title: float = 1.0, prose: float = 1.0, code: float = 1.0
) -> dict[str, float]:
    """Return term → weight for BM25, the parts of a long text weighed against each other.

    Of a short query a term weighs its frequency; in the parts of a long one 1 + ln frequency, or
    what its author repeats would drown the rest.
    """
    if parts.kind not in LONG_KINDS:
        return {term: float(n) for term, n in query_terms(parts.text).items()}
    found: dict[str, float] = {}
    for text, weight in ((parts.title, title), (parts.prose, prose), (parts.code, code)):
        if weight and text.strip():
            for term, n in query_terms(text).items():
                found[term] = found.get(term, 0.0) + weight * (1 + math.log(n))
    return found


def message_terms(parts: QueryParts) -> dict[str, float]:
    """Return term → weight to look for in commit messages; empty if the query is but a name.

    Messages are as short as a title, whose terms all weigh the same.
    """
    if parts.kind in (QueryKind.IDENTIFIER, QueryKind.PATH):
        return {}
    return dict.fromkeys(query_terms(parts.title), 1.0)


def _kind_of_word(word: str) -> QueryKind:
    bare = _LINE_NUMBER.sub("", word)
    if _FILE_ENDING.search(bare) or ("/" in bare and re.search(r"\w/\w|\w/$", bare)):
        return QueryKind.PATH
    return QueryKind.IDENTIFIER if _IDENTIFIER.fullmatch(word) else QueryKind.QUESTION


def _is_log(lines: list[str]) -> bool:
    """Return whether most lines are a traceback's: indented, or of the form of an error."""
    log = sum(line[0].isspace() or bool(_ERROR.match(line)) for line in lines)
    return 3 * log >= 2 * len(lines)
