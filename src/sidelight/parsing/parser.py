"""The one way in: `parse` calls the steps in order, for whole files and for embedded scripts."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

from tree_sitter import Node

from sidelight.languages import LANGUAGES, Language
from sidelight.model import Break, ParsedFile, Problem
from sidelight.parsing.assembly import (
    Lines,
    assemble_imports,
    assemble_references,
    assemble_symbols,
)
from sidelight.parsing.breaks import breaks_of
from sidelight.parsing.captures import Range, Raw, collect
from sidelight.parsing.embedded import script_ranges
from sidelight.parsing.generic import generic_blocks
from sidelight.parsing.grammars import load_block_query, load_grammar, load_query
from sidelight.parsing.rules import load_rules
from sidelight.parsing.trees import (
    MAX_PROBLEMS,
    Deadline,
    parse_tree,
    problems_of,
    valid_utf8,
    whole,
)

DEFAULT_TIMEOUT_S = 5.0  # ordinary source parses at 3-8 MB/s, so only hostile input comes near

_Part = tuple[Language, Sequence[Range]]  # a language, and where it stands; () is everywhere


def parse(
    source: bytes, language: str, *, timeout_s: float | None = DEFAULT_TIMEOUT_S
) -> ParsedFile:
    """Return what syntax says about `source`; a function of the two alone.

    Never raises for bad source: `problems` says what was wrong. A language without a grammar, or
    a file that takes longer than `timeout_s` seconds (None: no limit), has no symbols at all.
    """
    known = LANGUAGES.get(language)
    if known is None or known.grammar is None or not source.strip():
        return ParsedFile(language)
    parts: list[_Part] = [(known, ())]
    if known.embeds_scripts:
        parts = [(LANGUAGES[name], at) for name, at in script_ranges(source, language).items()]
    lines = Lines(source)
    mask = load_rules(language).mask  # may blank line feeds too
    readable = mask(source) if mask is not None else source
    return _read(valid_utf8(readable), lines, language, parts, timeout_s)


def _read(
    source: bytes, lines: Lines, language: str, parts: Sequence[_Part], timeout_s: float | None
) -> ParsedFile:
    deadline = Deadline(timeout_s)
    raw = Raw()
    roots: list[tuple[Language, Node]] = []
    problems: list[Problem] = []
    for part, ranges in parts:
        grammar = part.grammar or part.name
        tree = parse_tree(source, load_grammar(grammar), deadline, ranges)
        if tree is None:
            problems.append(whole(source, f"parsing took longer than {timeout_s:g} s", lines))
            continue
        roots.append((part, tree.root_node))
        query = load_query(part.name, grammar)
        raw.extend(collect(query, tree.root_node, source, load_rules(part.name)))
        problems.extend(problems_of(tree.root_node, source, lines))
    if raw.is_cut:
        problems.append(whole(source, "nested too deeply to be read completely", lines))
    symbols = assemble_symbols(raw, source, lines)
    breaks: set[Break] = set()
    for part, root in roots:
        grammar = part.grammar or part.name
        blocks = load_rules(part.name).blocks or generic_blocks(load_grammar(grammar))
        query_of_blocks = load_block_query(grammar, blocks)
        breaks.update(breaks_of(root, source, query_of_blocks, symbols, lines))
    return ParsedFile(
        language,
        symbols=symbols,
        references=assemble_references(raw.references, symbols, lines),
        imports=assemble_imports(raw, lines),
        problems=tuple(islice(problems, MAX_PROBLEMS)),
        breaks=tuple(sorted(breaks, key=lambda item: item.byte)),
    )
