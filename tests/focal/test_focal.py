"""What a diff is about: definitions, identifiers, title and scope."""

from __future__ import annotations

from pathlib import Path

import pytest

from helpers.gitrepo import GitRepo
from sidelight.focal import FocalSet, SymbolChange, build_focal, scope_of, title_of
from sidelight.git.diffs import diff_revisions, diff_worktree
from sidelight.git.repository import open_repository

ADDED, REMOVED = SymbolChange.ADDED, SymbolChange.REMOVED
CHANGED, SIGNATURE = SymbolChange.CHANGED, SymbolChange.SIGNATURE

PYTHON = (
    """\
import os

LIMIT = 10


class Cart:
    rate = 1

    def total(self, items):
        return sum(items)

    def clear(self):
        self.items = []


def ship(order):
    return order


def drop():
    pass
""",
    """\
import os

LIMIT = 20


class Cart:
    rate = 1

    def total(self, items):
        return sum(items) * self.rate

    def clear(self, hard=False):
        self.items = []

    def count(self):
        return len(self.items)


def ship(order):
    return order
""",
    {
        "LIMIT": CHANGED,
        "Cart.total": CHANGED,
        "Cart.clear": SIGNATURE,
        "Cart.count": ADDED,
        "drop": REMOVED,
    },
)
GO = (
    """\
package shop

type Cart struct {
	items []int
}

func (c *Cart) Total(rate int) int {
	return rate
}

func Ship(id string) error {
	return nil
}

func drop() {
	println("gone")
}
""",
    """\
package shop

type Cart struct {
	items []int
}

func (c *Cart) Total(rate int) int {
	return rate * len(c.items)
}

func Ship(id string, fast bool) error {
	return nil
}

func Count(c Cart) int {
	return len(c.items)
}
""",
    {"Cart.Total": CHANGED, "Ship": SIGNATURE, "Count": ADDED, "drop": REMOVED},
)
TYPESCRIPT = (
    """\
export interface Item {
  price: number;
}

export class Cart {
  total(items: Item[]): number {
    return 0;
  }

  clear(): void {
    return;
  }
}

export function ship(id: string): void {
  return;
}

export const drop = (): void => {
  console.log("gone");
};
""",
    """\
export interface Item {
  price: number;
}

export class Cart {
  total(items: Item[]): number {
    return items.length;
  }

  clear(): void {
    return;
  }
}

export function ship(id: string, fast: boolean): void {
  return;
}

export const count = (items: Item[]): number => {
  return items.length;
};
""",
    {"Cart.total": CHANGED, "ship": SIGNATURE, "count": ADDED, "drop": REMOVED},
)


@pytest.fixture
def made(tmp_path: Path) -> GitRepo:
    return GitRepo.init(tmp_path / "repo")


def focal_of(made: GitRepo, base: str, head: str, title: str = "") -> FocalSet:
    repo = open_repository(made.path)
    return build_focal(repo, diff_revisions(repo, base, head), title)


def changes(focal: FocalSet) -> dict[str, SymbolChange]:
    return {item.symbol.qualified_name: item.change for item in focal.symbols}


def change(made: GitRepo, path: str | bytes, old: str | bytes, new: str | bytes) -> FocalSet:
    made.write(path, old)
    first = made.commit()
    made.write(path, new)
    return focal_of(made, first, made.commit())


# -- definitions ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "story"),
    [("shop.py", PYTHON), ("shop.go", GO), ("shop.ts", TYPESCRIPT)],
    ids=["python", "go", "typescript"],
)
def test_each_definition_is_added_removed_changed_or_called_in_another_way(
    made: GitRepo, path: str, story: tuple[str, str, dict[str, SymbolChange]]
) -> None:
    old, new, expected = story
    focal = change(made, path, old, new)
    assert changes(focal) == expected
    for item in focal.symbols:
        source = (old if item.change is REMOVED else new).encode()
        shown = source[item.symbol.span.start_byte : item.symbol.span.end_byte]
        assert item.symbol.name.encode() in shown
        assert bool(item.old_signature) == (item.change is not ADDED)
        assert bool(item.new_signature) == (item.change is not REMOVED)


def test_signatures_are_those_of_both_sides(made: GitRepo) -> None:
    (clear,) = (s for s in change(made, "a.py", *PYTHON[:2]).symbols if s.change is SIGNATURE)
    assert clear.old_signature == "def clear(self):"
    assert clear.new_signature == "def clear(self, hard=False):"


