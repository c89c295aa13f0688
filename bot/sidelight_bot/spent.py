"""What a language model cost a pull request, as numbers in the marks of our own comments. Pure.

A mark is read as a stranger's: whole numbers of a few digits, or nothing at all. Nothing makes the
budget larger than a fresh one.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from sidelight.llm.protocol import Usage

MICRO: Final = 1_000_000  # a US dollar
MOST: Final = 10**12 - 1  # of each number
_WORDS = re.compile(r"(\d{1,12})\+(\d{1,12})\+(\d{1,12})", re.ASCII)


@dataclass(frozen=True, slots=True)
class Spent:
    """Tokens of prompts and of answers, and millionths of a US dollar where prices are known."""

    prompt: int = 0
    completion: int = 0
    micro_usd: int = 0

    @property
    def tokens(self) -> int:
        """Prompts and answers together."""
        return self.prompt + self.completion

    def __bool__(self) -> bool:
        return bool(self.prompt or self.completion or self.micro_usd)

    def __add__(self, other: Spent) -> Spent:
        """Return the sum, each number at most what a mark can hold."""
        return Spent(
            min(self.prompt + other.prompt, MOST),
            min(self.completion + other.completion, MOST),
            min(self.micro_usd + other.micro_usd, MOST),
        )


def spent_of(usage: Usage) -> Spent:
    """Return what calls cost, as a mark keeps it."""
    return Spent(
        usage.prompt_tokens, usage.completion_tokens, round((usage.cost_usd or 0.0) * MICRO)
    )


def as_usage(spent: Spent) -> Usage:
    """Return what was spent before, as a budget takes it; no cost is none that is known."""
    cost = spent.micro_usd / MICRO if spent.micro_usd else None
    return Usage(spent.prompt, spent.completion, cost)


def write_spent(spent: Spent) -> str:
    """Return the word of a mark, with the space before it; "" for nothing."""
    return f" spent={spent.prompt}+{spent.completion}+{spent.micro_usd}" if spent else ""


def read_spent(text: str | None) -> Spent:
    """Return what a mark's word says; nothing if it is not one that we write."""
    found = _WORDS.fullmatch(text or "")
    return Spent(*(int(n) for n in found.groups())) if found else Spent()
