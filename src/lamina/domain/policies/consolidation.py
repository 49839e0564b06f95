"""P11, consolidation: how several observations become fewer, richer ones. A policy finds what belongs together; the
successor is written before its sources are superseded, and nothing is deleted."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, ClassVar, Literal, Protocol, runtime_checkable

from lamina.domain.frozen import Frozen, Share
from lamina.domain.policies.policy import OneOf, Worded
from lamina.domain.record import MemoryRecord
from lamina.domain.substance import change_between


class Relation(StrEnum):
    """How two live records of one cell stand to each other."""

    APART = "apart"
    SAME = "same"
    """One of them is enough."""
    OVERLAPPING = "overlapping"
    """A judge may merge them."""
    REPLACED = "replaced"
    """The newer takes the older one's place."""


@runtime_checkable
class ConsolidationPolicy(Worded, Protocol):
    """Answers what belongs together."""

    def relate(self, older: MemoryRecord, newer: MemoryRecord, similarity: float) -> Relation:
        """How they stand to each other, given how similar their texts are."""
        ...


class CompoundAtBoundary(Frozen):
    """Episodic: compounding at tier boundaries, with embedding-similarity dedup."""

    kind: Literal["compound-at-boundary"] = "compound-at-boundary"
    same: Share = 0.95

    @property
    def words(self) -> str:
        return f"compounding at tier boundaries; dedup at similarity {self.same:g} or more"

    def relate(self, older: MemoryRecord, newer: MemoryRecord, similarity: float) -> Relation:
        """The same only if nothing that matters differs."""
        if similarity < self.same or change_between(older.body, newer.body):
            return Relation.APART
        return Relation.SAME


class MergeByJudge(Frozen):
    """Semantic: a model merges contradicting or overlapping facts; without one they stay as they are."""

    kind: Literal["merge-by-judge"] = "merge-by-judge"
    overlapping: Share = 0.85

    @property
    def words(self) -> str:
        return f"LLM-based merge of contradicting facts, and of facts that overlap at {self.overlapping:g} or more"

    def relate(self, older: MemoryRecord, newer: MemoryRecord, similarity: float) -> Relation:
        """Overlapping if they are about one thing, or read alike."""
        return (
            Relation.OVERLAPPING if _about_one_thing(older, newer) or similarity >= self.overlapping else Relation.APART
        )


class AppendWithSupersession(Frozen):
    """Procedural: the latest valid preference replaces the prior in the active set."""

    words: ClassVar[str] = "append-with-supersession: the latest valid preference replaces the prior"
    kind: Literal["append-with-supersession"] = "append-with-supersession"

    def relate(self, older: MemoryRecord, newer: MemoryRecord, similarity: float) -> Relation:  # noqa: ARG002
        """Replaced if both are claims about one thing."""
        return Relation.REPLACED if _about_one_thing(older, newer) else Relation.APART


def _about_one_thing(older: MemoryRecord, newer: MemoryRecord) -> bool:
    return older.claim is not None and newer.claim is not None and older.claim.key == newer.claim.key


Consolidation = Annotated[ConsolidationPolicy, OneOf(CompoundAtBoundary, MergeByJudge, AppendWithSupersession)]
