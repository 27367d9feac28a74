//! Slides in space that begin from rest.
//!
//! Friction turns the velocity γ_T of a slide towards where its acceleration points, at the rate μλ_N/(m|γ_T|): where it
//! begins with static friction at its limit, |γ_T| grows as the square of time and that rate is so large that steps could not
//! follow it. So slow a slide has its limit: the direction d in which friction leaves an acceleration along d. It is wrong
//! by about |γ_T| ω₀ / (μλ_N/m), and used up to where that is a millionth.

use super::dynamics::Dynamics;
use super::mode::{ContactMode, sliding};
use super::run::Runner;
use crate::elementary::Elementary;

/// Speeds up to this part of acceleration over rate are slow.
const CREEP: f64 = 1e-6;
/// The direction is found where the acceleration across it is this part of the accelerations.
const FOUND: f64 = 1e-12;
/// So often it is corrected.
const CORRECTIONS: usize = 20;
/// By so much at once \[rad\].
const LARGEST: f64 = 0.5;

impl Dynamics<'_> {
    /// Turns the directions of slides from rest to where friction leaves accelerations along them, for the state of the
    /// last evaluation.
    pub fn lead(&mut self, t: f64, q: &[f64], u: &[f64]) {
        let slips = |c: &usize| self.creeping[*c] && matches!(self.mode.contacts[*c], ContactMode::Slip(_));
        let creeping: Vec<usize> = (0..self.creeping.len()).filter(slips).collect();
        if creeping.is_empty() {
            return;
        }
        // Corrections are scaled by what the last one did (Aitken).
        let (mut factor, mut last) = (1.0, Vec::<f64>::new());
        for _ in 0..CORRECTIONS {
            let mut aside = Vec::with_capacity(creeping.len());
            for &c in &creeping {
                let ContactMode::Slip([x, y]) = self.mode.contacts[c] else { continue };
                let acceleration = self.contact_acceleration(c, t, q, u);
                aside.push(x * acceleration[2] - y * acceleration[1]);
            }
            let worst = aside.iter().fold(0.0f64, |m, a| m.max(a.abs()));
            if !worst.is_finite() || worst <= FOUND * self.unit {
                return;
            }
            let change: f64 = aside.iter().zip(&last).map(|(a, b)| (a - b) * (a - b)).sum();
            if change > 0.0 {
                factor *= -last.iter().zip(&aside).map(|(b, a)| b * (a - b)).sum::<f64>() / change;
            }
            for (&c, aside) in creeping.iter().zip(&aside) {
                if let ContactMode::Slip([x, y]) = self.mode.contacts[c] {
                    let (s, c_) = (factor * aside / self.unit).clamp(-LARGEST, LARGEST).sine_cosine();
                    self.mode.contacts[c] = ContactMode::Slip([c_ * x - s * y, s * x + c_ * y]);
                }
            }
            last = aside;
            self.evaluate_mode(t, q, u);
        }
    }
}

impl Runner<'_> {
    /// Marks slides that begin from rest, and those that are no longer slow.
    pub fn mark_creeping(&mut self) {
        let (zero, fast) = (self.still_speed(), CREEP * self.dynamics.unit / self.units.rate);
        for c in 0..self.slack.len() {
            let slips = matches!(self.dynamics.mode.contacts[c], ContactMode::Slip(_));
            let speed = if slips { sliding(self.approach(c).1) } else { f64::INFINITY };
            self.dynamics.creeping[c] = speed <= zero || self.dynamics.creeping[c] && speed <= fast;
        }
    }
}
