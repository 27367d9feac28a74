"""Maps over two parameters."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from delassus import _html, _native, _plot, _source
from delassus._arrays import Array, whole
from delassus._errors import ProblemError
from delassus._law import Law, LawLike, as_law
from delassus._problem import Problem

if TYPE_CHECKING:
    import pandas as pd
    import xarray as xr
    from matplotlib.axes import Axes


@dataclass(frozen=True, eq=False)
class Boundary:
    """A curve between two regimes, followed to a small fraction of the map's range.

    Attributes:
        between: Names of the regimes.
        points: Points of the curve (k, 2), in the units of the two parameters.
    """

    between: tuple[str, str]
    points: Array


@dataclass(frozen=True, eq=False)
class Map:
    """A measure over two parameters, and the curves that divide its regimes.

    Attributes:
        title: Name of the problem or scenario; may be empty.
        laws: Names of the laws.
        measure: What is measured.
        x_key: Path of the parameter along x.
        y_key: Path of the parameter along y.
        x: Values of the parameter along x (nx,), in its unit.
        y: Values of the parameter along y (ny,), in its unit.
        values: The number at each point (ny, nx), in the unit of the measure, NaN for none; None where the measure
            has regimes only.
        regime: The regime at each point (ny, nx), a place in ``regimes``.
        regimes: Names of the regimes.
        boundaries: The curves between regimes.
        rough: Number of squares of the grid whose boundary is too rough to be followed.
        unsolved: Number of points whose answer was not found.
        coordinate: Name and unit of the coordinate or rate of a motion that is measured; None for other measures.
    """

    title: str
    laws: tuple[str, ...]
    measure: str
    x_key: str
    y_key: str
    x: Array
    y: Array
    values: Array | None
    regime: npt.NDArray[np.uint32]
    regimes: tuple[str, ...]
    boundaries: list[Boundary] = field(repr=False)
    rough: int
    unsolved: int
    coordinate: tuple[str, str] | None = None

    def to_pandas(self) -> pd.DataFrame:
        """A table with a line for each point (needs pandas): both parameters, the regime in words, which is categorical,
        and the number where the measure has one. The first parameter runs fastest.

        >>> import delassus
        >>> found = delassus.map(delassus.Problem.kane(), ("contact.C.friction", 0, 1, 3),
        ...                      ("contact.C.restitution", 0, 1, 2), measure="energy", law="newton")
        >>> found.to_pandas().columns.tolist(), len(found.to_pandas())
        (['contact.C.friction', 'contact.C.restitution', 'regime', 'energy'], 6)
        """
        import pandas as pd

        words = pd.Index(list(self.regimes))
        columns: dict[str, Any] = {
            self.x_key: np.tile(self.x, len(self.y)),
            self.y_key: np.repeat(self.y, len(self.x)),
            "regime": pd.Categorical.from_codes(self.regime.reshape(-1).astype(np.int64), categories=words),
        }
        if self.values is not None:
            columns[self.measure] = self.values.reshape(-1)
        return pd.DataFrame(columns)

    def to_xarray(self) -> xr.Dataset:
        """A data set over both parameters (needs xarray)."""
        import xarray as xr

        dims = (self.y_key, self.x_key)
        variables: dict[str, Any] = {"regime": (dims, np.array(self.regimes)[self.regime])}
        if self.values is not None:
            variables[self.measure] = (dims, self.values)
        attrs = {"title": self.title, "law": ", ".join(self.laws), "measure": self.measure}
        return xr.Dataset(variables, coords={self.x_key: self.x, self.y_key: self.y}, attrs=attrs)

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draws the map: numbers as colours, or one colour for each regime, and the curves (needs matplotlib)."""
        from matplotlib.colors import ListedColormap
        from matplotlib.patches import Patch

        ax = _plot.axes(ax)
        if self.values is not None:
            mesh = ax.pcolormesh(self.x, self.y, self.values, shading="nearest", cmap="viridis", rasterized=True)
            label = "{} at the end [{}]".format(*self.coordinate) if self.coordinate else self.measure
            ax.figure.colorbar(mesh, ax=ax, label=label)
        else:
            present = np.unique(self.regime)
            known = _native.regime_colors(list(self.regimes))
            colours = [known[k] for k in present]
            ax.pcolormesh(
                self.x, self.y, np.searchsorted(present, self.regime), shading="nearest",
                cmap=ListedColormap(colours), vmin=-0.5, vmax=len(present) - 0.5, rasterized=True,
            )
            patches = [Patch(facecolor=c, edgecolor="black", linewidth=0.5, label=self.regimes[k]) for k, c in zip(present, colours, strict=True)]
            ax.legend(handles=patches, loc="upper left", bbox_to_anchor=(1.0, 1.0), frameon=False)
        for boundary in self.boundaries:
            ax.plot(boundary.points[:, 0], boundary.points[:, 1], color="black", linewidth=0.8)
        ax.set_xlabel(self.x_key)
        ax.set_ylabel(self.y_key)
        ax.set_title(self._heading)
        return ax

    @property
    def _heading(self) -> str:
        laws = " and ".join(self.laws)
        return f"{self.title} ({laws})" if self.title else laws

    @property
    def svg(self) -> str:
        """The map as the program draws it."""
        curves = [
            ((self.regimes.index(b.between[0]), self.regimes.index(b.between[1])), b.points.tolist())
            for b in self.boundaries
        ]
        return _native.map_svg(
            self._heading,
            self.measure,
            (self.x_key, self.x.tolist()),
            (self.y_key, self.y.tolist()),
            [] if self.values is None else self.values.reshape(-1).tolist(),
            self.regime.reshape(-1).tolist(),
            list(self.regimes),
            curves,
            self.coordinate,
        )

    def __repr__(self) -> str:
        return f"Map({self.measure!r} over {self.x_key} and {self.y_key}, {len(self.x)} × {len(self.y)} points)"

    def _repr_html_(self) -> str:
        counts = np.bincount(self.regime.reshape(-1), minlength=len(self.regimes))
        rows: list[dict[str, object]] = [
            {"regime": name, "share": float(count) / self.regime.size}
            for name, count in zip(self.regimes, counts, strict=True)
            if count
        ]
        caption = f"{self.measure} over {self.x_key} and {self.y_key}: {' and '.join(self.laws)}"
        return _html.table(rows, caption) + self.svg


