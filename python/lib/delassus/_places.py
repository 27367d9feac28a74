"""Errors of numbers, told in the arguments of a call: which, where in it, its shape, and what is needed."""

from __future__ import annotations

import re
from collections.abc import Mapping

import numpy as np

from delassus._arrays import Array
from delassus._errors import ProblemError

_PLACE = re.compile(r"\[(\d+)\]")
_ELEMENT = re.compile(r"contact\[(\d+)\]\.(\w+)((?:\[\d+\])*)")
_PLAIN = re.compile(r"(mass|velocity)((?:\[\d+\])+)")
_DIRECTION = re.compile(r"directions\[(\d+)\]")


def place(name: str, index: tuple[int, ...]) -> str:
    """An entry as numpy writes it: ``velocity[3, 0]``."""
    return f"{name}[{', '.join(map(str, index))}]" if index else name


def not_finite(name: str, value: Array, within: tuple[int, ...] = ()) -> ProblemError | None:
    """The error for the first entry that is no finite number, of those whose index begins with ``within``."""
    part = np.isfinite(value[within] if within else value)
    if part.all():
        return None
    index = (*within, *(int(k) for k in np.argwhere(~part)[0]))
    found = float(value[index])
    need = f"{name} has shape {value.shape}, finite numbers are needed" if value.ndim else "a finite number is needed"
    return ProblemError(f"{place(name, index)} = {found}; {need}", place(name, index), str(found), "not-finite")


def finite(value: Array, name: str) -> Array:
    """The array, if all its entries are finite numbers."""
    wrong = not_finite(name, value)
    if wrong is not None:
        raise wrong
    return value


class Arguments:
    """The arrays of one call of n coordinates, and which of them have an axis of rows in front."""

    def __init__(self, given: Mapping[str, Array], tangents: int, varying: frozenset[str] = frozenset()) -> None:
        self._given, self._tangents, self._varying = given, tangents, varying

    def error(self, wrong: ProblemError) -> ProblemError:
        """An error of the numbers that all rows share; other errors stay as they are."""
        for name, value in self._given.items():
            found = None if name in self._varying else not_finite(name, value)
            if found is not None:
                return found
        message = self._told(str(wrong), wrong.field, None)
        if message is None:
            return wrong
        return ProblemError(message, message.split(" = ")[0], wrong.value, wrong.kind)

    def reason(self, row: int, words: str) -> str:
        """The reason why a row is wrong."""
        for name in self._given:
            found = not_finite(name, self._given[name], (row,)) if name in self._varying else None
            if found is not None:
                return str(found)
        return self._told(words, words.split(" = ")[0], row) or words

    def _told(self, words: str, field: str, row: int | None) -> str | None:
        """The words with the place in an argument for the field of a problem; None where it is in none of them."""
        named = self._named(field)
        if named is None or not words.startswith(field) or named[0] not in self._given:
            return None
        name, index = named
        value = self._given[name]
        front = () if row is None or name not in self._varying else (row,)
        found = place(name, (*front, *index)[: value.ndim])
        return found + words[len(field) :] + (f" ({name} has shape {value.shape})" if value.ndim else "")

    def _named(self, field: str) -> tuple[str, tuple[int, ...]] | None:
        """The argument of a field of a problem, and the index in it."""
        plain = _PLAIN.fullmatch(field)
        if plain:
            return plain[1], tuple(map(int, _PLACE.findall(plain[2])))
        direction = _DIRECTION.fullmatch(field)
        if direction:
            contact, part = divmod(int(direction[1]), 1 + self._tangents)
            rest: tuple[int, ...] = () if part == 0 or self._tangents == 1 else (part - 1,)
            return self._index("normal" if part == 0 else "tangent", contact, rest)
        element = _ELEMENT.fullmatch(field)
        if element and element[2] in self._given:
            return self._index(element[2], int(element[1]), tuple(map(int, _PLACE.findall(element[3]))))
        return None

    def _index(self, name: str, contact: int, rest: tuple[int, ...]) -> tuple[str, tuple[int, ...]]:
        """Arrays of one contact need no axis of contacts."""
        axes = self._given[name].ndim - (name in self._varying)
        most = {"normal": 2, "tangent": 2 if self._tangents == 1 else 3}.get(name, 1)
        return name, (contact, *rest) if axes >= most else rest
