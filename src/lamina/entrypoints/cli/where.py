"""Where a command looks: which store, and which anchor in it."""

from __future__ import annotations

from collections.abc import Sequence

from lamina.application.memory import Memory
from lamina.composition import find_spec
from lamina.composition.container import checked_url, is_postgres, model_there
from lamina.composition.embedders import find_embedder
from lamina.composition.opening import open as open_memory
from lamina.domain.errors import UnknownKey


def opened(store: str, spec: str, embedder: str) -> Memory:
    """The memory, if there is one: a command that only reads makes none of what was mistyped."""
    agent = find_spec(spec)
    if not is_postgres(checked_url(store)):
        model_there(store, agent)
    return open_memory(store, agent, find_embedder(embedder))


def anchor_keys(given: Sequence[str]) -> dict[str, str]:
    """The keys of an anchor, as they are typed."""
    return key_values("--at", given)


def key_values(option: str, given: Sequence[str]) -> dict[str, str]:
    """What an option is given as key=value, once for each key."""
    keys: dict[str, str] = {}
    for name, equals, value in (one.partition("=") for one in given):
        if not equals:
            raise UnknownKey(f"{option} {name}", "has no value", "write it as key=value")
        if name in keys:
            raise UnknownKey(f"{option} {name}", "is given twice", "give each key once")
        keys[name] = value
    return keys
