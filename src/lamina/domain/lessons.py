"""What can be learned from loops (C): what an operator stated, and which tool follows which again and again."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final
from uuid import UUID

from lamina.domain.claim import Claim
from lamina.domain.event import Event, EventId, LoopId
from lamina.domain.events import EventKind
from lamina.domain.long_term import shortened
from lamina.domain.loop_summary import normalized

STATED_BY: Final = "stated_by"
OPERATOR: Final = "operator"
"""The metadata of an input that says how things are to be done. Only the host that logs it can say so: what any user
types is never taken for an instruction."""
LEAST_SUPPORT: Final = 3
"""In fewer loops, nothing is a pattern."""
MOST_EVIDENCE: Final = 20
_LONGEST: Final = 400
Evidence = tuple[EventId, LoopId]


@dataclass(frozen=True, slots=True)
class Lesson:
    """How things are to be done, and the events that say so. With a confidence it was extracted; else it was stated."""

    text: str
    claim: Claim
    evidence: tuple[Evidence, ...]
    confidence: float | None = None

    def without(self, known: Set[UUID]) -> Lesson | None:
        """The same with only the evidence that is not known yet; None if there is none."""
        new = tuple(one for one in self.evidence if one[0] not in known)
        return replace(self, evidence=new[:MOST_EVIDENCE]) if new else None


def lessons(loops: Sequence[Sequence[Event]]) -> list[Lesson]:
    """What these loops teach, the oldest first: what was stated, then what was extracted."""
    return [*_stated(event for loop in loops for event in loop), *_followed(loops)]


def _stated(events: Iterable[Event]) -> Iterator[Lesson]:
    for event in events:
        line = " ".join(event.content.split())
        if event.kind is EventKind.USER_INPUT and event.metadata.get(STATED_BY) == OPERATOR and normalized(line):
            matter = shortened(normalized(line), 100)
            said = shortened(line, _LONGEST)
            yield Lesson(said, Claim("operator", matter, shortened(said, 100)), ((event.id, event.loop_id),))


def _followed(loops: Sequence[Sequence[Event]]) -> Iterator[Lesson]:
    """Which tool was called next after which, in loops that came to an output without an error."""
    used: dict[str, int] = defaultdict(int)
    following: dict[tuple[str, str], list[Evidence]] = defaultdict(list)
    for loop in filter(_went_well, loops):
        calls = [(tool, event) for event in loop if (tool := _tool(event))]
        for tool in {tool for tool, _ in calls}:
            used[tool] += 1
        pairs = {(first, then): event for (first, _), (then, event) in pairwise(calls)}
        for pair, event in pairs.items():
            following[pair].append((event.id, event.loop_id))
    for (first, then), evidence in sorted(following.items()):
        if len(evidence) >= LEAST_SUPPORT and first != then:
            yield _pattern(first, then, evidence, used[first])


def _pattern(first: str, then: str, evidence: Sequence[Evidence], tried: int) -> Lesson:
    # Laplace's rule of succession: what was so every time is likelier the oftener it was tried.
    confidence = (len(evidence) + 1) / (tried + 2)
    claim = Claim(f"tool {first}", "is followed by", f"tool {then}")
    return Lesson(f"After the tool {first}, call the tool {then}", claim, tuple(evidence), confidence)


def _went_well(loop: Sequence[Event]) -> bool:
    kinds = {event.kind for event in loop}
    return EventKind.ACTOR_OUTPUT in kinds and EventKind.ERROR not in kinds


def _tool(event: Event) -> str | None:
    if event.kind is not EventKind.TOOL_CALL:
        return None
    name = event.metadata.get("tool")
    return name if isinstance(name, str) and 0 < len(name) <= 100 else None
