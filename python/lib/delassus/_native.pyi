from collections.abc import Callable, Sequence
from typing import TypeAlias, final

import numpy as np
import numpy.typing as npt

_Array: TypeAlias = npt.NDArray[np.float64]
_Field: TypeAlias = tuple[_Array, bool]
_Codes: TypeAlias = npt.NDArray[np.uint8]
_Columns: TypeAlias = tuple[_Array, _Array, _Array, _Array, _Array, _Codes, _Codes]
_Shape: TypeAlias = tuple[int, int, int, int]

__all__ = [
    "BATCH_STATUSES",
    "ContactAnswer",
    "FOUND",
    "Law",
    "Map",
    "Motion",
    "Outcome",
    "Problem",
    "Sweep",
    "VERSION",
    "angles",
    "fit_model",
    "fragility",
    "impact_svg",
    "incremental",
    "laws",
    "map_study",
    "map_svg",
    "motion_page",
    "problem_from_arrays",
    "program",
    "read_table",
    "regime_colors",
    "reproduce_studies",
    "resolve_batch",
    "score_laws",
    "simulate",
    "solve_contact_arrays",
    "solve_contact_file",
    "studies",
]

VERSION: str
BATCH_STATUSES: list[str]
FOUND: list[str]

_Free: TypeAlias = tuple[str, tuple[float, float] | None]
_Settings: TypeAlias = tuple[str, float, int | None, float | None]

@final
class ContactAnswer:
    @property
    def status(self) -> str: ...
    @property
    def contacts(self) -> int: ...
    @property
    def method(self) -> str: ...
    @property
    def residual(self) -> float: ...
    @property
    def iterations(self) -> int: ...
    @property
    def seconds(self) -> float: ...
    @property
    def impulse(self) -> _Array: ...
    @property
    def velocity(self) -> _Array: ...

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
    @property
    def coordinate(self) -> tuple[str, str] | None: ...

@final
class Motion:
    @property
    def json(self) -> str: ...
    @property
    def names(self) -> list[str]: ...
    @property
    def velocity_names(self) -> list[str]: ...
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
    def solver(self) -> _Array: ...
    @property
    def energies(self) -> _Array: ...
    @property
    def supports(self) -> list[str]: ...
    @property
    def displacements(self) -> _Array: ...
    def svg(self) -> str: ...
    def impact_text(self, index: int) -> str | None: ...

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
    drawn: bool,
    iterations: int | None,
    time_limit: float | None,
    sensitivity: bool,
) -> Motion: ...
@final
class Sweep:
    def __new__(
        cls,
        text: str,
        file: str,
        folder: str,
        here: str,
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
    def svg(self, rows: Sequence[Sequence[str]]) -> str | None: ...
    @property
    def identity(self) -> str: ...
    def entries(self, lines: Sequence[str]) -> list[list[float | str] | None]: ...
    def rows(
        self,
        first: int,
        last: int,
        threads: int | None,
        known: Sequence[int] = ...,
        kept: Callable[[list[str]], object] | None = None,
    ) -> list[tuple[str, list[float | str]]]: ...

def motion_page(motions: Sequence[Motion], command: str, input: Sequence[tuple[str, str]]) -> str: ...
def read_table(text: str, file: str) -> list[tuple[str, list[float]]]: ...
def fit_model(
    columns: Sequence[tuple[str, Sequence[float]]],
    text: str,
    file: str,
    folder: str,
    law: Law | None,
    by_name: bool,
    free: Sequence[_Free],
    looks: int | None,
    seed: int,
) -> tuple[str, str]: ...
def score_laws(
    text: str, file: str, laws: Sequence[Law], folds: int, free: Sequence[_Free], seed: int
) -> tuple[str, str]: ...
def solve_contact_file(file: str, settings: _Settings) -> ContactAnswer: ...
def solve_contact_arrays(
    rows: npt.NDArray[np.int64],
    columns: npt.NDArray[np.int64],
    values: _Array,
    vector: _Array,
    friction: _Array,
    settings: _Settings,
) -> ContactAnswer: ...
def impact_svg(outcomes: Sequence[Outcome]) -> str | None: ...
def map_svg(
    title: str,
    measure: str,
    x: tuple[str, Sequence[float]],
    y: tuple[str, Sequence[float]],
    values: Sequence[float],
    regimes: Sequence[int],
    names: Sequence[str],
    curves: Sequence[tuple[tuple[int, int], Sequence[Sequence[float]]]],
    coordinate: tuple[str, str] | None,
) -> str: ...
def regime_colors(names: Sequence[str]) -> list[str]: ...
def fragility(
    key: str, counts: Sequence[tuple[float, int, int]], at: Sequence[float]
) -> tuple[
    tuple[float, list[float], float, list[float]] | None, str | None, str | None, list[tuple[float, float, float]], str
]: ...
def incremental(
    key: str, measure: str, points: Sequence[tuple[str, float, float, bool]]
) -> tuple[list[tuple[str, float | None, bool]], list[tuple[float, list[float]]], list[float], str]: ...
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
    boundaries: bool | None,
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
    columns: _Columns,
) -> list[tuple[int, str]]: ...
