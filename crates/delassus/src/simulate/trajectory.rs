//! What a simulation returns.

use super::mode::ContactMode;
use super::peaks::Peaks;
use crate::answer::Status;
use crate::law::LawSpec;
use crate::model::ContactFrame;
use crate::outcome::ImpactOutcome;
use crate::problem::ImpactProblem;

/// How a simulation ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum End {
    /// The time or the number of impacts asked for was reached.
    Completed,
    /// Nothing moves any more and nothing will.
    AtRest,
    /// The body's angle reached π/2.
    Overturned,
    /// The observer asked to stop.
    Interrupted,
    /// The impact law gave no answer; the reason in words.
    NoAnswer(String),
    /// The longest time of a run whose end should be another was reached.
    TimeLimit,
    /// The limit of events was reached.
    MaxEvents,
    /// The step size became too small to go on.
    Stalled,
    /// Bodies overlap, so the motion is wrong; which ones and how far.
    Penetration(String),
    /// Energies and works differ by so much that the motion is wrong; by how much.
    Unbalanced(String),
}

/// Energies and works that differ by more than this part of the largest energy belong to a motion that is wrong.
const WRONG: f64 = 0.01;

impl End {
    /// The word used in files.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::Completed => "completed",
            Self::AtRest => "at-rest",
            Self::Overturned => "overturned",
            Self::Interrupted => "interrupted",
            Self::NoAnswer(_) => "no-answer",
            Self::TimeLimit => "time-limit",
            Self::MaxEvents => "max-events",
            Self::Stalled => "stalled",
            Self::Penetration(_) => "penetration",
            Self::Unbalanced(_) => "unbalanced",
        }
    }

    /// Whether the motion was computed as far as it was asked for.
    pub fn is_regular(&self) -> bool {
        matches!(self, Self::Completed | Self::AtRest | Self::Overturned)
    }
}

/// Energies at one time \[J\]. T + V − (T + V at the start) is the sum of the works.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Energies {
    /// Kinetic energy T.
    pub kinetic: f64,
    /// Potential energy V of gravity and springs.
    pub potential: f64,
    /// Work of sliding friction between impacts, at most 0.
    pub friction: f64,
    /// Work of supports that move.
    pub supports: f64,
    /// Work of dampers, at most 0.
    pub damping: f64,
    /// Work of applied forces.
    pub applied: f64,
    /// Work of the contacts in impacts.
    pub impacts: f64,
}

impl Energies {
    /// T + V.
    pub fn total(&self) -> f64 {
        self.kinetic + self.potential
    }

    /// All works since the start.
    pub fn work(&self) -> f64 {
        self.friction + self.supports + self.damping + self.applied + self.impacts
    }
}

/// The state at one time.
#[derive(Debug, Clone, PartialEq)]
pub struct Sample {
    /// Time \[s\].
    pub time: f64,
    /// Positions q.
    pub q: Vec<f64>,
    /// Velocities u.
    pub u: Vec<f64>,
    /// Normal and tangential force per contact \[N\]; of redundant ones only the sum counts.
    pub forces: Vec<[f64; 2]>,
    /// Energies.
    pub energy: Energies,
    /// The steps since the sample before it, where they are those of time-stepping.
    pub steps: Option<StepReport>,
}

/// How the contact problems of some steps of time-stepping were solved.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct StepReport {
    /// Steps.
    pub count: usize,
    /// Most contacts and joints of one of them.
    pub contacts: usize,
    /// Iterations of all of them.
    pub iterations: usize,
    /// The largest residual, relative to the velocities that call for impulses.
    pub residual: f64,
}

impl StepReport {
    /// These steps and others.
    pub fn and(self, other: Self) -> Self {
        Self {
            count: self.count + other.count,
            contacts: self.contacts.max(other.contacts),
            iterations: self.iterations + other.iterations,
            residual: self.residual.max(other.residual),
        }
    }
}

/// What happened.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum EventKind {
    /// An impact; its index in [`Trajectory::impacts`].
    Impact(usize),
    /// The contact's force vanished and it opens.
    TakeOff(usize),
    /// The contact closed without an impact.
    Touch(usize),
    /// The contact stopped sliding.
    Stick(usize),
    /// The contact started to slide.
    Slip(usize),
    /// The clutch engaged.
    Engage(usize),
    /// The clutch disengaged.
    Disengage(usize),
    /// Impacts accumulated: this one was resolved without restitution.
    Accumulation,
    /// Painlevé: no force solves the contact equations; an impact without collision followed.
    PainleveImpact,
    /// Painlevé: several motions solve the contact equations; see the log.
    PainleveChoice(usize),
}

impl EventKind {
    /// The word used in files.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Impact(_) => "impact",
            Self::TakeOff(_) => "take-off",
            Self::Touch(_) => "touch",
            Self::Stick(_) => "stick",
            Self::Slip(_) => "slip",
            Self::Engage(_) => "engage",
            Self::Disengage(_) => "disengage",
            Self::Accumulation => "accumulation",
            Self::PainleveImpact => "painleve-impact",
            Self::PainleveChoice(_) => "painleve-choice",
        }
    }

    /// The contact it is about.
    pub fn contact(self) -> Option<usize> {
        match self {
            Self::TakeOff(c) | Self::Touch(c) | Self::Stick(c) | Self::Slip(c) | Self::PainleveChoice(c) => Some(c),
            _ => None,
        }
    }
}

