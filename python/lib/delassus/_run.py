"""Motions."""

from __future__ import annotations

import copy
import dataclasses
import json
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from delassus import _html, _native, _plot, _source
from delassus._arrays import Array, seconds, whole
from delassus._errors import ProblemError
from delassus._law import Law, LawLike, as_law, misspelt
from delassus._problem import Problem

if TYPE_CHECKING:
    import pandas as pd
    import xarray as xr
    from matplotlib.axes import Axes

_SOLVER = ("steps", "contacts", "iterations", "residual")
_ENERGIES = ("kinetic", "potential", "friction", "supports", "damping", "applied", "impacts")


_Motion: TypeAlias = _native.Motion

# So long a motion from a pickle may take to be computed again for a figure that nobody asked for [s].
_PATIENCE = 5.0


@dataclass(frozen=True)
class _Asked:
    """All that a motion is computed from; records lie in the folder."""

    text: str
    file: str
    folder: str
    law: Law | None
    by_name: bool
    samples: int
    iterations: int | None
    time_limit: float | None
    sensitivity: bool

    def simulate(self) -> _native.Motion:
        return _native.simulate(
            self.text, self.file, self.folder, None if self.law is None else self.law._native, self.by_name, self.samples,
            False, self.iterations, self.time_limit, self.sensitivity,
        )


@dataclass(frozen=True, eq=False)
class RunImpact:
    """One impact of a motion.

    Attributes:
        time: When it was [s].
        contacts: Names of the contacts that took part.
        q: Positions (n,) [m, rad; quaternions without unit].
        velocity_minus: Velocity u⁻ before it (n,) [m/s, rad/s].
        velocity_plus: Velocity u⁺ after it (n,) [m/s, rad/s].
        energy_before: Kinetic energy T⁻ before it [J].
        energy_after: Kinetic energy T⁺ after it [J].
        impulses: Normal and tangential impulse of each contact that took part, (2,) each, in space (3,) [N s].
        status: Status of the impact, as of an :class:`Outcome`.
        certificate: Checks of the outcome, as in the JSON.
    """

    time: float
    contacts: tuple[str, ...]
    q: Array
    velocity_minus: Array
    velocity_plus: Array
    energy_before: float
    energy_after: float
    impulses: list[Array]
    status: str
    certificate: dict[str, Any]


