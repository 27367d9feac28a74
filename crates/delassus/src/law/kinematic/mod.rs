//! The law `kinematic`: restitution as a matrix in the kinetic metric [BZL 2012].
//!
//! ```text
//! q̇_norm⁺ = −E_n q̇_norm⁻        q̇_norm,i = γ_Ni / s_i,   s_i² = w_iᵀM⁻¹w_i
//! ```
//!
//! One of four things closes the tangential side:
//!
//! * nothing given: no tangential impulse, q̇_tan continuous (E_tan = −I);
//! * [`tangential_matrix`](Kinematic::tangential_matrix): q̇_tan⁺ = −E_tan q̇_tan⁻ is
//!   imposed [BZL 2012, (14)] and the tangents carry whatever impulse that takes, of
//!   least norm where it is not unique;
//! * friction at the contacts: Coulomb's law between total impulses and final
//!   velocities [BZL 2012, (27)–(28)]; every combination of stick and slip is tried;
//! * a [`Form`] for two contacts, one striking and one at rest.
//!
//! **Assumes** γ_N⁻ ≤ 0 at every contact and independent normals. Joints are
//! projected out and must be at rest before the impact; clutches are refused.
//! Offsets of supports enter through γ; an external impulse F does not change
//! the velocities that the law prescribes, WΛ = M(u⁺ − u⁻) − F.
//!
//! **Known failures.** The law prescribes velocities, so contacts may pull
//! (Λ_N < 0), and energy may grow: T⁺ − T⁻ = ½ q̇_normᵀ(E_nᵀA⁻¹E_n − A⁻¹)q̇_norm, with
//! A⁻¹ where [BZL 2012, (13)] prints A. The certificate names the theorem where it cannot.
//! With friction at two contacts or more there may be no solution or several.
//! The answer then is one with all Λ_N ≥ 0 if there is any, of least ΔuᵀMΔu.

pub mod block;
mod forms;
mod friction;
mod groups;
mod imposed;
mod program;
mod reduce;
mod split;

pub use forms::Form;

use nalgebra::{DMatrix, DVector};

use super::{About, Buffers, Choice, Field, ImpactLaw, InMotion, NumberOrMatrix, Refusal};
use crate::answer::{LawAnswer, Options, Status, Uniqueness};
use crate::claim::{Claim, ElementClaim, EnergyClaim, FrictionLimit, TangentialClaim};
use crate::error::{ImpactError, finite};
use crate::problem::{ElementKind, ImpactProblem};
use friction::Rough;
use imposed::Imposed;
use reduce::Reduced;

/// The law `kinematic` with its data. Field names are the keys of files; all
/// are optional. The default is E_n = diag(restitution of the contacts) with
/// the contacts' own friction.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Kinematic {
    /// E_n, row by row, contacts × contacts; acts on the normalised velocities q̇_norm.
    pub restitution_matrix: Option<Vec<Vec<f64>>>,
    /// E_tan; the contacts' friction must then be 0 or absent.
    pub tangential_matrix: Option<NumberOrMatrix>,
    /// The basis t that E_tan refers to, one entry per column, M-orthonormal;
    /// absent: [`KineticMetric::tangential_basis`](crate::KineticMetric::tangential_basis).
    pub tangential_basis: Option<Vec<Vec<f64>>>,
    /// One of the forms for two contacts; excludes the matrices, and the
    /// contacts' friction is not used.
    pub form: Option<Form>,
    /// The form's coefficient; absent: the restitution of the striking contact.
    pub restitution: Option<f64>,
}

impl ImpactLaw for Kinematic {
    fn about(&self) -> About {
        About {
            name: "kinematic",
            summary: "Generalized kinematic law: a matrix of restitution in the kinetic metric",
            citation: "BZL 2012",
        }
    }

