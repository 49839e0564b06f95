"""Where a command looks: which store, and which anchor in it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from lamina.composition.container import checked_url, is_postgres
from lamina.domain.errors import StoreUnavailable, UnknownKey


def existing(store: str) -> str:
    """The store, if there is one: a command that only reads makes none of a name that was mistyped."""
    if not is_postgres(checked_url(store)) and not Path(store).expanduser().exists():
        raise StoreUnavailable(store, "is not there", "give the path of a store that is")
    return store


def anchor_keys(given: Sequence[str]) -> dict[str, str]:
    """The keys of an anchor, as they are typed."""
    parts = [one.partition("=") for one in given]
    for name, equals, _ in parts:
        if not equals:
            raise UnknownKey(f"--at {name}", "has no value", "write it as key=value")
    return {name: value for name, _, value in parts}