def number(value: float | str) -> float:
    """A number, also as text with pi or in degrees: ``"0.5pi"``, ``"30deg"``."""
    if not isinstance(value, str):
        return float(value)
    word = value.strip()
    try:
        if word.endswith("pi"):
            multiple = word[:-2]
            return {"": 1.0, "-": -1.0}.get(multiple, 0.0) * math.pi if multiple in ("", "-") else float(multiple) * math.pi
        return math.radians(float(word[:-3])) if word.endswith("deg") else float(word)
    except ValueError:
        raise ProblemError(f"{value!r} is no number", "", value) from None


_MOST_POINTS = 20_000


def _axis(value: Sequence[Any], name: str) -> tuple[str, float, float, int]:
    try:
        key, start, end, count = value
        found = str(key), number(start), number(end), count
    except (TypeError, ValueError) as error:
        message = f"{name} = {value!r}: needs (path of a parameter, from, to, number of points); {error}"
        raise ProblemError(message, name, repr(value)) from None
    if isinstance(count, bool) or not isinstance(count, (int, np.integer)) or not 2 <= count <= _MOST_POINTS:
        message = f"{name} = {value!r}: the number of points must be a whole number from 2 to {_MOST_POINTS}"
        raise ProblemError(message, name, repr(count))
    if not (math.isfinite(found[1]) and math.isfinite(found[2]) and found[1] < found[2]):
        raise ProblemError(f"{name} = {value!r}: from must be below to, both finite", name, repr(value))
    return (*found[:3], int(count))


def map(
    source: str | os.PathLike[str] | Mapping[str, object] | Problem,
    x: Sequence[Any],
    y: Sequence[Any],
    measure: str = "state",
    law: LawLike | Sequence[LawLike] | None = None,
    *,
    iterations: int | None = None,
    threads: int | None = None,
    boundaries: bool | None = None,
) -> Map:
    """Maps a measure over two parameters of a problem or scenario and follows the boundaries of its regimes.

    ``x`` and ``y``: path of a number of the file, from, to, number of points; from and to also as ``"0.5pi"`` or
    ``"30deg"``. Paths and measures are those of ``delassus map --help``: ``contact.C.friction``, ``rod.angle``,
    ``material.friction``; ``state``, ``energy``, ``velocity[0]``, ``difference`` (of two laws), of a scenario ``end``,
    ``tilt``, ``impacts``. ``boundaries``: whether to follow the curves between regimes; by default those of impacts, to
    1e-6 of the range, and not those of motions, which take some hundred runs a square and are followed to 1e-3.

    >>> import delassus
    >>> kane = delassus.Problem.kane()
    >>> found = delassus.map(kane, ("contact.C.friction", 0, 1, 20), ("contact.C.restitution", 0, 1, 20),
    ...                      measure="energy", law="newton")
    >>> found.values.shape, bool(found.values.max() > 0.5)
    ((20, 20), True)
    """
    given = _source.read(source)
    if not isinstance(measure, str):
        raise ProblemError(f"measure = {measure!r}: needs the name of one measure", "measure", repr(measure))
    axes = _axis(x, "x"), _axis(y, "y")
    listed: list[Any] = [] if law is None else list(law) if isinstance(law, (list, tuple)) else [law]
    chosen: list[Law] = [as_law(one) for one in listed]
    by_name = all(isinstance(one, str) for one in listed)
    found = _native.map_study(
        given.text,
        given.file,
        given.folder,
        [one._native for one in chosen],
        by_name,
        axes[0],
        axes[1],
        measure,
        whole(iterations, "iterations"),
        whole(threads, "threads"),
        boundaries,
    )
    return Map(
        title=found.title,
        laws=tuple(found.laws),
        measure=measure,
        x_key=axes[0][0],
        y_key=axes[1][0],
        x=found.x,
        y=found.y,
        values=found.values,
        regime=found.regimes.reshape(len(found.y), len(found.x)),
        regimes=tuple(found.names),
        boundaries=[
            Boundary((found.names[a], found.names[b]), points)
            for (a, b), points in zip(found.between, found.curves, strict=True)
        ],
        rough=found.rough,
        unsolved=found.unsolved,
        coordinate=found.coordinate,
    )
