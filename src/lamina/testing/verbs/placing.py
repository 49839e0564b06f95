"""What the model says of new facts and preferences: who speaks for them, and how they go together with the old."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

from lamina.domain.outcome import Outcome
from lamina.testing.verbs.model import Doubted, Place, Row, Voice, ended, retired

ENOUGH = 2
"""Independent voices that make a fact of a candidate."""


def voices_apart(voices: Iterable[Voice]) -> int:
    """How many voices can be told apart by source and by occasion at once: by trying every way to seat them."""
    occasions: dict[tuple[str, UUID], set[object]] = {}
    for voice in voices:
        if voice.confirms:
            occasions.setdefault(voice.source, set()).add(voice.session or voice.source)
    seated: dict[object, tuple[str, UUID]] = {}

    def seat(source: tuple[str, UUID], tried: set[object]) -> bool:
        for occasion in occasions[source] - tried:
            tried.add(occasion)
            if occasion not in seated or seat(seated[occasion], tried):
                seated[occasion] = source
                return True
        return False

    return sum(seat(source, set()) for source in occasions)


@dataclass(frozen=True)
class Placed:
    """What is to become of a new row: which decision, about which others, until when."""

    decision: str
    about: frozenset[UUID] = frozenset()
    until: datetime | None = None


def placed(place: Place, row: Row) -> Placed:
    """By its claim where it has one, by its text where it has none."""
    if row.matter is None:
        alike = place.family(row.typology, place.texts[row.id])
        says = place.texts[row.id].says
        same = frozenset(one.id for one in alike if place.texts[one.id].says == says)
        return Placed("NOOP", same) if same else Placed("ADD", frozenset(one.id for one in alike))
    line = place.line(row.typology, row.matter)
    ends = [one.since for one in line if one.since > row.since]
    for held in line:
        if held.holds(row.since):
            if held.value == row.value:
                return Placed("NOOP", frozenset({held.id}))
            ends += [held.until] if held.until else []
            return Placed("UPDATE", frozenset({held.id}), min(ends, default=None))
    return Placed("ADD", frozenset(), min(ends, default=None))


def settle(place: Place, row: Row, voices: Sequence[Voice], now: datetime, said: Outcome) -> list[Row]:
    """The rows that change as a candidate takes its place; sees that this is what was said."""
    expected = placed(place, row)
    if expected.decision != "NOOP" and row.is_to_come(max(now, row.recorded)):
        assert (said.decision.value, said.rule, said.ids) == ("HELD", "validity", (row.id,)), said
        return [row]
    assert said.decision.value == expected.decision, (said, expected)
    if expected.decision == "NOOP":
        assert said.ids[0] in expected.about
        assert said.ids[1] == row.id
        place.speak(said.ids[0], voices)
        return [retired(row, "archived", now)]
    new = replace(row, status="active", at=None, granted=now, until=expected.until)
    assert said.ids[0] == row.id
    if expected.decision == "ADD":
        doubt(place, new.id, expected.about)
        return [new]
    (old,) = (place.rows[id_] for id_ in expected.about)
    assert said.ids[1] == old.id
    if row.typology == "procedural":
        return [new, retired(old, "superseded", now, new.id)]
    return [new, replace(retired(old, "invalidated", now, new.id), until=ended(old, row.since))]


def doubt(place: Place, memory: UUID, about: frozenset[UUID]) -> None:
    """A contradiction is open from now on, with one of these. Its id is not known yet: the record's own stands in."""
    if about:
        place.doubts[memory] = Doubted(memory, about)


def failures(voices: Iterable[Voice]) -> int:
    """How many have failed since anybody confirmed."""
    count = 0
    for voice in sorted(voices, key=lambda one: (one.at, one.order)):
        count = 0 if voice.confirms else count + 1
    return count
