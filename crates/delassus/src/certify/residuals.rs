//! Residuals and states from the impulses.

use std::ops::Range;

use super::{Certificate, ledger, metric, range, theorem};
use crate::answer::{Options, Status, Uniqueness};
use crate::claim::{Claim, ElementClaim, FrictionLimit};
use crate::elementary::Elementary;
use crate::outcome::{ElementState, ImpactOutcome};
use crate::problem::{Contact, Element, ElementKind, Friction, ImpactProblem};
use crate::small;
use crate::solve::ellipse::project_ellipse;

/// Below this, relative to the largest one, an impulse is none.
const NO_IMPULSE: f64 = 1e-10;

/// Below this, relative to what drives the system from outside, a kinetic energy is round-off.
const NO_ENERGY: f64 = 1e-24;

/// Scratch memory of the checks.
#[derive(Debug, Clone, Default)]
pub(crate) struct Buffers {
    /// Mu⁺, then the residual of the momentum balance (n).
    momentum: Vec<f64>,
    /// n entries.
    velocity: Vec<f64>,
}

/// Fills `outcome` from the law's answer in it; the claim has one entry per element. All its numbers are finite.
pub(crate) fn judge(
    problem: &ImpactProblem,
    claim: &Claim,
    options: &Options,
    work: &mut Buffers,
    outcome: &mut ImpactOutcome,
) {
    fill(problem, claim, options, work, outcome);
    range::drop_others(outcome);
    if !range::holds(outcome) {
        range::give_up(outcome);
        fill(problem, claim, options, work, outcome);
        range::saturate(outcome);
    }
}

