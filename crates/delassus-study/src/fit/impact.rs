//! Measured impacts of one problem.

use delassus::{ImpactError, Status};

use super::FitModel;
use crate::measure::Measure;
use crate::parameter::{Case, Parameter};
use crate::probe::Resolver;
use crate::score::Free;

/// A problem whose impacts were measured: in each row some of its numbers are given, and some
/// quantities of the outcome measured.
#[derive(Debug, Clone)]
pub struct ImpactModel {
    resolver: Resolver,
    measures: Vec<(String, Measure)>,
    /// Per impact, the given numbers.
    inputs: Vec<Vec<f64>>,
    /// Per measure, what was measured; NaN for nothing.
    measured: Vec<Vec<f64>>,
}

impl ImpactModel {
    /// A model of these measurements: `inputs` are numbers of the problem by their paths, `measured`
    /// quantities by their names, both with a value for each impact.
    ///
    /// # Errors
    /// No such number or quantity; one that is no number.
    pub fn new(
        case: &Case,
        free: &[Free],
        inputs: &[(String, Vec<f64>)],
        measured: &[(String, Vec<f64>)],
    ) -> Result<Self, ImpactError> {
        let given = inputs.iter().map(|(key, _)| key.as_str());
        let axes = given.chain(free.iter().map(|f| f.key.as_str()));
        let axes = axes.map(|key| Parameter::parse(key, case)).collect::<Result<Vec<_>, _>>()?;
        let mut measures = Vec::new();
        for (name, _) in measured {
            let measure = Measure::parse(name, case)?;
            if !measure.is_field() {
                return Err(ImpactError::new("measure", name, "is no number that could be fitted"));
            }
            measures.push((name.clone(), measure));
        }
        let kinds: Vec<Measure> = measures.iter().map(|(_, measure)| *measure).collect();
        let count = measured.first().or(inputs.first()).map_or(0, |(_, values)| values.len());
        Ok(Self {
            resolver: Resolver::new(case.clone(), axes, &kinds)?,
            measures,
            inputs: (0..count).map(|row| inputs.iter().map(|(_, values)| values[row]).collect()).collect(),
            measured: measured.iter().map(|(_, values)| values.clone()).collect(),
        })
    }
}

impl FitModel for ImpactModel {
    fn columns(&self) -> Vec<String> {
        self.measures.iter().map(|(name, _)| name.clone()).collect()
    }

    fn measured(&self) -> &[Vec<f64>] {
        &self.measured
    }

    fn predictions(&mut self, values: &[f64]) -> Option<Vec<Vec<f64>>> {
        let mut columns = vec![Vec::with_capacity(self.inputs.len()); self.measures.len()];
        for inputs in &self.inputs {
            let all: Vec<f64> = inputs.iter().chain(values).copied().collect();
            let status = self.resolver.resolve(&all).ok()?;
            if !matches!(status, Status::Solved | Status::Inaccurate) {
                return None;
            }
            for ((_, measure), column) in self.measures.iter().zip(&mut columns) {
                column.push(self.resolver.read(*measure, status).value);
            }
        }
        Some(columns)
    }
}
