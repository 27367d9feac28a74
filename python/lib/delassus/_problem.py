"""Impact problems."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeVar

import numpy as np
import numpy.typing as npt

from delassus import _html, _native, _plot
from delassus._arrays import Array, array, coefficients, json_text, mass_matrix, same_labels, seconds, vector, whole, wrong_shape
from delassus._elements import Clutch, Contact, Joint
from delassus._errors import ProblemError
from delassus._law import Law, LawLike, as_law, laws, misspelt
from delassus._outcome import Outcome
from delassus._places import Arguments, finite

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

_KANE = """{"name": "Kane's double pendulum", "mass": [[16.0, 5.9088], [5.9088, 4.0]], "velocity": [-0.1, -0.2],
"contact": [{"name": "C", "normal": [0.684, 1.0], "tangent": [-1.8794, -1.7321], "friction": 0.5,
"restitution": 0.5}]}"""


_E = TypeVar("_E", Contact, Clutch, Joint)


class Outcomes(dict[str, Outcome]):
    """Outcomes of several laws by name; in a notebook a table with one column for each."""

    def to_pandas(self) -> pd.DataFrame:
        """A table with a line for each law (needs pandas)."""
        import pandas as pd

        lines = []
        for law, out in self.items():
            numbers = {f"velocity[{i}]": value for i, value in enumerate(out.velocity)}
            numbers |= {f"impulse[{i}]": value for i, value in enumerate(out.impulses)}
            end = {"energy_change": out.energy.change, "consistent": out.certificate.consistent, "verdict": out.verdict.short}
            lines.append({"law": law, "status": out.status, **numbers, **end})
        return pd.DataFrame(lines).set_index("law")

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draws the velocities after the impact, a series for each law that has an answer (needs matplotlib)."""
        ax = _plot.axes(ax)
        answered = [out for out in self.values() if not np.isnan(out.velocity).any()]
        for k, out in enumerate(answered):
            places = np.arange(len(out.velocity)) + 0.6 * ((k + 0.5) / len(answered) - 0.5)
            marker = _plot.MARKERS[(k + k // len(_plot.SERIES)) % len(_plot.MARKERS)]
            look: dict[str, Any] = {"color": _plot.SERIES[k % len(_plot.SERIES)], "marker": marker}
            ax.plot(places, out.velocity, linestyle="", markersize=5, label=out.law, **look)
        ax.axhline(0.0, color="#777777", linewidth=0.8)
        ax.set_xticks(range(len(answered[0].velocity)) if answered else [])
        ax.set_xlabel("i")
        ax.set_ylabel("u⁺[i]")
        if answered:
            ax.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0), frameon=False)
        return ax

    def _repr_html_(self) -> str:
        return _html.outcomes(list(self.values()))


