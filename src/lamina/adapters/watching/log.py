"""Refused copies in the log, and at Sentry where that is installed and set up (D8)."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import structlog

from lamina.domain.anchor import Anchor
from lamina.domain.refusal import Refusal


class LoggedRefusals:
    """A warning for each refused copy: by what rule, and what it was compared with; never what the text said."""

    def refused(self, verb: str, anchor: Anchor, refusals: Sequence[Refusal]) -> None:
        """Logs each, and hands it to Sentry."""
        log = _log()
        for one in refusals:
            log.warning("refused a copy", verb=verb, anchor=str(anchor), rule=one.rule, reason=one.reason)
            _to_sentry(verb, anchor, one)


def _log() -> Any:
    # Whoever has configured structlog gets it there. Otherwise not on standard output, which belongs to the program.
    if structlog.is_configured():
        return structlog.get_logger()
    return structlog.wrap_logger(structlog.PrintLogger(sys.stderr))


def _to_sentry(verb: str, anchor: Anchor, refusal: Refusal) -> None:
    if find_spec("sentry_sdk") is None:
        return
    import sentry_sdk  # noqa: PLC0415 (an extra)

    if not sentry_sdk.is_initialized():
        return
    with sentry_sdk.new_scope() as scope:
        scope.set_tag("lamina.rule", refusal.rule)
        scope.set_tag("lamina.verb", verb)
        scope.set_context("lamina", {"anchor": str(anchor), "reason": refusal.reason})
        scope.fingerprint = ["lamina", refusal.rule]
        sentry_sdk.capture_message(f"Lamina refused a copy by {refusal.rule}", level="warning")


if TYPE_CHECKING:
    from lamina.ports.refusal_surface import RefusalSurface

    _: type[RefusalSurface] = LoggedRefusals
