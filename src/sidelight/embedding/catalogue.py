"""Find models by name or directory: the shipped one and those a user has exported.

Light on purpose: no numpy, no engine. Reads manifests only; the environment is handed in.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from sidelight.embedding.info import ModelInfo
from sidelight.embedding.manifest import MANIFEST_NAME, Manifest, read_manifest
from sidelight.errors import ModelError

DEFAULT_MODEL = "default"  # the configuration's word for the shipped model
SHIPPED_ID = "all-MiniLM-L6-v2-int8"
SHIPPED_DIRECTORY = Path(__file__).parent / "data" / SHIPPED_ID


@dataclass(frozen=True, slots=True)
class InstalledModel:
    """A model that can be named. `manifest` is None, and `problem` says why, if it is damaged."""

    name: str
    directory: Path
    shipped: bool
    manifest: Manifest | None
    problem: str = ""


def default_models_directory(environ: Mapping[str, str], home: Path) -> Path:
    """Return where a user's models live: XDG_DATA_HOME, LOCALAPPDATA, or `~/.local/share`.

    Called by entry points, which alone may read the environment.
    """
    for name in ("XDG_DATA_HOME", "LOCALAPPDATA"):
        value = environ.get(name, "")
        if value and Path(value).is_absolute():  # the XDG specification: ignore relative ones
            return Path(value) / "sidelight" / "models"
    return home / ".local" / "share" / "sidelight" / "models"


def model_directory(model: str | Path = DEFAULT_MODEL, models_dir: Path | None = None) -> Path:
    """Return the directory of a model given as `default`, a name, or a path.

    A `Path`, and text with a slash in it, is a directory; other text is a name, looked up among
    the shipped model and `models_dir`. Text is what configuration files hold, so a directory in it
    must be absolute (or start with `~`): a cloned repository cannot make its own files be run.

    Raises:
        ModelError: no model has that name, or the directory is relative.
    """
    if isinstance(model, Path):
        return model
    if model in (DEFAULT_MODEL, SHIPPED_ID):
        return SHIPPED_DIRECTORY
    if "/" in model or "\\" in model:
        directory = Path(model).expanduser()
        if directory.is_absolute():
            return directory
        raise ModelError(
            f"the model directory {model!r} is relative",
            hint="give an absolute path, or export into the models directory and use the name",
        )
    if model and models_dir is not None and (models_dir / model / MANIFEST_NAME).is_file():
        return models_dir / model
    where = f" in {models_dir}" if models_dir is not None else ""
    raise ModelError(
        f"no embedding model is called {model!r}{where}",
        hint="`sidelight model list` shows the names; `sidelight model export` adds one",
    )


def model_manifest(
    model: str | Path = DEFAULT_MODEL, *, models_dir: Path | None = None
) -> Manifest:
    """Return the checked manifest of a model; raises ModelError as the two steps do."""
    return read_manifest(model_directory(model, models_dir))


def model_info(model: str | Path = DEFAULT_MODEL, *, models_dir: Path | None = None) -> ModelInfo:
    """Return what identifies a model, without loading it; raises ModelError."""
    return model_manifest(model, models_dir=models_dir).info


def model_sha(model: str | Path = DEFAULT_MODEL, *, models_dir: Path | None = None) -> str:
    """Return a model's identity (`ModelInfo.sha256`), without loading it; raises ModelError."""
    return model_info(model, models_dir=models_dir).sha256


def list_models(models_dir: Path | None = None) -> tuple[InstalledModel, ...]:
    """Return the shipped model, then the user's by name; damaged ones are listed as such."""
    found = [_installed(SHIPPED_ID, SHIPPED_DIRECTORY, shipped=True)]
    if models_dir is not None and models_dir.is_dir():
        found += [
            _installed(entry.name, entry, shipped=False)
            for entry in sorted(models_dir.iterdir())
            if not entry.name.startswith(".") and entry.is_dir()
        ]
    return tuple(found)


def _installed(name: str, directory: Path, *, shipped: bool) -> InstalledModel:
    try:
        return InstalledModel(name, directory, shipped, read_manifest(directory))
    except ModelError as error:
        return InstalledModel(name, directory, shipped, None, error.message)
