"""What must hold between the parts of a spec. Each check is a named function that yields what is wrong and what would
be right; a check whose parts cannot be read is left out, so that all other mistakes are still listed."""

from __future__ import annotations

import inspect
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from difflib import get_close_matches
from itertools import pairwise
from typing import Any, Final

from lamina.domain import defaults
from lamina.domain.anchor import AnchorModel
from lamina.domain.cell_policy import rise_from, rows_in_use
from lamina.domain.defaults import Rise
from lamina.domain.deviation import Deviation
from lamina.domain.discipline import Canonical, Crossing, Gate, ReferenceOnly, VisibilityModel
from lamina.domain.errors import Mistake
from lamina.domain.frozen import FrozenMap
from lamina.domain.persistence import Persistence
from lamina.domain.policies.promotion import ByCriteria, Corroborated
from lamina.domain.record_row import RESERVED
from lamina.domain.retrieval import PINNED, RetrievalModel
from lamina.domain.scoring import ReciprocalRank
from lamina.domain.tier import Tier, TierModel
from lamina.domain.typology import Cell, Typology

Wrong = Iterator[tuple[str, str, str]]
"""Where, what, and what would be right."""
Tiers = tuple[TierModel, ...]
Typologies = FrozenMap[Tier, tuple[Typology, ...]]
Deviations = Mapping[str, Mapping[Any, Deviation[Any]]]
TABLES: Final[Mapping[str, Mapping[Any, Any]]] = {
    "lifecycle": defaults.LIFECYCLE,
    "decay": defaults.DECAY,
    "write": defaults.WRITE,
    "promotion": defaults.PROMOTION,
    "conflict": defaults.CONFLICT,
    "consolidation": defaults.CONSOLIDATION,
    "injection": defaults.INJECTION,
}


def mistakes_between(parts: Mapping[str, Any]) -> list[Mistake]:
    """Runs every check whose parts are there."""
    deviations = {primitive: parts[primitive] for primitive in TABLES if primitive in parts}
    mistakes, parts = [], {**parts, "deviations": deviations}
    for check in CHECKS:
        needs = list(inspect.signature(check).parameters)
        if all(name in parts for name in needs):
            found = check(**{name: parts[name] for name in needs})
            mistakes += [
                Mistake(where.partition(".")[0].partition("[")[0], where, what, right) for where, what, right in found
            ]
    return mistakes


def anchor_keys_are_named_once(anchor: AnchorModel) -> Wrong:
    if not anchor.keys:
        yield "anchor.keys", "is empty", "pick the scope tuple first: every other decision follows from it"
    yield from _repeated("anchor.keys", anchor.names)


def anchor_keys_are_columns_of_their_own(tiers: Tiers) -> Wrong:
    for name in sorted(set(tiers[-1].anchor) & RESERVED):
        yield "anchor.keys", f"{name} is a column of every memory table", f"call it otherwise, for example my_{name}"


def persistent_tier_is_last(tiers: Tiers) -> Wrong:
    named = [model.tier for model in tiers]
    yield from _repeated("tiers", named)
    if Tier.PERSISTENT not in named:
        yield "tiers", "has no persistent tier", "end with one: it determines what survives a session"
    elif named[-1] is not Tier.PERSISTENT:
        yield "tiers", f"ends with {named[-1]}, not with the persistent tier", "put the persistent tier last"
    elif sorted(named, key=lambda tier: tier.height) != named:
        yield (
            "tiers",
            f"stand as {', '.join(named)}",
            "order them by durability: interaction, session, persistent",
        )


def transient_tiers_end(tiers: Tiers) -> Wrong:
    for index, model in enumerate(tiers):
        if model.tier.transient and not model.boundaries:
            yield (
                f"tiers[{index}].boundaries",
                f"is empty for {model.tier}",
                "say which event ends a transient tier",
            )
        if not model.tier.transient and model.boundaries:
            yield (
                f"tiers[{index}].boundaries",
                "is given for the persistent tier",
                "leave it out: it does not end",
            )


