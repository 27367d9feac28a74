"""Sweeps: the bytes of the program, whatever computes them."""

from __future__ import annotations

import math
import os
import pickle
import signal
import subprocess
import threading
from pathlib import Path
from typing import Any

import delassus
import pytest
from delassus import ProblemError
from support import SCENARIOS, command

KANE = {"contact.C.friction": (0, 1, 4), "contact.C.restitution": [0.2, 0.9], "law": ["newton", "poisson"]}
MEASURES = ["energy", "verdict", "velocity[0]"]
BLOCK = SCENARIOS / "rocking-block.toml"


def kane(**more: Any) -> delassus.Sweep:
    return delassus.sweep(delassus.Problem.kane(), KANE, MEASURES, **more)


def test_the_file_is_that_of_the_program(tmp_path: Path) -> None:
    delassus.Problem.kane().save(tmp_path / "kane.json")
    out = tmp_path / "program.csv"
    options = ["--vary", "contact.C.friction=0:1:4", "--vary", "contact.C.restitution=0.2,0.9", "--vary", "law=newton,poisson"]
    subprocess.run(
        [command(), "sweep", str(tmp_path / "kane.json"), *options, "--measure", ",".join(MEASURES), "--out", str(out)],
        check=True,
        capture_output=True,
    )
    found = kane(out=tmp_path / "ours.csv")
    assert (tmp_path / "ours.csv").read_bytes() == out.read_bytes()
    assert found.csv.encode() == out.read_bytes()
    assert kane(threads=1).csv == found.csv


def test_parquet_of_the_program_is_read_elsewhere(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    delassus.Problem.kane().save(tmp_path / "kane.json")
    out = tmp_path / "program.parquet"
    # Negative friction is refused: rows without numbers.
    options = ["--vary", "contact.C.friction=-0.5,0.5", "--vary", "law=newton,poisson", "--measure", "energy,verdict"]
    subprocess.run([command(), "sweep", str(tmp_path / "kane.json"), *options, "--out", str(out)], capture_output=True)
    varied = {"contact.C.friction": [-0.5, 0.5], "law": ["newton", "poisson"]}
    found = delassus.sweep(delassus.Problem.kane(), varied, ["energy", "verdict"])
    table = parquet.read_table(out)
    assert table.column_names == list(found.columns)
    for row, there in zip(found.rows, table.to_pylist(), strict=True):
        assert list(there.values()) == [None if entry != entry else entry for entry in row]


def test_rows_agree_with_single_impacts() -> None:
    found = kane()
    assert len(found) == 16
    for row in found.rows:
        _, friction, restitution, law, energy, verdict, velocity, status, certificate = row
        table = delassus.Problem.kane().to_dict()
        table["contact"][0]["friction"] = friction
        table["contact"][0]["restitution"] = restitution
        out = delassus.Problem.from_dict(table).resolve(str(law))
        assert (status, verdict) == (out.status, out.verdict.short)
        assert certificate == "holds" or not out.certificate.consistent
        assert math.isclose(float(velocity), out.velocity[0], rel_tol=1e-12)
        assert math.isclose(float(energy), out.energy.change / out.energy.before, rel_tol=1e-9, abs_tol=1e-12)


def test_tables_and_grids() -> None:
    found = kane()
    table = found.to_pandas()
    assert list(table.columns) == list(found.columns[1:])
    grid = found.to_xarray()
    assert dict(grid.sizes) == {"contact.C.friction": 4, "contact.C.restitution": 2, "law": 2}
    one = grid.sel({"contact.C.friction": 1.0, "contact.C.restitution": 0.2, "law": "poisson"})
    assert float(one["energy"]) == found.rows[13][4]
    both = {"contact.C.friction": "uniform:0:1", "contact.C.restitution": "uniform:0:1"}
    sampled = delassus.sweep(delassus.Problem.kane(), both, "energy", "newton", samples=5)
    assert dict(sampled.to_xarray().sizes) == {"case": 5}
    assert "energy over contact.C.friction" in sampled._repr_html_()


def test_motions() -> None:
    found = delassus.sweep(BLOCK, {"rocking_block.angle": [0.05, 0.1], "until.time": [0.5]}, ["impacts", "tilt"], "newton")
    assert set(found.column("status")) <= {"completed", "at-rest"}
    tilts = [float(tilt) for tilt in found.column("tilt")]
    assert 0 < tilts[0] < tilts[1]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"vary": {"contact.C.frction": [1.0]}}, "did you mean"),
        ({"vary": {"contact.C.friction": 3}}, "needs .from, to, number"),
        ({"vary": {"contact.C.friction": []}}, "at least one value"),
        ({"vary": {"contact.C.friction": (0, 1, 0)}}, "contact.C.friction"),
        ({"measures": ["enrgy"]}, "did you mean"),
        ({"engine": "dusk"}, "dask.distributed.Client"),
        ({"out": "rows.txt"}, "csv or .parquet"),
    ],
)
def test_errors(change: dict[str, Any], words: str) -> None:
    options: dict[str, Any] = {"vary": {"contact.C.friction": [0.5]}, "measures": ["energy"], "law": "newton"}
    with pytest.raises(ProblemError, match=words):
        delassus.sweep(delassus.Problem.kane(), **(options | change))


def test_dask_survives_a_worker() -> None:
    distributed = pytest.importorskip("distributed")
    angles = {"rocking_block.angle": (0.02, 0.12, 300), "until.time": [0.5]}
    expected = delassus.sweep(BLOCK, angles, "impacts", "lzb")
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster,
        distributed.Client(cluster) as client,
    ):
        before = set(client.run(os.getpid).values())
        killer = threading.Timer(0.2, os.kill, [min(before), signal.SIGKILL])
        killer.start()
        found = delassus.sweep(BLOCK, angles, "impacts", "lzb", engine=client, chunk=1)
        killer.join()
        client.wait_for_workers(2)
        assert min(before) not in client.run(os.getpid).values()
    assert found.csv == expected.csv


def test_ray() -> None:
    ray = pytest.importorskip("ray")
    expected = kane()
    ray.init(num_cpus=2, log_to_driver=False, include_dashboard=False)
    try:
        assert kane(engine="ray", chunk=3).csv == expected.csv
    finally:
        ray.shutdown()


def test_studies_travel() -> None:
    found = kane()
    assert pickle.loads(pickle.dumps(found)).csv == found.csv
