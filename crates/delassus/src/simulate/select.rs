//! Selection of the contact mode at acceleration level.
//!
//! The planar complementarity problem of impacts with accelerations in place
//! of velocities: contacts that slide already carry kinetic friction in a
//! known direction, the others static friction; those that come out with a
//! tangential acceleration slide from then on, and the problem is solved again.

use super::dynamics::Dynamics;
use super::mode::{ContactMode, Mode};
use super::rows::{Row, dot};
use crate::solve::lemke::{self, LcpStatus, LemkeWork};
use crate::solve::linear::pseudo_inverse;

/// Buffers, reused.
#[derive(Debug, Default)]
pub(super) struct Selector {
    lemke: LemkeWork,
    free: Vec<f64>,
    /// Reduced matrix over (normals, clutches, tangents) and vector.
    matrix: Vec<f64>,
    vector: Vec<f64>,
    joint_inverse: Vec<f64>,
    lcp: Vec<f64>,
    lcp_vector: Vec<f64>,
    z: Vec<f64>,
    kept: Vec<usize>,
    joints: Vec<usize>,
}

/// What was found about the contacts of a state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Selected {
    /// The mode is set.
    Mode,
    /// No forces solve the equations (Painlevé).
    Nothing,
}

/// Tangential accelerations below this part of the largest are zero.
const ZERO: f64 = 1e-13;

impl Selector {
    /// Selects the mode among `candidates` (contacts that are closed at zero
    /// normal velocity) and clutches at zero velocity, and leaves it in
    /// `dynamics.mode`. `slides` gives the direction of contacts that slide,
    /// 0 for the others. `ambiguous` receives contacts with a Painlevé choice.
    #[allow(clippy::too_many_arguments)]
    pub fn select(
        &mut self,
        dynamics: &mut Dynamics<'_>,
        candidates: &[usize],
        slides: &[[f64; 2]],
        clutches: &[usize],
        t: f64,
        q: &[f64],
        u: &[f64],
        ambiguous: &mut Vec<usize>,
    ) -> Selected {
        let before = dynamics.mode.clone();
        let system = dynamics.system;
        let mut signs: Vec<f64> = slides.iter().map(|slide| slide[0]).collect();
        let mut excluded = vec![false; candidates.len()];
        // Each round fixes at least one contact more.
        for _ in 0..2 * candidates.len() + 2 {
            let mut mode = Mode::open(before.contacts.len(), before.clutches.len());
            for (k, &c) in candidates.iter().enumerate().filter(|(k, _)| !excluded[*k]) {
                mode.contacts[c] = match (system.contacts()[c].surface.is_smooth(), signs[k] != 0.0) {
                    (true, _) => ContactMode::Smooth,
                    (false, true) => ContactMode::Slip([signs[k], 0.0]),
                    (false, false) => ContactMode::Stick,
                };
            }
            clutches.iter().for_each(|&i| mode.clutches[i] = true);
            dynamics.mode = mode;
            if !self.solve(dynamics, t, q, u) {
                dynamics.mode = before;
                return Selected::Nothing;
            }
            let mut again = false;
            for (k, &c) in candidates.iter().enumerate() {
                if excluded[k] {
                    continue;
                }
                let (found, coefficient) = self.read(dynamics, c);
                if coefficient < 0.0 && !ambiguous.contains(&c) {
                    ambiguous.push(c);
                }
                if coefficient < 0.0 && found.is_closed() && !before.contacts[c].is_closed() {
                    // Two motions are possible: keep the mode, here open.
                    excluded[k] = true;
                    again = true;
                } else if let (ContactMode::Slip([sign, _]), true) = (found, signs[k] == 0.0) {
                    signs[k] = sign;
                    again = true;
                }
            }
            if !again {
                self.write_mode(dynamics, candidates, &excluded, clutches);
                return Selected::Mode;
            }
        }
        dynamics.mode = before;
        Selected::Nothing
    }

    /// Solves the complementarity problem of the rows assembled for the mode.
    fn solve(&mut self, dynamics: &mut Dynamics<'_>, t: f64, q: &[f64], u: &[f64]) -> bool {
        dynamics.system.forces(t, q, u, &mut dynamics.acceleration);
        if !dynamics.set_mass(q) {
            return false;
        }
        dynamics.mass.solve(&mut dynamics.acceleration);
        dynamics.assemble(true, t, q, u);
        let rows = &dynamics.rows;
        let total = rows.len();
        self.free.clear();
        self.free.extend(
            (0..total).map(|i| (dot(rows.direction(i), &dynamics.acceleration) + rows.bias[i]) / rows.scale[i]),
        );
        self.kept.clear();
        self.joints.clear();
        let tangent = |row: &Row| matches!(row, Row::Tangent(..));
        self.kept.extend((0..total).filter(|&i| !matches!(rows.kinds[i], Row::Joint) && !tangent(&rows.kinds[i])));
        let normals = self.kept.len();
        self.kept.extend((0..total).filter(|&i| tangent(&rows.kinds[i])));
        self.joints.extend((0..total).filter(|&i| matches!(rows.kinds[i], Row::Joint)));
        self.reduce(dynamics);
        self.build(dynamics, normals);
        self.z.clear();
        self.z.resize(self.lcp_vector.len(), 0.0);
        let report = lemke::solve(&self.lcp, &self.lcp_vector, &mut self.lemke, &mut self.z);
        report.status == LcpStatus::Solved
    }

