"""What the program computes and a notebook wants: fits, scores, contact problems, animations.

The package brings the program along; these functions run it in a process of its own, with the data in files that vanish
afterwards, and read what it prints for machines.
"""

from __future__ import annotations

import html
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from delassus import _html, _source
from delassus._arrays import Array
from delassus._errors import ProblemError
from delassus._problem import Problem

if TYPE_CHECKING:
    import pandas as pd


def _program(*args: str) -> str:
    """What the program prints; bad input is an error."""
    done = subprocess.run([sys.executable, "-m", "delassus", *args], capture_output=True, text=True)
    if done.returncode not in (0, 1) or not done.stdout:
        message = done.stderr.strip().removeprefix("error: ")
        raise ProblemError(message or f"the program ended with status {done.returncode}", "", "")
    return done.stdout


def _table(data: Any, folder: str) -> str:
    """The path of a table: as given, or of a file made of its columns."""
    if isinstance(data, (str, os.PathLike)):
        return os.fspath(data)
    columns = {str(name): np.asarray(data[name], dtype=float) for name in data}
    lengths = {len(column) for column in columns.values()}
    if len(lengths) != 1:
        raise ProblemError(f"data: the columns have {sorted(lengths)} rows, all must have the same", "data", "")
    path = Path(folder, "data.csv")
    rows = zip(*columns.values(), strict=True)
    lines = [",".join("" if np.isnan(value) else repr(float(value)) for value in row) for row in rows]
    path.write_text("\n".join([",".join(columns), *lines]) + "\n")
    return str(path)


def _file(source: Any, folder: str) -> str:
    """The path of a problem or scenario: as given, or of a file made of it."""
    given = _source.read(source)
    if given.file:
        return given.file
    # Without a suffix the program tells JSON and TOML apart by the text.
    path = Path(folder, "source")
    path.write_text(given.text)
    return str(path)


def _free(free: Sequence[str] | Mapping[str, tuple[float, float] | None]) -> list[str]:
    if isinstance(free, Mapping):
        return [key if ends is None else f"{key}={ends[0]!r}:{ends[1]!r}" for key, ends in free.items()]
    return [free] if isinstance(free, str) else list(free)


@dataclass(frozen=True)
class Estimate:
    """A number that was found."""

    value: float
    interval: tuple[float, float]
    """The 95 % interval, from the profile of the sum of squares."""
    at_bound: bool
    """Whether it lies at an end of its range."""


@dataclass(frozen=True, eq=False)
class Fit:
    """Numbers of a problem or scenario found from measurements."""

    estimates: dict[str, Estimate]
    """By the path of the number."""
    rms: dict[str, float]
    """Root mean square of the residuals, by column."""
    measurements: int
    correlation: Array = field(repr=False)
    """Correlation of the estimates (n, n), in their order."""
    warnings: list[str]
    """Such as parameters that cannot be told apart."""

    def _repr_html_(self) -> str:
        rows: list[dict[str, object]] = [
            {"number": key, "value": e.value, "from": e.interval[0], "to": e.interval[1]} for key, e in self.estimates.items()
        ]
        return _html.table(rows, f"Fit to {self.measurements} measurements; 95 % intervals")


def fit(
    data: str | os.PathLike[str] | Mapping[str, Sequence[float]] | pd.DataFrame,
    source: str | os.PathLike[str] | Mapping[str, object] | Problem,
    free: Sequence[str] | Mapping[str, tuple[float, float] | None],
    law: str | None = None,
    *,
    looks: int | None = None,
    seed: int = 0,
) -> Fit:
    """Finds numbers of a problem or scenario from measurements.

    ``data``: a CSV file, a mapping of columns or a table. With a scenario a column ``time`` and columns named as in
    ``trajectory.csv`` (``block.theta``); with a problem one row an impact, columns with paths of numbers
    (``velocity[0]``) and columns ``measured.NAME`` with what was measured. ``free``: paths of the numbers to find, with
    their ranges where these are not usual. See ``delassus fit --help``.

    >>> import delassus, numpy as np
    >>> speeds = np.linspace(0.5, 2.0, 8)
    >>> drop = delassus.Problem(mass=[1.0], velocity=[-1.0], contacts=[delassus.Contact("C", [1.0], restitution=0.1)])
    >>> found = delassus.fit({"velocity[0]": -speeds, "measured.velocity[0]": 0.7 * speeds}, drop,
    ...                      ["contact.C.restitution"], law="newton")
    >>> round(found.estimates["contact.C.restitution"].value, 6)
    0.7
    """
    with tempfile.TemporaryDirectory() as folder:
        args = ["fit", _table(data, folder), _file(source, folder), "--json", "--seed", str(seed)]
        for one in _free(free):
            args += ["--free", one]
        args += ["--law", law] if law is not None else []
        args += ["--looks", str(looks)] if looks is not None else []
        found = json.loads(_program(*args))
    return Fit(
        estimates={
            e["key"]: Estimate(e["value"], (e["interval"][0], e["interval"][1]), e["at_bound"]) for e in found["estimates"]
        },
        rms=found["rms"],
        measurements=found["measurements"],
        correlation=np.array(found["correlation"], dtype=float),
        warnings=found["warnings"],
    )


