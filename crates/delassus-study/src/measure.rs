//! What is read from an impact: a number and a regime.

use delassus::{
    Certificate, Contact, Element, ElementKind, ElementState, ImpactError, ImpactOutcome, ImpactProblem, LawSpec,
    Theorem, Uniqueness,
};

use crate::parameter::Case;
use crate::regime::Regime;
use crate::verdict::{VERDICTS, verdict};

/// A quantity read from the outcome of an impact.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Measure {
    /// The states of contacts and clutches.
    State,
    /// Whether planar contacts slide the other way after the impact.
    SignReversal,
    /// (T⁺ − T⁻)/T⁻.
    Energy,
    /// Number of solutions of the law.
    Solutions,
    /// Residual of a check.
    Check(Check),
    /// The theorem that guarantees the energy.
    Theorem,
    /// What the outcome means.
    Verdict,
    /// Distance of u⁺ under two laws in the kinetic metric, over √(2T).
    Difference,
    /// u⁺ of one coordinate.
    Velocity(usize),
    /// Λ of one row.
    Impulse(usize),
    /// γ⁺ of one row.
    Gamma(usize),
}

/// A check of the certificate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Check {
    /// γ⁺ admissible.
    Kinematic,
    /// Λ in its reservoir.
    Kinetic,
    /// No work out of nothing.
    Energetic,
    /// The law's own inclusion.
    Inclusion,
    /// The momentum balance.
    Momentum,
}

/// Elements that fit into a regime at three bits each.
const MOST_ELEMENTS: usize = 20;
const BITS: u32 = 3;

pub(crate) const STATES: [&str; 6] = ["open", "closed", "stick", "forward slip", "backward slip", "slip"];
pub(crate) const REVERSALS: [&str; 5] = ["no sliding", "kept", "reversed", "stopped", "set in motion"];
pub(crate) const SIGNS: [&str; 3] = ["negative", "zero", "positive"];
pub(crate) const ENERGIES: [&str; 2] = ["loses or keeps energy", "gains energy"];

/// Flags of the number of solutions.
const INCOMPLETE: u64 = 1 << 32;
const UNKNOWN: u64 = 1 << 33;

impl Measure {
    /// The names of all measures, with a place for an index or the name of an element.
    pub const NAMES: [&'static str; 15] = [
        "state",
        "sign-reversal",
        "energy",
        "solutions",
        "kinematic",
        "kinetic",
        "energetic",
        "inclusion",
        "momentum",
        "theorem",
        "verdict",
        "difference",
        "velocity[INDEX]",
        "impulse:ELEMENT",
        "gamma:ELEMENT",
    ];

    /// The measure of that name, one of [`NAMES`](Self::NAMES); elements as in
    /// outcomes (`C`, `C.friction`), those of several rows with an index
    /// (`C.friction[1]`).
    ///
    /// # Errors
    /// No such measure; one that does not fit the case.
    pub fn parse(name: &str, case: &Case) -> Result<Self, ImpactError> {
        let problem = ImpactProblem::new(case.source.data()?)?;
        let error = |problem: String| ImpactError::new("measure", format!("{name:?}"), problem);
        if let Some(index) = name.strip_prefix("velocity[").and_then(|rest| rest.strip_suffix(']')) {
            let n = problem.coordinates();
            let index = index.parse().ok().filter(|i| *i < n);
            return index.map(Self::Velocity).ok_or_else(|| error(format!("needs an index below {n}")));
        }
        if let Some((kind @ ("impulse" | "gamma"), element)) = name.split_once(':') {
            let row = row_of(&problem, element).map_err(error)?;
            return Ok(if kind == "impulse" { Self::Impulse(row) } else { Self::Gamma(row) });
        }
        let measure = match name {
            "state" => Self::State,
            "sign-reversal" => Self::SignReversal,
            "energy" => Self::Energy,
            "solutions" => Self::Solutions,
            "kinematic" => Self::Check(Check::Kinematic),
            "kinetic" => Self::Check(Check::Kinetic),
            "energetic" => Self::Check(Check::Energetic),
            "inclusion" => Self::Check(Check::Inclusion),
            "momentum" => Self::Check(Check::Momentum),
            "theorem" => Self::Theorem,
            "verdict" => Self::Verdict,
            "difference" => Self::Difference,
            _ => return Err(ImpactError::unknown("measure", format!("{name:?}"), "unknown measure")),
        };
        let elements = problem.contacts().len() + clutches(&problem).count();
        match measure {
            Self::State | Self::SignReversal if elements > MOST_ELEMENTS => {
                Err(error(format!("takes at most {MOST_ELEMENTS} contacts and clutches; here are {elements}")))
            }
            Self::SignReversal if !problem.contacts().iter().any(is_planar) => {
                Err(error("needs a contact with one tangent".into()))
            }
            Self::Difference if case.laws.len() != 2 => {
                Err(error(format!("compares two laws; here are {}", case.laws.len())))
            }
            _ if measure != Self::Difference && case.laws.len() != 1 => {
                Err(error(format!("needs one law; here are {}", case.laws.len())))
            }
            _ => Ok(measure),
        }
    }

