"""Injecting: memory enters the prompt under budgets, as quoted data, and it is noted what went in (P12)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from lamina.application.gather import Offered, gathered
from lamina.application.query import LONGEST_QUERY
from lamina.application.resources import Resources
from lamina.domain.ids import MemoryId, SessionId
from lamina.domain.numbers import checked_whole
from lamina.domain.policies.injection import Dropped, Item, Kept, Packed, pack
from lamina.domain.rendering import CUT, NO_ROOM, NOTHING, Entry, Manifest, block, frame
from lamina.domain.scope import Scope
from lamina.domain.text import checked_text

MOST_TOKENS = 1_000_000


@dataclass(frozen=True, slots=True)
class Block:
    """Memory for a prompt: the text, and the manifest of what is in it."""

    text: str
    manifest: Manifest

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class _Line:
    offered: Offered
    text: str
    tokens: int
    trimmed: bool = False


def inject(resources: Resources, scope: Scope, query: str, budget: int | None, session_id: SessionId | None) -> Block:
    """The block for this query, in at most so many tokens. What went in is noted for the session, if there is one."""
    allowed = sum(one.budget for one in resources.spec.blocks.values()) if budget is None else budget
    checked_text(query, "query", at_most=LONGEST_QUERY)
    checked_whole(allowed, "token budget", at_least=0, at_most=MOST_TOKENS)
    offered = gathered(resources, scope, query, allowed)
    text, manifest = _Rendering(resources, allowed).of(offered)
    shown = [entry.record.id for entry in manifest.kept]
    if session_id is not None and shown:
        with resources.store.unit(scope.anchor) as unit:
            unit.injections.add(session_id, shown, resources.clock.now())
    return Block(text, manifest)


class _Rendering:
    """Lines under a budget: what is counted is what is rendered."""

    def __init__(self, resources: Resources, budget: int) -> None:
        self._tokens = resources.tokens
        self._blocks = resources.spec.blocks
        self._budget = budget

    def of(self, offered: Sequence[Offered]) -> tuple[str, Manifest]:
        """The text, and what is in it."""
        texts = [one.source.line(one.record.body) for one in offered]
        around, *tokens = self._tokens.count([frame(), *texts])
        lines = [_Line(*one) for one in zip(offered, texts, tokens, strict=True)]
        # A line takes its own tokens, and the break before it.
        items = [Item(one.offered.record.id, one.offered.record.tier, one.tokens + 1) for one in lines]
        packed = pack(items, self._blocks, max(self._budget - around, 0))
        by_id = {one.offered.record.id: one for one in lines}
        return self._fitted(self._kept(packed, by_id), packed, by_id)

    def _kept(self, packed: Packed, lines: dict[MemoryId, _Line]) -> list[_Line]:
        found = (self._line(kept, lines[kept.item.id]) for kept in packed.kept)
        return [line for line in found if line]

    def _line(self, kept: Kept, line: _Line) -> _Line | None:
        return self._cut(line, kept.tokens - 1) if kept.trimmed else line

    def _cut(self, line: _Line, room: int) -> _Line | None:
        """As much of the text as fits beside its provenance; nothing, if not even that fits."""
        source, body = line.offered.source, line.offered.record.body
        around, mark = self._tokens.count([source.line(""), CUT])
        most = room - around - mark
        while most > 0:
            beginning = self._tokens.trimmed(body, most).rstrip()
            text = source.line(beginning, cut=True)
            (tokens,) = self._tokens.count([text])
            if beginning and tokens <= room:
                return replace(line, text=text, tokens=tokens, trimmed=True)
            # What has to be escaped takes more than it did in the body: as many times as it did here.
            most = min(most - 1, most * room // tokens)
        return None

    def _fitted(self, kept: list[_Line], packed: Packed, lines: dict[MemoryId, _Line]) -> tuple[str, Manifest]:
        """The whole is counted once more: where tokens run across a line break, the last line goes."""
        text, tokens = self._counted(kept, lines)
        while tokens > self._budget and kept:
            kept = kept[:-1]
            text, tokens = self._counted(kept, lines)
        if tokens > self._budget:
            text, tokens = "", 0
        inside = {line.offered.record.id for line in kept}
        out = (one.item for one in packed.kept if one.item.id not in inside)
        squeezed = [Dropped(item, "too little of the budget is left for it") for item in out]
        dropped = [(lines[one.item.id], one.reason) for one in (*squeezed, *packed.dropped)]
        return text, Manifest(
            self._budget,
            tokens,
            kept=tuple(Entry(one.offered.record, one.tokens, one.offered.why, one.trimmed) for one in kept),
            dropped=tuple(Entry(line.offered.record, line.tokens, reason) for line, reason in dropped),
        )

    def _counted(self, kept: Sequence[_Line], offered: dict[MemoryId, _Line]) -> tuple[str, int]:
        text = block([line.text for line in kept], NO_ROOM if offered else NOTHING)
        return text, self._tokens.count([text])[0]
