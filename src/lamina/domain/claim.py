"""A claim is what a fact or a preference says, in three parts that can be compared without reading prose."""

from __future__ import annotations

from dataclasses import dataclass

from lamina.domain.text import checked_text, folded


@dataclass(frozen=True, slots=True)
class Claim:
    """Of `subject`, the `aspect` is `value`. Two live facts never differ on one subject and aspect."""

    subject: str
    aspect: str
    value: str

    def __post_init__(self) -> None:
        checked_text(self.subject, "claim subject", at_most=200)
        checked_text(self.aspect, "claim aspect", at_most=200)
        checked_text(self.value, "claim value", at_most=500)

    @property
    def key(self) -> tuple[str, str]:
        """What the claim is about. Case and white space do not make it another matter."""
        return folded(self.subject), folded(self.aspect)

    def agrees_with(self, other: Claim) -> bool:
        """Whether it says the same of the same thing."""
        return self.key == other.key and folded(self.value) == folded(other.value)
