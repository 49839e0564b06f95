import numpy as np

from lamina.domain.bm25 import WordByWord
from lamina.domain.outline import Outlines
from lamina.domain.search import Drawn, together
from lamina.testing.samples import outline_of, record


def drawn(name: str, words: list[int]) -> Drawn:
    outlines = Outlines.of([outline_of(record(f"{name} {word}")) for word in words])
    return Drawn(outlines, {}, WordByWord(np.arange(len(words)), np.array(words, dtype=np.intp), np.ones(len(words))))


def test_a_word_is_the_same_in_every_anchor() -> None:
    """Each anchor numbers those words of the query that it has: what is first in one may be second in another."""
    several = [drawn("a", [0, 1]), drawn("b", [0]), drawn("c", []), drawn("d", [1, 0])]
    both = together(several, [["cat", "gate"], ["gate"], [], ["dog", "gate"]], 10)
    names = {0: "cat", 1: "gate", 2: "dog"}
    assert [names[word] for word in both.words.words.tolist()] == ["cat", "gate", "gate", "gate", "dog"]
    assert both.words.places.tolist() == [0, 1, 2, 3, 4]
    assert len(both.outlines) == 5