    /// Whether it is a number that varies, rather than regimes alone.
    pub fn is_field(self) -> bool {
        !matches!(self, Self::State | Self::SignReversal | Self::Solutions | Self::Theorem | Self::Verdict)
    }

    /// The number and the regime of outcomes that have an answer.
    pub(crate) fn read(self, problem: &ImpactProblem, laws: &[LawSpec], outcomes: &[ImpactOutcome]) -> (f64, Regime) {
        let Some(outcome) = outcomes.first() else { return (f64::NAN, Regime::UNDEFINED) };
        let row_scale = |row: usize| {
            let element = problem.elements().iter().position(|e| e.rows.contains(&row));
            element.map_or(0.0, |i| problem.scales()[i])
        };
        let speed = speed(outcome);
        match self {
            Self::State => (f64::NAN, states(problem, outcome)),
            Self::SignReversal => (f64::NAN, reversals(problem, outcome, speed)),
            Self::Energy => {
                let change = outcome.energy.change() / outcome.energy.before;
                match change.is_nan() {
                    true => (change, Regime::UNDEFINED),
                    false => (change, Regime(u64::from(change > Certificate::TOLERANCE))),
                }
            }
            Self::Solutions => solutions(outcome),
            Self::Check(check) => {
                let c = &outcome.certificate;
                let residual = match check {
                    Check::Kinematic => Some(c.kinematic),
                    Check::Kinetic => Some(c.kinetic),
                    Check::Energetic => Some(c.energetic),
                    Check::Inclusion => c.inclusion,
                    Check::Momentum => Some(c.momentum),
                };
                match residual {
                    Some(residual) => (residual, Regime(u64::from(residual > Certificate::TOLERANCE))),
                    None => (f64::NAN, Regime::NOT_APPLICABLE),
                }
            }
            Self::Theorem => (f64::NAN, Regime(outcome.certificate.theorem as u64)),
            Self::Verdict => {
                let short = laws.first().map(|law| verdict(problem, law, outcome).short);
                let known = VERDICTS.iter().position(|word| Some(*word) == short);
                (f64::NAN, known.map_or(Regime::UNDEFINED, |k| Regime(k as u64)))
            }
            Self::Difference => {
                let other = outcomes.last().unwrap_or(outcome);
                let change: Vec<f64> = outcome.u_plus.iter().zip(&other.u_plus).map(|(a, b)| a - b).collect();
                let largest = speed.max(self::speed(other));
                let distance = (2.0 * problem.mass().energy(&change)).sqrt();
                let relative = if distance == 0.0 { 0.0 } else { distance / largest };
                (relative, Regime(u64::from(relative > Certificate::TOLERANCE)))
            }
            Self::Velocity(i) => {
                let mut unit = vec![0.0; problem.coordinates()];
                unit[i] = 1.0;
                let value = outcome.u_plus[i];
                let tolerance = Certificate::TOLERANCE * speed / (2.0 * problem.mass().energy(&unit)).sqrt();
                (value, sign(value, tolerance))
            }
            Self::Impulse(row) => {
                let value = outcome.impulses()[row];
                (value, sign(value, Certificate::TOLERANCE * speed / row_scale(row)))
            }
            Self::Gamma(row) => {
                let value = outcome.gamma_plus[row];
                (value, sign(value, Certificate::TOLERANCE * speed * row_scale(row)))
            }
        }
    }

    /// The name of a regime that is not common to all measures.
    pub(crate) fn regime_name(self, problem: &ImpactProblem, regime: Regime) -> String {
        let word = |words: &[&str]| words.get(regime.0 as usize).copied().unwrap_or("unknown").to_owned();
        match self {
            Self::State => {
                let clutches = clutches(problem).map(|(_, e)| &e.name[..]);
                let names: Vec<&str> = problem.contacts().iter().map(|c| &c.name[..]).chain(clutches).collect();
                unpack(regime, &STATES, &names)
            }
            Self::SignReversal => {
                let planar = problem.contacts().iter().filter(|c| is_planar(c));
                unpack(regime, &REVERSALS, &planar.map(|c| &c.name[..]).collect::<Vec<_>>())
            }
            Self::Energy => word(&ENERGIES),
            Self::Solutions => {
                let count = regime.0 & (INCOMPLETE - 1);
                match count {
                    _ if regime.0 & UNKNOWN != 0 => "1 solution found".into(),
                    _ if regime.0 & INCOMPLETE != 0 => format!("{count} solutions found"),
                    0 => "no solution".into(),
                    1 => "1 solution".into(),
                    _ => format!("{count} solutions"),
                }
            }
            Self::Check(_) => word(&["holds", "violated"]),
            Self::Theorem => {
                let theorem = Theorem::ALL.into_iter().find(|t| *t as u64 == regime.0);
                theorem.map_or("unknown", Theorem::as_str).to_owned()
            }
            Self::Verdict => word(&VERDICTS),
            Self::Difference => word(&["the laws agree", "the laws differ"]),
            Self::Velocity(_) | Self::Impulse(_) | Self::Gamma(_) => word(&SIGNS),
        }
    }
}

