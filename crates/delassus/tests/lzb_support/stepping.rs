//! A third method for the law `lzb`, without phases or events: time stepping of
//! the differential inclusion
//!
//! ```text
//! M du = W_n p(δ) dτ + W_t f dτ,   f ∈ −μ p sgn(W_tᵀu),   dδ = −c(v) v dτ,   δ ≥ 0
//! ```
//!
//! with implicit friction, solved by projected relaxation. Of first order. A
//! contact that did not slip in the last step has its static limit, one that
//! did its kinetic one.

#![allow(dead_code)]

use super::reference::Reference;

fn dot(w: &[f64], u: &[f64]) -> f64 {
    w.iter().zip(u).map(|(a, b)| a * b).sum()
}

/// The motion under way.
pub struct Motion<'a> {
    problem: &'a Reference,
    h: f64,
    pub u: Vec<f64>,
    pub delta: Vec<f64>,
    friction: Vec<f64>,
    slips: Vec<bool>,
    steps: usize,
}

/// u⁺ by steps of length `h`. `None` if the impact does not end.
pub fn step_through(problem: &Reference, h: f64) -> Option<Vec<f64>> {
    let mut motion = Motion::new(problem, h);
    motion.run(100.0).then_some(motion.u)
}

impl<'a> Motion<'a> {
    pub fn new(problem: &'a Reference, h: f64) -> Self {
        let count = problem.contacts.len();
        let (u, zeros) = (problem.velocity.clone(), vec![0.0; count]);
        Self { problem, h, u, delta: zeros.clone(), friction: zeros, slips: vec![true; count], steps: 0 }
    }

    /// Goes on for `time`. Returns whether all contacts have opened.
    pub fn run(&mut self, time: f64) -> bool {
        (0..(time / self.h) as usize).any(|_| !self.step())
    }

    fn push(&mut self, w: &[f64], impulse: f64) {
        self.u.iter_mut().zip(w).zip(&self.problem.mass).for_each(|((u, w), m)| *u += w * impulse / m);
    }

    /// Energy in the springs.
    pub fn energy(&self) -> f64 {
        let power = self.problem.exponent + 1.0;
        let contacts = self.problem.contacts.iter().zip(&self.delta);
        contacts.map(|(c, d)| c.stiffness * d.powf(power) / power).sum()
    }

    /// One step. Returns whether a contact is still closed.
    fn step(&mut self) -> bool {
        let (contacts, h) = (&self.problem.contacts, self.h);
        let normal: Vec<f64> =
            contacts.iter().zip(&self.delta).map(|(c, d)| h * c.stiffness * d.powf(self.problem.exponent)).collect();
        for (c, impulse) in contacts.iter().zip(&normal) {
            self.push(&c.normal, *impulse);
        }
        let free = self.u.clone();
        loop {
            let limit = |j: usize, slips: &[bool]| {
                normal[j] * if slips[j] { contacts[j].friction } else { contacts[j].friction_static }
            };
            let limits: Vec<f64> = (0..contacts.len()).map(|j| limit(j, &self.slips)).collect();
            self.u.copy_from_slice(&free);
            self.relax(&limits);
            // Break-away: from the static to the kinetic limit.
            let breaks = |j: &usize| {
                let c = &contacts[*j];
                !self.slips[*j]
                    && c.friction_static > c.friction
                    && limits[*j] > 0.0
                    && self.friction[*j].abs() >= limits[*j]
            };
            if let Some(j) = (0..contacts.len()).find(breaks) {
                self.slips[j] = true;
                continue;
            }
            for (j, &limit) in limits.iter().enumerate() {
                self.slips[j] = limit == 0.0 || self.friction[j].abs() >= limit;
            }
            break;
        }
        let mut closed = false;
        for (j, c) in contacts.iter().enumerate() {
            let v = dot(&c.normal, &self.u);
            let factor = if v > 0.0 { c.restitution.powi(-2) } else { 1.0 };
            // Half a step ahead of u, so that normal forces are of second order.
            let length = if self.steps == 0 { 1.5 * h } else { h };
            self.delta[j] = (self.delta[j] - factor * v * length).max(0.0);
            closed |= self.delta[j] > 0.0;
        }
        self.steps += 1;
        closed
    }

    /// Friction within its limits, by the method of Gauss and Seidel from the
    /// forces of the last step.
    fn relax(&mut self, limits: &[f64]) {
        let contacts = &self.problem.contacts;
        let own = |w: &[f64]| w.iter().zip(&self.problem.mass).map(|(w, m)| w * w / m).sum::<f64>();
        let rough: Vec<(usize, f64)> = (contacts.iter().enumerate().filter(|(_, c)| !c.tangent.is_empty()))
            .map(|(j, c)| (j, own(&c.tangent)))
            .collect();
        for &(j, _) in &rough {
            self.friction[j] = self.friction[j].clamp(-limits[j], limits[j]);
            self.push(&contacts[j].tangent, self.friction[j]);
        }
        for _ in 0..500 {
            let mut change = 0.0_f64;
            for &(j, own) in &rough {
                let tangent = &contacts[j].tangent;
                let wanted = (self.friction[j] - dot(tangent, &self.u) / own).clamp(-limits[j], limits[j]);
                let step = wanted - self.friction[j];
                self.push(tangent, step);
                change = change.max(step.abs());
                self.friction[j] = wanted;
            }
            if change < 1e-9 * self.h {
                break;
            }
        }
    }
}
