"""Contacts, clutches and joints: what an impact problem is made of."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeAlias, TypeVar, overload

import numpy as np
import numpy.typing as npt

from delassus._arrays import Array, array, vector, wrong_shape
from delassus._errors import ProblemError
from delassus._places import finite

DirectionLike: TypeAlias = npt.ArrayLike | Mapping[int, float]
"""A direction w: all entries, or a dictionary of those that are not zero."""

Direction: TypeAlias = npt.NDArray[np.float64] | dict[int, float]
"""A direction as an element keeps it."""

FrictionLike: TypeAlias = float | Sequence[float] | npt.NDArray[np.floating[Any]]
"""Coulomb's μ, or one along each of two tangents."""

_Read = TypeVar("_Read")
_Given = TypeVar("_Given")


def _direction(value: Any, name: str) -> Direction:
    if isinstance(value, Mapping):
        entries: dict[int, float] = {}
        for index, entry in value.items():
            if isinstance(index, bool) or not isinstance(index, (int, np.integer)) or not 0 <= index < 2**31:
                message = f"{name} = entry {index!r}: an index must be a whole number, 0 or more"
                raise ProblemError(message, name, repr(index))
            entries[int(index)] = _number(entry, f"{name}[{index}]")
        return entries
    return _own(finite(vector(value, name), name))


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
    found = finite(array(value, name), name)
    if found.ndim == 1:
        return [_own(found)]
    if found.ndim == 2:
        return list(_own(found))
    raise wrong_shape(name, found, "(n,) or (k, n)")


def _friction(value: Any, name: str) -> float | tuple[float, float] | None:
    if value is None:
        return None
    found = finite(array(value, name), name)
    if found.ndim == 0:
        return float(found)
    if found.shape == (2,):
        return float(found[0]), float(found[1])
    raise wrong_shape(name, found, "() or (2,), one coefficient along each tangent")


def _number(value: Any, name: str) -> float:
    found = array(value, name)
    if found.ndim:
        raise wrong_shape(name, found, "(), a number")
    return float(finite(found, name))


def _offset(value: Any, name: str) -> Array | None:
    return None if value is None else _own(np.atleast_1d(finite(array(value, name), name)))


def _dense(kept: Sequence[Direction], size: int | None) -> list[Array]:
    """Directions with all their entries; without a size they end with the last entry that any of them has."""
    ends = [max(one, default=-1) + 1 if isinstance(one, dict) else len(one) for one in kept]
    size = max(ends, default=0) if size is None else size
    found = []
    for one in kept:
        if isinstance(one, dict):
            full = np.zeros(max(size, max(one, default=-1) + 1))
            full[list(one)] = list(one.values())
            one = full
        found.append(one)
    return found


def _read_direction(kept: list[Direction], size: int | None) -> Array:
    return _dense(kept, size)[0]


def _read_several(kept: list[Direction], size: int | None) -> Array:
    found = _dense(kept, size)
    return found[0] if len(found) == 1 else np.stack(found)


def _read_tangents(kept: list[Direction], size: int | None) -> Array | None:
    return _read_several(kept, size) if kept else None


def _one(value: Any, name: str) -> list[Direction]:
    return [_direction(value, name)]


def _some(value: Any, name: str) -> list[Direction]:
    found = _directions(value, name)
    if not found:
        raise ProblemError(f"{name} = None: needs a direction (n,) or several (k, n)", name, "None", "missing")
    return found


def _name(value: Any, name: str) -> str:
    return str(value)


def _same(ours: object, theirs: object) -> bool:
    if isinstance(ours, np.ndarray) or isinstance(theirs, np.ndarray):
        return np.array_equal(np.asarray(ours), np.asarray(theirs))
    if isinstance(ours, list) and isinstance(theirs, list):
        return len(ours) == len(theirs) and all(map(_same, ours, theirs))
    return ours == theirs


class _Field(Generic[_Read, _Given]):
    """A field of an element. Whatever is assigned to it is checked and copied; it is read as one type."""

    def __init__(
        self,
        check: Callable[[Any, str], Any],
        words: str,
        read: Callable[[Any, int | None], _Read] | None = None,
    ) -> None:
        self._check, self._read, self.__doc__ = check, read, words
        self._name = ""

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    @overload
    def __get__(self, element: None, owner: type) -> _Field[_Read, _Given]: ...
    @overload
    def __get__(self, element: object, owner: type) -> _Read: ...
    def __get__(self, element: Any, owner: type) -> Any:
        if element is None:
            return self
        kept = element.__dict__[self._name]
        return kept if self._read is None else self._read(kept, element.__dict__.get("_size"))

    def __set__(self, element: Any, value: _Given) -> None:
        element.__dict__[self._name] = self._check(value, self._name)


class _Element:
    """Elements are equal where all their numbers are."""

    def __setattr__(self, name: str, value: Any) -> None:
        if not isinstance(vars(type(self)).get(name), _Field):
            fields = [key for key, one in vars(type(self)).items() if isinstance(one, _Field)]
            raise AttributeError(f"{type(self).__name__} has no field {name!r}; there are {', '.join(fields)}")
        object.__setattr__(self, name, value)

    def _kept(self) -> Iterator[tuple[str, Direction]]:
        """Its directions as they were given, with their places."""
        for key in ("normal", "tangent", "direction"):
            kept = self.__dict__.get(key, [])
            yield from ((key if len(kept) == 1 else f"{key}[{k}]", one) for k, one in enumerate(kept))

    def _sized(self, size: int) -> None:
        """Directions that were given as a dictionary are read with so many entries."""
        self.__dict__["_size"] = size

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and all(
            _same(value, other.__dict__[key]) for key, value in self.__dict__.items() if key != "_size"
        )

    __hash__ = None  # type: ignore[assignment]


