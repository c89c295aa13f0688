"""`sidelight model`: list, choose, show, verify and export embedding models.

Results go to stdout, progress to stderr. The engine is imported by the commands that need it.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from sidelight.config import load_config
from sidelight.embedding import (
    DEFAULT_MODEL,
    SHIPPED_ID,
    Pooling,
    default_models_directory,
    list_models,
    model_directory,
    runtime_info,
)
from sidelight.embedding.catalogue import SHIPPED_DIRECTORY, InstalledModel
from sidelight.embedding.manifest import Manifest, manifest_table, read_manifest
from sidelight.errors import ModelError, NotARepositoryError
from sidelight.git.repository import open_repository

format_option = click.option(
    "--format",
    "format_",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="How the result is printed.",
)


@click.group("model")
def model_group() -> None:
    """List, choose, verify and export the models that turn code into vectors."""


@model_group.command("list")
@format_option
@click.pass_context
def list_command(ctx: click.Context, format_: str) -> None:
    """List the shipped model and your own; the one in use here is marked."""
    root = _worktree(ctx)
    chosen = load_config(root).embedding.model
    rows = [_row(model, chosen) for model in list_models(_models_dir())]
    if not any(row["in_use"] for row in rows) and "/" in chosen:
        directory = model_directory(chosen)
        rows.append(_row(_outside(directory), chosen))
    _print(format_, {"in_use": chosen, "models": rows}, lambda: _list_text(rows))


@model_group.command("use")
@click.argument("model", metavar="NAME|DIR")
@format_option
@click.pass_context
def use_command(ctx: click.Context, model: str, format_: str) -> None:
    """Write the model into this repository's configuration; `default` is the shipped one.

    The index keeps its old vectors until `sidelight index` has made the new ones.
    """
    from sidelight.embedding.choosing import choose_model

    root = _worktree(ctx)
    if root is None:
        raise NotARepositoryError(
            f"{_start(ctx)} is not inside a worktree", hint="choose a repository with -C DIR"
        )
    directory = _given(ctx, model)
    manifest = read_manifest(directory)
    name = _name_for(directory)
    path = choose_model(root, name)
    table = {"model": name, "sha256": manifest.info.sha256, "file": str(path)}
    _print(format_, table, lambda: f"{path.name}: embedding.model = {json.dumps(name)}")
    click.echo("run `sidelight index` to make the vectors of this model", err=True)


@model_group.command("info")
@click.argument("model", metavar="[NAME|DIR]", default="")
@format_option
@click.pass_context
def info_command(ctx: click.Context, model: str, format_: str) -> None:
    """Show a model's settings, files, origin and cosines to its original (default: in use)."""
    directory = _given(ctx, model)
    manifest = read_manifest(directory)
    table = manifest_table(manifest) | {
        "directory": str(directory),
        "size_bytes": _size(manifest),
        "runtime": runtime_info(),
    }
    del table["references"]
    _print(format_, table, lambda: "\n".join(_flat(table)))


@model_group.command("verify")
@click.argument("model", metavar="[NAME|DIR]", default="")
@format_option
@click.pass_context
def verify_command(ctx: click.Context, model: str, format_: str) -> None:
    """Check a model's hashes, and its vectors against those of build time (default: in use)."""
    from sidelight.embedding.verifying import verify_model

    found = verify_model(_given(ctx, model))
    table = {
        "model": found.manifest.info.id,
        "directory": str(found.directory),
        "sha256": found.manifest.info.sha256,
        "passed": found.passed,
        "cosines": list(found.cosines),
        "least": found.least,
        "runtime": runtime_info(),
    }
    lowest = min(found.cosines, default=1.0)
    word = "verified" if found.passed else "NOT verified"
    _print(
        format_,
        table,
        lambda: (
            f"{found.manifest.info.id}: {word}: files match, lowest cosine to the vectors of build"
            f" time {lowest:.4f} (at least {found.least})"
        ),
    )
    if not found.passed:
        raise ModelError(
            f"model {found.manifest.info.id} gives other vectors here than when it was built",
            hint="export it again here, and report the `runtime` that --format json shows",
        )


@model_group.command("export")
@click.argument("model", metavar="ID|DIR")
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    help="Where the model's directory is made. Default: your models directory.",
)
@click.option(
    "--precision",
    type=click.Choice(["int8", "fp32"]),
    default="int8",
    show_default=True,
    help="int8 is a quarter of the size and twice as fast; fp32 keeps the original's vectors.",
)
@click.option(
    "--pooling",
    type=click.Choice([str(item) for item in Pooling]),
    help="Instead of what the model's files say.",
)
@click.option("--name", help="The new model's name. Default: the model's own with the precision.")
@click.option(
    "--max-tokens", type=click.IntRange(8, 32_768), help="Read at most this much of a text."
)
@click.option("--query-prefix", help="Put before queries, instead of the model's own prompt.")
@click.option("--document-prefix", help="Put before code, instead of the model's own prompt.")
@click.option("--licence", help="Recorded in model.json, where the model card names none.")
@click.option("--source-name", help="Recorded in model.json as the original's name.")
@click.option("--revision", help="The revision to download, for an ID.")
@click.option("--replace", is_flag=True, help="Replace a model of the same name.")
@click.option(
    "--allow-loss", is_flag=True, help="Keep a copy whose vectors lie far from the original's."
)
@format_option
def export_command(
    model: str, out: Path | None, pooling: str | None, format_: str, **choices: Any
) -> None:
    """Make a model that Sidelight can run from a Hugging Face encoder.

    DIR needs no network; an ID is downloaded (safetensors only). The result is compared with the
    original on sample texts and refused if it lies too far off. Needs the extra `models`.
    """
    from sidelight.embedding.export import ExportOptions, export_model

    options = ExportOptions(pooling=None if pooling is None else Pooling(pooling), **choices)
    click.echo(f"exporting {model} ({options.precision}) …", err=True)
    directory, manifest = export_model(model, out or _models_dir(), options)
    table = manifest_table(manifest) | {"directory": str(directory), "size_bytes": _size(manifest)}
    del table["references"]
    _print(format_, table, lambda: _exported_text(directory, manifest))


