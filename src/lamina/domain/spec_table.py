"""A spec as the table that a reviewer reads: primitive, value, default or deviation, why."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import timedelta
from enum import StrEnum
from typing import Any, NamedTuple

from lamina.domain.anchor import AnchorKey
from lamina.domain.cell_policy import rows_in_use
from lamina.domain.instants import spoken
from lamina.domain.primitives import BY_FIELD
from lamina.domain.spec import AgentMemorySpec
from lamina.domain.spec_checks import TABLES
from lamina.domain.stm import Identity
from lamina.domain.tier import TierModel
from lamina.domain.trust import Trust


class Basis(StrEnum):
    """Where a value comes from."""

    EXPLICIT = "explicit"
    DEFAULT = "default"
    DEVIATION = "deviation"
    UNIVERSAL = "universal"


class Entry(NamedTuple):
    """One line of the table."""

    primitive: str
    subject: str
    value: str
    basis: Basis
    why: str = ""


def spec_table(spec: AgentMemorySpec) -> list[Entry]:
    """Every choice that the spec makes, in the order of the primitives."""
    return [*_foundational(spec), *_behavioural(spec), *_discipline(spec), *_beyond(spec)]


def _foundational(spec: AgentMemorySpec) -> Iterator[Entry]:
    yield _explicit("anchor", "scope tuple", ", ".join(map(_key, spec.anchor.keys)))
    for tier, typologies in spec.typology.items():
        yield _explicit("typology", tier, " + ".join(typologies))
    for model in spec.tiers:
        yield _explicit("tiers", model.tier, _tier(model))
    yield from _persistence(spec)
    yield from _retrieval(spec)


def _persistence(spec: AgentMemorySpec) -> Iterator[Entry]:
    kept = spec.persistence
    for tier, schema in kept.schemas.items():
        yield _explicit("persistence", tier, f"{schema}.{kept.prefix}_memory")
    if kept.checkpointer_schema:
        yield _explicit("persistence", "checkpointer", f"{kept.checkpointer_schema} (the framework's own)")
    if kept.canonical:
        yield _explicit("persistence", "canonical source", f"{kept.canonical.schema_name}.{kept.canonical.table}")
    yield _explicit("persistence", "reads from other contexts", kept.cross_context_reads)
    yield _explicit("persistence", "body bound", f"{kept.body_bound:,} characters")
    yield _explicit("persistence", "corroborations", "kept" if kept.corroborations else "none")
    yield _explicit("persistence", "contradictions", "kept" if kept.contradictions else "none")
    if kept.partitions > 1:
        yield _explicit("persistence", "partitions", f"{kept.partitions}, by hash of the anchor")


def _retrieval(spec: AgentMemorySpec) -> Iterator[Entry]:
    model = spec.retrieval
    basis = Basis.DEVIATION if model.because else Basis.EXPLICIT
    yield Entry(_named("retrieval"), "signals", _weights(model.signals), basis, model.because or "")
    yield _explicit("retrieval", "scoring", model.scoring.words)
    yield _explicit("retrieval", "tiers", _weights(model.tiers))
    yield _explicit("retrieval", "embedding", f"{model.embedding.model}, {model.embedding.dimension} dimensions")
    yield _explicit("retrieval", "reranker", f"over the best {model.rerank_best}" if model.rerank_best else "none")


def _behavioural(spec: AgentMemorySpec) -> Iterator[Entry]:
    used = rows_in_use(spec.typology)
    for field, table in TABLES.items():
        deviations = getattr(spec, field)
        for row in (row for row in table if row in used):
            if row in deviations:
                one = deviations[row]
                yield Entry(_named(field), row, one.value.words, Basis.DEVIATION, one.justification)
            else:
                yield Entry(_named(field), row, table[row].words, Basis.DEFAULT)


def _discipline(spec: AgentMemorySpec) -> Iterator[Entry]:
    for entry in spec.reference_only.non_mirror:
        yield _explicit("reference_only", entry.category, f"{entry.on_match}; refer by {entry.refer_by}")
    defence = spec.reference_only.leak_defence
    yield Entry(_named("reference_only"), "leak defence", defence.calibration, Basis.EXPLICIT, defence.because)
    if defence.containment is not None:
        yield _explicit(
            "reference_only", "containment guard", f"refuse from {defence.containment:g} of a rule's phrases on"
        )
    for crossing in spec.sanitization:
        subject = f"{crossing.source} → {crossing.target}"
        yield _explicit("sanitization", subject, f"{crossing.gate}: {crossing.effect}")
    yield _explicit("visibility", "owning context", spec.visibility.owner)
    for access in spec.visibility.access:
        yield _explicit("visibility", access.reader, access.through)


def _beyond(spec: AgentMemorySpec) -> Iterator[Entry]:
    yield Entry("audit posture", "removal", "transient and not action-linked only, at scope-end", Basis.UNIVERSAL)
    yield Entry("audit posture", "retirement", "state columns; the row stays", Basis.UNIVERSAL)
    trusted = ", ".join(f"{kind} {share:g}" for kind, share in spec.trust.kinds.items()) or "every kind wholly"
    single = f"; {len(spec.trust.sources)} single sources" if spec.trust.sources else ""
    counting = f"{trusted}{single}; counts from {spec.trust.counts_from:g}"
    yield Entry("trust", "sources", counting, Basis.DEFAULT if spec.trust == Trust() else Basis.EXPLICIT)
    if spec.event_memory:
        window = f"perfect log, LTM, STM of the last {spec.event_memory.window} loops"
        yield Entry("event memory", "layers", window, Basis.EXPLICIT)
        patience = spoken(spec.event_memory.interrupted_after)
        yield Entry("event memory", "a loop left alone", f"closed as interrupted after {patience}", Basis.EXPLICIT)
        yield Entry("event memory", "identity", _identity(spec.event_memory.identity), Basis.EXPLICIT)


def _explicit(field: str, subject: str, value: str) -> Entry:
    return Entry(_named(field), subject, value, Basis.EXPLICIT)


def _named(field: str) -> str:
    return str(BY_FIELD[field])


def _key(key: AnchorKey) -> str:
    return f"{key.name} (nullable across)" if key.nullable_across else key.name


def _tier(model: TierModel) -> str:
    ends = "; ".join(f"{boundary.event} ({boundary.kind})" for boundary in model.boundaries) or "does not end"
    return f"({', '.join(model.anchor)}); {model.scope}; {ends}"


def _identity(identity: Identity) -> str:
    boosts = dict[str, float]((*identity.kind_boosts.items(), *identity.visibility_boosts.items()))
    half_life = spoken(timedelta(seconds=identity.recency_half_life_seconds))
    weights = f"similarity {identity.w_similarity:g}, recency {identity.w_recency:g} (half-life {half_life})"
    return f"{weights}; boosts: {_weights(boosts) or 'none'}"


def _weights(weights: Mapping[Any, float]) -> str:
    return ", ".join(f"{name} {weight:g}" for name, weight in weights.items())
