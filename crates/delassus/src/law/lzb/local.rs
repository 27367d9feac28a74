//! The part of the system that moves: the pushing contacts and the rows that
//! feel them.
//!
//! As long as no contact changes its phase or grip, all rates follow from the
//! driving rates q, which are dP_n of the pushing contacts and dP_t of
//! contacts that slide in two directions:
//!
//! ```text
//! dΛ = F q dτ        dγ = H q dτ,   H = ĜF
//! ```
//!
//! A slipping tangent adds −σμ̂ dP_n to its contact's column of F; rows that a
//! reaction holds add the rates that keep their velocity. So a step with
//! friction costs no more than one without.

use crate::problem::ImpactProblem;

use super::basis::Basis;
use super::kept::{Columns, Driving, Kept};
use super::scaled::Scaled;
use super::state::{ContactState, Grip};

pub(super) const NOWHERE: usize = usize::MAX;

/// Lines from this length on are summed in parts, so that no sum waits for the one before it.
const LONG: usize = 16;

/// A sparse matrix by rows or columns.
#[derive(Debug, Clone, Default)]
pub(super) struct Sparse {
    start: Vec<usize>,
    entries: Vec<(usize, f64)>,
}

impl Sparse {
    #[inline(always)]
    pub fn line(&self, i: usize) -> &[(usize, f64)] {
        &self.entries[self.start[i]..self.start[i + 1]]
    }

    /// Σ_j a_ij x_j.
    #[inline(always)]
    pub fn dot(&self, i: usize, x: &[f64]) -> f64 {
        let line = self.line(i);
        if line.len() < LONG {
            return line.iter().map(|&(j, a)| a * x[j]).sum();
        }
        sum_in_parts(line, x)
    }

    /// a_i0 and a_i1, zero where there is none.
    pub fn first_two(&self, i: usize) -> [f64; 2] {
        let mut found = [0.0; 2];
        for &(j, a) in self.line(i).iter().filter(|entry| entry.0 < 2) {
            found[j] = a;
        }
        found
    }

    /// a_ij.
    pub fn get(&self, i: usize, j: usize) -> f64 {
        self.line(i).iter().find(|e| e.0 == j).map_or(0.0, |e| e.1)
    }

    pub fn clear(&mut self) {
        self.start.clear();
        self.start.push(0);
        self.entries.clear();
    }

    /// Number of entries so far.
    pub fn end(&self) -> usize {
        self.entries.len()
    }

    /// Where line `i` begins among the entries.
    pub fn begin(&self, i: usize) -> usize {
        self.start[i]
    }

    /// Takes line `i` of `other` as the next one.
    pub fn copy(&mut self, other: &Self, i: usize) {
        self.entries.extend_from_slice(other.line(i));
        self.close_line();
    }

    fn close_line(&mut self) {
        self.start.push(self.entries.len());
    }
}

/// Σ_j a_j x_j of a long line.
#[inline(never)]
fn sum_in_parts(line: &[(usize, f64)], x: &[f64]) -> f64 {
    let (quads, rest) = line.as_chunks::<4>();
    let mut sums = [0.0; 4];
    for quad in quads {
        for (sum, &(j, a)) in sums.iter_mut().zip(quad) {
            *sum += a * x[j];
        }
    }
    let rest: f64 = rest.iter().map(|&(j, a)| a * x[j]).sum();
    (sums[0] + sums[1]) + (sums[2] + sums[3]) + rest
}

/// The same for three rows with the same columns. The first two are summed side by side, the third ones of two columns too.
fn triples_in_parts(line: &[(usize, [f64; 3])], x: &[f64]) -> [f64; 3] {
    let (pairs, rest) = line.as_chunks::<2>();
    let (mut even, mut odd, mut third) = ([0.0; 2], [0.0; 2], [0.0; 2]);
    for &[(i, [a, b, c]), (j, [d, e, f])] in pairs {
        let (x, y) = (x[i], x[j]);
        even = [even[0] + a * x, even[1] + b * x];
        odd = [odd[0] + d * y, odd[1] + e * y];
        third = [third[0] + c * x, third[1] + f * y];
    }
    for &(i, [a, b, c]) in rest {
        even = [even[0] + a * x[i], even[1] + b * x[i]];
        third[0] += c * x[i];
    }
    [even[0] + odd[0], even[1] + odd[1], third[0] + third[1]]
}

/// Three rows each of a sparse matrix with the same columns: one pass over them multiplies all three, which takes hardly longer
/// than one row by itself.
#[derive(Debug, Clone, Default)]
pub(super) struct Triples {
    start: Vec<usize>,
    entries: Vec<(usize, [f64; 3])>,
}

