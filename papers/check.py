#!/usr/bin/env python3
"""Verify every expected.toml by a second path: brute-force enumeration of contact modes.

Shares nothing with the generators (closed forms) nor with the Rust code. Small planar problems
only; `python3 check.py [KEY ...]` lists what disagrees and ends with 1 if anything does.
"""

import itertools
import math
import sys
import tomllib
from pathlib import Path

import stronge

HERE = Path(__file__).parent
EPS = 1e-9  # feasibility, relative to the sizes in the problem


# --- small dense linear algebra -------------------------------------------------------------

def solve(a, b):
    """Gaussian elimination with row pivoting; None if singular."""
    n = len(b)
    a = [list(row) + [b[i]] for i, row in enumerate(a)]
    scale = max((abs(x) for row in a for x in row[:n]), default=1.0)
    for k in range(n):
        p = max(range(k, n), key=lambda i: abs(a[i][k]))
        if abs(a[p][k]) <= 1e-12 * scale:
            return None
        a[k], a[p] = a[p], a[k]
        for i in range(n):
            if i != k:
                f = a[i][k] / a[k][k]
                a[i] = [x - f * y for x, y in zip(a[i], a[k])]
    return [a[i][n] / a[i][i] for i in range(n)]


def dot(x, y):
    return sum(p * q for p, q in zip(x, y))


def mul(a, x):
    return [dot(row, x) for row in a]


# --- a problem file as matrices -------------------------------------------------------------

class Problem:
    """Scalar elements in the order of the file: normals with their frictions, clutches, joints."""

    def __init__(self, p):
        mass = p["mass"]
        n = len(mass)
        self.mass = mass if isinstance(mass[0], list) else [
            [mass[i] if i == j else 0.0 for j in range(n)] for i in range(n)]
        self.u, self.force = p["velocity"], p.get("impulse", [0.0] * n)
        self.names, self.w, self.kind, self.mu, self.e, self.normal = [], [], [], [], [], []
        for c in p.get("contact", []):
            self.add(c["name"], c["normal"], "normal", 0.0, c.get("restitution", 0.0), None)
            if "tangent" in c:
                self.add(c["name"] + ".friction", c["tangent"], "friction", c.get("friction"),
                         c.get("restitution_tangential", 0.0), len(self.names) - 1)
        for c in p.get("clutch", []):
            self.add(c["name"], c["direction"], "clutch", 0.0, c.get("restitution", 0.0), None)
        for c in p.get("joint", []):
            self.add(c["name"], c["direction"], "joint", 0.0, c.get("restitution", 0.0), None)
        self.over_mass = [solve(self.mass, w) for w in self.w]
        self.g = [[dot(w, x) for x in self.over_mass] for w in self.w]
        self.push = mul(self.w, solve(self.mass, self.force))
        self.gamma = mul(self.w, self.u)

    def add(self, name, w, kind, mu, e, normal):
        for field, x in zip((self.names, self.w, self.kind, self.mu, self.e, self.normal),
                            (name, w, kind, mu, e, normal)):
            field.append(x)

    def after(self, impulse):
        free = [u + f for u, f in zip(self.u, solve(self.mass, self.force))]
        return [u + sum(x[i] * v for x, v in zip(self.over_mass, impulse)) for i, u in enumerate(free)]

    def energy(self, u):
        return 0.5 * dot(u, mul(self.mass, u))


def inclusions(p, b, shift):
    """All x with ξ = Gx + b: unilateral 0 ≤ x ⟂ ξ ≥ 0, joint ξ = 0, friction −x ∈ μ(x_k + shift_i) Sgn ξ."""
    n = len(b)
    choices = []
    for i, kind in enumerate(p.kind):
        if kind == "joint":
            choices.append(("on",))
        elif kind == "friction":
            choices.append(("stick", "+", "-"))
        else:
            choices.append(("on", "off"))
    found = []
    speed = max(map(abs, p.gamma))  # keeps a vanishing decompression from being judged by its rounding
    for mode in itertools.product(*choices):
        rows, rhs = [], []
        for i, m in enumerate(mode):
            unit = [1.0 if j == i else 0.0 for j in range(n)]
            if m in ("on", "stick"):
                rows.append(p.g[i])
                rhs.append(-b[i])
            elif m == "off":
                rows.append(unit)
                rhs.append(0.0)
            else:  # ξ has the sign m, x = −sign μ (x_k + shift)
                s = 1.0 if m == "+" else -1.0
                unit[p.normal[i]] += s * p.mu[i]
                rows.append(unit)
                rhs.append(-s * p.mu[i] * shift[i])
        x = solve(rows, rhs)
        if x is None:
            continue
        xi = [v + w for v, w in zip(mul(p.g, x), b)]
        tol_x = EPS * max(list(map(abs, x + shift)) + [speed / max(p.g[i][i] for i in range(n))])
        tol_xi = EPS * max(list(map(abs, xi + b)) + [speed])
        good = True
        for i, m in enumerate(mode):
            if p.kind[i] in ("normal", "clutch"):
                good &= x[i] >= -tol_x and xi[i] >= -tol_xi
            elif p.kind[i] == "friction":
                radius = p.mu[i] * (x[p.normal[i]] + shift[i])
                good &= abs(x[i]) <= radius + tol_x
                good &= (m != "+" or xi[i] >= -tol_xi) and (m != "-" or xi[i] <= tol_xi)
        if good and not any(max(abs(a - c) for a, c in zip(x, y)) <= 1e3 * tol_x for y in found):
            found.append(x)
    return found


