//! Stick or slip, locked or free: decided together, as one convex problem
//! given the normal rates, with the static limit released worst first.

use crate::elementary::Elementary;
use crate::problem::ImpactProblem;

use super::impact::{Buffers, Hold, Impact};
use super::scaled::{Role, Scaled};
use super::state::Grip;
use super::thresholds::{friction, rate, speed};

impl Impact<'_> {
    /// Decides grips and clutches and sets up the next step.
    pub fn settle(&mut self) {
        let problem = self.problem;
        let data = &mut *self.data;
        data.first_guess();
        data.rebuild(problem);
        // Contacts brought to rest may take others with them.
        while data.stand_still(problem) && data.stop_slow() {
            data.first_guess();
            data.rebuild(problem);
        }
        if !data.hold.rows.is_empty() || !data.scaled.clutches.is_empty() {
            // Each pass releases or locks one element; locking can repeat.
            let most = 4 * (data.hold.rows.len() + data.scaled.clutches.len()) + 4;
            for _ in 0..most {
                if !data.revise(problem) {
                    break;
                }
                data.rebuild(problem);
            }
            if data.contradicts() {
                data.project(problem);
                data.rebuild(problem);
            }
        }
        data.hold.margin = None;
        data.step.may_part = data.basis.dependent.is_empty();
        data.step.load(&data.local, &data.scaled, &data.contacts, &data.gamma);
    }
}

/// Up to so many sticking contacts it is not worth while to look for groups.
const FEW: usize = 8;

impl Hold {
    /// Groups of sticking contacts, by contact: those that share no body with one another are apart.
    fn find_groups(&mut self, problem: &ImpactProblem, scaled: &Scaled, contacts: usize) {
        let group = &mut self.groups;
        group.resize(contacts, usize::MAX);
        self.stuck.iter().for_each(|&(_, c)| group[c] = c);
        for &(_, c) in &self.stuck {
            problem.operator().for_row(scaled.contacts[c].tangent, |j, g| {
                if let Role::Tangent(other) = scaled.role[j]
                    && g != 0.0
                    && group[other] != usize::MAX
                {
                    let (p, q) = (root(group, c), root(group, other));
                    group[p.max(q)] = p.min(q);
                }
            });
        }
        for &(_, c) in &self.stuck {
            group[c] = root(group, c);
        }
    }
}

/// The number by which the group of `k` goes, in a forest of numbers.
pub(super) fn root(group: &mut [usize], mut k: usize) -> usize {
    while group[k] != k {
        group[k] = group[group[k]];
        k = group[k];
    }
    k
}

impl Buffers {
    /// Grips by the tangential velocity; at rest, first assume that all stick.
    fn first_guess(&mut self) {
        self.hold.decided = false;
        for &c in &self.active {
            let state = &mut self.contacts[c];
            if !state.phase.pushes() || state.grip != Grip::Undecided {
                continue;
            }
            let contact = &self.scaled.contacts[c];
            let v = self.gamma[contact.tangent];
            state.grip = if contact.tangents == 1 {
                if v.abs() > speed::SLOW { Grip::Slip(v.signum()) } else { Grip::Stick }
            } else {
                let w = self.gamma[contact.tangent + 1];
                let speed = v.hypotenuse(w);
                if speed > speed::HOVERING {
                    Grip::Slide { direction: [v / speed, w / speed], slow: false }
                } else {
                    Grip::Stick
                }
            };
        }
        self.hold.candidates.clear();
        let stick = |&&c: &&usize| self.contacts[c].phase.pushes() && self.contacts[c].grip == Grip::Stick;
        self.hold.candidates.extend(self.active.iter().filter(stick));
        for &row in &self.scaled.clutches {
            self.locked[row] = self.gamma[row] <= speed::SLOW;
        }
    }

    /// Sets up F and H for the present grips.
    pub fn rebuild(&mut self, problem: &ImpactProblem) {
        self.list_held(problem);
        let key = |row: usize| match self.scaled.role[row] {
            Role::Tangent(c) => (self.scaled.contacts[c].tangents, self.hold.groups.get(c).copied(), row),
            _ => (0, None, row),
        };
        self.basis.build_ordered(problem, &self.scaled, &self.hold.rows, key);
        for (i, row) in self.basis.rows().enumerate() {
            self.hold.slot[row] = i;
        }
        let tangents = |row: usize, count: usize| matches!(self.scaled.role[row], Role::Tangent(c) if self.scaled.contacts[c].tangents == count);
        self.hold.shared = self.basis.depends(|row| tangents(row, 2), |row| tangents(row, 1));
        self.local.build(problem, &self.scaled, &self.contacts, &self.active, &mut self.basis);
    }

    /// Held rows: joints, locked clutches, sticking tangents, strongest first.
    fn list_held(&mut self, problem: &ImpactProblem) {
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
        let alone = hold.stuck.len() <= FEW;
        hold.groups.clear();
        if !alone {
            hold.find_groups(problem, &self.scaled, self.contacts.len());
        }
        // Those with two tangents last, so that the others can be eliminated first; groups that share no body one after
        // the other, so that the factors of each stay by themselves.
        let contacts = &self.scaled.contacts;
        let group = |c: usize| if alone { 0 } else { hold.groups[c] };
        crate::small::sort_by(&mut hold.stuck, |a, b| {
            let [p, q] = [a, b].map(|s| (contacts[s.1].tangents, group(s.1)));
            p.cmp(&q).then(b.0.total_cmp(&a.0))
        });
        for &(_, c) in &hold.stuck {
            let contact = &self.scaled.contacts[c];
            hold.rows.extend(contact.tangent..contact.tangent + contact.tangents);
        }
    }