def tiers_are_anchored(anchor: AnchorModel, tiers: Tiers) -> Wrong:
    """A tier's keys are the scope tuple up to some point, so that a narrower tier has every key of a broader one."""
    for index, model in enumerate(tiers):
        missing = [name for name in anchor.names[: len(model.anchor)] if name not in model.anchor]
        unknown = [name for name in model.anchor if name not in anchor.names]
        if unknown:
            yield (
                f"tiers[{index}].anchor",
                f"names {', '.join(unknown)}",
                f"the anchor's keys are {', '.join(anchor.names)}",
            )
        elif missing:
            yield (
                f"tiers[{index}].anchor",
                f"lacks {', '.join(missing)}",
                f"start with {', '.join(anchor.names)}",
            )
        elif model.anchor != anchor.names[: len(model.anchor)]:
            yield f"tiers[{index}].anchor", "is in another order", f"keep the order {', '.join(anchor.names)}"


def narrower_tiers_add_one_key(tiers: Tiers) -> Wrong:
    for index, (narrow, broad) in enumerate(pairwise(tiers)):
        if len(narrow.anchor) != len(broad.anchor) + 1:
            right = f"add one key to those of {broad.tier}: the id of one {narrow.tier}"
            yield f"tiers[{index}].anchor", f"has {len(narrow.anchor)} keys for {narrow.tier}", right


def every_key_is_used(anchor: AnchorModel, tiers: Tiers) -> Wrong:
    used = {name for model in tiers for name in model.anchor}
    for name in anchor.names:
        if name not in used:
            yield "anchor.keys", f"{name} is required by no tier", "name it in a tier's anchor, or remove it"


def typology_covers_the_tiers(typology: Typologies, tiers: Tiers) -> Wrong:
    named = {model.tier for model in tiers}
    for tier in Tier:
        if tier in named and not typology.get(tier):
            yield f"typology.{tier}", "holds nothing", f"say what it holds: some of {', '.join(Typology)}"
        if tier not in named and tier in typology:
            yield f"typology.{tier}", "is not one of the tiers", f"the tiers are {', '.join(sorted(named))}"
        yield from _repeated(f"typology.{tier}", typology.get(tier, ()))


def schemas_cover_the_tiers(persistence: Persistence, tiers: Tiers) -> Wrong:
    named = {model.tier for model in tiers}
    for tier in sorted(named - set(persistence.schemas)):
        yield f"persistence.schemas.{tier}", "is missing", "say which schema the tier lands in"
    for tier in sorted(set(persistence.schemas) - named):
        yield f"persistence.schemas.{tier}", "is not one of the tiers", "remove it"


def one_table_holds_all_tiers(persistence: Persistence) -> Wrong:
    """D3: the tier is a column, so what it says of its schema is what the persistent tier says."""
    home = persistence.schemas.get(Tier.PERSISTENT)
    for tier, schema in persistence.schemas.items():
        if home and schema != home:
            right = f"name {home}: one table holds all tiers; what the framework keeps has its checkpointer_schema"
            yield f"persistence.schemas.{tier}", f"is {schema}, but the persistent tier is in {home}", right


def canonical_table_has_the_anchor(persistence: Persistence, tiers: Tiers) -> Wrong:
    keys = tiers[-1].anchor
    canonical = persistence.canonical
    if canonical and set(canonical.anchor_columns) != set(keys):
        where = "persistence.canonical.anchor_columns"
        yield where, f"names {', '.join(canonical.anchor_columns) or 'nothing'}", f"name {', '.join(keys)}"


def rules_have_a_table(persistence: Persistence, reference_only: ReferenceOnly) -> Wrong:
    listed = {entry.category for entry in reference_only.non_mirror}
    if Canonical.RULE_CONTENT in listed and not persistence.canonical:
        where = "persistence.canonical"
        yield where, "is missing, but rule content must not be mirrored", "name the table that rules live in"


