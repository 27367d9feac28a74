//! Sweeps of motions.

use std::f64::consts::TAU;

use delassus::model::AccelerationUnit;
use delassus::scenario::{Built, RecordSource, Scenario};
use delassus::simulate::{Control, End, Progress, Records, simulate};
use delassus::{ImpactError, LawSpec};

use super::{Cell, Found, Input, LawOf, Plan, RecordOf, Values, cell, laws, no_number};
use crate::motion::MotionMeasure;
use crate::parameter::check_varied_once;
use crate::place::LawPlace;
use crate::scenario::{NumberPlace, RecordPlace, ScenarioNumbers};
use crate::verdict::certificate_words;

/// Simulates the scenario of each case.
#[derive(Debug, Clone)]
pub(crate) struct Motions {
    numbers: ScenarioNumbers,
    law: LawSpec,
    settings: Vec<Setting>,
    measures: Vec<MotionMeasure>,
}

/// What a parameter sets.
#[derive(Debug, Clone)]
enum Setting {
    Number(NumberPlace),
    LawNumber(LawPlace),
    Law(Vec<LawSpec>),
    Record(RecordPlace, Vec<RecordSource>),
    /// Peak acceleration of a record \[m/s²\], by its scale.
    Peak(RecordPlace),
    /// Of a rocking block p = √(3g/4R) \[1/s\], with its slenderness kept.
    BlockFrequency,
    /// Of a rocking block 2π/p \[s\], with its slenderness kept.
    BlockPeriod,
    /// Of a rocking block α = atan(L/l) \[rad\], with its radius R kept.
    BlockSlenderness,
}

impl Setting {
    /// The number of the scenario that it sets.
    fn number(&self) -> Option<&NumberPlace> {
        match self {
            Self::Number(place) => Some(place),
            _ => None,
        }
    }
}

impl Motions {
    pub fn new(
        scenario: &Scenario,
        law: LawSpec,
        plan: &Plan,
        measures: &[String],
        law_of: LawOf<'_>,
        record_of: RecordOf<'_>,
    ) -> Result<Self, ImpactError> {
        let numbers = ScenarioNumbers::new(scenario)?;
        let mut varied = vec![law.clone()];
        for vary in plan.vary() {
            if let (Values::Words(words), "law") = (&vary.values, vary.key.as_str()) {
                varied = laws(words, law_of)?;
            }
        }
        let setting = |key: &str, values: &Values| -> Result<Setting, ImpactError> {
            if let Values::Words(words) = values {
                if key == "law" {
                    return Ok(Setting::Law(varied.clone()));
                }
                if let Some(place) = numbers.record(key) {
                    let sources = words.iter().map(|word| record_of(key, word)).collect::<Result<_, _>>()?;
                    return Ok(Setting::Record(place, sources));
                }
                numbers.place(key)?;
                return Err(no_number(key, words));
            }
            if let Some(rest) = key.strip_prefix("law.") {
                let place = LawPlace::parse(rest);
                return match varied.iter().any(|law| place.belongs_to(law)) {
                    true => Ok(Setting::LawNumber(place)),
                    false => Err(ImpactError::unknown(key, "", "is no parameter of this scenario")),
                };
            }
            match key {
                "rocking_block.frequency" if scenario.rocking_block.is_some() => Ok(Setting::BlockFrequency),
                "rocking_block.period" if scenario.rocking_block.is_some() => Ok(Setting::BlockPeriod),
                "rocking_block.slenderness" if scenario.rocking_block.is_some() => Ok(Setting::BlockSlenderness),
                _ => match numbers.record(key).filter(|_| key.ends_with(".pga")) {
                    Some(place) => Ok(Setting::Peak(place)),
                    None => numbers.place(key).map(Setting::Number),
                },
            }
        };
        let settings =
            plan.vary().iter().map(|vary| setting(&vary.key, &vary.values)).collect::<Result<Vec<_>, _>>()?;
        let places: Vec<&NumberPlace> = settings.iter().filter_map(Setting::number).collect();
        check_varied_once(&places, |one, other| one.is_where(other), |place| place.key())?;
        let built = scenario.build()?;
        let measures = measures.iter().map(|name| MotionMeasure::parse(name, &built)).collect::<Result<_, _>>()?;
        Ok(Self { numbers, law, settings, measures })
    }

    /// Which measures are numbers.
    pub(super) fn are_numbers(&self) -> Vec<bool> {
        self.measures.iter().map(|measure| measure.is_field()).collect()
    }

