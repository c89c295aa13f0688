"""The indexing step: caches that are cold, warm, foreign or hostile; and what it may not do."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from helpers.fake_embedder import FakeEmbedder
from helpers.gitrepo import GitRepo
from sidelight.git.repository import open_repository
from sidelight.indexing.place import EmbedderSource, FixedEmbedder, Place, index_directory
from sidelight.store.database import Database
from sidelight.store.reader import skipped_files
from sidelight.store.views import find_view, list_views
from sidelight_bot.indexreport import MISSING, IndexReport, read_index_report
from sidelight_bot.indexstep import index_pull
from sidelight_bot.pinstep import Pin
from sidelight_bot.views import base_view, config_at, head_view


def made(folder: Path) -> tuple[GitRepo, str, str]:
    """Return a repository, its base and a head that changes one of six files."""
    repo = GitRepo.init(folder)
    for number in range(6):
        text = f"def work_{number}(value):\n    return value + {number}\n"
        repo.write(f"src/part_{number}.py", text)
    base = repo.commit("base")
    repo.switch("topic", "-c")
    repo.write("src/part_3.py", "def work_3(value, more):\n    return value * more\n")
    head = repo.commit("head")
    repo.switch("main")
    return repo, base, head


def step(repo: GitRepo, base: str, head: str = "", **options: object) -> IndexReport:
    """Return the report of the step with the fake model, in this process."""
    embedder: EmbedderSource = FixedEmbedder(FakeEmbedder())
    pin = Pin(1, base, base, head)
    return index_pull(open_repository(repo.path), pin, embedder=embedder, **options)  # type: ignore[arg-type]


def opened(repo: GitRepo) -> Database:
    found = open_repository(repo.path)
    source = FixedEmbedder(FakeEmbedder())
    place = Place(found, index_directory(found), config_at(found, repo.head()), source)
    return Database.open(place.directory, place.identity)


def test_a_cold_cache_builds_everything_and_says_so(tmp_path: Path) -> None:
    repo, base, head = made(tmp_path / "repo")
    report = step(repo, base, head)
    assert (report.state, report.cache) == ("current", "miss")
    assert (report.files, report.parsed, report.embedded) == (6, 7, 7)
    assert set(report.seconds) == {"restore", "base", "head", "vectors"}


def test_a_restored_cache_at_another_path_embeds_no_unchanged_chunk(tmp_path: Path) -> None:
    repo, base, head = made(tmp_path / "here")
    cache = tmp_path / "saved" / "index.bin"
    step(repo, base, save=cache)
    other = repo.clone(tmp_path / "elsewhere" / "there")
    other.git("fetch", "-q", "origin", "topic")
    report = step(other, base, head, cache=cache)
    assert (report.state, report.cache) == ("current", "hit")
    assert (report.parsed, report.embedded) == (1, 1)  # the head's one changed file


def test_a_cache_of_an_older_commit_is_refreshed(tmp_path: Path) -> None:
    repo, base, _ = made(tmp_path / "repo")
    cache = tmp_path / "index.bin"
    step(repo, base, save=cache)
    repo.write("src/part_9.py", "def work_9():\n    return 'nine'\n")
    newer = repo.commit("newer")
    other = repo.clone(tmp_path / "other")
    report = step(other, newer, cache=cache)
    assert (report.cache, report.parsed, report.embedded) == ("older", 1, 1)


def test_saving_keeps_the_newest_view_alone(tmp_path: Path) -> None:
    repo, base, head = made(tmp_path / "repo")
    step(repo, base, head)
    step(repo, head, save=tmp_path / "index.bin")
    with opened(repo) as database, database.read() as connection:
        assert [view.name for view in list_views(connection)] == [base_view(head)]


def test_without_time_for_vectors_the_index_is_partial_and_usable(tmp_path: Path) -> None:
    repo, base, head = made(tmp_path / "repo")
    report = step(repo, base, head, vectors_s=0.0)
    assert (report.state, report.embedded, report.pending) == ("partial", 0, 6)
    again = step(repo, base, head)
    assert (again.state, again.parsed, again.embedded) == ("current", 0, 7)


@pytest.mark.parametrize("damage", ["cut", "garbage", "flipped", "empty"])
def test_a_hostile_cache_is_refused_and_everything_is_built(tmp_path: Path, damage: str) -> None:
    repo, base, head = made(tmp_path / "repo")
    cache = tmp_path / "index.bin"
    step(repo, base, save=cache)
    data = bytearray(cache.read_bytes())
    if damage == "cut":
        data = data[: len(data) // 2]
    elif damage == "garbage":
        data = bytearray(os.urandom(5000))
    elif damage == "flipped":
        data[len(data) // 2] ^= 255
    else:
        data = bytearray()
    cache.write_bytes(data)
    other = repo.clone(tmp_path / "other")
    other.git("fetch", "-q", "origin", "topic")
    report = step(other, base, head, cache=cache)
    assert (report.cache, report.state, report.parsed) == ("refused", "current", 7)
    assert report.problems == ("damaged",)


def test_attributes_and_configuration_of_the_head_change_nothing(tmp_path: Path) -> None:
    repo, base, _ = made(tmp_path / "repo")
    repo.switch("hostile", "-c")
    repo.write(".gitattributes", "* linguist-generated\n*.py -diff binary\n")
    repo.write(".sidelight.toml", "[index]\nexclude = ['**']\n")
    repo.write("pyproject.toml", "[tool.sidelight.index]\nexclude = ['**']\n")
    repo.write("src/part_1.py", "def work_1():\n    return 'hidden'\n")
    head = repo.commit("hide everything")
    repo.switch("main")
    report = step(repo, base, head)
    assert report.problems == ()
    assert report.files == 9  # the six, and the three that would hide them
    with opened(repo) as database, database.read() as connection:
        view = find_view(connection, head_view(head, base))
        assert view is not None
        assert skipped_files(connection, view.id) == []


def test_attributes_of_the_base_count_for_the_head(tmp_path: Path) -> None:
    repo, _, _ = made(tmp_path / "repo")
    repo.write(".gitattributes", "src/part_1.py linguist-generated\n")
    base = repo.commit("one is generated")
    repo.switch("topic2", "-c")
    repo.remove(".gitattributes")
    repo.write("src/part_1.py", "def other():\n    return 1\n")
    head = repo.commit("not any more")
    repo.switch("main")
    step(repo, base, head)
    with opened(repo) as database, database.read() as connection:
        view = find_view(connection, head_view(head, base))
        assert view is not None
        assert [path for path, _ in skipped_files(connection, view.id)] == [b"src/part_1.py"]


def test_a_model_named_by_a_path_is_not_loaded(tmp_path: Path) -> None:
    repo, _, _ = made(tmp_path / "repo")
    repo.write(".sidelight.toml", "[embedding]\nmodel = './src/model'\n")
    base = repo.commit("bring your own")
    assert config_at(open_repository(repo.path), base).embedding.model == "default"


# -- the command, in a process of its own ------------------------------------------------------


def command(tmp_path: Path, *words: str, **env: str) -> subprocess.CompletedProcess[str]:
    """Run `python -I -m sidelight_bot index` with an empty environment, in the repository."""
    (tmp_path / "tmp").mkdir(exist_ok=True)
    return subprocess.run(
        [sys.executable, "-I", "-m", "sidelight_bot", "index", *words],
        env={"PATH": "/usr/bin:/bin", "TMPDIR": str(tmp_path / "tmp"), **env},
        cwd=tmp_path / "repo",
        capture_output=True,
        text=True,
        check=False,
    )


def test_nothing_in_a_hostile_checkout_is_imported_or_run(tmp_path: Path) -> None:
    repo, base, _ = made(tmp_path / "repo")
    repo.switch("hostile", "-c")
    bomb = "import pathlib\npathlib.Path('/PLACE/pwned').write_text('x')\n"
    bomb = bomb.replace("/PLACE", str(tmp_path))
    for name in ("click.py", "sitecustomize.py", "usercustomize.py", "json.py", "sqlite3.py"):
        repo.write(name, bomb)
    repo.write("sidelight_bot/__init__.py", bomb)
    repo.write("pip.conf", "[global]\nindex-url = http://127.0.0.1:9/\n")
    repo.write("setup.cfg", "[options]\n")
    head = repo.commit("hostile")  # and this is what is checked out
    done = command(
        tmp_path, "--repository", str(repo.path), "--base", base, "--head", head, "--vectors-s", "0"
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["parsed"] >= 11
    assert not (tmp_path / "pwned").exists()
    assert repo.git("status", "--porcelain") == ""


def test_the_command_needs_no_folder_for_temporary_files(tmp_path: Path) -> None:
    repo, base, head = made(tmp_path / "repo")
    words = [sys.executable, "-I", "-m", "sidelight_bot", "index", "--repository", str(repo.path)]
    words += ["--base", base, "--head", head, "--vectors-s", "0"]
    done = subprocess.run(
        words, env={"PATH": "/usr/bin:/bin"}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["parsed"] == 7
    assert not list((repo.path / ".git" / "sidelight").glob("tmp-*"))


def test_a_clone_that_borrows_its_objects_is_indexed(tmp_path: Path) -> None:
    repo, base, _ = made(tmp_path / "lender")
    GitRepo(tmp_path).git("clone", "-q", "--shared", str(repo.path), str(tmp_path / "repo"))
    done = command(
        tmp_path, "--repository", str(tmp_path / "repo"), "--base", base, "--vectors-s", "0"
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["parsed"] == 6


CONFINED = """
import os, socket, sys
from pathlib import Path
from sidelight_bot.sandbox.confine import confine
allowed, outside = Path(sys.argv[1]), Path(sys.argv[2])
print(*confine([], [allowed], cpu_s=60).holds)
def trial(name, act):
    try:
        act()
        print(name, "done")
    except OSError as error:
        print(name, "refused")
