//! The planar inclusion in units of its own: unit diagonal of G, largest |b| one.

use crate::solve::normal_form::Units;
use crate::solve::tolerance::Tolerance;
use crate::solve::{Cone, Inclusion};

/// ξ̂ = Ĝx̂ + b̂ in the units of [`Units`]. Free rows stay: where they are redundant, their impulses are part of
/// the set of solutions.
#[derive(Debug, Clone, Default)]
pub(super) struct Scaled {
    pub(super) rows: usize,
    pub(super) g: Vec<f64>,
    pub(super) b: Vec<f64>,
    /// Unilateral rows with their friction.
    pub(super) groups: Vec<Group>,
    /// Rows with ξ = 0.
    pub(super) free: Vec<usize>,
    /// What counts as zero, in these units.
    pub(super) tolerance: Tolerance,
    units: Units,
}

/// A unilateral row with the friction that belongs to it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Group {
    pub(super) normal: usize,
    pub(super) friction: Option<Tangent>,
}

/// A friction row with x̂ ∈ μ̂ (x̂_normal + shift)·[−1, 1]; μ̂ > 0.
#[derive(Debug, Clone, Copy)]
pub(super) struct Tangent {
    pub(super) row: usize,
    pub(super) friction: f64,
    pub(super) shift: f64,
}

impl Group {
    /// Number of states: open or closed, times stick and two slips; an open
    /// contact without shift has one state only.
    pub(super) fn states(&self) -> usize {
        match self.friction {
            None => 2,
            Some(Tangent { shift, .. }) => {
                if shift > 0.0 {
                    6
                } else {
                    4
                }
            }
        }
    }
}

impl Scaled {
    /// Reads an inclusion of a system with this speed; `false` where it is not planar or its
    /// rows do not fit together.
    pub(super) fn load(&mut self, inclusion: &Inclusion, speed: f64) -> bool {
        let m = inclusion.vector.len();
        if inclusion.matrix.len() != m * m {
            return false;
        }
        self.rows = m;
        self.units.read((0..m).map(|i| inclusion.matrix[i * (m + 1)]));
        self.units.measure(inclusion.vector.iter().copied(), if speed > 0.0 { speed } else { 1.0 });
        self.tolerance = Tolerance::new((speed / self.units.speed).max(1.0));
        self.units.scale(inclusion.matrix, inclusion.vector, &mut self.g, &mut self.b);
        self.groups.clear();
        self.free.clear();
        for cone in inclusion.cones {
            match *cone {
                Cone::Free { row } => self.free.push(row),
                Cone::Unilateral { row } => self.groups.push(Group { normal: row, friction: None }),
                Cone::Line { .. } => {}
                Cone::Ellipse { .. } => return false,
            }
        }
        for cone in inclusion.cones {
            let Cone::Line { row, normal, friction, shift } = *cone else { continue };
            if friction == 0.0 {
                continue;
            }
            let Some(group) = self.groups.iter_mut().find(|g| g.normal == normal) else { return false };
            let Units { size, inverse, speed, .. } = &self.units;
            group.friction = Some(Tangent {
                row,
                friction: friction * size[row] * inverse[normal],
                shift: (shift * size[normal] / speed).max(0.0),
            });
        }
        true
    }

    /// The size of what calls for impulses: b̂ and the shifts.
    pub(super) fn size(&self) -> f64 {
        let shifts = self.groups.iter().filter_map(|g| g.friction).map(|tangent| tangent.shift);
        shifts.fold(self.tolerance.speed(), f64::max)
    }

    /// Whether a row is one of friction.
    pub(super) fn is_friction(&self, row: usize) -> bool {
        self.groups.iter().any(|g| g.friction.is_some_and(|t| t.row == row))
    }

    /// x in the units of the inclusion.
    pub(super) fn unscale_x(&self, x: &mut [f64]) {
        x.iter_mut().enumerate().for_each(|(i, x)| *x = self.units.impulse(i, *x));
    }

    /// ξ in the units of the inclusion.
    pub(super) fn unscale_xi(&self, xi: &mut [f64]) {
        xi.iter_mut().zip(&self.units.size).for_each(|(xi, s)| *xi *= self.units.speed * s);
    }

    /// xᵀGx in the units of the inclusion, from scaled x̂ and ξ̂.
    pub(super) fn effort(&self, x: &[f64], xi: &[f64]) -> f64 {
        let sum: f64 = x.iter().zip(xi).zip(&self.b).map(|((x, xi), b)| x * (xi - b)).sum();
        (sum * self.units.speed * self.units.speed).max(0.0)
    }

    /// ξ̂ = Ĝx̂ + b̂.
    pub(super) fn velocity(&self, x: &[f64], xi: &mut Vec<f64>) {
        self.multiply(x, xi);
        xi.iter_mut().zip(&self.b).for_each(|(xi, b)| *xi += b);
    }

    /// Ĝx̂.
    pub(super) fn multiply(&self, x: &[f64], out: &mut Vec<f64>) {
        out.clear();
        out.extend(self.g.chunks_exact(self.rows.max(1)).map(|row| row.iter().zip(x).map(|(g, x)| g * x).sum::<f64>()));
    }
}
