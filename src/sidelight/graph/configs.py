"""Configuration files that tell where imports lead. Pure: contents in, values out.

What cannot be read counts as absent: a broken package.json must not end a query.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from sidelight.graph.tree import join, parent

_TSCONFIG = re.compile(r"(?:^|/)[jt]sconfig(?:\.[\w.-]+)?\.json$")
_NAMES = {"package.json": "node", "go.mod": "go", "Cargo.toml": "cargo", "composer.json": "php"}
_SKIPPED = frozenset({"node_modules", "vendor", "bower_components", "target"})
# A JSON string, a comment, or a comma before a closing bracket.
_JSON_EXTRAS = re.compile(r'("(?:\\.|[^"\\])*")|//[^\n]*|/\*.*?\*/|,(?=\s*[}\]])', re.DOTALL)
_GO_MODULE = re.compile(r"^\s*module\s+\"?([^\s\"]+)", re.MULTILINE)
MAX_EXTENDS = 8


@dataclass(frozen=True, slots=True)
class NodePackage:
    """A package.json: `entries` are its main files in order of preference."""

    folder: str
    name: str
    entries: tuple[str, ...]
    exports: Any
    imports: Any


@dataclass(frozen=True, slots=True)
class TsConfig:
    """A tsconfig.json with what it extends merged in; `base` and targets are tree paths."""

    folder: str
    base: str | None
    paths: tuple[tuple[str, tuple[str, ...]], ...]


@dataclass(frozen=True, slots=True)
class GoModule:
    """A go.mod."""

    folder: str
    path: str


@dataclass(frozen=True, slots=True)
class CargoPackage:
    """A Cargo.toml with a package: its library's file, and dependencies under other names."""

    folder: str
    name: str
    root: str
    renames: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class ComposerPackage:
    """A composer.json: namespace prefix → folder, longest prefix first."""

    folder: str
    prefixes: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Configs:
    """All that was read, by path."""

    node: tuple[NodePackage, ...] = ()
    typescript: tuple[TsConfig, ...] = ()
    go: tuple[GoModule, ...] = ()
    cargo: tuple[CargoPackage, ...] = ()
    composer: tuple[ComposerPackage, ...] = ()


def config_paths(paths: Iterable[str], kinds: frozenset[str]) -> list[str]:
    """Return the configuration files of those kinds: node (with tsconfig), go, cargo, php."""
    found = []
    for path in paths:
        name = path.rpartition("/")[2]
        kind = _NAMES.get(name)
        if kind is None and name.endswith(".json") and _TSCONFIG.search(path):
            kind = "node"
        if kind in kinds and _SKIPPED.isdisjoint(path.split("/")):
            found.append(path)
    return sorted(found)


def read_configs(contents: Mapping[str, bytes]) -> Configs:
    """Return what the configuration files say; `contents` maps their tree paths to their bytes."""
    typescript = {p: _object(data) for p, data in contents.items() if _TSCONFIG.search(p)}
    node, go, cargo, composer = [], [], [], []
    for path in sorted(contents):
        name, folder = path.rpartition("/")[2], parent(path)
        if name == "package.json":
            node.append(_node_package(folder, _object(contents[path])))
        elif name == "go.mod":
            module = _GO_MODULE.search(contents[path].decode("utf-8", "replace"))
            if module:
                go.append(GoModule(folder, module[1]))
        elif name == "Cargo.toml":
            cargo += _cargo_package(folder, contents[path])
        elif name == "composer.json":
            composer.append(_composer_package(folder, _object(contents[path])))
    return Configs(
        node=tuple(node),
        typescript=tuple(
            found for p in sorted(typescript) if (found := _tsconfig(p, typescript)) is not None
        ),
        go=tuple(go),
        cargo=tuple(cargo),
        composer=tuple(composer),
    )


def _object(data: bytes) -> dict[str, Any]:
    """Return a JSON object, comments and trailing commas allowed; {} if it is none."""
    text = _JSON_EXTRAS.sub(lambda found: found[1] or "", data.decode("utf-8-sig", "replace"))
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def _strings(value: Any) -> list[str]:
    values = value if isinstance(value, list) else [value]
    return [item for item in values if isinstance(item, str)]


def _mapping(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _node_package(folder: str, data: dict[str, Any]) -> NodePackage:
    keys = ("source", "types", "typings", "module", "main")
    entries = [text for key in keys for text in _strings(data.get(key))]
    name = data.get("name")
    return NodePackage(
        folder,
        name if isinstance(name, str) else "",
        tuple(entries),
        data.get("exports"),
        data.get("imports"),
    )


def _tsconfig(path: str, known: Mapping[str, dict[str, Any]]) -> TsConfig | None:
    base: str | None = None
    paths: dict[str, tuple[str, ...]] | None = None
    pending: list[str] = [path]
    for _ in range(MAX_EXTENDS):
        if not pending:
            break
        current = pending.pop(0)
        data, folder = known[current], parent(current)
        options = _mapping(data.get("compilerOptions"))
        if base is None and isinstance(options.get("baseUrl"), str):
            base = join(folder, options["baseUrl"])
        if paths is None and isinstance(options.get("paths"), dict):
            origin = base if base is not None else folder
            paths = {
                pattern: tuple(t for text in _strings(to) if (t := join(origin, text)) is not None)
                for pattern, to in options["paths"].items()
            }
        for extended in _strings(data.get("extends")):
            target = join(folder, extended) if extended.startswith(".") else None
            if target is not None:
                pending += [t for t in (target, f"{target}.json") if t in known]
    if base is None and not paths:
        return None
    return TsConfig(parent(path), base, tuple((paths or {}).items()))


def _cargo_package(folder: str, data: bytes) -> list[CargoPackage]:
    try:
        value = tomllib.loads(data.decode("utf-8", "replace"))
    except (tomllib.TOMLDecodeError, RecursionError):
        return []
    name = _mapping(value.get("package")).get("name")
    if not isinstance(name, str):
        return []
    library = _mapping(value.get("lib"))
    root = library.get("path") if isinstance(library.get("path"), str) else "src/lib.rs"
    called = library.get("name") if isinstance(library.get("name"), str) else name
    renames = [
        (key.replace("-", "_"), _mapping(spec)["package"].replace("-", "_"))
        for table in ("dependencies", "dev-dependencies", "build-dependencies")
        for key, spec in _mapping(value.get(table)).items()
        if isinstance(_mapping(spec).get("package"), str)
    ]
    path = join(folder, str(root)) or ""
    return [CargoPackage(folder, str(called).replace("-", "_"), path, tuple(renames))]


def _composer_package(folder: str, data: dict[str, Any]) -> ComposerPackage:
    prefixes: list[tuple[str, str]] = []
    for section in ("autoload", "autoload-dev"):
        for prefix, folders in _mapping(_mapping(data.get(section)).get("psr-4")).items():
            for text in _strings(folders):
                target = join(folder, text)
                if target is not None:
                    prefixes.append((prefix.strip("\\"), target))
    prefixes.sort(key=lambda item: (-len(item[0]), item))
    return ComposerPackage(folder, tuple(prefixes))
