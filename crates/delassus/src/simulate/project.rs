//! Projection onto the conditions of a mode, in the metric of M: joints and
//! closed contacts stay closed to round-off, whatever the steps leave behind.

use super::dynamics::Dynamics;
use super::rows::Row;
use super::thresholds::length::{COUNTS, CURVED, MOST_MOVED, ROUND_OFF, SMALL};
use super::units::Units;

/// What was found before the projection, in units of the bodies' size.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Drift {
    pub joints: f64,
    pub penetration: f64,
}

impl Drift {
    /// Keeps the worst of both.
    pub fn raise(&mut self, other: Self) {
        self.joints = self.joints.max(other.joints);
        self.penetration = self.penetration.max(other.penetration);
    }
}

impl Dynamics<'_> {
    /// Closes gaps and joints of the current mode and removes their velocities, in the units of the motion.
    pub fn project(&mut self, t: f64, q: &mut [f64], u: &mut [f64], units: &Units) -> Drift {
        let (size, speed) = (units.size, units.speed);
        let mut drift = Drift::default();
        // Two sweeps: the second sees the curvature that the first left.
        for sweep in 0..2 {
            if !self.set_mass(q) {
                return drift;
            }
            self.assemble(false, t, q, u);
            if self.rows.len() == 0 {
                return drift;
            }
            let mut worst = 0.0f64;
            for (i, kind) in self.rows.kinds.iter().enumerate() {
                let residual = self.rows.residual[i] / if self.rows.angular[i] { 1.0 } else { size };
                worst = worst.max(residual.abs());
                match kind {
                    Row::Joint if sweep == 0 => drift.joints = drift.joints.max(residual.abs()),
                    Row::Normal(_) if sweep == 0 => drift.penetration = drift.penetration.max(-residual),
                    _ => {}
                }
            }
            if worst <= ROUND_OFF {
                break;
            }
            let residual = std::mem::take(&mut self.rows.residual);
            self.rows.solve(residual.iter().map(|r| -r));
            self.rows.residual = residual;
            let mut shift = std::mem::take(&mut self.acceleration);
            shift.fill(0.0);
            self.rows.apply(&mut shift);
            self.system.position_rates(q, &shift, &mut self.moved);
            self.acceleration = shift;
            let step = &self.moved;
            if step.iter().any(|v| !v.is_finite()) {
                return drift;
            }
            let moved = step.iter().zip(&units.positions).fold(0.0f64, |m, (step, unit)| m.max(step.abs() / unit));
            // In a stack in space the upper bodies move by as much more as they stand higher.
            let most = MOST_MOVED * if self.system.tangents() > 1 { (self.n / 6).max(1) as f64 } else { 1.0 };
            if worst <= SMALL && moved > most * worst {
                // Contact points that lie so near each other that closing them would push others in.
                break;
            }
            let counts = worst <= SMALL && moved * size > COUNTS * units.gap;
            let apart = if counts { self.deepest_open(t, q, u) } else { f64::INFINITY };
            q.iter_mut().zip(step).for_each(|(q, d)| *q += d);
            if counts {
                let pushed = self.deepest_open(t, q, u);
                if pushed < -units.gap && pushed < apart {
                    // What is closed stays a little open rather than that open contacts are pushed in.
                    q.iter_mut().zip(step).for_each(|(q, d)| *q -= d);
                    break;
                }
            }
            if sweep == 1 || worst <= CURVED {
                if self.set_mass(q) {
                    self.assemble(false, t, q, u);
                }
                break;
            }
        }
        self.project_velocity(u, size, speed);
        drift
    }

    /// The least gap of contacts that are not closed.
    fn deepest_open(&self, t: f64, q: &[f64], u: &[f64]) -> f64 {
        let open = (0..self.pieces.len()).filter(|&c| !self.mode.contacts[c].is_closed());
        open.fold(f64::INFINITY, |least, c| self.approach(c, t, q, u).0.min(least))
    }

    /// Removes the velocities of the rows assembled last.
    fn project_velocity(&mut self, u: &mut [f64], size: f64, speed: f64) {
        let gamma = &mut self.gamma;
        gamma.clear();
        gamma.extend((0..self.rows.len()).map(|i| -self.rows.velocity(i, u)));
        let unit = |angular: &bool| if *angular { speed / size } else { speed };
        if gamma.iter().zip(&self.rows.angular).all(|(g, angular)| g.abs() <= ROUND_OFF * unit(angular)) {
            return;
        }
        self.rows.solve(gamma.iter().copied());
        if self.rows.x.iter().all(|x| x.is_finite()) {
            self.rows.apply(u);
        }
    }
}
