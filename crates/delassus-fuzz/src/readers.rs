//! The readers of files, keys and expressions.

use std::fs;
use std::path::Path;

use delassus::model::{AccelerationUnit, Expression};
use delassus::solve::SolveStatus;
use delassus::solve::contact::{ContactSettings, solve};
use delassus::{Budget, LawSpec, Limits, Options, ProblemSource, RodImpact};
use delassus_io::{
    ContactFile, Format, LawTable, ReadOptions, is_scenario, read_dat, read_fclib, read_problems, read_records,
    read_scenarios, write_dat, write_expanded, write_fclib,
};
use delassus_study::contacts::{Kind, generate};
use delassus_study::{Case, Measure, Parameter, Probe};

use crate::{resolve, scene};

/// Larger problems and scenes are read and not computed.
pub const LARGEST: usize = 12;

/// The first byte is a choice, the rest is text.
pub fn choice_and_text(bytes: &[u8]) -> (u8, String) {
    let (first, rest) = bytes.split_first().unwrap_or((&0, &[]));
    (*first, String::from_utf8_lossy(rest).into_owned())
}

fn format(choice: u8) -> Format {
    if choice & 1 == 0 { Format::Toml } else { Format::Json }
}

/// All files of that ending in a folder of the repository, after the byte that chooses their format.
fn files(folder: &str, ending: &str, choice: u8) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(folder);
    let entries = fs::read_dir(&folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    let mut paths: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|e| e == ending));
    paths.sort();
    paths.iter().map(|path| [&[choice], &fs::read(path).unwrap()[..]].concat()).collect()
}

/// Files that are small enough to be changed quickly.
fn small(mut files: Vec<Vec<u8>>) -> Vec<Vec<u8>> {
    files.retain(|file| file.len() < 3000);
    files
}

/// TOML and the same as JSON.
fn both(toml: Vec<Vec<u8>>) -> Vec<Vec<u8>> {
    let json = |file: &Vec<u8>| {
        let value: serde_json::Value = toml::from_str(std::str::from_utf8(&file[1..]).ok()?).ok()?;
        Some([&[file[0] | 1], &serde_json::to_vec(&value).ok()?[..]].concat())
    };
    let others: Vec<_> = toml.iter().filter_map(json).collect();
    [toml, others].concat()
}

/// Reads a contact file, as text or as HDF5, and solves what it holds if that is small; what comes back from our own
/// text is the same.
pub fn contact(bytes: &[u8]) {
    let file = match bytes.starts_with(b"\x89HDF") {
        true => read_fclib("file", bytes.to_vec()).ok().map(ContactFile::Friction),
        false => read_dat("file", bytes).ok(),
    };
    let Some(file) = file else { return };
    let mut text = Vec::new();
    write_dat(&file, &mut text).unwrap();
    assert_eq!(read_dat("again", &text[..]).unwrap(), file);
    let ContactFile::Friction(problem) = file else { return };
    if problem.contacts() <= LARGEST {
        let limits = Limits { iterations: Some(200), ..Limits::default() };
        let mut r = Vec::new();
        if let Ok(report) = solve(&problem, &ContactSettings::default(), &mut Budget::new(&limits), &mut r) {
            let solved = report.status == SolveStatus::Solved;
            assert!(!solved || report.residual.worst() <= 1e-8 && r.iter().all(|r| r.is_finite()));
        }
    }
}

/// Contacts in the plane and in space, a complementarity problem, an HDF5 file.
pub fn contact_seeds() -> Vec<Vec<u8>> {
    let made = |kind, contacts| ContactFile::Friction(generate(kind, contacts, 0.3, 1));
    let mut seeds: Vec<Vec<u8>> = [made(Kind::Disks, 3), made(Kind::Wall, 4)]
        .iter()
        .map(|file| {
            let mut text = Vec::new();
            write_dat(file, &mut text).unwrap();
            text
        })
        .collect();
    seeds.push(b"3\n0\n3\n3\n3 3\n2 1 0\n1 2 0\n0 0 1\n-5 -6 1\n".to_vec());
    seeds.push(b"2\n1\n2\n2\n2\n2\nCSparse\n2-by-2, nzmax: 2\ncol 0 : locations 0 to 0\n0 : 4\ncol 1 : locations 1 to 1\n1 : 3\n-1.0 0.5\n0.2\n".to_vec());
    seeds.push(write_fclib(&generate(Kind::Disks, 2, 0.3, 1), "seed").unwrap());
    seeds
}

/// Reads a problem file and resolves what it holds.
pub fn problem(bytes: &[u8]) {
    let (choice, text) = choice_and_text(bytes);
    let options = ReadOptions { without_friction: choice & 2 != 0, ..ReadOptions::default() };
    is_scenario(&text, format(choice));
    let document = match read_problems(&text, "file", format(choice), &options) {
        Ok(document) => document,
        Err(error) => return assert!(!error.to_string().is_empty()),
    };
    for entry in document.entries.iter().take(2).filter(|e| e.problem.rows() <= LARGEST) {
        let mut law = entry.law.clone().unwrap_or_else(|| any_law(usize::from(choice >> 2)));
        if let LawSpec::Lzb(lzb) = &mut law {
            lzb.max_steps = Some(lzb.max_steps.unwrap_or(500).min(500));
        }
        resolve::ask(&entry.problem, &law, &Options::default());
    }
}

