//! The one-coefficient forms for a striking contact B and a resting contact A.
//!
//! ```text
//! rocking-sliding    γ_B⁺ = 0        γ_A⁺ = −e γ_B⁻    no tangential impulse       [BZL 2012, §3.3]
//! rocking-sticking   γ_B⁺ = 0        γ_A⁺ = −e γ_B⁻    γ_TB⁺ = 0                   [BZL 2012, §3.4]
//! half-rocking       γ_B⁺ = −e γ_B⁻  γ_A⁺ = 0          no tangential impulse       [BZL 2012, §3.5]
//! housner            γ_B⁺ = 0        Λ_A = 0           γ_TB⁺ = 0                   [BZL 2012, §3.7.2]
//! ```
//!
//! B becomes the pivot, so sticking is asked of B's tangents. For a block on
//! flat ground A has the same tangential velocity, and the tangential impulse
//! of least norm is shared equally.

use nalgebra::{DMatrix, DVector};

use super::reduce::{AT_REST, Reduced};
use crate::claim::{Claim, ElementClaim, FrictionLimit};
use crate::law::Choice;
use crate::problem::{ElementKind, ImpactProblem};
use crate::small::singular;

/// A form of the law for two contacts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Form {
    /// `housner`: the block turns about B without slip, A gives no impulse.
    Housner,
    /// `rocking-sliding`: B stays, A lifts off, no friction.
    RockingSliding,
    /// `rocking-sticking`: B stays and sticks, A lifts off.
    RockingSticking,
    /// `half-rocking`: B rebounds, A stays, no friction.
    HalfRocking,
}

impl Choice for Form {
    const ALL: &'static [Self] = &[Self::Housner, Self::RockingSliding, Self::RockingSticking, Self::HalfRocking];

    fn as_str(self) -> &'static str {
        match self {
            Self::Housner => "housner",
            Self::RockingSliding => "rocking-sliding",
            Self::RockingSticking => "rocking-sticking",
            Self::HalfRocking => "half-rocking",
        }
    }
}

impl Form {
    /// Whether the form makes the striking contact stick.
    pub fn sticks(self) -> bool {
        matches!(self, Self::Housner | Self::RockingSticking)
    }
}

/// The contacts of a form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Roles {
    pub striking: usize,
    pub resting: usize,
}

/// Finds B and A from γ⁻, or says why there are none.
pub(super) fn roles(form: Form, problem: &ImpactProblem, reduced: &Reduced) -> Result<Roles, String> {
    let name = form.as_str();
    if reduced.normals != 2 {
        return Err(format!("the form {name} needs two contacts, a striking one and a resting one"));
    }
    let (first, second) = (reduced.before[0], reduced.before[1]);
    let rests = |v: f64, other: f64| v.abs() <= AT_REST * other.abs();
    let roles = if first < 0.0 && rests(second, first) {
        Roles { striking: 0, resting: 1 }
    } else if second < 0.0 && rests(first, second) {
        Roles { striking: 1, resting: 0 }
    } else {
        return Err(format!("the form {name} needs one contact that approaches and one with no normal velocity"));
    };
    let striking = &problem.contacts()[roles.striking];
    if form.sticks() && striking.tangents.is_empty() {
        return Err(format!("the form {name} needs a tangent at the striking contact {}", striking.name));
    }
    Ok(roles)
}

