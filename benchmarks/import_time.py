"""How long `import lamina` takes, beside what it stands on: python benchmarks/import_time.py

Each figure is the best of several fresh interpreters, less the time of an empty one.
"""

from __future__ import annotations

import subprocess
import sys
import time

STATEMENTS = ("pass", "import lamina", "from pydantic import BaseModel", "import lamina; lamina.WORLD_AGENT")


def seconds(statement: str, runs: int = 7) -> float:
    """The best of some runs."""
    best = float("inf")
    for _ in range(runs):
        start = time.perf_counter()
        subprocess.run([sys.executable, "-c", statement], check=True)
        best = min(best, time.perf_counter() - start)
    return best


def main() -> None:
    """Prints one line for each statement."""
    empty, *rest = (seconds(statement) for statement in STATEMENTS)
    for statement, taken in zip(STATEMENTS[1:], rest, strict=True):
        print(f"{taken - empty:6.3f} s  {statement}")


if __name__ == "__main__":
    main()
