"""What everything that guards a boundary keeps its word on."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from lamina.domain.discipline import Canonical, Reader
from lamina.domain.refusal import Refusal
from lamina.domain.retention import RetentionPolicy
from lamina.domain.sanitization.customer import TOOLS, Tool
from lamina.ports.canonical_source import CanonicalSource
from lamina.ports.personal_data import PersonalData
from lamina.ports.refusal_surface import RefusalSurface
from lamina.ports.retention_registry import RetentionRegistry
from lamina.ports.world_agent_runner import WorldAgentRunner
from lamina.testing.contracts.records import SHARED
from lamina.testing.samples import SPEC, anchor
from lamina.testing.strategies import texts

ROW = "On Monday operator 7 overrode the threshold of the onboarding gate for the third time in a week"
"""What the sources of these tests know, by the reference `row 1`."""


class CanonicalSourceContract:
    """Finds what a text may be a copy of. A fixture `source` gives one that knows `ROW` as `row 1`, for any anchor."""

    def test_it_says_what_it_knows(self, source: CanonicalSource) -> None:
        assert source.category in Canonical

    def test_a_copy_is_found_in_its_place(self, source: CanonicalSource) -> None:
        found = source.near(anchor(), ["lunch is at noon", ROW, f"It says: {ROW.upper()}!"])
        assert len(found) == 3
        assert [any(one.ref == "row 1" and one.text == ROW for one in few) for few in found[1:]] == [True, True]

    def test_nothing_to_look_up(self, source: CanonicalSource) -> None:
        assert list(source.near(anchor(), [])) == []


class PersonalDataContract:
    """Looks at texts, and sends them nowhere. A fixture `personal_data` gives one."""

    def test_an_address_is_found_where_it_stands(self, personal_data: PersonalData) -> None:
        text = "Write to ann.smith@example.org about it"
        plain, (found, *_) = personal_data.find(["nothing of the kind", text])
        assert list(plain) == []
        assert text[found.start : found.end] == "ann.smith@example.org"
        assert found.kind

    @settings(max_examples=30, deadline=None, suppress_health_check=SHARED)
    @given(several=st.lists(texts(60), max_size=4))
    def test_what_it_finds_is_in_the_text(self, personal_data: PersonalData, several: list[str]) -> None:
        found = personal_data.find(several)
        assert len(found) == len(several)
        for text, few in zip(several, found, strict=True):
            assert all(0 <= one.start < one.end <= len(text) for one in few)


class RefusalSurfaceContract:
    """Is told, and never gets in the way. A fixture `surface` gives one."""

    def test_it_never_raises(self, surface: RefusalSurface) -> None:
        surface.refused("observe", anchor(), [])
        surface.refused("observe", anchor("acme", "数据"), [Refusal("rule-content", "it copies rule 7 {0} %s")])


class WorldAgentRunnerContract:
    """Answers one kind of reader, and no other. A fixture `runner` gives one of an empty memory."""

    def test_its_tools_are_its_readers(self, runner: WorldAgentRunner) -> None:
        assert runner.reader in Reader
        assert runner.tools <= TOOLS[runner.reader]

    def test_what_is_not_known_is_said(self, runner: WorldAgentRunner) -> None:
        answer = runner.ask_world_agent("what does the gate want?")
        assert answer.unknown is not None
        assert answer.reader is runner.reader
        assert answer.text

    def test_a_tool_that_a_reader_does_not_have_is_refused(self, runner: WorldAgentRunner) -> None:
        for tool in [*(set(Tool) - runner.tools), "no such tool"]:
            assert isinstance(runner.use(str(tool), "anything"), Refusal)


class RetentionRegistryContract:
    """Hears of each memory. A fixture `registry` gives an empty one."""

    def test_the_same_policy_again_changes_nothing(self, registry: RetentionRegistry) -> None:
        policy: RetentionPolicy = SPEC.retention()
        registry.register(policy)
        registry.register(policy)
