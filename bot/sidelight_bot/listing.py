"""Name the changed files where git could not compare them: the files API, and only for names.

Its patches are not read: they may be left out, and count lines against another base.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import islice

from sidelight_bot.checked import MAX_PATH
from sidelight_bot.github.errors import GitHubError
from sidelight_bot.github.port import ChangedFile, GitHubPort
from sidelight_bot.report import MAX_ITEMS, ChangeReport, Unread

MAX_FILES = 3000  # GitHub lists no more
REASON = "not compared"


def with_listed_files(report: ChangeReport, port: GitHubPort) -> ChangeReport:
    """Return the report with the server's list of changed files as what was not read.

    If GitHub cannot be asked either, the report stays as it is.
    """
    try:
        files = list(islice(port.changed_files(report.number or 0), MAX_FILES))
    except GitHubError:
        return report
    ledger = tuple(Unread(_name(file), REASON) for file in files[:MAX_ITEMS])
    return replace(
        report,
        n_files=len(files),
        n_added=sum(file.additions for file in files),
        n_removed=sum(file.deletions for file in files),
        ledger=ledger,
        n_unread=len(files),
    )


def _name(file: ChangedFile) -> str:
    return "".join(c if c.isprintable() else "?" for c in file.path[:MAX_PATH])
