"""What the log says of a record: any history of changes and undos leads back to what was before."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from hypothesis import given
from hypothesis import strategies as st

from lamina.domain.decision_log import DecisionEntry
from lamina.domain.ids import DecisionId, MemoryId
from lamina.domain.outcome import Decision, Outcome
from lamina.domain.state import Active, Candidate, Exempted, Promoted
from lamina.domain.undoing import changes, former_state
from lamina.testing.samples import DAY, START

ONE, OTHER = MemoryId(UUID(int=1)), MemoryId(UUID(int=2))
ADDED = Outcome(Decision.ADD, (ONE,), "observed")
HELD = Outcome(Decision.HELD, (ONE,), "1 of 2 voices", "corroborated")
EXEMPTED = Outcome(Decision.UPDATE, (ONE,), "a landmark")
ARCHIVED = Outcome(Decision.DELETE, (ONE,), "stale")
SPOKEN = Outcome(Decision.NOOP, (ONE,), "confirmed")
RISEN = Outcome(Decision.ADD, (OTHER, ONE), "became a fact")
KNOWN = Outcome(Decision.NOOP, (OTHER, MemoryId(UUID(int=3)), ONE), "known already")
UNDONE = Outcome(Decision.UPDATE, (ONE,), "undone")


def log(*said: tuple[str, Outcome]) -> list[DecisionEntry]:
    """Entries whose ids count up while the clock runs backwards."""
    return [
        DecisionEntry(DecisionId(UUID(int=number)), verb, START - number * DAY, outcome)
        for number, (verb, outcome) in enumerate(said)
    ]


def before_last(*said: tuple[str, Outcome]) -> object:
    entries = log(*said)
    return former_state(ONE, entries[::-1], entries[-1].id)


def test_what_a_record_was_before_it_was_archived() -> None:
    archived = ("archive", ARCHIVED)
    assert before_last(("observe", ADDED), archived) == Active()
    assert before_last(("propose", HELD), archived) == Candidate(START, "1 of 2 voices", "corroborated")
    assert before_last(("propose", HELD), ("corroborate", ADDED), archived) == Active()
    assert before_last(("observe", ADDED), ("exempt", EXEMPTED), archived) == Exempted(START - DAY, "a landmark")
    assert before_last(("close", ADDED), ("dream", RISEN), archived) == Promoted(START - DAY, OTHER)
    assert before_last(("close", ADDED), ("dream", KNOWN), archived) == Promoted(START - DAY, OTHER)


def test_only_what_changed_it_is_a_change() -> None:
    entries = log(("propose", HELD), ("corroborate", HELD), ("corroborate", SPOKEN), ("archive", ARCHIVED))
    assert changes(entries[::-1]) == [entries[0], entries[3]]


STEPS = {"exempt": EXEMPTED, "archive": ARCHIVED, "corroborate": SPOKEN}


@given(st.lists(st.sampled_from([*STEPS, "undo"])))
def test_every_undo_takes_back_the_last_change(steps: Sequence[str]) -> None:
    said: list[tuple[str, Outcome]] = [("observe", ADDED)]
    stood: list[object] = [Active()]
    for step in steps:
        live = isinstance(stood[-1], Active | Exempted)
        if step == "undo" and len(stood) > 1:
            stood.pop()
            said.append(("undo", UNDONE))
        elif (step == "exempt" and stood[-1] == Active()) or (step == "archive" and live):
            at = START - len(said) * DAY
            stood.append(Exempted(at, "a landmark") if step == "exempt" else ARCHIVED)
            said.append((step, STEPS[step]))
        elif step == "corroborate" and live:
            said.append((step, SPOKEN))
    live_last = [one for one in stood if isinstance(one, Active | Exempted)][-1]
    assert before_last(*said, ("archive", ARCHIVED)) == live_last
