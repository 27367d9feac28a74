"""Stronge's lumped-mass model of one planar contact, integrated by Runge–Kutta steps with bisected events.

Second path for check.py. k_N = 1, k_T = 1/η²; state (γ_N, γ_T, z = λ_N, x = tangential deflection).
"""

import math


def rates(s, g, k, c, mu, slip):
    n, t, z, x = s
    f = -slip * mu * z if slip else -k * x
    return (g[0][0] * z + g[0][1] * f, g[1][0] * z + g[1][1] * f, -c * n, 0.0 if slip else t)


def step(s, h, *phase):
    k1 = rates(s, *phase)
    k2 = rates([a + h / 2 * b for a, b in zip(s, k1)], *phase)
    k3 = rates([a + h / 2 * b for a, b in zip(s, k2)], *phase)
    k4 = rates([a + h * b for a, b in zip(s, k3)], *phase)
    return [a + h / 6 * (p + 2 * q + 2 * r + w) for a, p, q, r, w in zip(s, k1, k2, k3, k4)]


def after(g, gamma, mu, e, ratio, h=1e-3):
    """γ⁺ for Delassus matrix g, γ⁻ = gamma, ratio = η² = k_N/k_T."""
    k, s, c, pressing = 1 / ratio, [gamma[0], gamma[1], 0.0, 0.0], 1.0, True
    slip = 0 if abs(gamma[1]) <= mu * ratio * abs(gamma[0]) else math.copysign(1, gamma[1])
    started = False
    while True:
        def events(s, c=c, slip=slip, pressing=pressing):
            """Each is positive while the phase lasts."""
            n, t, z, x = s
            return {"turn": -n if pressing else math.inf, "end": math.inf if pressing else z,
                    "again": math.inf if pressing else n + 1e-13,
                    "grip": slip * t + c * mu * ratio * n + 1e-13 if slip else math.inf,
                    "slide": math.inf if slip or not started else mu * z - k * abs(x) + 1e-13}

        now = step(s, h, g, k, c, mu, slip)
        if min(events(now).values()) > 0:
            s, started = now, True
            continue
        low, high = 0.0, h
        for _ in range(60):
            mid = (low + high) / 2
            low, high = (mid, high) if min(events(step(s, mid, g, k, c, mu, slip)).values()) > 0 else (low, mid)
        s = step(s, high, g, k, c, mu, slip)
        started = True
        what = min(events(s), key=events(s).get)
        if what == "end" or (what == "turn" and e == 0):
            return s[0], s[1]
        if what == "turn":
            s[0], c, pressing = 0.0, 1 / (e * e), False
        elif what == "again":
            c, pressing = 1.0, True
        elif what == "slide":
            slip = math.copysign(1, s[3])
        else:
            s[3], slip = slip * mu * ratio * s[2], 0
