//! A measured motion.

use std::sync::Arc;

use delassus::model::System;
use delassus::scenario::Scenario;
use delassus::simulate::{Control, Progress, Scheme, simulate};
use delassus::{ImpactError, LawSpec};

use super::FitModel;
use crate::score::Free;
use crate::sweep::{Input, Motions, Plan, Sampling, Values, Vary};

/// A scenario whose motion was measured: positions and velocities at some times.
#[derive(Debug, Clone)]
pub struct MotionModel {
    motions: Motions,
    times: Vec<f64>,
    /// Names of the measured columns, and their place in the state (q, u).
    columns: Vec<(String, usize)>,
    measured: Vec<Vec<f64>>,
}

impl MotionModel {
    /// A model of measurements at rising times from the start of the motion. Columns have the names of
    /// trajectory files: `block.theta`, `block.theta_rate`.
    ///
    /// # Errors
    /// No such number or column; times that do not rise from 0.
    pub fn new(
        scenario: &Scenario,
        law: LawSpec,
        free: &[Free],
        times: &[f64],
        measured: &[(String, Vec<f64>)],
    ) -> Result<Self, ImpactError> {
        let rising = times.windows(2).all(|pair| pair[0] < pair[1]) && times.iter().all(|t| t.is_finite());
        if !rising || times.first().is_none_or(|first| *first < 0.0) {
            return Err(ImpactError::new("time", "", "needs finite times from 0 on that rise"));
        }
        let mut scenario = scenario.clone();
        scenario.until.time = times.last().copied();
        (scenario.until.impacts, scenario.output.interval) = (None, None);
        let vary = free.iter().map(|f| Vary { key: f.key.clone(), values: Values::Numbers(vec![f.low]) }).collect();
        let plan = Plan::new(vary, None, Sampling::Random, 0)?;
        let motions = Motions::new(&scenario, law, &plan, &[], &|_| None, &|key, _| {
            Err(ImpactError::new(key, "", "is no number"))
        })?;
        let built = scenario.build()?;
        if built.settings.scheme != Scheme::Events {
            let problem = "times of measurements are met exactly by events only: integrator.scheme = \"events\"";
            return Err(ImpactError::new("integrator.scheme", "", problem));
        }
        let names: Vec<String> = [built.system.position_names(), built.system.velocity_names()].concat();
        let column = |(name, _): &(String, Vec<f64>)| {
            let place = names.iter().position(|known| known == name);
            let wrong = || ImpactError::new("column", name, format!("is no column; there are {}", names.join(", ")));
            Ok((name.clone(), place.ok_or_else(wrong)?))
        };
        Ok(Self {
            motions,
            times: times.to_vec(),
            columns: measured.iter().map(column).collect::<Result<_, ImpactError>>()?,
            measured: measured.iter().map(|(_, values)| values.clone()).collect(),
        })
    }
}

impl FitModel for MotionModel {
    fn columns(&self) -> Vec<String> {
        self.columns.iter().map(|(name, _)| name.clone()).collect()
    }

    fn measured(&self) -> &[Vec<f64>] {
        &self.measured
    }

    fn predictions(&mut self, values: &[f64]) -> Option<Vec<Vec<f64>>> {
        let inputs: Vec<Input> = values.iter().map(|v| Input::Number(*v)).collect();
        let (mut built, law) = self.motions.build(&inputs).ok()?;
        let later: Arc<[f64]> = self.times.iter().copied().filter(|t| *t > 0.0).collect();
        built.settings.sample_times = Some(later);
        let mut observer = |_: &Progress| Control::Continue;
        let run =
            simulate(&built.system, &built.q, &built.u, &law, &built.settings, &built.until, &mut observer).ok()?;
        if !run.end.is_regular() {
            return None;
        }
        let mut columns = vec![Vec::with_capacity(self.times.len()); self.columns.len()];
        let mut next = 0;
        for &time in &self.times {
            while next + 1 < run.samples.len() && run.samples[next].time < time * (1.0 - 1e-12) {
                next += 1;
            }
            let sample = &run.samples[next];
            for ((_, place), column) in self.columns.iter().zip(&mut columns) {
                let n = sample.q.len();
                column.push(if *place < n { sample.q[*place] } else { sample.u[place - n] });
            }
        }
        Some(columns)
    }
}
