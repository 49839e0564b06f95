"""How texts answer (P5): by their own words and vectors, for as much as they tell, and by what stands beside them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

import numpy as np

from lamina.domain.bm25 import WordByWord
from lamina.domain.fusion import Heard, Said, checked
from lamina.domain.neighbourhood import Line, Near, Text, asking, borrowed
from lamina.domain.outline import Column, Outlines
from lamina.domain.retrieval import RetrievalModel
from lamina.domain.scoring import Stretch
from lamina.domain.search import Drawn, Search
from lamina.domain.signals import Signal
from lamina.domain.typology import CELLS, Typology

UNHEARD: Final = Said(np.empty(0, dtype=np.intp), np.empty(0))
ASKED: Final = 0.5
"""How much less a text counts where it asks and does not tell: half, so that a question is still found by its words."""
SHORT: Final = 40
"""Characters of an episode whose labels and neighbours count half of what those of a long one do: "Wow, that is great!"
has a speaker, a time and neighbours, and answers nothing. What comes right after a question says what was asked, too;
and what is stated as a fact or a preference says all, however short."""
SURE: Final = 4
"""Digits of a cosine that count. Stores add up in single precision, each in its own order, so that the seventh differs:
of a thousand, one still falls on either side of a fourth."""
_SHORT: Final = np.array([float(SHORT * (cell.typology is Typology.EPISODIC)) for cell in CELLS])


class Evidence(NamedTuple):
    """What texts say by themselves, by signal."""

    heard: Mapping[Signal, Heard]
    """What was found."""
    stretched: Mapping[Signal, Column]
    """What that adds by its weight, if scores and not ranks count."""
    of_words: Stretch
    """Between which scores words answer, if any do."""


def text_of(outlines: Outlines, search: Search) -> Text:
    """What the texts are. Who asks for labels asks for whatever has them, questions too."""
    asks = np.zeros(len(outlines)) if search.finding else asking(outlines)
    return Text(outlines.characters, asks, 1 - ASKED * asks)


def told(outlines: Outlines, search: Search, line: Line, text: Text) -> dict[Signal, Column]:
    """The share that counts of what each signal adds. Of a text what tells, and at least half of that, so that a word
    is still found by itself; of what is around a text that says little, little. Time does not ask what is said; and who
    asks for labels asks for whatever has them."""
    if search.finding:
        return {}
    characters = text.characters + line.before(outlines.asking)
    lacking = text.telling * (_SHORT[outlines.cells] / (characters + SHORT))
    tells, around = text.telling - lacking / 2, text.telling - lacking
    return {Signal.LEXICAL: tells, Signal.SEMANTIC: tells, Signal.TAGS: around, Signal.NEIGHBOURHOOD: around}


def evidence(drawn: Drawn, search: Search, model: RetrievalModel) -> Evidence:
    """How well each answers by its own text. Not by its rank: the tenth of ten has nothing to lend."""
    lexical, semantic = (drawn.found.get(signal, UNHEARD) for signal in (Signal.LEXICAL, Signal.SEMANTIC))
    if search.finding:
        lexical = _worded(drawn)
    semantic = Said(semantic.places, np.asarray(semantic.scores, dtype=np.float64).round(SURE))
    by_words, near = checked(Signal.LEXICAL, lexical), checked(Signal.SEMANTIC, semantic)
    of_words, most = Stretch.over(by_words.scores), model.scoring.most
    stretched = {
        Signal.LEXICAL: of_words.additions(by_words.scores, model.signals.get(Signal.LEXICAL, 0.0) * most),
        Signal.SEMANTIC: Stretch.over(near.scores).additions(
            near.scores, model.signals.get(Signal.SEMANTIC, 0.0) * most
        ),
    }
    return Evidence({Signal.LEXICAL: by_words, Signal.SEMANTIC: near}, stretched, of_words)


def _worded(drawn: Drawn) -> Said:
    """What the words of all say, not of the foremost only: who has the labels that are asked for was drawn for them,
    from however far behind, and is not to fall behind what has the words alone."""
    scores = drawn.words.scores(len(drawn.outlines))
    (having,) = scores.nonzero()
    return Said(having, scores[having])


def lent(words: WordByWord, evidence: Evidence, model: RetrievalModel, line: Line, text: Text) -> Column:
    """What the neighbours of each add, if they are listened to. By words never more than if it said all itself, however
    near to one another the scores are that this is measured by; nor, for what is said beside it, than its share of
    that."""
    share, weight = model.signals.get(Signal.NEIGHBOURHOOD, 0.0), model.signals.get(Signal.LEXICAL, 0.0)
    added = np.zeros(len(text.asking))
    if not share:
        return added
    near = Near(evidence.heard[Signal.SEMANTIC].places, evidence.stretched[Signal.SEMANTIC])
    has = borrowed(line, text, near, words, share)
    room = weight * model.scoring.most * has.room
    having, scores = evidence.heard[Signal.LEXICAL]
    if len(scores):
        own = np.zeros(len(added))
        own[having] = model.scoring.told(evidence.stretched[Signal.LEXICAL], text.telling[having])
        more = evidence.of_words.beside(has.together, weight * model.scoring.most) - own
        added = np.minimum(np.maximum(more, 0.0), room) * (has.together > has.alone)
    added += has.beside * np.maximum(share * room - added, 0.0)
    added += has.meaning
    return added
