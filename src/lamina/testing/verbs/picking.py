"""How the rules of the machine come by a record, a decision or a session: by numbers that shrink well."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from uuid import UUID

from hypothesis import strategies as st
from hypothesis.stateful import precondition

from lamina.domain.ids import MemoryId
from lamina.testing.verbs.driven import NOWHERE, Driven, Sitting, Turn
from lamina.testing.verbs.model import Place

WHERE = st.sampled_from([0, 0, 0, 0, 0, 1])
"""Of six times once at the other anchor."""
FILLED = precondition(lambda self: any(place.rows for place in self.places))


class Picking(Driven):
    """One of however many there are."""

    def place(self, where: int) -> Place:
        """One of the two anchors."""
        return self.places[where]

    def at(self, back: timedelta | None) -> datetime | None:
        """An instant before or after now."""
        return None if back is None else self.now + back

    def within(self, place: Place, pick: int) -> tuple[Sitting | Turn | None, UUID | None]:
        """A session or an interaction to say it in, or none."""
        mine = [handle for handle in self.handles if handle.place is place]
        handle = mine[pick % len(mine)] if mine and pick % 2 else None
        return handle, handle.session if handle else None

    def any(self, place: Place, pick: int, *, seen: bool = False) -> MemoryId:
        """A record; now and then one that is gone, or of the other anchor, or nowhere."""
        other = self.places[self.places[0] is place]
        if pick % 17 == 16:
            return MemoryId(one_of(sorted(place.gone) + sorted(other.rows), pick // 17) or NOWHERE)
        mine = [row.id for row in place.rows.values() if not seen or row.typology == "episodic"]
        mine += [row.id for row in place.rows.values() if row.persistent and not seen]
        gone = sorted(place.gone) if seen else []
        return MemoryId(one_of(sorted(mine) + gone, pick) or NOWHERE)


def one_of(of: Sequence[UUID], pick: int) -> UUID | None:
    """One of these, the later ones first."""
    return of[-1 - pick % len(of)] if of else None
