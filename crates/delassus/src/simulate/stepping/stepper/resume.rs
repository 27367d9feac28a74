//! The state between two steps as plain numbers, and back.

use super::Stepper;
use crate::error::ImpactError;
use crate::simulate::keep::{Snapshot, foreign};
use crate::simulate::trajectory::{Energies, StepReport, Trajectory};

/// Numbers that are no vectors.
const NUMBERS: usize = 16;
/// Whole numbers that are no keys.
const WORDS: usize = 13;

impl<const D: usize, const R: usize> Stepper<'_, D, R> {
    /// All that the next steps depend on. The pairs of near bodies are not among it: contacts do not depend on when they
    /// were looked for.
    pub(super) fn snapshot(&self) -> Snapshot {
        let Energies { kinetic, potential, friction, supports, damping, applied, impacts } = self.energy;
        let mut numbers = vec![self.t, self.h, self.start_energy, self.start_potential, self.largest_energy];
        numbers.extend([self.next_sample, self.fastest]);
        numbers.extend([kinetic, potential, friction, supports, damping, applied, impacts]);
        numbers.extend([self.untold.residual, self.interval.unwrap_or(f64::INFINITY)]);
        numbers.extend_from_slice(&self.q);
        numbers.extend_from_slice(&self.u);
        numbers.extend(self.last.iter().flat_map(|(_, x)| x));
        numbers.extend(self.joint_impulses.iter().flatten());
        let counts = [
            self.quiet,
            self.unsolved,
            self.impacts,
            usize::from(self.missed),
            self.recorder.listed,
            self.recorder.unlisted,
            self.last.len(),
            self.joint_impulses.len(),
            self.jammed,
            self.sweeper.patience.sweeps,
            self.untold.count,
            self.untold.contacts,
            self.untold.iterations,
        ];
        let mut words: Vec<u64> = counts.iter().map(|&count| count as u64).collect();
        words.extend(self.last.iter().map(|(key, _)| *key));
        self.sleep.write(&mut numbers, &mut words);
        Snapshot { numbers, words, before: None }
    }

    /// Goes back to a snapshot, with the run up to it.
    ///
    /// # Errors
    /// A snapshot of another system.
    pub fn restore(&mut self, snapshot: &Snapshot, so_far: Trajectory) -> Result<(), ImpactError> {
        let (counts, rest) = snapshot.words.split_at_checked(WORDS).ok_or_else(foreign)?;
        let count = |k: usize| counts[k] as usize;
        let (contacts, joints) = (count(6), count(7));
        let (positions, velocities) = (self.q.len(), self.u.len());
        let impulses = contacts.checked_add(joints).and_then(|n| n.checked_mul(R));
        let length = impulses.and_then(|n| n.checked_add(NUMBERS + positions + velocities));
        let (numbers, sleep) = length.and_then(|n| snapshot.numbers.split_at_checked(n)).ok_or_else(foreign)?;
        let (keys, asleep) = rest.split_at_checked(contacts).ok_or_else(foreign)?;
        let sampled = so_far.samples.iter().all(|s| s.q.len() == positions && s.u.len() == velocities);
        if !sampled || so_far.samples.is_empty() {
            return Err(foreign());
        }
        self.restore_sleep(sleep, asleep)?;
        let (numbers, rest) = numbers.split_at(NUMBERS);
        let (q, rest) = rest.split_at(positions);
        let (u, impulses) = rest.split_at(velocities);
        (self.t, self.h, self.start_energy, self.start_potential) = (numbers[0], numbers[1], numbers[2], numbers[3]);
        (self.largest_energy, self.next_sample, self.fastest) = (numbers[4], numbers[5], numbers[6]);
        self.rest_speed = self.system.gravity() * self.h;
        let [kinetic, potential, friction, supports, damping, applied, impacts] =
            [7, 8, 9, 10, 11, 12, 13].map(|k: usize| numbers[k]);
        self.energy = Energies { kinetic, potential, friction, supports, damping, applied, impacts };
        self.q.copy_from_slice(q);
        self.u.copy_from_slice(u);
        let impulses = impulses.as_chunks::<R>().0;
        self.last = keys.iter().copied().zip(impulses[..contacts].iter().copied()).collect();
        self.joint_impulses = impulses[contacts..].to_vec();
        (self.quiet, self.unsolved, self.impacts, self.missed) = (count(0), count(1), count(2), count(3) != 0);
        (self.recorder.listed, self.recorder.unlisted, self.jammed) = (count(4), count(5), count(8));
        self.sweeper.patience.sweeps = count(9);
        self.untold =
            StepReport { count: count(10), contacts: count(11), iterations: count(12), residual: numbers[14] };
        self.interval = Some(numbers[15]).filter(|interval| interval.is_finite());
        self.recorder.knows(&so_far.contact_names);
        self.trajectory = so_far;
        Ok(())
    }
}
