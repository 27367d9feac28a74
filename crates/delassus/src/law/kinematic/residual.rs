//! How well an answer satisfies the law, from law data, impulses and velocities alone.

use nalgebra::DVector;

use super::{Form, Kinematic, Task};
use crate::problem::ImpactProblem;

/// The largest violation of the law's own equations by impulses Λ and the
/// velocities u⁺, γ⁺ they lead to: velocities relative to `speed` = √(2T*),
/// impulses relative to the larger of `speed` and the largest. `None` where the
/// law does not apply.
pub fn residual(
    problem: &ImpactProblem,
    law: &Kinematic,
    impulses: &[f64],
    u_plus: &[f64],
    gamma_plus: &[f64],
    speed: f64,
) -> Option<f64> {
    let (reduced, task) = law.prepare(problem).ok()?;
    if speed <= 0.0 {
        return Some(0.0);
    }
    let (m, size) = (reduced.normals, reduced.len());
    // γ̂⁺ and Λ̂ of physics in units of √(2T*).
    let gamma = DVector::from_fn(size, |i, _| gamma_plus[reduced.rows[i]] / (reduced.scale[i] * speed));
    let x = DVector::from_fn(size, |i, _| impulses[reduced.rows[i]] * reduced.scale[i] / speed);
    let most = x.amax().max(1.0);
    let target = task.normal_velocities(&reduced) / speed;
    let no_impulse = |row: usize| x[row].abs() / most;

    let mut worst = 0.0_f64;
    let mut normals = |skip: Option<usize>| {
        (0..m).filter(|&i| Some(i) != skip).for_each(|i| worst = worst.max((gamma[i] - target[i]).abs()));
        worst
    };
    let tangents = m..size;
    let (normal, tangential) = match &task {
        Task::Smooth(_) => (normals(None), tangents.map(no_impulse).fold(0.0, f64::max)),
        Task::Imposed(_, imposed) => {
            let before = imposed.tangential(problem, problem.u_minus());
            let after = imposed.tangential(problem, u_plus);
            (normals(None), (after + &imposed.matrix * before).amax() / speed)
        }
        Task::Rough(_, rough) => {
            let friction = |row: usize| match rough.iter().find(|r| r.tangent == row) {
                None => no_impulse(row),
                // Λ_T + proj(−Λ_T + γ_T) onto |Λ_T| ≤ μΛ_N vanishes iff −Λ_T ∈ μΛ_N Sgn(γ_T);
                // where the contact pulls the law keeps Λ_T = −μσΛ_N with the sign of Λ_N.
                Some(r) => {
                    let radius = r.friction * x[r.normal].abs();
                    let along = x[row] * x[r.normal].signum();
                    (along + (gamma[row] - along).clamp(-radius, radius)).abs() / most
                }
            };
            (normals(None), tangents.map(friction).fold(0.0, f64::max))
        }
        Task::Form(form, roles, _) => {
            let pivot = |row: usize| reduced.contact[row] == roles.striking;
            let sticking = |row: usize| if pivot(row) { gamma[row].abs() } else { 0.0 };
            match form {
                Form::RockingSliding | Form::HalfRocking => {
                    (normals(None), tangents.map(no_impulse).fold(0.0, f64::max))
                }
                Form::RockingSticking => (normals(None), tangents.map(sticking).fold(0.0, f64::max)),
                Form::Housner => {
                    let free = (0..size).filter(|&row| !pivot(row)).map(no_impulse).fold(0.0, f64::max);
                    (normals(Some(roles.resting)), tangents.map(sticking).fold(free, f64::max))
                }
            }
        }
    };
    Some(normal.max(tangential))
}
