"""`lamina history`: the story of one memory, as an auditor reads it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated
from uuid import UUID

import typer

from lamina.application.history import Chapter
from lamina.composition.embedders import BUNDLED
from lamina.domain.errors import NotAName
from lamina.domain.ids import MemoryId
from lamina.domain.outcome import Decision
from lamina.domain.references import RuleRef
from lamina.domain.state import is_live
from lamina.entrypoints.cli.screen import out, shown
from lamina.entrypoints.cli.where import anchor_keys, opened

DATE = "%Y-%m-%d %H:%M"
TOLD_ABOVE = ("corroborate", "contradict", "move_contradiction", "link_action")
"""Verbs that only say something of a record: what they said is told in their own words."""


def history(
    store: Annotated[str, typer.Argument(help="The store: a path or a URL.")],
    memory_id: Annotated[str, typer.Argument(metavar="ID", help="Which memory.")],
    spec: Annotated[str, typer.Option(help="A shipped spec, or the path of a .toml file.")],
    at: Annotated[list[str], typer.Option(help="A key of its anchor, as key=value; once for each key.")],
    embedder: Annotated[str, typer.Option(help="bundled, hashing, a hub name or a local folder.")] = BUNDLED,
) -> None:
    """What became of a memory, and why: every decision, who spoke for it, and what took its place."""
    with opened(store, spec, embedder) as memory:
        chapters = memory.at(**anchor_keys(at)).history(MemoryId(_uuid(memory_id)))
    for chapter in chapters:
        _tell(chapter)


def _uuid(text: str) -> UUID:
    try:
        return UUID(text)
    except ValueError as error:
        raise NotAName(f"id {text!r}", "is not the id of a memory", "copy it from an outcome or a hit") from error


def _tell(chapter: Chapter) -> None:
    record = chapter.record
    state = "live" if is_live(record.state) else type(record.state).__name__.lower()
    out.print(f"[bold]{shown(record.body) or 'erased'}[/bold]", soft_wrap=True)
    out.print(f"  {record.id}, {record.cell}, {state}, true since {record.validity.valid_at:{DATE}}", soft_wrap=True)
    for line in sorted(_dated(chapter), key=lambda line: line.at):
        out.print(f"  {line.at:{DATE}}  {shown(line.text)}", soft_wrap=True)
    for rule in sorted(chapter.rules, key=str):
        out.print(f"  refers to rule {rule.rule_id} version {shown(rule.version)}", soft_wrap=True)


@dataclass(frozen=True, slots=True)
class _Line:
    at: datetime
    text: str


def _dated(chapter: Chapter) -> Iterator[_Line]:
    """All that happened to the record. What was said at one moment stands before what was decided on it."""
    for said in chapter.corroborations:
        notes = f": {said.notes}" if said.notes else ""
        yield _Line(said.corroborated_at, f"{said.outcome} by {said.source_type} {said.source_ref}{notes}")
    for doubt in chapter.contradictions:
        for step in doubt.history:
            yield _Line(step.at, f"contradiction with {_named(doubt.against)} {step.status}: {step.notes}")
    for link in chapter.actions:
        yield _Line(link.linked_at, f"{link.kind} {link.ref} rests on it")
    for entry in chapter.decisions:
        if not (entry.verb in TOLD_ABOVE and entry.outcome.decision is Decision.NOOP):
            by = f" by {entry.outcome.rule}" if entry.outcome.rule else ""
            yield _Line(entry.at, f"{entry.verb}: {entry.outcome.decision}{by}, {entry.outcome.reason}")


def _named(against: RuleRef | MemoryId) -> str:
    return f"rule {against.rule_id} {against.version}" if isinstance(against, RuleRef) else str(against)