impl Triples {
    /// Σ_j a_ij x_j of the three rows of triple `i`.
    #[inline(never)]
    pub fn dot(&self, i: usize, x: &[f64]) -> [f64; 3] {
        // A function of its own: within the stages, which need many registers, the sums were kept in memory, and every
        // entry waited for the one before it to be written and read again.
        let line = &self.entries[self.start[i]..self.start[i + 1]];
        if line.len() >= LONG {
            return triples_in_parts(line, x);
        }
        let (mut first, mut second, mut third) = (-0.0, -0.0, -0.0);
        for &(j, [a, b, c]) in line {
            let x = x[j];
            first += a * x;
            second += b * x;
            third += c * x;
        }
        [first, second, third]
    }

    /// Takes these rows, which are sorted by columns, as the next triple.
    fn push(&mut self, rows: [&[(usize, f64)]; 3]) {
        let mut next = [0; 3];
        loop {
            let ahead = [0, 1, 2].map(|k| rows[k].get(next[k]).map_or(NOWHERE, |entry| entry.0));
            let column = ahead[0].min(ahead[1]).min(ahead[2]);
            if column == NOWHERE {
                break;
            }
            let mut values = [0.0; 3];
            for k in 0..3 {
                if ahead[k] == column {
                    values[k] = rows[k][next[k]].1;
                    next[k] += 1;
                }
            }
            self.entries.push((column, values));
        }
        self.start.push(self.entries.len());
    }
}

impl Local {
    /// The part of H by which these driving rates move themselves; `column` says where each of all rates stands among them.
    /// The first ones belong to `drivers`, two each to `slides`.
    pub fn part(&self, rates: &[usize], column: &[usize], slides: impl Iterator<Item = Slide>, out: &mut Self) {
        out.rates = rates.len();
        out.slides.clear();
        out.slides.extend(slides);
        out.response.clear();
        for &rate in rates {
            let among = self.response.line(rate).iter().filter(|entry| column[entry.0] != NOWHERE);
            out.response.entries.extend(among.map(|&(b, value)| (column[b], value)));
            out.response.close_line();
        }
        out.sort_slides();
    }
}

/// A contact that slides in two directions, with its driving rates.
#[derive(Debug, Clone, Copy)]
pub(super) struct Slide {
    /// Driver of the same contact.
    pub driver: usize,
    /// First of the two driving rates.
    pub rate: usize,
}

#[derive(Debug, Clone, Default)]
pub(super) struct Local {
    /// Contacts whose δ moves.
    pub drivers: Vec<usize>,
    pub slides: Vec<Slide>,
    /// Rows that move; those of the driving rates come first, in their order.
    pub rows: Vec<usize>,
    /// Number of driving rates.
    pub rates: usize,
    /// F and H by columns, and what they were before contacts changed.
    pub(super) columns: Columns,
    pub(super) kept: Kept,
    /// H by local rows: (driving rate, value).
    pub response: Sparse,
    /// Rows of H of the contacts in `slides`: normal and both tangents.
    pub sliding: Triples,
    /// Where a row of the problem stands in `rows`.
    position: Vec<usize>,
    column: Vec<f64>,
    touched: Vec<usize>,
    next: Vec<Driving>,
}

impl Local {
    /// Forgets everything; `rows` is the problem's number of rows.
    pub fn reset(&mut self, rows: usize) {
        self.position.clear();
        self.position.resize(rows, NOWHERE);
        self.rows.clear();
        self.columns.clear();
        self.columns.rates.clear();
        self.kept.reset(rows);
    }

    /// Multiplications of an explicit step, about.
    pub fn cost(&self) -> f64 {
        12.0 * (self.response.entries.len() + 8 * self.rates) as f64
    }

    /// What driving rate `a` makes of the impulses: (row of the problem, value).
    pub fn reaction(&self, a: usize) -> &[(usize, f64)] {
        self.columns.reaction.line(a)
    }

    /// Rates of held rows that driving rate `a` brings about: (row of the problem, value).
    pub fn held(&self, a: usize) -> &[(usize, f64)] {
        let reaction = &self.columns.reaction;
        &reaction.line(a)[self.columns.held[a] - reaction.begin(a)..]
    }

    /// Local index of a row of the problem.
    pub fn find(&self, row: usize) -> Option<usize> {
        Some(self.position[row]).filter(|&p| p != NOWHERE)
    }

    fn place(&mut self, row: usize) -> usize {
        if self.position[row] == NOWHERE {
            self.position[row] = self.rows.len();
            self.rows.push(row);
        }
        self.position[row]
    }

    /// Sets up F and H for the contacts in `active` with their present grip.
    pub fn build(
        &mut self,
        problem: &ImpactProblem,
        scaled: &Scaled,
        contacts: &[ContactState],
        active: &[usize],
        basis: &mut Basis,
    ) {
        self.list_rates(scaled, contacts, active);
        let held_otherwise = self.kept.compare(basis);
        if !held_otherwise && !self.next.is_empty() && self.next == self.columns.rates {
            return;
        }
        self.kept.take(&mut self.columns);
        std::mem::swap(&mut self.columns.rates, &mut self.next);
        self.columns.clear();
        for row in self.rows.drain(..) {
            self.position[row] = NOWHERE;
        }
        self.rates = self.columns.rates.len();
        for a in 0..self.rates {
            self.place(self.columns.rates[a].row);
        }
        for a in 0..self.rates {
            let rate = self.columns.rates[a];
            if let Some(same) = self.kept.find(problem, &rate) {
                self.columns.copy(&self.kept.columns, same);
                for k in self.columns.response.begin(a)..self.columns.response.end() {
                    self.place(self.columns.response.entries[k].0);
                }
            } else {
                self.fill_column(problem, scaled, &rate, basis);
            }
        }
        self.sort_response();
        self.sort_slides();
    }

