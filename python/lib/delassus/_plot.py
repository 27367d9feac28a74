"""The style of our figures for matplotlib: series told apart by colour, dash and marker, also in grey print."""

from __future__ import annotations

from contextlib import AbstractContextManager
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SERIES = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000")
"""Colours of series (Okabe and Ito)."""
DASHES = ("-", (0, (4.5, 2)), (0, (6, 1.8, 1.1, 1.8)), (0, (1.1, 1.5)), (0, (9, 2.5)))
MARKERS = ("o", "s", "^", "D", "x", "v", "P")

_STYLE: dict[str, Any] = {
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.linewidth": 0.8,
    "axes.titlesize": "medium",
    "font.family": "sans-serif",
    "legend.frameon": False,
    "lines.linewidth": 1.2,
    "svg.hashsalt": "delassus",
}


def style() -> AbstractContextManager[None]:
    """Within it, axes are made as in our figures."""
    matplotlib: Any = import_module("matplotlib")
    context: AbstractContextManager[None] = matplotlib.rc_context(_STYLE)
    return context


def axes(ax: Axes | None) -> Axes:
    """The axes that are given, or new ones in our style."""
    if ax is not None:
        return ax
    import matplotlib.pyplot as plt

    with style():
        # With this layout legends beside the axes are within the figure, wherever it is saved.
        return plt.subplots(layout="constrained")[1]


def series(index: int) -> dict[str, Any]:
    """Colour and dash of a series."""
    return {"color": SERIES[index % len(SERIES)], "linestyle": DASHES[(index + index // len(SERIES)) % len(DASHES)]}
