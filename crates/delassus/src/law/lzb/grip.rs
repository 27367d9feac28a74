//! Stick or slip, locked or free: decided together, as one convex problem
//! given the normal rates, with the static limit released worst first.

use crate::problem::ImpactProblem;

use super::impact::{Buffers, Impact, SLOW};
use super::local::Slide;
use super::project::least_in_ellipse;
use super::scaled::{Role, Scaled};
use super::state::Grip;
use super::step::HOVERING;

/// Friction holds up to this share of its static limit. Break-away is noticed
/// above twice the excess, so that deciding and noticing cannot alternate.
pub(super) const LIMIT: f64 = 1.0 + 1e-11;

/// Weight of rows whose reaction costs nothing.
const FREE: f64 = 1e300;

impl Impact<'_> {
    /// Decides grips and clutches and sets up the next step.
    pub fn settle(&mut self) {
        let problem = self.problem;
        let data = &mut *self.data;
        data.first_guess();
        data.rebuild(problem);
        if !data.hold.rows.is_empty() || !data.scaled.clutches.is_empty() {
            // Each pass releases or locks one element; locking can repeat.
            let most = 4 * (data.hold.rows.len() + data.scaled.clutches.len()) + 4;
            for _ in 0..most {
                if !data.revise() {
                    break;
                }
                data.rebuild(problem);
            }
            if data.contradicts() {
                data.project(problem);
                data.rebuild(problem);
            }
        }
        data.step.load(&data.local, &data.scaled, &data.contacts, &data.gamma);
    }
}

impl Buffers {
    /// Grips by the tangential velocity; at rest, first assume that all stick.
    fn first_guess(&mut self) {
        self.hold.released.clear();
        for &c in &self.active {
            let state = &mut self.contacts[c];
            if !state.phase.pushes() || state.grip != Grip::Undecided {
                continue;
            }
            let contact = &self.scaled.contacts[c];
            let v = self.gamma[contact.tangent];
            state.grip = if contact.tangents == 1 {
                if v.abs() > SLOW { Grip::Slip(v.signum()) } else { Grip::Stick }
            } else {
                let w = self.gamma[contact.tangent + 1];
                let speed = v.hypot(w);
                if speed > HOVERING {
                    Grip::Slide { direction: [v / speed, w / speed], leaving: false }
                } else {
                    Grip::Stick
                }
            };
        }
        self.hold.candidates.clear();
        let stick = |&&c: &&usize| self.contacts[c].phase.pushes() && self.contacts[c].grip == Grip::Stick;
        self.hold.candidates.extend(self.active.iter().filter(stick));
        for &row in &self.scaled.clutches {
            self.locked[row] = self.gamma[row] <= SLOW;
        }
    }

    /// Sets up F and H for the present grips.
    pub fn rebuild(&mut self, problem: &ImpactProblem) {
        self.list_held();
        self.basis.build(problem, &self.scaled, &self.hold.rows);
        for (i, &row) in self.basis.independent.iter().chain(&self.basis.dependent).enumerate() {
            self.hold.slot[row] = i;
        }
        self.local.build(problem, &self.scaled, &self.contacts, &self.active, &mut self.basis);
    }

    /// Held rows: joints, locked clutches, sticking tangents, strongest first.
    fn list_held(&mut self) {
        let hold = &mut self.hold;
        hold.rows.clear();
        hold.rows.extend_from_slice(&self.scaled.joints);
        hold.rows.extend(self.scaled.clutches.iter().filter(|&&row| self.locked[row]));
        hold.stuck.clear();
        for &c in &self.active {
            if self.contacts[c].phase.pushes() && self.contacts[c].grip == Grip::Stick {
                let contact = &self.scaled.contacts[c];
                let force = contact.stiffness * self.scaled.power.of(self.contacts[c].delta);
                let approach = contact.stiffness * self.scaled.power.of(-self.gamma[contact.normal]);
                // Force first; among contacts without force the faster one.
                let weight = contact.fixed[0].max(contact.fixed[1]) * (force + 1e-30 * approach);
                hold.stuck.push((weight, c));
            }
        }
        hold.stuck.sort_by(|a, b| b.0.total_cmp(&a.0));
        for &(_, c) in &hold.stuck {
            let contact = &self.scaled.contacts[c];
            hold.rows.extend(contact.tangent..contact.tangent + contact.tangents);
        }
    }

