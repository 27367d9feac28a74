"""Outcomes: what a law answers, and how far to trust it."""

from __future__ import annotations

import json
import operator
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias, overload

import numpy as np

from delassus import _html, _native
from delassus._arrays import Array
from delassus._errors import ProblemError
from delassus._law import Law

if TYPE_CHECKING:
    import pandas as pd


def _number(value: float | None) -> float:
    return float("nan") if value is None else value


@dataclass(frozen=True)
class Energy:
    """Kinetic energy T = ½ uᵀMu before and after an impact [J]; not a number where there is no answer.

    Attributes:
        before: Kinetic energy T⁻ before the impact, a number [J].
        after: Kinetic energy T⁺ after it, a number [J].
        change: T⁺ − T⁻, a number [J].
    """

    before: float
    after: float
    change: float


@dataclass(frozen=True)
class Check:
    """One check of an answer: a relative residual, free of units.

    Attributes:
        holds: Whether the residual is at most 1e-9; None where there is no answer.
        residual: How far the check is missed, relative to the motion; a number without unit, NaN where there is no
            answer.
    """

    holds: bool | None
    residual: float


@dataclass(frozen=True)
class Certificate:
    """How far an answer can be trusted, computed from the impulses alone and the same for all laws.

    .. code-block:: text

        kinematic   γ⁺ admissible: no penetration, joints at rest
        kinetic     Λ admissible: no contact pulls, |Λ_T| ≤ μ Λ_N
        energetic   ½ Λᵀ(γ⁺ + γ⁻) ≤ 0: the contacts create no energy
        momentum    M(u⁺ − u⁻) = WΛ + F
        inclusion   the law itself

    Attributes:
        kinematic: No penetration, joints at rest: a :class:`Check`.
        kinetic: No contact pulls, friction within its cone: a :class:`Check`.
        energetic: The contacts create no energy: a :class:`Check`.
        inclusion_residual: The residual of the law's own inclusion, without unit; None for laws that are none
            (``lzb``, ``sequential``).
        momentum_residual: How far M(u⁺ − u⁻) = WΛ + F is missed, relative to the motion; a number without unit.
        theorem: The theorem that excludes a gain of energy beforehand; ``none`` where there is none.
    """

    kinematic: Check
    kinetic: Check
    energetic: Check
    inclusion_residual: float | None
    momentum_residual: float
    theorem: str

    @property
    def consistent(self) -> bool:
        """Whether the kinematic, the kinetic and the energetic check hold."""
        return all(check.holds is True for check in (self.kinematic, self.kinetic, self.energetic))


@dataclass(frozen=True)
class Verdict:
    """What an outcome means, in words.

    Attributes:
        short: Two words: ``consistent``, ``gains energy``, ``penetrates``, ``pulls``, ``no solution``, …
        text: Sentences: why, and what is guaranteed.
    """

    short: str
    text: str

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class Alternative:
    """Another solution of the same law.

    Attributes:
        velocity: Its velocity u⁺ (n,) [m/s, rad/s of rotations].
        impulses: Its impulses Λ (m,) [N s, N m s of rotations].
        dimension: Dimension of the set of solutions that it stands for, a whole number; 0 is a point.
        distance: |u − u⁺| in the kinetic metric, relative to the larger speed; a number without unit.
    """

    velocity: Array
    impulses: Array
    dimension: int
    distance: float


