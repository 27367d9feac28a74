//! Residuals, states and energies from the impulses.

use super::{Certificate, theorem};
use crate::law::{LawSpec, kinematic};
use crate::outcome::{ElementState, ImpactOutcome, Options, Status};
use crate::problem::{Element, ElementKind, ImpactProblem};
use crate::small;
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
    problem.apply_impulses(&outcome.answer.impulses, &mut outcome.u_plus);
    problem.relative_velocity(&outcome.u_plus, &mut outcome.gamma_plus);
    outcome.gamma_minus.clear();
    outcome.gamma_minus.extend_from_slice(problem.gamma_minus());
    outcome.gamma_compression.clear();
    if !outcome.answer.compression.is_empty() {
        problem.apply_impulses(&outcome.answer.compression, &mut work.velocity);
        problem.relative_velocity(&work.velocity, &mut outcome.gamma_compression);
    }
    fill_energy(problem, outcome, &mut work.momentum);

    let energy = outcome.energy.before.max(outcome.energy.after);
    let rule = Rule::of(law, problem, outcome);
    let mut certificate = Certificate {
        inclusion: (!matches!(rule, Rule::NoInclusion)).then_some(0.0),
        theorem: theorem::find(problem, law, options),
        ..Certificate::default()
    };
    let mut states = std::mem::take(&mut outcome.states);
    states.clear();
    if energy > 0.0 {
        let speed = (2.0 * energy).sqrt();
        let checks = Checks::new(problem, law, rule, outcome, speed);
        for i in 0..problem.elements().len() {
            states.push(checks.element(i, &mut certificate));
        }
        certificate.energetic = worse(0.0, outcome.energy.contacts / energy);
        if let LawSpec::Kinematic(kinematic) = law {
            let (impulses, u_plus) = (&outcome.answer.impulses, &outcome.u_plus);
            certificate.inclusion =
                kinematic::residual(problem, kinematic, impulses, u_plus, &outcome.gamma_plus, speed);
        }
        certificate.momentum = momentum(problem, outcome, speed, &mut work.momentum);
    } else {
        let state = |e: &Element| if e.kind == ElementKind::Joint { ElementState::Closed } else { ElementState::Open };
        states.extend(problem.elements().iter().map(state));
    }
    outcome.states = states;
    outcome.certificate = certificate;
    if outcome.answer.status == Status::Solved && !certificate.satisfies_law() {
        outcome.answer.status = Status::Inaccurate;
    }
}

/// The larger of two residuals; one that is not a number stays.
fn worse(known: f64, residual: f64) -> f64 {
    if residual > known || residual.is_nan() { residual } else { known }
}

/// Fills the ledger and leaves Mu⁺ in `momentum_plus`.
fn fill_energy(problem: &ImpactProblem, outcome: &mut ImpactOutcome, momentum_plus: &mut Vec<f64>) {
    let (impulses, ledger) = (&outcome.answer.impulses, &mut outcome.energy);
    momentum_plus.resize(problem.coordinates(), 0.0);
    problem.mass().multiply(&outcome.u_plus, momentum_plus);
    ledger.before = problem.energy_minus();
    ledger.after = 0.5 * small::dot(&outcome.u_plus, momentum_plus);
    ledger.work.clear();
    ledger.contacts = 0.0;
    for element in problem.elements() {
        let rows = element.rows.start..element.rows.end;
        let sums = outcome.gamma_plus[rows.clone()].iter().zip(&outcome.gamma_minus[rows.clone()]);
        let mut work = 0.0;
        for (impulse, (after, before)) in impulses[rows].iter().zip(sums) {
            work += 0.5 * impulse * (after + before);
        }
        ledger.work.push(work);
        ledger.contacts += work;
    }
    ledger.supports = 0.0;
    if problem.has_moving_support() {
        ledger.supports = -impulses.iter().zip(problem.offset()).map(|(l, chi)| l * chi).sum::<f64>();
    }
    ledger.external = problem.external_impulse().map_or(0.0, |f| {
        let velocities = outcome.u_plus.iter().zip(problem.u_minus());
        0.5 * f.iter().zip(velocities).map(|(f, (a, b))| f * (a + b)).sum::<f64>()
    });
}

/// √(rᵀM⁻¹r)/v with r = Mu⁺ − Mu⁻ − WΛ − F; `r` holds Mu⁺.
fn momentum(problem: &ImpactProblem, outcome: &ImpactOutcome, speed: f64, r: &mut [f64]) -> f64 {
    r.iter_mut().zip(problem.momentum_minus()).for_each(|(r, before)| *r -= before);
    problem.directions().add_product(&outcome.answer.impulses, -1.0, r);
    if let Some(f) = problem.external_impulse() {
        r.iter_mut().zip(f).for_each(|(r, f)| *r -= f);
    }
    problem.mass().half_solve(r);
    small::dot(r, r).sqrt() / speed
}

