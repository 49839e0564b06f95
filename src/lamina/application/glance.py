"""Recalling at a glance: all that a small anchor has is read in one round trip, and searched here.

Which names the query means is guessed before it, and each record is held to the version that was seen. If either was
wrong, nothing was found: recall asks again, step by step.
"""

from __future__ import annotations

from lamina.application.hit import Hit
from lamina.application.query import LIVE, Asked, Read, asked
from lamina.application.ranked import ranking
from lamina.application.rerank import candidates_wanted
from lamina.application.resources import Resources
from lamina.domain.anchor import Anchor
from lamina.domain.neighbourhood import REACH
from lamina.domain.selection import Selection
from lamina.domain.sheet import Sheet, Wanted
from lamina.domain.terms import label, mention_of
from lamina.ports.glances import Glances


def glanced(resources: Resources, anchor: Anchor, read: Read) -> list[Hit] | None:
    """The best answers of one anchor, best first; None where they have to be asked for step by step."""
    glances, selection = resources.store.glances, read.query.selection
    if glances is None or not _is_plain(selection):
        return None
    values = {mention_of(value): value for value in (read.possible.values if read.possible else ())}
    guessed = resources.names.of(anchor.id).intersection(values.values())
    forms = (form for some in read.forms.values() for form in some)
    given = (label(*tag) for tag in (read.query.tags or {}).items())
    # The labels first: most records have one, and it is soon told which.
    terms = dict.fromkeys([*given, *map(mention_of, guessed), *read.lexemes, *forms, *values])
    if not glances.are_worth_it(anchor, len(terms)):
        return None
    (one,) = asked(resources, [read], guessed)
    wanted = Wanted(one.search.vector, one.search.model, list(terms))
    sheet = glances.sheet(anchor, selection, wanted)
    if sheet is None:
        return None
    there = frozenset(value for term, value in values.items() if sheet.counts.containing.get(term))
    if there != guessed:
        resources.names.learn(anchor.id, values.values(), there)
        return None
    return _hits(resources, glances, anchor, one, sheet)


def _hits(resources: Resources, glances: Glances, anchor: Anchor, one: Asked, sheet: Sheet) -> list[Hit] | None:
    search = one.of(sheet.counts)
    drawn, places = sheet.draw(search, REACH)
    if len(drawn.outlines) < one.limit:
        # As many as there are: what no signal speaks of comes last, the newest first.
        drawn, places = sheet.draw(search._replace(newest=one.limit), REACH)
    best = ranking(resources, drawn, search, LIVE).best(candidates_wanted(resources, one.limit))
    versions = sheet.versions[places[[ranked.place for ranked in best]]].tolist()
    records = glances.records(anchor, dict(zip((ranked.id for ranked in best), versions, strict=True)))
    return [Hit(records[one.id], one) for one in best] if len(records) == len(best) else None


def _is_plain(selection: Selection) -> bool:
    """Whether it asks for what is live, and for no part of it but cells."""
    narrowed = (selection.since, selection.until, selection.session_id, selection.as_of)
    return not selection.include_retired and narrowed == (None,) * len(narrowed)
