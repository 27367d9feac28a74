//! The impact in units of its own: every number of order one.
//!
//! ```text
//! γ_i = s_i V γ̂_i    Λ_i = (V/s_i) Λ̂_i    τ = T τ̂    δ_j = s_j V T δ̂_j    E = V² Ê
//! s_i = √G_ii (√ of the mean of both for two tangents),  V = max |γ_i|/s_i,
//! Ĝ_ij = G_ij/(s_i s_j),   k̂_j = k_j s_j^{η+1} V^{η−1} T^{η+1} with T such that max k̂_j = 1,
//! μ̂ = μ s_t/s_n
//! ```
//!
//! Hence no tolerance depends on units, and only ratios of stiffness matter.

use crate::elementary::Elementary;
use crate::problem::{ElementKind, Friction, ImpactProblem};
use crate::solve::normal_form::Units;

use super::thresholds::friction;

/// What a row of γ and Λ is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    Normal(usize),
    Tangent(usize),
    Clutch,
    Joint,
}

/// The force law δ ↦ δ^η, with the common exponents first.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Power {
    Linear,
    Hertz,
    Other(f64),
}

impl Power {
    pub fn new(exponent: f64) -> Self {
        match exponent {
            1.0 => Self::Linear,
            1.5 => Self::Hertz,
            other => Self::Other(other),
        }
    }

    /// x^η, 0 for x < 0.
    #[inline(always)]
    pub fn of(self, x: f64) -> f64 {
        self.extended(x.max(0.0))
    }

    /// x^η continued below zero, where only stages of a step that passes an opening come: a line goes on, other
    /// powers stay zero, so that the force has no jump.
    #[inline(always)]
    pub fn extended(self, x: f64) -> f64 {
        match self {
            Self::Linear => x,
            Self::Hertz => x * x.max(0.0).sqrt(),
            Self::Other(exponent) => x.max(0.0).power(exponent),
        }
    }
}

/// A contact's data in scaled form.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct ScaledContact {
    pub normal: usize,
    /// First tangent row; `tangents` of them.
    pub tangent: usize,
    /// Number of tangents along which friction acts: 0, 1 or 2.
    pub tangents: usize,
    /// k̂, and the error scale of δ̂, k̂^{−1/(η+1)}.
    pub stiffness: f64,
    pub reach: f64,
    pub restitution: f64,
    /// μ̂ along both tangents.
    pub kinetic: [f64; 2],
    /// μ̂_s along both tangents.
    pub fixed: [f64; 2],
}

impl ScaledContact {
    /// dP_t of a contact that slides along `direction`, −dP_n D²d/‖Dd‖.
    #[inline(always)]
    pub fn slip_force(&self, direction: [f64; 2], force: f64) -> [f64; 2] {
        slip_force(self.kinetic, direction, force)
    }

    /// `friction` where there are two tangents, and none along a second one where there is not.
    pub fn along_tangents(&self, friction: [f64; 2]) -> [f64; 2] {
        if self.tangents == 2 { friction } else { [friction[0], 0.0] }
    }
}

/// −dP_n D²d/‖Dd‖, D = diag(`friction`).
#[inline(always)]
pub(super) fn slip_force(friction: [f64; 2], d: [f64; 2], force: f64) -> [f64; 2] {
    let [m1, m2] = friction;
    // Scaled velocities are far from where squares underflow.
    let norm = (m1 * d[0] * (m1 * d[0]) + m2 * d[1] * (m2 * d[1])).sqrt();
    let force = if norm > 0.0 { force / norm } else { 0.0 };
    [-force * m1 * m1 * d[0], -force * m2 * m2 * d[1]]
}

/// The scaled problem; buffers are reused.
#[derive(Debug, Clone)]
pub(super) struct Scaled {
    pub power: Power,
    pub exponent: f64,
    /// The velocity that counts as one, V.
    pub velocity: f64,
    /// The time that counts as one, T.
    pub time: f64,
    /// The factors s_i that bring the rows to these units, and their reciprocals.
    pub units: Units,
    pub role: Vec<Role>,
    pub contacts: Vec<ScaledContact>,
    pub clutches: Vec<usize>,
    pub joints: Vec<usize>,
}

impl Default for Scaled {
    fn default() -> Self {
        Self {
            power: Power::Hertz,
            exponent: 1.5,
            velocity: 0.0,
            time: 1.0,
            units: Units::default(),
            role: Vec::new(),
            contacts: Vec::new(),
            clutches: Vec::new(),
            joints: Vec::new(),
        }
    }
}

