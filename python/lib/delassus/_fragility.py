"""Fragility: the probability that a limit is passed, over an intensity."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from delassus import _html, _native, _plot
from delassus._arrays import Array, array

if TYPE_CHECKING:
    import numpy.typing as npt
    from matplotlib.axes import Axes


@dataclass(frozen=True, eq=False)
class Fragility:
    """The lognormal curve P(x) = Φ(ln(x/θ)/β) of largest likelihood through the shares of failure at each intensity.

    Attributes:
        key: The parameter that is the intensity.
        intensity: Its values (k,), rising, in its unit.
        failed: Cases that passed the limit at each intensity (k,), whole numbers.
        of: All cases at each intensity (k,), whole numbers.
        left_out: Number of cases without an answer.
        reason: Why there is no curve, else None; then the numbers below are NaN.
        median: θ, where half of the cases fail, in the unit of the intensity.
        median_interval: Both ends of its 95 % interval.
        dispersion: β, the standard deviation of the logarithm; a number without unit.
        dispersion_interval: Both ends of its 95 % interval.
        warning: What speaks against a curve that rises, if anything does.
        svg: Shares, curve and its 95 % band as the program draws them, the text of an SVG.
    """

    key: str
    intensity: Array
    failed: npt.NDArray[np.int64]
    of: npt.NDArray[np.int64]
    left_out: int
    reason: str | None
    median: float
    median_interval: tuple[float, float]
    dispersion: float
    dispersion_interval: tuple[float, float]
    warning: str | None
    svg: str = field(repr=False)

    def probability(self, intensity: npt.ArrayLike) -> tuple[Array, Array, Array]:
        """The probability of failure at these intensities, and both ends of its 95 % band; NaN without a curve."""
        x = array(intensity, "intensity")
        found = _native.fragility(self.key, self._counts(), x.reshape(-1).tolist())[3]
        columns = np.array(found, dtype=np.float64).reshape(-1, 3) if found else np.full((x.size, 3), np.nan)
        p, low, high = (columns[:, k].reshape(x.shape) for k in range(3))
        return p, low, high

    def _counts(self) -> list[tuple[float, int, int]]:
        return list(zip(self.intensity.tolist(), self.failed.tolist(), self.of.tolist(), strict=True))

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draws shares, curve and band (needs matplotlib)."""
        ax = _plot.axes(ax)
        if self.reason is None:
            x = np.linspace(self.intensity[0], self.intensity[-1], 200)
            p, low, high = self.probability(x)
            ax.fill_between(x, low, high, color=_plot.SERIES[0], alpha=0.2, linewidth=0, label="95 % band")
            ax.plot(x, p, color=_plot.SERIES[0], label=f"θ = {self.median:.4g}, β = {self.dispersion:.3g}")
        ax.plot(self.intensity, self.failed / self.of, "o", markersize=4, color="black", label="share of the cases")
        ax.set_xlabel(self.key)
        ax.set_ylabel("probability of failure")
        ax.set_ylim(-0.03, 1.03)
        if self.reason is not None:
            ax.set_title(f"no curve: {self.reason}")
        ax.legend(frameon=False)
        return ax

    def _repr_html_(self) -> str:
        low, high = self.median_interval
        below, above = self.dispersion_interval
        told = f"θ = {self.median:.4g} ({low:.4g} to {high:.4g}), β = {self.dispersion:.3g} ({below:.3g} to {above:.3g})"
        words = [self.reason or told, *([self.warning] if self.warning else [])]
        return "".join(f"<p>{_html.text(one)}</p>" for one in words) + self.svg


def fitted(key: str, cases: list[tuple[float, bool]], left_out: int) -> Fragility:
    """The curve of these cases: their intensities and whether they failed."""
    intensity = np.array(sorted({x for x, _ in cases}), dtype=np.float64)
    failed, of = np.zeros(len(intensity), dtype=np.int64), np.zeros(len(intensity), dtype=np.int64)
    for x, failure in cases:
        place = int(np.searchsorted(intensity, x))
        of[place] += 1
        failed[place] += failure
    counts = list(zip(intensity.tolist(), failed.tolist(), of.tolist(), strict=True))
    curve, reason, warning, _, svg = _native.fragility(key, counts, [])
    none = float("nan")
    median, median_interval, dispersion, dispersion_interval = curve or (none, (none, none), none, (none, none))
    return Fragility(
        key=key,
        intensity=intensity,
        failed=failed,
        of=of,
        left_out=left_out,
        reason=reason,
        median=median,
        median_interval=(median_interval[0], median_interval[1]),
        dispersion=dispersion,
        dispersion_interval=(dispersion_interval[0], dispersion_interval[1]),
        warning=warning,
        svg=svg,
    )