def retrieval_is_possible(retrieval: RetrievalModel, tiers: Tiers) -> Wrong:
    for tier in sorted(set(retrieval.tiers) - {model.tier for model in tiers}):
        yield f"retrieval.tiers.{tier}", "is not one of the tiers", "remove it"
    if not any(retrieval.signals.values()):
        yield "retrieval.signals", "weighs every signal 0", "give at least one a weight"


def retrieval_says_why_it_departs(retrieval: RetrievalModel) -> Wrong:
    chosen = dict(retrieval.signals), retrieval.scoring, retrieval.embedding
    departs = chosen != (defaults.SIGNALS, ReciprocalRank(), PINNED)
    if departs and not retrieval.because:
        right = f"say why it departs from the default (semantic, tags and time alike, RRF k=60, {PINNED.model})"
        yield "retrieval.because", "is missing", right
    if retrieval.because and not departs:
        yield "retrieval.because", "justifies the field default", "remove it: there is nothing to justify"


def deviations_deviate(deviations: Deviations) -> Wrong:
    for primitive, rows in deviations.items():
        for row, deviation in rows.items():
            if deviation.value == TABLES[primitive][row]:
                yield f"{primitive}.{row}", "deviates to the default", "remove it: the typology's default is the same"


def deviations_are_used(typology: Typologies, deviations: Deviations) -> Wrong:
    for primitive, rows in deviations.items():
        for row in sorted(set(rows) - rows_in_use(typology)):
            yield f"{primitive}.{row}", "governs nothing that this agent holds", "remove it, or hold it in a tier"


def corroborations_are_kept_where_needed(persistence: Persistence, typology: Typologies, promotion: Any) -> Wrong:
    if persistence.corroborations:
        return
    for tier, typologies in typology.items():
        for kind in typologies:
            rise = rise_from(Cell(tier, kind), typology)
            rule = _rule(promotion, rise[0]) if rise else None
            if isinstance(rule, ByCriteria) and any(isinstance(one, Corroborated) for one in rule.criteria):
                what = f"is false, but {tier}/{kind} is promoted by corroboration"
                yield (
                    "persistence.corroborations",
                    what,
                    "keep corroborations, or deviate from that promotion",
                )


def non_mirror_list_has_no_repeats(reference_only: ReferenceOnly) -> Wrong:
    yield from _repeated("reference_only.non_mirror", [entry.category for entry in reference_only.non_mirror])


def gates_are_not_misspelt(sanitization: tuple[Crossing, ...]) -> Wrong:
    """An agent may have gates of its own; a name that is almost a shipped one's is a slip."""
    for index, crossing in enumerate(sanitization):
        close = get_close_matches(crossing.gate, list(Gate), n=1, cutoff=0.8)
        if close and crossing.gate not in list(Gate):
            yield (
                f"sanitization[{index}].gate",
                f"{crossing.gate!r} is almost a gate",
                f"did you mean {str(close[0])!r}?",
            )


def readers_have_one_way_in(visibility: VisibilityModel) -> Wrong:
    yield from _repeated("visibility.access", [entry.reader for entry in visibility.access])


CHECKS: tuple[Callable[..., Wrong], ...] = (
    anchor_keys_are_named_once,
    anchor_keys_are_columns_of_their_own,
    typology_covers_the_tiers,
    persistent_tier_is_last,
    transient_tiers_end,
    tiers_are_anchored,
    narrower_tiers_add_one_key,
    every_key_is_used,
    schemas_cover_the_tiers,
    one_table_holds_all_tiers,
    canonical_table_has_the_anchor,
    rules_have_a_table,
    corroborations_are_kept_where_needed,
    retrieval_is_possible,
    retrieval_says_why_it_departs,
    deviations_deviate,
    deviations_are_used,
    non_mirror_list_has_no_repeats,
    gates_are_not_misspelt,
    readers_have_one_way_in,
)


def _rule(promotion: Mapping[Rise, Deviation[Any]], rise: Rise) -> Any:
    return promotion[rise].value if rise in promotion else defaults.PROMOTION[rise]


def _repeated(where: str, names: Iterable[str]) -> Wrong:
    for name, count in Counter(names).items():
        if count > 1:
            yield where, f"names {name} {count} times", "name it once"
