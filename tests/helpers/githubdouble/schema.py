"""GitHub's own description of its API, as pydantic models of `githubkit-schemas`.

`complete` fills what the description requires and a test does not care about; `check` refuses
what it does not allow. What a test says is never changed.
"""

from __future__ import annotations

import datetime as dt
import json
import types
from collections.abc import Mapping
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from githubkit_schemas.latest import models
from pydantic import BaseModel, ValidationError

MOMENT = "2026-11-01T12:00:00Z"
_PLAIN = {bool: False, int: 1, float: 1.0, dt.datetime: MOMENT, dt.date: "2026-11-01"}
_TEXTS = {"node_id": "NODE", "sha": "0" * 40, "event": "", "color": "ededed"}


class SchemaError(AssertionError):
    """A request, an answer or a payload is not what GitHub describes."""


def model(name: str) -> type[BaseModel]:
    """Return the model of that name."""
    return getattr(models, name)


def complete(name: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return `given` with every field that the model `name` requires, checked."""
    filled = _fill(model(name), given, name)
    return check(name, filled)


def check(name: str, data: Any, *, closed: bool = False) -> Any:
    """Return `data` if it is what the model describes; `closed` refuses unknown fields as well.

    Raises:
        SchemaError: it is not.
    """
    kind = model(name)
    try:
        kind.model_validate_json(json.dumps(data), strict=True)
    except ValidationError as error:
        raise SchemaError(f"{name}: {error}") from error
    if closed:
        known = {field.alias or key for key, field in kind.model_fields.items()}
        unknown = set(data) - known
        if unknown:
            raise SchemaError(f"{name} has no fields {sorted(unknown)}")
    return data


def _fill(kind: type[BaseModel], given: Mapping[str, Any], where: str) -> dict[str, Any]:
    filled = dict(given)
    for key, field in kind.model_fields.items():
        name = field.alias or key
        if name in given:
            filled[name] = _inside(field.annotation, given[name], f"{where}.{name}")
        elif field.is_required():
            filled[name] = _default(field.annotation, name, f"{where}.{name}")
    return filled


def _inside(annotation: Any, value: Any, where: str) -> Any:
    """Return a given value with its own objects filled."""
    if isinstance(value, Mapping):
        for kind in _kinds(annotation):
            if _is_model(kind):
                return _fill(kind, value, where)
    if isinstance(value, list):
        for kind in _kinds(annotation):
            if get_origin(kind) is list:
                return [_inside(get_args(kind)[0], item, where) for item in value]
    return value


def _default(annotation: Any, name: str, where: str) -> Any:
    kinds = _kinds(annotation)
    kind = kinds[0]
    empty = {list: [], dict: {}, Literal: get_args(kind)[:1]}.get(get_origin(kind))
    if type(None) in kinds:
        return None
    if _is_model(kind):
        return _fill(kind, {}, where)
    if empty is not None:
        return empty[0] if isinstance(empty, tuple) else empty
    if kind is str:
        return _TEXTS.get(name, f"https://example.invalid/{name}" if "url" in name else name)
    return _PLAIN.get(kind, {})


def _kinds(annotation: Any) -> list[Any]:
    """Return the alternatives of an annotation, without `Annotated` and the unset mark."""
    if get_origin(annotation) is Annotated:
        return _kinds(get_args(annotation)[0])
    if get_origin(annotation) in (Union, types.UnionType):
        found = [kind for part in get_args(annotation) for kind in _kinds(part)]
        return [kind for kind in found if "UNSET" not in repr(kind)] or found
    return [annotation]


def _is_model(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, BaseModel)
