//! Rows whose velocity a reaction holds: joints, locked clutches, sticking
//! tangents. Their rates follow from the other rates by a linear system, which
//! is singular where directions are dependent.

use crate::problem::ImpactProblem;
use crate::small::lu;

use super::scaled::Scaled;
use super::thresholds::friction;

const NOWHERE: usize = usize::MAX;

/// Up to so many rows their order is not worth a second factor.
const FEW: usize = 16;

/// Held rows, split into an independent set with Cholesky factor and the rest.
///
/// With rates x_B of the independent rows that hold all of them, every other
/// solution is x_B − C t, x_D = t with C = G_BB⁻¹G_BD.
#[derive(Debug, Clone, Default)]
pub(super) struct Basis {
    /// Independent rows B, and their weights μ_s dP_n (0: no cost).
    pub independent: Vec<usize>,
    /// Dependent rows D.
    pub dependent: Vec<usize>,
    /// Lower factor of Ĝ_BB, row by row with stride `stride`, and where its rows begin not to be zero: rows that
    /// share no body with others do not pay for them.
    factor: Vec<f64>,
    stride: usize,
    first: Vec<usize>,
    /// Where groups of independent rows end that do not move each other.
    ends: Vec<usize>,
    /// The rows that were last put in an order, if they are those of the factor.
    asked: Vec<usize>,
    /// Where a row of the problem stands among the independent ones.
    place: Vec<usize>,
    /// C, one column of |B| entries per dependent row.
    coupling: Vec<f64>,
    ordered: Vec<usize>,
    row: Vec<f64>,
    system: Vec<f64>,
    pivots: Vec<usize>,
    /// Where a column of C is not zero: row, value, quotient of weights.
    ratios: Vec<(usize, f64, f64)>,
}

impl Basis {
    pub fn is_empty(&self) -> bool {
        self.independent.is_empty()
    }

    /// Forgets everything.
    pub fn forget(&mut self) {
        self.independent.clear();
        self.dependent.clear();
        self.ends.clear();
        self.coupling.clear();
        self.asked.clear();
    }

    /// Where groups of independent rows end that do not move each other: rows of a group follow one another.
    pub fn ends_of_groups(&self) -> &[usize] {
        &self.ends
    }