@dataclass(frozen=True, eq=False)
class Element:
    """One element after the impact: the normal of a contact (``C``), its friction (``C.friction``), a clutch, a joint.

    Attributes:
        name: Name: ``C``, ``C.friction``.
        kind: ``contact``, ``friction``, ``clutch`` or ``joint``.
        gamma_minus: Relative velocity γ⁻ before the impact (k,), k the rows of the element [m/s].
        gamma_plus: Relative velocity γ⁺ after it (k,) [m/s].
        impulse: Impulse Λ (k,) [N s].
        state: ``open``, ``closed``, ``stick`` or ``slip``; None where there is no answer.
        work: Work of the impulse ½ Λᵀ(γ⁺ + γ⁻), a number [J].
        impulse_compression: Λ of the compression (k,) [N s], under laws of two phases; else None.
        impulse_decompression: Λ of the decompression (k,) [N s], under laws of two phases; else None.
        gamma_compression: γ at the end of the compression (k,) [m/s], under laws of two phases; else None.
    """

    name: str
    kind: str
    gamma_minus: Array
    gamma_plus: Array
    impulse: Array
    state: str | None
    work: float
    impulse_compression: Array | None = field(default=None, repr=False)
    impulse_decompression: Array | None = field(default=None, repr=False)
    gamma_compression: Array | None = field(default=None, repr=False)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Element) and all(
            np.array_equal(value, other.__dict__[key], equal_nan=isinstance(value, np.ndarray))
            for key, value in self.__dict__.items()
        )

    __hash__ = None  # type: ignore[assignment]


class Elements(Sequence[Element]):
    """All elements of an outcome: a list that also finds them by name and makes a table.

    >>> import delassus
    >>> out = delassus.Problem.kane().resolve("poisson")
    >>> out.elements["C.friction"].state
    'stick'
    >>> out.elements.names
    ('C', 'C.friction')
    >>> out.elements.columns
    ('element', 'kind', 'row', 'gamma_minus', 'gamma_plus', 'impulse', 'state')
    >>> [round(impulse, 4) for impulse in out.elements["impulse"]]
    [0.6823, -0.2315]
    """

    columns = ("element", "kind", "row", "gamma_minus", "gamma_plus", "impulse", "state")
    """Names of the columns of the table, which has a line for each row of γ and Λ."""

    def __init__(self, elements: Sequence[Element]) -> None:
        self._elements = tuple(elements)

    @property
    def names(self) -> tuple[str, ...]:
        """Their names, in the order of the rows of γ and Λ."""
        return tuple(element.name for element in self._elements)

    @overload
    def __getitem__(self, key: int) -> Element: ...
    @overload
    def __getitem__(self, key: str) -> Any: ...
    @overload
    def __getitem__(self, key: slice) -> Elements: ...
    def __getitem__(self, key: int | str | slice) -> Any:
        """The element in a place or of a name, or else the column of the table of that name."""
        if isinstance(key, slice):
            return Elements(self._elements[key])
        if not isinstance(key, str):
            return self._elements[operator.index(key)]
        for element in self._elements:
            if element.name == key:
                return element
        if key in self.columns:
            return self.column(key)
        raise KeyError(f"{key!r}; there are the elements {', '.join(self.names)} and the columns {', '.join(self.columns)}")

    def __len__(self) -> int:
        return len(self._elements)

    def __iter__(self) -> Iterator[Element]:
        return iter(self._elements)

    def column(self, name: str) -> list[Any]:
        """A column of the table."""
        if name not in self.columns:
            message = f"column = {name!r}: there are {', '.join(self.columns)}"
            raise ProblemError(message, "column", repr(name), "unknown")
        return [row[name] for row in self.rows()]

    def rows(self) -> list[dict[str, Any]]:
        """One dictionary for each row of γ and Λ: what :meth:`to_pandas` makes a table of."""
        return [
            {
                "element": element.name,
                "kind": element.kind,
                "row": row,
                "gamma_minus": float(element.gamma_minus[row]),
                "gamma_plus": float(element.gamma_plus[row]),
                "impulse": float(element.impulse[row]),
                "state": element.state,
            }
            for element in self._elements
            for row in range(len(element.gamma_minus))
        ]

    def to_pandas(self) -> pd.DataFrame:
        """A table with one line for each row of γ and Λ (needs pandas)."""
        import pandas as pd

        return pd.DataFrame(self.rows(), columns=list(self.columns))

    def __repr__(self) -> str:
        return f"Elements({', '.join(f'{e.name}: {e.state}' for e in self._elements)})"

    def _repr_html_(self) -> str:
        return _html.table(self.rows())


