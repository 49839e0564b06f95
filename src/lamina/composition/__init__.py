"""The only place that builds things."""

from __future__ import annotations

from pathlib import Path

from lamina.adapters.toml.spec_files import read_spec
from lamina.domain.agents import SHIPPED
from lamina.domain.errors import UnknownKey
from lamina.domain.spec import AgentMemorySpec


def find_spec(name: str) -> AgentMemorySpec:
    """A shipped spec by its name, or one of your own by the path of its file."""
    if name in SHIPPED:
        return SHIPPED[name]
    if name.endswith(".toml") or Path(name).exists():
        return read_spec(Path(name))
    raise UnknownKey(
        f"spec {name!r}", "is not shipped", f"choose one of {', '.join(SHIPPED)}, or give the path of a .toml file"
    )
