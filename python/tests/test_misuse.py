"""Arguments that could be read in another way than they are meant: told, or read as documented, never passed over."""

from __future__ import annotations

import pickle
import warnings
from typing import Any

import numpy as np
import pytest

import delassus
from delassus import Contact, Law, Problem, ProblemError
from support import SCENARIOS

RANDOM = np.random.default_rng(11)
U = RANDOM.uniform(-1.0, 1.0, (5, 2))


def test_one_contact_for_each_row_is_not_as_many_contacts() -> None:
    w = RANDOM.uniform(-1.0, 1.0, (5, 2))
    with pytest.warns(UserWarning, match=r"5 contacts that each impact has.*\(5, 1, 2\)"):
        batch = delassus.resolve_batch([1.0, 1.0], U, w)
    assert batch.impulse_normal.shape == (5, 5)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert delassus.resolve_batch([1.0, 1.0], U, w[:, None]).impulse_normal.shape == (5, 1)
        every = delassus.resolve_batch([1.0, 1.0], U, np.broadcast_to(w, (5, 5, 2)))
        delassus.resolve_batch([1.0, 1.0], U, w[:4])
        delassus.resolve_batch([1.0, 1.0], U[:1], w[:1])
    assert np.array_equal(every.velocity, batch.velocity)


def test_two_contacts_of_two_impacts() -> None:
    """Tangents (2, 2, n) are read as the normals are: with the row axis in front, or without."""
    normal = RANDOM.uniform(-1.0, 1.0, (3, 2, 4))
    tangent = RANDOM.uniform(-1.0, 1.0, (3, 2, 4))
    rest: dict[str, Any] = dict(mass=np.ones(4), friction=0.3, restitution=0.2, law="newton")
    u = -normal.sum(axis=1)
    three = delassus.resolve_batch(velocity=u, normal=normal, tangent=tangent, **rest)
    two = delassus.resolve_batch(velocity=u[:2], normal=normal[:2], tangent=tangent[:2], **rest)
    assert two.impulse_tangent.shape == (2, 2, 1) and np.array_equal(two.velocity, three.velocity[:2])
    with pytest.warns(UserWarning, match="2 contacts"):
        shared = delassus.resolve_batch(velocity=u[:2], normal=normal[0], tangent=tangent[:2], **rest)
    assert shared.impulse_tangent.shape == (2, 2, 2)
    # Two rows are two tangents of one contact only where the normal is one direction.
    one = delassus.resolve_batch(velocity=u[:2], normal=normal[0, 0], tangent=tangent[0], **rest)
    assert one.impulse_tangent.shape == (2, 1, 2)
    with pytest.raises(ProblemError, match=r"tangent = array of shape \(2, 4\)"):
        delassus.resolve_batch(velocity=u[:2], normal=normal[:2, :1], tangent=tangent[:2, 0], **rest)


def test_coefficients_of_as_many_contacts_as_rows() -> None:
    """(c,) is one for each contact, and (K, c) has rows in front, also where K = c."""
    w = RANDOM.uniform(-1.0, 1.0, (3, 3, 3))
    u, mu = -w.sum(axis=1), RANDOM.uniform(0.0, 1.0, (3, 3))
    batch = delassus.resolve_batch(np.ones(3), u, w, restitution=mu)
    flat = delassus.resolve_batch(np.ones(3), u, w, restitution=mu[0])
    for k in range(3):
        assert np.array_equal(batch.velocity[k], delassus.resolve(np.ones(3), u[k], w[k], restitution=mu[k], law="newton").velocity)
        assert np.array_equal(flat.velocity[k], delassus.resolve(np.ones(3), u[k], w[k], restitution=mu[0], law="newton").velocity)
    with pytest.raises(ProblemError, match=r"restitution = array of shape \(3, 5\): needs shape \(3,\) or \(K, 3\)"):
        delassus.resolve_batch(np.ones(3), np.tile(u, (2, 1))[:5], w[0], restitution=np.ones((3, 5)))


