"""What was drawn, ranked by the domain."""

from __future__ import annotations

from lamina.application.resources import Resources
from lamina.domain.decaying import Decaying
from lamina.domain.ranking import Ranking
from lamina.domain.search import Drawn, Search
from lamina.domain.selection import Selection


def ranking(resources: Resources, drawn: Drawn, search: Search, selection: Selection) -> Ranking:
    """What was drawn, in order."""
    now = selection.as_of.known_at if selection.as_of else resources.clock.now()
    decay = Decaying(resources.spec, now).weights(drawn.outlines)
    return Ranking(drawn, search, resources.spec.retrieval, decay)
