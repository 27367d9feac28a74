//! Candidates for solutions of ξ = Gx + b over the cones of contacts, joints and clutches, without
//! any solver of the library. The caller keeps those that satisfy the law to the certified tolerance.

use crate::problems::{Element, Kind, Random};
use crate::system::System;

/// ξ = Gx + b with its elements; `shift` is the constant part of the friction radius, by row of the normal.
pub struct Inclusion<'a> {
    pub system: &'a System,
    pub b: Vec<f64>,
    pub shift: Vec<f64>,
}

/// One equation Σ a_j x_j = rhs.
type Equation = (Vec<f64>, f64);

/// States of a unilateral row with its friction.
#[derive(Debug, Clone, Copy)]
struct State {
    /// x_N = 0, ξ_N = 0.
    open: bool,
    closed: bool,
    /// ξ_T = 0; x_T = −σμ(x_N + s).
    stick: bool,
    slip: Option<f64>,
}

impl Inclusion<'_> {
    fn rows(&self) -> usize {
        self.system.rows
    }

    fn unit(&self, row: usize) -> f64 {
        self.system.g[row * self.rows() + row].sqrt()
    }

    /// ξ_row = 0 in units of √G.
    fn no_velocity(&self, row: usize) -> Equation {
        let m = self.rows();
        let a = (0..m).map(|j| self.system.g[row * m + j] / self.unit(row) / self.unit(j)).collect();
        (a, -self.b[row] / self.unit(row))
    }

    fn no_impulse(&self, row: usize) -> Equation {
        let mut a = vec![0.0; self.rows()];
        a[row] = 1.0;
        (a, 0.0)
    }

    /// x_T = −σ μ (x_N + s).
    fn sliding(&self, row: usize, normal: usize, factor: f64) -> Equation {
        let mut a = vec![0.0; self.rows()];
        let mu = factor * self.unit(row) / self.unit(normal);
        let size = mu.abs().max(1.0);
        a[row] = 1.0 / size;
        a[normal] = mu / size;
        (a, -mu * self.shift[normal] * self.unit(normal) / size)
    }

    /// Solutions of the equations with zeros where they leave x open, for two ideas of what is dependent.
    fn solve(&self, equations: &[Equation], found: &mut Vec<Vec<f64>>) {
        let (x, weakest) = eliminate(equations, self.rows(), 1e-12);
        let mut add = |x: Vec<f64>| found.push(x.iter().enumerate().map(|(i, x)| x / self.unit(i)).collect());
        add(x);
        if weakest < 1e-6 {
            add(eliminate(equations, self.rows(), 1e-6).0);
        }
    }

    /// Every combination of states of planar contacts and clutches. Beside the usual states there
    /// are those in which two hold at once: they are the corners of sets of solutions.
    pub fn planar(&self) -> Vec<Vec<f64>> {
        let elements = &self.system.elements;
        let normals: Vec<usize> =
            (0..elements.len()).filter(|&i| matches!(elements[i].kind, Kind::Normal | Kind::Clutch)).collect();
        let lists: Vec<Vec<State>> = normals.iter().map(|&i| self.states(i)).collect();
        let mut digits = vec![0; normals.len()];
        let mut found = Vec::new();
        loop {
            let mut equations: Vec<Equation> = Vec::new();
            for e in elements.iter().filter(|e| e.kind == Kind::Joint) {
                equations.push(self.no_velocity(e.row));
            }
            for ((&i, list), &digit) in normals.iter().zip(&lists).zip(&digits) {
                let (row, state) = (elements[i].row, list[digit]);
                if state.open {
                    equations.push(self.no_impulse(row));
                }
                if state.closed {
                    equations.push(self.no_velocity(row));
                }
                if let Some((t, mu)) = friction_of(elements, i) {
                    if state.stick {
                        equations.push(self.no_velocity(t));
                    }
                    if let Some(sigma) = state.slip {
                        equations.push(self.sliding(t, row, sigma * mu[0]));
                    }
                }
            }
            self.solve(&equations, &mut found);
            let mut place = 0;
            loop {
                if place == digits.len() {
                    return found;
                }
                digits[place] += 1;
                if digits[place] < lists[place].len() {
                    break;
                }
                digits[place] = 0;
                place += 1;
            }
        }
    }

    fn states(&self, i: usize) -> Vec<State> {
        let elements = &self.system.elements;
        let normal = [(true, false), (false, true), (true, true)];
        let Some((_, mu)) = friction_of(elements, i) else {
            return normal.map(|(open, closed)| State { open, closed, stick: false, slip: None }).to_vec();
        };
        if mu[0] == 0.0 {
            return normal.map(|(open, closed)| State { open, closed, stick: false, slip: Some(0.0) }).to_vec();
        }
        let tangential = [(true, None), (false, Some(1.0)), (false, Some(-1.0)), (true, Some(1.0)), (true, Some(-1.0))];
        let shifted = self.shift[elements[i].row] > 0.0;
        let mut states = Vec::new();
        for (open, closed) in normal {
            if open && !shifted {
                states.push(State { open, closed, stick: false, slip: Some(1.0) });
                continue;
            }
            states.extend(tangential.map(|(stick, slip)| State { open, closed, stick, slip }));
        }
        states
    }

    /// Candidates with friction in two dimensions: each contact open or sticking, the slip of one
    /// contact in every direction, and the ends of a simple iteration from many starts.
    pub fn spatial(&self, seed: u64, starts: usize) -> Vec<Vec<f64>> {
        let mut found = vec![vec![0.0; self.rows()]];
        let elements = &self.system.elements;
        let normals: Vec<usize> =
            (0..elements.len()).filter(|&i| matches!(elements[i].kind, Kind::Normal | Kind::Clutch)).collect();
        for code in 0..1usize << normals.len() {
            let closed = |k: usize| code >> k & 1 == 1;
            let mut equations: Vec<Equation> = Vec::new();
            for e in elements.iter().filter(|e| e.kind == Kind::Joint) {
                equations.push(self.no_velocity(e.row));
            }
            let contacts: Vec<usize> =
                (0..normals.len()).filter(|&k| friction_of(elements, normals[k]).is_some()).collect();
            for (k, &i) in normals.iter().enumerate() {
                let row = elements[i].row;
                equations.push(if closed(k) { self.no_velocity(row) } else { self.no_impulse(row) });
            }
            let base = equations.len();
            let rows = |i: usize| elements[i + 1].row..elements[i + 1].row + elements[i + 1].rows;
            for &k in &contacts {
                for t in rows(normals[k]) {
                    equations.push(if closed(k) { self.no_velocity(t) } else { self.no_impulse(t) });
                }
            }
            self.solve(&equations, &mut found);
            // One contact that slides while all others keep their state.
            for &k in &contacts {
                let i = normals[k];
                let Some((first, mu)) = friction_of(elements, i).filter(|_| elements[i + 1].rows == 2) else {
                    continue;
                };
                if mu[0] == 0.0 || mu[1] == 0.0 {
                    continue;
                }
                equations.truncate(base);
                for &other in contacts.iter().filter(|&&o| o != k) {
                    for t in rows(normals[other]) {
                        equations.push(if closed(other) { self.no_velocity(t) } else { self.no_impulse(t) });
                    }
                }
                self.scan(&equations, elements[i].row, first, mu, &mut found);
            }
        }
        let mut random = Random(seed);
        for _ in 0..starts {
            found.push(self.iterate(&mut random));
        }
        found
    }

    /// Directions d of slip, x_T = −(x_N + s) D d, for which Dξ_T is parallel to d.
    fn scan(&self, others: &[Equation], normal: usize, first: usize, mu: [f64; 2], found: &mut Vec<Vec<f64>>) {
        const SAMPLES: usize = 180;
        let at = |angle: f64| {
            let (s, c) = angle.sin_cos();
            let mut equations = others.to_vec();
            equations.push(self.sliding(first, normal, mu[0] * c));
            equations.push(self.sliding(first + 1, normal, mu[1] * s));
            let (x, _) = eliminate(&equations, self.rows(), 1e-12);
            let x: Vec<f64> = x.iter().enumerate().map(|(i, x)| x / self.unit(i)).collect();
            let m = self.rows();
            let xi = |row: usize| self.b[row] + (0..m).map(|j| self.system.g[row * m + j] * x[j]).sum::<f64>();
            (c * mu[1] * xi(first + 1) - s * mu[0] * xi(first), x)
        };
        let step = std::f64::consts::TAU / SAMPLES as f64;
        let mut before = at(0.0).0;
        for k in 0..SAMPLES {
            let (mut low, mut high) = (k as f64 * step, (k + 1) as f64 * step);
            let after = at(high).0;
            if before == 0.0 || (before > 0.0) != (after > 0.0) {
                for _ in 0..60 {
                    let middle = 0.5 * (low + high);
                    if (at(middle).0 > 0.0) == (before > 0.0) { low = middle } else { high = middle }
                }
                found.push(at(low).1);
                found.push(at(high).1);
            }
            before = after;
        }
    }

    /// Projected steps, row after row, from a random start.
    fn iterate(&self, random: &mut Random) -> Vec<f64> {
        let m = self.rows();
        let elements = &self.system.elements;
        let size = (0..m).fold(0.0f64, |a, i| a.max(self.b[i].abs() / self.unit(i))) * 3.0;
        let mut x: Vec<f64> = (0..m).map(|i| size * random.unit() / self.unit(i)).collect();
        for _ in 0..1500 {
            let mut change = 0.0f64;
            for e in elements {
                for row in e.row..e.row + e.rows {
                    let g = &self.system.g[row * m..(row + 1) * m];
                    let xi = self.b[row] + g.iter().zip(&x).map(|(g, x)| g * x).sum::<f64>();
                    let old = x[row];
                    x[row] -= xi / g[row];
                    if matches!(e.kind, Kind::Normal | Kind::Clutch) {
                        x[row] = x[row].max(0.0);
                    }
                    change = change.max((x[row] - old).abs() * self.unit(row));
                }
                if let Kind::Friction(normal, mu) = e.kind {
                    let radius = x[normal] + self.shift[normal];
                    if e.rows == 1 {
                        x[e.row] = x[e.row].clamp(-mu[0] * radius, mu[0] * radius);
                    } else {
                        let scaled = [0, 1].map(|k| if mu[k] > 0.0 { x[e.row + k] / mu[k] } else { 0.0 });
                        let length = scaled[0].hypot(scaled[1]);
                        let cut = if length > radius { radius / length } else { 1.0 };
                        (0..2).for_each(|k| x[e.row + k] = scaled[k] * mu[k] * cut);
                    }
                }
            }
            if change <= 1e-15 * size {
                break;
            }
        }
        x
    }
}

