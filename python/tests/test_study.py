"""Maps and studies against the program."""

from __future__ import annotations

import csv
import multiprocessing
import pickle
from pathlib import Path

import numpy as np
import pytest

import delassus
from delassus import ProblemError
from support import EXAMPLES, SCENARIOS, command, program

ROD = EXAMPLES / "rod_impact.toml"
X = ("rod.velocity_ratio", -6, 6, 30)
Y = ("rod.angle", 0.1, "pi", 20)


def rod(**changes: object) -> delassus.Map:
    return delassus.map(ROD, **{"x": X, "y": Y, "measure": "state", "law": "newton", **changes})  # type: ignore[arg-type]


def test_maps_are_those_of_the_program(tmp_path: Path) -> None:
    arguments = ["map", ROD, "--x", "rod.velocity_ratio=-6:6:30", "--y", "rod.angle=0.1:pi:20", "--law", "newton"]
    for measure in ("state", "energy"):
        out = tmp_path / f"{measure}.svg"
        program(*arguments, "--measure", measure, "--out", out)
        found = rod(measure=measure)
        assert found.svg == out.read_text()
        with open(out.with_suffix(".csv"), newline="") as lines:
            table = list(csv.reader(lines))[1:]
        assert len(table) == found.regime.size
        x, y = np.meshgrid(found.x, found.y)
        assert np.array_equal(np.array([float(row[0]) for row in table]), x.reshape(-1))
        assert np.array_equal(np.array([float(row[1]) for row in table]), y.reshape(-1))
        if measure == "state":
            names = np.array(found.regimes)[found.regime].reshape(-1)
            assert [row[-1] for row in table] == names.tolist()
            assert found.values is None and len(found.boundaries) == 2
        else:
            assert found.values is not None
            assert np.array_equal(np.array([float(row[2]) for row in table]), found.values.reshape(-1))


def test_boundaries_are_where_regimes_change() -> None:
    found = rod()
    boundary = found.boundaries[0]
    assert boundary.points.shape[1] == 2 and set(boundary.between) <= set(found.regimes)
    assert found.unsolved == 0 and found.laws == ("newton",) and found.regime.shape == (20, 30)
    again = pickle.loads(pickle.dumps(found))
    assert np.array_equal(again.regime, found.regime)


def test_any_number_of_threads_and_forks() -> None:
    one = rod(threads=1)
    two = rod(threads=2)
    assert np.array_equal(one.regime, two.regime)
    assert all(np.array_equal(a.points, b.points) for a, b in zip(one.boundaries, two.boundaries, strict=True))
    with multiprocessing.get_context("fork").Pool(1) as pool:
        assert np.array_equal(pool.apply(rod).regime, one.regime)


def test_a_problem_and_two_laws() -> None:
    axes = {"x": ("contact.C.friction", 0, 1, 8), "y": ("contact.C.restitution", 0, 1, 6)}
    found = delassus.map(delassus.Problem.kane(), **axes, measure="difference", law=["newton", "poisson"])
    assert found.values is not None and found.values.shape == (6, 8) and found.laws == ("newton", "poisson")
    energy = delassus.map(delassus.Problem.kane(), **axes, measure="energy", law="newton")
    assert energy.values is not None
    table = delassus.Problem.kane().to_dict()
    table["contact"][0].update(friction=float(energy.x[5]), restitution=float(energy.y[3]))
    out = delassus.Problem.from_dict(table).resolve("newton")
    assert energy.values[3, 5] == pytest.approx(out.energy.change / out.energy.before, rel=1e-12)


def test_the_law_of_the_file() -> None:
    assert rod(law=None).laws == tuple(law["law"] for law in program("impact", ROD))
    with pytest.raises(ProblemError, match="law: is missing"):
        delassus.map(delassus.Problem.kane(), ("velocity[0]", 0, 1, 3), ("velocity[1]", 0, 1, 3))


def test_a_scenario() -> None:
    file = SCENARIOS / "rocking-block.toml"
    found = delassus.map(file, ("rocking_block.angle", 0.05, 0.2, 4), ("material.friction", 0.2, 0.4, 3), "impacts")
    assert found.values is not None and found.values.shape == (3, 4) and (found.values > 0).all()
    assert found.coordinate is None
    # Coordinates have their name and unit in the figure.
    angle = delassus.map(file, ("rocking_block.angle", 0.05, 0.2, 2), ("material.friction", 0.2, 0.4, 2), "q[2]")
    assert angle.coordinate == ("block.theta", "rad") and "at the end" in angle.svg and "rad" in angle.svg


def test_counts_of_numpy() -> None:
    assert rod(x=("rod.velocity_ratio", -6, 6, np.int64(7))).x.shape == (7,)


