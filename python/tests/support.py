"""What the tests share: the program as the reference, and the files of the repository."""

from __future__ import annotations

import json
import shutil
import signal
import subprocess
import sys
import time
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


def interrupted(work: str, patience: float = 60.0) -> float:
    """Runs lines of Python in a process, presses Ctrl-C after half a second, and gives the seconds until it stopped."""
    # Where tests run in the background, Ctrl-C may be ignored, and children inherit that.
    script = "import signal, sys\nsignal.signal(signal.SIGINT, signal.default_int_handler)\n" + work
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None and process.stdout.readline() == "ready\n"
            time.sleep(0.5)
            assert process.poll() is None, "the work should take longer than this"
            begin = time.monotonic()
            process.send_signal(signal.SIGINT)
            assert process.wait(timeout=patience) == 42
            return time.monotonic() - begin
        finally:
            process.kill()
