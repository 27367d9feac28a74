//! The impact problem: checked data with everything that laws share.

mod assemble;
mod build;
mod data;
mod set;
mod short;

pub(crate) use build::MOST_RESTITUTION;
pub use data::{ClutchData, ContactData, Direction, Friction, JointData, ProblemData};
pub use short::{BlockHeight, BlockImpact, ProblemSource, RodImpact, TangentialVelocity};

use std::ops::Range;

use crate::budget::Budget;
use crate::columns::Columns;
use crate::error::{ImpactError, at_least, finite};
use crate::mass::Mass;
use crate::operator::DelassusOperator;
use crate::small;

/// One impact of a mechanical system, frozen in position.
///
/// ```text
/// M (u⁺ − u⁻) = W Λ + F        γ± = Wᵀu± + χ        γ⁺ − γ⁻ = G Λ + WᵀM⁻¹F
///
/// u   generalized velocity (n)              M   mass matrix (n × n), positive definite
/// γ   relative velocity (m)                 W   directions (n × m), one column per scalar direction
/// Λ   impulse (m)                           G = WᵀM⁻¹W   Delassus operator (m × m)
/// χ   velocity of moving supports (m)       F   external impulse (n)
/// ```
///
/// A normal component γ_N < 0 approaches. An impact law turns the problem
/// into Λ; everything else follows from Λ. The rows of γ and Λ belong to
/// [`elements`](Self::elements) in order: each contact's normal, then its
/// friction, then clutches, then joints.
///
/// The problem is built from [`ProblemData`] and is valid once it exists; M is
/// factored and G assembled once, and [`set_velocity`](Self::set_velocity)
/// keeps both.
#[derive(Debug, Clone)]
pub struct ImpactProblem {
    name: String,
    mass: Mass,
    directions: Columns,
    /// Y = M⁻¹W, so that u⁺ = u⁻ + YΛ + M⁻¹F.
    response: Columns,
    operator: DelassusOperator,
    elements: Vec<Element>,
    contacts: Vec<Contact>,
    offset: Vec<f64>,
    /// Whether any offset is not zero.
    moving: bool,
    u_minus: Vec<f64>,
    gamma_minus: Vec<f64>,
    /// Mu⁻ (n) and T⁻, which every outcome needs.
    momentum_minus: Vec<f64>,
    energy_minus: f64,
    external: Option<External>,
    /// Per element s = √(tr G_ii/dim).
    scales: Vec<f64>,
    scratch: Vec<f64>,
    /// A column of Y.
    entries: Vec<(usize, f64)>,
    /// Columns of Y that are solved together, where M is large.
    lanes: Vec<small::wide::Lanes>,
}

/// External impulse F with what it does alone.
#[derive(Debug, Clone)]
struct External {
    /// F (n).
    impulse: Vec<f64>,
    /// M⁻¹F (n).
    velocity_change: Vec<f64>,
    /// WᵀM⁻¹F (m).
    relative_change: Vec<f64>,
}