impl Scaled {
    /// Reads the problem and writes the scaled γ at the start, F included.
    pub fn read(&mut self, problem: &ImpactProblem, exponent: f64, gamma: &mut Vec<f64>) {
        let g = problem.operator();
        let rows = problem.rows();
        self.power = Power::new(exponent);
        self.exponent = exponent;
        self.units.read((0..rows).map(|i| g.get(i, i)));
        self.role.clear();
        self.clutches.clear();
        self.joints.clear();
        for element in problem.elements() {
            for row in element.rows.clone() {
                self.role.push(match (element.kind, element.contact) {
                    (ElementKind::Normal, Some(c)) => Role::Normal(c),
                    (ElementKind::Friction, Some(c)) => Role::Tangent(c),
                    (ElementKind::Clutch, _) => Role::Clutch,
                    _ => Role::Joint,
                });
                match self.role[row] {
                    Role::Clutch => self.clutches.push(row),
                    Role::Joint => self.joints.push(row),
                    _ => {}
                }
            }
        }
        for contact in problem.contacts().iter().filter(|c| c.tangents.len() == 2) {
            self.units.share(contact.tangents.clone());
        }

        gamma.clear();
        gamma.extend_from_slice(problem.gamma_minus());
        if let Some(change) = problem.external_relative_change() {
            gamma.iter_mut().zip(change).for_each(|(v, d)| *v += d);
        }
        self.velocity = 0.0;
        // Joints and clutches move only where an external impulse makes them.
        let driven = problem.external_impulse().is_some();
        for (row, v) in gamma.iter_mut().enumerate() {
            *v *= self.units.inverse[row];
            if driven || matches!(self.role[row], Role::Normal(_) | Role::Tangent(_)) {
                self.velocity = self.velocity.max(v.abs());
            }
        }
        if self.velocity > 0.0 {
            gamma.iter_mut().for_each(|v| *v /= self.velocity);
        }
        self.read_contacts(problem, exponent);
    }

    fn read_contacts(&mut self, problem: &ImpactProblem, exponent: f64) {
        // Logarithms, since s^{η+1} may overflow in unusual units.
        let mut largest = f64::NEG_INFINITY;
        self.contacts.clear();
        for contact in problem.contacts() {
            let log_stiffness =
                contact.stiffness.logarithm() + (exponent + 1.0) * self.units.size[contact.normal].logarithm();
            largest = largest.max(log_stiffness);
            let kinetic = contact.friction.unwrap_or(Friction::Isotropic(0.0));
            let fixed = contact.friction_static.unwrap_or(kinetic);
            let tangents = if fixed.is_zero() { 0 } else { contact.tangents.len() };
            let Units { size, inverse, .. } = &self.units;
            let ratio = if tangents == 0 { 0.0 } else { size[contact.tangents.start] * inverse[contact.normal] };
            // A coefficient below round-off returns nothing.
            let restitution = if contact.restitution < 1e-12 { 0.0 } else { contact.restitution };
            let (mut kinetic, mut fixed) =
                [kinetic, fixed].map(|f| f.coefficients().map(|mu| (mu * ratio).min(friction::ROUGHEST))).into();
            // Friction along one of two tangents only is friction with one tangent.
            let (mut tangent, mut tangents) = (contact.tangents.start, tangents);
            for k in 0..2 {
                if tangents == 2 && fixed[1 - k] <= friction::SMOOTHEST * fixed[k] {
                    (tangent, tangents) = (tangent + k, 1);
                    (kinetic, fixed) = ([kinetic[k], 0.0], [fixed[k], 0.0]);
                }
            }
            self.contacts.push(ScaledContact {
                normal: contact.normal,
                tangent,
                tangents,
                stiffness: log_stiffness,
                reach: 1.0,
                restitution,
                kinetic,
                fixed,
            });
        }
        for contact in &mut self.contacts {
            contact.stiffness = (contact.stiffness - largest).exponential();
            contact.reach = match self.power {
                _ if contact.stiffness == 1.0 => 1.0,
                Power::Linear => 1.0 / contact.stiffness.sqrt(),
                _ => contact.stiffness.power(-1.0 / (exponent + 1.0)),
            };
        }
        let log_velocity = if self.velocity > 0.0 { self.velocity.logarithm() } else { 0.0 };
        self.time = (-(largest + (exponent - 1.0) * log_velocity) / (exponent + 1.0)).exponential();
    }

    /// Ê of a contact compressed by δ̂.
    pub fn energy(&self, contact: usize, delta: f64) -> f64 {
        self.contacts[contact].stiffness * delta.max(0.0) * self.power.of(delta) / (self.exponent + 1.0)
    }

    /// δ̂ at which a contact stores this energy Ê.
    pub fn compression(&self, contact: usize, energy: f64) -> f64 {
        let value = energy * (self.exponent + 1.0) / self.contacts[contact].stiffness;
        match self.power {
            Power::Linear => value.sqrt(),
            _ => value.power(1.0 / (self.exponent + 1.0)),
        }
    }

    /// Ĝ_ij.
    pub fn operator(&self, problem: &ImpactProblem, i: usize, j: usize) -> f64 {
        self.units.entry(i, j, problem.operator().get(i, j))
    }
}
