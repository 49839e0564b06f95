"""What the D8 check adds to a write, through the front door: no body may copy a rule of its anchor."""

from __future__ import annotations

import random
from collections.abc import Mapping
from statistics import median
from typing import TYPE_CHECKING
from uuid import UUID

import lamina
from benchmarks.figures import Aim, Figure, Setting
from benchmarks.prose import passages
from benchmarks.timing import interleaved
from benchmarks.writes import observe
from lamina.domain.errors import ShadowsRule

if TYPE_CHECKING:
    from lamina.application.session import Session

CHARACTERS = 500
SPEC = lamina.WORLD_AGENT
"""It has canonical rules, so every write of 100 characters or more goes through the D8 check."""


class Guarding:
    """The same bodies, written where there is no rule and where there are many. Rules and bodies share words; whole
    sentences would be quotes, which the other guard refuses."""

    def __init__(self, memory: lamina.Memory, sentences: list[str], aims: Mapping[int, Aim]) -> None:
        self._sentences = sentences
        self._aims = aims
        self._sessions = [self._session(memory, rules) for rules in (0, *aims)]

    def figures(self, rounds: int) -> list[Figure]:
        """A figure for each number of rules."""
        bodies = [
            _mixed(body, number) for number, body in enumerate(passages(self._sentences, rounds, CHARACTERS, seed=8))
        ]
        acts = [lambda number, session=session: observe(session, bodies[number]) for session in self._sessions]
        without, *taken = interleaved(acts, rounds)
        return [self._figure(rules, side, without) for rules, side in zip(self._aims, taken, strict=True)]

    def _session(self, memory: lamina.Memory, rules: int) -> Session:
        at = memory.at(org_id="acme", domain_id=f"{rules} rules")
        bodies = passages(self._sentences, rules, CHARACTERS, seed=7)
        at.add_rules([lamina.Rule(lamina.RuleRef(UUID(int=number), "v1"), body) for number, body in enumerate(bodies)])
        session = at.session()
        # A guard that is off costs nothing.
        if bodies and not _refuses(session, bodies[0]):
            raise SystemExit("a copy of a rule was written: the D8 check is off, and its figure would mean nothing")
        return session

    def _figure(self, rules: int, taken: list[float], without: list[float]) -> Figure:
        extra = median(with_rules - bare for with_rules, bare in zip(taken, without, strict=True)) * 1_000
        setting = Setting(
            rows=len(taken), characters=CHARACTERS, rounds=len(taken), rules=rules, anchors=len(self._sessions)
        )
        numbers = (median(taken) * 1_000, "without rules", median(without) * 1_000)
        return Figure("D8 check in a write", setting, *numbers, "ms", self._aims[rules], extra=extra)


def _mixed(text: str, seed: int) -> str:
    words = text.split()
    random.Random(seed).shuffle(words)
    return " ".join(words)


def _refuses(session: Session, copy: str) -> bool:
    try:
        return session.observe(copy).decision is lamina.Decision.REFUSED
    except ShadowsRule:
        return True
