"""Verifying: reading a chain from its beginning to its end, and saying what was touched."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from lamina.application.persona_memory import PersonaMemory
from lamina.domain.event_chain import Link
from lamina.domain.event_faults import Fault, faults
from lamina.domain.events import Persona

PAGE: Final = 1_000


@dataclass(frozen=True, slots=True)
class Verified:
    """One chain: how many events there are, where it ends, and what is wrong with it."""

    persona: Persona
    events: int
    end: Link | None
    """Note it outside the store: it shows later whether the end was taken away, or all of it written anew."""
    faults: tuple[Fault, ...]


def verify(memory: PersonaMemory, noted: Link | None = None) -> Verified:
    """Looks at every event of the chain, a page at a time. `noted` is an end that was noted before."""
    found: list[Fault] = []
    after: Link | None = None
    count = 0
    while True:
        with memory.store.reading() as unit:
            page = unit.log.chain(after.position if after else None, PAGE)
        here = _if_within(noted, after, page[-1].position if page else None)
        found += faults(page, after, here)
        if not page:
            return Verified(memory.persona, count, after, tuple(found))
        count += len(page)
        after = page[-1].link


def _if_within(noted: Link | None, after: Link | None, last: int | None) -> Link | None:
    """The noted end, if it is of this page, or if no more pages come."""
    if noted is None or (after and noted.position <= after.position):
        return None
    return noted if last is None or noted.position <= last else None
