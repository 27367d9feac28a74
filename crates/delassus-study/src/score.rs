//! Laws held against measured impacts.
//!
//! Each law gets its coefficients from a part of the impacts and is judged on the rest: by the
//! distance of its velocities from the measured ones in the kinetic metric, over the speed before the
//! impact, ‖u⁺ − measured‖_M / ‖u⁻‖_M. Beside the laws stands what no law can beat: the best impulse
//! at the given contacts.

use delassus::{Friction, ImpactError, ImpactLaw as _, ImpactProblem, LawSpec, ProblemData, ProblemSource, Status};

use crate::optimise::{Effort, minimise};
use crate::parallel;
use crate::parameter::{Case, Parameter};
use crate::probe::Resolver;
use crate::statistics::{bootstrap_quantile, quantile};
use crate::sweep::{Sampling, unit};

/// An impact as it was measured.
#[derive(Debug, Clone, PartialEq)]
pub struct MeasuredImpact {
    /// Mass, contacts and velocity before; coefficients are those from which a search starts.
    pub problem: ProblemData,
    /// Velocity after.
    pub after: Vec<f64>,
}

/// A number that is looked for, and its range.
#[derive(Debug, Clone, PartialEq)]
pub struct Free {
    /// Its path.
    pub key: String,
    /// Its least value.
    pub low: f64,
    /// Its largest value.
    pub high: f64,
}

impl Free {
    /// A number within a range.
    pub fn new(key: impl Into<String>, low: f64, high: f64) -> Self {
        Self { key: key.into(), low, high }
    }

    /// The range that a number has by its nature; `None` where it has none.
    pub fn usual(key: &str) -> Option<Self> {
        let (low, high) = match key.rsplit('.').next()? {
            "friction" | "friction_static" => (0.0, 1.5),
            "restitution" => (0.0, 1.0),
            "restitution_tangential" => (-1.0, 1.0),
            "stiffness_ratio" => (0.05, 20.0),
            "exponent" => (1.0, 3.0),
            _ => return None,
        };
        Some(Self::new(key, low, high))
    }
}

/// The coefficients of a law that are looked for where nothing else is asked: one of each kind for
/// all contacts.
pub fn free_of(law: &LawSpec) -> Vec<Free> {
    law.coefficients().iter().map(|one| Free::new(one.path, one.range.0, one.range.1)).collect()
}

/// How laws are scored.
#[derive(Debug, Clone, PartialEq)]
pub struct ScoreSettings {
    /// Parts of the data, each of which is judged once by what the others taught.
    pub folds: usize,
    /// Draws other parts.
    pub seed: u64,
    /// Numbers that are looked for in place of the usual ones.
    pub free: Vec<Free>,
}

impl Default for ScoreSettings {
    fn default() -> Self {
        Self { folds: 5, seed: 0, free: Vec::new() }
    }
}

/// How near a law comes to the measured velocities.
#[derive(Debug, Clone, PartialEq)]
pub struct Score {
    /// The law, or `best impulse`.
    pub name: String,
    /// The relative error of each impact; NaN where the law has no answer.
    pub errors: Vec<f64>,
    /// First quartile, median and third quartile of the errors.
    pub quartiles: [f64; 3],
    /// The interval of 95 % of each of them.
    pub intervals: [[f64; 2]; 3],
    /// The coefficients, from all impacts.
    pub values: Vec<(String, f64)>,
    /// Why the law is not scored.
    pub reason: Option<String>,
}

impl Score {
    fn new(name: &str, errors: Vec<f64>, values: Vec<(String, f64)>, seed: u64) -> Self {
        let parts = [0.25, 0.5, 0.75];
        Self {
            name: name.to_owned(),
            quartiles: parts.map(|p| quantile(&errors, p)),
            intervals: parts.map(|p| bootstrap_quantile(&errors, p, seed)),
            errors,
            values,
            reason: None,
        }
    }

    fn refused(name: &str, reason: String) -> Self {
        Self {
            name: name.to_owned(),
            errors: Vec::new(),
            quartiles: [f64::NAN; 3],
            intervals: [[f64::NAN; 2]; 3],
            values: Vec::new(),
            reason: Some(reason),
        }
    }
}

/// Scores laws on measured impacts, the best first, and the bound before all of them.
///
/// # Errors
/// Impacts that are no problems, or whose velocity after has another size; fewer impacts than folds.
pub fn score(
    impacts: &[MeasuredImpact],
    laws: &[LawSpec],
    settings: &ScoreSettings,
) -> Result<Vec<Score>, ImpactError> {
    Ok(score_until(impacts, laws, settings, &|| false)?.unwrap_or_default())
}

