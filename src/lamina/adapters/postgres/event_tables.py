"""The tables of event memory: the same for each persona, and apart."""

from __future__ import annotations

from collections.abc import Iterable

from sqlalchemy import Table, UniqueConstraint

from lamina.adapters.postgres.table_maker import TableMaker, instants, integers, texts, uuids
from lamina.domain.event import LONGEST_CONTENT
from lamina.domain.events import EventKind, EventVisibility


def actor_events(make: TableMaker) -> Table:
    """What happened to the actor."""
    return _events(make, "actor_events")


def subconscious_events(make: TableMaker) -> Table:
    """What happened to the subconscious."""
    return _events(make, "subconscious_events")


def _events(make: TableMaker, name: str) -> Table:
    columns = [
        *uuids("anchor_id"),
        *integers("position"),
        *uuids("id"),
        *instants("ts"),
        *uuids("loop_id"),
        *texts("kind", "visibility", "content", "metadata", "previous", "hash"),
    ]
    checks = [
        make.check(f"{name}_positions", "position >= 0"),
        make.check(f"{name}_kinds", f"kind IN ({_listed(EventKind)})"),
        make.check(f"{name}_visibilities", f"visibility IN ({_listed(EventVisibility)})"),
        make.check(f"{name}_contents", f"char_length(content) <= {LONGEST_CONTENT}"),
        make.check(f"{name}_hashes", "previous ~ '^[0-9a-f]{64}$' AND hash ~ '^[0-9a-f]{64}$'"),
    ]
    once = UniqueConstraint("anchor_id", "id", name=make.names.own(f"{name}_ids"))
    return make.table(name, columns, ["anchor_id", "position"], once, *checks)


def _listed(words: Iterable[str]) -> str:
    return ", ".join(f"'{word}'" for word in words)
