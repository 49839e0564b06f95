"""What an auditor looks for in a memory: things worth a second look, and promises that must hold without exception."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Final

from lamina.domain.canon import Canon, replaced
from lamina.domain.corroboration import last_confirmed
from lamina.domain.decision_log import DecisionEntry
from lamina.domain.ids import MemoryId
from lamina.domain.instants import elapsed, spoken
from lamina.domain.outcome import Decision
from lamina.domain.policies.decay import DecayModel
from lamina.domain.record import MemoryRecord
from lamina.domain.retention import is_fading
from lamina.domain.scope_cleanup import Pointer
from lamina.domain.state import Candidate, Tombstoned, leads_to, successor
from lamina.domain.substance import in_common
from lamina.domain.typology import Typology
from lamina.domain.upkeep import Reviewed

HARDLY_A_WORD: Final = 0.2
"""Two texts of which less is in common are not about one thing."""


class Concern(StrEnum):
    """What may be wrong with a record."""

    JUNK = "junk"
    """A text in which there is nothing to find it by."""
    DUPLICATE = "near-duplicate"
    """Another live record of its cell says the same, or reads alike."""
    ECHO = "echo"
    """It was injected into a session, and came back from it as an observation."""
    STALE = "stale claim"
    """A fact that nobody has confirmed for more than a half-life."""
    ORPHAN_REFERENCE = "orphan reference"
    """A live record that refers to a rule which is gone or says something else by now."""
    FALSE_SUPERSESSION = "false supersession"
    """What took its place is about something else."""


class Promise(StrEnum):
    """What holds for every record, or the memory cannot be held to account."""

    TOLD = "every record was decided on"
    EXPLAINED = "what is retired was retired by a decision"
    LEADS_ON = "what took a record's place is there"
    PINNED = "what an action rests on says what it said"
    ONE_CLAIM = "one live claim of one matter at one time"


@dataclass(frozen=True, slots=True)
class Exhibit:
    """One persistent record with all that an auditor looks at."""

    reviewed: Reviewed
    decisions: Sequence[DecisionEntry]
    following: MemoryRecord | None
    """What took its place or what it was promoted into, if it is there."""
    lexemes: Sequence[str]

    @property
    def record(self) -> MemoryRecord:
        """The record itself."""
        return self.reviewed.record

    @property
    def by_hand(self) -> bool:
        """Whether somebody said that another record takes its place."""
        return any(entry.verb == "supersede" and not entry.outcome.stopped for entry in self.decisions)


@dataclass(frozen=True, slots=True)
class Doubt:
    """One thing that somebody should look at, in words."""

    about: Concern | Promise
    memory_id: MemoryId
    words: str


@dataclass(frozen=True, slots=True)
class Standpoint:
    """What the records are held against."""

    canon: Canon
    decays: Mapping[Typology, DecayModel]
    now: datetime


Check = Callable[[Exhibit, Standpoint], str | None]


def doubts(one: Exhibit, against: Standpoint) -> Iterable[Doubt]:
    """Everything that is doubtful about one record by itself."""
    for about, check in CHECKS.items():
        words = check(one, against)
        if words:
            yield Doubt(about, one.record.id, words)


def _junk(one: Exhibit, _: Standpoint) -> str | None:
    return "there is no word in it to find it by" if one.record.live and not one.lexemes else None


def _stale(one: Exhibit, against: Standpoint) -> str | None:
    if not is_fading(one.reviewed, against.decays, against.now):
        return None
    confirmed = last_confirmed(one.reviewed.corroborations) or one.record.recorded_at
    return f"nobody has confirmed it for {spoken(elapsed(confirmed, against.now))}"


def _orphan(one: Exhibit, against: Standpoint) -> str | None:
    refs = one.reviewed.references
    if not one.record.live or not refs:
        return None
    moved = replaced(refs, against.canon)
    gone = [ref for ref in refs if ref.version not in against.canon.get(ref.rule_id, {})]
    told = [f"rule {old.rule_id} {old.version} says something else in {new.version}" for old, new in moved.items()]
    return "; ".join(sorted([*told, *(f"rule {ref.rule_id} has no version {ref.version}" for ref in gone)])) or None


def _false_supersession(one: Exhibit, _: Standpoint) -> str | None:
    old, new = one.record, one.following
    if new is None or successor(old.state) is None or one.by_hand:
        return None
    if old.claim and new.claim and old.claim.key != new.claim.key:
        is_about, was_about = (f"{claim.aspect!r} of {claim.subject!r}" for claim in (new.claim, old.claim))
        return f"{new.id} took its place, and is about {is_about}, not {was_about}"
    if not (old.claim or new.claim) and in_common(old.body, new.body) < HARDLY_A_WORD:
        return f"{new.id} took its place, and has hardly a word in common with it"
    return None


def _told(one: Exhibit, _: Standpoint) -> str | None:
    return None if one.decisions else "no decision speaks of it"


def _explained(one: Exhibit, _: Standpoint) -> str | None:
    record = one.record
    if record.live or isinstance(record.state, Candidate):
        return None
    ended = [
        entry for entry in one.decisions if entry.outcome.decision in (Decision.DELETE, Decision.UPDATE, Decision.NOOP)
    ]
    return None if ended else f"it is {type(record.state).__name__.lower()}, and no decision says why"


def _leads_on(one: Exhibit, _: Standpoint) -> str | None:
    into = leads_to(one.record.state)
    return f"{into} is not there" if into and one.following is None else None


def _pinned(one: Exhibit, _: Standpoint) -> str | None:
    erased = isinstance(one.record.state, Tombstoned)
    return "it was erased from beneath an action" if erased and Pointer.ACTION in one.reviewed.pointers else None


CHECKS: Final[Mapping[Concern | Promise, Check]] = {
    Concern.JUNK: _junk,
    Concern.STALE: _stale,
    Concern.ORPHAN_REFERENCE: _orphan,
    Concern.FALSE_SUPERSESSION: _false_supersession,
    Promise.TOLD: _told,
    Promise.EXPLAINED: _explained,
    Promise.LEADS_ON: _leads_on,
    Promise.PINNED: _pinned,
}
"""What is looked at in each record by itself. Duplicates, echoes and clashing claims take two."""
