#!/usr/bin/env python3
"""The block and the chain of Brogliato, Zhang and Liu (2012): problems and expectations.

Closed forms of the paper, with its misprints corrected; what was corrected is said in each case.
The block (height l, width L) turns about corner A with θ̇⁻ = w < 0 and strikes with corner B.
"""

import math
import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))
from emit import Expected, holds, near, problem, same, write_problems  # noqa: E402

expected = Expected(HERE / "expected.toml", """
Brogliato, Zhang and Liu (2012), Analysis of a generalized kinematic impact law. Written by generate.py.
Contact B is the paper's 1 (it strikes), A its 2 (it rests). The tangents of A and B are the same
direction, so only the sum of the tangential impulses is determined: it is compared only in slip.
""")


def block(name, l, L, m, w, x, friction=None, corners="BA", law=None):
    """u⁻ = (x, L/2 w, w). Friction None: no tangent; "jump": a tangent, its jump set by the law."""
    contact = []
    for corner in corners:
        c = {"name": corner, "normal": [0, 1, L / 2 if corner == "B" else -L / 2]}
        if friction is not None:
            c["tangent"] = [1, 0, l / 2]
        if friction not in (None, "jump"):
            c["friction"] = friction
        contact.append(c)
    n = len(corners)
    law = law or {"name": "kinematic", "restitution_matrix": [[0.0] * n] * n}
    return problem(name, [m, m, m * (l * l + L * L) / 12], [x, L / 2 * w, w], contact, law=law)


def matrix(rows, tangential=None):
    law = {"name": "kinematic", "restitution_matrix": rows}
    if tangential is not None:
        law["tangential_matrix"] = tangential
    return law


def form(name, e=None):
    return {"name": "kinematic", "form": name} | ({} if e is None else {"restitution": e})


def impact(u, p=None, change=None):
    out = [near("velocity", u)]
    if p:
        out += [near("elements.B.impulse", [p[0]]), near("elements.A.impulse", [p[1]])]
    if change is not None:
        out.append(near("kinetic_energy.change", change))
    return out


def around(low, high, step=0.02):
    """Values below, at, inside, at and above the ends of an interval."""
    return [("below", low - step), ("low", low), ("inside", 0.4 * low + 0.6 * high), ("high", high), ("above", high + step)]


M, WIDTH, RATE = 1.5, 0.6, -0.8
SHAPES = [("0.5", 0.5), ("1", 1.0), ("sqrt2", math.sqrt(2)), ("2", 2.0), ("5", 5.0)]

# Sections 3.3 and 3.7.1: sliding rocking without friction; θ̇⁺ = e₂₁ w = −r w.
PREFIX = "after (25): printed m/12 […]; right is m/(12L) […]"
problems = []
for shape, a in SHAPES:
    L, l, m, w, x = WIDTH, a * WIDTH, M, RATE, 0.3
    name = f"l/L = {shape}"
    problems.append(block(name, l, L, m, w, x))
    low = max(0.0, (l * l - 2 * L * L) / (l * l + 4 * L * L))
    for where, e in around(low, 1.0):
        p = [m / (12 * L) * ((l * l - 2 * L * L) * e - (l * l + 4 * L * L)) * w,        # after (25)
             m / (12 * L) * (-(4 * L * L + l * l) * e - (2 * L * L - l * l)) * w]
        change = m * (4 * L * L + l * l) / 24 * (e * e - 1) * w * w                     # T_L of Section 3.7.1
        checks = holds(e >= 0, min(p) >= -1e-12, where != "above")
        for kind, law in (("matrix", matrix([[0.0, 0.0], [e, 0.0]])), ("form", form("rocking-sliding", e))):
            expected.add(f"sliding-rocking-{shape}-{where}-{kind}", "block-sliding.toml", name, law,
                         "Section 3.3, Fig. 2; Section 3.7.1, Fig. 4 with r = −e₂₁; (23) at the lower end",
                         impact([x, -e * L * w / 2, e * w], p, change) + checks,
                         note=f"{where} of the admissible interval [{low:.6g}, 1]", corrected=PREFIX)