    /// H by the three rows of slides.
    fn sort_slides(&mut self) {
        self.sliding.start.clear();
        self.sliding.start.push(0);
        self.sliding.entries.clear();
        for slide in &self.slides {
            self.sliding.push([slide.driver, slide.rate, slide.rate + 1].map(|row| self.response.line(row)));
        }
    }

    /// Drivers, slides and driving rates of the contacts in `active`.
    fn list_rates(&mut self, scaled: &Scaled, contacts: &[ContactState], active: &[usize]) {
        self.drivers.clear();
        self.drivers.extend_from_slice(active);
        self.slides.clear();
        self.next.clear();
        self.next.extend(active.iter().map(|&c| {
            let data = &scaled.contacts[c];
            let slip = match contacts[c].grip {
                Grip::Slip(sign) if contacts[c].phase.pushes() => Some((data.tangent, -sign * data.kinetic[0])),
                _ => None,
            };
            Driving { row: data.normal, slip }
        }));
        for (driver, &c) in active.iter().enumerate() {
            if contacts[c].phase.pushes() && matches!(contacts[c].grip, Grip::Slide { .. }) {
                let (rate, tangent) = (self.next.len(), scaled.contacts[c].tangent);
                self.slides.push(Slide { driver, rate });
                self.next.extend([tangent, tangent + 1].map(|row| Driving { row, slip: None }));
            }
        }
    }

    /// The next columns of F and H.
    fn fill_column(&mut self, problem: &ImpactProblem, scaled: &Scaled, rate: &Driving, basis: &mut Basis) {
        let first = self.columns.reaction.end();
        self.columns.reaction.entries.push((rate.row, 1.0));
        self.columns.reaction.entries.extend(rate.slip);
        self.touched.clear();
        let second = self.columns.reaction.end();
        self.columns.held.push(second);
        for k in first..second {
            self.add_row(problem, scaled, k);
        }
        if !basis.is_empty() {
            let rows = std::mem::take(&mut basis.independent);
            let (position, column) = (&self.position, &self.column);
            let held = |&row: &usize| {
                let p = position[row];
                if p == NOWHERE || p >= column.len() { 0.0 } else { -column[p] }
            };
            let rates = basis.solve(rows.iter().map(held));
            let moved = rows.iter().zip(rates).filter(|(_, x)| **x != 0.0);
            self.columns.reaction.entries.extend(moved.map(|(&row, &x)| (row, x)));
            basis.independent = rows;
            for k in second..self.columns.reaction.end() {
                self.add_row(problem, scaled, k);
            }
        }
        self.columns.reaction.close_line();
        // Zeros as well: a row that moves without being accelerated belongs to those that move.
        for &p in &self.touched {
            self.columns.response.entries.push((self.rows[p], self.column[p]));
            self.column[p] = 0.0;
        }
        self.columns.response.close_line();
    }

    /// Adds the response to entry `k` of F to the column under way.
    fn add_row(&mut self, problem: &ImpactProblem, scaled: &Scaled, k: usize) {
        let (row, value) = self.columns.reaction.entries[k];
        if value == 0.0 {
            return;
        }
        let factor = value * scaled.units.inverse[row];
        problem.operator().for_row(row, |j, g| {
            if g != 0.0 {
                let p = self.place(j);
                if p >= self.column.len() {
                    self.column.resize(p + 1, 0.0);
                }
                if self.column[p] == 0.0 {
                    self.touched.push(p);
                }
                self.column[p] += factor * g * scaled.units.inverse[j];
            }
        });
    }

    /// H by rows.
    fn sort_response(&mut self) {
        let (count, columns) = (self.rows.len(), &self.columns.response);
        let start = &mut self.response.start;
        start.clear();
        start.resize(count + 2, 0);
        let mut entries = 0;
        for &(row, _) in columns.entries.iter().filter(|entry| entry.1 != 0.0) {
            start[self.position[row] + 2] += 1;
            entries += 1;
        }
        for p in 0..count {
            start[p + 2] += start[p + 1];
        }
        self.response.entries.clear();
        self.response.entries.resize(entries, (0, 0.0));
        for a in 0..self.rates {
            for &(row, value) in columns.line(a).iter().filter(|entry| entry.1 != 0.0) {
                let p = self.position[row];
                self.response.entries[start[p + 1]] = (a, value);
                start[p + 1] += 1;
            }
        }
        start.pop();
    }
}
