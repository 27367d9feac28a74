//! Block Gauss–Seidel: contact after contact, each solved exactly.

use super::contact::DiskContact;
use super::form::{Block, Form};
use crate::elementary::Elementary;
use crate::solve::one_contact::OneContact;

/// One sweep over all blocks.
pub(super) fn sweep(form: &Form, y: &mut [f64]) {
    for block in &form.blocks {
        let n = block.row;
        let rows = 1 + block.tangents;
        // q of the block: velocities without its own impulse.
        let mut q = [0.0; 3];
        let mut a = [[0.0; 3]; 3];
        for i in 0..rows {
            let row = &form.a[(n + i) * form.size..(n + i + 1) * form.size];
            let mut sum = form.q[n + i] + row.iter().zip(&*y).map(|(a, y)| a * y).sum::<f64>();
            for j in 0..rows {
                a[i][j] = row[n + j];
                sum -= row[n + j] * y[n + j];
            }
            q[i] = sum;
        }
        let old = [y[n], if rows > 1 { y[n + 1] } else { 0.0 }, if rows > 2 { y[n + 2] } else { 0.0 }];
        let new = match block.tangents {
            0 => normal_only(a[0][0], q[0]),
            1 => line(block, &a, q),
            _ => DiskContact { a, q, shift: block.shift }.solve([old[1], old[2]]),
        };
        let new = new.unwrap_or_else(|| damped(block, &a, q, old));
        y[n..n + rows].copy_from_slice(&new[..rows]);
    }
}

fn normal_only(a: f64, q: f64) -> Option<[f64; 3]> {
    let y = if q >= 0.0 || a <= 0.0 { 0.0 } else { -q / a };
    Some([y, 0.0, 0.0])
}

/// Planar friction, in units in which impulses and velocities compare.
fn line(block: &Block, a: &[[f64; 3]; 3], q: [f64; 3]) -> Option<[f64; 3]> {
    let w = block.weight(0);
    let contact = OneContact {
        matrix: [a[0][0], a[0][1] / w, a[1][1] / (w * w)],
        vector: [q[0], q[1] / w],
        friction: w,
        shift: block.shift,
    };
    contact.solve().map(|(x, _)| [x[0], x[1] / w, 0.0])
}

/// Where no case of a contact holds (a nearly singular or supercritical
/// contact): one projected step, which keeps the impulse in its cone.
fn damped(block: &Block, a: &[[f64; 3]; 3], q: [f64; 3], y: [f64; 3]) -> [f64; 3] {
    let velocity = |i: usize| q[i] + a[i][0] * y[0] + a[i][1] * y[1] + a[i][2] * y[2];
    let normal = if a[0][0] > 0.0 { (y[0] - velocity(0) / a[0][0]).max(0.0) } else { 0.0 };
    let largest = a[1][1].max(a[2][2]);
    let mut t = [y[1], y[2]];
    if largest > 0.0 {
        t = [y[1] - velocity(1) / largest, y[2] - velocity(2) / largest];
    }
    let (length, radius) = (t[0].hypotenuse(t[1]), normal + block.shift);
    let cut = if length > radius { radius / length } else { 1.0 };
    [normal, t[0] * cut, t[1] * cut]
}

/// The single contact of a form.
pub(super) fn contact(form: &Form, block: &Block) -> DiskContact {
    let entry = |i: usize, j: usize| form.a[(block.row + i) * form.size + block.row + j];
    DiskContact {
        a: std::array::from_fn(|i| std::array::from_fn(|j| entry(i, j))),
        q: std::array::from_fn(|i| form.q[block.row + i]),
        shift: block.shift,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solve::{Cone, Inclusion};

    /// A contact whose directions couple little, in the normal form.
    fn contact_of(seed: usize, tangents: usize, shift: f64) -> Form {
        let number = |k: usize| ((seed * 31 + k * 17) as f64 * 0.61).sin();
        let rows = 1 + tangents;
        let g = |i: usize, j: usize| if i == j { 1.0 + i as f64 } else { 0.25 * number(i.min(j) + 3 * i.max(j)) };
        let matrix: Vec<f64> = (0..rows * rows).map(|k| g(k / rows, k % rows)).collect();
        let vector: Vec<f64> = (0..rows).map(|k| number(k + 20) - if k == 0 { 0.7 } else { 0.0 }).collect();
        let cones = match tangents {
            0 => vec![Cone::Unilateral { row: 0 }],
            1 => vec![Cone::Unilateral { row: 0 }, Cone::Line { row: 1, normal: 0, friction: 0.4, shift }],
            _ => vec![Cone::Unilateral { row: 0 }, Cone::Ellipse { row: 1, normal: 0, friction: [0.4, 0.6], shift }],
        };
        let mut form = Form::default();
        form.load(&Inclusion { matrix: &matrix, vector: &vector, cones: &cones, speed: 0.0 });
        form
    }

    /// The projected step keeps the impulse in its cone, rests at the solution and nowhere else, and ends there.
    #[test]
    fn damped_steps_lead_to_the_solution() {
        let mut closed = 0;
        for seed in 0..60 {
            let (tangents, shift) = (seed % 3, if seed % 2 == 0 { 0.0 } else { 0.2 });
            let form = contact_of(seed, tangents, shift);
            let mut solution = vec![0.0; form.size];
            sweep(&form, &mut solution);
            let block = &form.blocks[0];
            let rows = 1 + block.tangents;
            let (mut a, mut q, mut exact) = ([[0.0; 3]; 3], [0.0; 3], [0.0; 3]);
            for i in 0..rows {
                (0..rows).for_each(|j| a[i][j] = form.a[i * form.size + j]);
                (q[i], exact[i]) = (form.q[i], solution[i]);
            }
            let apart = |y: [f64; 3]| (0..3).fold(0.0f64, |m, i| m.max((y[i] - exact[i]).abs()));
            assert!(apart(damped(block, &a, q, exact)) < 1e-13, "seed {seed} leaves the solution");
            let mut y = [2.0, 0.3, -0.5];
            (rows..3).for_each(|i| y[i] = 0.0);
            for step in 0..2000 {
                y = damped(block, &a, q, y);
                assert!(y[0] >= 0.0 && y[1].hypot(y[2]) <= (y[0] + block.shift) * (1.0 + 1e-15), "{step}");
            }
            assert!(apart(y) < 1e-12, "seed {seed}: {y:?} is not {exact:?}");
            closed += usize::from(exact[0] > 0.0);
        }
        assert!((20..60).contains(&closed), "{closed}");
    }
}
