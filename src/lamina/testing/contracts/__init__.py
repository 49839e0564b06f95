"""One class for each port. A store is tested by inheriting them and adding one fixture: `store`.

    class TestMyStore(StoreContract, RecordsContract, CandidatesContract, ...):
        @pytest.fixture
        def store(self) -> Iterator[Store]: ...

The fixture gives an empty store for the spec `lamina.testing.samples.SPEC` and the embedding `samples.EMBEDDING`.
That spec has no event memory: `EventLogContract`, `LongTermContract`, `ShortTermContract` and `PersonaStoreContract`
take fixtures of their own. So do the contracts of what is no store, such as `EmbedderContract`: each says which.
"""

from __future__ import annotations

from lamina.testing.contracts.candidates import CandidatesContract
from lamina.testing.contracts.canonical_rules import CanonicalRulesContract
from lamina.testing.contracts.contradictions import ActionLinksContract, ContradictionsContract
from lamina.testing.contracts.derived_memory import LongTermContract, ShortTermContract
from lamina.testing.contracts.discipline import (
    CanonicalSourceContract,
    PersonalDataContract,
    RefusalSurfaceContract,
    RetentionRegistryContract,
    WorldAgentRunnerContract,
)
from lamina.testing.contracts.embedder import EmbedderContract
from lamina.testing.contracts.event_log import EventLogContract
from lamina.testing.contracts.glances import GlancesContract
from lamina.testing.contracts.injections import InjectionsContract
from lamina.testing.contracts.judge import JudgeContract
from lamina.testing.contracts.lexer import LexerContract
from lamina.testing.contracts.models import CompactorContract, MergerContract, RerankerContract, SummariserContract
from lamina.testing.contracts.persona_store import PersonaStoreContract
from lamina.testing.contracts.provenance import CorroborationsContract, DecisionsContract, RuleReferencesContract
from lamina.testing.contracts.records import RecordsContract
from lamina.testing.contracts.reembedding import ReembeddingContract
from lamina.testing.contracts.reviews import ReviewsContract
from lamina.testing.contracts.scope_cleanup import ScopeCleanUpContract
from lamina.testing.contracts.store import StoreContract
from lamina.testing.contracts.system import ClockContract, IdsContract
from lamina.testing.contracts.text_tools import FuzzyContract, TokensContract

__all__ = [
    "ActionLinksContract",
    "CandidatesContract",
    "CanonicalRulesContract",
    "CanonicalSourceContract",
    "ClockContract",
    "CompactorContract",
    "ContradictionsContract",
    "CorroborationsContract",
    "DecisionsContract",
    "EmbedderContract",
    "EventLogContract",
    "FuzzyContract",
    "GlancesContract",
    "IdsContract",
    "InjectionsContract",
    "JudgeContract",
    "LexerContract",
    "LongTermContract",
    "MergerContract",
    "PersonaStoreContract",
    "PersonalDataContract",
    "RecordsContract",
    "ReembeddingContract",
    "RefusalSurfaceContract",
    "RerankerContract",
    "RetentionRegistryContract",
    "ReviewsContract",
    "RuleReferencesContract",
    "ScopeCleanUpContract",
    "ShortTermContract",
    "StoreContract",
    "SummariserContract",
    "TokensContract",
    "WorldAgentRunnerContract",
]
