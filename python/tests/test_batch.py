"""Batches against single outcomes, row by row and bit by bit."""

from __future__ import annotations

import pickle
from collections.abc import Set
from typing import Any

import numpy as np
import pytest

import delassus
from delassus import Contact, Problem, ProblemError

K = 60
RANDOM = np.random.default_rng(7)


def numbers(n: int, c: int, t: int) -> dict[str, Any]:
    """Random M, W, u⁻ for K impacts in which every contact approaches."""
    a = RANDOM.uniform(-1.0, 1.0, (K, n, n))
    normal = RANDOM.uniform(-1.0, 1.0, (K, c, n))
    found: dict[str, Any] = {
        "mass": a @ a.transpose(0, 2, 1) + 0.5 * np.eye(n),
        "velocity": 0.3 * RANDOM.uniform(-1.0, 1.0, (K, n)) - normal.sum(axis=1),
        "normal": normal,
        "restitution": RANDOM.uniform(0.0, 1.0, (K, c)),
    }
    if t:
        found["tangent"] = RANDOM.uniform(-1.0, 1.0, (K, c, n) if t == 1 else (K, c, 2, n))
        found["friction"] = RANDOM.uniform(0.0, 0.5, (K, c))
    return found


def one(arguments: dict[str, Any], shared: Set[str], k: int) -> Problem:
    """The problem of a row, built from objects."""
    row = {key: value if key in shared else value[k] for key, value in arguments.items()}
    c = len(row["normal"])
    contacts = [
        Contact(
            "C" if c == 1 else f"C{i}",
            row["normal"][i],
            tangent=row["tangent"][i] if "tangent" in row else None,
            friction=np.broadcast_to(row["friction"], c)[i] if "tangent" in row else None,
            restitution=np.broadcast_to(row["restitution"], c)[i],
        )
        for i in range(c)
    ]
    return Problem(row["mass"], row["velocity"], contacts)


def compare(arguments: dict[str, Any], law: str, shared: Set[str] = frozenset()) -> int:
    batch = delassus.resolve_batch(**arguments, law=law)
    assert len(batch) == K and batch.law == law
    c = batch.impulse_normal.shape[1]
    solved = 0
    for k in range(K):
        out = one(arguments, shared, k).resolve(law, solutions="first")
        assert batch.status[k] == out.status
        solved += out.status == "solved"
        rows = out.impulses.reshape(c, -1)
        assert np.array_equal(batch.velocity[k], out.velocity, equal_nan=True), (law, k)
        assert np.array_equal(batch.impulse_normal[k], rows[:, 0], equal_nan=True)
        assert np.array_equal(batch.impulse_tangent[k], rows[:, 1:], equal_nan=True)
        assert np.array_equal(batch.energy_change[k], out.energy.change, equal_nan=True)
        check = out.certificate
        residuals = batch.certificate[k]
        expected = [check.kinematic.residual, check.kinetic.residual, check.energetic.residual, check.momentum_residual]
        assert np.array_equal(list(residuals)[:4], expected, equal_nan=True)
        inclusion = np.nan if check.inclusion_residual is None else check.inclusion_residual
        assert np.array_equal(residuals["inclusion"], inclusion, equal_nan=True)
        if out.status == "solved":
            assert tuple(batch.state[k]) == tuple(e.state for e in out.elements)
            assert batch.elements == out.elements.names
    return solved


@pytest.mark.parametrize("law", delassus.laws())
def test_rows_are_single_outcomes(law: str) -> None:
    shapes = {
        "walton": [(2, 1, 1)],
        "stronge": [(2, 1, 1)],
        "chatterjee-ruina": [(2, 1, 0), (3, 1, 1)],
        "reflections": [(2, 1, 0), (4, 2, 0)],  # which has no friction
    }.get(law, [(2, 1, 0), (3, 1, 1), (4, 2, 1)])
    solved = 0
    for shape in shapes:
        found = numbers(*shape)
        if law == "walton":  # which needs G_NT = 0
            found["mass"] = RANDOM.uniform(0.5, 2.0, (K, 1)).repeat(2, axis=1)
            found["tangent"] = found["normal"][..., ::-1] * [-1.0, 1.0]
        if law in ("moreau", "reflections"):  # which have one coefficient for all contacts
            solved += compare({**found, "restitution": 0.4}, law, {"restitution"})
        else:
            solved += compare(found, law)
    assert solved > 0.5 * K * len(shapes)


def test_spatial_rows_are_single_outcomes() -> None:
    assert compare(numbers(6, 2, 2), "newton") > 0.9 * K


@pytest.mark.parametrize("shared", [{"mass"}, {"normal"}, {"tangent"}, {"mass", "normal", "tangent"}, {"friction"},
                                    {"restitution"}, {"velocity"}])
def test_what_all_rows_share(shared: set[str]) -> None:
    found = numbers(3, 2, 1)
    assert compare({key: value[0] if key in shared else value for key, value in found.items()}, "newton", shared)


