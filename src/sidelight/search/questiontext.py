"""Clean the text of an issue: out with templates and versions; code apart from prose. Pure."""

from __future__ import annotations

import re

MAX_BOLD = 60  # characters; a longer line in bold is a sentence

# No pattern may look again and again at what it has seen: an issue may hold anything.
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_TAG = re.compile(r"(?<!\w)<[a-zA-Z][\w-]*(?:\s[^<>\n]*)?/?>|</[a-zA-Z][\w-]*>")
_UNDERLINE = re.compile(r"^\s{0,3}(?:=+|-{3,}|\*{3,}|_{3,})\s*$")
_CHECK = re.compile(r"^\s*[-*+]\s*\[[ xX]?\]")
_FENCE = re.compile(r"^\s*(?P<mark>`{3,}|~{3,})")
# What a machine wrote although nobody fenced it: tracebacks, prompts, reports of test runners.
_LOG = re.compile(
    r"^(?: {4,}\S|\t\S|\s*(?:>>> |\.\.\. |\$ |at [\w.$<>]+\(|File \"|Traceback \(most|E  +)"
    r"|\s*(?:={5,}|-{5,}|_{5,})|\d{4}-\d\d-\d\d[ T]\d\d:|\[\w+\] |\s*\d+ \| )"
)
_LIST_ITEM = re.compile(r"^\s*(?:[-*+]|\d+[.)])\s")
# "Version: 1.2", "- OS: Linux", "Python 3.8.12": where it happened, not what.
_ENVIRONMENT = re.compile(
    r"^\W{0,9}(?:(?:[\w.-]{1,40} ){0,2}(?:versions?|os|platform|operating system)\b.{0,60}"
    r"|(?:python|node(?:js)?|npm|go|java|jdk|rustc?|cargo|ruby|php|linux|windows|macos|ubuntu)"
    r"\b\W{0,4}v?\d[\w.\- ]{0,40})$",
    re.IGNORECASE,
)
_URL = re.compile(r"\b(?:https?|ftp)://[^\s<>)\]\"'`]+|\bwww\.[^\s<>)\]\"'`]+")
_EMAIL = re.compile(r"\b[\w.+-]{1,64}@[\w-]+\.[\w.]+\b|(?<![\w`/.])@[A-Za-z][\w-]+(?![\w./(])")
_VERSION = re.compile(
    r"(?<![\w.])v?\d+(?:\.\d+){1,4}(?:[-.]?(?:a|b|rc|dev|post|alpha|beta)\.?\d*)?(?![\w.]*\w)"
)
_DIGEST = re.compile(r"\b(?=[0-9a-f]*\d)[0-9a-f]{7,64}\b")

# Headings that templates give. They go; what is below them stays.
_TEMPLATE = frozenset(
    """
    description|summary|bug|bug report|feature request|feature|issue|problem|question|motivation
    proposal|alternatives|expected behavior|expected behaviour|expected result|expected results
    expected|expectations|actual behavior|actual behaviour|actual result|actual results|actual
    current behavior|result|steps|steps to reproduce|steps to reproduce the behavior
    how to reproduce|reproduction steps|reproduction|to reproduce|minimal example|context
    additional context|additional information|notes|details|describe the bug|code|example|examples
    what happened|what you expected|what happened instead|what did you expect to happen
    what i expected|overview|what is the problem|what's the problem this feature will solve
    describe the solution you'd like|describe alternatives you've considered|background|solution
    is your feature request related to a problem? please describe|possible solution|suggestion
    version|versions|screenshots|logs|output|stack trace|traceback
    """.strip()
    .replace("\n", "|")
    .replace("    ", "")
    .split("|")
)
# Sections that describe a machine; they go with all that they hold.
_MACHINE = re.compile(
    r"^(?:(?:your |my |test |system )?environment(?: info(?:rmation)?| details)?"
    r"|system info(?:rmation)?|(?:[\w.-]+ ){0,3}versions?(?: info(?:rmation)?)?|platform"
    r"|pip (?:list|freeze)|check ?list|prerequisites|operating system|os)\W*$",
    re.IGNORECASE,
)


def without_template(text: str) -> str:
    """Return the text without comments, check lists, template headings and machines' sections.

    Lines that come again are dropped: issues often hold their text twice.
    """
    kept: list[str] = []
    seen: set[str] = set()
    fence, dropping = "", False
    for line in _COMMENT.sub("\n", text.replace("\r\n", "\n")).split("\n"):
        mark = _FENCE.match(line)
        if mark and not fence:
            fence = mark["mark"]
        elif mark and line.strip() == fence:
            fence = ""
        elif not fence:
            heading = _heading(line)
            if heading is not None:
                dropping = bool(_MACHINE.match(heading))
            if _CHECK.match(line) or _UNDERLINE.match(line) or heading == "":
                continue
            if (heading or "").casefold().rstrip(" :?.!") in _TEMPLATE:
                continue
            if len(line) > 30 and line.strip() in seen:
                continue
            seen.add(line.strip())
        if not dropping:
            kept.append(line)
    return "\n".join(kept)


def take_code_out(text: str) -> tuple[str, str]:
    """Return (prose, code): fenced and indented blocks, logs and tracebacks are code."""
    prose: list[str] = []
    code: list[str] = []
    fence, in_list = "", False
    for line in text.split("\n"):
        mark = _FENCE.match(line)
        if mark and not fence:
            fence = mark["mark"]
        elif fence:
            if mark and line.strip() == fence:
                fence = ""
            else:
                code.append(line)
        elif _LOG.match(line) and not (in_list and line.startswith(" ")):
            code.append(line)
        else:
            if line.strip():
                in_list = bool(_LIST_ITEM.match(line)) or (in_list and line[0].isspace())
            prose.append(line)
    return "\n".join(prose), "\n".join(code)


def clean_prose(text: str) -> str:
    """Return the lines that say something, without URLs, versions, digests, tags and addresses."""
    lines = []
    for line in text.split("\n"):
        if _ENVIRONMENT.match(line):
            continue
        bare = re.sub(r"^\s*(?:#{1,6}|>)\s*", "", line)
        for pattern in (_URL, _EMAIL, _TAG, _VERSION, _DIGEST):
            bare = pattern.sub(" ", bare)
        if re.search(r"\w", bare):
            lines.append(" ".join(bare.split()))
    return "\n".join(lines)


def _heading(line: str) -> str | None:
    """Return what a line says as a heading, `# Like this` or `**like this**`; else None."""
    bare = line.strip()
    if bare.startswith("#") and not bare.startswith("#######"):
        return bare.strip("#").strip(" *_:")
    inner = bare.rstrip(":").removeprefix("**").removesuffix("**")
    if bare.startswith("**") and len(inner) == len(bare.rstrip(":")) - 4 and "*" not in inner:
        return inner.strip(" _:") if len(inner) <= MAX_BOLD else None
    return None
