"""Fits and scores against what made the data, and against the program."""

from __future__ import annotations

import json
import math
import pickle
from pathlib import Path

import numpy as np
import pytest

import delassus
from delassus import Contact, Problem, ProblemError
from support import SCENARIOS, interrupted, program


def drop(restitution: float = 0.1) -> Problem:
    return Problem(mass=[1.0], velocity=[-1.0], contacts=[Contact("C", [1.0], restitution=restitution)])


def measured_drops() -> dict[str, np.ndarray]:
    random = np.random.default_rng(3)
    speeds = np.linspace(0.5, 2.0, 30)
    return {"velocity[0]": -speeds, "measured.velocity[0]": 0.7 * speeds + 1e-3 * random.standard_normal(30)}


def oblique_impacts() -> list[dict[str, object]]:
    random = np.random.default_rng(5)
    impacts = []
    for _ in range(40):
        velocity = [float(random.uniform(-1, 1)), float(random.uniform(-2, -0.5)), float(random.uniform(-1, 1))]
        contact = {"name": "C", "normal": [0.0, 1.0, 0.2], "tangent": [1.0, 0.0, 0.3], "friction": 0.3, "restitution": 0.6}
        table: dict[str, object] = {"mass": [1.0, 1.0, 0.05], "velocity": velocity, "contact": [contact]}
        after = Problem.from_dict(table).resolve("poisson").velocity
        impacts.append({**table, "after": after.tolist()})
    return impacts


def test_a_fit_finds_what_made_the_data() -> None:
    found = delassus.fit(measured_drops(), drop(), {"contact.C.restitution": (0.0, 1.0)}, law="newton")
    estimate = found.estimates["contact.C.restitution"]
    assert abs(estimate.value - 0.7) < 2e-3
    assert estimate.interval[0] < 0.7 < estimate.interval[1] and estimate.at_bound == (False, False)
    assert found.measurements == 30 and found.correlation.shape == (1, 1)
    assert 0.5e-3 < found.rms["velocity[0]"] < 2e-3
    shown = found._repr_html_()
    assert "contact.C.restitution" in shown and "<svg" in shown
    assert pickle.loads(pickle.dumps(found)).estimates == found.estimates


def test_fits_and_scores_as_tables() -> None:
    pytest.importorskip("pandas")
    found = delassus.fit(measured_drops(), drop(), {"contact.C.restitution": (0.0, 1.0)}, law="newton")
    key, estimate = next(iter(found.estimates.items()))
    table = found.to_pandas()
    assert table.index.tolist() == [key] and table.index.name == "number"
    assert (table.loc[key, "value"], table.loc[key, "low"], table.loc[key, "high"]) == (estimate.value, *estimate.interval)
    scores = delassus.score(oblique_impacts(), ["newton", "reflections"], folds=2)
    laws = scores.to_pandas()
    assert laws.index.tolist() == [one.name for one in scores] and math.isnan(laws.loc["reflections", "median"])
    newton = next(one for one in scores if one.name == "newton")
    assert laws.loc["newton", "median"] == newton.median and newton.interval == tuple(laws.loc["newton", ["low", "high"]])
    assert laws.loc["newton", next(iter(newton.values))] == next(iter(newton.values.values()))
    pytest.importorskip("xarray")
    assert found.to_xarray()["interval"].sel(number=key).values.tolist() == list(estimate.interval)
    assert np.array_equal(scores.to_xarray()["error"].sel(law="newton").values, newton.errors, equal_nan=True)


def test_a_fit_is_that_of_the_program(tmp_path: Path) -> None:
    data = measured_drops()
    lines = [",".join(repr(float(value)) for value in row) for row in zip(*data.values(), strict=True)]
    (tmp_path / "drops.csv").write_text("\n".join([",".join(data), *lines]) + "\n")
    drop().save(tmp_path / "drop.json")
    arguments = ["--law", "newton", "--free", "contact.C.restitution", "--seed", "3"]
    expected = program("fit", tmp_path / "drops.csv", tmp_path / "drop.json", *arguments)
    for one in (data, tmp_path / "drops.csv"):
        found = delassus.fit(one, tmp_path / "drop.json", ["contact.C.restitution"], "newton", seed=3)
        estimate = found.estimates["contact.C.restitution"]
        assert (estimate.value, list(estimate.interval)) == tuple(expected["estimates"][0][k] for k in ("value", "interval"))
        assert found.rms == expected["rms"] and found.measurements == expected["measurements"]


def test_a_fit_of_a_motion() -> None:
    scenario = SCENARIOS / "bouncing-ball.toml"
    made = delassus.run(scenario, samples=40)
    name = made.names[int(np.argmax(np.ptp(made.q, axis=0)))]
    columns = {"time": made.time[:25], name: made.q[:25, made.names.index(name)]}
    found = delassus.fit(columns, scenario, ["material.restitution"], looks=12)
    assert next(iter(found.rms.values())) < 1e-6