def test_boundaries_are_followed_where_asked() -> None:
    assert rod().boundaries and rod(boundaries=False).boundaries == []
    assert np.array_equal(rod(boundaries=False).regime, rod().regime)
    file = SCENARIOS / "rocking-block.toml"
    axes = ("rocking_block.angle", 0.40, 0.47, 3), ("rocking_block.rate", 0.0, 1.5, 3)
    short = {"law": "newton", "measure": "overturned"}
    assert delassus.map(file, *axes, **short).boundaries == []
    followed = delassus.map(file, *axes, **short, boundaries=True)
    assert len(followed.regimes) < 2 or followed.boundaries


def test_tables_and_plots() -> None:
    found = rod()
    assert "share" in found._repr_html_() and found.svg in found._repr_html_()
    assert pickle.loads(pickle.dumps(found)).svg == found.svg
    pytest.importorskip("pandas")
    table = rod(measure="energy").to_pandas()
    values = rod(measure="energy").values
    assert values is not None and np.array_equal(table["energy"], values.reshape(-1), equal_nan=True)
    point = table.iloc[len(found.x) + 2]
    assert (point[found.x_key], point[found.y_key]) == (found.x[2], found.y[1])
    assert found.to_pandas()["regime"].iloc[0] == found.regimes[found.regime[0, 0]]
    xarray = pytest.importorskip("xarray")
    data = found.to_xarray()
    assert isinstance(data, xarray.Dataset) and data["regime"].dims == ("rod.angle", "rod.velocity_ratio")
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("agg")
    assert found.plot().get_xlabel() == "rod.velocity_ratio"
    # A state is filled as in the program's figure.
    legend = found.plot().get_legend()
    assert legend is not None
    hex_of = matplotlib.colors.to_hex
    swatches = {patch.get_label(): hex_of(patch.get_facecolor()) for patch in legend.get_patches()}
    assert set(swatches) == {"stick", "forward slip", "backward slip"}
    assert all(f'fill="{colour}"' in found.svg for colour in swatches.values())
    assert rod(measure="energy").plot().get_ylabel() == "rod.angle"
    matplotlib.pyplot.close("all")


@pytest.mark.parametrize(
    ("change", "field", "words"),
    [
        ({"x": ("rod.angel", 0, 1, 5)}, "rod.angel", "did you mean"),
        ({"x": ("rod.angle", 0, 1)}, "x", "number of points"),
        ({"x": ("rod.velocity_ratio", 1, 0, 5)}, "x", "below"),
        ({"x": ("rod.velocity_ratio", 0, 1, 1)}, "x", "from 2 to"),
        ({"x": ("rod.velocity_ratio", "2pie", 1, 5)}, "x", "no number"),
        ({"x": Y}, "y", "same parameter"),
        ({"measure": "stat"}, "measure", "did you mean"),
        ({"law": "newtun"}, "law.name", "did you mean"),
        ({"threads": 0}, "threads", "at least 1"),
    ],
)
def test_errors(change: dict[str, object], field: str, words: str) -> None:
    with pytest.raises(ProblemError, match=words) as caught:
        rod(**change)
    assert caught.value.field == field


def test_studies_are_those_of_the_program() -> None:
    chosen = list(delassus.studies())[0]
    expected = program("reproduce", chosen)[0]
    (study,) = delassus.reproduce(chosen)
    assert (study.id, study.title, study.verdict) == (expected["id"], expected["title"], expected["verdict"])
    ours = [{"quantity": v.quantity, "paper": v.paper, "ours": v.ours, "tolerance": v.tolerance} for v in study.values]
    assert ours == expected["values"]
    assert study.id in study._repr_html_()
    with pytest.raises(ProblemError, match="no such study"):
        delassus.reproduce("glocker-2041")
    assert command()


def test_studies_are_shown() -> None:
    found = delassus.reproduce("glocker-2014/fig-2", "payr-glocker-2005/fig-4", "payr-glocker-2005/fig-10")
    regions, field, curves = found
    assert isinstance(found, list) and list(found.figures) == [study.id for study in found]
    shown = found._repr_html_()
    for study in found:
        assert study.svg is not None and study.svg in shown and study._repr_html_() in shown and study.captions[""]
    again = pickle.loads(pickle.dumps(found))
    assert again == found and again._repr_html_() == shown
    pytest.importorskip("pandas")
    assert len(found.to_pandas()) == sum(len(study.values) for study in found)
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("agg")
    first, second, third = again.plot()
    assert len(third.lines) == 4 and third.get_legend() is not None
    assert len(first.collections) == 1 and len(second.collections) == 1
    # Both panels, the bar of colours, and one panel by itself.
    assert len(second.figure.axes) == 3 and len(field.plot(panel=1).lines) == 5
    assert curves.plot(ax=third) is third
    for wrong in ({"part": "b"}, {"panel": 7}):
        with pytest.raises(ProblemError, match=next(iter(wrong))):
            regions.plot(**wrong)
    matplotlib.pyplot.close("all")
