"""Problems, laws and outcomes against the program, which is the reference."""

from __future__ import annotations

import copy
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import delassus
from delassus import Clutch, Contact, Joint, Law, Problem, ProblemError
from support import EXAMPLES, program

KANE_MASS = [[16.0, 5.9088], [5.9088, 4.0]]
KANE: dict[str, Any] = dict(
    normal=[0.684, 1.0], tangent=[-1.8794, -1.7321], friction=0.5, restitution=0.5
)


def kane() -> Problem:
    return Problem(KANE_MASS, [-0.1, -0.2], [Contact("C", **KANE)], name="Kane's double pendulum")


def every_key() -> Problem:
    return Problem(
        mass=[[2.0, 0.1, 0.0, 0.0], [0.1, 3.0, 0.0, 0.0], [0.0, 0.0, 1.5, 0.0], [0.0, 0.0, 0.0, 0.7]],
        velocity=[0.1, -1.0, 0.3, 0.4],
        contacts=[
            Contact("A", {1: 1.0, 3: -0.3}, tangent=[[1.0, 0.0, 0.2, 0.0], [0.0, 0.0, 1.0, 0.1]],
                    friction=(0.5, 0.3), friction_static=(0.6, 0.4), restitution=0.4, restitution_tangential=0.1,
                    stiffness=2.0, offset=[0.1, 0.0, 0.2]),
            Contact("B", [0.0, 1.0, 0.3, 0.0], tangent=[1.0, 0.0, -0.1, 0.0], friction=0.2),
        ],
        clutches=[Clutch("K", [0.0, 0.0, 0.0, 1.0], restitution=-0.5, offset=0.1)],
        joints=[Joint("J", [[1.0, 0.0, 0.0, 1.0], [0.0, 0.0, 1.0, -1.0]], restitution=0.3, offset=[0.0, 0.2])],
        impulse=[0.0, 0.01, 0.0, 0.0],
        name="every key",
    )


def test_outcomes_are_those_of_the_program() -> None:
    """Every law on every example: the same JSON, so the same bits."""
    compared = 0
    for file in sorted(EXAMPLES.glob("*.toml")):
        found = Problem.load_all(file)
        expected = program("impact", file, "--law", ",".join(delassus.laws()))
        expected = [expected] if isinstance(expected[0], dict) else expected
        for problem, outcomes in zip(found, expected, strict=True):
            ours = problem.resolve_all()
            assert list(ours) == [outcome["law"] for outcome in outcomes]
            for outcome in outcomes:
                assert ours[outcome["law"]].to_dict() == outcome, (file, outcome["law"])
                compared += outcome["status"] == "solved"
    assert compared > 40


def test_all_solutions_are_those_of_the_program(tmp_path: Path) -> None:
    file = EXAMPLES / "kane.toml"
    expected = program("impact", file, "--law", "newton", "--all")
    assert Problem.load(file).resolve("newton", solutions="all").to_dict() == expected[0]
    expected = program("impact", file, "--law", "lzb", "--path")
    assert Problem.load(file).resolve("lzb", path=True).to_dict() == expected[0]


def test_three_ways_to_one_problem(tmp_path: Path) -> None:
    arrays = delassus.resolve(KANE_MASS, [-0.1, -0.2], **KANE, law="poisson")
    objects = kane().resolve("poisson")
    file = Problem.load(EXAMPLES / "kane.toml").resolve("poisson")
    # Arrays have no name.
    names = [outcome.to_dict().pop("problem", None) for outcome in (arrays, objects, file)]
    assert names == [None, kane().name, kane().name]
    plain = [{k: v for k, v in outcome.to_dict().items() if k != "problem"} for outcome in (arrays, objects, file)]
    assert plain[0] == plain[1] == plain[2]
    saved = tmp_path / "kane.json"
    kane().save(saved)
    assert Problem.load(saved) == kane()
    assert Problem.load(saved).resolve("poisson") == file


