"""Run the command line in this process, as `sidelight` does, and take its answers apart."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from sidelight.cli.main import main


@dataclass(frozen=True)
class Answer:
    """What one command returned and printed."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """Stdout as data; fails the test, with what was said, unless the command was fine."""
        assert self.code == 0, self.err
        return json.loads(self.out)

    @property
    def error(self) -> str:
        """The one line that tells the failure."""
        lines = [line for line in self.err.splitlines() if line.startswith("error: ")]
        assert len(lines) == 1, self.err
        return lines[0].removeprefix("error: ")

    @property
    def hint(self) -> str:
        """The one line that tells what to do, or ""."""
        lines = [line for line in self.err.splitlines() if line.startswith("hint: ")]
        assert len(lines) <= 1, self.err
        return "".join(lines).removeprefix("hint: ")


class Cli:
    """Runs commands in one folder after another."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys

    def __call__(self, folder: Path, *words: str) -> Answer:
        """Return the answer of `sidelight -C FOLDER WORDS`."""
        self._capsys.readouterr()
        code = main(["-C", str(folder), *words])
        said = self._capsys.readouterr()
        assert "Traceback" not in said.out + said.err
        return Answer(code, said.out, said.err)

    def json(self, folder: Path, *words: str) -> Any:
        """Return the data that a command prints."""
        return self(folder, *words, "--format", "json").json

    def fails(self, folder: Path, *words: str, code: int) -> Answer:
        """Return the answer of a command that fails in the way it should: briefly."""
        answer = self(folder, *words)
        assert answer.code == code, answer
        assert answer.out == ""
        assert len(answer.err.splitlines()) == 1 + bool(answer.hint), answer.err
        assert len(answer.err) < 1100
        return answer

    def paths(self, folder: Path, query: str, *words: str) -> list[str]:
        """Return the paths of a search's hits."""
        return [hit["path"] for hit in self.json(folder, "search", query, *words)["hits"]]
