//! Sweeps of impacts.

use delassus::{ImpactError, Status};

use super::{Cell, Found, Input, LawOf, Plan, Values, cell, laws, no_number};
use crate::measure::Measure;
use crate::parameter::{Case, Parameter};
use crate::probe::Resolver;
use crate::verdict::certificate_words;

/// Resolves the impact of each case.
#[derive(Debug, Clone)]
pub(super) struct Impacts {
    /// One, or one for each law where laws are varied.
    resolvers: Vec<Resolver>,
    measures: Vec<Measure>,
}

impl Impacts {
    pub fn new(case: &Case, plan: &Plan, measures: &[String], law_of: LawOf<'_>) -> Result<Self, ImpactError> {
        let mut cases = vec![case.clone()];
        let mut axes = Vec::new();
        for vary in plan.vary() {
            match &vary.values {
                Values::Words(words) if vary.key == "law" => {
                    let laws = laws(words, law_of)?;
                    cases = laws.into_iter().map(|law| Case { laws: vec![law], ..case.clone() }).collect();
                }
                Values::Words(words) => {
                    // An unknown parameter is the greater mistake.
                    Parameter::parse(&vary.key, case)?;
                    return Err(no_number(&vary.key, words));
                }
                _ => axes.push(vary.key.as_str()),
            }
        }
        // A number of a law that is varied need not belong to every one of them.
        let every = Case { laws: cases.iter().flat_map(|case| case.laws.clone()).collect(), ..case.clone() };
        let axes = axes.into_iter().map(|key| Parameter::parse(key, &every)).collect::<Result<Vec<_>, _>>()?;
        let measures = measures.iter().map(|name| Measure::parse(name, &cases[0])).collect::<Result<Vec<_>, _>>()?;
        let resolvers = cases.into_iter().map(|case| Resolver::new(case, axes.clone(), &measures));
        Ok(Self { resolvers: resolvers.collect::<Result<_, _>>()?, measures })
    }

    /// Which measures are numbers.
    pub fn are_numbers(&self) -> Vec<bool> {
        self.measures.iter().map(|measure| measure.is_field()).collect()
    }

    pub fn find(&mut self, inputs: &[Input]) -> Result<Found, ImpactError> {
        let law = inputs.iter().find_map(|input| match input {
            Input::Word(index) => Some(*index),
            Input::Number(_) => None,
        });
        let numbers = inputs.iter().filter_map(|input| match input {
            Input::Number(value) => Some(*value),
            Input::Word(_) => None,
        });
        let resolver = &mut self.resolvers[law.unwrap_or(0)];
        let status = resolver.resolve(&numbers.collect::<Vec<_>>())?;
        let measure = |measure: &Measure| {
            let reading = resolver.read(*measure, status);
            cell(measure.is_field(), reading.value, || resolver.name(*measure, reading.regime))
        };
        let measures: Vec<Cell> = self.measures.iter().map(measure).collect();
        let reason = resolver.outcomes().iter().find(|o| o.status() == status).and_then(|o| o.reason.as_deref());
        let answered = matches!(status, Status::Solved | Status::Inaccurate);
        let certificates = resolver.outcomes().iter().map(|outcome| &outcome.certificate);
        let certificate = answered.then(|| certificate_words(certificates));
        let word = status.as_str();
        let status = match reason {
            Some(reason) if status != Status::Solved => format!("{word}: {reason}"),
            _ => word.to_owned(),
        };
        Ok(Found { measures, status, certificate })
    }
}
