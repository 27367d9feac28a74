//! Sweeps of motions.

use delassus::scenario::{Built, RecordSource, Scenario};
use delassus::simulate::{Control, End, Progress, simulate};
use delassus::{ImpactError, LawSpec};

use super::{Cell, Found, Input, LawOf, Plan, RecordOf, Values, cell, laws, no_number};
use crate::motion::MotionMeasure;
use crate::place::LawPlace;
use crate::scenario::{NumberPlace, RecordPlace, ScenarioNumbers, of_material};

/// Simulates the scenario of each case.
#[derive(Debug, Clone)]
pub(super) struct Motions {
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
            numbers.place(key).map(Setting::Number)
        };
        let settings = plan.vary().iter().map(|vary| setting(&vary.key, &vary.values)).collect::<Result<_, _>>()?;
        let built = scenario.build()?;
        let measures =
            measures.iter().map(|name| MotionMeasure::parse(name, &built.system)).collect::<Result<_, _>>()?;
        Ok(Self { numbers, law, settings, measures })
    }

    /// `None` if it was asked to stop.
    pub fn find(&mut self, inputs: &[Input], stop: &dyn Fn() -> bool) -> Option<Result<Found, ImpactError>> {
        let mut law = self.law.clone();
        for (setting, input) in self.settings.iter().zip(inputs) {
            match (setting, *input) {
                (Setting::Number(place), Input::Number(value)) => self.numbers.set(place, value),
                (Setting::Law(laws), Input::Word(index)) => law = laws[index].clone(),
                _ => {}
            }
        }
        for (setting, input) in self.settings.iter().zip(inputs) {
            if let (Setting::LawNumber(place), Input::Number(value)) = (setting, *input) {
                place.set(&mut law, value);
            }
        }
        match self.run(inputs, &law, stop) {
            Err(error) => Some(Err(error)),
            Ok(found) => found.map(Ok),
        }
    }

    fn run(&self, inputs: &[Input], law: &LawSpec, stop: &dyn Fn() -> bool) -> Result<Option<Found>, ImpactError> {
        let mut scenario = self.numbers.scenario()?;
        for (setting, input) in self.settings.iter().zip(inputs) {
            if let (Setting::Record(place, sources), Input::Word(index)) = (setting, *input)
                && let Some(record) = place.of(&mut scenario)
            {
                // Scale and direction stay those of the scenario, which may be varied too.
                let RecordSource { direction, scale, .. } = *record;
                *record = RecordSource { direction, scale, ..sources[index].clone() };
            }
        }
        let mut built = scenario.build()?;
        built.settings.sample_interval = None;
        let Built { system, q, u, settings, until } = &built;
        let mut observer = |_: &Progress| if stop() { Control::Stop } else { Control::Continue };
        let run = simulate(system, q, u, law, settings, until, &mut observer);
        let run = run.map_err(|e| of_material(&scenario, e))?;
        let measure = |measure: &MotionMeasure| {
            let reading = measure.read(system, &run);
            cell(measure.is_field(), reading.value, || measure.regime_name(reading.regime))
        };
        let status = match &run.end {
            End::Interrupted => return Ok(None),
            End::NoAnswer(reason) | End::Penetration(reason) => format!("{}: {reason}", run.end.as_str()),
            end => end.as_str().to_owned(),
        };
        Ok(Some(Found { measures: self.measures.iter().map(measure).collect::<Vec<Cell>>(), status }))
    }
}
