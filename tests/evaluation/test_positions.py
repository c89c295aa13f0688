"""A model that reads one end only is found out; one that reads all is not accused."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest

from helpers.gitrepo import GitRepo
from helpers.modelserver import ModelServer, Request
from helpers.workspace import Workspace
from sidelight.evaluation.positions import (
    PositionCase,
    PositionReport,
    advise,
    as_json,
    cochran_q,
    collect_cases,
    measure,
    spread,
)
from sidelight.llm.budget import Budget
from sidelight.llm.protocol import Usage
from sidelight.packing.model import Order
from sidelight.packing.reading import open_reader

N_SOURCES = 5
PLACES = (0, 2, 4)


@pytest.fixture(scope="module")
def cases(tmp_path_factory: pytest.TempPathFactory) -> list[PositionCase]:
    repo = GitRepo.init(tmp_path_factory.mktemp("positions") / "repo")
    for name in ("alpha", "beta", "gamma", "delta"):
        body = "\n".join(
            f"def {name}_{verb}(value):\n    a = value + 1\n    {verb} = a\n    return {verb}\n"
            for verb in ("read", "write", "close")
        )
        repo.write(f"{name}.py", body)
    repo.commit("Add")
    work = Workspace.at(repo)
    work.refresh()
    tree = work.place.repo.head_tree()
    assert tree is not None
    with open_reader(work.place, work.view, tree) as reader:
        found = collect_cases(work.place.repo, tree, reader, 8, N_SOURCES)
        assert found == collect_cases(work.place.repo, tree, reader, 8, N_SOURCES)
    return found


def sources(request: Request) -> list[tuple[int, str]]:
    """Return the number and text of each source, in the order of reading."""
    found = re.findall(
        r'<untrusted id="\w+" what="source (\d+) [^"]*">\n(.*?)\n</untrusted', request.prompt, re.S
    )
    return [(int(number), text) for number, text in found]


def reader_of(*places: int) -> object:
    """Return a model that looks at these places only (all if none), and else names the first."""

    def write(request: Request) -> str:
        name = request.prompt.rsplit("definition of ", 1)[1].rstrip("?")
        shown = sources(request)
        looked_at = [shown[place] for place in places] if places else shown
        right = [number for number, text in looked_at if f"def {name}(" in text]
        return json.dumps({"source": right[0] if right else 0})

    return write


def test_cases_hide_a_definition_among_others_that_do_not_name_it(
    cases: list[PositionCase],
) -> None:
    assert len(cases) == 8
    for case in cases:
        assert f"def {case.target.name}(" in case.target.text
        assert len({case.target, *case.others}) == N_SOURCES
        assert not any(case.target.name in other.text for other in case.others)


def test_every_place_is_asked_and_only_the_place_changes(
    cases: list[PositionCase], server: ModelServer
) -> None:
    server.say_with(reader_of())  # type: ignore[arg-type]
    report = measure(server.model(), cases[:1], PLACES, N_SOURCES)
    assert report.right == ((True, True, True),)
    shown = [sources(request) for request in server.requests]
    assert [dict(one) for one in shown] == [dict(shown[0])] * 3
    at = [[f"def {cases[0].target.name}(" in text for _, text in one].index(True) for one in shown]
    assert at == [0, 2, 4]


@pytest.mark.parametrize(
    ("places", "order", "matters"),
    [
        ((4,), Order.ASCENDING, True),
        ((0,), Order.RANK, True),
        ((0, 4), Order.USHAPE, True),
        ((2,), Order.ASCENDING, True),
        ((), Order.ASCENDING, False),
    ],
)
def test_what_a_model_reads_is_found_out(
    cases: list[PositionCase],
    server: ModelServer,
    places: tuple[int, ...],
    order: Order,
    *,
    matters: bool,
) -> None:
    server.say_with(reader_of(*places))  # type: ignore[arg-type]
    report = measure(server.model(), cases, PLACES, N_SOURCES)
    assert advise(report)[:2] == (matters, order)
    accuracy = {p: e.mean for p, e in zip(report.places, report.accuracies(), strict=True)}
    assert accuracy == {place: float(not places or place in places) for place in PLACES}
    table = as_json(report, "scripted")
    assert table["matters"] == matters
    assert (table["p_value"] < 0.05) == matters


def test_a_spent_budget_ends_it_with_whole_cases(
    cases: list[PositionCase], server: ModelServer
) -> None:
    server.say_with(reader_of())  # type: ignore[arg-type]
    report = measure(server.model(Budget(tokens=1100)), cases, PLACES, N_SOURCES)
    assert "budget" in report.stopped
    assert 0 < len(report.right) < len(cases)
    assert all(len(row) == len(PLACES) for row in report.right)


def test_answers_that_cannot_be_used_are_wrong(
    cases: list[PositionCase], server: ModelServer
) -> None:
    server.default = "I do not know."
    report = measure(server.model(), cases[:2], PLACES, N_SOURCES)
    assert report.right == ((False,) * 3,) * 2
    assert report.invalid == 6


def test_an_endpoint_that_is_gone_ends_it(cases: list[PositionCase], server: ModelServer) -> None:
    server.fail(401)
    report = measure(server.model(), cases, PLACES, N_SOURCES)
    assert report.right == ()
    assert "key" in report.stopped
    assert advise(report)[2] == "nothing was measured"
    assert as_json(report, "m")["places"] == []


def test_places_are_spread_from_end_to_end() -> None:
    assert spread(5, 9) == (0, 2, 4, 6, 8)
    assert spread(2, 9) == (0, 8)
    assert spread(9, 3) == (0, 1, 2)
    assert spread(5, 1) == (0,)


def test_cochran_q_of_a_worked_example() -> None:
    # G = (1, 2, 5), L = (1, 1, 2, 2, 2), N = 8: Q = 2 (3 · 30 - 64) / (24 - 14) = 5.2
    rows = [(0, 0, 1), (0, 0, 1), (0, 1, 1), (0, 1, 1), (1, 0, 1)]
    q, p_value = cochran_q([tuple(bool(hit) for hit in row) for row in rows])
    assert q == pytest.approx(5.2)
    assert 0.02 < p_value < 0.2


def test_cochran_q_is_calm_about_noise() -> None:
    generator = np.random.default_rng(7)
    p_values = [
        cochran_q([tuple(row) for row in generator.random((20, 4)) < 0.6])[1] for _ in range(20)
    ]
    assert sum(p < 0.05 for p in p_values) <= 4


def test_nothing_to_compare() -> None:
    assert cochran_q([(True, True), (False, False)]) == (0.0, 1.0)
    assert cochran_q([]) == (0.0, 1.0)
    assert not advise(PositionReport((0,), 1, (), Usage()))[0]


def test_the_command_needs_a_model(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from sidelight.cli.main import main  # noqa: PLC0415

    for name in ("BASE_URL", "MODEL", "API_KEY"):
        monkeypatch.delenv(f"SIDELIGHT_LLM_{name}", raising=False)
    GitRepo.init(tmp_path / "repo")
    assert main(["-C", str(tmp_path / "repo"), "eval", "positions"]) == 2
    assert "no language model is configured" in capsys.readouterr().err
