//! Recorded accelerations.

use super::Breaks;
use crate::error::{ImpactError, finite};

/// Standard gravity, the unit g of records \[m/s²\].
pub const STANDARD_GRAVITY: f64 = 9.80665;

/// A unit of acceleration in which records are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum AccelerationUnit {
    /// Standard gravity, 9.80665 m/s².
    #[cfg_attr(feature = "serde", serde(rename = "g"))]
    G,
    /// m/s².
    #[cfg_attr(feature = "serde", serde(rename = "m/s2"))]
    Metre,
    /// cm/s².
    #[cfg_attr(feature = "serde", serde(rename = "cm/s2"))]
    Centimetre,
    /// Gal, another name of cm/s².
    #[cfg_attr(feature = "serde", serde(rename = "gal"))]
    Gal,
    /// mm/s².
    #[cfg_attr(feature = "serde", serde(rename = "mm/s2"))]
    Millimetre,
}

impl AccelerationUnit {
    /// All units.
    pub const ALL: [Self; 5] = [Self::G, Self::Metre, Self::Centimetre, Self::Gal, Self::Millimetre];

    /// Its name in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::G => "g",
            Self::Metre => "m/s2",
            Self::Centimetre => "cm/s2",
            Self::Gal => "gal",
            Self::Millimetre => "mm/s2",
        }
    }

    /// Its size \[m/s²\].
    pub fn size(self) -> f64 {
        match self {
            Self::G => STANDARD_GRAVITY,
            Self::Metre => 1.0,
            Self::Centimetre | Self::Gal => 1e-2,
            Self::Millimetre => 1e-3,
        }
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
    name: String,
    units: AccelerationUnit,
}

/// What a record amounts to, in SI units: the numbers to look at before it is used.
#[derive(Debug, Clone, PartialEq)]
pub struct RecordSummary {
    /// The file or name it has; may be empty.
    pub name: String,
    /// The unit in which it was given.
    pub units: AccelerationUnit,
    /// Number of samples.
    pub points: usize,
    /// Time between samples \[s\].
    pub interval: f64,
    /// From the first sample to the last \[s\].
    pub duration: f64,
    /// Largest |acceleration| \[m/s²\].
    pub pga: f64,
    /// Largest |velocity| \[m/s\], within the intervals too.
    pub pgv: f64,
    /// Largest |displacement| \[m\], within the intervals too.
    pub pgd: f64,
    /// Velocity that is left at the end \[m/s\]: the drift of the baseline.
    pub end_velocity: f64,
    /// Displacement at the end \[m\].
    pub end_displacement: f64,
}

