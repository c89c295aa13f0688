"""What a run did, as the action's outputs and as remarks on lines. Pure."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from sidelight.errors import ExitCode
from sidelight_bot.indexreport import IndexReport
from sidelight_bot.outputs import MAX_ANNOTATIONS, Annotation
from sidelight_bot.report import ChangeReport, IndexInfo


@dataclass(slots=True)
class Outcome:
    """What a run did. `commands` are lines that the runner acts on, `log` everything else."""

    log: list[str] = field(default_factory=list)
    commands: list[str] = field(default_factory=list)
    summary: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    comment_url: str = ""
    result: Path | None = None
    n_related: int = 0
    n_notes: int = 0
    index: IndexReport | None = None
    exit_code: int = ExitCode.OK

    def outputs(self) -> dict[str, str]:
        """Return the action's outputs."""
        values = {
            "comment-url": self.comment_url,
            "result": str(self.result or ""),
            "related": str(self.n_related),
            "notes": str(self.n_notes),
        }
        if self.index is not None:
            values |= {
                "index-state": self.index.state,
                "cache-hit": "true" if self.index.cache in {"hit", "older"} else "false",
                "files-reindexed": str(self.index.parsed),
            }
        return values


def annotations_of(report: ChangeReport) -> list[Annotation]:
    """Return what a report says of single lines, for where no comment can be written."""
    found = [
        Annotation(item.path, item.line, "Changed signature", item.message, "warning")
        for item in report.signatures
    ]
    found += [Annotation(note.path, note.line, note.title, note.body) for note in report.notes]
    found += [
        Annotation(item.path, item.line, item.kind.value.capitalize(), item.message)
        for item in report.findings
    ]
    return found[:MAX_ANNOTATIONS]


def index_info(index: IndexReport) -> IndexInfo:
    """Return what a report says of the index behind it."""
    return IndexInfo(
        state=index.state,
        cache_hit=index.cache in {"hit", "older"},
        files_refreshed=index.parsed,
        chunks=index.chunks,
        pending=index.pending,
    )


def told_of(report: ChangeReport) -> str:
    """Return a line for the step summary: the index, the cache, and the seconds of each stage."""
    index = report.index
    cache = "hit" if index.cache_hit else "miss"
    stages = ", ".join(f"{stage.name} {stage.seconds:.1f} s" for stage in report.stages)
    counts = (
        f"{index.files_refreshed:,} files refreshed, {index.chunks:,} chunks,"
        f" {index.pending:,} vectors pending"
    )
    return f"Index {index.state or 'unknown'}, cache {cache}: {counts}. Seconds: {stages}."