trial("write-inside", lambda: (allowed / "a").write_text("a"))
trial("write-outside", lambda: (outside / "b").write_text("b"))
trial("read-outside", lambda: (outside / "secret").read_text())
trial("environ", lambda: Path(f"/proc/{os.getppid()}/environ").read_bytes())
trial("connect", lambda: socket.create_connection(("127.0.0.1", int(sys.argv[3])), 2).close())
"""


def test_a_confined_process_reads_writes_and_connects_nowhere_else(tmp_path: Path) -> None:
    allowed, outside = tmp_path / "allowed", tmp_path / "outside"
    allowed.mkdir()
    outside.mkdir()
    (outside / "secret").write_text("token")
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = str(server.getsockname()[1])
        words = [sys.executable, "-I", "-c", CONFINED, str(allowed), str(outside), port]
        done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    first, *lines = done.stdout.splitlines()
    holds, seen = first.split(), dict(line.split() for line in lines)
    assert "limits" in holds
    assert seen["write-inside"] == "done"
    if "files" not in holds:
        pytest.skip("this kernel has no Landlock")
    assert {seen[name] for name in ("write-outside", "read-outside", "environ")} == {"refused"}
    if "network" in holds:
        assert seen["connect"] == "refused"


def test_memory_is_limited(tmp_path: Path) -> None:
    script = (
        "from sidelight_bot.sandbox.confine import confine\n"
        "confine([], [], cpu_s=60, memory_bytes=1 << 30)\n"
        "try:\n    bytearray(2 << 30)\nexcept MemoryError:\n    print('refused')\n"
    )
    words = [sys.executable, "-I", "-c", script]
    done = subprocess.run(words, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert done.stdout == "refused\n", done.stderr


# -- the report --------------------------------------------------------------------------------

GOOD = IndexReport("current", "hit", "a" * 40, "b" * 40, 5, 9, 1, 1, 1, 0, {"base": 0.5})


def test_a_report_survives_the_way_through_a_file(tmp_path: Path) -> None:
    place = tmp_path / "report.json"
    place.write_text(GOOD.to_json(), "utf-8")
    assert read_index_report(place) == GOOD


@pytest.mark.parametrize(
    "change",
    [
        {"state": "current\nresult=/etc/passwd"},
        {"cache": "<script>"},
        {"files": -1},
        {"files": True},
        {"files": "7"},
        {"parsed": 1 << 60},
        {"base": "a" * 39},
        {"base": "$(touch pwned)"},
        {"seconds": {"base": "1"}},
        {"seconds": {"::add-mask::": 1.0}},
        {"seconds": {"base": float("inf")}},
        {"problems": ["anything"]},
        {"problems": "damaged"},
        {"confinement": [{}]},
        {"more": 1},
    ],
    ids=str,
)
def test_a_report_with_a_field_that_is_not_ours_is_none(tmp_path: Path, change: dict) -> None:  # type: ignore[type-arg]
    place = tmp_path / "report.json"
    place.write_text(json.dumps({**json.loads(GOOD.to_json()), **change}), "utf-8")
    assert read_index_report(place) == MISSING


@pytest.mark.parametrize("text", ["", "[]", "null", "{", "[" * 100_000, " " * 100_000, "\x00"])
def test_a_report_that_is_no_report_is_none(tmp_path: Path, text: str) -> None:
    place = tmp_path / "report.json"
    place.write_text(text, "utf-8")
    assert read_index_report(place) == MISSING
    assert read_index_report(tmp_path / "absent") == MISSING


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=6,
)


@given(st.dictionaries(st.sampled_from(sorted(json.loads(GOOD.to_json()))), VALUES))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_whatever_is_in_a_report_only_our_words_come_out(tmp_path: Path, change: dict) -> None:  # type: ignore[type-arg]
    place = tmp_path / "report.json"
    place.write_text(json.dumps({**json.loads(GOOD.to_json()), **change}), "utf-8")
    report = read_index_report(place)
    assert report.state in {"current", "partial", "missing"}
    assert report.cache in {"hit", "older", "miss", "refused"}
    assert all(type(getattr(report, name)) is int for name in ("files", "parsed", "embedded"))
    assert set(report.seconds) <= {"restore", "base", "head", "vectors", "save"}
