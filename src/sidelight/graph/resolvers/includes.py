"""Imports of files by path: C, C++ and Objective-C includes, Ruby, Lua, shells. Pure."""

from __future__ import annotations

from collections.abc import Iterable

from sidelight.graph.bounds import ALL, Bound
from sidelight.graph.tree import Tree, join, nearest, parent
from sidelight.model import Import, ImportKind

# Headers of the system that a repository may hold a file of the same name of.
_SYSTEM = frozenset(
    "assert complex ctype errno fenv float inttypes iso646 limits locale math setjmp signal "
    "stdalign stdarg stdatomic stdbool stddef stdint stdio stdlib stdnoreturn string strings "
    "tgmath threads time uchar wchar wctype unistd fcntl pthread dirent poll sched regex glob pwd "
    "grp netdb algorithm any array atomic bitset chrono deque exception filesystem format "
    "functional future iomanip ios iosfwd iostream istream iterator list map memory mutex new "
    "numeric optional ostream queue random ratio set span sstream stack stdexcept streambuf "
    "string_view system_error thread tuple type_traits typeinfo unordered_map unordered_set "
    "utility variant vector version".split()
)


_RUBY_ROOTS = ("lib/", "test/", "spec/")


class IncludeResolver:
    """Resolves C's includes: beside the file, then below any include root, if one alone fits."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree

    def resolve(self, path: str, item: Import) -> tuple[Bound, ...]:
        """Return the included file's names as a wildcard; `using` names nothing by itself."""
        if item.kind not in (ImportKind.INCLUDE, ImportKind.SYSTEM_INCLUDE):
            return ()
        file = self._file(path, item.module, item.kind is ImportKind.SYSTEM_INCLUDE)
        return (Bound(ALL, (file,) if file else (), ALL),)

    def _file(self, path: str, module: str, is_system: bool) -> str | None:
        if not is_system:
            beside = join(parent(path), module)
            if beside in self._tree.files:
                return beside
        stem = module.rpartition("/")[2].removesuffix(".h")
        if is_system and (stem in _SYSTEM or module.startswith("sys/")) and "/" not in stem:
            return None
        tail = module.lstrip("./")
        found = self._tree.ending(tail)
        if is_system and "/" not in module:
            found = tuple(f for f in found if parent(f) in ("", "include", "src"))
        return _one(found, path)


class RubyResolver:
    """Resolves `require` against every `lib`, and `require_relative` against the file."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree

    def resolve(self, path: str, item: Import) -> tuple[Bound, ...]:
        """Return the required file's names, as a wildcard; `autoload` brings one name."""
        file = self._file(path, item)
        files = (file,) if file else ()
        if item.names:
            return tuple(Bound(name.name, files, name.name) for name in item.names)
        return (Bound(ALL, files, ALL),)

    def _file(self, path: str, item: Import) -> str | None:
        name = item.module if item.module.endswith(".rb") else f"{item.module}.rb"
        if item.kind is ImportKind.INCLUDE or name.startswith("."):
            target = join(parent(path), name)
            return target if target in self._tree.files else None
        roots = [f for f in self._tree.ending(name) if f.removesuffix(name).endswith(_RUBY_ROOTS)]
        if f"lib/{name}" in self._tree:
            return f"lib/{name}"
        return _one(roots, path) or (name if name in self._tree else None)


class LuaResolver:
    """Resolves `require "a.b"` to `a/b.lua` or `a/b/init.lua` below any folder."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree

    def resolve(self, path: str, item: Import) -> tuple[Bound, ...]:
        """Return the module under the name that the file gives it, or one of its fields."""
        name = item.module.removesuffix(".lua").replace(".", "/")
        found = (*self._tree.ending(f"{name}.lua"), *self._tree.ending(f"{name}/init.lua"))
        file = _one(found, path)
        files = (file,) if file else ()
        if item.names:
            return tuple(Bound(n.alias or n.name, files, n.name) for n in item.names)
        return (Bound(item.alias or "", files),)


class ShellResolver:
    """Resolves `source`: beside the file, from the top, else by its ending without variables."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree

    def resolve(self, path: str, item: Import) -> tuple[Bound, ...]:
        """Return the sourced file's functions as a wildcard."""
        text = item.module.strip("\"'")
        while text.startswith(("$", '"')) and "/" in text:  # "$(dirname "$0")/lib.sh", $DIR/lib.sh
            text = text[text.rindex(")/") + 2 :] if ")/" in text else text.partition("/")[2]
        beside = [join(parent(path), text), join("", text)]
        file = self._tree.first(target for target in beside if target)
        file = file or _one(self._tree.ending(text.lstrip("./")), path)
        return (Bound(ALL, (file,) if file else (), ALL),)


def _one(found: Iterable[str], near: str) -> str | None:
    """Return the only file, or the one that is nearest alone."""
    files = tuple(dict.fromkeys(found))
    return files[0] if len(files) == 1 else nearest(files, near)
