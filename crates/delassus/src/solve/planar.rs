//! Planar inclusions (no [`Cone::Ellipse`]) solved exactly: free rows are
//! eliminated, one contact is solved case by case, the rest is a linear
//! complementarity problem [PG 2005; G 2014] for Lemke's method.
//!
//! ```text
//! N unilateral rows, T friction rows, J free rows;  m_ik = μ_i if friction i belongs to k, c_i = μ_i s_i
//! H = G − G_·J G_JJ⁺ G_J·,   h = b − G_·J G_JJ⁺ b_J,   x_J = −G_JJ⁺(b_J + G_J· x)
//! x_TR = m x_N + c + x_T,  x_TL = m x_N + c − x_T,  ξ_T = ξ_TR − ξ_TL
//! ⎛ξ_N ⎞ ⎛H_NN − H_NT m  H_NT   0⎞⎛x_N ⎞ ⎛h_N − H_NT c⎞
//! ⎜ξ_TR⎟=⎜H_TN − H_TT m  H_TT   I⎟⎜x_TR⎟+⎜h_T − H_TT c⎟ ,  0 ≤ left ⟂ (x_N, x_TR, ξ_TL) ≥ 0
//! ⎝x_TL⎠ ⎝2m             −I     0⎠⎝ξ_TL⎠ ⎝2c          ⎠
//! ```
//!
//! # When there is no solution
//! A ray of Lemke's method alone does not prove that: with friction the matrix
//! is not copositive-plus, the class for which a ray means that w = Az + q ≥ 0
//! has no z ≥ 0 at all [CPS 2009, §4.4]. Two things are proofs:
//!
//! - redundant free rows contradict each other: G_JJ y = 0 and bᵀ_J y ≠ 0;
//! - the unilateral rows contradict each other even without friction: a v ≥ 0 with
//!   H v = 0 and hᵀv < 0, zero in the friction rows. For then vᵀξ = vᵀh < 0 for all x,
//!   and some ξ_N is negative. H_NN is symmetric positive semidefinite, hence
//!   copositive-plus, and the ray of the frictionless problem is such a v where one
//!   exists. It is checked: H v must be so small that a solution would
//!   need impulses 10⁹ times what the velocities call for.
//!
//! Otherwise there may be a solution that was not found, and the status says so.

use super::lemke::{self, LcpStatus, LemkeWork};
use super::linear::pseudo_inverse;
use super::one_contact::{Count, OneContact};
use super::{Cone, HUGE, Inclusion, SolveReport, SolveStatus};
use crate::budget::Budget;

/// Buffers, reused from call to call.
#[derive(Debug, Clone, Default)]
pub struct PlanarWork {
    lemke: LemkeWork,
    /// Per row √G_ii.
    scale: Vec<f64>,
    free: Vec<usize>,
    normals: Vec<usize>,
    frictions: Vec<FrictionRow>,
    /// Reduced matrix H over (N, T), scaled to unit size, and vector h.
    matrix: Vec<f64>,
    vector: Vec<f64>,
    /// G_JJ⁺ (scaled), and K G_Jr for the kept rows r.
    inverse: Vec<f64>,
    coupling: Vec<f64>,
    lcp: Vec<f64>,
    lcp_vector: Vec<f64>,
    z: Vec<f64>,
    reduced: Vec<f64>,
}

#[derive(Debug, Clone, Copy)]
struct FrictionRow {
    row: usize,
    /// Position of its normal in the list of normals.
    normal: usize,
    /// μ and s in scaled units.
    friction: f64,
    shift: f64,
}

/// What a proof of contradiction takes for more than round-off.
const CONTRADICTION: f64 = 1e-9;
/// A normal velocity this small relative to all others is zero.
const ZERO: f64 = 1e-14;

/// Solves a planar inclusion; `x` (m) holds the answer.
///
/// Of several solutions the zero one is taken where it is one; with one
/// contact the one of least xᵀGx.
pub fn solve(inclusion: &Inclusion<'_>, work: &mut PlanarWork, x: &mut [f64]) -> SolveReport {
    solve_within(inclusion, &mut Budget::unlimited(), work, x)
}

