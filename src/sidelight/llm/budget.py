"""Keep the calls of one pull request within tokens and money. No clock, no files."""

from __future__ import annotations

from dataclasses import dataclass

from sidelight.llm.errors import BudgetSpentError
from sidelight.llm.protocol import Usage

PER_PRICE = 1_000_000  # tokens that a price is for, as providers list them


@dataclass(frozen=True, slots=True)
class Prices:
    """US dollars a million tokens, from the configuration; None where none is given."""

    prompt: float | None = None
    completion: float | None = None

    def cost(self, prompt_tokens: int, completion_tokens: int) -> float | None:
        """Return what so many tokens cost; None unless both prices are known."""
        if self.prompt is None or self.completion is None:
            return None
        return (prompt_tokens * self.prompt + completion_tokens * self.completion) / PER_PRICE


class Budget:
    """What may still be spent. One for all calls of a pull request; None means no limit."""

    def __init__(
        self,
        tokens: int | None = None,
        cost_usd: float | None = None,
        *,
        spent: Usage | None = None,
    ) -> None:
        self.tokens = tokens
        self.cost_usd = cost_usd
        self._spent = spent or Usage()  # by earlier runs for the same pull request

    @property
    def spent(self) -> Usage:
        """What was spent so far, also on answers that were of no use."""
        return self._spent

    def reserve(self, prompt_tokens: int, max_tokens: int, prices: Prices) -> None:
        """Return if a request of that size fits.

        Raises:
            BudgetSpentError: it may not; nothing is to be sent.
        """
        wanted = self._spent.tokens + prompt_tokens + max_tokens
        if self.tokens is not None and wanted > self.tokens:
            raise BudgetSpentError(
                f"the budget of {self.tokens:,} tokens does not hold another request:"
                f" {self._spent.tokens:,} are spent",
                hint="raise llm.budget_tokens",
            )
        cost = prices.cost(prompt_tokens, max_tokens)
        if self.cost_usd is None or cost is None:
            return
        spent = self._spent.cost_usd or 0.0
        if spent + cost > self.cost_usd:
            raise BudgetSpentError(
                f"the budget of ${self.cost_usd:.2f} does not hold another request:"
                f" ${spent:.4f} are spent",
                hint="raise llm.budget_usd",
            )

    def add(self, usage: Usage) -> None:
        """Take note of what a request has cost."""
        self._spent = self._spent + usage
