#!/usr/bin/env python3
"""The examples of Glocker (2014): problem files and expectations from the paper's equations.

Closed forms are compared to 1e-9 of their size, printed four-digit numbers to half a unit of
the last digit.
"""

import math
import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))
from emit import Expected, holds, near, problem, same, write_problems  # noqa: E402

POISSON = {"name": "poisson"}
expected = Expected(HERE / "expected.toml", """
Glocker (2014), Energetic consistency conditions for standard impacts, Part II. Written by generate.py.
`impulse_decompression` is Λ⁽⁺⁾ = Δ + εΛ⁽⁻⁾, `gamma_compression` is γ°.
""")


def element(name, compression=None, decompression=None, gamma=None, middle=None, state=None, impulse=None):
    """Expectations on one scalar element."""
    e = f"elements.{name}."
    parts = [("impulse_compression", compression), ("impulse_decompression", decompression),
             ("gamma_compression", middle), ("gamma_plus", gamma), ("impulse", impulse)]
    if compression is not None and decompression is not None:
        parts.append(("impulse", compression + decompression))
    return [near(e + k, [v]) for k, v in parts if v is not None] + (
        [same(e + "state", state)] if state else [])


# Section 4.1.1, Fig. 2: body 1 falls on body 2, which rests on the ground.
problems = []
for m, v in ((1.0, 1.0), (2.5, 0.4)):
    name = f"m = {m:g}, v = {v:g}"
    problems.append(problem(name, [m, m], [-v, 0], [
        {"name": "A", "normal": [1, -1], "restitution": 1},
        {"name": "B", "normal": [0, 1], "restitution": 0}], law=POISSON))
    expected.add(f"stack-{m:g}", "stack.toml", name, "poisson", "Section 4.1.1, Fig. 2",
                 element("A", m * v, m * v, v, 0.0, "closed") + element("B", m * v, m * v, 0.0, 0.0, "closed")
                 + [near("velocity", [v, 0.0]), near("kinetic_energy.change", 0.0)]
                 + holds(True, True, True),
                 note="the ground answers in decompression with more than ε_B Λ_B⁽⁻⁾")
write_problems(HERE / "stack.toml", "Fig. 2: two bodies, the lower one on the ground; u = (upper, lower).", problems)

# Section 9.1: slide-push mechanism, (216)–(225).
problems = []
for m, v in ((1.0, 1.0), (3.0, 0.5)):
    for e_b in (0.0, 0.5, 1.0):
        name = f"m = {m:g}, ε_B = {e_b:g}"
        problems.append(problem(name, [m, m], [-v, 0],
                                [{"name": "A", "normal": [1, 0], "restitution": 1}],
                                [{"name": "B", "direction": [-1, 1], "restitution": e_b}], law=POISSON))
        expected.add(f"slide-push-{m:g}-{e_b:g}", "slide-push.toml", name, "poisson", "(221)–(225)",
                     element("A", m * v, m * v, v / 2, 0.0, "closed")                    # (221), (224), (223)
                     + element("B", 0.0, m * v / 2, 0.0, 0.0, "closed")
                     + [near("velocity", [v / 2, v / 2]),                                # (224)
                        near("kinetic_energy.before", m * v * v / 2),                    # (225)
                        near("kinetic_energy.after", m * v * v / 4),
                        near("kinetic_energy.change", -m * v * v / 4)]
                     + holds(True, True, True), note="ε_B drops out")
    expected.add(f"slide-push-{m:g}-newton", "slide-push.toml", f"m = {m:g}, ε_B = 0", "newton",
                 "Section 9.1, first paragraph", [
                     near("velocity", [v, v]), near("kinetic_energy.change", m * v * v / 2)]
                 + holds(True, True, False), note="Newton's law doubles the energy")
write_problems(HERE / "slide-push.toml", "Section 9.1: a wall contact A and a sprag clutch B.", problems)

# Section 9.2: Kane's double pendulum, exact data behind (227): m = 3 kg, l = 2 m, 20° and 30°.
m, l, f1, f2, mu = 3.0, 2.0, math.radians(20), math.radians(30), 0.5
M = [[4 / 3 * m * l * l, m * l * l / 2 * math.cos(f1 - f2)],
     [m * l * l / 2 * math.cos(f1 - f2), m * l * l / 3]]