write_problems(HERE / "block-sliding.toml", "Sections 3.2, 3.3, 3.5, 3.7: the block without friction.", problems)

# Section 3.5 and 3.7.3: half-rocking, on the same problems; admissible only for l ≤ √2 L.
for shape, a in SHAPES:
    L, l, m, w, x = WIDTH, a * WIDTH, M, RATE, 0.3
    for e in (0.0, 0.5, 1.0, 1.05):
        p = [-m / (12 * L) * (e + 1) * w * (4 * L * L + l * l), m / (12 * L) * (e + 1) * w * (l * l - 2 * L * L)]  # (26)
        change = m * (4 * L * L + l * l) / 24 * (e * e - 1) * w * w
        for kind, law in (("matrix", matrix([[e, 0.0], [0.0, e]])), ("form", form("half-rocking", e))):
            expected.add(f"half-rocking-{shape}-{e:g}-{kind}", "block-sliding.toml", f"l/L = {shape}", law,
                         "(26), Section 3.2 with e = 0; (46) with r = e",
                         impact([x, -e * L * w / 2, -e * w], p, change)
                         + holds(True, l * l <= 2 * L * L * (1 + 1e-12), e <= 1),
                         corrected="after (46): half of both printed impulses")

# Section 3.1: only B acts; (21) corrected and (22).
problems = []
for shape, a in SHAPES:
    for e in (0.0, 0.6):
        L, l, m, w, x = WIDTH, a * WIDTH, M, RATE, 0.3
        name = f"l/L = {shape}, e = {e:g}"
        p = block(name, l, L, m, w, x, corners="B", law=matrix([[e]]))
        p["contact"][0]["restitution"] = e
        problems.append(p)
        s = 4 * L * L + l * l
        y = (2 * L * L - l * l - 2 * (l * l + L * L) * e) / s * L * w / 2               # (21)
        theta = -(6 * L * L * e + 2 * L * L - l * l) / s * w                            # (22)
        for law, data in (("newton", "newton"), ("kinematic", matrix([[e]]))):
            expected.add(f"b-alone-{shape}-{e:g}-{law}", "block-one-corner.toml", name, data, "(19)–(23)",
                         impact([x, y, theta]) + holds(True, True, True),
                         corrected="(21): printed numerator 6L²e + 2L² − l²; right is 2L² − l² − 2(l² + L²)e",
                         printed=[x, (6 * L * L * e + 2 * L * L - l * l) / s * L * w / 2, theta])
write_problems(HERE / "block-one-corner.toml", "Section 3.1: the block, the impulse at B alone.", problems)