def test_a_signature_over_several_lines_is_the_same_signature(made: GitRepo) -> None:
    old = "def f(a, b):\n    return a\n"
    new = "def f(a,\n      b):\n    return a\n"
    assert changes(change(made, "a.py", old, new)) == {"f": CHANGED}


def test_the_innermost_definition_is_the_one(made: GitRepo) -> None:
    old = "class A:\n    def f(self):\n        def g():\n            return 1\n        return g\n"
    assert changes(change(made, "a.py", old, old.replace("1", "2"))) == {"A.f.g": CHANGED}


def test_a_line_between_definitions_is_in_none(made: GitRepo) -> None:
    old = "import os\n\n\ndef f():\n    pass\n"
    focal = change(made, "a.py", old, old.replace("os", "sys"))
    assert focal.symbols == ()
    assert set(focal.removed) - set(focal.added) == {"os"}
    assert set(focal.added) - set(focal.removed) == {"sys"}


def test_a_new_file_adds_and_a_deleted_one_removes_all(made: GitRepo) -> None:
    made.write("old.py", "def a():\n    pass\n\n\nclass B:\n    x = 1\n\n    def c(self): ...\n")
    first = made.commit()
    second_path = "new.go"
    made.remove("old.py")
    made.write(second_path, "package x\n\nfunc D() int {\n\treturn 1\n}\n")
    focal = focal_of(made, first, made.commit())
    found = changes(focal)
    assert found["D"] is ADDED
    assert {found[name] for name in ("a", "B.c")} == {REMOVED}
    assert focal.paths == {b"old.py", b"new.go"}


def test_a_renamed_file_is_focal_under_both_names(made: GitRepo) -> None:
    made.write("old.py", PYTHON[0])
    first = made.commit()
    made.rename("old.py", "new.py")
    made.write("new.py", PYTHON[0].replace("return order", "return order or None"))
    focal = focal_of(made, first, made.commit())
    assert focal.paths == {b"old.py", b"new.py"}
    assert changes(focal) == {"ship": CHANGED}
    assert focal.symbols[0].path == b"new.py"


def test_a_pure_rename_touches_no_definition(made: GitRepo) -> None:
    made.write("old.py", PYTHON[0])
    first = made.commit()
    made.rename("old.py", "new.py")
    focal = focal_of(made, first, made.commit())
    assert focal.symbols == ()
    assert focal.paths == {b"old.py", b"new.py"}


def test_identifiers_of_changed_lines_are_counted_by_side(made: GitRepo) -> None:
    old = "keep = 1\nvalue = old_name(1)\nold_name(2)\n"
    new = "keep = 1\nvalue = new_name(other)\n"
    focal = change(made, "a.py", old, new)
    assert focal.removed["old_name"] == 2
    assert (focal.added["new_name"], focal.added["other"]) == (1, 1)
    assert "keep" not in {*focal.added, *focal.removed}


def test_source_that_does_not_parse_is_focal(made: GitRepo) -> None:
    focal = change(made, "a.py", "def f(:\n  ((\n", "def f(:\n  ((( broken_name\n")
    assert focal.paths == {b"a.py"}
    assert focal.added["broken_name"] == 1


def test_what_is_not_looked_into_is_named_with_its_reason(made: GitRepo) -> None:
    made.write("picture.png", b"\0one")
    made.write("big.txt", "x\n" * 1_100_000)
    made.write("a.py", "a = 1\n")
    made.git("add", "-A")
    made.add_gitlink("lib", "1" * 40)
    first = made.commit(stage=False)
    made.write("picture.png", b"\0two")
    made.write("big.txt", "y\n" + "x\n" * 1_100_000)
    made.write("a.py", "a = 2\n")
    made.git("add", "-A", "--", "picture.png", "big.txt", "a.py")
    made.add_gitlink("lib", "2" * 40)
    focal = focal_of(made, first, made.commit(stage=False))
    assert dict(focal.skipped) == {
        b"picture.png": "binary",
        b"big.txt": "too large",
        b"lib": "submodule",
    }
    assert [file.path for file in focal.files] == [b"a.py"]
    assert focal.paths == {b"picture.png", b"big.txt", b"lib", b"a.py"}


def test_paths_of_any_bytes(made: GitRepo) -> None:
    path = b'q"\xff\n.py'
    focal = change(made, path, "def f():\n    return 1\n", "def f():\n    return 2\n")
    assert focal.paths == {path}
    assert changes(focal) == {"f": CHANGED}