    /// Eliminates the joints: H = A − A_·J A_JJ⁺ A_J·, h likewise.
    fn reduce(&mut self, dynamics: &Dynamics<'_>) {
        let rows = &dynamics.rows;
        let kept = self.kept.len();
        let joints = self.joints.len();
        self.matrix.clear();
        self.vector.clear();
        for &i in &self.kept {
            self.matrix.extend(self.kept.iter().map(|&j| rows.entry(i, j)));
            self.vector.push(self.free[i]);
        }
        if joints == 0 {
            return;
        }
        self.joint_inverse.clear();
        for &i in &self.joints {
            self.joint_inverse.extend(self.joints.iter().map(|&j| rows.entry(i, j)));
        }
        pseudo_inverse(&mut self.joint_inverse, joints, &mut self.lcp);
        for (p, &i) in self.kept.iter().enumerate() {
            for (a, &ja) in self.joints.iter().enumerate() {
                let left: f64 = self
                    .joints
                    .iter()
                    .enumerate()
                    .map(|(b, &jb)| rows.entry(i, jb) * self.joint_inverse[b * joints + a])
                    .sum();
                for (s, &j) in self.kept.iter().enumerate() {
                    self.matrix[p * kept + s] -= left * rows.entry(ja, j);
                }
                self.vector[p] -= left * self.free[ja];
            }
        }
    }

    /// The complementarity problem over (x_N, x_TR, ξ_TL).
    fn build(&mut self, dynamics: &Dynamics<'_>, normals: usize) {
        let rows = &dynamics.rows;
        let kept = self.kept.len();
        let tangents = kept - normals;
        let size = normals + 2 * tangents;
        // Position of each tangent's normal and its friction in scaled units.
        let link: Vec<(usize, f64)> = (normals..kept)
            .map(|k| {
                let Row::Tangent(c, _) = rows.kinds[self.kept[k]] else { return (0, 0.0) };
                let p = self.kept[..normals].iter().position(|&i| rows.kinds[i] == Row::Normal(c)).unwrap_or(0);
                let friction = dynamics.system.contacts()[c].surface.friction_static;
                (p, friction * rows.scale[self.kept[k]] / rows.scale[self.kept[p]])
            })
            .collect();
        self.lcp.clear();
        self.lcp.resize(size * size, 0.0);
        self.lcp_vector.clear();
        self.lcp_vector.resize(size, 0.0);
        for i in 0..kept {
            self.lcp_vector[i] = self.vector[i];
            for j in 0..kept {
                self.lcp[i * size + j] = self.matrix[i * kept + j];
            }
            for (k, &(p, friction)) in link.iter().enumerate() {
                self.lcp[i * size + p] -= self.matrix[i * kept + normals + k] * friction;
            }
        }
        for (k, &(p, friction)) in link.iter().enumerate() {
            let (right, left) = (normals + k, normals + tangents + k);
            self.lcp[right * size + left] = 1.0;
            self.lcp[left * size + p] = 2.0 * friction;
            self.lcp[left * size + right] = -1.0;
        }
    }

    /// w = A z + q of one row.
    fn slack(&self, row: usize) -> f64 {
        let size = self.lcp_vector.len();
        dot(&self.lcp[row * size..(row + 1) * size], &self.z) + self.lcp_vector[row]
    }

    /// The state of a contact in the solution, and the coefficient of its own
    /// normal force in its normal acceleration.
    fn read(&self, dynamics: &Dynamics<'_>, c: usize) -> (ContactMode, f64) {
        let rows = &dynamics.rows;
        let kept = self.kept.len();
        let Some(p) = self.kept.iter().position(|&i| rows.kinds[i] == Row::Normal(c)) else {
            return (ContactMode::Open, 1.0);
        };
        // A static contact has the coefficient of its frictionless normal, always positive.
        let coefficient = self.matrix[p * kept + p];
        let unit = self.lcp_vector.iter().fold(0.0f64, |m, v| m.max(v.abs()));
        // Neither force nor acceleration: one of several redundant contacts, which stays closed.
        if self.z[p] <= ZERO * unit && self.slack(p) > ZERO * unit {
            return (ContactMode::Open, coefficient);
        }
        let state = dynamics.mode.contacts[c];
        let Some(k) = self.kept.iter().position(|&i| rows.kinds[i] == Row::Tangent(c, 0)) else {
            return (state, coefficient);
        };
        let Some(acceleration) = self.sliding(k) else { return (ContactMode::Stick, coefficient) };
        if acceleration.abs() > ZERO * unit {
            (ContactMode::Slip([acceleration.signum(), 0.0]), coefficient)
        } else {
            (ContactMode::Stick, coefficient)
        }
    }

    /// ξ_T of the tangent `k` where its force is at a limit; none where both
    /// x_TR and x_TL are positive. With much friction ξ_TR − ξ_TL would be round-off of the force.
    fn sliding(&self, k: usize) -> Option<f64> {
        let left = k + self.lcp_vector.len() - self.kept.len();
        if self.z[left] > 0.0 {
            return Some(-self.z[left]);
        }
        (self.z[k] <= 0.0).then(|| self.slack(k))
    }

    fn write_mode(&self, dynamics: &mut Dynamics<'_>, candidates: &[usize], excluded: &[bool], clutches: &[usize]) {
        let found: Vec<ContactMode> = candidates.iter().map(|&c| self.read(dynamics, c).0).collect();
        let engaged: Vec<bool> = clutches
            .iter()
            .map(|&i| {
                let place = self.kept.iter().position(|&r| dynamics.rows.kinds[r] == Row::Clutch(i));
                place.is_some_and(|p| self.z[p] > 0.0)
            })
            .collect();
        for (k, &c) in candidates.iter().enumerate() {
            dynamics.mode.contacts[c] = if excluded[k] { ContactMode::Open } else { found[k] };
        }
        clutches.iter().zip(engaged).for_each(|(&i, on)| dynamics.mode.clutches[i] = on);
    }
}