def test_rows_of_pandas_have_the_same_labels() -> None:
    pd = pytest.importorskip("pandas")
    mu = [0.1, 0.2, 0.3, 0.4, 0.5]
    rest: dict[str, Any] = dict(mass=[1.0, 1.0], normal=[0.0, 1.0], tangent=[1.0, 0.0])
    expected = delassus.resolve_batch(velocity=U, friction=mu, **rest).velocity
    named = pd.DataFrame(U, index=list("abcde"))
    for velocity, friction in ((named, pd.Series(mu, index=list("abcde"))), (named, pd.Series(mu)), (pd.DataFrame(U), mu)):
        assert np.array_equal(delassus.resolve_batch(velocity=velocity, friction=friction, **rest).velocity, expected)
    for velocity, friction in (
        (pd.DataFrame(U), pd.Series(mu, index=[4, 3, 2, 1, 0])),
        (named, pd.Series(mu, index=list("edcba"))),
        (named, pd.Series(mu, index=list("vwxyz"))),
    ):
        with pytest.raises(ProblemError, match="friction: its rows have other labels") as caught:
            delassus.resolve_batch(velocity=velocity, friction=friction, **rest)
        assert caught.value.field == "friction"
    with pytest.raises(ProblemError, match="normal: its rows have other labels"):
        delassus.resolve([1.0, 1.0], pd.Series([0.0, -1.0], index=["x", "y"]), pd.Series([1.0, 0.0], index=["y", "x"]))
    drop = Problem([1.0], [-1.0], [Contact("C", [1.0])])
    columns = {"velocity[0]": pd.Series([-1.0, -2.0]), "measured.velocity[0]": pd.Series([1.0, 0.5], index=[1, 0])}
    with pytest.raises(ProblemError, match="other labels"):
        delassus.fit(columns, drop, ["contact.C.restitution"], "newton")


def test_measurements_that_are_masked_were_not_made() -> None:
    drop = Problem([1.0], [-1.0], [Contact("C", [1.0])])
    after = np.ma.masked_array([0.5, 1.0, 77.0, 2.0], mask=[False, False, True, False])
    found = delassus.fit({"velocity[0]": [-1, -2, -3, -4], "measured.velocity[0]": after}, drop, "contact.C.restitution", "newton")
    assert found.measurements == 3 and found.estimates["contact.C.restitution"].value == pytest.approx(0.5)
    with pytest.raises(ProblemError, match="complex"):
        delassus.fit({"velocity[0]": np.array([1j])}, drop, "contact.C.restitution", "newton")


@pytest.mark.parametrize(
    ("value", "kind"), [({1.0}, "set"), (None, "NoneType"), ({0: 1.0}, "dict"), ((x for x in [1.0]), "generator")]
)
def test_what_is_no_array(value: Any, kind: str) -> None:
    with pytest.raises(ProblemError, match=f"mass = {kind}: needs an array of real numbers"):
        delassus.resolve(value, [0.0, -1.0], [0.0, 1.0])


def test_masses_of_single_precision() -> None:
    """Rounding leaves them not quite symmetric: one impact takes them as a batch does."""
    a = RANDOM.uniform(-1.0, 1.0, (3, 3))
    mass = (a @ a.T + np.eye(3)).astype(np.float32)
    mass[0, 1] = np.nextafter(mass[0, 1], np.float32(9.0))
    one = delassus.resolve(mass, [0.0, 0.1, -1.0], [0.0, 0.0, 1.0], law="newton")
    batch = delassus.resolve_batch(mass, [[0.0, 0.1, -1.0]], [0.0, 0.0, 1.0])
    assert np.array_equal(one.velocity, batch.velocity[0])


def test_misspelt_arguments() -> None:
    call: dict[str, Any] = dict(mass=[1.0, 1.0], velocity=[0.0, -1.0], normal=[0.0, 1.0])
    with pytest.raises(ProblemError, match="did you mean the argument 'friction'"):
        delassus.resolve(**call, frictoin=0.5)
    with pytest.raises(ProblemError, match="did you mean the argument 'threads'"):
        delassus.resolve_batch(**call, thread=2)
    with pytest.raises(ProblemError, match="did you mean the argument 'iterations'"):
        Problem.kane().resolve("newton", iteration=5)
    with pytest.raises(ProblemError, match="did you mean the argument 'samples'"):
        delassus.run({"rocking_block": {"width": 0.3, "height": 1.2, "mass": 1.0}}, sample=5)
    with pytest.raises(ProblemError, match="did you mean 'exponent'"):
        delassus.resolve(**call, law="lzb", exponnent=1.0)


