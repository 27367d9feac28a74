//! The rigid bar of Payr and Glocker: Newton's law on one frictional contact, and the closed forms
//! of their Section 5.

use delassus::{
    ContactData, ImpactOutcome, ImpactProblem, LawSpec, Mass, Options, ProblemData, Status, Workspace, resolve_into,
};

use crate::reproduce::solve::newton;
use crate::reproduce::{Findings, StudyError};

/// Axis label of the pre-impact velocity ratio γ_T⁻/γ_N⁻.
pub(super) const BEFORE: &str = "γ_{T}^{−} / γ_{N}^{−}";
/// Axis label of the post-impact velocity ratio γ_T⁺/γ_N⁺.
pub(super) const AFTER: &str = "γ_{T}^{+} / γ_{N}^{+}";

/// Moment of inertia Θ/(ms²) of the homogeneous bar.
pub(super) const HOMOGENEOUS: f64 = 1.0 / 3.0;

/// The three impact states of a striking bar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Regime {
    /// Λ_T = −μΛ_N.
    ForwardSlip,
    /// |Λ_T| < μΛ_N.
    Stick,
    /// Λ_T = +μΛ_N.
    BackwardSlip,
}

impl Regime {
    /// From the smallest velocity ratio to the largest.
    pub(super) const NAMES: [&'static str; 3] = ["forward slip", "stick", "backward slip"];
}

/// What the law answers for one pre-impact velocity ratio.
#[derive(Clone, Copy, Debug)]
pub(super) struct Impact {
    pub regime: Regime,
    /// Post-impact velocity ratio γ_T⁺/γ_N⁺; not finite for ε_N = 0.
    pub ratio: f64,
}

/// Parameters of a bar and its contact, m = s = 1.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bar {
    pub inertia: f64,
    pub friction: f64,
    pub restitution: f64,
    pub restitution_tangential: f64,
}

impl Bar {
    /// The homogeneous bar with ε_N = ε_T = 1.
    pub(super) fn elastic(friction: f64) -> Bar {
        Bar { inertia: HOMOGENEOUS, friction, restitution: 1.0, restitution_tangential: 1.0 }
    }

    /// This bar, or as the reader changes it.
    pub(super) fn asked(self, found: &mut Findings) -> Result<Bar, StudyError> {
        Ok(Bar {
            friction: found.parameter("friction", "friction μ", self.friction, [0.01, 5.0])?,
            restitution: found.parameter("restitution", "restitution ε_N", self.restitution, [0.01, 1.0])?,
            restitution_tangential: found.parameter(
                "restitution_tangential",
                "tangential restitution ε_T",
                self.restitution_tangential,
                [0.0, 1.0],
            )?,
            inertia: found.parameter("inertia", "moment of inertia Θ/(ms²)", self.inertia, [0.05, 2.0])?,
        })
    }

    /// α, β, δ of (22).
    pub(super) fn coefficients(&self, angle: f64) -> (f64, f64, f64) {
        let (sin, cos) = angle.sin_cos();
        let k = 1.0 / self.inertia;
        (1.0 + k * cos * cos, 1.0 + k * sin * sin, k * sin * cos)
    }

    /// (δ + σμβ)/(α + σμδ), σ = 1 for backward and −1 for forward slip; NaN where that slip does
    /// not exist, (33) and (46).
    pub(super) fn slip_slope(&self, angle: f64, side: f64) -> f64 {
        let (alpha, beta, delta) = self.coefficients(angle);
        let mu = side * self.friction;
        if alpha + mu * delta > 0.0 { (delta + mu * beta) / (alpha + mu * delta) } else { f64::NAN }
    }

    /// The velocity ratio between stick and slip, (34) and (47).
    pub(super) fn boundary(&self, angle: f64, side: f64) -> f64 {
        self.slip_slope(angle, side) * (1.0 + self.restitution) / (1.0 + self.restitution_tangential)
    }

    /// γ_T⁺/γ_N⁺ by (48)–(50).
    pub(super) fn post_ratio(&self, angle: f64, ratio: f64) -> f64 {
        let (en, et) = (self.restitution, self.restitution_tangential);
        let slip = |side: f64| self.slip_slope(angle, side) * (1.0 + en) / en - ratio / en;
        if ratio >= self.boundary(angle, 1.0) {
            slip(1.0)
        } else if ratio <= self.boundary(angle, -1.0) {
            slip(-1.0)
        } else {
            et / en * ratio
        }
    }
}

/// A bar whose impacts the library resolves, buffers reused.
pub(super) struct Rod {
    bar: Bar,
    problem: ImpactProblem,
    law: LawSpec,
    work: Workspace,
    outcome: ImpactOutcome,
}

impl Rod {
    /// The bar at an angle φ.
    pub(super) fn new(bar: Bar, angle: f64) -> Result<Rod, StudyError> {
        let (sin, cos) = angle.sin_cos();
        let contact = ContactData::new("C", [0.0, 1.0, -cos])
            .tangent([1.0, 0.0, -sin])
            .friction(bar.friction)
            .restitution(bar.restitution)
            .restitution_tangential(bar.restitution_tangential);
        let mass = Mass::diagonal(vec![1.0, 1.0, bar.inertia])?;
        let problem = ImpactProblem::new(ProblemData::new(mass, [0.0, -1.0, 0.0]).with_contact(contact))?;
        Ok(Rod { bar, problem, law: newton(), work: Workspace::default(), outcome: ImpactOutcome::default() })
    }

    /// The entries G_NN, G_NT of the Delassus operator.
    pub(super) fn operator(&self) -> (f64, f64) {
        let g = self.problem.operator();
        (g.get(0, 0), g.get(0, 1))
    }

    /// Impact with γ_N⁻ = −1 and the given ratio γ_T⁻/γ_N⁻.
    pub(super) fn impact(&mut self, ratio: f64) -> Result<Impact, StudyError> {
        self.problem.set_velocity(&[-ratio, -1.0, 0.0])?;
        resolve_into(&self.problem, &self.law, &Options::default(), &mut self.work, &mut self.outcome)?;
        let outcome = &self.outcome;
        if outcome.status() != Status::Solved {
            return Err(StudyError::new(format!("no impact found at γ_T⁻/γ_N⁻ = {ratio}")));
        }
        let impulse = outcome.impulses();
        // The paper's own definition, sharper than the library's tolerance for states.
        let slips = impulse[1].abs() >= (1.0 - 1e-13) * self.bar.friction * impulse[0];
        let regime = match slips {
            true if impulse[1] > 0.0 => Regime::BackwardSlip,
            true => Regime::ForwardSlip,
            false => Regime::Stick,
        };
        let gamma = &outcome.gamma_plus;
        // A rounding error of γ_T⁺ has no sign.
        let noise = 1e-12 * (1.0 + ratio.abs() + self.bar.friction * impulse[0]);
        let gamma_t = if gamma[1].abs() <= noise { 0.0 } else { gamma[1] };
        Ok(Impact { regime, ratio: gamma_t / gamma[0] })
    }
}
