//! Static friction: how the rates that hold are split over the contacts, and
//! which contacts with two tangents cannot be held. Where contacts with one tangent hold together with them, because
//! their directions depend on each other, all of them are decided as those with two.

use crate::elementary::Elementary;
use crate::problem::ImpactProblem;

use super::cone::Cone;
use super::impact::Buffers;
use super::scaled::Role;
use super::state::Grip;
use super::thresholds::{count, friction, rate, speed};

impl Buffers {
    /// Rates of the independent held rows for driving rates `q`.
    pub fn basic_rates(&mut self, q: &[f64]) {
        let count = self.basis.independent.len();
        let rates = &mut self.hold.rates;
        rates.clear();
        rates.resize(count + self.basis.dependent.len(), 0.0);
        for (a, &q) in q.iter().enumerate() {
            for &(row, value) in self.local.held(a) {
                rates[self.hold.slot[row]] += value * q;
            }
        }
    }

    /// Rates of all held rows for driving rates `q`, of least Σ x²/(μ_s dP_n).
    /// If with two tangents that exceeds a limit, a split that does not, as
    /// long as there is one: the body sticks while any split can hold it.
    pub fn spread_rates(&mut self, q: &[f64]) {
        self.spread_least(q);
        if self.basis.dependent.is_empty() || self.largest_share(q) <= 1.0 {
            return;
        }
        self.load_cones(q);
        self.cones.solve();
        self.basic_rates(q);
        let unit = unit(q);
        let count = self.basis.independent.len();
        for k in 0..self.cones.cones.len() {
            let contact = &self.scaled.contacts[self.cones.cones[k].contact];
            for i in 0..contact.tangents {
                let slot = self.hold.slot[contact.tangent + i];
                if slot >= count {
                    self.hold.rates[slot] = unit * self.cones.rates[2 * k + i];
                }
            }
        }
        self.basis.complete(&mut self.hold.rates);
    }

    /// The split of least Σ x²/(μ_s dP_n). Contacts with one tangent that it would
    /// load beyond their limits bear what they can, as long as others can bear the
    /// rest: what dependent directions hold together does not move before that.
    fn spread_least(&mut self, q: &[f64]) {
        self.basic_rates(q);
        self.hold.full = 0;
        if self.basis.dependent.is_empty() {
            return;
        }
        let count = self.basis.independent.len();
        let mut largest = 0.0_f64;
        self.hold.weights.clear();
        for (i, row) in self.basis.rows().enumerate() {
            self.hold.weights.push(match self.scaled.role[row] {
                Role::Tangent(c) => {
                    let contact = &self.scaled.contacts[c];
                    let limit = contact.fixed[row - contact.tangent];
                    let strongest = contact.fixed[0].max(contact.fixed[1]);
                    let shape = if contact.tangents == 2 { limit / strongest } else { 1.0 };
                    let weight = shape * limit * self.normal_rate(c, q).abs();
                    largest = largest.max(weight);
                    weight
                }
                // Reactions of joints cost nothing, so they take what they can; friction shares the rest.
                _ if i < count => friction::FREE,
                _ => 0.0,
            });
        }
        for (weight, row) in self.hold.weights.iter_mut().zip(self.basis.rows()) {
            if let Role::Tangent(_) = self.scaled.role[row] {
                *weight = weight.max(friction::FAINT * largest);
            }
        }
        self.basis.spread(&mut self.hold.rates, &self.hold.weights);
        self.load_others(q);
    }

    /// Sets contacts beyond their limit to that limit, worst first, and splits the
    /// rest over the others. Those whose static limit is above the kinetic one are
    /// left: beyond it they bear less, not as much.
    fn load_others(&mut self, q: &[f64]) {
        for _ in 0..self.hold.stuck.len() {
            let mut worst = (friction::LIMIT, None);
            for (k, &(_, c)) in self.hold.stuck.iter().enumerate().skip(self.hold.full) {
                let contact = &self.scaled.contacts[c];
                if !self.in_cone(c) && contact.fixed == contact.kinetic {
                    let share = self.share(c, q, 0.0);
                    if share > worst.0 {
                        worst = (share, Some(k));
                    }
                }
            }
            let Some(k) = worst.1 else { return };
            if self.hold.full == 0 {
                self.hold.bounds.clear();
                self.hold.bounds.resize(self.hold.rates.len(), 0.0);
            }
            self.hold.stuck.swap(self.hold.full, k);
            let c = self.hold.stuck[self.hold.full].1;
            self.hold.full += 1;
            let contact = &self.scaled.contacts[c];
            let slot = self.hold.slot[contact.tangent];
            let limit = friction::FULL * contact.fixed[0] * self.normal_rate(c, q).abs();
            self.hold.bounds[slot] = limit.copysign(self.hold.rates[slot]);
            self.hold.weights[slot] *= friction::STIFF;
            self.approach_bounds(q);
        }
    }

