"""What language models may cost one pull request: one budget for all calls of all of its runs.

What earlier runs spent stands in the marks of our own comments: a review's in the comment, an
answer's in its reply. Read once in a run, and only where there is a model to be asked.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import islice

from sidelight.llm.budget import Budget
from sidelight.llm.errors import ModelUnavailableError
from sidelight.llm.opening import open_chat_model
from sidelight.llm.protocol import (
    ChatModel,
    Completion,
    JsonSchema,
    Message,
    ModelChoice,
    Shrink,
    Usage,
)
from sidelight.llm.settings import LlmSettings
from sidelight_bot.github.port import GitHubPort
from sidelight_bot.model import Comment
from sidelight_bot.report import ModelUsage
from sidelight_bot.spent import Spent, as_usage, spent_of
from sidelight_bot.sticky import spent_before

MAX_READ = 2_500  # comments of a conversation, which holds no more, and of its threads


@dataclass(slots=True)
class Purse:
    """The budget of one run's pull request, and how much of what it spent is written down."""

    _budget: Budget | None = None
    _written: Spent = field(default_factory=Spent)
    _model: ChatModel | None = None

    def budget(self, settings: LlmSettings, port: GitHubPort, number: int) -> Budget:
        """Return the pull request's budget; the first time, earlier runs are read.

        Raises:
            GitHubError: the comments cannot be read; nothing is to be spent then.
        """
        if self._budget is None:
            author = cache(port.viewer)
            self._written = spent_before(_comments(port, number), author)
            self._budget = Budget(
                settings.budget_tokens, settings.budget_usd, spent=as_usage(self._written)
            )
        return self._budget

    def model(self, settings: LlmSettings, port: GitHubPort, number: int) -> ChatModel | None:
        """Return the configured model within the budget, the same for all of a run; None without.

        Raises:
            GitHubError: see `budget`.
            ModelUnavailableError: the provider's library is not installed.
        """
        if self._model is None and settings.is_configured:
            found = open_chat_model(settings, self.budget(settings, port, number))
            self._model = None if found is None else _AskedInVain(found)
        return self._model

    @property
    def unwritten(self) -> Spent:
        """What this run spent that no comment says yet."""
        if self._budget is None:
            return Spent()
        now = spent_of(self._budget.spent)
        return Spent(
            max(now.prompt - self._written.prompt, 0),
            max(now.completion - self._written.completion, 0),
            max(now.micro_usd - self._written.micro_usd, 0),
        )

    def wrote(self, spent: Spent) -> None:
        """Take note that a comment now says so much more."""
        self._written += spent


class _AskedInVain:
    """A model that is not asked again once it was not there: each time takes minutes of the job."""

    def __init__(self, model: ChatModel) -> None:
        self._model = model
        self._error: ModelUnavailableError | None = None

    @property
    def info(self) -> ModelChoice:
        """Which model this is."""
        return self._model.info

    def complete(
        self,
        messages: Sequence[Message],
        *,
        max_tokens: int,
        temperature: float = 0.1,
        schema: JsonSchema | None = None,
        shrink: Shrink | None = None,
    ) -> Completion:
        """Return the model's answer; see `ChatModel.complete`."""
        if self._error is not None:
            raise ModelUnavailableError(self._error.message, hint=self._error.hint)
        try:
            return self._model.complete(
                messages,
                max_tokens=max_tokens,
                temperature=temperature,
                schema=schema,
                shrink=shrink,
            )
        except ModelUnavailableError as error:
            self._error = error
            raise


def usage_since(model: str, budget: Budget, before: Usage) -> ModelUsage:
    """Return what was spent since, also on answers that were of no use, and in all."""
    now = budget.spent
    known = now.calls > before.calls and now.cost_usd is not None
    return ModelUsage(
        model=model,
        prompt_tokens=now.prompt_tokens - before.prompt_tokens,
        completion_tokens=now.completion_tokens - before.completion_tokens,
        cost_usd=(now.cost_usd or 0.0) - (before.cost_usd or 0.0) if known else None,
        total_tokens=now.tokens,
        budget_tokens=budget.tokens,
        total_usd=now.cost_usd,
        budget_usd=budget.cost_usd,
    )


def _comments(port: GitHubPort, number: int) -> Iterator[Comment]:
    yield from islice(port.conversation(number), MAX_READ)
    for item in islice(port.review_comments(number), MAX_READ):
        yield item.comment