/// First row and coefficients of the friction that belongs to the normal element `i`.
fn friction_of(elements: &[Element], i: usize) -> Option<(usize, [f64; 2])> {
    match elements.get(i + 1) {
        Some(Element { kind: Kind::Friction(_, mu), row, .. }) if elements[i].kind == Kind::Normal => Some((*row, *mu)),
        _ => None,
    }
}

/// Elimination with full pivoting; unknowns beyond the rank are zero, equations beyond it are left alone.
/// Also tells the smallest pivot used, relative to the largest.
fn eliminate(equations: &[Equation], columns: usize, rank: f64) -> (Vec<f64>, f64) {
    let mut rows: Vec<Equation> = equations.to_vec();
    let mut order: Vec<usize> = (0..columns).collect();
    let (mut largest, mut weakest) = (0.0, 1.0);
    let mut k = 0;
    while k < rows.len().min(columns) {
        let (mut p, mut q, mut best) = (k, k, 0.0);
        for (i, (a, _)) in rows.iter().enumerate().skip(k) {
            for (j, &column) in order.iter().enumerate().skip(k) {
                if a[column].abs() > best {
                    (p, q, best) = (i, j, a[column].abs());
                }
            }
        }
        if k == 0 {
            largest = best;
        }
        if best <= rank * largest {
            break;
        }
        weakest = best / largest;
        rows.swap(p, k);
        order.swap(q, k);
        let (pivot_row, rhs) = rows[k].clone();
        for (a, r) in &mut rows[k + 1..] {
            let factor = a[order[k]] / pivot_row[order[k]];
            if factor != 0.0 {
                a.iter_mut().zip(&pivot_row).for_each(|(a, p)| *a -= factor * p);
                *r -= factor * rhs;
            }
        }
        k += 1;
    }
    let mut x = vec![0.0; columns];
    for i in (0..k).rev() {
        let (a, rhs) = &rows[i];
        let sum: f64 = (i + 1..k).map(|j| a[order[j]] * x[order[j]]).sum();
        x[order[i]] = (rhs - sum) / a[order[i]];
    }
    (x, weakest)
}
