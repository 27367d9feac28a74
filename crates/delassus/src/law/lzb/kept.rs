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
