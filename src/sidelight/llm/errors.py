"""How a language model fails. Messages never hold a key, a prompt, or an endpoint's whole reply."""

from __future__ import annotations

from sidelight.errors import SidelightError


class LanguageModelError(SidelightError):
    """A language model did not answer as asked. Whoever called can go on without it."""


class ModelUnavailableError(LanguageModelError):
    """The endpoint cannot be reached, refuses the key, does not know the model, or stays busy."""


class ModelRefusedError(LanguageModelError):
    """The model declined to answer."""


class ModelFilteredError(LanguageModelError):
    """The provider's content filter stopped the prompt or the answer."""


class ModelOutputCutError(LanguageModelError):
    """The answer ended before it was complete; `partial` is what there is of it."""

    def __init__(self, message: str, *, hint: str = "", partial: str = "") -> None:
        super().__init__(message, hint=hint)
        self.partial = partial


class ModelOutputInvalidError(LanguageModelError):
    """The answer is empty, or not the data that was asked for, also after one repair."""


class ContextOverflowError(LanguageModelError):
    """The prompt does not fit into the model's context, also after it was made shorter."""

    def __init__(self, message: str, *, hint: str = "", limit: int | None = None) -> None:
        super().__init__(message, hint=hint)
        self.limit = limit  # tokens, if the endpoint named it


class BudgetSpentError(LanguageModelError):
    """The tokens or the money set aside are used up; nothing was sent."""
