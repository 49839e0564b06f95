"""Vectors on their way to pgvector and back: in its binary format."""

from __future__ import annotations

from functools import cache
from struct import Struct
from typing import Final

import numpy as np
from pgvector import Vector
from psycopg.abc import AdaptContext, Buffer
from psycopg.adapt import Dumper
from psycopg.pq import Format

# How many numbers, and two bytes that mean nothing yet.
_HEAD: Final = Struct("!HH")


class PackedVector(bytes):
    """float32 bytes, as the domain has them, that are meant as a vector."""

    __slots__ = ()


def unpacked(sent: bytes) -> bytes:
    """A vector as the domain has it, from pgvector's binary format."""
    numbers: bytes = Vector.from_binary(sent).to_numpy().astype(np.float32).tobytes()
    return numbers


def register(context: AdaptContext, oid: int) -> None:
    """Teaches a connection or a cursor to send vectors. Nothing else that it knows is changed."""
    if context.adapters is not None:
        context.adapters.register_dumper(PackedVector, _dumper(oid))


class _VectorDumper(Dumper):
    format = Format.BINARY

    def dump(self, obj: PackedVector) -> Buffer:
        return _HEAD.pack(len(obj) // 4, 0) + np.frombuffer(obj, dtype=np.float32).astype(">f4").tobytes()


@cache
def _dumper(oid: int) -> type[Dumper]:
    return type("VectorDumper", (_VectorDumper,), {"oid": oid})
