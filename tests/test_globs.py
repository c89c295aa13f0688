"""Path patterns against git itself: `git ls-files ':(glob)PATTERN'` over the same paths."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from helpers.gitrepo import GitRepo
from sidelight.errors import UsageError
from sidelight.globs import match_any

PATHS = (
    b"README.md",
    b"a",
    b"ab",
    b"abc.py",
    b"a.b/c",
    b"src/a.py",
    b"src/ab/a.py",
    b"src/ab/c/d.go",
    b"srcs/a.py",
    b"x/src/a.py",
    b"x/y/z/src/a.py",
    b"tests/[a]/b.py",
    b"tests/a*b.py",
    b"tests/a?b.py",
    b"tests/a\\b.py",
    b"tests/-a.py",
    b"tests/^a.py",
    b"tests/!a.py",
    b"tests/].py",
    b"new\nline/a.py",
    b"\xc3\xa9/\xc3\xa0.py",
    b"latin\xe9.py",
    b".hidden/.a",
)


@pytest.fixture(scope="module")
def repo(tmp_path_factory: pytest.TempPathFactory) -> GitRepo:
    repo = GitRepo.init(tmp_path_factory.mktemp("globs") / "repo")
    for path in PATHS:
        repo.write(path, b"x\n")
    repo.commit()
    return repo


def by_git(repo: GitRepo, pattern: str) -> set[bytes] | None:
    """Return what git lists for the pattern; None if it refuses it."""
    done = repo.run("ls-files", "-z", "--", f":(glob){pattern}", check=False)
    return None if done.returncode else set(done.stdout.split(b"\0")[:-1])


def by_us(pattern: str) -> set[bytes]:
    return set(filter(match_any([pattern]), PATHS))


PIECES = [
    *("a", "b", "c", ".", "/", "/", "*", "*", "**", "?", "src", "tests", "py", ".py", "x", "y"),
    *("README.md", "src/", "ab", "/**", "**/", "[a-c]", "[!a]", "[^a]", "[ab]", "[[]", "[]]"),
    *("[]a]", "[a-]", "[-a]", "[\\]]", "\\*", "\\?", "\\[", "\\a", "[", "]", "!", "^", "-"),
    *("é", "à", "[é]", "[[:alpha:]]", "[[:digit:]]", "[[:bad:]]", "[[:alpha]", "[^/]", "[a/]"),
    *("***", "a**", "**a", "**\\/", "[z-a]", "[]", "[!]", "\\", "./", "../", "//"),
]


@example("**/a.py")
@example("src/**")
@example("src/**/a.py")
@example("s*")
@example("src")
@example("src/")
@example("*/a.py")
@example("**")
@example("a/**/b")
@example("x/**/src/*.py")
@example("[a")
@example("tests/[[]a[]]/b.py")
@example("tests/[a]")
@example("./src")
@example("src//a.py")
@settings(
    deadline=None,
    max_examples=250,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
@given(st.lists(st.sampled_from(PIECES), min_size=1, max_size=6).map("".join))
def test_patterns_match_what_git_matches(repo: GitRepo, pattern: str) -> None:
    expected = by_git(repo, pattern)
    if pattern.startswith("/") or expected is None:
        return
    assert by_us(pattern) == expected


@pytest.mark.parametrize("pattern", ["", "/", "/src", "/**"])
def test_empty_and_absolute_patterns_are_refused(pattern: str) -> None:
    with pytest.raises(UsageError) as caught:
        match_any([pattern])
    assert caught.value.hint


@pytest.mark.parametrize("pattern", ["..", "../a", "a/../../b"])
def test_patterns_outside_the_repository_are_refused(repo: GitRepo, pattern: str) -> None:
    assert by_git(repo, pattern) is None
    with pytest.raises(UsageError):
        match_any([pattern])


def test_any_of_several_patterns_may_match() -> None:
    matches = match_any(["src/**", "*.md"])
    assert [p for p in (b"src/a.py", b"README.md", b"docs/x.md", b"a") if matches(p)] == [
        b"src/a.py",
        b"README.md",
    ]
    assert not match_any([])(b"a")


def test_git_words_before_the_pattern_are_understood() -> None:
    assert match_any([":(glob)src/**"])(b"src/a.py")


@given(st.text(min_size=1, max_size=30), st.binary(max_size=30))
def test_any_pattern_is_refused_or_answers(pattern: str, path: bytes) -> None:
    try:
        matches = match_any([pattern])
    except UsageError:
        return
    assert matches(path) in (True, False)


def test_a_pattern_of_many_stars_does_not_explode(tmp_path: Path) -> None:
    matches = match_any(["**/" * 12 + "*a*a*a*a*a*a*a*b"])
    assert not matches(b"a/" * 40 + b"a" * 60)
