"""What is asked, taken apart as the signals want it: outside any transaction, as a model may be far away."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from lamina.application.resources import Resources
from lamina.domain.anchor import Anchor
from lamina.domain.mentions import Mention, longest, mentions, without
from lamina.domain.numbers import checked_number
from lamina.domain.search import Search
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
    """A query, what is looked for, and the labels that count for what is found."""

    query: Query
    search: Search
    labels: Sequence[str]


def asked(resources: Resources, anchors: Sequence[Anchor], queries: Sequence[Query]) -> list[Asked]:
    """Every query embedded and taken apart, all of them at once."""
    named = _named(resources, anchors, queries)
    wanted = resources.spec.retrieval.signals
    bare = [without(query.text, found) for query, found in zip(queries, named, strict=True)]
    vectors = resources.embedder.queries(bare) if Signal.SEMANTIC in wanted else [None] * len(queries)
    texts = [query.text for query in queries]
    lexemes = resources.lexer.lexemes(texts) if Signal.LEXICAL in wanted else [() for _ in queries]
    each = zip(queries, named, vectors, lexemes, bare, strict=True)
    return [
        _asked(resources, query, found, vector, words, nothing_else=rest == query.text)
        for query, found, vector, words, rest in each
    ]


def _asked(  # noqa: PLR0913 (what was worked out of one query)
    resources: Resources,
    query: Query,
    found: Sequence[Mention],
    vector: bytes | None,
    lexemes: Sequence[str],
    *,
    nothing_else: bool,
) -> Asked:
    given = [label(*tag) for tag in (query.tags or {}).items()]
    labels = given or list(dict.fromkeys(mention(one.value) for one in found))
    # A label that was merely named counts for what the text finds; it finds by itself if there is nothing else.
    finding = given or (labels if nothing_else else [])
    search = Search(DEPTH * query.limit + SPARE, vector, resources.embedder.model, lexemes, finding)
    return Asked(query, search, labels)


def _named(resources: Resources, anchors: Sequence[Anchor], queries: Sequence[Query]) -> list[list[Mention]]:
    """What each query names of the labels that there are, if it is not told which tags are meant."""
    if Signal.TAGS not in resources.spec.retrieval.signals:
        return [[] for _ in queries]
    possible = [[] if query.tags else _possible(resources, query.text) for query in queries]
    values = sorted({one.value for some in possible for one in some})
    there: set[str] = set()
    for anchor in anchors if values else ():
        with resources.store.reading(anchor) as unit:
            there |= unit.candidates.mentioned(values)
    return [longest(one for one in some if one.value in there) for some in possible]


def _possible(resources: Resources, text: str) -> list[Mention]:
    """What may be a name: words that say nothing by themselves are none."""
    some = mentions(text)
    words = list({word for one in some for word in one.value.split()})
    saying = {word for word, lexemes in zip(words, resources.lexer.lexemes(words), strict=True) if lexemes}
    return [one for one in some if not saying.isdisjoint(one.value.split())]