/// √(2 max(T⁻, T⁺)).
fn speed(outcome: &ImpactOutcome) -> f64 {
    (2.0 * outcome.energy.before.max(outcome.energy.after)).sqrt()
}

/// Negative, zero within the tolerance, positive; undefined where there is no number.
fn sign(value: f64, tolerance: f64) -> Regime {
    match value {
        v if v.is_nan() => Regime::UNDEFINED,
        v if v < -tolerance => Regime(0),
        v if v > tolerance => Regime(2),
        _ => Regime(1),
    }
}

fn is_planar(contact: &Contact) -> bool {
    contact.tangents.len() == 1
}

fn clutches(problem: &ImpactProblem) -> impl Iterator<Item = (usize, &Element)> {
    problem.elements().iter().enumerate().filter(|(_, e)| e.kind == ElementKind::Clutch)
}

/// The row of `C`, `C.friction` or `C.friction[1]`, or why there is none.
fn row_of(problem: &ImpactProblem, name: &str) -> Result<usize, String> {
    let names = |e: &Element| match e.rows.len() {
        1 => vec![e.name.clone()],
        rows => (0..rows).map(|k| format!("{}[{k}]", e.name)).collect(),
    };
    for element in problem.elements() {
        if let Some(k) = names(element).iter().position(|known| known == name) {
            return Ok(element.rows.start + k);
        }
        if element.name == name {
            let (count, names) = (element.rows.len(), names(element).join(" or "));
            return Err(format!("has {count} components; name one: {names}"));
        }
    }
    let known: Vec<String> = problem.elements().iter().flat_map(names).collect();
    Err(format!("no such element; there are {}", known.join(", ")))
}

fn pack(codes: impl Iterator<Item = usize>) -> Regime {
    Regime(codes.enumerate().fold(0, |all, (i, code)| all | (code as u64) << (BITS * i as u32)))
}

/// `stick` for one element, `A stick, B open` for several.
fn unpack(regime: Regime, words: &[&str], names: &[&str]) -> String {
    let code = |i: usize| (regime.0 >> (BITS * i as u32)) as usize & ((1 << BITS) - 1);
    let word = |i: usize| words.get(code(i)).copied().unwrap_or("unknown");
    match names {
        [_] => word(0).to_owned(),
        _ => names.iter().enumerate().map(|(i, name)| format!("{name} {}", word(i))).collect::<Vec<_>>().join(", "),
    }
}

fn states(problem: &ImpactProblem, outcome: &ImpactOutcome) -> Regime {
    let contact = |contact: &Contact| {
        let state = |i: usize| outcome.states.get(i).copied().unwrap_or(ElementState::Open);
        if contact.tangents.is_empty() {
            return usize::from(state(contact.element) != ElementState::Open);
        }
        match state(contact.element + 1) {
            ElementState::Open => 0,
            ElementState::Closed => 1,
            ElementState::Stick => 2,
            ElementState::Slip if !is_planar(contact) => 5,
            ElementState::Slip => {
                // Forward slip is resisted: Λ_T < 0 [PG 2005, eq. (43)].
                let row = contact.tangents.start;
                let impulse = outcome.impulses()[row];
                let against = if impulse == 0.0 { -outcome.gamma_plus[row] } else { impulse };
                if against <= 0.0 { 3 } else { 4 }
            }
        }
    };
    let clutches = clutches(problem).map(|(i, _)| usize::from(outcome.states[i] != ElementState::Open));
    pack(problem.contacts().iter().map(contact).chain(clutches))
}

fn reversals(problem: &ImpactProblem, outcome: &ImpactOutcome, speed: f64) -> Regime {
    let contact = |contact: &Contact| {
        let row = contact.tangents.start;
        let tolerance = Certificate::TOLERANCE * speed * problem.scales()[contact.element + 1];
        let [before, after] = [outcome.gamma_minus[row], outcome.gamma_plus[row]].map(|v| sign(v, tolerance).0);
        match (before, after) {
            (1, 1) => 0,
            (1, _) => 4,
            (_, 1) => 3,
            (a, b) if a == b => 1,
            _ => 2,
        }
    };
    pack(problem.contacts().iter().filter(|c| is_planar(c)).map(contact))
}

fn solutions(outcome: &ImpactOutcome) -> (f64, Regime) {
    if !outcome.status().has_answer() {
        return (0.0, Regime(0));
    }
    match outcome.answer.uniqueness {
        Uniqueness::Proved(_) => (1.0, Regime(1)),
        Uniqueness::Several { found, complete: true } => (found as f64, Regime(found as u64)),
        Uniqueness::Several { found, complete: false } => (found as f64, Regime(found as u64 | INCOMPLETE)),
        Uniqueness::Unknown => (1.0, Regime(1 | UNKNOWN)),
    }
}