    fn data(&mut self, each: &mut dyn FnMut(Field<'_>)) {
        let matrix = Field::matrix("restitution_matrix", &mut self.restitution_matrix);
        let matrix = matrix.doc("Matrix of restitution, contacts by contacts, by rows.");
        each(matrix.absent("diagonal, with the restitutions of the contacts"));
        let matrix = Field::number_or_matrix("tangential_matrix", &mut self.tangential_matrix);
        let matrix = matrix.doc("Imposes the tangential velocity: a matrix in the tangential basis, or a number.");
        each(matrix.absent("friction as the contacts have it"));
        let basis = Field::matrix("tangential_basis", &mut self.tangential_basis);
        let basis = basis.doc("The basis of tangential_matrix by columns, M-orthonormal.");
        each(basis.absent("that of the kinetic metric"));
        let form = Field::word("form", &mut self.form);
        each(form.doc("A form for two contacts, one striking and one at rest.").absent("none"));
        let restitution = Field::maybe_number("restitution", &mut self.restitution);
        let restitution = restitution.doc("The coefficient of the form.").absent("that of the striking contact");
        each(restitution.used(self.form.is_some()));
    }

    fn needs_friction(&self) -> bool {
        false
    }

    fn check(&self, problem: &ImpactProblem) -> Result<(), Refusal> {
        self.prepare(problem).map(|_| ())
    }

    fn claim(&self, problem: &ImpactProblem, claim: &mut Claim) {
        let normal = |diagonal: f64| match &self.restitution_matrix {
            None => ElementClaim::Velocity { restitution: diagonal },
            Some(_) => ElementClaim::Matrix,
        };
        if let Some(form) = self.form {
            forms::claim(form, self.restitution, problem, claim);
            return;
        }
        let imposed = self.tangential_matrix.is_some();
        claim.each(problem, |element| match element.kind {
            ElementKind::Normal => normal(element.restitution),
            ElementKind::Friction if imposed => ElementClaim::Nothing,
            ElementKind::Friction if element.can_act() => ElementClaim::CoulombEitherSign,
            ElementKind::Friction => ElementClaim::NoImpulse,
            ElementKind::Joint | ElementKind::Clutch => ElementClaim::Velocity { restitution: 0.0 },
        });
        claim.matrix.extend(self.restitution_matrix.iter().flatten().cloned());
        if let Some(given) = &self.tangential_matrix {
            claim.friction = FrictionLimit::Unbounded;
            claim.tangential = Some(TangentialClaim { basis: self.tangential_basis.clone(), matrix: given.clone() });
        }
        claim.energy = EnergyClaim::Metric;
    }

    fn impulses(&self, problem: &ImpactProblem, options: &Options, _work: &mut Buffers, answer: &mut LawAnswer) {
        let Ok((reduced, task)) = self.prepare(problem) else {
            answer.status = Status::NotApplicable;
            return;
        };
        for (contact, velocity) in problem.contacts().iter().zip(reduced.before.iter()) {
            if *velocity > reduce::AT_REST * reduced.before.amax() {
                let name = &contact.name;
                answer
                    .warnings
                    .push(format!("contact {name} separates before the impact; the law is stated for γ⁻ ≤ 0"));
            }
        }
        let after = task.normal_velocities(&reduced);
        let smooth = || DVector::zeros(reduced.len() - reduced.normals);
        let found = match &task {
            Task::Smooth(_) => Some(assemble(&reduced, &after, smooth())),
            Task::Imposed(_, imposed) => imposed.impulses(problem, &reduced).map(|t| assemble(&reduced, &after, t)),
            Task::Rough(_, rough) => return friction::solve(problem, &reduced, rough, &after, &options.limits, answer),
            Task::Form(form, roles, _) => {
                if problem.contacts().iter().any(|c| c.friction.is_some_and(|f| !f.is_zero())) {
                    answer.warnings.push(format!("the form {} does not use the friction coefficients", form.as_str()));
                }
                if *form == Form::Housner && self.restitution.is_some() {
                    answer.warnings.push("the form housner has no coefficient; restitution is not used".into());
                }
                forms::impulses(*form, *roles, &after, &reduced)
            }
        };
        match found {
            Some(x) => {
                reduced.write(&x, &mut answer.impulses);
                if reduced.sees_all_motion() {
                    answer.uniqueness =
                        Uniqueness::Proved("the law prescribes the velocities, the normals are independent");
                }
            }
            None => {
                answer.status = Status::NoSolution;
                answer.warnings.push("the tangents cannot give the tangential velocity that the law asks for".into());
            }
        }
    }

    fn in_motion(&self) -> InMotion {
        InMotion { prescribes: true, ..InMotion::default() }
    }
}

/// What the law does with a problem.
enum Task {
    /// E_n alone.
    Smooth(DMatrix<f64>),
    /// E_n and an imposed tangential jump.
    Imposed(DMatrix<f64>, Imposed),
    /// E_n and Coulomb friction.
    Rough(DMatrix<f64>, Vec<Rough>),
    /// A form with its coefficient.
    Form(Form, forms::Roles, f64),
}

impl Task {
    /// γ̂_N⁺ (void for the resting contact of Housner's form).
    fn normal_velocities(&self, reduced: &Reduced) -> DVector<f64> {
        match self {
            Self::Smooth(e) | Self::Imposed(e, _) | Self::Rough(e, _) => -(e * reduced.before.rows(0, reduced.normals)),
            Self::Form(form, roles, restitution) => forms::normal_velocities(*form, *roles, *restitution, reduced),
        }
    }
}

impl Kinematic {
    /// Checks law and problem together and reduces the equations.
    fn prepare(&self, problem: &ImpactProblem) -> Result<(Reduced, Task), Refusal> {
        self.check_keys().map_err(Refusal::BadInput)?;
        let matrix = self.matrix(problem).map_err(Refusal::BadInput)?;
        if problem.elements().iter().any(|e| e.kind == ElementKind::Clutch) {
            return Err(Refusal::NotApplicable("the kinematic law has no clutches".into()));
        }
        let reduced = Reduced::new(problem).map_err(Refusal::NotApplicable)?;
        if let Some(form) = self.form {
            let roles = forms::roles(form, problem, &reduced).map_err(Refusal::NotApplicable)?;
            let restitution = self.restitution.unwrap_or(problem.contacts()[roles.striking].restitution);
            return Ok((reduced, Task::Form(form, roles, restitution)));
        }
        let rough = friction::rough(problem, &reduced);
        if let Some(given) = &self.tangential_matrix {
            if let Some(r) = rough.first() {
                let field = format!("contact[{}].friction", r.normal);
                let value = problem.contacts()[r.normal].friction.map_or(0.0, |f| f.coefficients()[0]);
                let reason = "must be 0 or absent where tangential_matrix imposes the tangential jump";
                return Err(Refusal::BadInput(ImpactError::new(field, value, reason)));
            }
            let tangents = &reduced.rows[reduced.normals..];
            if tangents.iter().any(|&row| problem.offset()[row] != 0.0) {
                let reason = "an imposed tangential jump needs supports that do not move along the tangents";
                return Err(Refusal::NotApplicable(reason.into()));
            }
            let imposed = Imposed::new(self, given, problem).map_err(Refusal::BadInput)?;
            return Ok((reduced, Task::Imposed(matrix, imposed)));
        }
        if rough.iter().any(|r| problem.contacts()[r.normal].tangents.len() == 2) {
            let reason = "friction with two tangents; the kinematic law takes planar friction or an imposed jump";
            return Err(Refusal::NotApplicable(reason.into()));
        }
        let coupled = groups::largest(&reduced, &rough);
        if coupled > friction::MOST {
            let reason =
                format!("{coupled} coupled contacts with friction; at most {} can be enumerated", friction::MOST);
            return Err(Refusal::NotApplicable(reason));
        }
        let task = if rough.is_empty() { Task::Smooth(matrix) } else { Task::Rough(matrix, rough) };
        Ok((reduced, task))
    }

