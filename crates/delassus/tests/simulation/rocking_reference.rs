//! A second, independent integration of a block that rocks without sliding on a
//! moving ground: one angle, Runge–Kutta of order 4 with fixed steps that begin
//! and end where the acceleration has its corners, and Housner's impacts
//! θ̇⁺ = (1 − 3/2 sin²α) θ̇⁻.

use std::f64::consts::FRAC_PI_2;

/// A slender block under gravity.
pub struct Block {
    pub width: f64,
    pub height: f64,
    pub gravity: f64,
}

/// What happened to it.
#[derive(Debug, Default)]
pub struct Course {
    /// Time at which it first lifts off.
    pub onset: Option<f64>,
    /// Angle at the beginning of each step.
    pub angles: Vec<f64>,
    /// Times of impacts.
    pub impacts: Vec<f64>,
    /// Time at which |θ| = π/2.
    pub overturned: Option<f64>,
}

impl Block {
    pub fn slenderness(&self) -> f64 {
        (self.width / self.height).atan()
    }

    /// p² = 3g/(4R).
    pub fn frequency(&self) -> f64 {
        (0.75 * self.gravity / (0.5 * self.width.hypot(self.height))).sqrt()
    }

    /// Follows it for `steps` of size `h`, or until it has overturned or had `most` impacts. `ground`
    /// gives horizontal and vertical acceleration at a time within the step of that number.
    pub fn rock(&self, ground: &dyn Fn(usize, f64) -> [f64; 2], h: f64, steps: usize, most: usize) -> Course {
        let (alpha, g) = (self.slenderness(), self.gravity);
        let factor = self.frequency().powi(2) / g;
        let ratio = 1.0 - 1.5 * alpha.sin().powi(2);
        let mut course = Course::default();
        // Positive θ stands on the left corner; side is its sign, 0 at rest.
        let (mut angle, mut rate, mut side) = (0.0, 0.0, 0.0f64);
        for k in 0..steps {
            let (mut t, end) = (k as f64 * h, (k + 1) as f64 * h);
            course.angles.push(angle);
            if side == 0.0 {
                let excess = |t: f64| {
                    let [x, y] = ground(k, t);
                    x.abs() - (g + y) * alpha.tan()
                };
                if excess(end) <= 0.0 {
                    continue;
                }
                t = if excess(t) > 0.0 { t } else { bisect(t, end, |t| excess(t) > 0.0) };
                side = ground(k, t)[0].signum();
                course.onset = Some(t);
            }
            while t < end {
                let push = |t: f64, angle: f64| {
                    let [x, y] = ground(k, t);
                    let lean = alpha - side * angle;
                    factor * (x * lean.cos() - side * (g + y) * lean.sin())
                };
                let step = |h: f64| {
                    let a = push(t, angle);
                    let b = push(t + 0.5 * h, angle + 0.5 * h * rate);
                    let c = push(t + 0.5 * h, angle + 0.5 * h * (rate + 0.5 * h * a));
                    let d = push(t + h, angle + h * (rate + 0.5 * h * b));
                    (angle + h * rate + h * h / 6.0 * (a + b + c), rate + h / 6.0 * (a + 2.0 * b + 2.0 * c + d))
                };
                let whole = step(end - t);
                if side * whole.0 > FRAC_PI_2 {
                    course.overturned = Some(t + bisect(0.0, end - t, |h| side * step(h).0 > FRAC_PI_2));
                    return course;
                }
                if side * whole.0 >= 0.0 {
                    (angle, rate) = whole;
                    break;
                }
                let part = bisect(0.0, end - t, |h| side * step(h).0 < 0.0);
                rate = ratio * step(part).1;
                (angle, side) = (0.0, -side);
                t += part;
                course.impacts.push(t);
                if course.impacts.len() == most {
                    return course;
                }
            }
        }
        course
    }
}

/// Where a condition that fails at `low` and holds at `high` begins to hold.
fn bisect(mut low: f64, mut high: f64, holds: impl Fn(f64) -> bool) -> f64 {
    for _ in 0..100 {
        let middle = 0.5 * (low + high);
        if holds(middle) { high = middle } else { low = middle }
    }
    high
}
