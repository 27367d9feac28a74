"""Threads, forks, signals: long work lets others run, and Ctrl-C ends it."""

from __future__ import annotations

import multiprocessing
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import delassus
from delassus import _native
from support import SCENARIOS, interrupted

WORK = """
import numpy as np, delassus
a = np.random.default_rng(3).uniform(-1, 1, (400000, 6, 6))
mass = a @ a.transpose(0, 2, 1) + 0.5 * np.eye(6)
w = np.random.default_rng(4).uniform(-1, 1, (4, 6))
arguments = dict(mass=mass, velocity=-np.tile(w.sum(0), (400000, 1)), normal=w, tangent=w[::-1], friction=0.3,
                 restitution=0.5, law="lzb")
"""

INTERRUPTED = (
    WORK
    + """
print("ready", flush=True)
try:
    delassus.resolve_batch(**arguments)
except KeyboardInterrupt:
    sys.exit(42)
"""
)


def small(k: int) -> list[float]:
    velocity = np.array([[0.1 * k, -1.0]] * 500)
    batch = delassus.resolve_batch([1.0, 2.0], velocity, [0.0, 1.0], [1.0, 0.3], friction=0.2, restitution=0.5)
    return [float(value) for value in batch.velocity[-1]]


def test_ctrl_c_ends_a_batch() -> None:
    assert interrupted(INTERRUPTED) < 20.0


LONG = {
    "resolve": ("w = np.eye(3000, k=1)[:-1] - np.eye(3000)[:-1]\n"
                "chain = delassus.Problem(np.ones(3000), np.eye(3000)[0], [delassus.Contact(str(i), r) for i, r in enumerate(w)])",
                "chain.resolve('lzb')"),
    "map": ("", "delassus.map(kane, ('contact.C.friction', 0, 1, 4000), ('contact.C.restitution', 0, 1, 4000), law='lzb')"),
    "sweep": ("", "delassus.sweep(block, {'rocking_block.angle': (0.01, 0.2, 200_000)}, 'tilt', 'lzb')"),
    "reproduce": ("", "[delassus.reproduce() for _ in range(100)]"),
    "fit": ("v = np.linspace(0.1, 2.0, 20_000)",
            "delassus.fit({'velocity[0]': -v, 'velocity[1]': -v, 'measured.velocity[0]': v}, kane,"
            " ['contact.C.restitution', 'contact.C.friction'], 'lzb')"),
    "fit of a motion": ("t = np.linspace(0, 1, 500)",
                        "delassus.fit({'time': t, 'block.theta': np.sin(t)}, block, {'rocking_block.angle': (0.01, 0.3),"
                        " 'rocking_block.height': (0.3, 2)}, 'lzb', looks=1_000_000)"),
}


@pytest.mark.parametrize("name", list(LONG))
def test_ctrl_c_ends_long_work(name: str) -> None:
    before, work = LONG[name]
    begin = f"import numpy as np, delassus\nkane, block = delassus.Problem.kane(), {str(SCENARIOS / 'rocking-block.toml')!r}\n{before}\n"
    assert interrupted(f"{begin}print('ready', flush=True)\ntry:\n    {work}\nexcept KeyboardInterrupt:\n    sys.exit(42)\n") < 20.0


DENSE = """
import time, numpy as np, delassus
w = np.random.default_rng(1).uniform(-1, 1, (3000, 3000))
mass = 9000 * np.eye(3000) + w + w.T
contacts = [delassus.Contact(str(i), row) for i, row in enumerate(w)]
begin = time.process_time()
smaller = delassus.Problem(mass[:1500, :1500], -np.ones(1500), [delassus.Contact(c.name, c.normal[:1500]) for c in contacts[:1500]])
building, begin = time.process_time() - begin, time.process_time()
print("ready", flush=True)
try:
    {work}
except KeyboardInterrupt:
    # The work takes more than twice as long as this, on any machine; an exception at its end would be no interruption.
    sys.exit(42 if time.process_time() - begin < 3 * building else 43)
"""


