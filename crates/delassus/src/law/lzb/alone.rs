//! One contact that pushes alone: to its next event in closed form.
//!
//! All velocities are then linear in the impulse Q of this contact, and its energy is quadratic, whatever the force law:
//!
//! ```text
//! γ_p = γ_p⁰ + H_p Q        E = E⁰ − c (v⁰ Q + ½ H_v Q²)
//! ```
//!
//! Every event is a zero of one of these, and shares of friction limits do not change between them. Where an event is
//! too close to tell by round-off what comes first, the steps of [`Impact::advance`] decide.

use super::impact::{Buffers, Impact};
use super::scaled::Role;
use super::state::{Grip, Phase};
use super::thresholds::{rate, speed};

/// A velocity counts as clearly above zero from here on.
const CLEAR: f64 = 10.0 * speed::SLOW;

impl Impact<'_> {
    /// Goes to the next event as the attempted step, if one contact pushes alone and it is clear what comes next.
    /// Returns the length of this step, estimated: no answer depends on it where gaps are forgotten.
    pub fn leap(&mut self) -> Option<f64> {
        // A path that is drawn needs points, and another attempt at a lost impact other steps.
        if self.longest.is_finite() {
            return None;
        }
        let touch = self.touch;
        let data = &mut *self.data;
        let impulse = data.next_event()?;
        let h = data.step.leap(&data.local, &data.scaled, impulse)?;
        data.scan(h, touch, None);
        let undecided = data.hold.dip.is_some() || data.events.iter().any(|e| e.passed());
        data.events.retain(|e| e.reached() || e.late());
        (!undecided && !data.events.is_empty()).then_some(h)
    }
}

impl Buffers {
    /// The impulse of the only pushing contact at which something changes.
    fn next_event(&self) -> Option<f64> {
        let (&[c], 1, []) = (&self.local.drivers[..], self.local.rates, &self.scaled.clutches[..]) else { return None };
        let (v, slope) = (self.step.gamma[0], self.local.response.get(0, 0));
        let mut first = match self.contacts[c].phase {
            Phase::Compression if v < -CLEAR => {
                if slope > rate::NO_RATE {
                    -v / slope
                } else {
                    f64::INFINITY
                }
            }
            Phase::Expansion if v > -speed::SLOW => {
                let energy = self.scaled.energy(c, self.step.delta(0)) / self.step.factor(0);
                let speed = v * v + 2.0 * slope * energy;
                // Without enough energy to open, v comes back to zero.
                if speed > 0.0 { 2.0 * energy / (v.max(0.0) + speed.sqrt()) } else { -v / slope }
            }
            _ => return None,
        };
        for p in 1..self.local.rows.len() {
            let sign = match self.scaled.role[self.local.rows[p]] {
                Role::Normal(_) => 1.0,
                Role::Tangent(t) if t == c && self.local.rows[p] == self.scaled.contacts[c].tangent => {
                    match self.contacts[c].grip {
                        Grip::Slip(sign) => sign,
                        _ => continue,
                    }
                }
                _ => continue,
            };
            let (v, slope) = (sign * self.step.gamma[p], sign * self.local.response.get(p, 0));
            if v > CLEAR && slope < 0.0 {
                first = first.min(-v / slope);
            } else if v <= CLEAR && slope < -rate::NO_RATE {
                return None;
            }
        }
        (first > 0.0 && first.is_finite()).then_some(first)
    }
}

#[cfg(test)]
mod tests {
    use super::super::Lzb;
    use super::super::thresholds::step;
    use crate::answer::{LawAnswer, Options};
    use crate::law::Buffers;
    use crate::problem::{ContactData, ImpactProblem, ProblemData};
    use crate::{Direction, Mass};

    /// Uniform in [low, high], by a linear congruential generator.
    fn within(state: &mut u64, low: f64, high: f64) -> f64 {
        *state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        low + (high - low) * (*state >> 11) as f64 / (1u64 << 53) as f64
    }

    /// A planar body that touches at up to three points, some of them at rest.
    fn body(state: &mut u64) -> ImpactProblem {
        let mut draw = |low, high| within(state, low, high);
        let mut data = ProblemData::new(
            Mass::diagonal(vec![1.0, 1.0, draw(0.05, 1.0)]).unwrap(),
            vec![draw(-1.0, 1.0), draw(-1.0, 0.2), draw(-1.0, 1.0)],
        );
        for i in 0..1 + draw(0.0, 3.0) as usize {
            let (x, y) = (draw(-1.0, 1.0), draw(-1.0, -0.2));
            let normal = Direction::Dense(vec![0.0, 1.0, x]);
            let mut contact = ContactData::new(format!("c{i}"), normal)
                .restitution(if draw(0.0, 1.0) < 0.2 { 0.0 } else { draw(0.1, 1.0) })
                .stiffness(draw(0.3, 3.0));
            if draw(0.0, 1.0) < 0.8 {
                contact = contact.tangent(Direction::Dense(vec![1.0, 0.0, -y])).friction(draw(0.0, 1.2));
            }
            data.contacts.push(contact);
        }
        ImpactProblem::new(data).unwrap()
    }

    #[test]
    fn closed_form_and_steps_agree() {
        let mut state = 5;
        let (mut saved, mut impacts) = (0, 0);
        for round in 0..600 {
            let problem = body(&mut state);
            let law = Lzb { exponent: [1.0, 1.5, 2.2][round % 3], ..Lzb::default() };
            let follow = |attempts: &[f64]| {
                let mut answer = LawAnswer::default();
                law.follow(&problem, &Options::default(), attempts, &mut Buffers::default(), &mut answer);
                answer
            };
            let (leaps, steps) = (follow(&step::LONGEST), follow(&step::LONGEST[1..2]));
            assert_eq!(leaps.status, steps.status, "body {round}");
            for (i, (a, b)) in leaps.impulses.iter().zip(&steps.impulses).enumerate() {
                assert!((a - b).abs() < 1e-9, "body {round}, row {i}: {a} and {b}");
            }
            if steps.stats.iterations > 0 {
                impacts += 1;
                saved += usize::from(10 * leaps.stats.iterations < steps.stats.iterations);
            }
        }
        assert!(impacts > 300 && 3 * saved > impacts, "{saved} of {impacts} impacts are shorter");
    }
}