@model_group.command("pin-reranker")
@click.argument("directory", metavar="DIR", type=click.Path(path_type=Path))
@click.option("--name", help="What it is called in reasons. Default: the folder's name.")
@click.option(
    "--max-tokens",
    type=click.IntRange(2, 100_000),
    default=512,
    show_default=True,
    help="Read at most this much of a query and a text together.",
)
@click.option("--licence", default="", help="Recorded in reranker.json.")
@format_option
@click.pass_context
def pin_command(
    ctx: click.Context,
    directory: Path,
    name: str | None,
    max_tokens: int,
    licence: str,
    format_: str,
) -> None:
    """Pin the reranker in DIR, a cross-encoder's model.onnx and tokenizer.json, by their hashes.

    From then on `search --rerank DIR` refuses other files.
    """
    from sidelight.rerank.manifest import pin_model

    folder = (_start(ctx) / directory.expanduser()).resolve()
    pinned = pin_model(folder, name=name or folder.name, max_tokens=max_tokens, licence=licence)
    table = {
        "reranker": pinned.name,
        "directory": str(folder),
        "max_tokens": pinned.max_tokens,
        "sha256": {"model": pinned.model.sha256, "tokenizer": pinned.tokenizer.sha256},
    }
    _print(format_, table, lambda: f"{pinned.name}: {folder}")


def _exported_text(directory: Path, manifest: Manifest) -> str:
    cosines = manifest.verification
    return (
        f"{manifest.info.id}: {manifest.info.dimensions} dimensions,"
        f" {_megabytes(_size(manifest))}, cosine to the original"
        f" {cosines['cosine_mean']:.4f} (lowest {cosines['cosine_min']:.4f})\n"
        f"{directory}"
    )


def _list_text(rows: list[dict[str, Any]]) -> str:
    width = max(len(row["name"]) for row in rows)
    lines = []
    for row in rows:
        mark = "*" if row["in_use"] else " "
        about = row["problem"] or (
            f"{row['dimensions']:>5} dimensions {row['max_tokens']:>6} tokens"
            f"  {row['precision']}  {_megabytes(row['size_bytes']):>9}  {row['licence']}"
        )
        lines.append(f"{mark} {row['name']:<{width}}  {about}")
    return "\n".join(lines)


def _row(model: InstalledModel, chosen: str) -> dict[str, Any]:
    names = {DEFAULT_MODEL, SHIPPED_ID} if model.shipped else {model.name, str(model.directory)}
    row: dict[str, Any] = {
        "name": model.name,
        "in_use": chosen in names,
        "shipped": model.shipped,
        "directory": str(model.directory),
        "problem": model.problem,
    }
    if model.manifest is not None:
        info = model.manifest.info
        row |= {
            "sha256": info.sha256,
            "dimensions": info.dimensions,
            "max_tokens": info.max_tokens,
            "precision": model.manifest.precision,
            "licence": info.licence,
            "size_bytes": _size(model.manifest),
        }
    return row


def _outside(directory: Path) -> InstalledModel:
    try:
        return InstalledModel(str(directory), directory, False, read_manifest(directory))
    except ModelError as error:
        return InstalledModel(str(directory), directory, False, None, error.message)


def _given(ctx: click.Context, model: str) -> Path:
    """Return the directory of the model that the user typed; "" is the one in use."""
    if not model:
        return model_directory(load_config(_worktree(ctx)).embedding.model, _models_dir())
    if model in (".", "..") or "/" in model or os.sep in model:  # typed: relative is fine here
        return (_start(ctx) / Path(model).expanduser()).resolve()
    return model_directory(model, _models_dir())


def _name_for(directory: Path) -> str:
    """Return how configuration names a model directory: by name where that finds it."""
    if directory == SHIPPED_DIRECTORY:
        return DEFAULT_MODEL
    if directory.parent == _models_dir().resolve() or directory.parent == _models_dir():
        return directory.name
    return str(directory)


def _models_dir() -> Path:
    return default_models_directory(os.environ, Path.home())


def _start(ctx: click.Context) -> Path:
    """Return the folder of `-C DIR`, which the root group keeps as a Path in its context."""
    return ctx.find_object(Path) or Path.cwd()


def _worktree(ctx: click.Context) -> Path | None:
    """Return the root of the worktree; None outside of repositories and in bare ones."""
    try:
        return open_repository(_start(ctx)).worktree
    except NotARepositoryError:
        return None


def _size(manifest: Manifest) -> int:
    return manifest.model.size + manifest.tokenizer.size


def _megabytes(size: int) -> str:
    return f"{size / 1e6:.1f} MB"


def _flat(table: dict[str, Any], prefix: str = "") -> list[str]:
    lines = []
    for key, value in table.items():
        if isinstance(value, dict):
            lines += _flat(value, f"{prefix}{key}.")
        else:
            lines.append(f"{prefix}{key}: {value}")
    return lines


def _print(format_: str, table: dict[str, Any], text: Callable[[], str]) -> None:
    click.echo(json.dumps(table, indent=2, ensure_ascii=False) if format_ == "json" else text())
