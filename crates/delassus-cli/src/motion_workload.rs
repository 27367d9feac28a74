//! Simulations to measure.

use delassus::scenario::Built;
use delassus::simulate::{Control, simulate};
use delassus::{ImpactError, LawSpec};
use delassus_io::{Format, read_scenarios};
use rayon::prelude::*;

const BALL: &str = include_str!("../../../scenarios/bouncing-ball.toml");
const BLOCK: &str = include_str!("../../../scenarios/rocking-block.toml");

/// Motions that are computed together.
pub struct Motion {
    /// What it is.
    pub name: String,
    runs: Vec<Built>,
    law: LawSpec,
}

impl Motion {
    /// The motions that are measured.
    pub fn all() -> Result<Vec<Self>, ImpactError> {
        let (ball, newton) = scenario(BALL)?;
        let (block, lzb) = scenario(BLOCK)?;
        let mut many = Vec::new();
        for i in 0..1000 {
            let mut one = block.clone();
            // No two alike, all within what stays on its feet.
            one.q[0] += 1e-3 * f64::from(i);
            one.u[2] += 1e-4 * f64::from(i % 10);
            many.push(one);
        }
        let motion = |name: &str, runs, law: &LawSpec| Self { name: name.to_owned(), runs, law: law.clone() };
        Ok(vec![
            motion("bouncing ball, 10 s, newton", vec![ball], &newton),
            motion("rocking block with friction, 10 s, lzb", vec![block], &lzb),
            motion("1000 rocking blocks as a batch, lzb", many, &lzb),
        ])
    }

    /// Runs all of them once and counts the runs.
    pub fn run(&self) -> Result<usize, ImpactError> {
        let one = |built: &Built| {
            let Built { system, q, u, settings, until } = built;
            let run = simulate(system, q, u, &self.law, settings, until, &mut |_| Control::Continue)?;
            Ok(usize::from(run.end.is_regular()))
        };
        match &self.runs[..] {
            [single] => one(single),
            many => many.par_iter().map(one).sum(),
        }
    }
}

/// An embedded scenario over 10 s, and its law.
fn scenario(text: &str) -> Result<(Built, LawSpec), ImpactError> {
    let document = read_scenarios(text, "", Format::Toml, &|_| Err(String::new())).map_err(|e| e.error)?;
    let entry = &document.entries[0];
    let mut scenario = entry.scenario.clone();
    scenario.until.time = Some(10.0);
    let law = entry.law.clone().ok_or_else(|| ImpactError::missing("law", "", "is missing"))?;
    Ok((scenario.build()?, law))
}
