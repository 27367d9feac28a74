//! The start of a run by events: what is refused, the first sample, the first mode.

use super::Runner;
use crate::error::ImpactError;
use crate::simulate::peaks::PeakSearch;
use crate::simulate::thresholds::{length, speed};
use crate::simulate::trajectory::End;

/// Said of a start that no motion of the mechanism has.
pub(in crate::simulate) const VIOLATED: &str =
    "the initial velocities violated the joints and were projected onto them";

/// Said of a contact that is closed too far at the start.
pub(in crate::simulate) fn overlapping(contact: &str, gap: f64) -> String {
    format!("the bodies overlap at the start, by {:.4e} m at the contact {contact}: move one of them apart", -gap)
}

impl Runner<'_> {
    /// Refuses bodies that overlap and joints that are open, and makes the joints hold.
    pub(super) fn check_start(&mut self) -> Result<(), ImpactError> {
        let motion = &mut self.motion;
        for (c, point) in motion.system().contacts().iter().enumerate() {
            let gap = motion.approach(c).0;
            if gap.is_nan() || gap < -motion.units.gap {
                let problem = overlapping(&point.name, gap);
                return Err(ImpactError::new("body", "", problem));
            }
        }
        if let Some(text) = motion.overlap() {
            return Err(ImpactError::new("body", "", format!("{text} at the start")));
        }
        let before = motion.state.u().to_vec();
        let drift = motion.project();
        // What the start is off by is no drift of the motion.
        motion.drift = Default::default();
        if drift.joints > length::JOINT_OPEN {
            let value = format!("{:e} of the bodies' size", drift.joints);
            return Err(ImpactError::new("joint", value, "the joints do not close at the start"));
        }
        let changes = before.iter().zip(motion.state.u()).zip(&motion.units.velocities);
        let moved = changes.fold(0.0f64, |m, ((a, b), scale)| m.max((a - b).abs() / scale));
        if moved * motion.units.size > speed::PROJECTED * motion.units.speed {
            self.record.remark(0.0, VIOLATED);
        }
        Ok(())
    }

    /// The first sample, and the first mode; an end where there is one already.
    pub(super) fn start(&mut self) -> Result<Option<End>, ImpactError> {
        self.record.sample(&mut self.motion);
        self.record.peaks = PeakSearch::new(&self.motion);
        if self.until.impacts == Some(0) {
            return Ok(Some(End::Completed));
        }
        let end = self.collide_or_select()?;
        // The first sample was taken before the contacts had a mode. An impact
        // at the start leaves it as it is: before, there were no forces.
        if end.is_none() && self.record.impacts() == 0 {
            self.record.trajectory.samples[0].forces.clone_from(&self.motion.dynamics.contact_force);
        }
        Ok(end)
    }
}
