"""P9, promotion: what moves a record up. Each criterion has a name, and a candidate that fails one is held with it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal, Protocol, runtime_checkable

from pydantic import Field

from lamina.domain.corroboration import Corroboration, independent
from lamina.domain.frozen import Count, Frozen, Share
from lamina.domain.policies.policy import OneOf, Worded
from lamina.domain.references import RuleRef


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """All that speaks for promoting one candidate."""

    corroborations: tuple[Corroboration, ...] = ()
    distrusted: int = 0
    """How many confirmations are not among them, because their source is trusted too little."""
    similarity_to_existing: float = 0.0
    """To the nearest record that says the same; a changed value, number, name or negation is not the same."""
    sanitization_concern: str | None = None
    """What the sanitization gate objects to, if anything."""
    contexts: frozenset[str] = frozenset()
    """The contexts in which it was found to hold."""
    versions: frozenset[str] = frozenset()
    """The versions of the world model through which it persisted."""
    surviving_refs: frozenset[RuleRef] = frozenset()
    """Its canonical references that still exist."""
    recurrences: int = 0
    """How often it was found again since."""


@dataclass(frozen=True, slots=True)
class Granted:
    """Every criterion was met."""

    reason: str


@dataclass(frozen=True, slots=True)
class Held:
    """A criterion was not met; the candidate is kept, and reconsidered when what it lacks arrives."""

    criterion: str
    reason: str


Verdict = Granted | Held


@runtime_checkable
class Criterion(Worded, Protocol):
    """One condition of a promotion."""

    @property
    def kind(self) -> str:
        """What a held candidate is told that it is held by."""
        ...

    def lacking(self, case: Case) -> str | None:
        """What the case lacks, in words; None if it meets the criterion."""
        ...


class Corroborated(Frozen):
    """At least N independent observations."""

    kind: Literal["corroborated"] = "corroborated"
    at_least: Count = 2

    @property
    def words(self) -> str:
        return f"{self.at_least} or more independent corroborations"

    def lacking(self, case: Case) -> str | None:
        """How many there are, if too few."""
        count = independent(case.corroborations)
        left_out = f" ({case.distrusted} more of sources that are trusted too little)" if case.distrusted else ""
        return f"{count} of {self.at_least} independent corroborations{left_out}" if count < self.at_least else None


class TrustedSources(Frozen):
    """Enough of those who confirmed it are trusted; the spec's `trust` says who is."""

    kind: Literal["trusted-sources"] = "trusted-sources"
    at_least: Count = 1

    @property
    def words(self) -> str:
        return f"confirmed by {self.at_least} or more trusted sources"

    def lacking(self, case: Case) -> str | None:
        """How many there are, if too few."""
        sources = {one.source for one in case.corroborations if one.confirms}
        return _too_few(len(sources), self.at_least, "trusted sources")


class Distinct(Frozen):
    """Not a duplicate, by embedding similarity, of what is already there."""

    kind: Literal["distinct"] = "distinct"
    below: Share = 0.95

    @property
    def words(self) -> str:
        return f"no existing entry that says the same at similarity {self.below:g} or more"

    def lacking(self, case: Case) -> str | None:
        """How near the nearest is, if too near."""
        near = case.similarity_to_existing
        return f"an existing entry says the same (similarity {near:.3f})" if near >= self.below else None


class Sanitized(Frozen):
    """The sanitization gate passes it."""

    words: ClassVar[str] = "sanitization-gate pass"
    kind: Literal["sanitized"] = "sanitized"

    def lacking(self, case: Case) -> str | None:
        """What the gate objects to."""
        return f"the sanitization gate objects: {case.sanitization_concern}" if case.sanitization_concern else None


class HoldsAcrossContexts(Frozen):
    """Cross-context validity: it holds in more contexts than the one it was seen in."""

    kind: Literal["holds-across-contexts"] = "holds-across-contexts"
    at_least: Count = 2

    @property
    def words(self) -> str:
        return f"valid in {self.at_least} or more contexts"

    def lacking(self, case: Case) -> str | None:
        """How many contexts there are, if too few."""
        return _too_few(len(case.contexts), self.at_least, "contexts")


class PersistedVersions(Frozen):
    """It persisted through at least two versions."""

    kind: Literal["persisted-versions"] = "persisted-versions"
    at_least: Count = 2

    @property
    def words(self) -> str:
        return f"persistence through {self.at_least} or more versions"

    def lacking(self, case: Case) -> str | None:
        """How many versions there are, if too few."""
        return _too_few(len(case.versions), self.at_least, "versions")


class SurvivingReferences(Frozen):
    """A non-empty set of canonical references survives."""

    words: ClassVar[str] = "a non-empty surviving canonical-reference set"
    kind: Literal["surviving-references"] = "surviving-references"

    def lacking(self, case: Case) -> str | None:
        """That none survives."""
        return None if case.surviving_refs else "no canonical reference of it survives"


class Recurring(Frozen):
    """It was found again often enough."""

    kind: Literal["recurring"] = "recurring"
    at_least: Count = 3

    @property
    def words(self) -> str:
        return f"{self.at_least} or more recurrences"

    def lacking(self, case: Case) -> str | None:
        """How often it recurred, if not often enough."""
        return _too_few(case.recurrences, self.at_least, "recurrences")


def _too_few(count: int, at_least: int, of: str) -> str | None:
    return f"{count} of {at_least} {of}" if count < at_least else None


AnyCriterion = Annotated[
    Criterion,
    OneOf(
        Corroborated,
        TrustedSources,
        Distinct,
        Sanitized,
        HoldsAcrossContexts,
        PersistedVersions,
        SurvivingReferences,
        Recurring,
    ),
]


@runtime_checkable
class PromotionPolicy(Worded, Protocol):
    """Answers whether a candidate moves up."""

    def judge(self, case: Case) -> Verdict:
        """Granted, or held with the criterion that failed."""
        ...


class ByCriteria(Frozen):
    """Every criterion must be met; the first that is not, holds."""

    kind: Literal["by-criteria"] = "by-criteria"
    criteria: Annotated[tuple[AnyCriterion, ...], Field(min_length=1)]

    @property
    def words(self) -> str:
        return "; ".join(criterion.words for criterion in self.criteria)

    def judge(self, case: Case) -> Verdict:
        """Asks each criterion in order."""
        for criterion in self.criteria:
            lacking = criterion.lacking(case)
            if lacking:
                return Held(criterion.kind, lacking)
        return Granted(f"met: {self.words}")


class NoPromotion(Frozen):
    """Procedural: it is already the durable form."""

    words: ClassVar[str] = "no promotion: it is the durable form"
    kind: Literal["no-promotion"] = "no-promotion"

    def judge(self, case: Case) -> Verdict:  # noqa: ARG002
        """Held, always."""
        return Held(self.kind, "procedural memory is the durable form; there is nothing above it")


Promotion = Annotated[PromotionPolicy, OneOf(ByCriteria, NoPromotion)]
