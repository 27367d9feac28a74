//! The error of contact problems that the field reports, written again beside the library's.

use delassus::solve::contact::{ContactLaw, ContactProblem};

/// ‖v‖.
pub fn norm(v: &[f64]) -> f64 {
    v.iter().map(|x| x * x).sum::<f64>().sqrt()
}

/// √Σ‖r − p‖² / max(‖q‖, ‖r‖, ‖u‖) for u = Gr + q, which each test computes in its own way; p is the projection of
/// r − (u + μ‖u_T‖ n) onto Coulomb's cone.
pub fn published_error(problem: &ContactProblem, r: &[f64], u: &[f64]) -> f64 {
    let d = problem.dimension();
    let mut sum = 0.0;
    for (i, law) in problem.laws.iter().enumerate() {
        let ContactLaw::Contact { friction: [mu, _], .. } = *law else { panic!("only contacts here") };
        let at = i * d..(i + 1) * d;
        let mut x: Vec<f64> = at.clone().map(|k| r[k] - u[k]).collect();
        x[0] -= mu * norm(&u[at.start + 1..at.end]);
        let t = norm(&x[1..]);
        let p: Vec<f64> = if t <= mu * x[0] {
            x.clone()
        } else if mu * t <= -x[0] {
            vec![0.0; d]
        } else {
            let n = (x[0] + mu * t) / (1.0 + mu * mu);
            std::iter::once(n).chain(x[1..].iter().map(|v| mu * n * v / t)).collect()
        };
        sum += at.zip(p).map(|(k, p)| (r[k] - p) * (r[k] - p)).sum::<f64>();
    }
    sum.sqrt() / norm(&problem.vector).max(norm(r)).max(norm(u)).max(f64::MIN_POSITIVE)
}
