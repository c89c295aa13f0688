"""Index the two sides of a pull request, as one view each. Every step of the bot uses these names.

Excludes come from the base's configuration and attributes from the base's `.gitattributes`: what
the head says of itself decides nothing. Only vectors may be missing afterwards.
"""

from __future__ import annotations

import tomllib
from dataclasses import replace

from sidelight.config import FILE_NAME, PYPROJECT_NAME, Config, parse_config
from sidelight.errors import ConfigError, GitError
from sidelight.git.blobs import BlobReader
from sidelight.git.repository import Repository
from sidelight.indexing.passing import passing_view
from sidelight.indexing.place import Place
from sidelight.indexing.refresh import index_target
from sidelight.indexing.report import Progress, RefreshReport, Target

MAX_CONFIG_BYTES = 1_000_000


def base_view(commit: str) -> str:
    """Return the name of the view that shows the base (or merge base) `commit`."""
    return passing_view(commit)


def head_view(commit: str, base: str) -> str:
    """Return the name of the view that shows `commit` under the attributes of `base`."""
    return passing_view(f"{commit}@{base[:12]}")


def index_base(place: Place, commit: str, progress: Progress | None = None) -> RefreshReport:
    """Make the base's view show `commit`, without waiting for vectors.

    Raises:
        UnknownRevisionError, IndexStateError, StorageError: see `index_target`.
    """
    target = Target(base_view(commit), commit, place.repo.tree_of(commit))
    return index_target(place, target, wait=True, create=True, progress=progress, vectors=False)


def index_head(
    place: Place, commit: str, base: str, progress: Progress | None = None
) -> RefreshReport:
    """Make the head's view show `commit` under the attributes of `base`; see `index_base`."""
    repo = place.repo
    target = Target(
        head_view(commit, base),
        commit,
        repo.tree_of(commit),
        attributes_tree=repo.tree_of(base),
    )
    return index_target(place, target, wait=True, create=True, progress=progress, vectors=False)


def config_at(repo: Repository, commit: str, name: str = "") -> Config:
    """Return the configuration in a commit's tree: the file `name`, or the usual places.

    Nothing is read from the worktree. A name that the tree does not have is an error; without one,
    a tree that has neither file has the default configuration.

    Raises:
        ConfigError: a file is not TOML, or says what no configuration may say.
    """
    own = _read_table(repo, commit, name or FILE_NAME)
    if own is None and name:
        raise ConfigError(f"{name} is not in commit {commit[:10]}", hint="the base branch counts")
    if own is None:
        project = _read_table(repo, commit, PYPROJECT_NAME) or {}
        tool = project.get("tool", {})
        own = tool.get("sidelight", {}) if isinstance(tool, dict) else {}
        if not isinstance(own, dict):
            raise ConfigError(f"{PYPROJECT_NAME}: tool.sidelight must be a table")
    config = parse_config({k: v for k, v in own.items() if k != "bot"}, name or FILE_NAME)
    # A folder of the checkout is no place to load a model from: only one known by name.
    if "/" in config.embedding.model or "\\" in config.embedding.model:
        config = replace(
            config, embedding=replace(config.embedding, model=Config().embedding.model)
        )
    return config


def _read_table(repo: Repository, commit: str, name: str) -> dict[str, object] | None:
    """Return a TOML file of a commit's tree; None if there is none."""
    words = ["rev-parse", "--verify", "--quiet", "--end-of-options"]
    done = repo.try_run([*words, f"{repo.require_object_id(commit)}:./{name}"])
    blob = done.stdout.decode("ascii", "replace").strip()
    if done.returncode != 0 or not repo.is_object_id(blob):
        return None
    try:
        with BlobReader(repo) as blobs:
            if blobs.size(blob) > MAX_CONFIG_BYTES:
                raise ConfigError(f"{name} is larger than a configuration")
            return tomllib.loads(blobs.read(blob).decode("utf-8"))
    except GitError as error:
        raise ConfigError(f"{name} cannot be read: {error.message}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"{name} is not valid TOML: {error}") from error
