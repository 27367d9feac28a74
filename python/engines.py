"""What engines cost: overhead of a task, and how much of the time of two workers is work.

    python python/engines.py [CASES]

A sweep of rocking blocks is computed on one thread here, then by two worker processes of Dask and of Ray. Efficiency is
told twice: by the clock (time of one thread over twice the time of two workers), which means something on an idle
machine with at least two cores, and by processor time (that of the rows over that of all processes taking part), which
others on the machine disturb less. An engine that waits for processors that others use goes on with its upkeep
(heartbeats, monitors), so what that and the tasks cost is measured too, and from it follows the efficiency of two
workers that have their processors to themselves. The overhead of a task is what a thousand tasks that do nothing take.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import delassus
from delassus import _engine

BLOCK = Path(__file__).resolve().parents[1] / "scenarios" / "rocking-block.toml"
TASKS = 1000
# How long upkeep is watched [s].
WATCHED = 10.0


def swept(cases: int, **more: Any) -> delassus.Sweep:
    vary = {"rocking_block.angle": (0.02, 0.15, cases), "until.time": [4.0]}
    return delassus.sweep(BLOCK, vary, ["tilt", "impacts"], "lzb", **more)


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


def measured(name: str, engine: object, cases: int, alone: tuple[float, float], expected: str) -> None:
    swept(cases // 10, engine=engine)  # workers load the package
    _engine.compute(engine, nothing, None, [(k, k) for k in range(10)])
    overhead, task, upkeep = costs(engine)
    clock, processor = time.perf_counter(), family()
    found = swept(cases, engine=engine)
    clock, processor = time.perf_counter() - clock, family() - processor
    assert found.csv == expected, "the same bytes wherever they are computed"
    by_clock, by_processor = alone[0] / (2.0 * clock), alone[1] / processor
    print(f"{name:5} {len(found.chunks)} tasks, {clock:6.2f} s; overhead of a task {1e3 * overhead:.2f} ms; "
          f"efficiency of two workers {by_clock:.0%} by the clock, {by_processor:.0%} by processor time")
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
    busy = os.getloadavg()[0]
    print(f"{cases} motions on one thread: {clock:.2f} s, {processor:.2f} s of processor time; load {busy:.1f}, "
          f"{os.cpu_count()} cores")
    for engine in (on_dask, on_ray):
        try:
            engine(lambda name, one: measured(name, one, cases, (clock, processor), expected))
        except ImportError as error:
            print(f"left out: {error}")


if __name__ == "__main__":
    main()
