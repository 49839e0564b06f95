"""What every act works with. It is put together once, by the composition root."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from lamina.application.event_tools import EventTools
from lamina.application.names import KnownNames
from lamina.application.signals import RevisionSignals
from lamina.domain.decision_log import DecisionEntry
from lamina.domain.ids import DecisionId
from lamina.domain.outcome import Outcome
from lamina.domain.spec import AgentMemorySpec
from lamina.ports.canonical_source import CanonicalSource
from lamina.ports.clock import Clock
from lamina.ports.embedder import Embedder
from lamina.ports.ids import Ids
from lamina.ports.judge import Judge
from lamina.ports.lexer import Lexer
from lamina.ports.merger import Merger
from lamina.ports.personal_data import PersonalData
from lamina.ports.refusal_surface import RefusalSurface
from lamina.ports.reranker import Reranker
from lamina.ports.store import Store
from lamina.ports.tokens import Tokens


@dataclass(frozen=True, slots=True)
class Resources:
    """One agent's spec, and the ports that its acts go through."""

    spec: AgentMemorySpec
    store: Store
    embedder: Embedder
    lexer: Lexer
    clock: Clock
    ids: Ids
    signals: RevisionSignals
    tokens: Tokens
    event_tools: EventTools
    judge: Judge | None = None
    """Rules on what the rules leave open, where there is one."""
    merger: Merger | None = None
    """Makes one text of facts that overlap, where there is one."""
    world_version: str | None = None
    """The world model's version that what is written now is recorded under: provenance, not a pin (D5)."""
    reranker: Reranker | None = None
    """Orders the best anew, where there is one and the spec says how many."""
    sources: Sequence[CanonicalSource] = ()
    """The canonical texts that are looked up before anything is written."""
    personal_data: PersonalData | None = None
    surface: RefusalSurface | None = None
    """Where refused copies are made known."""
    names: KnownNames = field(default_factory=KnownNames)

    def decided(self, verb: str, outcomes: Iterable[Outcome]) -> list[DecisionEntry]:
        """The outcomes as entries of the log, now."""
        now = self.clock.now()
        return [DecisionEntry(DecisionId(self.ids.new()), verb, now, outcome) for outcome in outcomes]
