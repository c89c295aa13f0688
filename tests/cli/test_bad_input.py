"""What users, repositories and files may throw at the command line: a code, a line, a hint."""

from __future__ import annotations

import io
import os
import shutil
import sys
from pathlib import Path

import pytest

from cli.run import Cli
from helpers.gitrepo import GitRepo
from sidelight.cli.main import main

SOURCE = '''"""Payments."""


def charge_card(amount: int) -> bool:
    """Charge the customer's card and retry on a timeout."""
    return amount > 0


def refund_order(order: str) -> None:
    """Give the money back."""
    raise ValueError("order was never paid")
'''


def paid(path: Path, **options: str) -> GitRepo:
    """Return a repository with one small commit."""
    repo = GitRepo.init(path, **options)  # type: ignore[arg-type]
    repo.write("src/payments.py", SOURCE)
    repo.commit("Add payments")
    return repo


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> GitRepo:
    """An indexed repository that no test changes."""
    repo = paid(tmp_path_factory.mktemp("shared") / "repo")
    assert main(["-C", str(repo.path), "init", "--no-hook"]) == 0
    return repo


@pytest.fixture
def repo(tmp_path: Path, shared: GitRepo) -> GitRepo:
    """A copy of the indexed repository, to be changed."""
    shutil.copytree(shared.path, tmp_path / "repo", symlinks=True)
    return GitRepo(tmp_path / "repo", shared.clock)


def answers(cli: Cli, folder: Path) -> bool:
    """Return whether the index there still answers."""
    return cli.paths(folder, "charge_card", "--mode", "bm25") == ["src/payments.py"]


# -- where there is nothing to work on ------------------------------------------------------------

COMMANDS = [["status"], ["init"], ["index"], ["search", "x"], ["related"], ["gc"], ["doctor"]]


@pytest.mark.parametrize("words", COMMANDS, ids=lambda words: words[0])
def test_outside_of_a_repository(cli: Cli, tmp_path: Path, words: list[str]) -> None:
    answer = cli.fails(tmp_path, *words, code=1)
    assert "is not inside a git repository" in answer.error
    assert "git init" in answer.hint


def test_a_folder_that_is_not_there(cli: Cli, tmp_path: Path) -> None:
    assert "there is no folder" in cli.fails(tmp_path / "absent", "status", code=1).error


def test_before_the_first_commit(cli: Cli, tmp_path: Path) -> None:
    repo = GitRepo.init(tmp_path / "repo")
    for words in (["init", "--no-hook"], ["index"], ["related"]):
        assert cli.fails(repo.path, *words, code=1).hint
    assert cli.json(repo.path, "status")["state"] == "missing"
    assert cli.fails(repo.path, "search", "x", code=1).hint


def test_a_repository_without_an_index_says_how_to_make_one(cli: Cli, tmp_path: Path) -> None:
    repo = paid(tmp_path / "repo")
    assert "sidelight init" in cli.fails(repo.path, "search", "x", code=1).hint
    assert cli.json(repo.path, "status")["state"] == "missing"
    assert cli(repo.path, "gc").code in (0, 1)


# -- words that are off ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    "revision", ["nowhere", "-x", "--output=/tmp/x", "HEAD~99", "^HEAD", "HEAD..HEAD", "a" * 9000]
)
def test_an_unknown_revision(cli: Cli, shared: GitRepo, revision: str) -> None:
    for words in (
        ["index", f"--rev={revision}"],
        ["search", "x", f"--rev={revision}"],
        ["related", f"--base={revision}"],
        ["related", f"--head={revision}"],
        ["related", f"--index-rev={revision}"],
    ):
        answer = cli.fails(shared.path, *words, code=1)
        assert answer.hint
    assert answers(cli, shared.path)


def test_a_revision_with_bytes_that_are_not_utf_8(cli: Cli, shared: GitRepo) -> None:
    for words in (["index", "--rev=br\udce9"], ["search", "x", "--rev=br\udce9"]):
        cli.fails(shared.path, *words, code=1)