    /// Driving rates now, or in the first instant if no force acts yet: then
    /// δ_j = −v_j τ and only the ratios k_j (−v_j)^η count.
    fn find_onset(&mut self) {
        let scaled = &self.scaled;
        let forces = |of: &dyn Fn(usize) -> f64, onset: &mut Vec<f64>| -> f64 {
            onset.clear();
            onset.extend(self.local.drivers.iter().map(|&c| {
                if self.contacts[c].phase.pushes() {
                    scaled.contacts[c].stiffness * scaled.power.of(of(c))
                } else {
                    0.0
                }
            }));
            onset.iter().fold(0.0, |m, &q| q.max(m))
        };
        let onset = &mut self.hold.onset;
        let mut largest = forces(&|c| self.contacts[c].delta, onset);
        if largest == 0.0 {
            largest = forces(&|c| -self.gamma[scaled.contacts[c].normal], onset);
        }
        if largest > 0.0 {
            onset.iter_mut().for_each(|q| *q /= largest);
        }
        onset.resize(self.local.rates, 0.0);
        for slide in &self.local.slides {
            let c = self.local.drivers[slide.driver];
            if let (Grip::Slide { direction, leaving }, false) =
                (self.contacts[c].grip, self.hold.released.contains(&c))
            {
                let row = scaled.contacts[c].tangent;
                let direction = if leaving { direction } else { [self.gamma[row], self.gamma[row + 1]] };
                let [m1, m2] = scaled.contacts[c].kinetic;
                let norm = (m1 * direction[0]).hypot(m2 * direction[1]);
                let force = if norm > 0.0 { onset[slide.driver] / norm } else { 0.0 };
                onset[slide.rate] = -force * m1 * m1 * direction[0];
                onset[slide.rate + 1] = -force * m2 * m2 * direction[1];
            }
        }
    }

    /// Rates of the independent held rows for driving rates `q`.
    pub fn basic_rates(&mut self, q: &[f64]) {
        let count = self.basis.independent.len();
        let rates = &mut self.hold.rates;
        rates.clear();
        rates.resize(count + self.basis.dependent.len(), 0.0);
        for (a, &q) in q.iter().enumerate() {
            let line = self.local.reaction.line(a);
            for (rate, &(_, value)) in rates.iter_mut().zip(&line[line.len() - count..]) {
                *rate += value * q;
            }
        }
    }

    /// Rates of all held rows for driving rates `q`, of least Σ x²/(μ_s dP_n).
    pub fn spread_rates(&mut self, q: &[f64]) {
        self.basic_rates(q);
        if self.basis.dependent.is_empty() {
            return;
        }
        let count = self.basis.independent.len();
        self.hold.weights.clear();
        for (i, &row) in self.basis.independent.iter().chain(&self.basis.dependent).enumerate() {
            self.hold.weights.push(match self.scaled.role[row] {
                Role::Tangent(c) => {
                    let contact = &self.scaled.contacts[c];
                    let force = self.local.find(contact.normal).and_then(|a| q.get(a)).map_or(0.0, |q| q.abs());
                    contact.fixed[row - contact.tangent] * force
                }
                // A reaction costs nothing; redundant ones are not used.
                _ if i < count => FREE,
                _ => 0.0,
            });
        }
        self.basis.spread(&mut self.hold.rates, &self.hold.weights);
    }

    /// Share of its static limit that contact `c` uses, for the rates of the
    /// last call of [`spread_rates`](Self::spread_rates) with the same `q`.
    pub fn share(&self, c: usize, q: &[f64]) -> f64 {
        let contact = &self.scaled.contacts[c];
        let force = self.local.find(contact.normal).map_or(0.0, |a| q[a]);
        let mut sum = 0.0_f64;
        for k in 0..contact.tangents {
            let rate = self.hold.rates[self.hold.slot[contact.tangent + k]];
            if rate != 0.0 {
                sum = sum.hypot(rate / (contact.fixed[k] * force));
            }
        }
        sum
    }

