"""Speeds of the package, beside what numpy needs for the simplest of these problems.

    python python/speed.py [COUNT]

Processor time of one thread: of batches the best of five, of single calls the median of fifty hundreds. Numpy solves
M x = w for every row and turns the velocity around without friction, case distinctions or checks: a lower bound of what a
user would write.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

import delassus

Array = npt.NDArray[np.float64]


def best(work: Callable[[], object], repeat: int = 5) -> float:
    """Seconds of processor time."""
    found = []
    for _ in range(repeat):
        begin = time.process_time()
        work()
        found.append(time.process_time() - begin)
    return min(found)


def by_numpy(mass: Array, velocity: Array, normal: Array, restitution: float) -> Array:
    """Newton's law of one contact without friction."""
    response = np.linalg.solve(mass, normal[..., None])[..., 0]
    gamma = np.einsum("ki,ki->k", normal, velocity)
    operator = np.einsum("ki,ki->k", normal, response)
    impulse: Array = -(1.0 + restitution) * np.minimum(gamma, 0.0) / operator
    return velocity + impulse[:, None] * response


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    random = np.random.default_rng(7)
    a = random.uniform(-1.0, 1.0, (count, 3, 3))
    mass = a @ a.transpose(0, 2, 1) + 0.5 * np.eye(3)
    normal, tangent = random.uniform(-1.0, 1.0, (2, count, 1, 3))
    velocity = 0.3 * random.uniform(-1.0, 1.0, (count, 3)) - normal[:, 0]

    ours = delassus.resolve_batch(mass, velocity, normal, restitution=0.5, threads=1)
    assert np.allclose(ours.velocity, by_numpy(mass, velocity, normal[:, 0], 0.5))
    numpy_seconds = best(lambda: by_numpy(mass, velocity, normal[:, 0], 0.5))
    print(f"numpy, no friction, no checks      {count / numpy_seconds / 1e6:6.2f} M/s")

    def batch(name: str, **data: object) -> None:
        seconds = best(lambda: delassus.resolve_batch(mass, velocity, normal, threads=1, **data))  # type: ignore[arg-type]
        ratio = numpy_seconds / seconds
        print(f"{name:34} {count / seconds / 1e6:6.2f} M/s, {ratio:.1f} times numpy's speed")

    batch("newton, no friction", restitution=0.5)
    friction = {"tangent": tangent, "friction": 0.3, "restitution": 0.5, "restitution_tangential": 0.2}
    batch("newton, friction", **friction)
    batch("poisson, friction", **friction, law="poisson")

    kane = delassus.Problem.kane()
    arrays = kane.mass, kane.velocity, kane.directions[:, 0].copy(), kane.directions[:, 1].copy()

    def usual(work: Callable[[], object]) -> float:
        found = [best(lambda: [work() for _ in range(100)], 1) / 100 for _ in range(50)]
        return sorted(found)[len(found) // 2]

    one_by_numpy = usual(lambda: by_numpy(arrays[0][None], arrays[1][None], arrays[2][None], 0.5))
    print(f"numpy, one impact                  {one_by_numpy * 1e6:6.1f} µs")
    for law in ("newton", "poisson", "lzb"):
        seconds = usual(lambda: delassus.resolve(*arrays, 0.5, 0.5, law).velocity)
        print(f"resolve, {law:25} {seconds * 1e6:6.1f} µs, {one_by_numpy / seconds:.1f} times numpy's speed")
    script = "import time; b = time.process_time(); import delassus; print(time.process_time() - b)"
    loads = [float(subprocess.check_output([sys.executable, "-c", script])) for _ in range(5)]
    print(f"import                             {min(loads) * 1e3:6.1f} ms, numpy comes with the first call")


if __name__ == "__main__":
    main()
