//! Motions: simulated with samples, and measured.

use std::f64::consts::PI;

use delassus::model::System;
use delassus::scenario::{Built, Scenario};
use delassus::simulate::{
    ContactPeaks, Control, End, Progress, Quantity, Records, Sample, Scheme, Settings, Trajectory, Until, simulate,
};
use delassus::{ImpactError, LawSpec, Status};

use crate::map::Source;
use crate::number;
use crate::probe::Reading;
use crate::regime::Regime;
use crate::scenario::{NumberPlace, ScenarioNumbers};
use crate::trace::Accuracy;
use crate::verdict::{MOTION_VERDICTS, of_motion};

/// A quantity read from a motion.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MotionMeasure {
    /// How the motion ends.
    End,
    /// Whether a block overturns.
    Overturned,
    /// Whether and how a block overturns: before any impact, or after one or more.
    Overturning,
    /// What the motion means.
    Verdict,
    /// The number of impacts.
    Impacts,
    /// The largest angle of a block over that of balance.
    Tilt,
    /// The largest angle of a block.
    Angle,
    /// The time of the end.
    Time,
    /// How far energies and works differ at the end, in units of the largest energy.
    Closure,
    /// A position at the end.
    Position(usize),
    /// A velocity at the end.
    Velocity(usize),
    /// The largest value at one contact, or at any.
    Peak(ContactPeak, Option<usize>),
}

/// Which largest value of a contact.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ContactPeak {
    /// Normal force.
    Force,
    /// Tangential force.
    Tangential,
    /// Gap.
    Uplift,
    /// Distance slid.
    Slip,
}

pub(crate) const ENDS: [&str; 10] = [
    "completed",
    "at-rest",
    "overturned",
    "interrupted",
    "no-answer",
    "max-events",
    "stalled",
    "time-limit",
    "penetration",
    "unbalanced",
];
/// How a block overturns.
pub(crate) const OVERTURNINGS: [&str; 3] = ["stands", "overturned without impact", "overturned after impact"];
const PEAKS: [(&str, ContactPeak); 4] = [
    ("force", ContactPeak::Force),
    ("tangential", ContactPeak::Tangential),
    ("uplift", ContactPeak::Uplift),
    ("slip", ContactPeak::Slip),
];

impl MotionMeasure {
    /// The names of all measures, with a place for an index, the name of a coordinate or its rate (as `ball.x`), or of a contact,
    /// which may be left out.
    pub const NAMES: [&'static str; 16] = [
        "end",
        "overturned",
        "overturning",
        "verdict",
        "impacts",
        "tilt",
        "angle",
        "time",
        "closure",
        "q[INDEX]",
        "u[INDEX]",
        "COORDINATE",
        "force:CONTACT",
        "tangential:CONTACT",
        "uplift:CONTACT",
        "slip:CONTACT",
    ];

