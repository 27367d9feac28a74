//! Residuals, states and energies from the impulses.

use super::{Certificate, theorem};
use crate::law::LawSpec;
use crate::outcome::{ElementState, ImpactOutcome, Options, Status};
use crate::problem::{Element, ElementKind, ImpactProblem};
use crate::solve::ellipse::project_ellipse;
use crate::workspace::Workspace;

/// Below this, relative to the largest one, an impulse is none.
const NO_IMPULSE: f64 = 1e-10;

/// Fills `outcome` from the law's answer in it.
pub(crate) fn judge(
    problem: &ImpactProblem,
    law: &LawSpec,
    options: &Options,
    work: &mut Workspace,
    outcome: &mut ImpactOutcome,
) {
    let impulses = &outcome.answer.impulses;
    problem.apply_impulses(impulses, &mut outcome.u_plus);
    problem.relative_velocity(&outcome.u_plus, &mut outcome.gamma_plus);
    outcome.gamma_minus.clear();
    outcome.gamma_minus.extend_from_slice(problem.gamma_minus());
    outcome.gamma_compression.clear();
    if !outcome.answer.compression.is_empty() {
        problem.apply_impulses(&outcome.answer.compression, &mut work.velocity);
        problem.relative_velocity(&work.velocity, &mut outcome.gamma_compression);
    }
    fill_energy(problem, outcome);

    let energy = outcome.energy.before.max(outcome.energy.after);
    let speed = (2.0 * energy).sqrt();
    work.scales.clear();
    for element in problem.elements() {
        let rows = element.rows.clone();
        let count = rows.len() as f64;
        let trace: f64 = rows.map(|i| problem.operator().get(i, i)).sum();
        work.scales.push((trace / count).sqrt());
    }
    let units = Units { problem, scales: &work.scales, speed };
    let impulses = &outcome.answer.impulses;
    let largest = units.largest(impulses);
    outcome.certificate = Certificate::default();
    outcome.states.clear();
    if speed > 0.0 {
        outcome.certificate.kinematic = units.kinematic(&outcome.gamma_plus);
        outcome.certificate.kinetic = units.kinetic(law, impulses, largest);
        outcome.certificate.energetic = outcome.energy.contacts.max(0.0) / energy;
        outcome.certificate.momentum = momentum(problem, outcome, speed, &mut work.momentum);
    }
    outcome.certificate.inclusion = units.inclusion(law, outcome, largest);
    outcome.certificate.theorem = theorem::find(problem, law, options);
    for (i, element) in problem.elements().iter().enumerate() {
        let state = units.state(law, i, element, outcome, largest);
        outcome.states.push(state);
    }
    if outcome.answer.status == Status::Solved && !outcome.certificate.satisfies_law() {
        outcome.answer.status = Status::Inaccurate;
    }
}

fn fill_energy(problem: &ImpactProblem, outcome: &mut ImpactOutcome) {
    let (impulses, ledger) = (&outcome.answer.impulses, &mut outcome.energy);
    ledger.before = problem.mass().energy(problem.u_minus());
    ledger.after = problem.mass().energy(&outcome.u_plus);
    ledger.work.clear();
    for element in problem.elements() {
        let rows = element.rows.clone();
        let sum: f64 = rows.map(|i| impulses[i] * (outcome.gamma_plus[i] + outcome.gamma_minus[i])).sum();
        ledger.work.push(0.5 * sum);
    }
    ledger.contacts = ledger.work.iter().sum();
    ledger.supports = -impulses.iter().zip(problem.offset()).map(|(l, chi)| l * chi).sum::<f64>();
    ledger.external = problem.external_impulse().map_or(0.0, |f| {
        let velocities = outcome.u_plus.iter().zip(problem.u_minus());
        0.5 * f.iter().zip(velocities).map(|(f, (a, b))| f * (a + b)).sum::<f64>()
    });
}

