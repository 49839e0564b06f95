"""Vectors on their way to pgvector: in its binary format, and of the store's model only."""

from __future__ import annotations

import numpy as np
from pgvector import Vector
from psycopg.abc import AdaptContext, Buffer
from psycopg.adapt import Dumper
from psycopg.pq import Format


class PackedVector(bytes):
    """float32 bytes, as the domain has them, that are meant as a vector."""

    __slots__ = ()


def register(context: AdaptContext, oid: int) -> None:
    """Teaches a connection or a cursor to send vectors. Nothing else that it knows is changed."""
    if context.adapters is not None:
        context.adapters.register_dumper(PackedVector, type("VectorDumper", (_VectorDumper,), {"oid": oid}))


class _VectorDumper(Dumper):
    format = Format.BINARY

    def dump(self, obj: PackedVector) -> Buffer:
        return Vector(np.frombuffer(obj, dtype=np.float32)).to_binary()
