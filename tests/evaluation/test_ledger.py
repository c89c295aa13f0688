"""Results on disk: everything comes back, a torn line costs itself alone."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sidelight.errors import StorageError
from sidelight.evaluation.ledger import Key, Ledger, Result
from sidelight.evaluation.metrics import RankedSpan
from sidelight.evaluation.ports import Ranking, TreeInfo


def result(case: str = "q-1", path: bytes = b"a.py") -> Result:
    hits = (RankedSpan(path, 3, 9, (b"copy/" + path,)), RankedSpan(b"b.py", 1, 1))
    return Result(Key(case, "d", "hybrid", "s", 100), Ranking(hits, 1.5), TreeInfo(4, 20, 0.25))


def test_absent_file_holds_nothing(tmp_path: Path) -> None:
    assert Ledger(tmp_path / "none" / "results.jsonl").read() == {}


@given(st.binary(min_size=1, max_size=12))
def test_results_come_back_whatever_the_path(
    tmp_path_factory: pytest.TempPathFactory, path: bytes
) -> None:
    ledger = Ledger(tmp_path_factory.mktemp("ledger") / "new" / "results.jsonl")
    ledger.append(result(path=path))
    assert ledger.read() == {result().key: result(path=path)}


def test_later_result_replaces_the_earlier(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path / "r.jsonl")
    ledger.append(result(path=b"old"))
    ledger.append(result(path=b"new"))
    assert list(ledger.read().values()) == [result(path=b"new")]


@pytest.mark.parametrize("cut", [1, 20, 100])
def test_torn_line_costs_only_itself(tmp_path: Path, cut: int) -> None:
    path = tmp_path / "r.jsonl"
    Ledger(path).append(result("a"))
    Ledger(path).append(result("b"))
    path.write_bytes(path.read_bytes()[:-cut])
    Ledger(path).append(result("c"))
    found = {key.case for key in Ledger(path).read()}
    assert found - {"b"} == {"a", "c"}
    assert ("b" in found) == (cut == 1)  # only its line end was lost


def test_foreign_lines_are_skipped(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    path.write_bytes(
        b'[]\nnull\n{"format":1}\n{"format":2,"case":"x"}\n\xff\n{"format":1,"hits":3}\n'
    )
    Ledger(path).append(result())
    assert len(Ledger(path).read()) == 1


def test_threads_do_not_mix_lines(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path / "r.jsonl")

    def write(name: str) -> None:
        for n in range(25):
            ledger.append(result(f"{name}-{n}"))

    threads = [threading.Thread(target=write, args=(name,)) for name in "abcd"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(ledger.read()) == 100


def test_unusable_place_is_a_storage_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StorageError, match="cannot be written"):
        Ledger(tmp_path / "file" / "r.jsonl").append(result())
    with pytest.raises(StorageError, match="cannot be read"):
        Ledger(tmp_path).read()
