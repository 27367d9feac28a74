"""Arrays and plain values of users, checked; errors name the argument, its shape and what is allowed."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from delassus._errors import ProblemError

Array: TypeAlias = npt.NDArray[np.float64]

_REAL = "fiu"


def array(value: npt.ArrayLike, name: str) -> Array:
    """The value as an aligned array of float64 in C order; without a copy where it is one already."""
    if type(value) is np.ndarray and value.dtype == np.float64 and value.flags.c_contiguous and value.flags.aligned:
        return value
    hidden = getattr(value, "mask", None)
    if isinstance(hidden, (np.ndarray, np.bool_)) and hidden.any():
        raise ProblemError(f"{name} = masked array: needs a number in every place", name, "masked", "missing")
    try:
        given = np.asarray(value)
    except ValueError as error:
        raise ProblemError(f"{name}: {error}", name) from None
    if given.dtype == object and not given.ndim:
        # A set, a generator, a sparse matrix: numpy makes one thing of it.
        kind = type(value).__name__
        raise ProblemError(f"{name} = {kind}: needs an array of real numbers", name, kind)
    if given.dtype.kind not in _REAL:
        message = f"{name} = array of dtype {given.dtype} and shape {given.shape}: needs real numbers"
        raise ProblemError(message, name, str(given.dtype))
    return np.require(given, np.float64, ["C", "A"]) if given.ndim else given.astype(np.float64)


def mass_matrix(value: npt.ArrayLike, name: str) -> Array:
    """A mass matrix, or several; one of single precision is as symmetric as that precision allows, and is made so."""
    found = array(value, name)
    if found is value:
        return found
    kind = getattr(value, "dtype", None)
    if kind in (np.float32, np.float16) and found.ndim > 1 and found.shape[-1] == found.shape[-2] and found.size:
        even = 0.5 * (found + found.swapaxes(-1, -2))
        if np.abs(found - even).max() <= 16 * np.finfo(kind).eps * np.abs(found).max():
            return np.ascontiguousarray(even)
    return found


def same_labels(named: Mapping[str, object]) -> None:
    """Tables and series of pandas are read by place, so their rows must have the same labels in the same order.

    Rows that only have their numbers go with any labels, unless these are the same numbers in another order.
    """
    first: tuple[str, Any] | None = None
    for name, value in named.items():
        labels = getattr(value, "index", None) if hasattr(value, "iloc") else None
        if labels is None:
            continue
        if first is None:
            first = name, labels
            continue
        other, known = first
        if len(labels) != len(known) or labels.equals(known):
            continue
        numbered = [one for one in (labels, known) if np.array_equal(one, np.arange(len(one)))]
        if not numbered or set(labels) == set(known):
            message = f"{name}: its rows have other labels (or in another order) than those of {other}; rows are read by place"
            raise ProblemError(f"{message}: sort them alike, or give .to_numpy()", name, "index")
        if known is numbered[0]:
            first = name, labels


def wrong_shape(name: str, value: Array, allowed: str) -> ProblemError:
    """The error for an array whose shape does not fit."""
    return ProblemError(f"{name} = array of shape {value.shape}: needs shape {allowed}", name, str(value.shape), "wrong-size")


def coefficients(value: npt.ArrayLike, name: str, contacts: int) -> Array:
    """One coefficient for each contact, from an array or from one number for all."""
    if type(value) is float:
        return np.array([value] * contacts)
    found = array(value, name)
    if found.shape not in ((), (contacts,)):
        raise wrong_shape(name, found, f"() or ({contacts},), one for each contact")
    return found if found.ndim else np.full(contacts, found)


def whole(value: int | None, name: str) -> int | None:
    """A whole number of at least 1, or none."""
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or not 1 <= value < 2**63:
        raise ProblemError(f"{name} = {value!r}: must be a whole number of at least 1", name, repr(value), "out-of-range")
    return int(value)


def real(value: float, name: str) -> float:
    """A number; its range is checked where it is used."""
    if isinstance(value, bool) or not isinstance(value, (int, float, np.integer, np.floating)):
        raise ProblemError(f"{name} = {value!r}: must be a number", name, repr(value))
    return float(value)


def seconds(value: float | None) -> float | None:
    """A time limit, or none."""
    return None if value is None else real(value, "time_limit")


def natural(value: int, name: str) -> int:
    """A whole number of at least 0."""
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or not 0 <= value < 2**64:
        raise ProblemError(f"{name} = {value!r}: must be a whole number of at least 0", name, repr(value), "out-of-range")
    return int(value)


def vector(value: npt.ArrayLike, name: str) -> Array:
    """The value as an array with one axis."""
    found = array(value, name)
    if found.ndim != 1:
        raise wrong_shape(name, found, "(n,)")
    return found


def plain(value: object, path: str = "") -> Any:
    """The value as JSON can hold it: arrays become lists, paths text. NaN and infinities are errors."""
    if value is None or isinstance(value, (bool, str, int)):
        return value
    if isinstance(value, float):
        if not np.isfinite(value):
            raise ProblemError(f"{path} = {value}: must be a finite number", path, str(value), "not-finite")
        return float(value)
    if isinstance(value, (np.generic, np.ndarray)):
        return plain(value.tolist(), path)
    if isinstance(value, Mapping):
        dot = "." if path else ""
        return {str(key): plain(entry, f"{path}{dot}{key}") for key, entry in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(entry, f"{path}[{i}]") for i, entry in enumerate(value)]
    kind = type(value).__name__
    raise ProblemError(f"{path} = {kind}: needs numbers, text, lists or tables", path, kind)


def json_text(value: object, path: str = "") -> str:
    """The value as JSON."""
    return json.dumps(plain(value, path), allow_nan=False)
