"""Whether a text copies a canonical one: a rule by the guards of its store, a record by the rule here (P13, D14).

A record, such as an audit row, is often short. So it is compared whole: its very words, nearly its words, or all of it
inside a longer text. Reasoning about a record shares some of its words, never all of them in their order.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from lamina.domain.discipline import CONTAINMENT, SHADOW_FLOOR, SHADOW_THRESHOLD, Canonical, NonMirror
from lamina.domain.references import RuleRef
from lamina.domain.refusal import Refusal
from lamina.domain.trigram import as_real, similarity
from lamina.domain.words import share_held, words

SHORT: Final = 30
"""A text of fewer characters is a copy only if it is the record, word for word: too little is left to compare."""
INSTEAD: Final = "refer to the rule, and write what you think of it"
"""What a store says to whoever copies a rule."""


@dataclass(frozen=True, slots=True)
class CanonicalText:
    """A text that lives elsewhere, and what it goes by there."""

    ref: str
    text: str


def copied(body: str, canonical: str) -> str | None:
    """How the body copies the canonical text, in words; None if it does not."""
    said, known = " ".join(words(body)), " ".join(words(canonical))
    if not known or not said:
        return None
    if said == known:
        return "word for word"
    if len(known) < SHORT or len(said) < SHORT:
        return None
    if f" {known} " in f" {said} ":
        return "all of it"
    near = similarity(said, known)
    if near > as_real(SHADOW_THRESHOLD):
        return f"similarity {near:.3f}, over {SHADOW_THRESHOLD:g}"
    share = share_held(known, said) if min(len(known), len(said)) >= SHADOW_FLOOR else 0.0
    return f"{share:.0%} of its phrases, {CONTAINMENT:.0%} is the bound" if share >= CONTAINMENT else None


def refused_copy(entry: NonMirror, ref: str, how: str) -> Refusal:
    """The refusal of a copy: the category, what it was compared with, and what to write instead."""
    reason = f"it copies {ref} ({how}); {entry.category} is not copied: refer by {entry.refer_by}"
    return Refusal(entry.category, reason)


def shadows(ref: RuleRef, near: float) -> str:
    """What a body did that is this similar to a rule, in the words of the store's error and of the refusal."""
    return f"copies rule {ref.rule_id} version {ref.version} (similarity {near:.3f})"


def holds(ref: RuleRef, share: float) -> str:
    """What a body did that holds this share of a rule's phrases."""
    return f"holds {share:.0%} of the phrases of rule {ref.rule_id} version {ref.version}"


def refused_rule(entry: NonMirror | None, guard: str, happened: str) -> Refusal:
    """The refusal of a body that copies a rule: by which guard, and what to write instead."""
    refer_by = entry.refer_by if entry else "a rule reference with its version"
    return Refusal(guard, f"it {happened}; {Canonical.RULE_CONTENT} is not copied: refer by {refer_by}")
