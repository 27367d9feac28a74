"""How contacts couple."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import numpy as np

from delassus import _html, _native
from delassus._arrays import Array
from delassus._errors import ProblemError
from delassus._problem import Problem


@dataclass(frozen=True, eq=False)
class Angles:
    """The kinetic metric of a problem with c contacts: scalar products are those of the mass matrix M."""

    contacts: tuple[str, ...]
    """Names of the contacts."""
    angles: Array
    """Kinetic angles θ_ij = π − arccos(n_iᵀMn_j) (c, c) [rad]."""
    gram: Array
    """n_iᵀMn_j (c, c)."""
    normals: Array
    """Unit normals n_i (c, n)."""
    tangential_basis: Array
    """Directions along which no contact opens or closes, orthonormal in M (n − c, n)."""
    velocity_normal: Array
    """nᵀMu⁻ (c,)."""
    velocity_tangential: Array
    """tᵀMu⁻ (n − c,)."""
    record: dict[str, Any]
    """What ``delassus angles --json`` prints."""

    def to_dict(self) -> dict[str, Any]:
        """What ``delassus angles --json`` prints."""
        copied: dict[str, Any] = json.loads(json.dumps(self.record))
        return copied

    def _repr_html_(self) -> str:
        rows: list[dict[str, object]] = [
            {"": name, **{other: float(np.degrees(angle)) for other, angle in zip(self.contacts, line, strict=True)}}
            for name, line in zip(self.contacts, self.angles, strict=True)
        ]
        return _html.table(rows, "Kinetic angles [°]")


def angles(problem: Problem) -> Angles:
    """Kinetic angles between the contacts of a problem.

    At π/2 an impulse at one contact leaves the velocity of the other alone, below it makes the other approach, above
    separate.

    >>> import numpy as np, delassus
    >>> chain = delassus.Problem([1.0, 1.0, 1.0], [1.0, 0.0, 0.0],
    ...                          [delassus.Contact("A", [-1, 1, 0]), delassus.Contact("B", [0, -1, 1])])
    >>> round(np.degrees(delassus.angles(chain).angles[0, 1]), 6)
    np.float64(60.0)
    """
    if not isinstance(problem, Problem):
        kind = type(problem).__name__
        raise ProblemError(f"problem = {kind}: needs a delassus.Problem", "problem", kind)
    record = json.loads(_native.angles(problem._native))
    n = len(problem.velocity)

    def array(key: str) -> Array:
        return np.array(record[key], dtype=np.float64)

    return Angles(
        contacts=tuple(record["contacts"]),
        angles=array("angles"),
        gram=array("gram"),
        normals=array("normals"),
        tangential_basis=array("tangential_basis").reshape(-1, n),
        velocity_normal=array("velocity_normal"),
        velocity_tangential=array("velocity_tangential"),
        record=record,
    )
