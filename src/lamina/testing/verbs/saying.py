"""The verbs that say something of what is known: facts, preferences, and words about one record."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from hypothesis import strategies as st
from hypothesis.stateful import precondition, rule

from lamina.application.corroborate import Source
from lamina.domain.claim import Claim
from lamina.domain.contradiction import ContradictionStatus
from lamina.domain.corroboration import SourceType
from lamina.domain.ids import ContradictionId, DecisionId, MemoryId, SessionId
from lamina.domain.outcome import Decision, Outcome
from lamina.domain.references import RuleRef
from lamina.testing.verbs.driven import NOWHERE, RULE, Driven
from lamina.testing.verbs.model import Doubted, Place, Row, Said, Voice, ended, matter_of, retired
from lamina.testing.verbs.placing import ENOUGH, settle, voices_apart
from lamina.testing.verbs.sides import ACTIONS
from lamina.testing.verbs.vocabulary import BACK, CLAIMS, COPY, KINDS, PICKS, TEXTS, Text

STEPS = {
    "open": {"dismissed", "surfaced_to_operator"},
    "surfaced_to_operator": {"dismissed", "promoted_to_revision_signal"},
    "dismissed": {"open"},
    "promoted_to_revision_signal": set[str](),
}
WHERE = st.integers(0, 5)
"""Of six times once at the other anchor."""


class Saying(Driven):
    """Every way to say something of what is known."""

    # ---- facts and preferences

    @rule(
        where=WHERE,
        text=TEXTS | st.just(COPY),
        claim=st.none() | CLAIMS,
        back=BACK,
        sure=st.sampled_from([None, None, 0.95, 0.5]),
        within=PICKS,
    )
    def prefer(
        self, where: int, text: Text, claim: Claim | None, back: timedelta | None, sure: float | None, within: int
    ) -> None:
        """How things are to be done, said in a session or outside any."""
        place, at = self._place(where), self._at(back)
        handle, session = self._within(place, within)
        given, said = self.outcome(
            place,
            lambda n, m: (handle.held[n] if handle else m).prefer(text.body, claim=claim, confidence=sure, at=at),
            planned=handle is None,
        )
        closed = handle is not None and handle.closed
        stopped = "scope" if closed else "write-policy" if sure == 0.5 else self._copied(text)
        if not self.refused(place, "prefer", said, stopped):
            row = self._new(place, "procedural", text, claim, at, said.ids[said.decision is Decision.NOOP])
            kind = "operator_input" if sure is None else "agent_inference"
            word = Voice(row.id, (kind, session or place.anchor.id), session, confirms=True, at=self.now, order=0)
            place.tell("prefer", said, *settle(place, row, [word], self.now, said))
        self.logged(place, given)

    @rule(
        where=WHERE,
        text=TEXTS | st.just(COPY),
        claim=st.none() | CLAIMS,
        back=BACK,
        because=st.lists(PICKS, max_size=3),
        within=PICKS,
    )
    def propose(
        self, where: int, text: Text, claim: Claim | None, back: timedelta | None, because: list[int], within: int
    ) -> None:
        """A fact, with evidence that may be nowhere."""
        place, at = self._place(where), self._at(back)
        handle, _ = self._within(place, within)
        ids = [self._any(place, pick, seen=True) for pick in because]
        given, said = self.outcome(
            place,
            lambda n, m: (handle.held[n] if handle else m).propose(text.body, claim=claim, because=ids, at=at),
            planned=handle is None,
        )
        speaking = [self._evidence(place, id_) for id_ in ids]
        waiting = self._waiting(place, claim)
        closed = handle is not None and handle.closed
        lacking = not speaking or None in speaking
        stopped = "scope" if closed else "evidence" if lacking else None if waiting else self._copied(text)
        if not self.refused(place, "propose", said, stopped):
            row = waiting or self._new(place, "semantic", text, claim, at, said.ids[said.decision is Decision.NOOP])
            for one in dict.fromkeys(one for one in speaking if one):
                word = Voice(row.id, ("observation_event", one.id), one.origin, confirms=True, at=self.now, order=0)
                place.speak(row.id, [word])
            self._reconsider(place, "propose", row, said)
        self.logged(place, given)

    @rule(where=WHERE, pick=PICKS, kind=KINDS, ref=PICKS, session=PICKS, confirms=st.booleans())
    def corroborate(self, where: int, pick: int, kind: SourceType, ref: int, session: int, confirms: bool) -> None:
        """Somebody confirms a record or fails to: one of a few voices, or another record."""
        place = self._place(where)
        id_, known = self._any(place, pick), sorted({one.session for one in self.handles})
        whose = known[session % len(known)] if known and session % 2 else None
        source = Source(
            kind,
            self._any(place, ref) if ref % 3 == 0 else UUID(int=ref % 4 + 100),
            SessionId(whose) if whose else None,
        )
        finding = "confirmed" if confirms else "failed"
        given, said = self.outcome(place, lambda _, m: m.corroborate(id_, source, finding, notes="— ✓"))
        row = place.rows.get(id_)
        stopped = "anchor" if row is None else None if row.live or row.status == "candidate" else "corroboration"
        if row and not self.refused(place, "corroborate", said, stopped):
            place.speak(id_, [Voice(id_, (str(kind), source.ref), whose, confirms, self.now, 0)])
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
        if voices_apart(voices) < ENOUGH:
            assert (said.decision, said.rule, said.ids) == (Decision.HELD, "corroborated", (row.id,)), said
            place.tell(verb, said, row)
        else:
            place.tell(verb, said, *settle(place, row, voices, self.now, said))

    def _new(self, place: Place, typology: str, text: Text, claim: Claim | None, at: datetime | None, id_: UUID) -> Row:
        """A candidate, recorded no earlier than what is known of its matter. It is not there yet."""
        assert id_ not in place.rows
        matter, value = matter_of(claim)
        recorded = max([self.now, *(one.recorded for one in place.line(typology, matter))])
        place.texts[id_] = text
        return Row(
            id_,
            "persistent",
            typology,
            text.body,
            at or recorded,
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

    # ---- contradictions and actions

    @rule(where=WHERE, pick=PICKS, other=PICKS, by_rule=st.sampled_from([None, None, "v1", "v9"]))
    def contradict(self, where: int, pick: int, other: int, by_rule: str | None) -> None:
        """Two records do not fit together, or a record and a rule."""
        place = self._place(where)
        id_, against = self._any(place, pick), self._any(place, other)
        sides: dict[str, Any] = {"rule": RuleRef(RULE.rule_id, by_rule)} if by_rule else {"other": against}
        given, said = self.outcome(place, lambda _, m: m.contradict(id_, note="?", **sides))
        there = id_ in place.rows and (by_rule is not None or against in place.rows)
        stopped = None if there else "anchor"
        if there and by_rule and not (self.has_rules and by_rule == "v1"):
            stopped = "reference"
        if there and not by_rule and id_ == against:
            stopped = "contradiction"
        if not self.refused(place, "contradict", said, stopped):
            touched = (id_,) if by_rule else (id_, against)
            assert (said.decision, said.ids) == (Decision.NOOP, touched)
            place.tell("contradict", said)
            place.doubts[id_] = Doubted(id_, frozenset({sides.get("rule") or against}))
        self.logged(place, given)

    @rule(where=WHERE, pick=PICKS, status=st.sampled_from(sorted(STEPS)))
    def move_contradiction(self, where: int, pick: int, status: str) -> None:
        """One step on, if its status leads there."""
        place = self._place(where)
        id_ = ContradictionId(_one(sorted(place.doubts), pick) or NOWHERE)
        given, said = self.outcome(place, lambda _, m: m.move_contradiction(id_, status, "seen"))
        known = place.doubts.get(id_)
        stopped = "anchor" if known is None else None if status in STEPS[known.statuses[-1]] else "contradiction-status"
        if not self.refused(place, "move_contradiction", said, stopped) and known:
            assert said.ids == (
                (known.memory,) if isinstance(known.against, RuleRef) else (known.memory, known.against)
            )
            place.tell("move_contradiction", said)
            place.doubts[id_] = replace(known, statuses=(*known.statuses, status))
        self.logged(place, given)

    @rule(where=WHERE, picks=st.lists(PICKS, max_size=2), action=st.sampled_from(ACTIONS))
    def link_action(self, where: int, picks: list[int], action: tuple[str, str]) -> None:
        """An action rests on them."""
        place = self._place(where)
        ids = [self._any(place, pick) for pick in picks]
        given, said = self.outcome(place, lambda _, m: m.link_action(*action, ids))
        fit = ids and all(id_ in place.rows and place.rows[id_].status != "tombstoned" for id_ in ids)
        if not self.refused(place, "link_action", said, None if fit else "evidence"):
            assert (said.decision, said.ids) == (Decision.NOOP, tuple(dict.fromkeys(ids)))
            place.tell("link_action", said)
            place.links |= {(action[1], id_) for id_ in ids}
        self.logged(place, given)

    # ---- words about one record

    @rule(where=WHERE, pick=PICKS)
    def archive(self, where: int, pick: int) -> None:
        """Not what an action rests on."""
        place = self._place(where)
        id_ = self._any(place, pick)
        given, said = self.outcome(place, lambda _, m: m.archive(id_, reason="stale"))
        row = place.rows.get(id_)
        fit = row and (row.live or row.status == "candidate")
        stopped = "anchor" if row is None else "action-linkage" if place.linked(id_) else None if fit else "archive"
        self._word(place, "archive", said, stopped, row and retired(row, "archived", self.now))
        self.logged(place, given)

    @rule(where=WHERE, pick=PICKS)
    def exempt(self, where: int, pick: int) -> None:
        """Only what nothing has become of yet."""
        place = self._place(where)
        id_ = self._any(place, pick)
        given, said = self.outcome(place, lambda _, m: m.exempt(id_, reason="a landmark"))
        row = place.rows.get(id_)
        stopped = "anchor" if row is None else None if row.status == "active" else "exempt"
        self._word(place, "exempt", said, stopped, row and retired(row, "exempted", self.now))
        self.logged(place, given)

    @rule(where=WHERE, pick=PICKS, back=BACK)
    def invalidate(self, where: int, pick: int, back: timedelta | None) -> None:
        """It is no longer so; it cannot have ended before it began."""
        place, since = self._place(where), self._at(back)
        id_ = self._any(place, pick)
        given, said = self.outcome(place, lambda _, m: m.invalidate(id_, reason="reversed", since=since))
        row = place.rows.get(id_)
        stopped = "anchor" if row is None else None if row.live else "invalidate"
        if row and row.live and since and since < row.since:
            stopped = "validity"
        after = row and replace(retired(row, "invalidated", self.now), until=ended(row, since or self.now))
        self._word(place, "invalidate", said, stopped, after)
        self.logged(place, given)

    @rule(where=WHERE, pick=PICKS, other=PICKS)
    def supersede(self, where: int, pick: int, other: int) -> None:
        """By another that is live."""
        place = self._place(where)
        id_, by = self._any(place, pick), self._any(place, other)
        given, said = self.outcome(place, lambda _, m: m.supersede(id_, by=by))
        row, new = place.rows.get(id_), place.rows.get(by)
        fit = row and new and row.live and new.live and row is not new
        stopped = "anchor" if row is None or new is None else None if fit else "supersede"
        self._word(place, "supersede", said, stopped, row and retired(row, "superseded", self.now, by))
        self.logged(place, given)

    @rule(where=WHERE, pick=PICKS)
    def erase(self, where: int, pick: int) -> None:
        """Only what is retired, and that nothing needs."""
        place = self._place(where)
        id_ = self._any(place, pick)
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

    # ---- looking back

    @rule(where=WHERE, pick=PICKS, late=st.booleans())
    @precondition(lambda self: any(place.log for place in self.places))
    def undo(self, where: int, pick: int, late: bool) -> None:
        """One decision, mostly one of the last."""
        place = self._place(where)
        pool = sorted(place.log)[-6:] if late else sorted(place.log)
        id_ = DecisionId(_one(pool, pick) or NOWHERE)
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
            if before is None or before.status == "candidate":
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
    def history(self, where: int, pick: int) -> None:
        """The record and what took its place, each with its decisions."""
        place = self._place(where)
        id_ = self._any(place, pick)
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

    # ---- picking

    def _place(self, where: int) -> Place:
        return self.places[where == 5]

    def _at(self, back: timedelta | None) -> datetime | None:
        return None if back is None else self.now + back

    def _copied(self, text: Text) -> str | None:
        return "rule-shadow" if text.copies_the_rule and self.has_rules else None

    def _within(self, place: Place, pick: int) -> tuple[Any, UUID | None]:
        mine = [handle for handle in self.handles if handle.place is place]
        handle = mine[pick % len(mine)] if mine and pick % 2 else None
        return handle, handle.session if handle else None

    def _any(self, place: Place, pick: int, *, seen: bool = False) -> MemoryId:
        """A record; now and then one that is gone, or of the other anchor, or nowhere."""
        other = self.places[self.places[0] is place]
        if pick % 17 == 0:
            return MemoryId(_one(sorted(place.gone) + sorted(other.rows), pick // 17) or NOWHERE)
        mine = [row.id for row in place.rows.values() if not seen or row.typology == "episodic"]
        gone = sorted(place.gone) if seen else []
        return MemoryId(_one(sorted(mine) + gone, pick) or NOWHERE)


def _one(of: Sequence[UUID], pick: int) -> UUID | None:
    """One of these, the later ones first."""
    return of[-1 - pick % len(of)] if of else None


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
