"""The verbs of event memory that a user holds of one agent."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from uuid import UUID

from lamina.application.backfill import Backfilled, backfill
from lamina.application.learn import Learned, learn
from lamina.application.loop import NOTHING, ActorLoop
from lamina.application.persona_memory import PersonaMemory, persona_memory
from lamina.application.resources import Resources
from lamina.application.verifying import Verified, verify
from lamina.application.views import ActorMemoryView, SubconsciousMemoryView
from lamina.domain.anchor import Anchor
from lamina.domain.choices import choice
from lamina.domain.errors import WrongType
from lamina.domain.event_chain import Link
from lamina.domain.event_metadata import Json
from lamina.domain.events import Persona
from lamina.domain.frozen import FrozenMap


class EventVerbs:
    """What an agent with event memory does. For a spec without it, each verb says so."""

    _resources: Resources
    anchor: Anchor

    def loop(self, loop_id: UUID | None = None) -> ActorLoop:
        """A new loop of the actor, or one that is there to go on with."""
        return self.actor_view().loop(loop_id)

    def do(self, task: str, metadata: Mapping[str, Json] = NOTHING) -> ActorLoop:
        """A new loop of the actor that begins with the task."""
        return self.actor_view().do(task, metadata)

    def actor_view(self) -> ActorMemoryView:
        """The actor's own memory and nothing else, for actor code in this process."""
        return ActorMemoryView(self._persona(Persona.ACTOR))

    def subconscious_view(self) -> SubconsciousMemoryView:
        """Both personas' memory."""
        return SubconsciousMemoryView({persona: self._persona(persona) for persona in Persona})

    def learn(self) -> Learned:
        """Reads the actor's loops as the subconscious, and proposes how things are to be done."""
        return learn(self._resources, self.anchor)

    def backfill(self, *, interrupted_after: timedelta | None = None) -> Backfilled:
        """Derived memory of this agent catches up with its log."""
        return backfill(self._resources, [self.anchor], interrupted_after)

    def verify(self, noted: Mapping[Persona, Link] = FrozenMap()) -> list[Verified]:
        """Reads each persona's chain, and says what was changed, removed or put elsewhere."""
        ends = _checked_ends(noted)
        return [verify(self._persona(persona), ends.get(persona)) for persona in Persona]

    def _persona(self, persona: Persona) -> PersonaMemory:
        return persona_memory(self._resources, self.anchor, persona)


def _checked_ends(noted: Mapping[Persona, Link]) -> dict[Persona, Link]:
    """What was noted, if each is an end of a persona's chain: one that is passed over would prove nothing."""
    if not isinstance(noted, Mapping):
        raise WrongType("noted", f"is a {type(noted).__name__}", "give a Link for each persona, as a dict")
    for persona, link in noted.items():
        if not isinstance(link, Link):
            raise WrongType(
                f"noted end of {persona}", f"is a {type(link).__name__}", "give the Link that verify() told"
            )
    return {choice(Persona, persona, "persona"): link for persona, link in noted.items()}