W_N, W_T = [l * math.sin(f1), l * math.sin(f2)], [-l * math.cos(f1), -l * math.cos(f2)]
U = [-0.1, -0.2]


def dot(x, y):
    return x[0] * y[0] + x[1] * y[1]


det = M[0][0] * M[1][1] - M[0][1] ** 2


def over_mass(w):
    return [(M[1][1] * w[0] - M[0][1] * w[1]) / det, (M[0][0] * w[1] - M[0][1] * w[0]) / det]


def energy(u):
    return 0.5 * dot(u, [dot(M[0], u), dot(M[1], u)])


def moved(u, impulse):
    n, t = over_mass(W_N), over_mass(W_T)
    return [u[i] + n[i] * impulse[0] + t[i] * impulse[1] for i in (0, 1)]


G_NN, G_NT, G_TT = dot(W_N, over_mass(W_N)), dot(W_N, over_mass(W_T)), dot(W_T, over_mass(W_T))
g_n, g_t = dot(W_N, U), dot(W_T, U)
# Compression, (233): γ_N° = 0 and Λ_T = −μΛ_N.
c_n = -g_n / (G_NN - mu * G_NT)
c = (c_n, -mu * c_n)
middle_t = g_t + G_NT * c[0] + G_TT * c[1]
HALF = 5.0000001e-5  # half a unit of the fourth digit


def printed(gamma, impulse, u, work, before=None, after=None):
    out = [near("elements.C.gamma_plus", [gamma[0]], HALF),
           near("elements.C.friction.gamma_plus", [gamma[1]], HALF),
           near("elements.C.impulse", [impulse[0]], HALF),
           near("elements.C.friction.impulse", [impulse[1]], HALF),
           near("velocity", list(u), HALF), near("kinetic_energy.change", work, HALF)]
    out += [near("kinetic_energy.before", before, HALF)] if before else []
    out += [near("kinetic_energy.after", after, HALF)] if after else []
    return out


def exact(gamma, impulse, state):
    u = moved(U, impulse)
    return [near("elements.C.gamma_plus", [gamma[0]]), near("elements.C.friction.gamma_plus", [gamma[1]]),
            near("elements.C.impulse", [impulse[0]]), near("elements.C.friction.impulse", [impulse[1]]),
            near("velocity", u), near("kinetic_energy.change", energy(u) - energy(U)),
            same("elements.C.state", "closed"), same("elements.C.friction.state", state)]


TABLE = {  # Table 2: γ⁺, Λ, u⁺, W, state
    ("newton", 0.5): ((0.1342, 0.0), (3.4079, 1.4676), (-0.3346, 0.3631), 0.1634, "stick"),
    ("poisson", 0.5): ((0.0786, 0.0), (0.6823, -0.2315), (-0.1961, 0.2127), -0.1266, "stick"),
    ("newton", 0.7): ((0.1879, -0.0177), (5.4995, 2.7498), (-0.4430, 0.4909), 0.4889, "slip"),
    ("poisson", 0.7): ((0.0805, 0.0), (0.7733, -0.1748), (-0.2007, 0.2178), -0.1194, "stick"),
}
PHASES = {  # (236) and (240): Λ⁽⁺⁾; (237) and (241): T⁺
    0.5: ((0.2274, -0.0041), 0.1516, "(233)–(238)"), 0.7: ((0.3184, 0.0526), 0.1588, "(233), (239)–(242)")}
