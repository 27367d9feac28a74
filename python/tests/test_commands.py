"""Fits, scores, contact problems and animations through the program of the package."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import delassus
from delassus import Contact, Problem, ProblemError
from support import SCENARIOS


def drop(restitution: float = 0.1) -> Problem:
    return Problem(mass=[1.0], velocity=[-1.0], contacts=[Contact("C", [1.0], restitution=restitution)])


def test_a_fit_finds_what_made_the_data() -> None:
    random = np.random.default_rng(3)
    speeds = np.linspace(0.5, 2.0, 30)
    noise = 1e-3 * random.standard_normal(30)
    data = {"velocity[0]": -speeds, "measured.velocity[0]": 0.7 * speeds + noise}
    found = delassus.fit(data, drop(), {"contact.C.restitution": (0.0, 1.0)}, law="newton")
    estimate = found.estimates["contact.C.restitution"]
    assert abs(estimate.value - 0.7) < 2e-3
    assert estimate.interval[0] < 0.7 < estimate.interval[1]
    assert found.measurements == 30 and found.correlation.shape == (1, 1)
    assert 0.5e-3 < found.rms["velocity[0]"] < 2e-3 or 0.5e-3 < next(iter(found.rms.values())) < 2e-3
    assert "contact.C.restitution" in found._repr_html_()
    with pytest.raises(ProblemError, match="frction"):
        delassus.fit(data, drop(), {"contact.C.frction": (0.0, 1.0)}, law="newton")


def test_the_law_that_made_the_impacts_predicts_them() -> None:
    random = np.random.default_rng(5)
    impacts = []
    for _ in range(40):
        velocity = [float(random.uniform(-1, 1)), float(random.uniform(-2, -0.5)), float(random.uniform(-1, 1))]
        table = {
            "mass": [1.0, 1.0, 0.05],
            "velocity": velocity,
            "contact": [
                {
                    "name": "C", "normal": [0.0, 1.0, 0.2], "tangent": [1.0, 0.0, 0.3],
                    "friction": 0.3, "restitution": 0.6,
                }
            ],
        }
        after = Problem.from_dict(table).resolve("poisson").velocity
        impacts.append({**table, "after": after.tolist()})
    scores = delassus.score(impacts, ["newton", "poisson"], folds=4)
    errors = {one.name: one.median for one in scores}
    assert errors["poisson"] is not None and errors["newton"] is not None
    # Newton's law can do as well with one contact, the bound that none can beat better.
    assert errors["poisson"] < 1e-6 and errors["poisson"] <= errors["newton"] + 1e-8
    assert scores[0].median is not None and scores[0].median <= errors["poisson"] + 1e-12
    assert all(len(one.errors) == 40 for one in scores if one.reason is None)


def test_contact_problems_satisfy_coulombs_law() -> None:
    random = np.random.default_rng(7)
    count = 8
    # Of full rank, so that there is a solution for every q.
    columns = random.standard_normal((3 * count, 4 * count))
    g = columns @ columns.T
    q = random.standard_normal(3 * count)
    q[::3] = -np.abs(q[::3])
    mu = random.uniform(0.1, 0.8, count)
    found = delassus.solve_contact((g, q, mu))
    assert (found.status, found.contacts) == ("solved", count)
    assert np.allclose(found.velocity, g @ found.impulse + q, atol=1e-6 * np.abs(found.impulse).max())
    size = np.abs(found.impulse).max()
    for c in range(count):
        r, u = found.impulse[3 * c : 3 * c + 3], found.velocity[3 * c : 3 * c + 3]
        assert r[0] >= -1e-7 * size and u[0] >= -1e-6 and abs(r[0] * u[0]) < 1e-5 * size
        assert np.hypot(r[1], r[2]) <= mu[c] * r[0] + 1e-6 * size
    for wrong, words in (((g, q[:-1], mu), "rows of q"), ((g[:-1], q, mu), "shape"), ((g * np.nan, q, mu), "finite")):
        with pytest.raises(ProblemError, match=words):
            delassus.solve_contact(wrong)


def test_an_animation_is_a_page(tmp_path: Path) -> None:
    page = delassus.animation(SCENARIOS / "bouncing-ball.toml", law="newton")
    page.save(tmp_path / "ball.html")
    text = (tmp_path / "ball.html").read_text(encoding="utf-8")
    assert "http://" not in text.replace("http://www.w3.org", "") and "Bouncing ball" in text
    assert page._repr_html_().startswith("<iframe")
    with pytest.raises(ProblemError):
        delassus.animation({"no": "scenario"})
