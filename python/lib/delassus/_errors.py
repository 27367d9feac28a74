"""The exception for bad input."""

from __future__ import annotations


class ProblemError(ValueError):
    """Bad input: which field, which value, and what would be allowed.

    Not converging, no solution and several solutions are never errors but the
    status of an outcome.

    >>> import delassus
    >>> try:
    ...     delassus.resolve([1.0, -2.0], [0.0, -1.0], [0.0, 1.0])
    ... except delassus.ProblemError as error:
    ...     print(error.field, error.value, error.kind)
    mass[1] -2 out-of-range

    Attributes:
        field: The argument and the place in it, ``velocity[3, 0]``, or the path of the field in a problem file,
            ``contact[1].friction``; empty where there is none.
        value: The value as text; empty where there is none, as of a missing field.
        kind: What is wrong, for programs: ``missing``, ``unknown`` (a word or key), ``wrong-size``, ``out-of-range``,
            ``not-finite``, ``duplicate``, or ``invalid`` for anything else.
    """

    field: str
    value: str
    kind: str

    def __init__(self, message: str, field: str = "", value: str = "", kind: str = "invalid") -> None:
        super().__init__(message)
        self.field = field
        self.value = value
        self.kind = kind
