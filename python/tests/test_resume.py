"""Sweeps that are cut off go on where they were, and have the same bytes in the end."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

import delassus
from delassus import ProblemError
from support import SCENARIOS

BLOCK = SCENARIOS / "rocking-block.toml"
CASES = 1500
VARY: dict[str, object] = {"rocking_block.angle": (0.02, 0.12, CASES), "until.time": [0.5]}
MEASURES = ["impacts", "tilt", "verdict"]

_SCRIPT = """
import sys, delassus
signals = __import__("signal")
signals.signal(signals.SIGINT, signals.default_int_handler)
def sweep(engine):
    delassus.sweep(sys.argv[1], {"rocking_block.angle": (0.02, 0.12, %d), "until.time": [0.5]}, ["impacts", "tilt", "verdict"],
                   "lzb", engine, sys.argv[2], chunk=7 if engine else None, threads=1)
if __name__ == "__main__":
    if sys.argv[3] == "here":
        sweep(None)
    else:
        from dask.distributed import Client, LocalCluster
        with LocalCluster(n_workers=1, threads_per_worker=1, processes=False, dashboard_address=None) as cluster:
            with Client(cluster) as client:
                sweep(client)
""" % CASES


def swept(**more: Any) -> delassus.Sweep:
    return delassus.sweep(BLOCK, VARY, MEASURES, "lzb", **more)


@pytest.fixture(scope="module")
def whole() -> delassus.Sweep:
    return swept()


def cut_off(out: Path, where: str, how: int) -> Path:
    """Begins the sweep in a process of its own and ends that once some rows are there; where they are."""
    script, left = out.parent / "sweep.py", out.with_name(out.name.removesuffix(".csv") + ".unfinished.csv")
    script.write_text(_SCRIPT)
    before = left.stat().st_size if left.exists() else 0
    with subprocess.Popen([sys.executable, script, BLOCK, out, where], stderr=subprocess.DEVNULL) as process:
        try:
            end = time.monotonic() + 120.0
            while process.poll() is None and time.monotonic() < end and not (left.exists() and left.stat().st_size > before + 3000):
                time.sleep(0.005)
            assert process.poll() is None, "the sweep should take longer than this"
            process.send_signal(how)
            process.wait(60.0)
        finally:
            process.kill()
    assert not out.exists()
    script.unlink()
    return left


@pytest.mark.parametrize("where", ["here", "dask"])
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_a_sweep_goes_on(where: str, how: int, whole: delassus.Sweep, tmp_path: Path) -> None:
    if where == "dask":
        pytest.importorskip("distributed")
    out = tmp_path / "rows.csv"
    left = cut_off(out, where, how)
    lines = left.read_text().splitlines(keepends=True)
    known = {line for line in lines[2:] if line.endswith("\n")}
    assert 10 < len(known) < CASES and known <= set(whole.csv.splitlines(keepends=True))
    # Cut off twice, and torn within a row.
    left.write_bytes(left.read_bytes()[:-5])
    again = cut_off(out, where, how).read_text().splitlines(keepends=True)
    assert set(lines[:-1]) <= set(again) and len(again) > len(lines)
    found = swept(out=out)
    assert found.resumed >= len(again) - 3
    assert out.read_text() == found.csv == whole.csv and repr(found.rows) == repr(whole.rows)
    assert [file.name for file in tmp_path.iterdir()] == ["rows.csv"]


def test_only_what_is_missing_is_computed(whole: delassus.Sweep, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows of other numbers show that they were taken as they are: nothing in them is computed again."""
    out = tmp_path / "rows.csv"
    left = cut_off(out, "here", signal.SIGKILL)
    head = left.read_text().splitlines(keepends=True)[:2]
    rows = whole.csv.splitlines(keepends=True)[1:]
    marked = rows[3].replace("\n", "x\n")
    left.write_text("".join([*head, rows[-1], marked, *rows[10:1000]]))
    found = swept(out=out)
    assert found.resumed == 992 and found.csv.splitlines(keepends=True)[4] == marked
    assert found.csv.replace(marked, rows[3]) == whole.csv


def test_an_engine_goes_on(whole: delassus.Sweep, tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    distributed = pytest.importorskip("distributed")
    out = tmp_path / "set"
    head = cut_off(out, "here", signal.SIGKILL).read_text().splitlines(keepends=True)[:2]
    rows = whole.csv.splitlines(keepends=True)[1:]
    (tmp_path / "set.unfinished.csv").write_text("".join([*head, *rows[100:300], *rows[:1]]))
    with (
        distributed.LocalCluster(n_workers=1, threads_per_worker=1, processes=False, dashboard_address=None) as cluster,
        distributed.Client(cluster) as client,
    ):
        found = swept(out=out, engine=client, chunk=250)
    assert found.resumed == 201 and found.csv == whole.csv and found.chunks == [(k, k + 250) for k in range(0, CASES, 250)]
    swept(out=tmp_path / "other", chunk=250)
    for part in out.iterdir():
        assert part.read_bytes() == (tmp_path / "other" / part.name).read_bytes()


def test_rows_of_other_sweeps_are_not_mixed(tmp_path: Path) -> None:
    kane, out = delassus.Problem.kane(), tmp_path / "rows.csv"
    left = cut_off(out, "here", signal.SIGKILL)
    kept = left.read_bytes()
    with pytest.raises(ProblemError, match="finished rows of another sweep") as caught:
        delassus.sweep(kane, {"contact.C.friction": [0.5]}, "energy", "newton", out=out)
    assert caught.value.field == "out" and left.read_bytes() == kept and not out.exists()
    found = delassus.sweep(kane, {"contact.C.friction": [0.5]}, "energy", "newton", out=out, force=True)
    assert found.resumed == 0 and out.read_text() == found.csv and not left.exists()
    left.write_text("mine")
    with pytest.raises(ProblemError, match="in the way"):
        delassus.sweep(kane, {"contact.C.friction": [0.5]}, "energy", "newton", out=out, force=True)
    assert left.read_text() == "mine"
