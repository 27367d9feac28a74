"""Contact problems: Coulomb's law, files, sparse matrices, limits."""

from __future__ import annotations

import pickle
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import delassus
from delassus import ProblemError
from support import command, interrupted, program


def made(count: int = 8, seed: int = 7) -> tuple[Any, Any, Any]:
    random = np.random.default_rng(seed)
    # Of full rank, so that there is a solution for every q.
    columns = random.standard_normal((3 * count, 4 * count))
    q = random.standard_normal(3 * count)
    q[::3] = -np.abs(q[::3])
    return columns @ columns.T, q, random.uniform(0.1, 0.8, count)


def test_solutions_satisfy_coulombs_law() -> None:
    g, q, mu = made()
    found = delassus.solve_contact((g, q, mu))
    assert (found.status, found.contacts, found.name) == ("solved", 8, "")
    assert np.allclose(found.velocity, g @ found.impulse + q, atol=1e-6 * np.abs(found.impulse).max())
    size = np.abs(found.impulse).max()
    for c in range(8):
        r, u = found.impulse[3 * c : 3 * c + 3], found.velocity[3 * c : 3 * c + 3]
        assert r[0] >= -1e-7 * size and u[0] >= -1e-6 and abs(r[0] * u[0]) < 1e-5 * size
        assert np.hypot(r[1], r[2]) <= mu[c] * r[0] + 1e-6 * size
        slides = np.hypot(u[1], u[2]) > 1e-6 and r[0] > 1e-6 * size
        if slides:  # against the velocity, with all the friction there is
            assert np.allclose(r[1:], -mu[c] * r[0] * u[1:] / np.hypot(u[1], u[2]), atol=1e-5 * size)
    assert "solved" in found._repr_html_()
    again = pickle.loads(pickle.dumps(found))
    assert np.array_equal(again.impulse, found.impulse) and again.method == found.method


def test_files_are_solved_as_by_the_program(tmp_path: Path) -> None:
    for suffix in ("dat", "hdf5"):
        file = tmp_path / f"kapla.{suffix}"
        subprocess.run([command(), "contact", "--generate", "kapla", "--contacts", "30", "--out", str(file)], check=True,
                       capture_output=True)
        expected = program("contact", file, "--impulses")
        found = delassus.solve_contact(file)
        assert found.impulse.tolist() == expected["impulse"] and found.velocity.tolist() == expected["velocity"]
        assert (found.status, found.residual, found.name) == (expected["status"], expected["residual"], str(file))
    with pytest.raises(FileNotFoundError):
        delassus.solve_contact(tmp_path / "none.dat")
    (tmp_path / "bad.dat").write_text("3\nsix\n")
    with pytest.raises(ProblemError, match="bad.dat"):
        delassus.solve_contact(tmp_path / "bad.dat")


def test_sparse_matrices() -> None:
    sparse = pytest.importorskip("scipy.sparse")
    g, q, mu = made()
    full = delassus.solve_contact((g, q, mu))
    for matrix in (sparse.csr_matrix(g), sparse.coo_array(g), sparse.csc_array(g)):
        assert np.array_equal(delassus.solve_contact((matrix, q, mu)).impulse, full.impulse)


@pytest.mark.parametrize(
    ("change", "field", "kind"),
    [
        ({"q": np.ones(5)}, "q", "wrong-size"),
        ({"q": np.ones((6, 1))}, "q", "wrong-size"),
        ({"g": np.ones((5, 6))}, "G", "wrong-size"),
        ({"g": np.full((6, 6), np.nan)}, "G[0, 0]", "not-finite"),
        ({"q": np.array([0, np.inf, 0, 0, 0, 0])}, "q[1]", "not-finite"),
        ({"mu": [0.1, "a"]}, "mu", "invalid"),
        ({"mu": [0.1, -1.0]}, "mu[1]", "out-of-range"),
        ({"g": -np.eye(6)}, "G[0, 0]", "out-of-range"),
        ({"mu": [0.1, np.nan]}, "mu[1]", "not-finite"),
        ({"mu": [[0.1, 0.2]]}, "mu", "wrong-size"),
        ({"method": "neutron"}, "method", "unknown"),
        ({"tolerance": 0.0}, "tolerance", "out-of-range"),
        ({"tolerance": "small"}, "tolerance", "invalid"),
        ({"iterations": 0}, "iterations", "out-of-range"),
        ({"time_limit": -1.0}, "time_limit", "out-of-range"),
    ],
)
def test_errors(change: dict[str, Any], field: str, kind: str) -> None:
    arguments = {"g": np.eye(6), "q": np.ones(6), "mu": [0.1, 0.2]}
    problem = tuple((arguments | change)[key] for key in ("g", "q", "mu"))
    settings = {key: value for key, value in change.items() if key not in arguments}
    with pytest.raises(ProblemError) as caught:
        delassus.solve_contact(problem, **settings)  # type: ignore[arg-type]
    assert (caught.value.field, caught.value.kind) == (field, kind), caught.value
    with pytest.raises(ProblemError, match="G, q, mu"):
        delassus.solve_contact(7)  # type: ignore[arg-type]


def test_a_limit_is_a_status() -> None:
    assert delassus.solve_contact(made(60), iterations=1).status == "max-iterations"


def test_ctrl_c_ends_a_solution() -> None:
    script = (
        "import delassus, numpy as np\n"
        "random = np.random.default_rng(1)\n"
        "a = random.standard_normal((900, 450))\n"  # of half the rank, with an accuracy that is out of reach
        "problem = (a @ a.T, -np.abs(random.standard_normal(900)), np.full(300, 0.9))\n"
        "print('ready', flush=True)\n"
        "try:\n"
        "    for _ in range(1000):\n        delassus.solve_contact(problem, tolerance=1e-300, method='gauss-seidel')\n"
        "except KeyboardInterrupt:\n    sys.exit(42)\n"
    )
    assert interrupted(script) < 20.0


def test_matrices_that_are_not_symmetric_or_not_real() -> None:
    import scipy.sparse as sp

    for matrix in (np.array([[1.0, 0.2], [0.3, 1.0]]), sp.csr_matrix([[1.0, 0.2], [0.3, 1.0]])):
        with pytest.raises(ProblemError, match="symmetric"):
            delassus.solve_contact((matrix, [-1.0, 0.4], [0.5]))
    with pytest.raises(ProblemError, match="real numbers"):
        delassus.solve_contact((sp.csr_matrix(np.eye(2) * 1j), [-1.0, 0.4], [0.5]))
