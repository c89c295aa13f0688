"""The local twin: the comment, its data and its page, with no GitHub and no remote."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from helpers.gitrepo import GitRepo
from sidelight.errors import SidelightError, StorageError, UnknownRevisionError
from sidelight_bot.cli import main
from sidelight_bot.comment import read_marker
from sidelight_bot.preview import preview_command
from sidelight_bot.report import from_json, to_json

WORDS = "def split_words(text, limit):\n    found = text.split()\n    return found[:limit]\n"
PAGES = "from words import split_words\n\n\ndef render(page):\n    return split_words(page, 10)\n"


@pytest.fixture
def repo(tmp_path: Path) -> GitRepo:
    made = GitRepo.init(tmp_path / "repo")
    made.write("words.py", WORDS)
    made.write("pages.py", PAGES)
    made.commit("Words")
    made.write("words.py", WORDS.replace("limit):", "limit, separator):"))
    made.commit("<b>Split</b> by @anything")
    return made


def preview(repo: GitRepo, *words: str) -> Result:
    result = CliRunner().invoke(preview_command, ["-C", str(repo.path), *words])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def test_it_prints_the_comment_of_two_revisions(repo: GitRepo) -> None:
    result = preview(repo, "--base", "HEAD~1", "--head", "HEAD", "--repo", "octo/app")
    marker = read_marker(result.stdout)
    assert marker is not None
    assert marker.head == repo.head()
    assert "Changed signature, unchanged call sites" in result.stdout
    assert f"https://github.com/octo/app/blob/{repo.head()}/pages.py#L5" in result.stdout


def test_data_and_comment_are_the_same_thing(repo: GitRepo, tmp_path: Path) -> None:
    direct = preview(repo, "--repo", "octo/app").stdout
    data = preview(repo, "--repo", "octo/app", "--format", "json").stdout
    place = tmp_path / "result.json"
    place.write_text(data, encoding="utf-8")
    assert from_json(to_json(from_json(data))) == from_json(data)
    assert preview(repo, "--report", str(place)).stdout == direct


def test_links_lead_where_the_remote_is(repo: GitRepo) -> None:
    repo.git("remote", "add", "origin", "git@git.example.org:octo/app.git")
    assert "https://git.example.org/octo/app/blob/" in preview(repo).stdout


def test_without_a_remote_there_are_no_links(repo: GitRepo) -> None:
    out = preview(repo).stdout
    assert "`pages.py:5`" in out
    assert "https://" not in out


def test_it_is_silent_when_a_comment_would_not_be_posted(repo: GitRepo) -> None:
    repo.write("README.md", "# Words\n")
    repo.commit("Readme")
    quiet = preview(repo)
    assert quiet.stdout == ""
    assert "nothing worth saying" in quiet.stderr
    assert read_marker(preview(repo, "--always").stdout) is not None


def test_the_page_is_self_contained_and_escapes_the_title(repo: GitRepo, tmp_path: Path) -> None:
    place = tmp_path / "page.html"
    preview(repo, "--html", str(place), "--repo", "octo/app")
    page = place.read_text(encoding="utf-8")
    assert "&lt;b&gt;Split&lt;/b&gt;" in page
    assert "<b>Split" not in page
    assert "prefers-color-scheme: dark" in page
    assert not re.search(r"<(?:script|img|link|iframe)|\bsrc=|@import|url\(", page)
    outside = re.findall(r'href="(https?://[^/"]+)', page)
    assert set(outside) == {"https://github.com"}


def test_the_code_can_be_left_out(repo: GitRepo) -> None:
    data = preview(repo, "--no-code", "--format", "json").stdout
    assert "return split_words" not in data
    assert "line 5" in data
    assert json.loads(data)["stages"] == []


@pytest.mark.parametrize(
    "words", [("--base", "nothing-like-this"), ("--repo", "no slug"), ("--head", "--output=x")]
)
def test_bad_words_are_refused(repo: GitRepo, words: tuple[str, ...]) -> None:
    with pytest.raises(SidelightError):
        preview(repo, *words)


def test_a_page_that_cannot_be_written_is_no_bug_of_ours(repo: GitRepo, tmp_path: Path) -> None:
    with pytest.raises(StorageError, match="cannot be written"):
        preview(repo, "--html", str(tmp_path / "absent" / "page.html"))


def test_a_head_whose_parent_was_cut_off_is_not_a_root(repo: GitRepo, tmp_path: Path) -> None:
    copy = repo.clone(tmp_path / "copy", "--depth=1")
    with pytest.raises(UnknownRevisionError, match="is not here"):
        preview(copy)


def test_a_missing_extra_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in [name for name in sys.modules if name.startswith("sidelight_bot.github")]:
        monkeypatch.delitem(sys.modules, name)
    for name in ("sidelight_bot.wiring", "sidelight_bot.run"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    monkeypatch.setitem(sys.modules, "requests", None)
    monkeypatch.setenv("GITHUB_EVENT_NAME", "pull_request")
    assert main(["run"]) == 1
    assert 'pip install "sidelight[bot]"' in capsys.readouterr().err


def test_the_bare_command_shows_its_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 2
    assert "Commands:" in capsys.readouterr().err.splitlines()
