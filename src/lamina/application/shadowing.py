"""Explaining a verdict: what the reference-only gate compares a text with, how near it comes, and what it says."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from lamina.application.resources import Resources
from lamina.domain.anchor import Anchor
from lamina.domain.copying import copied
from lamina.domain.discipline import SHADOW_FLOOR, SHADOW_THRESHOLD, Canonical, is_held, is_shadow
from lamina.domain.errors import ContainsRule, ShadowsRule
from lamina.domain.personal_data import apart
from lamina.domain.words import share_held


@dataclass(frozen=True, slots=True)
class Compared:
    """What one guard found: how near the text comes to what, and whether that is refused."""

    guard: str
    found: str
    refused: bool
    instead: str = ""


def explain(resources: Resources, anchor: Anchor, text: str) -> list[Compared]:
    """What each guard of the reference-only gate says to a text that nobody wants to write."""
    spec = resources.spec
    body = spec.checked_body(text)
    return [*_rules(resources, anchor, body), *_records(resources, anchor, body), *_personal_data(resources, body)]


def _rules(resources: Resources, anchor: Anchor, text: str) -> Iterator[Compared]:
    containment = resources.spec.reference_only.leak_defence.containment
    with resources.store.reading(anchor) as unit:
        closest, (held,) = unit.rules.closest(text), unit.rules.held_by([text])
    if closest is None:
        yield Compared(ShadowsRule.guard, "there is no rule to compare it with", refused=False)
        return
    rule, near = closest
    named = f"rule {rule.ref.rule_id} version {rule.ref.version}"
    instead = _instead(resources, Canonical.RULE_CONTENT)
    floor = f"; under {SHADOW_FLOOR} characters nothing is refused" if len(text) < SHADOW_FLOOR else ""
    yield Compared(
        ShadowsRule.guard,
        f"similarity {near:.3f} to {named}; over {SHADOW_THRESHOLD:g} is refused{floor}",
        is_shadow(text, near),
        instead,
    )
    if containment is None:
        yield Compared(ContainsRule.guard, "is off in this spec", refused=False)
        return
    share = held[1] if held else share_held(rule.body, text)
    of = f"rule {held[0].rule_id} version {held[0].version}" if held else named
    yield Compared(
        ContainsRule.guard,
        f"holds {share:.0%} of the phrases of {of}; from {containment:.0%} on is refused{floor}",
        held is not None and is_held(text, share, containment),
        instead,
    )


def _records(resources: Resources, anchor: Anchor, text: str) -> Iterator[Compared]:
    for source in resources.sources:
        (near,) = source.near(anchor, [text])
        told = [(one.ref, copied(text, one.text)) for one in near]
        refused = [f"copies {ref} ({how})" for ref, how in told if how]
        found = "; ".join(refused) or f"compared with {len(near)} that share words with it; copies none"
        yield Compared(source.category, found, bool(refused), _instead(resources, source.category))


def _personal_data(resources: Resources, text: str) -> Iterator[Compared]:
    entry = resources.spec.reference_only.entry(Canonical.PERSONAL_DATA)
    if entry is None or resources.personal_data is None:
        return
    (found,) = resources.personal_data.find([text])
    where = ", ".join(f"{one.kind} at character {one.start}" for one in apart(found))
    said = f"has {where}; is to {entry.on_match}" if found else "none found"
    yield Compared(Canonical.PERSONAL_DATA, said, bool(found), entry.refer_by)


def _instead(resources: Resources, category: Canonical) -> str:
    entry = resources.spec.reference_only.entry(category)
    return entry.refer_by if entry else ""
