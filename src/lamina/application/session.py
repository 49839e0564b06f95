"""The transient scopes that a user holds: a session, and an interaction in it. Leaving one is the tier boundary."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from functools import partial
from types import TracebackType
from typing import Self

from lamina.application.closing import Closed, close, escalate
from lamina.application.deciding import decide, refused
from lamina.application.inject import Block, inject
from lamina.application.loop import ActorLoop, new_standing
from lamina.application.observe import Observation, observe
from lamina.application.persona_memory import persona_memory
from lamina.application.prefer import Preference, prefer
from lamina.application.propose import Proposal, propose
from lamina.application.resources import Resources
from lamina.domain.anchor import Anchor, AnchorValue
from lamina.domain.claim import Claim
from lamina.domain.errors import ImpossibleState, Refused
from lamina.domain.event import Event
from lamina.domain.events import Persona
from lamina.domain.frozen import FrozenMap
from lamina.domain.ids import InteractionId, MemoryId, SessionId
from lamina.domain.long_term import compacted, shortened
from lamina.domain.outcome import Outcome
from lamina.domain.references import RuleRef
from lamina.domain.refusal import Refusal
from lamina.domain.scope import InteractionScope, SessionScope
from lamina.domain.tier import BoundaryKind, Tier


class _Open:
    """What a session and an interaction have in common: things are observed in them until they are closed."""

    def __init__(self, resources: Resources, scope: InteractionScope | SessionScope, positions: Positions) -> None:
        self._resources = resources
        self.scope = scope
        self._positions = positions
        self._closed = False
        self._ending: Tier = scope.tier
        """What is over when it is closed."""

    def observe(
        self,
        text: str,
        *,
        tags: Mapping[str, str] = FrozenMap(),
        rules: Sequence[RuleRef] = (),
        at: datetime | None = None,
    ) -> Outcome:
        """Writes down what happened."""
        return self.observe_many([Observation(text, tags, rules, at)])[0]

    def observe_many(self, observations: Sequence[Observation]) -> list[Outcome]:
        """Writes down many things that happened, in one transaction."""
        if self._closed:
            return [self._over("observe") for _ in observations]
        return observe(self._resources, self.scope, observations, self._positions.take(len(observations)))

    def propose(
        self,
        text: str,
        *,
        claim: Claim | None = None,
        because: Sequence[MemoryId] = (),
        at: datetime | None = None,
        rules: Sequence[RuleRef] = (),
    ) -> Outcome:
        """Proposes a fact with its evidence; the promotion criteria decide.

        `at` is since when it is so; `rules` are the canonical rules that it is about.
        """
        if self._closed:
            return self._over("propose")
        return propose(self._resources, self.scope, Proposal(text, claim, because, at, rules))

    def prefer(
        self, text: str, *, claim: Claim | None = None, confidence: float | None = None, at: datetime | None = None
    ) -> Outcome:
        """Writes how things are to be done: as stated, or with the confidence of whoever inferred it."""
        if self._closed:
            return self._over("prefer")
        return prefer(self._resources, self.scope, Preference(text, claim, confidence, at))

    def inject(self, query: str, budget: int | None = None) -> Block:
        """Memory for a prompt, as quoted data, in at most so many tokens, or as many as the spec gives its tiers.

        What this scope holds is always present as its tiers say; the rest is what answers the query. What goes in is
        noted, so that the session does not take it for something new.
        """
        if self._closed:
            raise Refused(f"{self.scope.tier}", "is closed, and shows nothing any more", "open another")
        return inject(self._resources, self.scope, query, budget, self.scope.session_id)

    def close(self) -> Closed:
        """Ends it: what matters moves up, the rest is dropped. Closing it twice is refused, and changes nothing."""
        if self._closed:
            return Closed((self._over("close"),))
        self._closed = True
        return self._end()

    def _end(self) -> Closed:
        return close(self._resources, self.scope)

    def _over(self, verb: str) -> Outcome:
        refusal = Refusal("scope", f"this {self._ending} is closed: open another")
        return decide(self._resources, self.scope.anchor, verb, lambda _: refused(refusal))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        # Whatever happened inside it, it is over.
        if not self._closed:
            self.close()


class Positions:
    """Counts what is observed in a session, so that neighbours can be told. It goes on where the session was left."""

    def __init__(self, resources: Resources, scope: SessionScope, following: int | None) -> None:
        self._resources = resources
        self._scope = scope
        self._next = following

    def take(self, count: int) -> int:
        """The first of the next positions."""
        first = self._left_at() if self._next is None else self._next
        self._next = first + count
        return first

    def _left_at(self) -> int:
        with self._resources.store.reading(self._scope.anchor) as unit:
            return unit.records.next_position(self._scope.session_id)


class Session(_Open):
    """One sitting at an anchor."""

    def __init__(self, resources: Resources, anchor: Anchor, session_id: SessionId | None) -> None:
        scope = SessionScope(anchor, session_id or SessionId(resources.ids.new()))
        # Only a session that was named may have been there before.
        super().__init__(resources, scope, Positions(resources, scope, None if session_id else 0))
        self._going_on = 0

    @property
    def id(self) -> SessionId:
        """Which session it is."""
        return self.scope.session_id

    def enter(self, **keys: AnchorValue) -> Session:
        """Goes on at another anchor, such as another domain: that ends the session here. Keys not given stay."""
        anchor = self._resources.spec.persistent_anchor.bind({**dict(self.scope.anchor.parts), **keys})
        if anchor == self.scope.anchor:
            return self
        self._check_boundary(BoundaryKind.SCOPE_CHANGE)
        self.close()
        return Session(self._resources, anchor, None)

    def escalate(self) -> Closed:
        """What qualifies moves up to the broader anchor now, and the session goes on."""
        self._check_boundary(BoundaryKind.ANCHOR_ESCALATION)
        return Closed((self._over("escalate"),)) if self._closed else escalate(self._resources, self.scope)

    def _check_boundary(self, kind: BoundaryKind) -> None:
        spec = self._resources.spec
        if kind not in spec.boundaries(Tier.SESSION):
            raise ImpossibleState(
                f"session of {spec.name}", f"has no boundary by {kind}", "declare one in the spec's tiers, or close it"
            )

    def interaction(self) -> Interaction:
        """One turn of the session. One of a closed session is closed: it refuses whatever is said in it."""
        scope = InteractionScope(self.scope.anchor, self.id, InteractionId(self._resources.ids.new()))
        if self._closed:
            return Interaction(self._resources, scope, self._positions)
        self._going_on += 1
        return Interaction(self._resources, scope, self._positions, ended=self._one_ended)

    def loop(self) -> ActorLoop:
        """A loop of the actor as one turn of the session: its events are observed too, as far as the write policy
        takes them."""
        memory = persona_memory(self._resources, self.scope.anchor, Persona.ACTOR)
        standing = new_standing(memory)
        scope = InteractionScope(self.scope.anchor, self.id, InteractionId(standing.loop_id))
        self._going_on += 1
        turn = Interaction(self._resources, scope, self._positions, ended=self._one_ended)
        return ActorLoop(memory, standing, ended=partial(observe_events, turn))

    def _end(self) -> Closed:
        # Session memory stays for its interaction window: the last interaction to end takes it along (D12).
        return Closed() if self._going_on else super()._end()

    def _one_ended(self) -> Closed:
        self._going_on -= 1
        return super()._end() if self._closed and not self._going_on else Closed()


class Interaction(_Open):
    """One turn of a session."""

    def __init__(
        self,
        resources: Resources,
        scope: InteractionScope,
        positions: Positions,
        *,
        ended: Callable[[], Closed] | None = None,
    ) -> None:
        super().__init__(resources, scope, positions)
        self._ended = ended
        if ended is None:
            self._closed, self._ending = True, Tier.SESSION

    @property
    def body_bound(self) -> int:
        """How many characters an observation may have."""
        return self._resources.spec.persistence.body_bound

    def _end(self) -> Closed:
        own = super()._end()
        return Closed((*own.outcomes, *(self._ended().outcomes if self._ended else ())))


def observe_events(turn: Interaction, events: Sequence[Event]) -> None:
    """What was logged is observed (P8), and the turn is over: each event as one line that refers to it."""
    bound = turn.body_bound
    turn.observe_many(
        [
            Observation(shortened(compacted(one), bound), {"kind": one.kind.value, "event": str(one.id)}, at=one.ts)
            for one in events
        ]
    )
    turn.close()
