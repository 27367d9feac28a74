//! Planar inclusions (no [`Cone::Ellipse`]) solved exactly: free rows are
//! eliminated, one contact is solved case by case, the rest is a linear
//! complementarity problem [PG 2005; G 2014] for Lemke's method.
//!
//! The equations are those of `solve::normal_form`, the complementarity problem that of `solve::friction_lcp`;
//! H and h below are theirs.
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
//!   need impulses 10⁹ times what the velocities, and the speed of the system, call for.
//!
//! Otherwise there may be a solution that was not found, and the status says so.

use super::friction_lcp::{FrictionLcp, FrictionRow};
use super::lemke::{self, LcpStatus, LemkeWork};
use super::normal_form::NormalForm;
use super::one_contact::{Count, OneContact};
use super::tolerance::BLOCKED;
use super::{Cone, HUGE, Inclusion, SolveReport, SolveStatus};
use crate::budget::Budget;
use crate::small::rank::FullPivot;

/// Buffers, reused from call to call.
#[derive(Debug, Clone, Default)]
pub struct PlanarWork {
    lemke: LemkeWork,
    form: NormalForm,
    /// How many of the kept rows are unilateral; friction follows.
    normals: usize,
    frictions: Vec<FrictionRow>,
    /// Rows of the frictions.
    rows: Vec<usize>,
    lcp: FrictionLcp,
    /// x̂ of the kept rows.
    reduced: Vec<f64>,
    system: FullPivot,
}

/// What a proof of contradiction takes for more than round-off.
const CONTRADICTION: f64 = 1e-9;
/// Pivots of H up to this are the round-off of normals that coincide.
const DEPENDENT: f64 = 1e-14;
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
    let Inclusion { matrix: g, vector: b, cones, speed } = *inclusion;
    let m = b.len();
    if let (&[Cone::Unilateral { row: 0 }, Cone::Line { row: 1, friction, shift, .. }], [x_n, x_t]) = (cones, &mut *x)
        && let Some((x, report)) = solve_one([g[0], g[1], g[3]], [b[0], b[1]], friction, shift)
    {
        [*x_n, *x_t] = x;
        return report;
    }
    x.fill(0.0);
    let units = &mut work.form.units;
    units.read((0..m).map(|i| g[i * m + i]));
    let mut unit = units.largest(b.iter().copied());
    for cone in cones {
        if let Cone::Line { normal, shift, .. } = *cone {
            unit = unit.max(shift * units.size[normal]);
        }
    }
    if unit == 0.0 {
        return SolveReport::solved(Some("nothing approaches"));
    }
    (units.speed, units.system) = (unit, speed);
    work.sort_rows(cones);
    if !work.form.reduce(|i, j| g[i * m + j], |i| b[i]) {
        return SolveReport { status: SolveStatus::NoSolution, ..SolveReport::solved(None) };
    }
    let report = work.solve_reduced(budget);
    if report.status == SolveStatus::NoSolution {
        return report;
    }
    work.form.write_back(&work.reduced, x);
    report
}