@dataclass(frozen=True, eq=False)
class Run:
    """A simulated motion: S samples of n positions, exact times of impacts, and what happened to the energy.

    Attributes:
        law: The law's name.
        status: How it ended: ``completed``, ``at-rest``, ``overturned``, …
        time: Times of the samples (S,) [s].
        q: Positions (S, n), in the order of ``names`` [m, rad; quaternions without unit].
        u: Velocities (S, n), in space fewer, in the order of ``velocity_names`` [m/s, rad/s].
        names: Names of the positions: ``block.x``, ``block.y``, ``block.theta``.
        velocity_names: Names of the velocities: ``NAME_rate`` in the plane; in space rotations have four positions
            and three velocities.
        contacts: Names of the c contacts.
        forces: Normal and tangential force of each contact (S, c, 2) [N]; of redundant contacts only the sum counts.
        energy: Energies and works since the start, each (S,) [J]: kinetic, potential, friction, supports, damping,
            applied, impacts; total is kinetic + potential.
        peaks: Largest sizes. Found within the steps, exactly: of each contact ``NAME.force`` and ``NAME.tangential``
            [N], ``NAME.uplift`` (gap) and ``NAME.slip`` [m]; of an only body ``angle`` [rad], and of a block
            ``tilt``, that over the angle of balance. Among the samples and the two sides of every impact: each
            position and velocity, by its name.
        peak_times: When they occur [s], by the same names.
        supports: Displacement since the start (S, 2), in space (S, 3), [m] of each support that moves.
        solver: How the steps of time-stepping since the sample before were solved, each (S,), without unit: number of
            ``steps``, most ``contacts`` and joints of one, ``iterations`` of all, largest ``residual``; empty by events.
        impacts: The impacts, in order.
        record: What ``delassus run --json`` prints.
    """

    law: str
    status: str
    time: Array
    q: Array
    u: Array
    names: tuple[str, ...]
    velocity_names: tuple[str, ...]
    contacts: tuple[str, ...]
    forces: Array
    energy: dict[str, Array]
    peaks: dict[str, float]
    peak_times: dict[str, float]
    supports: dict[str, Array]
    solver: dict[str, Array]
    impacts: list[RunImpact] = field(repr=False)
    record: dict[str, Any] = field(repr=False)
    _law: Law | None = field(default=None, repr=False)
    _native: _Motion | None = field(default=None, repr=False)
    # What was asked, so that it can be asked again after a pickle.
    _asked: _Asked | None = field(default=None, repr=False)

    def __copy__(self) -> Run:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Run:
        return dataclasses.replace(self, **{
            key: copy.deepcopy(value, memo) for key, value in self.__dict__.items() if key not in ("_native", "_law", "_asked")
        })

    def __getstate__(self) -> dict[str, Any]:
        # What the figure is drawn from stays here.
        return {**self.__dict__, "_native": None}

    def _drawable(self, time_limit: float | None = None) -> _Motion:
        """What figures are drawn from. A motion from a pickle is computed again, with a time limit [s] of its own where
        one is given."""
        if self._native is not None:
            return self._native
        if self._asked is None:
            raise ProblemError("the motion comes from a pickle that does not tell how it was computed; run it again")
        asked = self._asked if time_limit is None else dataclasses.replace(self._asked, time_limit=time_limit)
        found = asked.simulate()
        if not (np.array_equal(found.time, self.time) and np.array_equal(found.q, self.q)):
            late = "" if time_limit is None else f" or takes longer than {time_limit:g} s"
            raise ProblemError(f"the motion comes from a pickle, and computing it again gives another one here{late}")
        object.__setattr__(self, "_native", found)
        return found

    @property
    def svg(self) -> str:
        """Positions, velocities and energies over time as the program draws them, the text of an SVG. A motion from a pickle
        is computed again for it, once."""
        return self._drawable().svg()

    @property
    def warnings(self) -> list[str]:
        """What should be known of the motion, in words."""
        return list(self.record["warnings"])

    @property
    def closure(self) -> float:
        """How well the energies close: the largest relative difference between their change and the works, a
        number without unit."""
        return float(self.record["energy"]["closure"])

    @property
    def reliable_until(self) -> float | None:
        """The time up to which a run at a tenth of the tolerance agrees [s]; None unless ``sensitivity`` was asked for."""
        found: dict[str, Any] | None = self.record.get("sensitivity")
        return None if found is None else float(found["agree_until"])

    def impact_problem(self, index: int) -> Problem:
        """The impact of that number, the first is 0, as a problem with its law, to be looked at under any other.

        The motion is computed again up to there. Time-stepping, which resolves all contacts of a step at once, has no
        such problems.

        >>> import delassus
        >>> block = {"rocking_block": {"width": 0.24, "height": 0.48, "mass": 2.0, "angle": 0.12},
        ...          "material": [{"friction": 0.5}], "until": {"impacts": 3}}
        >>> motion = delassus.run(block, law="poisson")
        >>> again = motion.impact_problem(1).resolve()
        >>> again.law, bool(abs(again.velocity - motion.impacts[1].velocity_plus).max() < 1e-12)
        ('poisson', True)
        """
        count = len(self.impacts)
        place = index + count if index < 0 else index
        text = self._drawable().impact_text(place) if 0 <= place < count else None
        if text is None:
            steps = "; time-stepping keeps none" if 0 <= place < count else ""
            message = f"index = {index!r}: the motion has {count} impacts{steps}"
            raise ProblemError(message, "index", repr(index), "out-of-range")
        found = Problem.parse(text)
        if self._law is not None and found.law is not None and self._law.name == found.law.name:
            found = Problem.from_dict({**found.to_dict(), "law": self._law.to_dict()})
        return found

    def to_dict(self) -> dict[str, Any]:
        """What ``delassus run --json`` prints."""
        copied: dict[str, Any] = json.loads(json.dumps(self.record))
        return copied

    def to_pandas(self) -> pd.DataFrame:
        """A table with one line for each sample (needs pandas), with the columns of the program's trajectory.csv."""
        import pandas as pd

        columns: dict[str, Array] = {"time": self.time}
        columns.update({name: self.q[:, i] for i, name in enumerate(self.names)})
        columns.update({name: self.u[:, i] for i, name in enumerate(self.velocity_names)})
        for c, name in enumerate(self.contacts):
            columns[f"{name}.normal"], columns[f"{name}.tangential"] = self.forces[:, c, 0], self.forces[:, c, 1]
        columns.update({name: self.energy[name] for name in _ENERGIES})
        for name, place in self.supports.items():
            columns |= {f"{name}.{axis}": place[:, k] for k, axis in enumerate("xyz"[: place.shape[1]])}
        columns |= {f"solver.{name}": values for name, values in self.solver.items()}
        return pd.DataFrame(columns)

    def to_xarray(self) -> xr.Dataset:
        """A data set over time (needs xarray)."""
        import xarray as xr

        variables: dict[str, Any] = {
            "q": (("time", "position"), self.q),
            "u": (("time", "velocity"), self.u),
            "force": (("time", "contact", "direction"), self.forces),
            **{f"energy_{name}": ("time", values) for name, values in self.energy.items()},
            **{f"solver_{name}": ("time", values) for name, values in self.solver.items()},
        }
        if self.supports:
            variables["support"] = (("time", "ground", "axis"), np.stack(list(self.supports.values()), axis=1))
        coordinates: dict[str, Any] = {
            "time": self.time,
            "position": list(self.names),
            "velocity": list(self.velocity_names),
            "contact": list(self.contacts),
            "direction": ["normal", "tangential"],
        }
        if self.supports:
            coordinates |= {"ground": list(self.supports), "axis": list("xyz"[: variables["support"][1].shape[2]])}
        return xr.Dataset(variables, coords=coordinates, attrs={"law": self.law, "status": self.status})

    def plot(self, name: str | None = None, ax: Axes | None = None) -> Axes:
        """Draws a position over time, by default the one that moves most, with the times of the impacts (needs
        matplotlib)."""
        if name is None:
            name = self.names[int(np.argmax(np.ptp(self.q, axis=0)))]
        if name not in self.names:
            message = f"name = {name!r}: must be one of {', '.join(self.names)}"
            raise ProblemError(message, "name", repr(name), "unknown")
        ax = _plot.axes(ax)
        values = self.q[:, self.names.index(name)]
        ax.plot(self.time, values, color=_plot.SERIES[0])
        times = [impact.time for impact in self.impacts]
        ax.plot(times, np.interp(times, self.time, values), "o", markersize=3, color=_plot.SERIES[1], label="impact")
        ax.set_xlabel("t [s]")
        ax.set_ylabel(name)
        if times:
            ax.legend(frameon=False)
        return ax

    def __repr__(self) -> str:
        end = float(self.record["time"])
        return f"Run(law={self.law!r}, status={self.status!r}, {end:g} s, {len(self.impacts)} impacts)"

    def _repr_html_(self) -> str:
        title = f"{self.record.get('name') or 'motion'} under {self.law}: {self.status} after {self.record['time']:g} s"
        rows: list[dict[str, object]] = [
            {
                "impact": k,
                "t [s]": impact.time,
                "contacts": ", ".join(impact.contacts),
                "T⁻ [J]": impact.energy_before,
                "T⁺ [J]": impact.energy_after,
                "status": impact.status,
            }
            for k, impact in enumerate(self.impacts[:10])
        ]
        try:
            # A notebook shows it without being asked: what takes long is not computed again.
            figure = self._drawable(_PATIENCE).svg()
        except (ProblemError, OSError) as error:
            figure = f"<p>No figure: {_html.text(str(error))}</p>"
        return f"<p>{_html.text(title)}; {len(self.impacts)} impacts</p>" + (_html.table(rows) if rows else "") + figure


