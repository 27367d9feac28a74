//! What the first step begins with: checked, and told where it is odd.

use super::Stepper;
use super::watch::MOST_FORCES;
use crate::error::ImpactError;
use crate::simulate::run::{VIOLATED, overlapping};
use crate::simulate::thresholds::length::{JOINT_OPEN, OVERLAP};
use crate::simulate::thresholds::speed::PROJECTED;

impl<const D: usize, const R: usize> Stepper<'_, D, R> {
    /// Refuses bodies that overlap, joints that are open and energies that are not finite; begins the account of energies.
    pub(super) fn check_start(&mut self) -> Result<(), ImpactError> {
        let q = self.q.clone();
        self.look(&q, [self.start; 2], 0.0);
        if let Some(touch) = self.touches.iter().find(|touch| touch.gap < -self.gap) {
            let name = self.system.touch_name(touch);
            let problem = overlapping(&name, touch.gap);
            return Err(ImpactError::new("body", "", problem));
        }
        if let Some((distance, [a, b])) = self.system.nearest_pair(self.start, &self.q)
            && distance < -OVERLAP * self.gap
        {
            let problem = format!("{a} and {b} overlap by {:.3e} m at the start", -distance);
            return Err(ImpactError::new("body", "", problem));
        }
        let listed = self.system.contacts().len();
        if listed > MOST_FORCES {
            self.remark(format!("{listed} contacts could form between these bodies: samples do not hold their forces"));
        }
        if self.settings.step.is_some_and(|step| step > self.h) {
            self.remark(format!("integrator.step is longer than the run, which is one step of {} s", self.h));
        }
        self.check_joints()?;
        self.lightest = self.lightest_weight();
        let (kinetic, potential) = (self.system.kinetic(&self.q, &self.u), self.system.potential(self.start, &self.q));
        if !(kinetic.is_finite() && potential.is_finite()) {
            return Err(ImpactError::new("u", "", "is so large at the start that the energy is not finite"));
        }
        (self.energy.kinetic, self.energy.potential) = (kinetic, potential);
        (self.start_energy, self.start_potential) = (kinetic + potential, potential);
        self.largest_energy = kinetic;
        Ok(())
    }

    /// The smallest weight of a body; 0 without gravity.
    fn lightest_weight(&mut self) -> f64 {
        self.system.inverse_masses(&self.q, &mut self.inverse_masses);
        // The first entry is that of a motion without rotation.
        let lightest = self.inverse_masses.iter().map(|inverse| 1.0 / inverse[0][0]).fold(f64::INFINITY, f64::min);
        if lightest.is_finite() { lightest * self.system.gravity() } else { 0.0 }
    }

    /// Refuses joints that are open; tells of velocities that they do not allow, which the first step takes away.
    fn check_joints(&mut self) -> Result<(), ImpactError> {
        self.system.holds([self.start; 2], &self.q, &self.u, &mut self.holds);
        let unit = self.fastest.max((self.system.gravity() * self.size).sqrt());
        let (mut open, mut against) = (0.0f64, 0.0f64);
        for hold in &self.holds {
            let hold = hold.at_distance(self.size);
            let velocity = hold.velocity(self.u.as_chunks().0);
            open = hold.residual.iter().fold(open, |most, residual| most.max(residual.abs() / self.size));
            against =
                velocity.iter().zip(&hold.offset[0]).fold(against, |most, (v, support)| most.max((v + support).abs()));
        }
        if open > JOINT_OPEN {
            let value = format!("{open:e} of the bodies' size");
            return Err(ImpactError::new("joint", value, "the joints do not close at the start"));
        }
        if against > PROJECTED * unit {
            self.remark(VIOLATED.to_owned());
        }
        Ok(())
    }
}