def test_diagonal_masses() -> None:
    found = numbers(5, 2, 1)
    found["mass"] = RANDOM.uniform(0.5, 2.0, (K, 5))
    compare(found, "poisson")
    compare({**found, "mass": found["mass"][0]}, "poisson", {"mass"})
    compare({**found, "mass": found["mass"][0], "normal": found["normal"][0], "tangent": found["tangent"][0]},
            "poisson", {"mass", "normal", "tangent"})


def test_any_number_of_threads() -> None:
    found = {key: np.concatenate([value] * 40) for key, value in numbers(4, 2, 1).items()}
    one = delassus.resolve_batch(**found, law="lzb", threads=1)
    for threads in (2, 3, None):
        other = delassus.resolve_batch(**found, law="lzb", threads=threads)
        assert np.array_equal(one.velocity, other.velocity, equal_nan=True)
        assert np.array_equal(one.status_code, other.status_code)
        assert one.certificate.tobytes() == other.certificate.tobytes() and one.reasons == other.reasons
    assert len(one) == 40 * K


def test_layouts_and_types() -> None:
    found = numbers(3, 1, 1)
    expected = delassus.resolve_batch(**found)
    strange = {key: np.asfortranarray(value) for key, value in found.items()}
    strange["velocity"] = np.repeat(found["velocity"], 2, axis=0)[::2]
    assert np.array_equal(delassus.resolve_batch(**strange).velocity, expected.velocity)
    whole = delassus.resolve_batch([1, 2], [[0, -1], [3, -2]], [0, 1], restitution=1)
    assert whole.velocity.tolist() == [[0.0, 1.0], [3.0, 2.0]]
    single = np.array([[0.0, -1.0]], dtype=np.float32)
    assert delassus.resolve_batch([1, 2], single, [0, 1]).velocity.dtype == np.float64


def test_bad_rows_do_not_spoil_the_others() -> None:
    found = numbers(3, 1, 1)
    expected = delassus.resolve_batch(**found)
    found["velocity"][3, 1] = np.nan
    found["mass"][7] = -np.eye(3)
    found["normal"][11] = 0.0
    found["friction"][13] = -1.0
    found["restitution"][17] = np.inf
    batch = delassus.resolve_batch(**found)
    bad = [3, 7, 11, 13, 17]
    assert list(batch.reasons) == bad and list(np.flatnonzero(~batch.solved)) == bad
    assert (batch.status[bad] == "bad-input").all() and np.isnan(batch.velocity[bad]).all()
    assert np.isnan(batch.certificate["momentum"][bad]).all() and (batch.state[bad] == "").all()
    assert "velocity[3, 1] = nan" in batch.reasons[3] and "friction[13, 0] = -1" in batch.reasons[13]
    good = np.setdiff1d(np.arange(K), bad)
    assert np.array_equal(batch.velocity[good], expected.velocity[good])
    assert "5 bad-input" in repr(batch) and "5 bad-input" in batch._repr_html_()


@pytest.mark.parametrize("law", delassus.laws())
def test_any_numbers_give_a_status(law: str) -> None:
    """Numbers from the ends of their range, and none: a status for every row, no exception, nothing infinite."""
    random = np.random.default_rng(11)
    nasty = np.array([0.0, -0.0, 1.0, -1.0, 0.5, 3.0, 1e-9, 1e9, 1e-160, 1e160, -1e300, 5e-324, np.nan, np.inf])
    usual = np.array([0.0, 1.0, -1.0, 0.5, 3.0, 1e-9, -1e9])
    for numbers in (nasty, usual):
        found = {
            "mass": np.abs(random.choice(numbers, (200, 3))),
            "velocity": random.choice(numbers, (200, 3)),
            "normal": random.choice(numbers, (200, 2, 3)),
            "tangent": random.choice(numbers, (200, 2, 3)),
            "friction": random.choice(numbers, (200, 2)),
            "restitution": random.choice(numbers, (200, 2)),
        }
        batch = delassus.resolve_batch(**found, law=law)
        assert not np.isinf(batch.velocity).any() and not np.isinf(batch.impulse_normal).any()
        answered = np.isin(batch.status, ["solved", "inaccurate", "max-iterations", "stalled"])
        assert np.array_equal(~np.isnan(batch.velocity).any(axis=1), answered)


