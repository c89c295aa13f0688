"""The one way in: `parse` calls the steps in order, for whole files and for embedded scripts."""

from __future__ import annotations

from tree_sitter import Tree

from sidelight.languages import LANGUAGES
from sidelight.model import ParsedFile
from sidelight.parsing.assembly import (
    Lines,
    assemble_imports,
    assemble_references,
    assemble_symbols,
)
from sidelight.parsing.breaks import breaks_of
from sidelight.parsing.captures import collect
from sidelight.parsing.generic import generic_blocks
from sidelight.parsing.grammars import load_block_query, load_grammar, load_query
from sidelight.parsing.rules import load_rules
from sidelight.parsing.trees import Deadline, parse_tree, problems_of, whole

DEFAULT_TIMEOUT_S = 5.0  # ordinary source parses at 3-8 MB/s, so only hostile input comes near


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
    deadline = Deadline(timeout_s)
    mask = load_rules(language).mask
    source = mask(source) if mask is not None else source
    lines = Lines(source)
    tree = parse_tree(source, load_grammar(known.grammar), deadline)
    if tree is None:
        problem = whole(source, f"parsing took longer than {timeout_s:g} s", lines)
        return ParsedFile(language, problems=(problem,))
    return _read_tree(tree, source, language, known.grammar, deadline, lines)


def _read_tree(
    tree: Tree, source: bytes, language: str, grammar: str, deadline: Deadline, lines: Lines
) -> ParsedFile:
    root = tree.root_node
    rules = load_rules(language)
    query = load_query(language, grammar)
    raw = collect(query, root, source, rules)
    if deadline.expired():
        problem = whole(source, "reading the syntax tree took too long", lines)
        return ParsedFile(language, problems=(problem,))
    symbols = assemble_symbols(raw, source, lines)
    blocks = rules.blocks or generic_blocks(load_grammar(grammar))
    return ParsedFile(
        language,
        symbols=symbols,
        references=assemble_references(raw.references, symbols, lines),
        imports=assemble_imports(raw, lines),
        problems=problems_of(root, source, lines),
        breaks=breaks_of(root, source, load_block_query(grammar, blocks), symbols, lines),
    )