    /// Splits by weight what the bounds leave. What small weights still let the
    /// bounded rates miss is added to their aims, and so on.
    fn approach_bounds(&mut self, q: &[f64]) {
        let count = self.basis.independent.len();
        let hold = &mut self.hold;
        hold.aims.clone_from(&hold.bounds);
        for _ in 0..count::CORRECTIONS {
            self.basic_rates(q);
            let hold = &mut self.hold;
            hold.rates[count..].copy_from_slice(&hold.aims[count..]);
            self.basis.complete(&mut hold.rates);
            hold.rates[..count].iter_mut().zip(&hold.aims).for_each(|(x, aim)| *x -= aim);
            self.basis.spread(&mut hold.rates, &hold.weights);
            hold.rates.iter_mut().zip(&hold.aims).for_each(|(x, aim)| *x += aim);
            for ((aim, bound), x) in hold.aims.iter_mut().zip(&hold.bounds).zip(&hold.rates) {
                if *bound != 0.0 {
                    *aim += bound - x;
                }
            }
        }
    }

    /// dP_n of contact `c` for driving rates `q`.
    fn normal_rate(&self, c: usize, q: &[f64]) -> f64 {
        self.local.find(self.scaled.contacts[c].normal).and_then(|a| q.get(a)).copied().unwrap_or(0.0)
    }

    /// Share of its static limit that contact `c` uses, for the rates of the
    /// last call of [`spread_rates`](Self::spread_rates) with the same `q`.
    /// Of rates, `doubt` does not count.
    pub fn share(&self, c: usize, q: &[f64], doubt: f64) -> f64 {
        let contact = &self.scaled.contacts[c];
        let force = self.normal_rate(c, q);
        let mut sum = 0.0_f64;
        for k in 0..contact.tangents {
            let rate = self.hold.rates[self.hold.slot[contact.tangent + k]].abs() - doubt;
            if rate > 0.0 {
                sum = sum.hypotenuse(rate / (contact.fixed[k] * force));
            }
        }
        sum
    }

    /// Largest share among sticking contacts of the convex problem.
    fn largest_share(&self, q: &[f64]) -> f64 {
        let cones = self.hold.stuck.iter().filter(|s| self.in_cone(s.1));
        cones.map(|&(_, c)| self.share(c, q, 0.0)).fold(0.0, f64::max)
    }

    /// Sets up the convex problem of the sticking contacts with two tangents (and of those that hold together with them),
    /// in units of the largest of the driving rates `q`, with static limits.
    fn load_cones(&mut self, q: &[f64]) {
        self.basic_rates(q);
        let unit = unit(q);
        self.cones.cones.clear();
        for k in 0..self.hold.stuck.len() {
            let c = self.hold.stuck[k].1;
            if self.in_cone(c) {
                let (force, contact) = (self.normal_rate(c, q) / unit, &self.scaled.contacts[c]);
                self.cones.cones.push(Cone { contact: c, force, friction: contact.along_tangents(contact.fixed) });
            }
        }

        let outside = |row: usize| !matches!(self.scaled.role[row], Role::Tangent(c) if self.in_cone(c));
        let skip = self.basis.independent.iter().take_while(|&&row| outside(row)).count();
        let width = self.basis.independent.len() - skip;
        let size = 2 * self.cones.cones.len();
        self.cones.coordinates.clear();
        self.cones.coordinates.resize(size * width, 0.0);
        self.cones.drive.clear();
        self.cones.drive.resize(width, 0.0);
        for (i, line) in self.cones.coordinates.chunks_exact_mut(width.max(1)).enumerate() {
            let contact = &self.scaled.contacts[self.cones.cones[i / 2].contact];
            if i % 2 == contact.tangents {
                // A second tangent that there is not: nothing moves along it.
                continue;
            }
            let slot = self.hold.slot[contact.tangent + i % 2];
            self.basis.coordinates(slot, skip, line);
            // The basic rates x hold: 0 = z₀ + Lᵀx.
            let rate = self.hold.rates[slot] / unit;
            self.cones.drive.iter_mut().zip(line).for_each(|(z, l)| *z -= rate * *l);
        }
    }

    /// Whether the convex problem decides about contact `c`.
    pub fn in_cone(&self, c: usize) -> bool {
        self.hold.shared || self.scaled.contacts[c].tangents == 2
    }

