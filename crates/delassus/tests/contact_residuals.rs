//! The residuals of contact problems, held against their definitions.

mod common;
#[path = "common/packing.rs"]
mod packing;
#[path = "common/published_error.rs"]
mod published_error;

use common::Case;
use delassus::solve::contact::{BlockMatrix, ContactLaw, ContactProblem, Residual};
use packing::random;
use published_error::published_error;

/// The nearest point of an ellipse's inside, by bisection for the multiplier t: p = a² z/(a² + t).
fn in_ellipse(z: [f64; 2], a: [f64; 2]) -> [f64; 2] {
    let at = |t: f64| [0, 1].map(|k| a[k] * a[k] * z[k] / (a[k] * a[k] + t));
    let beyond = |p: [f64; 2]| (p[0] / a[0]).hypot(p[1] / a[1]) > 1.0;
    if !beyond(z) {
        return z;
    }
    let (mut low, mut high) = (0.0, a[0].max(a[1]) * z[0].hypot(z[1]));
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        if beyond(at(middle)) { low = middle } else { high = middle }
    }
    at(high)
}

/// The scale-free residual from its definition: velocities in units of √G, impulses in units of 1/√G, of the tangents
/// by the mean of both; the distance of impulses to their projection, relative to the fastest row, and to the largest
/// impulse where that is larger. Rows that nothing moves have the scale of the largest one; tangents among them count where they
/// slide.
fn scale_free(problem: &ContactProblem, r: &[f64], u: &[f64]) -> f64 {
    let d = problem.dimension();
    let g = |row: usize| problem.matrix.get(row, row);
    let spare = (0..r.len()).map(g).fold(0.0, f64::max).sqrt();
    let root = |square: f64| if square > 0.0 { square.sqrt() } else { spare };
    let (mut speed, mut impulse) = (0.0f64, 0.0f64);
    let mut rows = Vec::new();
    for (i, law) in problem.laws.iter().enumerate() {
        let tangential = root((1..d).map(|k| g(d * i + k)).sum::<f64>() / (d.max(2) - 1) as f64);
        let friction = match law {
            ContactLaw::Joint => [1.0; 3],
            ContactLaw::Contact { friction, .. } => [1.0, friction[0], friction[1]],
        };
        let mut x = vec![[0.0; 2]; 3];
        for k in 0..d {
            let row = d * i + k;
            speed = speed.max(problem.vector[row].abs() / root(g(row)));
            let slides = *law != ContactLaw::Joint && k > 0 && problem.vector[row] != 0.0;
            if (g(row) > 0.0 || slides) && friction[k] > 0.0 {
                let s = if k == 0 || *law == ContactLaw::Joint { root(g(row)) } else { tangential };
                x[k] = [r[row] * s, u[row] / s];
                (impulse, speed) = (impulse.max(x[k][0].abs()), speed.max(x[k][1].abs()));
            }
        }
        if let ContactLaw::Contact { shift, .. } = law {
            speed = speed.max(shift * root(g(d * i)));
        }
        rows.push((x, tangential / root(g(d * i)), root(g(d * i))));
    }
    let largest = (impulse / speed).max(1.0);
    let mut worst = 0.0f64;
    for ((x, ratio, normal), law) in rows.into_iter().zip(&problem.laws) {
        let ContactLaw::Contact { friction, shift } = *law else {
            worst = worst.max((0..3).map(|k| x[k][1] * x[k][1]).sum::<f64>().sqrt());
            continue;
        };
        worst = worst.max((x[0][0] / largest).min(x[0][1]).abs());
        let radius = x[0][0].max(0.0) + shift * normal;
        let limit = friction.map(|mu| mu * ratio * radius);
        let z = [1, 2].map(|k| x[k][1] - x[k][0]);
        let acts = [1, 2].map(|k| x[k] != [0.0; 2]);
        let p = match acts {
            [true, true] if radius > 0.0 => in_ellipse(z, limit),
            [true, true] => [0.0; 2],
            _ => [0, 1].map(|k| if acts[k] { z[k].clamp(-limit[k], limit[k]) } else { 0.0 }),
        };
        worst = worst.max((x[1][0] + p[0]).hypot(x[2][0] + p[1]) / largest);
    }
    worst / speed
}

