"""Tell from an endpoint's refusal what is the matter. Pure.

Endpoints agree on status codes at best; the words are those of OpenAI, Azure, Anthropic, Groq,
vLLM, llama.cpp, Ollama and Gemini's compatible endpoint.
"""

from __future__ import annotations

import email.utils
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from sidelight.llm.transport import Fault, Form, TransportError

_OVERFLOW = re.compile(
    r"context[_ ](?:length|size|window)|maximum context|prompt is too long|too many (?:input )?"
    r"tokens|exceed\w* (?:the )?(?:available |maximum |model'?s? )?(?:context|token limit)"
    r"|reduce the length|input (?:token count|is too long)|string_above_max_length",
    re.IGNORECASE,
)
_LIMIT = re.compile(
    r"(?:maximum context length is|context size \(?|context window of|n_ctx\W+|> |limit of |"
    r"maximum (?:number of tokens allowed|of) \(?)\s*(\d{3,9})",
    re.IGNORECASE,
)
_FILTER = re.compile(
    r"content[_ ]?(?:filter|policy|management)|responsible[_ ]?ai|\bsafety\b|moderation", re.I
)
_FORM = re.compile(
    r"response_format|json_schema|json_object|structured output|output_config|output_format"
    r"|grammar|guided",
    re.IGNORECASE,
)
_QUOTA = re.compile(r"insufficient_quota|billing|credit balance|exceeded your current quota", re.I)
_TIMES = re.compile(r"(\d+(?:\.\d+)?)")


def diagnose(
    status: int,
    headers: Mapping[str, str],
    body: Any,
    form: Form | None,
    now: datetime | None = None,
) -> TransportError:
    """Return the error that a reply of a status of 300 or above stands for."""
    words, code = _message(body)
    text = f"{code} {words}"
    fault = _fault(status, text, form)
    limit = _LIMIT.search(words) if fault is Fault.OVERFLOW else None
    return TransportError(
        fault,
        words,
        status=status,
        retry_after_s=retry_after(headers, now),
        limit=int(limit[1]) if limit else None,
    )


def _fault(status: int, text: str, form: Form | None) -> Fault:  # noqa: PLR0911 - a table
    if status in {402, 429} and _QUOTA.search(text):
        return Fault.QUOTA
    if status == 413 or (status in {400, 422, 500} and _OVERFLOW.search(text)):
        return Fault.OVERFLOW
    if status in {408, 409, 425, 429} or status >= 500:
        return Fault.FORM if status == 501 and form else Fault.BUSY
    if status in {401, 403}:
        return Fault.FILTERED if status == 403 and _FILTER.search(text) else Fault.KEY
    if status in {404, 405, 410} or 300 <= status < 400:
        return Fault.MODEL
    if _FILTER.search(text):
        return Fault.FILTERED
    if form not in {None, Form.PROMPT} and (status in {400, 422} or _FORM.search(text)):
        return Fault.FORM  # endpoints say it in many ways; the next form shows whether it was that
    return Fault.REQUEST


def _message(body: Any) -> tuple[str, str]:
    """Return an error's message and code, wherever the endpoint puts them."""
    if isinstance(body, list) and body:
        body = body[0]
    if not isinstance(body, Mapping):
        return (body if isinstance(body, str) else "")[:2000], ""
    error = body.get("error", body)
    if not isinstance(error, Mapping):
        return str(error)[:2000], ""
    message = error.get("message") or body.get("message") or body.get("detail") or ""
    inner = error.get("innererror")
    codes = [error.get("code"), error.get("type"), error.get("status")]
    codes.append(inner.get("code") if isinstance(inner, Mapping) else None)
    return str(message)[:2000], " ".join(str(c)[:100] for c in codes if c)


def retry_after(headers: Mapping[str, str], now: datetime | None = None) -> float | None:
    """Return the seconds that the endpoint asks to wait: a number, or a date (RFC 9110, 10.2.3)."""
    milliseconds = headers.get("retry-after-ms", "")
    if _TIMES.fullmatch(milliseconds):
        return float(milliseconds) / 1000
    value = headers.get("retry-after", "").strip()
    if _TIMES.fullmatch(value):
        return float(value)
    try:
        when = email.utils.parsedate_to_datetime(value)
    except ValueError:
        return None
    when = when if when.tzinfo else when.replace(tzinfo=UTC)
    return max(0.0, (when - (now or datetime.now(UTC))).total_seconds())
