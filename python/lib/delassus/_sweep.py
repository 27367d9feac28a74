"""Sweeps over any number of parameters, here or on an engine with many workers."""

from __future__ import annotations

import csv
import glob
import io
import math
import os
import time
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from delassus import _engine, _fragility, _html, _incremental, _native, _plot, _rows, _source
from delassus._arrays import natural, whole
from delassus._errors import ProblemError
from delassus._fragility import Fragility
from delassus._incremental import Incremental
from delassus._law import LawLike, as_law
from delassus._map import number
from delassus._problem import Problem

if TYPE_CHECKING:
    import pandas as pd
    import xarray as xr
    from matplotlib.axes import Axes

Cell = float | str
"""An entry of a row: a number, NaN for none, or a word."""

# Tasks shorter than this cost more to send than to compute.
_TASK_SECONDS = 0.25


@dataclass(frozen=True)
class _Study:
    """All that a worker needs to compute rows: texts and numbers, so that any engine can ship it."""

    text: str
    file: str
    folder: str
    here: str
    laws: tuple[Any, ...]
    by_name: bool
    vary: tuple[str, ...]
    measures: tuple[str, ...]
    samples: int | None
    sobol: bool
    seed: int
    iterations: int | None

    def native(self) -> _native.Sweep:
        return _native.Sweep(
            self.text, self.file, self.folder, self.here, [as_law(law)._native for law in self.laws], self.by_name,
            list(self.vary), list(self.measures), self.samples, self.sobol, self.seed, self.iterations,
        )


