"""What numpy holds, anchor by anchor."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from typing import Final, Generic, Protocol, TypeVar

from lamina.domain.ids import AnchorId

MOST_BYTES: Final = 1 << 30


class Sized(Protocol):
    """What can tell how much memory it takes."""

    @property
    def nbytes(self) -> int: ...


Held = TypeVar("Held", bound=Sized)


class ByAnchor(Generic[Held]):
    """Loaded when first asked for; of the anchors that were asked for last, as many as fit."""

    def __init__(self) -> None:
        self._loaded: OrderedDict[AnchorId, Held] = OrderedDict()

    def get(self, anchor_id: AnchorId, load: Callable[[], Held]) -> Held:
        """What is held of the anchor, loaded if need be."""
        held = self._loaded.get(anchor_id)
        if held is None:
            held = self._loaded[anchor_id] = load()
            self._make_room(keep=anchor_id)
        self._loaded.move_to_end(anchor_id)
        return held

    def loaded(self, anchor_id: AnchorId) -> Held | None:
        """What is held of the anchor, if it is loaded: what is not, needs no upkeep."""
        return self._loaded.get(anchor_id)

    def forget(self, anchor_id: AnchorId) -> None:
        """Lets go of what may say something that was undone or erased."""
        self._loaded.pop(anchor_id, None)

    def clear(self) -> None:
        """Lets go of everything."""
        self._loaded.clear()

    def _make_room(self, keep: AnchorId) -> None:
        self._loaded.move_to_end(keep)
        taken = sum(one.nbytes for one in self._loaded.values())
        while len(self._loaded) > 1 and taken > MOST_BYTES:
            _, gone = self._loaded.popitem(last=False)
            taken -= gone.nbytes
