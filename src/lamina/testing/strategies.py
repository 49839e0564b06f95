"""Hypothesis strategies for every part of the vocabulary, for our tests and for yours."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from uuid import UUID

from hypothesis import strategies as st

from lamina.domain.anchor import Anchor
from lamina.domain.claim import Claim
from lamina.domain.corroboration import Corroboration, Finding, SourceType
from lamina.domain.ids import AnchorId, CorroborationId, InteractionId, MemoryId, SessionId
from lamina.domain.policies.promotion import Case
from lamina.domain.record import MemoryRecord, Origin, Tags
from lamina.domain.references import RuleRef
from lamina.domain.scope import InteractionScope, PersistentScope, Scope, SessionScope
from lamina.domain.signals import Signal
from lamina.domain.state import (
    Active,
    Archived,
    Candidate,
    Exempted,
    Invalidated,
    Promoted,
    State,
    Superseded,
    Tombstoned,
)
from lamina.domain.text import is_blank
from lamina.domain.typology import Typology
from lamina.domain.validity import Validity

EARLIEST, LATEST = datetime(2000, 1, 1), datetime(2100, 1, 1)  # noqa: DTZ001 (Hypothesis adds the time zone)

storable_characters = st.characters(codec="utf-8", exclude_characters="\0")


def texts(max_size: int = 200) -> st.SearchStrategy[str]:
    """What any text field takes: visible, storable, of any script."""
    return st.text(storable_characters, min_size=1, max_size=max_size).filter(lambda text: not is_blank(text))


def instants() -> st.SearchStrategy[datetime]:
    """Times with a time zone."""
    return st.datetimes(EARLIEST, LATEST, timezones=st.just(UTC))


def durations(days: int = 3_650) -> st.SearchStrategy[timedelta]:
    """From nothing to some years."""
    return st.timedeltas(timedelta(), timedelta(days=days))


memory_ids = st.uuids().map(MemoryId)
session_ids = st.uuids().map(SessionId)
interaction_ids = st.uuids().map(InteractionId)


def anchors(*names: str) -> st.SearchStrategy[Anchor]:
    """Anchors with these keys, `org_id` and `domain_id` if none are named."""
    keys = names or ("org_id", "domain_id")
    return st.tuples(*(texts(50) for _ in keys)).map(lambda values: Anchor(tuple(zip(keys, values, strict=True))))


world_anchors = anchors()


def scopes(whose: st.SearchStrategy[Anchor] = world_anchors) -> st.SearchStrategy[Scope]:
    """Scopes of all three tiers."""
    return st.one_of(
        st.builds(InteractionScope, whose, session_ids, interaction_ids),
        st.builds(SessionScope, whose, session_ids),
        st.builds(PersistentScope, whose),
    )


def claims() -> st.SearchStrategy[Claim]:
    """Claims; few subjects and aspects, so that they meet."""
    return st.builds(
        Claim, st.sampled_from(["gate", "Operator 7", "προθεσμία"]), st.sampled_from(["is", "wants"]), texts(20)
    )


def tags() -> st.SearchStrategy[Tags]:
    """Envelopes with a few labels."""
    return st.dictionaries(texts(20), texts(20), max_size=4).map(Tags)


@st.composite
def validities(draw: st.DrawFn) -> Validity:
    """Open-ended and ended ones."""
    valid_at = draw(instants())
    lasts = draw(st.none() | durations(days=300))
    return Validity(valid_at, None if lasts is None else valid_at + lasts)


def origins() -> st.SearchStrategy[Origin]:
    """Where a record was first observed."""
    return st.builds(Origin, session_ids, st.none() | interaction_ids, st.integers(0, 1_000))


any_scope = scopes()
any_typology = st.sampled_from(Typology)
any_finding = st.sampled_from(Finding)


def records(
    scope: st.SearchStrategy[Scope] = any_scope, typology: st.SearchStrategy[Typology] = any_typology
) -> st.SearchStrategy[MemoryRecord]:
    """Active records of any cell."""
    return st.builds(
        MemoryRecord,
        id=memory_ids,
        scope=scope,
        typology=typology,
        body=texts(),
        recorded_at=instants(),
        validity=validities(),
        tags=tags(),
        claim=st.none() | claims(),
        world_version=st.none() | texts(20),
        origin=st.none() | origins(),
    )


def corroborations(outcome: st.SearchStrategy[Finding] = any_finding) -> st.SearchStrategy[Corroboration]:
    """Corroborations; few sources and sessions, so that they repeat."""
    few = st.integers(0, 4).map(lambda number: UUID(int=number))
    return st.builds(
        Corroboration,
        id=st.uuids().map(CorroborationId),
        memory_id=memory_ids,
        source_type=st.sampled_from(SourceType),
        source_ref=few,
        corroborated_at=instants(),
        session_id=st.none() | few.map(SessionId),
        outcome=outcome,
        notes=st.just("") | texts(30),
        world_version=st.none() | st.sampled_from(["v1", "v2"]),
        found_in=st.none() | few.map(AnchorId),
    )


def cases() -> st.SearchStrategy[Case]:
    """What may speak for a promotion."""
    return st.builds(
        Case,
        corroborations=st.lists(corroborations(), max_size=6).map(tuple),
        similarity_to_existing=st.floats(0, 1),
        sanitization_concern=st.none() | texts(30),
        contexts=st.frozensets(texts(10), max_size=4),
        versions=st.frozensets(texts(10), max_size=4),
        surviving_refs=st.frozensets(st.builds(RuleRef, st.uuids(), texts(10)), max_size=3),
        recurrences=st.integers(0, 6),
    )


def signal_scores(places: list[int]) -> st.SearchStrategy[dict[Signal, dict[int, float]]]:
    """What the signals found among these candidates; few different scores, so that there are ties."""
    score = st.integers(-3, 3).map(float) | st.floats(-1e6, 1e6)
    return st.dictionaries(
        st.sampled_from(Signal), st.dictionaries(st.sampled_from(places), score, max_size=len(places))
    )


def states() -> st.SearchStrategy[State]:
    """Every state that a record with a body can be in."""
    reason, criterion = texts(30), texts(30)
    return st.one_of(
        st.just(Active()),
        st.builds(Candidate, instants(), reason, criterion),
        st.builds(Promoted, instants(), memory_ids),
        st.builds(Exempted, instants(), reason),
        st.builds(Archived, instants(), reason),
        st.builds(Invalidated, instants(), reason, st.none() | memory_ids, st.none() | instants()),
        st.builds(Superseded, instants(), memory_ids),
    )


@st.composite
def any_record_state(draw: st.DrawFn) -> MemoryRecord:
    """Records in every state, erased ones too."""
    record = replace(draw(records()), state=draw(states()), granted_at=draw(st.none() | instants()))
    if isinstance(record.state, Archived | Invalidated | Superseded) and draw(st.booleans()):
        return replace(record, body="", state=Tombstoned(draw(instants()), draw(texts(30)), record.state))
    return record
