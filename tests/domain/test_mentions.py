from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from lamina.domain.mentions import FEW, Mention, Mentions, without
from lamina.domain.terms import LONGEST_LEXEME, MOST_WORDS
from lamina.domain.text import folded


def mentions(query: str) -> list[Mention]:
    found = Mentions(query, saying=list)
    return [Mention(value, *span) for value, span in zip(found.values, found.spans, strict=True)]


@given(st.text(max_size=200))
def test_every_mention_is_a_part_of_the_query(query: str) -> None:
    for one in mentions(query):
        assert one.value == folded(query[one.start : one.end])
        assert len(query[one.start : one.end]) <= LONGEST_LEXEME
        assert len(one.value.split()) >= 1


def test_names_are_found_whatever_stands_around_them() -> None:
    values = {one.value for one in mentions("Did Ann Lee's sister (BOB) call?")}
    assert {"ann", "ann lee", "bob"} <= values
    assert all(len(value.split()) <= MOST_WORDS for value in values)


def test_what_says_nothing_by_itself_is_no_name() -> None:
    def saying(words: Sequence[str]) -> list[bool]:
        return [word not in {"did", "the"} for word in words]

    found = Mentions("did the gate", saying)
    assert set(found.values) == {"gate", "the gate", "did the gate"}
    assert found.among({"did the", "the gate", "gat"}) == {"the gate"}


QUERIES = st.text("aAbB _.é\n", max_size=30)


@given(QUERIES, st.sets(st.text("ab _.", min_size=1, max_size=6), max_size=6), QUERIES)
def test_a_few_names_are_found_as_many_are(query: str, names: set[str], silent: str) -> None:
    """Few are looked for in the query, and of many its parts are looked up: that is another way to the same."""

    def saying(words: Sequence[str]) -> list[bool]:
        return [word not in silent for word in words]

    found, every = Mentions(query, saying), Mentions(query, saying)
    many = names | {f"nobody {place}" for place in range(FEW)}
    assert found.among(names) == every.among(many)
    assert found.named(names) == every.named(many)


def test_a_name_is_looked_for_as_far_as_its_parts_are() -> None:
    late = "word " * 70 + "ann"
    for name, query in (("ann", late), ("a b c d e", "a b c d e"), ("x" * 65, "x" * 65)):
        assert Mentions(query, saying=list).named({name}) == []
    assert len(Mentions("a " * 50_000, saying=list).named({"a"})) == 64


def test_a_long_query_is_looked_at_as_far_as_a_name_would_stand() -> None:
    assert len(mentions("word " * 20_000)) < 300
    assert mentions("x" * 100_000) == []


def test_of_names_that_overlap_the_longest_counts() -> None:
    query = "when did Ann Lee call Bob"
    found = Mentions(query, saying=list).named({"ann", "lee", "ann lee", "bob"})
    assert [one.value for one in found] == ["ann lee", "bob"]


def test_the_rest_is_what_is_looked_for() -> None:
    query = "when did Ann Lee call Bob?"
    found = Mentions(query, saying=list).named({"ann lee", "bob"})
    assert without(query, found) == "when did call ?"
    assert without(f" {query}", []) == f" {query}"


def test_a_query_that_does_nothing_but_name_is_kept() -> None:
    assert without("Ann!", [Mention("ann", 0, 3)]) == "Ann!"
