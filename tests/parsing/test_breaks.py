"""Where long bodies may be cut."""

from __future__ import annotations

from sidelight.parsing import parse


def _cut_lines(source: str, language: str) -> list[tuple[int, int]]:
    data = source.encode()
    found = parse(data, language).breaks
    return [(data.count(b"\n", 0, cut.byte) + 1, cut.depth) for cut in found]


def test_short_definitions_are_not_cut() -> None:
    body = "\n".join("    x = 1" for _ in range(50))
    assert _cut_lines(f"def a():\n{body}\n\ndef b():\n{body}\n", "python") == []


def test_long_function_is_cut_at_its_statements_by_depth() -> None:
    body = "    a()\n    if b:\n        c()\n" + "    d()\n" * 70
    cuts = _cut_lines(f"def f():\n{body}", "python")
    assert cuts[:5] == [(1, 0), (2, 1), (3, 1), (4, 2), (5, 1)]
    assert cuts[-1] == (74, 1)


def test_a_comment_stays_with_the_statement_below_it() -> None:
    body = "    a()  # beside\n    # about b\n    # still\n    b()\n\n    # apart\n\n    c()\n"
    cuts = _cut_lines(f"def f():\n{body}" + "    d()\n" * 70, "python")
    assert [line for line, _ in cuts][:5] == [1, 2, 3, 7, 9]


def test_statements_that_share_a_line_are_not_cut_apart() -> None:
    body = "  a(); b()\n  if (c) { d() }\n" + "  e()\n" * 70
    cuts = _cut_lines(f"function f() {{\n{body}}}\n", "javascript")
    assert cuts[:4] == [(1, 0), (2, 1), (3, 1), (4, 1)]


def test_anonymous_callbacks_of_a_long_test_file_are_cut() -> None:
    body = "  it('a', () => {\n    b()\n  })\n" * 30
    cuts = _cut_lines(f"describe('x', () => {{\n{body}}})\n", "javascript")
    depths = {depth for _, depth in cuts}
    assert (1, 0) in cuts
    assert len([1 for line, _ in cuts if line % 3 == 2]) == 30  # each `it`
    assert len(depths) > 2


def test_methods_of_a_long_class_are_left_whole() -> None:
    methods = "".join(f"    def m{i}(self):\n        return {i}\n" for i in range(40))
    assert _cut_lines(f"class A:\n{methods}", "python") == []


def test_a_long_table_is_cut_at_its_rows() -> None:
    rows = "".join(f"    {i}: 'x',\n" for i in range(80))
    cuts = _cut_lines(f"T = {{\n{rows}}}\n", "python")
    assert len(cuts) == 81
