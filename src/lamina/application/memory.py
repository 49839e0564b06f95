"""What a user holds: the memory of one agent, bound to an anchor, to a session, to an interaction."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from types import TracebackType
from typing import Self
from uuid import UUID

from lamina.application.corroborate import Source, Testimony, corroborate
from lamina.application.history import Chapter, history
from lamina.application.observe import Observation, observe
from lamina.application.propose import propose
from lamina.application.recall import Hit, Query, recall
from lamina.application.resources import Resources
from lamina.domain.anchor import Anchor, AnchorValue
from lamina.domain.claim import Claim
from lamina.domain.corroboration import Finding
from lamina.domain.frozen import FrozenMap
from lamina.domain.ids import InteractionId, MemoryId, SessionId
from lamina.domain.outcome import Outcome
from lamina.domain.references import RuleRef
from lamina.domain.scope import InteractionScope, PersistentScope, Scope, SessionScope
from lamina.domain.selection import Selection
from lamina.domain.tier import Tier
from lamina.domain.typology import Typology
from lamina.ports.canonical_rules import Rule

ALL_TIERS = tuple(Tier)
ALL_TYPOLOGIES = tuple(Typology)


class Memory:
    """One agent's memory. Close it, or use it in a `with` statement."""

    def __init__(self, resources: Resources) -> None:
        self._resources = resources

    def at(self, **keys: AnchorValue) -> AnchoredMemory:
        """The memory of one anchor. It is immutable, and no verb of it takes a tenant again."""
        return AnchoredMemory(self._resources, self._resources.spec.persistent_anchor.bind(keys))

    def close(self) -> None:
        """Lets go of the store."""
        self._resources.store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class AnchoredMemory:
    """The memory of one anchor."""

    def __init__(self, resources: Resources, anchor: Anchor) -> None:
        self._resources = resources
        self.anchor = anchor

    def session(self, session_id: UUID | None = None) -> Session:
        """A sitting: what is observed and proposed in it belongs together."""
        return Session(self._resources, self.anchor, SessionId(session_id or self._resources.ids.new()))

    def recall(  # noqa: PLR0913 (each is one thing that a caller may narrow by)
        self,
        text: str,
        limit: int = 10,
        *,
        tags: Mapping[str, str] | None = None,
        tiers: Sequence[Tier] = ALL_TIERS,
        typologies: Sequence[Typology] = ALL_TYPOLOGIES,
        since: datetime | None = None,
        until: datetime | None = None,
        include_retired: bool = False,
    ) -> list[Hit]:
        """What answers the text, best first; each hit says why."""
        selection = Selection(
            tiers=frozenset(tiers),
            typologies=frozenset(typologies),
            since=since,
            until=until,
            include_retired=include_retired,
        )
        return recall(self._resources, self.anchor, Query(text, limit, tags, selection))

    def corroborate(
        self, memory_id: MemoryId, source: Source, outcome: str = Finding.CONFIRMED, notes: str = ""
    ) -> Outcome:
        """A source confirms a record, or fails to."""
        return corroborate(self._resources, self.anchor, memory_id, Testimony(source, Finding(outcome), notes))

    def history(self, memory_id: MemoryId) -> list[Chapter]:
        """What became of a record, and why."""
        return history(self._resources, self.anchor, memory_id)

    def propose(self, text: str, *, claim: Claim | None = None, because: Sequence[MemoryId] = ()) -> Outcome:
        """Proposes a fact with its evidence; the promotion criteria decide."""
        return propose(self._resources, PersistentScope(self.anchor), text, claim, because)

    def add_rules(self, rules: Sequence[Rule]) -> None:
        """Puts canonical rules where memory refers to them: for local work, where no other owner keeps them."""
        with self._resources.store.unit(self.anchor) as unit:
            unit.rules.add(rules)


class _Observing:
    """What a session and an interaction have in common: things are observed in them, and facts proposed from that."""

    def __init__(self, resources: Resources, scope: InteractionScope | SessionScope, positions: Positions) -> None:
        self._resources = resources
        self.scope: Scope = scope
        self._observed = scope
        self._positions = positions

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
        return observe(self._resources, self._observed, observations, self._positions.take(len(observations)))

    def propose(self, text: str, *, claim: Claim | None = None, because: Sequence[MemoryId] = ()) -> Outcome:
        """Proposes a fact with its evidence; the promotion criteria decide."""
        return propose(self._resources, self.scope, text, claim, because)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        return None


class Positions:
    """Counts what is observed in a session, so that neighbours can be told."""

    def __init__(self) -> None:
        self._next = 0

    def take(self, count: int) -> int:
        """The first of the next positions."""
        first, self._next = self._next, self._next + count
        return first


class Session(_Observing):
    """One sitting at an anchor."""

    def __init__(self, resources: Resources, anchor: Anchor, session_id: SessionId) -> None:
        super().__init__(resources, SessionScope(anchor, session_id), Positions())
        self._session = SessionScope(anchor, session_id)

    @property
    def id(self) -> SessionId:
        """Which session it is."""
        return self._session.session_id

    def interaction(self) -> Interaction:
        """One turn of the session."""
        interaction_id = InteractionId(self._resources.ids.new())
        scope = InteractionScope(self._session.anchor, self.id, interaction_id)
        return Interaction(self._resources, scope, self._positions)


class Interaction(_Observing):
    """One turn of a session."""
