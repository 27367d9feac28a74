"""Sweeps on Dask and Ray: workers that die, tasks that raise, a scheduler that starts anew; always the same bytes."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import delassus
import pytest
from delassus import _engine
from support import SCENARIOS

BLOCK = SCENARIOS / "rocking-block.toml"
ANGLES = {"rocking_block.angle": (0.02, 0.12, 120), "until.time": [0.5]}
Work = Callable[[str, int, int], "list[int]"]


def swept(**more: Any) -> delassus.Sweep:
    return delassus.sweep(BLOCK, ANGLES, "impacts", "lzb", **more)


@pytest.fixture(scope="module")
def expected() -> str:
    return swept().csv


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    distributed = pytest.importorskip("distributed")
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster,
        distributed.Client(cluster) as client,
    ):
        yield client


@pytest.fixture(scope="module")
def ray() -> Iterator[Any]:
    ray = pytest.importorskip("ray")
    ray.init(num_cpus=2, log_to_driver=False, include_dashboard=False)
    yield ray
    ray.shutdown()


def pieces(folder: Path, wrong: str) -> Work:
    """Work that goes wrong the first time, in the piece from 20 on, and leaves a trace of it. A function within a
    function travels as it is: workers need not find this file."""

    def work(place: str, first: int, last: int) -> list[int]:
        trace = os.path.join(place, f"{wrong}-{first}")
        time.sleep(0.05)
        if first == 20 and not os.path.exists(trace):
            with open(trace, "w") as file:
                file.write(str(os.getpid()))
            if wrong == "raises":
                raise OSError("the disk was full")
            os.kill(os.getpid(), signal.SIGKILL)
        return list(range(first, last))

    return work


RANGES = [(first, first + 10) for first in range(0, 60, 10)]


@pytest.mark.parametrize("wrong", ["raises", "dies"])
@pytest.mark.parametrize("engine", ["dask", "ray"])
def test_pieces_that_go_wrong_are_computed_again(
    engine: str, wrong: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    fixture = request.getfixturevalue("client" if engine == "dask" else "ray")
    chosen = fixture if engine == "dask" else "ray"
    found = _engine.compute(chosen, pieces(tmp_path, wrong), str(tmp_path), RANGES)
    assert found == [list(range(first, last)) for first, last in RANGES]
    assert [file.name for file in tmp_path.iterdir()] == [f"{wrong}-20"]


@pytest.mark.parametrize("engine", ["dask", "ray"])
def test_a_task_that_always_raises_is_an_error(engine: str, request: pytest.FixtureRequest) -> None:
    fixture = request.getfixturevalue("client" if engine == "dask" else "ray")
    chosen = fixture if engine == "dask" else "ray"

    def work(place: str, first: int, last: int) -> list[int]:
        if first == 20 and place == "full":
            raise OSError("the disk is full")
        return [first]

    with pytest.raises(RuntimeError, match="(?s)cases 20 to 29 failed.*the disk is full"):
        _engine.compute(chosen, work, "full", RANGES)
    # The engine goes on, also with more tasks than it is given at once.
    many = [(k, k + 1) for k in range(100)]
    assert _engine.compute(chosen, work, "empty", many) == [[k] for k in range(100)]


def test_dask_survives_a_worker(client: Any, expected: str, tmp_path: Path) -> None:
    """One of two workers is killed while it computes."""
    before = set(client.run(os.getpid).values())
    killer = threading.Timer(0.2, os.kill, [min(before), signal.SIGKILL])
    killer.start()
    assert swept(engine=client, chunk=1, out=tmp_path / "rows.csv").csv == expected
    killer.join()
    assert (tmp_path / "rows.csv").read_text() == expected
    client.wait_for_workers(2)
    assert min(before) not in client.run(os.getpid).values()


@pytest.mark.parametrize("engine", ["dask", "ray"])
def test_results_are_told_as_they_come(engine: str, request: pytest.FixtureRequest) -> None:
    fixture = request.getfixturevalue("client" if engine == "dask" else "ray")
    chosen = fixture if engine == "dask" else "ray"

    def work(place: str, first: int, last: int) -> list[int]:
        if first == 20:
            time.sleep(2.0)
        if first == 50 and place == "full":
            raise OSError("the disk was full")
        return list(range(first, last))

    seen: list[int] = []
    found = _engine.compute(chosen, work, "", RANGES, seen.extend)
    # A piece that takes long holds up no other; all are in order in the end.
    assert found == [list(range(*one)) for one in RANGES] and sorted(seen) == list(range(60)) and seen.index(20) > 20
    seen.clear()
    with pytest.raises(RuntimeError, match="cases 50 to 59 failed"):
        _engine.compute(chosen, work, "full", RANGES, seen.extend)
    # What was there is known although the whole is not.
    assert set(seen) <= set(range(50))

    def full(piece: list[int]) -> None:
        raise OSError("no room for the rows")

    with pytest.raises(OSError, match="no room for the rows"):
        _engine.compute(chosen, work, "", RANGES[:2], full)


def test_dask_forgets_its_tasks(client: Any, expected: str) -> None:
    """The workers are started anew and the scheduler drops all tasks while the sweep runs.

    Whether all workers come back is the engine's affair: now and then one of Dask's does not, and waiting for it would
    fail after minutes.
    """
    restart = threading.Timer(0.2, client.restart, kwargs={"wait_for_workers": False})
    restart.start()
    assert swept(engine=client, chunk=1).csv == expected
    restart.join()


def test_the_dashboard_counts_the_tasks(client: Any, expected: str) -> None:
    """Dask groups tasks by the first part of their keys; that is what its dashboard shows progress of."""

    def count(dask_scheduler: Any) -> int:
        return int(dask_scheduler.task_prefixes["delassus-sweep"].state_counts["memory"])

    before = client.run_on_scheduler(count)
    assert swept(engine=client, chunk=10).csv == expected
    assert client.run_on_scheduler(count) - before == 12


def test_dask_writes_the_same_data_set(client: Any, tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    swept(chunk=30, out=tmp_path / "here")
    swept(chunk=30, out=tmp_path / "there", engine=client)
    names = sorted(part.name for part in (tmp_path / "here").iterdir())
    assert names == sorted(part.name for part in (tmp_path / "there").iterdir()) and len(names) == 4
    assert all((tmp_path / "here" / name).read_bytes() == (tmp_path / "there" / name).read_bytes() for name in names)


def test_a_dask_scheduler_that_starts_anew(expected: str, tmp_path: Path) -> None:
    distributed = pytest.importorskip("distributed")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{free.getsockname()[1]}"
    started: list[subprocess.Popen[bytes]] = []

    def start(*args: str) -> subprocess.Popen[bytes]:
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "cwd": tmp_path}
        started.append(subprocess.Popen([sys.executable, "-m", "distributed.cli." + args[0], *args[1:]], **quiet))  # type: ignore[call-overload]
        return started[-1]

    def scheduler() -> subprocess.Popen[bytes]:
        host, port = address.split(":")
        return start("dask_scheduler", "--host", host, "--port", port, "--no-dashboard")

    def worker() -> subprocess.Popen[bytes]:
        return start("dask_worker", address, "--nthreads", "1", "--no-dashboard", "--no-nanny")

    try:
        first = scheduler()
        worker()
        with distributed.Client(address, timeout=60, set_as_default=False) as client:
            client.wait_for_workers(1, timeout=60)

            def again() -> None:
                first.kill()
                first.wait()
                scheduler()
                worker()

            restart = threading.Timer(0.3, again)
            restart.start()
            assert swept(engine=client, chunk=1).csv == expected
            restart.join()
            assert first.poll() is not None
    finally:
        for process in started:
            process.kill()
            process.wait()


def test_ray_gives_the_same_bytes(ray: Any, expected: str, tmp_path: Path) -> None:
    assert swept(engine="ray", chunk=13, out=tmp_path / "rows.csv").csv == expected
    assert (tmp_path / "rows.csv").read_text() == expected


def test_ray_survives_a_worker(ray: Any, expected: str) -> None:
    """A worker is killed while it computes."""
    import psutil

    swept(engine="ray", chunk=60)  # starts the workers

    def computing() -> list[psutil.Process]:
        family = psutil.Process().children(recursive=True)
        return [child for child in family if "delassus-sweep" in " ".join(child.cmdline()[:1])]

    killed: list[int] = []

    def kill() -> None:
        end = time.monotonic() + 20.0
        while not killed and time.monotonic() < end:
            for child in computing():
                child.kill()
                killed.append(child.pid)
                return

    killer = threading.Thread(target=kill)
    killer.start()
    found = swept(engine="ray", chunk=1).csv
    killer.join()
    assert killed and found == expected
