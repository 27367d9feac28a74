"""Measurements: numbers of a model found from them, and laws held against them."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from delassus import _html, _native, _source
from delassus._arrays import Array, json_text, natural, same_labels, whole
from delassus._errors import ProblemError
from delassus._law import LawLike, as_law
from delassus._map import number
from delassus._problem import Problem, read_text

if TYPE_CHECKING:
    import pandas as pd
    import xarray as xr

Free = Sequence[str] | Mapping[str, tuple[float | str, float | str] | None]
"""Paths of numbers to find, with their ranges where these are not the usual ones."""


def _columns(data: Any) -> list[tuple[str, Array]]:
    """The columns of a mapping or a table."""
    named = getattr(getattr(data, "dtype", None), "names", None) if isinstance(data, np.ndarray) else data
    if named is None or not hasattr(data, "__getitem__") or not hasattr(named, "__iter__"):
        kind = type(data).__name__
        raise ProblemError(f"data = {kind}: needs a CSV file, a mapping of columns or a table", "data", kind)
    found = []
    same_labels({f"data[{name!r}]": data[name] for name in named})
    for name in named:
        given: Any = data[name]
        if isinstance(given, np.ma.MaskedArray) and given.dtype.kind in "fiu":
            # What is masked was not measured.
            given = np.ma.filled(given.astype(np.float64), np.nan)
        if getattr(getattr(given, "dtype", None), "kind", "f") in "bcUSM":
            kind = f"{given.dtype}"
            raise ProblemError(f"data[{name!r}] = array of dtype {kind}: needs real numbers", f"data.{name}", kind)
        try:
            column = np.asarray(given, dtype=np.float64)
        except (TypeError, ValueError) as error:
            raise ProblemError(f"data[{name!r}]: {error}", f"data.{name}") from None
        if column.ndim != 1 or np.isinf(column).any():
            message = f"data[{name!r}] = array of shape {column.shape}: needs shape (k,), finite numbers, NaN for none"
            raise ProblemError(message, f"data.{name}", str(column.shape), "wrong-size")
        found.append((str(name), column))
    lengths = sorted({len(column) for _, column in found})
    if len(lengths) != 1 or lengths[0] == 0:
        message = f"data: the columns have {lengths} rows; all need the same number, at least one"
        raise ProblemError(message, "data", str(lengths), "wrong-size")
    return found


def _free(free: Free) -> list[tuple[str, tuple[float, float] | None]]:
    if isinstance(free, str):
        free = [free]
    if not isinstance(free, Mapping):
        return [(str(key), None) for key in free]
    found: list[tuple[str, tuple[float, float] | None]] = []
    for key, ends in free.items():
        try:
            found.append((str(key), None if ends is None else (number(ends[0]), number(ends[1]))))
        except (TypeError, IndexError, ValueError):
            raise ProblemError(f"free[{key!r}] = {ends!r}: needs (low, high) or None", f"free.{key}", repr(ends)) from None
    return found


@dataclass(frozen=True)
class Estimate:
    """A number that was found.

    Attributes:
        value: The number, in its unit.
        interval: Both ends of the 95 % interval, from the profile of the sum of squares, in the same unit.
        at_bound: Whether the interval ends, below and above, only because the number may not go further.
    """

    value: float
    interval: tuple[float, float]
    at_bound: tuple[bool, bool]


@dataclass(frozen=True, eq=False)
class Fit:
    """Numbers of a problem or scenario found from measurements.

    Attributes:
        estimates: The numbers that were found, each an :class:`Estimate`, by their paths.
        rms: Root mean square of the residuals by column, in the unit of the column.
        measurements: How many measurements there are.
        correlation: Correlation of the n estimates (n, n), in their order, without unit; NaN where it is not known.
        warnings: What should be known in words, such as parameters that cannot be told apart.
        svg: Measurements and model as a figure, the text of an SVG.
    """

    estimates: dict[str, Estimate]
    rms: dict[str, float]
    measurements: int
    correlation: Array = field(repr=False)
    warnings: list[str]
    svg: str = field(repr=False)

    def to_pandas(self) -> pd.DataFrame:
        """A table with a line for each number that was found (needs pandas): its value, both ends of its 95 % interval,
        and whether these are only where the number may not go further.

        >>> import delassus
        >>> drop = delassus.Problem(mass=[1.0], velocity=[-1.0], contacts=[delassus.Contact("C", [1.0], restitution=0.1)])
        >>> found = delassus.fit({"velocity[0]": [-1.0, -2.0, -3.0], "measured.velocity[0]": [0.5, 1.0, 1.6]}, drop,
        ...                      ["contact.C.restitution"], law="newton")
        >>> found.to_pandas()["value"].round(2).to_dict()
        {'contact.C.restitution': 0.52}
        """
        import pandas as pd

        lines = [
            {"value": e.value, "low": e.interval[0], "high": e.interval[1], "low_at_bound": e.at_bound[0],
             "high_at_bound": e.at_bound[1]}
            for e in self.estimates.values()
        ]
        return pd.DataFrame(lines, index=pd.Index(list(self.estimates), name="number"))

    def to_xarray(self) -> xr.Dataset:
        """The numbers that were found, their intervals and their correlation as a data set (needs xarray)."""
        import xarray as xr

        found = list(self.estimates.values())
        variables: dict[str, Any] = {
            "value": ("number", [e.value for e in found]),
            "interval": (("number", "end"), np.array([e.interval for e in found]).reshape(-1, 2)),
            "correlation": (("number", "other"), self.correlation.reshape(len(found), len(found))),
            "rms": ("column", list(self.rms.values())),
        }
        names = list(self.estimates)
        coords = {"number": names, "other": names, "end": ["low", "high"], "column": list(self.rms)}
        return xr.Dataset(variables, coords=coords, attrs={"measurements": self.measurements})

    def _repr_html_(self) -> str:
        rows: list[dict[str, object]] = [
            {"number": key, "value": e.value, "from": e.interval[0], "to": e.interval[1]} for key, e in self.estimates.items()
        ]
        told = "".join(f"<p>{_html.text(warning)}</p>" for warning in self.warnings)
        return _html.table(rows, f"Fit to {self.measurements} measurements; 95 % intervals") + told + self.svg


def fit(
    data: str | os.PathLike[str] | Mapping[str, npt.ArrayLike] | pd.DataFrame,
    source: str | os.PathLike[str] | Mapping[str, object] | Problem,
    free: Free,
    law: LawLike | None = None,
    *,
    looks: int | None = None,
    seed: int = 0,
) -> Fit:
    """Finds numbers of a problem or scenario from measurements.

    ``data``: a CSV file, a mapping of columns or a table; NaN for what was not measured. With a scenario a column
    ``time`` and columns named as in ``trajectory.csv`` (``block.theta``); with a problem one row an impact, columns with
    paths of numbers (``velocity[0]``) and columns ``measured.NAME`` with what was measured. ``free``: paths of the
    numbers to find, with their ranges where these are not usual. ``looks``: points of the global search. See
    ``delassus fit --help``.

    >>> import delassus, numpy as np
    >>> speeds = np.linspace(0.5, 2.0, 8)
    >>> drop = delassus.Problem(mass=[1.0], velocity=[-1.0], contacts=[delassus.Contact("C", [1.0], restitution=0.1)])
    >>> found = delassus.fit({"velocity[0]": -speeds, "measured.velocity[0]": 0.7 * speeds}, drop,
    ...                      ["contact.C.restitution"], law="newton")
    >>> round(found.estimates["contact.C.restitution"].value, 6)
    0.7
    """
    if isinstance(data, (str, os.PathLike)):
        columns = [(name, np.array(one)) for name, one in _native.read_table(read_text(data), os.fspath(data))]
    else:
        columns = _columns(data)
    given = _source.read(source)
    chosen = None if law is None else as_law(law)._native
    text, svg = _native.fit_model(
        [(name, column.tolist()) for name, column in columns],
        given.text,
        given.file,
        given.folder,
        chosen,
        isinstance(law, str),
        _free(free),
        whole(looks, "looks"),
        natural(seed, "seed"),
    )
    found = json.loads(text)
    return Fit(
        estimates={
            e["key"]: Estimate(e["value"], (e["interval"][0], e["interval"][1]), (e["at_bound"][0], e["at_bound"][1]))
            for e in found["estimates"]
        },
        rms=found["rms"],
        measurements=found["measurements"],
        correlation=np.array(found["correlation"], dtype=np.float64),
        warnings=found["warnings"],
        svg=svg,
    )


@dataclass(frozen=True, eq=False)
class Score:
    """How well a law predicts measured impacts that it was not fitted to.

    Attributes:
        name: The law; the first is the bound that none can beat, the best impulse at the given contacts.
        reason: Why it could not be scored, else None.
        median: Median of ‖u⁺ − measured‖_M / ‖u⁻‖_M over the impacts, without unit; None where there is none.
        interval: Both ends of its 95 % interval, by bootstrap; None where there is none.
        quartiles: The first and the third quartile of the same errors; None where there are none.
        values: Coefficients found from all impacts, by their paths, in their units.
        errors: The error of each of the K impacts (K,), without unit; NaN without an answer.
    """

    name: str
    reason: str | None
    median: float | None
    interval: tuple[float, float] | None
    quartiles: tuple[float, float] | None
    values: dict[str, float]
    errors: Array = field(repr=False)


class Scores(list[Score]):
    """The bound and the laws, the best first, each a :class:`Score`; in a notebook a table and a figure.

    Attributes:
        svg: The laws side by side as a figure, the text of an SVG.
    """

    svg: str = ""

    def to_pandas(self) -> pd.DataFrame:
        """A table with a line for each law (needs pandas): median error, its 95 % interval, quartiles, why it could not be
        scored, and the coefficients that were found, NaN where a law has none of that name.

        >>> import delassus
        >>> drops = [{"mass": [1.0], "velocity": [-v], "after": [0.6 * v], "contact": [{"name": "C", "normal": [1.0]}]}
        ...          for v in (0.5, 1.0, 1.5, 2.0)]
        >>> table = delassus.score(drops, "newton", folds=2).to_pandas()
        >>> table.loc["newton", "contact[*].restitution"].round(4)
        np.float64(0.6)
        """
        import pandas as pd

        keys = list(dict.fromkeys(key for one in self for key in one.values))
        lines = []
        for one in self:
            (low, high), (first, third) = one.interval or (None, None), one.quartiles or (None, None)
            line = {"median": one.median, "low": low, "high": high, "quartile_1": first, "quartile_3": third}
            lines.append({**line, "reason": one.reason, **{key: one.values.get(key) for key in keys}})
        table = pd.DataFrame(lines, index=pd.Index([one.name for one in self], name="law"))
        numbers = [name for name in table.columns if name != "reason"]
        return table.astype({name: "float64" for name in numbers})

    def to_xarray(self) -> xr.Dataset:
        """The error of each law at each impact as a data set (needs xarray), with the median errors; laws that could not be
        scored have NaN."""
        import xarray as xr

        impacts = max((len(one.errors) for one in self), default=0)
        errors = [one.errors if len(one.errors) == impacts else np.full(impacts, np.nan) for one in self]
        medians = [np.nan if one.median is None else one.median for one in self]
        variables: dict[str, Any] = {
            "error": (("law", "impact"), np.array(errors).reshape(len(self), impacts)),
            "median": ("law", medians),
        }
        return xr.Dataset(variables, coords={"law": [one.name for one in self]})

    def _repr_html_(self) -> str:
        rows: list[dict[str, object]] = [
            {
                "law": one.name,
                "median error": one.median,
                "from": one.interval[0] if one.interval else None,
                "to": one.interval[1] if one.interval else None,
                "coefficients": one.reason or ", ".join(f"{key} = {value:.4g}" for key, value in one.values.items()),
            }
            for one in self
        ]
        return _html.table(rows, "‖u⁺ − measured‖_M / ‖u⁻‖_M on impacts that were not fitted; 95 % intervals") + self.svg


def score(
    data: str | os.PathLike[str] | Sequence[Mapping[str, object]] | Mapping[str, npt.ArrayLike] | pd.DataFrame,
    law: LawLike | Sequence[LawLike] | None = None,
    *,
    folds: int = 5,
    free: Free = (),
    seed: int = 0,
) -> Scores:
    """Holds laws against measured impacts: coefficients found from a part of the data, errors on the rest.

    ``data``: a CSV or JSON file, columns (``mass[0]``, ``velocity[0]``, ``after[0]``, ``contact.C.normal[0]``, …), or a
    list of problems as dictionaries with a velocity ``after``. ``law``: one or several, by default all. ``free``:
    coefficients to find in place of the usual ones, such as ``{"contact[*].friction": (0, 1)}``. See ``delassus score
    --help``.

    >>> import delassus
    >>> drops = [{"mass": [1.0], "velocity": [-v], "after": [0.6 * v], "contact": [{"name": "C", "normal": [1.0]}]}
    ...          for v in (0.5, 1.0, 1.5, 2.0)]
    >>> bound, newton = delassus.score(drops, "newton", folds=2)
    >>> newton.name, round(newton.values["contact[*].restitution"], 4), newton.median < 1e-6
    ('newton', 0.6, True)
    """
    file = ""
    if isinstance(data, (str, os.PathLike)):
        text, file = read_text(data), os.fspath(data)
    elif isinstance(data, (list, tuple)):
        text = json_text([dict(one) for one in data], "impact")
    else:
        columns = _columns(data)
        rows = zip(*(column for _, column in columns), strict=True)
        lines = [",".join("" if np.isnan(value) else repr(float(value)) for value in row) for row in rows]
        text = "\n".join([",".join(name for name, _ in columns), *lines]) + "\n"
    listed: list[Any] = [] if law is None else list(law) if isinstance(law, (list, tuple)) else [law]
    laws = [as_law(one)._native for one in listed]
    parts = whole(folds, "folds") or 5
    record, svg = _native.score_laws(text, Path(file).name, laws, parts, _free(free), natural(seed, "seed"))
    scores = Scores(_score(one) for one in json.loads(record))
    scores.svg = svg
    return scores


def _score(found: dict[str, Any]) -> Score:
    def pair(name: str) -> tuple[float, float] | None:
        ends = found[name]
        return None if None in ends else (ends[0], ends[1])

    return Score(
        name=found["name"],
        reason=found["reason"],
        median=found["median"],
        interval=pair("median_interval"),
        quartiles=pair("quartiles"),
        values=found["values"],
        errors=np.array(found["errors"], dtype=np.float64),
    )
