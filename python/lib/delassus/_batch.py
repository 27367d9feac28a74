"""Many impacts at once."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import numpy.typing as npt

from delassus import _html, _native
from delassus._arrays import Array, array, mass_matrix, same_labels, whole, wrong_shape
from delassus._errors import ProblemError
from delassus._law import LawLike, as_law
from delassus._places import Arguments

if TYPE_CHECKING:
    import pandas as pd
    import xarray as xr

_RESIDUALS = ("kinematic", "kinetic", "energetic", "momentum", "inclusion")
CERTIFICATE = np.dtype([(name, np.float64) for name in _RESIDUALS])
"""The type of :attr:`Batch.certificate`."""
_STATUSES = np.array(_native.BATCH_STATUSES)
_BAD_INPUT = _native.BATCH_STATUSES.index("bad-input")
_STATES = np.array(["open", "closed", "stick", "slip", ""])


@dataclass(frozen=True, eq=False)
class Batch:
    """Outcomes of K impacts with c contacts each; NaN where there is no answer.

    Attributes:
        law: The law's name.
        velocity: Velocities u⁺ after the impacts (K, n) [m/s, rad/s of rotations].
        impulse_normal: Normal impulses Λ_N (K, c) [N s].
        impulse_tangent: Tangential impulses Λ_T (K, c, 1 or 2) [N s]; (K, c, 0) without tangents.
        energy_change: Change of the kinetic energy T⁺ − T⁻ (K,) [J].
        certificate: Residuals (K,), without unit, with the fields kinematic, kinetic, energetic, momentum, inclusion;
            a check holds up to 1e-9. NaN in the field inclusion for laws that are none.
        status_code: Place of each status in ``Batch.STATUSES`` (K,), whole numbers.
        state_code: States of the e elements (K, e), whole numbers, in the order of ``elements``; see :attr:`state`.
        elements: Names of the e elements: each contact's normal, then its friction.
        STATUSES: Words of the codes of ``status_code``; ``bad-input`` is a row whose numbers are wrong.
        reasons: Why rows have no answer, in words by the number of the row: of the first hundred of them.
    """

    law: str
    velocity: Array
    impulse_normal: Array
    impulse_tangent: Array
    energy_change: Array
    certificate: np.ndarray[Any, np.dtype[np.void]]
    status_code: npt.NDArray[np.uint8]
    state_code: npt.NDArray[np.uint8]
    elements: tuple[str, ...]
    reasons: dict[int, str] = field(repr=False)

    STATUSES = tuple(_native.BATCH_STATUSES)

    @property
    def status(self) -> npt.NDArray[np.str_]:
        """Status of each row in words (K,), from :data:`Batch.STATUSES`."""
        return _STATUSES[self.status_code]

    @property
    def state(self) -> npt.NDArray[np.str_]:
        """State of each element in words (K, e): open, closed, stick, slip; empty where there is no answer."""
        return _STATES[self.state_code]

    @property
    def solved(self) -> npt.NDArray[np.bool_]:
        """Which rows are solved (K,)."""
        solved: npt.NDArray[np.bool_] = self.status_code == 0
        return solved

    def __len__(self) -> int:
        return len(self.status_code)

    def to_pandas(self) -> pd.DataFrame:
        """A table with one line for each impact (needs pandas); the status is categorical."""
        import pandas as pd

        columns: dict[str, Any] = {f"velocity[{i}]": self.velocity[:, i] for i in range(self.velocity.shape[1])}
        for c in range(self.impulse_normal.shape[1]):
            columns[f"impulse_normal[{c}]"] = self.impulse_normal[:, c]
            for t in range(self.impulse_tangent.shape[2]):
                columns[f"impulse_tangent[{c}][{t}]"] = self.impulse_tangent[:, c, t]
        columns["energy_change"] = self.energy_change
        columns.update({name: self.certificate[name] for name in _RESIDUALS})
        words = pd.Index(list(self.STATUSES))
        columns["status"] = pd.Categorical.from_codes(self.status_code.astype(np.int8), categories=words)
        return pd.DataFrame(columns)

    def to_xarray(self) -> xr.Dataset:
        """A data set over impacts, coordinates and contacts (needs xarray)."""
        import xarray as xr

        variables = {
            "velocity": (("impact", "coordinate"), self.velocity),
            "impulse_normal": (("impact", "contact"), self.impulse_normal),
            "impulse_tangent": (("impact", "contact", "tangent"), self.impulse_tangent),
            "energy_change": ("impact", self.energy_change),
            "state": (("impact", "element"), self.state),
            "status": ("impact", self.status),
            **{f"residual_{name}": ("impact", self.certificate[name]) for name in _RESIDUALS},
        }
        return xr.Dataset(variables, coords={"element": list(self.elements)}, attrs={"law": self.law})

    def __repr__(self) -> str:
        return f"Batch(law={self.law!r}, {len(self)} impacts: {self._counts()})"

    def _counts(self) -> str:
        counts = np.bincount(self.status_code, minlength=len(self.STATUSES))
        return ", ".join(f"{count} {word}" for word, count in zip(self.STATUSES, counts, strict=True) if count)

    def _repr_html_(self) -> str:
        first = range(min(len(self), 5))
        rows: list[dict[str, object]] = [
            {
                "impact": k,
                **{f"u⁺[{i}]": float(value) for i, value in enumerate(self.velocity[k])},
                **{f"Λ_N[{c}]": float(value) for c, value in enumerate(self.impulse_normal[k])},
                "T⁺ − T⁻ [J]": float(self.energy_change[k]),
                "status": str(self.status[k]),
            }
            for k in first
        ]
        return _html.table(rows, f"{len(self)} impacts under {self.law}: {self._counts()}")


class _Rows:
    """How many rows there are, as the first argument with a row axis says."""

    def __init__(self) -> None:
        self.count: int | None = None
        self.said_by = ""

    def field(self, value: Array, name: str, shape: tuple[int, ...]) -> tuple[Array, bool]:
        """The numbers in a line, and whether they vary; `shape` is that of one row."""
        if value.shape == shape:
            return value.reshape(-1), False
        if value.shape[1:] != shape:
            raise wrong_shape(name, value, f"{shape} or ({', '.join(map(str, ('K', *shape)))})" if shape else "() or (K,)")
        if self.count is None:
            self.count, self.said_by = len(value), name
        elif self.count != len(value):
            raise wrong_shape(name, value, f"({self.count}, …): {self.said_by} has {self.count} rows")
        return value.reshape(-1), True


_ARGUMENTS = (
    "mass", "velocity", "normal", "tangent", "friction", "restitution", "law", "threads", "restitution_tangential", "solutions",
)


def resolve_batch(
    mass: npt.ArrayLike,
    velocity: npt.ArrayLike,
    normal: npt.ArrayLike,
    tangent: npt.ArrayLike | None = None,
    friction: npt.ArrayLike = 0.0,
    restitution: npt.ArrayLike = 0.0,
    law: LawLike = "newton",
    threads: int | None = None,
    *,
    restitution_tangential: npt.ArrayLike = 0.0,
    solutions: Literal["first", "preferred"] = "first",
    **law_data: object,
) -> Batch:
    """Resolves K impacts of one structure: c contacts of n coordinates, other numbers in every row.

    ``mass`` (n,), (n, n), (K, n) or (K, n, n); ``velocity`` (K, n); ``normal`` (c, n) or (K, c, n); ``tangent`` (c, n),
    (c, 2, n) or with K in front; ``friction``, ``restitution`` and ``restitution_tangential`` a number, (c,) or (K, c);
    of one contact also (K,).
    Where two readings are possible (a mass of (n, n) with K = n; coefficients of (c,)), arrays without K in front are
    meant; tangents of two contacts and two impacts, (2, 2, n), have K in front where the normals have. Of one contact
    ``normal`` may be (n,) and ``tangent`` (n,) or (2, n). Where there are as many normals (c, n) as rows a warning asks
    whether one contact for each row was meant, which is (K, 1, n). Tables and series of pandas need rows with the same labels.

    Rows with wrong numbers have the status ``bad-input`` and NaN, and :attr:`Batch.reasons` says why; the others are
    resolved. ``threads``: all cores unless given; the result is the same to the bit for any number.
    ``solutions="preferred"`` looks for the solution of least ΛᵀGΛ as :func:`resolve` does, and takes longer.

    >>> import numpy as np, delassus
    >>> velocity = np.column_stack([np.linspace(-1.0, 1.0, 5), np.full(5, -1.0)])
    >>> batch = delassus.resolve_batch([1.0, 1.0], velocity, [0.0, 1.0], tangent=[1.0, 0.0], friction=0.3,
    ...                                restitution=0.5, law="newton")
    >>> batch.velocity[:, 1]
    array([0.5, 0.5, 0.5, 0.5, 0.5])
    >>> batch.state[:, 1].tolist()
    ['slip', 'slip', 'stick', 'slip', 'slip']
    """
    chosen = as_law(law, law_data, _ARGUMENTS)
    threads = whole(threads, "threads")
    if solutions not in ("first", "preferred"):
        message = f"solutions = {solutions!r}: must be first or preferred"
        raise ProblemError(message, "solutions", repr(solutions), "unknown")
    same_labels({"velocity": velocity, "mass": mass, "normal": normal, "tangent": tangent, "friction": friction,
                 "restitution": restitution, "restitution_tangential": restitution_tangential})
    u = array(velocity, "velocity")
    if u.ndim not in (1, 2) or u.shape[-1] == 0:
        raise wrong_shape("velocity", u, "(K, n)")
    n = u.shape[-1]
    rows = _Rows()
    given = {"velocity": u}
    u_field = rows.field(u, "velocity", (n,))

    w = given["normal"] = array(normal, "normal")
    single = w.ndim == 1
    if single:
        w = w.reshape(1, -1)
    if w.ndim not in (2, 3) or w.shape[-1] != n or w.shape[-2] == 0:
        raise wrong_shape("normal", w, f"(c, {n}) or (K, c, {n})")
    c = w.shape[-2]
    if w.ndim == 2 and c == rows.count and c > 1:
        # Allowed, but more often one contact of each impact is meant.
        words = (f"normal has shape ({c}, {n}) and velocity {c} rows: read as {c} contacts that each impact has. One contact "
                 f"for each impact is an array of shape ({c}, 1, {n}); one of shape ({c}, {c}, {n}) leaves no doubt")
        warnings.warn(words, UserWarning, stacklevel=2)
    w_field = rows.field(w, "normal", (c, n))

    t_field: tuple[Array, bool] = (np.empty(0), False)
    count = 0
    if tangent is not None:
        t = given["tangent"] = array(tangent, "tangent")
        if single and t.shape in ((n,), (2, n)):
            t = t.reshape(1, -1, n)
        kinds: list[tuple[int, ...]] = [(c, n), (c, 1, n), (c, 2, n)]
        readings = [kind for kind in kinds if kind in (t.shape, t.shape[1:])]
        if not readings:
            alone = f"({n},), (2, {n}), " if single else ""
            raise wrong_shape("tangent", t, f"{alone}({c}, {n}) or ({c}, 2, {n}), or one of the last two with K in front")
        # With K in front only where K is the number of rows; of that number speaks `field`.
        readings = [kind for kind in readings if t.shape == kind or len(t) == rows.count] or readings
        # Two contacts of two impacts: (2, 2, n) are two tangents of each contact, or one of each contact and impact. What
        # the normals are, with K in front or without, the tangents are.
        shape = next((kind for kind in readings if (t.shape == kind) != w_field[1]), readings[-1])
        count = 1 if len(shape) == 2 else shape[1]
        t_field = rows.field(t, "tangent", shape)

    m = given["mass"] = mass_matrix(mass, "mass")
    diagonal = m.shape == (n,) or (m.ndim == 2 and m.shape != (n, n))
    if m.ndim not in (1, 2, 3) or m.shape[-1] != n:
        raise wrong_shape("mass", m, f"({n},), ({n}, {n}), (K, {n}) or (K, {n}, {n})")
    m_field = rows.field(m, "mass", (n,) if diagonal else (n, n))

    def coefficient(value: npt.ArrayLike, name: str) -> tuple[Array, bool]:
        found = given[name] = array(value, name)
        if found.ndim == 0:
            return np.full(c, found), False
        # One contact has one coefficient a row.
        return rows.field(found.reshape(-1, 1) if c == 1 and found.ndim == 1 and len(found) != 1 else found, name, (c,))

    mu = coefficient(friction, "friction")
    if tangent is None and mu[0].any():
        raise ProblemError("friction: needs a tangent, the direction along which it acts", "friction", str(mu[0].max()))
    epsilon = coefficient(restitution, "restitution")
    epsilon_t = coefficient(restitution_tangential, "restitution_tangential")
    total = 1 if rows.count is None else rows.count

    names = ["C"] if c == 1 else [f"C{i}" for i in range(c)]
    parts = ["", ".friction"] if count else [""]
    elements = tuple(name + part for name in names for part in parts)
    # Allocated here, because numpy asks for large pages where there are many rows.
    velocities, normals, tangents = np.empty((total, n)), np.empty((total, c)), np.empty((total, c, count))
    energy, residuals = np.empty(total), np.empty(total, CERTIFICATE)
    states, status = np.empty((total, len(elements)), np.uint8), np.empty(total, np.uint8)
    fields = {"mass": m_field, "velocity": u_field, "normal": w_field, "tangent": t_field, "friction": mu,
              "restitution": epsilon, "restitution_tangential": epsilon_t}
    arguments = Arguments(given, count, frozenset(name for name, (_, varies) in fields.items() if varies))
    try:
        reasons = [] if total == 0 else _native.resolve_batch(
            chosen._native,
            (total, n, c, count),
            diagonal,
            m_field,
            u_field,
            w_field,
            t_field,
            mu,
            epsilon,
            epsilon_t,
            solutions,
            threads,
            (
                velocities.reshape(-1),
                normals.reshape(-1),
                tangents.reshape(-1),
                energy,
                residuals.view(np.float64),
                states.reshape(-1),
                status,
            ),
        )
    except ProblemError as error:
        raise arguments.error(error) from None
    if reasons and reasons[0][1].startswith("law.") and (status == _BAD_INPUT).all():
        # Data of the law that fit no row, such as a matrix for another number of contacts.
        words = reasons[0][1]
        key, _, rest = words.partition(" = ")
        raise ProblemError(words, key.partition(":")[0], rest.partition(":")[0])
    return Batch(
        law=chosen.name,
        velocity=velocities,
        impulse_normal=normals,
        impulse_tangent=tangents,
        energy_change=energy,
        certificate=residuals,
        status_code=status,
        state_code=states,
        elements=elements,
        reasons={
            row: arguments.reason(row, words) if status[row] == _BAD_INPUT else words for row, words in reasons
        },
    )
