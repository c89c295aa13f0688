"""Build the focal set of a diff: read both sides, parse them, and see which definitions changed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from sidelight.errors import MissingObjectError
from sidelight.focal.model import FocalFile, FocalSet, FocalSymbol
from sidelight.focal.symbols import changed_symbols
from sidelight.focal.title import scope_of
from sidelight.git.blobs import BlobReader
from sidelight.git.diffs import FileDiff
from sidelight.git.repository import Repository
from sidelight.git.trees import GITLINK
from sidelight.languages import HEAD_BYTES, detect_language
from sidelight.model import ParsedFile
from sidelight.parsing import parse
from sidelight.tokens import identifiers

MAX_BYTES = 2_000_000  # a side larger than this is data, and named in `skipped`
READ_BYTES = Callable[[bytes], bytes]
Parser = Callable[[bytes, str], ParsedFile]


def build_focal(
    repo: Repository,
    diffs: Sequence[FileDiff],
    title: str,
    read_new: READ_BYTES | None = None,
    *,
    syntax: bool = True,
) -> FocalSet:
    """Return what the diff is about.

    `read_new` gives the new content of a path whose blob git does not have yet (the working tree).
    Without `syntax` nothing is parsed: the same files and words, and no symbols.
    """
    files: list[FocalFile] = []
    skipped: list[tuple[bytes, str]] = []
    symbols: list[FocalSymbol] = []
    added: Counter[str] = Counter()
    removed: Counter[str] = Counter()
    with BlobReader(repo) as blobs:
        for diff in diffs:
            reason = _refuse(diff)
            if reason is None:
                file, reason = _read_file(blobs, diff, read_new, parse if syntax else _unparsed)
            if reason is not None or file is None:
                skipped.append((diff.change.path, reason or "unreadable"))
                continue
            files.append(file)
            symbols += changed_symbols(file)
            for hunk in diff.hunks:
                added.update(_words(line.text for line in hunk.added))
                removed.update(_words(line.text for line in hunk.removed))
    return FocalSet(
        files=tuple(files),
        symbols=tuple(symbols),
        title=title,
        scope=scope_of(title),
        added=added,
        removed=removed,
        skipped=tuple(skipped),
    )


def _refuse(diff: FileDiff) -> str | None:
    if GITLINK in (diff.change.old_mode, diff.change.new_mode):
        return "submodule"
    return "binary" if diff.is_binary else None


def _read_file(
    blobs: BlobReader, diff: FileDiff, read_new: READ_BYTES | None, parser: Parser
) -> tuple[FocalFile | None, str | None]:
    change = diff.change
    try:
        old = _read_blob(blobs, change.old_blob)
        if change.new_blob is not None and not change.new_blob.strip("0") and read_new is not None:
            new: bytes | None = read_new(change.path)
        else:
            new = _read_blob(blobs, change.new_blob)
    except MissingObjectError:
        return None, "missing object"
    if old is None or new is None or len(new) > MAX_BYTES:
        return None, "too large"
    language = detect_language(change.path, (new or old)[:HEAD_BYTES])
    old_parsed = parser(old, language) if old else ParsedFile(language)
    new_parsed = parser(new, language) if new else ParsedFile(language)
    return FocalFile(diff, language, old, new, old_parsed, new_parsed), None


def _unparsed(source: bytes, language: str) -> ParsedFile:
    del source
    return ParsedFile(language)


def _read_blob(blobs: BlobReader, blob: str | None) -> bytes | None:
    """Return a side's bytes: empty if it is absent, None if it is too large."""
    if blob is None or not blob.strip("0"):
        return b""
    return None if blobs.size(blob) > MAX_BYTES else blobs.read(blob)


def _words(lines: Iterable[bytes]) -> Counter[str]:
    counts: Counter[str] = Counter()
    for line in lines:
        counts.update(identifiers(line.decode("utf-8", "replace")))
    return counts