@pytest.mark.parametrize("query", ["", "   ", "\x00\x01\x1b", "\n\t"])
def test_a_query_of_nothing(cli: Cli, shared: GitRepo, query: str) -> None:
    answer = cli.fails(shared.path, "search", query, code=2)
    assert answer.error == "the query is empty"
    assert answer.hint


def test_control_characters_in_a_query_count_as_space(cli: Cli, shared: GitRepo) -> None:
    found = cli.json(shared.path, "search", "\x1b[31mcharge_card\x07\x00 \udcff\u202e")
    assert found["hits"][0]["path"] == "src/payments.py"
    assert found["query"].isprintable()


def test_a_query_of_100_kb_is_cut_and_answered(cli: Cli, shared: GitRepo) -> None:
    found = cli.json(shared.path, "search", "charge_card " + "and more words " * 7_000)
    assert found["hits"]
    assert [note for note in found["notes"] if "cut" in note]
    assert answers(cli, shared.path)


def test_a_query_of_operators_and_wildcards_is_only_words(cli: Cli, shared: GitRepo) -> None:
    for query in ('"', "'; DROP TABLE chunk; --", "%_*?[", "\\", "a AND OR NOT", "()", "🙂", "C++"):
        for mode in ("hybrid", "bm25", "symbol", "exact"):
            answer = cli(shared.path, "search", "--mode", mode, "--format=json", "--", query)
            assert answer.json["index"]


def test_a_query_from_stdin_may_hold_any_bytes(
    cli: Cli, shared: GitRepo, monkeypatch: pytest.MonkeyPatch
) -> None:
    stdin = io.TextIOWrapper(io.BytesIO(b"where is charge_card \xff\xfe\n"), encoding="utf-8")
    monkeypatch.setattr(sys, "stdin", stdin)
    assert cli.paths(shared.path, "-") == ["src/payments.py"]


@pytest.mark.parametrize("k", ["0", "1", "100000", "99999999999999999999"])
def test_any_number_of_hits_may_be_asked_for(cli: Cli, shared: GitRepo, k: str) -> None:
    hits = cli.json(shared.path, "search", "charge card", "-k", k)["hits"]
    assert len(hits) <= int(k)
    assert bool(hits) == (k != "0")


@pytest.mark.parametrize("pattern", ["", "/etc/*", "../up", "a/../../b"])
def test_a_pattern_that_is_none(cli: Cli, shared: GitRepo, pattern: str) -> None:
    assert cli.fails(shared.path, "search", "x", "--path", pattern, code=2).error


@pytest.mark.parametrize("pattern", ["[", "[z-a]", "\\", "***", "a\udce9*", "x" * 5000, "[[:no:]]"])
def test_an_odd_pattern_matches_nothing(cli: Cli, shared: GitRepo, pattern: str) -> None:
    words = ["--path", pattern, "--mode", "bm25"]
    assert cli.paths(shared.path, "charge", *words) in ([], ["src/payments.py"])


def test_an_unknown_language_names_the_nearest(cli: Cli, shared: GitRepo) -> None:
    answer = cli.fails(shared.path, "search", "x", "--lang", "pyton", code=2)
    assert "pyton" in answer.error
    assert "python" in answer.hint
    assert "languages.md" in cli.fails(shared.path, "search", "x", "--lang", "qq", code=2).hint