    /// All held rows, independent ones first.
    pub fn rows(&self) -> impl Iterator<Item = usize> + '_ {
        self.independent.iter().chain(&self.dependent).copied()
    }

    /// Whether a dependent row for which `of` holds depends on an independent one for which `on` does.
    pub fn depends(&self, of: impl Fn(usize) -> bool, on: impl Fn(usize) -> bool) -> bool {
        let columns = self.coupling.chunks_exact(self.independent.len().max(1));
        self.dependent.iter().zip(columns).any(|(&row, column)| {
            of(row) && self.independent.iter().zip(column).any(|(&b, c)| c.abs() > friction::DEPENDENT && on(b))
        })
    }

    /// Takes up `rows`; earlier ones are preferred as independent.
    pub fn build(&mut self, problem: &ImpactProblem, scaled: &Scaled, rows: &[usize]) {
        self.asked.clear();
        self.dependent.clear();
        self.factorise(problem, scaled, rows, friction::DEPENDENT);
        self.couple(problem, scaled);
    }

    /// The same, and where there are many rows the independent ones are put in the order of `key`, in which those that move the
    /// same bodies should be neighbours: then rows of the factor are short.
    pub fn build_ordered<K: Ord>(
        &mut self,
        problem: &ImpactProblem,
        scaled: &Scaled,
        rows: &[usize],
        key: impl Fn(usize) -> K,
    ) {
        let mut ordered = std::mem::take(&mut self.ordered);
        if rows.len() > FEW {
            ordered.clear();
            ordered.extend_from_slice(rows);
            crate::small::sort_by(&mut ordered, |&a, &b| key(a).cmp(&key(b)));
        }
        // Forces change from event to event and with them which rows are preferred, but not the factor if none depends on others.
        let same_order = !rows.is_empty() && rows == self.asked;
        let same_factor = rows.len() > FEW && !self.asked.is_empty() && ordered == self.independent;
        if !same_order && !same_factor {
            self.dependent.clear();
            self.factorise(problem, scaled, rows, friction::DEPENDENT);
            if rows.len() > FEW {
                let dependent = self.dependent.len();
                if dependent > 0 {
                    ordered.clone_from(&self.independent);
                    crate::small::sort_by(&mut ordered, |&a, &b| key(a).cmp(&key(b)));
                }
                self.factorise(problem, scaled, &ordered, 0.01 * friction::DEPENDENT);
                if self.dependent.len() > dependent {
                    // Too close to dependence for an order that does not look at it.
                    self.dependent.clear();
                    self.factorise(problem, scaled, rows, friction::DEPENDENT);
                }
            }
            self.couple(problem, scaled);
            self.asked.clear();
            self.asked.extend_from_slice(rows);
        }
        self.ordered = ordered;
    }

    /// Factors Ĝ of those of `rows` that do not depend on others: whose pivot is above this share of the diagonal. The
    /// others are added to the dependent ones.
    fn factorise(&mut self, problem: &ImpactProblem, scaled: &Scaled, rows: &[usize], least: f64) {
        self.independent.clear();
        self.stride = rows.len();
        self.factor.clear();
        self.factor.resize(rows.len() * rows.len(), 0.0);
        self.first.clear();
        self.ends.clear();
        self.place.clear();
        self.place.resize(if rows.is_empty() { 0 } else { problem.rows() }, NOWHERE);
        for &row in rows {
            let count = self.independent.len();
            let first = self.load(problem, scaled, row);
            self.forward(first);
            let diagonal = scaled.operator(problem, row, row);
            let pivot = diagonal - self.row[first..].iter().map(|l| l * l).sum::<f64>();
            if pivot > least * diagonal {
                let start = count * self.stride;
                self.factor[start..start + count].copy_from_slice(&self.row);
                self.factor[start + count] = pivot.sqrt();
                self.place[row] = count;
                self.first.push(first);
                self.independent.push(row);
                // It joins all groups from the first row that it moves on.
                while self.ends.last().is_some_and(|&end| end > first) {
                    self.ends.pop();
                }
                self.ends.push(count + 1);
            } else {
                self.dependent.push(row);
            }
        }
    }

    /// C.
    fn couple(&mut self, problem: &ImpactProblem, scaled: &Scaled) {
        self.coupling.clear();
        for k in 0..self.dependent.len() {
            let first = self.load(problem, scaled, self.dependent[k]);
            self.forward(first);
            self.backward();
            self.coupling.extend_from_slice(&self.row);
        }
    }

    /// Ĝ of the independent rows with this one. Returns where that begins not to be zero.
    fn load(&mut self, problem: &ImpactProblem, scaled: &Scaled, row: usize) -> usize {
        let count = self.independent.len();
        self.row.clear();
        self.row.resize(count, 0.0);
        let mut first = count;
        problem.operator().for_row(row, |j, g| {
            if self.place[j] != NOWHERE && g != 0.0 {
                self.row[self.place[j]] = scaled.units.entry(row, j, g);
                first = first.min(self.place[j]);
            }
        });
        first
    }

    /// `from` where the right-hand side begins not to be zero.
    fn forward(&mut self, from: usize) {
        for i in from..self.row.len() {
            let line = &self.factor[i * self.stride..=i * self.stride + i];
            let begin = self.first[i].max(from);
            let sum: f64 = line[begin..i].iter().zip(&self.row[begin..i]).map(|(l, x)| l * x).sum();
            self.row[i] = (self.row[i] - sum) / line[i];
        }
    }

    fn backward(&mut self) {
        for i in (0..self.row.len()).rev() {
            if self.row[i] != 0.0 {
                let line = &self.factor[i * self.stride..=i * self.stride + i];
                let x = self.row[i] / line[i];
                self.row[i] = x;
                let begin = self.first[i];
                self.row[begin..i].iter_mut().zip(&line[begin..i]).for_each(|(y, l)| *y -= l * x);
            }
        }
    }

    /// Solves Ĝ_BB x = `rhs`; the answer stays valid until the next call.
    pub fn solve(&mut self, rhs: impl Iterator<Item = f64>) -> &[f64] {
        self.row.clear();
        self.row.extend(rhs);
        let first = self.row.iter().position(|x| *x != 0.0).unwrap_or(self.row.len());
        self.forward(first);
        self.backward();
        &self.row
    }

    /// Coordinates of held row `slot` (independent rows first) with the first
    /// `skip` independent rows held: their products are Ĝ with those rows held.
    pub fn coordinates(&self, slot: usize, skip: usize, out: &mut [f64]) {
        let (count, width) = (self.independent.len(), out.len());
        out.fill(0.0);
        let mut add = |b: usize, factor: f64| {
            let begin = skip.max(self.first[b]);
            let line = self.factor.get(b * self.stride + begin..=b * self.stride + b).unwrap_or(&[]);
            out[(begin - skip).min(width)..].iter_mut().zip(line).for_each(|(x, l)| *x += factor * l);
        };
        if slot < count {
            add(slot, 1.0);
        } else {
            let column = &self.coupling[(slot - count) * count..(slot - count + 1) * count];
            // Without what is round-off, so that these rows are no longer than the others.
            let least = friction::UNCOUPLED * column.iter().fold(0.0_f64, |m, c| m.max(c.abs()));
            let known = column.iter().enumerate().skip(skip).filter(|(_, c)| c.abs() > least);
            known.for_each(|(b, &c)| add(b, c));
        }
    }

    /// Among all rates that hold the rows take the one of least Σ x²/w.
    ///
    /// `x` has the independent rates, then room for the dependent ones;
    /// `weight` likewise. Rows without cost have infinite weight.
    pub fn spread(&mut self, x: &mut [f64], weight: &[f64]) {
        let (b, d) = (self.independent.len(), self.dependent.len());
        // (I + W_D Cᵀ W_B⁻¹ C) t = W_D Cᵀ W_B⁻¹ x_B, regular also for W_D = 0.
        self.system.clear();
        for i in 0..d {
            // Most rows depend on few others: those of a box on one of its tangents.
            let column = &self.coupling[i * b..(i + 1) * b];
            self.ratios.clear();
            self.ratios.extend(column.iter().enumerate().filter(|(_, left)| **left != 0.0).map(|(k, &left)| {
                let ratio = (weight[b + i] / weight[k].max(f64::MIN_POSITIVE)).min(1e200);
                (k, left, ratio)
            }));
            let product =
                |right: &[f64]| -> f64 { self.ratios.iter().map(|&(k, left, ratio)| left * right[k] * ratio).sum() };
            let row = (0..d).map(|j| product(&self.coupling[j * b..(j + 1) * b]) + if i == j { 1.0 } else { 0.0 });
            self.system.extend(row);
            x[b + i] = product(&x[..b]);
        }
        lu::decompose(&mut self.system, &mut self.pivots, d);
        lu::substitute(&self.system, &self.pivots, &mut x[b..b + d]);
        self.complete(x);
    }

    /// Completes given rates of the dependent rows: x_B − C t for x_B.
    pub fn complete(&self, x: &mut [f64]) {
        let b = self.independent.len();
        let (basic, given) = x.split_at_mut(b);
        for (i, t) in given.iter().enumerate() {
            for (x, c) in basic.iter_mut().zip(&self.coupling[i * b..(i + 1) * b]) {
                *x -= c * t;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of all rates that hold the rows those of least Σ x²/w: what remains is orthogonal to (−C, 1) in that metric.
    #[test]
    fn rates_are_spread_by_their_weights() {
        let number = |k: usize| (2.3 * (k * k) as f64 + 0.4).sin();
        let (b, d) = (3, 2);
        let coupling: Vec<f64> = (0..b * d).map(number).collect();
        let (independent, dependent) = ((0..b).collect(), (b..b + d).collect());
        let mut basis = Basis { independent, dependent, coupling: coupling.clone(), ..Basis::default() };
        for case in 0..20 {
            let weight: Vec<f64> = (0..b + d).map(|k| 1.2 + number(k + 7 * case)).collect();
            let start: Vec<f64> = (0..b + d).map(|k| if k < b { number(k + 5 * case + 90) } else { 0.0 }).collect();
            let mut x = start.clone();
            basis.spread(&mut x, &weight);
            for i in 0..d {
                let column = &coupling[i * b..(i + 1) * b];
                let slope: f64 = x[b + i] / weight[b + i] - (0..b).map(|k| column[k] * x[k] / weight[k]).sum::<f64>();
                assert!(slope.abs() < 1e-12, "{slope}");
            }
            for k in 0..b {
                let taken: f64 = (0..d).map(|i| coupling[i * b + k] * x[b + i]).sum();
                assert!((x[k] + taken - start[k]).abs() < 1e-12);
            }
        }
    }
}
