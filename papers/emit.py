"""Write problem files and expected.toml: shared by the generators, free of any law."""

import math


class Count(int):
    """A TOML integer; every other number is written as a float."""


def value(x):
    """A TOML value; numbers keep every digit."""
    if isinstance(x, Count):
        return str(int(x))
    if isinstance(x, bool):
        return "true" if x else "false"
    if isinstance(x, int):
        return f"{x}.0"
    if isinstance(x, float):
        assert math.isfinite(x)
        return repr(x + 0.0)  # + 0.0 turns -0.0 into 0.0
    if isinstance(x, str):
        return '"' + x.replace("\\", "\\\\").replace('"', '\\"') + '"'
    if isinstance(x, dict):
        return "{ " + ", ".join(f"{k} = {value(v)}" for k, v in x.items()) + " }"
    return "[" + ", ".join(value(v) for v in x) + "]"


def line(key, x):
    return f"{key} = {value(x)}\n"


def problem(name, mass, velocity, contact=(), clutch=(), joint=(), law=None, impulse=None):
    return {"name": name, "mass": mass, "velocity": velocity, "impulse": impulse,
            "contact": contact, "clutch": clutch, "joint": joint, "law": law}


def write_problems(path, head, problems):
    """One batch file; `head` is its comment."""
    with open(path, "w", encoding="utf-8") as out:
        out.writelines(f"# {text}\n" for text in head.strip().splitlines())
        for p in problems:
            out.write("\n[[problem]]\n")
            for key in ("name", "mass", "velocity", "impulse"):
                if p[key] is not None:
                    out.write(line(key, p[key]))
            for kind in ("contact", "clutch", "joint"):
                for element in p[kind]:
                    out.write(f"[[problem.{kind}]]\n")
                    out.writelines(line(k, v) for k, v in element.items())
            if p["law"] is not None:
                out.write("[problem.law]\n")
                out.writelines(line(k, v) for k, v in p["law"].items())


def near(quantity, x, tolerance=None):
    """A number or array; without tolerance: a closed form, to 1e-9 of its size."""
    if tolerance is None:
        size = max(abs(v) for v in x) if isinstance(x, (list, tuple)) else abs(x)
        tolerance = 1e-9 * max(1.0, size)
    return {"quantity": quantity, "value": x, "tolerance": tolerance}


def same(quantity, x):
    """A word or a truth value."""
    return {"quantity": quantity, "value": x}


def holds(kinematic=None, kinetic=None, energetic=None):
    checks = {"kinematic": kinematic, "kinetic": kinetic, "energetic": energetic}
    return [same(f"certificate.{k}.holds", v) for k, v in checks.items() if v is not None]


class Expected:
    def __init__(self, path, head):
        self.path, self.head, self.cases, self.ids = path, head, [], set()

    def add(self, id, file, problem, law, source, expect, note=None, corrected=None,
            printed=None, solutions=None):
        assert id not in self.ids, id
        self.ids.add(id)
        if not any(e["quantity"] == "status" for e in expect):
            expect = [same("status", "solved")] + expect
        self.cases.append([("id", id), ("file", file), ("problem", problem), ("law", law),
                           ("source", source), ("note", note), ("corrected", corrected),
                           ("printed", printed),
                           ("solutions", None if solutions is None else Count(solutions)),
                           ("expect", expect)])

    def write(self):
        with open(self.path, "w", encoding="utf-8") as out:
            out.writelines(f"# {text}\n" for text in self.head.strip().splitlines())
            for case in self.cases:
                out.write("\n[[case]]\n")
                for key, x in case:
                    if key == "expect":
                        out.write("expect = [\n")
                        out.writelines(f"  {value(e)},\n" for e in x)
                        out.write("]\n")
                    elif x is not None:
                        out.write(line(key, x))
