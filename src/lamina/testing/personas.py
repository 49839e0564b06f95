"""Agents with names that are easily mistaken, whose subconscious knows a secret, and every way to it that actor code
could try. It goes with `tenants`: there one customer tries another's memory, here an actor what is not an actor's.

One foreign event that one call could have given away is one attempt.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from uuid import UUID

from lamina.application.anchored import AnchoredMemory
from lamina.application.loop import SubconsciousLoop, new_standing
from lamina.application.memory import Memory
from lamina.application.persona_memory import persona_memory
from lamina.domain.events import Persona
from lamina.testing.tenants import Tally

AGENTS = ("atlas", "atlas2", "Atlas", "atlas_", "atlas.x", "atla", "atlas-actor", "subconscious")
EVER = (datetime(1970, 1, 1, tzinfo=UTC), datetime(2200, 1, 1, tzinfo=UTC))


@dataclass(frozen=True)
class Agent:
    """One agent, the word that only its subconscious knows, and the events that no other actor may see."""

    at: AnchoredMemory
    secret: str
    hidden: tuple[UUID, ...]
    own: tuple[UUID, ...]


def awaken(memory: Memory, events: int, seed: int) -> list[Agent]:
    """Lets every agent act a little, and think much more than it says."""
    chance = random.Random(seed)  # noqa: S311 (the same on every run)
    return [_awake(memory.at(agent_id=name), events, f"secret{chance.randrange(10**12):012d}") for name in AGENTS]


def _awake(at: AnchoredMemory, events: int, secret: str) -> Agent:
    with at.loop() as loop:
        own = [loop.user_input("What is new?").id, loop.actor_output("Nothing that may be said").id]
    memory = persona_memory(at._resources, at.anchor, Persona.SUBCONSCIOUS)  # noqa: SLF001 (no verb writes there)
    with SubconsciousLoop(memory, new_standing(memory)) as thought:
        hidden = [thought.prompt(f"{secret} is thought of").id]
        hidden += [thought.system_event(f"{secret} came up, time {number}").id for number in range(events)]
        hidden.append(thought.output(f"{secret} is kept to itself").id)
    return Agent(at, secret, tuple(hidden), tuple(own))


def haunt(agents: Sequence[Agent], seed: int) -> Tally:
    """Every actor tries to get at what its own subconscious knows, and at what other agents' personas do."""
    chance = random.Random(seed)  # noqa: S311 (the same on every run)
    tally = Tally()
    for attacker in agents:
        foreign = {id_ for one in agents for id_ in (one.hidden if one is attacker else (*one.hidden, *one.own))}
        secrets = [one.secret for one in agents]
        for name, asked, found in _tries(attacker, foreign, secrets, chance):
            told = repr(found)
            leaked = any(secret in told for secret in secrets) or any(str(id_) in told for id_ in foreign)
            tally.count(asked, leaked, f"{attacker.at.anchor}: {name} gave {told[:200]}")
    return tally


def _tries(
    attacker: Agent, foreign: set[UUID], secrets: Sequence[str], chance: random.Random
) -> Iterator[tuple[str, int, object]]:
    view = attacker.at.actor_view()
    yield "get_range", len(foreign), list(view.get_range(*EVER))
    for id_ in chance.sample(sorted(foreign), min(20, len(foreign))):
        yield "get_by_id", 1, view.get_by_id(id_)
    yield "rag_query", len(foreign), [hit.entry.text for hit in view.rag_query(f"came up {secrets[0][:6]}", limit=500)]
    yield "fuzzy_query", len(foreign), [hit.summary for hit in view.fuzzy_query("is thought of", limit=500)]
    # What is asked for is told back: only what stands behind it counts.
    yield "prompt", len(foreign), view.prompt("what came up, and what is thought of?", budget=8_000).text
    yield "recall", len(foreign), [hit.record.body for hit in attacker.at.recall("came up thought of", 500)]
