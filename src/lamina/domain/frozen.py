"""What declared data is made of: models and mappings that cannot change, words, names and weights."""

from __future__ import annotations

from collections.abc import Hashable, ItemsView, Iterable, Iterator, KeysView, Mapping, ValuesView
from datetime import timedelta
from typing import Annotated, Any, TypeVar, get_args, overload

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, GetCoreSchemaHandler
from pydantic_core import CoreSchema, PydanticCustomError, core_schema

from lamina.domain.errors import InvalidInput
from lamina.domain.text import checked_text

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")
T = TypeVar("T")


def _words(text: str) -> str:
    try:
        return checked_text(text, "the text", at_most=2_000)
    except InvalidInput as error:
        raise PydanticCustomError("words", "{happened}", {"happened": error.happened}) from error


Words = Annotated[str, AfterValidator(_words)]
"""A sentence for a reader: never blank."""

NAME_PATTERN = "^[a-z][a-z0-9_]{0,39}$"
Name = Annotated[str, Field(pattern=NAME_PATTERN)]
"""A name that becomes a column, a table or a schema: lower case, and short enough to be a part of another."""

Weight = Annotated[float, Field(ge=0)]
Share = Annotated[float, Field(ge=0, le=1)]
Count = Annotated[int, Field(ge=1)]
Period = Annotated[timedelta, Field(gt=timedelta())]


class Frozen(BaseModel):
    """Declared data: immutable, no unknown keys, no infinities, no NaN."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False, validate_default=True)


class FrozenMap(Mapping[K, V]):
    """A mapping that can be hashed, pickled and shared, because nobody can change it."""

    __slots__ = ("_items",)
    _items: dict[K, V]

    def __init__(self, items: Mapping[K, V] | Iterable[tuple[K, V]] = ()) -> None:
        object.__setattr__(self, "_items", dict(items))

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"FrozenMap cannot change: {name!r} was not set")

    def __getitem__(self, key: K) -> V:
        return self._items[key]

    def __iter__(self) -> Iterator[K]:
        return iter(self._items)

    def __len__(self) -> int:
        return len(self._items)

    # A mapping's own are made of the methods above, one call for each item.
    def __contains__(self, key: object) -> bool:
        return key in self._items

    @overload
    def get(self, key: K, /) -> V | None: ...
    @overload
    def get(self, key: K, /, default: V | T) -> V | T: ...
    def get(self, key: K, /, default: Any = None) -> Any:
        return self._items.get(key, default)

    def keys(self) -> KeysView[K]:
        return self._items.keys()

    def values(self) -> ValuesView[V]:
        return self._items.values()

    def items(self) -> ItemsView[K, V]:
        return self._items.items()

    def __hash__(self) -> int:
        return hash(frozenset(self._items.items()))

    def __repr__(self) -> str:
        return f"FrozenMap({self._items!r})"

    def __reduce__(self) -> tuple[type[FrozenMap[K, V]], tuple[dict[K, V]]]:
        return (type(self), (dict(self._items),))

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        as_dict = handler.generate_schema(dict[get_args(source)] if get_args(source) else dict)  # type: ignore[misc]
        return core_schema.no_info_wrap_validator_function(
            lambda value, read: cls(read(dict(value) if isinstance(value, FrozenMap) else value)),
            as_dict,
            serialization=core_schema.wrap_serializer_function_ser_schema(
                lambda value, write: write(dict(value)), schema=as_dict
            ),
        )
