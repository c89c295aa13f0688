"""Say in plain words why an endpoint did not answer, and what to do. Pure."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import urlsplit

from sidelight.llm.errors import LanguageModelError, ModelFilteredError, ModelUnavailableError
from sidelight.llm.protocol import ModelChoice
from sidelight.llm.transport import Fault, TransportError
from sidelight.untrusted.incoming import clean_line

MAX_DETAIL = 160  # characters of an endpoint's own words


def as_model_error(
    error: TransportError, choice: ModelChoice, conceal: Callable[[str], str]
) -> LanguageModelError:
    """Return the failure that callers see. Its detail is redacted, one line, and short."""
    detail = clean_line(conceal(error.detail))[:MAX_DETAIL]
    said = f": {detail}" if detail else ""
    status = f" (status {error.status})" if error.status else ""
    host = urlsplit(choice.base_url).netloc
    wait = error.retry_after_s
    if error.fault is Fault.FILTERED:
        return ModelFilteredError(f"the provider's content filter stopped the prompt{said}")
    if error.fault is Fault.BUSY and wait:
        busy = f"the model at {host} is busy for another {wait:.0f} s{status}"
        return ModelUnavailableError(busy, hint="try again later")
    message, hint = {
        Fault.BUSY: (f"the model at {host} fails or is busy{status}{said}", "try again later"),
        Fault.UNREACHABLE: (f"{host} cannot be reached{said}", "check SIDELIGHT_LLM_BASE_URL"),
        Fault.TIMEOUT: (f"{host} did not answer in time", "raise llm.timeout_s"),
        Fault.KEY: (f"{host} refuses the key{status}{said}", "check SIDELIGHT_LLM_API_KEY"),
        Fault.MODEL: (
            f"{host} does not know the address or the model {choice.model!r}{status}{said}",
            "check SIDELIGHT_LLM_MODEL, and whether SIDELIGHT_LLM_BASE_URL ends in /v1",
        ),
        Fault.QUOTA: (f"the quota at {host} is used up{said}", "see the provider's billing page"),
        Fault.STRANGE: (
            f"what {host} answers is not a completion{said}",
            "check whether SIDELIGHT_LLM_BASE_URL ends in /v1",
        ),
    }.get(error.fault, (f"{host} refuses the request{status}{said}", ""))
    return ModelUnavailableError(message, hint=hint)
