//! Residuals and states from the impulses.

use std::ops::Range;

use super::{Certificate, ledger, range, theorem};
use crate::law::{LawSpec, kinematic};
use crate::outcome::{ElementState, ImpactOutcome, Options, Status, Uniqueness};
use crate::problem::{Contact, Element, ElementKind, Friction, ImpactProblem};
use crate::small;
use crate::solve::ellipse::project_ellipse;
use crate::workspace::Workspace;

/// Below this, relative to the largest one, an impulse is none.
const NO_IMPULSE: f64 = 1e-10;

/// Below this, relative to what drives the system from outside, a kinetic energy is round-off.
const NO_ENERGY: f64 = 1e-24;

/// Fills `outcome` from the law's answer in it. All its numbers are finite.
pub(crate) fn judge(
    problem: &ImpactProblem,
    law: &LawSpec,
    options: &Options,
    work: &mut Workspace,
    outcome: &mut ImpactOutcome,
) {
    fill(problem, law, options, work, outcome);
    range::drop_others(outcome);
    if !range::holds(outcome) {
        range::give_up(outcome);
        fill(problem, law, options, work, outcome);
        range::saturate(outcome);
    }
}

/// Velocities, energies, checks and states from the impulses.
fn fill(problem: &ImpactProblem, law: &LawSpec, options: &Options, work: &mut Workspace, outcome: &mut ImpactOutcome) {
    problem.apply_impulses(&outcome.answer.impulses, &mut outcome.u_plus);
    problem.relative_velocity(&outcome.u_plus, &mut outcome.gamma_plus);
    outcome.gamma_minus.resize(problem.rows(), 0.0);
    small::copy(problem.gamma_minus(), &mut outcome.gamma_minus);
    outcome.gamma_compression.clear();
    if !outcome.answer.compression.is_empty() {
        problem.apply_impulses(&outcome.answer.compression, &mut work.velocity);
        problem.relative_velocity(&work.velocity, &mut outcome.gamma_compression);
    }
    ledger::fill(problem, outcome, &mut work.momentum);

    let energy = energy_scale(problem, outcome);
    let rule = Rule::of(law, problem, outcome);
    let mut certificate = Certificate {
        inclusion: (!matches!(rule, Rule::NoInclusion)).then_some(0.0),
        theorem: theorem::find(problem, law, options),
        ..Certificate::default()
    };
    if energy > 0.0 {
        let speed = (2.0 * energy).sqrt();
        certificate.energetic = worse(0.0, outcome.energy.contacts / energy);
        certificate.momentum = ledger::momentum_residual(problem, outcome, speed, &mut work.momentum);
        let mut states = std::mem::take(&mut outcome.states);
        Checks::new(problem, law, rule, outcome, speed).check(problem, &mut certificate, &mut states);
        outcome.states = states;
        if let LawSpec::Kinematic(kinematic) = law {
            let (impulses, u_plus) = (&outcome.answer.impulses, &outcome.u_plus);
            certificate.inclusion =
                kinematic::residual(problem, kinematic, impulses, u_plus, &outcome.gamma_plus, speed);
        }
    } else {
        // Nothing moves before or after; impulses may still answer an external one.
        let impulses = &outcome.answer.impulses;
        let state = |e: &Element| match e.kind {
            ElementKind::Joint => ElementState::Closed,
            _ if impulses[e.normal] == 0.0 => ElementState::Open,
            ElementKind::Friction => ElementState::Stick,
            _ => ElementState::Closed,
        };
        outcome.states.clear();
        outcome.states.extend(problem.elements().iter().map(state));
    }
    outcome.certificate = certificate;
    if outcome.answer.status != Status::Solved {
        return;
    }
    // Where nothing moves before and after, energies are round-off of what is held.
    let balanced = (energy == 0.0 && outcome.energy.before == 0.0) || ledger::closes(&outcome.energy);
    if !balanced {
        outcome.answer.warnings.push(UNBALANCED.to_owned());
    }
    if !balanced || !certificate.satisfies_law() {
        outcome.answer.status = Status::Inaccurate;
        outcome.answer.uniqueness = Uniqueness::Unknown;
    }
}

/// What is told of energies that do not balance.
const UNBALANCED: &str = "the energies before and after do not differ by the work done: \
    round-off of impulses that nearly cancel is as large as the motion";

/// T* = max(T⁻, T⁺), and zero where that is only the round-off of an external
/// impulse or a moving support that joints or contacts hold.
fn energy_scale(problem: &ImpactProblem, outcome: &ImpactOutcome) -> f64 {
    let energy = outcome.energy.before.max(outcome.energy.after);
    if problem.external_impulse().is_none() && !problem.has_moving_support() {
        return energy;
    }
    if energy <= NO_ENERGY * problem.driving_energy() { 0.0 } else { energy }
}

