"""The command and the module that comes with it."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import delassus
from support import REPOSITORY, command


def run(*args: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(args, capture_output=True, text=True)


def test_the_command_is_the_program() -> None:
    assert run(command(), "--version").stdout == f"delassus {delassus.__version__}\n"
    shown = run(command(), "impact")
    assert shown.returncode == 0 and "Why does Newton's answer gain energy?" in shown.stdout
    wrong = run(command(), "impact", "nowhere.toml")
    assert wrong.returncode == 2 and wrong.stdout == "" and "nowhere.toml" in wrong.stderr
    assert run(command(), "--nonsense").returncode == 2
    assert run(command(), "--help").returncode == 0


def test_the_module_shows_kane() -> None:
    shown = run(sys.executable, "-m", "delassus")
    assert shown.returncode == 0 and "Kane's double pendulum" in shown.stdout
    assert run(sys.executable, "-m", "delassus", "--version").stdout == run(command(), "--version").stdout


def test_the_version_is_that_of_the_library() -> None:
    found = re.search(r'^version = "(.*)"$', (REPOSITORY / "Cargo.toml").read_text(), re.MULTILINE)
    assert found and delassus.__version__ == found.group(1)


def test_output_that_nobody_reads_is_no_failure() -> None:
    shell = f"'{command()}' examples block | head -n 1"
    done = run("bash", "-o", "pipefail", "-c", shell)
    assert done.returncode == 0 and done.stderr == ""


def test_ctrl_c_ends_the_command(tmp_path: Path) -> None:
    scenario = tmp_path / "long.toml"
    # Two hours of rocking without loss.
    scenario.write_text(
        "[rocking_block]\nwidth = 0.24\nheight = 0.48\nmass = 2.0\nangle = 0.12\n[material]\nfriction = 0.9\n"
        'restitution = 1.0\n[law]\nname = "poisson"\n[until]\ntime = 7200.0\n[integrator]\nmax_events = 1000000000\n'
    )
    process = subprocess.Popen([command(), "run", str(scenario), "--json"], stdout=subprocess.PIPE, text=True)
    time.sleep(1.0)
    assert process.poll() is None
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=20)
    assert process.returncode == 0 or process.returncode == 1
    assert '"status":"interrupted"' in out
