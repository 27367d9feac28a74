//! Ends of an impact other than that every contact has opened.
//!
//! Contacts can come to rest with energy left in their springs: friction, or
//! friction and joints, balance the normal forces, so that no velocity changes
//! any more and none is left,
//!
//! ```text
//! v = 0,   Hq = 0,   |dP_t| ≤ μ_s dP_n
//! ```
//!
//! This is a point of rest of the differential equations: forces act on for as
//! long as one likes and nothing moves, as with a wedge that was driven in. The
//! velocities of the impact are those of this rest, which is reached in finite
//! time, because Coulomb's friction stops sliding in finite time. The energy is
//! reported as held, and impulses count up to the rest: those that follow
//! balance each other.

use crate::problem::ImpactProblem;

use super::impact::{Buffers, Halted, Impact};
use super::scaled::Role;
use super::state::Phase;
use super::thresholds::{energy, rate, speed};

impl Impact<'_> {
    /// Whether forces balance and nothing moves, though energy is stored.
    pub fn stands_still(&mut self) -> bool {
        let data = &mut *self.data;
        let normal = |a: usize| data.gamma[data.scaled.contacts[data.local.drivers[a]].normal];
        let quiet = |a: usize| match data.contacts[data.local.drivers[a]].phase {
            Phase::Gap => normal(a) >= -speed::SLOW,
            _ => normal(a).abs() <= speed::STILL,
        };
        let mut drivers = 0..data.local.drivers.len();
        drivers.all(quiet) && data.balanced(self.problem)
    }

    /// Ends the compressions of contacts that stand still; without restitution
    /// they lose their energy. Returns whether one did.
    pub fn end_compressions(&mut self) -> bool {
        let data = &mut *self.data;
        let mut any = false;
        for &c in &data.active {
            if data.contacts[c].phase == Phase::Compression {
                any |= !data.contacts[c].turn(&data.scaled, c, self.rest);
            }
        }
        self.drop_idle();
        any
    }

    /// Books the energy of contacts that push at the end of the impact.
    pub fn hold_energy(&mut self) {
        let data = &mut *self.data;
        for &c in &data.active {
            if data.contacts[c].phase.pushes() {
                data.contacts[c].keep(&data.scaled, c);
            }
        }
    }

    /// A contact that approaches, though no force of a contact changes that
    /// because joints and clutches rule its velocity.
    ///
    /// Where w_c = Σ a_j w_j over joints and clutches with a_j ≤ 0 for the
    /// latter, γ_c − Σ a_j γ_j is the same for all motions. Joints hold γ_j,
    /// clutches allow γ_j ≥ 0 only, so γ_c never exceeds its present value.
    pub fn driven(&mut self) -> Option<usize> {
        let data = &mut *self.data;
        if data.scaled.joints.is_empty() && data.scaled.clutches.is_empty() {
            return None;
        }
        let shut = |data: &Buffers, a: usize| {
            let c = data.local.drivers[a];
            data.contacts[c].phase == Phase::Compression
                && data.gamma[data.scaled.contacts[c].normal] < -speed::STILL
                && data.local.response.line(a).iter().all(|&(_, h)| h.abs() <= speed::STILL)
        };
        let driver = (0..data.local.drivers.len()).find(|&a| {
            let c = data.local.drivers[a];
            shut(data, a) && data.is_ruled(self.problem, c)
        });
        driver.map(|a| data.local.drivers[a])
    }

    /// Moving supports press a contact without end.
    pub fn check_pressed(&mut self) -> Result<(), Halted> {
        let data = &mut *self.data;
        let energy = |&c: &usize| data.scaled.energy(c, data.contacts[c].delta);
        if !data.active.iter().any(|c| energy(c) > energy::PRESSED) {
            return Ok(());
        }
        // Heavy bodies may have brought that much along.
        data.physical.clear();
        data.physical.resize(data.gamma.len(), 0.0);
        self.problem.apply_impulses(&data.physical, &mut data.velocity);
        let motion = self.problem.mass().energy(&data.velocity) / (data.scaled.velocity * data.scaled.velocity);
        let before = motion.max(1.0);
        let rigid = |a: usize| data.local.response.line(a).iter().all(|&(_, h)| h.abs() <= speed::STILL);
        let pressed = data.local.drivers.iter().enumerate().find(|&(a, c)| {
            energy(c) > energy::PUMPED * before
                || energy(c) > energy::PRESSED * before && data.contacts[*c].phase.pushes() && rigid(a)
        });
        pressed.map_or(Ok(()), |(_, &c)| Err(Halted::Pressed(c)))
    }
}

impl Buffers {
    /// Whether forces cancel in every rate, and velocities that are not quite
    /// zero are those of directions that do not move at all.
    fn balanced(&mut self, problem: &ImpactProblem) -> bool {
        let driving = self.step.driving();
        let sizes = &mut self.hold.weights;
        (0..self.local.rows.len()).all(|p| {
            let row = self.local.rows[p];
            sizes.clear();
            sizes.extend((0..driving.len()).map(|a| {
                let entries = self.local.reaction(a).iter();
                entries.map(|&(other, x)| (self.scaled.operator(problem, row, other) * x).abs()).sum::<f64>()
            }));
            let size: f64 = sizes.iter().zip(driving).map(|(s, q)| s * q.abs()).sum();
            let rigid = || self.local.response.line(p).iter().all(|&(a, h)| h.abs() <= rate::BALANCED * sizes[a]);
            let pushes = self.local.drivers.get(p).is_some_and(|&c| self.contacts[c].phase.pushes());
            self.local.response.dot(p, driving).abs() <= rate::BALANCED * size
                && (!pushes || self.gamma[row].abs() <= speed::SLOW || rigid())
        })
    }

    /// Whether joints and clutches rule the velocity of contact `c`. Uses the
    /// basis, which [`settle`](Impact::settle) sets up anew.
    fn is_ruled(&mut self, problem: &ImpactProblem, c: usize) -> bool {
        let normal = self.scaled.contacts[c].normal;
        let mut rows = std::mem::take(&mut self.hold.rows);
        rows.clear();
        rows.extend_from_slice(&self.scaled.joints);
        rows.extend(self.scaled.clutches.iter().filter(|&&row| self.locked[row]));
        rows.push(normal);
        self.ruling.build(problem, &self.scaled, &rows);
        self.hold.rows = rows;
        let independent = std::mem::take(&mut self.ruling.independent);
        let shares = self.ruling.solve(independent.iter().map(|&row| self.scaled.operator(problem, row, normal)));
        let mut rest = self.scaled.operator(problem, normal, normal);
        let mut possible = !independent.contains(&normal);
        for (&row, &share) in independent.iter().zip(shares) {
            rest -= share * self.scaled.operator(problem, row, normal);
            possible &= self.scaled.role[row] != Role::Clutch || share <= speed::STILL;
        }
        self.ruling.independent = independent;
        possible && rest.abs() <= rate::BALANCED
    }

    /// Whether a contact that pushes stores energy.
    pub fn stores(&self, c: usize) -> bool {
        self.contacts[c].phase.pushes() && self.scaled.energy(c, self.contacts[c].delta) > energy::NONE
    }
}