@dataclass(frozen=True, eq=False)
class Score:
    """How well a law predicts measured impacts that it was not fitted to."""

    name: str
    """The law; the first is the bound that none can beat, the best impulse at the given contacts."""
    reason: str | None
    """Why it could not be scored, else None."""
    median: float | None
    """Median of ‖u⁺ − measured‖_M / ‖u⁻‖_M."""
    interval: tuple[float, float] | None
    """Its 95 % interval, by bootstrap."""
    quartiles: tuple[float, float] | None
    values: dict[str, float]
    """Coefficients found from all impacts."""
    errors: Array = field(repr=False)
    """The error of each impact; NaN without an answer."""


def score(
    data: str | os.PathLike[str] | Sequence[Mapping[str, object]] | Mapping[str, Sequence[float]] | pd.DataFrame,
    law: str | Sequence[str] | None = None,
    *,
    folds: int = 5,
    free: Sequence[str] | Mapping[str, tuple[float, float] | None] = (),
    seed: int = 0,
) -> list[Score]:
    """Holds laws against measured impacts: coefficients found from a part of the data, errors on the rest.

    ``data``: a CSV or JSON file, columns (``mass[0]``, ``velocity[0]``, ``after[0]``, ``contact.C.normal[0]``, …), or a
    list of problems as dictionaries with a velocity ``after``. See ``delassus score --help``.
    """
    with tempfile.TemporaryDirectory() as folder:
        if isinstance(data, (list, tuple)):
            path = Path(folder, "impacts.json")
            path.write_text(json.dumps([dict(one) for one in data]))
            file = str(path)
        else:
            file = _table(data, folder)
        args = ["score", file, "--json", "--folds", str(folds), "--seed", str(seed)]
        for one in _free(free):
            args += ["--free", one]
        laws = [law] if isinstance(law, str) else list(law or ())
        args += ["--law", ",".join(laws)] if laws else []
        found = json.loads(_program(*args))
    return [_score(one) for one in found["scores"]]


def _score(found: dict[str, Any]) -> Score:
    def pair(name: str) -> tuple[float, float] | None:
        return None if found.get(name) is None else (found[name][0], found[name][1])

    return Score(
        name=found["name"],
        reason=found.get("reason"),
        median=found.get("median"),
        interval=pair("median_interval"),
        quartiles=pair("quartiles"),
        values=found.get("values", {}),
        errors=np.array(found.get("errors", []), dtype=float),
    )


@dataclass(frozen=True, eq=False)
class ContactSolution:
    """The answer to a contact problem u = G r + q with Coulomb's law."""

    name: str
    status: str
    contacts: int
    method: str
    residual: float
    """The error that the field reports, relative; ``delassus contact --help`` states it."""
    iterations: int
    seconds: float
    impulse: Array = field(repr=False)
    """r, contact by contact, the normal first."""
    velocity: Array = field(repr=False)
    """u = G r + q."""


