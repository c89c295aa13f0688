"""The title of a change, and the part of the code that it names. Pure, but for reading subjects."""

from __future__ import annotations

import re

from sidelight.git.repository import Repository

MERGE = re.compile(r"(?:Merge (?:pull request|branch|remote-tracking|tag|commit)\b|Merged? )", re.I)
SCOPE = re.compile(r"[a-z]+\(([\w./@ -]{1,60})\)!?:|([\w./@-]{1,40}): ", re.I)
MAX_TITLE = 1000
MAX_COMMITS = 50
CONVENTIONAL = frozenset(
    "feat feature fix bugfix hotfix docs doc style refactor perf test tests build ci chore revert"
    " wip bug cleanup release deps".split()
)


def title_of(repo: Repository, base: str, head: str) -> str:
    """Return the subjects of the commits in base..head, oldest first, one a line.

    Merges' own subjects say nothing: of a merge at head, the first line of its body counts (there
    hosting services put the pull request's title); the merged commits follow.
    """
    words = ["log", "-z", "--reverse", f"--max-count={MAX_COMMITS}", "--no-show-signature"]
    words += ["--encoding=UTF-8", "--format=%H%x1f%P%x1f%s%x1f%b", f"{base}..{head}", "--"]
    lines: list[str] = []
    for record in repo.run(words).decode("utf-8", "replace").split("\0"):
        oid, _, rest = record.strip("\n").partition("\x1f")
        parents, _, rest = rest.partition("\x1f")
        subject, _, body = rest.partition("\x1f")
        if len(parents.split()) < 2:
            lines.append(subject)
        elif oid == head:
            first = next((line.strip() for line in body.splitlines() if line.strip()), "")
            lines.insert(0, first or ("" if MERGE.match(subject) else subject))
        elif not MERGE.match(subject):
            lines.append(subject)
    return "\n".join(line for line in lines if line)[:MAX_TITLE]


def scope_of(title: str) -> str:
    """Return the scope that the first line names: `fix(router): …` or `router: …`; else ""."""
    first = title.strip().split("\n", 1)[0]
    match = SCOPE.match(first)
    if match is None:
        return ""
    scope = (match[1] or match[2] or "").strip()
    return "" if scope.casefold() in CONVENTIONAL else scope
