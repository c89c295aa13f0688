"""The hostile corpus: what strangers may write, where, and what must become of it.

Each line of `corpus.jsonl` is `{"id", "place", "technique", "text", "gone", "kept"}`. `place` says
where the text stands: `title`, `body`, `thread`, `question`, `diff`, `code`, `path` (a file's name)
or `model` (what the model writes). Nothing of `gone` may arrive, at the model or (of `model`) in
what is shown; all of `kept` must, since people see it, too. That no invisible code point arrives,
and that nothing leaves its fence, holds for all of them.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

FILE = Path(__file__).with_name("corpus.jsonl")
PLACES = ("title", "body", "thread", "question", "diff", "code", "path", "model")


@dataclass(frozen=True)
class Item:
    """One line of the corpus."""

    id: str
    place: str
    technique: str
    text: str
    gone: tuple[str, ...]
    kept: tuple[str, ...]


def load_corpus(*places: str) -> list[Item]:
    """Return the items of these places, all if none is named."""
    rows = (json.loads(line) for line in FILE.read_text("utf-8").splitlines())
    items = [
        Item(**{**row, "gone": tuple(row["gone"]), "kept": tuple(row["kept"])}) for row in rows
    ]
    return [item for item in items if not places or item.place in places]
