//! Motion of grounds and walls.

use super::Vec2;
use crate::error::{ImpactError, finite};

/// How a support moves, along one direction.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Motion {
    /// It stands still.
    #[default]
    None,
    /// d(t) = amplitude · sin(2π frequency t + phase), measured from d(0).
    Harmonic {
        /// Direction of the motion, of unit length.
        direction: [f64; 2],
        /// Amplitude \[m\].
        amplitude: f64,
        /// Frequency \[Hz\].
        frequency: f64,
        /// Phase \[rad\].
        phase: f64,
    },
    /// A recorded acceleration.
    Record {
        /// Direction of the motion, of unit length.
        direction: [f64; 2],
        /// The record.
        record: Record,
    },
}

/// Displacement, velocity and acceleration of a support.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Moved {
    pub position: Vec2,
    pub velocity: Vec2,
    pub acceleration: Vec2,
}

impl Moved {
    const STILL: Self =
        Self { position: Vec2::new(0.0, 0.0), velocity: Vec2::new(0.0, 0.0), acceleration: Vec2::new(0.0, 0.0) };
}

impl Motion {
    /// Whether it stands still.
    pub fn is_none(&self) -> bool {
        matches!(self, Self::None)
    }

    #[inline]
    pub(crate) fn at(&self, t: f64) -> Moved {
        let (direction, [d, v, a]) = match self {
            Self::None => return Moved::STILL,
            Self::Harmonic { direction, amplitude, frequency, phase } => {
                let w = std::f64::consts::TAU * frequency;
                let (s, c) = (w * t + phase).sin_cos();
                (direction, [amplitude * (s - phase.sin()), amplitude * w * c, -amplitude * w * w * s])
            }
            Self::Record { direction, record } => (direction, record.at(t)),
        };
        let direction = Vec2::new(direction[0], direction[1]);
        Moved { position: d * direction, velocity: v * direction, acceleration: a * direction }
    }
}

/// A recorded acceleration, linear between equally spaced samples and zero
/// after the last one; velocity and displacement start at zero and follow exactly.
#[derive(Debug, Clone, PartialEq)]
pub struct Record {
    interval: f64,
    acceleration: Vec<f64>,
    velocity: Vec<f64>,
    displacement: Vec<f64>,
}

impl Record {
    /// A record of `acceleration` \[m/s²\] every `interval` seconds.
    ///
    /// # Errors
    /// An interval that is not positive, no sample, non-finite samples.
    pub fn new(interval: f64, acceleration: Vec<f64>) -> Result<Self, ImpactError> {
        if !(interval.is_finite() && interval > 0.0) {
            return Err(ImpactError::new("interval", interval, "must be positive and finite"));
        }
        if acceleration.is_empty() {
            return Err(ImpactError::new("acceleration", "[]", "needs at least one sample"));
        }
        let (mut velocity, mut displacement) = (vec![0.0], vec![0.0]);
        for (i, &a) in acceleration.iter().enumerate() {
            finite(|| format!("acceleration[{i}]"), a)?;
            if i > 0 {
                let b = acceleration[i - 1];
                let (v, d) = (velocity[i - 1], displacement[i - 1]);
                velocity.push(v + 0.5 * interval * (a + b));
                displacement.push(d + interval * v + interval * interval * (2.0 * b + a) / 6.0);
            }
        }
        Ok(Self { interval, acceleration, velocity, displacement })
    }

    /// Time between samples \[s\].
    pub fn interval(&self) -> f64 {
        self.interval
    }

    /// Displacement, velocity, acceleration at time `t`.
    fn at(&self, t: f64) -> [f64; 3] {
        if t < 0.0 {
            return [0.0, 0.0, self.acceleration[0]];
        }
        let last = self.acceleration.len() - 1;
        let k = (t / self.interval) as usize;
        if k >= last {
            let (v, x) = (self.velocity[last], self.displacement[last]);
            return [x + v * (t - last as f64 * self.interval), v, 0.0];
        }
        let s = t - k as f64 * self.interval;
        let (a, slope) = (self.acceleration[k], (self.acceleration[k + 1] - self.acceleration[k]) / self.interval);
        let velocity = self.velocity[k] + s * (a + 0.5 * s * slope);
        let displacement = self.displacement[k] + s * (self.velocity[k] + s * (0.5 * a + s * slope / 6.0));
        [displacement, velocity, a + s * slope]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn record_integrates_a_ramp_exactly() {
        // a(t) = t up to t = 2: v = t²/2, d = t³/6.
        let record = Record::new(0.5, vec![0.0, 0.5, 1.0, 1.5, 2.0]).unwrap();
        for t in [0.0, 0.2, 0.5, 1.3, 1.99] {
            let [d, v, a] = record.at(t);
            assert!((a - t).abs() < 1e-14 && (v - t * t / 2.0).abs() < 1e-14 && (d - t.powi(3) / 6.0).abs() < 1e-14);
        }
        let [d, v, a] = record.at(3.0);
        assert!((d - (8.0 / 6.0 + 2.0)).abs() < 1e-14 && (v - 2.0).abs() < 1e-14 && a == 0.0);
    }

    #[test]
    fn harmonic_motion_starts_where_the_support_was_placed() {
        let motion = Motion::Harmonic { direction: [0.0, 1.0], amplitude: 0.1, frequency: 2.0, phase: 1.0 };
        assert_eq!(motion.at(0.0).position.y, 0.0);
        let h = 1e-6;
        let rate = (motion.at(0.3 + h).position.y - motion.at(0.3 - h).position.y) / (2.0 * h);
        assert!((rate - motion.at(0.3).velocity.y).abs() < 1e-8);
        let rate = (motion.at(0.3 + h).velocity.y - motion.at(0.3 - h).velocity.y) / (2.0 * h);
        assert!((rate - motion.at(0.3).acceleration.y).abs() < 1e-6);
    }
}
