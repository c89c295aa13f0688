"""Whether a call fits a definition's parameters, and if not, what does not fit. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from sidelight.parsing.calls import Call
from sidelight.parsing.parameters import Parameter, ParameterKind, Parameters

LENIENT = frozenset({"javascript"})  # missing arguments are undefined, further ones ignored
_BY_PLACE = (ParameterKind.POSITION, ParameterKind.EITHER)
_BY_NAME = (ParameterKind.EITHER, ParameterKind.KEYWORD)


def misfit(parameters: Parameters, call: Call, language: str) -> str:
    """Return what of the call does not fit, as words for a reviewer; "" if it fits.

    Where arguments are spread (`*args`), only what is certain counts.
    """
    positional, keywords = _seen(parameters, call, language)
    items = parameters.items
    by_place = [item for item in items if item.kind in _BY_PLACE]
    takes_rest = any(item.kind is ParameterKind.REST for item in items)
    takes_names = any(item.kind is ParameterKind.KEYWORD_REST for item in items)
    if positional > len(by_place) and not takes_rest:
        taken = (
            f"at most {len(by_place)} {_are(len(by_place))} taken" if by_place else "none is taken"
        )
        return f"passes {positional} argument{_s(positional)}; {taken}"
    if not takes_names:
        known = {item.name for item in items if item.kind in _BY_NAME}
        strange = [name for name in keywords if name not in known]
        if strange:
            return f"passes {_listed(strange)}, which it does not take"
    filled = {item.name for item in by_place[:positional]}
    twice = [name for name in keywords if name in filled]
    if twice and not call.spread:
        return f"passes {_listed(twice)} by name and by position"
    return _missing(items, by_place, positional, keywords, call)


def moved_argument(old: Parameters, new: Parameters, call: Call, language: str) -> str:
    """Return which positional argument now means another parameter; "" if none does.

    Only a parameter that is still there, at another place, counts: a new name alone is a rename.
    """
    positional, _ = _seen(new, call, language)
    before = [item.name for item in old.items if item.kind in _BY_PLACE]
    after = [item.name for item in new.items if item.kind in _BY_PLACE]
    for at in range(min(positional, len(before), len(after))):
        if before[at] and after[at] and before[at] != after[at] and before[at] in after:
            return f"argument {at + 1} was `{before[at]}` and is now `{after[at]}`"
    return ""


def _seen(parameters: Parameters, call: Call, language: str) -> tuple[int, tuple[str, ...]]:
    """Return the positional and named arguments as the definition would see them."""
    positional, keywords = call.positional, call.keywords
    if language == "ruby" and keywords:
        named = (ParameterKind.KEYWORD, ParameterKind.KEYWORD_REST)
        if not any(item.kind in named for item in parameters.items):
            return positional + 1, ()  # a hash as the last argument
    if language == "kotlin" and call.has_block:
        positional += 1
    if parameters.has_receiver and _hands_receiver(call, language):
        positional -= 1
    return positional, keywords


def _hands_receiver(call: Call, language: str) -> bool:
    """Return whether the receiver comes first: `Base.run(self, 1)`, `Type::run(&x, 1)`."""
    if language == "python":
        return call.first in ("self", "cls") and not call.callee.startswith(("self.", "super()"))
    return language == "rust" and "::" in call.callee.rpartition(call.name)[0][-3:]


def _missing(
    items: Sequence[Parameter],
    by_place: Sequence[Parameter],
    positional: int,
    keywords: Sequence[str],
    call: Call,
) -> str:
    names = set(keywords)
    lacking: list[str] = []
    required = [item for item in by_place if item.is_required]
    if not call.spread:
        by_name = [
            item for item in by_place[positional:] if item.is_required and item.name not in names
        ]
        # Ruby's and others' optional parameters may stand before required ones: count, then.
        n_lacking = len(required) - positional - len(names & {item.name for item in required})
        if by_name and n_lacking > 0 and not (call.keyword_spread and _all_nameable(by_name)):
            if not all(item.name for item in by_name):
                return f"passes {positional} argument{_s(positional)}; {len(required)} are required"
            lacking += [item.name for item in by_name[-n_lacking:]]
    if not call.keyword_spread:
        lacking += [
            item.name
            for item in items
            if item.kind is ParameterKind.KEYWORD and item.is_required and item.name not in names
        ]
    return f"lacks the required {_listed(lacking)}" if lacking else ""


def _all_nameable(items: Sequence[Parameter]) -> bool:
    return all(item.kind is ParameterKind.EITHER for item in items)


def _listed(names: Sequence[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def _s(count: int) -> str:
    return "" if count == 1 else "s"


def _are(count: int) -> str:
    return "is" if count == 1 else "are"


def parameter_changes(old: Parameters, new: Parameters) -> str:
    """Return how the parameters differ, for callers: "no longer takes `a`; now requires `b`".

    "" if only order, kinds or unnamed ones differ.
    """
    before = {item.name: item for item in old.items if item.name}
    after = {item.name: item for item in new.items if item.name}
    gone = [name for name in before if name not in after]
    required = [
        name
        for name, item in after.items()
        if item.is_required and not (name in before and before[name].is_required)
    ]
    parts = []
    if gone:
        parts.append(f"no longer takes {_listed(gone)}")
    if required:
        parts.append(f"now requires {_listed(required)}")
    return " and ".join(parts)