@pytest.mark.parametrize(
    ("change", "field", "kind"),
    [
        ({"free": {"contact.C.frction": (0.0, 1.0)}}, "contact.C.frction", "unknown"),
        ({"free": {"contact.C.restitution": (1.0, 0.0)}}, "contact.C.restitution", "invalid"),
        ({"free": ["velocity[0]"]}, "velocity[0]", "missing"),
        ({"free": ["contact.C.restitution"] * 2}, "contact.C.restitution", "duplicate"),
        ({"free": {"contact.C.restitution": 3}}, "free.contact.C.restitution", "invalid"),
        ({"data": {"velocity[0]": [1.0]}}, "data", "missing"),
        ({"data": {"a": [1.0], "b": [1.0, 2.0]}}, "data", "wrong-size"),
        ({"data": {"a": ["x"]}}, "data.a", "invalid"),
        ({"data": {"a": [[1.0]]}}, "data.a", "wrong-size"),
        ({"data": 7}, "data", "invalid"),
        ({"law": "newtun"}, "law.name", "unknown"),
        ({"looks": 0}, "looks", "out-of-range"),
        ({"seed": -1}, "seed", "out-of-range"),
    ],
)
def test_errors_of_fits(change: dict[str, object], field: str, kind: str) -> None:
    arguments = {"data": measured_drops(), "source": drop(), "free": ["contact.C.restitution"], "law": "newton", **change}
    with pytest.raises(ProblemError) as caught:
        delassus.fit(**arguments)  # type: ignore[arg-type]
    assert (caught.value.field, caught.value.kind) == (field, kind), caught.value


def test_the_law_that_made_the_impacts_predicts_them(tmp_path: Path) -> None:
    impacts = oblique_impacts()
    scores = delassus.score(impacts, ["newton", "poisson"], folds=4)
    errors = {one.name: one.median for one in scores}
    assert errors["poisson"] is not None and errors["newton"] is not None
    # Newton's law can do as well with one contact, the bound that none can beat better.
    assert errors["poisson"] < 1e-6 and errors["poisson"] <= errors["newton"] + 1e-8
    assert scores[0].median is not None and scores[0].median <= errors["poisson"] + 1e-12
    assert all(len(one.errors) == 40 for one in scores if one.reason is None)
    shown = scores._repr_html_()
    assert "poisson" in shown and "<svg" in shown
    (tmp_path / "impacts.json").write_text(json.dumps(impacts))
    expected = program("score", tmp_path / "impacts.json", "--law", "newton,poisson", "--folds", "4")["scores"]
    for ours, theirs in zip(scores, expected, strict=True):
        assert (ours.name, ours.median, ours.values) == (theirs["name"], theirs["median"], theirs["values"])
        assert np.array_equal(ours.errors, np.array(theirs["errors"], dtype=float), equal_nan=True)
    columns = {
        **{f"mass[{i}]": [1.0, 1.0, 0.05][i] * np.ones(40) for i in range(3)},
        **{f"velocity[{i}]": [one["velocity"][i] for one in impacts] for i in range(3)},  # type: ignore[index]
        **{f"after[{i}]": [one["after"][i] for one in impacts] for i in range(3)},  # type: ignore[index]
        **{f"contact.C.normal[{i}]": [[0.0, 1.0, 0.2][i]] * 40 for i in range(3)},
        **{f"contact.C.tangent[{i}]": [[1.0, 0.0, 0.3][i]] * 40 for i in range(3)},
    }
    again = delassus.score(columns, ["newton", "poisson"], folds=4)
    medians = {one.name: one.median for one in again}
    assert medians.keys() == errors.keys() and medians["poisson"] < 1e-6


def test_a_law_that_cannot_be_scored() -> None:
    impacts = oblique_impacts()
    refused = next(one for one in delassus.score(impacts, ["reflections"], folds=2) if one.name == "reflections")
    assert refused.reason and refused.median is None and refused.interval is None
    for wrong, field in ((impacts[:1], "folds"), ([{"mass": [1.0]}], "impact[0].after"), ("no.csv", "")):
        with pytest.raises((ProblemError, FileNotFoundError)) as caught:
            delassus.score(wrong)
        assert getattr(caught.value, "field", "") == field
    with pytest.raises(ProblemError, match="finite"):
        delassus.score([{**impacts[0], "after": [math.nan] * 3}] * 6)


def test_ctrl_c_ends_a_score() -> None:
    script = (
        "import delassus, numpy as np\n"
        "random = np.random.default_rng(1)\n"
        "one = lambda: {'mass': [1.0, 1.0, 0.05], 'velocity': random.uniform(-2, 0, 3).tolist(),\n"
        "               'after': random.uniform(-1, 1, 3).tolist(), 'contact': [{'name': 'C', 'normal': [0, 1, 0.2],\n"
        "               'tangent': [1, 0, 0.3]}]}\n"
        "impacts = [one() for _ in range(3000)]\n"
        "print('ready', flush=True)\n"
        "try:\n    delassus.score(impacts)\nexcept KeyboardInterrupt:\n    sys.exit(42)\n"
    )
    assert interrupted(script) < 20.0
