"""What the rest of the program knows of a language model. Pure: values and a protocol."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

Role = Literal["system", "user", "assistant"]


@dataclass(frozen=True, slots=True)
class ModelChoice:
    """Which model answers, and where. `context_tokens` is what prompt and answer may hold."""

    provider: str  # "openai" for every compatible endpoint, or "anthropic"
    model: str
    base_url: str
    context_tokens: int


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a conversation."""

    role: Role
    text: str


@dataclass(frozen=True, slots=True)
class JsonSchema:
    """What an answer must look like: a JSON schema of the subset that `llm.schema` checks."""

    name: str
    schema: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Usage:
    """What calls cost. `cost_usd` is None where no price is configured.

    `calls` counts requests that were answered; `estimated` tells that an endpoint did not say how
    many tokens it took, so that our own count stands in for it.
    """

    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost_usd: float | None = None
    calls: int = 0
    estimated: bool = False

    @property
    def tokens(self) -> int:
        """Prompt and completion together."""
        return self.prompt_tokens + self.completion_tokens

    def __add__(self, other: Usage) -> Usage:
        """Return the sum; a cost that is known on one side only is that side's."""
        costs = [c for c in (self.cost_usd, other.cost_usd) if c is not None]
        return Usage(
            self.prompt_tokens + other.prompt_tokens,
            self.completion_tokens + other.completion_tokens,
            sum(costs) if costs else None,
            self.calls + other.calls,
            self.estimated or other.estimated,
        )


@dataclass(frozen=True, slots=True)
class Completion:
    """An answer: `data` is the checked object if a schema was asked for, else None.

    `usage` covers every request that this answer took, a repair included. `finish` is the
    provider's own word for why it stopped, which is always a complete answer's.
    """

    text: str
    data: Mapping[str, Any] | None
    usage: Usage
    finish: str


# Returns shorter messages for a prompt that did not fit; the argument is the number of tokens that
# the prompt may have, as far as that is known.
Shrink = Callable[[int | None], Sequence[Message]]


class ChatModel(Protocol):
    """A language model behind whatever client."""

    @property
    def info(self) -> ModelChoice:
        """Which model this is."""
        ...

    def complete(
        self,
        messages: Sequence[Message],
        *,
        max_tokens: int,
        temperature: float = 0.1,
        schema: JsonSchema | None = None,
        shrink: Shrink | None = None,
    ) -> Completion:
        """Return the model's complete answer of at most `max_tokens`.

        With a schema, `data` conforms to it. `shrink` is asked once for shorter messages if these
        do not fit into the model's context.

        Raises:
            LanguageModelError: one of its kinds, see `llm.errors`; nothing else for whatever an
                endpoint does.
        """
        ...
