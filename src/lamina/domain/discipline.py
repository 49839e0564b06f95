"""The discipline primitives: what may not be copied (P13), what changes as it crosses a boundary (P14), and who may
read (P15). They do not follow from typology: each agent answers each."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Final

from pydantic import Field

from lamina.domain.frozen import Frozen, Name, Words
from lamina.domain.trigram import as_real

SHADOW_THRESHOLD: Final = 0.85
SHADOW_FLOOR: Final = 100
"""D8: a body of at least this many characters is refused above this similarity. Contracts, not configuration."""
CONTAINMENT: Final = 0.35
"""From this share of a rule's phrases on, a body holds the rule. Chosen from measured false alarms: see the curve in
docs/explanation/leak-defence.md."""
FEWEST_PHRASES: Final = 4
"""A rule of fewer than eight words is a turn of speech: it is not looked for inside a body."""


def is_shadow(body: str, similarity: float) -> bool:
    """Whether a body that is this similar to a canonical rule is a copy of it. Exactly the threshold is not."""
    return len(body) >= SHADOW_FLOOR and similarity > as_real(SHADOW_THRESHOLD)


def is_held(body: str, share: float, containment: float | None) -> bool:
    """Whether a body that holds this share of a rule's phrases quotes it; short ones are not compared, as in D8."""
    return containment is not None and share >= containment and len(body) >= SHADOW_FLOOR


class Canonical(StrEnum):
    """What lives elsewhere as a single source of truth."""

    RULE_CONTENT = "rule-content"
    AUDIT_CHAIN = "audit-chain"
    PERSONAL_DATA = "personal-data"
    SIGNAL_BODIES = "signal-bodies"
    SCAN_ARTIFACTS = "scan-artifacts"
    OTHER_AGENT_MEMORY = "other-agent-memory"


class OnMatch(StrEnum):
    """What the gateway does with a write that copies it."""

    REFUSE = "refuse"
    REDACT = "redact"


class NonMirror(Frozen):
    """One category that may be referred to and never copied."""

    category: Canonical
    refer_by: Words
    """What to write instead."""
    on_match: OnMatch = OnMatch.REFUSE


class Calibration(StrEnum):
    """Whether the agent reasons over canonical content or with it, through tools."""

    PRIMARY = "primary"
    """It reasons over canonical content: the trigram guard is the primary defence."""
    BACKSTOP = "backstop"
    """It reasons with it: the guard is a backstop, and the agent's own design the primary defence."""


class LeakDefence(Frozen):
    """How the defence against shadow copies is calibrated to the way the agent uses memory."""

    calibration: Calibration
    because: Words
    containment: Annotated[float, Field(gt=0, le=1)] | None = CONTAINMENT
    """Also refuse a body that holds this share of a rule's phrases, five words in a row: half quotes and padded copies.
    None leaves it to similarity alone."""


class ReferenceOnly(Frozen):
    """P13: the non-mirror list, and the defence that keeps it."""

    non_mirror: Annotated[tuple[NonMirror, ...], Field(min_length=1)]
    leak_defence: LeakDefence

    def entry(self, category: Canonical) -> NonMirror | None:
        """What the list says of a category, if it is on it."""
        return next((one for one in self.non_mirror if one.category is category), None)


class Gate(StrEnum):
    """The gates that are shipped; an agent may name others."""

    STRIP_IDENTIFIERS = "strip-identifiers"
    HEDGE_BY_PROVENANCE = "hedge-by-provenance"
    CUSTOMER_SUBSET = "customer-subset"


GateName = Annotated[str, Field(pattern="^[a-z][a-z0-9-]{0,39}$")]
"""A shipped gate, or one of the agent's own."""


class Crossing(Frozen):
    """P14: a boundary that content crosses, and the gate that changes it on the way."""

    source: Words
    target: Words
    gate: GateName
    effect: Words


class Reader(StrEnum):
    """Who asks."""

    OWNER = "owner"
    OPERATOR = "operator"
    CUSTOMER = "customer"


class ReadAccess(Frozen):
    """One kind of reader, and the way in that it has."""

    reader: Reader
    through: Words


class VisibilityModel(Frozen):
    """P15: who can read what. Tenancy in the application first, row-level security beneath, no grants to others."""

    owner: Name
    """The context that owns this memory, and its retention."""
    access: Annotated[tuple[ReadAccess, ...], Field(min_length=1)]
