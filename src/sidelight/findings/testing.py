"""The tests that reach what changed, and changed functions that no test reaches."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sidelight.findings.asides import is_aside
from sidelight.findings.bases import has_unseen_base
from sidelight.findings.model import Evidence, Finding, FindingKind, Touched
from sidelight.findings.reach import Reach, TestFinder
from sidelight.findings.sides import Sides
from sidelight.focal import FocalSymbol, SymbolChange
from sidelight.graph.families import family_of
from sidelight.graph.model import SymbolRef, text_path
from sidelight.graph.testpaths import is_test_path
from sidelight.model import CALLABLE_KINDS, CONTAINER_KINDS, SymbolKind

# A named test did run 97 % of click's functions that tests call, 72 % of those that they reach over
# one other function, and 56 % over two: these are not shown.
HOPS = 1  # definitions between a test and what it reaches
FAR = 4  # hops without a test before a function counts as untested
MAX_SYMBOLS = 100  # changed definitions looked at; more are a rewrite
MAX_EVIDENCE = 10
MIN_TEST_FILES = 3
SAMPLE = 12  # test files asked whether their uses can be followed
MIN_FOLLOWED = 0.5  # of the sample
_WORDS = re.compile(r"[A-Z]?[a-z\d]+|[A-Z]+(?![a-z])")
_IMPORTS = re.compile(rb"(?:from\s[^#]*\simport|import|export\s*\{|(?:pub\s+)?use)\s")
_PROSE = frozenset({"", "markdown", "rst", "text", "asciidoc", "org"})
_MADE_BY_RUNTIME = re.compile(r"__\w+__$|main$|init$|setup$|teardown$", re.IGNORECASE)
CONFIDENCE_DIRECT, CONFIDENCE_THROUGH = 0.97, 0.7
CONFIDENCE_UNTESTED = 0.8


def look_at_tests(sides: Sides) -> Iterator[tuple[Touched, Finding | None]]:
    """Yield each changed definition of production code, with what is to say of its tests."""
    finder, wide = TestFinder(sides.head), TestFinder(sides.head, by_base=True)
    reached = [(item, ref, finder.reach(ref, HOPS)) for item, ref in _changed(sides)]
    # Where a test is found, tests can be followed; only else is it worth a look at a sample.
    testable = {sides.files[item.path].language: True for item, _, reach in reached if reach.tests}
    for item, ref, reach in reached:
        language = sides.files[item.path].language
        if language not in testable:
            testable[language] = _is_testable(sides, language)
        is_testable = testable[language]
        yield (
            Touched(
                item.path,
                item.symbol.span,
                item.symbol.qualified_name,
                item.symbol.kind,
                item.change.value,
                reach.n_callers,
                len(reach.tests) if is_testable else None,
            ),
            _about(sides, wide, item, ref, reach, is_testable),
        )


def _about(
    sides: Sides,
    wide: TestFinder,
    item: FocalSymbol,
    ref: SymbolRef,
    reach: Reach,
    is_testable: bool,
) -> Finding | None:
    if reach.tests:
        return _tests_finding(sides, item, reach)
    if is_testable and _is_untested(sides, wide, item, ref):
        name = item.symbol.qualified_name
        verb = "added" if item.change is SymbolChange.ADDED else "changed"
        return Finding(
            FindingKind.UNTESTED,
            item.path,
            item.symbol.span,
            name,
            f"`{name}` is {verb}, and no test reaches it",
            (),
            CONFIDENCE_UNTESTED,
        )
    return None


def _changed(sides: Sides) -> list[tuple[FocalSymbol, SymbolRef]]:
    wanted = CALLABLE_KINDS | CONTAINER_KINDS
    found = [
        item
        for item in sides.focal.symbols
        if item.change is not SymbolChange.REMOVED
        and item.symbol.kind in wanted
        and not is_test_path(text_path(item.path))
        and not is_aside(item.path)
    ]
    return [
        (item, SymbolRef(item.path, s.qualified_name, s.kind, s.span))
        for item in found[:MAX_SYMBOLS]
        for s in (item.symbol,)
    ]


def _tests_finding(sides: Sides, item: FocalSymbol, reach: Reach) -> Finding:
    name = item.symbol.qualified_name
    direct = sum(test.hops == 0 for test in reach.tests)
    count = len(reach.tests)
    tests = f"{count} test{'' if count == 1 else 's'}"
    if not direct:
        message = f"{tests} may reach `{name}`, through what it is called by"
    elif direct == count:
        message = f"{tests} use{'s' if count == 1 else ''} `{name}`"
    else:
        message = f"{direct} of {tests} that reach `{name}` use it directly"
    evidence = tuple(
        Evidence(
            test.test.path,
            test.line,
            sides.line(test.test.path, test.line),
            test.test.qualified_name
            + (f" through {' → '.join(test.through)}" if test.through else ""),
        )
        for test in reach.tests[:MAX_EVIDENCE]
    )
    return Finding(
        FindingKind.TESTS,
        item.path,
        item.symbol.span,
        name,
        message,
        evidence,
        CONFIDENCE_DIRECT if direct else CONFIDENCE_THROUGH,
    )


def _is_untested(sides: Sides, finder: TestFinder, item: FocalSymbol, ref: SymbolRef) -> bool:
    """Return whether no test can reach a function by anything that is seen of it.

    Nothing is said of what may be run in ways that are not seen: by a framework, an interface, a
    name that tests or other code mention without calling.
    """
    symbol = item.symbol
    if symbol.kind not in CALLABLE_KINDS or _MADE_BY_RUNTIME.search(symbol.name):
        return False
    if symbol.span.end_line - symbol.span.start_line < 2:
        return False
    reach = finder.reach(ref, FAR)
    if reach.tests or not reach.is_complete:
        return False
    above = [ref, *_above(finder, ref)]
    return all(_is_closed(sides, finder, one) for one in above)


def _above(finder: TestFinder, ref: SymbolRef) -> list[SymbolRef]:
    found: dict[SymbolRef, None] = {}
    pending = [ref]
    while pending:
        for edge in finder.uses(pending.pop()):
            source = edge.source
            if source.qualified_name and source not in found and source != ref:
                found[source] = None
                pending.append(source)
    return list(found)


def _is_closed(sides: Sides, finder: TestFinder, ref: SymbolRef) -> bool:
    """Return whether every mention of a name in code is a use that the graph has followed."""
    name = ref.name
    if len(name) < 4 or sides.head.overrides(ref) or ref.kind is SymbolKind.MACRO:
        return False
    holder = ref.qualified_name.rpartition(".")[0]
    if holder and has_unseen_base(sides.head, ref.path, holder):
        return False  # a library may call it
    edges = finder.uses(ref)
    followed = {(edge.source.path, edge.line) for edge in edges}
    if not edges and (_is_decorated(sides, ref) or _may_be_protocol(ref)):
        return False
    word = re.compile(rb"(?<![\w$])" + re.escape(name.encode()) + rb"(?![\w$])")
    for path, line, text in _mentions(sides, name, word):
        if is_test_path(text_path(path)):
            return False
        is_own = path == ref.path and ref.span.start_line <= line <= ref.span.end_line
        if not (is_own or (path, line) in followed or _is_prose(text, name)):
            return False
    return True


def _mentions(
    sides: Sides, name: str, word: re.Pattern[bytes]
) -> Iterator[tuple[bytes, int, bytes]]:
    """Yield (path, line, text) of each line of code that holds the name and imports nothing."""
    for path in sides.head.mentioning(name):
        if sides.head.language(path) in _PROSE:
            continue
        lines = _imported_lines(sides, path, name)
        for number, text in enumerate(sides.head.source(path).split(b"\n"), start=1):
            if word.search(text) and number not in lines:
                yield path, number, text


def _imported_lines(sides: Sides, path: bytes, name: str) -> set[int]:
    return {edge.line for edge in sides.head.imports(path) if name in edge.names}


def _may_be_protocol(ref: SymbolRef) -> bool:
    """Return whether a method that nobody calls may be one that a runtime calls: `flush`, `Len`."""
    return ref.kind is SymbolKind.METHOD and len(_WORDS.findall(ref.name)) < 2


def _is_prose(text: bytes, name: str) -> bool:
    """Return whether a line names something without using it: prose, a list of exports."""
    stripped = text.strip()
    word = re.escape(name.encode())
    if re.fullmatch(rb"[\"']?" + word + rb"[\"']?(?: as " + word + rb")?,?(?:\s*#.*)?", stripped):
        return True
    if _IMPORTS.match(stripped) or re.search(rb"`[~.\w]*" + word + rb"(?:\(\))?`", stripped):
        return True
    return stripped.startswith((b"#", b"//", b"*", b"/*", b'"""'))


def _is_decorated(sides: Sides, ref: SymbolRef) -> bool:
    return sides.line(ref.path, ref.span.start_line).startswith("@")


def _is_testable(sides: Sides, language: str) -> bool:
    """Return whether the tree has tests of the language whose uses of production code are seen."""
    languages = family_of(language).languages
    tests = [
        path
        for path in sides.head.paths()
        if is_test_path(text_path(path)) and sides.head.language(path) in languages
    ]
    if len(tests) < MIN_TEST_FILES:
        return False
    sample = tests[:: max(1, len(tests) // SAMPLE)][:SAMPLE]
    return sum(_follows(sides, path) for path in sample) >= MIN_FOLLOWED * len(sample)


def _follows(sides: Sides, path: bytes) -> bool:
    edges = sides.head.used_by(sides.head.file(path))
    return any(not is_test_path(text_path(edge.target.path)) for edge in edges)
