"""Looking back: one decision is undone, and the history of a record is read."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from hypothesis import strategies as st
from hypothesis.stateful import rule

from lamina.domain.ids import DecisionId
from lamina.domain.outcome import Decision
from lamina.testing.verbs.driven import NOWHERE
from lamina.testing.verbs.model import Place, Row, Said, retired
from lamina.testing.verbs.picking import FILLED, WHERE, Picking, one_of
from lamina.testing.verbs.vocabulary import PICKS


class LookingBack(Picking):
    """What was decided, and what became of it."""

    @rule(where=WHERE, pick=PICKS, latest=st.sampled_from([6, 1_000]))
    @FILLED
    def undo(self, where: int, pick: int, latest: int) -> None:
        """One decision, mostly one of the last."""
        place = self.place(where)
        id_ = DecisionId(one_of(sorted(place.log)[-latest:], pick) or NOWHERE)
        given, said = self.outcome(place, lambda _, m: m.undo(id_, reason="a mistake"))
        of, reverted = place.log.get(id_), self._reverted(place, id_)
        stopped = "anchor" if of is None else None if reverted else "undo"
        if not self.refused(place, "undo", said, stopped) and reverted:
            assert (said.decision, set(said.ids)) == (Decision.UPDATE, {row.id for row in reverted})
            place.tell("undo", said, *reverted)
        self.logged(place, given)

    def _reverted(self, place: Place, id_: UUID) -> list[Row] | None:
        """What each record is after it: as it was before the decision; archived, if the decision made it live."""
        of = place.log.get(id_)
        if of is None or of.verb == "undo" or of.decision in ("NOOP", "REFUSED"):
            return None
        if of.decision == "HELD" and of.before[of.ids[0]] is not None:
            return None
        if any(self._last_change(place, touched) is not of for touched in of.ids):
            return None
        rows = []
        for touched in of.ids:
            row, before = place.rows.get(touched), of.before[touched]
            if row is None or row.status == "tombstoned":
                return None
            if before is None or (before.status == "candidate" and row.live):
                if place.linked(touched) or not (row.live or row.status == "candidate"):
                    return None
                rows.append(retired(row, "archived", self.now))
            else:
                rows.append(before)
        others = [row for row in place.rows.values() if row.id not in of.ids]
        return None if _clash(rows, others) else rows

    @staticmethod
    def _last_change(place: Place, touched: UUID) -> Said | None:
        changes = [
            said
            for _, said in sorted(place.log.items())
            if touched in said.ids
            and said.decision not in ("NOOP", "REFUSED")
            and not (said.decision == "HELD" and said.before[touched] is not None)
        ]
        return changes[-1] if changes else None

    @rule(where=WHERE, pick=PICKS)
    @FILLED
    def history(self, where: int, pick: int) -> None:
        """The record and what took its place, each with its decisions."""
        place = self.place(where)
        id_ = self.any(place, pick)
        given = self.run(place, lambda _, m: m.history(id_))
        if id_ not in place.rows:
            assert given.said[0] == "UnknownRecord"
            return
        chain, row = list[UUID]([id_]), place.rows[id_]
        while row.leads and row.status != "promoted":
            row = place.rows[row.leads]
            chain.append(row.id)
        assert [chapter.record.id for chapter in given.said] == chain
        for chapter in given.said:
            assert chapter.decisions
            assert len(chapter.corroborations) == len(place.heard(chapter.record.id))


def _clash(rows: Sequence[Row], others: Sequence[Row]) -> bool:
    """Whether two live claims of one matter would hold at one time."""
    claims = [row for row in (*rows, *others) if row.live and row.persistent and row.matter]
    return any(
        one.holds(begin) and other.holds(begin)
        for one in claims
        for other in claims
        for begin in (one.since, other.since)
        if one.id != other.id and (one.typology, one.matter) == (other.typology, other.matter)
    )
