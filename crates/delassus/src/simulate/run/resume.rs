//! The state of a run between two steps as plain numbers, and back.
//!
//! What is left out is found anew by whatever looks at it next: buffers, the contacts found last, problems of impacts that are
//! built once for each set of contacts.

use super::Runner;
use crate::error::ImpactError;
use crate::simulate::keep::{Exchange, Snapshot, foreign};
use crate::simulate::peaks::PeakSearch;
use crate::simulate::trajectory::{Sample, Trajectory};

impl Runner<'_> {
    /// All that the next steps depend on, beside the trajectory.
    pub(super) fn snapshot(&mut self) -> Snapshot {
        let mut snapshot = Snapshot::default();
        // Nothing is missing where it is written.
        let _ = self.exchange(&mut Exchange::Keep(&mut snapshot));
        snapshot
    }

    /// Goes back to a snapshot, with the run up to it.
    ///
    /// # Errors
    /// A snapshot of another system.
    pub fn restore(&mut self, snapshot: &Snapshot, so_far: Trajectory) -> Result<(), ImpactError> {
        let state = &self.motion.state;
        let fits = |sample: &Sample| sample.q.len() == state.q().len() && sample.u.len() == state.u().len();
        let known = so_far.contact_names == self.record.trajectory.contact_names;
        if !known || so_far.samples.is_empty() || !so_far.samples.iter().all(fits) {
            return Err(foreign());
        }
        self.record.peaks = PeakSearch::new(&self.motion);
        let mut exchange = Exchange::restore(snapshot);
        self.exchange(&mut exchange).filter(|()| exchange.is_done()).ok_or_else(foreign)?;
        self.record.trajectory = so_far;
        Ok(())
    }

    fn exchange(&mut self, with: &mut Exchange<'_>) -> Option<()> {
        self.motion.exchange(with)?;
        self.steps.exchange(&self.motion.state.y, with)?;
        self.events.exchange(with)?;
        self.record.exchange(with)?;
        with.count(&mut self.modes.selections)?;
        with.number(&mut self.last_event.0)?;
        with.count(&mut self.last_event.1)
    }
}