@pytest.mark.parametrize(
    "words",
    [
        ["search"],
        ["search", "x", "--mode", "magic"],
        ["search", "x", "--fusion", "sum"],
        ["search", "x", "-k", "-1"],
        ["search", "x", "-k", "many"],
        ["search", "x", "--min-score", "high"],
        ["search", "x", "--format", "yaml"],
        ["search", "x", "--no-such-option"],
        ["searhc", "x"],
        ["related", "--staged", "--worktree"],
        ["related", "--staged", "--head", "HEAD"],
        ["cache"],
        ["cache", "import"],
        ["index", "--rev"],
    ],
    ids=" ".join,
)
def test_wrong_usage(cli: Cli, shared: GitRepo, words: list[str]) -> None:
    answer = cli(shared.path, *words)
    assert answer.code == 2
    if words != ["cache"]:  # a bare group shows its help
        assert answer.error
        assert answer.hint or words == ["index", "--rev"]


@pytest.mark.parametrize(
    "value", ["bm25", "bm25=", "bm25=x", "bm25=-1", "bm25=1:0", "bm25=1:x", "bm25=nan", "bm25=inf"]
)
def test_a_retriever_that_is_none(cli: Cli, shared: GitRepo, value: str) -> None:
    answer = cli.fails(shared.path, "search", "x", "--retriever", value, code=2)
    assert "NAME=WEIGHT" in answer.hint
    unknown = cli.fails(shared.path, "search", "x", "--retriever", "bm26=1", code=2)
    assert "bm25, dense, symbol, exact" in unknown.hint


def test_no_retriever_at_all(cli: Cli, shared: GitRepo) -> None:
    off = [
        word for name in "bm25 dense symbol exact".split() for word in ("--retriever", name + "=0")
    ]
    assert "weight 0" in cli.fails(shared.path, "search", "x", *off, code=2).error


# -- configuration --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "error", "hint"),
    [
        ("[index]\nmax_file_byte = 1\n", "index.max_file_byte", "index.max_file_bytes"),
        ("[indx]\n", "indx", "index"),
        ("[index\n", "not valid TOML", ""),
        ("a = '\xff'\n", "not valid TOML", ""),
        ("[index]\nmax_file_bytes = 'big'\n", "must be of type int", ""),
        ("[index]\nmax_file_bytes = 0\n", "must be between", ""),
        ("[search]\nfusion = 'sum'\n", "search.fusion", "rrf"),
        ("index = 1\n", "must be a table", ""),
        ("[index]\nexclude = ['/x']\n", "index.exclude", "relative"),
    ],
)
def test_a_configuration_that_is_off(
    cli: Cli, repo: GitRepo, text: str, error: str, hint: str
) -> None:
    repo.write(".sidelight.toml", text.encode("latin-1"))
    for words in (["search", "x"], ["status"], ["index"]):
        answer = cli.fails(repo.path, *words, code=2)
        assert error in answer.error
        assert ".sidelight.toml" in answer.error
        assert hint in answer.hint
    repo.remove(".sidelight.toml")
    assert answers(cli, repo.path)


def test_a_configured_model_that_is_not_there(cli: Cli, repo: GitRepo) -> None:
    repo.write(".sidelight.toml", "[embedding]\nmodel = 'absent'\n")
    for words in (["search", "x"], ["index"]):
        assert cli.fails(repo.path, *words, code=1).hint
    repo.remove(".sidelight.toml")
    assert answers(cli, repo.path)


# -- cache files ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"garbage",
        b"\0" * 5000,
        b"sidelight-cache 1\n",
        b"sidelight-cache 1\n{}\n",
        b"sidelight-cache 1\n[1]\nxx",
        b"sidelight-cache 9\n{}\nxx",
        b'sidelight-cache 1\n{"format": 1e999}\nxx',
        b"SQLite format 3\0" + b"\0" * 100,
    ],
)
def test_a_cache_file_of_garbage_is_refused(cli: Cli, repo: GitRepo, content: bytes) -> None:
    repo.write(".git/cache", content)
    answer = cli.fails(repo.path, "cache", "import", str(repo.at(".git/cache")), code=1)
    assert answer.error
    assert answers(cli, repo.path)


