//! The law of Darboux and Keller for several contacts (Liu, Zhao, Brogliato),
//! with friction.
//!
//! # What it assumes
//! Positions are frozen. Every contact is a spring that stores energy while it
//! is compressed and returns the share e² of it; how the impulse is distributed
//! over the contacts follows from the energies they store, hence from ratios of
//! stiffness k and from the exponent η of the force law (1: linear, 3/2:
//! Hertz). e is the energetic coefficient, 0 ≤ e ≤ 1. Friction is Coulomb's at
//! the level of forces, with kinetic μ and static μ_s. Joints and clutches are
//! rigid.
//!
//! # Equations
//! The potential energies E_j distribute the impulses [ZBL 2012, eq. (13)],
//!
//! ```text
//! dP_j ∝ k_j^{1/(η+1)} ((η+1)E_j)^{η/(η+1)}      dE_j = −c_j v_j dP_j      M du = W_n dP_n + W_t dP_t
//! c_j = 1 while v_j ≤ 0,  1/e_j² while v_j > 0
//! ```
//!
//! (eq. (12) there lacks the minus sign and the 1/e² of the expansion). The
//! result does not depend on the parameter along the path. With the
//! compression δ_j = ((η+1)E_j/k_j)^{1/(η+1)} as variable the equations are
//! regular everywhere and no primary contact is needed:
//!
//! ```text
//! dP_j = k_j δ_j^η dτ      dδ_j = −c_j v_j dτ
//! ```
//!
//! Events: v_j crosses zero upwards (expansion; for e = 0 the energy is lost),
//! downwards with δ_j > 0 (compression again, from the energy at hand), δ_j
//! reaches 0 (opens), v_j < 0 at an open contact (compresses at once, or with
//! `keep_gaps` after its remembered gap has closed). The impact is over when
//! all E_j ≤ 1e-24 T⁻ and all approach speeds ≤ 1e-12 of the largest velocity.
//!
//! Slip: dP_t = −μ dP_n sgn v_t, or −dP_n D²v_t/‖Dv_t‖ with D = diag(μ₁, μ₂).
//! Stick: no tangential acceleration within |dP_t| ≤ μ_s dP_n; where tangential
//! directions are dependent, the split of least Σ dP_t²/(μ_s dP_n), or, with two
//! tangents or beside contacts with two, any split within the limits if that one
//! is not, so that a body sticks while any split can hold it. The worst ratio is released first. With
//! two tangents what is released starts to slide as the convex problem of all
//! contacts at rest says; with one, if releasing ends in a slip against its own
//! acceleration, the convex problem with kinetic limits decides. Given the
//! normal forces and μ_s = μ, friction is a monotone differential inclusion:
//! the motion exists and is unique.
//!
//! A contact with v_j = 0 whose own force in its own slip mode would make it
//! approach counts as approaching (impact without collision, Painlevé).
//!
//! Strong friction can wedge contacts: they come to rest with energy in their
//! springs, held by forces that balance within the static limits. This rest is
//! a point of rest of the equations and ends the impact; the energy is reported
//! as held. Compressions that end in the same instant end together; so do those
//! of a body that stops as a whole because friction holds all but one
//! direction, where a plastic contact loses its energy with the others. Events
//! that come again and again, each round smaller than the last, are followed to
//! their limit by extrapolation.
//!
//! One contact: the law of Routh and Stronge without tangential compliance.
//!
//! # How it is computed
//! Scaled to its own units, so that no tolerance depends on units; explicit
//! Runge–Kutta stages of order 8 over the pushing contacts alone, so that a
//! step costs as much as there are forces, however long the chain. While one
//! contact pushes alone, everything is known in closed form as a function of
//! its impulse, and one step leads to the next event (`alone`). For η = 1 and
//! several contacts the same stages are used: the phases are linear and smooth, and about
//! twenty steps cost less than the eigenvectors of each phase. Where a slide in
//! two directions is slow, its direction is stiff; there an extrapolated
//! linearly implicit method takes over, implicit for what is stiff alone. Slides that come to rest are followed by a clock that
//! slows down with them (`pace`). Where many contacts push, those whose motion such short steps hardly
//! change are known by power series for many of them (`parted`, `series`). Events that come and go within a step
//! are found by interpolation. Matrices are sparse, and factors of sticking
//! contacts are kept by groups that share no body, in an order that keeps their
//! rows short; what a change of contacts does not touch is not computed again (`kept`).
//!
//! # Known failures
//! - The law is not always the limit of a compliant model: where a contact
//!   opens and closes again during the impact, keeping or forgetting its gap
//!   changes the result, by up to two thirds of the velocity in random cases.
//!   `keep_gaps` computes the other answer.
//! - With μ_s > μ the choice of stick or slip is not convex, and results jump
//!   where break-away sets in.
//! - Impulses of redundant contacts are one choice among many; velocities are not.
//! - A contact at rest slides once its acceleration exceeds 1e-8 of the largest
//!   rate, and tangential velocities in two directions below 1e-11 of the largest one are rest.
//!   Impacts that hang on less are followed to about 1e-8 instead of 1e-9.
//! - Coefficients of friction above 1e9 (scaled) act as 1e9, and one below 1e-8 of
//!   that along the other tangent acts as none.
//! - An excursion beyond the static limit that is over within a tenth of a step
//!   and hardly exceeds it can be missed. Of 7500 random stacks, falling or struck,
//!   with μ_s = μ or above, none differed from a second method by 1e-9.
//! - Errors add up where hundreds of events follow one another: of 4000 random
//!   problems in general position one, which a sliding contact keeps going for 366
//!   events, is followed to 4e-8 only.
//! - All pushing contacts come to every event, and those without friction take the same steps, so that the time grows with the
//!   product of events and pushing contacts.
//!   Regular packings without friction, of disks above all, end in tens of thousands of ever smaller collisions.
//! - With ratios of stiffness of 1e12 the stiff contact may hit ten thousand times
//!   while the soft one gives way: up to 150 000 steps, half a second.
//! - Small swings about a wedge can fade too slowly to be followed to their end:
//!   27 of 4000 random systems with 2 to 4 coordinates and as many rough contacts
//!   reach the step limit or stall, none of 2000 bodies in a corner.
//! - Endless sequences end with a status and a warning, never silently: a state
//!   that comes again, or a contact that supports press without end, is
//!   `stalled`; `no-solution` is said only where joints and clutches alone fix
//!   the velocity of a contact that approaches.
//!
//! Settings read from contacts: `restitution` (energetic), `friction`,
//! `friction_static`, `stiffness` (only ratios matter).

