"""What engines cost: overhead of a task, and how much of the time of two workers is work.

    python python/engines.py [CASES]

A sweep of rocking blocks is computed on one thread here, then by two worker processes of Dask and of Ray. Two processes
without an engine, half of the sweep each, tell what the machine itself loses: two processors may be two threads of one core.
Efficiency is told three times: by the clock against these two processes (their time over that of two workers), by the clock
against one thread (its time over twice the time of two workers), both of which mean something on an idle machine only, and by
processor time (that of the rows over that of all processes taking part), which
others on the machine disturb less. An engine that waits for processors that others use goes on with its upkeep
(heartbeats, monitors), so what that and the tasks cost is measured too, and from it follows the efficiency of two
workers that have their processors to themselves. The overhead of a task is what a thousand tasks that do nothing take.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from importlib import import_module
from pathlib import Path
from typing import Any

import delassus
from delassus import _engine

# Lowest and highest angle of the blocks [rad].
ANGLES = (0.02, 0.15)
BLOCK = Path(__file__).resolve().parents[1] / "scenarios" / "rocking-block.toml"
TASKS = 1000
# How long upkeep is watched [s].
WATCHED = 10.0


def swept(cases: int, angles: tuple[float, float] = ANGLES, **more: Any) -> delassus.Sweep:
    vary = {"rocking_block.angle": (*angles, cases), "until.time": [4.0]}
    return delassus.sweep(BLOCK, vary, ["tilt", "impacts"], "lzb", **more)


def half(cases: int, low: float, high: float) -> None:
    swept(cases, (low, high), threads=1)


def two_processes(cases: int) -> float:
    """Time of two processes without an engine, each with half of the cases [s]."""
    middle = 0.5 * (ANGLES[0] + ANGLES[1])
    halves = [(ANGLES[0], middle), (middle, ANGLES[1])]
    with ProcessPoolExecutor(2) as pool:
        for count in (cases // 20, cases // 2):  # first both load the package
            clock = time.perf_counter()
            for done in [pool.submit(half, count, *angles) for angles in halves]:
                done.result()
        return time.perf_counter() - clock


def nothing(study: object, first: int, last: int) -> list[int]:
    return []


def family() -> float:
    """Processor time of this process and all that it started [s]."""
    psutil: Any = import_module("psutil")
    this = psutil.Process()
    total = 0.0
    for one in [this, *this.children(recursive=True)]:
        try:
            times = one.cpu_times()
            total += times.user + times.system
        except psutil.Error:
            pass
    return total


def measured(name: str, engine: object, cases: int, alone: tuple[float, float], plain: float, expected: str) -> None:
    swept(cases // 10, engine=engine)  # workers load the package
    _engine.compute(engine, nothing, None, [(k, k) for k in range(10)])
    overhead, task, upkeep = costs(engine)
    clock, processor = time.perf_counter(), family()
    found = swept(cases, engine=engine)
    clock, processor = time.perf_counter() - clock, family() - processor
    assert found.csv == expected, "the same bytes wherever they are computed"
    by_clock, by_processor = alone[0] / (2.0 * clock), alone[1] / processor
    against = plain / clock
    print(f"{name:5} {len(found.chunks)} tasks, {clock:6.2f} s; overhead of a task {1e3 * overhead:.2f} ms; "
          f"efficiency of two workers {against:.0%} of two processes, {by_clock:.0%} of one thread by the clock, "
          f"{by_processor:.0%} by processor time")
    # Two workers share the work, so upkeep lasts half as long.
    undisturbed = alone[1] / (alone[1] + len(found.chunks) * task + 0.5 * alone[1] * upkeep)
    print(f"      a task takes {1e3 * task:.2f} ms and upkeep {upkeep:.1%} of one processor: "
          f"{undisturbed:.0%} on processors that nobody else uses")


def costs(engine: object) -> tuple[float, float, float]:
    """Of a task that does nothing, clock and processor time [s]; of upkeep, processor time a second."""
    clock, processor = time.perf_counter(), family()
    time.sleep(WATCHED)
    upkeep = (family() - processor) / (time.perf_counter() - clock)
    clock, processor = time.perf_counter(), family()
    _engine.compute(engine, nothing, None, [(k, k) for k in range(TASKS)])
    clock, processor = time.perf_counter() - clock, family() - processor
    return clock / TASKS, max(0.0, processor - upkeep * clock) / TASKS, upkeep


def alone(cases: int) -> tuple[float, float, str]:
    """Clock and processor time of one thread, and the rows."""
    clock, processor = time.perf_counter(), time.process_time()
    found = swept(cases, threads=1)
    return time.perf_counter() - clock, time.process_time() - processor, found.csv


def on_dask(measure: Callable[[str, object], None]) -> None:
    distributed: Any = import_module("distributed")
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster,
        distributed.Client(cluster) as client,
    ):
        measure("dask", client)


def on_ray(measure: Callable[[str, object], None]) -> None:
    ray: Any = import_module("ray")
    ray.init(num_cpus=2, log_to_driver=False, include_dashboard=False)
    measure("ray", "ray")
    ray.shutdown()


def main() -> None:
    cases = int(sys.argv[1]) if len(sys.argv) > 1 else 4000
    clock, processor, expected = alone(cases)
    plain = two_processes(cases)
    busy = os.getloadavg()[0]
    print(f"{cases} motions on one thread: {clock:.2f} s, {processor:.2f} s of processor time; load {busy:.1f}, "
          f"{os.cpu_count()} cores; two processes without an engine: {plain:.2f} s, {clock / (2.0 * plain):.0%}")
    for engine in (on_dask, on_ray):
        try:
            engine(lambda name, one: measured(name, one, cases, (clock, processor), plain, expected))
        except ImportError as error:
            print(f"left out: {error}")


if __name__ == "__main__":
    main()
