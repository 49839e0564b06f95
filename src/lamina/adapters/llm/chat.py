"""One question to an OpenAI-compatible server (extra `llm`), one JSON answer. Whatever goes wrong is said in words."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from lamina.domain.errors import SettingsError
from lamina.domain.state import LONGEST_REASON

if TYPE_CHECKING:
    import httpx

PATIENCE: Final = 10.0
"""Seconds until the rules decide without it."""


@dataclass(frozen=True, slots=True)
class Silence:
    """No answer, and why."""

    why: str


class Chat:
    """One model on one server."""

    def __init__(self, base_url: str, model: str, api_key: str | None = None, *, patience: float = PATIENCE) -> None:
        """`base_url` is the part before /chat/completions, such as http://localhost:8000/v1."""
        self._client = _client(base_url, api_key, patience)
        self._model = model

    def ask(self, task: str, notes: object) -> dict[str, Any] | Silence:
        """The JSON object that it answers with. The notes are data, and are sent as such."""
        import httpx  # noqa: PLC0415 (an extra)

        try:
            answer = self._client.post("chat/completions", json=self._question(task, notes))
            answer.raise_for_status()
            return _read(answer.json())
        except httpx.TimeoutException:
            return Silence("it did not answer in time")
        except httpx.HTTPStatusError as error:
            return Silence(f"its server answered {error.response.status_code}")
        except httpx.HTTPError as error:
            return Silence(f"it cannot be reached ({type(error).__name__})")
        except ValueError:
            return UNREADABLE

    def close(self) -> None:
        """Lets go of its connections."""
        self._client.close()

    def _question(self, task: str, notes: object) -> dict[str, Any]:
        told = json.dumps(notes, ensure_ascii=False)
        return {
            "model": self._model,
            "temperature": 0,
            "response_format": {"type": "json_object"},
            "messages": [{"role": "system", "content": task}, {"role": "user", "content": told}],
        }


UNREADABLE: Final = Silence("its answer cannot be read")


def reason_in(said: dict[str, Any], otherwise: str) -> str:
    """The reason in an answer, if it gives one, no longer than a reason may be."""
    return str(said.get("reason") or otherwise)[: LONGEST_REASON // 2]


def _client(base_url: str, api_key: str | None, patience: float) -> httpx.Client:
    try:
        import httpx  # noqa: PLC0415 (an extra)
    except ImportError as error:
        raise SettingsError("language model", "needs httpx", "install the extra: pip install 'lamina[llm]'") from error
    headers = {"Authorization": f"Bearer {api_key}"} if api_key else {}
    return httpx.Client(base_url=base_url, headers=headers, timeout=patience)


def _read(answer: Any) -> dict[str, Any] | Silence:
    """The object in an answer; ValueError if there is none."""
    try:
        message = answer["choices"][0]["message"]
        if message.get("refusal"):
            return Silence("it refused to answer")
        said = json.loads(message["content"])
    except (KeyError, IndexError, TypeError, AttributeError) as error:
        raise ValueError("no answer") from error
    if not isinstance(said, dict):
        raise ValueError("no object")  # noqa: TRY004 (whatever is wrong with an answer is one thing to the caller)
    return said