/// The numbers of a mass matrix.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum MassEntries<'a> {
    /// The diagonal (n).
    Diagonal(&'a [f64]),
    /// All entries, row by row (n × n).
    Dense(&'a [f64]),
    /// The entries of the diagonal blocks that the matrix was made of, one block after the other, each row by row.
    Blocks(&'a [f64]),
}

/// What an element is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ElementKind {
    /// Normal direction of a contact: 0 ≤ Λ, γ⁺ ≥ 0.
    Normal,
    /// Friction of a contact: Λ in Λ_N times a segment, disk or ellipse.
    Friction,
    /// Clutch: 0 ≤ Λ, γ⁺ ≥ 0.
    Clutch,
    /// Joint: γ⁺ = 0.
    Joint,
}

/// An element in the sense of the papers: rows of γ and Λ with one law.
#[derive(Debug, Clone, PartialEq)]
pub struct Element {
    /// `C` for a contact's normal, `C.friction` for its friction, or the element's own name.
    pub name: String,
    /// What it is.
    pub kind: ElementKind,
    /// Its rows of γ and Λ.
    pub rows: Range<usize>,
    /// The contact it belongs to, for normals and friction.
    pub contact: Option<usize>,
    /// Its restitution coefficient (tangential for friction).
    pub restitution: f64,
    /// For friction the half axes (μ₁, μ₂) of its set per unit of normal impulse, else zero.
    pub friction: [f64; 2],
    /// For friction the row of that normal impulse, else its own first row.
    pub normal: usize,
}

impl Element {
    /// Whether it can carry an impulse at all: friction with μ = 0 cannot.
    pub fn can_act(&self) -> bool {
        self.kind != ElementKind::Friction || self.friction != [0.0; 2]
    }

    /// Calls `visit` with each of its rows. Nearly all elements have one, which
    /// is quicker without a loop.
    #[inline]
    pub(crate) fn each_row(&self, mut visit: impl FnMut(usize)) {
        visit(self.rows.start);
        if self.rows.end > self.rows.start + 1 {
            (self.rows.start + 1..self.rows.end).for_each(visit);
        }
    }
}

/// A contact's material data and where its rows are.
#[derive(Debug, Clone, PartialEq)]
pub struct Contact {
    /// Name.
    pub name: String,
    /// Row of the normal direction.
    pub normal: usize,
    /// Rows of the tangents (0, 1 or 2).
    pub tangents: Range<usize>,
    /// Index of the normal in the list of elements; friction, if any, follows it.
    pub element: usize,
    /// Kinetic friction; `None` where there is no tangent or none was given.
    pub friction: Option<Friction>,
    /// Static friction, where given.
    pub friction_static: Option<Friction>,
    /// Restitution ε_N.
    pub restitution: f64,
    /// Tangential restitution ε_T.
    pub restitution_tangential: f64,
    /// Stiffness.
    pub stiffness: f64,
}

impl ImpactProblem {
    /// Checks the data, factors M and assembles G.
    ///
    /// # Errors
    /// Any number that is not finite or out of range, a wrong size, a name
    /// used twice, a zero direction: named by field, value and what is allowed.
    pub fn new(data: ProblemData) -> Result<Self, ImpactError> {
        build::build(data, &mut Budget::unlimited())
    }

    /// As [`new`](Self::new), but asks now and then whether to stop: thousands of dense directions take seconds.
    ///
    /// # Errors
    /// As there; the end of the budget, of the kind [`Stopped`](crate::ErrorKind::Stopped).
    pub fn new_within(data: ProblemData, budget: &mut Budget<'_>) -> Result<Self, ImpactError> {
        build::build(data, budget)
    }

    /// Name of the problem; may be empty.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Number of generalized velocities n.
    pub fn coordinates(&self) -> usize {
        self.mass.size()
    }

    /// Number of scalar directions m.
    pub fn rows(&self) -> usize {
        self.directions.len()
    }

    /// The mass matrix M.
    pub fn mass(&self) -> &Mass {
        &self.mass
    }

    /// The directions W (n × m).
    pub fn directions(&self) -> &Columns {
        &self.directions
    }

    /// Y = M⁻¹W (n × m): the velocity change per unit impulse.
    pub fn response(&self) -> &Columns {
        &self.response
    }

    /// The Delassus operator G.
    pub fn operator(&self) -> &DelassusOperator {
        &self.operator
    }

    /// The elements, in the order of the rows.
    pub fn elements(&self) -> &[Element] {
        &self.elements
    }

    /// The contacts.
    pub fn contacts(&self) -> &[Contact] {
        &self.contacts
    }

    /// Per element s = √(tr G_ii/dim): Λs and γ/s have the same unit for all elements.
    pub fn scales(&self) -> &[f64] {
        &self.scales
    }

    /// Velocity before the impact u⁻ (n).
    pub fn u_minus(&self) -> &[f64] {
        &self.u_minus
    }

    /// Momentum before the impact Mu⁻ (n).
    pub fn momentum_minus(&self) -> &[f64] {
        &self.momentum_minus
    }

    /// Kinetic energy before the impact T⁻ \[J\].
    pub fn energy_minus(&self) -> f64 {
        self.energy_minus
    }

    /// Relative velocity before the impact γ⁻ = Wᵀu⁻ + χ (m).
    pub fn gamma_minus(&self) -> &[f64] {
        &self.gamma_minus
    }

    /// Velocity offsets χ of moving supports (m).
    pub fn offset(&self) -> &[f64] {
        &self.offset
    }

    /// External impulse F (n), if there is one.
    pub fn external_impulse(&self) -> Option<&[f64]> {
        self.external.as_ref().map(|e| &e.impulse[..])
    }

    /// WᵀM⁻¹F (m), what the external impulse alone does to γ.
    pub fn external_relative_change(&self) -> Option<&[f64]> {
        self.external.as_ref().map(|e| &e.relative_change[..])
    }

    /// u⁺ = u⁻ + M⁻¹(WΛ + F), written to `u_plus`.
    pub fn apply_impulses(&self, impulses: &[f64], u_plus: &mut Vec<f64>) {
        u_plus.resize(self.u_minus.len(), 0.0);
        small::copy(&self.u_minus, u_plus);
        self.response.add_product(impulses, 1.0, u_plus);
        if let Some(external) = &self.external {
            u_plus.iter_mut().zip(&external.velocity_change).for_each(|(u, d)| *u += d);
        }
    }

    /// γ = Wᵀu + χ, written to `gamma`.
    pub fn relative_velocity(&self, u: &[f64], gamma: &mut Vec<f64>) {
        gamma.resize(self.offset.len(), 0.0);
        relative_velocity(&self.directions, &self.offset, self.moving, u, gamma);
    }

    /// Whether any support moves (some χ ≠ 0).
    pub fn has_moving_support(&self) -> bool {
        self.moving
    }

    /// An energy of the size that the external impulse or moving supports could
    /// give: ½FᵀM⁻¹F, or ½χ²/G_ii of a support \[J\].
    pub(crate) fn driving_energy(&self) -> f64 {
        let external = self.external.as_ref().map_or(0.0, |e| small::dot(&e.impulse, &e.velocity_change));
        let support = |(i, chi): (usize, &f64)| chi * chi / self.operator.get(i, i);
        // `f64::max` would drop what is not a number.
        let larger = |known: f64, energy: f64| if energy > known || energy.is_nan() { energy } else { known };
        0.5 * self.offset.iter().enumerate().map(support).fold(external, larger)
    }

    /// Whether any contact has spatial friction (two tangents).
    pub fn is_spatial(&self) -> bool {
        self.contacts.iter().any(|c| c.tangents.len() == 2)
    }

    fn update_gamma(&mut self) {
        self.gamma_minus.resize(self.offset.len(), 0.0);
        relative_velocity(&self.directions, &self.offset, self.moving, &self.u_minus, &mut self.gamma_minus);
        self.momentum_minus.resize(self.u_minus.len(), 0.0);
        self.energy_minus = self.mass.momentum_and_energy(&self.u_minus, &mut self.momentum_minus);
    }
}

/// γ = Wᵀu + χ.
#[inline]
fn relative_velocity(directions: &Columns, offset: &[f64], moving: bool, u: &[f64], gamma: &mut [f64]) {
    directions.transpose_multiply(u, gamma);
    if moving {
        gamma.iter_mut().zip(offset).for_each(|(gamma, chi)| *gamma += chi);
    }
}

/// Checks length and finiteness of a vector.
fn check_vector(field: &str, values: &[f64], length: usize) -> Result<(), ImpactError> {
    if values.len() != length {
        let problem = format!("needs {length} entries, one per generalized velocity");
        return Err(ImpactError::wrong_size(field, format!("{} entries", values.len()), problem));
    }
    for (i, &v) in values.iter().enumerate() {
        finite(|| format!("{field}[{i}]"), v)?;
    }
    Ok(())
}

/// Checks a coefficient that must be at least `least`.
fn check_coefficient(field: impl Fn() -> String, value: f64, least: f64) -> Result<(), ImpactError> {
    at_least(field, value, least).map(|_| ())
}
