"""Reports for tests: one of ordinary content, and Hypothesis strategies for odd and huge ones."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from itertools import cycle
from typing import TypeVar

from hypothesis import strategies as st

from sidelight_bot.model import Side
from sidelight_bot.notes.model import Evidence, Note
from sidelight_bot.notes.schema import Kind, Severity
from sidelight_bot.permalinks import Permalinks
from sidelight_bot.report import (
    ChangeReport,
    Excerpt,
    FindingKind,
    Group,
    GroupReason,
    IndexInfo,
    Item,
    ModelUsage,
    OtherFinding,
    SignatureFinding,
    Site,
    Stage,
    TestFile,
    Touched,
    Unread,
)

_T = TypeVar("_T")
HEAD, BASE = "a" * 40, "b" * 40
LINKS = Permalinks("https://github.com", "octo/app", HEAD)
WORDS = [
    *("fixes #12", "@octocat", "GH-7", "o/r#3", "<img src=x onerror=y>", "![i](https://e.example)"),
    *("[x](https://e.example)", "https://e.example/a", "www.e.example", "`", "``", "\\", "|", "*"),
    *("</details>", "<!-- sidelight:v1 head=x -->", "-->", "/ask me", "# x", "- y", "&lt;", "_z_"),
    *("\u202e", "\u200b", "\U000e0041", "deadbeef1234", "a@b.example", "plain", "Context.render"),
    *(" ", "]", "[", "$x$", "~~~", "```", "é", "日本語", "'", '"', "x" * 90),
]


def text(most: int) -> st.SearchStrategy[str]:
    """Return one line of at most `most` characters, often hostile."""
    other = st.characters(exclude_categories=("Cc", "Zl", "Zp", "Cs"))
    part = st.sampled_from(WORDS) | other
    return st.lists(part, max_size=6).map(lambda parts: "".join(parts)[:most])


def _as_path(name: str) -> str:
    kept = [part for part in name.split("/") if part not in ("", ".", "..")]
    return "/".join(kept) or "a.py"


class _Source:
    """Hands out the drawn texts, paths and numbers in turn, so that a few make a whole report."""

    def __init__(self, texts: list[str], numbers: list[int]) -> None:
        self._texts, self._numbers = cycle(texts), cycle(numbers)

    def text(self, most: int) -> str:
        return next(self._texts)[:most]

    def path(self) -> str:
        odd = self.pick(["", "", "\udcff"])
        return _as_path(f"{next(self._texts)}/{odd}{next(self._texts)}")

    def line(self) -> int:
        return self.count() + 1

    def count(self) -> int:
        return next(self._numbers)

    def pick(self, items: Iterable[_T]) -> _T:
        known = list(items)
        return known[self.count() % len(known)]

    def some(self, make: Callable[[], _T], most: int) -> tuple[_T, ...]:
        return tuple(make() for _ in range(self.count() % (most + 1)))

    def excerpt(self) -> Excerpt | None:
        if self.count() % 3 == 0:
            return None
        line = self.line()
        rows = "\n".join(self.some(lambda: self.text(200), 9))
        language = self.pick(["python", "go", "", "mermaid", "c++", "suggestion"])
        return Excerpt(line, line + self.count() % 12, language, rows[:2000])

    def site(self) -> Site:
        return Site(self.path(), self.line(), self.text(200), self.excerpt())

    def item(self) -> Item:
        lines = (self.line(), self.line())
        alike = self.some(self.path, 2)
        return Item(self.path(), *lines, self.text(100), self.text(300), self.excerpt(), alike)

    def signature(self) -> SignatureFinding:
        sites = self.some(self.site, 3)
        said = (self.text(99), self.text(200))
        return SignatureFinding(self.path(), self.line(), *said, sites, self.count())

    def finding(self) -> OtherFinding:
        kind = self.pick(FindingKind)
        sites = self.some(self.site, 2)
        return OtherFinding(kind, self.path(), self.line(), self.text(99), self.text(99), sites)

    def touched(self) -> Touched:
        change = self.pick(["added", "removed", "signature", "changed", "@x"])
        place = (self.path(), self.line(), self.line())
        tests = self.pick([None, 0, 1, 2])
        return Touched(*place, self.text(100), self.text(20), change, self.count(), tests)

    def note(self) -> Note:
        evidence = self.some(
            lambda: Evidence(self.path(), self.line(), self.line(), self.text(60)), 2
        )
        return Note(
            path=self.path(),
            line=self.line(),
            start_line=self.pick([None, 3]),
            side=self.pick(Side),
            severity=self.pick(Severity),
            kind=self.pick(Kind),
            title=self.text(100),
            body="\n".join(self.text(300) for _ in range(4)),
            suggestion=self.pick([None, "x = 1"]),
            evidence=evidence,
            anchor=self.pick(["0" * 16, "1" * 16]),
            quote="f" * 16,
        )

    def report(self) -> ChangeReport:
        return ChangeReport(
            repo=self.pick(["octo/app", "octo/app", ""]),
            number=self.pick([None, 1, 7]),
            base=self.pick([BASE, "0" * 64]),
            merge_base=self.pick([BASE, ""]),
            head=self.pick([HEAD, "0" * 64]),
            title=self.text(200),
            n_files=self.count(),
            n_added=self.count(),
            n_removed=self.count(),
            touched=self.some(self.touched, 4),
            n_touched=self.count(),
            signatures=self.some(self.signature, 2),
            findings=self.some(self.finding, 3),
            groups=tuple(
                Group(reason, self.some(self.item, 3), self.count()) for reason in GroupReason
            ),
            tests=self.some(
                lambda: TestFile(self.path(), self.some(lambda: self.text(60), 5), self.text(100)),
                3,
            ),
            n_tests=self.count(),
            ledger=self.some(lambda: Unread(self.text(200), self.text(40)), 3),
            n_unread=self.count(),
            remarks=self.some(lambda: self.text(200), 2),
            index=IndexInfo(
                self.pick(["current", "partial", ""]),
                self.pick([None, True, False]),
                self.count(),
                self.count(),
                self.count(),
            ),
            stages=self.some(lambda: Stage(self.text(20), self.count() / 7), 2),
            notes=self.some(self.note, 3),
            usage=self.pick([None, ModelUsage(self.text(40), 5, 7, 0.25)]),
            run=self.count(),
        )


REPORTS = st.builds(
    lambda texts, numbers: _Source(texts, numbers).report(),
    st.lists(text(90), min_size=1, max_size=12),
    st.lists(st.integers(0, 1_000_000), min_size=3, max_size=17),
)


def ordinary() -> ChangeReport:
    """Return a report of a small change with one of everything."""
    call = Excerpt(
        40, 42, "python", "def show(page):\n    ready = True\n    return render(page, 1)\n"
    )
    other = Excerpt(7, 7, "python", "def split(text):\n    return text.split()\n")
    caller = Item("app/views.py", 40, 43, "show", "calls `render` in line 42", call)
    used = Item("app/words.py", 7, 8, "split", "used by `render`", other, ("old/words.py",))
    test = Item("tests/test_page.py", 3, 9, "test_page", "calls `render` in line 5", None)
    sibling = Item("docs/render.md", 1, 3, "", "changed with `app/page.py` 27 of 31 times", None)
    site = Site("app/views.py", 42, "2 arguments; 3 are required", call)
    return ChangeReport(
        repo="octo/app",
        number=7,
        base=BASE,
        merge_base=BASE,
        head=HEAD,
        title="Render pages with a theme",
        n_files=2,
        n_added=12,
        n_removed=3,
        touched=(
            Touched("app/page.py", 10, 31, "render", "function", "signature", 3, 1),
            Touched("app/page.py", 40, 44, "theme_of", "function", "added", 0, None),
        ),
        n_touched=2,
        signatures=(
            SignatureFinding(
                "app/page.py",
                10,
                "render",
                "`render(page, depth)` became `render(page, depth, theme)`:"
                " 1 call outside the diff no longer fits",
                (site,),
            ),
        ),
        findings=(
            OtherFinding(
                FindingKind.REMOVED,
                "app/page.py",
                9,
                "old_render",
                "is gone, and 1 reference is left",
                (Site("app/cli.py", 3, "", None),),
            ),
        ),
        groups=(
            Group(GroupReason.CALLERS, (caller,), 2),
            Group(GroupReason.DEFINITIONS, (used,)),
            Group(GroupReason.TESTS, (test,)),
            Group(GroupReason.COMPANIONS, (sibling,)),
        ),
        tests=(TestFile("tests/test_page.py", ("test_page", "test_theme"), ""),),
        n_tests=1,
        ledger=(Unread("logo.png", "binary"),),
        n_unread=1,
        remarks=("the clone is shallow",),
        index=IndexInfo("current", True, 3, 1234, 0),
        stages=(Stage("index", 1.5),),
        run=12,
    )


def huge() -> ChangeReport:
    """Return the largest report that `from_json` accepts, of texts that grow when escaped."""
    name, sentence, path = "_" * 300, "*@#1 " * 200, "é_" * 40 + "/" + "u" * 300
    excerpt = Excerpt(1, 500, "python", "`@x`\n" * 400)
    site = Site(path, 1, sentence, excerpt)
    item = Item(path, 1, 2, name, sentence, excerpt, (path,) * 2)
    note = Note(
        *(path, 1, None, Side.RIGHT, Severity.MAJOR, Kind.BUG, "*" * 300, "[x](y) @z\n" * 400),
        *(None, (Evidence(path, 1, 1, sentence),) * 20, "0" * 16, "1" * 16),
    )
    signature = SignatureFinding(path, 1, name, sentence, (site,) * 60, 10**9)
    other = OtherFinding(FindingKind.REMOVED, path, 1, name, sentence, (site,) * 60)
    return replace(
        ordinary(),
        touched=(Touched(path, 1, 2, name, name, name, 10**9, 10**9),) * 60,
        n_touched=10**9,
        signatures=(signature,) * 4,
        findings=(other,) * 3,
        groups=tuple(Group(reason, (item,) * 60, 10**9) for reason in GroupReason),
        tests=(TestFile(path, (name,) * 9, sentence),) * 60,
        n_tests=10**9,
        ledger=(Unread("e" * 4096, name),) * 60,
        n_unread=10**9,
        remarks=(sentence,) * 20,
        notes=(note,) * 20,
        usage=ModelUsage(name, 10**9, 10**9, 1e6),
    )