# Sections 3.4, 3.7.2: sticking rocking; Remark 7: E_tan = −e₂₁. Section 5: rebound at B.
problems = []
for shape, a in SHAPES:
    L, l, m, w = WIDTH, a * WIDTH, M, RATE
    x, name = -l / 2 * w, f"l/L = {shape}"
    problems.append(block(name, l, L, m, w, x, "jump", law=matrix([[0.0, 0.0], [0.0, 0.0]], 0.0)))
    housner = (2 * l * l - L * L) / (2 * (l * l + L * L))                               # −r_H
    low = max(0.0, housner)

    def sticking(e):
        return [m / (6 * L) * ((2 * l * l - L * L) * e - 2 * (l * l + L * L)) * w,      # (29)
                -m / (6 * L) * ((2 * l * l + 2 * L * L) * e + L * L - 2 * l * l) * w]

    for where, e in around(low, 1.0):
        p, u = sticking(e), [-l / 2 * e * w, -L / 2 * e * w, e * w]
        change = m * (l * l + L * L) / 6 * (e * e - 1) * w * w                          # Section 3.4
        for kind, law in (("matrix", matrix([[0.0, 0.0], [e, 0.0]], -e)), ("form", form("rocking-sticking", e))):
            expected.add(f"sticking-rocking-{shape}-{where}-{kind}", "block-sticking.toml", name, law,
                         "Section 3.4, Fig. 3; Section 3.7.2, Fig. 5 with r = −e₂₁",
                         impact(u, p, change) + holds(e >= 0, min(p) >= -1e-12, where != "above"),
                         note=f"{where} of the admissible interval [{low:.6g}, 1]",
                         corrected="after (45), p_n1: right is mL/4 (r − 1) − (4I + ml²)/(4L) (r + 1), times θ̇⁻")
    alpha = math.atan2(L, l)
    assert abs(housner - (1 - 1.5 * math.sin(alpha) ** 2)) < 1e-14
    u = [-l / 2 * housner * w, -L / 2 * housner * w, housner * w]
    expected.add(f"housner-{shape}", "block-sticking.toml", name, form("housner"), "Section 3.7.2, r_H",
                 impact(u, [sticking(housner)[0], 0.0], m * (l * l + L * L) / 6 * (housner ** 2 - 1) * w * w)
                 + holds(housner >= 0, True, True),
                 note="rocking goes on" if housner >= 0 else "l/L < 1/√2: A would move into the ground",
                 corrected="r_H = −(1 − 3/2 sin²α) needs α = atan(L/l), the critical angle itself")

    i = m * (l * l + L * L) / 12
    quadric = lambda e1, e2, e3: (l * l + 4 * L * L) * (e1 * e1 + e2 * e2) + (4 * L * L - 2 * l * l) * e1 * e2 + 3 * l * l * e3 * e3
    for label, (e1, e2, e3) in {"a": (0.3, 0.5, -0.4), "b": (0.1, 0.8, -0.7), "c": (0.6, 0.2, 0.3)}.items():
        scale = math.sqrt(4 * (l * l + L * L) / quadric(e1, e2, e3))                    # (51) with equality
        # (54), corrected: p_n2 = 0 at this E_tan
        edge = ((2 * L * L - l * l) * e1 + (l * l + 4 * L * L) * e2 + 2 * (L * L - 2 * l * l)) / (3 * l * l)
        for where, f1, f2, f3 in (("plain", e1, e2, e3), ("lossless", scale * e1, scale * e2, scale * e3),
                                  ("gain", 1.01 * scale * e1, 1.01 * scale * e2, 1.01 * scale * e3),
                                  ("edge", e1, e2, edge), ("beyond", e1, e2, edge + 0.01)):
            total = -m * L / 2 * (f1 + f2 + 1) * w                                      # after (52)
            gap = (2 * i / L * (f2 - f1 - 1) - m * l * l / (2 * L) * (f3 + 1)) * w
            p = [(total + gap) / 2, (total - gap) / 2]
            change = m / 8 * w * w * (quadric(f1, f2, f3) - 4 * (l * l + L * L)) / 3    # (50)
            first = (l * l + 4 * L * L) * f1 + (2 * L * L - l * l) * f2 + 3 * l * l * f3 + 4 * l * l + 4 * L * L
            second = (2 * L * L - l * l) * f1 + (l * l + 4 * L * L) * f2 - 3 * l * l * f3 + 2 * (L * L - 2 * l * l)
            assert where in ("edge",) or ((p[0] >= 0) == (first >= 0) and (p[1] >= 0) == (second >= 0))
            expected.add(f"rebound-{shape}-{label}-{where}", "block-sticking.toml", name,
                         matrix([[f1, 0.0], [f2, 0.0]], f3), "Section 5, (48)–(54)",
                         impact([-f3 * x, -(f1 + f2) * L * w / 2, (f2 - f1) * w], p, change)
                         + holds(True, min(p) >= -1e-12, change <= 1e-12),
                         corrected="after (52): (2I/L)(e₂₁ − e₁ − 1); (53): 4l², not 7l²; "
                                   "(54): (2L² − l²)e₁ + (l² + 4L²)e₂₁")
write_problems(HERE / "block-sticking.toml", "Sections 3.4, 3.7.2, 5: the block with an imposed tangential jump.", problems)

# Section 3.6: Coulomb friction at the impulse level.
problems, known = [], set()
# Two of right slip, left slip and stick satisfy the law, as ../check.py found: p_n ≥ 0 first, then the least
# ΔuᵀMΔu. Everywhere else it found one.
SEVERAL = {"coulomb-left-3-1.5-0.45-lossless", "coulomb-left-3-1.5-0.45-gain", "coulomb-right-friction-limit-outside",
           "coulomb-left-p1-limit-inside", "coulomb-left-p1-limit-outside", "coulomb-stick-6-1-0.5-outside"}


