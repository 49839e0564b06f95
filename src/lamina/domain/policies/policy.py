"""How a policy is declared: by the `kind` of one that is shipped, or as an object that honours the protocol."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from operator import or_
from typing import Annotated, Any, Protocol

from pydantic import Field, GetCoreSchemaHandler
from pydantic_core import CoreSchema, core_schema

from lamina.domain.frozen import Frozen


class Worded(Protocol):
    """A policy can say what it does, for the table that a reviewer reads."""

    @property
    def words(self) -> str: ...


class OneOf:
    """Marks a protocol-typed field: data is read by `kind` as one of these, other implementations pass as they are."""

    def __init__(self, *shipped: type[Frozen]) -> None:
        self.shipped = shipped

    def __get_pydantic_core_schema__(self, protocol: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        by_kind = handler.generate_schema(Annotated[reduce(or_, self.shipped), Field(discriminator="kind")])

        def accept(value: Any, read: Callable[[Any], Any]) -> Any:
            # A class has the protocol's attributes too, but it is not a policy.
            return value if isinstance(value, protocol) and not isinstance(value, type) else read(value)

        return core_schema.no_info_wrap_validator_function(
            accept,
            by_kind,
            serialization=core_schema.plain_serializer_function_ser_schema(_declared),
        )


def _declared(policy: Any) -> dict[str, Any]:
    """A policy as data; one that is no declared data is at least named."""
    return policy.model_dump(mode="json") if isinstance(policy, Frozen) else {"kind": type(policy).__name__}
