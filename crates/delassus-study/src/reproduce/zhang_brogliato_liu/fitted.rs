//! Fig. 12: dispersion computed from fitted parameters of measured blocks.
//!
//! The paper takes the parameters from a report and prints neither them nor the measurements; the
//! procedure runs on a table that the reader supplies.

use delassus::simulate::Until;

use super::block::{Block, cos_kinetic_angle};
use super::motion::DISPERSION;
use crate::reproduce::numeric::{largest, linspace, with_jumps};
use crate::reproduce::{Findings, StudyError, Table};
use delassus_figure::{Axis, Dash, Figure, Panel, Series};

/// A measured block with its fitted parameters.
#[derive(Debug, Clone, PartialEq)]
pub struct FittedBlock {
    /// Aspect ratio l/L.
    pub aspect: f64,
    /// Kinetic friction μ.
    pub friction: f64,
    /// Static friction μ_s.
    pub friction_static: f64,
    /// Energetic restitution e.
    pub restitution: f64,
    /// Measured |d|; absent: computed only.
    pub dispersion: Option<f64>,
    /// Uncertainty of the measured |d|.
    pub uncertainty: f64,
}

/// Columns of the table.
const COLUMNS: [&str; 6] = ["aspect", "friction", "friction_static", "restitution", "dispersion", "uncertainty"];
/// Uncertainty of a measurement that gives none.
const UNCERTAINTY: f64 = 0.05;

impl FittedBlock {
    /// Reads comma-separated values with a line of column names: aspect, friction,
    /// friction_static, restitution, and optionally dispersion and uncertainty.
    ///
    /// # Errors
    /// The line and column of a value that is missing, no number or out of range.
    pub fn read(text: &str) -> Result<Vec<FittedBlock>, StudyError> {
        let mut lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
        let (_, head) = lines.next().ok_or_else(|| StudyError::new("the table is empty"))?;
        let names: Vec<&str> = head.split(',').map(str::trim).collect();
        if let Some(name) = names.iter().find(|name| !COLUMNS.contains(name)) {
            return Err(StudyError::new(format!("unknown column '{name}'; allowed: {}", COLUMNS.join(", "))));
        }
        let mut blocks = Vec::new();
        for (number, line) in lines {
            let fields: Vec<&str> = line.split(',').map(str::trim).collect();
            let get = |name: &str| match names.iter().position(|n| *n == name).and_then(|k| fields.get(k)) {
                None | Some(&"") => Ok(None),
                Some(field) => match field.parse::<f64>() {
                    Ok(value) if value.is_finite() => Ok(Some(value)),
                    _ => Err(StudyError::new(format!("line {}: {name} = '{field}' is no number", number + 1))),
                },
            };
            let need = |name: &str, from: f64, to: f64| match get(name)? {
                Some(value) if (from..=to).contains(&value) => Ok(value),
                Some(value) => {
                    Err(StudyError::new(format!("line {}: {name} = {value} must lie in [{from}, {to}]", number + 1)))
                }
                None => Err(StudyError::new(format!("line {}: {name} is missing", number + 1))),
            };
            let friction = need("friction", 0.0, 100.0)?;
            blocks.push(FittedBlock {
                aspect: need("aspect", 0.01, 100.0)?,
                friction,
                friction_static: need("friction_static", friction, 100.0)?,
                restitution: need("restitution", 0.0, 1.0)?,
                dispersion: get("dispersion")?,
                uncertainty: match get("uncertainty")? {
                    None => UNCERTAINTY,
                    Some(_) => need("uncertainty", 0.0, f64::MAX)?,
                },
            });
        }
        if blocks.is_empty() { Err(StudyError::new("the table has no rows")) } else { Ok(blocks) }
    }

    fn block(&self) -> Block {
        let friction = [self.friction, self.friction_static];
        Block { restitution: self.restitution, ..Block::new(self.aspect, friction) }
    }
}

/// Parameters for the procedure without a reader's table: slender blocks, none of them measured.
fn example() -> Vec<FittedBlock> {
    let one = |aspect| FittedBlock {
        aspect,
        friction: 0.3,
        friction_static: 0.5,
        restitution: 0.9,
        dispersion: None,
        uncertainty: UNCERTAINTY,
    };
    [2.0, 3.0, 4.0, 6.0].into_iter().map(one).collect()
}

pub(super) fn fig_12(found: &mut Findings) -> Result<(), StudyError> {
    found.note(
        "The paper prints neither measurements nor fitted parameters. Shown is the procedure on an example; \
         `delassus reproduce zhang-brogliato-liu-2012/fig-12 --data FILE.csv` runs it on a table with the columns \
         aspect, friction, friction_static, restitution, dispersion, uncertainty.",
    );
    compute(found, &example())
}

/// The procedure on a reader's table.
pub fn fitted(blocks: &[FittedBlock]) -> Findings {
    let mut found = Findings::default();
    if let Err(error) = compute(&mut found, blocks) {
        found.claim("computation", "possible", error.to_string(), false);
    }
    found
}