    /// The measure of that name, one of [`NAMES`](Self::NAMES).
    ///
    /// # Errors
    /// No such measure; one that does not fit the system or how its motion is computed.
    pub fn parse(name: &str, built: &Built) -> Result<Self, ImpactError> {
        let system: &dyn System = &built.system;
        let error = |problem: String| ImpactError::new("measure", format!("{name:?}"), problem);
        let index = |prefix: &str, count: usize| -> Option<Result<usize, ImpactError>> {
            let inner = name.strip_prefix(prefix)?.strip_prefix('[')?.strip_suffix(']')?;
            let index = inner.parse().ok().filter(|i| *i < count);
            Some(index.ok_or_else(|| error(format!("needs an index below {count}"))))
        };
        if let Some(index) = index("q", system.positions()) {
            return index.map(Self::Position);
        }
        if let Some(index) = index("u", system.velocities()) {
            return index.map(Self::Velocity);
        }
        let (word, contact) = name.split_once(':').map_or((name, None), |(word, contact)| (word, Some(contact)));
        if let Some((_, peak)) = PEAKS.iter().find(|(known, _)| *known == word) {
            if built.settings.scheme == Scheme::TimeStepping {
                let problem = "is followed by events only: integrator.scheme = \"events\"";
                return Err(error(problem.to_owned()));
            }
            let names = |system: &dyn System| -> Vec<String> {
                system.contacts().iter().map(|contact| contact.name.clone()).collect()
            };
            // In space they are listed for events only.
            let names = match system.with_contacts(built.settings.contact_tolerance) {
                Some(listed) => names(&*listed.map_err(|e| error(e.problem))?),
                None => names(system),
            };
            let contact = contact.map(|wanted| {
                let found = names.iter().position(|name| name == wanted);
                found.ok_or_else(|| error(format!("no such contact; there are {}", names.join(", "))))
            });
            return Ok(Self::Peak(*peak, contact.transpose()?));
        }
        let measure = match name {
            "end" => Self::End,
            "overturned" => Self::Overturned,
            "overturning" => Self::Overturning,
            "verdict" => Self::Verdict,
            "impacts" => Self::Impacts,
            "tilt" => Self::Tilt,
            "angle" => Self::Angle,
            "time" => Self::Time,
            "closure" => Self::Closure,
            _ => match Quantity::names(system).into_iter().find(|(_, other)| other == name) {
                Some((Quantity::Position(i), _)) => Self::Position(i),
                Some((Quantity::Rate(i), _)) => Self::Velocity(i),
                _ => return Err(ImpactError::unknown("measure", format!("{name:?}"), "unknown measure")),
            },
        };
        match measure {
            Self::Tilt | Self::Angle if system.tilt().is_none() => {
                Err(error("needs a scenario of one box, such as a rocking block".to_owned()))
            }
            _ => Ok(measure),
        }
    }

    /// Whether it is a number that varies, rather than regimes alone.
    pub fn is_field(self) -> bool {
        !matches!(self, Self::End | Self::Overturned | Self::Overturning | Self::Verdict)
    }

    /// Reads it from a motion.
    pub fn read(self, system: &dyn System, run: &Trajectory) -> Reading {
        let status = match run.end {
            End::NoAnswer(_) => Status::NoSolution,
            End::MaxEvents | End::TimeLimit => Status::MaxIterations,
            End::Stalled | End::Penetration(_) | End::Unbalanced(_) => Status::Stalled,
            _ => Status::Solved,
        };
        let overturned = u64::from(run.end == End::Overturned);
        let code = |words: &[&str], word: &str| words.iter().position(|w| *w == word).unwrap_or(words.len()) as u64;
        let (value, regime) = match self {
            Self::End => (f64::NAN, code(&ENDS, run.end.as_str())),
            Self::Overturned => (f64::NAN, overturned),
            Self::Overturning => {
                // Where it lands on its side the run ends, with that impact or just before it.
                let rocked = run.impacts.iter().any(|impact| impact.time < (1.0 - 1e-9) * run.time);
                (f64::NAN, overturned * (1 + u64::from(rocked)))
            }
            Self::Verdict => (f64::NAN, code(&MOTION_VERDICTS, of_motion(run))),
            Self::Impacts => (run.impact_count() as f64, overturned),
            Self::Tilt => (largest_tilt(system, run).unwrap_or(f64::NAN), overturned),
            Self::Angle => (run.peaks.angle.map_or(f64::NAN, |peak| peak.value), overturned),
            Self::Time => (run.time, overturned),
            Self::Closure => (run.closure, overturned),
            Self::Position(i) => (run.last().q[i], overturned),
            Self::Velocity(i) => (run.last().u[i], overturned),
            Self::Peak(which, contact) => {
                let value = |peaks: &ContactPeaks| match which {
                    ContactPeak::Force => peaks.normal.value,
                    ContactPeak::Tangential => peaks.tangential.value,
                    ContactPeak::Uplift => peaks.uplift.value,
                    ContactPeak::Slip => peaks.slip.value,
                };
                let contacts = &run.peaks.contacts;
                let value = match contact {
                    // Time-stepping does not follow them: what is known is not the largest.
                    _ if run.stepped_from.is_some() => f64::NAN,
                    Some(c) => contacts.get(c).map_or(f64::NAN, value),
                    None => {
                        let touched = (0..contacts.len()).filter(|&c| which != ContactPeak::Uplift || touches(run, c));
                        touched.map(|c| value(&contacts[c])).fold(f64::NAN, f64::max)
                    }
                };
                (value, overturned)
            }
        };
        Reading { value, regime: Regime::new(regime), status: Some(status) }
    }

