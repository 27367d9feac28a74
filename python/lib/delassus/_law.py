"""Laws with their data."""

from __future__ import annotations

import copy
import difflib
from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from delassus import _native
from delassus._arrays import json_text, plain
from delassus._errors import ProblemError


class Law:
    """An impact law with its data, as the ``[law]`` table of problem files holds it.

    Keys and ranges are those of the files, and a law or key that the reader
    of files learns is known here as well.

    >>> import delassus
    >>> delassus.Law("lzb", exponent=1.5)
    Law('lzb', exponent=1.5)
    >>> delassus.Law("lzb", exponnent=1.5)
    Traceback (most recent call last):
        ...
    delassus._errors.ProblemError: law.exponnent: unknown key 'exponnent'; did you mean 'exponent'?
    """

    __slots__ = ("_native", "_table")

    def __init__(self, name: str, **data: object) -> None:
        table: dict[str, Any] = {"name": name, **plain(data, "law")}
        self._native = _native.Law(json_text(table, "law"))
        self._table = table

    @property
    def name(self) -> str:
        """The law's name."""
        return self._native.name

    @property
    def data(self) -> dict[str, Any]:
        """Its data, beside the name; what is not given has its default value. A copy: laws do not change."""
        return {key: value for key, value in self.to_dict().items() if key != "name"}

    def to_dict(self) -> dict[str, Any]:
        """Name and data, as in files."""
        return copy.deepcopy(self._table)

    @staticmethod
    def from_dict(table: Mapping[str, object]) -> Law:
        """The law of a ``[law]`` table."""
        data = {str(key): value for key, value in table.items() if key != "name"}
        name = table.get("name")
        if not isinstance(name, str):
            raise ProblemError("law.name: is missing", "law.name", kind="missing")
        return Law(name, **data)

    def __repr__(self) -> str:
        return f"Law({', '.join([repr(self.name), *(f'{k}={v!r}' for k, v in self.data.items())])})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Law) and self._table == other._table

    def __hash__(self) -> int:
        return hash(json_text(self._table))

    def __reduce__(self) -> tuple[Any, ...]:
        return Law.from_dict, (self._table,)


LawLike: TypeAlias = str | Law | Mapping[str, object]
"""What stands for a law: its name, a :class:`Law`, or a table with its name and data."""


_BY_NAME: dict[str, Law] = {}


def as_law(law: LawLike, data: Mapping[str, object] | None = None, arguments: Sequence[str] = ()) -> Law:
    """The law that is meant. Data that it does not know may be a misspelt one of the ``arguments`` of the call."""
    if data and arguments:
        try:
            return as_law(law, data)
        except ProblemError as error:
            raise misspelt(error, data, arguments) from None
    if isinstance(law, Law) and not data:
        return law
    if isinstance(law, str):
        if data:
            return Law(law, **data)
        found = _BY_NAME.get(law)
        if found is None:
            found = _BY_NAME[law] = Law(law)
        return found
    table = law.to_dict() if isinstance(law, Law) else law
    if not isinstance(table, Mapping):
        kind = type(law).__name__
        raise ProblemError(f"law = {kind}: needs a name, a Law or a table", "law", kind)
    return Law.from_dict({**table, **(data or {})})


def misspelt(error: ProblemError, data: Mapping[str, object], arguments: Sequence[str]) -> ProblemError:
    """The error, with the argument of the call that may have been meant."""
    wrong = error.field.removeprefix("law.")
    near = difflib.get_close_matches(wrong, arguments, 1, 0.7) if wrong in data and error.kind in ("unknown", "invalid") else []
    if not near or near[0] in str(error):
        return error
    return ProblemError(f"{error}; did you mean the argument {near[0]!r}?", error.field, error.value, error.kind)


def laws() -> tuple[str, ...]:
    """Names of all laws, in the order of comparisons.

    >>> import delassus
    >>> "poisson" in delassus.laws()
    True
    """
    return tuple(_native.laws())