def coulomb(id, l, L, m, mu, x, w, e_matrix, u, p, source, state, side=0, corrected=None, printed=None,
            note=None, energetic=None, kinetic=None, kinematic=True):
    name = f"l = {l:g}, L = {L:g}, μ = {mu:.6g}, u⁻ = ({x:.6g}, {L / 2 * w:g}, {w:g})"
    if name not in known:
        known.add(name)
        problems.append(block(name, l, L, m, w, x, mu))
    before = m * x * x / 2 + m * (4 * L * L + l * l) / 24 * w * w
    after = m * (u[0] ** 2 + u[1] ** 2) / 2 + m * (l * l + L * L) / 24 * u[2] ** 2
    change = after - before
    if energetic is None:
        assert abs(change) > 1e-6
        energetic = change < 0
    kinetic = min(p) >= 0 if kinetic is None else kinetic
    expect = impact(u, p, change) + [same("elements.B.friction.state", state)]
    if side:
        expect += [near(f"elements.{c}.friction.impulse", [-side * mu * v]) for c, v in zip("BA", p)]
    expected.add(id, "block-coulomb.toml", name, matrix(e_matrix), source,
                 expect + holds(kinematic, kinetic, energetic), note=note, corrected=corrected, printed=printed,
                 solutions=2 if id in SEVERAL else 1)


def slip_rocking(id, l, L, m, mu, x, w, e, side, **more):
    """(31)–(34): side +1 slips to the right, −1 to the left."""
    s = side * 3 * mu * l * L
    first = (l * l - 2 * L * L - s) * e - (l * l + 4 * L * L + s)
    second = (s - l * l - 4 * L * L) * e + s - 2 * L * L + l * l
    u = [x + side * mu * L / 2 * (1 + e) * w, -e * L * w / 2, e * w]
    assert side * (u[0] + l / 2 * u[2]) > 0
    coulomb(id, l, L, m, mu, x, w, [[0.0, 0.0], [e, 0.0]], u, [m / (12 * L) * first * w, m / (12 * L) * second * w],
            "Section 3.6.3, " + ("(31), (32)" if side > 0 else "(33), (34)"), "slip", side,
            corrected="printed p_n1 with m/(24L) and p_n2 with −m/(12L); right is m/(12L) and +m/(12L)",
            printed=[m / (24 * L) * first * w, -m / (12 * L) * second * w], **more)


# m = L = 1, l = 2, μ = 0.3
slip_rocking("coulomb-right-0.8", 2.0, 1.0, 1.0, 0.3, 3.0, -1.0, 0.8, 1, note="u⁺ = (2.73, 0.4, −0.8)")
slip_rocking("coulomb-right-0.5", 2.0, 1.0, 1.0, 0.3, 3.0, -1.0, 0.5, 1, note="p_n2 = −0.058333: A would be pulled")
for l, L, m, mu in ((2.0, 1.0, 1.0, 0.3), (1.0, 0.5, 2.0, 0.2), (3.0, 1.5, 0.7, 0.45)):
    tag, w = f"{l:g}-{L:g}-{mu:g}", -1.0
    right = (l * l - 2 * L * L + 3 * mu * l * L) / (4 * L * L + l * l - 3 * mu * l * L)  # e⁺_c1
    left = (l * l - 2 * L * L - 3 * mu * l * L) / (4 * L * L + l * l + 3 * mu * l * L)   # e⁻_c1
    for side, low, x in ((1, max(0.0, right), 3.0), (-1, max(0.0, left), -3.0)):
        word = "right" if side > 0 else "left"
        for where, e in around(low, 1.0)[:4]:
            slip_rocking(f"coulomb-{word}-{tag}-{where}", l, L, m, mu, x, w, e, side, kinetic=where != "below" or None,
                         kinematic=e >= 0, note=f"kinetic limit e_c1 = {(right if side > 0 else left):.6f}")
        # (35) corrected, with equality: the energy is kept at this e₂₁ > 1
        q, r = mu * mu * L * L, (4 * L * L + l * l) / 3
        a, b = (r - q) / (r + q), 4 * mu * L / (q + r)  # e₂₁ = a + b|ẋ⁻| for w = −1
        if side > 0:  # fast enough that the slip does not reverse
            x = 1.2 * (mu * L * (1 + a) + l * a) / (2 - b * (mu * L + l))
        e = a + b * abs(x)
        for where, f, good in (("lossless", e, True), ("gain", e + 0.01, False)):
            slip_rocking(f"coulomb-{word}-{tag}-{where}", l, L, m, mu, x, w, f, side, energetic=good,
                         note="(35) with (4L² + l²)/3 for /6")
