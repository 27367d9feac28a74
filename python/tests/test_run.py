"""Motions against the program."""

from __future__ import annotations

import csv
import pickle
import re
import subprocess
from pathlib import Path

import numpy as np
import pytest

import delassus
from delassus import ProblemError
from support import SCENARIOS, command, interrupted, program

BLOCK = """
name = "block"
[rocking_block]
width = 0.24
height = 0.48
mass = 2.0
angle = 0.12
[material]
friction = 0.5
restitution = 0.3
[law]
name = "lzb"
exponent = 1.2
[until]
impacts = 4
"""


@pytest.mark.parametrize("name", ["bouncing-ball", "cradle", "rocking-block"])
def test_motions_are_those_of_the_program(name: str, tmp_path: Path) -> None:
    file = SCENARIOS / f"{name}.toml"
    expected = program("run", file, "--law", "newton", "--out", tmp_path / "out")
    motion = delassus.run(file, law="newton")
    assert motion.to_dict() == expected
    assert motion.status == expected["status"] and motion.law == "newton"
    with open(tmp_path / "out" / "trajectory.csv", newline="") as lines:
        table = list(csv.reader(lines))
    numbers = np.array(table[1:], dtype=float)
    assert np.array_equal(numbers[:, 0], motion.time)
    n = len(motion.names)
    assert table[0][1 : 1 + n] == list(motion.names)
    assert np.array_equal(numbers[:, 1 : 1 + n], motion.q) and np.array_equal(numbers[:, 1 + n : 1 + 2 * n], motion.u)
    assert np.array_equal(numbers[:, -7], motion.energy["kinetic"])
    assert len(motion.impacts) == len(expected["impacts"]) > 0
    first = motion.impacts[0]
    assert first.velocity_plus.tolist() == expected["impacts"][0]["velocity_plus"]
    pytest.importorskip("pandas")
    assert list(motion.to_pandas().columns) == table[0]


def test_three_kinds_of_source(tmp_path: Path) -> None:
    text = delassus.run(BLOCK)
    file = tmp_path / "block.toml"
    file.write_text(BLOCK)
    table = {
        "name": "block",
        "rocking_block": {"width": 0.24, "height": np.float64(0.48), "mass": 2, "angle": 0.12},
        "material": [{"friction": 0.5, "restitution": 0.3}],
        "law": {"name": "lzb", "exponent": 1.2},
        "until": {"impacts": 4},
    }
    for other in (delassus.run(file), delassus.run(str(file)), delassus.run(table)):
        assert other.to_dict() == text.to_dict()
    assert text.law == "lzb" and len(text.impacts) == 4


def test_the_law_and_its_data() -> None:
    own = delassus.run(BLOCK)
    assert delassus.run(BLOCK, law="lzb").to_dict() == own.to_dict()
    assert delassus.run(BLOCK, law="lzb", exponent=1.2).to_dict() == own.to_dict()
    assert delassus.run(BLOCK, law=delassus.Law("lzb", exponent=1.5)).to_dict() != own.to_dict()
    assert delassus.run(BLOCK, law="poisson").law == "poisson"


def test_arrays() -> None:
    motion = delassus.run(BLOCK, samples=50)
    count = len(motion.time)
    assert 45 <= count < 200 and motion.q.shape == motion.u.shape == (count, 3)
    assert motion.names == ("block.x", "block.y", "block.theta")
    assert motion.contacts[:2] == ("A", "B") and motion.forces.shape == (count, len(motion.contacts), 2)
    total = motion.energy["kinetic"] + motion.energy["potential"]
    works = sum(motion.energy[name] for name in ("friction", "supports", "damping", "applied", "impacts"))
    assert np.allclose(total - total[0], works, atol=1e-6 * abs(total[0])) and motion.closure < 1e-6
    assert motion.peaks["tilt"] == pytest.approx(motion.peaks["block.theta"] / np.arctan(0.5))
    again = pickle.loads(pickle.dumps(motion))
    assert again.to_dict() == motion.to_dict() and np.array_equal(again.q, motion.q)
    assert "4 impacts" in repr(motion) and "4 impacts" in motion._repr_html_()
    pytest.importorskip("xarray")
    assert motion.to_xarray()["q"].sel(position="block.theta").shape == (count,)


SPACE = [file for file in sorted((SCENARIOS / "space").glob("*.toml")) if "dimension = 3" in file.read_text()]


