"""Make text by strangers and models harmless in Markdown that we post. Pure: strings in and out.

GitHub looks for mentions, issue references and links in the text that a reader sees, after escapes
and entities are resolved, so those are broken by a zero-width space; what Markdown itself would
read is escaped with backslashes. Code keeps its characters: nothing in it is looked at.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from sidelight.untrusted.incoming import clean_code, is_hidden

BREAK = "\u200b"  # seen by nobody, and a mention or reference that holds it is none
MAX_LABEL = 20
_SPECIAL = re.compile(r"[\\`*_\[\]<>|~&$#]")
_MARGIN = re.compile(r"(?m)^[ \t]+")
_LINE_START = re.compile(r"(?m)^([-+=:/])")
_NUMBERED = re.compile(r"(?m)^(\d{1,9})([.)])")
_MENTION = re.compile(r"@(?=[\w-])")
_ISSUE = re.compile(r"#(?=\d)")
_GH_ISSUE = re.compile(r"(?i)(gh)-(?=\d)")
_SCHEME = re.compile(r"(?i)([a-z0-9]):(?=//)|(mailto|xmpp):(?=\S)")
_SLASHES = re.compile(r"/(?=/\w)")
_WWW = re.compile(r"(?i)(www)\.")
_SHA = re.compile(r"(?<![0-9A-Za-z])[0-9a-fA-F]{7,64}(?![0-9A-Za-z])")
_SHA_PART = re.compile(r".{6}(?=.)")  # a commit is found by seven digits or more
_COMMAND = re.compile(r"(?m)^([ \t]*)/(?=[A-Za-z][\w-]*(?:[ \t]|$))")
_DRAWN = frozenset({"math", "mermaid", "geojson", "topojson", "stl"})  # GitHub runs these
SUGGESTION = "suggestion"  # GitHub offers to apply such a block: for those who mean it
_FENCE = re.compile(r"^[ \t]*(`{3,}|~{3,})[ \t]*([^`\s]*)[^`]*$")
_LIST = re.compile(r"^([ \t]*)([-*+]|\d{1,3}[.)])[ \t]+(?=\S)")
_HEADING = re.compile(r"^[ \t]{0,3}#{1,6}[ \t]+(?=\S)")
_QUOTE = re.compile(r"^[ \t]{0,3}>[ \t]?")
_INLINE = re.compile(
    r"(?P<ticks>`+)(?P<code>(?:(?!(?P=ticks)).)+?)(?P=ticks)(?!`)"
    r"|\[(?P<label>[^\[\]\n]{1,300})\]\((?P<url>[^()\s<>]{1,2000})\)"
    r"|\*\*(?P<strong>[^*\n]+?)\*\*"
    r"|\\(?P<escaped>[!-/:-@\[-`{-~])"
)


def escape_text(text: str) -> str:
    """Return text that Markdown shows as it is, on as many lines, and that touches nobody.

    No mention, reference, link, image, HTML, emphasis, list, heading or table comes of it, and no
    line begins with a command. Invisible characters and margins are dropped.
    """
    return _escape(text, first=True)


def code_text(text: str) -> str:
    """Return text as inline code on one line, whatever it holds; "" for nothing.

    Line ends and tabs become spaces; invisible characters are shown as `\\u{…}`.
    """
    line = clean_code(" ".join(text.split("\n"))).replace("\t", " ").strip()
    if not line:
        return ""
    mark = "`" * (_longest_run(line, "`") + 1)
    pad = " " if line.startswith("`") or line.endswith("`") else ""
    return f"{mark}{pad}{line}{pad}{mark}"


def fenced(text: str, language: str = "") -> str:
    """Return text as a code block with a fence that is longer than any in it.

    Invisible characters are shown as `\\u{…}`. A line that is nothing but a command gets a
    zero-width space, since bots read comments line by line and know no fences.
    """
    content = _COMMAND.sub(rf"\1{BREAK}/", clean_code(text)).rstrip("\n")
    mark = "`" * max(3, _longest_run(content, "`") + 1)
    label = re.sub(r"[^\w+#.-]", "", language, flags=re.ASCII)[:MAX_LABEL]
    label = "" if label.casefold() in _DRAWN else label
    return f"{mark}{label}\n{content}\n{mark}"


def rich_text(text: str) -> str:
    """Return one line in which backticks mark code, and nothing else marks anything."""
    parts = " ".join(text.split()).split("`")
    if len(parts) % 2 == 0:  # a mark without its other half is no mark
        parts[-2:] = ["`".join(parts[-2:])]
    return _join(_code(part) if at % 2 else part for at, part in enumerate(parts))


def clean_outgoing(markdown: str, allowed_links: frozenset[str] = frozenset()) -> str:
    """Return Markdown by a model with code, lists, quotes, bold text and allowed links only.

    The text is taken apart and written anew: what is not one of these is shown as it was typed.
    Headings become bold lines. Links to other places than `allowed_links` keep their words.
    """
    return "\n".join(_clean_lines(markdown.replace("\r\n", "\n").split("\n"), allowed_links))


def _clean_lines(lines: list[str], allowed: frozenset[str]) -> Iterator[str]:
    at = 0
    while at < len(lines):
        opening = _FENCE.match(lines[at])
        if opening is None:
            yield _clean_line(lines[at], allowed)
            at += 1
            continue
        mark = opening[1]
        closing = re.compile(rf"[ \t]*{re.escape(mark[0])}{{{len(mark)},}}[ \t]*")
        end = at + 1
        while end < len(lines) and not closing.fullmatch(lines[end]):
            end += 1
        label = opening[2].casefold()
        yield fenced("\n".join(lines[at + 1 : end]), "" if SUGGESTION in label else label)
        at = end + 1


def _clean_line(line: str, allowed: frozenset[str]) -> str:
    """Return one line outside of fences, with its mark of structure kept, if it has one."""
    if not line.strip():
        return ""
    quote = _QUOTE.match(line)
    if quote is not None:
        return f"> {_clean_line(line[quote.end() :], allowed)}".rstrip()
    heading = _HEADING.match(line)
    if heading is not None:
        text = line[heading.end() :].strip().rstrip("#").strip().strip("*")
        return f"**{_inline(text, allowed, first=False)}**" if text else ""
    item = _LIST.match(line)
    if item is not None:
        depth = min(len(item[1].expandtabs(4)), 6)
        return f"{' ' * depth}{item[2]} {_inline(line[item.end() :], allowed)}"
    depth = min(len(line) - len(line.lstrip()), 3)
    return " " * depth + _inline(line.strip(), allowed)


def _inline(text: str, allowed: frozenset[str], *, first: bool = True) -> str:
    return _join(_pieces(text, allowed), first=first)


class _Made(str):
    """Markdown that we wrote: it is not escaped again."""

    __slots__ = ()


def _code(text: str) -> _Made:
    return _Made(code_text(text))


def _pieces(text: str, allowed: frozenset[str]) -> Iterator[str]:
    """Yield the parts of a line: plain text as it will be read, and Markdown that we made."""
    at = 0
    for match in _INLINE.finditer(text):
        yield text[at : match.start()]
        at = match.end()
        if match["code"] is not None:
            yield _code(match["code"])
        elif match["escaped"] is not None:
            yield match["escaped"]
        elif match["strong"] is not None:
            yield _Made(f"**{_inline(match['strong'].strip(), allowed, first=False)}**")
        elif match["url"] in allowed:
            label = _inline(match["label"], frozenset(), first=False)
            yield _Made(f"[{label}]({match['url']})")
        else:
            yield from _pieces(match["label"], frozenset())
    yield text[at:]


def _join(pieces: Iterable[str], *, first: bool = True) -> str:
    """Return the parts as one line; neighbouring texts are escaped as one, code is kept apart."""
    out = ""
    waiting = ""

    def flush() -> None:
        nonlocal out, waiting
        out += _escape(waiting, first=first and not out)
        waiting = ""

    for piece in pieces:
        if not isinstance(piece, _Made):
            waiting += piece
            continue
        flush()
        out += (BREAK if out.endswith("`") and piece.startswith("`") else "") + piece
    flush()
    return out


def _escape(text: str, *, first: bool) -> str:
    """Escape text; what matters at the start of a line does so in the first line if `first`."""
    plain = "".join(c for c in text if not is_hidden(c))
    if not first:
        plain = f"x{plain}"  # nothing starts here
    escaped = _SPECIAL.sub(lambda match: "\\" + match[0], _MARGIN.sub("", plain))
    escaped = _NUMBERED.sub(r"\1\\\2", escaped)
    escaped = _LINE_START.sub(r"\\\1", escaped)
    if not first:
        escaped = escaped[1:]
    return _break_references(escaped)


def _break_references(text: str) -> str:
    text = _MENTION.sub("@" + BREAK, text)
    text = _ISSUE.sub("#" + BREAK, text)
    text = _GH_ISSUE.sub(rf"\1{BREAK}-", text)
    text = _SCHEME.sub(lambda match: f"{match[1] or match[2]}{BREAK}:", text)
    text = _SLASHES.sub("/" + BREAK, text)
    text = _WWW.sub(rf"\1{BREAK}.", text)
    return _SHA.sub(lambda match: _SHA_PART.sub(rf"\g<0>{BREAK}", match[0]), text)


def _longest_run(text: str, character: str) -> int:
    return max((len(run) for run in re.findall(re.escape(character) + "+", text)), default=0)
