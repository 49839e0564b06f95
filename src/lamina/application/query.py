"""What is asked, taken apart as the signals want it: outside any transaction, as a model may be far away."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from itertools import chain
from typing import NamedTuple

from lamina.application.resources import Resources
from lamina.domain.anchor import Anchor
from lamina.domain.bm25 import Counts, weigh
from lamina.domain.mentions import Mention, Mentions, without
from lamina.domain.numbers import checked_whole
from lamina.domain.periods import periods
from lamina.domain.record import Tags
from lamina.domain.search import NOTHING_KNOWN, Known, Search
from lamina.domain.selection import Selection
from lamina.domain.signals import Signal
from lamina.domain.terms import label, mention_of
from lamina.domain.text import checked_text

LIVE = Selection()
LONGEST_QUERY = 100_000
MOST_HITS = 10_000
MOST_WORDS = 2_000
"""Of so many words of a query it is asked who has them: some pages of text."""
DEPTH, SPARE = 2, 20
"""Each signal is asked for so many times the limit, and some more, so that what two of them rank lower can still come
first: forty for ten."""
SHALLOW = 10
"""Who asks for fewer is answered by the first of these: a smaller limit finds nothing else, nor in another order."""


@dataclass(frozen=True, slots=True)
class Query:
    """What is asked, and of which part of memory."""

    text: str
    limit: int = 10
    tags: Mapping[str, str] | None = None
    selection: Selection = LIVE

    def __post_init__(self) -> None:
        checked_text(self.text, "query", at_most=LONGEST_QUERY)
        checked_whole(self.limit, "limit", at_least=1, at_most=MOST_HITS)
        if self.tags is not None:
            Tags(self.tags)


class Read(NamedTuple):
    """A query as its words: all that is known of it without asking a model or a store."""

    query: Query
    lexemes: Sequence[str]
    forms: Mapping[str, Sequence[str]]
    """The other forms of some of them."""
    possible: Mentions | None
    """What it may name, unless it is told which tags are meant."""


class Asked(NamedTuple):
    """A query taken apart: what is looked for, but for what its words weigh, which each anchor says for itself."""

    read: Read
    search: Search
    labels: frozenset[str] = frozenset()
    """The lexemes of what it names."""

    @property
    def limit(self) -> int:
        """How many answers are wanted."""
        return self.read.query.limit

    def of(self, counts: Counts) -> Search:
        """What is looked for in an anchor where so many have its words."""
        if not self.read.lexemes:
            return self.search
        return self.search._replace(weighing=weigh(self.read.lexemes, counts, self.read.forms, self.labels))


def read(resources: Resources, queries: Sequence[Query]) -> list[Read]:
    """The words of every query."""
    has_words = Signal.LEXICAL in resources.spec.retrieval.signals
    every = resources.lexer.lexemes([query.text for query in queries]) if has_words else [() for _ in queries]
    every = [some[:MOST_WORDS] for some in every]
    forms = {lexeme: others for some in every for lexeme in some if (others := resources.lexer.forms(lexeme))}
    return [
        Read(query, lexemes, forms, _possible(resources, query)) for query, lexemes in zip(queries, every, strict=True)
    ]


def known(resources: Resources, anchors: Sequence[Anchor], reads: Sequence[Read]) -> list[Known]:
    """What each anchor knows of the words of all the queries."""
    lexemes = list({word for one in reads for some in (one.lexemes, *one.forms.values()) for word in some})
    possible = [one.possible for one in reads if one.possible]
    found = []
    for anchor in anchors if lexemes or possible else ():
        with resources.store.reading(anchor) as unit:
            found.append(unit.candidates.known(lexemes, possible))
        if resources.store.glances:
            values = {value for one in possible for value in one.values}
            resources.names.learn(anchor.id, values, found[-1].mentioned)
    return found or [NOTHING_KNOWN] * len(anchors)


def asked(resources: Resources, reads: Sequence[Read], names: Set[str]) -> list[Asked]:
    """Every query embedded and taken apart, all of them at once; `names` are the values that some tag has."""
    named = [one.possible.named(names) if one.possible else [] for one in reads]
    bare = [without(one.query.text, found) for one, found in zip(reads, named, strict=True)]
    has_vectors = Signal.SEMANTIC in resources.spec.retrieval.signals
    vectors = resources.embedder.queries(bare) if has_vectors else [None] * len(reads)
    each = zip(reads, named, bare, vectors, strict=True)
    return [
        Asked(
            one,
            _search(resources, one.query, found, vector, nothing_else=rest == one.query.text),
            frozenset(chain.from_iterable(resources.lexer.lexemes([name.value for name in found]))),
        )
        for one, found, rest, vector in each
    ]


def _search(
    resources: Resources, query: Query, found: Sequence[Mention], vector: bytes | None, *, nothing_else: bool
) -> Search:
    given = [label(*tag) for tag in (query.tags or {}).items()]
    labels = given or list(dict.fromkeys(mention_of(one.value) for one in found))
    # A label that was merely named counts for what the text finds; it finds by itself if there is nothing else.
    finding = given or (labels if nothing_else else [])
    limit = DEPTH * max(query.limit, SHALLOW) + SPARE
    times = periods(query.text)
    return Search(limit, vector, resources.embedder.model, finding=finding, labels=labels, periods=times)


def _possible(resources: Resources, query: Query) -> Mentions | None:
    if query.tags or Signal.TAGS not in resources.spec.retrieval.signals:
        return None
    return Mentions(query.text, saying=resources.lexer.lexemes)
