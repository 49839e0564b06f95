"""Draw the layers and their real dependencies, as the import graph has them, into docs/explanation/architecture.md.

    python tools/import_graph.py           # draws it anew
    python tools/import_graph.py --check   # only says whether the drawing is true

The layers and their order are those of the import contract in pyproject.toml.
"""

from __future__ import annotations

import argparse
import re
import sys
import tomllib
from pathlib import Path

import grimp

ROOT = Path(__file__).resolve().parents[1]
DOCUMENT = ROOT / "docs" / "explanation" / "architecture.md"
BEGIN, END = "<!-- import graph: begin -->", "<!-- import graph: end -->"
PACKAGE = "lamina"
SPLIT = "adapters"  # each technology is a node of its own: they know nothing of one another


def layers() -> list[str]:
    """The layers from the highest to the lowest."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]
    (contract,) = [one for one in contracts["contracts"] if one["id"] == "layers"]
    return [name for layer in contract["layers"] for name in re.split(r"\s*[|:]\s*", layer)]


def nodes(graph: grimp.ImportGraph) -> list[str]:
    """What is drawn: each layer, and each adapter."""
    adapters = sorted(graph.find_children(f"{PACKAGE}.{SPLIT}"))
    below = [name.removeprefix(f"{PACKAGE}.") for name in adapters]
    return [node for layer in layers() for node in (below if layer == SPLIT and below else [layer])]


def edges(graph: grimp.ImportGraph, drawn: list[str]) -> list[tuple[str, str]]:
    """Which node imports from which, in the order of the nodes."""
    found = {
        (importer, imported)
        for module in graph.modules
        for other in graph.find_modules_directly_imported_by(module)
        if (importer := _node(module, drawn)) and (imported := _node(other, drawn)) and importer != imported
    }
    return sorted(found, key=lambda edge: (drawn.index(edge[0]), drawn.index(edge[1])))


def diagram() -> str:
    """The graph as Mermaid draws it."""
    graph = grimp.build_graph(PACKAGE, cache_dir=None)
    drawn = nodes(graph)
    arrows = edges(graph, drawn)
    empty = [node for node in drawn if not graph.find_descendants(f"{PACKAGE}.{node}") and node not in dict(arrows)]
    lines = [f'{_id(node)}["{node}{"<br/>(empty)" if node in empty else ""}"]' for node in drawn]
    lines += [f"{_id(importer)} --> {_id(imported)}" for importer, imported in arrows]
    lines += [f"style {_id(node)} stroke-dasharray: 4 4" for node in empty]
    return "\n".join(["```mermaid", "flowchart TD", *(f"    {line}" for line in lines), "```"])


def main() -> None:
    """Draws, or checks."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="say whether the drawing is true, and change nothing")
    check: bool = parser.parse_args().check
    before = DOCUMENT.read_text(encoding="utf-8")
    head, _, rest = before.partition(BEGIN)
    _, found, tail = rest.partition(END)
    if not found:
        sys.exit(f"{DOCUMENT.relative_to(ROOT)} has no place for the drawing: add {BEGIN} and {END}")
    after = f"{head}{BEGIN}\n{diagram()}\n{END}{tail}"
    if check and before != after:
        sys.exit(
            f"{DOCUMENT.relative_to(ROOT)} does not show the imports as they are; run: python tools/import_graph.py"
        )
    if not check:
        DOCUMENT.write_text(after, encoding="utf-8")


def _node(module: str, drawn: list[str]) -> str | None:
    inside = [node for node in drawn if f"{module}.".startswith(f"{PACKAGE}.{node}.")]
    return inside[0] if inside else None


def _id(node: str) -> str:
    return node.replace(".", "_")


if __name__ == "__main__":
    main()
