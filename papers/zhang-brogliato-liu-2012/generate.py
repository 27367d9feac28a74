#!/usr/bin/env python3
"""The examples of Zhang, Brogliato, Liu (2012): block and chains under lzb.

Closed forms are compared to 1e-9; numbers without a closed form come from two independent
codes and are given to the digits on which they agree.
"""

import math
import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))
from emit import Expected, near, problem, same, write_problems  # noqa: E402

expected = Expected(HERE / "expected.toml", """
Zhang, Brogliato, Liu (2012), Study of the planar rocking-block dynamics. Written by generate.py.
The block has L = m = 1, height l = a, and rotates about A at -1 rad/s: γ_B⁻ = -1, and γ_A⁺ is |d|.
""")


def lzb(exponent=1.5):
    return {"name": "lzb", "exponent": exponent}


def block(name, a, friction, static, e):
    """u = (x, y, θ); corner A stands, corner B strikes."""
    def corner(label, x):
        return {"name": label, "normal": [0, 1, x], "tangent": [1, 0, a / 2], "friction": friction,
                "friction_static": static, "restitution": e}
    return problem(name, [1, 1, (1 + a * a) / 12], [a / 2, -0.5, -1],
                   [corner("A", -0.5), corner("B", 0.5)], law=lzb())


def gammas(d, e, tolerance=None):
    return [near("elements.A.gamma_plus", [d], tolerance), near("elements.B.gamma_plus", [e])]


# Frictionless and slender: A opens at once.
problems = []
for a in (1.5, 2.0, 3.0):
    for e in (1.0, 0.8, 0.0):
        name = f"a = {a:g}, e = {e:g}"
        problems.append(block(name, a, 0.0, 0.0, e))
        expected.add(f"block-slender-{a:g}-{e:g}", "block-slender.toml", name, lzb(), "Fig. 6(a), Fig. 7(b)",
                     gammas((1 + e) * (a * a - 2) / (a * a + 4), e),
                     printed="2|cos θ₁₂| for l/L > 1/√2",
                     corrected="the caption of Fig. 7(b) should read l/L > √2" if e == 1.0 else None)
write_problems(HERE / "block-slender.toml", "Frictionless slender blocks.", problems)

# Frictionless and flat: the paper's factor is a fit.
problems = []
for a, ratio, digits in ((0.5, 1.8354, 5e-5), (0.7, 1.8392, 5e-5), (0.9, 1.8513, 5e-5), (1.3, 1.922, 5e-4)):
    name = f"a = {a:g}"
    problems.append(block(name, a, 0.0, 0.0, 1.0))
    cosine = abs((a * a - 2) / (a * a + 4))
    expected.add(f"block-flat-{a:g}", "block-flat.toml", name, lzb(), "Fig. 7(a)",
                 [near("elements.A.gamma_plus", [ratio * cosine], digits * cosine),
                  near("kinetic_energy.change", 0.0)],
                 note=f"|d|/|cos θ₁₂| = {ratio:g}", printed="1.8386|cos θ₁₂|, that is "
                 f"{1.8386 * cosine:.4f}: a fit for η = 3/2, equal stiffness and l/L below 0.71")
write_problems(HERE / "block-flat.toml", "Frictionless flat blocks, e = 1.", problems)

# All corners stick.
problems = []
for a in (1.0, 2.0):
    for e in (1.0, 0.5, 0.0):
        name = f"a = {a:g}, e = {e:g}"
        problems.append(block(name, a, 3.0, 3.0, e))
        expected.add(f"block-sticking-{a:g}-{e:g}", "block-sticking.toml", name, lzb(), "Section 5, items 2-5",
                     gammas((1 + e) * (2 * a * a - 1) / (2 * a * a + 2), e)
                     + [same("elements.B.friction.state", "stick")])
name = "a = 1/√2"
problems.append(block(name, 1 / math.sqrt(2), 0.6, 1.0, 1.0))
expected.add("block-critical", "block-sticking.toml", name, lzb(), "Section 5, items 2-3, Fig. 6(f)",
             gammas(0.0, 1.0), note="the least |d| for (μ, μ_s) = (0.6, 1)",
             printed="minimum at l/L = 0.75, θ_cr = π/2.5",
             corrected="l/L = 1/√2, a kinetic angle of 70.53°")