def test_rows_without_an_answer() -> None:
    batch = delassus.resolve_batch(**numbers(4, 2, 0), law="walton")
    assert (batch.status == "not-applicable").all() and np.isnan(batch.velocity).all()
    assert len(batch.reasons) == K


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"mass": np.ones((K, 3, 4))}, "mass"),
        ({"mass": np.ones(4)}, "mass"),
        ({"mass": np.ones((K + 1, 3))}, "mass"),
        ({"velocity": np.ones((K, 2, 3))}, "velocity"),
        ({"velocity": np.ones((0, 3))}, "normal"),
        ({"normal": np.ones((K, 2, 4))}, "normal"),
        ({"normal": np.ones((K + 1, 2, 3))}, "normal"),
        ({"tangent": np.ones((K, 2, 3, 3))}, "tangent"),
        ({"tangent": None}, "friction"),
        ({"friction": np.ones(3)}, "friction"),
        ({"friction": np.ones((K, 3))}, "friction"),
        ({"restitution": "all"}, "restitution"),
        ({"threads": 0}, "threads"),
        ({"threads": 1.5}, "threads"),
        ({"threads": True}, "threads"),
        ({"solutions": "all"}, "solutions"),
        ({"law": "newtun"}, "law.name"),
        ({"mass": [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, -1.0]]}, "mass[2, 2]"),
        ({"friction": -1.0}, "friction"),
        ({"normal": np.full((2, 3), np.nan)}, "normal[0, 0]"),
    ],
)
def test_arguments_that_do_not_fit(change: dict[str, Any], field: str) -> None:
    with pytest.raises(ProblemError) as caught:
        delassus.resolve_batch(**{**numbers(3, 2, 1), **change})
    assert caught.value.field == field, caught.value


def test_reasons_name_the_place() -> None:
    velocity, friction, normal = -np.ones((10, 2)), np.full((10, 2), 0.3), np.ones((10, 2, 2))
    velocity[3, 0], friction[4, 1], normal[5, 1] = np.nan, -1.0, 0.0
    batch = delassus.resolve_batch([1.0, 1.0], velocity, normal, tangent=[[1.0, 0.0]] * 2, friction=friction)
    assert batch.reasons[3] == "velocity[3, 0] = nan; velocity has shape (10, 2), finite numbers are needed"
    assert batch.reasons[4] == "friction[4, 1] = -1: must be a finite number of at least 0 (friction has shape (10, 2))"
    assert batch.reasons[5].startswith("normal[5, 1] = ") and batch.reasons[5].endswith("(normal has shape (10, 2, 2))")
    assert sorted(np.flatnonzero(batch.status == "bad-input")) == [3, 4, 5]


def test_tables_and_pickles() -> None:
    batch = delassus.resolve_batch(**numbers(3, 2, 1))
    again = pickle.loads(pickle.dumps(batch))
    assert np.array_equal(again.velocity, batch.velocity, equal_nan=True) and np.array_equal(again.status, batch.status)
    pytest.importorskip("pandas")
    table = batch.to_pandas()
    assert len(table) == K and table["status"].dtype == "category"
    assert np.array_equal(table["impulse_tangent[1][0]"], batch.impulse_tangent[:, 1, 0], equal_nan=True)
    pytest.importorskip("xarray")
    data = batch.to_xarray()
    assert data["velocity"].dims == ("impact", "coordinate") and data.attrs["law"] == "newton"
    assert list(data["element"].values) == list(batch.elements)


def test_no_impact_and_one_coefficient_a_row() -> None:
    none = delassus.resolve_batch([1.0, 1.0], np.empty((0, 2)), [0.0, 1.0], tangent=[1.0, 0.0], friction=0.3)
    assert len(none) == 0 and none.velocity.shape == (0, 2) and none.impulse_tangent.shape == (0, 1, 1)
    assert len(none.to_pandas()) == 0
    velocity = np.full((3, 2), -1.0)
    rows = delassus.resolve_batch([1.0, 1.0], velocity, [0.0, 1.0], restitution=[0.0, 0.5, 1.0])
    assert rows.velocity[:, 1].tolist() == [0.0, 0.5, 1.0]
    with pytest.raises(ProblemError, match=r"needs shape \(2,\) or \(K, 2\)"):
        delassus.resolve_batch([1.0, 1.0], velocity, np.eye(2), restitution=np.zeros((3, 3)))


@pytest.mark.parametrize("rows", [1, 3, 5])
def test_two_tangents_of_two_contacts_for_all_rows(rows: int) -> None:
    """Tangents (2, 2, n) beside normals (K, 2, n): K in front is no reading where K is not 2."""
    random = np.random.default_rng(8)
    velocity, normal = random.uniform(-1, 1, (rows, 4)), random.uniform(-1, 1, (rows, 2, 4))
    tangent = random.uniform(-1, 1, (2, 2, 4))
    shared = delassus.resolve_batch(np.ones(4), velocity, normal, tangent, friction=0.3)
    own = delassus.resolve_batch(np.ones(4), velocity, normal, np.tile(tangent, (rows, 1, 1, 1)), friction=0.3)
    assert shared.impulse_tangent.shape == (rows, 2, 2)
    np.testing.assert_array_equal(shared.velocity, own.velocity)
    with pytest.raises(delassus.ProblemError, match="velocity has"):
        delassus.resolve_batch(np.ones(4), velocity, normal, np.ones((rows + 3, 2, 4)), friction=0.3)