def test_a_cache_file_that_was_cut_or_changed_is_refused(cli: Cli, repo: GitRepo) -> None:
    file = repo.at(".git/cache")
    assert cli(repo.path, "cache", "export", str(file)).code == 0
    whole = file.read_bytes()
    middle = len(whole) // 2
    changed = bytes(byte ^ 1 for byte in whole[middle : middle + 100])
    for damaged in (
        whole[:-10],
        whole[:middle],
        whole[:middle] + changed + whole[middle + 100 :],
        whole[:middle] + whole[middle + 100 :],
    ):
        file.write_bytes(damaged)
        cli.fails(repo.path, "cache", "import", str(file), code=1)
        assert answers(cli, repo.path)
    file.write_bytes(whole)
    assert cli(repo.path, "cache", "import", str(file)).code == 0
    assert answers(cli, repo.path)


def test_a_cache_file_that_is_not_there_or_a_folder(cli: Cli, repo: GitRepo) -> None:
    cli.fails(repo.path, "cache", "import", str(repo.at("absent")), code=1)
    cli.fails(repo.path, "cache", "import", str(repo.path), code=2)
    cli.fails(repo.path, "cache", "export", str(repo.at("no/such/folder/file")), code=1)
    assert answers(cli, repo.path)


# -- repositories of every kind -------------------------------------------------------------------


def test_a_bare_repository(cli: Cli, shared: GitRepo, tmp_path: Path) -> None:
    bare = shared.clone(tmp_path / "bare.git", "--bare")
    assert cli(bare.path, "init", "--no-hook").code == 0
    assert answers(cli, bare.path)
    assert "working tree" in cli.fails(bare.path, "related", "--worktree", code=1).error
    assert cli.json(bare.path, "status")["state"] == "current"


def test_a_linked_worktree_shares_the_index_and_has_a_view_of_its_own(
    cli: Cli, repo: GitRepo, tmp_path: Path
) -> None:
    linked = repo.worktree_add(tmp_path / "linked")
    assert "sidelight index" in cli.fails(linked.path, "search", "x", code=1).hint
    linked.rename("src/payments.py", "src/moved.py")
    linked.commit("Move")
    assert cli(linked.path, "init", "--no-hook").code == 0
    assert cli.paths(linked.path, "charge_card", "--mode", "bm25") == ["src/moved.py"]
    assert answers(cli, repo.path)
    assert len(cli.json(repo.path, "status")["views"]) == 2


def test_a_sha256_repository(cli: Cli, tmp_path: Path) -> None:
    repo = paid(tmp_path / "repo", object_format="sha256")
    assert cli(repo.path, "init", "--no-hook").code == 0
    assert answers(cli, repo.path)
    assert len(cli.json(repo.path, "status")["tree"]) == 64


def test_a_submodule_is_skipped_and_is_a_repository_of_its_own(
    cli: Cli, repo: GitRepo, shared: GitRepo
) -> None:
    repo.git("submodule", "--quiet", "add", shared.path.as_uri(), "lib")
    repo.commit("Add lib")
    assert cli(repo.path, "index").code == 0
    assert answers(cli, repo.path)
    skipped = cli.json(repo.path, "status", "--skipped")["skipped_files"]
    assert {"path": "lib", "reason": "submodule"} in skipped
    inner = repo.at("lib")
    assert cli.json(inner, "status")["state"] == "missing"
    assert cli(inner, "init", "--no-hook").code == 0
    assert answers(cli, inner)


def test_a_shallow_clone(cli: Cli, repo: GitRepo, tmp_path: Path) -> None:
    repo.write("other.py", "def other() -> None: ...\n")
    repo.commit("Add other")
    clone = repo.clone(tmp_path / "clone", "--depth=1")
    assert cli(clone.path, "init", "--no-hook").code == 0
    assert answers(cli, clone.path)
    assert cli.json(clone.path, "status")["history"]["shallow"] is True
    answer = cli.fails(clone.path, "related", "--base", "HEAD~1", code=1)
    assert "--unshallow" in answer.hint


