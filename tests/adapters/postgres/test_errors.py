"""What the driver says, as the ports name it: where a server cannot be brought to say it in a test."""

from __future__ import annotations

import pytest
from psycopg import errors

from lamina.adapters.postgres.errors import About, translated
from lamina.domain.errors import (
    KeptForGood,
    LaminaError,
    NotPermitted,
    ReadOnly,
    StaleRecord,
    StoreError,
    StoreUnavailable,
    UnknownRecord,
)

RECORD = About(["a record"])


@pytest.mark.parametrize(
    ("raised", "about", "expected", "says"),
    [
        (errors.DiskFull("could not extend file"), RECORD, StoreUnavailable, "is full.*make room"),
        (errors.OutOfMemory("out of memory"), RECORD, StoreUnavailable, "is full.*make room"),
        (errors.TooManyConnections("sorry"), RECORD, StoreUnavailable, "is full"),
        (errors.DeadlockDetected("deadlock detected"), RECORD, StaleRecord, "a record.*try again"),
        (errors.SerializationFailure("could not serialize"), RECORD, StaleRecord, "a record.*try again"),
        (errors.ReadOnlySqlTransaction("cannot execute INSERT"), RECORD, ReadOnly, "the unit only reads.*a record"),
        (errors.ForeignKeyViolation("still referenced"), RECORD, UnknownRecord, "record a record is not there"),
        (errors.ForeignKeyViolation("still referenced"), About(["a"], removes=True), KeptForGood, "a stays"),
        (errors.RestrictViolation("still referenced"), About(["a"], removes=True), KeptForGood, "a stays"),
        (errors.InsufficientPrivilege("no"), About(permitted_by="ask the owner"), NotPermitted, "ask the owner"),
        (errors.AdminShutdown("terminating"), RECORD, StoreUnavailable, "cannot be reached"),
        (errors.DivisionByZero("division by zero"), RECORD, StoreError, "refused: division by zero"),
    ],
    ids=lambda one: type(one).__name__ if isinstance(one, Exception) else "",
)
def test_an_error_of_the_driver_has_a_name(
    raised: Exception, about: About, expected: type[LaminaError], says: str
) -> None:
    with pytest.raises(expected, match=says) as error, translated(lambda: about):
        raise raised
    assert type(error.value) is expected
    assert error.value.__cause__ is raised
