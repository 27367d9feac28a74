"""``python -m delassus`` shows Kane's double pendulum under every law; with arguments it is the program."""

from __future__ import annotations

import sys

from delassus._program import main

if __name__ == "__main__":
    if len(sys.argv) == 1:
        sys.argv.append("impact")
    main()
