"""The text of a chunk that the embedder sees. Pure."""

from __future__ import annotations

import re
from pathlib import PurePosixPath

from sidelight.model import Chunk
from sidelight.tokens.terms import searched_text
from sidelight.tokens.words import split_parts

MAX_CHARACTERS = 1_800  # the model sees 256 tokens; dense code has about 3 characters a token

_WORDS = re.compile(r"[\w\-]+")


def embedding_text(chunk: Chunk, path: bytes) -> str:
    """Return the split name, then "in" the split path, then the header and the code.

    At most `MAX_CHARACTERS`. Runs of white space become one space: the model does not see them, and
    a chunk that is only indented anew keeps its vector. That order gave MRR .728 against .677 for
    plain header and code.
    """
    head = split_words(chunk.symbol)
    where = split_words(_without_extension(path))
    words = f"{head} in {where}" if head else f"in {where}"
    text = f"{chunk.header}\n{searched_text(chunk)}" if chunk.header else searched_text(chunk)
    # No more is needed even if every other character is white space to be removed.
    code = " ".join(text[: MAX_CHARACTERS * 4].split())
    return f"{words}\n{code}"[:MAX_CHARACTERS]


def split_words(text: str) -> str:
    """Return the words inside names, lower case, separated by spaces.

    `HTTPServer.parse_url` → `http server parse url`.
    """
    parts = (part for token in _WORDS.findall(text) for part in split_parts(token))
    return " ".join(parts).lower()


def _without_extension(path: bytes) -> str:
    name = PurePosixPath(path.decode("utf-8", "replace"))
    return str(name.with_suffix("")) if name.suffix and name.stem else str(name)
