//! Contacts that hit one another infinitely often.
//!
//! Where the same events come again and again, each round is the last one made
//! smaller: the equations stay the same when velocities are multiplied by λ,
//! energies by λ² and times by λ^{(1−η)/(1+η)}, so rounds become similar to each
//! other and
//!
//! ```text
//! x_k = x_∞ + λ^k w + smaller terms,   x = (γ, Λ, √E)
//! ```
//!
//! The impact has a limit, x_∞, which is reached after infinitely many events.
//! It is found by extrapolation from states one round apart, and taken if it no
//! longer changes from round to round, if nothing approaches in it, and if no
//! energy is left but that of contacts which do not take part. (Its momentum
//! and its energy are checked like those of any other answer.) With λ = 1 the
//! impact has no end.

use super::impact::{Buffers, Halted, Impact};
use super::scaled::Role;
use super::state::{Grip, Phase};
use super::thresholds::rounds;
use crate::answer::ContactEnergy;

/// States one round apart.
#[derive(Debug, Clone, Default)]
pub(super) struct Rounds {
    /// What the contacts do, by numbers.
    pattern: Vec<u8>,
    now: Vec<u8>,
    /// States, the oldest first, one after the other.
    states: Vec<f64>,
    count: usize,
    /// Changes since the last state was taken, and in a round once that is known.
    changes: usize,
    length: Option<usize>,
    /// How often the pattern came again since the first state, and how often it
    /// may before a round is complete: one more in each attempt.
    returns: usize,
    attempt: usize,
    rounds: usize,
    limit: [Vec<f64>; 3],
}

impl Rounds {
    pub fn clear(&mut self) {
        (self.count, self.attempt) = (0, 0);
    }

    /// Begins anew, and looks for rounds of another length.
    fn restart(&mut self) {
        self.count = 0;
        self.attempt += 1;
    }

    fn state(&self, k: usize) -> &[f64] {
        let width = self.states.len() / self.count;
        &self.states[k * width..(k + 1) * width]
    }
}

/// Numbers of a contact's account in a state.
const ACCOUNT: usize = 4;

impl Impact<'_> {
    /// Notes the present state. If rounds of events have become similar, moves
    /// to their limit and returns whether it did.
    ///
    /// # Errors
    /// If rounds repeat without becoming smaller.
    pub fn repeat(&mut self) -> Result<bool, Halted> {
        let contacts = self.data.contacts.len();
        self.changes += 1;
        if self.changes < rounds::PATIENCE + rounds::PATIENCE_EACH * contacts || self.rest == Phase::Gap {
            return Ok(false);
        }
        let data = &mut *self.data;
        data.note_pattern();
        let rounds = &mut data.rounds;
        if rounds.count == 0 {
            std::mem::swap(&mut rounds.pattern, &mut rounds.now);
            rounds.states.clear();
            (rounds.changes, rounds.returns, rounds.rounds, rounds.length) = (0, 0, 0, None);
            data.note_state(self.tau);
            return Ok(false);
        }
        rounds.changes += 1;
        let same = rounds.pattern == rounds.now;
        match rounds.length {
            None if same => {
                rounds.returns += 1;
                if rounds.returns <= rounds.attempt % 8 {
                    return Ok(false);
                }
                rounds.length = Some(rounds.changes);
            }
            Some(length) if rounds.changes == length && same => {}
            Some(length) if rounds.changes < length => return Ok(false),
            None if rounds.changes < rounds::LONGEST => return Ok(false),
            _ => {
                rounds.restart();
                return Ok(false);
            }
        }
        rounds.changes = 0;
        rounds.rounds += 1;
        if rounds.rounds > rounds::ROUNDS {
            rounds.restart();
            return Ok(false);
        }
        data.note_state(self.tau);
        if data.rounds.count < rounds::COMPARED {
            return Ok(false);
        }
        let found = data.find_limit();
        if let Some(ratio) = found {
            self.take_limit(ratio);
            self.data.rounds.restart();
            return Ok(true);
        }
        if self.data.never_changes() {
            return Err(Halted::Repeats(self.data.rounds.length.unwrap_or(0)));
        }
        // Go on without the oldest.
        let rounds = &mut self.data.rounds;
        let width = rounds.states.len() / rounds.count;
        rounds.states.drain(..width);
        rounds.count -= 1;
        Ok(false)
    }

    /// Moves to the limit of rounds that shrink by `ratio`.
    fn take_limit(&mut self, ratio: f64) {
        let data = &mut *self.data;
        let rows = data.gamma.len();
        let rounds = std::mem::take(&mut data.rounds);
        let limit = &rounds.limit[2];
        data.gamma.copy_from_slice(&limit[..rows]);
        for (row, (now, &limit)) in data.impulse.iter_mut().zip(&limit[rows..]).enumerate() {
            *now = if matches!(data.scaled.role[row], Role::Normal(_)) { limit.max(*now) } else { limit };
        }
        for (c, contact) in data.scaled.contacts.iter().enumerate() {
            let (v, root) = (&mut data.gamma[contact.normal], limit[2 * rows + c]);
            if v.abs() < rounds::NOTHING && data.contacts[c].phase != Phase::Idle {
                *v = 0.0;
            }
            // What rounds to come add: aλ^k + bλ^{2k}, from the last two.
            let place = 2 * rows + data.contacts.len() + ACCOUNT * c;
            let rest = |i: usize| {
                let [x, y, z] = [2, 3, 4].map(|k| rounds.state(k)[place + i]);
                let b = (z - y - ratio * (y - x)) / (ratio * ratio - ratio);
                let a = y - x - b;
                a * ratio * ratio / (1.0 - ratio) + b * ratio.powi(4) / (1.0 - ratio * ratio)
            };
            let state = &mut data.contacts[c];
            state.account.stored += rest(0);
            state.account.returned += rest(1);
            state.account.lost += rest(2);
            state.account.friction += rest(3);
            if root < rounds::NOTHING {
                state.account.lost = state.account.stored - state.account.returned;
                state.forget(self.rest);
            }
        }
        data.rounds = rounds;
        self.drop_idle();
        self.record();
    }
}