def test_every_key_survives(tmp_path: Path) -> None:
    problem = every_key()
    again = Problem.from_dict(problem.to_dict())
    assert again == problem and again.to_dict() == problem.to_dict()
    rebuilt = Problem(
        problem.mass, problem.velocity, problem.contacts, problem.joints, problem.clutches, problem.impulse, problem.name
    )
    assert rebuilt == problem and problem.impulse.tolist() == [0.0, 0.01, 0.0, 0.0]
    assert kane().impulse.tolist() == [0.0, 0.0]
    assert problem.contacts == every_key().contacts and problem.contacts[0] != problem.contacts[1]
    problem.save(tmp_path / "p.json")
    assert program("impact", tmp_path / "p.json", "--law", "moreau")[0]["law"] == "moreau"


def test_arrays_of_a_problem_satisfy_its_equations() -> None:
    for problem in (kane(), every_key()):
        mass = problem.mass if problem.mass.ndim == 2 else np.diag(problem.mass)
        w = problem.directions
        assert np.allclose(problem.operator, w.T @ np.linalg.solve(mass, w), rtol=1e-13)
        out = problem.resolve("newton")
        assert out.status == "solved"
        external = np.array(problem.to_dict().get("impulse", np.zeros(len(problem.velocity))))
        assert np.allclose(mass @ (out.velocity - problem.velocity), w @ out.impulses + external, atol=1e-12)
        before = problem.gamma_minus - w.T @ problem.velocity
        assert np.allclose(out.gamma_plus, w.T @ out.velocity + before, atol=1e-12)
        energy = 0.5 * out.velocity @ mass @ out.velocity
        assert np.isclose(out.energy.after, energy) and out.energy.change == out.energy.after - out.energy.before


def test_outcome_attributes() -> None:
    out = kane().resolve("newton")
    assert (out.law, out.status, out.reason) == ("newton", "solved", None)
    assert out.certificate.energetic.holds is False and not out.certificate.consistent
    assert out.certificate.momentum_residual < 1e-12
    assert out.elements.names == ("C", "C.friction") and out.elements["C"].kind == "contact"
    assert out.elements[-1].state == "stick" and len(out.elements[:1]) == 1
    assert np.array_equal(np.concatenate([e.impulse for e in out.elements]), out.impulses)
    with pytest.raises(KeyError):
        out.elements["D"]
    assert out.uniqueness in ("proved", "several", "unknown")
    compressed = kane().resolve("poisson").elements["C"]
    assert compressed.impulse_compression is not None and compressed.impulse_decompression is not None
    assert np.allclose(compressed.impulse_compression + compressed.impulse_decompression, compressed.impulse)


def test_several_solutions_are_alternatives() -> None:
    # A contact at rest with friction so strong that a sliding tip may jam.
    out = delassus.resolve(
        [[1.0, 0.0], [0.0, 1.0]], [-1.0, 0.0], normal=[0.3, 1.0], tangent=[1.0, -0.5], friction=6.0, law="newton"
    )
    if out.uniqueness == "several":
        assert out.alternatives and out.alternatives[0].velocity.shape == (2,)
    assert isinstance(out.alternatives, list)


def test_a_law_that_does_not_apply() -> None:
    chain = Problem([1.0, 1.0, 1.0], [1.0, 0.0, 0.0], [Contact("A", [-1, 1, 0]), Contact("B", [0, -1, 1])])
    out = chain.resolve("walton")
    assert out.status == "not-applicable" and out.reason
    assert np.isnan(out.velocity).all() and out.velocity.shape == (3,) and np.isnan(out.impulses).all()
    assert np.isnan(out.energy.after) and out.certificate.kinematic.holds is None
    assert out.to_dict() == {"law": "walton", "status": "not-applicable", "reason": out.reason}
    again = pickle.loads(pickle.dumps(out))
    assert again == out and np.isnan(again.impulses).all() and again.impulses.shape == (2,)


