"""The command ``delassus``: the same program as the one in Rust."""

from __future__ import annotations

import signal
import sys

from delassus import _native


def main() -> None:
    """Runs the program with the arguments of this process and ends the process with its status."""
    # The program answers Ctrl-C itself; until it does, Ctrl-C ends it, unless it is ignored.
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    sys.exit(_native.program(["delassus", *sys.argv[1:]]))
