"""Addresses of lines at one commit on one server. Pure; the only place where links are made."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import quote

MAX_URL = 2000  # characters; some mail programs cut longer ones
PROSE = (".md", ".markdown", ".mdx", ".rst", ".adoc", ".asciidoc", ".org", ".textile")


@dataclass(frozen=True, slots=True)
class Permalinks:
    """Links into `slug` (owner/name) at the commit `sha`; without a slug there are none."""

    server: str
    slug: str
    sha: str

    def lines(self, path: str, start: int, end: int) -> str | None:
        """Return the address of lines of a file; None if there is no place to link to.

        What GitHub would render (Markdown and the like) is asked for as source, where lines are.
        """
        if not self.slug:
            return None
        name = quote(path.encode("utf-8", "surrogateescape"))
        plain = "?plain=1" if path.lower().endswith(PROSE) else ""
        lines = f"#L{start}" if end <= start else f"#L{start}-L{end}"
        url = f"{self.server.rstrip('/')}/{self.slug}/blob/{self.sha}/{name}{plain}{lines}"
        return url if len(url) <= MAX_URL else None