/// An event and its time \[s\].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Event {
    /// When.
    pub time: f64,
    /// What.
    pub kind: EventKind,
}

/// An impact of the simulated system. Lists are empty where only [`Brief`](super::Records::Brief) records were asked for.
#[derive(Debug, Clone, Default)]
pub struct SimulatedImpact {
    /// Time \[s\].
    pub time: f64,
    /// Participants, as indices of the system's contacts: the contacts of the problem in order.
    pub contacts: Vec<usize>,
    /// Positions.
    pub q: Vec<f64>,
    /// Velocities before.
    pub u_minus: Vec<f64>,
    /// Velocities after, small separations of accumulated impacts closed.
    pub u_plus: Vec<f64>,
    /// Kinetic energy after, belonging to `u_plus` \[J\].
    pub kinetic_after: f64,
    /// The law's answer with its certificate.
    pub outcome: ImpactOutcome,
    /// Where the participants touch, for pictures; empty where the system does not tell.
    pub frames: Vec<ContactFrame>,
    /// Rows of the problem per participant: 1 and one for each direction of friction.
    pub rows: Vec<usize>,
    /// Whether all restitution was taken as zero because impacts accumulate.
    pub inelastic: bool,
    /// Contact modes after the impact.
    pub modes: Vec<ContactMode>,
}

/// Something a user should know, with its time \[s\].
#[derive(Debug, Clone, PartialEq)]
pub struct Remark {
    /// When.
    pub time: f64,
    /// What, in words.
    pub text: String,
    /// Whether it is about a single impact; a run may have hundreds of these.
    pub of_one_impact: bool,
}

impl Remark {
    /// A remark about the run.
    pub fn new(time: f64, text: impl Into<String>) -> Self {
        Self { time, text: text.into(), of_one_impact: false }
    }
}

/// Counters of a simulation.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct RunStats {
    /// Accepted steps.
    pub steps: usize,
    /// Rejected steps.
    pub rejected: usize,
    /// Evaluations of the accelerations.
    pub evaluations: usize,
    /// Linear complementarity problems solved to select a mode.
    pub selections: usize,
    /// Deepest penetration at the end of a step, in units of the bodies' size.
    pub penetration: f64,
    /// Largest joint residual at the end of a step, in units of the bodies' size.
    pub joint_drift: f64,
    /// Largest residual of the contact problem of a step of time-stepping, relative to the velocities that call
    /// for impulses.
    pub residual: f64,
    /// Bodies that slept, added up over the steps of time-stepping.
    pub slept: usize,
    /// Impacts of many bodies or contacts, which time-stepping counts but does not list.
    pub unlisted: usize,
}

/// The motion of a system.
#[derive(Debug, Clone)]
pub struct Trajectory {
    /// How it ended.
    pub end: End,
    /// Time reached \[s\].
    pub time: f64,
    /// States at equal intervals, at the start and at the end.
    pub samples: Vec<Sample>,
    /// Every event in order.
    pub events: Vec<Event>,
    /// Every impact in order.
    pub impacts: Vec<SimulatedImpact>,
    /// The problem of the impact that the settings ask for, with the law that resolved it.
    pub kept: Option<Box<(ImpactProblem, LawSpec)>>,
    /// Largest values, found within the steps.
    pub peaks: Peaks,
    /// Names of the contacts that impacts and events tell by number.
    pub contact_names: Vec<String>,
    /// The time from which the run is by time-stepping because events came to no end \[s\].
    pub stepped_from: Option<f64>,
    /// |T + V − (T + V)₀ − works| in units of the largest energy that occurred.
    pub closure: f64,
    /// What a user should know.
    pub log: Vec<Remark>,
    /// Counters.
    pub stats: RunStats,
}

impl Trajectory {
    /// The number of impacts, with those that are not listed.
    pub fn impact_count(&self) -> usize {
        self.impacts.len() + self.stats.unlisted
    }

    /// Whether the motion was computed as far as it was asked for, and every impact was solved.
    pub fn is_solved(&self) -> bool {
        self.end.is_regular() && self.impacts.iter().all(|impact| impact.outcome.status() == Status::Solved)
    }

    /// A motion whose energies do not balance by far has no good end, wherever it led.
    pub(super) fn doubt_end(&mut self) {
        if self.end.is_regular() && (self.closure.is_nan() || self.closure > WRONG) {
            let text = format!("energies and works differ by {:.1e} of the largest energy", self.closure);
            self.end = End::Unbalanced(text);
        }
    }

    /// The first sample.
    pub fn start(&self) -> &Sample {
        &self.samples[0]
    }

    /// The last sample.
    pub fn last(&self) -> &Sample {
        &self.samples[self.samples.len() - 1]
    }

    /// Names of the contacts whose forces the samples tell; by time-stepping there are none in space, and in the
    /// plane none of many bodies.
    pub fn force_names(&self) -> &[String] {
        &self.contact_names[..self.start().forces.len().min(self.contact_names.len())]
    }

    /// Normal and tangential forces of a sample in the order of [`force_names`](Self::force_names), NaN where the run
    /// goes on by time-stepping that tells none.
    pub fn forces<'a>(&self, sample: &'a Sample) -> impl Iterator<Item = f64> + 'a {
        let missing = std::iter::repeat([f64::NAN; 2]);
        sample.forces.iter().copied().chain(missing).take(self.force_names().len()).flatten()
    }
}
