"""Recall where it was not looked at: python -m benchmarks.recall_elsewhere locomo10.json legal_pairs.json

The shipped assistant on DuckDB: each half of the conversations, the same with eight turns joined to one long text, and
legal clauses asked for by what they say in plain English. A change that gains on LoCoMo should lose on none of them.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from statistics import fmean

import lamina
from benchmarks.leak_corpus import Corpus
from lamina.entrypoints.bench.locomo import CATEGORIES, Conversation, Sitting, Turn, read
from lamina.entrypoints.bench.running import write

LIMIT = 10
JOINED = 8
LONGEST = 3_900


def main() -> None:
    """A line for each."""
    conversations = read(Path(sys.argv[1]))
    half = len(conversations) // 2
    for name, some in (
        ("first half", conversations[:half]),
        ("second half", conversations[half:]),
        (f"{JOINED} turns joined", [_joined(one) for one in conversations]),
    ):
        print(f"{name}: macro recall@10 {_macro(some):.3f}", flush=True)
    first, five = _clauses(Path(sys.argv[2]))
    print(f"legal clauses by plain English: first {first:.3f}, among five {five:.3f}")


def _macro(conversations: Sequence[Conversation]) -> float:
    """The mean over the categories of the mean share of the evidence that is among the best."""
    shares: dict[int, list[float]] = {category: [] for category in CATEGORIES}
    with lamina.open(":memory:", spec=lamina.ASSISTANT_AGENT) as memory:
        for one in write(memory, conversations, lambda _: None):
            user = memory.at(user_id=one.user_id)
            for question in one.conversation.questions:
                origins = [hit.record.origin for hit in user.recall(question.text, LIMIT)]
                found = {one.turns[origin.session_id, origin.position] for origin in origins if origin}
                shares[question.category].append(fmean(turn in found for turn in question.evidence))
    return fmean(map(fmean, shares.values()))


def _joined(conversation: Conversation) -> Conversation:
    """Each text goes by its first turn, and so does what was evidence in it."""
    sittings, named = [], dict[str, str]()
    for sitting in conversation.sittings:
        groups = [sitting.turns[start : start + JOINED] for start in range(0, len(sitting.turns), JOINED)]
        named |= {turn.id: group[0].id for group in groups for turn in group}
        sittings.append(Sitting(sitting.at, tuple(map(_one_text, groups))))
    questions = (replace(one, evidence=_once(named[id_] for id_ in one.evidence)) for one in conversation.questions)
    return Conversation(conversation.name, tuple(sittings), tuple(questions))


def _one_text(turns: Sequence[Turn]) -> Turn:
    return replace(turns[0], text="\n".join(turn.text for turn in turns)[:LONGEST])


def _once(ids: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(ids))


def _clauses(path: Path) -> tuple[float, float]:
    """How often the clause that a restatement is of comes first, and how often among the first five."""
    pairs = [(clause[:LONGEST], restated) for clause, restated in Corpus.read(path).pairs]
    with lamina.open(":memory:", spec=lamina.ASSISTANT_AGENT) as memory:
        user = memory.at(user_id="legal")
        for clause in dict.fromkeys(clause for clause, _ in pairs):
            with user.session() as session:
                session.observe(clause)
        found = [(clause, [hit.record.body for hit in user.recall(restated, 5)]) for clause, restated in pairs]
    return fmean(clause in some[:1] for clause, some in found), fmean(clause in some for clause, some in found)


if __name__ == "__main__":
    main()