/// The inclusion that a law is, as data.
#[derive(Clone, Copy)]
enum Rule {
    /// ξ = γ⁺ + εγ⁻ with each element's own ε.
    Newton,
    /// The same with one ε.
    Moreau(f64),
    /// Two phases.
    Poisson,
    /// The law is no inclusion over the elements, or did not leave what its inclusion needs.
    NoInclusion,
}

impl Rule {
    fn of(law: &LawSpec, problem: &ImpactProblem, outcome: &ImpactOutcome) -> Self {
        match law {
            LawSpec::Newton(_) => Self::Newton,
            LawSpec::Moreau(moreau) => moreau.index(problem).map_or(Self::NoInclusion, Self::Moreau),
            LawSpec::Poisson(_) if !outcome.answer.compression.is_empty() => Self::Poisson,
            _ => Self::NoInclusion,
        }
    }
}

/// One pass over the elements, in units in which they compare.
struct Checks<'a> {
    problem: &'a ImpactProblem,
    outcome: &'a ImpactOutcome,
    rule: Rule,
    tangential_jump_imposed: bool,
    /// 1/v.
    per_speed: f64,
    /// 1/λ with λ = max(1, |Λ̂|_∞).
    per_largest: f64,
}

impl<'a> Checks<'a> {
    fn new(problem: &'a ImpactProblem, law: &LawSpec, rule: Rule, outcome: &'a ImpactOutcome, speed: f64) -> Self {
        // In units of v, so that 1 stands for v itself.
        let mut largest = speed;
        for (element, scale) in problem.elements().iter().zip(problem.scales()) {
            for impulse in &outcome.answer.impulses[element.rows.start..element.rows.end] {
                largest = f64::max(largest, impulse.abs() * scale);
            }
        }
        Self {
            problem,
            outcome,
            rule,
            tangential_jump_imposed: law.imposes_tangential_jump(),
            per_speed: 1.0 / speed,
            per_largest: speed / largest,
        }
    }

    /// Takes element `i` into the certificate and tells its state.
    #[inline]
    fn element(&self, i: usize, certificate: &mut Certificate) -> ElementState {
        let element = &self.problem.elements()[i];
        let scale = self.problem.scales()[i];
        let row = element.rows.start;
        let impulses = &self.outcome.answer.impulses;
        let (to_impulse, to_velocity) = (scale * self.per_speed, self.per_speed / scale);
        let inclusion = self.inclusion(element, to_impulse, to_velocity);
        certificate.inclusion = certificate.inclusion.map(|known| worse(known, inclusion));
        match element.kind {
            ElementKind::Normal | ElementKind::Clutch => {
                let impulse = impulses[row] * to_impulse * self.per_largest;
                certificate.kinematic = worse(certificate.kinematic, -self.outcome.gamma_plus[row] * to_velocity);
                certificate.kinetic = worse(certificate.kinetic, -impulse);
                if impulse.abs() <= NO_IMPULSE { ElementState::Open } else { ElementState::Closed }
            }
            ElementKind::Joint => {
                for row in element.rows.clone() {
                    let gamma = self.outcome.gamma_plus[row].abs() * to_velocity;
                    certificate.kinematic = worse(certificate.kinematic, gamma);
                }
                ElementState::Closed
            }
            ElementKind::Friction => {
                let (normal, mu) = self.friction(element);
                if !self.tangential_jump_imposed {
                    let excess = excess(element, impulses, mu, impulses[normal]);
                    certificate.kinetic = worse(certificate.kinetic, excess * to_impulse * self.per_largest);
                }
                // A friction element follows its normal in the list.
                let normal_unit = self.problem.scales()[i - 1] * self.per_speed * self.per_largest;
                if impulses[normal].abs() * normal_unit <= NO_IMPULSE {
                    return ElementState::Open;
                }
                let sliding = element.rows.clone().map(|row| self.newton_velocity(element, row).abs());
                if sliding.fold(0.0, f64::max) * to_velocity <= Certificate::TOLERANCE {
                    ElementState::Stick
                } else {
                    ElementState::Slip
                }
            }
        }
    }

