//! Stick or slip, locked or free: decided together, as one convex problem
//! given the normal rates, with the static limit released worst first.

use crate::problem::ImpactProblem;

use super::basis::gauss;
use super::impact::{Buffers, Impact, SLOW};
use super::local::Slide;
use super::scaled::Role;
use super::state::Grip;
use super::step::HOVERING;

/// Friction holds up to this share of its static limit. Break-away is noticed
/// above twice the excess, so that deciding and noticing cannot alternate.
pub(super) const LIMIT: f64 = 1.0 + 1e-11;

/// Accelerations below this are round-off: rates are shares of the largest.
pub(super) const HELD: f64 = 1e-15;

/// A response below this share means that other contacts hold this one.
const HELD_BY_OTHERS: f64 = 1e-10;

/// Where static friction uses this share of its limit, its split is optimised.
const NEAR_LIMIT: f64 = 0.9;

/// Largest factor of a weight; beyond, round-off would show.
const MOST: f64 = 1e8;

/// First guess of accelerations at the onset of sliding.
const ONSET: f64 = 1e-9;

/// Most sweeps over contacts released together.
const SWEEPS: usize = 300;

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
            data.stand_still(problem);
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
            // What has not left its standstill is decided anew with the others.
            if let Grip::Slide { leaving: true, .. } = state.grip {
                state.grip = Grip::Undecided;
            }
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
                let f = scaled.contacts[c].slip_force(direction, onset[slide.driver]);
                onset[slide.rate..slide.rate + 2].copy_from_slice(&f);
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
    /// With two tangents, if that comes near a limit, the split whose largest
    /// share of the limits is least: the body sticks while any split can hold it.
    pub fn spread_rates(&mut self, q: &[f64]) {
        self.hold.scale.clear();
        self.hold.scale.resize(self.contacts.len(), 1.0);
        self.spread_scaled(q);
        if self.basis.dependent.is_empty() || self.hold.stuck.iter().all(|&(_, c)| self.scaled.contacts[c].tangents < 2)
        {
            return;
        }
        // Weights w/share: x/w is the motion that would set in, and friction
        // dissipates least in it (Weiszfeld).
        for _ in 0..SWEEPS {
            let shares = self.hold.stuck.iter().map(|&(_, c)| self.share(c, q)).filter(|s| s.is_finite());
            let largest = shares.fold(0.0, f64::max);
            if largest < NEAR_LIMIT {
                return;
            }
            let mut change = 0.0_f64;
            for k in 0..self.hold.stuck.len() {
                let c = self.hold.stuck[k].1;
                let share = self.share(c, q);
                if share.is_finite() {
                    let gain = (largest / share.max(1e-3 * largest)).min(1e3);
                    let scale = (self.hold.scale[c] * gain).min(MOST);
                    change = change.max(if scale < MOST { gain - 1.0 } else { 0.0 });
                    self.hold.scale[c] = scale;
                }
            }
            if change <= 1e-13 {
                return;
            }
            self.spread_scaled(q);
            if self.hold.rates.iter().any(|x| !x.is_finite()) {
                self.hold.scale.fill(1.0);
                self.spread_scaled(q);
                return;
            }
        }
    }

    /// The split of least Σ x²/(s μ_s dP_n) with the present factors s.
    fn spread_scaled(&mut self, q: &[f64]) {
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
                    let limit = contact.fixed[row - contact.tangent];
                    let largest = contact.fixed[0].max(contact.fixed[1]);
                    let shape = if contact.tangents == 2 { limit / largest } else { 1.0 };
                    self.hold.scale[c] * shape * limit * force
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
        let rate = |k: usize| self.hold.rates[self.hold.slot[contact.tangent + k]];
        self.contacts[c].grip = if contact.tangents == 1 {
            Grip::Slip(-rate(0).signum())
        } else {
            self.hold.released.push(c);
            Grip::Slide { direction: contact.slide_for([rate(0), rate(1)]), leaving: true }
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
    /// to slide: a = a₀ + Gf with f = −dP_n D²a/‖Da‖. With C = dP_n D²/‖Da‖ of
    /// the last guess (C⁻¹ + G)y = a₀ and a = C⁻¹y give the next one; it starts
    /// small, since what sets in is hardly faster than rest. A contact that
    /// others of its body hold has no acceleration: friction keeps its
    /// direction at the limit.
    fn aim_released(&mut self) {
        if self.hold.released.is_empty() {
            return;
        }
        let mut places = std::mem::take(&mut self.hold.places);
        places.clear();
        for slide in &self.local.slides {
            let c = self.local.drivers[slide.driver];
            if let (Grip::Slide { direction, .. }, true) = (self.contacts[c].grip, self.hold.released.contains(&c)) {
                let free =
                    [0, 1].iter().any(|k| self.local.response.get(slide.rate + k, slide.rate + k) > HELD_BY_OTHERS);
                if free {
                    self.hold.onset[slide.rate..slide.rate + 2].fill(0.0);
                    places.push((*slide, direction.map(|d| ONSET * d)));
                } else {
                    let f = self.scaled.contacts[c].slip_force(direction, self.hold.onset[slide.driver]);
                    self.hold.onset[slide.rate..slide.rate + 2].copy_from_slice(&f);
                }
            }
        }
        self.find_accelerations(&mut places);
        for &(slide, a) in &places {
            let c = self.local.drivers[slide.driver];
            let norm = a[0].hypot(a[1]);
            if norm > HELD
                && let Grip::Slide { direction, .. } = &mut self.contacts[c].grip
            {
                *direction = a.map(|a| a / norm);
            }
            if let Grip::Slide { direction, .. } = self.contacts[c].grip {
                let f = self.scaled.contacts[c].slip_force(direction, self.hold.onset[slide.driver]);
                self.hold.onset[slide.rate..slide.rate + 2].copy_from_slice(&f);
            }
        }
        self.hold.places = places;
    }

    /// The accelerations of sliding contacts, from a first guess.
    fn find_accelerations(&mut self, places: &mut [(Slide, [f64; 2])]) {
        let size = 2 * places.len();
        let width = size + 1;
        let mut system = std::mem::take(&mut self.hold.system);
        for _ in 0..SWEEPS {
            system.clear();
            system.resize(size * width, 0.0);
            for i in 0..size {
                let p = places[i / 2].0.rate + i % 2;
                for j in 0..size {
                    system[i * width + j] = self.local.response.get(p, places[j / 2].0.rate + j % 2);
                }
                system[i * width + i] += self.inverse_slope(&places[i / 2])[i % 2];
                system[i * width + size] = self.local.response.dot(p, &self.hold.onset);
            }
            gauss(&mut system, size);
            let mut turned = 0.0_f64;
            for k in 0..places.len() {
                let slope = self.inverse_slope(&places[k]);
                let a = [0, 1].map(|i| slope[i] * system[(2 * k + i) * width + size]);
                if !(a[0].is_finite() && a[1].is_finite()) {
                    self.hold.system = system;
                    return;
                }
                let old = places[k].1;
                let norm = a[0].hypot(a[1]) * old[0].hypot(old[1]);
                if norm > 0.0 {
                    turned = turned.max((a[0] * old[1] - a[1] * old[0]).abs() / norm);
                }
                places[k].1 = a;
            }
            if turned <= 1e-12 {
                break;
            }
        }
        self.hold.system = system;
    }

    /// C⁻¹ = ‖Da‖ D⁻²/dP_n of a contact with acceleration a.
    fn inverse_slope(&self, (slide, a): &(Slide, [f64; 2])) -> [f64; 2] {
        let [m1, m2] = self.scaled.contacts[self.local.drivers[slide.driver]].kinetic;
        let norm = (m1 * a[0]).hypot(m2 * a[1]).max(HELD);
        // Without friction C = 0: no force.
        [m1, m2].map(|m| (norm / (m * m * self.hold.onset[slide.driver])).min(1e100))
    }

    /// Takes the velocity that is left of held rows out of the motion, by the
    /// impulses that do it; it is below what counts as rest.
    fn stand_still(&mut self, problem: &ImpactProblem) {
        if self.hold.rows.iter().all(|&row| self.gamma[row].abs() <= SLOW) {
            return;
        }
        let rows = std::mem::take(&mut self.basis.independent);
        let impulses = self.basis.solve(rows.iter().map(|&row| -self.gamma[row]));
        for (&row, &x) in rows.iter().zip(impulses) {
            self.impulse[row] += x;
            let factor = x * self.scaled.inverse[row];
            problem.operator().for_row(row, |j, g| self.gamma[j] += factor * g * self.scaled.inverse[j]);
        }
        self.basis.independent = rows;
        for &row in &self.hold.rows {
            self.gamma[row] = 0.0;
        }
    }
}