_PROBLEM = re.compile(r'^\s*\[\[contact\]\]|"contact"\s*:', re.MULTILINE)


_ARGUMENTS = ("source", "law", "samples", "iterations", "time_limit", "sensitivity")


def run(
    source: str | os.PathLike[str] | Mapping[str, object],
    law: LawLike | None = None,
    *,
    samples: int = 1000,
    iterations: int | None = None,
    time_limit: float | None = None,
    sensitivity: bool = False,
    **law_data: object,
) -> Run:
    """Simulates a scenario with exact times of impacts, stick and slip.

    ``source``: the path of a scenario file, what such a file holds as a dictionary, or its text. ``law``: by default the
    file's, else Newton's; everything else is data of the law. ``samples``: how many, unless the file gives their
    interval. ``iterations`` and ``time_limit`` [s] bound the work. ``sensitivity``: run again at a tenth of the
    tolerance and from a start that differs in the last digits, and tell in :attr:`Run.reliable_until` up to which time both
    agree.

    >>> import delassus
    >>> block = '''
    ... [rocking_block]
    ... width = 0.24
    ... height = 0.48
    ... mass = 2.0
    ... angle = 0.12
    ... [material]
    ... friction = 0.5
    ... [until]
    ... impacts = 3
    ... '''
    >>> motion = delassus.run(block, law="poisson")
    >>> motion.status, motion.names, len(motion.impacts)
    ('completed', ('block.x', 'block.y', 'block.theta'), 3)
    """
    given = _source.read(source)
    count = whole(samples, "samples") or 1000
    chosen = None if law is None else as_law(law, law_data, _ARGUMENTS)
    if law is None and law_data:
        key = next(iter(law_data))
        error = ProblemError(f"{key}: data of a law, and no law is given", key)
        raise misspelt(error, law_data, _ARGUMENTS)
    by_name = isinstance(law, str) and not law_data
    asked = _Asked(
        given.text, given.file, os.path.abspath(given.folder), chosen, by_name, count, whole(iterations, "iterations"),
        seconds(time_limit), sensitivity,
    )
    try:
        motion = asked.simulate()
    except ProblemError as error:
        if _PROBLEM.search(given.text):
            message = f"{error} (it looks like an impact problem, which delassus.Problem.load reads)"
            raise ProblemError(message, error.field, error.value, error.kind) from None
        raise
    record: dict[str, Any] = json.loads(motion.json)
    energy = {name: motion.energies[:, i] for i, name in enumerate(_ENERGIES)}
    energy["total"] = energy["kinetic"] + energy["potential"]
    impacts = [_impact(impact) for impact in record["impacts"]]
    peaks = _peaks(motion, record["peaks"], impacts)
    places = motion.displacements.reshape(len(motion.time), max(len(motion.supports), 1), -1)
    return Run(
        law=record["law"],
        status=record["status"],
        time=motion.time,
        q=motion.q,
        u=motion.u,
        names=tuple(motion.names),
        velocity_names=tuple(motion.velocity_names),
        contacts=tuple(motion.contacts),
        forces=motion.forces.reshape(len(motion.time), -1, 2),
        energy=energy,
        peaks={name: value for name, (value, _) in peaks.items()},
        peak_times={name: time for name, (_, time) in peaks.items()},
        supports={name: places[:, k] for k, name in enumerate(motion.supports)},
        solver={name: motion.solver[:, k] for k, name in enumerate(_SOLVER) if motion.solver.shape[1]},
        impacts=impacts,
        record=record,
        _law=None if by_name else chosen,
        _native=motion,
        _asked=asked,
    )


