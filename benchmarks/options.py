"""What every table is run with."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
RESULTS = ROOT / ".bench"


@dataclass(frozen=True, slots=True)
class Options:
    """`small`: the same code on small sizes. `repos` holds mirrors of public repositories.

    `work` is where corpora and indexes are made and kept, `textbook` the interpreter of the
    textbook stack, `peers` that of other tools, `clock` (`wall` or `cpu`) the one that targets are
    judged by.
    """

    small: bool = False
    repos: Path | None = None
    work: Path = RESULTS / "work"
    textbook: str = str(RESULTS / "textbook" / "bin" / "python")
    peers: str = str(RESULTS / "peers" / "bin" / "python")
    clock: str = "wall"
    runs: int = 5
    max_chunks: int = 1_000_000
    python: str = sys.executable
    config: Path | None = None  # a folder with a configuration, for prices

    def sizes(self, *full: int) -> tuple[int, ...]:
        """Return the sizes in chunks to run at: the given ones, or two small ones."""
        if self.small:
            return (500, 2_000)
        return tuple(size for size in full if size <= self.max_chunks)

    def size(self, full: int, small: int = 2_000) -> int:
        """Return one size in chunks."""
        return small if self.small else min(full, self.max_chunks)

    def rounds(self, full: int) -> int:
        """Return how often something is repeated."""
        return min(full, 2) if self.small else full