/// As [`score`]; `None` once `stop` says so.
///
/// # Errors
/// As of [`score`].
pub fn score_until(
    impacts: &[MeasuredImpact],
    laws: &[LawSpec],
    settings: &ScoreSettings,
    stop: &(dyn Fn() -> bool + Sync),
) -> Result<Option<Vec<Score>>, ImpactError> {
    if settings.folds < 2 || impacts.len() < settings.folds {
        let problem = format!("needs at least 2, and as many impacts; here are {} impacts", impacts.len());
        return Err(ImpactError::new("folds", settings.folds, problem));
    }
    let bounds =
        impacts.iter().enumerate().map(|(i, impact)| bound(impact).map_err(|e| e.within(&format!("impact[{i}]"))));
    let bound = Score::new("best impulse", bounds.collect::<Result<_, _>>()?, Vec::new(), settings.seed);
    let mut scores = parallel::in_order(laws.len(), |k| score_law(impacts, &laws[k], settings, stop));
    if stop() {
        return Ok(None);
    }
    scores.sort_by(|a, b| a.quartiles[1].total_cmp(&b.quartiles[1]));
    scores.insert(0, bound);
    Ok(Some(scores))
}

fn score_law(
    impacts: &[MeasuredImpact],
    law: &LawSpec,
    settings: &ScoreSettings,
    stop: &(dyn Fn() -> bool + Sync),
) -> Score {
    let free = if settings.free.is_empty() { free_of(law) } else { settings.free.clone() };
    let mut judge = match Judge::new(impacts, law, &free, stop) {
        Ok(judge) => judge,
        Err(error) => return Score::refused(law.name(), error.to_string()),
    };
    let free = judge.used(&free);
    let order = shuffled(impacts.len(), settings.seed);
    let mut errors = vec![f64::NAN; impacts.len()];
    for fold in 0..settings.folds {
        let (test, train): (Vec<usize>, Vec<usize>) =
            (0..impacts.len()).partition(|&i| order[i] % settings.folds == fold);
        let values = judge.fit(&free, &train, settings.seed);
        for i in test {
            errors[i] = judge.error(i, &values).0;
        }
    }
    if errors.iter().all(|e| e.is_nan()) {
        let all: Vec<usize> = (0..impacts.len()).collect();
        let values = judge.fit(&free, &all, settings.seed);
        let reason = judge.reason(&values);
        return Score::refused(law.name(), reason);
    }
    let all: Vec<usize> = (0..impacts.len()).collect();
    let values = judge.fit(&free, &all, settings.seed);
    let values = free.iter().map(|f| f.key.clone()).zip(values).collect();
    Score::new(law.name(), errors, values, settings.seed)
}

/// A place for each of `count` things, in an order that the seed decides.
fn shuffled(count: usize, seed: u64) -> Vec<usize> {
    let mut order: Vec<usize> = (0..count).collect();
    order.sort_by(|&a, &b| {
        let [a, b] = [a, b].map(|i| unit(Sampling::Random, seed, 0, i as u64));
        a.total_cmp(&b)
    });
    let mut places = vec![0; count];
    order.into_iter().enumerate().for_each(|(place, i)| places[i] = place);
    places
}

/// Resolves the measured impacts under one law.
struct Judge<'a> {
    impacts: Vec<(Resolver, Vec<usize>, &'a [f64], f64)>,
    free: Vec<Free>,
    stop: &'a (dyn Fn() -> bool + Sync),
}

impl<'a> Judge<'a> {
    fn new(
        impacts: &'a [MeasuredImpact],
        law: &LawSpec,
        free: &[Free],
        stop: &'a (dyn Fn() -> bool + Sync),
    ) -> Result<Self, ImpactError> {
        let mut judged = Vec::with_capacity(impacts.len());
        for impact in impacts {
            let data = with_friction(impact.problem.clone());
            let case = Case::new(ProblemSource::Full(data), [law.clone()]);
            let parse = |(k, f): (usize, &Free)| Some((k, Parameter::parse(&f.key, &case).ok()?));
            let (used, axes): (Vec<usize>, Vec<Parameter>) = free.iter().enumerate().filter_map(parse).unzip();
            let problem = ImpactProblem::new(case.source.data()?)?;
            let speed = (2.0 * problem.energy_minus()).sqrt();
            judged.push((Resolver::new(case, axes, &[])?, used, &impact.after[..], speed));
        }
        Ok(Self { impacts: judged, free: free.to_vec(), stop })
    }

    /// The numbers that at least one impact has.
    fn used(&mut self, free: &[Free]) -> Vec<Free> {
        let used: Vec<usize> = (0..free.len()).filter(|k| self.impacts.iter().any(|i| i.1.contains(k))).collect();
        for impact in &mut self.impacts {
            impact.1.iter_mut().for_each(|k| *k = used.iter().position(|u| u == k).unwrap_or(0));
        }
        self.free = used.iter().map(|&k| free[k].clone()).collect();
        self.free.clone()
    }