    /// γ⁺, or ξ = γ⁺ + εγ⁻ under Newton's and Moreau's laws.
    fn newton_velocity(&self, element: &Element, row: usize) -> f64 {
        let restitution = match self.rule {
            Rule::Newton => element.restitution,
            Rule::Moreau(e) => e,
            Rule::Poisson | Rule::NoInclusion => return self.outcome.gamma_plus[row],
        };
        self.outcome.gamma_plus[row] + restitution * self.outcome.gamma_minus[row]
    }

    /// Row of the normal and half axes (μ₁, μ₂) of a friction element.
    fn friction(&self, element: &Element) -> (usize, [f64; 2]) {
        element.contact.map_or((0, [0.0; 2]), |c| {
            let contact = &self.problem.contacts()[c];
            (contact.normal, contact.friction.map_or([0.0; 2], |f| f.coefficients()))
        })
    }

    /// Residual of the law's inclusion at an element, the larger of both phases.
    #[inline]
    fn inclusion(&self, element: &Element, to_impulse: f64, to_velocity: f64) -> f64 {
        let total = &self.outcome.answer.impulses;
        let units = |(x, xi): (f64, f64)| (x * to_impulse, xi * to_velocity);
        match self.rule {
            Rule::NoInclusion => 0.0,
            Rule::Newton | Rule::Moreau(_) => self.residual(
                element,
                |i| units((total[i], self.newton_velocity(element, i))),
                |k| total[k] * to_impulse,
            ),
            Rule::Poisson => {
                let lambda_c = &self.outcome.answer.compression;
                let compression = self.residual(
                    element,
                    |i| units((lambda_c[i], self.outcome.gamma_compression[i])),
                    |k| lambda_c[k] * to_impulse,
                );
                // Δ = Λ − Λ⁻ − εΛ⁻, and Δ_k + (ε_k − ε_i)Λ_k⁻ = Λ_k − Λ_k⁻ − ε_iΛ_k⁻ in the friction radius.
                let delta = |i: usize| total[i] - (1.0 + element.restitution) * lambda_c[i];
                let decompression = self.residual(
                    element,
                    |i| units((delta(i), self.outcome.gamma_plus[i])),
                    |k| delta(k) * to_impulse,
                );
                worse(compression, decompression)
            }
        }
    }

    /// Residual of ξ̂ ∈ N_C(−x̂): `pair(row)` gives x̂ and ξ̂, `normal(row of
    /// the normal)` the normal impulse in the friction radius, in the same unit.
    #[inline]
    fn residual(&self, element: &Element, pair: impl Fn(usize) -> (f64, f64), normal: impl Fn(usize) -> f64) -> f64 {
        let start = element.rows.start;
        match element.kind {
            ElementKind::Normal | ElementKind::Clutch => {
                let (x, xi) = pair(start);
                // `f64::min` would drop what is not a number.
                let x = x * self.per_largest;
                if xi < x || xi.is_nan() { xi.abs() } else { x.abs() }
            }
            ElementKind::Joint => element.rows.clone().fold(0.0, |worst, row| f64::max(worst, pair(row).1.abs())),
            ElementKind::Friction => {
                let (k, mu) = self.friction(element);
                let radius = if normal(k) <= 0.0 { 0.0 } else { normal(k) };
                if element.rows.len() == 1 {
                    let (x, xi) = pair(start);
                    let limit = mu[0] * radius;
                    (x + clamp(xi - x, limit)).abs() * self.per_largest
                } else {
                    let ((x1, xi1), (x2, xi2)) = (pair(start), pair(start + 1));
                    let p = project_ellipse([xi1 - x1, xi2 - x2], [mu[0] * radius, mu[1] * radius]);
                    (x1 + p[0]).hypot(x2 + p[1]) * self.per_largest
                }
            }
        }
    }
}

/// `value` within ±`limit`; not a number where either is none.
fn clamp(value: f64, limit: f64) -> f64 {
    if value.abs() > limit || limit.is_nan() { limit.copysign(value) } else { value }
}

/// gauge_A(Λ_T) − Λ_N; where a half axis is zero, any impulse along it counts in full.
fn excess(element: &Element, impulses: &[f64], mu: [f64; 2], normal: f64) -> f64 {
    let start = element.rows.start;
    let part = |row: usize, mu: f64| if mu > 0.0 { impulses[row] / mu } else { impulses[row] };
    if element.rows.len() == 2 {
        return part(start, mu[0]).hypot(part(start + 1, mu[1])) - normal;
    }
    // Within its limit, which is the common case, no division is needed.
    if impulses[start].abs() <= mu[0] * normal { 0.0 } else { part(start, mu[0]).abs() - normal }
}
