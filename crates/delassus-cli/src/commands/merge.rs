//! `delassus merge`.

use std::path::PathBuf;
use std::process::ExitCode;

use super::sweep::{Part, as_parquet, is_parquet_name};
use crate::failure::Failure;
use crate::input::read_data;
use crate::output::{refuse_file, write_whole};

/// Put the parts of a sweep together
///
/// The parts are those of `delassus sweep … --shard K/N`, in any order, as CSV or as Parquet. The result has
/// the same bytes as the sweep in one piece.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub struct Args {
    /// All parts of one sweep
    #[arg(value_name = "PART", required = true)]
    parts: Vec<PathBuf>,
    /// File for the whole: .csv, or .parquet if the parts are
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Replace the file if it exists
    #[arg(long)]
    force: bool,
}

const AFTER_HELP: &str = "\
Example, on two machines and then on one:
  delassus sweep block.toml --vary rocking_block.angle=0.01:0.3:1000 --measure tilt \\
      --shard 1/2 --out part1.csv
  delassus sweep block.toml --vary rocking_block.angle=0.01:0.3:1000 --measure tilt \\
      --shard 2/2 --out part2.csv
  delassus merge part1.csv part2.csv --out sweep.csv";

/// Runs the command.
pub fn run(args: &Args) -> Result<ExitCode, Failure> {
    refuse_file(&args.out, args.force)?;
    let (mut names, mut texts, mut kinds) = (Vec::new(), Vec::new(), None);
    for path in &args.parts {
        let (name, data) = read_data(path)?;
        if is_parquet_name(&args.out) && data.kinds.is_none() {
            let problem = "is CSV, which does not say what its columns are; give --out a name that ends in .csv";
            return Err(Failure::Input(format!("{name}: {problem}")));
        }
        kinds = data.kinds.or(kinds);
        texts.push(data.text);
        names.push(name);
    }
    let whole = merge(&names, &texts).map_err(Failure::Input)?;
    match kinds.filter(|_| is_parquet_name(&args.out)) {
        Some(kinds) => write_whole(&args.out, &as_parquet(&whole, &kinds)?, args.force)?,
        None => write_whole(&args.out, whole.as_bytes(), args.force)?,
    }
    anstream::println!("{} cases in {}", whole.lines().count() - 1, args.out.display());
    Ok(ExitCode::SUCCESS)
}

/// The whole table, or what does not fit.
fn merge(names: &[String], texts: &[String]) -> Result<String, String> {
    let mut first: Option<(Part, &str)> = None;
    let mut rows: Vec<Option<&str>> = Vec::new();
    let mut seen: Vec<usize> = Vec::new();
    for (name, text) in names.iter().zip(texts) {
        let (part, table) = Part::read(text).ok_or_else(|| {
            format!("{name}: is no part of a sweep; parts are made by delassus sweep … --shard K/N --out PART.csv")
        })?;
        let (head, lines) = table.split_once('\n').ok_or_else(|| format!("{name}: has no table"))?;
        let (one, common) = *first.get_or_insert((part, head));
        if (one.of, one.total, one.study) != (part.of, part.total, part.study) || common != head {
            return Err(format!("{name}: is a part of another sweep than {}", names[0]));
        }
        if seen.contains(&part.index) {
            return Err(format!("{name}: part {} of {} is given twice", part.index, part.of));
        }
        seen.push(part.index);
        rows.resize(part.total, None);
        for (k, line) in lines.split_inclusive('\n').enumerate() {
            let case = line.split(',').next().and_then(|word| word.parse::<usize>().ok());
            let place = case.filter(|case| part.holds(*case) && line.ends_with('\n')).and_then(|c| rows.get_mut(c));
            match place {
                Some(row) if row.is_none() => *row = Some(line),
                _ => return Err(format!("{name}: row {} of the table is no row of this part", k + 1)),
            }
        }
    }
    let Some((part, head)) = first else { return Err("no parts".to_owned()) };
    let missing: Vec<String> = (1..=part.of).filter(|k| !seen.contains(k)).map(|k| k.to_string()).collect();
    if !missing.is_empty() {
        return Err(format!("part {} of {} is missing", missing.join(", "), part.of));
    }
    let mut whole = format!("{head}\n");
    for (case, row) in rows.into_iter().enumerate() {
        whole.push_str(row.ok_or_else(|| format!("case {case} is in none of the parts"))?);
    }
    Ok(whole)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(of: usize, total: usize) -> Vec<String> {
        let part = |index| {
            let part = Part { index, of, total, study: 1 };
            let rows = (0..total).filter(|case| part.holds(*case)).map(|case| format!("{case},x\n"));
            format!("{}case,a\n{}", part.first_line(), rows.collect::<String>())
        };
        (1..=of).map(part).collect()
    }

    fn merged(texts: &[String]) -> Result<String, String> {
        let names: Vec<String> = (0..texts.len()).map(|k| format!("part{k}")).collect();
        merge(&names, texts)
    }

    #[test]
    fn any_order_gives_the_whole_and_nothing_else_does() {
        let mut three = parts(3, 8);
        let whole = merged(&three).unwrap();
        assert_eq!(whole, "case,a\n0,x\n1,x\n2,x\n3,x\n4,x\n5,x\n6,x\n7,x\n");
        three.reverse();
        assert_eq!(merged(&three).unwrap(), whole);
        assert!(merged(&three[..2]).unwrap_err().contains("part 1 of 3 is missing"));
        three[1] = three[0].clone();
        assert!(merged(&three).unwrap_err().contains("given twice"));
        three[1] = parts(3, 9)[1].clone();
        assert!(merged(&three).unwrap_err().contains("another sweep"));
        let mut torn = parts(3, 8);
        torn[0] = torn[0].trim_end().to_owned();
        assert!(merged(&torn).unwrap_err().contains("no row of this part"));
        torn[0] = torn[0].replace("\n6,x", "\n");
        assert!(merged(&torn).unwrap_err().contains("case 6"), "{:?}", merged(&torn));
        assert!(merged(&["case,a\n0,x\n".to_owned()]).unwrap_err().contains("no part"));
    }
}
