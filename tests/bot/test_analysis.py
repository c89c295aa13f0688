"""The report of a change says what is so: lines, counts, reasons, and what was not read."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from helpers.gitrepo import GitRepo
from helpers.reports import LINKS
from helpers.workspace import Workspace
from sidelight.focal import FocalSet
from sidelight.git.diffs import LineKind
from sidelight.model import Hit, Reason, Span
from sidelight.related.session import RelatedSession
from sidelight_bot.analysis import AnalysisLimits, analyse
from sidelight_bot.analysis.change import TOO_LARGE, ChangeRead, read_change
from sidelight_bot.analysis.comments import comment_lines
from sidelight_bot.analysis.reasons import reason_text
from sidelight_bot.analysis.texts import excerpt_of, report_path
from sidelight_bot.comment import is_worth_saying, render_comment
from sidelight_bot.report import ChangeReport, Group, GroupReason, Item, from_json, to_json
from sidelight_bot.views import head_view, index_head

WORDS = '''"""Words of a page."""


def split_words(text, limit):
    """Return the words of a text."""
    found = text.split()
    return found[:limit]


def join_words(words):
    """Return one text."""
    return " ".join(words)
'''
PAGES = '''"""Pages."""

from app.words import join_words, split_words


def render_page(page):
    """Return a page as text."""
    words = split_words(page.text, 10)
    return join_words(words)
'''
CHECKS = """from app.words import split_words


def test_split_words():
    assert split_words("a b", 1) == ["a"]
