//! One unilateral row with one row of dry friction, solved case by case.

/// A two-row inclusion ξ = Gx + b: 0 ≤ x_N ⟂ ξ_N ≥ 0, −x_T ∈ μ(x_N + s) Sgn ξ_T,
/// in units in which x and ξ compare (G near unit diagonal).
#[derive(Debug, Clone, Copy)]
pub(crate) struct OneContact {
    /// G_NN, G_NT, G_TT.
    pub(crate) matrix: [f64; 3],
    /// b_N, b_T.
    pub(crate) vector: [f64; 2],
    /// μ.
    pub(crate) friction: f64,
    /// s.
    pub(crate) shift: f64,
}

/// Violations up to this, relative to the candidate's own size, are round-off.
const ACCEPT: f64 = 1e-12;
/// Pivots up to this, relative to the diagonal, are round-off of a singular G.
const SINGULAR: f64 = 1e-12;
/// Solutions whose ξ differ by less than this are the same.
const SAME: f64 = 1e-9;

impl OneContact {
    /// The solution of least xᵀGx and the number of different solutions;
    /// `None` where no case holds, which is round-off of a nearly singular G.
    pub(crate) fn solve(&self) -> Option<([f64; 2], usize)> {
        let [g_nn, g_nt, g_tt] = self.matrix;
        let [b_n, b_t] = self.vector;
        // μ|G_NT| < G_NN makes the solution unique: the first case that holds is it.
        let unique = self.friction * g_nt.abs() < (1.0 - 1e-9) * g_nn;
        let mut best: Option<([f64; 2], f64)> = None;
        let mut found: [[f64; 2]; 4] = [[0.0; 2]; 4];
        let mut count = 0;
        let det = g_nn * g_tt - g_nt * g_nt;
        for case in 0..4 {
            let x = match case {
                // Open: friction may still act through the shift.
                0 => {
                    let radius = self.friction * self.shift;
                    [0.0, if radius > 0.0 { (-b_t / g_tt).max(-radius).min(radius) } else { 0.0 }]
                }
                // Stick: ξ = 0.
                1 => {
                    if det <= SINGULAR * g_nn * g_tt {
                        continue;
                    }
                    [(g_nt * b_t - g_tt * b_n) / det, (g_nt * b_n - g_nn * b_t) / det]
                }
                // Slip in direction σ: x_T = −σμ(x_N + s), ξ_N = 0.
                _ => {
                    let sigma_mu = if case == 2 { self.friction } else { -self.friction };
                    let slope = g_nn - sigma_mu * g_nt;
                    if slope.abs() <= SINGULAR * g_nn {
                        continue;
                    }
                    let x_n = (sigma_mu * self.shift * g_nt - b_n) / slope;
                    [x_n, -sigma_mu * (x_n + self.shift)]
                }
            };
            if !self.holds(case, x) {
                continue;
            }
            if unique {
                return Some((x, 1));
            }
            let xi = self.xi(x);
            let size = self.size(x);
            let known =
                found[..count].iter().any(|f: &[f64; 2]| (f[0] - xi[0]).abs().max((f[1] - xi[1]).abs()) <= SAME * size);
            if !known {
                found[count] = xi;
                count += 1;
            }
            let effort = x[0] * (g_nn * x[0] + 2.0 * g_nt * x[1]) + g_tt * x[1] * x[1];
            if best.is_none_or(|(_, least)| effort < least) {
                best = Some((x, effort));
            }
        }
        best.map(|(x, _)| (x, count))
    }

    fn xi(&self, x: [f64; 2]) -> [f64; 2] {
        let [g_nn, g_nt, g_tt] = self.matrix;
        [g_nn * x[0] + g_nt * x[1] + self.vector[0], g_nt * x[0] + g_tt * x[1] + self.vector[1]]
    }

    fn size(&self, x: [f64; 2]) -> f64 {
        x[0].abs().max(x[1].abs()).max(self.vector[0].abs()).max(self.vector[1].abs()).max(self.shift)
    }

    /// Whether the inequalities of a case hold to round-off: impulses relative
    /// to the candidate's, velocities relative to b.
    fn holds(&self, case: usize, x: [f64; 2]) -> bool {
        let largest = x[0].abs().max(x[1].abs());
        let impulse = ACCEPT * largest.max(self.shift);
        let velocity = ACCEPT * self.vector[0].abs().max(self.vector[1].abs()) + 64.0 * f64::EPSILON * largest;
        let radius = self.friction * (x[0] + self.shift);
        match case {
            0 => self.xi(x)[0] >= -velocity,
            1 => x[0] >= -impulse && x[1].abs() <= radius + impulse,
            2 => x[0] >= -impulse && self.xi(x)[1] >= -velocity,
            _ => x[0] >= -impulse && self.xi(x)[1] <= velocity,
        }
    }
}