# Right slip is admissible only for μ ≤ L/l, where e⁺_c1 reaches 1.
for where, mu in (("inside", 0.49), ("outside", 0.51)):
    slip_rocking(f"coulomb-right-friction-limit-{where}", 2.0, 1.0, 1.0, mu, 3.0, -1.0, 1.0, 1,
                 note="right slip needs μ ≤ L/l")
# Left slip, p_n1: (l² − 2L² + 3μlL) e ≤ l² + 4L² − 3μlL; here e ≤ 1/4.
for where, e in (("inside", 0.24), ("outside", 0.26)):
    slip_rocking(f"coulomb-left-p1-limit-{where}", 2.0, 1.0, 1.0, 1.0, -3.0, -1.0, e, -1, note="e₂₁ ≤ 1/4 keeps p_n1 ≥ 0")

# Section 3.6.2: stick iff l/L (1 − e)/(1 + e) ≤ μ, (30); else slip to the right.
for l, L, m, mu in ((2.0, 1.0, 1.0, 0.3), (1.0, 0.5, 2.0, 0.2), (0.6, 1.0, 1.3, 0.4), (6.0, 1.0, 1.0, 0.5)):
    tag, w = f"{l:g}-{L:g}-{mu:g}", -1.0
    x, limit = -l / 2 * w, (l - mu * L) / (l + mu * L)
    for where, e in (("inside", limit + 0.01), ("high", 1.0)):
        p = [m / (6 * L) * ((2 * l * l - L * L) * e - 2 * (l * l + L * L)) * w,
             -m / (6 * L) * ((2 * l * l + 2 * L * L) * e + L * L - 2 * l * l) * w]      # (29)
        coulomb(f"coulomb-stick-{tag}-{where}", l, L, m, mu, x, w, [[0.0, 0.0], [e, 0.0]],
                [-l / 2 * e * w, -L / 2 * e * w, e * w], p, "Section 3.6.2, (29), (30)", "stick",
                energetic=True, note=f"sticks for e₂₁ ≥ {limit:.6f}")
    slip_rocking(f"coulomb-stick-{tag}-outside", l, L, m, mu, x, w, limit - 0.01, 1,
                 note=f"sticks only for e₂₁ ≥ {limit:.6f}")

# Section 3.6.4: half-rocking with slip to the right, admissible for μ ≤ (2L² − l²)/(3lL).
def slip_half_rocking(id, l, L, m, mu, x, w, e, **more):
    i = m * (l * l + L * L) / 12
    p = [-(i + (L + mu * l) / 2 * m * L / 2) / L * (e + 1) * w,                         # (36)
         m / (12 * L) * (e + 1) * (l * l - 2 * L * L + 3 * mu * l * L) * w]
    u = [x + mu * L / 2 * (1 + e) * w, -e * L * w / 2, -e * w]
    assert u[0] + l / 2 * u[2] > 0
    coulomb(id, l, L, m, mu, x, w, [[e, 0.0], [0.0, 0.0]], u, p, "Section 3.6.4, (36)–(38)", "slip", 1, **more)


