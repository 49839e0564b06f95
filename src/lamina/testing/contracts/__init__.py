"""One class for each port. A store is tested by inheriting them and adding one fixture: `store`.

    class TestMyStore(StoreContract, RecordsContract, CandidatesContract, ...):
        @pytest.fixture
        def store(self) -> Iterator[Store]: ...

The fixture gives an empty store for the spec `lamina.testing.samples.SPEC` and the embedding `samples.EMBEDDING`.
That spec has no event memory: `EventLogContract` takes fixtures of its own. So do the contracts of what is no store:
`EmbedderContract`, `LexerContract`, `JudgeContract`, `ClockContract` and `IdsContract` say which.
"""

from __future__ import annotations

from lamina.testing.contracts.candidates import CandidatesContract
from lamina.testing.contracts.canonical_rules import CanonicalRulesContract
from lamina.testing.contracts.contradictions import ActionLinksContract, ContradictionsContract
from lamina.testing.contracts.embedder import EmbedderContract
from lamina.testing.contracts.event_log import EventLogContract
from lamina.testing.contracts.judge import JudgeContract
from lamina.testing.contracts.lexer import LexerContract
from lamina.testing.contracts.provenance import CorroborationsContract, DecisionsContract, RuleReferencesContract
from lamina.testing.contracts.records import RecordsContract
from lamina.testing.contracts.reembedding import ReembeddingContract
from lamina.testing.contracts.scope_cleanup import ScopeCleanUpContract
from lamina.testing.contracts.store import StoreContract
from lamina.testing.contracts.system import ClockContract, IdsContract

__all__ = [
    "ActionLinksContract",
    "CandidatesContract",
    "CanonicalRulesContract",
    "ClockContract",
    "ContradictionsContract",
    "CorroborationsContract",
    "DecisionsContract",
    "EmbedderContract",
    "EventLogContract",
    "IdsContract",
    "JudgeContract",
    "LexerContract",
    "RecordsContract",
    "ReembeddingContract",
    "RuleReferencesContract",
    "ScopeCleanUpContract",
    "StoreContract",
]
