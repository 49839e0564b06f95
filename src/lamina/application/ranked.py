"""What was drawn, as hits: ranked by the domain, each with its record."""

from __future__ import annotations

from datetime import timedelta

from lamina.application.hit import Hit
from lamina.application.resources import Resources
from lamina.domain.decaying import Decaying
from lamina.domain.instants import EPOCH
from lamina.domain.ranking import Ranked, Ranking
from lamina.domain.record import MemoryRecord
from lamina.domain.search import Drawn, Search
from lamina.domain.selection import Selection

MICROSECOND = timedelta(microseconds=1)


def ranking(resources: Resources, drawn: Drawn, search: Search, selection: Selection) -> Ranking:
    """What was drawn, in order."""
    now = selection.as_of.known_at if selection.as_of else resources.clock.now()
    decay = Decaying(resources.spec, now).weights(drawn.outlines)
    return Ranking(drawn, search, resources.spec.retrieval, decay)


def hit(ranked: Ranked, record: MemoryRecord) -> Hit:
    """One answer."""
    confirmed_at = None if ranked.confirmed_at is None else EPOCH + ranked.confirmed_at * MICROSECOND
    return Hit(record, ranked.score, ranked, ranked.decay, ranked.confirmations, confirmed_at)
