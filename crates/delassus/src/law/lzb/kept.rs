//! What of F and H stays when contacts change: columns whose reactions come from held rows that are the same as before.
//!
//! The turn of a contact from compression to expansion changes no column at all, one that opens or begins to slide only its
//! own, and one that begins or ceases to stick only those that move the rows held together with it.

use crate::problem::ImpactProblem;

use super::basis::Basis;
use super::local::Sparse;

const NOWHERE: usize = usize::MAX;

/// A driving rate: its row, and the row and factor of the slip that goes with it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Driving {
    pub row: usize,
    pub slip: Option<(usize, f64)>,
}

/// Columns of F and H by driving rates.
#[derive(Debug, Clone, Default)]
pub(super) struct Columns {
    pub rates: Vec<Driving>,
    /// F: (row of the problem, value).
    pub reaction: Sparse,
    /// Where the rates of held rows begin in the columns of F.
    pub held: Vec<usize>,
    /// H: (row of the problem, value).
    pub response: Sparse,
}

impl Columns {
    /// Forgets the columns; `rates` stay.
    pub fn clear(&mut self) {
        self.reaction.clear();
        self.held.clear();
        self.response.clear();
    }

    /// Takes column `a` of `other` as the next one.
    pub fn copy(&mut self, other: &Self, a: usize) {
        let begin = self.reaction.end();
        self.held.push(begin + other.held[a] - other.reaction.begin(a));
        self.reaction.copy(&other.reaction, a);
        self.response.copy(&other.response, a);
    }
}

/// The columns before contacts changed, and the rows that were held then.
#[derive(Debug, Clone, Default)]
pub(super) struct Kept {
    pub columns: Columns,
    /// Column of each row of the problem.
    column: Vec<usize>,
    /// Held rows by groups that do not move each other, and where each group ends.
    held: Vec<usize>,
    ends: Vec<usize>,
    /// Group of each row and its place there.
    place: Vec<(usize, usize)>,
    /// Held rows, now or before, whose group is not the same any more.
    changed: Vec<usize>,
    is_changed: Vec<bool>,
}

impl Kept {
    /// Forgets everything; `rows` is the problem's number of rows.
    pub fn reset(&mut self, rows: usize) {
        self.columns.clear();
        self.columns.rates.clear();
        self.held.clear();
        self.ends.clear();
        self.changed.clear();
        self.column.clear();
        self.column.resize(rows, NOWHERE);
        self.place.clear();
        self.place.resize(rows, (NOWHERE, 0));
        self.is_changed.clear();
        self.is_changed.resize(rows, false);
    }

    /// Finds the groups of held rows that are not what they were. Returns whether there are any.
    pub fn compare(&mut self, basis: &Basis) -> bool {
        for row in self.changed.drain(..) {
            self.is_changed[row] = false;
        }
        if basis.independent == self.held {
            return false;
        }
        let mut begin = 0;
        let mut ends = std::mem::take(&mut self.ends);
        let size_before = |ends: &[usize], group: usize| ends[group] - if group == 0 { 0 } else { ends[group - 1] };
        // Every group is changed until it is found again.
        for &row in self.held.iter().chain(&basis.independent) {
            if !self.is_changed[row] {
                self.is_changed[row] = true;
                self.changed.push(row);
            }
        }
        for &end in basis.ends_of_groups() {
            let group = &basis.independent[begin..end];
            let (before, _) = self.place[group[0]];
            let found = before != NOWHERE
                && size_before(&ends, before) == group.len()
                && group.iter().enumerate().all(|(i, &row)| self.place[row] == (before, i));
            if found {
                group.iter().for_each(|&row| self.is_changed[row] = false);
            }
            begin = end;
        }
        let is_changed = &self.is_changed;
        self.changed.retain(|&row| is_changed[row]);
        for &row in &self.held {
            self.place[row].0 = NOWHERE;
        }
        self.held.clone_from(&basis.independent);
        ends.clear();
        ends.extend_from_slice(basis.ends_of_groups());
        let mut begin = 0;
        for (k, &end) in ends.iter().enumerate() {
            for (i, &row) in self.held[begin..end].iter().enumerate() {
                self.place[row] = (k, i);
            }
            begin = end;
        }
        self.ends = ends;
        !self.changed.is_empty()
    }

    /// Takes these columns, and gives those that were kept before, to be overwritten.
    pub fn take(&mut self, columns: &mut Columns) {
        for rate in &self.columns.rates {
            self.column[rate.row] = NOWHERE;
        }
        std::mem::swap(&mut self.columns, columns);
        for (a, rate) in self.columns.rates.iter().enumerate() {
            self.column[rate.row] = a;
        }
    }