fn compute(found: &mut Findings, blocks: &[FittedBlock]) -> Result<(), StudyError> {
    let mut table = Table::new("", ["l/L", "mu", "mu_s", "e", "d_measured", "d_computed"]);
    let (mut measured, mut computed) = (Vec::new(), Vec::new());
    let mut apart = Vec::new();
    for fit in blocks {
        let ours = DISPERSION.fall(fit.block())?.dispersion()?;
        apart.push((ours - simulated(fit.block())?).abs());
        table.numbers([
            fit.aspect,
            fit.friction,
            fit.friction_static,
            fit.restitution,
            fit.dispersion.unwrap_or(f64::NAN),
            ours,
        ]);
        computed.push((fit.aspect, ours));
        if let Some(d) = fit.dispersion {
            measured.push((fit.aspect, d));
            let name = format!(
                "l/L = {}, μ = {}, μ_s = {}, e = {}: |d|",
                fit.aspect, fit.friction, fit.friction_static, fit.restitution
            );
            // Nothing here explains a measurement beyond its uncertainty: it differs, and the reader
            // is told so by the exit status too.
            found.number(name, d, ours, fit.uncertainty);
        }
    }
    found.independent(
        "|d| of the law beside the first impact of the simulated motion: largest difference",
        0.0,
        largest(apart),
        1e-8,
    );
    found.table(table);
    let mut panel = Panel::new(Axis::new("l / L"), Axis::new("|d|"));
    if let Some(fit) = blocks.first() {
        let top = blocks.iter().map(|b| b.aspect).fold(2.0, f64::max) * 1.1;
        let of = |aspect| DISPERSION.fall(Block { aspect, ..fit.block() })?.dispersion();
        let curve = linspace(0.3, top, 600).map(|a| Ok((a, of(a)?))).collect::<Result<Vec<_>, StudyError>>()?;
        let cosine: Vec<_> = curve.iter().map(|p| (p.0, cos_kinetic_angle(p.0).abs())).collect();
        panel = panel
            .add(Series::line(with_jumps(&curve, of)?).index(0).label("|d|, parameters of the first row"))
            .add(Series::line(cosine).index(3).dash(Dash::Dashed).label("|cos θ₁₂|"));
    }
    panel = panel.add(Series::scatter(computed).index(1).label("computed"));
    if !measured.is_empty() {
        panel = panel.add(Series::scatter(measured).index(2).label("measured"));
    }
    found.figure(Figure::single(panel), "Dispersion computed from fitted parameters, each block released at 0.12 rad.");
    Ok(())
}

/// |d| at the first impact of the motion itself.
fn simulated(block: Block) -> Result<f64, StudyError> {
    let run = DISPERSION.run(block, Until { impacts: Some(1), ..Until::time(100.0) }, None)?;
    let first = run.impacts.first().ok_or_else(|| StudyError::new("the block did not fall"))?;
    let half = 0.5 * DISPERSION.width;
    let (before, after) = (&first.u_minus, &first.u_plus);
    Ok(((after[1] - half * after[2]) / (before[1] + half * before[2])).abs())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_a_table_and_names_what_is_wrong() {
        let good =
            "aspect, friction, friction_static, restitution, dispersion\n2, 0.3, 0.5, 0.9, 1.2\n\n4,0.3,0.5,0.9,\n";
        let blocks = FittedBlock::read(good).unwrap();
        assert_eq!((blocks.len(), blocks[0].dispersion, blocks[1].dispersion), (2, Some(1.2), None));
        for (text, expected) in [
            ("", "empty"),
            ("aspect,weight\n", "'weight'"),
            ("aspect,friction,friction_static,restitution\n", "no rows"),
            ("aspect,friction,friction_static,restitution\n2,0.3,0.1,0.9\n", "friction_static = 0.1"),
            ("aspect,friction,friction_static,restitution\n2,x,0.1,0.9\n", "line 2: friction = 'x'"),
            ("aspect,friction,friction_static\n2,0.3,0.5\n", "restitution is missing"),
            (
                "aspect,friction,friction_static,restitution,uncertainty\n2,0.3,0.5,0.9,-1\n",
                "uncertainty = -1 must lie",
            ),
        ] {
            let error = FittedBlock::read(text).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
        }
    }

    #[test]
    fn a_wrong_measurement_differs() {
        let mut blocks = example();
        blocks.truncate(1);
        blocks[0].dispersion = Some(10.0);
        let found = fitted(&blocks);
        assert_eq!(found.verdict(), crate::reproduce::PaperVerdict::Differs);
        assert!(found.unexplained());
        // What sticks has a closed form: |d| = (1 + e)(2a² − 1)/(2a² + 2).
        blocks[0] = FittedBlock {
            friction: 1.0,
            friction_static: 1.2,
            dispersion: Some(1.9 * 7.0 / 10.0),
            ..blocks[0].clone()
        };
        assert!(!fitted(&blocks).unexplained());
    }
}
