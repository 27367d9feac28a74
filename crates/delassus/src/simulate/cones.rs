//! Selection of the contact mode in space, where friction has a disk of directions.
//!
//! The spatial inclusion of impacts with accelerations in place of velocities. Contacts that slide already have a
//! direction: their tangential acceleration gets a large part along it, so that friction opposes that; the others
//! may stick with static friction, and slide with kinetic friction where they come out sliding. What that leaves to
//! decide is decided by the forces and accelerations of the mode itself.

use super::dynamics::Dynamics;
use super::mode::{ContactMode, SystemMode, along};
use super::motion::State;
use super::rows::Row;
use super::select::{Candidates, Selected};
use super::thresholds::force::{self, AHEAD};
use crate::elementary::Elementary;
use crate::solve::{Cone, Inclusion, SolveStatus, SolveWork, solve};

/// Buffers, reused.
#[derive(Debug, Default)]
pub(super) struct ConeSelector {
    before: SystemMode,
    /// Candidates that slide, or have been found to.
    kinetic: Vec<bool>,
    /// Candidates that stay open.
    excluded: Vec<bool>,
    found: Vec<Found>,
    /// How candidates are closed.
    closed: Vec<ContactMode>,
    work: SolveWork,
    matrix: Vec<f64>,
    vector: Vec<f64>,
    cones: Vec<Cone>,
    x: Vec<f64>,
    xi: Vec<f64>,
    /// Size of the accelerations.
    unit: f64,
}

/// What the inclusion says of a contact.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Found {
    Open,
    Stick,
    Slip([f64; 2]),
    /// Friction would have to stop a slide at once.
    Jammed,
}

impl ConeSelector {
    /// As [`Selector::select`](super::select::Selector::select), in space.
    pub fn select(
        &mut self,
        dynamics: &mut Dynamics<'_>,
        candidates: &Candidates,
        state: &State,
        ambiguous: &mut Vec<usize>,
    ) -> Selected {
        let Candidates { contacts, slides, .. } = candidates;
        let system = dynamics.system;
        let held = |k: usize| {
            let smooth = system.contacts()[contacts[k]].surface.is_smooth();
            if smooth { ContactMode::Smooth } else { ContactMode::Stick }
        };
        self.before.copy(&dynamics.mode);
        self.kinetic.clear();
        self.kinetic.extend(slides.iter().map(|slide| *slide != [0.0; 2]));
        self.excluded.clear();
        self.excluded.resize(contacts.len(), false);
        // Each round fixes at least one contact more.
        for _ in 0..2 * contacts.len() + 2 {
            candidates.close(&mut dynamics.mode, &self.excluded, held);
            if !self.solve(dynamics, candidates, state) {
                break;
            }
            let mut found = std::mem::take(&mut self.found);
            found.clear();
            found.extend(
                (0..contacts.len())
                    .map(|k| if self.excluded[k] { Found::Open } else { self.read(dynamics, contacts[k], slides[k]) }),
            );
            self.found = found;
            let mut again = self.note_choices(dynamics, candidates, ambiguous);
            if self.found.contains(&Found::Jammed) {
                break;
            }
            for (k, &c) in contacts.iter().enumerate() {
                let surface = &system.contacts()[c].surface;
                if matches!(self.found[k], Found::Slip(_)) && !self.kinetic[k] {
                    self.kinetic[k] = true;
                    again |= surface.friction_static > surface.friction;
                }
            }
            if again {
                continue;
            }
            self.closed.clear();
            self.closed.extend(self.found.iter().enumerate().map(|(k, found)| match *found {
                Found::Slip(direction) => ContactMode::Slip(direction),
                _ if slides[k] != [0.0; 2] && held(k) == ContactMode::Stick => ContactMode::Slip(slides[k]),
                _ => held(k),
            }));
            for (k, &c) in contacts.iter().enumerate() {
                let open = self.excluded[k] || self.found[k] == Found::Open;
                dynamics.mode.contacts[c] = if open { ContactMode::Open } else { self.closed[k] };
            }
            for (row, kind) in dynamics.rows.kinds.iter().enumerate() {
                if let Row::Clutch(i) = *kind {
                    dynamics.mode.clutches[i] = self.x[row] > 0.0;
                }
            }
            settle(dynamics, candidates, &self.closed, &self.excluded, state);
            return Selected::Mode;
        }
        dynamics.mode.copy(&self.before);
        Selected::Nothing
    }

