"""Sweeps over any number of parameters, here or on an engine with many workers."""

from __future__ import annotations

import glob
import math
import os
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from delassus import _engine, _html, _native, _source
from delassus._arrays import whole
from delassus._errors import ProblemError
from delassus._law import LawLike, as_law
from delassus._map import number
from delassus._problem import Problem

if TYPE_CHECKING:
    import pandas as pd
    import xarray as xr

Cell = float | str
"""An entry of a row: a number, NaN for none, or a word."""

# Tasks shorter than this cost more to send than to compute.
_TASK_SECONDS = 0.25


@dataclass(frozen=True, eq=False)
class Sweep:
    """The cases of a sweep, a row each."""

    columns: tuple[str, ...]
    """``case``, the parameters, the measures, ``status``, ``certificate``."""
    keys: tuple[str, ...]
    """The parameters."""
    measures: tuple[str, ...]
    """The measures."""
    rows: list[list[Cell]] = field(repr=False)
    """A row for each case, in order; the last parameter runs fastest."""
    csv: str = field(repr=False)
    """The same as text, byte for byte what ``delassus sweep`` writes."""

    def __len__(self) -> int:
        return len(self.rows)

    def column(self, name: str) -> list[Cell]:
        """The entries of a column."""
        if name not in self.columns:
            raise ProblemError(f"column = {name!r}: there are {', '.join(self.columns)}", "column", repr(name))
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
        if math.prod(sizes) == len(self.rows):
            coords: dict[str, Any] = dict(zip(self.keys, values, strict=True))
            variables: dict[str, Any] = {
                name: (self.keys, np.array(self.column(name)).reshape(sizes)) for name in names
            }
            return xr.Dataset(variables, coords=coords)
        coords = {"case": [int(float(one)) for one in self.column("case")]}
        coords |= {key: ("case", self.column(key)) for key in self.keys}
        return xr.Dataset({name: ("case", self.column(name)) for name in names}, coords=coords)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes a file of its suffix, ``.csv`` or ``.parquet`` (needs pandas with pyarrow): whole or not at all."""
        path = Path(path)
        if path.suffix not in (".csv", ".parquet"):
            raise ProblemError(f"out = {str(path)!r}: needs a name that ends in .csv or .parquet", "out", str(path))
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        os.close(handle)
        try:
            if path.suffix == ".csv":
                Path(name).write_bytes(self.csv.encode())
            else:
                self.to_pandas().to_parquet(name)
            os.replace(name, path)
        except BaseException:
            os.unlink(name)
            raise

    def _repr_html_(self) -> str:
        shown: list[dict[str, object]] = [dict(zip(self.columns, row, strict=True)) for row in self.rows[:20]]
        more = f", the first {len(shown)} of {len(self.rows)} cases" if len(self.rows) > len(shown) else ""
        return _html.table(shown, f"{', '.join(self.measures)} over {', '.join(self.keys)}{more}")


def _values(key: str, given: object) -> str:
    """The values of a parameter as the command line has them."""
    if isinstance(given, str):
        spec = given
        if key.endswith(".file"):
            spec = ",".join(_files(key, [given]))
    elif isinstance(given, tuple) and len(given) == 3 and isinstance(given[2], int):
        spec = f"{number(given[0])!r}:{number(given[1])!r}:{given[2]}"
    elif isinstance(given, (Sequence, np.ndarray)):
        listed = list(given)
        words = [one for one in listed if isinstance(one, (str, os.PathLike))]
        if words and key.endswith(".file"):
            spec = ",".join(_files(key, [os.fspath(one) for one in words]))
        elif words and len(words) == len(listed):
            spec = ",".join(os.fspath(one) for one in words)
        else:
            spec = ",".join(repr(number(one)) for one in listed)
    else:
        kind = type(given).__name__
        message = f"vary[{key!r}] = {kind}: needs (from, to, number), a list of values, or text such as 'log:0.1:10:5'"
        raise ProblemError(message, f"vary.{key}", kind)
    if not spec:
        raise ProblemError(f"vary[{key!r}]: needs at least one value", f"vary.{key}", repr(given))
    return f"{key}={spec}"


def _files(key: str, patterns: list[str]) -> list[str]:
    files: list[str] = []
    for pattern in patterns:
        found = sorted(glob.glob(pattern))
        if not found:
            raise ProblemError(f"vary[{key!r}]: there is no file {pattern}", f"vary.{key}", repr(pattern))
        files += found
    return files


@dataclass(frozen=True)
class _Study:
    """All that a worker needs to compute rows: texts and numbers, so that any engine can ship it."""

    text: str
    file: str
    folder: str
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
            self.text, self.file, self.folder, [as_law(law)._native for law in self.laws], self.by_name,
            list(self.vary), list(self.measures), self.samples, self.sobol, self.seed, self.iterations,
        )


def _rows(study: _Study, first: int, last: int) -> list[tuple[str, list[Cell]]]:
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
) -> Sweep:
    """Computes an impact or a motion over any number of parameters, a row for each case.

    ``vary`` gives each parameter its values: ``(from, to, number)``, a list, or text as on the command line
    (``"log:0.1:10:5"``, ``"normal:0.5:0.05"`` with ``samples``). The parameter ``law`` takes names of laws, and
    ``ground.NAME.motion.record.file`` names of files, also as ``"records/*.AT2"``. Parameters and measures are those of
    ``delassus sweep --help``; cases that fail are rows whose status tells why.

    ``engine``: a ``dask.distributed.Client``, or ``"ray"``; by default the threads of this process. Chunks of the same
    study go to its workers, come back in order, and give the same bytes; what is lost with a worker is computed again.
    ``out``: a file for the rows, ``.csv`` or ``.parquet``.

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
    if isinstance(measures, str):
        measures = [measures]
    study = _Study(
        text=given.text,
        file=given.file,
        folder=os.path.abspath(given.folder),
        laws=tuple(as_law(one) for one in listed),
        by_name=all(isinstance(one, str) for one in listed),
        vary=tuple(_values(key, values) for key, values in vary.items()),
        measures=tuple(measures),
        samples=whole(samples, "samples"),
        sobol=sobol,
        seed=seed,
        iterations=whole(iterations, "iterations"),
    )
    if out is not None and Path(out).suffix not in (".csv", ".parquet"):
        raise ProblemError(f"out = {os.fspath(out)!r}: needs a name that ends in .csv or .parquet", "out", os.fspath(out))
    native = study.native()
    if engine is None:
        rows = native.rows(0, native.cases, whole(threads, "threads"))
    else:
        rows = _engine.compute(engine, _rows, study, _ranges(native, whole(chunk, "chunk")))
    found = Sweep(
        columns=tuple(native.columns),
        keys=tuple(vary),
        measures=tuple(measures),
        rows=[row for _, row in rows],
        csv=native.head + "".join(line for line, _ in rows),
    )
    if out is not None:
        found.save(out)
    return found


def _ranges(native: _native.Sweep, chunk: int | None) -> list[tuple[int, int]]:
    """The cases in chunks: as many as given, or as take a quarter of a second by the time of the first."""
    if chunk is None:
        start = time.perf_counter()
        native.rows(0, 1, 1)
        chunk = max(1, int(_TASK_SECONDS / max(time.perf_counter() - start, 1e-6)))
        # Some tasks for each of a few dozen workers, whatever they take.
        chunk = min(chunk, max(1, math.ceil(native.cases / 64)))
    return [(first, min(first + chunk, native.cases)) for first in range(0, native.cases, chunk)]
