"""A sample of what users write; mypy checks its types, nothing runs it."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

import delassus


def restitution_of(problem: delassus.Problem, law: str) -> npt.NDArray[np.float64]:
    out: delassus.Outcome = problem.resolve(law, solutions="all", time_limit=1.0)
    if out.status != "solved" or not out.certificate.consistent:
        raise RuntimeError(out.reason or out.status)
    change: float = out.energy.change
    states: list[str | None] = [element.state for element in out.elements]
    print(change, states, out.elements["C"].impulse, [other.distance for other in out.alternatives])
    ratio: npt.NDArray[np.float64] = -out.gamma_plus / out.gamma_minus
    return ratio


def all_laws(problem: delassus.Problem) -> dict[str, npt.NDArray[np.float64]]:
    return {law: out.velocity for law, out in problem.resolve_all().items()}


def many(mass: npt.NDArray[np.float64], velocity: npt.NDArray[np.float64]) -> npt.NDArray[np.bool_]:
    batch: delassus.Batch = delassus.resolve_batch(
        mass, velocity, normal=[[0.0, 1.0]], tangent=[[1.0, 0.0]], friction=0.3, law=delassus.Law("newton"), threads=2
    )
    residual: npt.NDArray[np.float64] = batch.certificate["momentum"]
    words: npt.NDArray[np.str_] = batch.status
    print(residual.max(), words[0], batch.reasons.get(0, ""), len(batch))
    return batch.solved


def build() -> delassus.Problem:
    contact = delassus.Contact("C", np.array([0.0, 1.0]), tangent=[[1.0, 0.0]], friction=(0.3, 0.2))
    joint = delassus.Joint("J", {0: 1.0, 1: -1.0})
    clutch = delassus.Clutch("K", [1, 0])
    # Whatever is given, arrays and numbers are read.
    joint.direction = [[1.0, 0.0], [0.0, 1.0]]
    contact.offset = 0.1
    directions: list[npt.NDArray[np.float64]] = [contact.normal, clutch.direction, joint.direction]
    restitution: float = contact.restitution + clutch.offset
    tangent: npt.NDArray[np.float64] | None = contact.tangent
    print(directions, restitution, tangent)
    try:
        return delassus.Problem([1, 2], [0.0, -1.0], [contact], joints=[joint], clutches=[clutch], name="sample")
    except delassus.ProblemError as error:
        field: str = error.field
        raise SystemExit(field) from error


def motions(file: str) -> float:
    run: delassus.Run = delassus.run(file, law="lzb", exponent=1.5, samples=500)
    times: list[float] = [impact.time for impact in run.impacts]
    total: npt.NDArray[np.float64] = run.energy["total"]
    found: delassus.Map = delassus.map(file, ("rod.angle", 0, "pi", 40), ("rod.friction", 0.0, 1.0, 40), law="newton")
    points: npt.NDArray[np.float64] = found.boundaries[0].points
    verdicts: list[str] = [study.verdict for study in delassus.reproduce("glocker-2014")]
    print(times, total, points, verdicts, run.peaks.get("tilt"))
    return float(run.time[-1])


angles: npt.NDArray[np.float64] = delassus.angles(build()).angles
version: str = delassus.__version__
