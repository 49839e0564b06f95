"""Reading and writing a spec as TOML, and the template that a new one starts from."""

from __future__ import annotations

import re
import tomllib
from importlib.resources import files
from pathlib import Path

import tomli_w

from lamina.domain.errors import NotAName, SpecFileError
from lamina.domain.frozen import NAME_PATTERN
from lamina.domain.spec import AgentMemorySpec


def read_spec(path: Path) -> AgentMemorySpec:
    """The spec in that file; a bad one lists every mistake at once."""
    try:
        return parse_spec(path.read_text(encoding="utf-8"), str(path))
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise SpecFileError(str(path), f"cannot be read: {reason}", "check the path and its permissions") from error
    except UnicodeDecodeError as error:
        raise SpecFileError(str(path), "is not UTF-8", "save it as UTF-8") from error


def parse_spec(text: str, where: str = "the text") -> AgentMemorySpec:
    """The spec that a TOML text declares."""
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise SpecFileError(where, f"is not TOML: {error}", "mend it there") from error
    return AgentMemorySpec.model_validate(data)


def render_spec(spec: AgentMemorySpec) -> str:
    """The spec as TOML; what it leaves to a default stays out."""
    return tomli_w.dumps(spec.model_dump(mode="json", exclude_none=True))


def new_spec(name: str) -> str:
    """A commented spec to start from. It is valid as it stands, and says at each primitive what to choose."""
    if not re.fullmatch(NAME_PATTERN, name):
        raise NotAName(f"{name!r}", "cannot name an agent", "use a-z, 0-9 and _, a letter first, at most 40 of them")
    template = files("lamina.adapters.toml").joinpath("template.toml").read_text(encoding="utf-8")
    return template.replace("my_agent", name)
