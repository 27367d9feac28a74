//! The probability of failure over an intensity, from the rows of a sweep.

use delassus_io::csv_fields;
use delassus_study::fragility::{Count, Fragility, doubt};
use delassus_study::number;
use delassus_study::sweep::{FOUND, Sweep, Values};
use serde_json::{Value, json};

use super::Args;
use crate::failure::Failure;

/// What is asked for: the column of the intensity, and what counts as failure.
pub struct Asked {
    intensity: usize,
    measure: usize,
    status: usize,
    /// The least value that counts; absent: the word `overturned`.
    limit: Option<f64>,
}

/// The column of the intensity: one of the parameters, with numbers.
pub fn intensity_column(option: &str, key: &str, sweep: &Sweep) -> Result<usize, Failure> {
    let vary = sweep.plan().vary();
    let place = vary.iter().position(|vary| vary.key == *key && matches!(vary.values, Values::Numbers(_)));
    let wrong = || Failure::Input(format!("{option} {key}: must be one of the parameters of --vary, with numbers"));
    place.map(|place| 1 + place).ok_or_else(wrong)
}

/// The limit of the option `--limit`: a column and the least value that counts as failure.
pub fn limit(option: &str, args: &Args, sweep: &Sweep) -> Result<Option<(usize, f64)>, Failure> {
    let Some(text) = args.limit.as_deref() else { return Ok(None) };
    let wrong = || Failure::Input(format!("--limit {text}: needs MEASURE=VALUE, such as tilt=0.8"));
    let (measure, value) = text.split_once('=').ok_or_else(wrong)?;
    let value = number::parse(value.trim()).filter(|v| v.is_finite()).ok_or_else(wrong)?;
    Ok(Some((measure_column(option, measure.trim(), sweep)?, value)))
}

fn measure_column(option: &str, measure: &str, sweep: &Sweep) -> Result<usize, Failure> {
    let columns = sweep.columns();
    let place = sweep.measured().find(|&column| columns[column] == measure);
    place.ok_or_else(|| Failure::Input(format!("{option} needs the measure {measure}: add --measure {measure}")))
}

/// The shares of each intensity, and the curve or why there is none.
pub struct Found {
    /// Cases of each intensity.
    pub counts: Vec<Count>,
    /// The curve.
    pub curve: Result<Fragility, String>,
    /// Cases without an answer, which are left out.
    unknown: usize,
}

impl Asked {
    /// Checks the options against the sweep.
    pub fn new(args: &Args, sweep: &Sweep) -> Result<Option<Self>, Failure> {
        let Some(key) = &args.fragility else { return Ok(None) };
        let intensity = intensity_column("--fragility", key, sweep)?;
        let (measure, limit) = match limit("--fragility", args, sweep)? {
            Some((measure, limit)) => (measure, Some(limit)),
            None => (measure_column("--fragility without --limit", "overturned", sweep)?, None),
        };
        Ok(Some(Self { intensity, measure, status: sweep.measured().end, limit }))
    }

    /// Counts failures and fits the curve.
    pub fn find(&self, content: &str) -> Found {
        let mut counts: Vec<Count> = Vec::new();
        let mut unknown = 0;
        for row in content.lines().filter(|line| !line.starts_with('#')).skip(1).filter_map(csv_fields) {
            let Ok(intensity) = row[self.intensity].parse::<f64>() else { continue };
            let status = row[self.status].split(':').next().unwrap_or("");
            let failed = match self.limit {
                _ if !FOUND.contains(&status) => {
                    unknown += 1;
                    continue;
                }
                None => row[self.measure] == "overturned",
                Some(limit) => row[self.measure].parse::<f64>().is_ok_and(|value| value >= limit),
            };
            let place = counts.iter().position(|count| count.intensity == intensity).unwrap_or_else(|| {
                counts.push(Count { intensity, failed: 0, of: 0 });
                counts.len() - 1
            });
            counts[place].of += 1;
            counts[place].failed += usize::from(failed);
        }
        counts.sort_by(|a, b| a.intensity.total_cmp(&b.intensity));
        let curve = Fragility::fit(&counts).map_err(|e| e.problem);
        Found { counts, curve, unknown }
    }
}

impl Found {
    /// For people, with the unit of the intensity.
    pub fn text(&self, unit: &str) -> String {
        let mut text = match &self.curve {
            Ok(curve) => {
                let show = |v: f64| number::format(v, 0.0);
                let [m, d] = [curve.median_interval, curve.dispersion_interval].map(|i| i.map(show));
                format!(
                    "fragility: median {}{unit} (95 %: {} to {}{unit}), dispersion {} (95 %: {} to {})\n",
                    show(curve.median),
                    m[0],
                    m[1],
                    show(curve.dispersion),
                    d[0],
                    d[1]
                )
            }
            Err(reason) => format!("no curve of fragility: {reason}\n"),
        };
        if let Some(doubt) = doubt(&self.counts) {
            text += &format!("warning: {doubt}\n");
        }
        if self.unknown > 0 {
            text += &format!("{} cases without an answer are left out\n", self.unknown);
        }
        text
    }

    /// For machines.
    pub fn json(&self) -> Value {
        let counts = self.counts.iter().map(|c| json!({ "intensity": c.intensity, "failed": c.failed, "of": c.of }));
        let counts: Vec<Value> = counts.collect();
        match &self.curve {
            Ok(curve) => json!({
                "median": curve.median, "median_interval": curve.median_interval, "dispersion": curve.dispersion,
                "dispersion_interval": curve.dispersion_interval, "counts": counts, "left_out": self.unknown,
                "warning": doubt(&self.counts),
            }),
            Err(reason) => json!({ "reason": reason, "counts": counts, "left_out": self.unknown }),
        }
    }
}