/// The larger of two residuals; one that is not a number stays.
#[inline]
fn worse(known: f64, residual: f64) -> f64 {
    if residual > known || residual.is_nan() { residual } else { known }
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
    rule: Rule,
    tangential_jump_imposed: bool,
    /// Contacts whose static friction counts, under laws that know it.
    contacts: Option<&'a [Contact]>,
    /// Λ and Λ⁻.
    total: &'a [f64],
    compression: &'a [f64],
    gamma_minus: &'a [f64],
    gamma_compression: &'a [f64],
    gamma_plus: &'a [f64],
    /// 1/v.
    per_speed: f64,
    /// 1/λ with λ = max(1, |Λ̂|_∞).
    per_largest: f64,
}

/// Factors that turn Λ into Λ̂ and γ into γ̂.
#[derive(Clone, Copy)]
struct Units {
    impulse: f64,
    velocity: f64,
}

impl<'a> Checks<'a> {
    fn new(problem: &'a ImpactProblem, law: &LawSpec, rule: Rule, outcome: &'a ImpactOutcome, speed: f64) -> Self {
        let total = &outcome.answer.impulses[..];
        // In units of v, so that 1 stands for v itself.
        let mut largest = speed;
        for (element, scale) in problem.elements().iter().zip(problem.scales()) {
            element.each_row(|row| {
                let size = total[row].abs() * scale;
                largest = if size > largest { size } else { largest };
            });
        }
        Self {
            rule,
            tangential_jump_imposed: law.imposes_tangential_jump(),
            contacts: matches!(law, LawSpec::Lzb(_)).then(|| problem.contacts()),
            total,
            compression: &outcome.answer.compression,
            gamma_minus: &outcome.gamma_minus,
            gamma_compression: &outcome.gamma_compression,
            gamma_plus: &outcome.gamma_plus,
            per_speed: 1.0 / speed,
            per_largest: speed / largest,
        }
    }

    /// Takes all elements into the certificate and tells their states.
    fn check(&self, problem: &ImpactProblem, certificate: &mut Certificate, states: &mut Vec<ElementState>) {
        states.resize(problem.elements().len(), ElementState::Open);
        let mut inclusion = 0.0;
        let mut normal_scale = 0.0;
        for ((element, &scale), state) in problem.elements().iter().zip(problem.scales()).zip(states) {
            // A friction element follows its normal in the list.
            if element.kind == ElementKind::Normal {
                normal_scale = scale;
            }
            let units = Units { impulse: scale * self.per_speed, velocity: self.per_speed / scale };
            inclusion = worse(inclusion, self.inclusion(element, units));
            *state = self.element(element, units, normal_scale, certificate);
        }
        if let Some(residual) = &mut certificate.inclusion {
            *residual = inclusion;
        }
    }

    /// Takes an element into the certificate and tells its state.
    #[inline(always)]
    fn element(
        &self,
        element: &Element,
        units: Units,
        normal_scale: f64,
        certificate: &mut Certificate,
    ) -> ElementState {
        let row = element.rows.start;
        let to_impulse = units.impulse * self.per_largest;
        match element.kind {
            ElementKind::Normal | ElementKind::Clutch => {
                let impulse = self.total[row] * to_impulse;
                certificate.kinematic = worse(certificate.kinematic, -self.gamma_plus[row] * units.velocity);
                certificate.kinetic = worse(certificate.kinetic, -impulse);
                if impulse.abs() <= NO_IMPULSE { ElementState::Open } else { ElementState::Closed }
            }
            ElementKind::Joint => {
                for row in element.rows.clone() {
                    let gamma = self.gamma_plus[row].abs() * units.velocity;
                    certificate.kinematic = worse(certificate.kinematic, gamma);
                }
                ElementState::Closed
            }
            ElementKind::Friction => {
                let normal = self.total[element.normal];
                if !self.tangential_jump_imposed {
                    let excess = excess(element.rows.clone(), self.limits(element), self.total, normal);
                    certificate.kinetic = worse(certificate.kinetic, excess * to_impulse);
                }
                if normal.abs() * (normal_scale * self.per_speed * self.per_largest) <= NO_IMPULSE {
                    return ElementState::Open;
                }
                let mut sliding = 0.0;
                element.each_row(|row| sliding = worse(sliding, self.newton_velocity(element, row).abs()));
                if sliding * units.velocity <= Certificate::TOLERANCE {
                    ElementState::Stick
                } else {
                    ElementState::Slip
                }
            }
        }
    }

