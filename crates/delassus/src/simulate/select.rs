//! Selection of the contact mode at acceleration level.
//!
//! The planar complementarity problem of impacts with accelerations in place
//! of velocities: contacts that slide already carry kinetic friction in a
//! known direction, the others static friction; those that come out with a
//! tangential acceleration slide from then on, and the problem is solved again.

use super::dynamics::Dynamics;
use super::mode::{ContactMode, Mode};
use super::rows::{Row, dot};
use crate::solve::friction_lcp::{FrictionLcp, FrictionRow};
use crate::solve::lemke::{self, LcpStatus, LemkeWork};
use crate::solve::normal_form::NormalForm;

/// Buffers, reused.
#[derive(Debug, Default)]
pub(super) struct Selector {
    lemke: LemkeWork,
    /// Accelerations without forces, per row.
    free: Vec<f64>,
    /// The rows without the joints: normals and clutches, then tangents.
    form: NormalForm,
    frictions: Vec<FrictionRow>,
    lcp: FrictionLcp,
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
        let NormalForm { units, kept, joints, .. } = &mut self.form;
        let tangent = |i: usize| matches!(rows.kinds[i], Row::Tangent(..));
        let joint = |i: usize| matches!(rows.kinds[i], Row::Joint);
        kept.clear();
        kept.extend((0..total).filter(|&i| !joint(i) && !tangent(i)));
        let normals = kept.len();
        kept.extend((0..total).filter(|&i| tangent(i)));
        joints.clear();
        joints.extend((0..total).filter(|&i| joint(i)));
        // The rows are in units of their own already.
        units.read(std::iter::repeat_n(1.0, total));
        units.measure(self.free.iter().copied(), 1.0);
        self.frictions.clear();
        for &row in &kept[normals..] {
            let Row::Tangent(c, _) = rows.kinds[row] else { continue };
            let normal = kept[..normals].iter().position(|&i| rows.kinds[i] == Row::Normal(c)).unwrap_or(0);
            let friction = dynamics.system.contacts()[c].surface.friction_static;
            let friction = friction * rows.scale[row] / rows.scale[kept[normal]];
            self.frictions.push(FrictionRow { normal, friction, shift: 0.0 });
        }
        self.form.reduce(|i, j| rows.entry(i, j), |i| self.free[i]);
        self.lcp.fill(&self.form.matrix, &self.form.vector, &self.frictions);
        let FrictionLcp { matrix, vector, z, .. } = &mut self.lcp;
        lemke::solve(matrix, vector, &mut self.lemke, z).status == LcpStatus::Solved
    }

    /// The state of a contact in the solution, and the coefficient of its own
    /// normal force in its normal acceleration.
    fn read(&self, dynamics: &Dynamics<'_>, c: usize) -> (ContactMode, f64) {
        let rows = &dynamics.rows;
        let kept = &self.form.kept;
        let Some(p) = kept.iter().position(|&i| rows.kinds[i] == Row::Normal(c)) else {
            return (ContactMode::Open, 1.0);
        };
        // A static contact has the coefficient of its frictionless normal, always positive.
        let coefficient = self.form.matrix[p * (kept.len() + 1)];
        let unit = self.lcp.vector.iter().fold(0.0f64, |m, v| m.max(v.abs()));
        // Neither force nor acceleration: one of several redundant contacts, which stays closed.
        if self.lcp.z[p] <= ZERO * unit && self.lcp.slack(p) > ZERO * unit {
            return (ContactMode::Open, coefficient);
        }
        let state = dynamics.mode.contacts[c];
        let Some(k) = kept.iter().position(|&i| rows.kinds[i] == Row::Tangent(c, 0)) else {
            return (state, coefficient);
        };
        let tangent = k + self.frictions.len() - kept.len();
        let Some(acceleration) = self.lcp.sliding(tangent) else { return (ContactMode::Stick, coefficient) };
        if acceleration.abs() > ZERO * unit {
            (ContactMode::Slip([acceleration.signum(), 0.0]), coefficient)
        } else {
            (ContactMode::Stick, coefficient)
        }
    }

    fn write_mode(&self, dynamics: &mut Dynamics<'_>, candidates: &[usize], excluded: &[bool], clutches: &[usize]) {
        let found: Vec<ContactMode> = candidates.iter().map(|&c| self.read(dynamics, c).0).collect();
        let engaged: Vec<bool> = clutches
            .iter()
            .map(|&i| {
                let place = self.form.kept.iter().position(|&r| dynamics.rows.kinds[r] == Row::Clutch(i));
                place.is_some_and(|p| self.lcp.z[p] > 0.0)
            })
            .collect();
        for (k, &c) in candidates.iter().enumerate() {
            dynamics.mode.contacts[c] = if excluded[k] { ContactMode::Open } else { found[k] };
        }
        clutches.iter().zip(engaged).for_each(|(&i, on)| dynamics.mode.clutches[i] = on);
    }
}