impl Buffers {
    /// What every contact and clutch does, as numbers.
    fn note_pattern(&mut self) {
        let now = &mut self.rounds.now;
        now.clear();
        now.extend(self.contacts.iter().map(|state| {
            let grip = match state.grip {
                Grip::Smooth | Grip::Undecided => 0,
                Grip::Stick => 1,
                Grip::Slip(sign) => 2 + u8::from(sign > 0.0),
                Grip::Slide { .. } => 4,
            };
            8 * state.phase as u8 + if state.phase.pushes() { grip } else { 0 }
        }));
        now.extend(self.scaled.clutches.iter().map(|&row| u8::from(self.locked[row])));
    }

    /// Appends the present state to those of earlier rounds.
    fn note_state(&mut self, tau: f64) {
        let states = &mut self.rounds.states;
        states.extend_from_slice(&self.gamma);
        states.extend_from_slice(&self.impulse);
        let contacts = self.contacts.iter().enumerate();
        states.extend(contacts.map(|(c, state)| self.scaled.energy(c, state.delta).sqrt()));
        for (c, state) in self.contacts.iter_mut().enumerate() {
            state.book(&self.scaled, c);
            let ContactEnergy { stored, returned, lost, friction, .. } = state.account;
            states.extend([stored, returned, lost, friction]);
        }
        states.push(tau);
        self.rounds.count += 1;
    }

    /// Length of γ, Λ and √E in a state.
    fn length(&self) -> usize {
        2 * self.gamma.len() + self.contacts.len()
    }

    /// Extrapolates to the limit. Returns the ratio of one round to the last,
    /// if the limit is found.
    fn find_limit(&mut self) -> Option<f64> {
        let length = self.length();
        let mut limits = std::mem::take(&mut self.rounds.limit);
        let mut ratio = f64::NAN;
        for (k, limit) in limits.iter_mut().enumerate() {
            let [x, y, z] = [k, k + 1, k + 2].map(|k| &self.rounds.state(k)[..length]);
            let (mut cross, mut own) = (0.0, 0.0);
            for ((x, y), z) in x.iter().zip(y).zip(z) {
                cross += (z - y) * (y - x);
                own += (y - x) * (y - x);
            }
            ratio = cross / own;
            let factor = ratio / (1.0 - ratio);
            limit.clear();
            limit.extend(y.iter().zip(z).map(|(y, z)| z + factor * (z - y)));
            if !(ratio > 0.0 && ratio < 1.0) {
                ratio = f64::NAN;
                break;
            }
        }
        let change = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        let found = ratio.is_finite() && {
            let (before, last) = (change(&limits[0], &limits[1]), change(&limits[1], &limits[2]));
            before.max(last) <= rounds::FOUND || last <= 10.0 * rounds::FOUND && last <= 0.1 * before
        };
        let rows = self.gamma.len();
        let last = self.rounds.state(rounds::COMPARED - 1);
        let rest = limits[2].get(2 * rows..).unwrap_or(&[]);
        let found = found
            && self.scaled.contacts.iter().all(|c| limits[2][c.normal] > -rounds::NOTHING)
            && self.scaled.clutches.iter().all(|&row| limits[2][row] > -rounds::NOTHING)
            // Normal impulses only grow.
            && self.scaled.contacts.iter().all(|c| limits[2][rows + c.normal] > last[rows + c.normal] - rounds::NOTHING)
            // Energy vanishes, or belongs to a contact that takes no part.
            && rest.iter().zip(&last[2 * rows..]).all(|(limit, now)| limit.abs() < rounds::NOTHING || (limit - now).abs() < rounds::NOTHING);
        self.rounds.limit = limits;
        found.then_some(ratio)
    }

    /// Whether all rounds are alike, with energy in them.
    fn never_changes(&self) -> bool {
        let length = self.length();
        let first = &self.rounds.state(0)[..length];
        let rows = self.gamma.len();
        let stored = first[2 * rows..].iter().any(|root| *root > rounds::SWINGS);
        // Energy stored in the course of a round.
        let taken =
            |k: usize| self.rounds.state(k)[length..].iter().step_by(ACCOUNT).take(self.contacts.len()).sum::<f64>();
        let moving = (1..rounds::COMPARED).all(|k| taken(k) - taken(k - 1) > rounds::SWINGS * rounds::SWINGS);
        let velocities = |k: usize| self.rounds.state(k)[..rows].iter().chain(&self.rounds.state(k)[2 * rows..length]);
        let time = |k: usize| self.rounds.state(k).last().copied().unwrap_or(0.0);
        let passes = (1..rounds::COMPARED).all(|k| time(k) - time(k - 1) > 1e-3);
        stored
            && moving
            && passes
            && (1..rounds::COMPARED)
                .all(|k| velocities(0).zip(velocities(k)).all(|(a, b)| (a - b).abs() < rounds::NOTHING))
    }
}
