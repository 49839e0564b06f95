"""The contracts of what is no store, kept by what is shipped."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import lamina
from lamina.adapters.embedding.hashing import HashingEmbedder
from lamina.adapters.embedding.tokens import BundledTokens
from lamina.adapters.privacy.detector import OfflineDetector
from lamina.adapters.sources.local import LocalSource
from lamina.adapters.text.fuzzy import RapidFuzz
from lamina.adapters.watching.log import LoggedRefusals
from lamina.application.event_tools import PlainCompactor, PlainSummariser
from lamina.application.retention import RetentionPolicies
from lamina.ports.canonical_source import CanonicalSource
from lamina.ports.compactor import Compactor
from lamina.ports.fuzzy import Fuzzy
from lamina.ports.personal_data import PersonalData
from lamina.ports.refusal_surface import RefusalSurface
from lamina.ports.retention_registry import RetentionRegistry
from lamina.ports.summariser import Summariser
from lamina.ports.tokens import Tokens
from lamina.ports.world_agent_runner import WorldAgentRunner
from lamina.testing import contracts
from lamina.testing.contracts.discipline import ROW


class TestBundledTokens(contracts.TokensContract):
    @pytest.fixture
    def tokens(self) -> Tokens:
        return BundledTokens()


class TestRapidFuzz(contracts.FuzzyContract):
    @pytest.fixture
    def fuzzy(self) -> Fuzzy:
        return RapidFuzz()


class TestPlainCompactor(contracts.CompactorContract):
    @pytest.fixture
    def compactor(self) -> Compactor:
        return PlainCompactor()


class TestPlainSummariser(contracts.SummariserContract):
    @pytest.fixture
    def summariser(self) -> Summariser:
        return PlainSummariser()


class TestLocalSource(contracts.CanonicalSourceContract):
    @pytest.fixture
    def source(self) -> CanonicalSource:
        source = LocalSource("audit-chain")
        source.add([("row 1", ROW)])
        return source


class TestOfflineDetector(contracts.PersonalDataContract):
    @pytest.fixture
    def personal_data(self) -> PersonalData:
        return OfflineDetector()


class TestLoggedRefusals(contracts.RefusalSurfaceContract):
    @pytest.fixture
    def surface(self) -> RefusalSurface:
        return LoggedRefusals()


class TestRunner(contracts.WorldAgentRunnerContract):
    @pytest.fixture(params=["operator", "customer"])
    def runner(self, request: pytest.FixtureRequest) -> Iterator[WorldAgentRunner]:
        with lamina.open(":memory:", lamina.WORLD_AGENT, HashingEmbedder()) as memory:
            yield memory.at(org_id="acme", domain_id="kyc").runner(request.param)


class TestRetentionPolicies(contracts.RetentionRegistryContract):
    @pytest.fixture
    def registry(self) -> RetentionRegistry:
        return RetentionPolicies()
