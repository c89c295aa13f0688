"""What a job tells the bot: inputs as `SIDELIGHT_<INPUT>`, the rest as GitHub's own variables.

Pure: a mapping in, frozen values out. Only `cli` hands it the real environment. An input that is
empty is one that is not set, as Actions has it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import TypeVar

from sidelight.errors import UsageError
from sidelight_bot.model import Permission, Repo
from sidelight_bot.payload import PayloadError, parse_slug

MAX_RELATED = 50
MAX_NOTES = 20
DEFAULT_API = "https://api.github.com"
DEFAULT_SERVER = "https://github.com"


class Mode(StrEnum):
    """Which of its jobs the bot does; `auto` lets the event decide."""

    AUTO = "auto"
    INDEX = "index"
    REVIEW = "review"
    ASK = "ask"
    PUBLISH = "publish"


class CommentPolicy(StrEnum):
    """When the sticky comment is written."""

    ALWAYS = "always"
    WHEN_USEFUL = "when-useful"
    NEVER = "never"


class FailOn(StrEnum):
    """What makes the job red."""

    NEVER = "never"
    ERROR = "error"


class Provider(StrEnum):
    """How the language model is spoken to; `auto` follows what is configured."""

    AUTO = "auto"
    OPENAI = "openai"
    ANTHROPIC = "anthropic"


class LeastPermission(StrEnum):
    """Who may give commands; on a public repository `read` is everybody."""

    READ = "read"
    TRIAGE = "triage"
    WRITE = "write"
    MAINTAIN = "maintain"
    ADMIN = "admin"


_LEAST = LeastPermission.WRITE


class NotesContext(StrEnum):
    """What the model sees for notes; `diff` is an ablation, to measure the context's worth."""

    FULL = "full"
    DIFF = "diff"


@dataclass(frozen=True, slots=True)
class LlmInputs:
    """Where a language model is, if there is one. The key never shows in logs."""

    base_url: str = ""
    model: str = ""
    api_key: str = field(default="", repr=False)
    provider: Provider = Provider.AUTO

    @property
    def is_configured(self) -> bool:
        """Whether enough is known to call it."""
        return bool(self.model and (self.base_url or self.api_key))


@dataclass(frozen=True, slots=True)
class Job:
    """The Actions job: the event, the server, the places to write to."""

    event_name: str = ""
    event_path: Path | None = None
    api_url: str = DEFAULT_API
    server_url: str = DEFAULT_SERVER
    token: str = field(default="", repr=False)
    repo: Repo | None = None
    workspace: Path = Path()
    step_summary: Path | None = None
    output: Path | None = None
    temp: Path | None = None
    run_number: int = 0
    run_attempt: int = 1
    in_actions: bool = False

    @property
    def order(self) -> int:
        """A number that grows from run to run of a workflow, and with each attempt."""
        return run_order(self.run_number, self.run_attempt)


@dataclass(frozen=True, slots=True)
class Settings:
    """All inputs, checked."""

    mode: Mode = Mode.AUTO
    related_limit: int = 10
    notes_limit: int = 5
    comment: CommentPolicy = CommentPolicy.WHEN_USEFUL
    min_permission: Permission = Permission.WRITE
    fail_on: FailOn = FailOn.NEVER
    config: str = ""  # a path in the base tree; "": the usual places
    llm: LlmInputs = field(default_factory=LlmInputs)
    job: Job = field(default_factory=Job)
    pin: Path | None = None  # what the pinning step wrote; none: the run pins by itself
    index_report: Path | None = None  # what the indexing step wrote; none: the run indexes
    result: Path | None = None
    dislikes: Path | None = None  # what was turned down (👎); cached with the index
    vectors_budget_s: float = 20.0  # spent on vectors of a cold cache before the comment
    patience_s: float = 240.0  # that a run waits for GitHub's limits, all in all
    notes_context: NotesContext = NotesContext.FULL


