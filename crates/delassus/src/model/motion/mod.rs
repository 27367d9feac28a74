//! Motion of grounds and walls.
//!
//! A support moves along one direction or several at once (a horizontal and a
//! vertical record, say). Each part gives displacement, velocity and
//! acceleration that are exact derivatives of one another.

mod pulse;
mod record;
mod shake;

pub use pulse::{Pulse, PulseShape};
pub use record::{AccelerationUnit, Record, RecordSummary, STANDARD_GRAVITY};
pub use shake::Shake;

use super::Vec2;
use super::expression::Expression;
use crate::elementary::Elementary;

/// How a support moves: the sum of its parts; none, where it stands still.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Motion {
    /// The parts.
    pub parts: Vec<MotionPart>,
}

/// Motion along one direction.
#[derive(Debug, Clone, PartialEq)]
pub struct MotionPart {
    /// Direction, of unit length.
    pub direction: [f64; 2],
    /// What happens along it.
    pub course: Course,
}

/// Displacement over time, along one direction.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Course {
    /// d(t) = amplitude · sin(2π frequency t + phase), measured from d(0).
    Harmonic {
        /// Amplitude \[m\].
        amplitude: f64,
        /// Frequency \[Hz\].
        frequency: f64,
        /// Phase \[rad\].
        phase: f64,
    },
    /// A pulse of acceleration.
    Pulse(Pulse),
    /// A recorded acceleration.
    Record(Record),
    /// An expression of time, measured from its value at 0.
    Path {
        /// The displacement \[m\]; its derivatives are exact.
        displacement: Expression,
        /// Steps longer than this may miss a swing \[s\].
        step: f64,
    },
    /// An acceleration as an expression of time.
    Shake(Shake),
}

/// Displacement, velocity and acceleration of a support.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Moved {
    pub position: Vec2,
    pub velocity: Vec2,
    pub acceleration: Vec2,
}

impl Motion {
    /// Whether it stands still.
    pub fn is_none(&self) -> bool {
        self.parts.is_empty()
    }

    /// Where the support is at time `t`.
    #[inline]
    pub(crate) fn at(&self, t: f64) -> Moved {
        let mut moved = Moved { position: Vec2::zeros(), velocity: Vec2::zeros(), acceleration: Vec2::zeros() };
        for part in &self.parts {
            let [d, v, a] = part.course.at(t);
            let direction = Vec2::new(part.direction[0], part.direction[1]);
            moved.position += d * direction;
            moved.velocity += v * direction;
            moved.acceleration += a * direction;
        }
        moved
    }

    /// The time after which the support moves uniformly or not at all; infinite where it never does.
    pub fn end(&self) -> f64 {
        self.parts.iter().map(|part| part.course.end()).fold(0.0, f64::max)
    }

    /// The first time after `t` at which an integrator should end a step: the
    /// acceleration has a corner or a jump there, or might be missed.
    pub(crate) fn next_break(&self, t: f64) -> f64 {
        self.parts.iter().map(|part| part.course.next_break(t)).fold(f64::INFINITY, f64::min)
    }

    /// The longest step that sees every swing \[s\].
    pub(crate) fn longest_step(&self) -> f64 {
        self.parts.iter().map(|part| part.course.longest_step()).fold(f64::INFINITY, f64::min)
    }
}

impl Course {
    /// Displacement, velocity, acceleration at time `t`.
    pub fn at(&self, t: f64) -> [f64; 3] {
        match self {
            Self::Harmonic { amplitude, frequency, phase } => {
                let w = std::f64::consts::TAU * frequency;
                let (s, c) = (w * t + phase).sine_cosine();
                [amplitude * (s - phase.sine()), amplitude * w * c, -amplitude * w * w * s]
            }
            Self::Pulse(pulse) => pulse.at(t),
            Self::Record(record) => record.at(t),
            Self::Path { displacement, .. } => {
                let [d, v, a] = displacement.derivatives(t);
                [d - displacement.at(0.0), v, a]
            }
            Self::Shake(shake) => shake.at(t),
        }
    }

    pub(crate) fn end(&self) -> f64 {
        match self {
            Self::Harmonic { .. } | Self::Path { .. } | Self::Shake(_) => f64::INFINITY,
            Self::Pulse(pulse) => pulse.end(),
            Self::Record(record) => record.duration(),
        }
    }

    /// The longest step that sees every swing \[s\].
    pub(crate) fn longest_step(&self) -> f64 {
        match self {
            Self::Harmonic { frequency, .. } => 0.1 / frequency.abs(),
            Self::Path { step, .. } => *step,
            Self::Shake(shake) => shake.step(),
            Self::Pulse(_) | Self::Record(_) => f64::INFINITY,
        }
    }

    pub(crate) fn next_break(&self, t: f64) -> f64 {
        match self {
            Self::Harmonic { .. } | Self::Path { .. } | Self::Shake(_) => f64::INFINITY,
            Self::Pulse(pulse) => pulse.next_break(t),
            Self::Record(record) => record.next_break(t),
        }
    }
}

