"""The HTML page: complete, escaped, and without anything from elsewhere."""

from __future__ import annotations

from html.parser import HTMLParser

from evaluation.test_comparison import case, value
from evaluation.test_tuning import many
from sidelight.evaluation.ablation import ablate_diffs
from sidelight.evaluation.page import render_page
from sidelight.evaluation.results import ResultSet, parse_results

VOID = {"meta", "br", "rect", "path", "polyline"}


class Strict(HTMLParser):
    """Checks that elements nest, and collects what a browser would load."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.links: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in VOID:
            self.open.append(tag)
        self.links += [v or "" for name, v in attrs if name in ("src", "href", "xlink:href")]
        assert not any(name.startswith("on") for name, _ in attrs)

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            assert self.open.pop() == tag

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        assert tag in VOID


def results(state: str = "complete") -> ResultSet:
    cases = [case(f"c{n}", n / 12, repo=f"o/{n % 3}", language=f"l{n % 2}") for n in range(12)]
    odd = case("odd", 0.0, query="<script>alert(1)</script>\nmore", ranks={"a\udce9<b>.py": None})
    both = value(*cases, odd, state=state)
    both["tables"] += value(*cases, mode="file-bm25")["tables"]
    return parse_results(both, "r.json")


def test_page_is_well_formed_and_loads_nothing() -> None:
    page = render_page(results(), [ablate_diffs("diffs", many(12, "o/a"), {"good": 1, "bad": 1})])
    parser = Strict()
    parser.feed(page)
    assert parser.open == []
    assert all(link.startswith("#") for link in parser.links)
    assert "url(" not in page
    assert "@import" not in page
    for words in ("file-bm25", "o/2", "By repository", "What each signal is worth", "not found"):
        assert words in page


def test_texts_of_cases_are_escaped() -> None:
    page = render_page(results())
    assert "<script" not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
    assert "a?&lt;b&gt;.py" in page
    page.encode()


def test_partial_and_empty_results_say_so() -> None:
    assert "Partial results" in render_page(results("partial"))
    assert "No case was answered" in render_page(ResultSet("empty", (), False))
