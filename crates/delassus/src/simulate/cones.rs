//! Selection of the contact mode in space, where friction has a disk of directions.
//!
//! The spatial inclusion of impacts with accelerations in place of velocities. Contacts that slide already have a
//! direction: their tangential acceleration gets a large part along it, so that friction opposes that; the others
//! may stick with static friction, and slide with kinetic friction where they come out sliding. What that leaves to
//! decide is decided by the forces and accelerations of the mode itself.

use super::dynamics::Dynamics;
use super::mode::{ContactMode, Mode, along};
use super::rows::{Row, dot};
use super::select::Selected;
use crate::elementary::Elementary;
use crate::solve::{Cone, Inclusion, SolveStatus, SolveWork, solve};

/// Buffers, reused.
#[derive(Debug, Default)]
pub(super) struct ConeSelector {
    work: SolveWork,
    matrix: Vec<f64>,
    vector: Vec<f64>,
    cones: Vec<Cone>,
    x: Vec<f64>,
    xi: Vec<f64>,
    /// Size of the accelerations.
    unit: f64,
}

/// The large part, in units of the accelerations.
const AHEAD: f64 = 1e4;
/// Accelerations below this part of the largest are zero, without and with contacts that slide.
const ZERO: [f64; 2] = [1e-10, 1e-8];
/// Forces and accelerations of a mode may violate it by this part of the accelerations.
const ROUND_OFF: f64 = 1e-10;

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
        let mut kinetic: Vec<bool> = slides.iter().map(|slide| *slide != [0.0; 2]).collect();
        let mut excluded = vec![false; candidates.len()];
        // Each round fixes at least one contact more.
        for _ in 0..2 * candidates.len() + 2 {
            let held = |k: usize| {
                let smooth = dynamics.system.contacts()[candidates[k]].surface.is_smooth();
                if smooth { ContactMode::Smooth } else { ContactMode::Stick }
            };
            let mut mode = Mode::open(before.contacts.len(), before.clutches.len());
            for k in (0..candidates.len()).filter(|k| !excluded[*k]) {
                mode.contacts[candidates[k]] = held(k);
            }
            clutches.iter().for_each(|&i| mode.clutches[i] = true);
            dynamics.mode = mode;
            if !self.solve(dynamics, candidates, slides, &kinetic, t, q, u) {
                break;
            }
            let found: Vec<Found> = (0..candidates.len())
                .map(|k| if excluded[k] { Found::Open } else { self.read(dynamics, candidates[k], slides[k]) })
                .collect();
            let mut again = false;
            for (k, &c) in candidates.iter().enumerate().filter(|(k, _)| slides[*k] != [0.0; 2]) {
                if self.coefficient(dynamics, c, slides[k]) >= 0.0 || excluded[k] {
                    continue;
                }
                if !ambiguous.contains(&c) {
                    ambiguous.push(c);
                }
                // Two motions are possible: keep the mode, here open.
                if !matches!(found[k], Found::Open | Found::Jammed) && !before.contacts[c].is_closed() {
                    excluded[k] = true;
                    again = true;
                }
            }
            if found.contains(&Found::Jammed) {
                break;
            }
            for (k, &c) in candidates.iter().enumerate() {
                let surface = &dynamics.system.contacts()[c].surface;
                if matches!(found[k], Found::Slip(_)) && !kinetic[k] {
                    kinetic[k] = true;
                    again |= surface.friction_static > surface.friction;
                }
            }
            if !again {
                let closed = |k: usize| match found[k] {
                    Found::Slip(direction) => ContactMode::Slip(direction),
                    _ if slides[k] != [0.0; 2] && held(k) == ContactMode::Stick => ContactMode::Slip(slides[k]),
                    _ => held(k),
                };
                let closed: Vec<ContactMode> = (0..candidates.len()).map(closed).collect();
                for (k, &c) in candidates.iter().enumerate() {
                    let open = excluded[k] || found[k] == Found::Open;
                    dynamics.mode.contacts[c] = if open { ContactMode::Open } else { closed[k] };
                }
                for (row, _) in dynamics.rows.kinds.iter().enumerate() {
                    if let Row::Clutch(i) = dynamics.rows.kinds[row] {
                        dynamics.mode.clutches[i] = self.x[row] > 0.0;
                    }
                }
                settle(dynamics, candidates, slides, &closed, &excluded, t, q, u);
                return Selected::Mode;
            }
        }
        dynamics.mode = before;
        Selected::Nothing
    }

    /// Solves the inclusion of the candidates, all held.
    #[allow(clippy::too_many_arguments)]
    fn solve(
        &mut self,
        dynamics: &mut Dynamics<'_>,
        candidates: &[usize],
        slides: &[[f64; 2]],
        kinetic: &[bool],
        t: f64,
        q: &[f64],
        u: &[f64],
    ) -> bool {
        dynamics.system.forces(t, q, u, &mut dynamics.acceleration);
        if !dynamics.set_mass(q) {
            return false;
        }
        dynamics.mass.solve(&mut dynamics.acceleration);
        dynamics.assemble(false, t, q, u);
        let rows = &dynamics.rows;
        let total = rows.len();
        self.vector.clear();
        self.vector.extend((0..total).map(|i| dot(rows.direction(i), &dynamics.acceleration) + rows.bias[i]));
        self.unit = self.vector.iter().fold(dynamics.system.gravity(), |m, v| m.max(v.abs()));
        self.matrix.clear();
        self.cones.clear();
        for i in 0..total {
            self.matrix.extend((0..total).map(|j| rows.entry(i, j)));
            match rows.kinds[i] {
                Row::Joint => self.cones.push(Cone::Free { row: i }),
                Row::Normal(_) | Row::Clutch(_) => self.cones.push(Cone::Unilateral { row: i }),
                Row::Tangent(c, part) => {
                    let k = candidates.iter().position(|other| *other == c).unwrap_or(0);
                    self.vector[i] += AHEAD * self.unit * slides[k][part];
                    let surface = &dynamics.system.contacts()[c].surface;
                    let friction = if kinetic[k] { surface.friction } else { surface.friction_static };
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
        let inclusion = Inclusion { matrix: &self.matrix, vector: &self.vector, cones: &self.cones, speed: 0.0 };
        let report = solve(&inclusion, &mut self.work, &mut self.x);
        inclusion.velocity(&self.x, &mut self.xi);
        report.status == SolveStatus::Solved
    }

    /// What the solution says of a contact.
    fn read(&self, dynamics: &Dynamics<'_>, c: usize, slide: [f64; 2]) -> Found {
        let rows = &dynamics.rows;
        let Some(normal) = rows.kinds.iter().position(|kind| *kind == Row::Normal(c)) else { return Found::Open };
        let zero = ZERO[usize::from(slide != [0.0; 2])] * self.unit;
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
#[allow(clippy::too_many_arguments)]
fn settle(
    dynamics: &mut Dynamics<'_>,
    candidates: &[usize],
    slides: &[[f64; 2]],
    closed: &[ContactMode],
    excluded: &[bool],
    t: f64,
    q: &[f64],
    u: &[f64],
) {
    for _ in 0..4 * candidates.len() {
        dynamics.evaluate(t, q, u);
        let allowed = -ROUND_OFF * dynamics.unit;
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
        for (k, &c) in candidates.iter().enumerate().filter(|(k, _)| !excluded[*k]) {
            let mode = dynamics.mode.contacts[c];
            let fault = match mode {
                ContactMode::Open => (dynamics.contact_acceleration(c, t, q, u)[0], closed[k]),
                ContactMode::Slip(direction) if slides[k] == [0.0; 2] => {
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
