"""Write which model a repository uses into its configuration file, keeping the rest as it is.

Edits the text, then parses both versions: unless exactly that one key changed, nothing is written.
"""

from __future__ import annotations

import json
import re
import tempfile
import tomllib
from pathlib import Path
from typing import Any

from sidelight.config import FILE_NAME, PYPROJECT_NAME
from sidelight.errors import ConfigError

SECTION = "embedding"
KEY = "model"


def choose_model(root: Path, model: str) -> Path:
    """Set `embedding.model` for the worktree at `root`; return the file that was written.

    That is `.sidelight.toml`, or pyproject.toml where only `[tool.sidelight]` exists: the two are
    never mixed, so a new `.sidelight.toml` would hide the other's settings.

    Raises:
        ConfigError: the file is not TOML, or is written so that it cannot be edited safely.
    """
    own, pyproject = root / FILE_NAME, root / PYPROJECT_NAME
    path, table = own, tuple[str, ...]()
    if not own.exists() and "sidelight" in _parse(_read(pyproject), pyproject).get("tool", {}):
        path, table = pyproject, ("tool", "sidelight")
    before = _read(path)
    after = with_model(before, (*table, SECTION), model, path)
    if after != before:
        _write(path, after)
    return path


def with_model(text: str, table: tuple[str, ...], model: str, path: Path) -> str:
    """Return the TOML `text` with `model` set in `table`; `path` is only named in errors.

    Raises:
        ConfigError: see `choose_model`.
    """
    expected = _parse(text, path)
    inner = expected
    for name in table:
        inner = inner.setdefault(name, {})
        if not isinstance(inner, dict):
            raise _uneditable(path, table, model)
    if inner.get(KEY) == model:
        return text
    inner[KEY] = model
    changed = _edited(text, table, f"{KEY} = {_toml_string(model)}")
    try:
        if tomllib.loads(changed) == expected:
            return changed
    except tomllib.TOMLDecodeError:
        pass
    raise _uneditable(path, table, model)


def _edited(text: str, table: tuple[str, ...], entry: str) -> str:
    """Return the text with `entry` in place of the table's model, else in the table, else new."""
    newline = "\r\n" if "\r\n" in text else "\n"
    lines = text.splitlines(keepends=True)
    dotted = r"\s*\.\s*".join(map(re.escape, table))
    header = re.compile(rf"\s*\[\s*{dotted}\s*\]\s*(#.*)?$")
    start = next((n for n, line in enumerate(lines) if header.match(line.rstrip("\r\n"))), None)
    if start is None:
        gap = newline if text.strip() else ""
        ended = "" if not text or text.endswith(("\n", "\r")) else newline
        return f"{text}{ended}{gap}[{'.'.join(table)}]{newline}{entry}{newline}"
    for n in range(start + 1, len(lines)):
        if lines[n].lstrip().startswith("["):
            break
        if re.match(rf"\s*{KEY}\s*=", lines[n]):
            comment = re.search(r"\s+#[^\"']*$", lines[n].rstrip("\r\n"))
            lines[n] = entry + (comment.group() if comment else "") + newline
            return "".join(lines)
    if not lines[start].endswith(("\n", "\r")):
        lines[start] += newline
    lines.insert(start + 1, entry + newline)
    return "".join(lines)


def _toml_string(value: str) -> str:
    # JSON's escapes are TOML's, but for DEL, which TOML wants escaped.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007F")


def _read(path: Path) -> str:
    try:
        return path.read_bytes().decode("utf-8")
    except (FileNotFoundError, NotADirectoryError):
        return ""
    except UnicodeDecodeError as error:
        raise ConfigError(f"{path} is not UTF-8") from error
    except OSError as error:
        raise ConfigError(f"{path} cannot be read: {error.strerror}") from error


def _parse(text: str, path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{path} is not valid TOML: {error}") from error


def _write(path: Path, text: str) -> None:
    """Replace the file whole, through a new one beside it; a symbolic link stays one."""
    target = path.resolve()
    try:
        mode = target.stat().st_mode & 0o777 if target.exists() else 0o644
        with tempfile.TemporaryDirectory(dir=target.parent, prefix=".sidelight-") as folder:
            new = Path(folder) / target.name
            new.write_bytes(text.encode("utf-8"))
            new.chmod(mode)
            new.replace(target)
    except OSError as error:
        raise ConfigError(f"{path} cannot be written: {error.strerror}") from error


def _uneditable(path: Path, table: tuple[str, ...], model: str) -> ConfigError:
    return ConfigError(
        f"{path} is written in a form that cannot be edited safely",
        hint=f"set this by hand: [{'.'.join(table)}] {KEY} = {_toml_string(model)}",
    )