mod advance;
mod alone;
mod answer;
mod basis;
mod cone;
mod events;
mod grip;
mod impact;
mod kept;
mod local;
mod pace;
mod pair;
mod parted;
mod project;
mod repeat;
mod scaled;
mod series;
mod split;
mod start;
mod state;
mod step;
mod stiff;
mod tableau;
mod thresholds;
mod wedge;

pub use crate::answer::{ContactEnergy, ImpactPath, NormalState, PathState, TangentialState};
pub(super) use impact::Buffers as LzbBuffers;

use self::thresholds::speed;
use super::{About, Buffers, Field, ImpactLaw, Refusal, data};
use crate::answer::{LawAnswer, Options};
use crate::claim::{Claim, FrictionLimit};
use crate::error::ImpactError;
use crate::problem::{ElementKind, ImpactProblem};

/// The law `lzb`; see the module's documentation.
#[derive(Debug, Clone, PartialEq)]
pub struct Lzb {
    /// Exponent η > 0 of the force law; 1 is linear, 3/2 (the default) is Hertz's.
    pub exponent: f64,
    /// Remember the gap of a contact that opens during the impact; default no.
    pub keep_gaps: bool,
    /// Local error per step relative to the largest velocity, in (0, 0.01].
    /// The default gives velocities to better than 1e-9 of the largest one.
    pub tolerance: f64,
    /// Most steps; absent: a number that grows with the contacts.
    pub max_steps: Option<usize>,
}

impl Default for Lzb {
    fn default() -> Self {
        Self { exponent: 1.5, keep_gaps: false, tolerance: 1e-11, max_steps: None }
    }
}

impl ImpactLaw for Lzb {
    fn about(&self) -> About {
        About {
            name: "lzb",
            summary: "Darboux–Keller law for several contacts (Liu, Zhao, Brogliato): energies distribute the impulses",
            citation: "ZBL 2012, §4",
        }
    }