for l, L, m in ((1.0, 1.0, 1.0), (0.5, 0.8, 2.0)):
    limit = (2 * L * L - l * l) / (3 * l * L)
    for where, mu in (("inside", limit - 0.01), ("limit", limit), ("outside", limit + 0.01)):
        slip_half_rocking(f"coulomb-half-{l:g}-{L:g}-{where}", l, L, m, mu, 2.0, -1.0, 0.5, kinetic=where != "outside",
                          note=f"admissible for μ ≤ {limit:.6f}", corrected="Table 1: printed 3L²; right is 3lL")
    # With ẋ⁻ = 0, (37) is (38) with equality at e⁺_c3 < 1.
    mu = 0.3 if l == L else 0.15
    top = (l * l + 4 * L * L - 3 * mu * mu * L * L) / (l * l + 4 * L * L + 3 * mu * mu * L * L)
    for where, e, good in (("below", top - 0.01, True), ("lossless", top, True), ("gain", top + 0.01, False)):
        slip_half_rocking(f"coulomb-half-{l:g}-{L:g}-energy-{where}", l, L, m, mu, 0.0, -1.0, e, energetic=good,
                          note=f"e⁺_c3 = {top:.6f}; the slip reverses, energy grows beyond it",
                          corrected="(37): right is (μ²L²/4 (e + 1)² + (4L² + l²)/12 (e² − 1))θ̇⁻ + μL(e + 1)ẋ⁻ ≥ 0")
write_problems(HERE / "block-coulomb.toml", "Section 3.6: the block with Coulomb friction at the impulse level.", problems)

# Section 7: four balls.
M = 2.0
BALLS = [{"name": "1-2", "normal": [-1, 1, 0, 0]}, {"name": "2-3", "normal": [0, -1, 1, 0]},
         {"name": "3-4", "normal": [0, 0, -1, 1]}]
FIRST, SECOND = "first pre-impact velocity", "second pre-impact velocity"
EYE = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
problems = [problem(name, [M] * 4, u, BALLS, law=matrix(EYE))
            for name, u in ((FIRST, [1, 0, 0, 0]), (SECOND, [1, 0, 0, -2]))]
for e in (0.0, 0.5, 1.0):
    problems.append(problem(f"{FIRST}, e = {e:g}", [M] * 4, [1, 0, 0, 0], [c | {"restitution": e} for c in BALLS],
                            law={"name": "moreau", "restitution": e}))
write_problems(HERE / "four-balls.toml", "Section 7: four equal balls in a row.", problems)


def chain(id, which, e, law=None, note=None, corrected=None, name=None, printed=None):
    """(59) and (63): with g = E_n (1, 0, 0) or E_n (1, 0, 2), one formula holds for both."""
    second = which == SECOND
    g1, g2, g3 = (row[0] + (2 * row[2] if second else 0) for row in e)
    c = -1 if second else 1
    u = [(c - 3 * g1 - 2 * g2 - g3) / 4, (c + g1 - 2 * g2 - g3) / 4,
         (c + g1 + 2 * g2 - g3) / 4, (c + g1 + 2 * g2 + 3 * g3) / 4]
    k = (5, 3, 7) if second else (3, 1, 1)
    p = [M * (k[0] + 3 * g1 + 2 * g2 + g3) / 4, M * (k[1] + g1 + 2 * g2 + g3) / 2,
         M * (k[2] + g1 + 2 * g2 + 3 * g3) / 4]
    # (60), (61) corrected
    form = 3 * g1 * g1 + 4 * g2 * g2 + 3 * g3 * g3 + 4 * g1 * g2 + 2 * g1 * g3 + 4 * g2 * g3
    change = M / 8 * (form - (19 if second else 3))
    expect = [near("velocity", u), near("kinetic_energy.change", change)] + [
        near(f"elements.{c['name']}.impulse", [v]) for c, v in zip(BALLS, p)]
    expected.add(id, "four-balls.toml", name or which, law or matrix(e), "(61)–(63)" if second else "(56)–(60)",
                 expect + holds(min(g1, g2, g3) >= 0, min(p) >= 0, change <= 1e-12),
                 note=note, corrected=corrected, printed=printed)
    return change


def column(e1, e21, e31):
    return [[e1, 0.0, 0.0], [e21, 0.0, 0.0], [e31, 0.0, 0.0]]


