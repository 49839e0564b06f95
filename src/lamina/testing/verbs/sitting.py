"""The verbs of sessions and interactions: they are opened, observed in, closed, left behind, and dreamt of."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from uuid import UUID

from hypothesis import strategies as st
from hypothesis.stateful import precondition, rule

from lamina.application.anchored import AnchoredMemory
from lamina.application.observe import Observation
from lamina.application.session import Session
from lamina.domain.dreaming import Dreamt
from lamina.domain.outcome import Decision, Outcome
from lamina.domain.tier import BoundaryKind
from lamina.testing.verbs.driven import RULE, Driven, Sitting, Turn
from lamina.testing.verbs.model import Place, Row
from lamina.testing.verbs.picking import WHERE
from lamina.testing.verbs.scopes import Scopes
from lamina.testing.verbs.sides import Verb
from lamina.testing.verbs.vocabulary import BACK, HOURS, PICKS, SAYINGS, TEXTS, Text

Observed = list[tuple[Text, timedelta | None, bool]]
OBSERVED = st.lists(st.tuples(SAYINGS, BACK, st.booleans()), min_size=1, max_size=4)


class SittingDown(Driven):
    """Every way to open, use and end a scope."""

    @rule(hours=HOURS)
    def time_passes(self, hours: int) -> None:
        """Or somebody sets the clock back."""
        self.turn(hours)

    @rule(where=WHERE, text=TEXTS)
    @precondition(lambda self: self.has_rules)
    def becomes_a_rule(self, where: int, text: Text) -> None:
        """What was observed becomes canonical: it moves up no more, and whoever says it again copies it."""
        place = self.places[where]
        if text.family not in place.canon and len(place.log) % 4 == 3:
            self.make_rule(place, text)

    @rule(where=WHERE, again=PICKS)
    def sit_down(self, where: int, again: int) -> None:
        """A new session, or one that was there before."""
        place = self.places[where]
        known = sorted({handle.session for handle in self.handles if handle.place is place})
        session = known[again % len(known)] if known and again % 3 == 0 else None
        held = [side.at(place.anchor).session(session) for side in self.sides]
        assert len({one.id for one in held}) == 1
        self.handles.append(Sitting(place, held))

    @rule(pick=PICKS)
    @precondition(lambda self: self.handles)
    def take_a_turn(self, pick: int) -> None:
        """An interaction; of a closed session it is closed from the beginning."""
        handle = self._handle(pick)
        sitting = handle.sitting if isinstance(handle, Turn) else handle
        self.handles.append(Turn(sitting, [one.interaction() for one in sitting.held]))
        sitting.going_on += not sitting.closed

    @rule(pick=PICKS, seen=OBSERVED)
    @precondition(lambda self: self.handles)
    def observe(self, pick: int, seen: Observed) -> None:
        """Several things happened; some of them copy the rule."""
        handle = self._handle(pick)
        place, texts = handle.place, [text for text, _, _ in seen if self.has_rules or text.family >= 0]
        many = [
            Observation(text.body, at=self._when(back), rules=[RULE] if refers and self.has_rules else ())
            for text, back, refers in seen
            if self.has_rules or text.family >= 0
        ]
        given = self.run(
            place,
            lambda number, _: handle.held[number].observe_many(many),
            None
            if handle.closed or handle.interaction
            else (lambda _, memory: memory.session(handle.session).observe_many(many)),
        )
        for text, one, said in zip(texts, many, given.said, strict=True):
            stopped = "scope" if handle.closed else self.copied(place, text)
            if not self.refused(place, "observe", said, stopped):
                self._seen(handle, text, one, said)
        self.logged(place, given)

    def _seen(self, handle: Sitting | Turn, text: Text, one: Observation, said: Outcome) -> None:
        place, (id_,) = handle.place, said.ids
        assert said.decision is Decision.ADD
        assert id_ not in place.rows
        place.tell("observe", said)
        place.put(
            Row(
                id_,
                "interaction" if handle.interaction else "session",
                "episodic",
                text.body,
                one.at or self.now,
                self.now,
                handle.session,
                handle.interaction,
                origin=handle.session,
            ),
            text,
        )
        if one.rules:
            place.refs[id_] = frozenset({RULE.version})

    @rule(pick=PICKS)
    @precondition(lambda self: self.handles)
    def close(self, pick: int) -> None:
        """Closing twice is refused; a session waits for its last interaction."""
        handle = self._handle(pick)
        if not handle.closed or pick % 3 == 0:
            self._close(handle)

    def _close(self, handle: Sitting | Turn) -> None:
        place, sitting = handle.place, handle.sitting if isinstance(handle, Turn) else handle
        given = self.run(place, lambda number, _: handle.held[number].close(), self._close_plan(handle))
        if handle.closed:
            (said,) = given.said
            self.refused(place, "close", said, "scope")
        else:
            handle.closed = True
            scopes, rest = self._scopes(place, given.said)
            if isinstance(handle, Turn):
                scopes.close(handle.session, handle.interaction)
                sitting.going_on -= 1
            if sitting.closed and not sitting.going_on:
                scopes.close(handle.session)
            assert next(rest, None) is None
        self.logged(place, given)

    @rule(pick=PICKS, to=st.integers(0, 1))
    @precondition(lambda self: self.handles)
    def enter(self, pick: int, to: int) -> None:
        """Going on at another anchor ends the session here."""
        handle = self._handle(pick)
        if not isinstance(handle, Sitting):
            return
        keys = dict(self.places[to].anchor.parts)
        if self.places[to] is handle.place:
            assert all(one.enter(**keys) is one for one in handle.held)
        elif not self._may(BoundaryKind.SCOPE_CHANGE):
            given = self.run(handle.place, lambda number, _: handle.held[number].enter(**keys))
            assert given.said[0] == "ImpossibleState"
        else:
            self._enter(handle, self.places[to])

    def _enter(self, handle: Sitting, to: Place) -> None:
        place, keys, entered = handle.place, dict(to.anchor.parts), list[Session]()

        def go(number: int, _: AnchoredMemory) -> UUID:
            entered.append(handle.held[number].enter(**keys))
            return entered[-1].id

        given = self.run(place, go)
        if handle.closed:
            self.refused(place, "close", given.entries[0].outcome, "scope")
        else:
            handle.closed = True
            scopes, rest = self._scopes(place, [entry.outcome for entry in given.entries])
            if not handle.going_on:
                scopes.close(handle.session)
            assert next(rest, None) is None
        self.logged(place, given)
        self.handles.append(Sitting(to, entered))

    @rule(pick=PICKS)
    @precondition(lambda self: self.handles)
    def escalate(self, pick: int) -> None:
        """What qualifies moves up now."""
        handle = self._handle(pick)
        if not isinstance(handle, Sitting):
            return
        given = self.run(
            handle.place,
            lambda number, _: handle.held[number].escalate(),
            None if handle.closed else lambda _, memory: memory.session(handle.session).escalate(),
        )
        if not self._may(BoundaryKind.ANCHOR_ESCALATION):
            assert given.said[0] == "ImpossibleState"
        elif handle.closed:
            self.refused(handle.place, "escalate", given.said[0], "scope")
        else:
            scopes, rest = self._scopes(handle.place, given.said)
            scopes.escalate(handle.session)
            assert next(rest, None) is None
        self.logged(handle.place, given)

    @rule(where=WHERE, patience=st.sampled_from([0, 1, 24]), later=st.sampled_from([0, 0, 25, 24 * 91]))
    def dream(self, where: int, patience: int, later: int) -> None:
        """What nobody closed is closed, and each record comes to what its lifecycle says, at once or much later."""
        self.turn(later)
        place, waits = self.places[where], timedelta(hours=patience)

        def verb(_: int, memory: AnchoredMemory) -> Dreamt:
            return memory.dream(abandoned_after=waits)

        given = self.run(place, verb, verb)
        scopes, rest = self._scopes(place, [entry.outcome for entry in given.entries])
        scopes.dream(waits)
        assert next(rest, None) is None
        self.logged(place, given)

    def _close_plan(self, handle: Sitting | Turn) -> Verb | None:
        """A session is planned by its name; an interaction has none."""
        if isinstance(handle, Turn) or handle.closed or handle.going_on:
            return None
        return lambda _, memory: memory.session(handle.session).close()

    def _handle(self, pick: int) -> Sitting | Turn:
        """Mostly one that is open: the others only refuse."""
        open_ = [handle for handle in self.handles if not handle.closed]
        pool = open_ if open_ and pick % 6 else self.handles
        return pool[-1 - pick % len(pool)]

    def _when(self, back: timedelta | None) -> datetime | None:
        return None if back is None else self.now + back

    def _may(self, kind: BoundaryKind) -> bool:
        return any(one.kind is kind for one in self.spec.tiers[1].boundaries)

    def _scopes(self, place: Place, said: Sequence[Outcome]) -> tuple[Scopes, Iterator[Outcome]]:
        rest = iter(said)
        return Scopes(place, self.now, rest, keeps_episodes=self.keeps_episodes), rest