pub fn problem_seeds() -> Vec<Vec<u8>> {
    both(small(files("crates/delassus-cli/examples", "toml", 0)))
}

/// Reads a scenario file, writes it in full, reads that again and takes some steps.
pub fn scenario(bytes: &[u8]) {
    let (choice, text) = choice_and_text(bytes);
    let load = |name: &str| match name.len() % 3 {
        0 => Err("no such file".to_owned()),
        _ => Ok("NPTS= 4, DT= .01 SEC\n0.1 -0.2 .3E-1 0\n".to_owned()),
    };
    let document = match read_scenarios(&text, "file", format(choice), &load) {
        Ok(document) => document,
        Err(error) => return assert!(!error.to_string().is_empty()),
    };
    for entry in document.entries.iter().take(2) {
        let Ok(built) = entry.scenario.build() else { continue };
        if let Ok(expanded) = write_expanded(entry) {
            let again = read_scenarios(&expanded, "again", Format::Toml, &load);
            let again = again.unwrap_or_else(|e| panic!("what was written is not read: {e}\n{expanded}"));
            assert!(again.entries[0].scenario.build().is_ok(), "what was written is not built:\n{expanded}");
        }
        if built.q.len() <= 3 * LARGEST {
            let law = entry.law.clone().unwrap_or_else(|| any_law(usize::from(choice >> 2)));
            scene::steps(&built, &law, 10);
        }
    }
}

pub fn scenario_seeds() -> Vec<Vec<u8>> {
    both(small([files("scenarios", "toml", 0), files("scenarios/space", "toml", 0)].concat()))
}

/// Reads a record of a ground motion.
pub fn record(bytes: &[u8]) {
    let (choice, text) = choice_and_text(bytes);
    let name = ["motion.AT2", "motion.csv", "motion.asc", "motion"][usize::from(choice) % 4];
    let Ok(mut records) = read_records(name, &text) else { return };
    let data = records.pop().expect("a file without a record");
    assert!(data.acceleration.iter().all(|a| a.is_finite()), "an acceleration that is not finite");
    let unit = if choice & 4 == 0 { None } else { Some(AccelerationUnit::G) };
    let interval = if choice & 8 == 0 { None } else { Some(0.01) };
    let Ok(settled) = data.settle(unit, interval) else { return };
    let Ok(record) = settled.record(name) else { return };
    let time = record.duration();
    assert!(time >= 0.0 && time.is_finite(), "a record of {time} s");
    for t in [0.0, 0.3 * time, time, 2.0 * time] {
        assert!(record.at(t).iter().all(|v| v.is_finite()), "not finite at {t}: {:?}", record.at(t));
    }
    record.summary().doubts();
}

pub fn record_seeds() -> Vec<Vec<u8>> {
    // Sixteen lines of text, ten of numbers, then three blocks; one number each.
    let numbers = |at: usize, value: &str| {
        (0..10).map(|k| format!("{:>8}", if k == at { value } else { "1" })).collect::<String>()
    };
    let header = (0..10).map(|k| numbers(5, if k == 6 { "0.01" } else { "1" })).collect::<Vec<_>>().join("\n");
    let text = "Component Up, mm/s/s\n".repeat(15);
    let geonet = format!("Corrected accelerogram\n{text}{header}\n  -500.0\n     1.0\n     2.0\n");
    let texts = [
        "PEER NGA STRONG MOTION DATABASE RECORD\nSomewhere\nACCELERATION TIME SERIES IN UNITS OF G\n\
         NPTS=   7, DT=   .0050 SEC,\n  -.43E-03  .12E-02 0.5 1 2\n .1 .2\n*** End Data ***\n",
        "7 0.0050 NPTS, DT\n1 2 3 4 5 6 7\n",
        "time,acc_g\n0.0,0.1\n0.01,-0.2\n0.02,0.3\n",
        "# comment\n0.0 1.0\n0.5 2.0\n1.0 -1.0\n",
        "0.1\n0.2\n-0.3\n",
        &geonet,
        "EVENT_NAME: X\nSAMPLING_INTERVAL_S: 0.005\nNDATA: 3\nUNITS: cm/s^2\n1.0\n2.0\n3.0\n",
    ];
    let choices = |text: &str| (0..16).map(|k| [&[k], text.as_bytes()].concat()).collect::<Vec<_>>();
    texts.map(choices).concat()
}