@dataclass(eq=False, init=False)
class Contact(_Element):
    r"""A contact: unilateral along its normal, with Coulomb friction along its tangents.

    .. code-block:: text

        γ_N = normal · u + χ_N          γ_N⁺ ≥ 0,  Λ_N ≥ 0         γ_N < 0 approaches
        γ_T = tangent · u + χ_T         |Λ_T| ≤ μ Λ_N

    Directions are given as arrays or as dictionaries of the entries that are not zero, and read as arrays: those of a
    dictionary end with its last entry, and have all n entries in the contacts of a problem.

    >>> import delassus
    >>> contact = delassus.Contact("C", [0.684, 1.0], tangent={1: 1.0}, friction=0.5, restitution=0.5)
    >>> contact.friction, contact.normal, contact.tangent
    (0.5, array([0.684, 1.   ]), array([0., 1.]))
    """

    name: _Field[str, str] = _Field(_name, "Name, unique in the problem.")
    normal: _Field[Array, DirectionLike] = _Field(_one, "Normal direction (n,), an array.", _read_direction)
    tangent: _Field[Array | None, DirectionLike | Sequence[DirectionLike] | None] = _Field(
        _directions, "One tangent (n,) or two (2, n) that are orthonormal in space; None without friction.", _read_tangents
    )
    friction: _Field[float | tuple[float, float] | None, FrictionLike | None] = _Field(
        _friction,
        "Coulomb's μ, a number without unit, or one along each of two tangents; needed by every law but ``kinematic`` where there is a tangent.",
    )
    restitution: _Field[float, float] = _Field(_number, "Restitution ε ≥ 0, a number without unit.")
    restitution_tangential: _Field[float, float] = _Field(_number, "Tangential restitution in [0, 1], a number without unit.")
    friction_static: _Field[float | tuple[float, float] | None, FrictionLike | None] = _Field(
        _friction, "Static friction, without unit, for laws that know it; at least the kinetic one."
    )
    stiffness: _Field[float, float] = _Field(_number, "Stiffness, for laws that know it; only ratios matter, so it has no unit.")
    offset: _Field[Array | None, npt.ArrayLike | None] = _Field(
        _offset, "Velocity χ of a moving support along normal and tangents, (1,), (2,) or (3,) [m/s]; None for none."
    )

    def __init__(
        self,
        name: str,
        normal: DirectionLike,
        tangent: DirectionLike | Sequence[DirectionLike] | None = None,
        friction: FrictionLike | None = None,
        restitution: float = 0.0,
        restitution_tangential: float = 0.0,
        friction_static: FrictionLike | None = None,
        stiffness: float = 1.0,
        offset: npt.ArrayLike | None = None,
    ) -> None:
        self.name = name
        self.normal = normal
        self.tangent = tangent
        self.friction = friction
        self.restitution = restitution
        self.restitution_tangential = restitution_tangential
        self.friction_static = friction_static
        self.stiffness = stiffness
        self.offset = offset

    # As they were given, for the compiled part.
    @property
    def _normal(self) -> Any:
        return self.__dict__["normal"][0]

    @property
    def _tangents(self) -> list[Any]:
        kept: list[Any] = self.__dict__["tangent"]
        return kept


@dataclass(eq=False, init=False)
class Clutch(_Element):
    """A clutch (kinematic unilateral constraint): γ = direction · u + χ, where γ ≥ 0 is free and γ < 0 blocked.

    >>> import delassus
    >>> delassus.Clutch("K", [1, 0]).direction
    array([1., 0.])
    """

    name: _Field[str, str] = _Field(_name, "Name, unique in the problem.")
    direction: _Field[Array, DirectionLike] = _Field(_one, "Direction (n,), an array.", _read_direction)
    restitution: _Field[float, float] = _Field(_number, "Restitution, without unit: in (−1, 0] for Newton's law, at least 0 for Poisson's.")
    offset: _Field[float, float] = _Field(_number, "Velocity offset χ [m/s, or rad/s of a rotation].")

    def __init__(self, name: str, direction: DirectionLike, restitution: float = 0.0, offset: float = 0.0) -> None:
        self.name = name
        self.direction = direction
        self.restitution = restitution
        self.offset = offset

    @property
    def _direction(self) -> Any:
        return self.__dict__["direction"][0]


@dataclass(eq=False, init=False)
class Joint(_Element):
    """A joint (bilateral constraint): γ⁺ = 0 in each of its directions.

    >>> import delassus
    >>> delassus.Joint("J", [{0: 1.0}, {1: 1.0, 2: -1.0}]).direction.shape
    (2, 3)
    """

    name: _Field[str, str] = _Field(_name, "Name, unique in the problem.")
    direction: _Field[Array, DirectionLike | Sequence[DirectionLike]] = _Field(
        _some, "One direction (n,) or several (k, n), an array.", _read_several
    )
    restitution: _Field[float, float] = _Field(_number, "Restitution, without unit; matters only if γ⁻ ≠ 0.")
    offset: _Field[Array | None, npt.ArrayLike | None] = _Field(
        _offset, "Velocity offset χ for each direction (k,) [m/s, or rad/s of a rotation]; None for none."
    )

    def __init__(
        self,
        name: str,
        direction: DirectionLike | Sequence[DirectionLike],
        restitution: float = 0.0,
        offset: npt.ArrayLike | None = None,
    ) -> None:
        self.name = name
        self.direction = direction
        self.restitution = restitution
        self.offset = offset

    @property
    def _directions(self) -> list[Any]:
        kept: list[Any] = self.__dict__["direction"]
        return kept