def test_law_data() -> None:
    problem = Problem.load(EXAMPLES / "chain3.toml")
    elastic = problem.resolve("lzb", exponent=1.0)
    hertz = problem.resolve({"name": "lzb", "exponent": 1.5})
    assert not np.allclose(elastic.velocity, hertz.velocity)
    assert hertz == problem.resolve(Law("lzb", exponent=1.5)) == problem.resolve("lzb")
    assert problem.resolve(Law("lzb", exponent=1.5), exponent=1.0) == elastic
    law = Law("kinematic", restitution_matrix=np.eye(2) * 0.5)
    assert law.data == {"restitution_matrix": [[0.5, 0.0], [0.0, 0.5]]}
    assert pickle.loads(pickle.dumps(law)) == law and hash(law) == hash(copy.deepcopy(law))


def test_the_law_of_a_file() -> None:
    table = {**kane().to_dict(), "law": {"name": "lzb", "exponent": 1.0}, "solver": {"iterations": 100000}}
    problem = Problem.from_dict(table)
    assert problem.law == Law("lzb", exponent=1.0)
    assert problem.to_dict() == table
    assert problem.resolve() == problem.resolve("lzb") == kane().resolve("lzb", exponent=1.0)
    assert problem.resolve("lzb", exponent=1.5) == kane().resolve("lzb")
    assert pickle.loads(pickle.dumps(problem)).law == problem.law
    with pytest.raises(ProblemError, match="law: is missing"):
        kane().resolve()
    two = {"problem": [table, kane().to_dict()], "law": "newton"}
    with pytest.raises(ProblemError, match="one problem"):
        Problem.from_dict(two)


def test_a_batch_file(tmp_path: Path) -> None:
    file = tmp_path / "two.toml"
    one = 'mass = [1.0]\nvelocity = [-1.0]\n[[problem.contact]]\nname = "C"\nnormal = [1.0]\n'
    file.write_text(f'law = "moreau"\n[[problem]]\n{one}[[problem]]\n{one}[problem.law]\nname = "lzb"\nexponent = 1.0\n')
    first, second = Problem.load_all(file)
    assert first.law == Law("moreau") and second.law == Law("lzb", exponent=1.0)
    with pytest.raises(ProblemError, match="2 problems"):
        Problem.load(file)


@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
def test_pickles(protocol: int) -> None:
    for problem in (kane(), every_key()):
        again = pickle.loads(pickle.dumps(problem, protocol))
        assert again == problem
        out = problem.resolve("newton")
        back = pickle.loads(pickle.dumps(out, protocol))
        assert back == out and back.to_dict() == out.to_dict() and repr(back) == repr(out)
        for key in ("velocity", "impulses", "gamma_minus", "gamma_plus"):
            assert np.array_equal(getattr(back, key), getattr(out, key))
        assert again.resolve("newton") == out and out.status == "solved"


def test_figures_after_pickles() -> None:
    outs = [kane().resolve("poisson", solutions="all"), delassus.resolve(KANE_MASS, [-0.1, -0.2], **KANE, law="newton")]
    for out in (*outs, kane().resolve_all()):
        shown = out._repr_html_()
        again = pickle.loads(pickle.dumps(out))
        # Also after a second one.
        assert "<svg" in shown and again._repr_html_() == shown == pickle.loads(pickle.dumps(again))._repr_html_()
    # A pickle of another time, or one whose answer is another here, says that it has no figure.
    for change in (slice(0, 3), None):
        state = list(outs[0].__getstate__())
        state[1] = {**state[1], "velocity": np.zeros(2)}
        other = delassus.Outcome.__new__(delassus.Outcome)
        other.__setstate__(tuple(state[change] if change else state))
        assert "No figure" in other._repr_html_() and "<svg" not in other._repr_html_()


