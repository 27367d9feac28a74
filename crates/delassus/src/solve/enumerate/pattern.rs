//! One assumption about the state of every contact, and the linear system it leaves.

use super::scaled::{Scaled, Tangent};
use crate::small::rank::FullPivot;

/// What a row does under the assumption.
#[derive(Debug, Clone, Copy)]
pub(super) enum Mark {
    /// x = 0.
    Zero,
    /// ξ = 0, x unknown.
    Active,
    /// x = −σ μ (x_normal + shift).
    Slide { sign: f64, normal: usize },
}

/// Marks of all rows with the places of the unknowns.
#[derive(Debug, Clone, Default)]
pub(super) struct Pattern {
    pub(super) marks: Vec<Mark>,
    pub(super) active: Vec<usize>,
    place: Vec<usize>,
}

impl Pattern {
    /// The pattern of combination `digits`, one digit per group.
    pub(super) fn set(&mut self, scaled: &Scaled, digits: &[usize]) {
        self.clear(scaled);
        for (group, &digit) in scaled.groups.iter().zip(digits) {
            let Some(tangent) = group.friction else {
                if digit == 1 {
                    self.marks[group.normal] = Mark::Active;
                }
                continue;
            };
            // Digits: 0 open; 1, 2, 3 closed with stick, slip ±; with a shift 0, 4, 5 open with stick, slip ±.
            let closed = (1..4).contains(&digit);
            if closed {
                self.marks[group.normal] = Mark::Active;
            }
            let slide = |sign| Mark::Slide { sign, normal: group.normal };
            self.marks[tangent.row] = match digit {
                0 if tangent.shift == 0.0 => Mark::Zero,
                0 | 1 => Mark::Active,
                2 | 4 => slide(1.0),
                _ => slide(-1.0),
            };
        }
        self.index();
    }

    /// The largest pattern that ξ allows: closed where ξ_N = 0, stick where ξ_T = 0.
    pub(super) fn set_from_velocity(&mut self, scaled: &Scaled, xi: &[f64], tolerance: f64) {
        self.clear(scaled);
        for group in &scaled.groups {
            let closed = xi[group.normal] <= tolerance;
            if closed {
                self.marks[group.normal] = Mark::Active;
            }
            let Some(tangent) = group.friction else { continue };
            let slip = xi[tangent.row];
            self.marks[tangent.row] = if !closed && tangent.shift == 0.0 {
                Mark::Zero
            } else if slip.abs() <= tolerance {
                Mark::Active
            } else {
                Mark::Slide { sign: slip.signum(), normal: group.normal }
            };
        }
        self.index();
    }

    fn clear(&mut self, scaled: &Scaled) {
        self.marks.clear();
        self.marks.resize(scaled.rows, Mark::Zero);
        scaled.free.iter().for_each(|&row| self.marks[row] = Mark::Active);
    }

    fn index(&mut self) {
        self.active.clear();
        self.place.clear();
        for (row, mark) in self.marks.iter().enumerate() {
            self.place.push(self.active.len());
            if matches!(mark, Mark::Active) {
                self.active.push(row);
            }
        }
    }

    /// The system that makes ξ zero in the active rows.
    pub(super) fn square_system(&self, scaled: &Scaled, system: &mut FullPivot) {
        system.reset(self.active.len(), self.active.len());
        for (k, &row) in self.active.iter().enumerate() {
            self.fill_row(scaled, row, 0.0, system.row_mut(k));
        }
    }

    /// Puts −ξ of the active rows on the right-hand side: a correction of x.
    pub(super) fn residual(&self, xi: &[f64], system: &mut FullPivot) {
        for (k, &row) in self.active.iter().enumerate() {
            *system.row_mut(k).1 = -xi[row];
        }
    }

    /// The system that gives the wanted ξ in all rows.
    pub(super) fn full_system(&self, scaled: &Scaled, xi: &[f64], system: &mut FullPivot) {
        system.reset(scaled.rows, self.active.len());
        for (row, &wanted) in xi.iter().enumerate() {
            self.fill_row(scaled, row, wanted, system.row_mut(row));
        }
    }

    fn fill_row(&self, scaled: &Scaled, row: usize, wanted: f64, (a, rhs): (&mut [f64], &mut f64)) {
        let g = &scaled.g[row * scaled.rows..(row + 1) * scaled.rows];
        for (entry, &column) in a.iter_mut().zip(&self.active) {
            *entry = g[column];
        }
        *rhs = wanted - scaled.b[row];
        for Tangent { row: t, friction, shift } in scaled.groups.iter().filter_map(|g| g.friction) {
            if let Mark::Slide { sign, normal } = self.marks[t] {
                if matches!(self.marks[normal], Mark::Active) {
                    a[self.place[normal]] -= sign * friction * g[t];
                }
                *rhs += sign * friction * shift * g[t];
            }
        }
    }