/// Equally spaced breaks `from`, `from + spacing`, …, `from + count · spacing`;
/// at the first and the last one the acceleration may jump, so that steps end
/// on either side of them.
struct Breaks {
    from: f64,
    spacing: f64,
    count: usize,
    jumps: [bool; 2],
}

impl Breaks {
    /// The first break after `t`; one that is nearer than round-off is behind.
    fn after(&self, t: f64) -> f64 {
        let end = self.from + self.count as f64 * self.spacing;
        // Half the width of a step across a jump.
        let width = (1e-9 * self.spacing).max(16.0 * f64::EPSILON * end.abs());
        let reached = t + 0.25 * width;
        if reached < self.from {
            let first = self.from - if self.jumps[0] { width } else { 0.0 };
            return if reached < first { first } else { self.from + width };
        }
        if self.jumps[0] && reached < self.from + width {
            return self.from + width;
        }
        let last = end - if self.jumps[1] { width } else { 0.0 };
        if reached < last {
            let k = ((reached - self.from) / self.spacing).floor() + 1.0;
            let next = self.from + k * self.spacing;
            // Round-off of the division.
            let next = if next <= reached { next + self.spacing } else { next };
            return next.min(last);
        }
        if self.jumps[1] && reached < end + width { end + width } else { f64::INFINITY }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn along_y(course: Course) -> Motion {
        Motion { parts: vec![MotionPart { direction: [0.0, 1.0], course }] }
    }

    /// Velocities and accelerations are the derivatives of displacements.
    fn check_derivatives(motion: &Motion, times: &[f64]) {
        let h = 1e-5;
        for &t in times {
            let (before, here, after) = (motion.at(t - h), motion.at(t), motion.at(t + h));
            let v = (after.position - before.position) / (2.0 * h);
            let a = (after.velocity - before.velocity) / (2.0 * h);
            assert!((v - here.velocity).norm() < 1e-7 * (1.0 + here.velocity.norm()), "{t}: {v} {}", here.velocity);
            assert!((a - here.acceleration).norm() < 1e-6 * (1.0 + here.acceleration.norm()), "{t}");
        }
    }

    #[test]
    fn motions_start_where_the_support_was_placed_and_are_consistent() {
        let shapes = [PulseShape::OneSine, PulseShape::OneCosine, PulseShape::Ricker];
        let pulses = shapes.map(|shape| Course::Pulse(Pulse { shape, acceleration: 3.0, period: 0.5, start: 0.1 }));
        let displacement =
            Expression::parse("0.1*exp(-t)*sin(7*t)^2 + 0.2*cos(t) - 0.01*t^3/(1+t) + sqrt(1+t)").unwrap();
        let path = Course::Path { displacement, step: 0.1 };
        let harmonic = Course::Harmonic { amplitude: 0.1, frequency: 2.0, phase: 1.0 };
        for course in pulses.into_iter().chain([path, harmonic]) {
            let motion = along_y(course);
            assert!(motion.at(0.0).position.norm() < 1e-15);
            check_derivatives(&motion, &[0.05, 0.2, 0.3, 0.45, 0.55, 0.9, 1.4, 2.2, 5.0]);
        }
    }

    #[test]
    fn parts_add_up() {
        let part = |direction, amplitude| MotionPart {
            direction,
            course: Course::Harmonic { amplitude, frequency: 1.0, phase: 0.0 },
        };
        let motion = Motion { parts: vec![part([1.0, 0.0], 0.1), part([0.6, 0.8], 0.5)] };
        let moved = motion.at(0.25);
        assert!((moved.position - Vec2::new(0.4, 0.4)).norm() < 1e-15);
    }

    #[test]
    fn steps_end_at_corners_and_on_both_sides_of_jumps() {
        let breaks = Breaks { from: 1.0, spacing: 0.1, count: 3, jumps: [true, true] };
        let mut times = vec![0.0];
        while let Some(next) = Some(breaks.after(times[times.len() - 1])).filter(|t| t.is_finite()) {
            times.push(next);
            assert!(times.len() < 20);
        }
        let expected = [0.0, 1.0 - 1e-10, 1.0 + 1e-10, 1.1, 1.2, 1.3 - 1e-10, 1.3 + 1e-10];
        assert_eq!(times.len(), expected.len(), "{times:?}");
        assert!(times.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-14), "{times:?}");
        // A time that misses a break by round-off does not come back to it.
        let breaks = Breaks { from: 0.0, spacing: 0.005, count: 8000, jumps: [false, false] };
        for k in 0..8000 {
            let t = 0.005 * f64::from(k);
            for t in [t, t * (1.0 - f64::EPSILON), t * (1.0 + f64::EPSILON)] {
                assert!((breaks.after(t) - t - 0.005).abs() < 1e-12, "{t}");
            }
        }
        assert_eq!(breaks.after(40.0), f64::INFINITY);
    }
}