@pytest.mark.parametrize(
    ("change", "field", "words"),
    [
        ({"mass": [[1.0, 2.0], [2.0, 1.0]]}, "mass", "positive definite"),
        ({"mass": [1.0, -2.0]}, "mass[1]", "positive"),
        ({"mass": [1.0, 2.0, 3.0]}, "mass", r"array of shape \(3,\): needs shape \(2,\) or \(2, 2\)"),
        ({"velocity": [[0.0, 1.0]]}, "velocity", "needs shape"),
        ({"velocity": [0.0, np.nan]}, "velocity[1]", r"= nan; velocity has shape \(2,\), finite numbers are needed"),
        ({"mass": [[1.0, np.inf], [np.inf, 2.0]]}, "mass[0, 1]", r"= inf; mass has shape \(2, 2\), finite"),
        ({"normal": [[0.0, 1.0], [0.0, np.nan]], "tangent": None, "friction": 0.0}, "normal[1, 1]", r"shape \(2, 2\)"),
        ({"tangent": [[1.0, np.nan]] * 2}, "tangent[0, 1]", r"tangent has shape \(2, 2\), finite"),
        ({"friction": np.nan}, "friction", "friction = nan; a finite number is needed"),
        ({"restitution": [-1.0]}, "restitution[0]", r"at least 0 \(restitution has shape \(1,\)\)"),
        ({"velocity": np.ma.array([0.0, 1.0], mask=[False, True])}, "velocity", "every place"),
        ({"velocity": ["a", "b"]}, "velocity", "real numbers"),
        ({"velocity": [0.0, 1.0j]}, "velocity", "real numbers"),
        ({"velocity": [[0.0], [1.0, 2.0]]}, "velocity", "inhomogeneous"),
        ({"normal": [0.0, 0.0]}, "normal", "must not be zero"),
        ({"normal": [1.0]}, "normal", "needs shape"),
        ({"tangent": [[1.0, 0.0]] * 3}, "tangent", "needs shape"),
        ({"tangent": None}, "friction", "needs a tangent"),
        ({"friction": -1.0}, "friction", "at least 0"),
        ({"friction": [0.5, 0.5]}, "friction", "one for each contact"),
        ({"restitution": -1.0}, "restitution", "at least 0"),
        ({"law": "newtun"}, "law.name", "did you mean"),
        ({"law": 7}, "law", "needs a name"),
        ({"law": {"exponent": 1.0}}, "law.name", "missing"),
        ({"law": "lzb", "exponent": "a"}, "law.exponent", "number"),
        ({"law": "lzb", "exponent": float("nan")}, "law.exponent", "finite"),
        ({"law": "lzb", "order": "listed"}, "law.order", "no such key"),
    ],
)
def test_errors_name_the_field(change: dict[str, Any], field: str, words: str) -> None:
    arguments: dict[str, Any] = {"mass": KANE_MASS, "velocity": [-0.1, -0.2], **KANE, **change}
    with pytest.raises(ProblemError, match=words) as caught:
        delassus.resolve(**arguments)
    assert caught.value.field == field
    assert isinstance(caught.value, ValueError)
    again = pickle.loads(pickle.dumps(caught.value))
    told = [(str(error), error.field, error.value, error.kind) for error in (again, caught.value)]
    assert told[0] == told[1]


