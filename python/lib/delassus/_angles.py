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
    """The kinetic metric of a problem with c contacts: scalar products are those of the mass matrix M.

    Attributes:
        contacts: Names of the c contacts.
        angles: Kinetic angles θ_ij = π − arccos(n_iᵀMn_j) (c, c) [rad].
        gram: n_iᵀMn_j of the unit normals (c, c), without unit.
        normals: Normals n_i of length 1 in M (c, n) [1/√kg for translations].
        tangential_basis: Directions along which no contact opens or closes, orthonormal in M (n − c, n) [1/√kg for
            translations].
        velocity_normal: Parts nᵀMu⁻ of the velocity along the normals (c,) [√J].
        velocity_tangential: Parts tᵀMu⁻ along the tangential basis (n − c,) [√J].
        record: What ``delassus angles --json`` prints.
    """

    contacts: tuple[str, ...]
    angles: Array
    gram: Array
    normals: Array
    tangential_basis: Array
    velocity_normal: Array
    velocity_tangential: Array
    record: dict[str, Any]

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
