"""What the model says of scopes that end, and of maintenance."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from uuid import UUID

from lamina.domain.outcome import Outcome
from lamina.testing.verbs.model import Place, Row, Voice, retired
from lamina.testing.verbs.placing import ENOUGH, failures, settle, voices_apart

PRESSING = timedelta(days=90)
Said = Iterator[Outcome]


class Scopes:
    """The boundaries of one agent: `keeps_episodes` says whether its persistent tier has any."""

    def __init__(self, place: Place, now: datetime, said: Said, *, keeps_episodes: bool) -> None:
        self._place = place
        self._now = now
        self._said = said
        self._keeps_episodes = keeps_episodes

    def close(self, session: UUID, interaction: UUID | None = None) -> None:
        """Interactions first, then the session."""
        left: dict[UUID, None] = {}
        for row in self._of(session):
            if interaction is None and row.interaction:
                left[row.interaction] = None
        for inner in left:
            self.close(session, inner)
        self._cross("close", session, interaction, everything=True)

    def escalate(self, session: UUID) -> None:
        """What has something above it moves up; the rest stays."""
        self._cross("escalate", session, None, everything=False)

    def _of(self, session: UUID, interaction: UUID | None = None) -> list[Row]:
        mine = [row for row in self._place.rows.values() if row.session == session]
        return sorted((row for row in mine if interaction in (None, row.interaction)), key=lambda row: row.id)

    def _cross(self, verb: str, session: UUID, interaction: UUID | None, *, everything: bool) -> None:
        place, mine = self._place, self._of(session, interaction)
        tier = "interaction" if interaction else "session"
        above = "session" if interaction else "persistent" if self._keeps_episodes else None
        undisposed = [row for row in mine if row.tier == tier and row.status in ("active", "exempted")] if above else []
        rising, same = self._compounded(sorted(undisposed, key=lambda row: (row.since, row.id)), above, session)
        rising = [row for row in rising if place.texts[row.id].family not in place.canon]
        for row in rising:
            self._lift(verb, row, above or "")
        known: dict[UUID, UUID] = {}
        for id_, twins in same.items():
            said = next(self._said)
            assert (said.decision.value, said.ids[1:]) == ("NOOP", (id_,)), said
            assert said.ids[0] in twins
            known[id_] = said.ids[0]
            place.tell(verb, said)
        moved = {row.id for row in rising} | known.keys()
        self._clear(verb, [row.id for row in mine if everything or row.id in moved], known)

    def _compounded(
        self, rows: list[Row], above: str | None, session: UUID
    ) -> tuple[list[Row], dict[UUID, list[UUID]]]:
        place = self._place
        rising: list[Row] = []
        same: dict[UUID, list[UUID]] = {}
        for row in rows:
            says = place.texts[row.id].says
            twins = [one.id for one in rising if place.texts[one.id].says == says] or [
                one.id
                for one in place.rows.values()
                if one.live
                and (one.tier, one.typology) == (above, "episodic")
                and one.session == (session if above == "session" else None)
                and place.texts[one.id].says == says
            ]
            if twins:
                same[row.id] = twins
            else:
                rising.append(row)
        return rising, same

    def _lift(self, verb: str, row: Row, above: str) -> None:
        place, said = self._place, next(self._said)
        copy = said.ids[0]
        assert (said.decision.value, said.ids) == ("ADD", (copy, row.id)), said
        assert copy not in place.rows
        lifted = replace(
            row,
            id=copy,
            tier=above,
            session=row.session if above == "session" else None,
            interaction=None,
            recorded=self._now,
        )
        promoted = replace(row, status="promoted", at=self._now, leads=copy) if row.status == "active" else row
        place.tell(verb, said, promoted)
        place.put(lifted, place.texts[row.id])
        if row.id in place.refs:
            place.refs[copy] = place.refs[row.id]

    def _clear(self, verb: str, leaving: list[UUID], same: dict[UUID, UUID]) -> None:
        """What something points at is put away, with what follows it; the rest goes."""
        place = self._place
        spoken_of = {voice.memory for voice in place.voices}
        stays = {id_ for id_ in leaving if place.pointed_at(id_) or id_ in spoken_of}
        while more := {
            id_
            for id_ in leaving
            if id_ not in stays and any(one in stays or one not in leaving for one in place.leading_to(id_))
        }:
            stays |= more
        for _ in range(sum(place.rows[id_].live for id_ in stays)):
            said = next(self._said)
            (id_,) = said.ids
            assert said.decision.value == "DELETE"
            assert id_ in stays
            place.tell(verb, said, retired(place.rows[id_], "archived", self._now))
        assert not any(place.rows[id_].live for id_ in stays)
        for left in leaving:
            if left not in stays:
                said = next(self._said)
                assert (said.decision.value, said.ids) == ("DELETE", (left,)), said
                following = same.get(left) or place.rows[left].leads or self._lifted(left)
                place.tell(verb, said)
                place.drop(left, following)

    def _lifted(self, id_: UUID) -> UUID | None:
        """What an exempted record was lifted to: it does not lead there itself."""
        ups = [one.ids[0] for one in self._place.told if one.decision == "ADD" and one.ids[-1] == id_ != one.ids[0]]
        return ups[0] if ups else None

    def dream(self, patience: timedelta) -> None:
        """Closes what nobody closed, then looks at each persistent record."""
        place = self._place
        for session in sorted({row.session for row in place.rows.values() if row.session}):
            mine = self._of(session)
            if any(row.live for row in mine) and all(row.recorded < self._now - patience for row in mine):
                self.close(session)
        for id_ in sorted(id_ for id_, row in place.rows.items() if row.persistent):
            row = place.rows[id_]
            if (row.live or row.status == "candidate") and not row.is_to_come(self._now):
                self._attend(row)

    def _attend(self, row: Row) -> None:
        place, voices = self._place, self._place.heard(row.id)
        if row.status == "candidate":
            if row.typology == "procedural" or voices_apart(voices) >= ENOUGH:
                said = next(self._said)
                place.tell("dream", said, *settle(place, row, voices, self._now, said))
            return
        if row.typology == "semantic" and failures(voices) >= 3:
            self._retire(row, "invalidated" if place.linked(row.id) else "archived")
        if row.typology != "episodic" or row.status != "active" or self._now - row.recorded < PRESSING:
            return
        if voices_apart(voices) >= ENOUGH:
            self._become_fact(row, voices)
        else:
            self._retire(row, "exempted" if place.linked(row.id) else "archived")

    def _retire(self, row: Row, status: str) -> None:
        said = next(self._said)
        assert (said.decision.value, said.ids) == ("UPDATE" if status == "exempted" else "DELETE", (row.id,)), said
        until = row.until
        if status == "invalidated":
            ends = max(self._now, row.since)
            until = ends if until is None else min(ends, until)
        self._place.tell("dream", said, replace(retired(row, status, self._now), until=until))

    def _become_fact(self, row: Row, voices: list[Voice]) -> None:
        place, said = self._place, next(self._said)
        assert said.ids[-1] == row.id
        fact = said.ids[-2]
        assert fact not in place.rows
        candidate = replace(row, id=fact, typology="semantic", recorded=self._now, status="candidate", at=self._now)
        place.texts[fact] = place.texts[row.id]
        place.speak(fact, [voice for voice in voices if voice.confirms])
        own = Voice(fact, ("observation_event", row.id), row.origin, confirms=True, at=self._now, order=0)
        place.speak(fact, [own])
        changed = settle(place, candidate, place.heard(fact), self._now, said)
        place.tell("dream", said, *changed, replace(row, status="promoted", at=self._now, leads=said.ids[0]))
