"""BM25: what it must do whatever the texts are."""

from math import log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lamina.domain.bm25 import K1, MOST_WEIGHED, B, Counts, WordByWord, counted_together, weigh

WORDS = st.sampled_from(["gate", "cite", "数据", "7"])
TEXTS = st.lists(st.lists(WORDS, min_size=1, max_size=8), min_size=1, max_size=8)


def counts(texts: list[list[str]], query: list[str]) -> Counts:
    return Counts(len(texts), sum(map(len, texts)), {word: sum(word in text for text in texts) for word in query})


def score(text: list[str], texts: list[list[str]], query: list[str]) -> float:
    return weigh(query, counts(texts, query)).score({word: text.count(word) for word in text}, len(text))


def test_of_very_many_words_the_heaviest_are_looked_for() -> None:
    containing = {f"word {number}": 1 + number for number in range(MOST_WEIGHED + 50)}
    weights = weigh(list(containing), Counts(1_000, 5_000, containing)).weights
    assert set(weights) == {f"word {number}" for number in range(MOST_WEIGHED)}
    assert list(weights) == sorted(weights)


@given(TEXTS, TEXTS)
def test_what_is_counted_apart_is_counted_together(some: list[list[str]], others: list[list[str]]) -> None:
    query = ["gate", "cite", "7"]
    assert counted_together([counts(some, query), counts(others, query)]) == counts([*some, *others], query)


def test_the_formula_as_the_books_have_it() -> None:
    texts = [["gate", "cite"], ["gate", "gate", "x", "y"], ["z"]]
    average = 7 / 3
    rarity = log(1 + (3 - 2 + 0.5) / (2 + 0.5))
    expected = rarity * 2 * (K1 + 1) / (2 + K1 * (1 - B + B * 4 / average))
    assert score(texts[1], texts, ["gate"]) == pytest.approx(expected)


@given(TEXTS, st.lists(WORDS, max_size=5))
def test_what_shares_no_word_scores_nothing_and_what_does_scores_more(texts: list[list[str]], query: list[str]) -> None:
    for text in texts:
        assert (score(text, texts, query) > 0) == bool(set(text) & set(query))


@given(TEXTS, st.lists(WORDS, min_size=1, max_size=5))
def test_the_order_of_the_query_does_not_matter(texts: list[list[str]], query: list[str]) -> None:
    assert all(score(text, texts, query) == score(text, texts, query[::-1]) for text in texts)


@given(TEXTS, WORDS)
def test_saying_it_once_more_in_as_many_words_never_scores_less(texts: list[list[str]], word: str) -> None:
    weighing = weigh([word], counts([*texts, [word]], [word]))
    additions = [weighing.addition(word, tf, 20) for tf in range(1, 20)]
    assert additions == sorted(additions)


@given(TEXTS, WORDS)
def test_a_longer_text_is_held_against_it(texts: list[list[str]], word: str) -> None:
    weighing = weigh([word], counts([*texts, [word]], [word]))
    additions = [weighing.addition(word, 1, length) for length in range(1, 50)]
    assert additions == sorted(additions, reverse=True)


def test_a_rare_word_weighs_more() -> None:
    weights = weigh(["rare", "common"], Counts(100, 1_000, {"rare": 1, "common": 90})).weights
    assert weights["rare"] > weights["common"] > 0


def test_an_empty_anchor_weighs_nothing() -> None:
    assert weigh(["gate"], Counts(0, 0, {})).weights == {}


def test_another_form_counts_like_the_word_and_never_more() -> None:
    there = Counts(100, 1_000, {"go": 40, "went": 2, "gone": 60})
    weights = weigh(["go"], there, {"go": ["gone", "went", "goe"], "buy": ["bought"]}).weights
    alone = weigh(["gone"], there).weights["gone"]
    assert weights == {"go": weights["go"], "gone": alone, "went": weights["go"]}
    assert list(weights) == sorted(weights), "it is added up in one order"
    assert weigh(["go"], there).weights == {"go": weights["go"]}


def test_a_form_that_was_asked_for_itself_keeps_the_more() -> None:
    there = Counts(100, 1_000, {"go": 40, "went": 2})
    both = weigh(["go", "went"], there, {"go": ["went"], "went": ["go"]}).weights
    assert both["went"] == weigh(["went"], there).weights["went"]
    assert both["go"] == weigh(["go"], there).weights["go"]


def test_a_word_that_nobody_has_is_asked_for_by_its_forms() -> None:
    assert set(weigh(["go"], Counts(9, 90, {"went": 1}), {"go": ["went"]}).weights) == {"went"}


def test_a_word_that_is_asked_for_as_a_label_too_counts_half() -> None:
    there = Counts(100, 1_000, {"ann": 40, "go": 40})
    weights = weigh(["ann", "go"], there, labels={"ann"}).weights
    assert weights["ann"] == weights["go"] / 2
    assert weigh(["ann", "ann"], there, labels={"ann"}).weights == {"ann": weights["go"]}


def test_what_moves_is_told_by_its_new_place() -> None:
    words = WordByWord(np.array([0, 2, 2, 4]), np.array([0, 0, 1, 1]), np.array([1.0, 2.0, 3.0, 4.0]))
    moved = words.moved(np.array([-1, -1, 1, -1, 0]))
    assert [column.tolist() for column in moved] == [[1, 1, 0], [0, 1, 1], [2.0, 3.0, 4.0]]
    assert moved.scores(3).tolist() == [4.0, 5.0, 0.0]
