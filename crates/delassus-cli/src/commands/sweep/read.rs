//! What a sweep is asked for: the file, its parameters, laws and records.

use std::cell::RefCell;
use std::fs;

use delassus::scenario::RecordSource;
use delassus::{ErrorKind, ImpactError, LawSpec};
use delassus_io::{Format, ScenarioEntry, is_scenario, law_by_name, read_record_source};
use delassus_study::motion::MotionMeasure;
use delassus_study::sweep::{Plan, Sampling, Sweep, Values, Vary};
use delassus_study::{Measure, Parameter, ScenarioNumbers, laws};

use super::Args;
use crate::commands::map::{read_case, read_laws};
use crate::failure::{Failure, known_words};
use crate::input::read_text;
use crate::scenarios::{build, read_scenario_text};

/// The sweep of the arguments.
pub fn sweep(args: &Args, sampling: Sampling) -> Result<Sweep, Failure> {
    let vary = args.vary.iter().map(|text| vary(text)).collect::<Result<Vec<_>, _>>()?;
    let plan = Plan::new(vary, args.samples, sampling, args.seed).map_err(|e| option(&e))?;
    let named = read_laws(&args.laws)?;
    let (name, text) = read_text(&args.file)?;
    let format = Format::detect(&args.file, &text);
    if is_scenario(&text, format) {
        let document = read_scenario_text(&args.file, &name, &text)?;
        let [entry] = &document.entries[..] else {
            let count = document.entries.len();
            return Err(Failure::Input(format!("{name}: {count} scenarios; a sweep needs one")));
        };
        return motions(args, &name, entry, &named, plan);
    }
    let words = plan.vary().iter().any(|vary| vary.key == "law");
    let all = if words && named.is_empty() { laws_of(&plan)? } else { named };
    let case = read_case("a sweep", &args.file, &name, &text, all, args.iterations)?;
    let own = case.laws.clone();
    Sweep::of_impacts(&case, plan, &args.measures, &|word| law(word, &own)).map_err(|e| match (e.kind, &e.field[..]) {
        (ErrorKind::Unknown, "measure") => unknown("--measure", &e.value, "measure", &Measure::NAMES),
        (ErrorKind::Unknown, _) => {
            let known = Parameter::known(&case);
            unknown("--vary", &e.field, "parameter of this problem", &known)
        }
        _ => told(&e),
    })
}

/// The first law that is varied, where none is named otherwise.
fn laws_of(plan: &Plan) -> Result<Vec<LawSpec>, Failure> {
    let words = plan.vary().iter().find_map(|vary| match (&vary.key[..], &vary.values) {
        ("law", Values::Words(words)) => words.first(),
        _ => None,
    });
    read_laws(&words.cloned().into_iter().collect::<Vec<_>>())
}

fn motions(args: &Args, file: &str, entry: &ScenarioEntry, named: &[LawSpec], plan: Plan) -> Result<Sweep, Failure> {
    // Built once as written, so that what is wrong with the file is said of the file.
    build(file, entry)?;
    let Ok([one]) = <[LawSpec; 1]>::try_from(laws::for_motion(entry.law.as_ref(), named)) else {
        return Err(Failure::Input("--law: a scenario runs under one law; --vary law=newton,lzb for several".into()));
    };
    let mut scenario = entry.scenario.clone();
    scenario.solver.iterations = args.iterations.or(scenario.solver.iterations);
    let own = [one.clone()];
    let remarks = RefCell::new(Vec::new());
    let record = |key: &str, path: &str| record(entry, key, path, &mut remarks.borrow_mut());
    let sweep = Sweep::of_motions(&scenario, one, plan, &args.measures, &|word| law(word, &own), &record);
    for remark in remarks.into_inner() {
        anstream::eprintln!("note: {remark}");
    }
    sweep.map_err(|e| match (e.kind, &e.field[..]) {
        (ErrorKind::Unknown, "measure") => unknown("--measure", &e.value, "measure", &MotionMeasure::NAMES),
        (ErrorKind::Unknown, _) => {
            let known = ScenarioNumbers::new(&scenario).map(|numbers| numbers.known()).unwrap_or_default();
            unknown("--vary", &e.field, "parameter of this scenario", &known)
        }
        _ => told(&e),
    })
}

/// A parameter and its values; patterns of files are the files.
fn vary(text: &str) -> Result<Vary, Failure> {
    let mut vary = Vary::parse(text).map_err(|e| option(&e))?;
    if let (Values::Words(words), true) = (&mut vary.values, vary.key.ends_with(".file")) {
        let mut files = Vec::new();
        for pattern in words.iter() {
            let wrong = |problem: String| Failure::Input(format!("--vary {text}: {problem}"));
            let found = glob::glob(pattern).map_err(|e| wrong(format!("{pattern:?} is no pattern: {e}")))?;
            let before = files.len();
            for path in found {
                let path = path.map_err(|e| wrong(format!("cannot read {}: {}", e.path().display(), e.error())))?;
                files.push(path.display().to_string());
            }
            if files.len() == before {
                return Err(wrong(format!("there is no file {pattern}")));
            }
        }
        *words = files;
    }
    Ok(vary)
}

/// A law by name, with the data of the file's own where it is of that name.
pub fn law(word: &str, own: &[LawSpec]) -> Option<LawSpec> {
    let law = law_by_name(word).ok()?;
    Some(own.iter().find(|own| own.name() == law.name()).cloned().unwrap_or(law))
}

/// The record of a file in the place of one of the scenario, with what the scenario says of component, unit and interval.
pub fn record(
    entry: &ScenarioEntry,
    key: &str,
    path: &str,
    remarks: &mut Vec<String>,
) -> Result<RecordSource, ImpactError> {
    let place = ScenarioNumbers::new(&entry.written)?.record(key);
    let place = place.ok_or_else(|| ImpactError::new(key, "", "is no record of this scenario"))?;
    let mut source = RecordSource {
        direction: [1.0, 0.0],
        file: Some(path.to_owned()),
        component: None,
        source: None,
        units: None,
        interval: None,
        acceleration: Vec::new(),
        scale: 1.0,
    };
    let mut written = entry.written.clone();
    place.change(&mut written, |record| {
        source.component = record.component.take();
        (source.units, source.interval) = (*record.units, *record.interval);
    });
    let load = |name: &str| {
        let bytes = fs::read(name).map_err(|e| format!("cannot read: {e}"))?;
        // Names in the headers of records need not be UTF-8.
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    };
    let place = key.strip_suffix(".file").unwrap_or(key);
    read_record_source(place, &mut source, &load, remarks)?;
    Ok(source)
}

/// An error about an option of the same name.
fn option(error: &ImpactError) -> Failure {
    let value = if error.value.is_empty() { String::new() } else { format!(" {}", error.value) };
    Failure::Input(format!("--{}{value}: {}", error.field, error.problem))
}

/// An error about a measure, or the values of a parameter.
fn told(error: &ImpactError) -> Failure {
    match &error.field[..] {
        "measure" | "law" => option(error),
        _ => Failure::Input(format!("--vary {error}")),
    }
}

fn unknown<S: AsRef<str>>(option: &str, word: &str, what: &str, known: &[S]) -> Failure {
    let known: Vec<&str> = known.iter().map(AsRef::as_ref).collect();
    let plain = word.trim_matches('"');
    Failure::Input(format!("{option} {word}: is no {what}{}", known_words(plain, &known)))
}