/// Both residuals of any impulses follow from their definitions: with one, two and three rows, joints, ellipses,
/// constant parts of the radius, rows of very different units, and rows that nothing moves.
#[test]
fn residuals_are_those_of_their_definitions() {
    let mut state = 41;
    for round in 0..300 {
        let (d, contacts) = (1 + round % 3, 1 + round % 5);
        let rows = d * contacts;
        let mut number = || 2.0 * random(&mut state) - 1.0;
        let unit: Vec<f64> = (0..contacts).map(|_| 10f64.powf(3.0 * number())).collect();
        let directions: Vec<Vec<f64>> =
            (0..rows).map(|i| (0..rows + 2).map(|_| unit[i / d] * number()).collect()).collect();
        let mut g = Case::from_directions(&directions, vec![0.0; rows], Vec::new()).matrix;
        if round % 4 == 3 && d > 1 {
            // The last row moves nothing.
            (0..rows).for_each(|j| (g[(rows - 1) * rows + j], g[j * rows + rows - 1]) = (0.0, 0.0));
        }
        let mut vector: Vec<f64> = (0..rows).map(|i| unit[i / d] * number()).collect();
        if g[rows * rows - 1] == 0.0 {
            // It moves so fast that its scale is that of all velocities.
            vector[rows - 1] *= 1e3;
        }
        // Impulses as large as velocities, or much larger, so that each of them sets the scale now and then.
        let size = if round % 2 == 0 { 1.0 } else { 30.0 };
        let mut r: Vec<f64> = (0..rows).map(|i| size * number() / unit[i / d]).collect();
        let laws: Vec<ContactLaw> = (0..contacts)
            .map(|i| match (round / 3 + i) % 5 {
                0 => ContactLaw::Joint,
                1 => ContactLaw::Contact { friction: [0.0; 2], shift: 0.0 },
                2 => ContactLaw::Contact { friction: [0.8, 0.3], shift: 0.0 },
                3 => ContactLaw::Contact { friction: [0.5; 2], shift: 2.0 / unit[i] },
                _ => ContactLaw::coulomb(0.6),
            })
            .collect();
        for (i, law) in laws.iter().enumerate() {
            let ContactLaw::Contact { friction, .. } = law else { continue };
            // Rows that do not act have no impulse.
            for k in (1..d).filter(|k| friction[k - 1] == 0.0) {
                r[d * i + k] = 0.0;
            }
        }
        let entries = (0..rows * rows).map(|k| (k / rows, k % rows, g[k]));
        let problem = ContactProblem { matrix: BlockMatrix::from_entries(d, contacts, entries), vector, laws };
        let mut u = Vec::new();
        problem.velocity(&r, &mut u);
        let (found, expected) = (problem.residual(&r, &u), scale_free(&problem, &r, &u));
        assert!((found.scale_free - expected).abs() <= 1e-9 * expected, "{round}: {found:?} instead of {expected}");
        let coulomb = |law: &ContactLaw| matches!(law, ContactLaw::Contact { friction: [a, b], shift: 0.0 } if a == b);
        if problem.laws.iter().all(coulomb) {
            let expected = published_error(&problem, &r, &u);
            assert!((found.natural - expected).abs() <= 1e-12 * expected, "{round}: {found:?} instead of {expected}");
        }
    }
}

/// The worse of both measures counts, and what is no number is worst.
#[test]
fn the_worse_residual_counts() {
    let worst = |natural: f64, scale_free: f64| Residual { natural, scale_free }.worst();
    assert_eq!([worst(2.0, 1.0), worst(1.0, 2.0), worst(0.0, 0.0)], [2.0, 2.0, 0.0]);
    assert!(worst(f64::NAN, 1.0).is_nan() && worst(1.0, f64::NAN).is_nan());
}
