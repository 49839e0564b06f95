"""A transaction pooler, as small as one can be: each transaction gets the session that has waited longest.

Nothing is reset in between, so whatever a transaction leaves in a session meets somebody else's next one.
"""

from __future__ import annotations

import os
import select
import socket
import struct
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from queue import Queue

import psycopg
from psycopg.conninfo import make_conninfo

_TOLD = ("server_version", "client_encoding", "server_encoding", "standard_conforming_strings", "integer_datetimes")


class Wire:
    """One end of a connection, message by message."""

    def __init__(self, end: socket.socket) -> None:
        self.end = end
        self._read = b""

    def send(self, kind: bytes, body: bytes = b"") -> None:
        self.end.sendall(kind + struct.pack("!i", len(body) + 4) + body)

    def started(self) -> None:
        """Takes the message that a client begins with, which has no kind."""
        (length,) = struct.unpack("!i", self.end.recv(4, socket.MSG_WAITALL))
        self.end.recv(length - 4, socket.MSG_WAITALL)

    def arrived(self) -> Iterator[tuple[bytes, bytes]]:
        """The messages that are there, each whole. Raises EOFError at the end."""
        found = self.end.recv(1 << 16)
        if not found:
            raise EOFError
        self._read += found
        while len(self._read) >= 5 and len(self._read) > (length := struct.unpack("!i", self._read[1:5])[0]):
            kind, body = self._read[:1], self._read[5 : length + 1]
            self._read = self._read[length + 1 :]
            yield kind, body


class Client:
    """One client, and the session that its transaction has for the time being."""

    def __init__(self, wire: Wire, sessions: Queue[Wire]) -> None:
        self._wire = wire
        self._sessions = sessions
        self._session: Wire | None = None
        self._awaited = 0
        """How many answers are still to come before the session can be given away."""
        self._extended = False

    def serve(self) -> None:
        with suppress(EOFError, OSError):
            while True:
                ends = [self._wire.end, *([self._session.end] if self._session else [])]
                for ready in select.select(ends, [], [])[0]:
                    self._take_in() if ready is self._wire.end else self._pass_on()
        self._wire.end.close()

    def _take_in(self) -> None:
        for kind, body in self._wire.arrived():
            if kind == b"X":
                raise EOFError
            self._session = self._session or self._sessions.get()
            self._awaited += kind in b"QS"
            self._extended = kind == b"S"
            self._session.send(kind, body)

    def _pass_on(self) -> None:
        session = self._session
        assert session is not None
        idle = False
        for kind, body in session.arrived():
            # A Sync that comes before the rows of a COPY is not answered.
            self._awaited -= kind == b"Z" or (kind == b"G" and self._extended)
            idle = kind == b"Z" and body == b"I" and not self._awaited
            self._wire.send(kind, body)
        if idle:
            # Only now: whoever has it next reads from it too.
            self._session = None
            self._sessions.put(session)


@contextmanager
def pooled(conninfo: str, folder: Path, sessions: int) -> Iterator[str]:
    """The URL of a pooler with so many sessions, until the block ends."""
    behind = [psycopg.connect(conninfo, autocommit=True) for _ in range(sessions)]
    ends = [socket.socket(fileno=os.dup(connection.fileno())) for connection in behind]
    waiting: Queue[Wire] = Queue()
    for end in ends:
        waiting.put(Wire(end))
    greeting = {name: behind[0].pgconn.parameter_status(name.encode()) or b"" for name in _TOLD}
    with socket.socket(socket.AF_UNIX) as door:
        door.bind(str(folder / ".s.PGSQL.5432"))
        door.listen()
        threading.Thread(target=_admit, args=(door, waiting, greeting), daemon=True).start()
        yield make_conninfo(conninfo, host=str(folder), port=5432)
        door.shutdown(socket.SHUT_RDWR)
    for end, connection in zip(ends, behind, strict=True):
        end.close()
        connection.close()


def _admit(door: socket.socket, waiting: Queue[Wire], greeting: dict[str, bytes]) -> None:
    with suppress(OSError):
        while True:
            wire = Wire(door.accept()[0])
            wire.started()
            wire.send(b"R", struct.pack("!i", 0))
            for name, value in greeting.items():
                wire.send(b"S", name.encode() + b"\0" + value + b"\0")
            wire.send(b"K", struct.pack("!ii", 1, 1))
            wire.send(b"Z", b"I")
            threading.Thread(target=Client(wire, waiting).serve, daemon=True).start()
