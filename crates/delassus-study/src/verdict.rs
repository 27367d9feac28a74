//! What an outcome means, in words.

use std::cmp::Ordering;

use delassus::law::Coefficient;
use delassus::simulate::{End, SimulatedImpact, Trajectory};
use delassus::{Certificate, ImpactLaw as _, ImpactOutcome, ImpactProblem, LawSpec, Status, Theorem, Uniqueness};

use crate::number;

/// How a verdict should look.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mood {
    /// All is well.
    Good,
    /// Something that the law allows, and that a user must know.
    Bad,
    /// No answer.
    Missing,
}

/// The words of verdicts on impacts for a table, in the order of regimes of maps.
pub const VERDICTS: [&str; 7] =
    ["consistent", "gains energy", "penetrates", "pulls", "inaccurate", "no solution", "not solved"];

/// A verdict for a table and in a sentence.
#[derive(Debug)]
pub struct Verdict {
    /// Two words.
    pub short: &'static str,
    /// Sentences.
    pub long: String,
    /// How it should look.
    pub mood: Mood,
}

/// How good the worst of several answers is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Quality {
    /// Everything was found and is sound.
    Sound,
    /// Everything was found; some answer violates a check that its law does not guarantee.
    Unsound,
    /// Some answer was not found.
    NotFound,
}

/// The quality of one outcome.
pub fn quality(outcome: &ImpactOutcome) -> Quality {
    match outcome.status() {
        Status::NotApplicable => Quality::Sound,
        Status::Solved if outcome.certificate.is_consistent() => Quality::Sound,
        Status::Solved => Quality::Unsound,
        _ => Quality::NotFound,
    }
}

/// Judges an outcome of a law that applies.
pub fn verdict(problem: &ImpactProblem, law: &LawSpec, outcome: &ImpactOutcome) -> Verdict {
    judge(outcome, &|| why_energy(problem, law), uniqueness_words(problem, outcome))
}

/// Judges an outcome whose problem is not at hand, such as that of an impact within a motion.
pub fn verdict_of_outcome(outcome: &ImpactOutcome) -> Verdict {
    let unique = match outcome.answer.uniqueness {
        Uniqueness::Unknown => None,
        Uniqueness::Proved(by) => Some(format!("No other velocities are possible ({by}).")),
        Uniqueness::Several { found, complete } => {
            Some(format!("There are {} {found} solutions.", if complete { "exactly" } else { "at least" }))
        }
    };
    judge(outcome, &|| "the law does not exclude that.".to_owned(), unique)
}

fn judge(outcome: &ImpactOutcome, why_energy: &dyn Fn() -> String, unique: Option<String>) -> Verdict {
    let notes = || outcome.answer.warnings.iter().map(|w| format!("Note: {w}."));
    let missing = |short, long: &str| {
        let long = std::iter::once(long.to_owned()).chain(notes()).collect::<Vec<_>>().join(" ");
        Verdict { short, long, mood: Mood::Missing }
    };
    match outcome.status() {
        Status::NoSolution => return missing("no solution", "no solution: the law has none for this problem."),
        Status::MaxIterations => {
            let why = outcome.reason.as_deref().unwrap_or("a limit of the work was reached");
            return missing("not solved", &format!("not solved: {why}."));
        }
        Status::Stalled => return missing("not solved", "not solved: the search made no progress any more."),
        Status::NotApplicable => return missing("not applicable", outcome.reason.as_deref().unwrap_or_default()),
        Status::Solved | Status::Inaccurate => {}
    }
    let c = &outcome.certificate;
    // A residual that is not a number fails.
    let fails = |residual: f64| {
        !matches!(residual.partial_cmp(&Certificate::TOLERANCE), Some(Ordering::Less | Ordering::Equal))
    };
    let mut found = Vec::new();
    let mut long = Vec::new();
    if fails(c.energetic) {
        found.push("gains energy");
        let energy = &outcome.energy;
        let work = number::format(energy.contacts, 0.0);
        let from_outside = energy.supports != 0.0 || energy.external != 0.0;
        let share = match energy.contacts / energy.before {
            share if share.is_finite() && !from_outside => format!("{}. The", number::percent(share)),
            _ => "the".to_owned(),
        };
        long.push(format!("gains energy: {share} contacts do work of +{work} J; {}", why_energy()));
    }
    if fails(c.kinematic) {
        found.push("penetrates");
        let worst = number::format(c.kinematic, 0.0);
        long.push(format!("penetrates: an element still moves in a forbidden direction (relative size {worst})."));
    }
    if fails(c.kinetic) {
        found.push("pulls");
        let worst = number::format(c.kinetic, 0.0);
        long.push(format!(
            "pulls: a contact impulse is negative or friction is above its limit (relative size {worst})."
        ));
    }
    if outcome.status() == Status::Inaccurate {
        found.push("inaccurate");
        // What is not a number is the worst.
        let worse = |a: f64, b: f64| if b > a || b.is_nan() { b } else { a };
        let worst = number::format(worse(c.inclusion.unwrap_or(0.0), c.momentum), 0.0);
        long.push(format!("inaccurate: the law is satisfied to a relative residual of {worst} only."));
    }
    let mood = if found.is_empty() { Mood::Good } else { Mood::Bad };
    if found.is_empty() {
        long.push(format!("consistent; {}.", energy_words(outcome)));
    }
    if !fails(c.energetic) && c.theorem != Theorem::None {
        long.push(format!("That energy cannot grow is guaranteed ({}).", c.theorem.as_str()));
    }
    long.extend(unique);
    long.extend(notes());
    Verdict { short: found.first().copied().unwrap_or("consistent"), long: long.join(" "), mood }
}