@pytest.mark.parametrize("name", [file.stem for file in SPACE])
def test_motions_in_space(name: str, tmp_path: Path) -> None:
    """Every scene, its beginning: seven positions a body, six velocities, and the columns of the program."""
    file = tmp_path / f"{name}.toml"
    text = (SCENARIOS / "space" / f"{name}.toml").read_text()
    file.write_text(re.sub(r"(?m)(^\[until\]\ntime = ).*$", r"\g<1>0.05", text))
    expected = program("run", file, "--out", tmp_path / "out", "--samples", "csv")
    motion = delassus.run(file)
    assert motion.to_dict() == expected
    bodies = len(motion.names) // 7
    assert motion.q.shape == (len(motion.time), 7 * bodies) and motion.u.shape == (len(motion.time), 6 * bodies)
    assert [one.rsplit(".", 1)[1] for one in motion.names] == ["x", "y", "z", "qw", "qx", "qy", "qz"] * bodies
    assert len(motion.velocity_names) == 6 * bodies and set(motion.velocity_names) <= set(motion.peaks)
    turns = motion.q.reshape(-1, bodies, 7)[:, :, 3:]
    assert np.allclose(np.linalg.norm(turns, axis=2), 1.0, atol=1e-9)
    assert motion.forces.shape == (len(motion.time), len(motion.contacts), 2)
    assert pickle.loads(pickle.dumps(motion)).names == motion.names
    assert motion.svg is not None and "<svg" in motion._repr_html_()
    pytest.importorskip("pandas")
    with open(tmp_path / "out" / "trajectory.csv", newline="") as lines:
        table = list(csv.reader(lines))
    assert list(motion.to_pandas().columns) == table[0]
    assert np.array_equal(motion.to_pandas().to_numpy(), np.array(table[1:], dtype=float))
    pytest.importorskip("xarray")
    data = motion.to_xarray()
    assert data["u"].dims == ("time", "velocity") and data["q"].sizes["position"] == 7 * bodies


def test_supports_that_move(tmp_path: Path) -> None:
    file = tmp_path / "quake.toml"
    file.write_text((SCENARIOS / "pulse.toml").read_text())
    program("run", file, "--out", tmp_path / "out")
    motion = delassus.run(file)
    assert motion.supports and all(place.shape == (len(motion.time), 2) for place in motion.supports.values())
    pytest.importorskip("pandas")
    with open(tmp_path / "out" / "trajectory.csv", newline="") as lines:
        table = list(csv.reader(lines))
    assert list(motion.to_pandas().columns) == table[0]
    assert np.array_equal(motion.to_pandas().to_numpy(), np.array(table[1:], dtype=float))
    pytest.importorskip("xarray")
    assert motion.to_xarray()["support"].dims == ("time", "ground", "axis")


def test_peaks_are_found_within_the_steps() -> None:
    coarse, fine = delassus.run(BLOCK, samples=10), delassus.run(BLOCK, samples=5000)
    exact = coarse.record["peaks"]
    assert coarse.peaks["tilt"] == exact["tilt"]["value"] and coarse.peak_times["tilt"] == exact["tilt"]["time"]
    contact = exact["contacts"][0]
    assert coarse.peaks[f"{contact['name']}.uplift"] == contact["uplift"]["value"] > 0.0
    assert coarse.peaks["A.force"] == pytest.approx(fine.peaks["A.force"], rel=1e-9)
    assert set(coarse.peaks) == set(coarse.peak_times) and coarse.peaks["block.theta"] <= fine.peaks["angle"] + 1e-12
    # Velocities jump at impacts, and both sides count.
    before = max(abs(impact.velocity_minus[2]) for impact in coarse.impacts)
    assert coarse.peaks["block.theta_rate"] >= before


def test_impacts_are_problems() -> None:
    motion = delassus.run(BLOCK, law="lzb", exponent=1.4)
    for index in (0, 2, -1):
        problem = motion.impact_problem(index)
        impact = motion.impacts[index]
        assert problem.law == delassus.Law("lzb", exponent=1.4) and f"{impact.time}" in problem.name
        assert np.allclose(problem.velocity, impact.velocity_minus, atol=1e-14)
        assert np.allclose(problem.resolve().velocity, impact.velocity_plus, atol=1e-9)
    assert delassus.run(BLOCK).impact_problem(0).law == delassus.Law("lzb", exponent=1.2)
    for index in (4, -5):
        with pytest.raises(ProblemError, match="4 impacts"):
            motion.impact_problem(index)
    assert pickle.loads(pickle.dumps(motion)).impact_problem(0) == motion.impact_problem(0)


