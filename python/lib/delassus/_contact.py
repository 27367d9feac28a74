"""Contact problems with friction, from one contact to hundreds of thousands."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from delassus import _html, _native
from delassus._arrays import Array, array, real, seconds, vector, whole, wrong_shape
from delassus._errors import ProblemError


@dataclass(frozen=True, eq=False)
class ContactSolution:
    """The answer to a contact problem u = G r + q with Coulomb's law."""

    name: str
    """The file; empty for arrays."""
    status: str
    """``solved``, ``max-iterations``, ``stalled`` or ``no-solution``."""
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
    mu has one number a contact. ``method``: ``auto``, ``gauss-seidel``, ``newton`` or ``proximal``.

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
        found = _native.solve_contact_file(name, settings)
    elif isinstance(problem, tuple) and len(problem) == 3:
        name = ""
        found = _native.solve_contact_arrays(*_entries(*problem), settings)
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


def _entries(g: Any, q: Any, mu: Any) -> tuple[Any, Any, Array, Array, Array]:
    """Rows, columns and values of G, then q and mu."""
    q, mu = vector(q, "q"), vector(np.atleast_1d(mu), "mu")
    count, n = len(mu), len(q)
    if count == 0 or n not in (2 * count, 3 * count):
        message = f"q = array of shape {q.shape}: needs two or three rows for each of the {count} contacts of mu"
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
        raise wrong_shape("G", np.empty(shape), f"({n}, {n})")
    other = abs(g - g.T).max() if hasattr(g, "tocoo") else np.abs(full - full.T).max()
    single = getattr(g, "dtype", None) == np.float32
    if len(values) and other > (1e-5 if single else 1e-8) * np.abs(values).max():
        raise ProblemError(f"G = matrix that differs from its transpose by {other:.3g}: must be symmetric", "G", f"{other:.3g}")
    for name, one in (("G", values), ("q", q), ("mu", mu)):
        bad = np.flatnonzero(~np.isfinite(one))
        if len(bad):
            message = f"{name} = array with {one[bad[0]]}: all entries must be finite numbers"
            raise ProblemError(message, name, str(one[bad[0]]), "not-finite")
    places = (np.ascontiguousarray(one, dtype=np.int64) for one in (rows, columns))
    return *places, np.ascontiguousarray(values), q, mu