    /// The name of one of its regimes.
    pub fn regime_name(self, regime: Regime) -> String {
        if let Some(name) = regime.common_name() {
            return name.to_owned();
        }
        let words: &[&str] = match self {
            Self::End => &ENDS,
            Self::Verdict => &MOTION_VERDICTS,
            Self::Overturning => &OVERTURNINGS,
            _ => &["stands", "overturned"],
        };
        let word = words.iter().enumerate().find(|(k, _)| Regime::new(*k as u64) == regime);
        word.map_or("unknown", |(_, word)| word).to_owned()
    }
}

impl MotionMeasure {
    /// The coordinate or rate that is read at the end of a scenario, by its name, and its unit.
    pub(crate) fn coordinate(self, numbers: &ScenarioNumbers) -> Option<(String, &'static str)> {
        let wanted = match self {
            Self::Position(i) => Quantity::Position(i),
            Self::Velocity(i) => Quantity::Rate(i),
            _ => return None,
        };
        let built = numbers.scenario().ok()?.build().ok()?;
        let (_, name) = Quantity::names(&built.system).into_iter().find(|(quantity, _)| *quantity == wanted)?;
        let unit = wanted.unit(&name);
        Some((name, unit))
    }
}

/// Whether a contact bore a force or took part in an impact; the upper corners of a block, say, never do.
fn touches(run: &Trajectory, contact: usize) -> bool {
    let peaks = &run.peaks.contacts[contact];
    peaks.normal.value > 0.0 || peaks.impacts > 0
}

/// Simulates a scenario over two of its numbers.
#[derive(Debug, Clone)]
pub struct MotionProbe {
    numbers: ScenarioNumbers,
    axes: [NumberPlace; 2],
    law: LawSpec,
    measure: MotionMeasure,
    follows: bool,
}

impl MotionProbe {
    /// A probe of a scenario.
    pub fn new(numbers: ScenarioNumbers, axes: [NumberPlace; 2], law: LawSpec, measure: MotionMeasure) -> Self {
        Self { numbers, axes, law, measure, follows: false }
    }

    /// Whether maps follow the boundaries of its regimes: each point on them takes some ten runs, so
    /// they do not unless told to.
    pub fn with_boundaries(self, follows: bool) -> Self {
        Self { follows, ..self }
    }

    /// Its law.
    pub fn law(&self) -> &LawSpec {
        &self.law
    }
}

impl Source for MotionProbe {
    fn try_read(&mut self, x: f64, y: f64) -> Result<Reading, ImpactError> {
        for (place, value) in self.axes.iter().zip([x, y]) {
            self.numbers.set(place, value);
        }
        let scenario = self.numbers.scenario()?;
        let mut built = scenario.build()?;
        // Peaks are found within the steps: no samples are needed, nor lists of impacts.
        built.settings.sample_interval = None;
        built.settings.records = Records::Brief;
        let Built { system, q, u, settings, until } = &built;
        let run = simulate(system, q, u, &self.law, settings, until, &mut |_: &Progress| Control::Continue)?;
        Ok(self.measure.read(system, &run))
    }

    fn name(&self, regime: Regime) -> String {
        self.measure.regime_name(regime)
    }

    fn is_field(&self) -> bool {
        self.measure.is_field()
    }

    fn keys(&self) -> [&str; 2] {
        [self.axes[0].key(), self.axes[1].key()]
    }

    fn coordinate(&self) -> Option<(String, &'static str)> {
        self.measure.coordinate(&self.numbers)
    }

