"""Contradictions and actions: what does not fit together, and what rests on what."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import precondition, rule

from lamina.domain.ids import ContradictionId
from lamina.domain.outcome import Decision
from lamina.domain.references import RuleRef
from lamina.testing.verbs.driven import NOWHERE, RULE
from lamina.testing.verbs.model import Doubted
from lamina.testing.verbs.picking import FILLED, WHERE, Picking, one_of
from lamina.testing.verbs.sides import ACTIONS
from lamina.testing.verbs.vocabulary import PICKS

STEPS = {
    "open": {"dismissed", "surfaced_to_operator"},
    "surfaced_to_operator": {"dismissed", "promoted_to_revision_signal"},
    "dismissed": {"open"},
    "promoted_to_revision_signal": set[str](),
}


class Doubting(Picking):
    """Every way to doubt a record, and to rest on one."""

    @rule(where=WHERE, pick=PICKS, other=PICKS, by_rule=st.sampled_from([None, None, "v1", "v9"]))
    @FILLED
    def contradict(self, where: int, pick: int, other: int, by_rule: str | None) -> None:
        """Two records do not fit together, or a record and a rule."""
        place = self.place(where)
        id_, against = self.any(place, pick), self.any(place, other)
        sides: dict[str, Any] = {"rule": RuleRef(RULE.rule_id, by_rule)} if by_rule else {"other": against}
        given, said = self.outcome(place, lambda _, m: m.contradict(id_, note="?", **sides))
        there = id_ in place.rows and (by_rule is not None or against in place.rows)
        stopped = None if there else "anchor"
        if there and by_rule and not (self.has_rules and by_rule == "v1"):
            stopped = "reference"
        if there and not by_rule and id_ == against:
            stopped = "contradiction"
        if not self.refused(place, "contradict", said, stopped):
            touched = (id_,) if by_rule else (id_, against)
            assert (said.decision, said.ids) == (Decision.NOOP, touched)
            place.tell("contradict", said)
            place.doubts[id_] = Doubted(id_, frozenset({sides.get("rule") or against}))
        self.logged(place, given)

    @rule(where=WHERE, pick=PICKS, status=st.sampled_from(sorted(STEPS)))
    @precondition(lambda self: any(place.doubts for place in self.places))
    def move_contradiction(self, where: int, pick: int, status: str) -> None:
        """One step on, if its status leads there."""
        place = self.place(where)
        id_ = ContradictionId(one_of(sorted(place.doubts), pick) or NOWHERE)
        given, said = self.outcome(place, lambda _, m: m.move_contradiction(id_, status, "seen"))
        known = place.doubts.get(id_)
        stopped = "anchor" if known is None else None if status in STEPS[known.statuses[-1]] else "contradiction-status"
        if not self.refused(place, "move_contradiction", said, stopped) and known:
            assert said.ids == (
                (known.memory,) if isinstance(known.against, RuleRef) else (known.memory, known.against)
            )
            place.tell("move_contradiction", said)
            place.doubts[id_] = replace(known, statuses=(*known.statuses, status))
        self.logged(place, given)

    @rule(where=WHERE, picks=st.lists(PICKS, max_size=2), action=st.sampled_from(ACTIONS))
    @FILLED
    def link_action(self, where: int, picks: list[int], action: tuple[str, str]) -> None:
        """An action rests on them."""
        place = self.place(where)
        ids = [self.any(place, pick) for pick in picks]
        given, said = self.outcome(place, lambda _, m: m.link_action(*action, ids))
        fit = ids and all(id_ in place.rows and place.rows[id_].status != "tombstoned" for id_ in ids)
        if not self.refused(place, "link_action", said, None if fit else "evidence"):
            assert (said.decision, said.ids) == (Decision.NOOP, tuple(dict.fromkeys(ids)))
            place.tell("link_action", said)
            place.links |= {(action[1], id_) for id_ in ids}
        self.logged(place, given)
