//! What drives a run: the step where it names none, and what stands for gravity where there is none.

use crate::model::Bodies;

/// Step, in units of the time in which the smallest body falls, or is pulled, by its size, and of the time in which a body or a
/// support flies it.
const STEP: f64 = 0.01;
/// Times of the run at which forces and supports are looked at, densest at its beginning.
const LOOKS: usize = 64;

/// What drives a run.
pub(super) struct Pace {
    /// Gravity; where there is none, the largest acceleration by forces and springs at the start's positions.
    pub gravity: f64,
    /// The step.
    pub step: f64,
}

impl Pace {
    /// Of a run from (q, u), of the length `left` from `start` on; bodies are of the size `smallest` at least and move by
    /// `fastest` at the start.
    pub fn of<const D: usize, const R: usize>(
        system: &dyn Bodies<D, R>,
        q: &[f64],
        u: &[f64],
        [start, left]: [f64; 2],
        [smallest, mut fastest]: [f64; 2],
    ) -> Self {
        let gravity = system.gravity();
        let mut pull = gravity;
        let (mut inverse_masses, mut force) = (Vec::new(), vec![0.0; u.len()]);
        system.inverse_masses(q, &mut inverse_masses);
        for k in 0..=LOOKS {
            let t = start + left * (k as f64 / LOOKS as f64).powi(3);
            fastest = fastest.max(system.support_speed(t));
            if system.is_driven() {
                system.forces(t, q, u, &mut force);
                for (body, (force, inverse)) in force.as_chunks::<D>().0.iter().zip(&inverse_masses).enumerate() {
                    let acceleration = inverse.map(|row| row.iter().zip(force).map(|(m, f)| m * f).sum());
                    pull = pull.max(system.speed(body, &acceleration));
                }
            }
        }
        let fall = if pull > 0.0 { (smallest / pull).sqrt() } else { f64::INFINITY };
        let flight = if fastest > 0.0 { smallest / fastest } else { f64::INFINITY };
        Self { gravity: if gravity > 0.0 { gravity } else { pull }, step: STEP * fall.min(flight) }
    }
}
