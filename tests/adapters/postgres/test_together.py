"""What is sent together and fails is told once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from lamina.adapters.postgres.store import open_store
from lamina.domain.errors import DuplicateId, ShadowsRule
from lamina.testing.contracts.canonical_rules import LONG
from lamina.testing.samples import EMBEDDING, SPEC, anchor, entry, record, rule

if TYPE_CHECKING:
    from tests.conftest import Database


def test_what_is_refused_is_not_in_the_drivers_log_too(database: Database, caplog: pytest.LogCaptureFixture) -> None:
    store = open_store(database.as_application, SPEC, EMBEDDING)
    with store.unit(anchor()) as unit:
        unit.rules.add([rule("r", LONG)])
        unit.records.add([entry(record("there"), 1)])
    for count in (1, 40):
        others = [entry(record(f"{number}"), 1) for number in range(count)]
        with pytest.raises(ShadowsRule), store.unit(anchor()) as unit:
            unit.records.add([entry(record("copy", body=LONG), 1), *others])
        with pytest.raises(DuplicateId), store.unit(anchor()) as unit:
            unit.records.add([entry(record("there"), 1), *others])
    store.close()
    assert caplog.messages == []