@pytest.mark.parametrize(
    ("change", "kind"),
    [
        ({"law": {"exponent": 1.0}}, "missing"),
        ({"law": "newtun"}, "unknown"),
        ({"law": "lzb", "exponnent": 1.0}, "unknown"),
        ({"mass": [1.0, 2.0, 3.0]}, "wrong-size"),
        ({"tangent": [[1.0, 0.0]] * 3}, "wrong-size"),
        ({"friction": -1.0}, "out-of-range"),
        ({"restitution": -1.0}, "out-of-range"),
        ({"velocity": [0.0, np.nan]}, "not-finite"),
        ({"normal": [np.inf, 1.0]}, "not-finite"),
        ({"velocity": ["a", "b"]}, "invalid"),
    ],
)
def test_errors_have_a_kind(change: dict[str, Any], kind: str) -> None:
    arguments: dict[str, Any] = {"mass": KANE_MASS, "velocity": [-0.1, -0.2], **KANE, **change}
    with pytest.raises(ProblemError) as caught:
        delassus.resolve(**arguments)
    assert caught.value.kind == kind, caught.value


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"velocity": [0.0, -1.0, 0.0]}, r"velocity = array of shape \(3,\): needs shape \(2,\), as mass has 2 rows"),
        ({"velocity": [0.0, np.nan]}, r"velocity\[1\] = nan; velocity has shape \(2,\)"),
        ({"impulse": [0.0]}, r"impulse = array of shape \(1,\): needs shape \(2,\)"),
        ({"mass": np.ones((2, 3))}, r"mass = array of shape \(2, 3\): needs"),
        ({"contacts": [Contact("C", [1.0])]}, r"contacts\[0\]\.normal = array of shape \(1,\): needs shape \(2,\)"),
        ({"joints": [Joint("J", np.ones((2, 3)))]}, r"joints\[0\]\.direction\[0\] = array of shape \(3,\)"),
    ],
)
def test_sizes_and_numbers_of_problems(change: dict[str, Any], words: str) -> None:
    arguments: dict[str, Any] = {"mass": [1.0, 1.0], "velocity": [0.0, -1.0], "contacts": [Contact("C", [0.0, 1.0])]}
    with pytest.raises(ProblemError, match=words):
        Problem(**{**arguments, **change})
    with pytest.raises(ProblemError, match=r"normal\[1\] = nan; normal has shape \(2,\), finite numbers are needed"):
        Contact("C", [0.0, np.nan])


def test_a_name_that_stands_twice() -> None:
    with pytest.raises(ProblemError) as caught:
        Problem([1.0, 1.0], [0.0, -1.0], [Contact("C", [0.0, 1.0]), Contact("C", [1.0, 0.0])])
    assert caught.value.kind == "duplicate" and "C" in caught.value.value


def test_errors_of_tables_name_the_field() -> None:
    table = kane().to_dict()
    table["contact"][0]["friction"] = float("inf")
    with pytest.raises(ProblemError) as caught:
        Problem.from_dict(table)
    assert caught.value.field == "contact[0].friction" and caught.value.value == "inf"
    table["contact"][0]["friction"] = "slippery"
    with pytest.raises(ProblemError) as caught:
        Problem.from_dict(table)
    assert caught.value.field == "contact[0].friction"
    table["contact"][0]["friction"] = object()
    with pytest.raises(ProblemError, match="contact.0..friction = object"):
        Problem.from_dict(table)
    with pytest.raises(ProblemError, match="needs at least one contact"):
        Problem([1.0], [1.0])
    with pytest.raises(ProblemError, match="unique"):
        Problem([1.0], [1.0], [Contact("C", [1.0]), Contact("C", [1.0])])
    with pytest.raises(FileNotFoundError):
        Problem.load("nowhere.toml")
    with pytest.raises(ProblemError, match="solutions"):
        kane().resolve("newton", solutions="every")  # type: ignore[arg-type]
    for iterations in (0, -1, 1.5, True, 2**70):
        with pytest.raises(ProblemError, match="iterations"):
            kane().resolve("newton", iterations=iterations)  # type: ignore[arg-type]
    for contact in ("C", {"name": "C"}, Joint("J", [1.0])):
        with pytest.raises(ProblemError, match=r"contacts\[0\]"):
            Problem([1.0], [1.0], [contact])  # type: ignore[list-item]
    for direction in ({-1: 1.0}, {"a": 1.0}, {0: "b"}, {0: [1.0]}):
        with pytest.raises(ProblemError, match="normal"):
            Contact("C", direction)  # type: ignore[arg-type]
    with pytest.raises(ProblemError, match="below 1"):
        Problem([1.0], [1.0], [Contact("C", {7: 1.0})])
    for limit in (-1.0, float("nan"), "long", True):
        with pytest.raises(ProblemError, match="time_limit"):
            kane().resolve("newton", time_limit=limit)  # type: ignore[arg-type]
    with pytest.raises(ProblemError, match="delassus.Problem"):
        delassus.angles(7)  # type: ignore[arg-type]