    /// The coordinate or rate that a measure reads at the end, by its name, and its unit.
    pub(super) fn coordinate(&self, measure: usize) -> Option<(String, &'static str)> {
        self.measures[measure].coordinate(&self.numbers)
    }

    /// The system of these values, and its law.
    pub fn build(&mut self, inputs: &[Input]) -> Result<(Built, LawSpec), ImpactError> {
        let mut law = self.law.clone();
        for (setting, input) in self.settings.iter().zip(inputs) {
            match (setting, *input) {
                (Setting::Number(place), Input::Number(value)) => self.numbers.set(place, value),
                (Setting::Law(laws), Input::Word(index)) => law = laws[index].clone(),
                _ => {}
            }
        }
        let mut scenario = self.numbers.scenario()?;
        // What depends on the numbers above.
        for (setting, input) in self.settings.iter().zip(inputs) {
            match (setting, *input) {
                (Setting::LawNumber(place), Input::Number(value)) => place.set(&mut law, value),
                (Setting::Record(place, sources), Input::Word(index)) => {
                    let RecordSource { source, units, interval, acceleration, .. } = &sources[index];
                    // Scale and direction stay those of the scenario, which may be varied too.
                    place.change(&mut scenario, |record| {
                        (*record.units, *record.interval) = (*units, *interval);
                        record.source.clone_from(source);
                        record.acceleration.clone_from(acceleration);
                    });
                }
                (Setting::BlockFrequency | Setting::BlockPeriod, Input::Number(value)) => {
                    let [x, y] = scenario.world.gravity.vector();
                    let frequency = if matches!(setting, Setting::BlockPeriod) { TAU / value } else { value };
                    resize_block(&mut scenario, Some(0.75 * x.hypot(y) / (frequency * frequency)), None);
                }
                (Setting::BlockSlenderness, Input::Number(value)) => resize_block(&mut scenario, None, Some(value)),
                _ => {}
            }
        }
        for (setting, input) in self.settings.iter().zip(inputs) {
            if let (Setting::Peak(place), Input::Number(value)) = (setting, *input) {
                place.change(&mut scenario, |record| {
                    let largest = record.acceleration.iter().fold(0.0f64, |m, a| m.max(a.abs()));
                    let unit = record.units.unwrap_or(AccelerationUnit::Metre).size();
                    *record.scale = value / (largest * unit);
                });
            }
        }
        let mut built = scenario.build()?;
        built.settings.sample_interval = None;
        built.settings.records = Records::Brief;
        Ok((built, law))
    }

    /// `None` if it was asked to stop.
    pub(super) fn find(&mut self, inputs: &[Input], stop: &dyn Fn() -> bool) -> Option<Result<Found, ImpactError>> {
        self.run(inputs, stop).transpose()
    }

    fn run(&mut self, inputs: &[Input], stop: &dyn Fn() -> bool) -> Result<Option<Found>, ImpactError> {
        let (built, law) = self.build(inputs)?;
        let Built { system, q, u, settings, until } = &built;
        let mut observer = |_: &Progress| if stop() { Control::Stop } else { Control::Continue };
        let run = simulate(system, q, u, &law, settings, until, &mut observer)?;
        let measure = |measure: &MotionMeasure| {
            let reading = measure.read(system, &run);
            cell(measure.is_field(), reading.value, || measure.regime_name(reading.regime))
        };
        let status = match &run.end {
            End::Interrupted => return Ok(None),
            End::NoAnswer(reason) | End::Penetration(reason) | End::Unbalanced(reason) => {
                format!("{}: {reason}", run.end.as_str())
            }
            end => end.as_str().to_owned(),
        };
        let measures = self.measures.iter().map(measure).collect::<Vec<Cell>>();
        let certificate = certificate_words(run.impacts.iter().map(|impact| &impact.outcome.certificate));
        Ok(Some(Found { measures, status, certificate: Some(certificate) }))
    }
}

/// Gives a rocking block another radius (half its diagonal) or slenderness.
fn resize_block(scenario: &mut Scenario, radius: Option<f64>, slenderness: Option<f64>) {
    if let Some(block) = &mut scenario.rocking_block {
        let radius = radius.unwrap_or(0.5 * block.width.hypot(block.height));
        let slenderness = slenderness.unwrap_or(block.width.atan2(block.height));
        (block.width, block.height) = (2.0 * radius * slenderness.sin(), 2.0 * radius * slenderness.cos());
    }
}
