"""Dreaming: maintenance, anchor by anchor. Every page is one transaction; run again, it finds nothing left to do."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from lamina.application.attending import Attended, Attending
from lamina.application.backfill import Backfilled, backfill
from lamina.application.closing import close
from lamina.application.consolidate import consolidate
from lamina.application.deciding import retried
from lamina.application.judging import Rulings
from lamina.application.planning import whole
from lamina.application.resources import Resources
from lamina.domain.anchor import Anchor
from lamina.domain.dreaming import Done, Dreamt
from lamina.domain.ids import MemoryId, SessionId
from lamina.domain.instants import checked_patience
from lamina.domain.outcome import Decision, Outcome
from lamina.domain.retention import is_fading
from lamina.domain.scope import SessionScope

PAGE: Final = 1_000
MAINTENANCE_BATCH: Final = 1_000
Progress = Callable[[Dreamt], None]
"""Is told after each page what was done so far."""
_AT_CLOSING: Final = {Decision.ADD: Done.MOVED_UP, Decision.NOOP: Done.KNOWN, Decision.DELETE: Done.DROPPED}


@dataclass(frozen=True, slots=True)
class Dreaming:
    """How maintenance is to be done."""

    abandoned_after: timedelta = timedelta(days=1)
    """A session in which nothing was recorded for so long has nobody who would close it."""
    progress: Progress | None = None

    def __post_init__(self) -> None:
        checked_patience(self.abandoned_after, "abandoned_after")


def dream(resources: Resources, how: Dreaming) -> Dreamt:
    """Maintains every anchor that has memory, then the indexes."""
    report = Dreamt()
    for anchor in every_anchor(resources):
        _dream_at(resources, anchor, how, report)
    _catch_up(report, backfill(resources))
    report.indexed = maintain(resources)
    return report


def dream_at(resources: Resources, anchor: Anchor, how: Dreaming) -> Dreamt:
    """Maintains one anchor."""
    report = Dreamt()
    _dream_at(resources, anchor, how, report)
    _catch_up(report, backfill(resources, [anchor]))
    return report


def maintain(resources: Resources) -> int:
    """Moves what was written lately into the indexes; how many rows there were."""
    moved = 0
    while batch := resources.store.maintain(MAINTENANCE_BATCH):
        moved += batch
    return moved


def _catch_up(report: Dreamt, derived: Backfilled) -> None:
    """What is derived from events covers the log again; that is done as the subconscious, in a loop of its own."""
    report.entries, report.summaries, report.loops_closed = derived.entries, derived.summaries, derived.interrupted
    report.left = [str(one) for one in derived.left]


def every_anchor(resources: Resources) -> Iterator[Anchor]:
    """Every anchor that has memory, a page at a time."""
    page = resources.store.every_anchor(None, PAGE)
    while page:
        yield from page
        page = resources.store.every_anchor(page[-1].id, PAGE)


def _dream_at(resources: Resources, anchor: Anchor, how: Dreaming, report: Dreamt) -> None:
    with whole(resources, anchor) as planned:
        _close_abandoned(planned, anchor, resources.clock.now() - how.abandoned_after, report)
    for page in _pages(resources, anchor, report):
        report.reviewed += page
        if how.progress:
            how.progress(report)
    consolidate(resources, anchor, report)
    report.anchors += 1


def _close_abandoned(resources: Resources, anchor: Anchor, before: datetime, report: Dreamt) -> None:
    """Closes the sessions that a process left behind when it died. What it had begun to close is gone on with."""
    after: SessionId | None = None
    while scopes := _abandoned(resources, anchor, before, after):
        for scope in scopes:
            for outcome in close(resources, scope).outcomes:
                report.note(anchor, _AT_CLOSING[outcome.decision], outcome)
            report.sessions_closed += 1
        after = scopes[-1].session_id


def _abandoned(resources: Resources, anchor: Anchor, before: datetime, after: SessionId | None) -> list[SessionScope]:
    with resources.store.reading(anchor) as unit:
        return unit.scope_cleanup.abandoned(before, after, PAGE)


def _pages(resources: Resources, anchor: Anchor, report: Dreamt) -> Iterator[int]:
    """Goes through the anchor's live persistent records; how many each page had."""
    after: MemoryId | None = None
    while True:
        page = _page(resources, anchor, after)
        for done, outcome in page.attended:
            report.note(anchor, done, outcome)
        report.fading += page.fading
        if page.last is None:
            return
        after = page.last
        yield page.size


@dataclass(frozen=True, slots=True)
class _Page:
    size: int
    last: MemoryId | None
    fading: int
    attended: list[Attended]


def _page(resources: Resources, anchor: Anchor, after: MemoryId | None) -> _Page:
    rulings, decays = Rulings(resources), resources.spec.retention().decays

    def once() -> _Page:
        with resources.store.unit(anchor) as unit:
            taken = unit.reviews.take(after, PAGE)
            canon = unit.rules.versions({ref.rule_id for one in taken for ref in one.references})
            attending = Attending(resources, unit, canon, rulings)
            attended = [said for one in taken if (said := attending.attend(one))]
            outcomes: list[Outcome] = [outcome for _, outcome in attended]
            unit.decisions.add(resources.decided("dream", outcomes))
        fading = sum(is_fading(one, decays, resources.clock.now()) for one in taken)
        return _Page(len(taken), taken[-1].record.id if taken else None, fading, attended)

    return rulings.settled(lambda: retried(once))
