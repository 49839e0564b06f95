"""What an event says about itself beside its content: any JSON object, kept as the very text that was hashed."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from lamina.domain.errors import NotANumber, OutOfRange, StoreError, TextTooLong, WrongType
from lamina.domain.frozen import FrozenMap
from lamina.domain.text import check_characters

Json = str | int | float | bool | None | Sequence["Json"] | Mapping[str, "Json"]

LONGEST_METADATA: Final = 250_000
"""Characters of the text. What is longer is content, or belongs elsewhere."""
DEEPEST: Final = 50
"""Lists and objects in one another."""
_LARGEST: Final = 1 << 1_024
"""A whole number beyond this is no float any more: other readers of JSON would take it for infinite."""
_SCALARS: Final = (str, bool, int, float, type(None))


class Metadata(Mapping[str, Json]):
    """An object of JSON that cannot change: objects in it are mappings, lists are tuples.

    The text is the truth: `1`, `1.0` and `true` are three things, and keys keep their order. What comes from a store is
    taken apart when it is first asked for, so that a text that somebody broke can still be shown to be broken.
    """

    __slots__ = ("_items", "text")
    text: str
    """The JSON itself: in the order of its keys, without blanks, not escaped where UTF-8 needs none."""
    _items: Mapping[str, Json] | None

    def __init__(self, items: Mapping[str, Json] = FrozenMap()) -> None:
        _set(self, _written(items), None)

    @classmethod
    def stored(cls, text: str) -> Metadata:
        """What a store has, to the letter."""
        kept = cls.__new__(cls)
        _set(kept, text, None)
        return kept

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"Metadata cannot change: {name!r} was not set")

    def __getitem__(self, key: str) -> Json:
        return self._read()[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._read())

    def __len__(self) -> int:
        return len(self._read())

    def __eq__(self, other: object) -> bool:
        return self.text == other.text if isinstance(other, Metadata) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.text)

    def __repr__(self) -> str:
        return f"Metadata({self.text})"

    def __reduce__(self) -> tuple[Any, tuple[str]]:
        return (type(self).stored, (self.text,))

    def _read(self) -> Mapping[str, Json]:
        if self._items is None:
            _set(self, self.text, _taken_apart(self.text))
        return self._items or {}


def _set(metadata: Metadata, text: str, items: Mapping[str, Json] | None) -> None:
    object.__setattr__(metadata, "text", text)
    object.__setattr__(metadata, "_items", items)


def _taken_apart(text: str) -> Mapping[str, Json]:
    try:
        items = _frozen(json.loads(text))
    except (ValueError, RecursionError):
        items = None
    if not isinstance(items, FrozenMap):
        raise StoreError(
            "metadata of an event", "is no JSON object any more", "verify the chain: it was changed outside Lamina"
        )
    return items


def _frozen(value: Any) -> Json:
    if isinstance(value, dict):
        return FrozenMap({key: _frozen(one) for key, one in value.items()})
    return tuple(map(_frozen, value)) if isinstance(value, list) else value


def _written(items: Mapping[str, Json]) -> str:
    if isinstance(items, Metadata):
        return items.text
    check_mapping(items)
    text = json.dumps(_plain(items, "metadata", 0), ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    if len(text) > LONGEST_METADATA:
        raise TextTooLong(
            "metadata",
            f"has {len(text):,} characters as JSON, {LONGEST_METADATA:,} is the bound",
            "put what is long into the content",
        )
    return text


def check_mapping(items: Mapping[str, Json]) -> None:
    """Refuses what is no object of JSON at all."""
    if not isinstance(items, Mapping):
        raise WrongType("metadata", f"is a {type(items).__name__}", "give a mapping with text keys")


def _plain(value: Json, where: str, depth: int) -> Any:
    """The same of plain dicts and lists, if JSON can say it and every reader of JSON understands it."""
    if isinstance(value, _SCALARS):
        _check_scalar(value, where)
        return value
    if depth == DEEPEST:
        raise OutOfRange(where, f"is more than {DEEPEST} lists and objects deep", "make it flatter, or a text")
    if isinstance(value, Mapping):
        return {_key(key, where): _plain(one, f"{where}[{key!r}]", depth + 1) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(one, f"{where}[{place}]", depth + 1) for place, one in enumerate(value)]
    raise WrongType(where, f"is a {type(value).__name__}", "give what JSON has: text, numbers, lists, objects, null")


def _key(key: object, where: str) -> str:
    if not isinstance(key, str):
        raise WrongType(f"key {key!r} of {where}", f"is a {type(key).__name__}", "give text keys")
    check_characters(key, f"key {key!r} of {where}")
    return key


def _check_scalar(value: object, where: str) -> None:
    if isinstance(value, str):
        check_characters(value, where)
    elif isinstance(value, float) and not abs(value) < _LARGEST:
        raise NotANumber(where, f"is {value}", "leave it out, or give it as text")
    elif isinstance(value, int) and not abs(value) < _LARGEST:
        raise OutOfRange(where, "is a whole number of more than 1,024 bits", "give it as text")
