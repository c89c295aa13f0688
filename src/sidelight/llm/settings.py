"""What a model client is told. Values only: the environment's mapping is passed in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import urlsplit

from sidelight.config import LlmConfig
from sidelight.errors import ConfigError
from sidelight.llm.budget import Budget, Prices

PROVIDERS: Final = ("openai", "anthropic")
DEFAULT_URLS: Final = {
    "openai": "https://api.openai.com/v1",
    "anthropic": "https://api.anthropic.com",
}
AUTO: Final = "auto"
PREFIX: Final = "SIDELIGHT_LLM_"


class ApiKey:
    """A key that no repr, message or log shows; `reveal` is called where a request is signed."""

    __slots__ = ("_value",)

    def __init__(self, value: str) -> None:
        self._value = value

    def reveal(self) -> str:
        """Return the key itself."""
        return self._value

    def __bool__(self) -> bool:
        return bool(self._value)

    def __repr__(self) -> str:
        return "ApiKey(…)" if self._value else "ApiKey()"

    __str__ = __repr__

    def __reduce__(self) -> str | tuple[object, ...]:
        raise TypeError("a key is not copied or stored")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ApiKey) and self._value == other._value

    def __hash__(self) -> int:
        return hash(self._value)


@dataclass(frozen=True, slots=True)
class LlmSettings:
    """Which model, where, and within which limits. Not configured: `model` is ""."""

    provider: str = "openai"
    model: str = ""
    base_url: str = ""
    key: ApiKey = field(default_factory=lambda: ApiKey(""))
    temperature: float = 0.1
    answer_tokens: int = 800
    context_tokens: int = 16_000
    timeout_s: float = 60.0
    retries: int = 2
    backoff_s: float = 1.0
    structured: str = "auto"
    budget_tokens: int | None = None
    budget_usd: float | None = None
    prices: Prices = field(default_factory=Prices)

    @property
    def is_configured(self) -> bool:
        """Whether there is a model, and a way to it: an endpoint of the user's, or a key."""
        return bool(self.model and (self.base_url or self.key))

    @property
    def url(self) -> str:
        """The endpoint's address."""
        return self.base_url or DEFAULT_URLS[self.provider]

    def budget(self) -> Budget:
        """Return a new budget of the configured size."""
        return Budget(self.budget_tokens, self.budget_usd)


def llm_settings(config: LlmConfig, environment: Mapping[str, str]) -> LlmSettings:
    """Return the settings from the configuration and `SIDELIGHT_LLM_*` of the environment.

    Address, provider and key come from the environment alone: a repository's configuration must
    not send its reader's key or code anywhere. The model's name may be in either; the environment
    wins.

    Raises:
        ConfigError: a value is off.
    """
    read = {name: environment.get(PREFIX + name, "").strip() for name in _NAMES}
    url = _checked_url(read["BASE_URL"])
    model = read["MODEL"] or config.model
    provider = (read["PROVIDER"] or AUTO).lower()
    if provider == AUTO:
        provider = _likely_provider(model, url)
    if provider not in PROVIDERS:
        raise ConfigError(
            f"{PREFIX}PROVIDER is {provider!r}", hint=f"known: {AUTO}, {', '.join(PROVIDERS)}"
        )
    key = read["API_KEY"]
    if any(not " " < c <= "~" for c in key):
        raise ConfigError(f"{PREFIX}API_KEY holds a character that no key has")
    return LlmSettings(
        provider=provider,
        model=model,
        base_url=url,
        key=ApiKey(key),
        temperature=config.temperature,
        answer_tokens=config.answer_tokens,
        context_tokens=config.context_tokens,
        timeout_s=config.timeout_s,
        retries=config.retries,
        structured=config.structured,
        budget_tokens=config.budget_tokens or None,
        budget_usd=config.budget_usd or None,
        prices=_prices(config),
    )


def _likely_provider(model: str, url: str) -> str:
    """Return whose protocol is meant: every endpoint but Anthropic's own speaks OpenAI's."""
    host = urlsplit(url).hostname if url else ""
    theirs = host == "api.anthropic.com" or (not url and model.lower().startswith("claude"))
    return "anthropic" if theirs else "openai"


_NAMES = ("BASE_URL", "MODEL", "API_KEY", "PROVIDER")


def _prices(config: LlmConfig) -> Prices:
    known = config.price_prompt >= 0 and config.price_completion >= 0
    if config.budget_usd and not known:
        raise ConfigError(
            "llm.budget_usd needs prices: none are assumed",
            hint="set llm.price_prompt and llm.price_completion, in US dollars a million tokens",
        )
    return Prices(config.price_prompt, config.price_completion) if known else Prices()


def _checked_url(url: str) -> str:
    """Return the address, or refuse it; it is never shown, since it may hold a password."""
    if not url:
        return ""
    try:
        parts = urlsplit(url)
        good = parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
    except ValueError:
        good = False
    if not good or any(not "!" <= c <= "~" for c in url):
        raise ConfigError(
            f"{PREFIX}BASE_URL is not an http or https address",
            hint="such as http://localhost:11434/v1",
        )
    if parts.username or parts.password or parts.query or parts.fragment:
        raise ConfigError(
            f"{PREFIX}BASE_URL must not hold credentials, a query or a fragment",
            hint=f"the key belongs in {PREFIX}API_KEY",
        )
    return url.rstrip("/")
