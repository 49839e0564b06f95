"""The drawing of the layers shows the imports as they are."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_the_drawing_is_true() -> None:
    tool = [sys.executable, str(ROOT / "tools" / "import_graph.py"), "--check"]
    done = subprocess.run(tool, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
