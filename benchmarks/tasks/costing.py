"""What a model reads and writes for real changes: the bot's notes against a scripted endpoint.

Each case's change is indexed and reviewed twice, with the code around it and with the diff alone.
The endpoint proposes one note a group of hunks, on its first added line, and confirms each, so that
every note costs its second look. Nothing is measured in seconds.
"""

from __future__ import annotations

import json
import re
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks.measuring import ROOT

sys.path.insert(0, str(ROOT / "tests"))  # the scripted model is a test helper

from benchmarks.comment_recall import borrow
from helpers.modelserver import ModelServer, Request
from sidelight.config import Config
from sidelight.evaluation.cases import DiffCase, load_cases
from sidelight.git.discovery import merge_base
from sidelight.git.repository import open_repository
from sidelight.indexing.place import EmbedderSource, Place
from sidelight.llm.budget import Budget
from sidelight.packing.counting import count_tokens
from sidelight_bot.apart import contexts_here
from sidelight_bot.ground import Ground
from sidelight_bot.indexreport import MISSING
from sidelight_bot.model import PullRequest
from sidelight_bot.notes.review import NOTES_LIMIT, GroupContext
from sidelight_bot.pinstep import Pin
from sidelight_bot.reviewing import Said, review_pull
from sidelight_bot.views import index_head

ADDED = re.compile(r"^\+ +(\d+) \| (.*\w{3}.*)$", re.MULTILINE)
FILE = re.compile(r"^file: (.+)$", re.MULTILINE)
HOLDS = json.dumps({"holds": True, "because": "The line is reached with an empty value first."})
NONE = json.dumps({"notes": []})


def repository(git_dir: str, cases: str, ids: Sequence[str], folder: str) -> dict[str, Any]:
    """Return, for each case of a repository, what a review takes in both ways."""
    target = Path(folder)
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir(parents=True)
    bare = borrow(Path(git_dir), target / "repo")
    wanted = {
        case.id: case
        for file in load_cases([Path(cases)]).files
        for case in file.cases
        if isinstance(case, DiffCase)
    }
    rows = [_case(wanted[name], bare, target / "index") for name in ids]
    shutil.rmtree(target)
    return {"rows": rows}


def _case(case: DiffCase, bare: Path, index: Path) -> dict[str, Any]:
    repo = open_repository(bare)
    config = Config()
    place = Place(repo, index, config, EmbedderSource(config))
    index_head(place, case.head, case.base)
    fork_point = merge_base(repo, case.base, case.head) or case.base
    ground = Ground(place, Pin(1, case.base, fork_point, case.head), MISSING)
    contexts = contexts_here(ground, case.title)
    return {
        "id": case.id,
        "diff": _reviewed(ground, case, ()),
        "full": _reviewed(ground, case, contexts),
    }


def _reviewed(ground: Ground, case: DiffCase, contexts: Sequence[GroupContext]) -> dict[str, int]:
    pull = PullRequest(
        1, case.title, "", "ada", False, "open", case.base, case.head, "main", None, False, ""
    )
    answers: list[str] = []

    def write(request: Request) -> str:
        answers.append(_answer(request))
        return answers[-1]

    with ModelServer() as server:
        server.say_with(write)
        model = server.model(Budget(), context_tokens=1_000_000)
        found = review_pull(model, ground, pull, contexts, Said((), ()), NOTES_LIMIT)
        asked = [(_is_second(request), _read(request)) for request in server.requests]
    if found.problems:
        raise RuntimeError(f"{case.id}: {found.problems[0]}")
    return {
        "calls": len(asked),
        "second": sum(is_second for is_second, _ in asked),
        "notes": len(found.notes),
        "prompt": sum(tokens for _, tokens in asked),
        "prompt_second": sum(tokens for is_second, tokens in asked if is_second),
        "completion": sum(count_tokens(answer) for answer in answers),
    }


def _is_second(request: Request) -> bool:
    return "Does the claim hold?" in request.prompt


def _read(request: Request) -> int:
    """Return how many tokens a request holds: its messages, and the schema beside them."""
    form = json.dumps(request.body.get("response_format") or "")
    return count_tokens(request.prompt) + count_tokens(form)


def _answer(request: Request) -> str:
    """Return a verdict, or a note on the first added line that says something."""
    if _is_second(request):
        return HOLDS
    text = request.prompt
    line = ADDED.search(text)
    if line is None:
        return NONE
    paths = [found[1] for found in FILE.finditer(text, 0, line.start())]
    quote = line[2].strip()
    note = {
        "path": paths[-1],
        "start_line": int(line[1]),
        "end_line": int(line[1]),
        "quote": quote,
        "severity": "major",
        "kind": "bug",
        "title": "An empty value is taken for one that is missing",
        "body": f"Where the value is empty, line {line[1]} takes the branch for a missing one, and"
        " the result is wrong: callers get the default in place of what was given to them.",
        "symbols": [],
        "evidence": [{"source": "diff", "text": quote}],
        "replacement": None,
    }
    return json.dumps({"notes": [note]})
