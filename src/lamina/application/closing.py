"""Crossing a tier boundary. What matters moves up, what is known already is let go; at a scope's end the rest is
dropped."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping
from dataclasses import dataclass

from lamina.application.deciding import retried, sure
from lamina.application.planning import whole
from lamina.application.resources import Resources
from lamina.application.rising import Rising, risen
from lamina.domain.ids import MemoryId
from lamina.domain.outcome import Decision, Outcome
from lamina.domain.policies.lifecycle import Circumstances, Fate
from lamina.domain.record import MemoryRecord
from lamina.domain.scope import InteractionScope, SessionScope
from lamina.domain.scope_cleanup import CleanUp, Pointer, Standing, clean_up
from lamina.domain.state import is_disposed
from lamina.domain.transitions import archive, promote
from lamina.ports.unit_of_work import UnitOfWork

Transient = InteractionScope | SessionScope


@dataclass(frozen=True, slots=True)
class Closed:
    """What became of each record of the scope."""

    outcomes: tuple[Outcome, ...] = ()

    def count(self, decision: Decision) -> int:
        """How many came to that: ADD moved up, NOOP were there already, DELETE were dropped or put away."""
        return sum(outcome.decision is decision for outcome in self.outcomes)


def close(resources: Resources, scope: Transient) -> Closed:
    """Closes what is left open in it, then the scope itself. Closed again, it goes on where it was interrupted."""
    with whole(resources, scope.anchor) as planned:
        return _close_all(planned, scope)


def _close_all(resources: Resources, scope: Transient) -> Closed:
    inner = (
        [_close_all(resources, one) for one in _left_open(resources, scope)] if isinstance(scope, SessionScope) else []
    )
    own = retried(lambda: _close(resources, scope))
    return Closed((*(outcome for closed in inner for outcome in closed.outcomes), *own.outcomes))


def escalate(resources: Resources, scope: Transient) -> Closed:
    """What qualifies moves up to the broader anchor now; the scope goes on with the rest."""
    return retried(lambda: _cross(resources, scope, "escalate", _moved))


def _close(resources: Resources, scope: Transient) -> Closed:
    return _cross(resources, scope, "close", lambda rising: rising.records)


def _moved(rising: Rising) -> Container[MemoryId]:
    """What is above by now, or was there already."""
    return {original.id for original, _ in rising.copies} | rising.same.keys()


def _cross(
    resources: Resources, scope: Transient, verb: str, leaving: Callable[[Rising], Container[MemoryId]]
) -> Closed:
    # Texts are compared and taken apart before anything is written.
    rising = risen(resources, scope)
    gone = leaving(rising)
    with resources.store.unit(scope.anchor) as unit:
        outcomes = _lift(resources, unit, rising)
        # Whatever somebody else has written to the scope since is left for the next time.
        standings = [one for one in unit.scope_cleanup.contents(scope) if one.id in gone]
        cleaned = clean_up(_to_drop(resources, rising.records, standings))
        outcomes += _put_away(resources, unit, scope, cleaned)
        outcomes += [_dropped(scope, id_, rising) for id_ in cleaned.removed]
        unit.scope_cleanup.detach(cleaned.removed)
        unit.decisions.add(resources.decided(verb, outcomes))
    with resources.store.unit(scope.anchor) as unit:
        unit.scope_cleanup.remove(cleaned.removed)
    return Closed(tuple(outcomes))


def _left_open(resources: Resources, scope: SessionScope) -> list[InteractionScope]:
    with resources.store.reading(scope.anchor) as unit:
        there = unit.records.get(one.id for one in unit.scope_cleanup.contents(scope))
    return list({one.scope: None for one in there.values() if isinstance(one.scope, InteractionScope)})


def _lift(resources: Resources, unit: UnitOfWork, rising: Rising) -> list[Outcome]:
    """Writes what moves up, and says of each what became of it."""
    now = resources.clock.now()
    unit.records.add([entry for _, entry in rising.copies])
    for original, entry in rising.copies:
        refs = unit.rule_references.of(original.id)
        if refs:
            unit.rule_references.add(entry.record.id, sorted(refs, key=str))
        # An exemption goes with the copy; the original is disposed of already.
        if not is_disposed(original.state):
            unit.records.change(sure(promote(original, entry.record.id, now)))
    lifted = [
        Outcome(Decision.ADD, (entry.record.id, original.id), f"moved up to the {entry.record.tier}")
        for original, entry in rising.copies
    ]
    return lifted + [Outcome(Decision.NOOP, (known, id_), "it was there already") for id_, known in rising.same.items()]


def _to_drop(
    resources: Resources, records: Mapping[MemoryId, MemoryRecord], standings: Iterable[Standing]
) -> list[Standing]:
    """Those that the lifecycle of their cell lets go with their scope."""
    dropping = []
    for one in standings:
        record = records[one.id]
        now = Circumstances(
            scope_ended=True, disposed=is_disposed(record.state), action_linked=Pointer.ACTION in one.pointers
        )
        fate = resources.spec.resolve(record.cell).lifecycle.review(now).fate
        if fate is Fate.DROP or Pointer.ACTION in one.pointers:
            dropping.append(one)
    return dropping


def _put_away(resources: Resources, unit: UnitOfWork, scope: Transient, cleaned: CleanUp) -> list[Outcome]:
    """What something points at stays, and is no longer surfaced: its scope is over."""
    outcomes = []
    for record in unit.records.get(cleaned.kept).values():
        if record.live:
            reason = f"its {scope.tier} ended; {cleaned.kept[record.id].reason}"
            unit.records.change(sure(archive(record, resources.clock.now(), reason)))
            outcomes.append(Outcome(Decision.DELETE, (record.id,), reason))
    return outcomes


def _dropped(scope: Transient, memory_id: MemoryId, rising: Rising) -> Outcome:
    why = "a canonical rule says it by now" if memory_id in rising.shadows else "nothing points at it"
    return Outcome(Decision.DELETE, (memory_id,), f"its {scope.tier} ended, and {why}")
