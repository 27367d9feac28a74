//! One unilateral row with one row of dry friction, solved case by case.

use super::tolerance::{BLOCKED, RESIDUAL};

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

/// How a contact can end.
#[derive(Debug, Clone, Copy)]
enum Case {
    /// x_N = 0.
    Open,
    /// ξ = 0.
    Stick,
    /// ξ_N = 0 and x_T = −σμ(x_N + s), with ξ_T in direction σ.
    Slip(f64),
}

const CASES: [Case; 4] = [Case::Open, Case::Stick, Case::Slip(1.0), Case::Slip(-1.0)];

/// Violations up to this, relative to the candidate's own size, are round-off.
const ACCEPT: f64 = 1e-12;
/// Pivots up to this, relative to the diagonal, are round-off of a singular G.
const SINGULAR: f64 = 1e-12;
/// Solutions whose ξ differ by less than this are the same.
const SAME: f64 = 1e-9;

/// Distance from the critical coefficient, relative to G_NN, that is beyond errors of the data.
const SUBCRITICAL: f64 = 100.0 * RESIDUAL;

/// What is known about the number of solutions of one contact.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Count {
    /// There is one, whatever b is.
    One,
    /// This many cases with different ξ hold to round-off; others may within a tolerance.
    AtLeast(usize),
}

impl OneContact {
    /// The solution of least xᵀGx and how many different ones there are;
    /// `None` where no case holds, which is round-off of a nearly singular G.
    #[inline]
    pub(crate) fn solve(&self) -> Option<([f64; 2], Count)> {
        let [g_nn, g_nt, g_tt] = self.matrix;
        let seen = g_nn > BLOCKED && (g_tt == 0.0 || g_tt > BLOCKED);
        // μ|G_NT| < G_NN makes the solution unique whatever b is: the first case that holds is it.
        // Closer to the critical coefficient errors of μ and G within the tolerance would decide.
        if g_nn - self.friction * g_nt.abs() > SUBCRITICAL && seen {
            self.solve_first_case().map(|x| (x, Count::One))
        } else {
            self.solve_all_cases()
        }
    }

    /// The first case that holds. Whether a contact sticks is for a processor to guess, and it guesses wrong half of the
    /// time; so both answers are computed, and one is taken without a branch.
    #[inline]
    fn solve_first_case(&self) -> Option<[f64; 2]> {
        if let Some(x) = self.candidate(Case::Open) {
            return Some(x);
        }
        let Some(held) = self.stick() else {
            return self.candidate(Case::Slip(1.0)).or_else(|| self.candidate(Case::Slip(-1.0)));
        };
        // Friction that falls short of what would hold the contact points the same way.
        let sigma = -(1f64.copysign(held[1]));
        let slip = self.slip(sigma).unwrap_or([f64::NAN; 2]);
        let sticks = self.holds(Case::Stick, held);
        let slips = self.holds(Case::Slip(sigma), slip);
        if sticks | slips {
            return Some([if sticks { held[0] } else { slip[0] }, if sticks { held[1] } else { slip[1] }]);
        }
        self.candidate(Case::Slip(-sigma))
    }

    /// x with ξ = 0; `None` where G is singular.
    #[inline]
    fn stick(&self) -> Option<[f64; 2]> {
        let [g_nn, g_nt, g_tt] = self.matrix;
        let [b_n, b_t] = self.vector;
        let det = g_nn * g_tt - g_nt * g_nt;
        let regular = det > SINGULAR * g_nn * g_tt;
        regular.then(|| [(g_nt * b_t - g_tt * b_n) / det, (g_nt * b_n - g_nn * b_t) / det])
    }

    /// x with ξ_N = 0 that slips in direction σ; `None` where x_N cannot change ξ_N.
    #[inline]
    fn slip(&self, sigma: f64) -> Option<[f64; 2]> {
        let [g_nn, g_nt, _] = self.matrix;
        let sigma_mu = sigma * self.friction;
        let slope = g_nn - sigma_mu * g_nt;
        if slope.abs() <= SINGULAR * g_nn {
            return None;
        }
        let x_n = (sigma_mu * self.shift * g_nt - self.vector[0]) / slope;
        Some([x_n, -sigma_mu * (x_n + self.shift)])
    }

    #[inline(never)]
    fn solve_all_cases(&self) -> Option<([f64; 2], Count)> {
        let [g_nn, g_nt, g_tt] = self.matrix;
        let mut best: Option<([f64; 2], f64)> = None;
        let mut found: [[f64; 2]; 4] = [[0.0; 2]; 4];
        let mut count = 0;
        for x in CASES.iter().filter_map(|&case| self.candidate(case)) {
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
        best.map(|(x, _)| (x, Count::AtLeast(count)))
    }

    /// The solution of a case, if its inequalities hold.
    #[inline]
    fn candidate(&self, case: Case) -> Option<[f64; 2]> {
        let x = match case {
            Case::Open => {
                // Friction may still act through the shift.
                let radius = self.friction * self.shift;
                [0.0, if radius > 0.0 { (-self.vector[1] / self.matrix[2]).max(-radius).min(radius) } else { 0.0 }]
            }
            Case::Stick => self.stick()?,
            Case::Slip(sigma) => self.slip(sigma)?,
        };
        self.holds(case, x).then_some(x)
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
    #[inline]
    fn holds(&self, case: Case, x: [f64; 2]) -> bool {
        let largest = x[0].abs().max(x[1].abs());
        let impulse = ACCEPT * largest.max(self.shift);
        let velocity = ACCEPT * self.vector[0].abs().max(self.vector[1].abs()) + 64.0 * f64::EPSILON * largest;
        match case {
            Case::Open => self.xi(x)[0] >= -velocity,
            Case::Stick => (x[0] >= -impulse) & (x[1].abs() <= self.friction * (x[0] + self.shift) + impulse),
            Case::Slip(sigma) => (x[0] >= -impulse) & (sigma * self.xi(x)[1] >= -velocity),
        }
    }
}
