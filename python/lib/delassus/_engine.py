"""Work in pieces on the engines that people have: Dask and Ray.

A piece is a function of plain data that gives the same result wherever and however often it runs, so that a worker which
dies, or a task that is lost, costs the time of its pieces and nothing else.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any, TypeVar

from delassus._errors import ProblemError

T = TypeVar("T")

# A piece may be lost so often; one that always kills its worker must end.
_RETRIES = 5


def compute(
    engine: object, work: Callable[[Any, int, int], list[T]], study: object, ranges: list[tuple[int, int]]
) -> list[T]:
    """The results of ``work(study, first, last)`` for all ranges, in their order, one after the other."""
    if engine == "ray":
        pieces = _on_ray(work, study, ranges)
    elif hasattr(engine, "submit") and hasattr(engine, "gather"):
        pieces = _on_dask(engine, work, study, ranges)
    else:
        kind = repr(engine) if isinstance(engine, str) else type(engine).__name__
        raise ProblemError(f"engine = {kind}: needs a dask.distributed.Client, 'ray' or None", "engine", kind)
    return [one for piece in pieces for one in piece]


def _on_dask(client: Any, work: Callable[..., list[T]], study: object, ranges: list[tuple[int, int]]) -> list[list[T]]:
    # The study goes with each task: data on workers are lost with them, and it is a few kilobytes.
    futures = [client.submit(work, study, first, last, pure=False, retries=_RETRIES) for first, last in ranges]
    try:
        found: list[list[T]] = client.gather(futures)
        return found
    except BaseException:
        client.cancel(futures)
        raise


def _on_ray(work: Callable[..., list[T]], study: object, ranges: list[tuple[int, int]]) -> list[list[T]]:
    ray: Any = import_module("ray")
    if not ray.is_initialized():
        ray.init(log_to_driver=False, include_dashboard=False)
    remote = ray.remote(max_retries=_RETRIES, num_cpus=1)(work)
    shared = ray.put(study)
    found: list[list[T]] = ray.get([remote.remote(shared, first, last) for first, last in ranges])
    return found
