"""Configuration as frozen values, read once from `.sidelight.toml` or `[tool.sidelight]`.

Unknown keys are refused with the nearest known name. The environment is never read here.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any, get_args, get_type_hints

from sidelight.errors import ConfigError

FILE_NAME = ".sidelight.toml"
PYPROJECT_NAME = "pyproject.toml"

GRANULARITIES = ("chunk", "grow", "fit")  # values of search.granularity
STRUCTURED = ("auto", "schema", "object", "prompt")  # values of llm.structured

# Least and largest value of each number, by its key. Beyond them nothing sensible happens; the
# large ones keep row counts, offsets and term counts within 32 bits.
LIMITS: Mapping[str, tuple[float, float]] = {
    "max_file_bytes": (1, (1 << 31) - 1),
    "threads": (1, 256),
    "rrf_k": (0, 1_000_000),
    "pool": (1, 1_000_000),
    "weight": (0, 1_000),
    "k1": (0, 100),
    "b": (0, 1),
    "rerank_most": (1, 1_000),
    "rerank_share": (0, 1),
    "diversity": (0, 0.9),
    "diff_diversity": (0, 0.9),
    "budget_s": (0, 3600),
    "inline_embeddings": (0, 100_000),
    "temperature": (0, 2),
    "answer_tokens": (1, 100_000),
    "context_tokens": (1_000, 100_000_000),
    "timeout_s": (1, 3_600),
    "retries": (0, 10),
    "budget_tokens": (0, 1_000_000_000),
    "budget_usd": (0, 1_000_000),
    "price_prompt": (-1, 1_000_000),
    "price_completion": (-1, 1_000_000),
}


@dataclass(frozen=True, slots=True)
class IndexConfig:
    """What is indexed. Every value here is part of a view's identity."""

    max_file_bytes: int = 1_000_000  # larger files are skipped, and listed as `too large`
    exclude: tuple[str, ...] = ()  # git `:(glob)` patterns, besides the attributes' own
    generated: bool = False  # index what is marked or recognised as generated
    vendored: bool = False  # index what is marked as vendored


@dataclass(frozen=True, slots=True)
class EmbeddingConfig:
    """Which model makes the vectors, and how many threads it may use."""

    model: str = "default"
    threads: int = 2


@dataclass(frozen=True, slots=True)
class RetrieverConfig:
    """A retriever's share: rows asked for (`pool`) and its `weight` in the fusion (0: not run)."""

    pool: int
    weight: float


@dataclass(frozen=True, slots=True)
class SearchConfig:
    """How lists are fused; `sidelight eval run` on the cases chose the defaults."""

    fusion: str = "relative"  # "relative" (min-max) or "rrf"
    rrf_k: int = 60
    bm25: RetrieverConfig = RetrieverConfig(pool=150, weight=1.2)
    dense: RetrieverConfig = RetrieverConfig(pool=150, weight=1.0)
    symbol: RetrieverConfig = RetrieverConfig(pool=50, weight=0.6)
    exact: RetrieverConfig = RetrieverConfig(pool=100, weight=0.4)
    k1: float = 1.5
    b: float = 0.75
    rerank: str = ""  # a reranker's folder, absolute; "": none is used
    rerank_most: int = 30  # hits that it reads; each costs some 10 ms
    rerank_share: float = 0.5  # of a hit's score that is the reranker's
    diversity: float = 0.3  # what novelty weighs beside relevance (decision 7); 0: nothing
    diff_diversity: float = 0.0  # the same for `related`, where it loses
    granularity: str = "grow"  # hits of one class join; "fit": long ones shrink, too; "chunk"


@dataclass(frozen=True, slots=True)
class HooksConfig:
    """What a hook may spend before it leaves the rest to a detached worker."""

    budget_s: float = 2.0
    inline_embeddings: int = 32


@dataclass(frozen=True, slots=True)
class LlmConfig:
    """How a language model is asked. Its address and key come from the environment alone."""

    model: str = ""  # SIDELIGHT_LLM_MODEL wins; "": none
    temperature: float = 0.1
    answer_tokens: int = 800  # of one answer
    context_tokens: int = 16_000  # prompt and answer together
    timeout_s: float = 60.0  # of one request, by the clock, however its bytes come
    retries: int = 2  # of a request that failed for a reason that may pass
    structured: str = "auto"  # or "schema", "object", "prompt": how data is asked for at first
    budget_tokens: int = 200_000  # of a pull request, or a session at the terminal; 0: no limit
    budget_usd: float = 0.0  # likewise; needs prices
    price_prompt: float = -1.0  # US dollars a million tokens; below 0: not known
    price_completion: float = -1.0


@dataclass(frozen=True, slots=True)
class Config:
    """Everything that can be configured; `Config()` is the default."""

    index: IndexConfig = field(default_factory=IndexConfig)
    embedding: EmbeddingConfig = field(default_factory=EmbeddingConfig)
    search: SearchConfig = field(default_factory=SearchConfig)
    hooks: HooksConfig = field(default_factory=HooksConfig)
    llm: LlmConfig = field(default_factory=LlmConfig)


