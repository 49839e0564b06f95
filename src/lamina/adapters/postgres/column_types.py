"""The types of columns: the spec's own enums, and pgvector's vector."""

from __future__ import annotations

from enum import StrEnum
from typing import Any, Final

from sqlalchemy.dialects.postgresql import ENUM
from sqlalchemy.types import UserDefinedType

from lamina.domain.contradiction import ContradictionStatus
from lamina.domain.corroboration import Finding, SourceType
from lamina.domain.outcome import Decision
from lamina.domain.record import Reach
from lamina.domain.tier import Tier
from lamina.domain.typology import Typology

ENUMS: Final[dict[str, type[StrEnum]]] = {
    "tier": Tier,
    "typology": Typology,
    "reach": Reach,
    "source_type": SourceType,
    "finding": Finding,
    "contradiction_status": ContradictionStatus,
    "decision": Decision,
}


class VectorType(UserDefinedType[Any]):
    """pgvector's type, with the schema that its extension is in, so that no search path is asked for it."""

    cache_ok = True

    def __init__(self, schema: str, dimension: int | None = None) -> None:
        self.schema = schema
        self.dimension = dimension

    def get_col_spec(self, **_: Any) -> str:
        """As it stands in DDL and in casts."""
        return f'"{self.schema}".vector' + (f"({self.dimension})" if self.dimension else "")


def enum_type(name: str, schema: str, type_name: str) -> ENUM:
    """One of the domain's enums as a type of the database."""
    return ENUM(*(member.value for member in ENUMS[name]), name=type_name, schema=schema, metadata=None)
