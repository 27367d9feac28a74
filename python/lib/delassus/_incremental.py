"""Incremental dynamic analysis: how the demand of each case grows with the intensity of its ground motion."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from delassus import _html, _native, _plot
from delassus._arrays import Array

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True, eq=False)
class Incremental:
    """Demands of many cases over an intensity, and what the cases have in common.

    Attributes:
        key: The parameter that is the intensity.
        measure: The measure that is the demand.
        intensity: Values of the intensity (k,), rising, in its unit.
        fractiles: At each intensity the demand that 16, 50 and 84 % of the cases do not exceed (k, 3), in the unit of
            the measure; infinite where so many fail.
        capacity: The intensities at which 16, 50 and 84 % of the cases have failed (3,), in their unit; infinite
            where fewer do.
        failures: The least intensity at which each case fails by the name of the case, in its unit; infinite where it
            does not.
        standing_again: Names of cases that stand at a greater intensity than one at which they fail, as blocks do.
        svg: The curves as the program draws them, the text of an SVG.
    """

    key: str
    measure: str
    intensity: Array
    fractiles: Array
    capacity: Array
    failures: dict[str, float]
    standing_again: list[str]
    svg: str = field(repr=False)

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draws the fractiles: intensity over demand, as is usual (needs matplotlib)."""
        ax = _plot.axes(ax)
        for k, part in enumerate((16, 50, 84)):
            known = np.isfinite(self.fractiles[:, k])
            ax.plot(self.fractiles[known, k], self.intensity[known], label=f"{part} %", **_plot.series(k))
        ax.set_xlabel(self.measure)
        ax.set_ylabel(self.key)
        ax.legend(title="cases", frameon=False)
        return ax

    def _repr_html_(self) -> str:
        low, median, high = (f"{value:.4g}" if np.isfinite(value) else "beyond" for value in self.capacity)
        words = f"{len(self.failures)} cases; 16, 50, 84 % have failed at {low}, {median}, {high}"
        return f"<p>{_html.text(words)}</p>{self.svg}"


def analysed(key: str, measure: str, points: list[tuple[str, float, float, bool]]) -> Incremental:
    """The analysis of these points: name of the case, intensity, demand, whether it failed."""
    courses, fractiles, capacity, svg = _native.incremental(key, measure, points)
    return Incremental(
        key=key,
        measure=measure,
        intensity=np.array([level for level, _ in fractiles], dtype=np.float64),
        fractiles=np.array([demands for _, demands in fractiles], dtype=np.float64).reshape(-1, 3),
        capacity=np.array(capacity, dtype=np.float64),
        failures={name: np.inf if fails is None else fails for name, fails, _ in courses},
        standing_again=[name for name, _, again in courses if again],
        svg=svg,
    )