/// One contact with friction and nothing else, without buffers: x and what is known of it from G_NN, G_NT, G_TT, b, μ
/// and the constant part of the friction radius. `None` where no case of it holds to round-off.
#[inline]
pub(crate) fn solve_one(g: [f64; 3], b: [f64; 2], friction: f64, shift: f64) -> Option<([f64; 2], SolveReport)> {
    let (s_n, s_t) = (g[0].sqrt(), g[2].sqrt());
    let (r_n, r_t) = (1.0 / s_n, 1.0 / s_t);
    let contact = OneContact {
        matrix: [1.0, g[1] * r_n * r_t, 1.0],
        vector: [b[0] * r_n, b[1] * r_t],
        friction: friction * s_t * r_n,
        shift: shift * s_n,
    };
    let (x, count) = contact.solve()?;
    Some(([x[0] * r_n, x[1] * r_t], counted(count)))
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
    fn sort_rows(&mut self, cones: &[Cone]) {
        self.form.clear();
        self.frictions.clear();
        self.rows.clear();
        let units = &self.form.units;
        for cone in cones {
            match *cone {
                Cone::Free { row } => self.form.joints.push(row),
                Cone::Unilateral { row } => self.form.kept.push(row),
                Cone::Line { row, normal, friction, shift } => {
                    // Frictions follow their normals in most lists, so the last ones are searched first.
                    let position = self.form.kept.iter().rposition(|&r| r == normal).unwrap_or(0);
                    self.rows.push(row);
                    self.frictions.push(FrictionRow {
                        normal: position,
                        friction: friction * units.size[row] * units.inverse[normal],
                        shift: shift * units.size[normal] / units.speed,
                    });
                }
                // Not planar: the caller sees a zero impulse and the inclusion residual.
                Cone::Ellipse { .. } => {}
            }
        }
        self.normals = self.form.kept.len();
        self.form.kept.extend_from_slice(&self.rows);
    }

    /// Solves over (x_N, x_T) into `reduced`.
    fn solve_reduced(&mut self, budget: &mut Budget<'_>) -> SolveReport {
        let (nn, nt) = (self.normals, self.frictions.len());
        self.reduced.clear();
        self.reduced.resize(nn + nt, 0.0);
        if nn == 0 {
            return SolveReport::solved(Some("joints only"));
        }
        let frictionless = self.frictions.iter().all(|f| f.friction == 0.0);
        let proof = (frictionless && self.sees_all_motion()).then_some("no friction: a convex problem");
        if nn == 1 && nt == 1 {
            let f = self.frictions[0];
            let h = &self.form.matrix;
            let contact = OneContact {
                matrix: [h[0], h[1], h[3]],
                vector: [self.form.vector[0], self.form.vector[1]],
                friction: f.friction,
                shift: f.shift,
            };
            if let Some((x, count)) = contact.solve() {
                self.reduced.copy_from_slice(&x);
                return counted(count);
            }
        } else if nn == 1 && nt == 0 {
            let (h, b) = (self.form.matrix[0], self.form.vector[0]);
            if b >= 0.0 || h > 0.0 {
                self.reduced[0] = if b >= 0.0 { 0.0 } else { -b / h };
                return SolveReport::solved(proof);
            }
        }
        let resting = self.form.vector[..nn].iter().all(|&v| v >= -ZERO);
        if resting && self.frictions.iter().all(|f| f.friction * f.shift == 0.0) {
            return SolveReport::solved(proof);
        }
        self.solve_lcp(proof, budget)
    }

    /// Whether every motion that the unilateral rows see at all they see well: normals that nearly coincide, or that
    /// joints nearly block, leave velocities open that differ by far more than what is certified.
    fn sees_all_motion(&mut self) -> bool {
        let (nn, kept) = (self.normals, self.form.kept.len());
        self.system.reset(nn, nn);
        for (i, row) in self.form.matrix.chunks_exact(kept).take(nn).enumerate() {
            self.system.row_mut(i).0.copy_from_slice(&row[..nn]);
        }
        self.system.eliminate(DEPENDENT.max(4.0 * f64::EPSILON * nn as f64));
        self.system.weakest() >= BLOCKED
    }

    fn solve_lcp(&mut self, proof: Option<&'static str>, budget: &mut Budget<'_>) -> SolveReport {
        self.lcp.fill(&self.form.matrix, &self.form.vector, &self.frictions);
        let FrictionLcp { matrix, vector, z, .. } = &mut self.lcp;
        let found = lemke::solve_scaled(matrix, vector, budget, &mut self.lemke, z);
        let most = HUGE * self.form.units.reach();
        let status = match found.status {
            LcpStatus::Solved if self.lcp.z.iter().all(|z| *z <= most) => SolveStatus::Solved,
            LcpStatus::Solved => SolveStatus::Stalled,
            LcpStatus::Ray if self.normals_contradict(budget) => SolveStatus::NoSolution,
            LcpStatus::Ray => SolveStatus::Stalled,
            LcpStatus::PivotLimit => SolveStatus::MaxIterations,
            LcpStatus::BadInput => SolveStatus::Stalled,
        };
        self.lcp.read(&self.frictions, &mut self.reduced);
        SolveReport { status, iterations: found.pivots, restarts: found.restarts, ..SolveReport::solved(proof) }
    }

    /// Whether a v ≥ 0 proves that no x keeps all ξ_N ≥ 0; see the module's documentation.
    fn normals_contradict(&mut self, budget: &mut Budget<'_>) -> bool {
        let (nn, kept) = (self.normals, self.form.kept.len());
        let (h, matrix) = (&self.form.vector[..nn], &self.form.matrix);
        // The solution that was found is read from z alone; A is free.
        let frictionless = &mut self.lcp.matrix;
        frictionless.clear();
        matrix.chunks_exact(kept).take(nn).for_each(|row| frictionless.extend_from_slice(&row[..nn]));
        let Some(ray) = lemke::ray(frictionless, h, budget, &mut self.lemke) else { return false };
        let size = ray.iter().fold(0.0f64, |m, v| m.max(v.abs()));
        // What is not negative but for round-off is made so.
        let v = || ray.iter().map(|v| if *v > 0.0 { v / size } else { 0.0 });
        let driven: f64 = v().zip(h).map(|(v, h)| v * h).sum();
        let moved = matrix.chunks_exact(kept).map(|row| row.iter().zip(v()).map(|(h, v)| h * v).sum::<f64>());
        let moved = moved.fold(0.0f64, |m, v| m.max(v.abs()));
        let reach = self.form.units.reach();
        size > 0.0 && driven < -CONTRADICTION && moved * reach <= -CONTRADICTION * driven
    }
}
