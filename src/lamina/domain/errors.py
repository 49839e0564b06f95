"""Every error a user of Lamina can meet.

LaminaError
├── InvalidInput            a value that no part of Lamina takes
│   ├── BlankText           nothing visible in it
│   ├── TextTooLong         over its bound
│   ├── ForbiddenCharacter  a NUL byte or half of a surrogate pair
│   ├── NaiveTime           a time without a time zone
│   ├── NotANumber          NaN or infinite where a number is needed
│   ├── OutOfRange          a number outside its range, such as a negative budget
│   ├── NotAName            a text that cannot name a column, a table or a collection
│   ├── WrongType           a value of a type that is not taken there
│   ├── UnknownKey          a key or a word that nothing declares
│   └── MissingKey          a part that is required
├── ImpossibleState         parts that are each valid, but not together
│   ├── InvertedValidity    it would end before it began
│   └── CyclicSupersession  a chain of successors that comes back to itself
├── StoreError              what a store refuses, or cannot do
│   ├── WrongAnchor         something of another anchor, or of none
│   ├── DuplicateId         an id that is taken
│   ├── UnknownRecord       a record that is not there
│   ├── UnknownRule         a canonical rule or version that is not there
│   ├── StaleRecord         somebody else changed it in between
│   ├── OverlappingClaims   two live claims about one thing at one time
│   ├── ShadowsRule         a body that copies a canonical rule (D8)
│   │   └── ContainsRule    a body that holds much of one: a half quote, a padded copy
│   ├── KeptForGood         what can be neither removed nor rewritten
│   ├── WrongModel          vectors of another model or dimension than the store's
│   ├── StoreInUse          another process holds the file
│   ├── StoreUnavailable    it cannot be opened or reached
│   ├── MissingExtension    the server lacks an extension that the schema needs
│   ├── NotPermitted        the database role may not do that
│   ├── ReadOnly            a write where only reading was asked for
│   ├── StoreClosed         it was closed before
│   └── SchemaMismatch      the schema is older or newer than this version of Lamina
├── SpecError               a spec that does not hold together; lists every mistake
├── SpecFileError           a spec file that cannot be read or written
├── SettingsError           a setting that is missing or cannot be used
└── Refused                 a policy's refusal, raised because the caller asked for that by `require()`

A refusal by policy is a value (`Refusal`, `Outcome`); an exception means a broken assumption.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from lamina.domain.primitives import BY_FIELD


class LaminaError(Exception):
    """Says to which thing, what happened, and what to do next."""

    def __init__(self, thing: str, happened: str, remedy: str) -> None:
        super().__init__(thing, happened, remedy)
        self.thing = thing
        self.happened = happened
        self.remedy = remedy

    def __str__(self) -> str:
        return f"{self.thing} {self.happened}; {self.remedy}"


class InvalidInput(LaminaError):
    """A value that no part of Lamina takes."""


class BlankText(InvalidInput):
    """Nothing visible in it."""


class TextTooLong(InvalidInput):
    """Over its bound."""


class ForbiddenCharacter(InvalidInput):
    """A NUL byte or half of a surrogate pair: no store can hold it."""


class NaiveTime(InvalidInput):
    """A time without a time zone."""


class NotANumber(InvalidInput):
    """NaN or infinite where a number is needed."""


class OutOfRange(InvalidInput):
    """A number outside its range."""


class NotAName(InvalidInput):
    """A text that cannot name a column, a table or a collection."""


class WrongType(InvalidInput):
    """A value of a type that is not taken there."""


class UnknownKey(InvalidInput):
    """A key or a word that nothing declares."""


class MissingKey(InvalidInput):
    """A part that is required."""


class ImpossibleState(LaminaError):
    """Parts that are each valid, but not together."""


class InvertedValidity(ImpossibleState):
    """It would end before it began."""


class CyclicSupersession(ImpossibleState):
    """A chain of successors that comes back to itself."""


class StoreError(LaminaError):
    """What a store refuses, or cannot do. Nothing was written."""


class WrongAnchor(StoreError):
    """Something of another anchor, or of none."""


class DuplicateId(StoreError):
    """An id that is taken."""


class UnknownRecord(StoreError):
    """A record that is not there."""


class UnknownRule(StoreError):
    """A canonical rule or version that is not there."""


class StaleRecord(StoreError):
    """Somebody else changed it in between."""


class OverlappingClaims(StoreError):
    """Two live claims about one thing at one time."""


class ShadowsRule(StoreError):
    """A body that copies a canonical rule (D8)."""

    guard: ClassVar[str] = "rule-shadow"


class ContainsRule(ShadowsRule):
    """A body that holds much of a canonical rule: a half quote, a padded copy."""

    guard: ClassVar[str] = "rule-containment"


class KeptForGood(StoreError):
    """What can be neither removed nor rewritten (D10)."""


class WrongModel(StoreError):
    """Vectors of another model or dimension than the store's."""


class StoreInUse(StoreError):
    """Another process holds the file."""


class StoreUnavailable(StoreError):
    """It cannot be opened or reached."""


class MissingExtension(StoreError):
    """The server lacks an extension that the schema needs."""


class NotPermitted(StoreError):
    """The database role may not do that."""


class ReadOnly(StoreError):
    """A write where only reading was asked for."""


class StoreClosed(StoreError):
    """It was closed before."""


class SchemaMismatch(StoreError):
    """The schema is older or newer than this version of Lamina."""


@dataclass(frozen=True, slots=True)
class Mistake:
    """One thing wrong with a spec: in which field, where in it, what, and what would be right."""

    field: str
    where: str
    what: str
    right: str

    @property
    def primitive(self) -> str:
        """The primitive that the field answers, such as "P7 time decay model"."""
        return str(BY_FIELD.get(self.field, "spec"))

    def __str__(self) -> str:
        return f"{self.primitive}: {self.where} {self.what}; {self.right}"


class SpecError(LaminaError):
    """A spec that does not hold together. `mistakes` has all of them, in the order of parameterization."""

    def __init__(self, spec: str, mistakes: tuple[Mistake, ...]) -> None:
        count = f"{len(mistakes)} mistake{'s' if len(mistakes) > 1 else ''}"
        super().__init__(f"spec {spec!r}", f"has {count}", "mend each of them")
        self.spec = spec
        self.mistakes = mistakes

    def __str__(self) -> str:
        return "\n".join([f"{self.thing} {self.happened}:", *(f"  - {mistake}" for mistake in self.mistakes)])

    def __reduce__(self) -> tuple[type[SpecError], tuple[str, tuple[Mistake, ...]]]:
        return (type(self), (self.spec, self.mistakes))


class SpecFileError(LaminaError):
    """A spec file that cannot be read or written."""


class SettingsError(LaminaError):
    """A setting that is missing or cannot be used."""


class Refused(LaminaError):
    """A policy's refusal, raised because the caller asked for that."""