@pytest.mark.parametrize("work", [
    "delassus.Problem(mass, -np.ones(3000), contacts)", "delassus.resolve(mass, -np.ones(3000), w)", "delassus.angles(smaller)",
])
def test_ctrl_c_ends_work_without_a_search(work: str) -> None:
    assert interrupted(DENSE.replace("{work}", work)) < 60.0


def test_others_run_meanwhile() -> None:
    """Another thread of Python counts while a batch is resolved."""
    names: dict[str, dict[str, object]] = {}
    exec(WORK.replace("400000", "20000"), names)
    ticks = 0
    done = threading.Event()

    def count() -> None:
        nonlocal ticks
        while not done.wait(0.001):
            ticks += 1

    thread = threading.Thread(target=count)
    thread.start()
    begin = time.monotonic()
    delassus.resolve_batch(**names["arguments"], threads=1)  # type: ignore[arg-type]
    seconds = time.monotonic() - begin
    done.set()
    thread.join()
    assert seconds > 0.05 and ticks > 5 * seconds, (ticks, seconds)


def calls() -> dict[str, Callable[[], object]]:
    """What computes beside resolving: texts, arrays, figures, fits."""
    drops = [delassus.Contact(f"C{i}", {i: 1.0}) for i in range(300)]
    problem = delassus.Problem(np.ones(300), -np.ones(300), drops)
    out = problem.resolve("moreau")
    outs = delassus.Problem.kane().resolve_all()
    cases = [(1.0 + 0.1 * k, k % 3 == 0 or k > 30, 1) for k in range(60)]
    points = [(str(k % 7), 1.0 + 0.1 * k, 0.01 * k, k > 50) for k in range(60)]
    return {
        "record": lambda: out._native and out._native.to_json(),
        "verdict": lambda: out._native and out._native.verdict,
        "directions": lambda: problem.directions,
        "operator": lambda: problem.operator,
        "figure": lambda: outs["poisson"]._repr_html_(),
        "angles": lambda: delassus.angles(delassus.Problem.kane()),
        "law": lambda: delassus.Law("lzb", exponent=1.5),
        "fragility": lambda: _native.fragility("x", [(x, int(failed), of) for x, failed, of in cases], []),
        "incremental": lambda: _native.incremental("x", "tilt", points),
    }


@pytest.mark.parametrize("name", list(calls()))
def test_others_run_during_all_that_computes(name: str) -> None:
    """Where threads do not take turns by themselves, another one only counts if a call lets go of the interpreter."""
    call = calls()[name]
    ticks = 0
    ready, done = threading.Event(), threading.Event()

    def count() -> None:
        nonlocal ticks
        ready.set()
        while not done.wait(0.001):
            ticks += 1

    usual = sys.getswitchinterval()
    thread = threading.Thread(target=count)
    thread.start()
    ready.wait()
    try:
        sys.setswitchinterval(100.0)
        ticks, end = 0, time.monotonic() + 20.0
        while ticks == 0 and time.monotonic() < end:
            call()
        assert ticks > 0
    finally:
        sys.setswitchinterval(usual)
        done.set()
        thread.join()


def test_many_threads_call() -> None:
    expected = [small(k) for k in range(16)]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(small, range(16))) == expected


def test_forked_processes_call() -> None:
    expected = [small(k) for k in range(8)]
    with multiprocessing.get_context("fork").Pool(2) as pool:
        assert pool.map(small, range(8)) == expected


def test_a_time_limit_is_a_status() -> None:
    balls = 300
    w = np.zeros((balls - 1, balls))
    w[np.arange(balls - 1), np.arange(balls - 1)], w[np.arange(balls - 1), np.arange(1, balls)] = -1.0, 1.0
    contacts = [delassus.Contact(str(i), row, restitution=1.0) for i, row in enumerate(w)]
    chain = delassus.Problem(np.ones(balls), np.eye(balls)[0], contacts)
    out = chain.resolve("lzb", time_limit=1e-6)
    assert out.status == "max-iterations" and "time" in (out.reason or ""), out.reason
    assert chain.resolve("lzb", iterations=3).status == "max-iterations"