/// What a form claims of the elements of a problem that has its roles.
pub(super) fn claim(form: Form, restitution: Option<f64>, problem: &ImpactProblem, claim: &mut Claim) {
    let roles = Reduced::new(problem).and_then(|reduced| roles(form, problem, &reduced));
    let Ok(Roles { striking, .. }) = roles else { return };
    let contact = &problem.contacts()[striking];
    let (row, restitution) = (contact.normal as u32, restitution.unwrap_or(contact.restitution));
    let stays = ElementClaim::Velocity { restitution: 0.0 };
    claim.each(problem, |element| match (element.kind, form, element.contact == Some(striking)) {
        (ElementKind::Joint | ElementKind::Clutch, ..) => stays,
        (_, Form::Housner, false) => ElementClaim::NoImpulse,
        (_, Form::Housner, true) => stays,
        (ElementKind::Normal, Form::HalfRocking, true) => ElementClaim::Velocity { restitution },
        (ElementKind::Normal, Form::HalfRocking, false) => stays,
        (ElementKind::Normal, _, true) => stays,
        (ElementKind::Normal, _, false) => ElementClaim::VelocityOf { restitution, row },
        (ElementKind::Friction, Form::RockingSticking, true) => stays,
        (ElementKind::Friction, Form::RockingSticking, false) => ElementClaim::Nothing,
        (ElementKind::Friction, ..) => ElementClaim::NoImpulse,
    });
    if form.sticks() {
        claim.friction = FrictionLimit::Unbounded;
    }
}

/// γ̂_N⁺ that the form asks for; A's entry is void for `housner`.
pub(super) fn normal_velocities(form: Form, roles: Roles, restitution: f64, reduced: &Reduced) -> DVector<f64> {
    let mut after = DVector::zeros(2);
    let (b, a) = (roles.striking, roles.resting);
    match form {
        Form::Housner => {}
        // The form relates γ themselves, not their normalised values.
        Form::RockingSliding | Form::RockingSticking => {
            after[a] = -restitution * reduced.before[b] * (reduced.scale[b] / reduced.scale[a]);
        }
        Form::HalfRocking => after[b] = -restitution * reduced.before[b],
    }
    after
}

/// The impulses x̂ of a form, or `None` where its equations contradict each other.
pub(super) fn impulses(form: Form, roles: Roles, after: &DVector<f64>, reduced: &Reduced) -> Option<DVector<f64>> {
    let size = reduced.len();
    let tangents: Vec<usize> = (2..size).collect();
    let pivot: Vec<usize> = tangents.iter().copied().filter(|&t| reduced.contact[t] == roles.striking).collect();
    let mut x = DVector::zeros(size);
    match form {
        Form::RockingSliding | Form::HalfRocking => {
            let normal = reduced.normal_impulses(after, &DVector::zeros(size - 2));
            x.rows_mut(0, 2).copy_from(&normal);
        }
        Form::RockingSticking => {
            // γ̂_TB⁺ = 0 with x̂_N = A⁻¹(…) put in: a Schur complement in x̂_T = s Λ_T.
            let rows = reduced.matrix.select_rows(&pivot);
            let coupling = reduced.matrix.view((0, 2), (2, tangents.len()));
            let mut schur = rows.select_columns(&tangents) - rows.columns(0, 2) * reduced.gram.solve(&coupling);
            for (j, &t) in tangents.iter().enumerate() {
                schur.column_mut(j).scale_mut(reduced.scale[t]);
            }
            let normal = reduced.gram.solve(&(after - reduced.free.rows(0, 2)));
            let right = -(reduced.free.select_rows(&pivot) + rows.columns(0, 2) * normal);
            let solved = singular::solve(schur, &right, reduced.scale.amax())?;
            if solved.residual > AT_REST * reduced.speed(after) {
                return None;
            }
            let tangential = solved.point.component_mul(&reduced.scale.rows(2, tangents.len()));
            x.rows_mut(0, 2).copy_from(&reduced.normal_impulses(after, &tangential));
            x.rows_mut(2, tangents.len()).copy_from(&tangential);
        }
        Form::Housner => {
            let rows: Vec<usize> = std::iter::once(roles.striking).chain(pivot).collect();
            let matrix = DMatrix::from_fn(rows.len(), rows.len(), |i, j| reduced.matrix[(rows[i], rows[j])]);
            let solved = singular::solve(matrix, &-reduced.free.select_rows(&rows), 1.0)?;
            if solved.residual > AT_REST * reduced.speed(after) {
                return None;
            }
            rows.iter().zip(solved.point.iter()).for_each(|(&row, &value)| x[row] = value);
        }
    }
    Some(x)
}