    /// The column of this driving rate, if it is still the same.
    pub fn find(&self, problem: &ImpactProblem, rate: &Driving) -> Option<usize> {
        let a = Some(self.column[rate.row]).filter(|&a| a != NOWHERE && self.columns.rates[a] == *rate)?;
        if self.changed.is_empty() {
            return Some(a);
        }
        let mut moves = false;
        for row in std::iter::once(rate.row).chain(rate.slip.map(|(row, _)| row)) {
            problem.operator().for_row(row, |j, g| moves |= g != 0.0 && self.is_changed[j]);
        }
        (!moves).then_some(a)
    }
}

#[cfg(test)]
mod tests {
    use super::super::impact::Buffers;
    use super::super::local::Local;
    use super::super::state::{ContactState, Grip, Phase};
    use crate::problem::{ContactData, ImpactProblem, ProblemData};
    use crate::{Direction, Mass};

    const BODIES: usize = 24;

    /// Uniform in [0, 1], by a linear congruential generator.
    fn draw(state: &mut u64) -> f64 {
        *state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (*state >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Bodies in a ring, each of which touches the next but one or two, with one tangent or two.
    fn ring(state: &mut u64) -> ImpactProblem {
        let masses = (0..6 * BODIES).map(|_| 0.5 + draw(state)).collect();
        let mut data = ProblemData::new(Mass::diagonal(masses).unwrap(), vec![-1.0; 6 * BODIES]);
        for i in 0..2 * BODIES {
            let pair = [i % BODIES, (i + 1 + i / BODIES) % BODIES];
            let mut direction = || {
                let mut entries: Vec<(usize, f64)> = Vec::new();
                for body in [pair[0].min(pair[1]), pair[0].max(pair[1])] {
                    entries.extend((0..6).map(|k| (6 * body + k, draw(state) - 0.5)));
                }
                Direction::Sparse(entries)
            };
            let mut contact = ContactData::new(format!("c{i}"), direction()).friction(0.4).tangent(direction());
            if i % 3 > 0 {
                contact = contact.tangent(direction());
            }
            data.contacts.push(contact);
        }
        ImpactProblem::new(data).unwrap()
    }

    /// Entry of H by rows of the problem.
    fn response(local: &Local, row: usize, driving: usize) -> f64 {
        local.find(row).map_or(0.0, |p| local.response.get(p, driving))
    }

    /// Whatever changes, F and H are those that would be set up from nothing.
    #[test]
    fn kept_columns_are_those_set_up_anew() {
        let mut state = 3;
        let problem = ring(&mut state);
        let mut data = Buffers::default();
        data.scaled.read(&problem, 1.5, &mut data.gamma);
        data.hold.slot.resize(problem.rows(), 0);
        data.locked.resize(problem.rows(), false);
        data.local.reset(problem.rows());
        data.contacts.extend((0..2 * BODIES).map(|_| ContactState::new(Phase::Idle, true)));
        let mut kept = 0;
        for round in 0..60 {
            // A few contacts change, in some rounds only the forces by which held rows are preferred.
            for _ in 0..[40, 1, 0, 2][round % 4] {
                let c = (draw(&mut state) * 2.0 * BODIES as f64) as usize;
                let contact = &mut data.contacts[c];
                contact.phase = if draw(&mut state) < 0.7 { Phase::Compression } else { Phase::Idle };
                contact.grip = match (draw(&mut state) < 0.5, data.scaled.contacts[c].tangents) {
                    (true, _) => Grip::Stick,
                    (_, 1) => Grip::Slip(1.0),
                    _ => Grip::Slide { direction: [1.0, 0.0], slow: false },
                };
            }
            data.contacts.iter_mut().for_each(|contact| contact.delta = draw(&mut state));
            data.active.clear();
            data.active.extend((0..2 * BODIES).filter(|&c| data.contacts[c].phase.pushes()));
            data.rebuild(&problem);
            let mut anew = data.clone();
            anew.local.reset(problem.rows());
            anew.basis.forget();
            anew.rebuild(&problem);
            assert_eq!(data.local.rates, anew.local.rates, "round {round}");
            let [rows, rows_anew] = [&data, &anew].map(|data| {
                let mut rows = data.local.rows.clone();
                rows.sort_unstable();
                rows
            });
            assert_eq!(rows, rows_anew, "round {round}");
            for a in 0..anew.local.rates {
                for row in 0..problem.rows() {
                    let [x, y] = [&data, &anew].map(|data| response(&data.local, row, a));
                    assert!((x - y).abs() < 1e-12, "round {round}, H of row {row} and rate {a}: {x} and {y}");
                    let reaction = |data: &Buffers| -> f64 {
                        data.local.reaction(a).iter().filter(|entry| entry.0 == row).map(|entry| entry.1).sum()
                    };
                    let [x, y] = [reaction(&data), reaction(&anew)];
                    assert!((x - y).abs() < 1e-12, "round {round}, F of row {row} and rate {a}: {x} and {y}");
                }
            }
            let same = |a: &usize| data.local.kept.find(&problem, &data.local.columns.rates[*a]).is_some();
            kept += (0..data.local.rates).filter(same).count();
        }
        assert!(kept > 500, "{kept} columns were kept");
    }
}
