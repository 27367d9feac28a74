//! All solutions of one contact, and what errors within the certified tolerance could make one.
//!
//! Open and stick have one candidate each. The candidates for slip are the
//! zeros of a trigonometric polynomial f of degree two; they are isolated
//! with bounds on f′ and f″, so that none is overlooked.

use super::contact::{DiskContact, Wave};
use crate::elementary::Elementary;
use crate::solve::tolerance::{APART, BLOCKED, CRITICAL, Tolerance};

/// Intervals that are not decided at this half width hold a double zero, or nearly one.
const NARROW: f64 = 1e-6;
/// Values up to this, relative to the size of f, may be zeros.
const ZERO: f64 = 1e-7;
/// Intervals at first.
const INTERVALS: usize = 8;
/// Calls `visit` with every candidate that is a solution or that small errors could make
/// one, some of them twice; `false` where there may be others. `weight` is the size of a
/// tangential impulse of one beside a normal one.
pub(super) fn every(
    contact: &DiskContact,
    weight: [f64; 2],
    tolerance: Tolerance,
    visit: &mut impl FnMut([f64; 3]),
) -> bool {
    // A thousand times the tolerance: candidates that miss more than that are not mended by it.
    let slack = |size: f64| APART * tolerance.speed().max(size);
    contact.open_within(slack(0.0)).into_iter().for_each(&mut *visit);
    let weakest = contact.weakest(weight);
    contact.stick_within(|size| slack(size) / weakest.sqrt()).into_iter().for_each(&mut *visit);
    if weakest < BLOCKED {
        return false;
    }
    if contact.shift == 0.0 && contact.q == [0.0; 3] {
        // Without any velocity slip is no other case; else f = 0 leaves all directions open.
        return true;
    }
    let search = Search::new(contact.slip_equation());
    let half = std::f64::consts::PI / INTERVALS as f64;
    let mut critical = false;
    let isolated = search.size > 0.0
        && (0..INTERVALS).all(|k| {
            let centre = (2 * k + 1) as f64 * half;
            search.isolate(centre, half, &mut |d| {
                if let Some(y) = contact.slip_within(d, slack) {
                    critical |= contact.steepness(d).abs() < CRITICAL;
                    visit(y);
                }
            })
        });
    isolated && !critical
}

struct Search {
    wave: Wave,
    size: f64,
    /// Bounds of |f′| and |f″|.
    slope: f64,
    curvature: f64,
}

impl Search {
    fn new(wave: Wave) -> Self {
        let (first, second) = wave.amplitudes();
        Self { size: wave.size(), slope: first + 2.0 * second, curvature: first + 4.0 * second, wave }
    }

    /// Visits the zeros within `half` of `centre`; gives up with `false` where
    /// there may be others.
    fn isolate(&self, centre: f64, half: f64, visit: &mut impl FnMut([f64; 2])) -> bool {
        let direction = |angle: f64| {
            let (s, c) = angle.sine_cosine();
            [c, s]
        };
        let (value, slope) = self.wave.at(direction(centre));
        if value.abs() > self.slope * half + ZERO * self.size {
            return true;
        }
        let (low, high) = (centre - half, centre + half);
        if slope.abs() > self.curvature * half {
            // Monotone: one zero at most.
            let ends = [low, high].map(|angle| self.wave.at(direction(angle)).0);
            let near = ends.map(|v| v.abs() <= ZERO * self.size);
            if (ends[0] > 0.0) == (ends[1] > 0.0) && !near[0] && !near[1] {
                return true;
            }
            let start = if near[0] {
                low
            } else if near[1] {
                high
            } else {
                self.halve(low, high, ends[0] > 0.0)
            };
            return match self.wave.newton(direction(start)) {
                Some(d) => {
                    visit(d);
                    true
                }
                None => false,
            };
        }
        if half < NARROW || value.is_nan() {
            return false;
        }
        let quarter = 0.5 * half;
        self.isolate(centre - quarter, quarter, visit) && self.isolate(centre + quarter, quarter, visit)
    }

    /// An angle close to the sign change of f between two others.
    fn halve(&self, mut low: f64, mut high: f64, positive: bool) -> f64 {
        for _ in 0..40 {
            let middle = 0.5 * (low + high);
            let (s, c) = middle.sine_cosine();
            if (self.wave.at([c, s]).0 > 0.0) == positive {
                low = middle;
            } else {
                high = middle;
            }
        }
        0.5 * (low + high)
    }
}
