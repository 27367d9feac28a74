//! Inclusions of many rows, by blocks that are never put together to a full matrix.

use crate::budget::Budget;
use crate::error::ImpactError;
use crate::problem::{Element, ElementKind, ImpactProblem};
use crate::solve::contact::{BlockMatrix, ContactLaw, ContactProblem, ContactSettings, Report, solve};
use crate::solve::{SolveReport, SolveStatus};

/// Relative residual that is aimed at: certificates ask for 1e-9.
const TOLERANCE: f64 = 1e-11;
/// Residual that counts as solved; the certificate has the last word.
const GOOD: f64 = 1e-9;

/// Method and tolerance that the user asks for.
fn wanted(budget: &Budget<'_>) -> ContactSettings {
    ContactSettings { method: budget.method(), tolerance: budget.tolerance().unwrap_or(TOLERANCE), warm: false }
}

fn good_enough(report: &Report) -> SolveStatus {
    if report.residual.scale_free <= GOOD { SolveStatus::Solved } else { report.status }
}

/// The block of each element and the place of each row in it.
struct Layout {
    dimension: usize,
    laws: Vec<ContactLaw>,
    /// Row of the block matrix for each row of γ.
    place: Vec<usize>,
}

/// Solves ξ = Gx + b over the elements' cones, as the inclusions of Newton's and Poisson's laws; `shift` gives the
/// constant part of each friction element's radius.
pub(super) fn solve_many(
    problem: &ImpactProblem,
    vector: &[f64],
    budget: &mut Budget<'_>,
    shift: impl Fn(&Element) -> f64,
    x: &mut [f64],
) -> SolveReport {
    let (contacts, place) = Layout::new(problem, shift).assemble(problem, vector);
    let settings = wanted(budget);
    let mut r = Vec::new();
    let failed = |status| SolveReport { status, ..SolveReport::solved(None) };
    // The problem was checked when it was built.
    let Ok(report) = solve(&contacts, &settings, budget, &mut r) else { return failed(SolveStatus::Stalled) };
    x.iter_mut().zip(&place).for_each(|(x, &row)| *x = r[row]);
    SolveReport { iterations: report.iterations, ..failed(good_enough(&report)) }
}

/// The contact problem of an impact under Newton's law, or Moreau's, with these coefficients of restitution: what other
/// programs solve for contacts. Joints are eliminated.
///
/// ```text
/// u = G r + q,   G = WᵀM⁻¹W,   q = (1 + ε)γ⁻ + WᵀM⁻¹F,   hence   u = γ⁺ + εγ⁻ and r = Λ
/// ```
///
/// # Errors
/// Contacts with different numbers of rows, or clutches (of one row) beside contacts with friction; joints that cannot be
/// eliminated; a problem without contacts.
pub fn contact_problem(
    problem: &ImpactProblem,
    restitution: impl Fn(&Element) -> f64,
) -> Result<ContactProblem, ImpactError> {
    let contacts = problem.contacts();
    let rows = |i: usize| 1 + contacts[i].tangents.len();
    let wanted = contacts.first().map_or(1, |contact| 1 + contact.tangents.len());
    if let Some(i) = (0..contacts.len()).find(|&i| rows(i) != wanted) {
        let value = format!("{} rows", rows(i));
        let reason = format!(
            "contact[0] has {wanted}, and all contacts of a contact problem have as many (normal and tangents); \
             give frictionless ones tangents with friction = 0"
        );
        return Err(ImpactError::wrong_size(format!("contact[{i}]"), value, reason));
    }
    let has = |kind: ElementKind| problem.elements().iter().any(|element| element.kind == kind);
    if wanted > 1 && has(ElementKind::Clutch) {
        let reason =
            format!("a clutch has one row; contact[0] has {wanted}, and a contact problem has blocks of one size");
        return Err(ImpactError::wrong_size("clutch[0]", "1 row", reason));
    }
    if contacts.is_empty() && !has(ElementKind::Clutch) {
        return Err(ImpactError::wrong_size("contact", "[]", "a contact problem needs at least one contact"));
    }
    let mut vector = vec![0.0; problem.rows()];
    for element in problem.elements() {
        for row in element.rows.clone() {
            vector[row] = (1.0 + restitution(element)) * problem.gamma_minus()[row];
        }
    }
    if let Some(change) = problem.external_relative_change() {
        vector.iter_mut().zip(change).for_each(|(q, change)| *q += change);
    }
    Layout::new(problem, |_| 0.0).assemble(problem, &vector).0.without_joints()
}

