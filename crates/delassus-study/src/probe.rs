//! Impacts over parameters, and a measure at one point of the plane of two of them.

use delassus::{
    ImpactError, ImpactOutcome, ImpactProblem, Limits, Options, ProblemData, ProblemSource, Solutions, Status,
    Workspace, resolve_into,
};

use crate::measure::Measure;
use crate::parameter::{Case, Parameter, check_varied_once};
use crate::regime::Regime;

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

/// Resolves impacts of a case over some of its parameters, with buffers that are
/// reused. An answer depends on the values alone, not on those before them.
#[derive(Debug, Clone)]
pub(crate) struct Resolver {
    case: Case,
    axes: Vec<Parameter>,
    options: Options,
    /// The problem as written, where it is written in full; its varied numbers are the last ones.
    data: ProblemData,
    problem: ImpactProblem,
    work: Workspace,
    outcomes: Vec<ImpactOutcome>,
    /// Whether M, W, χ and F stay, and with them M's factor and G.
    in_place: bool,
}

impl Resolver {
    /// A resolver for what these measures need.
    pub fn new(case: Case, axes: Vec<Parameter>, measures: &[Measure]) -> Result<Self, ImpactError> {
        let all = measures.contains(&Measure::Solutions);
        check_varied_once(&axes, Parameter::is_where, Parameter::key)?;
        let data = case.source.data()?;
        Ok(Self {
            options: Options {
                solutions: if all { Solutions::All } else { Solutions::Preferred },
                eigenvalues: measures.contains(&Measure::Theorem),
                limits: Limits::from(&case.solver),
                ..Options::default()
            },
            problem: ImpactProblem::new(data.clone())?,
            data,
            work: Workspace::default(),
            outcomes: vec![ImpactOutcome::default(); case.laws.len()],
            in_place: axes.iter().all(Parameter::is_set_in_place),
            case,
            axes,
        })
    }

    /// Resolves the impact with these values of the parameters; how the search ended, the worst of all laws.
    pub fn resolve(&mut self, values: &[f64]) -> Result<Status, ImpactError> {
        for (axis, &value) in self.axes.iter().zip(values) {
            axis.set_in_case(&mut self.case, value);
        }
        let mut short = match &self.case.source {
            ProblemSource::Full(_) => None,
            source => Some(source.data()?),
        };
        let data = short.as_mut().unwrap_or(&mut self.data);
        Parameter::set_in_data(&self.axes, data, values)?;
        if !(self.in_place && set_in_place(&mut self.problem, data)) {
            self.problem = ImpactProblem::new(short.unwrap_or_else(|| self.data.clone()))?;
        }
        let mut worst = Status::Solved;
        for (law, outcome) in self.case.laws.iter().zip(&mut self.outcomes) {
            resolve_into(&self.problem, law, &self.options, &mut self.work, outcome)?;
            if badness(outcome.status()) > badness(worst) {
                worst = outcome.status();
            }
        }
        Ok(worst)
    }

    /// Reads a measure of an impact whose search ended so.
    pub fn read(&self, measure: Measure, worst: Status) -> Reading {
        let (value, regime) = match worst {
            Status::NotApplicable => (f64::NAN, Regime::NOT_APPLICABLE),
            Status::NoSolution if measure != Measure::Solutions => (f64::NAN, Regime::NO_SOLUTION),
            _ => measure.read(&self.problem, &self.case.laws, &self.outcomes),
        };
        Reading { value, regime, status: Some(worst) }
    }

    /// The name of a regime of a measure.
    pub fn name(&self, measure: Measure, regime: Regime) -> String {
        match regime.common_name() {
            Some(name) => name.to_owned(),
            None => measure.regime_name(&self.problem, regime),
        }
    }

    /// The problem that was resolved last.
    pub fn problem(&self) -> &ImpactProblem {
        &self.problem
    }

    /// The outcomes of the last problem, one for each law.
    pub fn outcomes(&self) -> &[ImpactOutcome] {
        &self.outcomes
    }
}

/// Reads a measure of impacts over two parameters. A reading depends on its point alone, not on
/// those before it.
#[derive(Debug, Clone)]
pub struct Probe {
    resolver: Resolver,
    measure: Measure,
    follows: bool,
}

impl Probe {
    /// A probe of the case.
    ///
    /// # Errors
    /// Bad data of the problem itself.
    pub fn new(case: Case, axes: [Parameter; 2], measure: Measure) -> Result<Self, ImpactError> {
        Ok(Self { resolver: Resolver::new(case, axes.into(), &[measure])?, measure, follows: true })
    }

    /// Whether maps follow the boundaries of its regimes; they do unless told otherwise.
    pub fn with_boundaries(self, follows: bool) -> Self {
        Self { follows, ..self }
    }

    /// Whether maps follow the boundaries of its regimes.
    pub(crate) fn follows(&self) -> bool {
        self.follows
    }

    /// The parameters along x and y.
    pub fn axes(&self) -> &[Parameter] {
        &self.resolver.axes
    }

    /// What it measures.
    pub fn measure(&self) -> &Measure {
        &self.measure
    }

    /// The name of a regime of its measure.
    pub fn name(&self, regime: Regime) -> String {
        self.resolver.name(self.measure, regime)
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
        let worst = self.resolver.resolve(&[x, y])?;
        Ok(self.resolver.read(self.measure, worst))
    }
}

/// Sets u⁻ and the coefficients of all contacts. `false` where they are not allowed: building the
/// problem anew then says what is wrong, as it does for problems from files.
fn set_in_place(problem: &mut ImpactProblem, data: &ProblemData) -> bool {
    /// Beyond, a problem is refused when it is built.
    const LARGEST_ENERGY: f64 = 1e250;
    let contact = |problem: &mut ImpactProblem, i: usize| {
        let contact = &data.contacts[i];
        problem.set_restitution(i, contact.restitution, contact.restitution_tangential)?;
        match contact.friction {
            Some(friction) if !contact.tangents.is_empty() => problem.set_friction(i, friction),
            _ => Ok(()),
        }
    };
    problem.set_velocity(&data.velocity).is_ok()
        && problem.energy_minus() <= LARGEST_ENERGY
        && (0..data.contacts.len()).all(|i| contact(problem, i).is_ok())
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
