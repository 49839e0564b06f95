"""How memory is asked, whether it is one anchor's or several anchors', as it is or as it was."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from lamina.application.hit import Hit
from lamina.application.query import Query
from lamina.application.resources import Resources
from lamina.domain.as_of import AsOf
from lamina.domain.choices import choices
from lamina.domain.errors import OutOfRange, UnknownKey, WrongType
from lamina.domain.instants import checked_instant
from lamina.domain.selection import Selection
from lamina.domain.tier import Tier
from lamina.domain.typology import Typology

ALL_TYPOLOGIES = frozenset(Typology)
Ask = Callable[[Sequence[Query]], list[list[Hit]]]


class Recalling(ABC):
    """What one anchor's memory and that of several have in common: they are asked in the same words."""

    _resources: Resources

    @abstractmethod
    def _recalled(self, queries: Sequence[Query]) -> list[list[Hit]]: ...

    def recall(  # noqa: PLR0913 (each is one thing that a caller may narrow by)
        self,
        text: str,
        limit: int = 10,
        *,
        tags: Mapping[str, str] | None = None,
        tiers: Collection[Tier] | None = None,
        typologies: Collection[Typology] = ALL_TYPOLOGIES,
        since: datetime | None = None,
        until: datetime | None = None,
        include_retired: bool = False,
    ) -> list[Hit]:
        """What answers the text, best first; each hit says why. Of the tiers that the spec asks, unless told which."""
        return self.recall_many(
            [text],
            limit,
            tags=tags,
            tiers=tiers,
            typologies=typologies,
            since=since,
            until=until,
            include_retired=include_retired,
        )[0]

    def recall_many(  # noqa: PLR0913 (each is one thing that a caller may narrow by)
        self,
        texts: Sequence[str],
        limit: int = 10,
        *,
        tags: Mapping[str, str] | None = None,
        tiers: Collection[Tier] | None = None,
        typologies: Collection[Typology] = ALL_TYPOLOGIES,
        since: datetime | None = None,
        until: datetime | None = None,
        include_retired: bool = False,
    ) -> list[list[Hit]]:
        """What answers each of the texts: embedded in one batch, and asked in the round trips of one draw."""
        if isinstance(texts, str | bytes) or not isinstance(texts, Sequence):
            raise WrongType("texts", f"are a {type(texts).__name__}", "give a list of them, or ask recall")
        selection = Selection(
            tiers=self._tiers(tiers),
            typologies=ALL_TYPOLOGIES if typologies is ALL_TYPOLOGIES else choices(Typology, typologies, "typology"),
            since=since,
            until=until,
            include_retired=_switch(include_retired, "include_retired"),
        )
        if since and until and since > until:
            raise OutOfRange("since", f"({since.isoformat()}) is after until", "give the earlier of the two first")
        return self._recalled([Query(text, limit, tags, selection) for text in texts])

    def as_of(self, valid_at: datetime | None = None, known_at: datetime | None = None) -> AsOfMemory:
        """The same memory as it stood: what we knew at `known_at` of what was so at `valid_at`.

        Without `known_at`, all that we know now; without `valid_at`, what we took to be so at `known_at`.
        """
        now = self._resources.clock.now()
        known = now if known_at is None else checked_instant(known_at, "known_at")
        then = AsOf(known if valid_at is None else valid_at, known)
        if known > now:
            raise OutOfRange(
                "known_at", f"({known.isoformat()}) is in the future", "nobody knows yet what we shall know"
            )
        return AsOfMemory(self._resources, self._recalled, then)

    def _tiers(self, asked: Collection[Tier] | None) -> frozenset[Tier]:
        there = frozenset(self._resources.spec.retrieval.tiers)
        if asked is None:
            return there
        chosen = choices(Tier, asked, "tier")
        for tier in sorted(chosen - there):
            known = ", ".join(sorted(there))
            raise UnknownKey(f"tier {tier}", "is not one that this spec recalls from", f"ask for {known}")
        return chosen


def _switch(given: bool, where: str) -> bool:  # noqa: FBT001 (it is the switch itself)
    if not isinstance(given, bool):
        raise WrongType(where, f"is a {type(given).__name__}", "give True or False")
    return given


class AsOfMemory(Recalling):
    """Memory as it stood at another time. It has no verb that writes."""

    def __init__(self, resources: Resources, ask: Ask, then: AsOf) -> None:
        self._resources = resources
        self._ask = ask
        self.then = then

    def as_of(self, valid_at: datetime | None = None, known_at: datetime | None = None) -> AsOfMemory:
        """The same at yet another time: what is not said again stays."""
        valid, known = self.then.valid_at, self.then.known_at
        return super().as_of(valid if valid_at is None else valid_at, known if known_at is None else known_at)

    def _recalled(self, queries: Sequence[Query]) -> list[list[Hit]]:
        return self._ask([_standing(one, self.then) for one in queries])


def _standing(query: Query, then: AsOf) -> Query:
    """The query as of that time, if it is not of another."""
    return query if query.selection.as_of else replace(query, selection=replace(query.selection, as_of=then))
