"""What the tests share: the program as the reference, and the files of the repository."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

REPOSITORY = Path(__file__).resolve().parents[2]
EXAMPLES = REPOSITORY / "crates/delassus-cli/examples"
SCENARIOS = REPOSITORY / "scenarios"


def command() -> str:
    """The program that the package brings along."""
    beside = Path(sys.executable).with_name("delassus")
    found = str(beside) if beside.exists() else shutil.which("delassus")
    assert found, "the package installs the command delassus"
    return found


def program(*args: str | Path) -> Any:
    """What the program prints, read as JSON."""
    done = subprocess.run([command(), *map(str, args), "--json"], capture_output=True, text=True)
    assert done.returncode in (0, 1), done.stderr
    return json.loads(done.stdout)