def index_fingerprint(config: IndexConfig) -> str:
    """Return 16 hex digits that change with any value that changes an index's content."""
    text = repr(tuple((f.name, getattr(config, f.name)) for f in fields(config)))
    return hashlib.blake2b(text.encode(), digest_size=8).hexdigest()


def load_config(root: Path | None) -> Config:
    """Return the configuration of the worktree at `root`; the default where there is none.

    `.sidelight.toml` wins over `[tool.sidelight]` in pyproject.toml; they are never mixed.

    Raises:
        ConfigError: a file is not TOML, a key is unknown, or a value has the wrong type.
    """
    if root is None:
        return Config()
    own = _read_toml(root / FILE_NAME)
    if own is not None:
        return parse_config(own, FILE_NAME)
    pyproject = root / PYPROJECT_NAME
    if not _mentions(pyproject, b"sidelight"):
        return Config()  # spares every commit the parse of somebody's long pyproject.toml
    table: Any = _read_toml(pyproject) or {}
    for key in ("tool", "sidelight"):
        table = table.get(key, {})
        if not isinstance(table, Mapping):
            raise ConfigError(f"{PYPROJECT_NAME}: {key} must be a table")
    return parse_config(table, f"{PYPROJECT_NAME} [tool.sidelight]")


def parse_config(table: Mapping[str, Any], source: str) -> Config:
    """Return the configuration that a TOML table describes; see `load_config` for errors."""
    config: Config = _fill(Config(), table, source, "")
    search = config.search
    if search.fusion not in ("relative", "rrf"):
        raise ConfigError(f"{source}: search.fusion is {search.fusion!r}", hint="relative or rrf")
    if search.granularity not in GRANULARITIES:
        raise ConfigError(
            f"{source}: search.granularity is {search.granularity!r}",
            hint=" or ".join(GRANULARITIES),
        )
    if search.rerank and not Path(search.rerank).is_absolute():
        raise ConfigError(
            f"{source}: search.rerank must be an absolute path, not {search.rerank!r}",
            hint="a repository that you clone must not bring a model of its own",
        )
    if config.llm.structured not in STRUCTURED:
        raise ConfigError(
            f"{source}: llm.structured is {config.llm.structured!r}", hint=", ".join(STRUCTURED)
        )
    if not any(r.weight for r in (search.bm25, search.dense, search.symbol, search.exact)):
        raise ConfigError(f"{source}: every retriever has weight 0")
    for pattern in config.index.exclude:
        if not pattern or pattern.startswith("/"):
            raise ConfigError(
                f"{source}: index.exclude holds {pattern!r}",
                hint="patterns are relative to the repository, such as 'generated/**'",
            )
    return config


def _mentions(path: Path, needle: bytes) -> bool:
    try:
        return needle in path.read_bytes()
    except OSError:
        return False


def _read_toml(path: Path) -> dict[str, Any] | None:
    try:
        data = path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise ConfigError(f"{path.name} cannot be read: {error.strerror}") from error
    import tomllib  # noqa: PLC0415 - 5 ms that a commit without configuration need not pay

    try:
        return tomllib.loads(data.decode("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path.name} is not valid TOML: {error}") from error


def _fill(value: Any, table: Mapping[str, Any], source: str, prefix: str) -> Any:
    """Return the dataclass `value` with the table's entries, checked against its annotations."""
    hints = get_type_hints(type(value))
    changes: dict[str, Any] = {}
    for key, given in table.items():
        name = key.replace("-", "_")
        if name not in hints:
            from difflib import get_close_matches  # noqa: PLC0415 - as above

            near = get_close_matches(name, hints, n=1)
            hint = f"did you mean {prefix}{near[0]}?" if near else f"known: {', '.join(hints)}"
            raise ConfigError(f"{source}: unknown key {prefix}{key}", hint=hint)
        current = getattr(value, name)
        if hasattr(current, "__dataclass_fields__"):
            if not isinstance(given, Mapping):
                raise ConfigError(f"{source}: {prefix}{key} must be a table")
            changes[name] = _fill(current, given, source, f"{prefix}{key}.")
        else:
            where = f"{source}: {prefix}{key}"
            changes[name] = _checked(given, hints[name], where)
            if name in LIMITS and not within_limits(name, changes[name]):
                low, high = LIMITS[name]
                raise ConfigError(f"{where} must be between {low:g} and {high:g}, not {given}")
    return replace(value, **changes)


def _checked(given: Any, kind: Any, where: str) -> Any:
    """Return the TOML value as the annotated type, or refuse it."""
    if get_args(kind):  # tuple[str, ...] is the only generic in use
        if isinstance(given, list) and all(isinstance(item, str) for item in given):
            return tuple(given)
        raise ConfigError(f"{where} must be a list of strings")
    if kind is float and isinstance(given, int) and not isinstance(given, bool):
        return float(given) if abs(given) < 1 << 53 else math.inf
    if type(given) is not kind:
        raise ConfigError(f"{where} must be of type {kind.__name__}, not {type(given).__name__}")
    return given


def within_limits(key: str, value: float) -> bool:
    """Return whether a number is one that the key of this name may have; NaN never is."""
    low, high = LIMITS[key]
    return low <= value <= high
