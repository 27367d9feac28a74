"""Work in pieces on the engines that people have: Dask and Ray.

A piece is a function of plain data that gives the same result wherever and however often it runs, so that a worker that
dies, a task that fails or a scheduler that starts anew costs the time of its pieces and nothing else.
"""

from __future__ import annotations

import concurrent.futures
import contextlib
import time
import uuid
from collections.abc import Callable
from importlib import import_module
from typing import Any, Generic, TypeVar

from delassus._errors import ProblemError

T = TypeVar("T")

# A piece may be lost or fail so often; one that always kills its worker must end.
_RETRIES = 5
# How long a scheduler may be away [s].
_PATIENCE = 300.0


class _Found(Generic[T]):
    """Results as they come, in any order; ``done`` gets each of them."""

    def __init__(self, count: int, done: Callable[[list[T]], None] | None) -> None:
        self._count, self._done = count, done
        self._pieces: dict[int, list[T]] = {}
        self.refused = False

    def __contains__(self, k: int) -> bool:
        return k in self._pieces

    def __len__(self) -> int:
        return len(self._pieces)

    def add(self, k: int, piece: list[T]) -> None:
        self._pieces[k] = piece
        if self._done is not None:
            # A full disk here is no fault of the engine.
            self.refused = True
            self._done(piece)
            self.refused = False

    def all(self) -> list[list[T]]:
        return [self._pieces[k] for k in range(self._count)]


def compute(
    engine: object,
    work: Callable[[Any, int, int], list[T]],
    study: object,
    ranges: list[tuple[int, int]],
    done: Callable[[list[T]], None] | None = None,
) -> list[list[T]]:
    """The results of ``work(study, first, last)`` for all ranges, in their order; ``done`` gets each as soon as it is there."""
    found: _Found[T] = _Found(len(ranges), done)
    if engine == "ray":
        _on_ray(work, study, ranges, found)
        return found.all()
    if hasattr(engine, "submit") and hasattr(engine, "gather") and not isinstance(engine, type):
        if getattr(engine, "asynchronous", False):
            raise ProblemError("engine = asynchronous Client: needs one that waits, Client(…)", "engine", "asynchronous")
        _on_dask(engine, work, study, ranges, found)
        return found.all()
    kind = repr(engine) if isinstance(engine, str) else type(engine).__name__
    raise ProblemError(f"engine = {kind}: needs a dask.distributed.Client, 'ray' or None", "engine", kind)


def _failed(first: int, last: int, error: BaseException) -> RuntimeError:
    return RuntimeError(f"the cases {first} to {last - 1} failed on the engine, {_RETRIES + 1} times: {error}")


def _on_dask(
    client: Any, work: Callable[..., list[T]], study: object, ranges: list[tuple[int, int]], found: _Found[T]
) -> None:
    # Tasks of a scheduler that starts anew are cancelled, and so are those of client.restart(). Its workers may be gone
    # for a while.
    lost = (concurrent.futures.CancelledError, OSError, TimeoutError)
    rounds = 0
    while len(found) < len(ranges):
        if rounds > _RETRIES:
            raise RuntimeError(f"the scheduler lost the tasks of the sweep {rounds} times; {len(found)} of "
                               f"{len(ranges)} were computed")
        before = len(found)
        # The name is what the dashboard shows; the study goes with each task, because data on workers are lost with
        # them, and it is a few kilobytes.
        name = f"delassus-sweep-{uuid.uuid4().hex}"
        futures = {}
        try:
            _wait_for(client)
            for k, (first, last) in enumerate(ranges):
                if k not in found:
                    key = (name, k)
                    futures[k] = client.submit(work, study, first, last, key=key, pure=False, retries=_RETRIES)
            # Pieces that are there are taken while others, begun before them, still run.
            places = {future.key: k for k, future in futures.items()}
            for future in import_module("distributed").as_completed(list(futures.values()), loop=client.loop):
                k = places[future.key]
                try:
                    piece = future.result()
                except Exception as error:
                    if future.status == "error":
                        raise _failed(*ranges[k], error) from error
                    if not isinstance(error, lost):
                        raise
                else:
                    found.add(k, piece)
        except BaseException as error:
            if not isinstance(error, lost) or found.refused:
                # What went wrong matters, not that a client which is gone cannot cancel.
                with contextlib.suppress(Exception):
                    client.cancel(list(futures.values()))
                raise
        rounds = 0 if len(found) > before else rounds + 1


def _wait_for(client: Any) -> None:
    """Waits until the client has its scheduler again."""
    end = time.monotonic() + _PATIENCE
    while getattr(client, "status", "running") != "running":
        if time.monotonic() > end or client.status == "closed":
            raise RuntimeError(f"the Dask client has no scheduler (it is {client.status})")
        time.sleep(0.1)


def _on_ray(
    work: Callable[..., list[T]], study: object, ranges: list[tuple[int, int]], found: _Found[T]
) -> None:
    ray: Any = import_module("ray")
    if not ray.is_initialized():
        ray.init(log_to_driver=False)
    # Ray repeats tasks whose worker died; those that raised it repeats only where told so.
    remote = ray.remote(max_retries=_RETRIES, retry_exceptions=True, num_cpus=1)(work)
    shared = ray.put(study)
    # The name is what the dashboard counts the tasks by.
    named = remote.options(name="delassus-sweep")
    # Not all at once: where one fails, those on their way run to their end. Cancelling them instead can end this
    # program, since Ray 2.60 aborts where a task is cancelled while its answer arrives.
    most = max(64, 16 * int(ray.cluster_resources().get("CPU", 1)))
    waiting = list(enumerate(ranges))[::-1]
    running: dict[Any, int] = {}
    while waiting or running:
        while waiting and len(running) < most:
            k, (first, last) = waiting.pop()
            running[named.remote(shared, first, last)] = k
        ready, _ = ray.wait(list(running), num_returns=1)
        for task in ready:
            k = running.pop(task)
            try:
                piece = ray.get(task)
            except ray.exceptions.RayError as error:
                raise _failed(*ranges[k], error) from error
            found.add(k, piece)
