"""Added functions that resemble what is there."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from findings.story import findings_of, only, places
from sidelight.findings import FindingKind
from sidelight.findings.similarity import likeness, read_body

KIND = FindingKind.LOOKALIKE


def body(name: str, value: str = "total", indent: str = "") -> str:
    lines = [
        f"def {name}(lines, currency):",
        f"    {value} = 0",
        "    for line in lines:",
        "        if line.currency != currency:",
        '            raise ValueError("mixed currencies")',
        f"        {value} += line.amount * line.count",
        "        if line.discount is not None:",
        f"            {value} -= line.discount.amount * line.count",
        f"    if {value} < 0:",
        f"        {value} = 0",
        "    rate = currency.rates.get(lines[0].country, currency.default_rate)",
        f"    return round({value} * (1 + rate), currency.digits)",
    ]
    return "".join(f"{indent}{line}\n" for line in lines)


UNRELATED = (
    "def read_rows(path):\n    with open(path) as file:\n        for row in file:\n"
    "            yield row.split(',')\n"
)


def test_a_copy_under_another_name_is_found_in_another_file(tmp_path: Path) -> None:
    before = {"shop/invoice.py": body("invoice_total"), "shop/rows.py": UNRELATED}
    after = {"shop/order.py": body("order_sum", "result")}
    finding = only(findings_of(tmp_path, before, after), KIND)
    assert finding.message == "`order_sum` resembles `invoice_total` (shop/invoice.py:1)"
    assert places(finding)[0].startswith("shop/invoice.py:1")


def test_a_copy_in_the_same_file_is_found(tmp_path: Path) -> None:
    before = {"shop/invoice.py": body("invoice_total")}
    after = {"shop/invoice.py": body("invoice_total") + "\n\n" + body("order_total")}
    finding = only(findings_of(tmp_path, before, after), KIND)
    assert finding.symbol == "order_total"


def test_another_function_resembles_nothing(tmp_path: Path) -> None:
    before = {"shop/invoice.py": body("invoice_total")}
    assert findings_of(tmp_path, before, {"shop/rows.py": UNRELATED}).of(KIND) == ()


def test_moved_and_renamed_code_is_no_copy(tmp_path: Path) -> None:
    before = {"shop/invoice.py": body("invoice_total"), "shop/rows.py": UNRELATED}
    moved = {"shop/invoice.py": "x = 1\n", "shop/order.py": body("invoice_total")}
    assert findings_of(tmp_path / "moved", before, moved).of(KIND) == ()
    renamed = {"shop/invoice.py": body("order_total")}
    assert findings_of(tmp_path / "renamed", before, renamed).of(KIND) == ()


def test_tests_and_the_methods_of_twins_are_alike_on_purpose(tmp_path: Path) -> None:
    before = {"shop/invoice.py": "class Sync:\n" + body("total", indent="    ")}
    after = {
        "tests/test_invoice.py": body("test_total"),
        "shop/later.py": "class Async:\n" + body("total", indent="    "),
    }
    assert findings_of(tmp_path, before, after).of(KIND) == ()


def test_mirror_twins_are_alike_on_purpose(tmp_path: Path) -> None:
    before = {"shop/invoice.py": body("first_total")}
    after = {"shop/invoice.py": body("first_total") + "\n\n" + body("last_total")}
    assert findings_of(tmp_path, before, after).of(KIND) == ()


@given(st.text(max_size=200))
def test_any_text_is_like_itself(text: str) -> None:
    read = read_body(text)
    same = likeness(read, read)
    assert same.text == (1.0 if read.shingles else 0.0)
    assert same.names == (1.0 if read.names else 0.0)


@given(st.text(max_size=200), st.text(max_size=200))
def test_likeness_is_a_symmetric_share(first: str, second: str) -> None:
    one, two = read_body(first), read_body(second)
    assert likeness(one, two) == likeness(two, one)
    assert 0 <= likeness(one, two).text <= 1


def test_comments_and_literals_do_not_count() -> None:
    first = read_body('x = f("one", 1)  # first\nreturn x + 2')
    second = read_body("x = f('two', 22)\nreturn x + 3")
    assert likeness(first, second).text == 1.0
