//! Pulses of acceleration in closed form.

use std::f64::consts::{PI, TAU};

use super::Breaks;
use crate::elementary::Elementary;

/// A pulse: nothing before `start`, uniform motion after its end.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pulse {
    /// Its shape.
    pub shape: PulseShape,
    /// Largest acceleration \[m/s²\]; its sign turns the pulse around.
    pub acceleration: f64,
    /// Period T \[s\]; for Ricker's wavelet one over its frequency.
    pub period: f64,
    /// Time at which it begins \[s\].
    pub start: f64,
}

/// The shape of a pulse.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum PulseShape {
    /// a sin(2πt/T) over one period: the support moves on by aT²/(2π).
    OneSine,
    /// a cos(2πt/T) over one period: the support goes and comes back.
    OneCosine,
    /// Ricker's wavelet a (1 − 2x²) exp(−x²), x = π(t − 2.5 T)/T, over five periods; at both ends it is
    /// far below round-off.
    Ricker,
}

/// Ricker's wavelet is this many periods long on either side; beyond, it is below 1e-25 of its peak.
const HALF: f64 = 2.5;
/// Steps are at most this part of a period while the pulse lasts.
const STEPS: usize = 20;

impl Pulse {
    /// Displacement, velocity, acceleration at time `t`.
    pub(super) fn at(&self, t: f64) -> [f64; 3] {
        let Self { shape, acceleration: a, period, start } = *self;
        let s = t - start;
        if s < 0.0 {
            return [0.0; 3];
        }
        let w = TAU / period;
        let unit = a / w;
        match shape {
            PulseShape::OneSine if s >= period => [unit * period, 0.0, 0.0],
            PulseShape::OneSine => {
                let (sin, cos) = (w * s).sine_cosine();
                [unit * (s - sin / w), unit * (1.0 - cos), a * sin]
            }
            PulseShape::OneCosine if s >= period => [0.0; 3],
            PulseShape::OneCosine => {
                let (sin, cos) = (w * s).sine_cosine();
                // 1 − cos without loss of digits.
                let half = (0.5 * w * s).sine();
                [2.0 * unit / w * half * half, unit * sin, a * cos]
            }
            PulseShape::Ricker => {
                if s >= 2.0 * HALF * period {
                    return [0.0; 3];
                }
                let tau = s - HALF * period;
                let x = PI * tau / period;
                let bell = (-x * x).exponential();
                let start = (-(PI * HALF).powi(2)).exponential();
                let reach = 0.5 * (period / PI).powi(2);
                [a * reach * (start - bell), a * tau * bell, a * (1.0 - 2.0 * x * x) * bell]
            }
        }
    }

    fn length(&self) -> f64 {
        self.period * if self.shape == PulseShape::Ricker { 2.0 * HALF } else { 1.0 }
    }

    /// The time at which it ends.
    pub(crate) fn end(&self) -> f64 {
        self.start + self.length()
    }

    pub(super) fn next_break(&self, t: f64) -> f64 {
        let spacing = self.period / STEPS as f64;
        let count = (self.length() / spacing).round() as usize;
        let jumps = [self.shape == PulseShape::OneCosine; 2];
        Breaks { from: self.start, spacing, count, jumps }.after(t)
    }
}
