"""Ask a model and insist: forms of structured output, one repair, retries, shrinking, the budget.

Holds no key and opens no socket: a transport does. Everything sent and returned is redacted.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from sidelight.llm.budget import Budget, Prices
from sidelight.llm.errors import (
    ContextOverflowError,
    LanguageModelError,
    ModelFilteredError,
    ModelOutputCutError,
    ModelOutputInvalidError,
    ModelRefusedError,
)
from sidelight.llm.failures import as_model_error
from sidelight.llm.protocol import Completion, JsonSchema, Message, ModelChoice, Shrink, Usage
from sidelight.llm.schema import NoJsonError, check, find_object, without_thoughts
from sidelight.llm.transport import Fault, Form, Reply, Request, Transport, TransportError
from sidelight.untrusted.redaction import redact

BYTES_PER_TOKEN = 4  # of prose and code in English; only where the endpoint does not count
MESSAGE_TOKENS = 4  # that each message costs beside its text
MAX_QUOTED = 6_000  # characters of a bad answer that is shown to the model for its repair
COMPLETE = frozenset({"stop", "eos", "eos_token", "stop_sequence", "end_turn", "completed"})
MAY_PASS = frozenset({Fault.BUSY, Fault.UNREACHABLE, Fault.TIMEOUT})
FORMS = {"schema": Form.SCHEMA, "object": Form.OBJECT, "prompt": Form.PROMPT}
NEXT_FORM = {Form.SCHEMA: Form.OBJECT, Form.OBJECT: Form.PROMPT}


@dataclass(frozen=True, slots=True)
class Patience:
    """How failures that may pass are waited for: `backoff_s` doubles with every attempt."""

    retries: int = 2
    backoff_s: float = 1.0
    most_s: float = 30.0  # of one wait; an endpoint that asks for more is given up


class Client:
    """A `ChatModel` over a transport. Not for several threads at once."""

    def __init__(
        self,
        info: ModelChoice,
        transport: Transport,
        *,
        budget: Budget,
        prices: Prices,
        patience: Patience,
        sleep: Callable[[float], None],
        structured: str = "auto",
        conceal: Callable[[str], str] = redact,
    ) -> None:
        self._info = info
        self._transport = transport
        self._budget = budget
        self._prices = prices
        self._patience = patience
        self._sleep = sleep
        self._form = FORMS.get(structured, Form.SCHEMA)
        self._conceal = conceal  # hides secrets; it, not this object, knows the key

    @property
    def info(self) -> ModelChoice:
        """Which model this is."""
        return self._info

    def complete(
        self,
        messages: Sequence[Message],
        *,
        max_tokens: int,
        temperature: float = 0.1,
        schema: JsonSchema | None = None,
        shrink: Shrink | None = None,
    ) -> Completion:
        """Return the model's complete answer; see `ChatModel.complete`."""
        before = self._budget.spent
        asked = [*messages]
        problems: list[str] = []
        for attempt in range(2):
            asked, reply = self._answered(asked, max_tokens, temperature, schema, shrink)
            shrink = None  # once
            text = self._conceal(without_thoughts(reply.text).strip())
            data, problems = _checked(text, schema)
            if not problems:
                spent = _difference(self._budget.spent, before)
                return Completion(text, data, spent, reply.finish)
            if attempt == 0:
                asked = _repair(asked, text, problems)
        raise ModelOutputInvalidError(
            f"the model's answer is not what was asked for: {problems[0]}",
            hint="a larger model keeps to a form better; llm.structured chooses how it is asked",
        )

    def _answered(
        self,
        messages: list[Message],
        max_tokens: int,
        temperature: float,
        schema: JsonSchema | None,
        shrink: Shrink | None,
    ) -> tuple[list[Message], Reply]:
        """Return a complete reply, and the messages that brought it."""
        while True:
            form = self._form if schema is not None else None
            request = Request(
                _instructed(messages, schema, form), max_tokens, temperature, form, schema
            )
            try:
                self._fits(request)
                return messages, self._finished(self._send(request), request)
            except TransportError as error:
                if error.fault is Fault.FORM and form in NEXT_FORM:
                    self._form = NEXT_FORM[form]
                    continue
                if error.fault is not Fault.OVERFLOW:
                    raise as_model_error(error, self._info, self._conceal) from None
                if shrink is None:
                    raise _overflow(error) from None
                room = None if error.limit is None else max(0, error.limit - max_tokens)
                messages, shrink = [*shrink(room)], None

    def _fits(self, request: Request) -> None:
        tokens = estimate_tokens(request.messages)
        if tokens + request.max_tokens > self._info.context_tokens:
            raise TransportError(Fault.OVERFLOW, limit=self._info.context_tokens)
        self._budget.reserve(tokens, request.max_tokens, self._prices)

    def _send(self, request: Request) -> Reply:
        """Return a reply, after retries of what may pass; what it costs is noted."""
        clean = Request(
            [Message(m.role, self._conceal(m.text)) for m in request.messages],
            request.max_tokens,
            request.temperature,
            request.form,
            request.schema,
        )
        for attempt in range(self._patience.retries + 1):
            try:
                reply = self._transport.send(clean)
            except TransportError as error:
                wait = self._patience.backoff_s * 2**attempt
                if error.retry_after_s is not None:
                    wait = max(wait, error.retry_after_s)
                last = attempt == self._patience.retries
                if last or error.fault not in MAY_PASS or wait > self._patience.most_s:
                    raise
                self._sleep(wait)
            else:
                self._budget.add(self._usage(clean, reply))
                return reply
        raise AssertionError("unreachable")

    def _usage(self, request: Request, reply: Reply) -> Usage:
        prompt, completion = reply.prompt_tokens, reply.completion_tokens
        estimated = prompt is None or completion is None
        if prompt is None:
            prompt = estimate_tokens(request.messages)
        if completion is None:
            completion = _tokens(reply.text)
        return Usage(
            prompt, completion, self._prices.cost(prompt, completion), calls=1, estimated=estimated
        )

    def _finished(self, reply: Reply, request: Request) -> Reply:
        """Return a reply that is whole, or raise what ended it."""
        if reply.refusal or reply.finish == "refusal":
            raise ModelRefusedError("the model declined to answer")
        if reply.finish in {"content_filter", "safety", "SAFETY"}:
            raise ModelFilteredError("the provider's content filter stopped the answer")
        if reply.finish in COMPLETE:
            return reply
        if reply.finish in {"length", "max_tokens", ""}:
            partial = self._conceal(without_thoughts(reply.text).strip())
            raise ModelOutputCutError(
                f"the answer ended before it was complete (at most {request.max_tokens} tokens)",
                hint="raise llm.answer_tokens",
                partial=partial,
            )
        raise ModelOutputInvalidError(
            "the model wants to call a tool; it has none"
            if reply.finish in {"tool_calls", "function_call", "tool_use"}
            else "the answer ended for a reason that we do not know"
        )


