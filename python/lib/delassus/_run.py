"""Motions."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from delassus import _html, _native, _source
from delassus._arrays import Array, whole
from delassus._errors import ProblemError
from delassus._law import LawLike, as_law

if TYPE_CHECKING:
    import pandas as pd
    import xarray as xr
    from matplotlib.axes import Axes

_ENERGIES = ("kinetic", "potential", "friction", "supports", "damping", "applied", "impacts")


@dataclass(frozen=True, eq=False)
class RunImpact:
    """One impact of a motion."""

    time: float
    """When [s]."""
    contacts: tuple[str, ...]
    """Names of the contacts that took part."""
    q: Array
    """Positions (n,)."""
    velocity_minus: Array
    """u⁻ (n,)."""
    velocity_plus: Array
    """u⁺ (n,)."""
    energy_before: float
    """Kinetic energy T⁻ [J]."""
    energy_after: float
    """T⁺ [J]."""
    impulses: list[Array]
    """Normal and tangential impulse of each contact."""
    status: str
    """As of an outcome."""
    certificate: dict[str, Any]
    """Checks of the outcome, as in the JSON."""


@dataclass(frozen=True, eq=False)
class Run:
    """A simulated motion: S samples of n positions, exact times of impacts, and what happened to the energy."""

    law: str
    """The law's name."""
    status: str
    """How it ended: ``completed``, ``at-rest``, ``overturned``, …"""
    time: Array
    """Times of the samples (S,) [s]."""
    q: Array
    """Positions (S, n)."""
    u: Array
    """Velocities (S, n), in the order of :attr:`velocity_names`."""
    names: tuple[str, ...]
    """Names of the positions."""
    velocity_names: tuple[str, ...]
    """Names of the velocities: ``NAME_rate`` in the plane; in space rotations have four positions and three velocities."""
    contacts: tuple[str, ...]
    """Names of the contacts."""
    forces: Array
    """Normal and tangential force of each contact (S, c, 2) [N]; of redundant contacts only the sum counts."""
    energy: dict[str, Array]
    """Energies and works since the start, each (S,) [J]: kinetic, potential, friction, supports, damping, applied,
    impacts; total is kinetic + potential."""
    peaks: dict[str, float]
    """Largest size of each position and velocity (``NAME_rate``) among the samples; ``tilt``: the largest angle of a
    rocking block over that of balance."""
    impacts: list[RunImpact] = field(repr=False)
    """The impacts, in order."""
    record: dict[str, Any] = field(repr=False)
    """What ``delassus run --json`` prints."""
    _native: _native.Motion | None = field(default=None, repr=False)

    def __getstate__(self) -> dict[str, Any]:
        # What the figure is drawn from stays here.
        return {**self.__dict__, "_native": None}

    @property
    def svg(self) -> str | None:
        """Positions, velocities and energies over time as the program draws them; None after a pickle."""
        return None if self._native is None else self._native.svg()

    @property
    def warnings(self) -> list[str]:
        """What should be known of the motion, in words."""
        return list(self.record["warnings"])

    @property
    def closure(self) -> float:
        """How well the energies close: the largest relative difference between their change and the works."""
        return float(self.record["energy"]["closure"])

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
        return pd.DataFrame(columns)

    def to_xarray(self) -> xr.Dataset:
        """A data set over time (needs xarray)."""
        import xarray as xr

        variables = {
            "q": (("time", "position"), self.q),
            "u": (("time", "velocity"), self.u),
            "force": (("time", "contact", "direction"), self.forces),
            **{f"energy_{name}": ("time", values) for name, values in self.energy.items()},
        }
        coordinates = {
            "time": self.time,
            "position": list(self.names),
            "velocity": list(self.velocity_names),
            "contact": list(self.contacts),
            "direction": ["normal", "tangential"],
        }
        return xr.Dataset(variables, coords=coordinates, attrs={"law": self.law, "status": self.status})

    def plot(self, name: str | None = None, ax: Axes | None = None) -> Axes:
        """Draws a position over time, by default the one that moves most, with the times of the impacts (needs
        matplotlib)."""
        import matplotlib.pyplot as plt

        if name is None:
            name = self.names[int(np.argmax(np.ptp(self.q, axis=0)))]
        if name not in self.names:
            message = f"name = {name!r}: must be one of {', '.join(self.names)}"
            raise ProblemError(message, "name", repr(name), "unknown")
        if ax is None:
            _, ax = plt.subplots()
        values = self.q[:, self.names.index(name)]
        ax.plot(self.time, values, linewidth=1.2)
        times = [impact.time for impact in self.impacts]
        ax.plot(times, np.interp(times, self.time, values), "o", markersize=3, color="C3", label="impact")
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
        return f"<p>{_html.text(title)}; {len(self.impacts)} impacts</p>" + (_html.table(rows) if rows else "") + (self.svg or "")


def run(
    source: str | os.PathLike[str] | Mapping[str, object],
    law: LawLike | None = None,
    *,
    samples: int = 1000,
    iterations: int | None = None,
    time_limit: float | None = None,
    **law_data: object,
) -> Run:
    """Simulates a scenario with exact times of impacts, stick and slip.

    ``source``: the path of a scenario file, what such a file holds as a dictionary, or its text. ``law``: by default the
    file's, else Newton's; everything else is data of the law. ``samples``: how many, unless the file gives their
    interval. ``iterations`` and ``time_limit`` [s] bound the work.

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
    chosen = None if law is None else as_law(law, law_data)
    if law is None and law_data:
        key = next(iter(law_data))
        raise ProblemError(f"{key}: data of a law, and no law is given", key)
    by_name = isinstance(law, str) and not law_data
    native = None if chosen is None else chosen._native
    motion = _native.simulate(
        given.text, given.file, given.folder, native, by_name, count, False, whole(iterations, "iterations"), time_limit
    )
    record: dict[str, Any] = json.loads(motion.json)
    energy = {name: motion.energies[:, i] for i, name in enumerate(_ENERGIES)}
    energy["total"] = energy["kinetic"] + energy["potential"]
    peaks = {name: float(np.abs(motion.q[:, i]).max()) for i, name in enumerate(motion.names)}
    peaks.update({name: float(np.abs(motion.u[:, i]).max()) for i, name in enumerate(motion.velocity_names)})
    if motion.tilt is not None:
        peaks["tilt"] = motion.tilt
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
        peaks=peaks,
        impacts=[
            RunImpact(
                time=impact["time"],
                contacts=tuple(impact["contacts"]),
                q=np.array(impact["q"], dtype=np.float64),
                velocity_minus=np.array(impact["velocity_minus"], dtype=np.float64),
                velocity_plus=np.array(impact["velocity_plus"], dtype=np.float64),
                energy_before=impact["kinetic_energy"]["before"],
                energy_after=impact["kinetic_energy"]["after"],
                impulses=[np.array(part, dtype=np.float64) for part in impact["impulses"]],
                status=impact["status"],
                certificate=impact["certificate"],
            )
            for impact in record["impacts"]
        ],
        record=record,
        _native=motion,
    )