def solve_contact(
    problem: str | os.PathLike[str] | tuple[Any, Any, Any],
    *,
    method: str = "auto",
    tolerance: float = 1e-8,
    iterations: int | None = None,
    time_limit: float | None = None,
) -> ContactSolution:
    """Solves a contact problem with friction: a Siconos or FCLIB file, or (G, q, mu).

    G (dense, symmetric) and q have two or three rows for each contact, the normal first; mu has one number a contact.

    >>> import delassus
    >>> found = delassus.solve_contact(([[1.0, 0.2], [0.2, 1.0]], [-1.0, 0.4], [0.5]))
    >>> found.status, found.impulse.round(6).tolist()
    ('solved', [1.111111, -0.555556])
    """
    with tempfile.TemporaryDirectory() as folder:
        file = _dat(problem, folder) if isinstance(problem, tuple) else os.fspath(problem)
        args = ["contact", file, "--json", "--impulses", "--method", method, "--tolerance", repr(tolerance)]
        args += ["--iterations", str(iterations)] if iterations is not None else []
        args += ["--time-limit", repr(time_limit)] if time_limit is not None else []
        found = json.loads(_program(*args))
    impulse, velocity = (np.array(found.pop(key) or [], dtype=float) for key in ("impulse", "velocity"))
    keys = ("name", "status", "contacts", "method", "residual", "iterations", "seconds")
    return ContactSolution(**{key: found[key] for key in keys}, impulse=impulse, velocity=velocity)


def _dat(problem: tuple[Any, Any, Any], folder: str) -> str:
    """(G, q, mu) as a file of Siconos: sizes, G column by column, q, mu."""
    g, q, mu = (np.atleast_1d(np.asarray(one, dtype=float)) for one in problem)
    count = len(mu)
    dimension = len(q) // max(count, 1)
    if q.ndim != 1 or mu.ndim != 1 or count == 0 or len(q) != dimension * count or dimension not in (2, 3):
        message = f"problem: q has {len(q)} entries and mu {count}; needs two or three rows of q for each contact"
        raise ProblemError(message, "problem", f"({len(q)}, {count})")
    if g.shape != (len(q), len(q)):
        raise ProblemError(f"problem: G has the shape {g.shape}; needs ({len(q)}, {len(q)})", "problem", str(g.shape))
    for name, one in (("G", g), ("q", q), ("mu", mu)):
        if not np.isfinite(one).all():
            raise ProblemError(f"problem: {name} has entries that are not finite", "problem", name)
    n = len(q)

    def words(values: Array) -> str:
        return " ".join(repr(float(value)) for value in values)

    columns = [words(g[:, k]) for k in range(n)]
    path = Path(folder, "problem.dat")
    path.write_text("\n".join([f"{dimension}", f"{count}", f"0 {n} {n}", f"{n} {n}", *columns, words(q), words(mu)]) + "\n")
    return str(path)


@dataclass(frozen=True, eq=False)
class Page:
    """A self-contained page, shown in notebooks."""

    html: str = field(repr=False)
    height: int = 720

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the page to a file."""
        Path(path).write_text(self.html, encoding="utf-8")

    def _repr_html_(self) -> str:
        frame = html.escape(self.html, quote=True)
        style = f"width:100%;height:{self.height}px;border:0"
        return f'<iframe srcdoc="{frame}" style="{style}" title="Animation of a motion"></iframe>'


def animation(
    source: str | os.PathLike[str] | Mapping[str, object] | Problem,
    law: str | Sequence[str] | None = None,
    *,
    height: int = 720,
) -> Page:
    """The motion of a scenario as a page that plays it: bodies, contacts, plots, impacts; several laws side by side.

    >>> import delassus
    >>> page = delassus.animation("[rocking_block]\\nwidth = 0.2\\nheight = 0.4\\nmass = 1.0\\nangle = 0.1\\n"
    ...                           "[material]\\nfriction = 0.5\\n[until]\\ntime = 0.2\\n", law="newton")
    >>> page.html.startswith("<!DOCTYPE html>")
    True
    """
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder, "page.html")
        args = ["run", _file(source, folder), "--out", str(out)]
        for one in [law] if isinstance(law, str) else list(law or ()):
            args += ["--law", one]
        done = subprocess.run([sys.executable, "-m", "delassus", *args], capture_output=True, text=True)
        if not out.exists():
            raise ProblemError(done.stderr.strip().removeprefix("error: "), "source", "")
        return Page(out.read_text(encoding="utf-8"), height)
