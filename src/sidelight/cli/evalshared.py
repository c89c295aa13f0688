"""What the commands of `sidelight eval` share: options, engines, progress. Light until used."""

from __future__ import annotations

import os
import sys
import time
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from sidelight.config import Config, parse_config
from sidelight.errors import ConfigError, UsageError

if TYPE_CHECKING:
    from sidelight.evaluation.cases import CaseFile, CaseSet
    from sidelight.evaluation.repositories import Repositories
    from sidelight.evaluation.runner import Event
    from sidelight.evaluation.weightfile import WeightSet
    from sidelight.indexing.place import EmbedderSource

LINE_EVERY_S = 10.0  # of progress, where stderr is no terminal
DEFAULT_CACHE = Path(".eval")
Command = TypeVar("Command", bound=Callable[..., None])

_OPTIONS = (
    click.argument(
        "cases", nargs=-1, required=True, metavar="CASES...", type=click.Path(path_type=Path)
    ),
    click.option(
        "--repos",
        type=click.Path(path_type=Path, exists=True, file_okay=False),
        help="Folder of the evaluated repositories: DIR/owner/name or DIR/owner+name.",
    ),
    click.option(
        "--repo",
        type=click.Path(path_type=Path, exists=True, file_okay=False),
        help="The one repository that all cases are about, such as your own (`eval mine`).",
    ),
    click.option(
        "--cache",
        type=click.Path(path_type=Path, file_okay=False),
        help="Where indexes and results are kept; never inside an evaluated repository."
        " Default: .eval, or with --repo a folder of your user's cache.",
    ),
    click.option(
        "--limit",
        type=click.IntRange(min=1),
        help="Take so many cases only, spread over the files.",
    ),
    click.option(
        "--jobs",
        type=click.IntRange(1, 64),
        default=1,
        show_default=True,
        help="Repositories worked on at a time; with more than one, query times mean little.",
    ),
    click.option(
        "--config",
        "config_file",
        type=click.Path(path_type=Path, exists=True, dir_okay=False),
        help="A .sidelight.toml to evaluate. Default: the built-in settings.",
    ),
    click.option(
        "--weights",
        "weights_file",
        type=click.Path(path_type=Path, exists=True, dir_okay=False),
        help="Weights that `eval tune` wrote. Default: the built-in ones.",
    ),
)

format_option = click.option(
    "--format",
    "format_",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="What is written to the standard output.",
)


def case_options(command: Command) -> Command:
    """Add CASES and the options that say where repositories, caches and settings are."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


@dataclass(frozen=True, slots=True)
class Workplace:
    """The cases of a command, and everything that is needed to ask them."""

    case_set: CaseSet
    files: tuple[CaseFile, ...]
    repos: Repositories
    cache: Path
    jobs: int
    config: Config
    weights: WeightSet

    @property
    def tasks(self) -> frozenset[str]:
        """The tasks of the cases that were taken."""
        return frozenset(case.task for file in self.files for case in file.cases)

    def embedder(self) -> EmbedderSource:
        """Return the model, with its vectors kept in the cache."""
        from sidelight.embedding.catalogue import default_models_directory
        from sidelight.evaluation.vectors import CachedSource
        from sidelight.indexing.place import EmbedderSource

        models_dir = default_models_directory(os.environ, Path.home())
        return CachedSource(EmbedderSource(self.config, models_dir), self.cache / "vectors.db")


def open_workplace(
    cases: tuple[Path, ...],
    *,
    repos: Path | None,
    repo: Path | None,
    cache: Path | None,
    limit: int | None,
    jobs: int,
    config_file: Path | None,
    weights_file: Path | None,
) -> Workplace:
    """Return what the options of `case_options` name.

    Raises:
        UsageError: there is no case, or not exactly one of `repos` and `repo`.
        ConfigError: a file of settings is bad.
    """
    from sidelight.evaluation.cases import find_case_files, load_cases
    from sidelight.evaluation.repositories import Repositories
    from sidelight.evaluation.runner import limit_cases
    from sidelight.evaluation.weightfile import WeightSet, read_weights
    from sidelight.git.repository import open_repository

    if (repos is None) == (repo is None):
        raise UsageError(
            "say where the repositories are",
            hint="--repos DIR for cases of several, --repo DIR if all are of one",
        )
    only = None if repo is None else open_repository(repo)
    case_set = load_cases(find_case_files(cases))
    files = limit_cases(case_set.files, limit)
    if not any(file.cases for file in files):
        problems = [str(problem) for problem in case_set.problems[:3]]
        raise UsageError(
            "there is no case to run", hint="; ".join(problems) or "the files are empty"
        )
    if cache is None:
        cache = DEFAULT_CACHE if only is None else _user_cache(only.common_dir)
    return Workplace(
        case_set=case_set,
        files=files,
        repos=Repositories(repos, None if only is None else only.common_dir),
        cache=cache,
        jobs=jobs,
        config=read_config(config_file),
        weights=WeightSet() if weights_file is None else read_weights(weights_file),
    )


def _user_cache(common_dir: Path) -> Path:
    """Return a folder for one repository in the user's cache: it must not lie in the repository."""
    import hashlib

    base = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    home = common_dir.parent if common_dir.name == ".git" else common_dir
    digest = hashlib.blake2b(os.fsencode(common_dir), digest_size=4).hexdigest()
    return Path(base) / "sidelight" / "eval" / f"{home.name}-{digest}"


def read_config(path: Path | None) -> Config:
    """Return the settings of a file; None: the built-in ones."""
    if path is None:
        return Config()
    try:
        table: dict[str, Any] = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path} is not valid TOML: {error}") from error
    except OSError as error:
        raise ConfigError(f"{path} cannot be read: {error.strerror}") from error
    return parse_config(table, str(path))


def progress_listener() -> Callable[[Event], None]:
    """Return a listener that writes to stderr: one moving line, or now and then a line."""
    moving = sys.stderr.isatty() and "NO_COLOR" not in os.environ
    shown = time.monotonic()

    def show(event: Event) -> None:
        nonlocal shown
        line = f"[{event.done}/{event.total}] {event.message}"
        last = event.done == event.total
        if moving:
            click.echo(f"\r\033[K{line[:100]}", err=True, nl=last)
        elif last or time.monotonic() - shown > LINE_EVERY_S:
            shown = time.monotonic()
            click.echo(line, err=True)

    return show


def write_file(path: Path, content: bytes) -> None:
    """Write a result file, with its folder.

    Raises:
        UsageError: it cannot be written there.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    except OSError as error:
        raise UsageError(f"{path} cannot be written: {error.strerror}") from error