/// As [`solve`], with bounds on the work.
pub fn solve_within(
    inclusion: &Inclusion<'_>,
    budget: &mut Budget<'_>,
    work: &mut PlanarWork,
    x: &mut [f64],
) -> SolveReport {
    let Inclusion { matrix: g, vector: b, cones } = *inclusion;
    let m = b.len();
    if let (&[Cone::Unilateral { row: 0 }, Cone::Line { row: 1, friction, shift, .. }], [x_n, x_t]) = (cones, &mut *x)
        && let Some(((n, t), report)) = solve_one(g, [b[0], b[1]], friction, shift)
    {
        (*x_n, *x_t) = (n, t);
        return report;
    }
    x.fill(0.0);
    work.scale.clear();
    work.scale.extend((0..m).map(|i| g[i * m + i].sqrt()));
    // The unit of x̂ and ξ̂.
    let mut unit = (0..m).fold(0.0f64, |u, i| u.max(b[i].abs() / work.scale[i]));
    for cone in cones {
        if let Cone::Line { normal, shift, .. } = *cone {
            unit = unit.max(shift * work.scale[normal]);
        }
    }
    if unit == 0.0 {
        return SolveReport::solved(Some("nothing approaches"));
    }
    work.sort_rows(cones, unit);
    if !work.reduce(g, b, unit) {
        return SolveReport { status: SolveStatus::NoSolution, ..SolveReport::solved(None) };
    }
    let report = work.solve_reduced(budget);
    if report.status == SolveStatus::NoSolution {
        return report;
    }
    work.write_back(unit, x);
    report
}

/// One contact with friction and nothing else: the common case, without buffers.
fn solve_one(g: &[f64], b: [f64; 2], friction: f64, shift: f64) -> Option<((f64, f64), SolveReport)> {
    let (s_n, s_t) = (g[0].sqrt(), g[3].sqrt());
    let (r_n, r_t) = (1.0 / s_n, 1.0 / s_t);
    let contact = OneContact {
        matrix: [1.0, g[1] * r_n * r_t, 1.0],
        vector: [b[0] * r_n, b[1] * r_t],
        friction: friction * s_t * r_n,
        shift: shift * s_n,
    };
    let (x, count) = contact.solve()?;
    Some(((x[0] * r_n, x[1] * r_t), counted(count)))
}

/// The report on one contact.
fn counted(count: Count) -> SolveReport {
    match count {
        Count::One => SolveReport::solved(Some(ONE_CONTACT)),
        Count::AtLeast(found) => SolveReport { found, ..SolveReport::solved(None) },
    }
}

/// Proof of uniqueness for one contact.
const ONE_CONTACT: &str = "one planar contact with friction below its critical value";

impl PlanarWork {
    fn sort_rows(&mut self, cones: &[Cone], unit: f64) {
        self.free.clear();
        self.normals.clear();
        self.frictions.clear();
        for cone in cones {
            match *cone {
                Cone::Free { row } => self.free.push(row),
                Cone::Unilateral { row } => self.normals.push(row),
                Cone::Line { row, normal, friction, shift } => {
                    // Unit scaling: x̂ = s x/unit, so μ̂ = μ s_T/s_N and ŝ = s s_N/unit. Frictions
                    // follow their normals in most lists, so the last ones are searched first.
                    let position = self.normals.iter().rposition(|&r| r == normal).unwrap_or(0);
                    self.frictions.push(FrictionRow {
                        row,
                        normal: position,
                        friction: friction * self.scale[row] / self.scale[normal],
                        shift: shift * self.scale[normal] / unit,
                    });
                }
                // Not planar: the caller sees a zero impulse and the inclusion residual.
                Cone::Ellipse { .. } => {}
            }
        }
    }

    #[inline]
    fn kept_row(&self, k: usize) -> usize {
        if k < self.normals.len() { self.normals[k] } else { self.frictions[k - self.normals.len()].row }
    }