class Problem:
    r"""One impact of a mechanical system, frozen in position.

    .. code-block:: text

        M (u⁺ − u⁻) = W Λ + F        γ± = Wᵀu± + χ        G = WᵀM⁻¹W

        u  generalized velocity (n)         M  mass matrix (n, n), symmetric, positive definite
        γ  relative velocity (m)            W  directions (n, m), one column for each scalar direction
        Λ  impulse (m)                      F  external impulse (n), χ velocity of moving supports (m)

    The rows of γ and Λ: each contact's normal and tangents, then clutches, then joints. SI units.

    >>> import delassus
    >>> problem = delassus.Problem(
    ...     mass=[[16.0, 5.9088], [5.9088, 4.0]],
    ...     velocity=[-0.1, -0.2],
    ...     contacts=[delassus.Contact("C", [0.684, 1.0], tangent=[-1.8794, -1.7321], friction=0.5, restitution=0.5)],
    ... )
    >>> problem.resolve("poisson").velocity.round(4)
    array([-0.1961,  0.2127])
    >>> problem.gamma_minus.round(4)
    array([-0.2684,  0.5344])
    """

    __slots__ = ("_law", "_native")

    def __init__(
        self,
        mass: npt.ArrayLike,
        velocity: npt.ArrayLike,
        contacts: Iterable[Contact] = (),
        joints: Iterable[Joint] = (),
        clutches: Iterable[Clutch] = (),
        impulse: npt.ArrayLike | None = None,
        name: str = "",
    ) -> None:
        """A problem from arrays; ``mass`` may be the diagonal (n,)."""
        entries = mass_matrix(mass, "mass")
        if entries.ndim not in (1, 2) or (entries.ndim == 2 and entries.shape[0] != entries.shape[1]):
            raise wrong_shape("mass", entries, "(n,), the diagonal, or (n, n)")
        n = len(entries)
        u = vector(velocity, "velocity")
        force = None if impulse is None else vector(impulse, "impulse")
        for one, what in ((u, "velocity"), (force, "impulse")):
            if one is not None and len(one) != n:
                raise wrong_shape(what, one, f"({n},), as mass has {n} rows")
        for one, what in ((entries, "mass"), (u, "velocity"), (force, "impulse")):
            if one is not None:
                finite(one, what)
        elements = (
            _all(Contact, contacts, "contacts"), _all(Clutch, clutches, "clutches"), _all(Joint, joints, "joints")
        )
        named: dict[str, Sequence[Contact | Clutch | Joint]] = dict(zip(("contacts", "clutches", "joints"), elements, strict=True))
        for what, some in named.items():
            for i, element in enumerate(some):
                for key, direction in element._kept():
                    if isinstance(direction, np.ndarray) and len(direction) != n:
                        raise wrong_shape(f"{what}[{i}].{key}", direction, f"({n},), as mass has {n} rows")
        self._native = _native.Problem(str(name), entries, u, *elements, force)
        self._law: Law | None = None

    @classmethod
    def _wrap(cls, native: _native.Problem) -> Problem:
        problem = cls.__new__(cls)
        problem._native = native
        table = native.law
        problem._law = None if table is None else as_law(json.loads(table))
        return problem

    @staticmethod
    def kane() -> Problem:
        """Kane's double pendulum that strikes the ground: the example of Newton's law gaining energy."""
        return Problem._wrap(_native.Problem.parse(_KANE, "")[0])

    @staticmethod
    def load(file: str | os.PathLike[str]) -> Problem:
        """Reads a problem file, TOML or JSON."""
        return Problem._only(_parse(read_text(file), os.fspath(file)), os.fspath(file))

    @staticmethod
    def parse(text: str) -> Problem:
        r"""Reads the text of a problem file, TOML or JSON.

        >>> import delassus
        >>> ball = 'mass = [2.0]\nvelocity = [-1.0]\n[[contact]]\nname = "C"\nnormal = [1.0]\nrestitution = 0.5\n'
        >>> delassus.Problem.parse(ball).resolve("newton").velocity
        array([0.5])
        """
        return Problem._only(_parse(text, ""), "the text")

    @staticmethod
    def _only(found: list[_native.Problem], where: str) -> Problem:
        if len(found) != 1:
            message = f"{where}: {len(found)} problems; Problem.load_all reads those of a file"
            raise ProblemError(message, "problem", str(len(found)), "wrong-size")
        return Problem._wrap(found[0])

    @staticmethod
    def load_all(file: str | os.PathLike[str]) -> list[Problem]:
        """Reads all problems of a file."""
        return [Problem._wrap(native) for native in _parse(read_text(file), os.fspath(file))]

    def save(self, file: str | os.PathLike[str]) -> None:
        """Writes the problem as JSON; it reads back to the same bits."""
        path = Path(file)
        if path.suffix != ".json":
            message = f"file = {os.fspath(file)}: problems are written as JSON, to a name that ends in .json"
            raise ProblemError(message, "file", os.fspath(file))
        path.write_text(json.dumps(self.to_dict(), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")

    def to_dict(self) -> dict[str, Any]:
        """The problem with the keys of problem files."""
        table: dict[str, Any] = json.loads(self._native.to_json())
        return table

    @staticmethod
    def from_dict(table: Mapping[str, object]) -> Problem:
        """A problem from what JSON problem files hold.

        >>> import delassus
        >>> ball = {"mass": [2.0], "velocity": [-1.0], "contact": [{"name": "C", "normal": [1.0], "restitution": 0.5}]}
        >>> delassus.Problem.from_dict(ball).resolve("newton").velocity
        array([0.5])
        """
        if not isinstance(table, Mapping):
            kind = type(table).__name__
            raise ProblemError(f"problem = {kind}: needs a table", "", kind)
        if "problem" in table:
            raise ProblemError("problem: needs one problem, not several", "problem", kind="wrong-size")
        return Problem._wrap(_native.Problem.parse(json_text(table), "")[0])

    @property
    def name(self) -> str:
        """Name; may be empty."""
        return self._native.name

    @property
    def law(self) -> Law | None:
        """The law that its file names; None where it names none."""
        return self._law

    @property
    def mass(self) -> Array:
        """Mass matrix M (n, n), or its diagonal (n,) where it was given so [kg, kg m² of rotations]."""
        return self._native.mass

    @property
    def velocity(self) -> Array:
        """Velocity u⁻ before the impact (n,) [m/s, rad/s of rotations]."""
        return self._native.velocity

    @property
    def directions(self) -> Array:
        """Directions W (n, m), a column for each row of γ and Λ; without unit, lengths [m] for rotations."""
        return self._native.directions

    @property
    def operator(self) -> Array:
        """The Delassus operator G = WᵀM⁻¹W (m, m) [1/kg]."""
        return self._native.operator

    @property
    def gamma_minus(self) -> Array:
        """Relative velocities γ⁻ = Wᵀu⁻ + χ before the impact (m,) [m/s]."""
        return self._native.gamma_minus

    @property
    def impulse(self) -> Array:
        """The external impulse F (n,) [N s, N m s of rotations]; zeros where there is none."""
        return array(self.to_dict().get("impulse", np.zeros(self._native.coordinates)), "impulse")

    @property
    def contacts(self) -> list[Contact]:
        """The contacts, each a :class:`Contact`; changing them does not change the problem."""
        return self._read([Contact(**_named(table)) for table in self.to_dict().get("contact", [])])

    @property
    def clutches(self) -> list[Clutch]:
        """The clutches, each a :class:`Clutch`."""
        tables = self.to_dict().get("clutch", [])
        return self._read([Clutch(**{**_named(t), "offset": t.get("offset", [0.0])[0]}) for t in tables])

    @property
    def joints(self) -> list[Joint]:
        """The joints, each a :class:`Joint`."""
        return self._read([Joint(**_named(table)) for table in self.to_dict().get("joint", [])])

    def _read(self, elements: list[_E]) -> list[_E]:
        """The elements; all their directions are read with n entries."""
        for element in elements:
            element._sized(self._native.coordinates)
        return elements

    def _choose(self, law: LawLike | None, data: Mapping[str, object]) -> Law:
        """The law that is meant: by its name alone it has the data of the file where that has the same name."""
        if law is None:
            if self._law is None:
                raise ProblemError("law: is missing; the problem has none of its own", "law", kind="missing")
            return as_law(self._law, data)
        if isinstance(law, str) and not data and self._law is not None and self._law.name == law:
            return self._law
        return as_law(law, data)

    def resolve(
        self,
        law: LawLike | None = None,
        *,
        solutions: Literal["first", "preferred", "all"] = "preferred",
        path: bool = False,
        iterations: int | None = None,
        time_limit: float | None = None,
        **law_data: object,
    ) -> Outcome:
        """Resolves the impact under a law, by default that of its file.

        ``solutions``: how hard to look for other solutions of the law: the first one found (fastest), the one of least
        ΛᵀGΛ where enumeration is cheap, or all of a planar problem and several of a spatial one. ``path``: record the course of the impact, under laws
        that follow it. ``iterations`` and ``time_limit`` [s] bound the work; a limit that is reached is the status
        ``max-iterations``. Everything else is data of the law.

        >>> import delassus
        >>> delassus.Problem.kane().resolve("lzb", exponent=1.0).status
        'solved'
        """
        try:
            chosen = self._choose(law, law_data)
        except ProblemError as error:
            raise misspelt(error, law_data, ("law", "solutions", "path", "iterations", "time_limit")) from None
        return self._outcome(chosen, solutions, path, whole(iterations, "iterations"), seconds(time_limit), False)

    def _outcome(
        self, law: Law, solutions: str, path: bool, iterations: int | None, time_limit: float | None, tolerant: bool
    ) -> Outcome:
        found = self._native.resolve(law._native, solutions, path, iterations, time_limit, tolerant)
        return Outcome(found, (self._native, law, solutions, path, iterations, time_limit, tolerant))

    def resolve_all(
        self,
        *,
        solutions: Literal["first", "preferred", "all"] = "preferred",
        iterations: int | None = None,
        time_limit: float | None = None,
    ) -> Outcomes:
        """Outcomes of every law by name, also of those that do not apply (status ``not-applicable``).

        >>> import delassus
        >>> for law, out in delassus.Problem.kane().resolve_all().items():
        ...     if law in ("newton", "poisson"):
        ...         print(f"{law}: {out.energy.change:+.4f} J")
        newton: +0.1634 J
        poisson: -0.1266 J
        """
        found = Outcomes()
        most, limit = whole(iterations, "iterations"), seconds(time_limit)
        for name in laws():
            chosen = self._choose(name, {})
            found[name] = self._outcome(chosen, solutions, False, most, limit, True)
        return found

    def __repr__(self) -> str:
        name = f"{self.name!r}, " if self.name else ""
        return f"Problem({name}{self._native.coordinates} velocities, {self._native.rows} directions)"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Problem) and self.to_dict() == other.to_dict()

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[Any, ...]:
        return _from_json, (self._native.to_json(),)

    def _repr_html_(self) -> str:
        # A notebook shows it without being asked: laws that take long are told to be unfinished.
        return self.resolve_all(time_limit=0.5)._repr_html_()


def _all(kind: type[_E], elements: Iterable[_E], name: str) -> list[_E]:
    """The elements, if they are of that kind."""
    if isinstance(elements, kind):
        return [elements]
    try:
        found = list(elements)
    except TypeError:
        given = type(elements).__name__
        raise ProblemError(f"{name} = {given}: needs a list of delassus.{kind.__name__}", name, given) from None
    for i, element in enumerate(found):
        if not isinstance(element, kind):
            given = type(element).__name__
            message = f"{name}[{i}] = {given}: needs a delassus.{kind.__name__}"
            raise ProblemError(message, f"{name}[{i}]", given)
    return found


_SCENARIO = re.compile(r'^\s*\[\[?(body|ground|rocking_block|chain|rod|until|world|coin|foot|packing)\b', re.MULTILINE)


def _parse(text: str, file: str) -> list[_native.Problem]:
    try:
        return _native.Problem.parse(text, file)
    except ProblemError as error:
        if _SCENARIO.search(text):
            message = f"{error} (it looks like a scenario, which delassus.run simulates)"
            raise ProblemError(message, error.field, error.value, error.kind) from None
        raise


def _from_json(text: str) -> Problem:
    return Problem._wrap(_native.Problem.parse(text, "")[0])


def _named(table: Mapping[str, Any]) -> dict[str, Any]:
    """A table of a file as arguments: directions that are tables have whole numbers as keys."""

    def sparse(value: Any) -> Any:
        if isinstance(value, dict):
            return {int(key): entry for key, entry in value.items()}
        return [sparse(entry) for entry in value] if isinstance(value, list) else value

    return {key: sparse(value) for key, value in table.items()}


def read_text(file: str | os.PathLike[str]) -> str:
    """The text of a file."""
    try:
        return Path(file).read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise ProblemError(f"{os.fspath(file)}: not UTF-8 text", "", "") from None


_ARGUMENTS = ("mass", "velocity", "normal", "tangent", "friction", "restitution", "law", "restitution_tangential")


def resolve(
    mass: npt.ArrayLike,
    velocity: npt.ArrayLike,
    normal: npt.ArrayLike,
    tangent: npt.ArrayLike | None = None,
    friction: npt.ArrayLike = 0.0,
    restitution: npt.ArrayLike = 0.0,
    law: LawLike = "poisson",
    *,
    restitution_tangential: npt.ArrayLike = 0.0,
    **law_data: object,
) -> Outcome:
    """Resolves one impact given as arrays.

    ``mass`` (n,) or (n, n); ``velocity`` (n,); ``normal`` (n,) or (c, n) for c contacts; ``tangent`` (n,), (2, n) of one
    contact in space, (c, n) or (c, 2, n); ``friction`` and ``restitution`` a number or (c,). Everything else is data of
    the law. Joints, clutches, moving supports, orthotropic and static friction: :class:`Problem`.

    >>> import delassus
    >>> out = delassus.resolve([[16.0, 5.9088], [5.9088, 4.0]], [-0.1, -0.2], [0.684, 1.0],
    ...                        tangent=[-1.8794, -1.7321], friction=0.5, restitution=0.5, law="poisson")
    >>> out.velocity.round(4), out.impulses.round(4)
    (array([-0.1961,  0.2127]), array([ 0.6823, -0.2315]))
    """
    chosen = as_law(law, law_data, _ARGUMENTS) if law_data else as_law(law)
    entries, u = mass_matrix(mass, "mass"), array(velocity, "velocity")
    if hasattr(velocity, "iloc") or hasattr(mass, "iloc"):
        same_labels({"velocity": velocity, "mass": mass, **({"normal": normal} if np.ndim(normal) == 1 else {})})
    n = len(u) if u.ndim == 1 else -1
    if n < 1:
        raise wrong_shape("velocity", u, "(n,)")
    diagonal = entries.ndim == 1
    if entries.shape not in ((n,), (n, n)):
        raise wrong_shape("mass", entries, f"({n},) or ({n}, {n})")
    normals = array(normal, "normal")
    single = normals.ndim == 1
    if normals.ndim not in (1, 2) or normals.shape[-1] != n or normals.size == 0:
        raise wrong_shape("normal", normals, f"({n},) or (c, {n})")
    c = 1 if single else len(normals)
    tangents, count = np.empty(0), 0
    if tangent is not None:
        tangents = array(tangent, "tangent")
        shapes: list[tuple[int, ...]] = [(n,), (2, n)] if single else [(c, n), (c, 2, n)]
        if tangents.shape not in shapes:
            raise wrong_shape("tangent", tangents, f"{shapes[0]} or {shapes[1]}")
        count = tangents.size // (c * n)
    mu = coefficients(friction, "friction", c)
    if tangent is None and mu.any():
        raise ProblemError("friction: needs a tangent, the direction along which it acts", "friction", str(mu[0]))
    epsilon, epsilon_t = (
        coefficients(restitution, "restitution", c),
        coefficients(restitution_tangential, "restitution_tangential", c),
    )
    try:
        native = _native.problem_from_arrays(
            (1, n, c, count),
            diagonal,
            (entries.reshape(-1), False),
            (u, False),
            (normals.reshape(-1), False),
            (tangents.reshape(-1), False),
            (mu, False),
            (epsilon, False),
            (epsilon_t, False),
        )
        found = native.resolve(chosen._native, "preferred", False, None, None, False)
    except ProblemError as error:
        given = {"mass": entries, "velocity": u, "normal": normals, "tangent": tangents, "friction": np.asarray(friction),
                 "restitution": np.asarray(restitution), "restitution_tangential": np.asarray(restitution_tangential)}
        raise Arguments(given, count).error(error) from None
    return Outcome(found, (native, chosen, "preferred", False, None, None, False))