def estimate_tokens(messages: Sequence[Message]) -> int:
    """Return about how many tokens the messages are, by their bytes."""
    return sum(_tokens(m.text) + MESSAGE_TOKENS for m in messages)


def _tokens(text: str) -> int:
    return math.ceil(len(text.encode("utf-8", "replace")) / BYTES_PER_TOKEN)


def _checked(text: str, schema: JsonSchema | None) -> tuple[dict[str, object] | None, list[str]]:
    if schema is None:
        return None, [] if text else ["it is empty"]
    try:
        data = find_object(text)
    except NoJsonError as error:
        return None, [str(error)]
    return data, check(data, schema.schema)


def _instructed(
    messages: Sequence[Message], schema: JsonSchema | None, form: Form | None
) -> list[Message]:
    """Return the messages with the schema in words where the endpoint is not told it."""
    if schema is None or form is Form.SCHEMA:
        return [*messages]
    words = (
        "Answer with one JSON object and nothing else: no words around it, no code fence. It must"
        f" conform to this JSON schema:\n{json.dumps(schema.schema, separators=(',', ':'))}"
    )
    if messages and messages[0].role == "system":
        return [Message("system", f"{messages[0].text}\n\n{words}"), *messages[1:]]
    return [Message("system", words), *messages]


def _repair(messages: Sequence[Message], text: str, problems: Sequence[str]) -> list[Message]:
    if not text:
        return [*messages]  # some endpoints refuse an empty message; asking again often does
    listed = "\n".join(f"- {problem}" for problem in problems)
    words = f"That answer cannot be used:\n{listed}\nAnswer again with the whole JSON object only."
    return [*messages, Message("assistant", text[:MAX_QUOTED]), Message("user", words)]


def _overflow(error: TransportError) -> LanguageModelError:
    size = f" of {error.limit:,} tokens" if error.limit else ""
    return ContextOverflowError(
        f"the prompt does not fit into the model's context{size}",
        hint="lower --budget, or set llm.context_tokens to what the model takes",
        limit=error.limit,
    )


def _difference(after: Usage, before: Usage) -> Usage:
    cost = None if after.cost_usd is None else after.cost_usd - (before.cost_usd or 0.0)
    return Usage(
        after.prompt_tokens - before.prompt_tokens,
        after.completion_tokens - before.completion_tokens,
        cost,
        after.calls - before.calls,
        after.estimated,
    )
