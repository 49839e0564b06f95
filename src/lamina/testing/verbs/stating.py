"""Facts and preferences: they are stated or proposed, and somebody speaks for them or against them."""

from __future__ import annotations

from uuid import UUID

from hypothesis import strategies as st
from hypothesis.stateful import rule

from lamina.application.corroborate import Source
from lamina.domain.claim import Claim
from lamina.domain.ids import SessionId
from lamina.domain.outcome import Decision, Outcome
from lamina.testing.verbs.model import Place, Row, Voice, matter_of
from lamina.testing.verbs.picking import FILLED, WHERE, Picking, one_of
from lamina.testing.verbs.placing import ENOUGH, settle, voices_apart
from lamina.testing.verbs.vocabulary import PICKS, SPOKEN, STATEMENTS, Spoken, Statement


class Stating(Picking):
    """Every way to say what is so and what is preferred."""

    @rule(where=WHERE, one=STATEMENTS, sure=st.sampled_from([None] * 5 + [0.95, 0.5]))
    def prefer(self, where: int, one: Statement, sure: float | None) -> None:
        """How things are to be done, said in a session or outside any."""
        place, at = self.place(where), self.at(one.back)
        handle, session = self.within(place, one.within)
        given, said = self.outcome(
            place,
            lambda n, m: (handle.held[n] if handle else m).prefer(
                one.text.body, claim=one.claim, confidence=sure, at=at
            ),
            planned=handle is None,
        )
        closed = handle is not None and handle.closed
        stopped = "scope" if closed else "write-policy" if sure == 0.5 else self.copied(place, one.text)
        if not self.refused(place, "prefer", said, stopped):
            row = self._new(place, "procedural", one, said.ids[said.decision is Decision.NOOP])
            kind = "operator_input" if sure is None else "agent_inference"
            word = Voice(row.id, (kind, session or place.anchor.id), session, confirms=True, at=self.now, order=0)
            place.tell("prefer", said, *settle(place, row, [word], self.now, said))
        self.logged(place, given)

    @rule(where=WHERE, one=STATEMENTS, because=st.lists(PICKS, max_size=4))
    def propose(self, where: int, one: Statement, because: list[int]) -> None:
        """A fact, with evidence that may be nowhere."""
        place, at = self.place(where), self.at(one.back)
        handle, _ = self.within(place, one.within)
        ids = [self.any(place, pick, seen=True) for pick in because]
        given, said = self.outcome(
            place,
            lambda n, m: (handle.held[n] if handle else m).propose(one.text.body, claim=one.claim, because=ids, at=at),
            planned=handle is None,
        )
        speaking = [self._evidence(place, id_) for id_ in ids]
        waiting = self._waiting(place, one.claim)
        closed = handle is not None and handle.closed
        lacking = not speaking or None in speaking
        stopped = "scope" if closed else "evidence" if lacking else None if waiting else self.copied(place, one.text)
        if not self.refused(place, "propose", said, stopped):
            row = waiting or self._new(place, "semantic", one, said.ids[said.decision is Decision.NOOP])
            for by in dict.fromkeys(by for by in speaking if by):
                word = Voice(row.id, ("observation_event", by.id), by.origin, confirms=True, at=self.now, order=0)
                place.speak(row.id, [word])
            self._reconsider(place, "propose", row, said)
        self.logged(place, given)

    @rule(where=WHERE, pick=PICKS, spoken=SPOKEN)
    @FILLED
    def corroborate(self, where: int, pick: int, spoken: Spoken) -> None:
        """Somebody confirms a record or fails to: one of a few voices, or another record."""
        place = self.place(where)
        id_, whose = self.any(place, pick), one_of(sorted({one.session for one in self.handles}), spoken.session)
        ref = self.any(place, spoken.ref) if spoken.ref % 3 == 0 else UUID(int=spoken.ref % 4 + 100)
        source = Source(spoken.kind, ref, SessionId(whose) if whose and spoken.session % 2 else None)
        finding = "confirmed" if spoken.confirms else "failed"
        given, said = self.outcome(place, lambda _, m: m.corroborate(id_, source, finding, notes="— ✓"))
        row = place.rows.get(id_)
        stopped = "anchor" if row is None else None if row.live or row.status == "candidate" else "corroboration"
        if row and not self.refused(place, "corroborate", said, stopped):
            place.speak(
                id_, [Voice(id_, (str(source.kind), source.ref), source.session_id, spoken.confirms, self.now, 0)]
            )
            if row.status == "candidate":
                self._reconsider(place, "corroborate", row, said)
            else:
                assert (said.decision, said.ids) == (Decision.NOOP, (id_,))
                place.tell("corroborate", said)
        elif row is None:
            self.refused(place, "corroborate", said, stopped)
        self.logged(place, given)

    def _reconsider(self, place: Place, verb: str, row: Row, said: Outcome) -> None:
        voices = place.heard(row.id)
        if row.typology == "semantic" and voices_apart(voices) < ENOUGH:
            assert (said.decision, said.rule, said.ids) == (Decision.HELD, "corroborated", (row.id,)), said
            place.tell(verb, said, row)
        else:
            place.tell(verb, said, *settle(place, row, voices, self.now, said))

    def _new(self, place: Place, typology: str, one: Statement, id_: UUID) -> Row:
        """A candidate, recorded no earlier than what is known of its matter. It is not there yet."""
        assert id_ not in place.rows
        matter, value = matter_of(one.claim)
        recorded = max([self.now, *(one.recorded for one in place.line(typology, matter))])
        place.texts[id_] = one.text
        return Row(
            id_,
            "persistent",
            typology,
            one.text.body,
            self.at(one.back) or recorded,
            recorded,
            matter=matter,
            value=value,
            status="candidate",
            at=self.now,
        )

    @staticmethod
    def _waiting(place: Place, claim: Claim | None) -> Row | None:
        matter, value = matter_of(claim)
        held = [
            row
            for row in place.rows.values()
            if (row.status, row.typology, row.matter, row.value) == ("candidate", "semantic", matter, value)
        ]
        return min(held, key=lambda row: (row.recorded, row.id)) if matter and held else None

    @staticmethod
    def _evidence(place: Place, id_: UUID) -> Row | None:
        """A record that speaks, wherever it was taken; what was erased says nothing."""
        following: UUID | None = id_
        while following is not None and following not in place.rows:
            following = place.gone.get(following)
        row = place.rows.get(following) if following else None
        return None if row is None or row.status == "tombstoned" else row
