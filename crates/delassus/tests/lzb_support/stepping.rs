//! A third method for the law `lzb` with μ_s = μ, without phases, modes or
//! events: time stepping of the differential inclusion
//!
//! ```text
//! M du = W_n p(δ) dτ + W_t f dτ,   f ∈ −μ p sgn(W_tᵀu),   dδ = −c(v) v dτ,   δ ≥ 0
//! ```
//!
//! with implicit friction, solved by projected relaxation. Of first order.

use super::reference::Reference;

fn dot(w: &[f64], u: &[f64]) -> f64 {
    w.iter().zip(u).map(|(a, b)| a * b).sum()
}

/// u⁺ by steps of length `h`. `None` if the impact does not end.
pub fn step_through(problem: &Reference, h: f64) -> Option<Vec<f64>> {
    let contacts = &problem.contacts;
    let mut u = problem.velocity.clone();
    let mut delta = vec![0.0_f64; contacts.len()];
    let mut friction = vec![0.0_f64; contacts.len()];
    let push = |u: &mut [f64], w: &[f64], impulse: f64| {
        u.iter_mut().zip(w).zip(&problem.mass).for_each(|((u, w), m)| *u += w * impulse / m);
    };
    let own = |w: &[f64]| w.iter().zip(&problem.mass).map(|(w, m)| w * w / m).sum::<f64>();
    for step in 0..(100.0 / h) as usize {
        let normal: Vec<f64> =
            contacts.iter().zip(&delta).map(|(c, d)| h * c.stiffness * d.powf(problem.exponent)).collect();
        for (c, impulse) in contacts.iter().zip(&normal) {
            push(&mut u, &c.normal, *impulse);
        }
        // Gauss and Seidel from the forces of the last step.
        for (j, c) in contacts.iter().enumerate().filter(|(_, c)| !c.tangent.is_empty()) {
            let limit = c.friction * normal[j];
            friction[j] = friction[j].clamp(-limit, limit);
            push(&mut u, &c.tangent, friction[j]);
        }
        for _ in 0..500 {
            let mut change = 0.0_f64;
            for (j, c) in contacts.iter().enumerate().filter(|(_, c)| !c.tangent.is_empty()) {
                let limit = c.friction * normal[j];
                let wanted = (friction[j] - dot(&c.tangent, &u) / own(&c.tangent)).clamp(-limit, limit);
                push(&mut u, &c.tangent, wanted - friction[j]);
                change = change.max((wanted - friction[j]).abs());
                friction[j] = wanted;
            }
            if change < 1e-9 * h {
                break;
            }
        }
        let mut moving = false;
        for (j, c) in contacts.iter().enumerate() {
            let v = dot(&c.normal, &u);
            let factor = if v > 0.0 { c.restitution.powi(-2) } else { 1.0 };
            // Half a step ahead of u, so that normal forces are of second order.
            let length = if step == 0 { 1.5 * h } else { h };
            delta[j] = (delta[j] - factor * v * length).max(0.0);
            moving |= delta[j] > 0.0;
        }
        if !moving {
            return Some(u);
        }
    }
    None
}
