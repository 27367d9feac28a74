//! The limit of collisions that repeat without end.
//!
//! Contacts that collide in turn, always in the same order and in the same
//! states, make a round. Newton's law is linear as long as the states stay,
//! so the impulses of one round follow from those of the round before by a
//! matrix, and in the end they shrink by one ratio r: d, rd, r²d, … Their sum,
//! d/(1 − r), is what endlessly many rounds do. It lies within the friction
//! limits because d does.

/// Longest round.
const LONGEST: usize = 24;
/// Collisions before rounds are looked for, and between two attempts.
const PATIENCE: usize = 200;
/// The part of all impulses so far by which the limit may be wrong.
const ACCURACY: f64 = 1e-10;

/// Watches a sequence of collisions for rounds.
#[derive(Debug, Clone, Default)]
pub(super) struct Rounds {
    /// The contacts of a round in order, or the last collisions where none is known.
    contacts: Vec<usize>,
    /// Where in the round the next collision belongs; `None` where none is known.
    place: Option<usize>,
    /// Impulses of the last rounds, that under way last, and how many are complete.
    sums: [Vec<f64>; 2],
    complete: usize,
    waited: usize,
}

impl Rounds {
    /// Begins a sequence.
    pub(super) fn reset(&mut self) {
        self.contacts.clear();
        self.place = None;
        self.complete = 0;
        self.waited = 0;
    }

    /// Takes note of a collision of `contact` with impulses `x` in `rows`; `impulses`
    /// are all so far, and `scale` is √G_ii. Where the impulses of rounds shrink
    /// by one ratio, returns (collisions in a round, ratio), and [`rest`](Self::rest)
    /// is the sum of the rounds to come.
    pub(super) fn watch(
        &mut self,
        contact: usize,
        (rows, x): (&[usize], &[f64]),
        scale: impl Fn(usize) -> f64,
        impulses: &[f64],
    ) -> Option<(usize, f64)> {
        let Some(place) = self.place else {
            self.look(contact, impulses.len());
            return None;
        };
        if contact != self.contacts[place] {
            self.reset();
            return None;
        }
        rows.iter().zip(x).for_each(|(&row, x)| self.sums[1][row] += x);
        let period = self.contacts.len();
        self.place = Some((place + 1) % period);
        if place + 1 < period {
            return None;
        }
        self.complete += 1;
        if let Some(ratio) = self.ratio(scale, impulses).filter(|_| self.complete > 1) {
            return Some((period, ratio));
        }
        self.sums.rotate_left(1);
        self.sums[1].fill(0.0);
        None
    }

    /// Looks for a round among the last collisions, once there are enough.
    fn look(&mut self, contact: usize, rows: usize) {
        self.waited += 1;
        if self.waited <= PATIENCE {
            return;
        }
        self.contacts.push(contact);
        let count = self.contacts.len();
        if count < 3 * LONGEST {
            return;
        }
        let repeats = |p: &usize| (*p..count).all(|i| self.contacts[i] == self.contacts[i - p]);
        let Some(period) = (1..=LONGEST).find(repeats) else { return self.reset() };
        self.contacts.drain(..count - period);
        self.place = Some(0);
        self.sums.iter_mut().for_each(|sum| {
            sum.clear();
            sum.resize(rows, 0.0);
        });
    }

    /// r, if the last two rounds shrink by it closely enough to sum up the rest.
    fn ratio(&self, scale: impl Fn(usize) -> f64, impulses: &[f64]) -> Option<f64> {
        let [before, last] = &self.sums;
        let dot = |a: &[f64], b: &[f64]| -> f64 {
            a.iter().zip(b).enumerate().map(|(i, (a, b))| a * b * scale(i) * scale(i)).sum()
        };
        let r = dot(before, last) / dot(before, before);
        if !(r > 0.0 && r < 1.0) {
            return None;
        }
        let norm = |values: &mut dyn Iterator<Item = f64>| {
            values.enumerate().map(|(i, v)| (v * scale(i)).powi(2)).sum::<f64>().sqrt()
        };
        let off = norm(&mut before.iter().zip(last).map(|(a, b)| b - r * a));
        let all = norm(&mut impulses.iter().copied());
        (off <= ACCURACY * all * (1.0 - r) * (1.0 - r)).then_some(r)
    }

    /// Impulses of all rounds after the last one, and a new beginning.
    pub(super) fn rest(&mut self, ratio: f64, rest: &mut Vec<f64>) {
        rest.clear();
        rest.extend(self.sums[1].iter().map(|d| d * ratio / (1.0 - ratio)));
        self.reset();
    }
}
