//! The impact at one point of the plane of two parameters.

use super::measure::Measure;
use super::parameter::{Case, Parameter};
use super::regime::Regime;
use crate::budget::Limits;
use crate::error::ImpactError;
use crate::outcome::{ImpactOutcome, Options, Solutions, Status};
use crate::problem::ImpactProblem;
use crate::resolve::resolve_into;
use crate::workspace::Workspace;

/// What a measure reads at a point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Reading {
    /// The number; NaN where there is none.
    pub value: f64,
    /// The regime.
    pub regime: Regime,
    /// How the search ended, the worst of all laws; `None` where the impact is undefined.
    pub status: Option<Status>,
}

/// Resolves impacts of a case over two parameters, with buffers that are
/// reused. A reading depends on its point alone, not on those before it.
#[derive(Debug, Clone)]
pub struct Probe {
    case: Case,
    axes: [Parameter; 2],
    measure: Measure,
    options: Options,
    problem: ImpactProblem,
    work: Workspace,
    outcomes: Vec<ImpactOutcome>,
    /// Whether only u⁻ changes, so that M's factor and G stay.
    only_velocity: bool,
}

impl Probe {
    /// A probe of the case.
    ///
    /// # Errors
    /// Bad data of the problem itself.
    pub fn new(case: Case, axes: [Parameter; 2], measure: Measure) -> Result<Self, ImpactError> {
        let solutions = if measure == Measure::Solutions { Solutions::All } else { Solutions::Preferred };
        Ok(Self {
            options: Options {
                solutions,
                eigenvalues: measure == Measure::Theorem,
                limits: Limits { iterations: case.iterations, stop: None },
                ..Options::default()
            },
            problem: ImpactProblem::new(case.source.data()?)?,
            work: Workspace::default(),
            outcomes: vec![ImpactOutcome::default(); case.laws.len()],
            only_velocity: axes.iter().all(Parameter::is_velocity),
            case,
            axes,
            measure,
        })
    }

    /// The parameters along x and y.
    pub fn axes(&self) -> &[Parameter; 2] {
        &self.axes
    }

    /// What it measures.
    pub fn measure(&self) -> &Measure {
        &self.measure
    }

    /// The name of a regime of its measure.
    pub fn name(&self, regime: Regime) -> String {
        match regime.common_name() {
            Some(name) => name.to_owned(),
            None => self.measure.regime_name(&self.problem, regime),
        }
    }

    /// Resolves the impact at a point and reads the measure.
    pub fn read(&mut self, x: f64, y: f64) -> Reading {
        self.try_read(x, y).unwrap_or(Reading { value: f64::NAN, regime: Regime::UNDEFINED, status: None })
    }

    /// As [`read`](Self::read), with the reason where the impact is undefined.
    ///
    /// # Errors
    /// The problem or a law is not defined there.
    pub fn try_read(&mut self, x: f64, y: f64) -> Result<Reading, ImpactError> {
        for (axis, value) in self.axes.iter().zip([x, y]) {
            axis.set_in_case(&mut self.case, value);
        }
        let mut data = self.case.source.data()?;
        Parameter::set_in_data(&self.axes, &mut data, [x, y])?;
        if self.only_velocity {
            self.problem.set_velocity(&data.velocity)?;
        } else {
            self.problem = ImpactProblem::new(data)?;
        }
        let mut worst = Status::Solved;
        for (law, outcome) in self.case.laws.iter().zip(&mut self.outcomes) {
            resolve_into(&self.problem, law, &self.options, &mut self.work, outcome)?;
            if badness(outcome.status()) > badness(worst) {
                worst = outcome.status();
            }
        }
        let (value, regime) = match worst {
            Status::NotApplicable => (f64::NAN, Regime::NOT_APPLICABLE),
            Status::NoSolution if self.measure != Measure::Solutions => (f64::NAN, Regime::NO_SOLUTION),
            _ => self.measure.read(&self.problem, &self.outcomes),
        };
        Ok(Reading { value, regime, status: Some(worst) })
    }
}

fn badness(status: Status) -> u8 {
    match status {
        Status::Solved => 0,
        Status::Inaccurate => 1,
        Status::MaxIterations => 2,
        Status::Stalled => 3,
        Status::NoSolution => 4,
        Status::NotApplicable => 5,
    }
}
