"""The model: dictionaries of rows, and rules that are written down once more, in other words than the domain's."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any, Final
from uuid import UUID

from lamina.domain.anchor import Anchor
from lamina.domain.claim import Claim
from lamina.domain.outcome import Outcome
from lamina.domain.record import MemoryRecord
from lamina.domain.scope import InteractionScope, PersistentScope
from lamina.testing.verbs.vocabulary import Text

LIVE: Final = {"active", "promoted", "exempted"}
Matter = tuple[str, str]


@dataclass(frozen=True)
class Row:
    """What is known of one record, in plain values."""

    id: UUID
    tier: str
    typology: str
    body: str
    since: datetime
    recorded: datetime
    session: UUID | None = None
    interaction: UUID | None = None
    until: datetime | None = None
    granted: datetime | None = None
    matter: Matter | None = None
    value: str | None = None
    origin: UUID | None = None
    status: str = "active"
    at: datetime | None = None
    leads: UUID | None = None

    @property
    def live(self) -> bool:
        """Whether it is surfaced."""
        return self.status in LIVE

    @property
    def persistent(self) -> bool:
        """Whether it is of the tier that does not end."""
        return self.tier == "persistent"

    def is_to_come(self, now: datetime) -> bool:
        """Whether it begins more than an hour from now."""
        return self.since > now + timedelta(hours=1)

    def holds(self, when: datetime) -> bool:
        """Whether it was so then."""
        return self.since <= when and not (self.until is not None and self.until <= when)


@dataclass(frozen=True)
class Voice:
    """One source's word on one record. `order` tells two of one instant apart."""

    memory: UUID
    source: tuple[str, UUID]
    session: UUID | None
    confirms: bool
    at: datetime
    order: int


@dataclass(frozen=True)
class Doubted:
    """A contradiction: its sides, and how far it has come."""

    memory: UUID
    against: Any
    statuses: tuple[str, ...] = ("open",)


@dataclass(frozen=True)
class Said:
    """One decision, and what each record that it touched was before it."""

    verb: str
    decision: str
    ids: tuple[UUID, ...]
    before: Mapping[UUID, Row | None]


@dataclass
class Place:
    """One anchor's memory."""

    anchor: Anchor
    rows: dict[UUID, Row] = field(default_factory=dict)
    texts: dict[UUID, Text] = field(default_factory=dict)
    gone: dict[UUID, UUID | None] = field(default_factory=dict)
    """What was removed with its scope, and what took its place above if anything did."""
    voices: list[Voice] = field(default_factory=list)
    doubts: dict[UUID, Doubted] = field(default_factory=dict)
    links: set[tuple[str, UUID]] = field(default_factory=set)
    canon: set[int] = field(default_factory=set)
    """The families of texts that a rule says: no store takes them any more."""
    refs: dict[UUID, frozenset[str]] = field(default_factory=dict)
    log: dict[UUID, Said] = field(default_factory=dict)
    told: list[Said] = field(default_factory=list)
    """What the verb that is under way has decided so far; the machine gives it its ids."""

    def tell(self, verb: str, outcome: Outcome, *changed: Row) -> None:
        """One decision with its effect."""
        before: dict[UUID, Row | None] = {id_: self.rows.get(id_) for id_ in outcome.ids}
        self.told.append(Said(verb, outcome.decision.value, outcome.ids, before))
        self.rows.update({row.id: row for row in changed})

    def put(self, row: Row, text: Text) -> Row:
        """A new row."""
        self.rows[row.id] = row
        self.texts[row.id] = text
        return row

    def drop(self, id_: UUID, following: UUID | None) -> None:
        """The only removal there is: of what is transient, when its scope ends."""
        row = self.rows.pop(id_)
        assert not row.persistent
        assert not self.linked(id_)
        self.gone[id_] = following

    def line(self, typology: str, matter: Matter | None) -> list[Row]:
        """The live claims of one matter."""
        mine = [row for row in self.rows.values() if row.persistent and row.live and row.typology == typology]
        return [row for row in mine if matter and row.matter == matter]

    def family(self, typology: str, text: Text) -> list[Row]:
        """The live persistent rows that read alike."""
        mine = [row for row in self.rows.values() if row.persistent and row.live and row.typology == typology]
        return [row for row in mine if self.texts[row.id].family == text.family]

    def heard(self, id_: UUID) -> list[Voice]:
        """Who spoke of it."""
        return [voice for voice in self.voices if voice.memory == id_]

    def speak(self, memory: UUID, voices: Iterable[Voice]) -> None:
        """What was said of one is said of another too."""
        for voice in list(voices):
            self.voices.append(replace(voice, memory=memory, order=len(self.voices)))

    def linked(self, id_: UUID) -> bool:
        """Whether an action rests on it."""
        return any(linked == id_ for _, linked in self.links)

    def pointed_at(self, id_: UUID) -> bool:
        """Whether something needs what it says."""
        evidence = any(voice.source == ("observation_event", id_) for voice in self.voices)
        return self.linked(id_) or evidence or any(id_ in (one.memory, one.against) for one in self.doubts.values())

    def leading_to(self, id_: UUID) -> list[UUID]:
        """What it took the place of."""
        return [row.id for row in self.rows.values() if row.leads == id_]


def matter_of(claim: Claim | None) -> tuple[Matter | None, str | None]:
    """What a claim is about and what it says: case and white space are no matter."""
    if claim is None:
        return None, None
    subject, aspect, value = (" ".join(part.lower().split()) for part in (claim.subject, claim.aspect, claim.value))
    return (subject, aspect), value


def row_of(record: MemoryRecord) -> Row:
    """A stored record as the model writes it down."""
    state, scope = record.state, record.scope
    matter, value = matter_of(record.claim)
    named = type(state).__name__.lower()
    last = getattr(state, "was", state)
    return Row(
        id=record.id,
        tier=str(scope.tier),
        typology=str(record.typology),
        body=record.body,
        since=record.validity.valid_at,
        until=record.validity.invalid_at,
        recorded=record.recorded_at,
        granted=record.granted_at,
        session=None if isinstance(scope, PersistentScope) else scope.session_id,
        interaction=scope.interaction_id if isinstance(scope, InteractionScope) else None,
        matter=matter,
        value=value,
        origin=record.origin.session_id if record.origin else None,
        status=named,
        at=getattr(state, "at", None),
        leads=getattr(last, "by", None) or getattr(last, "into", None),
    )


def retired(row: Row, status: str, at: datetime, leads: UUID | None = None) -> Row:
    """No longer live."""
    return replace(row, status=status, at=at, leads=leads)


def ended(row: Row, end: datetime) -> datetime:
    """When a row ends that is said to end then: not before it began, nor later than it did anyway."""
    latest = max(row.since, end)
    return latest if row.until is None or latest < row.until else row.until


def one_at_a_time(rows: Sequence[Row]) -> None:
    """No two live claims of one matter at one time: looked at pair by pair."""
    claims = [row for row in rows if row.persistent and row.live and row.matter]
    for one in claims:
        for other in claims:
            if one.id < other.id and (one.typology, one.matter) == (other.typology, other.matter):
                for begin in (one.since, other.since):
                    assert not (one.holds(begin) and other.holds(begin)), f"{one} beside {other}"