def least(p, xs):
    return min(xs, key=lambda x: dot(x, mul(p.g, x)))


def newton(p, e=None):
    e = p.e if e is None else e
    b = [(1 + k) * g + f for k, g, f in zip(e, p.gamma, p.push)]
    xs = inclusions(p, b, [0.0] * len(b))
    return least(p, xs), len(xs), None


def poisson(p):
    n = range(len(p.gamma))
    assert all(p.e[i] <= p.e[k] for i, k in enumerate(p.normal) if k is not None)
    start = [g + f for g, f in zip(p.gamma, p.push)]

    def decompress(c):
        middle = [v + s for v, s in zip(mul(p.g, c), start)]
        forced = mul(p.g, [p.e[i] * c[i] for i in n])
        shift = [0.0 if p.normal[i] is None else (p.e[p.normal[i]] - p.e[i]) * c[p.normal[i]] for i in n]
        return middle, inclusions(p, [f + m for f, m in zip(forced, middle)], shift)

    first = inclusions(p, start, [0.0] * len(start))
    total = sum(len(decompress(c)[1]) for c in first)
    c = least(p, first)
    middle, second = decompress(c)
    plus = [d + p.e[i] * c[i] for i, d in enumerate(least(p, second))]
    return [a + d for a, d in zip(c, plus)], total, {
        "impulse_compression": c, "impulse_decompression": plus, "gamma_compression": middle}


def sequential(p):
    """Frictionless: the fastest approach first."""
    g, total = list(p.gamma), [0.0] * len(p.gamma)
    while min(g) < -1e-12 * max(map(abs, p.gamma)):
        i = min(range(len(g)), key=lambda k: g[k])
        step = -(1 + p.e[i]) * g[i] / p.g[i][i]
        total[i] += step
        g = [v + p.g[k][i] * step for k, v in enumerate(g)]
    return total, 1, None


def walton(p):
    """Slip first, stick if slip would overshoot −ε_T γ_T⁻."""
    assert abs(p.g[0][1]) < 1e-15
    n = -(1 + p.e[0]) * p.gamma[0] / p.g[0][0]
    t = -(1 + p.e[1]) * p.gamma[1] / p.g[1][1]
    return [n, max(-p.mu[1] * n, min(p.mu[1] * n, t))], 1, None


def lumped(p, ratio):
    """Stronge's model gives γ⁺; the impulse follows."""
    gamma = stronge.after(p.g, p.gamma, p.mu[1], p.e[0], ratio)
    return solve(p.g, [a - b for a, b in zip(gamma, p.gamma)]), 1, None


# --- the generalized kinematic law ----------------------------------------------------------

def kinematic(p, law):
    """u⁺ from the law; where tangents are given they must be one and the same direction."""
    normals = [i for i, k in enumerate(p.kind) if k == "normal"]
    frictions = [i for i, k in enumerate(p.kind) if k == "friction"]
    tangent = frictions[0] if frictions else None
    assert all(p.w[i] == p.w[tangent] for i in frictions)
    g_nn = [[p.g[i][j] for j in normals] for i in normals]
    before = [p.gamma[i] for i in normals]
    size = [math.sqrt(p.g[i][i]) for i in normals]
    form, e = law.get("form"), law.get("restitution")
    if form:
        b = min(range(2), key=lambda k: before[k])
        a = 1 - b
        assert abs(before[a]) < 1e-12 and before[b] < 0
        after = [0.0, 0.0]
        if form == "housner":  # γ_B⁺ = γ_T⁺ = 0 with Λ_A = 0
            s = [normals[b], tangent]
            x = solve([[p.g[i][j] for j in s] for i in s], [-p.gamma[i] for i in s])
            return finish(p, normals, tangent, [x[0] if k == b else 0.0 for k in (0, 1)], x[1], 1)
        after[b if form == "half-rocking" else a] = -e * before[b]
    else:
        matrix = law["restitution_matrix"]
        after = [-size[i] * sum(matrix[i][j] * before[j] / size[j] for j in range(len(before)))
                 for i in range(len(before))]
    jump = [x - y for x, y in zip(after, before)]
    tan = law.get("tangential_matrix")
    if form == "rocking-sticking" or tan is not None:
        s = normals + [tangent]
        if form:
            jump_t = -p.gamma[tangent]
        else:  # u = nA⁻¹q_norm + the rest; the rest is multiplied by −E_tan
            part = p.after_normals(before, g_nn, normals)
            rest = [u - x for u, x in zip(p.u, part)]
            target = p.after_normals(after, g_nn, normals)
            target = [x - tan * r for x, r in zip(target, rest)]
            jump_t = dot(p.w[tangent], target) - p.gamma[tangent]
        x = solve([[p.g[i][j] for j in s] for i in s], jump + [jump_t])
        return finish(p, normals, tangent, x[:-1], x[-1], 1)
    if tangent is None:
        return finish(p, normals, None, solve(g_nn, jump), 0.0, 1)
    return coulomb(p, normals, tangent, frictions, g_nn, jump)