/// Keys of parameters and names of measures, for a problem and a short form.
pub fn parameter(bytes: &[u8]) {
    let (choice, text) = choice_and_text(bytes);
    let (first, rest) = text.split_once('\n').unwrap_or((&text, ""));
    let (second, measure) = rest.split_once('\n').unwrap_or((rest, "energy"));
    let source = match choice & 1 {
        0 => ProblemSource::Rod(RodImpact::default()),
        _ => {
            let problem = "mass = [1.0, 2.0]\nvelocity = [-1.0, 0.5]\n[[contact]]\nname = \"C\"\nnormal = [1.0, 0.2]\n\
                           tangent = [0.0, 1.0]\nfriction = 0.3\nrestitution = 0.5\n";
            let drafts = delassus_io::parse_problems(problem, "file", Format::Toml).unwrap();
            let checker = drafts.checker(&ReadOptions::default());
            checker.source(drafts.problems.into_iter().next().unwrap()).unwrap().0
        }
    };
    let laws = LawSpec::all().into_iter().take(1 + usize::from(choice >> 1) % 2).collect::<Vec<_>>();
    let case = Case::new(source, laws);
    let (Ok(x), Ok(y)) = (Parameter::parse(first, &case), Parameter::parse(second, &case)) else { return };
    let Ok(measure) = Measure::parse(measure, &case) else { return };
    let Ok(mut probe) = Probe::new(case, [x, y], measure) else { return };
    for (x, y) in [(0.0, 0.0), (0.5, -1.0), (-1e9, 1e9), (f64::NAN, 0.0)] {
        let reading = probe.read(x, y);
        assert!(!probe.name(reading.regime).is_empty());
    }
}

pub fn parameter_seeds() -> Vec<Vec<u8>> {
    let texts = [
        "rod.angle\nrod.velocity_ratio\nstate",
        "rod.friction\nrod.restitution\nenergy",
        "\u{1}velocity[0]\ncontact.C.friction\ngamma:C.friction",
        "\u{1}contact[*].restitution\nmass[1]\nimpulse:C",
        "\u{3}contact[0].normal[1]\nvelocity[1]\ndifference",
        "\u{1}contact.C.tangent[0]\ncontact[0].friction\nvelocity[0]",
        "law.restitution\nrod.friction\ntheorem",
    ];
    let with_choice = |text: &str| match text.starts_with(['\u{1}', '\u{3}']) {
        true => text.as_bytes().to_vec(),
        false => [b"\0", text.as_bytes()].concat(),
    };
    texts.map(with_choice).to_vec()
}

/// Expressions of time.
pub fn expression(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    if let Ok(expression) = Expression::parse(&text) {
        for t in [0.0, 0.5, -1.0, 1e9, 1e-300] {
            let value = expression.at(t);
            if expression.is_constant() {
                assert!(value.to_bits() == expression.at(0.0).to_bits() || value.is_nan(), "{text}");
            }
        }
        let again = Expression::parse(&expression.to_string());
        let again = again.unwrap_or_else(|e| panic!("{text:?} is written as {expression}: {e}"));
        let (one, two) = (expression.at(0.7), again.at(0.7));
        assert!(one == two || one.is_nan() && two.is_nan(), "{text:?} and {expression} differ");
    }
}

pub fn expression_seeds() -> Vec<Vec<u8>> {
    let texts = [
        "3*sin(2*pi*t) - 0.5",
        "step(t-1)*exp(-t)^2/(1+t)",
        "-2^-t + abs(sign(t)) * sqrt(ln(3))",
        "1e-3*cos(t)*tan(t)",
        "((((t))))",
    ];
    texts.map(|text| text.as_bytes().to_vec()).to_vec()
}

/// Tables `[law]`.
pub fn law(bytes: &[u8]) {
    let (choice, text) = choice_and_text(bytes);
    let table: Option<LawTable> = match format(choice) {
        Format::Toml => toml::from_str(&text).ok(),
        Format::Json => serde_json::from_str(&text).ok(),
    };
    if let Some(Ok(spec)) = table.map(|table| table.spec()) {
        assert!(LawSpec::by_name(spec.name()).is_some());
    }
}

pub fn law_seeds() -> Vec<Vec<u8>> {
    let texts = [
        "name = \"moreau\"\nrestitution = 0.5",
        "name = \"lzb\"\nexponent = 1.5\nkeep_gaps = true\ntolerance = 1e-9\nmax_steps = 100",
        "name = \"kinematic\"\nrestitution_matrix = [[0.5, 0.1], [0.0, 0.2]]\ntangential_matrix = [[1.0]]",
        "name = \"kinematic\"\nform = \"half-rocking\"\nrestitution = 0.3",
        "name = \"stronge\"\nstiffness_ratio = 1.21",
        "name = \"sequential\"\norder = \"listed\"",
        "name = \"poisson\"",
    ];
    both(texts.map(|text| [b"\0", text.as_bytes()].concat()).to_vec())
}

/// One of all laws.
pub fn any_law(choice: usize) -> LawSpec {
    let mut laws = LawSpec::all();
    laws.swap_remove(choice % laws.len())
}
