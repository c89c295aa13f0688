"""Which notes of a model are shown: `python -m benchmarks.notes_checked`.

Twenty seeded defects and twenty clean changes of nine languages (`tests/helpers/notecases.py`), and
models that follow a script: one that is right, one that is wrong in every way that code can tell,
one that is wrong in a way that only a second look can tell. Says nothing of a real model's skill.
"""

from __future__ import annotations

import sys
import tempfile
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from benchmarks.options import ROOT

sys.path.insert(0, str(ROOT / "tests"))  # the cases are a test helper

from helpers.notecases import CLEAN, DEFECTS, NoteCase
from helpers.notescript import ScriptedModel, false_notes, focals_of, note_on
from sidelight.focal import FocalSet
from sidelight_bot.notes.checks import Fault
from sidelight_bot.notes.review import Review, ReviewRequest, review_change

Written = Mapping[str, Any]


def main() -> int:
    """Print both tables; return 1 if a right note was withheld, or a false one shown."""
    cases = (*DEFECTS, *CLEAN)
    with tempfile.TemporaryDirectory(prefix="notes-checked-") as folder:
        focals = focals_of(Path(folder) / "repo", cases)
    right = _scripted("a right note on each defect", focals, DEFECTS, holds=True, is_right=True)
    refuted = _scripted("a false claim on each clean change, refuted", focals, CLEAN, holds=False)
    _scripted("the same, had the second look said yes", focals, CLEAN, holds=True)
    shown = _faults(focals, cases)
    return int(right["withheld"] or refuted["wrong"] or shown)


def _scripted(
    label: str,
    focals: Mapping[str, FocalSet],
    cases: tuple[NoteCase, ...],
    *,
    holds: bool,
    is_right: bool = False,
) -> Counter[str]:
    counts: Counter[str] = Counter()
    for case in cases:
        result = _review(focals[case.path], [note_on(case)], holds=holds)
        counts["right" if is_right else "wrong"] += len(result.notes)
        counts["withheld"] += len(result.withheld)
    if is_right:
        print("| the model writes | changes | right | wrong | withheld |\n|---|---|---|---|---|")
    row = (len(cases), counts["right"], counts["wrong"], counts["withheld"])
    print(f"| {label} | {' | '.join(str(n) for n in row)} |")
    return counts


def _faults(focals: Mapping[str, FocalSet], cases: tuple[NoteCase, ...]) -> int:
    """Print what each check withholds of false notes; return how many were shown all the same."""
    written: Counter[Fault] = Counter()
    withheld: Counter[Fault] = Counter()
    shown: Counter[Fault] = Counter()
    for case in cases:
        for fault, note in false_notes(case):
            result = _review(focals[case.path], [note], holds=True)
            written[fault] += 1
            shown[fault] += len(result.notes)
            withheld[fault] += sum(item.fault is fault for item in result.withheld)
    print("\n| false notes | written | withheld by their check | shown |\n|---|---|---|---|")
    for fault, n in written.items():
        print(f"| {fault.value} | {n} | {withheld[fault]} | {shown[fault]} |")
    print(f"| all | {written.total()} | {withheld.total()} | {shown.total()} |")
    return shown.total()


def _review(focal: FocalSet, notes: list[Written], *, holds: bool) -> Review:
    model = ScriptedModel(lambda _: notes, holds=lambda _: holds)
    request = ReviewRequest(focal, "after", "", defines=lambda name: name == "known_elsewhere")
    return review_change(model, request)


if __name__ == "__main__":
    sys.exit(main())