    /// Which keys go together.
    fn check_keys(&self) -> Result<(), ImpactError> {
        let form = self.form.map(Form::as_str);
        if let Some(form) = form {
            let matrices = [
                ("law.restitution_matrix", self.restitution_matrix.is_some()),
                ("law.tangential_matrix", self.tangential_matrix.is_some()),
                ("law.tangential_basis", self.tangential_basis.is_some()),
            ];
            if let Some((field, _)) = matrices.iter().find(|(_, given)| *given) {
                return Err(ImpactError::new(*field, "", format!("excludes form = {form:?}; give one of them")));
            }
        }
        if let Some(e) = self.restitution {
            finite(|| "law.restitution".into(), e)?;
            if form.is_none() {
                let reason =
                    "is the coefficient of a form; without one give restitution_matrix or the contacts' restitution";
                return Err(ImpactError::new("law.restitution", e, reason));
            }
        }
        if self.tangential_basis.is_some() && self.tangential_matrix.is_none() {
            return Err(ImpactError::missing("law.tangential_basis", "", "needs tangential_matrix as well"));
        }
        Ok(())
    }

    /// E_n, checked.
    fn matrix(&self, problem: &ImpactProblem) -> Result<DMatrix<f64>, ImpactError> {
        let contacts = problem.contacts();
        match &self.restitution_matrix {
            Some(rows) => square("law.restitution_matrix", rows, contacts.len(), "contact"),
            None => {
                let diagonal = DVector::from_iterator(contacts.len(), contacts.iter().map(|c| c.restitution));
                Ok(DMatrix::from_diagonal(&diagonal))
            }
        }
    }
}

/// x̂ for given normal velocities and tangential impulses.
fn assemble(reduced: &Reduced, after: &DVector<f64>, tangential: DVector<f64>) -> DVector<f64> {
    let mut x = DVector::zeros(reduced.len());
    x.rows_mut(0, reduced.normals).copy_from(&reduced.normal_impulses(after, &tangential));
    x.rows_mut(reduced.normals, tangential.len()).copy_from(&tangential);
    x
}

/// A square matrix given by rows.
fn square(field: &str, rows: &[Vec<f64>], size: usize, per: &str) -> Result<DMatrix<f64>, ImpactError> {
    if rows.len() != size || rows.iter().any(|r| r.len() != size) {
        let lengths: Vec<usize> = rows.iter().map(Vec::len).collect();
        let given = format!("{} rows of {lengths:?} entries", rows.len());
        return Err(ImpactError::wrong_size(field, given, format!("needs {size} × {size} entries, one row per {per}")));
    }
    for (i, row) in rows.iter().enumerate() {
        for (j, &value) in row.iter().enumerate() {
            finite(|| format!("{field}[{i}][{j}]"), value)?;
        }
    }
    Ok(DMatrix::from_fn(size, size, |i, j| rows[i][j]))
}