@dataclass(frozen=True, eq=False)
class Sweep:
    """The cases of a sweep, a row each.

    Attributes:
        columns: Names of the columns: ``case``, the parameters, the measures, ``status``, ``certificate``.
        keys: Paths of the parameters.
        measures: Names of the measures.
        rows: A row for each case with an entry for each column, in order, numbers in the units of files and words;
            the last parameter runs fastest.
        csv: The same as text, byte for byte what ``delassus sweep`` writes.
        chunks: The cases that were computed together, from the first up to but not the second.
        resumed: The number of cases that an earlier attempt had finished; they were not computed again.
    """

    columns: tuple[str, ...]
    keys: tuple[str, ...]
    measures: tuple[str, ...]
    rows: list[list[Cell]] = field(repr=False)
    csv: str = field(repr=False)
    chunks: list[tuple[int, int]] = field(repr=False)
    _study: _Study = field(repr=False)
    resumed: int = 0

    def __len__(self) -> int:
        return len(self.rows)

    def column(self, name: str) -> list[Cell]:
        """The entries of a column."""
        if name not in self.columns:
            message = f"column = {name!r}: there are {', '.join(self.columns)}"
            raise ProblemError(message, "column", repr(name), "unknown")
        place = self.columns.index(name)
        return [row[place] for row in self.rows]

    def to_pandas(self) -> pd.DataFrame:
        """A table with the case as its index (needs pandas)."""
        import pandas as pd

        table = pd.DataFrame(self.rows, columns=list(self.columns))
        table["case"] = table["case"].astype("int64")
        return table.set_index("case")

    def to_xarray(self) -> xr.Dataset:
        """The measures over the parameters where these are a grid, else over the cases (needs xarray)."""
        import xarray as xr

        values = [list(dict.fromkeys(self.column(key))) for key in self.keys]
        sizes = [len(one) for one in values]
        names = (*self.measures, "status", "certificate")

        def entries(name: str) -> np.ndarray[Any, np.dtype[Any]]:
            # A measure in words has none where there is no answer.
            found = self.column(name)
            if any(isinstance(one, str) for one in found):
                return np.array([one if isinstance(one, str) else "" for one in found])
            return np.array(found)

        if math.prod(sizes) == len(self.rows):
            coords: dict[str, Any] = dict(zip(self.keys, values, strict=True))
            variables: dict[str, Any] = {
                name: (self.keys, entries(name).reshape(sizes)) for name in names
            }
            return xr.Dataset(variables, coords=coords)
        coords = {"case": [int(float(one)) for one in self.column("case")]}
        coords |= {key: ("case", self.column(key)) for key in self.keys}
        return xr.Dataset({name: ("case", entries(name)) for name in names}, coords=coords)

    def fragility(self, key: str, limit: tuple[str, float] | None = None) -> Fragility:
        """The probability of failure over a parameter, as the lognormal curve of largest likelihood.

        A case fails where the measure ``overturned`` says so, or with ``limit = (measure, value)`` where that measure is
        at least the value. Cases without an answer are left out.

        >>> import delassus
        >>> block = {"rocking_block": {"width": 0.3, "height": 1.2, "mass": 100.0}, "material": {"friction": 0.7},
        ...          "ground": [{"name": "floor", "motion": {"pulse": {"shape": "one-sine", "acceleration": 1.0,
        ...                                                            "period": 0.8}}}]}
        >>> pushed = delassus.sweep(block, {"ground.floor.motion.pulse.acceleration": (2, 5, 4),
        ...                                 "rocking_block.slenderness": "uniform:0.18:0.32"},
        ...                         "overturned", "newton", samples=8)
        >>> curve = pushed.fragility("ground.floor.motion.pulse.acceleration")
        >>> curve.of.tolist(), bool(2 < curve.median < 5)
        ([8, 8, 8, 8], True)
        """
        measure, failed = self._failures(key, limit)
        if measure not in self.measures:
            message = f"limit = {measure!r}: the sweep needs this measure; it has {', '.join(self.measures)}"
            raise ProblemError(message, "limit", repr(measure), "missing")
        cases = [(float(x), fails) for x, fails in zip(self.column(key), failed, strict=True) if fails is not None]
        return _fragility.fitted(key, cases, len(self.rows) - len(cases))

    def incremental(
        self, key: str, measure: str | None = None, limit: tuple[str, float] | None = None
    ) -> Incremental:
        """Incremental dynamic analysis: how a measure, by default the first that is a number, grows with a parameter, with
        a curve for each combination of the others, and the demand and the capacity that 16, 50 and 84 % of them have.

        A case fails where it overturns, or with ``limit = (measure, value)`` where that measure is at least the value.

        >>> import delassus
        >>> block = {"rocking_block": {"width": 0.3, "height": 1.2, "mass": 100.0}, "material": {"friction": 0.7},
        ...          "ground": [{"name": "floor", "motion": {"pulse": {"shape": "one-sine", "acceleration": 1.0,
        ...                                                            "period": 0.8}}}]}
        >>> strength = "ground.floor.motion.pulse.acceleration"
        >>> pushed = delassus.sweep(block, {strength: [2, 3, 8], "rocking_block.slenderness": [0.2, 0.25]}, "tilt", "newton")
        >>> curves = pushed.incremental(strength)
        >>> curves.fractiles.shape, curves.failures
        ((3, 3), {'0.2': 3.0, '0.25': 8.0})
        """
        found = next(iter(self._numbers(self.measures)), None) if measure is None else measure
        if found not in self._numbers(self.measures):
            raise ProblemError(f"measure = {measure!r}: needs one that is a number", "measure", repr(measure), "unknown")
        if limit is not None and str(limit[0]) not in self.measures:
            message = f"limit = {limit[0]!r}: the sweep needs this measure; it has {', '.join(self.measures)}"
            raise ProblemError(message, "limit", repr(limit[0]), "missing")
        _, failed = self._failures(key, limit)
        others = [one for one in self.keys if one != key]
        points = []
        for row, fails in zip(self.rows, failed, strict=True):
            entry = dict(zip(self.columns, row, strict=True))
            demand = math.nan if fails is None else float(entry[found])
            points.append((_named([entry[one] for one in others]), float(entry[key]), demand, bool(fails)))
        return _incremental.analysed(key, found, points)

    def _numbers(self, names: Sequence[str]) -> list[str]:
        """Those whose column holds numbers."""
        return [name for name in names if all(isinstance(one, float) for one in self.column(name))]

    def _failures(self, key: str, limit: tuple[str, float] | None) -> tuple[str, list[bool | None]]:
        """What decides on failure, and whether each case failed; None for those without an answer."""
        if key not in self._numbers(self.keys):
            numbers = ", ".join(self._numbers(self.keys))
            raise ProblemError(f"key = {key!r}: must be a parameter with numbers: {numbers}", "key", repr(key), "unknown")
        measure, least = ("overturned", math.nan) if limit is None else (str(limit[0]), number(limit[1]))
        failed: list[bool | None] = []
        values = self.column(measure) if measure in self.measures else [math.nan] * len(self.rows)
        for value, words in zip(values, self.column("status"), strict=True):
            status = str(words).split(":")[0]
            if status not in _native.FOUND:
                failed.append(None)
            elif limit is None:
                failed.append("overturned" in (status, value))
            else:
                failed.append(isinstance(value, float) and value >= least)
        return measure, failed

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the rows, whole or not at all: a file ``.csv`` or ``.parquet``, or with a name without a suffix a folder
        that is a Parquet data set, one file for each chunk of the work. Parquet needs pyarrow."""
        _rows.save(path, self.columns, self.rows, self.csv, self.chunks)

    def plot(self, measure: str | None = None, ax: Axes | None = None) -> Axes:
        """Draws a measure, by default the first that is a number, over the first parameter that is one, with a curve for
        each combination of the others (needs matplotlib)."""
        over = next(iter(self._numbers(self.keys)), None)
        found = next(iter(self._numbers(self.measures)), None) if measure is None else measure
        if over is None or found not in self._numbers(self.measures):
            message = f"measure = {measure!r}: needs one that is a number, and a parameter that is one"
            raise ProblemError(message, "measure", repr(measure), "unknown")
        others = [key for key in self.keys if key != over]
        curves: dict[tuple[Cell, ...], list[tuple[float, float]]] = {}
        # The largest angle of a block that overturns is only where the run ended: a cross at the top.
        fallen: dict[tuple[Cell, ...], list[float]] = {}
        for row in self.rows:
            entry = dict(zip(self.columns, row, strict=True))
            which, x, y = tuple(entry[key] for key in others), float(entry[over]), float(entry[found])
            if found in ("tilt", "angle") and entry["status"] == "overturned":
                fallen.setdefault(which, []).append(x)
                y = math.nan
            curves.setdefault(which, []).append((x, y))
        ax = _plot.axes(ax)
        for k, (which, points) in enumerate(curves.items()):
            ax.plot(*np.array(sorted(points)).T, label=_named(which), **_plot.series(k))
            if which in fallen:
                ax.plot(fallen[which], [1.0] * len(fallen[which]), "x", color=_plot.SERIES[k % len(_plot.SERIES)],
                        transform=ax.get_xaxis_transform(), clip_on=False)
        ax.set_xlabel(over)
        ax.set_ylabel(found)
        if 1 < len(curves) <= 20:
            ax.legend(title=", ".join(others), frameon=False)
        return ax

    @property
    def svg(self) -> str | None:
        """Curves over the only parameter that is a number, as the program draws them; None for other sweeps."""
        return self._study.native().svg([line for line in csv.reader(io.StringIO(self.csv))][1:])

    def _repr_html_(self) -> str:
        shown: list[dict[str, object]] = [dict(zip(self.columns, row, strict=True)) for row in self.rows[:20]]
        more = f", the first {len(shown)} of {len(self.rows)} cases" if len(self.rows) > len(shown) else ""
        return _html.table(shown, f"{', '.join(self.measures)} over {', '.join(self.keys)}{more}") + (self.svg or "")


def _named(which: Sequence[Cell]) -> str:
    """What tells a case from the others."""
    return ", ".join(f"{one:g}" if isinstance(one, float) else one for one in which)


def _values(key: str, given: object) -> str:
    """The values of a parameter as the command line has them."""
    if isinstance(given, str):
        spec = given
        if key.endswith(".file"):
            spec = ",".join(_files(key, [given]))
    elif isinstance(given, tuple) and not all(isinstance(one, (str, os.PathLike)) for one in given):
        # A list holds values, a tuple of numbers never does: three values could not be told from a range.
        if len(given) != 3 or isinstance(given[2], bool) or not isinstance(given[2], (int, np.integer)):
            message = f"vary[{key!r}] = {given!r}: a tuple is (from, to, number), the number a whole one; values are a list"
            raise ProblemError(message, f"vary.{key}", repr(given))
        spec = f"{_end(key, given[0])!r}:{_end(key, given[1])!r}:{given[2]}"
    elif isinstance(given, Sequence) or (hasattr(given, "__array__") and np.ndim(given) == 1):
        listed = list(given)  # type: ignore[call-overload]
        words = [one for one in listed if isinstance(one, (str, os.PathLike))]
        if words and key.endswith(".file"):
            spec = ",".join(_files(key, [os.fspath(one) for one in words]))
        elif words and len(words) == len(listed):
            spec = ",".join(os.fspath(one) for one in words)
        else:
            spec = ",".join(repr(_end(key, one)) for one in listed)
    else:
        kind = type(given).__name__
        message = f"vary[{key!r}] = {kind}: needs (from, to, number), a list of values, or text such as 'log:0.1:10:5'"
        raise ProblemError(message, f"vary.{key}", kind)
    if not spec:
        raise ProblemError(f"vary[{key!r}]: needs at least one value", f"vary.{key}", repr(given), "wrong-size")
    return f"{key}={spec}"


def _end(key: str, value: Any) -> float:
    """A value of a parameter."""
    try:
        found = number(value)
    except (TypeError, ValueError):
        found = math.nan
    if not math.isfinite(found):
        need = "needs names of laws" if key == "law" else "needs finite numbers"
        raise ProblemError(f"vary[{key!r}] = {value!r}: {need}", f"vary.{key}", repr(value))
    return found


def _files(key: str, patterns: list[str]) -> list[str]:
    files: list[str] = []
    for pattern in patterns:
        found = sorted(glob.glob(pattern))
        if not found:
            raise ProblemError(f"vary[{key!r}]: there is no file {pattern}", f"vary.{key}", repr(pattern))
        files += found
    return files


def _compute(study: _Study, first: int, last: int) -> list[tuple[str, list[Cell]]]:
    """The work of one task, on one thread of a worker."""
    return study.native().rows(first, last, 1)


def sweep(
    source: str | os.PathLike[str] | Mapping[str, object] | Problem,
    vary: Mapping[str, object],
    measures: Sequence[str] | str,
    law: LawLike | Sequence[LawLike] | None = None,
    engine: object = None,
    out: str | os.PathLike[str] | None = None,
    *,
    samples: int | None = None,
    sobol: bool = False,
    seed: int = 0,
    iterations: int | None = None,
    threads: int | None = None,
    chunk: int | None = None,
    force: bool = False,
) -> Sweep:
    """Computes an impact or a motion over any number of parameters, a row for each case.

    ``vary`` gives each parameter its values: ``(from, to, number)``, a list, or text as on the command line
    (``"log:0.1:10:5"``, ``"normal:0.5:0.05"`` with ``samples``). The parameter ``law`` takes names of laws, and
    ``ground.NAME.motion.record.file`` names of files, also as ``"records/*.AT2"``. Parameters and measures are those of
    ``delassus sweep --help``; cases that fail are rows whose status tells why.

    ``engine``: a ``dask.distributed.Client``, or ``"ray"``; by default the threads of this process. Chunks of the same
    study go to its workers, come back in order, and give the same bytes; what is lost with a worker is computed again.
    ``chunk``: cases in each, by default as many as take a quarter of a second of processor time, in at least 64 chunks.
    ``out``: where to write the rows: a file ``.csv`` or ``.parquet``, or a folder (a name without a suffix) for a Parquet
    data set with a file for each chunk; see :meth:`Sweep.save`. Until the sweep is finished ``NAME.unfinished.csv`` beside it
    holds the rows that are there, in the order in which they came. The same call goes on from there, here or on an engine:
    Ctrl-C or a crash lose the cases under way only, and the bytes are the same in the end. Rows of another sweep in that
    file are an error; ``force`` discards them.

    >>> import delassus
    >>> found = delassus.sweep(delassus.Problem.kane(), {"contact.C.friction": (0, 1, 3), "law": ["newton", "poisson"]},
    ...                        ["energy", "verdict"])
    >>> found.columns
    ('case', 'contact.C.friction', 'law', 'energy', 'verdict', 'status', 'certificate')
    >>> len(found), found.rows[5][1:3], found.rows[5][5]
    (6, [1.0, 'poisson'], 'solved')
    """
    given = _source.read(source)
    listed: list[Any] = [] if law is None else list(law) if isinstance(law, (list, tuple)) else [law]
    if not isinstance(vary, Mapping):
        kind = type(vary).__name__
        raise ProblemError(f"vary = {kind}: needs a table, {{path of a parameter: values}}", "vary", kind)
    measures = (measures,) if isinstance(measures, str) else tuple(measures)
    for one in measures:
        if not isinstance(one, str):
            raise ProblemError(f"measures = {one!r}: needs names of measures", "measures", repr(one))
    study = _Study(
        text=given.text,
        file=given.file,
        folder=os.path.abspath(given.folder),
        here=os.getcwd(),
        laws=tuple(as_law(one) for one in listed),
        by_name=all(isinstance(one, str) for one in listed),
        vary=tuple(_values(str(key), values) for key, values in vary.items()),
        measures=measures,
        samples=whole(samples, "samples"),
        sobol=sobol,
        seed=natural(seed, "seed"),
        iterations=whole(iterations, "iterations"),
    )
    if out is not None:
        _rows.check(out)
    native = study.native()
    size = whole(chunk, "chunk")
    kept = None if out is None else _rows.Kept(out, f"{native.identity} {_build()}", native.head, force)
    known = {} if kept is None else kept.lines
    rows = {case: (known[case], entries) for case, entries in zip(known, native.entries(list(known.values())), strict=True) if entries}
    resumed = len(rows)

    def done(piece: list[tuple[str, list[Cell]]]) -> None:
        if kept is not None:
            kept.add([line for line, _ in piece])

    if engine is None:
        chunks = [(0, native.cases)] if size is None else _ranges(native, size)
        here = native.rows(0, native.cases, whole(threads, "threads"), list(rows), None if kept is None else kept.add)
        pieces = [here]
    else:
        chunks = _ranges(native, size)
        pieces = _engine.compute(engine, _compute, study, _missing(chunks, rows), done)
    rows.update((int(row[0]), (line, row)) for piece in pieces for line, row in piece)
    ordered = [rows[case] for case in range(native.cases)]
    found = Sweep(
        columns=tuple(native.columns),
        keys=tuple(vary),
        measures=measures,
        rows=[row for _, row in ordered],
        csv=native.head + "".join(line for line, _ in ordered),
        chunks=chunks,
        _study=study,
        resumed=resumed,
    )
    if out is not None and kept is not None:
        found.save(out)
        kept.drop()
    return found


def _build() -> str:
    """Stands for the compiled part: rows are kept for this very one."""
    found = os.stat(_native.__file__)
    return f"{found.st_size:x}-{found.st_mtime_ns:x}"


def _missing(chunks: list[tuple[int, int]], known: Container[int]) -> list[tuple[int, int]]:
    """Of the chunks those runs of cases that are not known."""
    found = []
    for first, last in chunks:
        begin = first
        for case in range(first, last + 1):
            if case == last or case in known:
                if begin < case:
                    found.append((begin, case))
                begin = case + 1
    return found


def _ranges(native: _native.Sweep, chunk: int | None) -> list[tuple[int, int]]:
    """The cases in chunks: as many as given, or as take a quarter of a second by the time of the first few."""
    if chunk is None:
        # Processor time: on a machine that others use the clock would make far too small chunks of it.
        start, tried = time.process_time(), 0
        while tried < min(native.cases, 8) and time.process_time() - start < 0.1 * _TASK_SECONDS:
            native.rows(tried, tried + 1, 1)
            tried += 1
        chunk = max(1, int(_TASK_SECONDS * tried / max(time.process_time() - start, 1e-6)))
        # Some tasks for each of a few dozen workers, unless they would take no time beside what a task costs.
        chunk = max(min(chunk, math.ceil(native.cases / 64)), chunk // 5, 1)
    return [(first, min(first + chunk, native.cases)) for first in range(0, native.cases, chunk)]