    /// All of x from the unknowns; with `homogeneous` without the shifts (for directions).
    pub(super) fn expand(&self, scaled: &Scaled, y: &[f64], homogeneous: bool, x: &mut Vec<f64>) {
        x.clear();
        x.resize(scaled.rows, 0.0);
        for (&row, &value) in self.active.iter().zip(y) {
            x[row] = value;
        }
        for Tangent { row, friction, shift } in scaled.groups.iter().filter_map(|g| g.friction) {
            if let Mark::Slide { sign, normal } = self.marks[row] {
                let shift = if homogeneous { 0.0 } else { shift };
                x[row] = -sign * friction * (x[normal] + shift);
            }
        }
    }

    /// How much of an error of one in a normal impulse reaches a row that is not active: friction
    /// of an open contact takes its coefficient of it, others nothing; their own error is one.
    pub(super) fn grip(&self, scaled: &Scaled, row: usize) -> f64 {
        match scaled.groups.iter().find_map(|g| g.friction.filter(|t| t.row == row)) {
            Some(tangent) if matches!(self.marks[row], Mark::Zero) => tangent.friction.max(1.0),
            _ => 1.0,
        }
    }

    /// By how much x misses its set, what `moved` of each row could mend taken off.
    pub(super) fn impulse_violation(&self, scaled: &Scaled, x: &[f64], moved: impl Fn(usize) -> f64) -> f64 {
        let mut worst = 0.0f64;
        for group in &scaled.groups {
            let normal = x[group.normal] + moved(group.normal);
            // A normal impulse counts as much as the friction it allows.
            let weight = group.friction.map_or(1.0, |t| t.friction.max(1.0));
            worst = worst.max(-normal * weight);
            if let Some(t) = group.friction {
                worst = worst.max(x[t.row].abs() - moved(t.row) - t.friction * (normal + t.shift));
            }
        }
        worst
    }

    /// By how much ξ misses the signs that the pattern asks for, what `moved` could mend taken off.
    pub(super) fn velocity_violation(&self, scaled: &Scaled, xi: &[f64], moved: impl Fn(usize) -> f64) -> f64 {
        let mut worst = 0.0f64;
        for group in &scaled.groups {
            if !matches!(self.marks[group.normal], Mark::Active) {
                worst = worst.max(-xi[group.normal] - moved(group.normal));
            }
            if let Some(t) = group.friction
                && let Mark::Slide { sign, .. } = self.marks[t.row]
            {
                worst = worst.max(-sign * xi[t.row] - moved(t.row));
            }
        }
        worst
    }

    /// The inequalities c + D z ≥ 0 of the pattern along x + Σ z_k · direction_k.
    /// `velocities` are ξ and its change per direction; without them only x is bounded.
    pub(super) fn inequalities(
        &self,
        scaled: &Scaled,
        (x, dx): (&[f64], &[f64]),
        velocities: Option<(&[f64], &[f64])>,
        c: &mut Vec<f64>,
        d: &mut Vec<f64>,
    ) {
        c.clear();
        d.clear();
        let m = scaled.rows;
        let mut push = |value: f64, rate: &dyn Fn(usize) -> f64| {
            c.push(value);
            d.extend((0..dx.len() / m).map(rate));
        };
        for group in &scaled.groups {
            let n = group.normal;
            match (self.marks[n], velocities) {
                (Mark::Active, _) => push(x[n], &|k| dx[k * m + n]),
                (_, Some((xi, dxi))) => push(xi[n], &|k| dxi[k * m + n]),
                _ => {}
            }
            let Some(Tangent { row: t, friction, shift }) = group.friction else { continue };
            match (self.marks[t], velocities) {
                (Mark::Active, _) => {
                    for sign in [1.0, -1.0] {
                        let value = friction * (x[n] + shift) + sign * x[t];
                        push(value, &|k| friction * dx[k * m + n] + sign * dx[k * m + t]);
                    }
                }
                (Mark::Slide { sign, .. }, Some((xi, dxi))) => push(sign * xi[t], &|k| sign * dxi[k * m + t]),
                _ => {}
            }
        }
    }
}

/// Largest absolute entry.
pub(super) fn largest(x: &[f64]) -> f64 {
    x.iter().fold(0.0, |m: f64, v| m.max(v.abs()))
}

/// What counts as zero among the velocities of a candidate; Ĝx̂ has the round-off of x̂.
pub(super) fn velocity_tolerance(scaled: &Scaled, x: &[f64], xi: &[f64]) -> f64 {
    scaled.tolerance.velocity(largest(xi)) + round(x)
}

/// Round-off of Ĝx̂.
pub(super) fn round(x: &[f64]) -> f64 {
    64.0 * f64::EPSILON * largest(x)
}