def test_a_tangent_without_friction() -> None:
    problem = Problem(KANE_MASS, [-0.1, -0.2], [Contact("C", [0.684, 1.0], tangent=[-1.8794, -1.7321])])
    assert problem.resolve("kinematic", tangential_matrix=0.0).status == "solved"
    out = problem.resolve_all()["newton"]
    assert out.status == "not-applicable" and "friction" in (out.reason or "")


def test_angles_are_those_of_the_program() -> None:
    for name in ("block", "chain3", "kane"):
        file = EXAMPLES / f"{name}.toml"
        found = delassus.angles(Problem.load(file))
        assert found.to_dict() == program("angles", file)
    assert np.allclose(found.gram.diagonal(), 1.0)
    assert "Kinetic angles" in found._repr_html_()


def test_html() -> None:
    shown = kane()._repr_html_()
    assert "<table>" in shown and "poisson" in shown and "gains energy" in shown and "<svg" in shown
    assert "C.friction" in kane().resolve("newton")._repr_html_()
    assert "C.friction" in kane().resolve("newton").elements._repr_html_()


def test_elements_as_a_table() -> None:
    pytest.importorskip("pandas")
    elements = kane().resolve("newton").elements
    table = elements.to_pandas()
    assert list(table["element"]) == ["C", "C.friction"] and tuple(table.columns) == elements.columns
    assert all(list(table[name]) == elements.column(name) for name in elements.columns)
    with pytest.raises(ProblemError, match="there are element"):
        elements.column("impuls")


def test_laws_as_a_table() -> None:
    outcomes = kane().resolve_all()
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("agg")
    assert len(outcomes.plot().get_lines()) > 3
    matplotlib.pyplot.close("all")
    pytest.importorskip("pandas")
    table = outcomes.to_pandas()
    assert list(table.index) == list(delassus.laws())
    assert table.loc["newton", "verdict"] == "gains energy" and not table.loc["newton", "consistent"]
    assert table.loc["poisson", "velocity[1]"] == outcomes["poisson"].velocity[1]
    assert np.isnan(table.loc["reflections", "energy_change"])


def test_texts_of_files() -> None:
    text = (EXAMPLES / "kane.toml").read_text()
    assert Problem.parse(text) == Problem.load(EXAMPLES / "kane.toml")
    with pytest.raises(ProblemError, match="line"):
        Problem.parse(text.replace("velocity", "velocty"))


def test_elements_hold_their_own_numbers() -> None:
    # The usual loop fills one buffer with the directions of one contact after the other.
    buffer = np.zeros((3, 3))
    contacts = []
    for k in range(2):
        buffer[:] = 0.0
        buffer[0, k] = buffer[1, 2] = 1.0
        contacts.append(Contact(f"C{k}", buffer[0], tangent=buffer[1:2], friction=0.3))
    joint = Joint("J", buffer[:1])
    buffer[:] = 7.0
    assert contacts[0].normal.tolist() == [1.0, 0.0, 0.0]
    assert contacts[1].normal.tolist() == [0.0, 1.0, 0.0]
    assert joint.direction.tolist() == [0.0, 1.0, 0.0]
    out = Problem(np.eye(3), [-1.0, -2.0, 0.0], contacts).resolve("moreau")
    np.testing.assert_allclose(out.velocity, [0.0, 0.0, 0.0], atol=1e-12)


def test_what_is_assigned_to_elements_counts() -> None:
    contact = Contact("C", [0.0, 1.0], tangent=[1.0, 0.0], friction=0.5)
    smooth = Problem([1.0, 1.0], [1.0, -1.0], [contact]).resolve("moreau").velocity
    contact.tangent = None
    contact.friction = None
    free = Problem([1.0, 1.0], [1.0, -1.0], [contact]).resolve("moreau").velocity
    assert smooth.tolist() == [0.5, 0.0] and free.tolist() == [1.0, 0.0]
    contact.normal = [1.0, 0.0]
    assert isinstance(contact.normal, np.ndarray)
    joint = Joint("J", [1.0, 0.0])
    joint.direction = [[1.0, 0.0], [0.0, 1.0]]
    assert len(pickle.loads(pickle.dumps(joint)).direction) == 2
    with pytest.raises(ProblemError, match="normal"):
        contact.normal = [[1.0, 0.0]]
    with pytest.raises(AttributeError, match="no field 'frction'; there are name, normal"):
        contact.frction = 0.1  # type: ignore[attr-defined]


