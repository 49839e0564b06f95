"""Turning what pydantic found wrong with a spec's parts into mistakes that a person can mend."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from difflib import get_close_matches
from functools import reduce
from typing import Any

from pydantic import BaseModel, TypeAdapter, ValidationError
from pydantic_core import ErrorDetails

from lamina.domain.errors import Mistake

Location = tuple[int | str, ...]


def mistakes_of(model: type[BaseModel], data: Any, error: ValidationError) -> list[Mistake]:
    """One mistake for each thing that is wrong."""
    errors = error.errors(include_url=False)
    inner = {one["loc"][:depth] for one in errors for depth in range(len(one["loc"]))}
    # A list whose only item is wrong is also reported as too short: that is no mistake of its own.
    real = [one for one in errors if not (one["type"] == "too_short" and one["loc"] in inner)]
    return [_mistake(model, data, one) for one in real]


def readable_parts(model: type[BaseModel], data: Any, error: ValidationError) -> dict[str, Any]:
    """The fields that are right, or right but for some rows, so that what lies between them can still be checked."""
    if not isinstance(data, Mapping):
        return {}
    locations = [one["loc"] for one in error.errors(include_url=False)]
    parts = {}
    for name, field in model.model_fields.items():
        wrong = {location[1] for location in locations if location[:1] == (name,) and len(location) > 1}
        value = data.get(name, field.default)
        if isinstance(value, Mapping) and not field.is_required():
            # Each row may be left out, so the others can be read without the wrong ones.
            value = {key: row for key, row in value.items() if key not in wrong}
        with suppress(ValidationError):
            parts[name] = TypeAdapter(field.rebuild_annotation()).validate_python(value)
    return parts


def _mistake(model: type[BaseModel], data: Any, error: ErrorDetails) -> Mistake:
    location, context = _written(error["loc"], data), error.get("ctx", {})
    # What the user wrote, not what it was read as; a wrong key is itself what was written.
    written = reduce(_inside, location, data)
    given = _shown(error["input"] if written is None or "[key]" in error["loc"] else written)
    match error["type"]:
        case "missing":
            what, right = "is missing", "choose it explicitly" if len(location) == 1 else "give it"
        case "extra_forbidden":
            what, right = "is not a key of a spec", _instead(model, location)
        case "string_pattern_mismatch":
            what, right = f"{given} is not a name", _name_rule(str(context["pattern"]))
        case "union_tag_invalid" | "union_tag_not_found":
            kinds = context.get("expected_tags", "the kinds in the reference")
            what, right = f"has no known kind ({context.get('tag', 'none given')})", f"choose one of {kinds}"
        case "enum" | "literal_error":
            what, right = f"{given} is not known", f"choose {context['expected']}"
        case "words":
            what, right = str(context["happened"]), "say it in words: a reviewer reads it"
        case _:
            what, right = f"{given} is not right", error["msg"][0].lower() + error["msg"][1:]
    return Mistake(str(location[0]) if location else "", _path(location), what, right)


def _written(location: Location, data: Any) -> Location:
    """The location as the user wrote it: without the kind that chose a policy, and without pydantic's own marks."""
    written: list[int | str] = []
    for part in location:
        chose_a_policy = isinstance(data, Mapping) and part not in data and data.get("kind") == part
        if part == "[key]" or chose_a_policy:
            continue
        written.append(part)
        data = _inside(data, part)
    return tuple(written)


def _inside(data: Any, part: int | str) -> Any:
    if isinstance(data, Mapping):
        return data.get(part)
    return data[part] if isinstance(data, list | tuple) and isinstance(part, int) and part < len(data) else None


def _path(location: Location) -> str:
    """`tiers[0].anchor`."""
    parts = (f"[{part}]" if isinstance(part, int) else f".{part}" for part in location)
    return "".join(parts).removeprefix(".") or "spec"


def _instead(model: type[BaseModel], location: Location) -> str:
    known = list(model.model_fields)
    close = get_close_matches(str(location[-1]), known, n=1)
    if len(location) == 1:
        return f"did you mean {close[0]!r}?" if close else f"the keys are {', '.join(known)}"
    return "remove it, or see the reference for what belongs there"


def _shown(value: Any) -> str:
    shown = repr(value)
    return shown if len(shown) <= 60 else f"{shown[:57]}..."


def _name_rule(pattern: str) -> str:
    joint = "_" if "_" in pattern else "-"
    return f"use a-z, 0-9 and {joint}, a letter first, at most 40 of them"
