//! The readers of tables: measured impacts, comma-separated values, Parquet, and the ranges of sweeps.

use delassus::{ImpactProblem, Options};
use delassus_io::{ColumnKind, Table, csv_to_parquet, is_parquet, parquet_to_csv, read_measured};
use delassus_study::sweep::{Input, Plan, Sampling, Vary};

use crate::readers::{LARGEST, any_law, choice_and_text};
use crate::resolve;

/// Reads measured impacts and resolves the first ones.
pub fn measured(bytes: &[u8]) {
    let (choice, text) = choice_and_text(bytes);
    let impacts = match read_measured(&text, "file") {
        Ok(impacts) => impacts,
        Err(error) => return assert!(!error.to_string().is_empty()),
    };
    for (data, after) in impacts.into_iter().take(2) {
        assert!(after.iter().all(|v| v.is_finite()), "a velocity after the impact that is not finite");
        if let Ok(problem) = ImpactProblem::new(data)
            && problem.rows() <= LARGEST
        {
            resolve::ask(&problem, &any_law(usize::from(choice)), &Options::default());
        }
    }
}

pub fn measured_seeds() -> Vec<Vec<u8>> {
    let texts = [
        "# two impacts of a ball\nname,mass[0],mass[1],velocity[0],velocity[1],after[0],after[1],contact.floor.normal[0],\
         contact.floor.normal[1],contact.floor.tangent[0],contact.floor.tangent[1]\nfirst,1,1,0.5,-1,0.4,0.8,0,1,1,0\n\
         second,1,1,1,-2,0.8,1.5,0,1,1,0\n",
        "mass[0][0],mass[0][1],mass[1][0],mass[1][1],velocity[0],velocity[1],after[0],after[1],contact.A.normal[0],\
         contact.A.normal[1]\n2,0.5,0.5,1,-1,0,1,0.5,1,0\n",
        "[{\"name\": \"first\", \"mass\": [1, 1], \"velocity\": [0.5, -1], \"after\": [0.4, 0.8], \"contact\": [{\"name\": \
         \"floor\", \"normal\": [0, 1], \"tangent\": [1, 0]}]}]",
    ];
    texts.map(|text| [b"\x01", text.as_bytes()].concat()).to_vec()
}

/// Reads a table: Parquet, or text that becomes Parquet and text again.
pub fn table(bytes: &[u8]) {
    if is_parquet(bytes) {
        if let Ok(read) = parquet_to_csv(bytes) {
            round_trip(&read.text, &read.kinds);
        }
        return;
    }
    let text = String::from_utf8_lossy(bytes);
    if let Ok(table) = Table::read(&text) {
        for column in 0..table.names.len() {
            if let Ok(numbers) = table.numbers(column) {
                assert!(numbers.iter().all(|v| v.is_finite() || v.is_nan()));
            }
        }
        round_trip(&text, &vec![ColumnKind::Word; table.names.len()]);
        round_trip(&text, &vec![ColumnKind::Number; table.names.len()]);
    }
}

/// What is written as Parquet is read as it was written.
fn round_trip(text: &str, kinds: &[ColumnKind]) {
    let Ok(file) = csv_to_parquet(text, kinds) else { return };
    let once = parquet_to_csv(&file).unwrap_or_else(|e| panic!("what was written is not read: {e}\n{text}"));
    let again = csv_to_parquet(&once.text, &once.kinds).unwrap_or_else(|e| panic!("{e}\n{}", once.text));
    assert_eq!(parquet_to_csv(&again).unwrap(), once);
}

pub fn table_seeds() -> Vec<Vec<u8>> {
    let texts = [
        "# a comment\ncase,tilt,end\n0,0.5,at-rest\n1,,\n2,-1e-300,\"a, b\"\n",
        "time,angle\n0,0.1\n0.01,0.098\n0.02,0.09\n",
        "a\n1\n",
    ];
    let kinds = [ColumnKind::Whole, ColumnKind::Number, ColumnKind::Word];
    let mut seeds: Vec<Vec<u8>> = texts.iter().map(|text| text.as_bytes().to_vec()).collect();
    seeds.extend(csv_to_parquet(texts[0], &kinds));
    seeds.extend(csv_to_parquet(texts[1], &[ColumnKind::Number; 2]));
    seeds
}

/// Reads what a sweep varies, a line each, and draws some cases.
pub fn sweep(bytes: &[u8]) {
    let (choice, text) = choice_and_text(bytes);
    let Ok(vary) = text.lines().map(Vary::parse).collect::<Result<Vec<_>, _>>() else { return };
    let sampling = if choice & 1 == 0 { Sampling::Sobol } else { Sampling::Random };
    let samples = if choice & 2 == 0 { None } else { Some(1 + usize::from(choice >> 2)) };
    let Ok(plan) = Plan::new(vary, samples, sampling, 7) else { return };
    let last = plan.cases().saturating_sub(1);
    for case in [0, last / 2, last] {
        let inputs = plan.inputs(case);
        assert_eq!(inputs.len(), plan.vary().len());
        assert_eq!(inputs, plan.inputs(case), "a case is the same each time");
        assert!(inputs.iter().all(|input| !matches!(input, Input::Number(v) if v.is_nan())), "{text}: {inputs:?}");
    }
}

pub fn sweep_seeds() -> Vec<Vec<u8>> {
    let texts = [
        "\u{0}friction=0:1:3\nlaw=lzb,newton",
        "\u{0}friction=0.3,0.1\nrocking_block.angle=log:0.01:0.4:20",
        "\u{12}friction=uniform:0:1\nrestitution=normal:0.5:0.1\nmass=lognormal:1:0.3",
        "\u{13}friction=loguniform:0.1:1\nangle=-30deg:30deg:7",
        "\u{0}ground.motion.file=a:b.csv,c.AT2",
    ];
    texts.map(|text| text.as_bytes().to_vec()).to_vec()
}
