"""Versions of the steps that decide an index's content; each rises with any change of its output.

They lie here, and not in the packages they version, so that a commit which changes nothing can
check an index's identity without loading a parser.
"""

from __future__ import annotations

PARSER = 1  # definitions, references, imports of any file (the grammars are pinned in pyproject)
CHUNKER = 1  # chunks of any file
TOKENIZER = 1  # terms of any chunk, and the text that is embedded


def pipeline_version() -> str:
    """Return the versions as the index records them."""
    return f"{PARSER}.{CHUNKER}.{TOKENIZER}"
