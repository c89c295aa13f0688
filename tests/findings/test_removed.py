"""Removed and renamed definitions and files that are still referred to."""

from __future__ import annotations

from pathlib import Path

import pytest

from findings.story import findings_of, only, places
from sidelight.findings import FindingKind

KIND = FindingKind.REMOVED
CORE = "def keep():\n    pass\n\n\ndef gone():\n    pass\n"
KEPT = "def keep():\n    pass\n"
APP = "from core import gone, keep\n\n\ndef start():\n    keep()\n    return gone()\n"


@pytest.mark.parametrize("index_base", [False, True])
def test_uses_and_imports_of_a_removed_function_are_found(tmp_path: Path, index_base: bool) -> None:
    found = findings_of(
        tmp_path, {"core.py": CORE, "app.py": APP}, {"core.py": KEPT}, index_base=index_base
    )
    finding = only(found, KIND)
    assert places(finding) == ["app.py:1 imports it", "app.py:6"]
    assert finding.message == "`gone` is removed, and 2 places still refer to it"


def test_uses_that_the_diff_rewrites_are_gone_too(tmp_path: Path) -> None:
    after = {"core.py": KEPT, "app.py": "from core import keep\n\n\ndef start():\n    keep()\n"}
    assert findings_of(tmp_path, {"core.py": CORE, "app.py": APP}, after).of(KIND) == ()


def test_a_name_that_leaves_a_list_of_imports_is_gone(tmp_path: Path) -> None:
    app = "from core import (\n    gone,\n    keep,\n)\n\nprint(keep())\n"
    after = {"core.py": KEPT, "app.py": app.replace("    gone,\n", "")}
    assert findings_of(tmp_path / "a", {"core.py": CORE, "app.py": app}, after).of(KIND) == ()
    finding = only(
        findings_of(tmp_path / "b", {"core.py": CORE, "app.py": app}, {"core.py": KEPT}), KIND
    )
    assert places(finding) == ["app.py:2 imports it"]


def test_lines_move_with_what_is_above_them(tmp_path: Path) -> None:
    app = "import core\n\n\ndef start():\n    return core.gone()\n"
    after = {"core.py": KEPT, "app.py": "# one\n# two\n" + app}
    finding = only(findings_of(tmp_path, {"core.py": CORE, "app.py": app}, after), KIND)
    assert places(finding) == ["app.py:7"]


def test_a_name_that_is_imported_instead_is_still_there(tmp_path: Path) -> None:
    after = {"core.py": "from library import gone\n\n" + KEPT}
    assert findings_of(tmp_path, {"core.py": CORE, "app.py": APP}, after).of(KIND) == ()


def test_an_alias_keeps_the_name(tmp_path: Path) -> None:
    after = {"core.py": KEPT + "\n\ngone = keep\n"}
    assert findings_of(tmp_path, {"core.py": CORE, "app.py": APP}, after).of(KIND) == ()


def test_a_function_that_moved_is_said_to_have_moved(tmp_path: Path) -> None:
    after = {"core.py": KEPT, "other.py": "def gone():\n    pass\n"}
    finding = only(findings_of(tmp_path, {"core.py": CORE, "app.py": APP}, after), KIND)
    assert finding.message.startswith("`gone` moved to other.py")
    assert "app.py:1 imports it" in places(finding)


def test_a_removed_override_leaves_the_inherited_method(tmp_path: Path) -> None:
    before = {
        "base.py": "class Base:\n    def run(self):\n        pass\n",
        "sub.py": "from base import Base\n\n\nclass Sub(Base):\n    def run(self):\n"
        "        pass\n\n    def other(self):\n        pass\n",
        "app.py": "from sub import Sub\n\nSub().run()\n",
    }
    after = {
        "sub.py": "from base import Base\n\n\nclass Sub(Base):\n    def other(self):\n"
        "        pass\n"
    }
    assert findings_of(tmp_path, before, after).of(KIND) == ()


def test_a_library_base_may_have_the_method(tmp_path: Path) -> None:
    before = {
        "sub.py": "from library import Base\n\n\nclass Sub(Base):\n    def run(self):\n"
        "        pass\n\n    def other(self):\n        pass\n",
        "app.py": "from sub import Sub\n\nSub().run()\n",
    }
    after = {
        "sub.py": "from library import Base\n\n\nclass Sub(Base):\n    def other(self):\n"
        "        pass\n"
    }
    assert findings_of(tmp_path, before, after).of(KIND) == ()


def test_a_deleted_module_is_still_imported(tmp_path: Path) -> None:
    before = {"core.py": CORE, "app.py": "import core\n\nprint(core)\n", "z.py": KEPT}
    finding = only(findings_of(tmp_path, before, {"core.py": None}), KIND)
    assert finding.message == "core.py is deleted, and 1 file still imports it"
    assert places(finding) == ["app.py:1 imports the file"]


def test_an_import_that_expects_to_fail_is_left_alone(tmp_path: Path) -> None:
    app = "try:\n    from core import gone\nexcept ImportError:\n    gone = None\n"
    before = {"core.py": CORE, "app.py": app}
    assert findings_of(tmp_path, before, {"core.py": KEPT}).of(KIND) == ()


def test_typescript_imports_of_a_removed_export(tmp_path: Path) -> None:
    before = {
        "core.ts": "export function keep() {}\nexport function gone() {}\n",
        "app.ts": "import { gone } from './core';\n\ngone();\n",
    }
    finding = only(findings_of(tmp_path, before, {"core.ts": "export function keep() {}\n"}), KIND)
    assert places(finding) == ["app.ts:1 imports it", "app.ts:3"]


def test_a_nested_type_that_is_still_there_is_not_lost(tmp_path: Path) -> None:
    outer = "package a;\npublic class Outer {{\n  public static class Inner {{}}\n{}}}\n"
    files = {
        "src/a/Outer.java": outer.format("  public void gone() {}\n"),
        "src/b/User.java": "package b;\nimport a.Outer.Inner;\nclass User { Inner it; }\n",
    }
    after = {"src/a/Outer.java": outer.format("")}
    assert findings_of(tmp_path, files, after).of(KIND) == ()
