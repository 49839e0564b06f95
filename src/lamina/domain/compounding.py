"""What becomes of the records of a scope that ends (P9, P11): each moves up, is there already, or stays behind."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from lamina.domain.embedding import cosine
from lamina.domain.ids import MemoryId
from lamina.domain.policies.consolidation import ConsolidationPolicy, Relation
from lamina.domain.policies.promotion import Case, Held, PromotionPolicy
from lamina.domain.record import MemoryRecord
from lamina.domain.substance import substance


@dataclass(frozen=True, slots=True)
class Likeness:
    """A record of the tier above, and how similar its text is."""

    record: MemoryRecord
    similarity: float


@dataclass(frozen=True, slots=True)
class Compounded:
    """Which records move up; which others another record says the same as; and what holds the rest."""

    rising: list[MemoryRecord] = field(default_factory=list)
    same: dict[MemoryId, MemoryId] = field(default_factory=dict)
    held: dict[MemoryId, Held] = field(default_factory=dict)


def compound(
    records: Sequence[MemoryRecord],
    vectors: Mapping[MemoryId, bytes],
    above: Mapping[MemoryId, Sequence[Likeness]],
    rule: PromotionPolicy,
    consolidation: ConsolidationPolicy,
) -> Compounded:
    """Takes the records in the order of time; the first to say a thing stands for all that say the same."""
    result = Compounded()
    said: dict[tuple[str, ...], MemoryRecord] = {}
    for record in sorted(records, key=lambda one: (one.validity.valid_at, one.id)):
        earlier = said.get(substance(record.body))
        if earlier and _relation(earlier, record, vectors, consolidation) is Relation.SAME:
            result.same[record.id] = earlier.id
            continue
        twin = _twin(record, above.get(record.id, ()))
        verdict = rule.judge(Case(similarity_to_existing=twin.similarity if twin else 0.0))
        if not isinstance(verdict, Held):
            result.rising.append(record)
            said.setdefault(substance(record.body), record)
        elif twin:
            result.same[record.id] = twin.record.id
        else:
            result.held[record.id] = verdict
    return result


def _relation(
    older: MemoryRecord, newer: MemoryRecord, vectors: Mapping[MemoryId, bytes], consolidation: ConsolidationPolicy
) -> Relation:
    both = older.id in vectors and newer.id in vectors
    return consolidation.relate(older, newer, cosine(vectors[older.id], vectors[newer.id]) if both else 0.0)


def _twin(record: MemoryRecord, above: Sequence[Likeness]) -> Likeness | None:
    """The nearest of those that say the same: a changed value, number, name or negation is not the same."""
    twins = [one for one in above if substance(one.record.body) == substance(record.body)]
    return max(twins, key=lambda one: (one.similarity, one.record.id), default=None)
