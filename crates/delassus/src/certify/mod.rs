//! The checks of an answer, from problem, [`Claim`] and impulses alone.
//!
//! No law grades itself: everything here follows from Λ, the same for all
//! laws, and no law is called. What a law promises is data (its claim), and
//! [`certify`] tells how well impulses from wherever keep that promise.
//! Residuals are free of scale, so that they do not depend on units or
//! on the choice of generalized coordinates:
//!
//! ```text
//! T* = max(T⁻, T⁺),  v = √(2T*),  s_i = √(tr G_ii / dim)
//! Λ̂ = Λ_i s_i / v,  γ̂ = γ_i / (s_i v),  ξ̂ likewise,  λ = max(1, |Λ̂|_∞)
//!
//! kinematic   max(0, −γ̂⁺) unilateral;  |γ̂⁺| joint
//! kinetic     max(0, −Λ̂_N)/λ;  friction max(0, gauge_A(Λ̂_T) − Λ̂_N s_T/s_N)/λ, |Λ̂_T|/λ along axes without it
//! inclusion   |min(Λ̂_N/λ, ξ̂_N)|,  |ξ̂_J|,  ‖Λ̂_T + proj_Ĉ(−Λ̂_T + ξ̂_T)‖/λ
//! energetic   max(0, D)/T*,  D = ½Λᵀ(γ⁺ + γ⁻)
//! momentum    √(rᵀM⁻¹r)/v,  r = M(u⁺ − u⁻) − WΛ − F
//! ```
//!
//! A claim of equality (a velocity, no impulse) has the residual |γ̂⁺ − what is claimed| or
//! |Λ̂|/λ, one in the kinetic metric |q̇⁺ − what is claimed|/v.

mod ledger;
mod metric;
mod range;
mod residuals;
mod theorem;

pub use crate::outcome::{Certificate, Theorem};

pub(crate) use residuals::{Buffers, judge};

use crate::answer::{LawAnswer, Options};
use crate::claim::Claim;
use crate::outcome::ImpactOutcome;
use crate::problem::ImpactProblem;

/// What follows from an answer, whoever gave it: velocities, energies, states, and how well it
/// keeps the claim. The status of the answer takes the checks into account.
///
/// ```
/// use delassus::claim::{Claim, ElementClaim};
/// use delassus::{ContactData, ImpactProblem, LawAnswer, Mass, ProblemData, certify::certify};
///
/// // A ball of 2 kg; somebody says that the impulse is 2 N s, and that it is Newton's for e = 0.
/// let ball = ProblemData::new(Mass::diagonal(vec![2.0])?, [-1.0]).with_contact(ContactData::new("floor", [1.0]));
/// let problem = ImpactProblem::new(ball)?;
/// let mut claim = Claim::default();
/// claim.each(&problem, |_| ElementClaim::Newton { restitution: 0.0 });
/// let answer = LawAnswer { impulses: vec![2.0], ..LawAnswer::default() };
/// assert!(certify(&problem, &claim, answer).certificate.satisfies_law());
/// # Ok::<(), delassus::ImpactError>(())
/// ```
///
/// # Panics
/// If the answer does not have one impulse per row of the problem.
pub fn certify(problem: &ImpactProblem, claim: &Claim, answer: LawAnswer) -> ImpactOutcome {
    assert_eq!(answer.impulses.len(), problem.rows(), "one impulse per row");
    let mut claim = claim.clone();
    claim.pad(problem);
    let mut outcome = ImpactOutcome { answer, ..ImpactOutcome::default() };
    judge(problem, &claim, &Options::default(), &mut Buffers::default(), &mut outcome);
    outcome
}