    fn accuracy(&self) -> Option<Accuracy> {
        self.follows.then_some(Accuracy::COARSE)
    }
}

/// The largest |θ| of a box, in units of the angle at which it balances on a corner.
pub fn largest_tilt(system: &dyn System, run: &Trajectory) -> Option<f64> {
    Some(run.peaks.angle?.value / system.balance()?)
}

/// The end of a run in words.
pub fn ending(end: &End, time: f64) -> String {
    let at = number::format(time, 0.0);
    match end {
        End::Completed => format!("ran to {at} s"),
        End::AtRest => format!("at rest after {at} s"),
        End::Overturned => format!("overturned after {at} s"),
        End::Interrupted => format!("interrupted at {at} s"),
        End::NoAnswer(reason) => format!("stopped at {at} s, the law gave no answer: {reason}"),
        End::TimeLimit => format!("stopped at {at} s, the longest time; give until.time for more"),
        End::MaxEvents => format!("stopped at {at} s after integrator.max_events events; a larger number goes on"),
        End::Stalled => format!(
            "stalled at {at} s: by events contacts do not settle there (another law, a larger integrator.contact_tolerance, \
             1e-7, or integrator.accumulation, 1e-4, may go past it), by time-stepping velocities grow beyond all bounds \
             (a smaller integrator.step follows stiff springs)"
        ),
        End::Penetration(what) => format!(
            "stopped at {at} s: {what}, so this run is wrong; a smaller integrator.step may help, by events please report it"
        ),
        End::Unbalanced(what) => {
            format!("ran to {at} s, but {what}, so this run is wrong: try a smaller integrator.tolerance or step")
        }
    }
}

/// Quantities shown where the scenario names none.
const MOST_SHOWN: usize = 3;

/// The quantities that a picture of a motion shows, with their names: those that the scenario asks
/// for, else the angle of a block, else the positions that move most.
pub fn shown(scenario: &Scenario, system: &dyn System, run: &Trajectory) -> Vec<(Quantity, String)> {
    let names = Quantity::names(system);
    let asked = scenario.output.plot.iter().filter_map(|name| names.iter().find(|(_, other)| other == name).cloned());
    let asked: Vec<_> = asked.collect();
    if !asked.is_empty() {
        return asked;
    }
    let position = |i: usize| names.iter().find(|(quantity, _)| *quantity == Quantity::Position(i)).cloned();
    if let Some(tilt) = system.tilt() {
        return position(tilt).into_iter().collect();
    }
    // In units of its size; an angle in half turns.
    let scales = system.position_scales();
    let angles = system.position_names();
    let range = |i: usize| {
        let values = || run.samples.iter().map(|s| s.q[i]);
        let unit = if angles[i].ends_with(".theta") { PI } else { scales[i] };
        (values().fold(f64::NEG_INFINITY, f64::max) - values().fold(f64::INFINITY, f64::min)) / unit
    };
    let mut lively: Vec<(usize, f64)> = (0..scales.len()).map(|i| (i, range(i))).collect();
    lively.sort_by(|a, b| b.1.total_cmp(&a.1));
    lively.into_iter().take(MOST_SHOWN).filter_map(|(i, _)| position(i)).collect()
}

/// Simulates with `count` samples, unless the scenario gives their interval; where the time of the end is not known, with
/// up to twice as many.
///
/// # Errors
/// Bad data of an impact.
pub fn simulate_sampled(
    built: &Built,
    law: &LawSpec,
    count: f64,
    observer: &mut dyn FnMut(&Progress) -> Control,
) -> Result<Trajectory, ImpactError> {
    let Built { system, q, u, settings, until } = built;
    let mut settings = settings.clone();
    sample_usually(&mut settings, until, count);
    simulate(system, q, u, law, &settings, until, observer)
}

