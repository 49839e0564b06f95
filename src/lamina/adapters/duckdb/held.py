"""What is held in memory of one agent's part of a file: what numpy searches, and the statements that were read."""

from __future__ import annotations

import threading
from collections import defaultdict

from lamina.adapters.duckdb.by_anchor import ByAnchor
from lamina.adapters.duckdb.entry_shelf import EntryShelf
from lamina.adapters.duckdb.held_records import HeldRecords
from lamina.adapters.duckdb.names import Names
from lamina.adapters.duckdb.rule_postings import RulePostings
from lamina.adapters.duckdb.shelf import Shelf
from lamina.adapters.duckdb.statements import Known
from lamina.domain.events import Persona
from lamina.domain.ids import AnchorId
from lamina.domain.retrieval import EmbeddingChoice


class Held:
    """Each thing by anchor; what event memory derives, by persona too."""

    def __init__(self, rule_postings: ByAnchor[RulePostings]) -> None:
        self.shelves: ByAnchor[Shelf] = ByAnchor()
        self.rule_postings = rule_postings
        self.records: ByAnchor[HeldRecords] = ByAnchor()
        self.entries: dict[Persona, ByAnchor[EntryShelf]] = {persona: ByAnchor() for persona in Persona}
        self.known: Known = {}

    def forget(self, anchor_id: AnchorId) -> None:
        """Lets go of what is held of an anchor: it may say what was undone."""
        self.shelves.forget(anchor_id)
        self.rule_postings.forget(anchor_id)
        self.records.forget(anchor_id)


class HeldOfFile:
    """What is held of a whole file: of each agent with each model, so that whoever opens it again sees the same."""

    def __init__(self) -> None:
        self._parts: dict[tuple[str, EmbeddingChoice], Held] = {}
        self._rule_postings: defaultdict[str | None, ByAnchor[RulePostings]] = defaultdict(ByAnchor)
        """By canonical table: agents may have one in common."""
        self._adding = threading.Lock()
        """Whoever opens the file asks for its part, before it takes turns."""

    def part(self, names: Names, embedding: EmbeddingChoice) -> Held:
        """What is held of one agent, with one model."""
        with self._adding:
            if (names.agent, embedding) not in self._parts:
                self._parts[names.agent, embedding] = Held(self._rule_postings[names.canonical_table])
            return self._parts[names.agent, embedding]

    def beside(self, names: Names, embedding: EmbeddingChoice) -> list[Held]:
        """What is held of the same agent with other models: when it has been re-embedded, it may be open with both."""
        parts = list(self._parts.items())
        return [held for (agent, model), held in parts if agent == names.agent and model != embedding]

    def drop_shelves(self) -> None:
        """Lets go of every shelf: there are other vectors."""
        for held in list(self._parts.values()):
            held.shelves.clear()
