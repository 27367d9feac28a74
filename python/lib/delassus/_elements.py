"""Contacts, clutches and joints: what an impact problem is made of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from delassus._arrays import Array, array, vector, wrong_shape
from delassus._errors import ProblemError

DirectionLike: TypeAlias = npt.ArrayLike | Mapping[int, float]
"""A direction w: all entries, or a dictionary of those that are not zero."""

Direction: TypeAlias = npt.NDArray[np.float64] | dict[int, float]


def _direction(value: Any, name: str) -> Direction:
    if isinstance(value, Mapping):
        entries: dict[int, float] = {}
        for index, entry in value.items():
            if isinstance(index, bool) or not isinstance(index, (int, np.integer)) or not 0 <= index < 2**31:
                message = f"{name} = entry {index!r}: an index must be a whole number, 0 or more"
                raise ProblemError(message, name, repr(index))
            entries[int(index)] = _number(entry, f"{name}[{index}]")
        return entries
    return vector(value, name)


def _directions(value: Any, name: str) -> list[Direction]:
    """One direction or several."""
    if value is None:
        return []
    if isinstance(value, Mapping):
        return [_direction(value, name)]
    if isinstance(value, Sequence) and any(isinstance(entry, Mapping) for entry in value):
        return [_direction(entry, f"{name}[{i}]") for i, entry in enumerate(value)]
    found = array(value, name)
    if found.ndim == 1:
        return [found]
    if found.ndim == 2:
        return list(found)
    raise wrong_shape(name, found, "(n,) or (k, n)")


def _friction(value: Any, name: str) -> float | tuple[float, float] | None:
    if value is None:
        return None
    found = array(value, name)
    if found.ndim == 0:
        return float(found)
    if found.shape == (2,):
        return float(found[0]), float(found[1])
    raise wrong_shape(name, found, "() or (2,), one coefficient along each tangent")


def _number(value: Any, name: str) -> float:
    found = array(value, name)
    if found.ndim:
        raise wrong_shape(name, found, "(), a number")
    return float(found)


def _offset(value: Any) -> Array | None:
    return None if value is None else np.atleast_1d(array(value, "offset"))


def _same(ours: object, theirs: object) -> bool:
    if isinstance(ours, np.ndarray) or isinstance(theirs, np.ndarray):
        return np.array_equal(np.asarray(ours), np.asarray(theirs))
    if isinstance(ours, list) and isinstance(theirs, list):
        return len(ours) == len(theirs) and all(map(_same, ours, theirs))
    return ours == theirs


class _Element:
    """Elements are equal where all their numbers are."""

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and all(
            _same(value, other.__dict__[key]) for key, value in self.__dict__.items()
        )

    __hash__ = None  # type: ignore[assignment]


@dataclass(eq=False)
class Contact(_Element):
    r"""A contact: unilateral along its normal, with Coulomb friction along its tangents.

    .. code-block:: text

        γ_N = normal · u + χ_N          γ_N⁺ ≥ 0,  Λ_N ≥ 0         γ_N < 0 approaches
        γ_T = tangent · u + χ_T         |Λ_T| ≤ μ Λ_N

    >>> import delassus
    >>> delassus.Contact("C", [0.684, 1.0], tangent=[-1.8794, -1.7321], friction=0.5, restitution=0.5).friction
    0.5
    """

    name: str
    """Name, unique in the problem."""
    normal: DirectionLike
    """Normal direction (n,)."""
    tangent: DirectionLike | Sequence[DirectionLike] | None = None
    """No tangent (frictionless), one (n,), or two (2, n) that are orthonormal in space."""
    friction: float | Sequence[float] | None = None
    """Coulomb's μ, or one along each of two tangents; needed by every law but ``kinematic`` where there is a tangent."""
    restitution: float = 0.0
    """Restitution ε ≥ 0."""
    restitution_tangential: float = 0.0
    """Tangential restitution in [0, 1]."""
    friction_static: float | Sequence[float] | None = None
    """Static friction, for laws that know it; at least the kinetic one."""
    stiffness: float = 1.0
    """Stiffness, for laws that know it; only ratios matter."""
    offset: npt.ArrayLike | None = None
    """Velocity χ of a moving support along normal and tangents."""

    def __post_init__(self) -> None:
        self.name = str(self.name)
        self.normal = _direction(self.normal, "normal")
        self._tangents = _directions(self.tangent, "tangent")
        if len(self._tangents) == 1:
            self.tangent = self._tangents[0]
        elif self._tangents:
            self.tangent = self._tangents
        self.friction = _friction(self.friction, "friction")
        self.friction_static = _friction(self.friction_static, "friction_static")
        self.restitution = _number(self.restitution, "restitution")
        self.restitution_tangential = _number(self.restitution_tangential, "restitution_tangential")
        self.stiffness = _number(self.stiffness, "stiffness")
        self.offset = _offset(self.offset)


@dataclass(eq=False)
class Clutch(_Element):
    """A clutch (kinematic unilateral constraint): γ = direction · u + χ, where γ ≥ 0 is free and γ < 0 blocked."""

    name: str
    """Name, unique in the problem."""
    direction: DirectionLike
    """Direction (n,)."""
    restitution: float = 0.0
    """In (−1, 0] for Newton's law, at least 0 for Poisson's."""
    offset: float = 0.0
    """Velocity offset χ."""

    def __post_init__(self) -> None:
        self.name = str(self.name)
        self.direction = _direction(self.direction, "direction")
        self.restitution = _number(self.restitution, "restitution")
        self.offset = _number(self.offset, "offset")


@dataclass(eq=False)
class Joint(_Element):
    """A joint (bilateral constraint): γ⁺ = 0 in each of its directions."""

    name: str
    """Name, unique in the problem."""
    direction: DirectionLike | Sequence[DirectionLike]
    """One direction (n,) or several (k, n)."""
    restitution: float = 0.0
    """Matters only if γ⁻ ≠ 0."""
    offset: npt.ArrayLike | None = None
    """Velocity offset χ for each direction."""

    def __post_init__(self) -> None:
        self.name = str(self.name)
        self._directions = _directions(self.direction, "direction")
        self.direction = self._directions[0] if len(self._directions) == 1 else self._directions
        self.restitution = _number(self.restitution, "restitution")
        self.offset = _offset(self.offset)