"""


@pytest.fixture
def repo(tmp_path: Path) -> GitRepo:
    made = GitRepo.init(tmp_path / "repo")
    made.write("app/__init__.py", "")
    made.write("app/words.py", WORDS)
    made.write("app/pages.py", PAGES)
    made.write("tests/test_words.py", CHECKS)
    made.commit("Words and pages")
    return made


def place_of(repo: GitRepo, base: str, head: str) -> Workspace:
    work = Workspace.at(repo)
    index_head(work.place, head, base)
    return work


def report_of(repo: GitRepo, base: str, head: str, **limits: int) -> ChangeReport:
    work = place_of(repo, base, head)
    report = analyse(work.place, base, head, "Change it", AnalysisLimits(**limits))
    assert from_json(to_json(report)) == report
    return report


def read(repo: GitRepo, base: str, head: str, **limits: int) -> ChangeRead:
    work = place_of(repo, base, head)
    view = head_view(head, base)
    return read_change(work.place, view, base, head, "", AnalysisLimits(**limits))


def group(report: ChangeReport, reason: GroupReason) -> tuple[Item, ...]:
    found = [g for g in report.groups if g.reason is reason]
    return found[0].items if found else ()


def change(repo: GitRepo, path: str, old: str, new: str, message: str = "change") -> str:
    text = repo.read(path).decode()
    assert old in text
    repo.write(path, text.replace(old, new))
    return repo.commit(message)


# -- what is found ----------------------------------------------------------------------------


def test_a_changed_signature_shows_its_calls_callers_and_tests(repo: GitRepo) -> None:
    base = repo.head()
    head = change(repo, "app/words.py", "(text, limit)", "(text, limit, separator)")
    report = report_of(repo, base, head)
    (finding,) = report.signatures
    assert finding.symbol == "split_words"
    assert {(site.path, site.line) for site in finding.sites} == {
        *(("app/pages.py", 8), ("tests/test_words.py", 5))
    }
    assert "split_words(page.text, 10)" in str(finding.sites[0].excerpt)
    (touched,) = report.touched
    assert (touched.name, touched.change, touched.callers, touched.tests) == (
        *("split_words", "signature", 1, 1),
    )
    (caller,) = group(report, GroupReason.CALLERS)
    assert (caller.path, caller.symbol) == ("app/pages.py", "render_page")
    assert caller.why == "calls `split_words` (line 8)"
    assert caller.excerpt is not None
    assert caller.excerpt.focus == 8
    assert [test.path for test in report.tests] == ["tests/test_words.py"]
    assert is_worth_saying(report)
    text = render_comment(report, LINKS)
    assert text is not None
    assert "Changed signature, unchanged call sites" in text


def test_what_added_lines_use_is_shown(repo: GitRepo) -> None:
    base = repo.head()
    head = change(
        repo,
        "app/pages.py",
        "return join_words(words)",
        "again = split_words(page.title, 3)\n    return join_words(words + again)",
    )
    used = group(report_of(repo, base, head), GroupReason.DEFINITIONS)
    assert {item.symbol for item in used} >= {"split_words"}
    assert all(item.path == "app/words.py" for item in used)
    assert used[0].why == "used by `render_page`"
    assert used[0].excerpt is not None
    assert used[0].excerpt.text.split("\n")[0].startswith("def ")


def test_every_file_that_related_ranks_is_in_the_report(repo: GitRepo) -> None:
    base = repo.head()
    for at in range(12):
        repo.write(
            f"app/part{at}.py", f"def part_{at}(text):\n    return split_words(text, {at})\n"
        )
    base = repo.commit("Parts")
    head = change(repo, "app/words.py", "found[:limit]", "found[: limit or None]")
    work = place_of(repo, base, head)
    seen = read(repo, base, head)
    with RelatedSession.open(work.place, head_view(head, base)) as session:
        ranked = {hit.path.decode() for hit in session.rank(seen.focal, 10).hits}
    report = analyse(work.place, base, head, "")
    assert ranked <= {item.path for g in report.groups for item in g.items}


def test_the_diffs_own_lines_are_never_shown_as_related(repo: GitRepo) -> None:
    base = repo.head()
    head = change(repo, "app/words.py", "found = text.split()", "found = list(text.split())")
    report = report_of(repo, base, head)
    for found in report.groups:
        for item in found.items:
            inside = item.path == "app/words.py" and item.start_line <= 6 <= item.end_line
            assert not inside


def test_an_interface_call_is_found_by_the_name_that_changed(tmp_path: Path) -> None:
    repo = GitRepo.init(tmp_path / "go")
    writer = (
        "package a\n\ntype writer struct{}\n\nfunc (w *writer) CloseNotify() int {\n\treturn 1\n}\n"
    )
    repo.write("writer.go", writer)
    repo.write(
        "stream.go",
        "package a\n\ntype any interface{ CloseNotify() int }\n\n"
        "func Stream(w any) int {\n\tgone := w.CloseNotify()\n\treturn gone\n}\n",
    )
    base = repo.commit("Writers")
    head = change(repo, "writer.go", "return 1", "return 2")
    items = [i for g in report_of(repo, base, head).groups for i in g.items]
    assert any(item.path == "stream.go" and "CloseNotify" in item.why for item in items)


def test_a_removed_definition_is_touched_and_its_callers_counted(repo: GitRepo) -> None:
    base = repo.head()
    text = repo.read("app/words.py").decode()
    repo.write("app/words.py", text[: text.index("def join_words")].rstrip() + "\n")
    head = repo.commit("Remove it")
    report = report_of(repo, base, head)
    assert ("join_words", "removed", 1) in {(t.name, t.change, t.callers) for t in report.touched}
    assert any(f.symbol == "join_words" for f in report.findings)


def test_nothing_is_said_of_a_change_of_prose(repo: GitRepo) -> None:
    repo.write("README.md", "# Words\n\nAll about words.\n")
    base = repo.commit("Readme")
    head = change(repo, "README.md", "All about", "Everything about")
    report = report_of(repo, base, head)
    assert render_comment(report, LINKS) is None


def test_nothing_is_said_of_a_change_of_comments(repo: GitRepo) -> None:
    base = repo.head()
    change(repo, "app/words.py", "Return the words of a text.", "Return a text's words.")
    head = change(repo, "app/words.py", "    found =", "    # white space divides\n    found =")
    report = report_of(repo, base, head)
    assert report.touched == ()
    assert render_comment(report, LINKS) is None


@pytest.mark.parametrize(
    ("language", "source", "lines"),
    [
        (
            "python",
            'x = 1\n# y\n\n"""One."""\n"""\nTwo\n"""\nz = """a\nb"""\n',
            {2, 3, 4, 5, 6, 7, 10},
        ),
        ("go", "a()\n// b\n/* c\n * d\n */\ne() // f\n/* g */ h()\n", {2, 3, 4, 5, 8}),
        ("text", "a\n\n# b\n", {2, 4}),
    ],
)
def test_lines_of_nothing_but_comment_are_known(
    language: str, source: str, lines: set[int]
) -> None:
    assert comment_lines(source.encode(), language) == lines


def test_the_same_commits_give_the_same_report(repo: GitRepo) -> None:
    base = repo.head()
    head = change(repo, "app/words.py", "(text, limit)", "(text, limit, separator)")
    work = place_of(repo, base, head)
    first, second = (analyse(work.place, base, head, "t", now=lambda: 0.0) for _ in range(2))
    assert first == second


def test_without_a_common_ancestor_nothing_is_compared(repo: GitRepo) -> None:
    base = repo.head()
    repo.git("switch", "-q", "--orphan", "other")
    repo.write("x.py", "x = 1\n")
    head = repo.commit("Other")
    report = analyse(Workspace.at(repo).place, base, head, "t")
    assert report.merge_base == ""
    assert "no common ancestor" in report.remarks[0]
    assert report.groups == ()


def test_the_diff_starts_at_the_merge_base(repo: GitRepo) -> None:
    fork = repo.head()
    repo.switch("topic", "-c")
    head = change(repo, "app/words.py", "found[:limit]", "found[: limit or None]")
    repo.switch("main")
    base = change(repo, "app/pages.py", "10", "20")
    report = report_of(repo, base, head)
    assert report.merge_base == fork
    assert report.n_files == 1


# -- facts of the diff ------------------------------------------------------------------------


def numstat(repo: GitRepo, base: str, head: str) -> tuple[int, int, int]:
    rows = repo.git("diff-tree", "-r", "-M50%", "--numstat", base, head).split("\n")
    counts = [row.split("\t")[:2] for row in rows if row]
    plain = [(int(a), int(b)) for a, b in counts if a != "-"]
    return len(counts), sum(a for a, _ in plain), sum(b for _, b in plain)


def odd_change(repo: GitRepo) -> tuple[str, str]:
    """Commit one of every kind of change; return both sides."""
    lines = "".join(f"value_{at} = {at}\n" for at in range(60))
    repo.write("one.py", "x = 1\n")
    repo.write("cut.py", lines)
    repo.write("open.py", "a = 1\nb = 2")
    repo.write("dos.py", "a = 1\r\nb = 2\r\nc = 3\r\n")
    repo.write("moved.py", lines.replace("value", "moved"))
    repo.write("kept.py", lines.replace("value", "kept"))
    repo.write("tool.sh", "echo 1\n")
    repo.write("logo.png", b"\x89PNG\0\1")
    repo.write('quo"té\t.py', "x = 1\n")
    base = repo.commit("Before")
    repo.git("config", "diff.noprefix", "true")
    repo.git("config", "diff.mnemonicPrefix", "true")
    repo.git("config", "color.ui", "always")
    repo.write("one.py", "x = 2\n")
    repo.write("cut.py", lines.replace("value_10 = 10\nvalue_11 = 11\n", ""))
    repo.write("open.py", "a = 1\nb = 3")
    repo.write("dos.py", "a = 1\r\nb = 22\r\nc = 3\r\n")
    repo.rename("moved.py", "sub/moved.py")
    text = repo.read("sub/moved.py").decode()
    repo.write("sub/moved.py", text.replace("moved_5 = 5", "moved_5 = 55"))
    repo.rename("kept.py", "sub/kept.py")
    repo.write("tool.sh", "echo 1\n", mode=0o755)
    repo.write("logo.png", b"\x89PNG\0\2")
    repo.write('quo"té\t.py', "x = 3\n")
    repo.write("new.py", "n = 1\n")
    repo.remove("app/pages.py")
    return base, repo.commit("After")


def test_counts_agree_with_git_for_every_kind_of_change(repo: GitRepo) -> None:
    base, head = odd_change(repo)
    seen = read(repo, base, head)
    assert (seen.n_files, seen.n_added, seen.n_removed) == numstat(repo, base, head)
    assert [(item.name, item.reason) for item in seen.unread] == [("logo.png", "binary")]


def test_line_numbers_agree_with_git_blame(repo: GitRepo) -> None:
    base, head = odd_change(repo)
    seen = read(repo, base, head)
    looked = 0
    for file in seen.focal.files:
        if file.diff.change.new_blob is None:
            continue
        out = repo.git_bytes("blame", "-s", "--line-porcelain", head, "--", file.path)
        blamed: dict[int, tuple[str, bytes]] = {}
        commit, number = "", 0
        for row in out.split(b"\n"):
            if row.startswith(b"\t"):
                blamed[number] = (commit, row[1:])
            elif len(row) > 40 and row[40:41] == b" " and row[:40].isalnum():
                commit, number = row[:40].decode(), int(row.split()[2])
        for hunk in file.diff.hunks:
            for line in hunk.lines:
                if line.new is None:
                    continue
                assert blamed[line.new][1].rstrip(b"\r") == line.text.rstrip(b"\r"), file.path
                is_new = blamed[line.new][0] == head
                assert is_new == (line.kind is LineKind.ADDED), (file.path, line)
                looked += 1
    assert looked > 20


def test_the_report_of_every_kind_of_change_can_be_shown(repo: GitRepo) -> None:
    base, head = odd_change(repo)
    report = report_of(repo, base, head)
    text = render_comment(report, LINKS, always=True)
    assert text is not None
    assert "`logo.png`: binary" in text


def test_a_pure_rename_and_a_mode_change_touch_nothing(repo: GitRepo) -> None:
    base = repo.head()
    repo.rename("app/words.py", "app/terms.py")
    repo.write("app/pages.py", repo.read("app/pages.py"), mode=0o755)
    report = report_of(repo, base, repo.commit("Move"))
    assert report.touched == ()
    assert (report.n_added, report.n_removed) == (0, 0)


def test_what_is_not_read_is_named_with_its_reason(repo: GitRepo) -> None:
    repo.write(".gitattributes", "api.py linguist-generated\n")
    base = repo.commit("Attributes")
    repo.write("api.py", "x = 1\n")
    repo.write("made.py", "# Code generated by tool. DO NOT EDIT.\nx = 1\n")
    repo.write("package-lock.json", "{}\n")
    repo.write("data.bin", b"\0\1\2")
    repo.write("big.py", "x = 1\n" * 180_000)
    repo.git("add", "-A")
    repo.add_gitlink("module", base)
    head = repo.commit("Much", stage=False)
    reasons = {item.name: item.reason for item in report_of(repo, base, head).ledger}
    assert reasons == {
        "api.py": "generated",
        "big.py": "too large",
        "data.bin": "binary",
        "made.py": "generated",
        "module": "submodule",
        "package-lock.json": "lock file",
    }


def test_the_heads_own_attributes_hide_nothing(repo: GitRepo) -> None:
    base = repo.head()
    repo.write(".gitattributes", "*.py linguist-generated\n")
    head = change(repo, "app/words.py", "(text, limit)", "(text, limit, separator)")
    report = report_of(repo, base, head)
    assert report.signatures
    assert not report.ledger


def test_many_files_and_lines_are_counted_and_read_within_the_limits(repo: GitRepo) -> None:
    base = repo.head()
    for at in range(330):
        repo.write(f"many/m{at}.txt", "".join(f"line {n}\n" for n in range(65)))
    head = change(repo, "app/words.py", "(text, limit)", "(text, limit, separator)")
    report = report_of(repo, base, head, files=50, lines=2000)
    assert report.n_files == 331
    assert report.n_added == 330 * 65 + 1
    assert report.signatures, "production code is read first"
    assert Counter(item.reason for item in report.ledger).keys() == {TOO_LARGE}
    assert report.n_unread > 250
    text = render_comment(report, LINKS)
    assert text is not None
    assert "changed files were not looked into" in text


def test_a_changed_file_that_was_not_read_is_no_caller_that_stayed_behind(repo: GitRepo) -> None:
    base = repo.head()
    change(repo, "app/words.py", "(text, limit)", "(text, limit, separator)")
    repo.write("big/later.py", "from app.words import split_words\n\n\n" + "x = 1\n" * 50)
    head = change(repo, "app/pages.py", "(page.text, 10)", "(page.text, 10, ' ')")
    assert not [s.path for f in report_of(repo, base, head).signatures for s in f.sites
                if s.path == "app/pages.py"]  # fmt: skip
    partial = report_of(repo, base, head, files=3)
    assert partial.n_unread == 0
    few = report_of(repo, base, head, files=1)
    assert {item.name for item in few.ledger} == {"app/words.py", "big/later.py"}
    assert not few.signatures
    assert not group(few, GroupReason.CALLERS)


def test_a_file_name_that_is_no_text_is_named_by_its_escapes(repo: GitRepo) -> None:
    base = repo.head()
    repo.write(b"app/\xff.bin", b"\0\1")
    repo.write("app/a\nb.bin", b"\0\1")
    report = report_of(repo, base, repo.commit("Odd"))
    names = {item.name for item in report.ledger}
    assert all("\n" not in name for name in names)
    assert len(names) == 2
    assert report_path(b"app/\xff.py") == "app/\udcff.py"
    assert report_path(b"a\nb") is None


def test_excerpts_show_the_line_that_matters() -> None:
    source = b"".join(b"line %d\r\n" % n for n in range(1, 30))
    shown = excerpt_of(source, "python", Span(0, 0, 5, 25), 20)
    assert shown is not None
    assert (shown.line, shown.focus) == (17, 20)
    assert shown.text.split("\n")[3] == "line 20"
    assert excerpt_of(source, "python", Span(0, 0, 40, 50), 45) is None


def test_secrets_in_the_code_are_blanked_out_in_excerpts() -> None:
    token = "ghp_" + "0123456789abcdef" * 2
    key = [
        "-----BEGIN PRIVATE KEY-----",
        *["MIIEvQIBADANBgkqhkiG9w0BAQ"] * 30,
        "-----END PRIVATE KEY-----",
    ]
    source = "\n".join(["x = 1", f'token = "{token}"', "y = 2", *key, "z = 3"]).encode()
    shown = excerpt_of(source, "python", Span(0, 0, 1, 3), 2)
    assert shown is not None
    assert token not in shown.text
    assert shown.text.split("\n")[2] == "y = 2"
    inside = excerpt_of(source, "python", Span(0, 0, 1, 36), 20)
    assert inside is not None
    assert "MIIE" not in inside.text


@pytest.mark.parametrize(
    ("kind", "detail", "told"),
    [
        ("mix", "shares `default`, `int`", ""),
        ("mix", "shares `shouldskipquery`, `a`", "shares `shouldSkipQuery`"),
        ("defines", "defines `root`, used in changed lines", ""),
        (
            "defines",
            "defines `View.as_view`, `View.get` and 2 more, used in changed lines",
            "defines `View.as_view`, used in changed lines",
        ),
        ("cochange", "changed together with CHANGES.rst in 88 of 647 commits", ""),
        ("cochange", "changed together with gin.go in 2 of 9 commits", ""),
        ("cochange", "changed together with gin.go in 8 of 90 commits", ""),
        (
            "cochange",
            "changed together with gin.go in 52 of 287 commits",
            "changed together with `gin.go` in 52 of 287 commits",
        ),
        ("copied", "9% of its lines and those of a.py agree", ""),
        (
            "copied",
            "44% of its lines and those of a.py agree",
            "44% of its lines and those of `a.py` agree",
        ),
        ("gone", "still has `also`, `here`, gone from the changed files", ""),
        (
            "gone",
            "still has `old_name`, gone from the changed files",
            "still has `old_name`, gone from the changed files",
        ),
        ("uses", "uses `Part.serialize` (line 301), changed here", ""),
        (
            "uses",
            "uses `Page.render_all` (line 4) and 2 more, changed here",
            "uses `Page.render_all` (line 4), changed here",
        ),
        ("recent", "changed lately", ""),
        ("title_path", "the title's words are in its path", ""),
    ],
)
def test_only_what_can_be_checked_is_told_of_a_ranking(kind: str, detail: str, told: str) -> None:
    focal = FocalSet((), (), "", "", added={"shouldSkipQuery": 2, "default": 1})
    hit = Hit(b"a.py", Span(0, 0, 1, 1), "", "", "", 1.0, (Reason(kind, detail, 0.1),))
    assert reason_text(hit, focal) == told


def test_what_took_something_off_is_not_told() -> None:
    reasons = (Reason("gone", "still has `old_name`, gone from the changed files", -0.1),)
    hit = Hit(b"a.py", Span(0, 0, 1, 1), "", "", "", 1.0, reasons)
    assert reason_text(hit, FocalSet((), (), "", "")) == ""


def test_groups_have_one_reason_each(repo: GitRepo) -> None:
    base = repo.head()
    head = change(repo, "app/words.py", "(text, limit)", "(text, limit, separator)")
    groups: tuple[Group, ...] = report_of(repo, base, head).groups
    assert len({g.reason for g in groups}) == len(groups)