    fn data(&mut self, each: &mut dyn FnMut(Field<'_>)) {
        let exponent = Field::number("exponent", &mut self.exponent).above(0.0);
        each(exponent.doc("Exponent of the force law: 1 is linear, 1.5 is Hertz's."));
        each(Field::flag("keep_gaps", &mut self.keep_gaps).doc("Remember gaps that open during the impact."));
        let tolerance = Field::number("tolerance", &mut self.tolerance).above(0.0).at_most(0.01);
        each(tolerance.doc("Relative error per step."));
        let steps = Field::count("max_steps", &mut self.max_steps).at_least(1.0).doc("Most steps.");
        each(steps.absent("a number that grows with the contacts"));
    }

    fn check(&self, problem: &ImpactProblem) -> Result<(), Refusal> {
        data::check_ranges(self)?;
        for (i, contact) in problem.contacts().iter().enumerate() {
            if contact.restitution > 1.0 {
                let field = format!("contact[{i}].restitution");
                let problem = "the energetic coefficient of lzb must lie in [0, 1]";
                return Err(Refusal::BadInput(ImpactError::new(field, contact.restitution, problem)));
            }
            if !contact.tangents.is_empty() && contact.friction.is_none() {
                return Err(Refusal::NotApplicable(format!(
                    "contact {} has a tangent but no friction coefficient",
                    contact.name
                )));
            }
        }
        check_constraints(problem)
    }

    fn claim(&self, _problem: &ImpactProblem, claim: &mut Claim) {
        claim.friction = FrictionLimit::Static;
    }

    fn impulses(&self, problem: &ImpactProblem, options: &Options, work: &mut Buffers, answer: &mut LawAnswer) {
        if !options.path {
            return self.follow(problem, options, &thresholds::step::LONGEST, work, answer);
        }
        // Paths are drawn, so their steps are short from the start; the answer does not depend on whether it is drawn.
        let mut drawn = LawAnswer::default();
        self.follow(problem, options, &thresholds::step::LONGEST[1..], work, &mut drawn);
        self.follow(problem, &Options { path: false, ..options.clone() }, &thresholds::step::LONGEST, work, answer);
        answer.path = drawn.path;
        if let Some(path) = &mut answer.path {
            let (mut velocity, mut gamma) = (Vec::new(), Vec::new());
            problem.apply_impulses(&answer.impulses, &mut velocity);
            problem.relative_velocity(&velocity, &mut gamma);
            path.end_at(&answer.impulses, &velocity, &gamma);
        }
    }
}

impl Lzb {
    /// Follows the impact with steps up to these lengths, the first that is not lost.
    fn follow(
        &self,
        problem: &ImpactProblem,
        options: &Options,
        attempts: &[f64],
        work: &mut Buffers,
        answer: &mut LawAnswer,
    ) {
        for (attempt, &longest) in attempts.iter().enumerate() {
            let mut impact = impact::Impact::new(self, problem, options, longest, &mut work.lzb);
            let ended = impact.run();
            if attempt + 1 == attempts.len() || !impact.is_lost(ended) {
                impact.write(ended, answer);
                answer.stats.restarts = attempt;
                return;
            }
        }
    }
}

/// Joints must hold and clutches must not be closing before the impact.
fn check_constraints(problem: &ImpactProblem) -> Result<(), Refusal> {
    let constrained = |kind| matches!(kind, ElementKind::Clutch | ElementKind::Joint);
    if !problem.elements().iter().any(|e| constrained(e.kind)) {
        return Ok(());
    }
    let scaled = |row: usize| problem.gamma_minus()[row] / problem.operator().get(row, row).sqrt();
    // Beside the speed of the system the rows may have nothing but round-off.
    let speed = (2.0 * problem.energy_minus()).sqrt();
    let largest = (0..problem.rows()).map(|row| scaled(row).abs()).fold(speed, f64::max);
    for (i, element) in problem.elements().iter().enumerate().filter(|(_, e)| constrained(e.kind)) {
        for row in element.rows.clone() {
            let offends = match element.kind {
                ElementKind::Joint => scaled(row).abs() > speed::CONSISTENT * largest,
                _ => scaled(row) < -speed::CONSISTENT * largest,
            };
            if offends {
                let (kind, what) = match element.kind {
                    ElementKind::Joint => ("joint", "under lzb a joint must hold before the impact (γ = 0)"),
                    _ => ("clutch", "under lzb a clutch must not be closing before the impact (γ ≥ 0)"),
                };
                let index = problem.elements()[..i].iter().filter(|e| e.kind == element.kind).count();
                let value = format!("velocity {} before the impact", problem.gamma_minus()[row]);
                return Err(Refusal::BadInput(ImpactError::new(format!("{kind}[{index}]"), value, what)));
            }
        }
    }
    Ok(())
}