/// The words of verdicts on motions, in the order of regimes of maps.
pub const MOTION_VERDICTS: [&str; 6] =
    ["consistent", "gains energy", "impact not solved", "not finished", "penetrates", "unbalanced"];

/// What a motion means, in two words.
pub fn of_motion(run: &Trajectory) -> &'static str {
    let solved = |impact: &SimulatedImpact| impact.outcome.status() == Status::Solved;
    match run.end {
        End::Penetration(_) => "penetrates",
        End::Unbalanced(_) => "unbalanced",
        End::NoAnswer(_) => "impact not solved",
        _ if !run.end.is_regular() => "not finished",
        _ if !run.impacts.iter().all(solved) => "impact not solved",
        _ if run.impacts.iter().any(|impact| impact.outcome.certificate.energetic > Certificate::TOLERANCE) => {
            "gains energy"
        }
        _ => "consistent",
    }
}

/// What certificates say, in a few words: `holds`, or the checks that fail, each with its worst residual.
pub fn certificate_words<'a>(certificates: impl Iterator<Item = &'a Certificate>) -> String {
    const CHECKS: [&str; 5] = ["kinematic", "kinetic", "energetic", "momentum", "inclusion"];
    let mut worst = [0.0f64; CHECKS.len()];
    for c in certificates {
        let residuals = [c.kinematic, c.kinetic, c.energetic, c.momentum, c.inclusion.unwrap_or(0.0)];
        for (worst, residual) in worst.iter_mut().zip(residuals) {
            // What is not a number is the worst.
            if residual > *worst || residual.is_nan() {
                *worst = residual;
            }
        }
    }
    let fails = CHECKS.iter().zip(worst).filter(|(_, worst)| worst.is_nan() || *worst > Certificate::TOLERANCE);
    let fails: Vec<String> = fails.map(|(check, worst)| format!("{check} {}", number::format(worst, 0.0))).collect();
    if fails.is_empty() { "holds".to_owned() } else { format!("fails: {}", fails.join("; ")) }
}

fn energy_words(outcome: &ImpactOutcome) -> String {
    let energy = &outcome.energy;
    let share = energy.change() / energy.before;
    // What a check cannot tell from none is no gain of a support either.
    if energy.before == 0.0 && energy.after == 0.0 || (-1e-11..=Certificate::TOLERANCE).contains(&share) {
        return "kinetic energy is conserved".into();
    }
    if share < 0.0 {
        return format!("loses {} of the kinetic energy", number::percent(-share).trim_start_matches('+'));
    }
    // D ≤ 0 held: what raised T came through the supports or from outside.
    let from = if energy.external > 0.0 { "the external impulse" } else { "the moving support" };
    let rise = if share.is_finite() { number::percent(share) } else { number::format(energy.change(), 0.0) + " J" };
    format!("{from} raises the kinetic energy by {}", rise.trim_start_matches('+'))
}

/// Why the law does not exclude a gain of energy here.
fn why_energy(problem: &ImpactProblem, law: &LawSpec) -> String {
    let tangential = law.coefficients().contains(&Coefficient::TANGENTIAL);
    let rough = |c: usize| problem.contacts()[c].friction.is_some_and(|f| !f.is_zero());
    let coefficients = problem
        .elements()
        .iter()
        .filter(|e| e.kind == delassus::ElementKind::Normal || tangential && e.contact.is_none_or(rough));
    let mut values: Vec<f64> = coefficients.map(|e| e.restitution).collect();
    if let Some(above) = values.iter().find(|e| **e > 1.0) {
        return format!("a restitution coefficient of {above}, above 1, puts energy in.");
    }
    if problem.external_impulse().is_some() {
        return "no theorem excludes that while an external impulse acts.".into();
    }
    values.sort_by(f64::total_cmp);
    values.dedup();
    let list = values.iter().map(f64::to_string).collect::<Vec<_>>().join(", ");
    let words = law.why_energy_may_grow(&list);
    words.unwrap_or_else(|| format!("the law {} does not exclude that for these data.", law.name()))
}

fn uniqueness_words(problem: &ImpactProblem, outcome: &ImpactOutcome) -> Option<String> {
    match outcome.answer.uniqueness {
        Uniqueness::Unknown => None,
        Uniqueness::Proved(by) => Some(format!("No other velocities are possible ({by}).")),
        Uniqueness::Several { found, complete } => {
            let extent = if complete { "exactly" } else { "at least" };
            let shown = number::vector(outcome.impulses());
            let others = outcome.answer.alternatives.iter().take(8).map(|a| match number::vector(&a.impulses) {
                // Under Poisson's law another compression can end in the same impulses.
                same if same == shown => "the same Λ after another compression".to_owned(),
                other => format!("Λ = {other}"),
            });
            let others = others.collect::<Vec<_>>().join("; ");
            let list = if others.is_empty() { String::new() } else { format!(": also {others}") };
            let distances = outcome.answer.alternatives.iter().map(|a| a.distance(problem, outcome));
            let apart = match distances.fold(0.0, f64::max) {
                0.0 => String::new(),
                far => format!(
                    "; velocities differ by up to {} of the speed",
                    number::percent(far).trim_start_matches('+')
                ),
            };
            Some(format!("There are {extent} {found} solutions{list}{apart}."))
        }
    }
}