def read_settings(env: Mapping[str, str]) -> Settings:
    """Return the settings that an environment tells.

    Raises:
        UsageError: a value is not one of those allowed; the message names input and variable.
    """
    given = _Inputs(env)
    return Settings(
        mode=given.choice("mode", Mode, Mode.AUTO),
        related_limit=given.whole("related-limit", 10, MAX_RELATED),
        notes_limit=given.whole("notes-limit", 5, MAX_NOTES),
        comment=given.choice("comment", CommentPolicy, CommentPolicy.WHEN_USEFUL),
        min_permission=Permission(given.choice("min-permission", LeastPermission, _LEAST)),
        fail_on=given.choice("fail-on", FailOn, FailOn.NEVER),
        config=given.text("config"),
        llm=LlmInputs(
            base_url=given.text("llm-base-url"),
            model=given.text("llm-model"),
            api_key=given.text("llm-api-key"),
            provider=given.choice("llm-provider", Provider, Provider.AUTO),
        ),
        job=_job(env, given),
        pin=_path(given.text("pin")),
        index_report=_path(given.text("index-report")),
        result=_path(given.text("result")),
        dislikes=_path(given.text("dislikes")) or _beside_cache(_path(given.text("pin"))),
        vectors_budget_s=float(given.whole("vectors-budget", 20, 3600)),
        patience_s=float(given.whole("patience", 240, 3600)),
        notes_context=given.choice("notes-context", NotesContext, NotesContext.FULL),
    )


def _job(env: Mapping[str, str], given: _Inputs) -> Job:
    slug = env.get("GITHUB_REPOSITORY", "").strip()
    try:
        repo = parse_slug(slug, "GITHUB_REPOSITORY") if slug else None
    except PayloadError as error:
        raise UsageError(error.message) from error
    return Job(
        event_name=env.get("GITHUB_EVENT_NAME", "").strip(),
        event_path=_path(env.get("GITHUB_EVENT_PATH", "")),
        api_url=_url(env, "GITHUB_API_URL", DEFAULT_API),
        server_url=_url(env, "GITHUB_SERVER_URL", DEFAULT_SERVER),
        token=given.text("github-token") or env.get("GITHUB_TOKEN", "").strip(),
        repo=repo,
        workspace=_path(env.get("GITHUB_WORKSPACE", "")) or Path(),
        step_summary=_path(env.get("GITHUB_STEP_SUMMARY", "")),
        output=_path(env.get("GITHUB_OUTPUT", "")),
        temp=_path(env.get("RUNNER_TEMP", "")),
        run_number=_number(env, "GITHUB_RUN_NUMBER", 0),
        run_attempt=_number(env, "GITHUB_RUN_ATTEMPT", 1),
        in_actions=env.get("GITHUB_ACTIONS", "") == "true",
    )


_E = TypeVar("_E", bound=StrEnum)


@dataclass(frozen=True, slots=True)
class _Inputs:
    env: Mapping[str, str]

    def text(self, name: str) -> str:
        return self.env.get(variable(name), "").strip()

    def choice(self, name: str, kind: type[_E], default: _E) -> _E:
        text = self.text(name).lower()
        if not text:
            return default
        try:
            return kind(text)
        except ValueError:
            allowed = ", ".join(item.value for item in kind)
            raise UsageError(
                f"the input {name} ({variable(name)}) is {text[:40]!r}", hint=f"one of: {allowed}"
            ) from None

    def whole(self, name: str, default: int, most: int) -> int:
        text = self.text(name)
        if not text:
            return default
        if not (text.isascii() and text.isdigit()) or int(text[:9]) > most:
            raise UsageError(
                f"the input {name} ({variable(name)}) is {text[:40]!r}",
                hint=f"a whole number from 0 to {most}",
            )
        return int(text)


def run_order(number: int, attempt: int) -> int:
    """Return a run's place among the runs of its workflow, as comments and results carry it."""
    return min(number, 9_999_999) * 100 + min(attempt, 99)


def variable(name: str) -> str:
    """Return the environment variable of an input: `related-limit` → SIDELIGHT_RELATED_LIMIT."""
    return "SIDELIGHT_" + name.upper().replace("-", "_")


def _path(text: str) -> Path | None:
    return Path(text.strip()) if text.strip() else None


def _beside_cache(pin: Path | None) -> Path | None:
    """Return the place in the action's cache folder, which lies beside the pin."""
    return None if pin is None else pin.parent / "cache" / "dislikes.json"


def _number(env: Mapping[str, str], name: str, default: int) -> int:
    text = env.get(name, "").strip()
    return int(text) if text.isascii() and text.isdigit() and len(text) < 20 else default


def _url(env: Mapping[str, str], name: str, default: str) -> str:
    text = env.get(name, "").strip().rstrip("/") or default
    if not text.startswith(("https://", "http://")):
        raise UsageError(f"{name} is not an address: {text[:60]!r}")
    return text
