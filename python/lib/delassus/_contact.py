"""Contact problems with friction, from one contact to hundreds of thousands."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from delassus import _html, _native
from delassus._arrays import Array, array, real, seconds, vector, whole, wrong_shape
from delassus._errors import ProblemError
from delassus._places import not_finite, place


@dataclass(frozen=True, eq=False)
class ContactSolution:
    """The answer to a contact problem u = G r + q with Coulomb's law.

    Attributes:
        name: The file; empty for arrays.
        status: ``solved``, ``max-iterations``, ``stalled`` or ``no-solution``.
        contacts: Number of contacts.
        method: The method that found it.
        residual: The error that the field reports, relative, without unit; ``delassus contact --help`` states it.
        iterations: How many steps it took.
        seconds: Time of the clock that it took [s].
        impulse: Impulses r (d c,), contact by contact, the normal first, d rows each [N s where u are velocities in
            m/s].
        velocity: Velocities u = G r + q (d c,), in the same order [m/s].
    """

    name: str
    status: str
    contacts: int
    method: str
    residual: float
    iterations: int
    seconds: float
    impulse: Array = field(repr=False)
    velocity: Array = field(repr=False)

    def _repr_html_(self) -> str:
        keys = ("status", "contacts", "method", "residual", "iterations", "seconds")
        return _html.table([{key: getattr(self, key) for key in keys}], self.name)


def solve_contact(
    problem: str | os.PathLike[str] | tuple[Any, Any, Any],
    *,
    method: str = "auto",
    tolerance: float = 1e-8,
    iterations: int | None = None,
    time_limit: float | None = None,
) -> ContactSolution:
    """Solves a contact problem with friction: a Siconos or FCLIB file, or (G, q, mu).

    .. code-block:: text

        u = G r + q        0 ≤ r_N ⟂ u_N ≥ 0        |r_T| ≤ μ r_N, against u_T where it slides

    G (symmetric, an array or a sparse matrix of scipy) and q have two or three rows for each contact, the normal first;
    mu has one number a contact. ``method``: ``auto``, ``gauss-seidel``, ``newton``, ``proximal`` or ``smoothing``.

    >>> import delassus
    >>> found = delassus.solve_contact(([[1.0, 0.2], [0.2, 1.0]], [-1.0, 0.4], [0.5]))
    >>> found.status, found.impulse.round(6).tolist()
    ('solved', [1.111111, -0.555556])
    """
    settings = method, real(tolerance, "tolerance"), whole(iterations, "iterations"), seconds(time_limit)
    if isinstance(problem, (str, os.PathLike)):
        name = os.fspath(problem)
        if not os.path.exists(name):
            raise FileNotFoundError(name)
        found = _told(lambda: _native.solve_contact_file(name, settings), {})
    elif isinstance(problem, tuple) and len(problem) == 3:
        name = ""
        entries = _entries(*problem)
        shapes = {"G": (len(entries[3]),) * 2, "mu": entries[4].shape}
        found = _told(lambda: _native.solve_contact_arrays(*entries, settings), shapes)
    else:
        kind = type(problem).__name__
        raise ProblemError(f"problem = {kind}: needs the path of a file or (G, q, mu)", "problem", kind)
    return ContactSolution(
        name=name,
        status=found.status,
        contacts=found.contacts,
        method=found.method,
        residual=found.residual,
        iterations=found.iterations,
        seconds=found.seconds,
        impulse=found.impulse,
        velocity=found.velocity,
    )


# How the solver calls what the arguments are.
_NAMES = {"matrix": "G", "friction": "mu", "solver.tolerance": "tolerance", "solver.time_limit": "time_limit"}


def _told(solve: Callable[[], _native.ContactAnswer], shapes: dict[str, tuple[int, ...]]) -> _native.ContactAnswer:
    """The answer; errors name arguments, and shapes where these are arrays."""
    try:
        return solve()
    except ProblemError as error:
        field, bracket, index = error.field.partition("[")
        name = _NAMES.get(field, "")
        if not name or (bracket and name not in shapes):
            raise
        where = place(name, tuple(int(k) for k in re.findall(r"\d+", bracket + index)))
        shape = f" ({name} has shape {shapes[name]})" if name in shapes else ""
        message = f"{where}{str(error).removeprefix(error.field)}{shape}"
        raise ProblemError(message, where, error.value, error.kind) from None


def _entries(g: Any, q: Any, mu: Any) -> tuple[Any, Any, Array, Array, Array]:
    """Rows, columns and values of G, then q and mu."""
    q, mu = vector(q, "q"), array(mu, "mu")
    mu = np.atleast_1d(mu)
    if mu.ndim != 1:
        raise wrong_shape("mu", mu, "(c,), one number for each contact")
    count, n = len(mu), len(q)
    if count == 0 or n not in (2 * count, 3 * count):
        message = (f"q = array of shape {q.shape}: needs shape ({2 * count},) or ({3 * count},), two or three rows for "
                   f"each of the {count} contacts of mu, which has shape {mu.shape}")
        raise ProblemError(message, "q", str(q.shape), "wrong-size")
    if hasattr(g, "tocoo"):
        sparse = g.tocoo()
        if sparse.dtype.kind not in "fiu":
            raise ProblemError(f"G = sparse matrix of dtype {sparse.dtype}: needs real numbers", "G", str(sparse.dtype))
        shape, rows, columns, values = sparse.shape, sparse.row, sparse.col, np.asarray(sparse.data, dtype=np.float64)
    else:
        full = array(g, "G")
        shape = full.shape
        rows, columns = np.nonzero(full if full.ndim == 2 else full.reshape(1, -1))
        values = full.reshape(-1)[rows * shape[-1] + columns] if full.ndim else full
    if tuple(shape) != (n, n):
        raise ProblemError(f"G = array of shape {tuple(shape)}: needs shape ({n}, {n}), as q has {n} rows", "G",
                           str(tuple(shape)), "wrong-size")
    bad = np.flatnonzero(~np.isfinite(values))
    if len(bad):
        where, value = place("G", (int(rows[bad[0]]), int(columns[bad[0]]))), float(values[bad[0]])
        message = f"{where} = {value}; G has shape ({n}, {n}), finite numbers are needed"
        raise ProblemError(message, where, str(value), "not-finite")
    for wrong in (not_finite("q", q), not_finite("mu", mu)):
        if wrong is not None:
            raise wrong
    other = abs(g - g.T).max() if hasattr(g, "tocoo") else np.abs(full - full.T).max()
    single = getattr(g, "dtype", None) == np.float32
    if len(values) and other > (1e-5 if single else 1e-8) * np.abs(values).max():
        message = f"G = array of shape ({n}, {n}): must be symmetric, and differs from its transpose by {other:.3g}"
        raise ProblemError(message, "G", f"{other:.3g}")
    places = (np.ascontiguousarray(one, dtype=np.int64) for one in (rows, columns))
    return *places, np.ascontiguousarray(values), q, mu
