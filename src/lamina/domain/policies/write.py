"""P8, write policy: when and how a record may be written."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, ClassVar, Literal, Protocol, runtime_checkable

from lamina.domain.frozen import Frozen, Share
from lamina.domain.numbers import checked_number
from lamina.domain.policies.policy import OneOf, Worded
from lamina.domain.refusal import Refusal


class Route(StrEnum):
    """How a write comes to the gateway."""

    OBSERVATION = "observation"
    """An observation event: an interaction turn, a tool call that completed."""
    PROMOTION = "promotion"
    STATED = "stated"
    """Somebody who may, said so."""
    EXTRACTED = "extracted"
    """Inferred from interaction patterns, with a confidence."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """All that a write policy looks at. `draw` is the caller's random number in [0, 1)."""

    route: Route
    confidence: float = 1.0
    draw: float = 0.0

    def __post_init__(self) -> None:
        checked_number(self.confidence, "confidence", at_least=0, at_most=1)
        checked_number(self.draw, "draw", at_least=0, at_most=1)


@runtime_checkable
class WritePolicy(Worded, Protocol):
    """Answers whether a write may go on to the next gate."""

    def admit(self, attempt: Attempt) -> Refusal | None:
        """None if it may."""
        ...


class AutoWrite(Frozen):
    """Episodic: written at observation events; sampling and the promotion gates control the volume."""

    kind: Literal["auto-write"] = "auto-write"
    sampling: Share = 1.0

    @property
    def words(self) -> str:
        return f"auto-write at observation events, {self.sampling:.0%} sampled"

    def admit(self, attempt: Attempt) -> Refusal | None:
        """Observations that the sample takes, and what a tier boundary moves up."""
        if attempt.route is Route.PROMOTION:
            return None
        if attempt.route is not Route.OBSERVATION:
            return Refusal("write-policy", f"episodes are observed, not {attempt.route}: use observe()")
        if attempt.draw >= self.sampling:
            return Refusal("write-policy", f"not in the sample ({self.sampling:.0%} of observations are kept)")
        return None


class ThroughPromotion(Frozen):
    """Semantic: explicit, through the promotion engine; never written directly by the agent."""

    words: ClassVar[str] = "explicit-write through the promotion engine only"
    kind: Literal["through-promotion"] = "through-promotion"

    def admit(self, attempt: Attempt) -> Refusal | None:
        """Promotions."""
        if attempt.route is Route.PROMOTION:
            return None
        return Refusal("write-policy", f"facts are promoted, not {attempt.route}: use propose() with evidence")


class StatedOrExtracted(Frozen):
    """Procedural: stated preferences, and patterns extracted with high confidence."""

    kind: Literal["stated-or-extracted"] = "stated-or-extracted"
    confidence: Share = 0.9

    @property
    def words(self) -> str:
        return f"explicit-write when stated; auto-extract at confidence {self.confidence:g} or more"

    def admit(self, attempt: Attempt) -> Refusal | None:
        """What was stated, and what was extracted confidently enough."""
        if attempt.route is Route.STATED:
            return None
        if attempt.route is not Route.EXTRACTED:
            return Refusal("write-policy", f"preferences are stated or extracted, not {attempt.route}: use prefer()")
        if attempt.confidence < self.confidence:
            return Refusal("write-policy", f"confidence {attempt.confidence:g} is below {self.confidence:g}")
        return None


Write = Annotated[WritePolicy, OneOf(AutoWrite, ThroughPromotion, StatedOrExtracted)]
