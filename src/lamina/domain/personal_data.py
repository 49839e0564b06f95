"""Personal data and secrets in a text: where they are, and the text without them (P13)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from lamina.domain.discipline import NonMirror
from lamina.domain.refusal import Refusal


@dataclass(frozen=True, slots=True, order=True)
class Found:
    """One piece of personal data, from one character to another."""

    start: int
    end: int
    kind: str
    """What it is, in words: email address, phone number, payment card."""


def apart(found: Sequence[Found]) -> list[Found]:
    """Those that do not lie within another, in order: of two that overlap, the longer one; among equals the first."""
    kept: list[Found] = []
    for one in sorted(found, key=lambda one: (one.start - one.end, one)):
        if all(one.end <= other.start or other.end <= one.start for other in kept):
            kept.append(one)
    return sorted(kept)


def redacted(text: str, found: Sequence[Found]) -> str:
    """The text with each piece replaced by what it is."""
    return "".join(_pieces(text, apart(found)))


def _pieces(text: str, found: Sequence[Found]) -> Iterator[str]:
    at = 0
    for one in found:
        yield text[at : one.start]
        yield f"[{one.kind}]"
        at = one.end
    yield text[at:]


def kinds_of(found: Sequence[Found]) -> str:
    """What was found, in words, each kind once. What it says is not repeated: a reason is stored too."""
    return " and ".join(dict.fromkeys(one.kind for one in apart(found)))


def refused_personal_data(entry: NonMirror, found: Sequence[Found]) -> Refusal:
    """The refusal of a text with personal data in it."""
    where = ", ".join(f"{one.kind} at character {one.start}" for one in apart(found)[:5])
    return Refusal(entry.category, f"it has {where}; {entry.category} is not copied: refer by {entry.refer_by}")
