"""Finding personal data and secrets in texts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from lamina.domain.personal_data import Found


class PersonalData(Protocol):
    """Looks at texts without sending them anywhere."""

    def find(self, texts: Sequence[str]) -> Sequence[Sequence[Found]]:
        """For each text, each piece of personal data in it."""
        ...
