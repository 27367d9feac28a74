//! Selection of the contact mode at acceleration level.
//!
//! The planar complementarity problem of impacts with accelerations in place
//! of velocities: contacts that slide already carry kinetic friction in a
//! known direction, the others static friction; those that come out with a
//! tangential acceleration slide from then on, and the problem is solved again.

use super::dynamics::Dynamics;
use super::mode::{ContactMode, SystemMode};
use super::motion::State;
use super::rows::Row;
use super::thresholds::force::ZERO_PLANAR as ZERO;
use crate::solve::friction_lcp::{FrictionLcp, FrictionRow};
use crate::solve::lemke::{self, LcpStatus, LemkeWork};
use crate::solve::normal_form::NormalForm;

/// Among what a mode is selected.
#[derive(Debug, Clone, Default)]
pub(super) struct Candidates {
    /// Contacts that are closed at zero normal velocity.
    pub contacts: Vec<usize>,
    /// For each of them the direction in which it slides, 0 where it does not.
    pub slides: Vec<[f64; 2]>,
    /// Clutches at zero velocity.
    pub clutches: Vec<usize>,
}

impl Candidates {
    /// The mode in which these are closed as `held` says of the number of each, but those excluded.
    pub(super) fn close(&self, mode: &mut SystemMode, excluded: &[bool], held: impl Fn(usize) -> ContactMode) {
        mode.open_all();
        for (k, &c) in self.contacts.iter().enumerate().filter(|(k, _)| !excluded[*k]) {
            mode.contacts[c] = held(k);
        }
        self.clutches.iter().for_each(|&i| mode.clutches[i] = true);
    }
}

/// Buffers, reused.
#[derive(Debug, Default)]
pub(super) struct Selector {
    before: SystemMode,
    signs: Vec<f64>,
    /// Candidates that stay open.
    excluded: Vec<bool>,
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

impl Selector {
    /// Selects the mode among candidates and leaves it in
    /// `dynamics.mode`. `ambiguous` receives contacts with a Painlevé choice.
    pub fn select(
        &mut self,
        dynamics: &mut Dynamics<'_>,
        candidates: &Candidates,
        state: &State,
        ambiguous: &mut Vec<usize>,
    ) -> Selected {
        self.before.copy(&dynamics.mode);
        let system = dynamics.system;
        self.signs.clear();
        self.signs.extend(candidates.slides.iter().map(|slide| slide[0]));
        self.excluded.clear();
        self.excluded.resize(candidates.contacts.len(), false);
        // Each round fixes at least one contact more.
        for _ in 0..2 * candidates.contacts.len() + 2 {
            candidates.close(&mut dynamics.mode, &self.excluded, |k| {
                let sign = self.signs[k];
                match (system.contacts()[candidates.contacts[k]].surface.is_smooth(), sign != 0.0) {
                    (true, _) => ContactMode::Smooth,
                    (false, true) => ContactMode::Slip([sign, 0.0]),
                    (false, false) => ContactMode::Stick,
                }
            });
            if !self.solve(dynamics, state) {
                break;
            }
            let mut again = false;
            for (k, &c) in candidates.contacts.iter().enumerate() {
                if self.excluded[k] {
                    continue;
                }
                let (found, coefficient) = self.read(dynamics, c);
                if coefficient < 0.0 && !ambiguous.contains(&c) {
                    ambiguous.push(c);
                }
                if coefficient < 0.0 && found.is_closed() && !self.before.contacts[c].is_closed() {
                    // Two motions are possible: keep the mode, here open.
                    self.excluded[k] = true;
                    again = true;
                } else if let (ContactMode::Slip([sign, _]), true) = (found, self.signs[k] == 0.0) {
                    self.signs[k] = sign;
                    again = true;
                }
            }
            if !again {
                self.write_mode(dynamics, candidates);
                return Selected::Mode;
            }
        }
        dynamics.mode.copy(&self.before);
        Selected::Nothing
    }

    /// Solves the complementarity problem of the rows assembled for the mode.
    fn solve(&mut self, dynamics: &mut Dynamics<'_>, state: &State) -> bool {
        if !dynamics.assemble_free(true, state.t, state.q(), state.u()) {
            return false;
        }
        let rows = &dynamics.rows;
        let total = rows.len();
        self.free.clear();
        self.free.extend((0..total).map(|i| (rows.dot(i, &dynamics.acceleration) + rows.bias[i]) / rows.scale[i]));
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

    /// Sets what was found. A contact is read while it still has the mode that was solved for.
    fn write_mode(&self, dynamics: &mut Dynamics<'_>, candidates: &Candidates) {
        for (k, &c) in candidates.contacts.iter().enumerate() {
            let found = self.read(dynamics, c).0;
            dynamics.mode.contacts[c] = if self.excluded[k] { ContactMode::Open } else { found };
        }
        for &i in &candidates.clutches {
            let place = self.form.kept.iter().position(|&r| dynamics.rows.kinds[r] == Row::Clutch(i));
            dynamics.mode.clutches[i] = place.is_some_and(|p| self.lcp.z[p] > 0.0);
        }
    }
}