READ = "before (232): printed ε_N = 0.5 and ε_T = 0.7; right is ε_N = 0.5 and ε_N = 0.7 (Table 2)"
problems = []
for case, e in ((1, 0.5), (2, 0.7)):
    name = f"case {case}, ε_N = {e}"
    problems.append(problem(name, M, U, [{"name": "C", "normal": W_N, "tangent": W_T, "friction": mu,
                                          "restitution": e}], law=POISSON))
    for law in ("newton", "poisson"):
        gamma, impulse, u, work, state = TABLE[law, e]
        check = holds(True, True, law == "poisson")
        if law == "newton":
            n = -e * g_n
            if state == "stick":                       # ξ_N = ξ_T = 0
                d = G_NN * G_TT - G_NT ** 2
                b_n, b_t = n - g_n, -g_t
                full = ((G_TT * b_n - G_NT * b_t) / d, (G_NN * b_t - G_NT * b_n) / d)
                t = 0.0
            else:                                      # slip reversal: Λ_T = +μΛ_N
                full_n = (n - g_n) / (G_NN + mu * G_NT)
                full = (full_n, mu * full_n)
                t = g_t + G_NT * full[0] + G_TT * full[1]
            extra, phases, source, energies = [], [], "Table 2, Newton", {"before": 0.2782}
        else:                                          # Δ_N = 0 and γ_T⁺ = 0, (236) and (240)
            d_n = e * c[0]
            d_t = -(middle_t + G_NT * d_n) / G_TT
            full, n, t = (c[0] + d_n, c[1] + d_t), G_NN * d_n + G_NT * d_t, 0.0
            extra = (element("C", c[0], d_n, n, 0.0) + element("C.friction", c[1], d_t, 0.0, middle_t))
            plus, after, source = PHASES[e]
            source = "Table 2, Poisson; " + source
            phases = [near("elements.C.impulse_compression", [0.4549], HALF),
                      near("elements.C.friction.impulse_compression", [-0.2274], HALF),
                      near("elements.C.gamma_compression", [0.0], HALF),
                      near("elements.C.friction.gamma_compression", [0.1187], HALF),
                      near("elements.C.impulse_decompression", [plus[0]], HALF),
                      near("elements.C.friction.impulse_decompression", [plus[1]], HALF)]
            energies = {"before": 0.2782, "after": after}
        expected.add(f"table-2-{law}-case-{case}", "kane.toml", name, law, source,
                     printed(gamma, impulse, u, work, **energies) + phases
                     + [same("elements.C.friction.state", state)] + check,
                     corrected=READ, note="printed numbers")
        expected.add(f"table-2-{law}-case-{case}-exact", "kane.toml", name, law, source,
                     exact((n, t), full, state) + extra + check, note="the same equations without rounding")
write_problems(HERE / "kane.toml", "Section 9.2: Kane's double pendulum; m = 3 kg, l = 2 m, angles 20° and 30°.", problems)

# Section 9.3: cradle with three balls, ε_B = 2.
problems = []
for m, v in ((1.0, 1.0), (0.2, 3.0)):
    for e_a in (0.0, 0.25, 0.5, 0.6, 1.0):
        e_b = 2.0
        name = f"m = {m:g}, ε_A = {e_a:g}"
        problems.append(problem(name, [m] * 3, [v, 0, 0], [
            {"name": "A", "normal": [-1, 1, 0], "restitution": e_a},
            {"name": "B", "normal": [0, -1, 1], "restitution": e_b}], law=POISSON))
        p = m * v / 3
        if e_a <= 0.5:
            expect = (element("A", 2 * p, p, 0.0, 0.0) + element("B", p, 2 * p, v, 0.0)  # (247), (254), (255)
                      + [near("velocity", [0.0, 0.0, v]), near("kinetic_energy.change", 0.0)]  # (256)
                      + holds(True, True, True))
            note = "contact B is locally active, the whole conserves energy"
        else:                                          # (249) with Δ = 0: contact A opens
            a, b = (4 * e_a - e_b) * v / 3, (2 * e_b - 2 * e_a) * v / 3
            u = [v / 3 * (1 - 2 * e_a), v / 3 * (1 + 2 * e_a - e_b), v / 3 * (1 + e_b)]
            expect = (element("A", 2 * p, e_a * 2 * p, a, 0.0) + element("B", p, e_b * p, b, 0.0)
                      + [near("velocity", u)] + holds(True, True, False))
            note = "beyond (253) contact A opens and energy grows"
        expected.add(f"cradle-{m:g}-{e_a:g}", "cradle.toml", name, "poisson", "(247)–(256)", expect, note=note)
    name = f"m = {m:g}, elastic"
    problems.append(problem(name, [m] * 3, [v, 0, 0], [
        {"name": "A", "normal": [-1, 1, 0], "restitution": 1},
        {"name": "B", "normal": [0, -1, 1], "restitution": 1}], law=POISSON))
    expected.add(f"cradle-{m:g}-successive", "cradle.toml", name, "sequential", "Section 9.3, Fig. 11 left",
                 [near("velocity", [0.0, 0.0, v]), near("kinetic_energy.change", 0.0)])
