"""From memory to a customer's chat: their own world only, established and stated facts only, and tools that read."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from lamina.domain.anchor import Anchor
from lamina.domain.discipline import Gate, Reader
from lamina.domain.refusal import Refusal
from lamina.domain.sanitization.passage import Crossed, Effect, Passage
from lamina.domain.sanitization.provenance import Provenance
from lamina.domain.tier import Tier

_P = Provenance


class Tool(StrEnum):
    """What a reader may do with the memory of another context. None of them writes."""

    ASK = "ask"
    RECALL = "recall"
    HISTORY = "history"
    CONTRADICTIONS = "contradictions"


TOOLS: Final = {
    Reader.OWNER: frozenset(Tool),
    Reader.OPERATOR: frozenset(Tool),
    Reader.CUSTOMER: frozenset({Tool.ASK, Tool.RECALL}),
}
"""A customer's tools are a subset of an operator's."""


def permitted(reader: Reader, tool: Tool) -> Refusal | None:
    """Why a reader has no such tool; None if it does."""
    if tool in TOOLS[reader]:
        return None
    return Refusal("tool-subset", f"{tool} is no tool of a {reader}: {', '.join(sorted(TOOLS[reader]))} are")


SHOWN: Final = frozenset({_P.ESTABLISHED, _P.STATED, _P.SINGLE_SOURCE, _P.STALE})


@dataclass(frozen=True, slots=True)
class CustomerSubset:
    """The gate. `own` is the anchor that the customer is authenticated for; `others` are names of other domains."""

    own: Anchor
    others: tuple[str, ...] = ()
    name: str = Gate.CUSTOMER_SUBSET

    def cross(self, passages: Sequence[Passage]) -> Crossed:
        """What is the customer's own, durable, and not in dispute; everything else stays behind."""
        arrived, manifest = [], []
        for passage in passages:
            why = self._kept_back(passage)
            if why:
                manifest.append(Effect(self.name, passage.ref, why, stayed_behind=True))
            else:
                arrived.append(passage)
        return Crossed(tuple(arrived), tuple(manifest))

    def _kept_back(self, passage: Passage) -> str | None:
        if passage.anchor != self.own:
            return "it is of another anchor than the customer's own"
        if passage.tier is not Tier.PERSISTENT:
            return "it is of a session, which was an operator's"
        if passage.provenance not in SHOWN:
            return f"it is {passage.provenance or 'of unknown provenance'}"
        named = next((name for name in self.others if _names(passage.text, name)), None)
        return "it names another domain" if named else None


def _names(text: str, name: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text, re.IGNORECASE) is not None
