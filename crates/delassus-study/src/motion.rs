//! Motions: simulated with samples, and measured.

use std::f64::consts::PI;

use delassus::model::System;
use delassus::scenario::{Built, Scenario, ShapeData};
use delassus::simulate::{Control, End, Progress, Quantity, Trajectory, simulate};
use delassus::{ImpactError, LawSpec, Status};

use crate::map::Source;
use crate::number;
use crate::probe::Reading;
use crate::regime::Regime;
use crate::scenario::{NumberPlace, ScenarioNumbers, of_material};
use crate::trace::Accuracy;

/// A quantity read from a motion.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MotionMeasure {
    /// How the motion ends.
    End,
    /// Whether a block overturns.
    Overturned,
    /// The number of impacts.
    Impacts,
    /// The largest angle of a block over that of balance.
    Tilt,
    /// The time of the end.
    Time,
}

const ENDS: [&str; 8] =
    ["completed", "at-rest", "overturned", "interrupted", "no-answer", "max-events", "stalled", "time-limit"];

impl MotionMeasure {
    /// The names of all measures.
    pub const NAMES: [&'static str; 5] = ["end", "overturned", "impacts", "tilt", "time"];

    /// The measure of that name, one of [`NAMES`](Self::NAMES).
    ///
    /// # Errors
    /// No such measure.
    pub fn parse(name: &str) -> Result<Self, ImpactError> {
        Ok(match name {
            "end" => Self::End,
            "overturned" => Self::Overturned,
            "impacts" => Self::Impacts,
            "tilt" => Self::Tilt,
            "time" => Self::Time,
            _ => return Err(ImpactError::unknown("measure", format!("{name:?}"), "unknown measure")),
        })
    }

    /// Whether it is a number that varies, rather than regimes alone.
    pub fn is_field(self) -> bool {
        !matches!(self, Self::End | Self::Overturned)
    }

    /// Reads it from a motion.
    pub fn read(self, scenario: &Scenario, built: &Built, run: &Trajectory) -> Reading {
        let status = match run.end {
            End::NoAnswer(_) => Status::NoSolution,
            End::MaxEvents | End::TimeLimit => Status::MaxIterations,
            End::Stalled | End::Penetration(_) => Status::Stalled,
            _ => Status::Solved,
        };
        let overturned = u64::from(run.end == End::Overturned);
        let (value, regime) = match self {
            Self::End => {
                let end = ENDS.iter().position(|end| *end == run.end.as_str());
                (f64::NAN, end.unwrap_or(ENDS.len()) as u64)
            }
            Self::Overturned => (f64::NAN, overturned),
            Self::Impacts => (run.impacts.len() as f64, overturned),
            Self::Tilt => (largest_tilt(scenario, built, run).unwrap_or(f64::NAN), overturned),
            Self::Time => (run.time, overturned),
        };
        Reading { value, regime: Regime::new(regime), status: Some(status) }
    }

    /// The name of one of its regimes.
    pub fn regime_name(self, regime: Regime) -> String {
        if let Some(name) = regime.common_name() {
            return name.to_owned();
        }
        let words: &[&str] = if self == Self::End { &ENDS } else { &["stands", "overturned"] };
        let word = words.iter().enumerate().find(|(k, _)| Regime::new(*k as u64) == regime);
        word.map_or("unknown", |(_, word)| word).to_owned()
    }
}

/// Samples of a motion from which the largest angle is taken.
const SAMPLES: f64 = 4000.0;

/// Simulates a scenario over two of its numbers.
#[derive(Debug, Clone)]
pub struct MotionProbe {
    numbers: ScenarioNumbers,
    axes: [NumberPlace; 2],
    law: LawSpec,
    measure: MotionMeasure,
}

impl MotionProbe {
    /// A probe of a scenario.
    pub fn new(numbers: ScenarioNumbers, axes: [NumberPlace; 2], law: LawSpec, measure: MotionMeasure) -> Self {
        Self { numbers, axes, law, measure }
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
        let mut observer = |_: &Progress| Control::Continue;
        let run = if self.measure == MotionMeasure::Tilt {
            built.settings.sample_interval = None;
            simulate_sampled(&built, &self.law, SAMPLES, &mut observer)
        } else {
            let Built { system, q, u, settings, until } = &built;
            simulate(system, q, u, &self.law, settings, until, &mut observer)
        };
        let run = run.map_err(|e| of_material(&scenario, e))?;
        Ok(self.measure.read(&scenario, &built, &run))
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

    fn accuracy(&self) -> Accuracy {
        Accuracy::COARSE
    }
}

/// The largest |θ| of a box that may overturn, in units of the angle at which it balances on a corner.
pub fn largest_tilt(scenario: &Scenario, built: &Built, run: &Trajectory) -> Option<f64> {
    let tilt = built.system.tilt().filter(|_| built.until.overturned)?;
    let full = scenario.expand().ok()?;
    let ShapeData::Box { width, height } = full.body.first()?.shape else { return None };
    let largest = run.samples.iter().map(|s| s.q[tilt].abs()).fold(0.0, f64::max);
    Some(largest / (width / height).atan())
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
            "stalled at {at} s, the contacts do not settle there; another law, a larger integrator.contact_tolerance \
             (1e-7) or integrator.accumulation (1e-4) may go past it"
        ),
        End::Penetration(what) => format!("stopped at {at} s: {what}, so this run is wrong; please report it"),
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

/// Simulates with `count` samples, unless the scenario gives their interval.
/// Where the time of the end is not known, a run without samples finds it.
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
    if settings.sample_interval.is_none() {
        let mut span = until.time;
        if until.bound {
            let first = simulate(system, q, u, law, &settings, until, observer)?;
            if first.end == End::Interrupted {
                return Ok(first);
            }
            span = first.time;
        }
        settings.sample_interval = (span > 0.0).then_some(span / count);
    }
    simulate(system, q, u, law, &settings, until, observer)
}

/// As [`simulate_sampled`], but where the run ends long before its time is over (a block comes to rest),
/// it is repeated with samples over what there is: a picture of it would be coarse otherwise.
///
/// # Errors
/// Bad data of an impact.
pub fn simulate_drawn(
    built: &Built,
    law: &LawSpec,
    count: f64,
    observer: &mut dyn FnMut(&Progress) -> Control,
) -> Result<Trajectory, ImpactError> {
    let first = simulate_sampled(built, law, count, observer)?;
    let settled = built.settings.sample_interval.is_some() || built.until.bound || first.end == End::Interrupted;
    if settled || first.time > 0.6 * built.until.time || first.time <= 0.0 {
        return Ok(first);
    }
    let mut finer = built.clone();
    finer.settings.sample_interval = Some(first.time / count);
    simulate_sampled(&finer, law, count, observer)
}