write_problems(HERE / "cradle.toml", "Section 9.3: Newton's cradle with three balls, ε_B = 2.", problems)

# Section 10: the bar with an added mass, Θ_S = ml²/α (259).
M_ROD, L_ROD, V = 2.0, 0.5, 3.0


def rod_energy(alpha):
    """E⁻ (265) and E⁺ (270)."""
    w = M_ROD * V * V
    return w * (alpha + 1) / (2 * alpha), w * (alpha - 1) ** 2 * (alpha + 1) / (8 * alpha ** 2)


problems = []
for alpha in (3.0, 5.0, 10.0, 20.0, 100.0):
    mass, l_t = [M_ROD, M_ROD * L_ROD ** 2 / alpha], M_ROD * V * (alpha + 1) / (2 * alpha)
    l_u = M_ROD * V * (alpha - 1) / (2 * alpha)                                          # (264)
    before, after = rod_energy(alpha)
    u_plus = [V * (alpha - 1) / (2 * alpha), V * (alpha - 1) / (2 * L_ROD)]              # (269)
    first, second = f"α = {alpha:g}, first stage", f"α = {alpha:g}, second stage"
    problems.append(problem(first, mass, [-V, V / L_ROD], [{"name": "T", "normal": [1, -L_ROD], "restitution": 0}],
                            joint=[{"name": "U", "direction": [1, L_ROD]}], law={"name": "newton"}))
    problems.append(problem(second, mass, [0, 0], [{"name": "T", "normal": [-1, L_ROD], "restitution": 0}],
                            impulse=[l_u, L_ROD * l_u], law={"name": "newton"}))
    for law in ("newton", "poisson"):
        expected.add(f"two-stage-{alpha:g}-first-{law}", "two-stage.toml", first, law, "(260)–(265)", [
            near("velocity", [0.0, 0.0]), near("elements.T.impulse", [l_t]), near("elements.U.impulse", [l_u]),
            near("kinetic_energy.before", before), near("kinetic_energy.after", 0.0)],
            note="hinge U, support T")
    expected.add(f"two-stage-{alpha:g}-second", "two-stage.toml", second, "newton", "(266)–(272)", [
        near("velocity", u_plus), near("kinetic_energy.before", 0.0), near("kinetic_energy.after", after)],
        note="an external impulse at U; the contact listed only opens"
        + (f"; E⁺ > E⁻ = {before:.6g}" if after > before else ""))
write_problems(HERE / "two-stage.toml", "Section 10.1: the two stages of Fig. 14, u = (ẏ, φ̇).", problems)

problems = []


def multi_impact(id, name, alpha, mu, wall, source, note):
    """Section 10.2 with ẋ⁻ = −wall."""
    m, l, v = M_ROD, L_ROD, V
    assert mu * wall >= (alpha + 1) / (2 * alpha) * v                                    # (284)
    problems.append(problem(name, [m, m, m * l * l / alpha], [-wall, -v, v / l], [
        {"name": "N", "normal": [1, 0, 0], "tangent": [0, 1, -l], "friction": mu, "restitution": 0},
        {"name": "U", "normal": [0, 1, l], "restitution": 1}], law=POISSON))
    l_t, l_u = m * v * (alpha + 1) / (2 * alpha), m * v * (alpha - 1) / (2 * alpha)      # (283)
    before, after = rod_energy(alpha)
    change = after - before - m * wall * wall / 2                                        # (293)
    expected.add(id, "energy-gain.toml", name, "poisson", source,
                 element("N", m * wall, 0.0, 0.0, 0.0, "closed")                         # (283), (287), (288)
                 + element("N.friction", l_t, 0.0, -v * (alpha - 1) ** 2 / (2 * alpha), 0.0)
                 + element("U", l_u, l_u, v * (alpha * alpha - 1) / (2 * alpha), 0.0, "closed")
                 + [near("velocity", [0.0, v * (alpha - 1) / (2 * alpha), v * (alpha - 1) / (2 * l)]),  # (291)
                    near("kinetic_energy.change", change)]
                 + holds(True, True, change <= 0), note=note)
    return change


