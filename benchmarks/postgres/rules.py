"""What the D8 check adds to a write: no body may copy a rule of its anchor."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median
from typing import TYPE_CHECKING
from uuid import UUID

import lamina
from benchmarks.figures import Aim, Figure, Setting, within_ms
from benchmarks.postgres import ours
from benchmarks.postgres.server import Server
from benchmarks.prose import passages
from benchmarks.timing import interleaved
from lamina.domain.errors import ShadowsRule
from lamina.ports.embedder import Embedder

if TYPE_CHECKING:
    from lamina.application.session import Session

CHARACTERS = 500


def measure_rules(
    server: Server, embedder: Embedder, sentences: list[str], counts: Sequence[int], rounds: int
) -> list[Figure]:
    """The same bodies, written where there is no rule and where there are many. Rules and bodies share sentences."""
    bodies = passages(sentences, rounds, CHARACTERS, seed=8)
    database = ours.migrated(server, embedder)
    with ours.memory(database, embedder) as memory:
        sessions = [_session(memory, sentences, rules) for rules in (0, *counts)]
        database.settle()
        acts = [lambda number, session=session: ours.observe(session, bodies[number]) for session in sessions]
        without, *taken = interleaved(acts, rounds)
    return [_figure(rules, len(sessions), side, without) for rules, side in zip(counts, taken, strict=True)]


def _session(memory: lamina.Memory, sentences: list[str], rules: int) -> Session:
    at = memory.at(org_id="acme", domain_id=f"{rules} rules")
    bodies = passages(sentences, rules, CHARACTERS, seed=7)
    at.add_rules([lamina.Rule(lamina.RuleRef(UUID(int=number), "v1"), body) for number, body in enumerate(bodies)])
    session = at.session()
    # A guard that is off costs nothing.
    if bodies and not _refuses(session, bodies[0]):
        raise SystemExit("a copy of a rule was written: the D8 check is off, and its figure would mean nothing")
    return session


def _refuses(session: Session, copy: str) -> bool:
    try:
        return session.observe(copy).decision is lamina.Decision.REFUSED
    except ShadowsRule:
        return True


def _figure(rules: int, anchors: int, taken: list[float], without: list[float]) -> Figure:
    extra = median(with_rules - bare for with_rules, bare in zip(taken, without, strict=True)) * 1_000
    setting = Setting(rows=len(taken), characters=CHARACTERS, rounds=len(taken), rules=rules, anchors=anchors)
    numbers = (median(taken) * 1_000, "without rules", median(without) * 1_000)
    return Figure("D8 check in a write", setting, *numbers, "ms", _aim(rules), extra=extra)


def _aim(rules: int) -> Aim:
    return within_ms(25) if rules <= 1_000 else within_ms(79, "to be beaten")