ELLIPSOID = "(60): printed e₁² + e₂₁² + e₃₁² ≤ 1; right is 3e₁² + 4e₂₁² + 3e₃₁² + 4e₁e₂₁ + 2e₁e₃₁ + 4e₂₁e₃₁ ≤ 3"
chain("four-balls-cradle", FIRST, column(0.0, 0.0, 1.0), note="the last ball leaves, the others rest")
chain("four-balls-middle", FIRST, column(0.0, 1.0, 0.0), corrected=ELLIPSOID, note="allowed by the printed (60), yet T⁺/T⁻ = 1.25")
chain("four-balls-half", FIRST, column(0.5, 0.5, 0.5), corrected=ELLIPSOID, note="allowed by the printed (60), yet energy grows")
chain("four-balls-negative", FIRST, column(0.5, -0.1, 0.2), note="contact 2-3 would penetrate")
for label, (a, b, c) in {"a": (0.0, 1.0, 0.0), "b": (1.0, 1.0, 1.0), "c": (0.2, 0.5, 0.9), "d": (0.9, 0.1, 0.4)}.items():
    s = math.sqrt(3 / (3 * a * a + 4 * b * b + 3 * c * c + 4 * a * b + 2 * a * c + 4 * b * c))
    for where, f in (("inside", 0.99 * s), ("lossless", s), ("gain", 1.01 * s)):
        change = chain(f"four-balls-ellipsoid-{label}-{where}", FIRST, column(f * a, f * b, f * c), corrected=ELLIPSOID)
        assert abs(change) < 1e-12 if where == "lossless" else (change > 0) == (where == "gain")
chain("four-balls-proposition-1", FIRST, [[0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]], printed=0.0,
      note="E_n symmetric with eigenvalues −1, 1, 1; u⁺ = (−1, −1, 3, 3)/4 and T⁺/T⁻ = 1.25",
      corrected="Proposition 1 and (13) are false: with A⁻¹ in place of A the energy grows; (13) as printed gives 0")
for e in (0.0, 0.5, 1.0):
    diagonal = [[e * x for x in row] for row in EYE]
    name = f"{FIRST}, e = {e:g}"
    chain(f"four-balls-moreau-{e:g}", FIRST, diagonal, {"name": "moreau", "restitution": e}, name=name, note="Remark 10")
    chain(f"four-balls-diagonal-{e:g}", FIRST, diagonal, name=name, note="Remark 10: the same as Moreau's law")

WRONG = ("(61): right is 3g₁² + 4g₂² + 3g₃² + 4g₁g₂ + 2g₁g₃ + 4g₂g₃ ≤ 19 with g_k = e_k1 + 2e_k3; "
         "(63) p₂₃: m(3 + e₁ + 2e₁₃ + 2e₂₁ + 4e₂₃ + e₃₁ + 2e₃)/2")
FULL = [[0.5, 0.3, 0.1], [0.2, 0.4, 0.15], [0.1, 0.25, 0.6]]
chain("four-balls-two-elastic", SECOND, EYE, corrected=WRONG, note="equality in (61) corrected")
chain("four-balls-two-plastic", SECOND, [[0.0] * 3] * 3, corrected=WRONG)
chain("four-balls-two-exchange", SECOND, [[0.0, 0.0, 1.0], [0.0, 1.0, 0.0], [1.0, 0.0, 0.0]], corrected=WRONG,
      note="the ends exchange their parts")
chain("four-balls-two-penetrating", SECOND, [[1.0, 0.0, -0.6], [0.0, 0.0, 0.0], [0.0, 0.0, 1.0]], corrected=WRONG,
      note="(62): e₁ + 2e₁₃ < 0")
g1, g2, g3 = (row[0] + 2 * row[2] for row in FULL)
s = math.sqrt(19 / (3 * g1 * g1 + 4 * g2 * g2 + 3 * g3 * g3 + 4 * g1 * g2 + 2 * g1 * g3 + 4 * g2 * g3))
for where, f in (("plain", 1.0), ("inside", 0.99 * s), ("lossless", s), ("gain", 1.01 * s)):
    chain(f"four-balls-two-full-{where}", SECOND, [[f * x for x in row] for row in FULL], corrected=WRONG,
          printed=M * (3 + 2 * f * (FULL[0][0] + FULL[0][2] + FULL[1][0] + 2 * FULL[1][2] + FULL[2][0] + FULL[2][2])) / 2)

expected.write()