def test_a_folder_below_the_root_is_in_the_repository(cli: Cli, shared: GitRepo) -> None:
    assert answers(cli, shared.at("src"))
    assert answers(cli, shared.at(".git"))


# -- files of every kind --------------------------------------------------------------------------

LONG = "x = [" + ", ".join(f"'needle{number}'" for number in range(3000)) + "]\n"
SKIPPED: dict[bytes, tuple[bytes, str]] = {
    b"image.png": (b"\x89PNG\r\n\x1a\n\0\0\0", "binary"),
    b"nul.py": (b"def f():\n    return '\0'\n", "binary"),
    b"huge.py": (b"# much\n" * 200_000, "too large"),
    b"app.min.js": (b"var a=1;", "minified"),
    b"bundle.js": (b"var a=1;" * 2000, "minified"),
    b"made.go": (b"// Code generated by protoc. DO NOT EDIT.\n\npackage made\n", "generated"),
    b"model.bin": (
        b"version https://git-lfs.github.com/spec/v1\noid sha256:" + b"0" * 64 + b"\nsize 9\n",
        "lfs pointer",
    ),
    b"yarn.lock": (b"a@1:\n", "lock file"),
    b"table.csv": (b"a,b\n", "data"),
}
FOUND: dict[bytes, tuple[bytes, str]] = {
    b"latin.py": ("def prüfung_latin():\n    return 'käse'\n".encode("latin-1"), "latin"),
    b"crlf.py": (b"def windows_lines():\r\n    return 1\r\n", "windows_lines"),
    b"long.py": (LONG.encode(), "needle2999"),
    b"bom.py": (b"\xef\xbb\xbfdef marked_bytes():\n    return 1\n", "marked_bytes"),
    b"emoji.md": ("# Rocket 🚀 launchpad\n\nfuel 🔥\n".encode(), "launchpad"),
    b"cjk.py": ("def 检索代码():\n    '''全文検索'''\n".encode(), "检索代码"),
    b"broken.py": (b"def unfinished_business(:\n    if ((((\n  zzz = [[[\n", "unfinished_business"),
    b"broken.go": (b"package x\nfunc halfWritten( {{{ \n", "halfWritten"),
    b"noend.py": (b"def last_line_open(): return 1", "last_line_open"),
    b"no-extension": (b"plainwords of nobody\n", "plainwords"),
    b"q\"uo'te.py": (b"def in_quotes(): ...\n", "in_quotes"),
    b"tab\there.py": (b"def with_tab(): ...\n", "with_tab"),
    b"line\nend.py": (b"def with_newline(): ...\n", "with_newline"),
    b"raw\xff\xfe.py": (b"def raw_bytes(): ...\n", "raw_bytes"),
    b" space .py": (b"def with_space(): ...\n", "with_space"),
    "日本/語.py".encode(): (b"def in_japan(): ...\n", "in_japan"),
    b"-dash.py": (b"def with_dash(): ...\n", "with_dash"),
    b"re\x1b[31md.py": (b"def with_escape(): ...\n", "with_escape"),
}


@pytest.fixture(scope="module")
def zoo(tmp_path_factory: pytest.TempPathFactory) -> GitRepo:
    """An indexed repository of files of every kind, which no test changes."""
    repo = GitRepo.init(tmp_path_factory.mktemp("zoo") / "repo")
    for path, (content, _) in {**SKIPPED, **FOUND}.items():
        repo.write(path, content)
    repo.write("empty.py", "")
    repo.symlink("loop", "loop")
    repo.symlink("a/up", "..")
    inner = GitRepo.init(repo.at("nested"))
    inner.write("inside.py", "def nested_inside(): ...\n")
    inner.commit("inside")
    repo.commit("All of them")
    assert main(["-C", str(repo.path), "init", "--no-hook"]) == 0
    return repo


def shown(path: bytes) -> str:
    return path.decode("utf-8", "backslashreplace")


