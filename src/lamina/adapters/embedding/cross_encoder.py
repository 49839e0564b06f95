"""A reranker by sentence-transformers' cross-encoders (extra `transformers`): a hub name or a local folder."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from lamina.domain.errors import StoreUnavailable

if TYPE_CHECKING:
    from sentence_transformers import CrossEncoder

BATCH: Final = 32


class CrossEncoderReranker:
    """One model, loaded once. It reads the query and a text together, which no vector does."""

    def __init__(self, name_or_folder: str, *, device: str | None = None) -> None:
        self.model = name_or_folder
        self._loaded = _load(name_or_folder, device)

    def scores(self, query: str, texts: Sequence[str]) -> list[float]:
        """How well each text answers. What is longer than the model reads is cut off by it."""
        if not texts:
            return []
        pairs = [(query, text) for text in texts]
        return [float(one) for one in self._loaded.predict(pairs, batch_size=BATCH, show_progress_bar=False)]


def _load(name: str, device: str | None) -> CrossEncoder:
    try:
        from sentence_transformers import CrossEncoder  # noqa: PLC0415 (heavy, and an extra)
    except ImportError as error:
        raise StoreUnavailable(
            f"reranker {name}", "needs sentence-transformers", "install the extra: pip install 'lamina[transformers]'"
        ) from error
    try:
        loaded = CrossEncoder(name, device=device)
    except (OSError, ValueError) as error:
        reason = str(error).splitlines()[0]
        raise StoreUnavailable(
            f"reranker {name}", f"cannot be loaded: {reason}", "give a local folder, or go online"
        ) from error
    if loaded.num_labels != 1:
        raise StoreUnavailable(
            f"reranker {name}", f"gives {loaded.num_labels} numbers for a pair", "give a model that gives one score"
        )
    return loaded


if TYPE_CHECKING:
    from lamina.ports.reranker import Reranker

    _: type[Reranker] = CrossEncoderReranker
