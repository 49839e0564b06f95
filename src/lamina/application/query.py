"""What is asked, taken apart as the signals want it: outside any transaction, as a model may be far away."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from lamina.application.resources import Resources
from lamina.domain.anchor import Anchor
from lamina.domain.bm25 import weigh
from lamina.domain.mentions import Mention, longest, mentions, without
from lamina.domain.numbers import checked_number
from lamina.domain.periods import periods
from lamina.domain.search import NOTHING_KNOWN, Known, Search
from lamina.domain.selection import Selection
from lamina.domain.signals import Signal
from lamina.domain.terms import label, mention
from lamina.domain.text import checked_text

LIVE = Selection()
LONGEST_QUERY = 100_000
MOST_HITS = 10_000
DEPTH, SPARE = 2, 20
"""Each signal is asked for so many times the limit, and some more, so that what two of them rank lower can still come
first: forty for ten."""


@dataclass(frozen=True, slots=True)
class Query:
    """What is asked, and of which part of memory."""

    text: str
    limit: int = 10
    tags: Mapping[str, str] | None = None
    selection: Selection = LIVE

    def __post_init__(self) -> None:
        checked_text(self.text, "query", at_most=LONGEST_QUERY)
        checked_number(self.limit, "limit", at_least=1, at_most=MOST_HITS)


@dataclass(frozen=True, slots=True)
class Asked:
    """A query taken apart: what is looked for, but for what its words weigh, which each anchor says for itself."""

    query: Query
    lexemes: Sequence[str]
    forms: Mapping[str, Sequence[str]]
    """The other forms of some of them."""
    search: Search

    def of(self, known: Known) -> Search:
        """What is looked for in an anchor that knows so much of the words."""
        if not self.lexemes:
            return self.search
        return self.search._replace(weighing=weigh(self.lexemes, known.counts, self.forms))


def asked(resources: Resources, anchors: Sequence[Anchor], queries: Sequence[Query]) -> tuple[list[Asked], list[Known]]:
    """Every query embedded and taken apart, all of them at once; and what each anchor knows of their words."""
    wanted = resources.spec.retrieval.signals
    texts = [query.text for query in queries]
    lexemes = resources.lexer.lexemes(texts) if Signal.LEXICAL in wanted else [() for _ in queries]
    forms = {lexeme: others for some in lexemes for lexeme in some if (others := resources.lexer.forms(lexeme))}
    possible = [_possible(resources, query) for query in queries]
    known = _known(resources, anchors, [*lexemes, *forms.values()], possible)
    there = frozenset[str]().union(*(one.mentioned for one in known))
    named = [longest(one for one in some if one.value in there) for some in possible]
    bare = [without(query.text, found) for query, found in zip(queries, named, strict=True)]
    vectors = resources.embedder.queries(bare) if Signal.SEMANTIC in wanted else [None] * len(queries)
    each = zip(queries, lexemes, named, bare, vectors, strict=True)
    return [
        Asked(query, words, forms, _search(resources, query, found, vector, nothing_else=rest == query.text))
        for query, words, found, rest, vector in each
    ], known


def _search(
    resources: Resources, query: Query, found: Sequence[Mention], vector: bytes | None, *, nothing_else: bool
) -> Search:
    given = [label(*tag) for tag in (query.tags or {}).items()]
    labels = given or list(dict.fromkeys(mention(one.value) for one in found))
    # A label that was merely named counts for what the text finds; it finds by itself if there is nothing else.
    finding = given or (labels if nothing_else else [])
    limit = DEPTH * query.limit + SPARE
    times = periods(query.text)
    return Search(limit, vector, resources.embedder.model, finding=finding, labels=labels, periods=times)


def _known(
    resources: Resources,
    anchors: Sequence[Anchor],
    lexemes: Sequence[Sequence[str]],
    possible: Sequence[Sequence[Mention]],
) -> list[Known]:
    """What each anchor knows of the words of all the queries."""
    words = sorted({word for some in lexemes for word in some})
    values = sorted({one.value for some in possible for one in some})
    known = []
    for anchor in anchors if words or values else ():
        with resources.store.reading(anchor) as unit:
            known.append(unit.candidates.known(words, values))
    return known or [NOTHING_KNOWN] * len(anchors)


def _possible(resources: Resources, query: Query) -> list[Mention]:
    """What a query may name, if it is not told which tags are meant."""
    if query.tags or Signal.TAGS not in resources.spec.retrieval.signals:
        return []
    return mentions(query.text, saying=resources.lexer.lexemes)