def test_the_working_tree_is_read_where_git_has_no_blob_yet(made: GitRepo) -> None:
    made.write("a.py", PYTHON[0])
    first = made.commit()
    made.write("a.py", PYTHON[1])
    repo = open_repository(made.path)
    focal = build_focal(repo, diff_worktree(repo, first), "", made.read)
    assert changes(focal) == PYTHON[2]


def test_no_diff_is_about_nothing(made: GitRepo) -> None:
    made.commit()
    focal = focal_of(made, made.head(), made.head(), "fix(x): y")
    assert (focal.files, focal.symbols, focal.paths) == ((), (), frozenset())
    assert (focal.title, focal.scope) == ("fix(x): y", "x")


# -- titles ---------------------------------------------------------------------------------------


def title(made: GitRepo, base: str, head: str) -> str:
    return title_of(open_repository(made.path), base, head)


def test_the_title_is_the_subjects_of_the_commits(made: GitRepo) -> None:
    base = made.commit("Before")
    made.commit("First\n\nIts body says nothing here")
    head = made.commit("Second: é")
    assert title(made, base, head) == "First\nSecond: é"
    assert title(made, head, head) == ""


def merged(made: GitRepo, *message: str) -> tuple[str, str]:
    made.commit("Before")
    made.branch("topic")
    made.switch("topic")
    made.commit("Work on it")
    made.commit("Merge branch 'other' into topic")
    made.switch("main")
    made.commit("Meanwhile")
    words = [word for text in message for word in ("-m", text)]
    made.git("merge", "-q", "--no-ff", *words, "topic")
    return made.git("rev-parse", "HEAD^1"), made.head()


def test_a_merges_title_is_in_its_body(made: GitRepo) -> None:
    base, head = merged(made, "Merge pull request #7 from a/topic", "Make carts faster")
    assert title(made, base, head).split("\n")[:2] == ["Make carts faster", "Work on it"]


def test_a_merge_without_a_body_has_the_titles_of_its_commits(made: GitRepo) -> None:
    base, head = merged(made, "Merge branch 'topic'")
    assert title(made, base, head).split("\n")[0] == "Work on it"


def test_a_merge_with_a_subject_of_its_own_keeps_it(made: GitRepo) -> None:
    base, head = merged(made, "Make carts faster (#7)")
    assert title(made, base, head).split("\n")[:2] == ["Make carts faster (#7)", "Work on it"]


def test_the_first_commits_title_is_found(made: GitRepo) -> None:
    head = made.commit("The very first")
    assert title(made, open_repository(made.path).empty_tree, head) == "The very first"


def test_a_shallow_clone_tells_what_it_has(made: GitRepo, tmp_path: Path) -> None:
    for number in range(4):
        made.commit(f"Commit {number}")
    clone = made.clone(tmp_path / "clone", "--depth=2")
    assert title(clone, clone.git("rev-parse", "HEAD~1"), clone.head()) == "Commit 3"


def test_a_title_has_bounds(made: GitRepo) -> None:
    base = made.commit("Before")
    for number in range(3):
        made.commit(f"{number} " + "long " * 200)
    assert len(title(made, base, made.head())) <= 1000


def test_the_users_log_settings_change_no_title(made: GitRepo) -> None:
    base = made.commit("Before")
    head = made.commit("After")
    for name, value in {
        "log.showSignature": "true",
        "log.decorate": "full",
        "format.pretty": "fuller",
        "color.ui": "always",
        "log.diffMerges": "on",
        "log.showRoot": "true",
        "i18n.logOutputEncoding": "ISO-8859-1",
    }.items():
        made.git("config", name, value)
    assert title(made, base, head) == "After"
    assert title(made, head, made.commit("Grüße")) == "Grüße"


@pytest.mark.parametrize(
    ("text", "scope"),
    [
        ("fix(router): handle empty paths", "router"),
        ("feat(core/api)!: drop v1", "core/api"),
        ("Fix(Parser): x", "Parser"),
        ("router: handle empty paths", "router"),
        ("src/app.py: tidy", "src/app.py"),
        ("fix: a bug", ""),
        ("docs: say more", ""),
        ("Test: more", ""),
        ("Handle empty paths", ""),
        ("Two words: no scope", ""),
        ("note:no space", ""),
        ("", ""),
        ("\n\n", ""),
        ("Plain\nfix(other): second line", ""),
        ("fix(): nothing", ""),
        ("fix(" + "x" * 200 + "): long", ""),
    ],
)
def test_the_scope_is_what_the_first_line_names(text: str, scope: str) -> None:
    assert scope_of(text) == scope
