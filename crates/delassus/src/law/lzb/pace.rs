//! Steps of a clock that slows down with the slides.
//!
//! A slide of speed r turns at a rate of about μ dP_n/r, and comes to rest within about the inverse of that. In τ every
//! step towards rest is a fraction of the way that is left, and hardly more than a third of it. With
//!
//! ```text
//! dτ = dσ/(1 + c‖ρ‖)      ρ: the rates at which slides turn
//! ```
//!
//! the last part of the way has no end but is as smooth as any other: velocities fall exponentially in σ. The equations
//! do not name τ, so that only rates are multiplied. What happens between slides that stop needs no shorter steps
//! afterwards either, as steps in τ are remembered apart from those in σ.

use super::local::Local;
use super::scaled::Scaled;
use super::step::{Course, Sliding, Step};
use super::tableau::{A, B, E3, E5, STAGES, combine};
use super::thresholds::step;

impl Sliding {
    /// The rate at which it turns towards its direction, at the velocity `v` and with the rate `force` of the normal impulse.
    pub fn turning(&self, v: [f64; 2], force: f64) -> f64 {
        let [x, y] = [self.friction[0] * v[0], self.friction[1] * v[1]];
        force * self.response / (x * x + y * y).sqrt()
    }
}

impl Step {
    /// dτ/dσ where slides turn at these rates; smooth in them, and led by the largest.
    fn pace(&self, turning: impl Iterator<Item = f64>) -> f64 {
        let sum: f64 = turning.map(|rate| (rate * rate) * (rate * rate)).sum();
        1.0 / (1.0 + step::CLOCK * (sum + self.drift.turning).sqrt().sqrt())
    }

    /// dτ/dσ at the beginning.
    pub fn pace_begin(&self) -> f64 {
        let turning =
            |slide: &Sliding| slide.turning([0, 1].map(|k| self.gamma[slide.rate + k]), self.driving()[slide.driver]);
        self.pace(self.slidings.iter().map(turning))
    }

    /// dτ/dσ at the end of the attempted step.
    pub(super) fn pace_end(&self) -> f64 {
        let turning = |slide: &Sliding| {
            slide.turning([0, 1].map(|k| self.gamma_end[slide.rate + k]), self.driving_end()[slide.driver])
        };
        self.pace(self.slidings.iter().map(turning))
    }

    /// Fills the states and slopes of a step of length `h`, whose first ones are known, and notes the velocities of slides.
    pub(super) fn stages_by_clock(
        &mut self,
        local: &Local,
        scaled: &Scaled,
        h: f64,
        states: &mut [f64],
        slopes: &mut [f64],
        noted: &mut Vec<[f64; 2]>,
    ) {
        let width = self.width;
        for i in 1..STAGES {
            self.drift_to(A[i].iter().map(|&(j, a)| a * self.paces[j]).sum());
            let (known, rest) = slopes.split_at_mut(i * width);
            let (state, rate) = (&mut states[i * width..(i + 1) * width], &mut rest[..width]);
            combine(&self.begin, known, A[i], state);
            let before = noted.len();
            self.rates_noting(local, scaled.power, state, rate, 1.0, noted);
            let force = |slide: &Sliding| rate[self.offset + slide.driver];
            let turning = self.slidings.iter().zip(&noted[before..]).map(|(slide, &v)| slide.turning(v, force(slide)));
            let factor = h * self.pace(turning);
            rate.iter_mut().for_each(|x| *x *= factor);
            self.paces[i] = factor;
        }
    }

    /// Whether the slide that turns fastest becomes slower; and the rate at which it turns.
    pub fn fastest_turn(&self, local: &Local) -> (f64, bool) {
        let mut fastest = (0.0, false);
        for slide in &self.slidings {
            let v = [0, 1].map(|k| self.gamma[slide.rate + k]);
            let turning = slide.turning(v, self.driving()[slide.driver]);
            if turning > fastest.0 {
                let along = |k: usize| v[k] * local.response.dot(slide.rate + k, self.driving());
                fastest = (turning, along(0) + along(1) < 0.0);
            }
        }
        fastest
    }

    /// Errors of order 5 and 3 of τ, where others than those that are followed move by it.
    pub(super) fn errors_of_time(&self) -> (f64, f64) {
        if self.course != Course::Clock || !self.drift.acts() {
            return (0.0, 0.0);
        }
        let sum = |weights: &[f64]| -> f64 { B.iter().zip(weights).map(|(&(i, _), e)| e * self.paces[i]).sum() };
        (sum(&E5).abs(), sum(&E3).abs())
    }

    /// How long the attempted step of length `h` takes, in τ.
    pub fn duration(&self, h: f64) -> f64 {
        if self.course != Course::Clock {
            return h;
        }
        B.iter().map(|&(i, b)| b * self.paces[i]).sum()
    }
}