    /// Driving rates now, or in the first instant if no force acts yet: then
    /// δ_j = −v_j τ and only the ratios k_j (−v_j)^η count.
    pub fn find_onset(&mut self) {
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
            let row = scaled.contacts[c].tangent;
            let f = scaled.contacts[c].slip_force([self.gamma[row], self.gamma[row + 1]], onset[slide.driver]);
            onset[slide.rate..slide.rate + 2].copy_from_slice(&f);
        }
    }

    /// Changes the grip or lock that is worst. Returns whether there was one.
    fn revise(&mut self, problem: &ImpactProblem) -> bool {
        self.find_onset();
        let onset = std::mem::take(&mut self.hold.onset);
        self.spread_rates(&onset);
        let changed = if self.unlock_pulling() || self.release_worst(&onset) {
            self.hold_again();
            true
        } else if !self.hold.decided && self.let_go(problem, &onset) {
            true
        } else if self.lock_closing(&onset) {
            self.hold_again();
            true
        } else {
            false
        };
        self.hold.onset = onset;
        changed
    }

    /// Contacts that the convex problem has let go are decided again.
    fn hold_again(&mut self) {
        self.hold.decided = false;
        for &c in &self.hold.candidates {
            let slips = matches!(self.contacts[c].grip, Grip::Slip(_));
            if matches!(self.contacts[c].grip, Grip::Slide { .. }) || self.hold.shared && slips {
                self.contacts[c].grip = Grip::Stick;
            }
        }
    }

    fn unlock_pulling(&mut self) -> bool {
        let rate = |row: &usize| self.hold.rates[self.hold.slot[*row]];
        let locked = self.scaled.clutches.iter().filter(|&&row| self.locked[row]);
        match locked.min_by(|a, b| rate(a).total_cmp(&rate(b))) {
            Some(&row) if rate(&row) < -(friction::LIMIT - 1.0) => {
                self.locked[row] = false;
                true
            }
            _ => false,
        }
    }

    /// Lets the contact slip that is farthest beyond its limit. Returns whether there was one.
    fn release_worst(&mut self, onset: &[f64]) -> bool {
        // Rates are shares of the largest force. At a contact about to open,
        // whose own force is small, round-off of the reaction may be a good
        // deal of the limit; it must not decide.
        let alone = |s: &&(f64, usize)| !self.in_cone(s.1);
        let shares = self.hold.stuck.iter().filter(alone).map(|&(_, c)| (self.share(c, onset, rate::NO_RATE), c));
        let Some(worst) = shares.max_by(|a, b| a.0.total_cmp(&b.0)).filter(|worst| worst.0 > friction::LIMIT) else {
            return false;
        };
        // Dependent directions that hold together up to their limits let go together: one alone would be held by
        // the others, and the sign of what moves would be round-off.
        for k in 0..self.hold.stuck.len() {
            let c = self.hold.stuck[k].1;
            let full = k < self.hold.full && self.share(c, onset, rate::NO_RATE) > friction::TOGETHER;
            if c == worst.1 || full {
                let rate = self.hold.rates[self.hold.slot[self.scaled.contacts[c].tangent]];
                self.contacts[c].grip = Grip::Slip(-rate.signum());
            }
        }
        true
    }

    /// Locks the clutch at rest that would close fastest.
    fn lock_closing(&mut self, onset: &[f64]) -> bool {
        let mut worst = (-(friction::LIMIT - 1.0), None);
        for &row in self.scaled.clutches.iter().filter(|&&row| !self.locked[row] && self.gamma[row] <= speed::SLOW) {
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

    /// Takes the velocity that is left of held rows out of the motion, by the
    /// impulses that do it; it is below what counts as rest.
    /// Returns whether there was any.
    fn stand_still(&mut self, problem: &ImpactProblem) -> bool {
        if self.hold.rows.iter().all(|&row| self.gamma[row].abs() <= speed::SLOW) {
            return false;
        }
        self.bring(problem, |_| 0.0);
        true
    }

    /// Gives the held rows these velocities, by the impulses that do it.
    pub fn bring(&mut self, problem: &ImpactProblem, velocity: impl Fn(usize) -> f64) {
        let rows = std::mem::take(&mut self.basis.independent);
        let impulses = self.basis.solve(rows.iter().map(|&row| velocity(row) - self.gamma[row]));
        for (&row, &x) in rows.iter().zip(impulses) {
            self.impulse[row] += x;
            let factor = x * self.scaled.units.inverse[row];
            problem.operator().for_row(row, |j, g| self.gamma[j] += factor * g * self.scaled.units.inverse[j]);
        }
        self.basis.independent = rows;
        for &row in &self.hold.rows {
            self.gamma[row] = velocity(row);
        }
    }

    /// Lets slides that have no velocity left be decided again. Returns whether
    /// there were any.
    fn stop_slow(&mut self) -> bool {
        let mut any = false;
        for &c in &self.active {
            let row = self.scaled.contacts[c].tangent;
            if let Grip::Slide { slow, .. } = self.contacts[c].grip
                && !slow
                && self.gamma[row].hypotenuse(self.gamma[row + 1]) <= speed::STANDSTILL
            {
                self.contacts[c].grip = Grip::Undecided;
                any = true;
            }
        }
        any
    }
}
