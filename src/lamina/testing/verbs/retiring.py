"""Words about one record: archived, exempted, invalidated, superseded, erased."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from hypothesis.stateful import rule

from lamina.domain.outcome import Decision, Outcome
from lamina.testing.verbs.model import Place, Row, ended, retired
from lamina.testing.verbs.picking import FILLED, WHERE, Picking
from lamina.testing.verbs.vocabulary import BACK, PICKS


class Retiring(Picking):
    """Every way to retire a record, or to keep it."""

    @rule(where=WHERE, pick=PICKS)
    @FILLED
    def archive(self, where: int, pick: int) -> None:
        """Not what an action rests on."""
        place = self.place(where)
        id_ = self.any(place, pick)
        given, said = self.outcome(place, lambda _, m: m.archive(id_, reason="stale"))
        row = place.rows.get(id_)
        fit = row and (row.live or row.status == "candidate")
        stopped = "anchor" if row is None else "action-linkage" if place.linked(id_) else None if fit else "archive"
        self._word(place, "archive", said, stopped, row and retired(row, "archived", self.now))
        self.logged(place, given)

    @rule(where=WHERE, pick=PICKS)
    @FILLED
    def exempt(self, where: int, pick: int) -> None:
        """Only what nothing has become of yet."""
        place = self.place(where)
        id_ = self.any(place, pick)
        given, said = self.outcome(place, lambda _, m: m.exempt(id_, reason="a landmark"))
        row = place.rows.get(id_)
        stopped = "anchor" if row is None else None if row.status == "active" else "exempt"
        self._word(place, "exempt", said, stopped, row and retired(row, "exempted", self.now))
        self.logged(place, given)

    @rule(where=WHERE, pick=PICKS, back=BACK)
    @FILLED
    def invalidate(self, where: int, pick: int, back: timedelta | None) -> None:
        """It is no longer so; it cannot have ended before it began."""
        place, since = self.place(where), self.at(back)
        id_ = self.any(place, pick)
        given, said = self.outcome(place, lambda _, m: m.invalidate(id_, reason="reversed", since=since))
        row = place.rows.get(id_)
        stopped = "anchor" if row is None else None if row.live else "invalidate"
        if row and row.live and since and since < row.since:
            stopped = "validity"
        after = row and replace(retired(row, "invalidated", self.now), until=ended(row, since or self.now))
        self._word(place, "invalidate", said, stopped, after)
        self.logged(place, given)

    @rule(where=WHERE, pick=PICKS, other=PICKS)
    @FILLED
    def supersede(self, where: int, pick: int, other: int) -> None:
        """By another that is live."""
        place = self.place(where)
        id_, by = self.any(place, pick), self.any(place, other)
        given, said = self.outcome(place, lambda _, m: m.supersede(id_, by=by))
        row, new = place.rows.get(id_), place.rows.get(by)
        fit = row and new and row.live and new.live and row is not new
        stopped = "anchor" if row is None or new is None else None if fit else "supersede"
        self._word(place, "supersede", said, stopped, row and retired(row, "superseded", self.now, by))
        self.logged(place, given)

    @rule(where=WHERE, pick=PICKS)
    @FILLED
    def erase(self, where: int, pick: int) -> None:
        """Only what is retired, and that nothing needs."""
        place = self.place(where)
        id_ = self.any(place, pick)
        given, said = self.outcome(place, lambda _, m: m.erase(id_, reason="asked for"))
        row = place.rows.get(id_)
        fit = row and row.status in {"archived", "invalidated", "superseded"}
        fit = fit and not place.pointed_at(id_) and not place.leading_to(id_)
        stopped = "anchor" if row is None else None if fit else "tombstone"
        after = row and replace(row, status="tombstoned", at=self.now, body="")
        self._word(place, "erase", said, stopped, after)
        self.logged(place, given)

    def _word(self, place: Place, verb: str, said: Outcome, stopped: str | None, after: Row | None) -> None:
        if not self.refused(place, verb, said, stopped) and after:
            assert (said.decision, said.ids) == (Decision.UPDATE if after.live else Decision.DELETE, (after.id,))
            place.tell(verb, said, after)
