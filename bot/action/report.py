"""Turn the indexing step's report into outputs and a summary. Runs as `python -I` in our own venv.

    report.py REPORT

The report comes from the process that parsed a stranger's files. `read_index_report` lets numbers
and words of ours through; nothing else is written to GITHUB_OUTPUT or the summary.
"""

import os
import sys
from pathlib import Path

from sidelight_bot.indexreport import IndexReport, read_index_report

CACHE_WORDS = {
    "hit": "hit: of this very tree",
    "older": "hit: of another tree, and refreshed",
    "miss": "miss: built now",
    "refused": "refused, and built now",
}


def outputs(report: IndexReport) -> list[str]:
    """Return the lines for GITHUB_OUTPUT."""
    used = "true" if report.cache in ("hit", "older") else "false"
    new = report.state != "missing" and (report.cache != "hit" or report.embedded > 0)
    return [
        f"index-state={report.state}",
        f"cache-hit={used}",
        f"files-reindexed={report.parsed}",
        f"fresh={'true' if new else 'false'}",
    ]


def summary(report: IndexReport) -> str:
    """Return the section of the step summary."""
    if report.state == "missing":
        return "### Sidelight's index\n\nThere is no index: the step's log says why.\n"
    stages = ", ".join(f"{name} {seconds:.1f} s" for name, seconds in report.seconds.items())
    rows = [
        ("cache", CACHE_WORDS[report.cache]),
        ("files", f"{report.files:,} indexed, {report.parsed:,} of them parsed in this run"),
        ("chunks", f"{report.chunks:,}, {report.embedded:,} embedded in this run"),
        ("time", stages or "none"),
        ("confined by", ", ".join(report.confinement) or "nothing"),
    ]
    if report.pending:
        rows.append(("vectors", f"{report.pending:,} chunks are found by words and names only"))
    if report.problems:
        rows.append(("problems", ", ".join(report.problems)))
    table = "".join(f"| {name} | {value} |\n" for name, value in rows)
    return f"### Sidelight's index: {report.state}\n\n| | |\n|---|---|\n{table}\n"


def main(argv: list[str]) -> int:
    """Write outputs and summary; return 0."""
    report = read_index_report(Path(argv[1]))
    for variable, text in (
        ("GITHUB_OUTPUT", "\n".join(outputs(report)) + "\n"),
        ("GITHUB_STEP_SUMMARY", summary(report)),
    ):
        place = os.environ.get(variable)
        if place:
            with Path(place).open("a", encoding="utf-8") as file:
                file.write(text)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