def test_how_far_a_motion_can_be_trusted(tmp_path: Path) -> None:
    file = tmp_path / "block.toml"
    file.write_text(BLOCK)
    motion = delassus.run(file, sensitivity=True)
    assert motion.to_dict() == program("run", file, "--sensitivity")
    assert motion.reliable_until is not None and 0.0 < motion.reliable_until <= motion.time[-1]
    assert delassus.run(BLOCK).reliable_until is None


def test_figures_in_notebooks() -> None:
    motion = delassus.run(BLOCK)
    assert motion.svg in motion._repr_html_() and "block" in motion.svg
    # A motion from a pickle is computed again for its figure.
    assert pickle.loads(pickle.dumps(motion)).svg == motion.svg
    assert pickle.loads(pickle.dumps(motion))._repr_html_() == motion._repr_html_()


def test_a_pickle_whose_motion_cannot_be_computed_again() -> None:
    for change, words in (({"_asked": None}, "does not tell"), ({"q": np.zeros((1, 3))}, "another one")):
        again = pickle.loads(pickle.dumps(delassus.run(BLOCK)))
        again.__dict__.update(change)
        shown = again._repr_html_()
        assert "No figure" in shown and words in shown and "<svg" not in shown and "impacts" in shown
        with pytest.raises(ProblemError, match=words):
            _ = again.svg


def test_plot() -> None:
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("agg")
    ax = delassus.run(BLOCK).plot("block.theta")
    assert ax.get_ylabel() == "block.theta"
    assert delassus.run(BLOCK).plot(ax=ax) is ax
    matplotlib.pyplot.close("all")


def test_errors() -> None:
    with pytest.raises(ProblemError) as caught:
        delassus.run(BLOCK.replace("width = 0.24", "width = -0.24"))
    assert "width" in caught.value.field and caught.value.value == "-0.24"
    with pytest.raises(ProblemError, match="line 4"):
        delassus.run(BLOCK.replace("width", "widht"))
    with pytest.raises(FileNotFoundError):
        delassus.run("nowhere.toml")
    with pytest.raises(ProblemError, match="samples"):
        delassus.run(BLOCK, samples=0)
    with pytest.raises(ProblemError, match="no law is given"):
        delassus.run(BLOCK, exponent=1.5)
    with pytest.raises(ProblemError, match="source"):
        delassus.run(7)  # type: ignore[arg-type]


def test_records_lie_beside_their_file(tmp_path: Path) -> None:
    (tmp_path / "record.csv").write_text("\n".join(f"{0.01 * k},{np.sin(0.3 * k)}" for k in range(200)) + "\n")
    file = tmp_path / "quake.toml"
    text = BLOCK + '[[ground]]\nmotion = { record = { file = "record.csv", units = "m/s2" } }\n'
    file.write_text(text.replace("impacts = 4", "time = 1.0"))
    done = subprocess.run([command(), "run", str(file), "--json"], capture_output=True, text=True)
    if done.returncode == 2:
        with pytest.raises(ProblemError):
            delassus.run(file)
    else:
        assert delassus.run(file).to_dict()["records"][0]["file"] == "record.csv"


def test_ctrl_c_ends_a_motion() -> None:
    endless = BLOCK.replace("impacts = 4", "time = 1e6").replace("restitution = 0.3", "restitution = 1.0")
    endless += "[integrator]\nmax_events = 1000000000\n"
    script = (
        "import delassus\nprint('ready', flush=True)\n"
        f"try:\n    delassus.run({endless!r}, law='poisson')\nexcept KeyboardInterrupt:\n    sys.exit(42)\n"
    )
    assert interrupted(script) < 20.0


def test_a_time_limit_interrupts() -> None:
    endless = BLOCK.replace("impacts = 4", "time = 1e6").replace("restitution = 0.3", "restitution = 1.0")
    motion = delassus.run(endless + "[integrator]\nmax_events = 1000000000\n", law="poisson", time_limit=0.3)
    assert motion.status == "interrupted" and len(motion.impacts) > 0
