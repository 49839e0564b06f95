"""What every act works with. It is put together once, by the composition root."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from lamina.application.signals import RevisionSignals
from lamina.domain.decision_log import DecisionEntry
from lamina.domain.ids import DecisionId
from lamina.domain.outcome import Outcome
from lamina.domain.spec import AgentMemorySpec
from lamina.ports.clock import Clock
from lamina.ports.embedder import Embedder
from lamina.ports.ids import Ids
from lamina.ports.judge import Judge
from lamina.ports.lexer import Lexer
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
    judge: Judge | None = None
    """Rules on what the rules leave open, where there is one."""
    reranker: Reranker | None = None
    """Orders the best anew, where there is one and the spec says how many."""

    def decided(self, verb: str, outcomes: Iterable[Outcome]) -> list[DecisionEntry]:
        """The outcomes as entries of the log, now."""
        now = self.clock.now()
        return [DecisionEntry(DecisionId(self.ids.new()), verb, now, outcome) for outcome in outcomes]