    /// H and h in scaled units; `false` where redundant free rows contradict each other.
    fn reduce(&mut self, g: &[f64], b: &[f64], unit: f64) -> bool {
        let m = b.len();
        let kept = self.normals.len() + self.frictions.len();
        self.matrix.resize(kept * kept, 0.0);
        self.vector.resize(kept, 0.0);
        for p in 0..kept {
            let i = self.kept_row(p);
            let per_scale = 1.0 / self.scale[i];
            // Both triangles: published problems are symmetric to 1e-7 only.
            for q in 0..kept {
                let j = self.kept_row(q);
                self.matrix[p * kept + q] = g[i * m + j] * (per_scale / self.scale[j]);
            }
            self.vector[p] = b[i] * (per_scale / unit);
        }
        let joints = self.free.len();
        if joints == 0 {
            return true;
        }
        let entry = |i: usize, j: usize, scale: &[f64]| g[i * m + j] / (scale[i] * scale[j]);
        self.inverse.clear();
        for &i in &self.free {
            self.inverse.extend(self.free.iter().map(|&j| entry(i, j, &self.scale)));
        }
        let singular = pseudo_inverse(&mut self.inverse, joints, &mut self.lcp);
        // coupling = K G_Jr, and as last column K b_J.
        self.coupling.clear();
        for p in 0..joints {
            let k = &self.inverse[p * joints..(p + 1) * joints];
            for q in 0..kept {
                let j = self.kept_row(q);
                let sum = k.iter().zip(&self.free).map(|(v, &f)| v * entry(f, j, &self.scale)).sum();
                self.coupling.push(sum);
            }
            let sum = k.iter().zip(&self.free).map(|(v, &f)| v * b[f] / (self.scale[f] * unit)).sum();
            self.coupling.push(sum);
        }
        if singular {
            // Consistent iff G_JJ K b_J = b_J; rows of G_Jr lie in the range of G_JJ by themselves.
            for &i in &self.free {
                let b_j = b[i] / (self.scale[i] * unit);
                let through: f64 = (0..joints)
                    .map(|q| entry(i, self.free[q], &self.scale) * self.coupling[q * (kept + 1) + kept])
                    .sum();
                if (through - b_j).abs() > 1e-9 {
                    return false;
                }
            }
        }
        for p in 0..kept {
            let i = self.kept_row(p);
            for (q, &f) in self.free.iter().enumerate() {
                let g_if = entry(i, f, &self.scale);
                let row = &self.coupling[q * (kept + 1)..(q + 1) * (kept + 1)];
                for (r, c) in row[..kept].iter().enumerate() {
                    self.matrix[p * kept + r] -= g_if * c;
                }
                self.vector[p] -= g_if * row[kept];
            }
        }
        // A row that the joints block leaves only round-off.
        let round = 16.0 * f64::EPSILON;
        self.matrix.iter_mut().for_each(|v| *v = if v.abs() <= round { 0.0 } else { *v });
        self.vector.iter_mut().for_each(|v| *v = if v.abs() <= round { 0.0 } else { *v });
        true
    }

    /// Solves over (x_N, x_T) into `reduced`.
    fn solve_reduced(&mut self, budget: &mut Budget<'_>) -> SolveReport {
        let (nn, nt) = (self.normals.len(), self.frictions.len());
        self.reduced.clear();
        self.reduced.resize(nn + nt, 0.0);
        if nn == 0 {
            return SolveReport::solved(Some("joints only"));
        }
        let frictionless = self.frictions.iter().all(|f| f.friction == 0.0);
        let proof = frictionless.then_some("no friction: a convex problem");
        if nn == 1 && nt == 1 {
            let f = self.frictions[0];
            let h = &self.matrix;
            let contact = OneContact {
                matrix: [h[0], h[1], h[3]],
                vector: [self.vector[0], self.vector[1]],
                friction: f.friction,
                shift: f.shift,
            };
            if let Some((x, count)) = contact.solve() {
                self.reduced.copy_from_slice(&x);
                return counted(count);
            }
        } else if nn == 1 && nt == 0 {
            let (h, b) = (self.matrix[0], self.vector[0]);
            if b >= 0.0 || h > 0.0 {
                self.reduced[0] = if b >= 0.0 { 0.0 } else { -b / h };
                return SolveReport::solved(proof);
            }
        }
        let resting = self.vector[..nn].iter().all(|&v| v >= -ZERO);
        if resting && self.frictions.iter().all(|f| f.friction * f.shift == 0.0) {
            return SolveReport::solved(proof);
        }
        self.solve_lcp(proof, budget)
    }