/// Velocities, energies, checks and states from the impulses.
fn fill(problem: &ImpactProblem, claim: &Claim, options: &Options, work: &mut Buffers, outcome: &mut ImpactOutcome) {
    problem.apply_impulses(&outcome.answer.impulses, &mut outcome.u_plus);
    problem.relative_velocity(&outcome.u_plus, &mut outcome.gamma_plus);
    outcome.gamma_minus.resize(problem.rows(), 0.0);
    small::copy(problem.gamma_minus(), &mut outcome.gamma_minus);
    outcome.gamma_compression.clear();
    if !outcome.answer.compression.is_empty() {
        problem.apply_impulses(&outcome.answer.compression, &mut work.velocity);
        problem.relative_velocity(&work.velocity, &mut outcome.gamma_compression);
    }
    let largest = ledger::fill(problem, outcome, &mut work.momentum);

    let scale = EnergyScale::of(problem, outcome, largest);
    // Two phases are checked where the answer has the impulses of compression.
    let inclusion = claim.is_inclusion() && !(claim.has_two_phases() && outcome.answer.compression.is_empty());
    let mut certificate = Certificate {
        inclusion: inclusion.then_some(0.0),
        theorem: theorem::find(problem, claim, options),
        ..Certificate::default()
    };
    if scale.energy > 0.0 {
        let speed = (2.0 * scale.energy).sqrt();
        certificate.energetic = worse(0.0, outcome.energy.contacts / scale.energy);
        certificate.momentum = ledger::momentum_residual(problem, outcome, speed, &mut work.momentum);
        let mut states = std::mem::take(&mut outcome.states);
        Checks::new(problem, claim, outcome, speed, largest).check(problem, &mut certificate, &mut states);
        outcome.states = states;
        if claim.uses_metric() {
            let residual = metric::residual(problem, claim, outcome, speed);
            let known = certificate.inclusion.zip(residual).map(|(known, residual)| worse(known, residual));
            certificate.inclusion = known.or(certificate.inclusion);
        }
    } else {
        // Nothing moves, nothing drives and no impulse acts.
        let state = |e: &Element| if e.kind == ElementKind::Joint { ElementState::Closed } else { ElementState::Open };
        outcome.states.clear();
        outcome.states.extend(problem.elements().iter().map(state));
    }
    outcome.certificate = certificate;
    if outcome.answer.status != Status::Solved {
        // Whatever a law says of its way: this is no solution, much less the only one.
        outcome.answer.uniqueness = Uniqueness::Unknown;
        return;
    }
    // Where nothing moves before and after, energies are round-off of what is held.
    let balanced = (scale.held && outcome.energy.before == 0.0) || ledger::closes(&outcome.energy);
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

/// The energy that residuals are relative to.
struct EnergyScale {
    /// T* = max(T⁻, T⁺); where everything is held, that of what would drive it; where nothing drives either, that of the
    /// largest impulse, so that impulses which hold each other are still checked.
    energy: f64,
    /// Whether T* is only the round-off of an external impulse or a moving support that joints or contacts hold.
    held: bool,
}

impl EnergyScale {
    fn of(problem: &ImpactProblem, outcome: &ImpactOutcome, largest_impulse: f64) -> Self {
        let energy = outcome.energy.before.max(outcome.energy.after);
        let driven = problem.external_impulse().is_some() || problem.has_moving_support();
        let driving = if driven { problem.driving_energy() } else { 0.0 };
        if energy > NO_ENERGY * driving {
            return Self { energy, held: false };
        }
        let energy = if driving > 0.0 { driving } else { largest_impulse.powi(2) / 2.0 };
        Self { energy, held: true }
    }
}

/// The larger of two residuals; once one of them is not finite, the result is not a number and stays so.
#[inline]
pub(super) fn worse(known: f64, residual: f64) -> f64 {
    // Zero for every number that is finite; without a second comparison this is three instructions.
    let finite = residual * 0.0;
    (if residual > known { residual } else { known }) + finite
}

/// One pass over the elements, in units in which they compare.
struct Checks<'a> {
    claims: &'a [ElementClaim],
    friction: FrictionLimit,
    contacts: &'a [Contact],
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
    fn new(
        problem: &'a ImpactProblem,
        claim: &'a Claim,
        outcome: &'a ImpactOutcome,
        speed: f64,
        largest_impulse: f64,
    ) -> Self {
        let total = &outcome.answer.impulses[..];
        // In units of v, so that 1 stands for v itself.
        let largest = largest_impulse.max(speed);
        Self {
            claims: claim.elements(),
            friction: claim.friction,
            contacts: problem.contacts(),
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
        let elements = problem.elements().iter().zip(problem.scales()).zip(states);
        for (((element, &scale), state), &claim) in elements.zip(self.claims) {
            // A friction element follows its normal in the list.
            if element.kind == ElementKind::Normal {
                normal_scale = scale;
            }
            let units = Units { impulse: scale * self.per_speed, velocity: self.per_speed / scale };
            inclusion = worse(inclusion, self.inclusion(claim, element, units));
            *state = self.element(claim, element, units, normal_scale, certificate);
        }
        if let Some(residual) = &mut certificate.inclusion {
            *residual = inclusion;
        }
    }

    /// Takes an element into the certificate and tells its state.
    #[inline(always)]
    fn element(
        &self,
        claim: ElementClaim,
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
                if self.friction != FrictionLimit::Unbounded {
                    let excess = excess(element.rows.clone(), self.limits(element), self.total, normal);
                    certificate.kinetic = worse(certificate.kinetic, excess * to_impulse);
                }
                if normal.abs() * (normal_scale * self.per_speed * self.per_largest) <= NO_IMPULSE {
                    return ElementState::Open;
                }
                let mut sliding = 0.0;
                element.each_row(|row| sliding = worse(sliding, self.sliding_velocity(claim, row).abs()));
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
        if self.friction != FrictionLimit::Static {
            return element.friction;
        }
        let contact = element.contact.map(|c| &self.contacts[c]);
        contact.and_then(|c| c.friction_static).map_or(element.friction, Friction::coefficients)
    }

    /// The velocity that vanishes where friction holds: ξ under Newton's law, else γ⁺.
    #[inline(always)]
    fn sliding_velocity(&self, claim: ElementClaim, row: usize) -> f64 {
        match claim {
            ElementClaim::Newton { restitution } => self.gamma_plus[row] + restitution * self.gamma_minus[row],
            _ => self.gamma_plus[row],
        }
    }

    /// Residual of what is claimed of an element.
    #[inline(always)]
    fn inclusion(&self, claim: ElementClaim, element: &Element, units: Units) -> f64 {
        match claim {
            // Relations in the kinetic metric are taken together.
            ElementClaim::Nothing | ElementClaim::Matrix => 0.0,
            ElementClaim::Newton { restitution } => {
                let xi = |i: usize| self.gamma_plus[i] + restitution * self.gamma_minus[i];
                self.residual(element, units, |i| self.total[i], xi)
            }
            // A law that gave no impulses of compression is not held against them.
            ElementClaim::Poisson { .. } if self.compression.is_empty() => 0.0,
            ElementClaim::Poisson { restitution } => {
                let compression = self.residual(element, units, |i| self.compression[i], |i| self.gamma_compression[i]);
                // Δ = Λ − Λ⁻ − εΛ⁻, and Δ_k + (ε_k − ε_i)Λ_k⁻ = Λ_k − Λ_k⁻ − ε_iΛ_k⁻ in the friction radius.
                let delta = |i: usize| self.total[i] - (1.0 + restitution) * self.compression[i];
                let decompression = self.residual(element, units, delta, |i| self.gamma_plus[i]);
                worse(compression, decompression)
            }
            _ => self.equality(claim, element, units),
        }
    }

    /// Residual of a claim beside the inclusions of Newton's and Poisson's laws.
    #[cold]
    fn equality(&self, claim: ElementClaim, element: &Element, units: Units) -> f64 {
        let largest = |residual: &dyn Fn(usize) -> f64| {
            element.rows.clone().fold(0.0, |worst, row| worse(worst, residual(row).abs()))
        };
        match claim {
            ElementClaim::Velocity { restitution } => {
                largest(&|row| (self.gamma_plus[row] + restitution * self.gamma_minus[row]) * units.velocity)
            }
            ElementClaim::VelocityOf { restitution, row: other } => {
                let before = self.gamma_minus.get(other as usize).copied().unwrap_or(0.0);
                largest(&|row| (self.gamma_plus[row] + restitution * before) * units.velocity)
            }
            ElementClaim::NoImpulse => largest(&|row| self.total[row] * units.impulse * self.per_largest),
            ElementClaim::CoulombEitherSign => {
                // Where the contact pulls, Λ_T = −μσΛ_N keeps the sign of Λ_N.
                let normal = self.total[element.normal];
                let sign = if normal < 0.0 { -1.0 } else { 1.0 };
                self.residual(element, units, |row| sign * self.total[row], |row| self.gamma_plus[row])
            }
            ElementClaim::Nothing
            | ElementClaim::Matrix
            | ElementClaim::Newton { .. }
            | ElementClaim::Poisson { .. } => 0.0,
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
    // As a choice of numbers, which takes no branch: whether a contact sticks cannot be foreseen.
    let size = value.abs();
    let within = if limit < size { limit } else { size };
    if limit.is_nan() { limit } else { within.copysign(value) }
}

/// gauge_A(Λ_T) − Λ_N; where a half axis is zero, any impulse along it counts in full.
#[inline(always)]
fn excess(rows: Range<usize>, mu: [f64; 2], impulses: &[f64], normal: f64) -> f64 {
    let first = impulses[rows.start].abs();
    if rows.len() == 2 {
        let second = impulses[rows.start + 1].abs();
        let part = |impulse: f64, mu: f64| if mu > 0.0 { (impulse / mu, 0.0) } else { (0.0, impulse) };
        let ((x, alone_x), (y, alone_y)) = (part(first, mu[0]), part(second, mu[1]));
        let held = if mu == [0.0; 2] { 0.0 } else { x.hypotenuse(y) - normal };
        return worse(worse(held, alone_x), alone_y);
    }
    if mu[0] > 0.0 {
        // Slip is at the limit, within it or beyond by the last digit: both numbers, and no branch between them.
        let excess = first / mu[0] - normal;
        if first <= mu[0] * normal { 0.0 } else { excess }
    } else {
        first
    }
}
