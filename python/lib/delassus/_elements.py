"""Contacts, clutches and joints: what an impact problem is made of."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, TypeAlias

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
    return _own(vector(value, name))


def _own(found: Array) -> Array:
    """A copy: callers fill one buffer with the directions of one contact after the other."""
    return found.copy()


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
        return [_own(found)]
    if found.ndim == 2:
        return list(_own(found))
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


def _offset(value: Any, name: str) -> Array | None:
    return None if value is None else _own(np.atleast_1d(array(value, name)))


def _one_or_several(value: Any, name: str) -> Direction | list[Direction] | None:
    found = _directions(value, name)
    if not found:
        return None
    return found[0] if len(found) == 1 else found


def _listed(value: Any) -> list[Any]:
    """One direction or several, as a list."""
    if value is None:
        return []
    return value if isinstance(value, list) else [value]


def _name(value: Any, name: str) -> str:
    return str(value)


def _same(ours: object, theirs: object) -> bool:
    if isinstance(ours, np.ndarray) or isinstance(theirs, np.ndarray):
        return np.array_equal(np.asarray(ours), np.asarray(theirs))
    if isinstance(ours, list) and isinstance(theirs, list):
        return len(ours) == len(theirs) and all(map(_same, ours, theirs))
    return ours == theirs


class _Element:
    """Elements are equal where all their numbers are. Whatever is assigned to a field is checked and copied."""

    _checks: ClassVar[dict[str, Callable[[Any, str], Any]]]

    def __setattr__(self, name: str, value: Any) -> None:
        check = self._checks.get(name)
        if check is None:
            message = f"{type(self).__name__} has no field {name!r}; there are {', '.join(self._checks)}"
            raise AttributeError(message)
        object.__setattr__(self, name, check(value, name))

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

    _checks = {
        "name": _name,
        "normal": _direction,
        "tangent": _one_or_several,
        "friction": _friction,
        "restitution": _number,
        "restitution_tangential": _number,
        "friction_static": _friction,
        "stiffness": _number,
        "offset": _offset,
    }

    @property
    def _tangents(self) -> list[Any]:
        return _listed(self.tangent)


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

    _checks = {"name": _name, "direction": _direction, "restitution": _number, "offset": _number}


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

    _checks = {"name": _name, "direction": _one_or_several, "restitution": _number, "offset": _offset}

    @property
    def _directions(self) -> list[Any]:
        return _listed(self.direction)
