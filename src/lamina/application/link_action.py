"""Linking: what justified an action is kept from then on, whatever its tier."""

from __future__ import annotations

from collections.abc import Sequence

from lamina.application.deciding import decide_saying, refused
from lamina.application.evidence import SILENT, speaks
from lamina.application.resources import Resources
from lamina.domain.anchor import Anchor
from lamina.domain.ids import MemoryId
from lamina.domain.outcome import Decision, Outcome
from lamina.domain.references import ActionLink
from lamina.domain.refusal import Refusal
from lamina.ports.unit_of_work import UnitOfWork


def link_action(resources: Resources, anchor: Anchor, kind: str, ref: str, ids: Sequence[MemoryId]) -> Outcome:
    """Ties an action, such as a rule promotion, to the memories that justified it."""
    now = resources.clock.now()
    links = [ActionLink(kind, ref, memory_id, now) for memory_id in dict.fromkeys(ids)]

    def act(unit: UnitOfWork) -> Outcome:
        there = unit.records.get(ids)
        missing = [str(memory_id) for memory_id in ids if not speaks(there.get(memory_id))]
        if missing or not links:
            named = f"{', '.join(missing)} {SILENT}" if missing else "name the memories behind it"
            return refused(Refusal("evidence", named))
        unit.action_links.add(links)
        return Outcome(Decision.NOOP, tuple(link.memory_id for link in links), f"{kind} {ref} rests on it")

    return decide_saying(resources, anchor, "link_action", f"{kind} {ref}", act)