def test_each_skipped_file_is_listed_with_its_reason(cli: Cli, zoo: GitRepo) -> None:
    status = cli.json(zoo.path, "status", "--skipped")
    listed = {item["path"]: item["reason"] for item in status["skipped_files"]}
    expected = {shown(path): reason for path, (_, reason) in SKIPPED.items()}
    expected |= {"loop": "symlink", "a/up": "symlink", "nested": "submodule"}
    assert listed == expected
    assert sum(status["skipped"].values()) == len(expected)
    assert status["files"] == len(FOUND) + 1
    assert status["state"] == "current"


@pytest.mark.parametrize("path", FOUND, ids=shown)
def test_each_other_file_is_found_by_its_words(cli: Cli, zoo: GitRepo, path: bytes) -> None:
    assert shown(path) in cli.paths(zoo.path, FOUND[path][1], "--mode", "exact")
    assert shown(path) in cli.paths(zoo.path, FOUND[path][1], "--retriever", "dense=0")


def test_nothing_skipped_is_found(cli: Cli, zoo: GitRepo) -> None:
    skipped = {shown(path) for path in SKIPPED} | {"loop", "nested", "nested/inside.py"}
    for query in ("nested_inside", "package made", "oid sha256", "var a"):
        assert not skipped & set(cli.paths(zoo.path, query))


def test_printed_paths_and_lines_hold_no_control_characters(cli: Cli, zoo: GitRepo) -> None:
    for query in ("with_escape", "with_newline", "with_tab", "windows_lines", "raw_bytes"):
        answer = cli(zoo.path, "search", query, "--retriever", "dense=0", "--explain")
        assert answer.code == 0
        assert answer.out.replace("\n", "").isprintable()
    listed = cli(zoo.path, "status", "--skipped")
    assert listed.out.replace("\n", "").isprintable()


def test_a_damaged_index_says_what_mends_it(cli: Cli, repo: GitRepo) -> None:
    database = repo.at(".git/sidelight/index.db")
    for name in ("index.db-wal", "index.db-shm"):
        (database.parent / name).unlink(missing_ok=True)
    database.write_bytes(os.urandom(9000))
    assert "--rebuild" in cli.fails(repo.path, "search", "x", code=1).hint
    assert cli.json(repo.path, "status")["state"] == "damaged"
    assert cli(repo.path, "index", "--rebuild").code == 0
    assert answers(cli, repo.path)


def test_a_branch_whose_name_is_not_utf_8_can_be_indexed_and_searched(
    cli: Cli, repo: GitRepo
) -> None:
    name = os.fsdecode(b"br\xe9")
    repo.branch(name)
    answer = cli(repo.path, "index", "--rev", name)
    assert answer.code == 0, answer.err
    assert cli.paths(repo.path, "charge_card", "--rev", name, "--mode", "bm25")
    assert "rev/br\\udce9" in cli.json(repo.path, "status")["views"]
    assert "br\\udce9" in cli(repo.path, "status").out
    assert cli(repo.path, "gc", "--drop-rev", name).code == 0


def test_messages_are_one_line_whatever_they_quote(cli: Cli, shared: GitRepo) -> None:
    answer = cli.fails(shared.path, "search", "x", "--rev", "a\nerror: b\x1b[31m" * 50, code=1)
    assert answer.error.isprintable()
    cli.fails(shared.path, "status", "-C\n\n", code=2)
    cli.fails(Path("no\nwhere\udce9"), "status", code=1)


def test_a_rebuild_that_cannot_follow_loses_nothing(cli: Cli, repo: GitRepo) -> None:
    repo.git("switch", "-q", "--orphan", "empty")
    cli.fails(repo.path, "index", "--rebuild", code=1)
    cli.fails(repo.path, "index", "--rebuild", "--rev", "nowhere", code=1)
    repo.git("switch", "-q", "main")
    assert answers(cli, repo.path)