_Asked: TypeAlias = tuple[_native.Problem | str, Law, str, bool, int | None, float | None, bool]
"""A problem, or its text, and what its resolution was asked for: law, solutions, path, iterations, time limit, tolerant."""

_ARRAYS = ("velocity", "impulses", "gamma_minus", "gamma_plus")


class Outcome:
    r"""The answer of one law to one problem, with all that follows from the impulses Λ.

    .. code-block:: text

        M (u⁺ − u⁻) = W Λ + F        γ± = Wᵀu± + χ

    Arrays hold NaN where there is no answer (status ``no-solution`` and ``not-applicable``).

    >>> import delassus
    >>> out = delassus.Problem.kane().resolve("newton")
    >>> out.status
    'solved'
    >>> print(f"{out.energy.change / out.energy.before:+.1%}")
    +58.7%
    >>> out.certificate.consistent
    False
    """

    __slots__ = ("_arrays", "_asked", "_native", "_record", "_verdict")

    def __init__(self, native: _native.Outcome, asked: _Asked) -> None:
        self._native: _native.Outcome | None = native
        # What was asked, so that it can be asked again after a pickle.
        self._asked: _Asked | None = asked
        self._record: dict[str, Any] | None = None
        self._arrays: dict[str, Array] = {}
        self._verdict: Verdict | None = None

    def _get(self, key: str) -> Any:
        """A key of the JSON record, which is made when something in it is asked for."""
        if self._record is None:
            assert self._native is not None
            self._record = json.loads(self._native.to_json())
        return self._record.get(key)

    def _array(self, key: str) -> Array:
        """One of the arrays, which an outcome from a pickle holds itself."""
        if self._native is None:
            return self._arrays[key].copy()
        found: Array = getattr(self._native, key)
        return found

    def _drawable(self) -> _native.Outcome | None:
        """What figures are drawn from. An outcome from a pickle is computed again; None where that gives another answer."""
        if self._native is None and self._asked is not None:
            problem, law, solutions, path, iterations, time_limit, tolerant = self._asked
            if isinstance(problem, str):
                problem = _native.Problem.parse(problem, "")[0]
            try:
                found = problem.resolve(law._native, solutions, path, iterations, time_limit, tolerant)
            except ProblemError:
                return None
            if found.status == self.status and all(
                np.array_equal(getattr(found, key), self._arrays[key], equal_nan=True) for key in _ARRAYS
            ):
                self._native = found
        return self._native

    def to_dict(self) -> dict[str, Any]:
        """What ``delassus impact --json`` prints for this law."""
        self._get("law")
        copied: dict[str, Any] = json.loads(json.dumps(self._record))
        return copied

    @property
    def law(self) -> str:
        """The law's name."""
        return self._native.law if self._native is not None else str(self._get("law"))

    @property
    def status(self) -> str:
        """``solved``, ``inaccurate``, ``no-solution``, ``max-iterations``, ``stalled`` or ``not-applicable``."""
        return self._native.status if self._native is not None else str(self._get("status"))

    @property
    def reason(self) -> str | None:
        """Why there is no answer, in words."""
        reason: str | None = self._get("reason")
        return reason

    @property
    def velocity(self) -> Array:
        """Velocity u⁺ after the impact (n,) [m/s, rad/s of rotations]."""
        return self._array("velocity")

    @property
    def impulses(self) -> Array:
        """Impulses Λ (m,) [N s, N m s of rotations], row by row: each contact's normal and tangents, then clutches, then joints."""
        return self._array("impulses")

    @property
    def gamma_minus(self) -> Array:
        """Relative velocities γ⁻ before the impact (m,), in the order of the impulses [m/s]."""
        return self._array("gamma_minus")

    @property
    def gamma_plus(self) -> Array:
        """Relative velocities γ⁺ after the impact (m,), in the order of the impulses [m/s]."""
        return self._array("gamma_plus")

    @property
    def energy(self) -> Energy:
        """Kinetic energy before and after the impact, and its change [J]: an :class:`Energy`."""
        energy = self._get("kinetic_energy") or {}
        return Energy(*(_number(energy.get(key)) for key in ("before", "after", "change")))

    @property
    def certificate(self) -> Certificate:
        """How far the answer can be trusted: a :class:`Certificate` of residuals without unit."""
        record = self._get("certificate") or {}

        def check(key: str) -> Check:
            found = record.get(key) or {}
            return Check(found.get("holds"), _number(found.get("residual")))

        return Certificate(
            check("kinematic"),
            check("kinetic"),
            check("energetic"),
            record.get("inclusion_residual"),
            _number(record.get("momentum_residual")),
            record.get("theorem", "none"),
        )

    @property
    def uniqueness(self) -> str:
        """``proved`` (the only solution), ``several`` or ``unknown``."""
        return self._get("uniqueness") or "unknown"

    @property
    def uniqueness_by(self) -> str | None:
        """The argument that proves it, in words; None where nothing is proved."""
        by: str | None = self._get("uniqueness_by")
        return by

    @property
    def alternatives(self) -> list[Alternative]:
        """Other solutions of the same law; all of a planar problem where ``solutions="all"`` was asked for."""
        return [
            Alternative(
                np.array(solution["velocity"], dtype=np.float64),
                np.array(solution["impulses"], dtype=np.float64),
                solution["dimension"],
                solution["distance"],
            )
            for solution in self._get("solutions") or []
        ]

    @property
    def elements(self) -> Elements:
        """Relative velocities [m/s], impulse [N s], state and work [J] of each element: :class:`Elements`."""

        def array(values: list[float] | None, size: int) -> Array:
            return np.full(size, np.nan) if values is None else np.array(values, dtype=np.float64)

        def optional(values: list[float] | None) -> Array | None:
            return None if values is None else np.array(values, dtype=np.float64)

        found = []
        for record in self._get("elements") or []:
            size = len(record["gamma_minus"])
            found.append(
                Element(
                    name=record["name"],
                    kind=record["kind"],
                    gamma_minus=array(record["gamma_minus"], size),
                    gamma_plus=array(record["gamma_plus"], size),
                    impulse=array(record["impulse"], size),
                    state=record["state"],
                    work=_number(record["work"]),
                    impulse_compression=optional(record.get("impulse_compression")),
                    impulse_decompression=optional(record.get("impulse_decompression")),
                    gamma_compression=optional(record.get("gamma_compression")),
                )
            )
        return Elements(found)

    @property
    def verdict(self) -> Verdict:
        """What the outcome means, in words.

        >>> import delassus
        >>> delassus.Problem.kane().resolve("newton").verdict.short
        'gains energy'
        """
        if self._verdict is None:
            assert self._native is not None
            self._verdict = Verdict(*self._native.verdict)
        return self._verdict

    @property
    def warnings(self) -> list[str]:
        """What should be known of the answer, in words."""
        return list(self._get("warnings") or [])

    @property
    def stats(self) -> dict[str, int]:
        """Counters of the search: iterations, restarts, events."""
        return dict(self._get("stats") or {})

    def __repr__(self) -> str:
        velocity = np.array2string(self.velocity, precision=6, threshold=8)
        return f"Outcome(law={self.law!r}, status={self.status!r}, velocity={velocity})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Outcome) and self.to_dict() == other.to_dict()

    __hash__ = None  # type: ignore[assignment]

    def __copy__(self) -> Outcome:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Outcome:
        # Nothing in it changes.
        return self

    def __getstate__(self) -> tuple[Any, ...]:
        asked = self._asked
        if asked is not None and not isinstance(asked[0], str):
            asked = (asked[0].to_json(), *asked[1:])
        return self.to_dict(), {key: self._array(key) for key in _ARRAYS}, self.verdict, asked

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        self._native = None
        self._record, self._arrays, self._verdict, *asked = state
        # Earlier versions kept three things.
        self._asked = asked[0] if asked else None

    def _repr_html_(self) -> str:
        return _html.outcomes([self])
