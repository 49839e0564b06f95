"""What `import lamina` gives, and what it costs."""

import ast
import json
import subprocess
import sys
from pathlib import Path

import pytest

import lamina
from lamina.domain import agents

SOURCE = Path(lamina.__file__ or "").parent


def test_every_public_name_is_there() -> None:
    assert sorted(lamina.__all__, key=str.casefold) == sorted(lamina._HOME, key=str.casefold)
    assert all(hasattr(lamina, name) for name in lamina.__all__)
    assert set(lamina.__all__) <= set(dir(lamina))


def test_what_the_type_checker_sees_is_what_there_is() -> None:
    """The imports under TYPE_CHECKING and the lazy homes are one list, written twice for two readers."""
    tree = ast.parse((SOURCE / "__init__.py").read_text(encoding="utf-8"))
    block = next(node for node in tree.body if isinstance(node, ast.If))
    seen = {node.module: [name.name for name in node.names] for node in block.body if isinstance(node, ast.ImportFrom)}
    assert seen == lamina._HOMES


def test_a_name_that_is_not_there_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="module 'lamina' has no attribute 'memory'"):
        lamina.memory  # noqa: B018


def test_shipped_specs_are_public() -> None:
    assert {getattr(lamina, name) for name in dir(lamina) if name.endswith("_AGENT")} == set(agents.SHIPPED.values())


@pytest.mark.parametrize("statement", ["import lamina", "import lamina; lamina.WORLD_AGENT"])
def test_importing_pulls_in_no_driver_and_no_model(statement: str) -> None:
    drivers = "duckdb psycopg sqlalchemy pgvector numpy rapidfuzz Stemmer rich typer dependency_injector structlog"
    models = "wordllama torch sentence_transformers tokenizers huggingface_hub hypothesis"
    heavy = f"{drivers} {models}".split()
    script = f"{statement}\nimport json, sys\nprint(json.dumps(sorted(set({heavy!r}) & set(sys.modules))))"
    loaded = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout
    assert json.loads(loaded) == []


def test_importing_lamina_loads_nothing_but_itself() -> None:
    script = "import lamina, sys\nprint([name for name in sys.modules if name.startswith(('lamina.', 'pydantic'))])"
    loaded = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout
    assert loaded.strip() == "[]"
