from collections.abc import Sequence
from typing import TypeAlias, final

import numpy as np
import numpy.typing as npt

_Array: TypeAlias = npt.NDArray[np.float64]
_Field: TypeAlias = tuple[_Array, bool]
_Shape: TypeAlias = tuple[int, int, int, int]

__all__ = [
    "BATCH_STATUSES",
    "Law",
    "Map",
    "Motion",
    "Outcome",
    "Problem",
    "Sweep",
    "VERSION",
    "angles",
    "laws",
    "map_study",
    "problem_from_arrays",
    "program",
    "reproduce_studies",
    "resolve_batch",
    "simulate",
    "studies",
]

VERSION: str
BATCH_STATUSES: list[str]

@final
class Law:
    def __new__(cls, table: str) -> Law: ...
    @property
    def name(self) -> str: ...

@final
class Map:
    @property
    def title(self) -> str: ...
    @property
    def laws(self) -> list[str]: ...
    @property
    def x(self) -> _Array: ...
    @property
    def y(self) -> _Array: ...
    @property
    def values(self) -> _Array | None: ...
    @property
    def regimes(self) -> npt.NDArray[np.uint32]: ...
    @property
    def names(self) -> list[str]: ...
    @property
    def between(self) -> list[tuple[int, int]]: ...
    @property
    def curves(self) -> list[_Array]: ...
    @property
    def rough(self) -> int: ...
    @property
    def defined(self) -> int: ...
    @property
    def unsolved(self) -> int: ...

@final
class Motion:
    @property
    def json(self) -> str: ...
    @property
    def names(self) -> list[str]: ...
    @property
    def contacts(self) -> list[str]: ...
    @property
    def time(self) -> _Array: ...
    @property
    def q(self) -> _Array: ...
    @property
    def u(self) -> _Array: ...
    @property
    def forces(self) -> _Array: ...
    @property
    def energies(self) -> _Array: ...
    @property
    def tilt(self) -> float | None: ...

@final
class Outcome:
    @property
    def law(self) -> str: ...
    @property
    def verdict(self) -> tuple[str, str]: ...
    @property
    def status(self) -> str: ...
    @property
    def velocity(self) -> _Array: ...
    @property
    def impulses(self) -> _Array: ...
    @property
    def gamma_minus(self) -> _Array: ...
    @property
    def gamma_plus(self) -> _Array: ...
    def to_json(self) -> str: ...

@final
class Problem:
    def __new__(
        cls,
        name: str,
        mass_entries: _Array,
        velocity: _Array,
        contacts: Sequence[object],
        clutches: Sequence[object],
        joints: Sequence[object],
        impulse: _Array | None,
    ) -> Problem: ...
    @staticmethod
    def parse(text: str, file: str) -> list[Problem]: ...
    def to_json(self) -> str: ...
    @property
    def law(self) -> str | None: ...
    @property
    def name(self) -> str: ...
    @property
    def coordinates(self) -> int: ...
    @property
    def rows(self) -> int: ...
    @property
    def mass(self) -> _Array: ...
    @property
    def velocity(self) -> _Array: ...
    @property
    def gamma_minus(self) -> _Array: ...
    @property
    def directions(self) -> _Array: ...
    @property
    def operator(self) -> _Array: ...
    def resolve(
        self,
        law: Law,
        solutions: str,
        path: bool,
        iterations: int | None,
        time_limit: float | None,
        tolerant: bool,
    ) -> Outcome: ...

def angles(problem: Problem) -> str: ...
def laws() -> list[str]: ...
def studies() -> list[tuple[str, str]]: ...
def reproduce_studies(ids: Sequence[str], threads: int | None) -> str: ...
def simulate(
    text: str,
    file: str,
    folder: str,
    law: Law | None,
    by_name: bool,
    samples: int,
    iterations: int | None,
    time_limit: float | None,
) -> Motion: ...
@final
class Sweep:
    def __new__(
        cls,
        text: str,
        file: str,
        folder: str,
        named: Sequence[Law],
        by_name: bool,
        vary: Sequence[str],
        measures: Sequence[str],
        samples: int | None,
        sobol: bool,
        seed: int,
        iterations: int | None,
    ) -> Sweep: ...
    @property
    def cases(self) -> int: ...
    @property
    def columns(self) -> list[str]: ...
    @property
    def head(self) -> str: ...
    def rows(self, first: int, last: int, threads: int | None) -> list[tuple[str, list[float | str]]]: ...

def map_study(
    text: str,
    file: str,
    folder: str,
    named: Sequence[Law],
    by_name: bool,
    x: tuple[str, float, float, int],
    y: tuple[str, float, float, int],
    measure: str,
    iterations: int | None,
    threads: int | None,
) -> Map: ...
def program(args: Sequence[str]) -> int: ...
def problem_from_arrays(
    shape: _Shape,
    diagonal: bool,
    mass: _Field,
    velocity: _Field,
    normal: _Field,
    tangent: _Field,
    friction: _Field,
    restitution: _Field,
    restitution_tangential: _Field,
) -> Problem: ...
def resolve_batch(
    law: Law,
    shape: _Shape,
    diagonal: bool,
    mass: _Field,
    velocity: _Field,
    normal: _Field,
    tangent: _Field,
    friction: _Field,
    restitution: _Field,
    restitution_tangential: _Field,
    solutions: str,
    threads: int | None,
) -> tuple[_Array, _Array, _Array, _Array, _Array, npt.NDArray[np.uint8], npt.NDArray[np.uint8], list[tuple[int, str]]]: ...
