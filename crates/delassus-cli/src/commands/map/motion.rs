//! Maps of scenarios: a simulation at every point.

use delassus::law::Newton;
use delassus::scenario::{Built, Scenario};
use delassus::simulate::{Control, End, Progress, Trajectory, simulate};
use delassus::study::{Accuracy, Reading, Regime};
use delassus::{ImpactError, LawSpec, Status};
use serde::Deserialize;
use serde_json::Value;

use super::compute::Source;
use super::{Args, AxisSpec, unknown_measure};
use crate::failure::Failure;
use crate::motion::{largest_tilt, simulate_sampled};
use crate::scenarios::{of_material, read_scenario_files};

const MEASURES: [&str; 5] = ["end", "overturned", "impacts", "tilt", "time"];
const ENDS: [&str; 8] =
    ["completed", "at-rest", "overturned", "interrupted", "no-answer", "max-events", "stalled", "time-limit"];
/// Samples of a motion from which the largest angle is taken.
const SAMPLES: f64 = 4000.0;

/// Simulates a scenario over two of its numbers.
#[derive(Debug, Clone)]
pub struct MotionProbe {
    /// The scenario as a tree, so that any of its numbers can be set by its path.
    tree: Value,
    pointers: [String; 2],
    keys: [String; 2],
    law: LawSpec,
    measure: &'static str,
}

/// The probe of a scenario file, and its name.
pub fn probe(args: &Args, named: &[LawSpec], axes: [&AxisSpec<'_>; 2]) -> Result<(MotionProbe, String), Failure> {
    let known = MEASURES.iter().find(|known| **known == args.measure);
    let measure = known.ok_or_else(|| unknown_measure(&args.measure, &MEASURES))?;
    let scenarios = read_scenario_files(std::slice::from_ref(&args.file))?;
    let [(_, entry)] = &scenarios.entries[..] else {
        let count = scenarios.entries.len();
        return Err(Failure::Input(format!("{}: {count} scenarios; a map needs one", scenarios.files[0])));
    };
    let law = match (named, &entry.law) {
        ([], None) => LawSpec::Newton(Newton::default()),
        ([], Some(own)) => own.clone(),
        ([one], own) => own.iter().find(|own| own.name() == one.name()).unwrap_or(one).clone(),
        _ => return Err(Failure::Input("--law: a scenario is mapped under one law".into())),
    };
    let mut scenario = entry.scenario.clone();
    scenario.solver.iterations = args.iterations.or(scenario.solver.iterations);
    scenario.settle_end();
    let tree = serde_json::to_value(&scenario).map_err(|e| Failure::Input(e.to_string()))?;
    let pointer =
        |axis: &AxisSpec<'_>| pointer(&tree, axis.key).ok_or_else(|| axis.unknown("scenario", &numbers(&tree)));
    let pointers = [pointer(axes[0])?, pointer(axes[1])?];
    let keys = axes.map(|axis| axis.key.to_owned());
    let name = entry.scenario.name.clone().unwrap_or_default();
    Ok((MotionProbe { tree, pointers, keys, law, measure }, name))
}

impl MotionProbe {
    /// The name of its law.
    pub fn law_name(&self) -> &'static str {
        self.law.name()
    }

    fn simulate(&self) -> Result<(Scenario, Built, Trajectory), ImpactError> {
        let scenario =
            Scenario::deserialize(&self.tree).map_err(|e| ImpactError::new("scenario", "", e.to_string()))?;
        let mut built = scenario.build()?;
        let mut observer = |_: &Progress| Control::Continue;
        let run = if self.measure == "tilt" {
            built.settings.sample_interval = None;
            simulate_sampled(&built, &self.law, SAMPLES, &mut observer)
        } else {
            let Built { system, q, u, settings, until } = &built;
            simulate(system, q, u, &self.law, settings, until, &mut observer)
        };
        let run = run.map_err(|e| of_material(&scenario, e))?;
        Ok((scenario, built, run))
    }
}

impl Source for MotionProbe {
    fn try_read(&mut self, x: f64, y: f64) -> Result<Reading, ImpactError> {
        for (pointer, value) in self.pointers.iter().zip([x, y]) {
            if let Some(number) = self.tree.pointer_mut(pointer) {
                *number = Value::from(value);
            }
        }
        let (scenario, built, run) = self.simulate()?;
        let status = match run.end {
            End::NoAnswer(_) => Status::NoSolution,
            End::MaxEvents | End::TimeLimit => Status::MaxIterations,
            End::Stalled | End::Penetration(_) => Status::Stalled,
            _ => Status::Solved,
        };
        let overturned = u64::from(run.end == End::Overturned);
        let (value, regime) = match self.measure {
            "end" => (f64::NAN, ENDS.iter().position(|end| *end == run.end.as_str()).unwrap_or(ENDS.len()) as u64),
            "overturned" => (f64::NAN, overturned),
            "impacts" => (run.impacts.len() as f64, overturned),
            "tilt" => (largest_tilt(&scenario, &built, &run).unwrap_or(f64::NAN), overturned),
            _ => (run.time, overturned),
        };
        Ok(Reading { value, regime: Regime::new(regime), status: Some(status) })
    }

    fn name(&self, regime: Regime) -> String {
        if let Some(name) = regime.common_name() {
            return name.to_owned();
        }
        let words: &[&str] = if self.measure == "end" { &ENDS } else { &["stands", "overturned"] };
        let word = words.iter().enumerate().find(|(k, _)| Regime::new(*k as u64) == regime);
        word.map_or("unknown", |(_, word)| word).to_owned()
    }

    fn is_field(&self) -> bool {
        !["end", "overturned"].contains(&self.measure)
    }

    fn keys(&self) -> [&str; 2] {
        [&self.keys[0], &self.keys[1]]
    }

    fn accuracy(&self) -> Accuracy {
        Accuracy::COARSE
    }
}

/// The JSON pointer of the number that a path names: `rocking_block.height`, `body[0].velocity[1]`,
/// `ground.floor.motion…` (by name), `material.friction` (the only one of a list).
fn pointer(tree: &Value, key: &str) -> Option<String> {
    let spread = key.replace('[', ".").replace(']', "");
    let (mut here, mut path) = (tree, String::new());
    for word in spread.split('.') {
        if let (Value::Array(list), Err(_)) = (here, word.parse::<usize>()) {
            let named = list.iter().position(|entry| entry.get("name").is_some_and(|name| name == word));
            let index = named.or((list.len() == 1).then_some(0))?;
            here = &list[index];
            path += &format!("/{index}");
            if named.is_some() {
                continue;
            }
        }
        path += &format!("/{word}");
        here = tree.pointer(&path)?;
    }
    here.is_number().then_some(path)
}

/// The paths of all numbers, for messages; long lists are left out.
fn numbers(tree: &Value) -> Vec<String> {
    fn walk(value: &Value, path: &str, out: &mut Vec<String>) {
        match value {
            Value::Number(_) => out.push(path.to_owned()),
            Value::Object(table) => {
                let dot = if path.is_empty() { "" } else { "." };
                table.iter().for_each(|(key, value)| walk(value, &format!("{path}{dot}{key}"), out));
            }
            Value::Array(list) if list.len() <= 8 => {
                list.iter().enumerate().for_each(|(i, value)| walk(value, &format!("{path}[{i}]"), out));
            }
            _ => {}
        }
    }
    let mut out = Vec::new();
    walk(tree, "", &mut out);
    out
}
