"""Attributes are those of one tree, and of nothing else."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from helpers.gitrepo import GitRepo
from sidelight.errors import GitError, MissingObjectError
from sidelight.git.attributes import NAMES, attribute_sources, read_attributes
from sidelight.git.repository import open_repository
from sidelight.git.trees import list_tree


@pytest.fixture(params=["sha1", "sha256"])
def made(tmp_path: Path, request: pytest.FixtureRequest) -> GitRepo:
    return GitRepo.init(tmp_path / "repo", object_format=request.param)


def oracle(
    made: GitRepo, paths: list[bytes], names: tuple[str, ...]
) -> dict[bytes, dict[str, str]]:
    """Return what git itself says of a clean worktree."""
    answer = made.git_bytes(
        "check-attr", "-z", "--stdin", *names, stdin=b"".join(path + b"\0" for path in paths)
    ).split(b"\0")
    found: dict[bytes, dict[str, str]] = {}
    for path, name, value in zip(answer[0::3], answer[1::3], answer[2::3], strict=False):
        if value != b"unspecified":
            found.setdefault(path, {})[name.decode()] = value.decode()
    return found


def test_values_are_set_unset_or_text_and_others_are_left_out(made: GitRepo) -> None:
    made.write(
        ".gitattributes",
        "[attr]generated linguist-generated -diff\n"
        "*.pb.go generated\n"
        "vendor/** linguist-vendored\n"
        "*.bin binary\n*.psd filter=lfs diff=lfs -text\n*.inc linguist-language=PHP\n",
    )
    made.write("vendor/.gitattributes", "ours.c -linguist-vendored\nfree.c !linguist-vendored\n")
    made.commit()
    paths = [b"a.pb.go", b"vendor/x/y.c", b"vendor/ours.c", b"vendor/free.c", b"x.bin", b"y.psd"]
    paths += [b"z.inc", b"plain.py"]
    repo = open_repository(made.path)
    assert read_attributes(repo, made.tree(), paths) == {
        b"a.pb.go": {"linguist-generated": "set", "diff": "unset"},
        b"vendor/x/y.c": {"linguist-vendored": "set"},
        b"vendor/ours.c": {"linguist-vendored": "unset"},
        b"x.bin": {"binary": "set", "diff": "unset"},
        b"y.psd": {"filter": "lfs", "diff": "lfs"},
        b"z.inc": {"linguist-language": "PHP"},
    }
    assert read_attributes(repo, made.tree(), paths) == oracle(made, paths, NAMES)


def test_each_tree_has_its_own(made: GitRepo) -> None:
    made.write(".gitattributes", "*.py linguist-generated\n")
    made.write("a.py", "")
    first = made.git("rev-parse", made.commit() + "^{tree}")
    made.write(".gitattributes", "*.py linguist-vendored\n")
    made.commit()
    second = made.tree()
    made.remove(".gitattributes")
    made.commit()
    repo = open_repository(made.path)
    answers = [read_attributes(repo, tree, [b"a.py"]) for tree in (first, second, made.tree())]
    assert answers == [
        {b"a.py": {"linguist-generated": "set"}},
        {b"a.py": {"linguist-vendored": "set"}},
        {},
    ]


def test_nothing_but_the_tree_counts(made: GitRepo, monkeypatch: pytest.MonkeyPatch) -> None:
    made.write("a.py", "")
    made.write("b.py", "")
    made.write(".gitattributes", "a.py linguist-generated\n")
    made.commit()
    hide = "b.py linguist-vendored\n"
    made.write(".gitattributes", hide)  # worktree
    made.write("staged/.gitattributes", "*" + hide)  # index
    made.git("add", "-A")
    info = made.path / ".git" / "info"
    info.mkdir(exist_ok=True)
    (info / "attributes").write_text(hide)
    made.git("config", "core.attributesFile", str(info / "attributes"))
    made.git("config", "core.ignoreCase", "true")
    made.git("config", "attr.tree", "HEAD")
    home = Path(os.environ["HOME"]) / ".config" / "git"
    home.mkdir(parents=True, exist_ok=True)
    (home / "attributes").write_text(hide)
    monkeypatch.setenv("GIT_ATTR_SOURCE", "HEAD")
    monkeypatch.setenv("GIT_INDEX_FILE", str(made.path / ".git" / "index"))
    repo = open_repository(made.path)
    paths = [b"a.py", b"b.py", b"A.PY", b"staged/b.py"]
    try:
        assert read_attributes(repo, made.tree(), paths) == {b"a.py": {"linguist-generated": "set"}}
    finally:
        (home / "attributes").unlink()


def test_the_repository_is_not_touched(made: GitRepo) -> None:
    made.write(".gitattributes", "* linguist-generated\n")
    made.commit()
    git_dir = made.path / ".git"
    before = {place: place.stat().st_mtime_ns for place in git_dir.rglob("*")}
    read_attributes(open_repository(made.path), made.tree(), [b"a"])
    assert {place: place.stat().st_mtime_ns for place in git_dir.rglob("*")} == before


def test_odd_paths(made: GitRepo) -> None:
    paths = [b"tab\t", b"line\nend", b'"quoted"', b"\xff.py", b" lead", b"-x", b"--stdin", b":x"]
    made.write(".gitattributes", "* linguist-generated\n")
    made.commit()
    answer = read_attributes(open_repository(made.path), made.tree(), paths)
    assert list(answer) == paths


def test_attribute_files_in_folders_with_odd_names(made: GitRepo) -> None:
    for folder in (b"new\nline", b"\xff", b"sp ace"):
        made.write(folder + b"/.gitattributes", "*.py linguist-generated\n")
    made.commit()
    repo = open_repository(made.path)
    paths = [b"new\nline/a.py", b"\xff/a.py", b"sp ace/a.py", b"a.py"]
    assert list(read_attributes(repo, made.tree(), paths)) == paths[:3]


def test_sources_are_found_at_every_depth_and_may_be_given(made: GitRepo) -> None:
    made.write(".gitattributes", "a linguist-generated\n")
    made.write("deep/down/.gitattributes", "b linguist-vendored\n")
    made.write("x.gitattributes", "c linguist-vendored\n")
    made.commit()
    repo = open_repository(made.path / "deep")
    sources = attribute_sources(repo, made.tree())
    assert [file.path for file in sources] == [b".gitattributes", b"deep/down/.gitattributes"]
    paths = [b"a", b"deep/down/b", b"c"]
    found = read_attributes(repo, made.tree(), paths)
    assert list(found) == paths[:2]
    everything = list_tree(repo, made.tree())
    assert read_attributes(repo, made.tree(), paths, sources=everything) == found
    assert list(read_attributes(repo, made.tree(), paths, sources=sources[1:])) == paths[1:2]


def test_known_sources_that_are_none_start_no_process(
    made: GitRepo, monkeypatch: pytest.MonkeyPatch
) -> None:
    made.write("a.py", "")
    made.commit()
    repo, tree = open_repository(made.path), made.tree()
    files = list_tree(repo, tree)
    monkeypatch.setenv("PATH", "")
    assert read_attributes(repo, tree, [b"a.py"], sources=files) == {}
    assert read_attributes(repo, tree, []) == {}


def test_a_symbolic_link_is_no_attribute_file(made: GitRepo) -> None:
    made.write("real", "* linguist-generated\n")
    made.symlink(".gitattributes", "real")
    made.commit()
    assert read_attributes(open_repository(made.path), made.tree(), [b"a"]) == {}


def test_a_tree_that_no_git_would_check_out_is_still_read(made: GitRepo) -> None:
    attributes = made.git_bytes("hash-object", "-w", "--stdin", stdin=b"* linguist-generated\n")
    blob = attributes.decode().strip()

    def tree(*entries: str) -> str:
        listing = "".join(f"{entry}\n" for entry in entries).encode()
        return made.git_bytes("mktree", stdin=listing).decode().strip()

    inner = tree(f"100644 blob {blob}\t.gitattributes")
    hostile = tree(
        f"040000 tree {inner}\t..",
        f"040000 tree {inner}\t.git",
        f"040000 tree {inner}\tgood",
        f"040000 tree {inner}\tgit~1",
        f"040000 tree {inner}\tback\\slash",
    )
    paths = [b"../a", b".git/a", b"good/a", b"git~1/a", b"back\\slash/a", b"a", b""]
    answer = read_attributes(open_repository(made.path), hostile, paths)
    assert list(answer) == [b"good/a", b"git~1/a", b"back\\slash/a"]


def test_huge_and_strange_attribute_files_do_no_harm(made: GitRepo) -> None:
    junk = b"\0\xff [attr]x y=\n!!! \n[attr]\n" + b"*" * 10_000 + b" linguist-generated\n"
    made.write(".gitattributes", junk + b"a.py linguist-generated\n")
    made.commit()
    read_attributes(open_repository(made.path), made.tree(), [b"a.py"])


def test_bare_repositories_and_linked_worktrees(made: GitRepo, tmp_path: Path) -> None:
    made.write(".gitattributes", "a linguist-generated\n")
    made.commit()
    expected = {b"a": {"linguist-generated": "set"}}
    bare = made.clone(tmp_path / "bare", "--bare")
    linked = made.worktree_add(tmp_path / "linked")
    for place in (bare.path, linked.path):
        assert read_attributes(open_repository(place), made.tree(), [b"a"]) == expected


def test_a_tree_that_is_not_here(made: GitRepo) -> None:
    made.commit()
    repo = open_repository(made.path)
    with pytest.raises(MissingObjectError):
        read_attributes(repo, "1" * len(repo.empty_tree), [b"a"])
    with pytest.raises(GitError, match="object id"):
        read_attributes(repo, "HEAD", [b"a"])


SEGMENTS = st.sampled_from(["a", "b", "gen", "x.py", "y.py"])
PATTERNS = st.sampled_from(["*", "*.py", "a", "/a", "gen/**", "**/x.py", "a/x.py", "[xy].py"])
VALUES = st.sampled_from(["filter", "-filter", "!filter", "filter=lfs", "binary", "-binary"])
RULES = st.lists(st.tuples(PATTERNS, VALUES), max_size=4).map(
    lambda rules: "".join(f"{pattern} {value}\n" for pattern, value in rules)
)


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> GitRepo:
    return GitRepo.init(tmp_path_factory.mktemp("shared"))


@settings(max_examples=20, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    root=RULES,
    below=RULES,
    parts=st.lists(st.lists(SEGMENTS, min_size=1, max_size=3), min_size=1, max_size=6),
)
def test_the_answer_is_that_of_a_clean_worktree(
    shared: GitRepo, root: str, below: str, parts: list[list[str]]
) -> None:
    shared.write(".gitattributes", root)
    shared.write("gen/.gitattributes", below)
    shared.commit()
    paths = ["/".join(part).encode() for part in parts]
    names = ("binary", "filter", "text")
    answer = read_attributes(open_repository(shared.path), shared.tree(), paths, names)
    assert answer == oracle(shared, paths, names)
