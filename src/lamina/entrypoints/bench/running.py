"""Writing conversations as any user would, and asking their questions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from time import perf_counter
from uuid import UUID, uuid4

from lamina.application.anchored import AnchoredMemory
from lamina.application.hit import Hit
from lamina.application.memory import Memory
from lamina.application.observe import Observation
from lamina.domain.rendering import Source
from lamina.domain.signals import Signal
from lamina.domain.spec import AgentMemorySpec
from lamina.entrypoints.bench.locomo import Conversation
from lamina.entrypoints.bench.measures import Answer
from lamina.ports.tokens import Tokens

LIMIT = 10
FURTHER = 100
Place = tuple[UUID, int]
Tell = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Written:
    """One conversation in a store: whose it is, and which turn stands where."""

    user_id: str
    conversation: Conversation
    turns: Mapping[Place, str]


def write(memory: Memory, conversations: Sequence[Conversation], tell: Tell) -> list[Written]:
    """Each conversation as a user of its own, so that nothing else in the store is in the way."""
    run = uuid4().hex[:8]
    written = []
    for one in conversations:
        user_id = f"locomo {one.name} {run}"
        tell(f"writing {one.name}: {sum(len(sitting.turns) for sitting in one.sittings)} turns")
        written.append(Written(user_id, one, _sat(memory.at(user_id=user_id), one)))
    memory.maintain()
    return written


def _sat(user: AnchoredMemory, conversation: Conversation) -> dict[Place, str]:
    """Sessions are opened and closed as they come; the date goes in as time, the speaker as a tag."""
    places: dict[Place, str] = {}
    for sitting in conversation.sittings:
        with user.session() as session:
            session.observe_many(
                [
                    Observation(turn.text, {"speaker": turn.speaker}, at=sitting.at + timedelta(seconds=second))
                    for second, turn in enumerate(sitting.turns)
                ]
            )
            places |= {(session.id, position): turn.id for position, turn in enumerate(sitting.turns)}
    return places


def ask(memory: Memory, written: Sequence[Written], tokens: Tokens | None) -> list[tuple[Written, Answer]]:
    """Every question, one by one, as an agent asks. Without tokens, no further than the shipped limit."""
    answers = []
    for one in written:
        user = memory.at(user_id=one.user_id)
        user.recall(one.conversation.questions[0].text if one.conversation.questions else "warm up", LIMIT)
        for question in one.conversation.questions:
            began = perf_counter()
            hits = user.recall(question.text, LIMIT)
            seconds = perf_counter() - began
            further = user.recall(question.text, FURTHER) if tokens else hits
            sizes = tokens.count([Source(hit.record).line(hit.record.body) for hit in further]) if tokens else []
            found, more = _turns(hits, one), _turns(further, one)
            sized = tuple(sizes) if tokens else (0,) * len(more)
            answers.append((one, Answer(question.category, question.evidence, found, more, sized, seconds)))
    return answers


def _turns(hits: Iterable[Hit], written: Written) -> tuple[str, ...]:
    """Which turn each hit is; one that is none counts as a miss."""
    origins = (hit.record.origin for hit in hits)
    return tuple(written.turns.get((origin.session_id, origin.position), "?") if origin else "?" for origin in origins)


def variants(spec: AgentMemorySpec) -> dict[str, AgentMemorySpec]:
    """The spec without each of its signals in turn, and with nothing but vectors or words: what others do."""
    every = dict(spec.retrieval.signals)
    hearing: dict[str, dict[Signal, float]] = {
        f"without {left_out}": {signal: weight for signal, weight in every.items() if signal is not left_out}
        for left_out in every
    }
    hearing |= {f"only {alone}": {alone: 1.0} for alone in (Signal.SEMANTIC, Signal.LEXICAL) if alone in every}
    return {name: _hearing(spec, signals) for name, signals in hearing.items()}


def _hearing(spec: AgentMemorySpec, signals: Mapping[Signal, float]) -> AgentMemorySpec:
    changed = {**dict(spec.retrieval), "signals": signals, "because": "To see what a signal is worth."}
    return spec.model_copy(update={"retrieval": type(spec.retrieval)(**changed)})