def test_directions_are_read_as_arrays() -> None:
    sparse = Contact("C", {1: 1.0}, tangent=[{0: 1.0}], friction=[0.3, 0.2])
    assert sparse.normal.tolist() == [0.0, 1.0] and sparse.friction == (0.3, 0.2)
    assert sparse.tangent is not None and sparse.tangent.tolist() == [1.0]
    joint = Joint("J", [{2: 1.0}, {1: -1.0}])
    assert joint.direction.tolist() == [[0.0, 0.0, 1.0], [0.0, -1.0, 0.0]]
    problem = Problem([1.0] * 4, [0.0, -1.0, 0.0, 0.0], [Contact("C", {1: 1.0})], joints=[joint], clutches=[Clutch("K", {0: 1})])
    # In a problem they have all its entries, and are the same elements.
    assert problem.contacts[0].normal.tolist() == [0.0, 1.0, 0.0, 0.0]
    assert problem.clutches[0].direction.tolist() == [1.0, 0.0, 0.0, 0.0]
    assert problem.joints[0].direction.shape == (2, 4)
    assert Problem([1.0] * 4, [0.0, -1.0, 0.0, 0.0], problem.contacts, problem.joints, problem.clutches) == problem
    assert pickle.loads(pickle.dumps(problem.joints[0])) == problem.joints[0]
    with pytest.raises(ProblemError, match="needs a direction"):
        joint.direction = None  # type: ignore[assignment]


def test_arrays_in_odd_places() -> None:
    bytes_ = b"....." + np.array([0.0, 1.0]).tobytes()
    askew = np.frombuffer(bytes_, dtype=np.float64, offset=5)
    assert not askew.flags.aligned
    assert Contact("C", askew).normal.tolist() == [0.0, 1.0]
    out = delassus.resolve([1.0, 1.0], askew - 1.0, askew, law="moreau")
    assert out.velocity.tolist() == delassus.resolve([1.0, 1.0], [-1.0, 0.0], [0.0, 1.0], law="moreau").velocity.tolist()
    # Single precision makes products that are symmetric up to its own digits.
    random = np.random.default_rng(1)
    j = random.normal(size=(6, 6)).astype(np.float32)
    mass = j.T @ np.diag(random.uniform(1.0, 2.0, 6).astype(np.float32)) @ j + np.eye(6, dtype=np.float32)
    mass[0, 1] += np.float32(1e-6)
    contact = Contact("C", np.eye(6)[0])
    assert Problem(mass, -np.ones(6), [contact]).resolve("moreau").status == "solved"
    with pytest.raises(ProblemError, match="mass"):
        Problem(mass.astype(np.float64), -np.ones(6), [contact])


def test_elements_are_a_table_too() -> None:
    out = kane().resolve("poisson")
    assert out.elements["impulse"] == out.elements.column("impulse")
    assert out.elements[np.int64(1)].name == "C.friction"  # type: ignore[call-overload]
    assert out.elements[0] == kane().resolve("poisson").elements[0]
    assert out.elements[0] != out.elements[1]
    with pytest.raises(KeyError, match="there are the elements C, C.friction"):
        out.elements["nothing"]
    assert copy.copy(out)._repr_html_() == out._repr_html_()


def test_files_of_the_other_kind() -> None:
    with pytest.raises(ProblemError, match="delassus.Problem.load"):
        delassus.run(EXAMPLES / "kane.toml")
    with pytest.raises(ProblemError, match="delassus.run"):
        Problem.parse("[rocking_block]\nwidth = 0.2\n")