    /// Where two motions are possible: what was open stays so; whether that changes anything.
    fn note_choices(&mut self, dynamics: &Dynamics<'_>, candidates: &Candidates, ambiguous: &mut Vec<usize>) -> bool {
        let mut again = false;
        let sliding = candidates.contacts.iter().zip(&candidates.slides).enumerate();
        for (k, (&c, &slide)) in sliding.filter(|(_, (_, slide))| **slide != [0.0; 2]) {
            if self.coefficient(dynamics, c, slide) >= 0.0 || self.excluded[k] {
                continue;
            }
            if !ambiguous.contains(&c) {
                ambiguous.push(c);
            }
            if !matches!(self.found[k], Found::Open | Found::Jammed) && !self.before.contacts[c].is_closed() {
                self.excluded[k] = true;
                again = true;
            }
        }
        again
    }

    /// Solves the inclusion of the candidates, all held.
    fn solve(&mut self, dynamics: &mut Dynamics<'_>, candidates: &Candidates, state: &State) -> bool {
        if !dynamics.assemble_free(false, state.t, state.q(), state.u()) {
            return false;
        }
        let rows = &dynamics.rows;
        let total = rows.len();
        self.vector.clear();
        self.vector.extend((0..total).map(|i| rows.dot(i, &dynamics.acceleration) + rows.bias[i]));
        self.unit = self.vector.iter().fold(dynamics.system.gravity(), |m, v| m.max(v.abs()));
        self.matrix.clear();
        self.cones.clear();
        for i in 0..total {
            self.matrix.extend((0..total).map(|j| rows.entry(i, j)));
            match rows.kinds[i] {
                Row::Joint => self.cones.push(Cone::Free { row: i }),
                Row::Normal(_) | Row::Clutch(_) => self.cones.push(Cone::Unilateral { row: i }),
                Row::Tangent(c, part) => {
                    let k = candidates.contacts.iter().position(|other| *other == c).unwrap_or(0);
                    self.vector[i] += AHEAD * self.unit * candidates.slides[k][part];
                    let surface = &dynamics.system.contacts()[c].surface;
                    let friction = if self.kinetic[k] { surface.friction } else { surface.friction_static };
                    if part == 0 {
                        let normal = i - 1;
                        let half = [0, 1].map(|p| friction * rows.scale[i + p] / rows.scale[normal]);
                        self.cones.push(Cone::Ellipse { row: i, normal, friction: half, shift: 0.0 });
                    }
                }
            }
        }
        self.vector.iter_mut().zip(&rows.scale).for_each(|(v, scale)| *v /= scale);
        self.x.clear();
        self.x.resize(total, 0.0);
        // Joints that follow from others contradict each other by round-off, which is all that is left where everything falls
        // alike: what their rows are summed up from says how much that is.
        let summed = |i: usize| (rows.terms(i, &dynamics.acceleration) + rows.bias[i].abs()) / rows.scale[i];
        let speed = (0..total).map(summed).fold(0.0, f64::max);
        let inclusion = Inclusion { matrix: &self.matrix, vector: &self.vector, cones: &self.cones, speed };
        let report = solve(&inclusion, &mut self.work, &mut self.x);
        inclusion.velocity(&self.x, &mut self.xi);
        report.status == SolveStatus::Solved
    }

