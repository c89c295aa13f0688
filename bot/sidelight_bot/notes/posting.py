"""Write a note as the text of a review comment, and mark one that no longer holds. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from sidelight.untrusted.outgoing import clean_outgoing, code_text, escape_text, fenced, rich_text
from sidelight_bot.notes.anchors import (
    RESOLVED,
    NoteMarker,
    is_gone,
    read_marker,
    write_marker,
)
from sidelight_bot.notes.model import Note, Side

LinkTo = Callable[[str, int, int], str]  # path, first and last line → permalink at head
MAX_SHOWN = 160  # characters of a piece of evidence


def render_note(note: Note, link_to: LinkTo) -> str:
    """Return the Markdown of a note: what is wrong, a suggestion if there is one, the evidence.

    Texts of the model are cleaned; links are `link_to`'s alone. The last line is the marker.
    """
    kind = escape_text(note.kind.value.replace("_", " "))
    parts = [
        f"**{note.severity.value.capitalize()} · {kind}:** {rich_text(note.title)}",
        clean_outgoing(note.body),
    ]
    if note.suggestion is not None and note.side is Side.RIGHT:
        parts.append(fenced(note.suggestion, "suggestion"))
    rows = [_evidence_row(note, link_to)] if note.evidence else []
    parts += [*rows, write_marker(NoteMarker(note.anchor, note.quote, note.kind.value))]
    return "\n\n".join(part for part in parts if part) + "\n"


@dataclass(frozen=True, slots=True)
class PostedNote:
    """A comment of ours that stands on a line already."""

    comment_id: int
    path: str
    body: str


def mark_resolved(
    posted: Iterable[PostedNote], files: Mapping[str, Sequence[str]]
) -> list[tuple[int, str]]:
    """Return new bodies, by comment id, of notes whose line is gone from the file at head.

    `files` has the lines at head of the paths that exist there; a note on a path that is not in it
    speaks of a file that is gone. A note that is marked already stays as it is.
    """
    changed = []
    for item in posted:
        marker = read_marker(item.body)
        if marker is None or RESOLVED in item.body:
            continue
        if is_gone(marker, files.get(item.path, ())):
            changed.append((item.comment_id, resolved_body(item.body)))
    return changed


def resolved_body(body: str) -> str:
    """Return a note's text folded away below a line that says why."""
    return (
        f"{RESOLVED}\n**Resolved:** the line that this note spoke of was changed.\n\n"
        f"<details><summary>The note</summary>\n\n{body.rstrip()}\n\n</details>\n"
    )


def _evidence_row(note: Note, link_to: LinkTo) -> str:
    seen = []
    for item in note.evidence[:3]:
        place = f"{item.path}:{item.start_line}"
        shows = f": {code_text(item.shows[:MAX_SHOWN])}" if item.shows else ""
        link = link_to(item.path, item.start_line, item.end_line)
        seen.append(f"[{escape_text(place)}]({link}){shows}")
    return "Rests on " + "; ".join(seen)
