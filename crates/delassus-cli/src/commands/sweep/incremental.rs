//! Incremental dynamic analysis from the rows of a sweep.

use delassus_io::csv_fields;
use delassus_study::incremental::{Incremental, Point};
use delassus_study::number;
use delassus_study::sweep::{FOUND, Sweep};
use serde_json::{Value, json};

use super::Args;
use super::fragile::{intensity_column, limit};
use crate::failure::Failure;

/// What is asked for: the columns of intensity, demand and of what counts as failure.
pub struct Asked {
    intensity: usize,
    demand: usize,
    /// The first column behind the parameters.
    measures: usize,
    status: usize,
    limit: Option<(usize, f64)>,
}

impl Asked {
    /// Checks the options against the sweep.
    pub fn new(args: &Args, sweep: &Sweep) -> Result<Option<Self>, Failure> {
        let Some(key) = &args.ida else { return Ok(None) };
        let intensity = intensity_column("--ida", key, sweep)?;
        let numbers = sweep.are_numbers();
        let demand = sweep.measured().find(|&column| numbers[column]);
        let demand =
            demand.ok_or_else(|| Failure::Input("--ida needs a measure that is a number, such as tilt".into()))?;
        let std::ops::Range { start: measures, end: status } = sweep.measured();
        Ok(Some(Self { intensity, demand, measures, status, limit: limit("--ida", args, sweep)? }))
    }

    /// The name of the column of the demand.
    pub fn measure(&self, sweep: &Sweep) -> String {
        sweep.columns().swap_remove(self.demand)
    }

    /// Sorts the rows into curves: one for each combination of the other parameters.
    pub fn find(&self, content: &str) -> Incremental {
        let rows = content.lines().filter(|line| !line.starts_with('#')).skip(1).filter_map(csv_fields);
        let others = 1..self.measures;
        Incremental::new(rows.filter_map(|row| {
            let intensity = row[self.intensity].parse().ok()?;
            let name = others.clone().filter(|&k| k != self.intensity).map(|k| row[k].as_str());
            let name = name.collect::<Vec<_>>().join(", ");
            let status = row[self.status].split(':').next().unwrap_or("");
            let number = |column: usize| row[column].parse().unwrap_or(f64::NAN);
            let demand = if FOUND.contains(&status) { number(self.demand) } else { f64::NAN };
            let failed = match self.limit {
                None => status == "overturned",
                Some((column, limit)) => FOUND.contains(&status) && number(column) >= limit,
            };
            Some((name, Point { intensity, demand, failed }))
        }))
    }
}

/// For people, with the unit of the intensity.
pub fn text(found: &Incremental, unit: &str) -> String {
    let show = |value: f64| match value.is_finite() {
        true => format!("{}{unit}", number::format(value, 0.0)),
        false => "more than was tried".to_owned(),
    };
    let [low, median, high] = found.capacity.map(show);
    let again = found.curves.iter().filter(|curve| curve.stands_again()).count();
    let mut text = format!(
        "incremental dynamic analysis of {} cases: 16, 50, 84 % have failed at {low}, {median}, {high}\n",
        found.curves.len()
    );
    if again > 0 {
        text += &format!("{again} of them stand again at a greater intensity than one at which they fail\n");
    }
    text
}

/// For machines.
pub fn json(found: &Incremental) -> Value {
    // What is infinite or not known is null.
    let number = |value: f64| if value.is_finite() { json!(value) } else { Value::Null };
    let levels = found.fractiles.iter();
    let levels = levels.map(|(intensity, demand)| json!({ "intensity": intensity, "demand": demand.map(number) }));
    let curves = found
        .curves
        .iter()
        .map(|curve| json!({ "name": curve.name, "capacity": curve.capacity(), "stands_again": curve.stands_again() }));
    json!({
        "parts": delassus_study::incremental::PARTS, "capacity": found.capacity.map(number),
        "fractiles": levels.collect::<Vec<_>>(), "curves": curves.collect::<Vec<_>>(),
    })
}