def after_normals(p, rates, g_nn, normals):
    """M⁻¹W G⁻¹ rates: the velocity of least energy with the given normal rates."""
    x = solve(g_nn, rates)
    return [sum(p.over_mass[i][k] * v for i, v in zip(normals, x)) for k in range(len(p.u))]


Problem.after_normals = after_normals


def coulomb(p, normals, tangent, frictions, g_nn, jump):
    """One common tangential velocity: all slip right, all slip left, or stick."""
    column = [p.g[i][tangent] for i in normals]
    mu = [p.mu[i] for i in frictions]
    found = []
    for s in (1.0, -1.0):
        x = solve([[g_nn[i][j] - s * mu[j] * column[i] for j in range(len(jump))]
                   for i in range(len(jump))], jump)
        if x is None:
            continue
        t = -s * sum(m * v for m, v in zip(mu, x))
        v = p.gamma[tangent] + dot(column, x) + p.g[tangent][tangent] * t
        if s * v >= 0:
            found.append((x, t, [-s * m * v for m, v in zip(mu, x)]))
    rows = [g_nn[i] + [column[i]] for i in range(len(jump))] + [column + [p.g[tangent][tangent]]]
    x = solve(rows, jump + [-p.gamma[tangent]])
    if x is not None and abs(x[-1]) <= dot(mu, map(abs, x[:-1])):
        found.append((x[:-1], x[-1], None))
    bad = lambda x: min(x) < -EPS * max(map(abs, x))

    def effort(c):
        full = finish(p, normals, tangent, c[0], c[1], 1)[0]
        return dot(full, mul(p.g, full))

    best = min(found, key=lambda c: (bad(c[0]), effort(c)))
    out, count, extra = finish(p, normals, tangent, best[0], best[1], len(found))
    if best[2]:
        for i, t in zip(frictions, best[2]):
            out[i] = t
    return out, count, extra


def finish(p, normals, tangent, x_n, x_t, count):
    """The whole tangential impulse is put on the first friction: only its sum is determined."""
    x = [0.0] * len(p.names)
    for i, v in zip(normals, x_n):
        x[i] = v
    if tangent is not None:
        x[tangent] = x_t
    return x, count, {"split": False}


# --- outcome and comparison -----------------------------------------------------------------

def outcome(p, law):
    law = {"name": law} if isinstance(law, str) else law
    name = law["name"]
    if name == "newton":
        x, count, phases = newton(p)
    elif name == "moreau":
        x, count, phases = newton(p, [law["restitution"]] * len(p.e))
    elif name == "poisson":
        x, count, phases = poisson(p)
    elif name == "kinematic":
        x, count, phases = kinematic(p, law)
    elif name == "sequential":
        x, count, phases = sequential(p)
    elif name == "walton":
        x, count, phases = walton(p)
    else:
        x, count, phases = lumped(p, law["stiffness_ratio"])
    u = p.after(x)
    gamma = mul(p.w, u)
    t0, t1 = p.energy(p.u), p.energy(u)
    v = math.sqrt(2 * max(t0, t1))
    scale = [math.sqrt(p.g[i][i]) for i in range(len(x))]
    xh, gh = [a * s / v for a, s in zip(x, scale)], [g / (s * v) for g, s in zip(gamma, scale)]
    lam = max([1.0] + list(map(abs, xh)))
    uni = [i for i, k in enumerate(p.kind) if k in ("normal", "clutch")]
    kinetic = [xh[i] >= -1e-9 * lam for i in uni]
    if name != "kinematic":
        kinetic += [abs(xh[i]) <= (p.mu[i] * xh[k] * scale[i] / scale[k]) + 1e-9 * lam
                    for i, k in enumerate(p.normal) if k is not None]
    work = 0.5 * dot(x, [a + b for a, b in zip(gamma, p.gamma)])
    out = {"status": "solved", "velocity": u, "solutions": count,
           "kinetic_energy": {"before": t0, "after": t1, "change": t1 - t0},
           "uniqueness": "several" if count > 1 else "proved",
           "certificate": {"kinematic": {"holds": all(gh[i] >= -1e-9 for i in uni)},
                           "kinetic": {"holds": all(kinetic)},
                           "energetic": {"holds": work <= 1e-9 * max(t0, t1)}},
           "elements": {}}
    for i, element in enumerate(p.names):
        if p.kind[i] == "friction":
            zero = gamma[i] + (p.e[i] * p.gamma[i] if name in ("newton", "walton") else 0.0)
            state = "stick" if abs(zero) <= 1e-9 * v * scale[i] else "slip"
            if abs(xh[p.normal[i]]) <= 1e-9:
                state = "open"
        else:
            state = "closed" if abs(xh[i]) > 1e-9 else "open"
        out["elements"][element] = {"impulse": [x[i]], "gamma_plus": [gamma[i]], "state": state}
        for key, values in (phases or {}).items():
            if key != "split":
                out["elements"][element][key] = [values[i]]
    return out


