//! Slides in space that begin from rest.
//!
//! Friction turns the velocity γ_T of a slide towards where its acceleration points, at the rate μλ_N/(m|γ_T|): where it
//! begins with static friction at its limit, |γ_T| grows as the square of time and that rate is so large that steps could not
//! follow it. So slow a slide has its limit: the direction d in which friction leaves an acceleration along d. It is wrong
//! by about |γ_T| ω₀ / (μλ_N/m), and used up to where that is a millionth.

use super::dynamics::Dynamics;
use super::mode::{ContactMode, along};
use super::thresholds::{count, force};
use crate::elementary::Elementary;

/// Buffers, reused.
#[derive(Debug, Clone, Default)]
pub(super) struct Creep {
    /// The contacts that creep.
    contacts: Vec<usize>,
    /// Accelerations across their directions, and those of the correction before.
    aside: Vec<f64>,
    last: Vec<f64>,
}

impl Dynamics<'_> {
    /// Turns the directions of slides from rest to where friction leaves accelerations along them, for the state of the
    /// last evaluation.
    pub fn lead(&mut self, t: f64, q: &[f64], u: &[f64]) {
        let mut creep = std::mem::take(&mut self.creep);
        let slips = |c: &usize| self.creeping[*c] && matches!(self.mode.contacts[*c], ContactMode::Slip(_));
        creep.contacts.clear();
        creep.contacts.extend((0..self.creeping.len()).filter(slips));
        if !creep.contacts.is_empty() {
            self.lead_contacts(&mut creep, t, q, u);
        }
        self.creep = creep;
    }

    /// Where a mode is looked for, after its evaluation: a slide that moves already (`slides`) and that the mode slows down
    /// does not begin from rest, and friction opposes its own velocity. Evaluates again where there is such.
    pub fn follow(&mut self, slides: impl Fn(usize) -> bool, t: f64, q: &[f64], u: &[f64]) {
        for _ in 0..self.creeping.len() {
            let mut any = false;
            for c in 0..self.creeping.len() {
                let ContactMode::Slip(direction) = self.mode.contacts[c] else { continue };
                if self.creeping[c] && slides(c) && along(direction, self.contact_acceleration(c, t, q, u)) < 0.0 {
                    (self.creeping[c], self.slow[c], any) = (false, 0.0, true);
                }
            }
            if !any {
                return;
            }
            self.evaluate(t, q, u);
        }
    }

    fn lead_contacts(&mut self, creep: &mut Creep, t: f64, q: &[f64], u: &[f64]) {
        let Creep { contacts, aside, last } = creep;
        // Corrections are scaled by what the last one did (Aitken).
        let mut factor = 1.0;
        last.clear();
        for _ in 0..count::TURNS {
            aside.clear();
            for &c in contacts.iter() {
                let ContactMode::Slip([x, y]) = self.mode.contacts[c] else { continue };
                let acceleration = self.contact_acceleration(c, t, q, u);
                aside.push(x * acceleration[2] - y * acceleration[1]);
            }
            let worst = aside.iter().fold(0.0f64, |m, a| m.max(a.abs()));
            if !worst.is_finite() || worst <= force::DIRECTION * self.unit {
                return;
            }
            let change: f64 = aside.iter().zip(last.iter()).map(|(a, b)| (a - b) * (a - b)).sum();
            if change > 0.0 {
                factor *= -last.iter().zip(aside.iter()).map(|(b, a)| b * (a - b)).sum::<f64>() / change;
            }
            for (&c, aside) in contacts.iter().zip(aside.iter()) {
                if let ContactMode::Slip([x, y]) = self.mode.contacts[c] {
                    let turn = (factor * aside / self.unit).clamp(-count::LARGEST_TURN, count::LARGEST_TURN);
                    let (sine, cosine) = turn.sine_cosine();
                    self.mode.contacts[c] = ContactMode::Slip([cosine * x - sine * y, sine * x + cosine * y]);
                }
            }
            std::mem::swap(aside, last);
            self.evaluate_mode(t, q, u);
        }
    }
}
