"""Replacing a store's vectors by another model's, while those it has go on being found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from lamina.domain.ids import AnchorId, EmbeddingId, MemoryId
from lamina.domain.retrieval import EmbeddingChoice
from lamina.domain.typology import Cell


@dataclass(frozen=True, slots=True)
class Unembedded:
    """A record that has a vector, but none of the next model. Of whichever anchor: this is maintenance."""

    anchor_id: AnchorId
    memory_id: MemoryId
    embedding_id: EmbeddingId
    cell: Cell
    body: str


class Reembedding(Protocol):
    """Goes on where it was left: what was added stays, and `begin` with the same model is no new beginning.

    While no other model is on its way, the next model is the store's own: what somebody else wrote with a former one
    after the change is still missing a vector of it.
    """

    @property
    def model(self) -> EmbeddingChoice:
        """The model that the store is opened with and searched by."""
        ...

    def begin(self, following: EmbeddingChoice) -> None:
        """Makes room for the next model's vectors. Raises `WrongModel` while another model is on its way."""
        ...

    def missing(self, limit: int) -> list[Unembedded]:
        """The next records that lack a vector of the next model."""
        ...

    def remaining(self) -> int:
        """How many lack one."""
        ...

    def add(self, records: Sequence[Unembedded], vectors: Sequence[bytes]) -> None:
        """Writes their vectors, all or none; a record that has got one in between, or is gone, is left as it is."""
        ...

    def finish(self) -> bool:
        """Makes the next model the store's own, if nothing lacks a vector of it; otherwise nothing changes.

        Whoever has the store open goes on with the former model, whose vectors stay until `drop_former`.
        """
        ...

    def drop_former(self) -> int:
        """Takes away the vectors of other models than the store's and the next, but for a record's only one; how many
        it took."""
        ...