def _impact(found: dict[str, Any]) -> RunImpact:
    return RunImpact(
        time=found["time"],
        contacts=tuple(found["contacts"]),
        q=np.array(found["q"], dtype=np.float64),
        velocity_minus=np.array(found["velocity_minus"], dtype=np.float64),
        velocity_plus=np.array(found["velocity_plus"], dtype=np.float64),
        energy_before=found["kinetic_energy"]["before"],
        energy_after=found["kinetic_energy"]["after"],
        impulses=[np.array(part, dtype=np.float64) for part in found["impulses"]],
        status=found["status"],
        certificate=found["certificate"],
    )


def _peaks(motion: _native.Motion, exact: dict[str, Any], impacts: list[RunImpact]) -> dict[str, tuple[float, float]]:
    """Largest sizes and their times, by name."""
    times = np.concatenate([motion.time, [i.time for i in impacts], [i.time for i in impacts]])
    positions = np.concatenate([motion.q, *([i.q] for i in impacts), *([i.q] for i in impacts)])
    sides = [[i.velocity_minus] for i in impacts] + [[i.velocity_plus] for i in impacts]
    velocities = np.concatenate([motion.u, *sides])
    found: dict[str, tuple[float, float]] = {}
    for names, values in ((motion.names, positions), (motion.velocity_names, velocities)):
        for name, column in zip(names, np.abs(values).T, strict=True):
            largest = int(column.argmax())
            found[name] = float(column[largest]), float(times[largest])
    for key in ("angle", "tilt"):
        if key in exact:
            found[key] = exact[key]["value"], exact[key]["time"]
    for contact in exact["contacts"]:
        for key in ("force", "tangential", "uplift", "slip"):
            found[f"{contact['name']}.{key}"] = contact[key]["value"], contact[key]["time"]
    return found
