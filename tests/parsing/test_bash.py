"""Bash: the hand-checked sample, and which commands are calls."""

from __future__ import annotations

import pytest

from helpers.parsed_text import (
    expected_sample,
    imports_of,
    parsed_sample,
    references_of,
    symbols_of,
)


def test_sample_gives_what_a_person_wrote_down() -> None:
    assert parsed_sample("bash", "deploy.sh") == expected_sample("bash", "deploy.sh")


@pytest.mark.parametrize("head", ["f()", "function f", "function f()"])
def test_functions_however_written(head: str) -> None:
    assert symbols_of(f"{head} {{\n  x=1\n  local y=2\n}}\n", "bash") == ["function f"]


def test_variables_are_symbols_where_the_file_sets_them() -> None:
    source = "A=1\nexport B=2\nreadonly C=3\nif true; then D=4; fi\n"
    assert symbols_of(source, "bash") == ["variable A", "variable B", "constant C"]


def test_commands_of_the_shell_and_paths_are_no_calls() -> None:
    source = 'cd x; echo "$(g a | h)"; ./run.sh; "$cmd" y; if ! k::l; then trap m EXIT; fi\n'
    assert references_of(source, "bash") == ["call g", "call h", "call k::l", "call m"]


def test_sourced_files_keep_their_variables() -> None:
    source = 'source lib.sh\n. "${DIR}/a.sh"\nsource $DIR/b.sh\nsource <(gen)\n'
    assert imports_of(source, "bash") == [
        "include lib.sh",
        "include ${DIR}/a.sh",
        "include $DIR/b.sh",
    ]
