"""The reference names every key of a spec with its true default, and no other."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, get_args, get_origin

import pytest
from pydantic import BaseModel, TypeAdapter
from pydantic.fields import FieldInfo

from lamina.domain.frozen import FrozenMap
from lamina.domain.policies.conflict import Conflict
from lamina.domain.policies.consolidation import Consolidation
from lamina.domain.policies.decay import Decay
from lamina.domain.policies.lifecycle import Lifecycle
from lamina.domain.policies.policy import OneOf
from lamina.domain.policies.promotion import AnyCriterion, Promotion
from lamina.domain.policies.write import Write
from lamina.domain.primitives import BY_FIELD
from lamina.domain.scoring import AnyScoring
from lamina.domain.spec import AgentMemorySpec
from lamina.domain.spec_checks import TABLES

REFERENCE = Path(__file__).parents[2] / "docs" / "reference" / "spec.md"
KEYS, _, POLICIES = REFERENCE.read_text(encoding="utf-8").partition("## Policies")
CHOICES: list[Any] = [Lifecycle, Decay, Write, Promotion, AnyCriterion, Conflict, Consolidation, AnyScoring]
SHIPPED = [shipped for choice in CHOICES for one in get_args(choice)[1:] for shipped in one.shipped]


def documented() -> dict[str, str]:
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in KEYS.splitlines() if line.startswith("| `")]
    return {row[0].strip("`"): row[2].strip("`") for row in rows}


def keys(model: type[BaseModel], prefix: str = "") -> Iterator[tuple[str, str]]:
    """Each key of the model and of what it is made of, and its default."""
    for name, field in model.model_fields.items():
        yield f"{prefix}{name}", default(field)
        yield from inner(field.annotation, f"{prefix}{name}")


def inner(annotation: Any, path: str) -> Iterator[tuple[str, str]]:
    origin, arguments = get_origin(annotation), get_args(annotation)
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield from keys(annotation, f"{path}.")
    elif origin is FrozenMap:
        key = arguments[0]
        enumerated = isinstance(key, type) and issubclass(key, StrEnum)
        yield from inner(arguments[1], f"{path}.{key.__name__.upper() if enumerated else 'KEY'}")
    elif origin is tuple:
        yield from inner(arguments[0], f"{path}[]")
    elif origin is Annotated:
        if not any(isinstance(mark, OneOf) for mark in arguments[1:]):
            yield from inner(arguments[0], path)
    else:
        for argument in arguments:
            yield from inner(argument, path)


def default(field: FieldInfo) -> str:
    if field.is_required():
        return "required"
    if field.default is None:
        return "none"
    if isinstance(field.default, BaseModel):
        changed = json.loads(field.default.model_dump_json())
        return "{ " + ", ".join(f"{name} = {json.dumps(value)}" for name, value in changed.items() if value) + " }"
    return str(TypeAdapter(field.rebuild_annotation()).dump_json(field.default).decode())


def test_every_key_is_documented_and_no_other() -> None:
    assert sorted(documented()) == sorted(dict(keys(AgentMemorySpec)))


@pytest.mark.parametrize(("key", "value"), [*keys(AgentMemorySpec)])
def test_the_default_is_true(key: str, value: str) -> None:
    assert documented()[key] == value


@pytest.mark.parametrize("policy", SHIPPED, ids=lambda policy: str(policy.__name__))
def test_every_kind_of_policy_is_documented_with_its_parameters(policy: type[BaseModel]) -> None:
    fields = dict(policy.model_fields)
    kind = fields.pop("kind").default
    (row,) = [line for line in POLICIES.splitlines() if line.startswith(f"| `{kind}` |")]
    parameters = dict(re.findall(r"`(\w+)` = `([^`]+)`", row.split("|")[2]))
    assert parameters == {name: default(field) for name, field in fields.items()}


def test_no_other_kind_of_policy_is_documented() -> None:
    documented_kinds = re.findall(r"^\| `([\w-]+)` \|", POLICIES, re.MULTILINE)
    assert sorted(documented_kinds) == sorted(policy.model_fields["kind"].default for policy in SHIPPED)


def test_the_table_of_defaults_is_true() -> None:
    rows = [
        f"| {BY_FIELD[field]} | {row} | {policy.words} |" for field in TABLES for row, policy in TABLES[field].items()
    ]
    _, _, table = POLICIES.partition("## Defaults")
    assert [line for line in table.splitlines() if line.startswith("| P")] == rows
