"""Where one persona of one agent remembers: its log, its long-term and its short-term memory."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Protocol

from lamina.domain.errors import StoreError
from lamina.ports.event_log import EventLog
from lamina.ports.long_term import LongTerm
from lamina.ports.short_term import ShortTerm


def not_kept() -> StoreError:
    """What every store says where a spec has no event memory."""
    return StoreError("events", "are not kept by this spec", "give it event_memory if they should be")


class PersonaUnit(Protocol):
    """One transaction on what one persona remembers. Nothing in it can name the other."""

    @property
    def log(self) -> EventLog: ...

    @property
    def long_term(self) -> LongTerm: ...

    @property
    def short_term(self) -> ShortTerm: ...


class PersonaStore(Protocol):
    """Gives units of work on one persona of one agent: no statement that it sends names what the other's is kept in."""

    def unit(self) -> AbstractContextManager[PersonaUnit]:
        """A transaction: leaving it commits, an error inside it undoes everything that it wrote."""
        ...

    def reading(self) -> AbstractContextManager[PersonaUnit]:
        """A unit that only reads: whatever would write in it raises `ReadOnly`."""
        ...

    def close(self) -> None:
        """Lets go of what it opened itself. Closing twice is closing once."""
        ...
