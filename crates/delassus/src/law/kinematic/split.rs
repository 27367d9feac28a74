//! Where the impulses of a combination of stick and slip are not unique: those
//! that minimise Σ Λ_T²/(μ|Λ_N|) within |Λ_T| ≤ μ|Λ_N|.
//!
//! A convex problem in the few coordinates y of the null space, z = z₀ + Ny,
//! once the signs of Λ_N are fixed: all positive if possible, else those of the
//! point of least norm. The sum grows without bound along every direction in
//! which impulses could, because the normals are independent.

use nalgebra::{DMatrix, DVector};

use super::program::{Affine, Program, ROUNDING, Term, UNCHANGED};
use crate::small::singular;

/// The least among `point + null·y` with the quantities of `others` not
/// negative; the first `normals` entries are normal impulses. `None` where
/// nothing keeps the bounds.
pub(super) fn least(
    point: &DVector<f64>,
    null: &DMatrix<f64>,
    normals: usize,
    terms: &[Term],
    others: &[Affine],
) -> Option<DVector<f64>> {
    let size = point.amax();
    if size == 0.0 {
        return Some(point.clone());
    }
    let sticks: Vec<Term> = terms.iter().copied().filter(|t| t.sticks).collect();
    if keeps_normals(null, normals)
        && let Some(z) = fixed_normals(point, null, &sticks)
    {
        return Some(z);
    }
    let positive = vec![1.0; normals];
    let own: Vec<f64> = (0..normals).map(|i| if point[i] < -ROUNDING * size { -1.0 } else { 1.0 }).collect();
    let signs = if own == positive { vec![positive] } else { vec![positive, own] };
    signs.iter().find_map(|signs| {
        let y = Program::new(point, null, signs, terms, others).solve()?;
        Some(point + null * y * size)
    })
}

/// Whether the null space leaves the normal impulses alone. Then it changes no
/// velocity either, and only the split of tangential impulses is open.
pub(super) fn keeps_normals(null: &DMatrix<f64>, normals: usize) -> bool {
    null.rows(0, normals).amax() <= UNCHANGED
}

/// With Λ_N given the sum is quadratic: Λ_T = C Bᵀ(B C Bᵀ)⁺ B Λ_T⁰ with
/// C = diag(μ|Λ_N|/weight) and B the equations that the tangential impulses
/// satisfy. A contact beyond its bound is put on it and the rest solved again.
fn fixed_normals(point: &DVector<f64>, null: &DMatrix<f64>, sticks: &[Term]) -> Option<DVector<f64>> {
    let count = sticks.len();
    let rows: Vec<usize> = sticks.iter().map(|s| s.tangent).collect();
    // Projector on the complement of the null space: its rows are the equations.
    let directions = null.select_rows(&rows);
    let b = DMatrix::identity(count, count) - &directions * singular::pseudo_inverse(&directions)?;
    let bound: Vec<f64> = sticks.iter().map(|s| s.friction * point[s.normal].abs()).collect();
    let size = point.amax();
    let heaviest = sticks.iter().fold(0.0, |w: f64, s| w.max(s.weight));
    let wanted = &b * point.select_rows(&rows);
    let mut held: Vec<Option<f64>> = vec![None; count];
    for _ in 0..=count {
        let on_bound = DVector::from_fn(count, |i, _| held[i].unwrap_or(0.0));
        let c = DMatrix::from_fn(count, count, |i, j| {
            if i == j && held[i].is_none() { bound[i] * heaviest / (sticks[i].weight * size) } else { 0.0 }
        });
        let right = &wanted - &b * &on_bound;
        let solved = singular::solve(&b * &c * b.transpose(), &right, 0.0)?;
        let tangential = c * b.transpose() * solved.point + &on_bound;
        if (&b * &tangential - &wanted).amax() > ROUNDING * size {
            return None;
        }
        let excess = |i: usize| tangential[i].abs() - bound[i];
        let free = (0..count).filter(|&i| held[i].is_none());
        match free.max_by(|&i, &j| excess(i).total_cmp(&excess(j))) {
            Some(i) if excess(i) > ROUNDING * size => held[i] = Some(bound[i].copysign(tangential[i])),
            _ => {
                let mut z = point.clone();
                rows.iter().zip(tangential.iter()).for_each(|(&row, &value)| z[row] = value);
                return Some(z);
            }
        }
    }
    None
}
