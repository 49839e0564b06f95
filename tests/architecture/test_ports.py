"""Each port has a contract that is shipped, for whoever writes an adapter of their own."""

from __future__ import annotations

import inspect
import pkgutil
from importlib import import_module
from typing import Any

from lamina import ports
from lamina.testing import contracts

PARTS_OF_ANOTHER = {"UnitOfWork", "PersonaUnit"}
"""What is kept by the contract of the port that gives it."""


def _ports() -> dict[str, Any]:
    modules = [import_module(f"lamina.ports.{module.name}") for module in pkgutil.iter_modules(ports.__path__)]
    return {
        name: found
        for module in modules
        for name, found in inspect.getmembers(module, inspect.isclass)
        if getattr(found, "_is_protocol", False) and found.__module__ == module.__name__
    }


def test_each_port_has_a_contract_of_its_name() -> None:
    named = {f"{name}Contract" for name in _ports() if name not in PARTS_OF_ANOTHER}
    assert len(named) > 10
    assert named <= set(contracts.__all__), "write a contract in lamina.testing.contracts"


def test_each_port_says_what_it_promises() -> None:
    assert [name for name, port in _ports().items() if not port.__doc__ or "Protocol" in port.__doc__] == []
