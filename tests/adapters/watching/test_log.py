"""A refused copy is logged, and handed to Sentry where that is set up."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import sentry_sdk
import structlog
from sentry_sdk.transport import Transport
from structlog.testing import capture_logs

from lamina.adapters.watching.log import LoggedRefusals
from lamina.domain.refusal import Refusal
from lamina.testing.samples import anchor

REFUSAL = Refusal("audit-chain", "it copies row 12 (all of it); refer by an action link")


class Kept(Transport):
    """Keeps what would have been sent."""

    def __init__(self) -> None:
        super().__init__()
        self.events: list[Any] = []

    def capture_envelope(self, envelope: Any) -> None:
        self.events += [item.payload.json for item in envelope.items]


@pytest.fixture
def sentry() -> Iterator[Kept]:
    transport = Kept()
    sentry_sdk.init(dsn="https://key@sentry.invalid/1", transport=transport, default_integrations=False)
    yield transport
    sentry_sdk.get_client().close()
    sentry_sdk.init()


def test_each_is_a_warning() -> None:
    with capture_logs() as logs:
        LoggedRefusals().refused("observe", anchor(), [REFUSAL, REFUSAL])
    assert len(logs) == 2
    assert logs[0] == {
        "log_level": "warning",
        "event": "refused a copy",
        "verb": "observe",
        "anchor": "org_id=acme, domain_id=kyc",
        "rule": "audit-chain",
        "reason": REFUSAL.reason,
    }


def test_nothing_is_said_on_standard_output(capsys: pytest.CaptureFixture[str]) -> None:
    structlog.reset_defaults()
    LoggedRefusals().refused("observe", anchor(), [REFUSAL])
    said = capsys.readouterr()
    assert said.out == ""
    assert "refused a copy" in said.err


def test_sentry_is_told(sentry: Kept) -> None:
    LoggedRefusals().refused("propose", anchor(), [REFUSAL])
    sentry_sdk.flush()
    (event,) = sentry.events
    assert event["message"] == "Lamina refused a copy by audit-chain"
    assert event["level"] == "warning"
    assert event["tags"] == {"lamina.rule": "audit-chain", "lamina.verb": "propose"}
    assert event["contexts"]["lamina"]["reason"] == REFUSAL.reason