impl Record {
    /// A record of `acceleration` \[m/s²\] every `interval` seconds.
    ///
    /// # Errors
    /// An interval that is not positive, no sample, non-finite samples, a
    /// displacement that leaves the range of numbers.
    pub fn new(interval: f64, acceleration: Vec<f64>) -> Result<Self, ImpactError> {
        if !(interval.is_finite() && interval > 0.0) {
            return Err(ImpactError::out_of_range("interval", interval, "must be positive and finite"));
        }
        if acceleration.is_empty() {
            return Err(ImpactError::wrong_size("acceleration", "[]", "needs at least one sample"));
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
        let slopes = acceleration.windows(2).map(|w| (w[1] - w[0]) / interval);
        if !displacement.iter().chain(&velocity).copied().chain(slopes).all(|x| x.is_finite()) {
            return Err(ImpactError::not_finite("interval", interval, "the record moves farther than numbers reach"));
        }
        let units = AccelerationUnit::Metre;
        Ok(Self { interval, acceleration, velocity, displacement, name: String::new(), units })
    }

    /// Gives it the name of its file and the unit in which that is written.
    pub fn with_origin(mut self, name: impl Into<String>, units: AccelerationUnit) -> Self {
        (self.name, self.units) = (name.into(), units);
        self
    }

    /// Time between samples \[s\].
    pub fn interval(&self) -> f64 {
        self.interval
    }

    /// The samples \[m/s²\].
    pub fn acceleration(&self) -> &[f64] {
        &self.acceleration
    }

    /// From the first sample to the last \[s\].
    pub fn duration(&self) -> f64 {
        (self.acceleration.len() - 1) as f64 * self.interval
    }

    /// Displacement, velocity, acceleration at time `t`.
    pub fn at(&self, t: f64) -> [f64; 3] {
        let last = self.acceleration.len() - 1;
        if t < 0.0 {
            return [0.0, 0.0, self.acceleration[0]];
        }
        let k = (t / self.interval) as usize;
        if k >= last {
            let (v, x) = (self.velocity[last], self.displacement[last]);
            return [x + v * (t - last as f64 * self.interval), v, 0.0];
        }
        self.within(k, t - k as f64 * self.interval)
    }

    /// The same `s` seconds after sample `k`.
    fn within(&self, k: usize, s: f64) -> [f64; 3] {
        let (a, slope) = (self.acceleration[k], (self.acceleration[k + 1] - self.acceleration[k]) / self.interval);
        let velocity = self.velocity[k] + s * (a + 0.5 * s * slope);
        let displacement = self.displacement[k] + s * (self.velocity[k] + s * (0.5 * a + s * slope / 6.0));
        [displacement, velocity, a + s * slope]
    }

    pub(super) fn next_break(&self, t: f64) -> f64 {
        let count = self.acceleration.len() - 1;
        let jump = self.acceleration[count] != 0.0;
        Breaks { from: 0.0, spacing: self.interval, count, jumps: [false, jump] }.after(t)
    }

    /// Duration, peaks and drift.
    pub fn summary(&self) -> RecordSummary {
        let largest = |values: &[f64]| values.iter().fold(0.0f64, |m, v| m.max(v.abs()));
        let last = self.acceleration.len() - 1;
        let (mut pgv, mut pgd) = (largest(&self.velocity), largest(&self.displacement));
        for k in 0..last {
            let (a, b) = (self.acceleration[k], self.acceleration[k + 1]);
            // The velocity turns where the acceleration vanishes, the displacement where the velocity does.
            if a * b < 0.0 {
                pgv = pgv.max(self.within(k, self.interval * a / (a - b))[1].abs());
            }
            for s in roots(0.5 * (b - a) / self.interval, a, self.velocity[k]) {
                if s > 0.0 && s < self.interval {
                    pgd = pgd.max(self.within(k, s)[0].abs());
                }
            }
        }
        RecordSummary {
            name: self.name.clone(),
            units: self.units,
            points: last + 1,
            interval: self.interval,
            duration: self.duration(),
            pga: largest(&self.acceleration),
            pgv,
            pgd,
            end_velocity: self.velocity[last],
            end_displacement: self.displacement[last],
        }
    }
}

/// The roots of a s² + b s + c, not a number where there are none.
fn roots(a: f64, b: f64, c: f64) -> [f64; 2] {
    let root = (b * b - 4.0 * a * c).sqrt();
    let q = -0.5 * (b + root.copysign(b));
    [q / a, c / q]
}

impl RecordSummary {
    /// What is unusual about it, in words: nearly always a unit that was mistaken.
    pub fn doubts(&self) -> Vec<String> {
        let peak = self.pga / STANDARD_GRAVITY;
        let mut doubts = Vec::new();
        if peak > 3.0 {
            doubts.push(format!("its peak of {peak:.3} g is above 3 g: is the unit right?"));
        }
        if peak < 1e-4 {
            doubts.push(format!("its peak of {peak:.3e} g is below 1e-4 g: is the unit right?"));
        }
        // Beyond any ground, and beyond what a baseline that is a little off adds in a minute.
        if self.pgv > 10.0 || self.pgd > 50.0 {
            let (v, d) = (self.pgv, self.pgd);
            doubts.push(format!("it reaches {v:.3} m/s and {d:.3} m: is the time between its points right?"));
        }
        doubts
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ramp_is_integrated_exactly() {
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
    fn peaks_are_those_of_the_curve_not_of_the_samples() {
        // a = 1 − t on [0, 2], then −1 + (t − 2) on [2, 4]: v = t − t²/2 has its peak 1/2 at t = 1,
        // between samples; d = t²/2 − t³/6 grows to 2/3 at t = 2 and comes back.
        let summary = Record::new(2.0, vec![1.0, -1.0, 1.0]).unwrap().summary();
        assert_eq!((summary.pga, summary.pgv, summary.duration, summary.points), (1.0, 0.5, 4.0, 3));
        assert!((summary.pgd - 2.0 / 3.0).abs() < 1e-15, "{summary:?}");
        // Beside a dense scan, for a rough record.
        let rough: Vec<f64> =
            (0..40).map(|k| (f64::from(k) * 1.7).sin() * 3.0 - (f64::from(k * k) * 0.9).cos()).collect();
        let record = Record::new(0.3, rough).unwrap();
        let summary = record.summary();
        let (mut v, mut d) = (0.0f64, 0.0f64);
        for i in 0..=1_000_000 {
            let [x, y, _] = record.at(summary.duration * f64::from(i) * 1e-6);
            (d, v) = (d.max(x.abs()), v.max(y.abs()));
        }
        assert!(summary.pgv >= v && summary.pgv - v < 1e-8, "{} {v}", summary.pgv);
        assert!(summary.pgd >= d && summary.pgd - d < 1e-8, "{} {d}", summary.pgd);
    }

    #[test]
    fn doubtful_peaks_are_told() {
        let doubts = |peak: f64| Record::new(0.01, vec![0.0, peak]).unwrap().summary().doubts().join(" ");
        assert_eq!(doubts(3.0), "");
        assert!(doubts(300.0).contains("above 3 g"));
        let slow = Record::new(1.0, vec![0.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 0.0]).unwrap();
        assert!(slow.summary().doubts().join(" ").contains("time between its points"));
        assert!(doubts(3e-4).contains("below 1e-4 g"));
    }
}
