"""Open the configured model. The client library is imported here, when there is one to open."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial

from sidelight.llm.budget import Budget
from sidelight.llm.client import Client, Patience
from sidelight.llm.deadline import Punctual
from sidelight.llm.errors import ModelUnavailableError
from sidelight.llm.protocol import ChatModel, ModelChoice
from sidelight.llm.settings import ApiKey, LlmSettings
from sidelight.llm.transport import Transport
from sidelight.untrusted.redaction import redact


def open_chat_model(
    settings: LlmSettings,
    budget: Budget | None = None,
    *,
    sleep: Callable[[float], None] = time.sleep,
) -> ChatModel | None:
    """Return the configured model; None if none is. No request is sent yet.

    `budget` is shared by every model of one pull request; by default a new one of the configured
    size.

    Raises:
        ModelUnavailableError: the provider's library is not installed.
    """
    if not settings.is_configured:
        return None
    return Client(
        ModelChoice(settings.provider, settings.model, settings.url, settings.context_tokens),
        _transport(settings),
        budget=budget or settings.budget(),
        prices=settings.prices,
        patience=Patience(settings.retries, settings.backoff_s),
        sleep=sleep,
        structured=settings.structured,
        conceal=_concealing(settings.key),
    )


def _concealing(key: ApiKey) -> Callable[[str], str]:
    known = [key.reveal()] if key else []
    return lambda text: redact(text, known)


def _transport(settings: LlmSettings) -> Transport:
    try:
        if settings.provider == "anthropic":
            from sidelight.llm.anthropic_client import AnthropicTransport  # noqa: PLC0415

            return Punctual(partial(AnthropicTransport, settings), settings.timeout_s)
        from sidelight.llm.openai_client import OpenAiTransport  # noqa: PLC0415 - .9 s

        return Punctual(partial(OpenAiTransport, settings), settings.timeout_s)
    except ModuleNotFoundError as error:
        extra = "anthropic" if settings.provider == "anthropic" else "llm"
        raise ModelUnavailableError(
            f"the package {error.name} is not installed",
            hint=f'pip install "sidelight[{extra}]"',
        ) from error
