"""The in-process `WorldAgentRunner`: recall, behind the gates of whoever asks."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING
from uuid import UUID

from lamina.application.history import Chapter
from lamina.application.resources import Resources
from lamina.domain.choices import choice
from lamina.domain.discipline import Gate, Reader
from lamina.domain.errors import UnknownKey, UnknownRecord
from lamina.domain.ids import MemoryId
from lamina.domain.record import MemoryRecord
from lamina.domain.refusal import Refusal
from lamina.domain.sanitization.answer import Answer
from lamina.domain.sanitization.customer import TOOLS, CustomerSubset, Tool, permitted
from lamina.domain.sanitization.hedging import HedgeByProvenance, Unknown, coverage, unknown
from lamina.domain.sanitization.passage import Crossed, Effect, Passage, SanitizationGate, through
from lamina.domain.sanitization.provenance import provenance
from lamina.domain.sanitization.strip_identifiers import StripIdentifiers
from lamina.domain.spec import AgentMemorySpec
from lamina.domain.text import checked_text
from lamina.domain.tier import Tier

LONGEST_ARGUMENT = 2_000
RELEVANCE = "relevance"


@dataclass(frozen=True, slots=True)
class Asking:
    """Who asks, and the names of the domains that a customer may not read of."""

    reader: Reader
    other_domains: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for name in self.other_domains:
            checked_text(name, "name of another domain", at_most=LONGEST_ARGUMENT)


def runner(
    resources: Resources, memory: AnchoredMemory, asking: Asking, more: Sequence[SanitizationGate] = ()
) -> InProcessRunner:
    """The memory of one anchor for one kind of reader, if the spec has a way in for it. More gates come last."""
    reader = asking.reader
    if reader not in {access.reader for access in resources.spec.visibility.access}:
        raise UnknownKey(
            f"reader {reader}",
            f"has no way in to the memory of {resources.spec.name}",
            "declare one in its visibility, or ask as another reader",
        )
    _check_own_gates(resources.spec, reader, {gate.name for gate in more})
    gates: list[SanitizationGate] = [HedgeByProvenance(), *more]
    if reader is Reader.CUSTOMER:
        gates = [CustomerSubset(memory.anchor, asking.other_domains), StripIdentifiers(), *gates]
    return InProcessRunner(resources, memory, reader, gates)


def _check_own_gates(spec: AgentMemorySpec, reader: Reader, given: Collection[str]) -> None:
    """A gate of the agent's own that its spec puts before this reader is there, or nothing is told."""
    towards = [crossing.gate for crossing in spec.sanitization if reader in crossing.target.casefold().split()]
    missing = [gate for gate in towards if gate not in {*Gate, *given}]
    if missing:
        raise UnknownKey(
            f"gate {missing[0]}",
            f"stands between the memory of {spec.name} and its {reader}, and is not there",
            "hand it over: runner(reader, gates=[...])",
        )