/// The impulses x of these rows of γ, without friction: γ + Gx ≥ 0 and complementary in the first `contacts` of them, zero in
/// the others, which are joints.
pub(super) fn project_many(
    problem: &ImpactProblem,
    rows: &[usize],
    contacts: usize,
    gamma: &[f64],
    budget: &mut Budget<'_>,
    x: &mut [f64],
) -> SolveStatus {
    let mut place = vec![usize::MAX; problem.rows()];
    rows.iter().enumerate().for_each(|(k, &row)| place[row] = k);
    let matrix = BlockMatrix::from_visits(1, rows.len(), |visit| {
        for (k, &row) in rows.iter().enumerate() {
            problem.operator().for_row(row, |j, value| {
                if place[j] != usize::MAX {
                    visit(k, place[j], value);
                }
            });
        }
    });
    let law = |k: usize| if k < contacts { ContactLaw::coulomb(0.0) } else { ContactLaw::Joint };
    let laws = (0..rows.len()).map(law).collect();
    let contacts = ContactProblem { matrix, vector: gamma.to_vec(), laws };
    let settings = wanted(budget);
    let mut r = Vec::new();
    let Ok(report) = solve(&contacts, &settings, budget, &mut r) else { return SolveStatus::Stalled };
    x.copy_from_slice(&r);
    good_enough(&report)
}

impl Layout {
    /// The contact problem with this vector, and the row of it for each row of γ.
    fn assemble(self, problem: &ImpactProblem, vector: &[f64]) -> (ContactProblem, Vec<usize>) {
        let Self { dimension, laws, place } = self;
        let matrix = BlockMatrix::from_visits(dimension, laws.len(), |visit| {
            for (i, &row) in place.iter().enumerate() {
                problem.operator().for_row(i, |j, value| visit(row, place[j], value));
            }
        });
        let mut q = vec![0.0; laws.len() * dimension];
        place.iter().zip(vector).for_each(|(&row, &b)| q[row] = b);
        (ContactProblem { matrix, vector: q, laws }, place)
    }

    fn new(problem: &ImpactProblem, shift: impl Fn(&Element) -> f64) -> Self {
        let tangents = |e: &Element| if e.kind == ElementKind::Friction { e.rows.len() } else { 0 };
        let dimension = 1 + problem.elements().iter().map(tangents).max().unwrap_or(0);
        let mut layout = Self { dimension, laws: Vec::new(), place: vec![0; problem.rows()] };
        for element in problem.elements() {
            match element.kind {
                ElementKind::Normal | ElementKind::Clutch => {
                    layout.place[element.rows.start] = layout.laws.len() * dimension;
                    layout.laws.push(ContactLaw::coulomb(0.0));
                }
                ElementKind::Friction => {
                    let first = layout.place[element.normal];
                    for (k, row) in element.rows.clone().enumerate() {
                        layout.place[row] = first + 1 + k;
                    }
                    let law = ContactLaw::Contact { friction: element.friction, shift: shift(element) };
                    layout.laws[first / dimension] = law;
                }
                ElementKind::Joint => {
                    for (k, row) in element.rows.clone().enumerate() {
                        if k % dimension == 0 {
                            layout.laws.push(ContactLaw::Joint);
                        }
                        layout.place[row] = (layout.laws.len() - 1) * dimension + k % dimension;
                    }
                }
            }
        }
        layout
    }
}
