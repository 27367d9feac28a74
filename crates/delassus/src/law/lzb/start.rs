//! How an impact starts when no contact approaches.

use crate::elementary::Elementary;
use crate::problem::ImpactProblem;

use super::impact::{Buffers, Impact};
use super::state::{Grip, Phase};
use super::thresholds::{rate, speed};

impl Impact<'_> {
    /// An external impulse acts first, together with the reactions of joints
    /// and clutches to it: 0 ≤ Λ_k ⟂ γ_k ≥ 0.
    pub fn react_to_external(&mut self) {
        if self.problem.external_impulse().is_none() {
            return;
        }
        let problem = self.problem;
        let data = &mut *self.data;
        data.locked.fill(false);
        let most = 4 * data.scaled.clutches.len() + 4;
        for _ in 0..most {
            data.hold.rows.clear();
            data.hold.rows.extend_from_slice(&data.scaled.joints);
            data.hold.rows.extend(data.scaled.clutches.iter().filter(|&&row| data.locked[row]));
            data.basis.build(problem, &data.scaled, &data.hold.rows);
            let rows = std::mem::take(&mut data.basis.independent);
            let gamma = &data.gamma;
            data.hold.rates.clear();
            data.hold.rates.extend_from_slice(data.basis.solve(rows.iter().map(|&row| -gamma[row])));
            data.basis.independent = rows;

            // The worst offence first: a pulling clutch, or one that closes.
            let after = |row: usize| {
                let change: f64 = (data.basis.independent.iter().zip(&data.hold.rates))
                    .map(|(&other, x)| data.scaled.operator(problem, row, other) * x)
                    .sum();
                data.gamma[row] + change
            };
            let offence = |row: usize| {
                if data.locked[row] {
                    let place = data.basis.independent.iter().position(|&other| other == row);
                    place.map_or(0.0, |i| data.hold.rates[i])
                } else {
                    after(row)
                }
            };
            let worst = data.scaled.clutches.iter().copied().min_by(|&a, &b| offence(a).total_cmp(&offence(b)));
            match worst.filter(|&row| offence(row) < -speed::SLOW) {
                Some(row) => data.locked[row] = !data.locked[row],
                None => break,
            }
        }
        for i in 0..data.basis.independent.len() {
            let (row, rate) = (data.basis.independent[i], data.hold.rates[i]);
            data.add_impulse(problem, row, rate);
        }
    }

    /// Impact without collision (Painlevé): a contact with v = 0 whose v would
    /// decrease under its own force in its own slip mode counts as
    /// approaching. The path leaves v = 0 along
    ///
    /// ```text
    /// v = −aP,   ½v² = a k δ^{η+1}/(η+1),   a = −dv/dP > 0,
    /// ```
    ///
    /// exactly, as long as the mode lasts; it is joined a little way on.
    /// Returns whether such a contact was found.
    pub fn start_without_approach(&mut self) -> bool {
        for c in 0..self.data.contacts.len() {
            let contact = self.data.scaled.contacts[c];
            let before = self.data.contacts[c];
            let closed = before.phase == Phase::Idle || before.phase == Phase::Gap && before.delta >= 0.0;
            if contact.tangents == 0 || !closed || self.data.gamma[contact.normal].abs() > speed::SLOW {
                continue;
            }
            self.compress(c);
            self.settle();
            if self.data.contacts[c].grip != Grip::Stick && self.data.leave_rest(c) {
                self.data.step.load(&self.data.local, &self.data.scaled, &self.data.contacts, &self.data.gamma);
                return true;
            }
            self.data.contacts[c] = before;
            self.drop_idle();
        }
        false
    }
}

impl Buffers {
    /// Adds an impulse to a row and its effect to all velocities.
    fn add_impulse(&mut self, problem: &ImpactProblem, row: usize, impulse: f64) {
        self.impulse[row] += impulse;
        let factor = impulse * self.scaled.units.inverse[row];
        problem.operator().for_row(row, |j, g| self.gamma[j] += factor * g * self.scaled.units.inverse[j]);
    }

    /// Moves contact `c` a little way along the path that leaves v = 0, if
    /// there is one in its present slip mode.
    fn leave_rest(&mut self, c: usize) -> bool {
        let contact = self.scaled.contacts[c];
        let Some(a) = self.local.find(contact.normal) else { return false };
        let q = &mut self.hold.onset;
        q.clear();
        q.resize(self.local.rates, 0.0);
        q[a] = 1.0;
        if let (Some(slide), Grip::Slide { direction, .. }) =
            (self.local.slides.iter().find(|s| s.driver == a), self.contacts[c].grip)
        {
            let [m1, m2] = contact.kinetic;
            let norm = (m1 * direction[0]).hypotenuse(m2 * direction[1]);
            q[slide.rate] = -m1 * m1 * direction[0] / norm;
            q[slide.rate + 1] = -m2 * m2 * direction[1] / norm;
        }
        let slope = -self.local.response.dot(a, q);
        if slope.is_nan() || slope <= rate::UNSTABLE {
            return false;
        }
        let tangents = contact.tangent..contact.tangent + contact.tangents;
        let sliding = tangents.clone().fold(0.0_f64, |speed, row| speed.hypotenuse(self.gamma[row]));
        let speed = speed::JOIN * sliding;
        let impulse = speed / slope;
        let power = self.scaled.exponent + 1.0;
        self.contacts[c].delta = (speed * speed * power / (2.0 * slope * contact.stiffness)).power(1.0 / power);
        let mut before = [(0.0, 0.0); 2];
        for (old, row) in before.iter_mut().zip(tangents.clone()) {
            *old = (self.gamma[row], self.impulse[row]);
        }
        for (rate, &q) in self.hold.onset.iter().enumerate() {
            for &(row, value) in self.local.reaction(rate) {
                self.impulse[row] += value * q * impulse;
            }
        }
        for (p, &row) in self.local.rows.iter().enumerate() {
            self.gamma[row] += self.local.response.dot(p, &self.hold.onset) * impulse;
        }
        for (row, (v, lambda)) in tangents.zip(before) {
            self.contacts[c].account.friction += 0.5 * (v + self.gamma[row]) * (self.impulse[row] - lambda);
        }
        true
    }
}