    /// The least of 1 − share of the static limit and of the clutches' rates,
    /// a little beyond what [`settle`](super::impact::Impact::settle) decides by.
    pub fn margin(&mut self, q: &[f64]) -> f64 {
        let largest = q[..self.local.drivers.len()].iter().fold(0.0_f64, |m, q| m.max(*q));
        let slack = 2.0 * (friction::LIMIT - 1.0);
        if largest == 0.0 {
            return 1.0;
        }
        self.spread_least(q);
        let mut margin = f64::INFINITY;
        for &(_, c) in &self.hold.stuck {
            let contact = &self.scaled.contacts[c];
            if !self.in_cone(c) {
                // Where a contact opens both may be round-off; a reaction that
                // is not cannot be held.
                let reaction = self.hold.rates[self.hold.slot[contact.tangent]].abs();
                if self.normal_rate(c, q) > 1e-12 * largest || reaction > 1e-10 * largest {
                    // Twice what the decision leaves out of account.
                    let share = self.share(c, q, 2.0 * rate::NO_RATE * largest);
                    margin = margin.min((1.0 - share).max(-1.0));
                }
            }
        }
        for &row in self.scaled.clutches.iter().filter(|&&row| self.locked[row]) {
            margin = margin.min(self.hold.rates[self.hold.slot[row]] / largest);
        }
        let share = self.largest_share(q);
        if share > 1.0 {
            self.load_cones(q);
            self.cones.solve();
            // As long as they can be held nothing moves, and beyond that more and more: a line leads back to where it began.
            let moves = self.cones.fastest() / (2.0 * rate::NO_ACCELERATION);
            margin = margin.min(-slack * moves);
        } else {
            margin = margin.min(1.0 - share);
        }
        margin.min(1.0) + slack
    }

    /// Lets go of contacts of the convex problem that cannot be held, worst first,
    /// to slide as the convex problem says. Returns whether there were any.
    ///
    /// They get a first velocity far below what counts as rest, proportional to
    /// their accelerations: at rest friction would have no direction.
    pub fn let_go(&mut self, problem: &ImpactProblem, q: &[f64]) -> bool {
        self.hold.decided = true;
        if self.largest_share(q) <= 1.0 {
            return false;
        }
        let mut shares = std::mem::take(&mut self.hold.shares);
        shares.clear();
        self.spread_least(q);
        self.load_cones(q);
        shares.extend(self.cones.cones.iter().map(|cone| self.share(cone.contact, q, 0.0)));
        self.cones.solve();
        if self.cones.fastest() <= rate::NO_ACCELERATION {
            self.hold.shares = shares;
            return false;
        }
        while let Some(worst) = (0..shares.len())
            .filter(|&k| self.is_static(k) && self.cones.slides(k))
            .max_by(|&i, &j| shares[i].total_cmp(&shares[j]))
        {
            self.cones.cones[worst].friction = self.kinetic(worst);
            self.cones.solve();
        }
        self.hold.shares = shares;
        let contradicts = |k: usize| {
            let contact = &self.scaled.contacts[self.cones.cones[k].contact];
            contact.kinetic != contact.fixed && !self.is_static(k) && !self.cones.slides(k)
        };
        // What was let go does not move: kinetic limits for all decide.
        if (0..self.cones.cones.len()).any(contradicts) {
            for k in 0..self.cones.cones.len() {
                self.cones.cones[k].friction = self.kinetic(k);
            }
            self.cones.solve();
        }
        let factor = speed::FIRST / self.cones.fastest();
        let cones = std::mem::take(&mut self.cones);
        self.hold.kick.clear();
        self.hold.kick.resize(self.gamma.len(), 0.0);
        let mut any = false;
        for (k, cone) in cones.cones.iter().enumerate() {
            let contact = &self.scaled.contacts[cone.contact];
            let speed = cones.speed_up(k);
            if cones.slides(k) && speed > speed::HARDLY * cones.fastest() {
                let direction = [0, 1].map(|i| cones.acceleration[2 * k + i] / speed);
                self.contacts[cone.contact].grip = if contact.tangents == 2 {
                    Grip::Slide { direction, slow: true }
                } else {
                    Grip::Slip(direction[0])
                };
                for i in 0..contact.tangents {
                    self.hold.kick[contact.tangent + i] = factor * cones.acceleration[2 * k + i];
                }
                any = true;
            }
        }
        self.cones = cones;
        if any {
            let kick = std::mem::take(&mut self.hold.kick);
            self.bring(problem, |row| kick[row]);
            self.hold.kick = kick;
        }
        any
    }

    /// Whether cone `k` still has a static limit above its kinetic one.
    fn is_static(&self, k: usize) -> bool {
        self.cones.cones[k].friction != self.kinetic(k)
    }

    /// Kinetic friction of cone `k`.
    fn kinetic(&self, k: usize) -> [f64; 2] {
        let contact = &self.scaled.contacts[self.cones.cones[k].contact];
        contact.along_tangents(contact.kinetic)
    }
}

/// The largest of the driving rates.
fn unit(q: &[f64]) -> f64 {
    q.iter().fold(f64::MIN_POSITIVE, |m, q| m.max(q.abs()))
}