    /// What the solution says of a contact.
    fn read(&self, dynamics: &Dynamics<'_>, c: usize, slide: [f64; 2]) -> Found {
        let rows = &dynamics.rows;
        let Some(normal) = rows.kinds.iter().position(|kind| *kind == Row::Normal(c)) else { return Found::Open };
        let still = slide == [0.0; 2];
        let zero = if still { force::ZERO_SPATIAL } else { force::ZERO_SPATIAL_SLIDING } * self.unit;
        let acceleration = |row: usize| self.xi[row] * rows.scale[row];
        // Neither force nor acceleration: one of several redundant contacts, which stays closed.
        if self.x[normal] * rows.scale[normal] <= zero && acceleration(normal) > zero {
            return Found::Open;
        }
        if rows.kinds.get(normal + 1) != Some(&Row::Tangent(c, 0)) {
            return Found::Stick;
        }
        let ahead = [acceleration(normal + 1), acceleration(normal + 2)];
        let size = ahead[0].hypotenuse(ahead[1]);
        if slide != [0.0; 2] {
            let forward = ahead[0] * slide[0] + ahead[1] * slide[1];
            return if forward > 0.5 * AHEAD * self.unit { Found::Slip(slide) } else { Found::Jammed };
        }
        if size > zero { Found::Slip([ahead[0] / size, ahead[1] / size]) } else { Found::Stick }
    }

    /// The coefficient of a sliding contact's normal force in its normal acceleration.
    fn coefficient(&self, dynamics: &Dynamics<'_>, c: usize, slide: [f64; 2]) -> f64 {
        let rows = &dynamics.rows;
        let Some(normal) = rows.kinds.iter().position(|kind| *kind == Row::Normal(c)) else { return 1.0 };
        if rows.kinds.get(normal + 1) != Some(&Row::Tangent(c, 0)) {
            return 1.0;
        }
        let friction = dynamics.system.contacts()[c].surface.friction;
        let pull = |p: usize| {
            friction * slide[p] * rows.entry(normal, normal + 1 + p) * rows.scale[normal + 1 + p] / rows.scale[normal]
        };
        rows.entry(normal, normal) - pull(0) - pull(1)
    }
}

/// Opens what pulls, closes what approaches, lets slide what friction does not hold and stick what it does, by the
/// forces and accelerations of the mode itself.
fn settle(
    dynamics: &mut Dynamics<'_>,
    candidates: &Candidates,
    closed: &[ContactMode],
    excluded: &[bool],
    state: &State,
) {
    let (t, q, u) = (state.t, state.q(), state.u());
    for _ in 0..4 * candidates.contacts.len() {
        dynamics.evaluate(t, q, u);
        let moves =
            |c: usize| candidates.contacts.iter().zip(&candidates.slides).any(|(k, s)| *k == c && *s != [0.0; 2]);
        dynamics.follow(moves, t, q, u);
        let allowed = -force::FITS * dynamics.unit;
        let mut worst = (allowed, None);
        for (row, kind) in dynamics.rows.kinds.iter().enumerate() {
            let (c, next) = match *kind {
                Row::Normal(c) => (c, ContactMode::Open),
                Row::Tangent(c, 0) => {
                    let [x, y] = dynamics.friction[c];
                    (c, ContactMode::Slip([x, y].map(|force| -force / x.hypotenuse(y))))
                }
                _ => continue,
            };
            if dynamics.margin(row) < worst.0 {
                worst = (dynamics.margin(row), Some((c, next)));
            }
        }
        for (k, &c) in candidates.contacts.iter().enumerate().filter(|(k, _)| !excluded[*k]) {
            let mode = dynamics.mode.contacts[c];
            let fault = match mode {
                ContactMode::Open => (dynamics.contact_acceleration(c, t, q, u)[0], closed[k]),
                ContactMode::Slip(direction) if candidates.slides[k] == [0.0; 2] => {
                    (along(direction, dynamics.contact_acceleration(c, t, q, u)), ContactMode::Stick)
                }
                _ => continue,
            };
            if fault.0 < worst.0 {
                worst = (fault.0, Some((c, fault.1)));
            }
        }
        let Some((c, mode)) = worst.1 else { return };
        dynamics.mode.contacts[c] = mode;
    }
}
