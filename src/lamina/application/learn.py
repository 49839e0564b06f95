"""Learning: the subconscious reads the actor's loops, and proposes how things are to be done, with its evidence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from lamina.application.corroborate import Source
from lamina.application.loop import SubconsciousLoop, new_standing
from lamina.application.persona_memory import PersonaMemory, persona_memory
from lamina.application.prefer import Preference, prefer
from lamina.application.resources import Resources
from lamina.domain.anchor import Anchor
from lamina.domain.corroboration import SourceType
from lamina.domain.event import Event, LoopId
from lamina.domain.events import Persona
from lamina.domain.ids import SessionId
from lamina.domain.lessons import Lesson, lessons
from lamina.domain.outcome import Outcome
from lamina.domain.scope import PersistentScope
from lamina.domain.typology import Typology

LOOPS: Final = 1_000
"""How many of the last loops are read."""


@dataclass(frozen=True, slots=True)
class Learned:
    """What was proposed, what became of each, and the loop of the subconscious that it was done in."""

    loop_id: LoopId
    lessons: tuple[Lesson, ...]
    outcomes: tuple[Outcome, ...]


def learn(resources: Resources, anchor: Anchor) -> Learned:
    """Proposes what an operator stated and what was seen again and again; the write policy decides.

    What was learned before is proposed again only with new evidence.
    """
    actor, subconscious = (persona_memory(resources, anchor, persona) for persona in Persona)
    with SubconsciousLoop(subconscious, new_standing(subconscious)) as loop:
        loops = _last_loops(actor)
        loop.prompt(f"learn: {len(loops)} loops of the actor were read")
        new = [lesson for one in lessons(loops) if (lesson := _with_new_evidence(resources, anchor, one))]
        outcomes = [_propose(resources, anchor, one) for one in new]
        loop.output("; ".join(_told(one, outcome) for one, outcome in zip(new, outcomes, strict=True)) or "nothing new")
    return Learned(loop.id, tuple(new), tuple(outcomes))


def _last_loops(memory: PersonaMemory) -> list[list[Event]]:
    with memory.store.reading() as unit:
        ids = unit.short_term.window(LOOPS).loop_ids
        runs: dict[LoopId, list[Event]] = {loop_id: [] for loop_id in reversed(ids)}
        for logged in unit.log.of_loops(ids):
            runs[logged.event.loop_id].append(logged.event)
    return list(runs.values())


def _with_new_evidence(resources: Resources, anchor: Anchor, lesson: Lesson) -> Lesson | None:
    with resources.store.reading(anchor) as unit:
        known = unit.records.with_claim(Typology.PROCEDURAL, lesson.claim.key)
        told = {said.source_ref for record in known for said in unit.corroborations.of(record.id)}
    return lesson.without(told)


def _propose(resources: Resources, anchor: Anchor, lesson: Lesson) -> Outcome:
    evidence = _sources(lesson)
    preference = Preference(lesson.text, lesson.claim, lesson.confidence, evidence=evidence)
    return prefer(resources, PersistentScope(anchor), preference)


def _sources(lesson: Lesson) -> Sequence[Source]:
    return [Source(SourceType.OBSERVATION_EVENT, id_, SessionId(loop_id)) for id_, loop_id in lesson.evidence]


def _told(lesson: Lesson, outcome: Outcome) -> str:
    return f"{outcome.decision}: {lesson.text}"
