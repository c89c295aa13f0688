"""Blank the C and C++ macros that no grammar can understand. Pure; every offset stays where it is.

`API_EXPORT void f();`, `class API_EXPORT A {` and a line that is only `LIB_BEGIN_NAMESPACE` are no
C++ until the preprocessor ran; tree-sitter sees none of its work and loses the definition around.
"""

from __future__ import annotations

import re

_MACRO = rb"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+"
_TEMPLATE = rb"(?:template[ \t]*<[^<>;\n]{0,200}>[ \t]*)?"
_MODIFIERS = rb"(?:(?:static|inline|extern|virtual|explicit|constexpr)[ \t]+){0,3}"

# The macro stands before a return type (two more words follow before the parenthesis) or before
# a constructor outside of its class.
_BEFORE_FUNCTION = re.compile(
    rb"^[ \t]*"
    + _TEMPLATE
    + _MODIFIERS
    + rb"(?P<macro>"
    + _MACRO
    + rb")(?=[ \t]+(?:"
    + rb"[A-Za-z_][\w:<>,*& \t]{0,200}[ \t*&][A-Za-z_~][\w:~<>]{0,120}[ \t]*\("
    + rb"|(?:\w+::){0,4}(?P<type>\w+)(?:<[\w, ]{1,80}>)?::~?(?P=type)[ \t]*\()"
    + rb")",
    re.MULTILINE,
)
_BEFORE_NAME = re.compile(
    rb"\b(?:class|struct|union)[ \t]+(?P<macro>"
    + _MACRO
    + rb"(?:\([^()\n]{0,80}\))?)"
    + rb"(?=[ \t]+[A-Za-z_]\w*[ \t]*(?:final[ \t\n]*)?(?:\n[ \t]*)?(?:\{|:(?!:)))"
)
# After a parameter list only names that tell: `(int) MAX_SIZE;` is a cast.
_BEHIND = re.compile(
    rb"\)[ \t]*(?:const[ \t]+)?(?P<macro>\w*(?:NOEXCEPT|OVERRIDE|NOTHROW)\w*(?:\([^()\n]{0,80}\))?)"
    rb"(?=\s*(?:[;{:=]|override\b|final\b|const\b))"
)
_CONVENTION = re.compile(rb"\([ \t]*(?P<macro>" + _MACRO + rb")[ \t]*(?=\*[ \t]*\w+\)[ \t]*\()")
# `#if HAS_INCLUDE(<a>) && b`: a condition that its grammar cannot read hides the whole branch.
_HAS_INCLUDE = re.compile(rb"(?i:\b\w*has_include\w*)[ \t]*(?P<macro>\([ \t]*[<\"][^)\n]*\))")
# Clang's thread safety annotations, behind fields and functions: `int a GUARDED_BY(b);`.
_THREAD_SAFETY = re.compile(
    rb"\b(?P<macro>(?:[A-Z]+_)?(?:(?:PT_)?GUARDED_BY|(?:EXCLUSIVE|SHARED)_LOCKS_REQUIRED"
    rb"|LOCKS_EXCLUDED|(?:EXCLUSIVE|SHARED)_(?:TRY)?LOCK_FUNCTION|UNLOCK_FUNCTION|LOCK_RETURNED"
    rb"|ASSERT_(?:EXCLUSIVE|SHARED)_LOCK|ACQUIRED_(?:BEFORE|AFTER)|REQUIRES|ACQUIRE|RELEASE"
    rb"|EXCLUDES)\([^()\n]{0,120}\)|NO_THREAD_SAFETY_ANALYSIS)(?=\s*[;{=A-Z])"
)
_ALONE = re.compile(rb"^[ \t]*(?P<macro>" + _MACRO + rb")[ \t]*\r?$", re.MULTILINE)
_BLANKED = (
    _BEFORE_FUNCTION,
    _BEFORE_NAME,
    _BEHIND,
    _CONVENTION,
    _HAS_INCLUDE,
    _THREAD_SAFETY,
)
_ENDS_STATEMENT = (b";", b"}", b"{", b":", b"*/")
_STARTS_LINE = (b"#", b"//")
_GOES_ON = b"}),=|&+-*/<>{;(.?:["


def without_opaque_macros(source: bytes) -> bytes:
    """Return `source` with such macros replaced by as many spaces."""
    if b"_" not in source:
        return source
    places = [found.span("macro") for pattern in _BLANKED for found in pattern.finditer(source)]
    places += [
        found.span("macro") for found in _ALONE.finditer(source) if _is_statement(source, found)
    ]
    if not places:
        return source
    blanked = bytearray(source)
    for start, end in places:
        blanked[start:end] = b" " * (end - start)
    return bytes(blanked)


def _is_statement(source: bytes, found: re.Match[bytes]) -> bool:
    """Return whether a line of one word is no part of an enumeration, call or expression."""
    above = source[max(0, found.start() - 400) : found.start()].rstrip()
    line = above[above.rfind(b"\n") + 1 :].lstrip()
    below = source[found.end() : found.end() + 400].lstrip()
    goes_on = below[:1] and below[0] in _GOES_ON and not below.startswith((b"//", b"/*"))
    begins = not above or above.endswith(_ENDS_STATEMENT) or line.startswith(_STARTS_LINE)
    return begins and not line.endswith(b"\\") and not goes_on
