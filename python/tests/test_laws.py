"""Every law with its data, in plane and space, from arrays: the bits of the program, which reads the same numbers from a file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import delassus
from delassus import Law
from support import program

# Velocities, contacts, tangents: without friction, in the plane, in space.
FRICTIONLESS, PLANE, PAIR, SPACE, SPACE_PAIR = (3, 2, 0), (3, 1, 1), (4, 2, 1), (4, 1, 2), (6, 2, 2)
ANY = [FRICTIONLESS, PLANE, PAIR, SPACE, SPACE_PAIR]
MATRIX = [[0.4, 0.02], [0.01, 0.5]]

# For each law tables of data, and the problems to which it applies.
CASES: dict[str, list[tuple[dict[str, Any], list[tuple[int, int, int]]]]] = {
    "newton": [({}, ANY)],
    "moreau": [({}, ANY), ({"restitution": 0.3}, ANY)],
    "poisson": [({}, ANY)],
    "kinematic": [({}, [FRICTIONLESS, PLANE, PAIR]), ({"restitution_matrix": MATRIX}, [FRICTIONLESS]),
                  ({"restitution_matrix": MATRIX, "tangential_matrix": 0.2}, [PAIR])],
    "lzb": [({}, ANY), ({"exponent": 1.0}, ANY), ({"tolerance": 1e-8, "max_steps": 200_000, "keep_gaps": True}, [PAIR])],
    "sequential": [({}, ANY), ({"order": "listed"}, [FRICTIONLESS, PAIR])],
    "walton": [({}, [PLANE, SPACE])],
    "stronge": [({}, [PLANE]), ({"stiffness_ratio": 1.5}, [PLANE])],
    "chatterjee-ruina": [({}, [PLANE, SPACE]), ({"restitution": 0.2, "restitution_tangential": -0.3}, [PLANE, SPACE])],
    "reflections": [({}, [FRICTIONLESS]), ({"restitution": 0.9}, [FRICTIONLESS])],
}


def drawn(random: np.random.Generator, shape: tuple[int, int, int], law: str) -> dict[str, Any]:
    """The arguments of an impact in which all contacts approach, with digits that no file would hold by chance."""
    n, c, t = shape
    a = random.uniform(-1.0, 1.0, (n, n))
    normal = random.uniform(-1.0, 1.0, (c, n))
    found: dict[str, Any] = {"mass": a @ a.T + 0.5 * np.eye(n), "normal": normal, "restitution": 0.4 + random.uniform(0.0, 1e-3)}
    if t:
        found["tangent"] = random.uniform(-1.0, 1.0, (c, n) if t == 1 else (c, 2, n))
        found["friction"] = random.uniform(0.05, 0.5, c)
    if law == "walton":  # which needs G_NT = 0 and, in space, tangents that weigh alike
        found["mass"], frame = np.full(n, random.uniform(0.5, 2.0)), np.linalg.qr(a)[0]
        found["normal"] = frame[:1]
        found["tangent"] = frame[1:2] if t == 1 else frame[None, 1:3]
    found["velocity"] = -found["normal"].sum(axis=0) + 0.1 * random.uniform(-1.0, 1.0, n)
    if t and law == "walton":
        found["velocity"] = found["velocity"] + 0.4 * found["tangent"].reshape(-1, n)[0]
    return found


@pytest.mark.parametrize("law", delassus.laws())
def test_arrays_give_the_bits_of_the_program(law: str, tmp_path: Path) -> None:
    random = np.random.default_rng(20)
    asked: list[tuple[dict[str, Any], dict[str, Any]]] = []
    for data, shapes in CASES[law]:
        asked += [(drawn(random, shape, law), data) for shape in shapes for _ in range(3)]
    tables = []
    for arguments, data in asked:
        if "tangential_matrix" in data:  # which stands in for friction
            arguments["friction"] = np.zeros(2)
        c = len(arguments["normal"])
        tangents = arguments.get("tangent", [None] * c)
        contacts = [
            {"name": "C" if c == 1 else f"C{i}", "normal": list(arguments["normal"][i]), "restitution": arguments["restitution"]}
            | ({} if tangents[i] is None else {"tangent": tangents[i].tolist(), "friction": arguments["friction"][i]})
            for i in range(c)
        ]
        table = {"mass": arguments["mass"].tolist(), "velocity": arguments["velocity"].tolist(), "contact": contacts}
        tables.append(table | {"law": {"name": law, **data}})
    file = tmp_path / "problems.json"
    file.write_text(json.dumps({"problem": tables}))
    for (arguments, data), outcomes in zip(asked, program("impact", file), strict=True):
        (expected,) = outcomes
        chosen = Law(law, **data)
        out = delassus.resolve(**arguments, law=chosen)
        assert out.to_dict() == expected, (law, data, arguments)
        assert out.status == "solved", (law, data, arguments, out.reason)
        # Arrays hold the same bits as the record.
        assert out.velocity.tolist() == expected["velocity"]
        assert out.impulses.tolist() == [value for element in expected["elements"] for value in element["impulse"]]
        batch = delassus.resolve_batch(
            **{**arguments, "velocity": arguments["velocity"][None]}, law=chosen, solutions="preferred"
        )
        assert batch.status[0] == out.status and np.array_equal(batch.velocity[0], out.velocity)