/// Asks for `count` samples, or up to twice as many of a run whose end is not known, where the settings ask for none.
pub fn sample_usually(settings: &mut Settings, until: &Until, count: f64) {
    match until.bound {
        _ if settings.sample_interval.is_some() => {}
        true => settings.most_samples = Some(2 * count as usize),
        false => settings.sample_interval = (until.time > 0.0).then_some(until.time / count),
    }
}

/// Impacts of a drawn motion that keep the path of their law.
const DRAWN_PATHS: usize = 200;

/// As [`simulate_sampled`] for a picture: with the paths of impacts, and `count` samples or up to twice as many over what
/// there is to see, which may end long before the time is over (a block comes to rest). An interval of the scenario that
/// is longer is meant for tables.
///
/// # Errors
/// Bad data of an impact.
pub fn simulate_drawn(
    built: &Built,
    law: &LawSpec,
    count: f64,
    observer: &mut dyn FnMut(&Progress) -> Control,
) -> Result<Trajectory, ImpactError> {
    let Built { system, q, u, settings, until } = built;
    let mut settings = settings.clone();
    settings.keep_paths = DRAWN_PATHS;
    settings.sample_interval = settings.sample_interval.filter(|interval| *interval <= until.time / count);
    if settings.sample_interval.is_none() {
        settings.most_samples = Some(2 * count as usize);
    }
    simulate(system, q, u, law, &settings, until, observer)
}

/// How long two runs of one scenario stay together.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Agreement {
    /// The last sample up to which all positions agree \[s\].
    pub time: f64,
    /// Whether they agree to their end, and end alike.
    pub to_the_end: bool,
}

/// Positions agree within this part of the bodies' size (angles: of a radian).
const TOGETHER: f64 = 1e-3;

/// The start is moved by this part of each number: some of the last digits that a file could hold.
const MOVED: f64 = 1e-13;

impl Agreement {
    /// The same motion at a tenth of the tolerance, with the samples of `run`. Its start is moved in the last digits, since
    /// bodies that only fly and collide do not depend on the tolerance.
    pub fn finer(built: &Built, run: &Trajectory) -> Built {
        let mut finer = built.clone();
        finer.settings.tolerance = (0.1 * finer.settings.tolerance).max(1e-14);
        let sign = |i: usize| if i.is_multiple_of(2) { MOVED } else { -MOVED };
        finer.q.iter_mut().chain(&mut finer.u).enumerate().for_each(|(i, x)| *x += *x * sign(i));
        if let [first, second, ..] = &run.samples[..] {
            finer.settings.sample_interval = Some(second.time - first.time).filter(|interval| *interval > 0.0);
        }
        finer
    }

    /// Compares the samples of two runs at the same times.
    pub fn of(system: &dyn System, first: &Trajectory, second: &Trajectory) -> Self {
        let scales = system.position_scales();
        let close = |(a, b): (&Sample, &Sample)| {
            let near =
                |(k, (x, y)): (usize, (&f64, &f64))| (x - y).abs() <= TOGETHER * scales.get(k).copied().unwrap_or(1.0);
            a.q.iter().zip(&b.q).enumerate().all(near)
        };
        // The last sample is that of the end, which may differ.
        let common = |run: &Trajectory| run.samples.len().saturating_sub(1);
        let count = common(first).min(common(second));
        let together = (0..count).take_while(|&k| close((&first.samples[k], &second.samples[k]))).count();
        let ends = close((first.last(), second.last())) && first.end == second.end;
        if together == count && ends {
            return Self { time: first.time, to_the_end: true };
        }
        let time = together.checked_sub(1).map_or(0.0, |k| first.samples[k].time);
        Self { time, to_the_end: false }
    }

    /// In a sentence.
    pub fn words(&self) -> String {
        let time = number::format(self.time, 0.0);
        match self.to_the_end {
            true => format!(
                "the same at a tenth of the tolerance, and from a start that differs in the last digits, to the end at {time} s"
            ),
            false => format!(
                "the same at a tenth of the tolerance, and from a start that differs in the last digits, up to {time} s; what follows depends on the last digits and is one \
                 of many possible motions"
            ),
        }
    }
}