    fn solve_lcp(&mut self, proof: Option<&'static str>, budget: &mut Budget<'_>) -> SolveReport {
        let (nn, nt) = (self.normals.len(), self.frictions.len());
        let kept = nn + nt;
        let size = nn + 2 * nt;
        self.lcp.clear();
        self.lcp.resize(size * size, 0.0);
        self.lcp_vector.clear();
        self.lcp_vector.resize(size, 0.0);
        for p in 0..kept {
            let row = &mut self.lcp[p * size..(p + 1) * size];
            row[..kept].copy_from_slice(&self.matrix[p * kept..(p + 1) * kept]);
            let mut constant = self.vector[p];
            for (t, f) in self.frictions.iter().enumerate() {
                let h = self.matrix[p * kept + nn + t];
                row[f.normal] -= h * f.friction;
                constant -= h * f.friction * f.shift;
            }
            if p >= nn {
                row[p + nt] = 1.0;
            }
            self.lcp_vector[p] = constant;
        }
        for (t, f) in self.frictions.iter().enumerate() {
            let row = &mut self.lcp[(kept + t) * size..(kept + t + 1) * size];
            row[f.normal] = 2.0 * f.friction;
            row[nn + t] = -1.0;
            self.lcp_vector[kept + t] = 2.0 * f.friction * f.shift;
        }
        self.z.clear();
        self.z.resize(size, 0.0);
        let found = lemke::solve_scaled(&self.lcp, &self.lcp_vector, budget, &mut self.lemke, &mut self.z);
        let status = match found.status {
            LcpStatus::Solved if self.z.iter().all(|z| *z <= HUGE) => SolveStatus::Solved,
            LcpStatus::Solved => SolveStatus::Stalled,
            LcpStatus::Ray if self.normals_contradict(budget) => SolveStatus::NoSolution,
            LcpStatus::Ray => SolveStatus::Stalled,
            LcpStatus::PivotLimit => SolveStatus::MaxIterations,
            LcpStatus::BadInput => SolveStatus::Stalled,
        };
        self.reduced[..nn].copy_from_slice(&self.z[..nn]);
        for (t, f) in self.frictions.iter().enumerate() {
            let radius = f.friction * (self.z[f.normal] + f.shift);
            self.reduced[nn + t] = (self.z[nn + t] - radius).max(-radius).min(radius);
        }
        SolveReport { status, iterations: found.pivots, restarts: found.restarts, ..SolveReport::solved(proof) }
    }

    /// Whether a v ≥ 0 proves that no x keeps all ξ_N ≥ 0; see the module's documentation.
    fn normals_contradict(&mut self, budget: &mut Budget<'_>) -> bool {
        let (nn, kept) = (self.normals.len(), self.normals.len() + self.frictions.len());
        self.lcp.clear();
        self.matrix.chunks_exact(kept).take(nn).for_each(|row| self.lcp.extend_from_slice(&row[..nn]));
        let h = &self.vector[..nn];
        let Some(ray) = lemke::ray(&self.lcp, h, budget, &mut self.lemke) else { return false };
        let size = ray.iter().fold(0.0f64, |m, v| m.max(v.abs()));
        // What is not negative but for round-off is made so.
        let v = || ray.iter().map(|v| if *v > 0.0 { v / size } else { 0.0 });
        let driven: f64 = v().zip(h).map(|(v, h)| v * h).sum();
        let moved = self.matrix.chunks_exact(kept).map(|row| row.iter().zip(v()).map(|(h, v)| h * v).sum::<f64>());
        let moved = moved.fold(0.0f64, |m, v| m.max(v.abs()));
        size > 0.0 && driven < -CONTRADICTION && moved <= -CONTRADICTION * driven
    }

    /// x from the reduced answer, free rows included.
    fn write_back(&self, unit: f64, x: &mut [f64]) {
        let kept = self.reduced.len();
        for (k, value) in self.reduced.iter().enumerate() {
            let row = self.kept_row(k);
            x[row] = value * unit / self.scale[row];
        }
        for (p, &f) in self.free.iter().enumerate() {
            let row = &self.coupling[p * (kept + 1)..(p + 1) * (kept + 1)];
            let sum: f64 = row[kept] + row[..kept].iter().zip(&self.reduced).map(|(c, v)| c * v).sum::<f64>();
            x[f] = -sum * unit / self.scale[f];
        }
    }
}
