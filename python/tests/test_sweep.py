"""Sweeps: the bytes of the program, whatever computes them."""

from __future__ import annotations

import math
import pickle
import subprocess
from pathlib import Path
from typing import Any

import delassus
import numpy as np
import pytest
from delassus import ProblemError
from support import SCENARIOS, command, program

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
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("agg")
    drawn = found.plot()
    assert (drawn.get_xlabel(), drawn.get_ylabel()) == ("contact.C.friction", "energy") and len(drawn.get_lines()) == 4
    assert found.plot("velocity[0]").get_ylabel() == "velocity[0]"
    with pytest.raises(ProblemError, match="is a number"):
        found.plot("verdict")
    matplotlib.pyplot.close("all")


def test_values_of_numpy() -> None:
    """The number of points may be numpy's whole number; an array holds the values themselves."""
    for values in ((0, 1, np.int64(5)), np.linspace(0, 1, 5), [0.0, 0.25, np.float32(0.5), 0.75, 1]):
        found = delassus.sweep(delassus.Problem.kane(), {"contact.C.friction": values}, "energy", "newton")
        assert found.column("contact.C.friction") == [0.0, 0.25, 0.5, 0.75, 1.0]


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
        ({"seed": -1}, "seed"),
    ],
)
def test_errors(change: dict[str, Any], words: str) -> None:
    options: dict[str, Any] = {"vary": {"contact.C.friction": [0.5]}, "measures": ["energy"], "law": "newton"}
    with pytest.raises(ProblemError, match=words):
        delassus.sweep(delassus.Problem.kane(), **(options | change))


def test_a_parquet_data_set(tmp_path: Path) -> None:
    pq = pytest.importorskip("pyarrow.parquet")
    found = kane(out=tmp_path / "set", chunk=5)
    parts = sorted(part.name for part in (tmp_path / "set").iterdir())
    assert parts == [f"part-{k:05}.parquet" for k in range(4)] and found.chunks == [(0, 5), (5, 10), (10, 15), (15, 16)]
    kane(out=tmp_path / "one.parquet")
    for place in ("set", "one.parquet"):
        table = pq.read_table(tmp_path / place)
        assert table.column_names == list(found.columns)
        kinds = [str(field.type) for field in table.schema]
        assert kinds == ["int64", "double", "double", "string", "double", "string", "double", "string", "string"]
        assert table.to_pydict() == {name: found.column(name) for name in found.columns}
    assert pq.read_table(tmp_path / "set" / parts[1])["case"].to_pylist() == [5, 6, 7, 8, 9]
    # Nothing but what was asked for lies there, and what lies there is not written over.
    assert sorted(place.name for place in tmp_path.iterdir()) == ["one.parquet", "set"]
    with pytest.raises(ProblemError, match="not empty"):
        kane(out=tmp_path / "set")
    with pytest.raises(ProblemError, match="no folder"):
        kane(out=tmp_path / "nowhere" / "rows.csv")


def test_measures_without_an_answer_are_null(tmp_path: Path) -> None:
    pq = pytest.importorskip("pyarrow.parquet")
    vary = {"velocity[0]": [-0.1], "law": ["newton", "walton", "reflections"]}
    found = delassus.sweep(delassus.Problem.kane(), vary, ["energy", "state"], out=tmp_path / "set", chunk=1)
    table = pq.read_table(tmp_path / "set").to_pydict()
    assert table["energy"][0] == found.rows[0][3] and isinstance(table["state"][0], str)
    assert table["energy"][2] is None and table["status"][2].startswith("not-applicable")


