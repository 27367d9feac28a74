//! Maps of scenarios: a simulation at every point.

use delassus::{ErrorKind, LawSpec};
use delassus_study::motion::{MotionMeasure, MotionProbe};
use delassus_study::{NumberPlace, ScenarioNumbers, laws};

use super::{Args, AxisSpec, unknown_measure};
use crate::failure::Failure;
use crate::scenarios::{build, read_scenario_files};

/// The probe of a scenario file, and its name.
pub fn probe(args: &Args, named: &[LawSpec], axes: [&AxisSpec<'_>; 2]) -> Result<(MotionProbe, String), Failure> {
    let scenarios = read_scenario_files(std::slice::from_ref(&args.file))?;
    let [(_, entry)] = &scenarios.entries[..] else {
        let count = scenarios.entries.len();
        return Err(Failure::Input(format!("{}: {count} scenarios; a map needs one", scenarios.files[0])));
    };
    let Ok([law]) = <[LawSpec; 1]>::try_from(laws::for_motion(entry.law.as_ref(), named)) else {
        return Err(Failure::Input("--law: a scenario is mapped under one law".into()));
    };
    let mut scenario = entry.scenario.clone();
    scenario.solver.iterations = args.iterations.or(scenario.solver.iterations);
    scenario.settle_end();
    let built = build(&scenarios.files[0], entry)?;
    let measure = MotionMeasure::parse(args.measure(), &built).map_err(|e| match e.kind {
        ErrorKind::Unknown => unknown_measure(args.measure(), &MotionMeasure::NAMES),
        _ => Failure::Input(format!("--measure {}: {}", e.value, e.problem)),
    })?;
    let numbers = ScenarioNumbers::new(&scenario).map_err(|e| Failure::Input(e.to_string()))?;
    let place = |axis: &AxisSpec<'_>| -> Result<NumberPlace, Failure> {
        numbers.place(axis.key).map_err(|_| axis.unknown("scenario", &numbers.known()))
    };
    let axes = [place(axes[0])?, place(axes[1])?];
    let name = entry.scenario.name.clone().unwrap_or_default();
    Ok((MotionProbe::new(numbers, axes, law, measure).with_boundaries(args.boundaries), name))
}