for alpha in (4.0, 10.0, 20.0, 100.0):
    for mu in (1.0, 2.0):
        wall = 1.0001 * (alpha + 1) / (2 * alpha) * V / mu
        change = multi_impact(f"energy-gain-{alpha:g}-{mu:g}", f"α = {alpha:g}, μ = {mu:g}", alpha, mu, wall,
                              "(273)–(295)", "stick is just reached in compression")
        assert (change > 0) == (alpha > 5.9)
for alpha in (10.0, 20.0, 100.0):
    # ẋ⁻ at the limit (284): the energy grows iff μ² > (α + 1)/(α² − 6α + 1), from (293) and (271)
    limit = math.sqrt((alpha + 1) / (alpha * alpha - 6 * alpha + 1))
    for side, mu in (("below", 0.99 * limit), ("above", 1.01 * limit)):
        wall = 1.0001 * (alpha + 1) / (2 * alpha) * V / mu
        change = multi_impact(f"energy-gain-{alpha:g}-{side}", f"α = {alpha:g}, μ {side} {limit:.6f}", alpha, mu,
                              wall, "(284), (293)", f"energy grows only for μ > {limit:.6f}")
        assert (change > 0) == (side == "above")
for side, alpha in (("below", 5.8), ("above", 5.86)):
    change = multi_impact(f"energy-gain-root-{side}", f"α = {alpha}", alpha, 1000.0, 0.001 * V, "(272)",
                          "α > 3 + 2√2 is necessary")
    assert (change > 0) == (side == "above")
write_problems(HERE / "energy-gain.toml", "Section 10.2: the bar against wall N and ground U, u = (ẋ, ẏ, φ̇).", problems)

# Section 8: equal coefficients, admissible γ⁻ and no clutch: Newton and Poisson agree. The bar of
# Payr and Glocker (2005), Θ_S = ms²/3, where (29)–(38) there give u⁺.
problems = []
for e, deg, mu, g_t in ((0.5, 30, 0.5, -0.3), (0.5, 120, 0.5, 4.0), (0.8, 70, 0.3, -2.0), (1.0, 45, 0.5, 0.8), (0.25, 140, 0.4, 0.1)):
    sin, cos, n = math.sin(math.radians(deg)), math.cos(math.radians(deg)), -1.0
    a, b, d = 1 + 3 * cos * cos, 1 + 3 * sin * sin, 3 * sin * cos
    stick = (-(1 + e) * (b * n - d * g_t) / (a * b - d * d), -(1 + e) * (a * g_t - d * n) / (a * b - d * d))
    if abs(stick[1]) < mu * stick[0]:
        impulse = stick
    else:
        s = math.copysign(1, stick[1])
        impulse = (-(1 + e) * n / (a + s * mu * d),) * 2
        impulse = (impulse[0], s * mu * impulse[0])
    name = f"ε = {e:g}, φ = {deg}°"
    problems.append(problem(name, [1, 1, 1 / 3], [g_t, n, 0], [
        {"name": "C", "normal": [0, 1, -cos], "tangent": [1, 0, -sin], "friction": mu, "restitution": e,
         "restitution_tangential": e}], law=POISSON))
    u = [g_t + impulse[1], n + impulse[0], -3 * (cos * impulse[0] + sin * impulse[1])]
    for law in ("newton", "poisson"):
        expected.add(f"equivalence-{e:g}-{deg}-{law}", "equivalence.toml", name, law, "Section 8",
                     [near("velocity", u), near("elements.C.impulse", [impulse[0]]),
                      near("elements.C.friction.impulse", [impulse[1]])] + holds(True, True, True))
write_problems(HERE / "equivalence.toml", "Section 8: equal coefficients, where both laws agree.", problems)

expected.write()