    /// The relative error of an impact, NaN for none, and that of doing nothing.
    fn error(&mut self, i: usize, values: &[f64]) -> (f64, f64) {
        let (resolver, used, after, speed) = &mut self.impacts[i];
        let values: Vec<f64> = used.iter().map(|&k| values[k]).collect();
        let status = resolver.resolve(&values);
        let answered = matches!(status, Ok(Status::Solved | Status::Inaccurate));
        let distance = |u: &[f64]| {
            let difference: Vec<f64> = u.iter().zip(*after).map(|(a, b)| a - b).collect();
            (2.0 * resolver.problem().mass().energy(&difference)).sqrt() / *speed
        };
        let nothing = distance(resolver.problem().u_minus());
        (if answered { distance(&resolver.outcomes()[0].u_plus) } else { f64::NAN }, nothing)
    }

    /// Values with the least mean error on these impacts; one without an answer counts as if nothing had happened.
    fn fit(&mut self, free: &[Free], on: &[usize], seed: u64) -> Vec<f64> {
        const EFFORT: Effort = Effort { looks: 96, descents: 4, evaluations: 100 };
        let bounds: Vec<(f64, f64)> = free.iter().map(|f| (f.low, f.high)).collect();
        let mut mean = |values: &[f64]| {
            // What is found after a stop is dropped: the search only has to end.
            if (self.stop)() {
                return 0.0;
            }
            let errors = on.iter().map(|&i| match self.error(i, values) {
                (error, nothing) if error.is_nan() => nothing.max(1.0),
                (error, _) => error,
            });
            errors.sum::<f64>() / on.len() as f64
        };
        minimise(&bounds, &[], EFFORT, seed, &mut mean).point
    }

    /// Why the first impact has no answer.
    fn reason(&mut self, values: &[f64]) -> String {
        let Some((resolver, used, ..)) = self.impacts.first_mut() else { return String::new() };
        let values: Vec<f64> = used.iter().map(|&k| values[k]).collect();
        match resolver.resolve(&values) {
            Err(error) => error.to_string(),
            Ok(status) => match &resolver.outcomes()[0].reason {
                Some(reason) => reason.clone(),
                None => status.as_str().to_owned(),
            },
        }
    }
}

/// Tangents have friction, which is looked for.
fn with_friction(mut data: ProblemData) -> ProblemData {
    for contact in data.contacts.iter_mut().filter(|c| !c.tangents.is_empty()) {
        contact.friction.get_or_insert(Friction::Isotropic(0.0));
    }
    data
}

/// The least relative error that any impulse at the contacts of an impact leaves: the measured change
/// of velocity is projected on what impulses can change.
///
/// # Errors
/// A problem that is none; a velocity after of another size, or nothing that moves before.
pub fn bound(impact: &MeasuredImpact) -> Result<f64, ImpactError> {
    let problem = ImpactProblem::new(with_friction(impact.problem.clone()))?;
    let n = problem.coordinates();
    if impact.after.len() != n || impact.after.iter().any(|v| !v.is_finite()) {
        let value = format!("{} entries", impact.after.len());
        return Err(ImpactError::new("after", value, format!("needs {n} finite numbers")));
    }
    let speed = (2.0 * problem.energy_minus()).sqrt();
    if speed == 0.0 {
        return Err(ImpactError::new("velocity", "", "nothing moves before the impact"));
    }
    let mass = problem.mass();
    let norm = |x: &[f64]| (2.0 * mass.energy(x)).sqrt();
    let product = |x: &[f64], y: &[f64]| {
        let mut mx = vec![0.0; n];
        mass.multiply(x, &mut mx);
        mx.iter().zip(y).map(|(a, b)| a * b).sum::<f64>()
    };
    let mut free = Vec::new();
    problem.apply_impulses(&vec![0.0; problem.rows()], &mut free);
    let mut rest: Vec<f64> = impact.after.iter().zip(&free).map(|(a, b)| a - b).collect();
    let mut basis: Vec<Vec<f64>> = Vec::new();
    for row in 0..problem.rows() {
        let mut direction = vec![0.0; n];
        problem.response().add_to(row, 1.0, &mut direction);
        let before = norm(&direction);
        // Twice, against round-off.
        for known in basis.iter().chain(&basis) {
            let part = product(known, &direction);
            direction.iter_mut().zip(known).for_each(|(d, k)| *d -= part * k);
        }
        let length = norm(&direction);
        if length > 1e-9 * before {
            direction.iter_mut().for_each(|d| *d /= length);
            let part = product(&direction, &rest);
            rest.iter_mut().zip(&direction).for_each(|(r, d)| *r -= part * d);
            basis.push(direction);
        }
    }
    Ok(norm(&rest) / speed)
}
