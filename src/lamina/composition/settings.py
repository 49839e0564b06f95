"""Where a memory is and how it is opened: from arguments, then from the environment, then from a TOML file."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from lamina.domain.errors import SettingsError

FILE: Final = "lamina.toml"
ENVIRONMENT: Final = {"store": "LAMINA_STORE", "spec": "LAMINA_SPEC", "embedder": "LAMINA_EMBEDDER"}
FILE_VARIABLE: Final = "LAMINA_CONFIG"


@dataclass(frozen=True, slots=True)
class Settings:
    """What was set; what was not is None."""

    store: str | None = None
    """A path, ":memory:" or postgresql://..."""
    spec: str | None = None
    """A shipped spec's name, or the path of a .toml file."""
    embedder: str | None = None
    """ "bundled", "hashing", a hub name or a local folder."""


def read_settings(environment: Mapping[str, str] = os.environ) -> Settings:
    """The environment's settings, and the file's where the environment has none."""
    of_file = _file(environment.get(FILE_VARIABLE))
    chosen = {name: environment.get(variable) or of_file.get(name) for name, variable in ENVIRONMENT.items()}
    return Settings(**chosen)


def _file(named: str | None) -> dict[str, str]:
    path = Path(named or FILE)
    if not named and not path.exists():
        return {}
    try:
        found = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise SettingsError(str(path), f"cannot be read: {error.strerror}", f"correct {FILE_VARIABLE}") from error
    except ValueError as error:
        raise SettingsError(str(path), f"is not TOML: {error}", "correct it there") from error
    return _checked(path, found)


def _checked(path: Path, found: dict[str, Any]) -> dict[str, str]:
    for name, value in found.items():
        if name not in ENVIRONMENT:
            raise SettingsError(f"{path}: {name!r}", "is no setting", f"choose from {', '.join(ENVIRONMENT)}")
        if not isinstance(value, str) or not value.strip():
            raise SettingsError(f"{path}: {name}", f"is {value!r}", "give a text that is not empty")
    return found