    /// Changes the grip or lock that is worst. Returns whether there was one.
    fn revise(&mut self) -> bool {
        self.find_onset();
        self.aim_released();
        let onset = std::mem::take(&mut self.hold.onset);
        self.spread_rates(&onset);
        let changed = self.unlock_pulling() || self.release_worst(&onset) || self.lock_closing(&onset);
        self.hold.onset = onset;
        changed
    }

    fn unlock_pulling(&mut self) -> bool {
        let rate = |row: &usize| self.hold.rates[self.hold.slot[*row]];
        let locked = self.scaled.clutches.iter().filter(|&&row| self.locked[row]);
        match locked.min_by(|a, b| rate(a).total_cmp(&rate(b))) {
            Some(&row) if rate(&row) < -(LIMIT - 1.0) => {
                self.locked[row] = false;
                true
            }
            _ => false,
        }
    }

    fn release_worst(&mut self, onset: &[f64]) -> bool {
        let mut worst = (LIMIT, None);
        for &(_, c) in &self.hold.stuck {
            let contact = &self.scaled.contacts[c];
            let rates = (0..contact.tangents).map(|k| self.hold.rates[self.hold.slot[contact.tangent + k]]);
            // Rates are shares of the largest force: below this they are round-off.
            if rates.fold(0.0, |m: f64, x| m.max(x.abs())) > 1e-13 {
                let share = self.share(c, onset);
                if share > worst.0 {
                    worst = (share, Some(c));
                }
            }
        }
        let Some(c) = worst.1 else { return false };
        let contact = &self.scaled.contacts[c];
        let rate = self.hold.rates[self.hold.slot[contact.tangent]];
        self.contacts[c].grip = if contact.tangents == 1 {
            Grip::Slip(-rate.signum())
        } else {
            self.hold.released.push(c);
            Grip::Slide { direction: [0.0; 2], leaving: true }
        };
        true
    }

    /// Locks the clutch at rest that would close fastest.
    fn lock_closing(&mut self, onset: &[f64]) -> bool {
        let mut worst = (-(LIMIT - 1.0), None);
        for &row in self.scaled.clutches.iter().filter(|&&row| !self.locked[row] && self.gamma[row] <= SLOW) {
            let Some(p) = self.local.find(row) else { continue };
            let rate = self.local.response.dot(p, onset);
            if rate < worst.0 {
                worst = (rate, Some(row));
            }
        }
        worst.1.is_some_and(|row| {
            self.locked[row] = true;
            true
        })
    }

    /// Finds the directions in which contacts released in two directions start
    /// to slide; a few sweeps settle contacts released together.
    fn aim_released(&mut self) {
        if self.hold.released.is_empty() {
            return;
        }
        for _ in 0..8 {
            for k in 0..self.local.slides.len() {
                let slide = self.local.slides[k];
                let c = self.local.drivers[slide.driver];
                if self.hold.released.contains(&c) {
                    let direction = self.aim(slide, &self.scaled, c);
                    self.contacts[c].grip = Grip::Slide { direction: direction.1, leaving: true };
                    self.hold.onset[slide.rate] = direction.0[0];
                    self.hold.onset[slide.rate + 1] = direction.0[1];
                }
            }
        }
    }

    /// The force f that minimises ½fᵀG_tt f + fᵀa₀ over ‖D⁻¹f‖ ≤ dP_n, and the
    /// direction of the acceleration a₀ + G_tt f that remains.
    fn aim(&self, slide: Slide, scaled: &Scaled, c: usize) -> ([f64; 2], [f64; 2]) {
        let (onset, response) = (&self.hold.onset, &self.local.response);
        let g = [0, 1].map(|i| [0, 1].map(|j| response.get(slide.rate + i, slide.rate + j)));
        let mut a0 = [0, 1].map(|i| response.dot(slide.rate + i, onset));
        for i in 0..2 {
            a0[i] -= g[i][0] * onset[slide.rate] + g[i][1] * onset[slide.rate + 1];
        }
        let force = onset[slide.driver];
        let f = least_in_ellipse(g, a0, force, scaled.contacts[c].kinetic);
        let rest = [0, 1].map(|i| a0[i] + g[i][0] * f[0] + g[i][1] * f[1]);
        let norm = rest[0].hypot(rest[1]);
        (f, if norm > 0.0 { [rest[0] / norm, rest[1] / norm] } else { [1.0, 0.0] })
    }
}
