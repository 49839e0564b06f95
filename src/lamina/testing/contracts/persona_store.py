"""What every store of one persona keeps its word on."""

from __future__ import annotations

import pytest

from lamina.domain.errors import NotAName, ReadOnly, StoreError
from lamina.domain.events import Persona
from lamina.ports.persona_store import PersonaStore
from lamina.ports.store import Store
from lamina.testing.event_strategies import agent, event
from lamina.testing.samples import anchor


class PersonaStoreContract:
    """Its units are whole, and another agent's are not in them. `event_store` gives an empty store with event memory,
    `store` one without."""

    def test_an_error_undoes_what_a_unit_wrote(self, event_store: Store) -> None:
        mine = event_store.persona(agent(), Persona.ACTOR)
        with pytest.raises(ZeroDivisionError), mine.unit() as unit:
            unit.log.append([event("a")])
            raise ZeroDivisionError
        assert _logged(mine) == 0

    def test_a_reading_unit_refuses_to_write(self, event_store: Store) -> None:
        mine = event_store.persona(agent(), Persona.ACTOR)
        with pytest.raises(ReadOnly), mine.reading() as unit:
            unit.log.append([event("a")])
        assert _logged(mine) == 0

    def test_each_agent_and_persona_has_its_own(self, event_store: Store) -> None:
        with event_store.persona(agent(), Persona.ACTOR).unit() as unit:
            unit.log.append([event("a")])
        others = [(agent("other"), Persona.ACTOR), (agent(), Persona.SUBCONSCIOUS)]
        assert [_logged(event_store.persona(*one)) for one in others] == [0, 0]

    def test_closing_twice_is_closing_once(self, event_store: Store) -> None:
        mine = event_store.persona(agent(), Persona.ACTOR)
        mine.close()
        mine.close()
        with event_store.persona(agent(), Persona.ACTOR).reading() as unit:
            assert unit.log.last() is None, "the store is still its owner's"

    def test_an_agent_that_cannot_name_a_collection_is_refused(self, event_store: Store) -> None:
        with pytest.raises(NotAName), event_store.persona(agent("a__b"), Persona.ACTOR).reading() as unit:
            unit.log.last()

    def test_a_spec_without_event_memory_has_none(self, store: Store) -> None:
        with pytest.raises(StoreError, match="event_memory"):
            store.persona(anchor(), Persona.ACTOR)


def _logged(mine: PersonaStore) -> int:
    with mine.reading() as unit:
        return len(unit.log.chain(None, 99))