def test_a_curve_of_fragility(tmp_path: Path) -> None:
    """The same curve as the program's, and what counts as failure."""
    pga = "ground.floor.motion[0].record.pga"
    file = SCENARIOS / "earthquake.toml"
    vary = {pga: "log:4:14:6", "rocking_block.slenderness": "normal:0.245:0.05"}
    found = delassus.sweep(file, vary, ["overturned", "tilt"], samples=10)
    arguments = ["--vary", f"{pga}=log:4:14:6", "--vary", "rocking_block.slenderness=normal:0.245:0.05", "--samples", "10"]
    for limit in (None, ("tilt", 0.5)):
        options = [] if limit is None else ["--limit", "tilt=0.5"]
        expected = program("sweep", file, *arguments, "--measure", "overturned,tilt", "--fragility", pga, *options)["fragility"]
        curve = found.fragility(pga, limit)
        assert curve.reason is None
        assert (curve.median, list(curve.median_interval)) == (expected["median"], expected["median_interval"])
        assert (curve.dispersion, list(curve.dispersion_interval)) == (expected["dispersion"], expected["dispersion_interval"])
        assert [[c["intensity"], c["failed"], c["of"]] for c in expected["counts"]] == [list(c) for c in curve._counts()]
        p, low, high = curve.probability([1.0, curve.median, 30.0])
        assert p[1] == pytest.approx(0.5, abs=1e-12) and p[0] < p[1] < p[2] and (low <= p).all() and (p <= high).all()
        assert "<svg" in curve._repr_html_() and "<svg" in found._repr_html_() or found.svg is None
        assert pickle.loads(pickle.dumps(curve)).median == curve.median
    none = delassus.sweep(file, {pga: [0.5, 0.6], "rocking_block.slenderness": [0.2]}, "overturned").fragility(pga)
    assert none.reason and math.isnan(none.median) and math.isnan(none.probability(1.0)[0])
    for key, limit, field in (("law", None, "key"), (pga, ("slip", 0.1), "limit")):
        with pytest.raises(ProblemError) as caught:
            found.fragility(key, limit)
        assert caught.value.field == field


def test_incremental_dynamic_analysis() -> None:
    """The same numbers as the program's."""
    pga = "ground.floor.motion[0].record.pga"
    file = SCENARIOS / "earthquake.toml"
    found = delassus.sweep(file, {pga: (3, 12, 4), "rocking_block.slenderness": [0.2, 0.25, 0.3]}, ["tilt", "slip"])
    arguments = ["--vary", f"{pga}=3:12:4", "--vary", "rocking_block.slenderness=0.2,0.25,0.3", "--measure", "tilt,slip"]
    for limit in (None, ("tilt", 0.4)):
        options = [] if limit is None else ["--limit", "tilt=0.4"]
        expected = program("sweep", file, *arguments, "--ida", pga, *options)["ida"]
        curves = found.incremental(pga, limit=limit)

        def number(value: float) -> float | None:
            return value if math.isfinite(value) else None

        assert [number(value) for value in curves.capacity] == expected["capacity"]
        assert list(curves.intensity) == [level["intensity"] for level in expected["fractiles"]]
        assert [[number(v) for v in row] for row in curves.fractiles] == [level["demand"] for level in expected["fractiles"]]
        assert [number(value) for value in curves.failures.values()] == [one["capacity"] for one in expected["curves"]]
        assert "<svg" in curves._repr_html_() and pickle.loads(pickle.dumps(curves)).key == pga
    with pytest.raises(ProblemError, match="is a number"):
        found.incremental(pga, "end")
    with pytest.raises(ProblemError, match="with numbers"):
        found.incremental("law")
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("agg")
    assert found.incremental(pga).plot().get_xlabel() == "tilt"
    matplotlib.pyplot.close("all")


def test_studies_travel() -> None:
    found = kane()
    again = pickle.loads(pickle.dumps(found))
    assert again.csv == found.csv and again.svg == found.svg


def test_records_are_found_from_any_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # A worker stands elsewhere; rows still name the file as it was given.
    folder = SCENARIOS
    monkeypatch.chdir(folder)
    files = ["records/synthetic-east.AT2", "records/synthetic-up.AT2"]
    vary = {"ground.floor.motion[0].record.file": files, "until.time": [0.5]}
    found = delassus.sweep(folder / "earthquake.toml", vary, "impacts", "newton")
    assert found.column("ground.floor.motion[0].record.file") == files
    monkeypatch.chdir(tmp_path)
    again = pickle.loads(pickle.dumps(found._study)).native().rows(0, 2, 1)
    assert [row for _, row in again] == found.rows


def test_words_are_missing_not_numbers() -> None:
    wrong = {"rocking_block": {"width": 0.3, "height": 1.2, "mass": 1.0}, "until": {"time": 0.1}}
    found = delassus.sweep(wrong, {"rocking_block.mass": [-1.0, 1.0]}, ["verdict", "tilt"], "newton")
    words = found.to_xarray()["verdict"].values.tolist()
    assert words[0] == "" and words[1] != "", words
