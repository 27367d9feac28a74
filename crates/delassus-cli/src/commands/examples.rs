//! `delassus examples`.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use crate::failure::{Failure, known_words};
use crate::output::{refuse_directory, refuse_existing, write_whole};

/// List, print or write the embedded example files
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  delassus examples                    list them
  delassus examples block              print one
  delassus examples cradle > c.toml    a scenario, for delassus run
  delassus examples --write .          write all of them here
  delassus examples kane --write DIR   write one")]
pub struct Args {
    /// Name of an example, with or without .toml
    name: Option<String>,
    /// Write to this directory instead of printing
    #[arg(long, value_name = "DIR")]
    write: Option<PathBuf>,
    /// Replace files that exist
    #[arg(long, requires = "write")]
    force: bool,
}

/// File name, what it is, content.
type Example = (&'static str, &'static str, &'static str);

macro_rules! examples {
    ($name:ident in $folder:literal: $($file:literal: $about:literal,)*) => {
        const $name: &[Example] = &[$(($file, $about, include_str!(concat!($folder, $file))),)*];
    };
}

examples! {
    PROBLEMS in "../../examples/":
    "kane.toml": "Kane's double pendulum strikes the ground: Newton's law gains energy",
    "block.toml": "a rocking block lands on one corner while the other one rests",
    "chain3.toml": "three balls in a row, the first one strikes",
    "stack.toml": "two stacked bodies fall on the ground",
    "rod.toml": "a slender rod falls on its tip, with friction",
    "clutch.toml": "slide-push mechanism with a one-way clutch",
    "sphere.toml": "a sphere strikes obliquely, in space: three angles with measured values",
    "table.toml": "a four-legged table lands, in space, with redundant contacts",
    "dimer.toml": "two balls on a rod come down with both ends at once",
    "foot.toml": "a robot's foot comes down with heel and toe, with friction",
    "cube.toml": "a cube lands on its four corners, in space, sliding and spinning",
    "rod_impact.toml": "the rod in named quantities, for delassus map",
    "block_impact.toml": "the rocking block in named quantities, for delassus map",
}

examples! {
    SCENARIOS in "../../../../":
    "scenarios/rocking-block.toml": "a block rocks on its corners until it rests, under lzb with friction",
    "scenarios/housner-block.toml": "a slender block that does not slide, as Housner had it",
    "scenarios/block-on-slope.toml": "a block slides up a slope, stops and stays",
    "scenarios/pulse.toml": "a slender block under one period of a cosine: which strength overturns it?",
    "scenarios/earthquake.toml": "a statue under a horizontal and a vertical record",
    "scenarios/bouncing-ball.toml": "infinitely many bounces in finite time",
    "scenarios/stack.toml": "three boxes on each other on a ground that shakes",
    "scenarios/rod.toml": "a rod turns about its end, which begins to slide",
    "scenarios/double-pendulum.toml": "Kane's double pendulum strikes the ground",
    "scenarios/slider-crank.toml": "crank, slider, one-way clutch, spring and a stop",
    "scenarios/cradle.toml": "Newton's cradle, five hanging balls",
    "scenarios/chain.toml": "a ball strikes a row of nine that touch",
    "scenarios/tapered-chain.toml": "a row of ever lighter balls in front of a wall",
    "scenarios/dimer.toml": "two disks on a bar bounce on a vibrating table",
    "scenarios/records/synthetic-east.AT2": "a ground acceleration for earthquake.toml (synthetic)",
    "scenarios/records/synthetic-up.AT2": "a ground acceleration for earthquake.toml (synthetic)",
}

examples! {
    IN_SPACE in "../../../../":
    "scenarios/space/cube-on-floor.toml": "a cube thrown on the floor",
    "scenarios/space/rocking-block.toml": "a block with depth rocks and walks about",
    "scenarios/space/block-lzb.toml": "a block with depth under lzb with friction, by exact events",
    "scenarios/space/coin.toml": "a coin spun on its edge comes down",
    "scenarios/space/coin-rolling.toml": "a coin rolls round in a circle",
    "scenarios/space/sliding-sphere.toml": "a sphere slides, then rolls",
    "scenarios/space/balls-and-cushion.toml": "three balls on a table with a cushion, by exact events",
    "scenarios/space/billiard-break.toml": "a ball breaks a triangle of six that touch",
    "scenarios/space/cradle.toml": "Newton's cradle with strings",
    "scenarios/space/foot.toml": "a foot lands on an edge and stands",
    "scenarios/space/shaken-stack.toml": "a stack of slabs on a table shaken in two directions",
    "scenarios/space/arch.toml": "a masonry arch carries its own weight",
    "scenarios/space/bead-column.toml": "a column of beads comes to rest layer by layer",
    "scenarios/space/packing.toml": "balls of different sizes poured into a box, in five lines",
    "scenarios/space/spheres-in-a-box.toml": "spheres poured into a box",
    "scenarios/space/disks-in-a-box.toml": "disks poured into a box, in the plane, by time-stepping",
    "scenarios/space/terrain.toml": "stones and balls roll down a hill",
}

/// Kane's double pendulum.
pub const KANE: &str = PROBLEMS[0].2;

/// The records that scenarios name, by their names beside these.
pub fn records() -> impl Iterator<Item = (&'static str, &'static str)> {
    let beside = |(name, _, text): &Example| Some((name.strip_prefix("scenarios/")?, *text));
    SCENARIOS.iter().filter_map(beside).filter(|(name, _)| name.starts_with("records/"))
}

/// All of them, problems first.
fn all() -> impl Iterator<Item = Example> {
    PROBLEMS.iter().chain(SCENARIOS).chain(IN_SPACE).copied()
}

/// What to make of the answers to [`KANE`], and where to go from there.
pub const KANE_EPILOGUE: &str = "
Why does Newton's answer gain energy? Newton's law fixes the normal velocity after the impact at 0.5
times the approach and takes whatever impulses that needs. The pendulum couples normal and tangential
directions so strongly that friction has to push the tip along the direction in which it slid: its
impulse and the velocity before have the same sign, and it does +0.392 J of work, more than the
0.229 J that the normal impulse takes out. Newton's law is safe only with equal coefficients; here
they are 0.5 (normal) and 0 (tangential). Poisson's law returns half of the normal impulse, not of
the velocity, and loses energy. (For one contact, kinematic and sequential are Newton's law again.)

What to try next:
  delassus examples --write .                      the examples as files, this one is kane.toml
  delassus impact kane.toml --law poisson --json   everything that is known about one answer
  delassus impact --help
";

/// Runs the command.
pub fn run(args: &Args) -> Result<ExitCode, Failure> {
    let chosen: Vec<Example> = match &args.name {
        Some(name) => vec![find(name)?],
        None => all().collect(),
    };
    let mut out = std::io::stdout().lock();
    if let Some(directory) = &args.write {
        let there = |path: &Path, content: &str| std::fs::read(path).is_ok_and(|bytes| bytes == content.as_bytes());
        for (file, _, content) in &chosen {
            let path = directory.join(file);
            refuse_directory(&path)?;
            refuse_existing(&path, args.force || there(&path, content))?;
        }
        for (file, _, content) in &chosen {
            let path = directory.join(file);
            let folder = path.parent().unwrap_or(directory);
            std::fs::create_dir_all(folder)
                .map_err(|e| Failure::Input(format!("{}: cannot create: {e}", folder.display())))?;
            if there(&path, content) {
                writeln!(out, "{} is there already", path.display())?;
            } else {
                write_whole(&path, content.as_bytes(), args.force)?;
                writeln!(out, "wrote {}", path.display())?;
            }
        }
    } else if args.name.is_some() {
        out.write_all(chosen[0].2.as_bytes())?;
    } else {
        let mut list = |title: &str, examples: &[Example]| -> std::io::Result<()> {
            writeln!(out, "{title}:")?;
            let listed = examples.iter().filter(|(file, ..)| file.ends_with(".toml"));
            let width = listed.clone().map(|(file, ..)| file.len()).max().unwrap_or(0);
            for (file, about, _) in listed {
                writeln!(out, "  {file:width$}  {about}")?;
            }
            Ok(())
        };
        list("Problems, for delassus impact FILE", PROBLEMS)?;
        list("\nScenarios in the plane, for delassus run FILE", SCENARIOS)?;
        list("\nScenarios in space, for delassus run FILE", IN_SPACE)?;
        writeln!(out, "\ndelassus examples NAME prints one, --write DIR writes them.")?;
    }
    Ok(ExitCode::SUCCESS)
}

/// By file name with or without folder and ending; a problem goes before a scenario of the same name.
fn find(name: &str) -> Result<Example, Failure> {
    let full = |example: &Example| example.0.trim_end_matches(".toml");
    let short = |example: &Example| full(example).rsplit('/').next().unwrap_or_default();
    let stem = name.strip_suffix(".toml").unwrap_or(name);
    if let Some(example) = all().find(|e| full(e) == stem).or_else(|| all().find(|e| short(e) == stem)) {
        return Ok(example);
    }
    let stems: Vec<&str> =
        all().filter(|e| e.0.ends_with(".toml")).map(|(file, ..)| file.trim_end_matches(".toml")).collect();
    Err(Failure::Input(format!("no example '{name}'{}", known_words(stem, &stems))))
}
