"""One class for each port. A store is tested by inheriting them and adding one fixture: `store`.

    class TestMyStore(StoreContract, RecordsContract, CandidatesContract, ...):
        @pytest.fixture
        def store(self) -> Iterator[Store]: ...

The fixture gives an empty store for the spec `lamina.testing.samples.SPEC` and the embedding `samples.EMBEDDING`.
That spec has no event memory: `EventLogContract`, `LongTermContract` and `ShortTermContract` take fixtures of their
own.
"""

from __future__ import annotations

from lamina.testing.contracts.candidates import CandidatesContract
from lamina.testing.contracts.canonical_rules import CanonicalRulesContract
from lamina.testing.contracts.contradictions import ActionLinksContract, ContradictionsContract
from lamina.testing.contracts.derived_memory import LongTermContract, ShortTermContract
from lamina.testing.contracts.event_log import EventLogContract
from lamina.testing.contracts.injections import InjectionsContract
from lamina.testing.contracts.provenance import CorroborationsContract, DecisionsContract, RuleReferencesContract
from lamina.testing.contracts.records import RecordsContract
from lamina.testing.contracts.reembedding import ReembeddingContract
from lamina.testing.contracts.reviews import ReviewsContract
from lamina.testing.contracts.scope_cleanup import ScopeCleanUpContract
from lamina.testing.contracts.store import StoreContract

__all__ = [
    "ActionLinksContract",
    "CandidatesContract",
    "CanonicalRulesContract",
    "ContradictionsContract",
    "CorroborationsContract",
    "DecisionsContract",
    "EventLogContract",
    "InjectionsContract",
    "LongTermContract",
    "RecordsContract",
    "ReembeddingContract",
    "ReviewsContract",
    "RuleReferencesContract",
    "ScopeCleanUpContract",
    "ShortTermContract",
    "StoreContract",
]
