"""Connections are borrowed for one unit of work. Whoever opened the pool closes it, and only that one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final, TypeVar
from weakref import WeakSet

from psycopg import Connection, Error, RawCursor
from psycopg.pq import TransactionStatus
from psycopg.pq.abc import PGresult
from psycopg_pool import ConnectionPool, PoolTimeout

from lamina.adapters.postgres.connecting import connect
from lamina.adapters.postgres.errors import committing, is_dead, translated
from lamina.adapters.postgres.together import together
from lamina.adapters.postgres.transaction import Binding, R, settle
from lamina.domain.errors import StoreClosed, StoreError

T = TypeVar("T")
AnyPool = ConnectionPool[Connection[Any]]
MOST_CONNECTIONS: Final = 10
SOON: Final = 1.0
"""Seconds after which a connection that does not come is asked about: is the server there at all?"""

NEVER_BY_ITSELF: Final = 1 << 31
"""After how many runs of a statement the driver would prepare it."""


def own_pool(url: str) -> AnyPool:
    """A pool of our own. Nothing is prepared unless we say so."""
    arguments = {"autocommit": True, "prepare_threshold": NEVER_BY_ITSELF, "application_name": "lamina"}
    return ConnectionPool(
        url,
        min_size=1,
        max_size=MOST_CONNECTIONS,
        # Given up soon, so that whoever asks next connects at once, and does not wait for the next attempt.
        reconnect_timeout=SOON,
        kwargs=arguments,
        open=False,
        name="lamina",
    )


class Borrowing:
    """Lends connections with a transaction begun on them, and takes them back."""

    def __init__(self, pool: AnyPool, own_url: str | None) -> None:
        """A pool of our own comes with its URL; one without is the caller's."""
        self._pool = pool
        self._own_url = own_url
        self._lent: set[Connection[Any]] = set()
        self._direct: WeakSet[Connection[Any]] = WeakSet()
        self._closed = False

    @contextmanager
    def begun(self, binding: Binding) -> Iterator[Connection[Any]]:
        """A connection inside a transaction that is so bound: leaving commits, an error undoes."""
        self._check_open()
        with translated():
            connection = self._surely(lambda: self._begin_once(binding))
        self._lent.add(connection)
        try:
            yield connection
            self._commit(connection)
        except BaseException:
            self._undo(connection)
            raise
        finally:
            self._lent.discard(connection)
            self._pool.putconn(connection)

    def look(self, binding: Binding, run: Callable[[Connection[Any], bool], RawCursor[R]]) -> list[R] | None:
        """What one statement reads, in a transaction that is so bound and ends with it: one round trip. It is told
        whether to prepare it. None, if that is not to be had, as connections of the caller's begin by themselves."""
        self._check_open()
        with translated():
            return self._surely(lambda: self._look_once(binding, run))

    def _look_once(self, binding: Binding, run: Callable[[Connection[Any], bool], RawCursor[R]]) -> list[R] | None:
        connection = self._borrowed()
        self._lent.add(connection)
        try:
            if not connection.autocommit:
                return None
            prepares = self.is_direct(connection)
            # What is sent together, and not begun, is one transaction until it is synchronised.
            with together(connection):
                told = settle(connection, binding, prepares=prepares)
                found = run(connection, prepares)
            self._tell(connection, told.pgresult)
            return found.fetchall()
        except BaseException:
            # The driver may take for prepared what the server never came to; the pool opens another.
            connection.close()
            raise
        finally:
            self._lent.discard(connection)
            self._pool.putconn(connection)

    def is_direct(self, connection: Connection[Any]) -> bool:
        """Whether a lent connection has one session of its own. Behind a transaction pooler, what was prepared in one
        transaction would not be there in the next."""
        return connection in self._direct

    @contextmanager
    def idle(self) -> Iterator[Connection[Any]]:
        """A connection outside any transaction: for what cannot be done in one."""
        self._check_open()
        with translated(), self._pool.connection() as connection:
            before = connection.autocommit
            connection.autocommit = True
            try:
                yield connection
            finally:
                if not connection.closed:
                    connection.autocommit = before

    def _check_open(self) -> None:
        if self._closed:
            raise StoreClosed("store", "is closed", "open it again")

    def close(self) -> None:
        """Closes the pool if it is ours."""
        self._closed = True
        if self._own_url is not None:
            self._pool.close()

    def _surely(self, begin: Callable[[], T]) -> T:
        # Beginning is the check: a connection that was cut while it lay idle fails here, before anything is written.
        try:
            return begin()
        except Error as error:
            if not is_dead(error):
                raise
        self._pool.check()
        return begin()

    def _begin_once(self, binding: Binding) -> Connection[Any]:
        connection = self._borrowed()
        try:
            told = connection.execute(binding.opening(connection))
            while told.nextset():
                pass
            self._tell(connection, told.pgresult)
        except BaseException:
            self._undo(connection)
            self._pool.putconn(connection)
            raise
        return connection

    def _tell(self, connection: Connection[Any], told: PGresult | None) -> None:
        # A pooler greets with a number of its own, not with that of the process that serves this transaction. And who
        # resets connections that come back may let go of what was prepared in them.
        if getattr(self._pool, "_reset", None):
            return
        if told and int(told.get_value(0, 0) or 0) == connection.info.backend_pid:
            self._direct.add(connection)

    def _borrowed(self) -> Connection[Any]:
        if self._own_url is None:
            return self._pool.getconn()
        try:
            return self._pool.getconn(timeout=SOON)
        except PoolTimeout:
            # A server that is down says so here, in words; while somebody works with it, it is not.
            if not self._lent:
                connect(self._own_url).close()
        return self._pool.getconn()

    @staticmethod
    def _commit(connection: Connection[Any]) -> None:
        # The server answers the COMMIT of a transaction that has failed with a rollback, and does not call it an error.
        if connection.info.transaction_status == TransactionStatus.INERROR:
            raise StoreError("the unit", "failed before it ended: nothing was written", "let its errors out of it")
        with committing():
            connection.commit()

    @staticmethod
    def _undo(connection: Connection[Any]) -> None:
        # What failed first is what matters; the pool throws a broken connection away.
        try:
            connection.rollback()
        except Error:
            connection.close()