class InProcessRunner:
    """Reads one anchor's memory in the process of whoever composed it."""

    def __init__(
        self, resources: Resources, memory: AnchoredMemory, reader: Reader, gates: Sequence[SanitizationGate]
    ) -> None:
        self._resources = resources
        self._memory = memory
        self._reader = reader
        self._gates = tuple(gates)

    @property
    def reader(self) -> Reader:
        """Operator or customer mode."""
        return self._reader

    @property
    def tools(self) -> frozenset[Tool]:
        """What this reader may do."""
        return TOOLS[self._reader]

    def ask_world_agent(self, question: str, limit: int = 5) -> Answer:
        """What memory knows, behind the gates; "I don't know" with what is missing if it does not."""
        found = self._found(question, limit)
        # Whether it is known is decided by what this reader may see: the rest must not be told by its absence either.
        visible = through([gate for gate in self._gates if isinstance(gate, CustomerSubset)], found)
        relevant, not_known = self._covering(question, visible.passages)
        others = [gate for gate in self._gates if not isinstance(gate, CustomerSubset)]
        crossed = through(others, relevant.passages if not_known is None else ())
        manifest = (*visible.manifest, *relevant.manifest, *crossed.manifest)
        return Answer(question, self._reader, crossed.passages, manifest, not_known)

    def use(self, tool: str, argument: str) -> Answer | Refusal:
        """Uses a tool by its name; refused if this reader has no such tool."""
        try:
            wanted = choice(Tool, tool, "tool")
        except UnknownKey as error:
            # A chat may ask for anything: that is no broken assumption.
            return Refusal("tool-subset", f"{error.thing} {error.happened}: {', '.join(sorted(self.tools))} are")
        refusal = permitted(self._reader, wanted)
        if refusal:
            return refusal
        checked_text(argument, f"argument of {tool}", at_most=LONGEST_ARGUMENT)
        acts: dict[Tool, Callable[[str], Answer | Refusal]] = {
            Tool.ASK: self.ask_world_agent,
            Tool.RECALL: self._recall,
            Tool.HISTORY: self._history,
            Tool.CONTRADICTIONS: self._contradictions,
        }
        return acts[wanted](argument)

    def _recall(self, text: str) -> Answer:
        found = self._found(text, limit=20)
        return self._answer(text, through(self._gates, found))

    def _history(self, memory_id: str) -> Answer | Refusal:
        try:
            chapters = self._memory.history(MemoryId(UUID(memory_id)))
        except (ValueError, UnknownRecord):
            return Refusal("anchor", f"{memory_id} is no memory of this anchor")
        return self._answer(memory_id, Crossed(tuple(_told(chapter) for chapter in chapters)))

    def _contradictions(self, status: str) -> Answer | Refusal:
        try:
            listed = self._memory.contradictions(status)
        except UnknownKey as error:
            return Refusal("status", f"{error.thing} {error.happened}: {error.remedy}")
        told = [Passage(ref=str(one.id), text=f"{one.status}: {one.history[-1].notes}") for one in listed]
        return self._answer(status, Crossed(tuple(told)))

    def _answer(self, question: str, crossed: Crossed) -> Answer:
        return Answer(
            question,
            self._reader,
            crossed.passages,
            crossed.manifest,
            None if crossed.passages else Unknown(question, ()),
        )

    def _found(self, text: str, limit: int) -> list[Passage]:
        # What a customer may not see must not take the place of what they may.
        tiers = [Tier.PERSISTENT] if self._reader is Reader.CUSTOMER else list(Tier)
        return self._passages([hit.record for hit in self._memory.recall(text, limit, tiers=tiers)])

    def _passages(self, records: Sequence[MemoryRecord]) -> list[Passage]:
        ids = [record.id for record in records]
        with self._resources.store.reading(self._memory.anchor) as unit:
            spoken, disputes = unit.corroborations.of_any(ids), unit.contradictions.of_any(ids)
        now, spec = self._resources.clock.now(), self._resources.spec
        windows = spec.retention().decays
        return [
            Passage(
                ref=record.id,
                text=record.body,
                anchor=record.scope.anchor,
                tier=record.tier,
                typology=record.typology,
                since=record.validity.valid_at,
                provenance=provenance(
                    record,
                    spoken.get(record.id, ()),
                    disputes.get(record.id, ()),
                    windows.get(record.typology) or spec.resolve(record.cell).decay,
                    now,
                ),
            )
            for record in records
        ]

    def _covering(self, question: str, passages: Sequence[Passage]) -> tuple[Crossed, Unknown | None]:
        """The passages that have to do with the question, and that memory does not cover it if it does not."""
        asked = list(dict.fromkeys(question.split()))
        lexemes = self._resources.lexer.lexemes([*asked, *(passage.text for passage in passages)])
        by_word = dict(zip(asked, lexemes[: len(asked)], strict=True))
        relevant, missing = coverage(by_word, lexemes[len(asked) :])
        both = list(zip(passages, relevant, strict=True))
        manifest = [
            Effect(RELEVANCE, passage.ref, "it has no word of the question", stayed_behind=True)
            for passage, is_relevant in both
            if not is_relevant
        ]
        kept = Crossed(tuple(passage for passage, is_relevant in both if is_relevant), tuple(manifest))
        return kept, unknown(question, by_word, [word.strip("?!.,;:") for word in missing])


def _told(chapter: Chapter) -> Passage:
    lines = [
        f"{entry.at:%Y-%m-%d} {entry.verb}: {entry.outcome.decision}, {entry.outcome.reason}"
        for entry in chapter.decisions
    ]
    return Passage(ref=chapter.record.id, text="; ".join([chapter.record.body, *lines]))


if TYPE_CHECKING:
    from lamina.application.anchored import AnchoredMemory
    from lamina.ports.world_agent_runner import WorldAgentRunner

    _: type[WorldAgentRunner] = InProcessRunner