    /// Half axes of the friction set: the static ones where the law lets a contact stick up to them.
    #[inline(always)]
    fn limits(&self, element: &Element) -> [f64; 2] {
        let contact = self.contacts.zip(element.contact).map(|(contacts, c)| &contacts[c]);
        contact.and_then(|c| c.friction_static).map_or(element.friction, Friction::coefficients)
    }

    /// γ⁺, or ξ = γ⁺ + εγ⁻ under Newton's and Moreau's laws.
    #[inline(always)]
    fn newton_velocity(&self, element: &Element, row: usize) -> f64 {
        let restitution = match self.rule {
            Rule::Newton => element.restitution,
            Rule::Moreau(e) => e,
            Rule::Poisson | Rule::NoInclusion => return self.gamma_plus[row],
        };
        self.gamma_plus[row] + restitution * self.gamma_minus[row]
    }

    /// Residual of the law's inclusion at an element, the larger of both phases.
    #[inline(always)]
    fn inclusion(&self, element: &Element, units: Units) -> f64 {
        match self.rule {
            Rule::NoInclusion => 0.0,
            Rule::Newton | Rule::Moreau(_) => {
                self.residual(element, units, |i| self.total[i], |i| self.newton_velocity(element, i))
            }
            Rule::Poisson => {
                let compression = self.residual(element, units, |i| self.compression[i], |i| self.gamma_compression[i]);
                // Δ = Λ − Λ⁻ − εΛ⁻, and Δ_k + (ε_k − ε_i)Λ_k⁻ = Λ_k − Λ_k⁻ − ε_iΛ_k⁻ in the friction radius.
                let delta = |i: usize| self.total[i] - (1.0 + element.restitution) * self.compression[i];
                let decompression = self.residual(element, units, delta, |i| self.gamma_plus[i]);
                worse(compression, decompression)
            }
        }
    }

    /// Residual of ξ ∈ N_C(−x) with x and ξ by row.
    #[inline(always)]
    fn residual(&self, element: &Element, units: Units, x: impl Fn(usize) -> f64, xi: impl Fn(usize) -> f64) -> f64 {
        let start = element.rows.start;
        match element.kind {
            ElementKind::Normal | ElementKind::Clutch => {
                let (x, xi) = (x(start) * units.impulse * self.per_largest, xi(start) * units.velocity);
                // `f64::min` would drop what is not a number.
                if xi < x || xi.is_nan() { xi.abs() } else { x.abs() }
            }
            ElementKind::Joint => {
                element.rows.clone().fold(0.0, |worst, row| worse(worst, (xi(row) * units.velocity).abs()))
            }
            ElementKind::Friction => {
                let normal = x(element.normal) * units.impulse;
                let radius = if normal <= 0.0 { 0.0 } else { normal };
                let mu = element.friction;
                let pair = |row| (x(row) * units.impulse, xi(row) * units.velocity);
                let (x1, xi1) = pair(start);
                if element.rows.len() == 1 {
                    return (x1 + clamp(xi1 - x1, mu[0] * radius)).abs() * self.per_largest;
                }
                let (x2, xi2) = pair(start + 1);
                let p = project_ellipse([xi1 - x1, xi2 - x2], [mu[0] * radius, mu[1] * radius]);
                // Of order one at most, so that squares neither overflow nor matter where they underflow.
                let (r1, r2) = ((x1 + p[0]) * self.per_largest, (x2 + p[1]) * self.per_largest);
                (r1 * r1 + r2 * r2).sqrt()
            }
        }
    }
}

/// `value` within ±`limit`; not a number where either is none.
fn clamp(value: f64, limit: f64) -> f64 {
    if value.abs() > limit || limit.is_nan() { limit.copysign(value) } else { value }
}

/// gauge_A(Λ_T) − Λ_N; where a half axis is zero, any impulse along it counts in full.
#[inline(always)]
fn excess(rows: Range<usize>, mu: [f64; 2], impulses: &[f64], normal: f64) -> f64 {
    let part = |row: usize, mu: f64| if mu > 0.0 { impulses[row] / mu } else { impulses[row] };
    if rows.len() == 2 {
        return part(rows.start, mu[0]).hypot(part(rows.start + 1, mu[1])) - normal;
    }
    // Within its limit, which is the common case, no division is needed.
    if impulses[rows.start].abs() <= mu[0] * normal { 0.0 } else { part(rows.start, mu[0]).abs() - normal }
}