name = "a = 0.9, (0.6, 1)"
problems.append(block(name, 0.9, 0.6, 1.0, 1.0))
expected.add("block-strong-friction", "block-sticking.toml", name, lzb(), "Section 5, item 3, Fig. 8",
             gammas(2 * (2 * 0.81 - 1) / (2 * 0.81 + 2), 1.0) + [same("elements.B.friction.state", "stick")],
             printed="the contact points slip for √2/2 ≤ l/L < 1",
             corrected="everything sticks for 0.2 ≤ l/L ≤ 5")
write_problems(HERE / "block-sticking.toml", "Blocks whose corners stick.", problems)

# Slip of B in one direction, A open; and the jump where B can stick.
problems = []
for label, mu, static in (("c", 0.15, 0.3), ("d", 0.3, 0.5)):
    jump = (3 + math.sqrt(9 - 16 * static**2)) / (8 * static)
    for side, a in (("below", jump - 1e-6), ("above", jump + 1e-6)):
        for e in (1.0, 0.5):
            name = f"Fig. 6({label}), {side} the jump, e = {e:g}"
            problems.append(block(name, a, mu, static, e))
            slip = (1 + e) * (a * a - 2 + 3 * a * mu) / (a * a + 4 - 3 * a * mu)
            stick = (1 + e) * (2 * a * a - 1) / (2 * a * a + 2)
            expected.add(f"block-jump-{label}-{side}-{e:g}", "block-jump.toml", name, lzb(),
                         f"Fig. 6({label}), Section 5, item 8",
                         gammas(slip if side == "below" else stick, e)
                         + [same("elements.B.friction.state", "slip" if side == "below" else "stick")],
                         note=f"from rest B can stick iff μ_s ≥ 3a/(4a² + 1): a = {jump:.4f}")
write_problems(HERE / "block-jump.toml", "Blocks on both sides of the jump, v_t = 0 before the impact.", problems)

# Chains of equal balls, the first at 1.
CHAINS = [
    (3, 1.0, [-0.130261695064521, 0.150229569434774, 0.980032125629747], 1e-9),
    (3, 1.5, [-0.07095235365, 0.07640303907, 0.99454931458], 1e-9),
    (5, 1.0, [-0.1322794847, -0.0753291698, -0.0310108290, 0.2962177501, 0.9424017334], 1e-9),
    (5, 1.5, [-0.0710850171, -0.0302737641, -0.0144636290, 0.1270449861, 0.9887774241], 1e-9),
    (10, 1.5, [-0.0710850, -0.0302738, -0.0158334, -0.0088857, -0.0051266, -0.0029860, -0.0017377,
               0.0026720, 0.1473903, 0.9858659], 6e-8),
]


def chain(name, balls, e):
    contacts = []
    for i in range(balls - 1):
        normal = [0] * balls
        normal[i], normal[i + 1] = -1, 1
        contacts.append({"name": f"c{i + 1}", "normal": normal, "restitution": e})
    return problem(name, [1] * balls, [1] + [0] * (balls - 1), contacts, law=lzb())


problems = []
for balls in (3, 5, 10):
    problems.append(chain(f"{balls} balls", balls, 1.0))
for balls, exponent, u, tolerance in CHAINS:
    expected.add(f"chain-{balls}-{exponent:g}", "chains.toml", f"{balls} balls", lzb(exponent),
                 "Section 4, eqs. (10)-(14); Remark 1", [near("velocity", u, tolerance)],
                 note="by two independent codes")
problems.append(chain("3 balls, e = 0", 3, 0.0))
expected.add("chain-3-inelastic", "chains.toml", "3 balls, e = 0", lzb(), "Section 4, eqs. (10)-(14)",
             [near("velocity", [1 / 3] * 3)])
write_problems(HERE / "chains.toml", "Chains of equal balls and stiffness; u is the velocity of each ball.", problems)

# Impact without collision.
problems = []
c, s = 0.5, math.sqrt(0.75)
for e, gamma in ((0.5, 0.1003628447), (1.0, 0.2007256893)):
    name = f"e = {e:g}"
    problems.append(problem(name, [1, 1, 1 / 3], [1, 0, 0], [
        {"name": "C", "normal": [0, 1, c], "tangent": [1, 0, s], "friction": 5 / 3, "restitution": e}], law=lzb()))
    expected.add(f"painleve-{e:g}", "painleve.toml", name, lzb(), "Section 4, eq. (15)",
                 [near("elements.C.gamma_plus", [gamma], 1e-9), near("elements.C.friction.gamma_plus", [0.0])],
                 note="rod at 60° with supercritical friction, γ⁻ = (0, 1): the limit γ_N → 0⁻")
write_problems(HERE / "painleve.toml", "A rod that slides with supercritical friction.", problems)
expected.write()