/// √(rᵀM⁻¹r)/v with r = M(u⁺ − u⁻) − WΛ − F.
fn momentum(problem: &ImpactProblem, outcome: &ImpactOutcome, speed: f64, buffer: &mut Vec<f64>) -> f64 {
    let n = problem.coordinates();
    buffer.clear();
    buffer.extend(outcome.u_plus.iter().zip(problem.u_minus()).map(|(a, b)| a - b));
    buffer.resize(2 * n, 0.0);
    let (change, r) = buffer.split_at_mut(n);
    problem.mass().multiply(change, r);
    for (j, &impulse) in outcome.answer.impulses.iter().enumerate() {
        problem.directions().add_to(j, -impulse, r);
    }
    if let Some(f) = problem.external_impulse() {
        r.iter_mut().zip(f).for_each(|(r, f)| *r -= f);
    }
    change.copy_from_slice(r);
    problem.mass().solve(change);
    let square: f64 = change.iter().zip(&*r).map(|(a, b)| a * b).sum();
    square.max(0.0).sqrt() / speed
}

/// The units in which impulses and velocities of different elements compare.
struct Units<'a> {
    problem: &'a ImpactProblem,
    scales: &'a [f64],
    speed: f64,
}

impl Units<'_> {
    /// λ = max(1, |Λ̂|_∞).
    fn largest(&self, impulses: &[f64]) -> f64 {
        if self.speed == 0.0 {
            return 1.0;
        }
        let scaled = self.problem.elements().iter().zip(self.scales);
        scaled
            .flat_map(|(e, s)| e.rows.clone().map(move |i| (i, s)))
            .fold(1.0, |l, (i, s)| f64::max(l, impulses[i].abs() * s / self.speed))
    }

    fn kinematic(&self, gamma_plus: &[f64]) -> f64 {
        let mut worst = 0.0f64;
        for (element, scale) in self.problem.elements().iter().zip(self.scales) {
            for row in element.rows.clone() {
                let gamma = gamma_plus[row] / (scale * self.speed);
                worst = worst.max(match element.kind {
                    ElementKind::Normal | ElementKind::Clutch => -gamma,
                    ElementKind::Joint => gamma.abs(),
                    ElementKind::Friction => 0.0,
                });
            }
        }
        worst
    }

    fn kinetic(&self, law: &LawSpec, impulses: &[f64], largest: f64) -> f64 {
        let mut worst = 0.0f64;
        for (i, element) in self.problem.elements().iter().enumerate() {
            let unit = self.scales[i] / self.speed;
            let residual = match element.kind {
                ElementKind::Normal | ElementKind::Clutch => -impulses[element.rows.start] * unit,
                ElementKind::Joint => 0.0,
                ElementKind::Friction if law.imposes_tangential_jump() => 0.0,
                ElementKind::Friction => {
                    let (normal, mu) = self.friction(element);
                    gauge(element, impulses, mu, unit) - impulses[normal] * unit
                }
            };
            worst = worst.max(residual / largest);
        }
        worst
    }

    /// Row of the normal and half axes (μ₁, μ₂) of a friction element.
    fn friction(&self, element: &Element) -> (usize, [f64; 2]) {
        element.contact.map_or((0, [0.0; 2]), |c| {
            let contact = &self.problem.contacts()[c];
            (contact.normal, contact.friction.map_or([0.0; 2], |f| f.coefficients()))
        })
    }

    /// The law's own inclusion, the larger of both phases.
    fn inclusion(&self, law: &LawSpec, outcome: &ImpactOutcome, largest: f64) -> Option<f64> {
        let answer = &outcome.answer;
        let total = &answer.impulses;
        match law {
            LawSpec::Newton(_) => Some(self.newton_residual(total, outcome, |e| e.restitution, largest)),
            LawSpec::Moreau(moreau) => {
                let e = moreau.index(self.problem).ok()?;
                Some(self.newton_residual(total, outcome, |_| e, largest))
            }
            LawSpec::Poisson(_) => {
                let lambda_c = &answer.compression;
                if lambda_c.is_empty() {
                    return None;
                }
                let compression =
                    self.residual(|_, i| (lambda_c[i], outcome.gamma_compression[i]), |_, k| lambda_c[k], largest);
                // Δ = Λ − Λ⁻ − εΛ⁻; friction radius μ(Δ_k + (ε_k − ε_i)Λ_k⁻) = μ(Λ_k − Λ_k⁻ − ε_iΛ_k⁻).
                let decompression = self.residual(
                    |e, i| (total[i] - (1.0 + e.restitution) * lambda_c[i], outcome.gamma_plus[i]),
                    |e, k| total[k] - (1.0 + e.restitution) * lambda_c[k],
                    largest,
                );
                Some(compression.max(decompression))
            }
            _ => None,
        }
    }

    fn newton_residual(
        &self,
        total: &[f64],
        outcome: &ImpactOutcome,
        restitution: impl Fn(&Element) -> f64,
        largest: f64,
    ) -> f64 {
        self.residual(
            |e, i| (total[i], outcome.gamma_plus[i] + restitution(e) * outcome.gamma_minus[i]),
            |_, k| total[k],
            largest,
        )
    }

    /// Residual of ξ ∈ N_C(−x): `pair(element, row)` gives x and ξ,
    /// `normal(friction element, row of its normal)` the normal impulse in its radius.
    fn residual(
        &self,
        pair: impl Fn(&Element, usize) -> (f64, f64),
        normal: impl Fn(&Element, usize) -> f64,
        largest: f64,
    ) -> f64 {
        if self.speed == 0.0 {
            return 0.0;
        }
        let mut worst = 0.0f64;
        for (element, &scale) in self.problem.elements().iter().zip(self.scales) {
            let scaled = |row: usize| {
                let (x, xi) = pair(element, row);
                (x * scale / self.speed, xi / (scale * self.speed))
            };
            let start = element.rows.start;
            let residual = match element.kind {
                ElementKind::Normal | ElementKind::Clutch => {
                    let (x, xi) = scaled(start);
                    (x / largest).min(xi).abs()
                }
                ElementKind::Joint => element.rows.clone().fold(0.0, |w, row| f64::max(w, scaled(row).1.abs())),
                ElementKind::Friction => {
                    let (k, mu) = self.friction(element);
                    let radius = (normal(element, k) * scale / self.speed).max(0.0);
                    if element.rows.len() == 1 {
                        let (x, xi) = scaled(start);
                        let limit = mu[0] * radius;
                        (x + (xi - x).clamp(-limit, limit)).abs() / largest
                    } else {
                        let ((x1, xi1), (x2, xi2)) = (scaled(start), scaled(start + 1));
                        let p = project_ellipse([xi1 - x1, xi2 - x2], [mu[0] * radius, mu[1] * radius]);
                        (x1 + p[0]).hypot(x2 + p[1]) / largest
                    }
                }
            };
            worst = worst.max(residual);
        }
        worst
    }

    fn state(&self, law: &LawSpec, i: usize, element: &Element, outcome: &ImpactOutcome, largest: f64) -> ElementState {
        let impulses = &outcome.answer.impulses;
        let none = |row: usize, scale: f64| {
            self.speed == 0.0 || impulses[row].abs() * scale / self.speed <= NO_IMPULSE * largest
        };
        match element.kind {
            ElementKind::Joint => ElementState::Closed,
            ElementKind::Normal | ElementKind::Clutch => {
                if none(element.rows.start, self.scales[i]) {
                    ElementState::Open
                } else {
                    ElementState::Closed
                }
            }
            ElementKind::Friction => {
                // A friction element follows its normal in the list.
                let (normal, _) = self.friction(element);
                if none(normal, self.scales[i - 1]) {
                    return ElementState::Open;
                }
                let restitution = match law {
                    LawSpec::Newton(_) => element.restitution,
                    LawSpec::Moreau(moreau) => moreau.index(self.problem).unwrap_or(0.0),
                    _ => 0.0,
                };
                let sliding = element.rows.clone().fold(0.0, |w, row| {
                    let xi = outcome.gamma_plus[row] + restitution * outcome.gamma_minus[row];
                    f64::max(w, xi.abs() / (self.scales[i] * self.speed))
                });
                if sliding <= Certificate::TOLERANCE { ElementState::Stick } else { ElementState::Slip }
            }
        }
    }
}

/// gauge_A(Λ_T) in units; where a half axis is zero, any impulse along it counts in full.
fn gauge(element: &Element, impulses: &[f64], mu: [f64; 2], unit: f64) -> f64 {
    let mut square = 0.0;
    for (row, mu) in element.rows.clone().zip(mu) {
        let x = impulses[row] * unit;
        let part = if mu > 0.0 { x / mu } else { x };
        square += part * part;
    }
    square.sqrt()
}