def look_up(out, quantity):
    if quantity.startswith("elements."):
        element, key = quantity[len("elements."):].rsplit(".", 1)
        return out["elements"][element][key]
    for key in quantity.split("."):
        out = out[key]
    return out


def agree(ours, e):
    want = e["value"]
    if isinstance(want, (str, bool)):
        return ours == want
    pairs = zip(ours, want, strict=True) if isinstance(want, list) else [(ours, want)]
    return all(abs(a - b) <= e["tolerance"] for a, b in pairs)


KEYS = {"problem": {"name", "mass", "velocity", "impulse", "contact", "clutch", "joint", "law"},
        "contact": {"name", "normal", "tangent", "friction", "restitution", "restitution_tangential"},
        "clutch": {"name", "direction", "restitution"}, "joint": {"name", "direction", "restitution"}}


def well_formed(p):
    """The format of problem files, as far as these use it."""
    n = len(p["velocity"])
    assert set(p) <= KEYS["problem"] and len(p["mass"]) == n and len(p.get("impulse", p["velocity"])) == n, p["name"]
    names = []
    for kind in ("contact", "clutch", "joint"):
        for e in p.get(kind, []):
            names.append(e["name"])
            assert set(e) <= KEYS[kind], (p["name"], e["name"])
            assert "friction" in e or "tangent" not in e or p["law"]["name"] == "kinematic", (p["name"], e["name"])
            for row in ("normal", "tangent", "direction"):
                assert len(e.get(row, p["velocity"])) == n and any(e.get(row, [1])), (p["name"], e["name"])
    assert names and len(set(names)) == len(names), p["name"]


def check(key):
    batches, bad, used = {}, 0, set()
    cases = tomllib.loads((HERE / key / "expected.toml").read_text("utf-8"))["case"]
    assert len({c["id"] for c in cases}) == len(cases)
    for path in (HERE / key).glob("*.toml"):
        if path.name != "expected.toml":
            batch = tomllib.loads(path.read_text("utf-8"))["problem"]
            batches[path.name] = {p["name"]: p for p in batch}
            assert len(batches[path.name]) == len(batch), f"{path.name}: names repeat"
            for p in batch:
                well_formed(p)
    values = 0
    for c in cases:
        used.add((c["file"], c["problem"]))
        out = outcome(Problem(batches[c["file"]][c["problem"]]), c["law"])
        wrong = [(e, look_up(out, e["quantity"])) for e in c["expect"]
                 if not agree(look_up(out, e["quantity"]), e)]
        values += len(c["expect"])
        if c.get("solutions", out["solutions"]) != out["solutions"]:
            wrong.append(({"quantity": "solutions", "value": c["solutions"]}, out["solutions"]))
        if out["solutions"] > 1 and "solutions" not in c:
            print(f"{key}/{c['id']}: note: {out['solutions']} solutions")
        for e, ours in wrong:
            bad += 1
            print(f"{key}/{c['id']}: {e['quantity']} expected {e['value']}, found {ours}")
    for file, batch in batches.items():
        for name in batch:
            if (file, name) not in used:
                print(f"{key}/{file}: no case uses \"{name}\"")
    print(f"{key}: {len(cases)} cases, {values} values, {bad} disagree")
    return bad


if __name__ == "__main__":
    keys = sys.argv[1:] or sorted(p.parent.name for p in HERE.glob("*/expected.toml"))
    sys.exit(1 if sum([check(k) for k in keys]) else 0)
