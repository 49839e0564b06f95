"""Terms: lexemes and labels in one vocabulary, and never one for the other."""

from hypothesis import given
from hypothesis import strategies as st

from lamina.domain.record import Tags
from lamina.domain.terms import Document, document, label, mention_of, mentioned_by
from lamina.testing.strategies import texts


def test_a_document_counts_lexemes_and_has_each_label_once() -> None:
    found = document(["gate", "cite", "gate"], Tags({"family": "gate"}))
    assert found == Document({"gate": 2, "cite": 1, '["family", "gate"]': 1, '["", "gate"]': 1}, length=3)


@given(texts(64), texts(64), texts(64), texts(64))
def test_two_labels_are_one_only_if_both_parts_are(name: str, value: str, other: str, others: str) -> None:
    assert (label(name, value) == label(other, others)) == ((name, value) == (other, others))


@given(st.dictionaries(texts(64), texts(256), max_size=4))
def test_labels_do_not_make_a_document_longer(tags: dict[str, str]) -> None:
    assert document(["gate"], tags).length == 1


@given(texts(64), texts(64))
def test_a_mention_says_what_it_mentions(name: str, value: str) -> None:
    assert mentioned_by(mention_of(value)) == value
    assert mentioned_by(label(name, value)) is None
    assert mentioned_by("gate") is None