def test_laws_for_other_sizes() -> None:
    two = Law("kinematic", restitution_matrix=0.5 * np.eye(2))
    w = np.eye(3)
    assert delassus.resolve_batch(np.ones(3), -np.ones((4, 3)), w[:2], law=two).solved.all()
    for call in (
        lambda: delassus.resolve(np.ones(3), -np.ones(3), w, law=two),
        lambda: delassus.resolve_batch(np.ones(3), -np.ones((4, 3)), w, law=two),
    ):
        with pytest.raises(ProblemError, match="needs 3 × 3 entries") as caught:
            call()
        assert caught.value.field == "law.restitution_matrix"


def test_laws_and_outcomes_do_not_change() -> None:
    matrix = np.eye(2)
    law = Law("kinematic", restitution_matrix=matrix)
    matrix[:] = 7.0
    law.data["restitution_matrix"][0][0] = 7.0
    law.to_dict()["restitution_matrix"][0][0] = 7.0
    assert law == pickle.loads(pickle.dumps(law)) == Law("kinematic", restitution_matrix=np.eye(2))
    assert law.data == {"restitution_matrix": [[1.0, 0.0], [0.0, 1.0]]}
    out = Problem.kane().resolve("newton")
    for one in (out, pickle.loads(pickle.dumps(out))):
        one.velocity[0] = 7.0
        assert one.velocity[0] == one.to_dict()["velocity"][0] != 7.0


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ((0.1, 0.2, 0.3), "a tuple is .from, to, number"),
        ((0, 1, 5.0), "a tuple is .from, to, number"),
        ((0, 1, True), "a tuple is .from, to, number"),
        ((0, 1, 2, 3), "values are a list"),
        ([0.1, float("nan")], "nan: needs finite numbers"),
        (np.ones((2, 2)), "needs .from, to, number"),
        ([Law("lzb")], "needs finite numbers"),
    ],
)
def test_values_of_sweeps(values: Any, words: str) -> None:
    with pytest.raises(ProblemError, match=words) as caught:
        delassus.sweep(Problem.kane(), {"contact.C.friction": values}, "energy", "newton")
    assert caught.value.field == "vary.contact.C.friction"


def test_sweeps_as_they_are_asked_for() -> None:
    kane, names = Problem.kane(), ("energy", "verdict")
    found = delassus.sweep(kane, {"contact.C.friction": [0, 1, 2]}, (name for name in names), "newton")  # type: ignore[arg-type]
    assert found.measures == names and found.column("contact.C.friction") == [0.0, 1.0, 2.0]
    assert delassus.sweep(kane, {"contact.C.friction": (0, 1, 2)}, "energy", "newton").column("contact.C.friction") == [0.0, 1.0]
    assert delassus.sweep(kane, {"law": ("newton", "poisson")}, "energy").column("law") == ["newton", "poisson"]
    pd = pytest.importorskip("pandas")
    series = pd.Series([0.3, 0.1], index=[7, 5])
    assert delassus.sweep(kane, {"contact.C.friction": series}, "energy", "newton").column("contact.C.friction") == [0.3, 0.1]
    with pytest.raises(ProblemError, match="law.*needs names of laws"):
        delassus.sweep(kane, {"law": [Law("lzb", exponent=1.0)]}, "energy")
    with pytest.raises(ProblemError, match="vary = list"):
        delassus.sweep(kane, [("contact.C.friction", [0.1])], "energy")  # type: ignore[arg-type]
    with pytest.raises(ProblemError, match="one measure"):
        delassus.map(kane, ("velocity[0]", -1, 1, 3), ("velocity[1]", -1, 1, 3), measure=["energy"])  # type: ignore[arg-type]


def test_one_number_is_varied_once() -> None:
    """Two paths of one number: the values of one of them would not count."""
    for call in (
        lambda: delassus.sweep(Problem.kane(), {"contact.C.friction": [0.1], "contact[0].friction": [0.2]}, "energy", "newton"),
        lambda: delassus.map(Problem.kane(), ("contact.C.friction", 0, 1, 3), ("contact[0].friction", 0, 1, 3), "energy", "newton"),
        lambda: delassus.sweep(SCENARIOS / "block-on-slope.toml", {"body.block.mass": [1.0], "body[0].mass": [2.0]}, "impacts"),
    ):
        with pytest.raises(ProblemError, match="is the same number as") as caught:
            call()
        assert caught.value.kind == "duplicate"
