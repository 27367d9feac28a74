//! What a simulation did, in words, numbers and a small picture.

use std::fmt::Write;

use anstyle::{AnsiColor, Style};
use delassus::LawSpec;
use delassus::model::System;
use delassus::scenario::{Built, Scenario};
use delassus::simulate::{EventKind, Trajectory};
use delassus_study::motion::{ending, largest_tilt, shown};

use delassus_study::number;

const BOLD: Style = Style::new().bold();
const DIM: Style = Style::new().dimmed();
const BAD: Style = AnsiColor::Red.on_default().bold();

/// Remarks shown; the rest is in the JSON.
const MOST_REMARKS: usize = 6;

/// The summary of one run.
pub struct Summary<'a> {
    title: String,
    scenario: &'a Scenario,
    built: &'a Built,
    law: &'a LawSpec,
    run: &'a Trajectory,
}

impl<'a> Summary<'a> {
    /// A summary under a title.
    pub fn new(title: String, scenario: &'a Scenario, built: &'a Built, law: &'a LawSpec, run: &'a Trajectory) -> Self {
        Self { title, scenario, built, law, run }
    }

    /// The summary as text for a terminal of that width.
    pub fn text(&self, width: usize) -> String {
        let run = self.run;
        let mut out = format!("{BOLD}{}{BOLD:#}  {DIM}law {}; SI units{DIM:#}\n", self.title, self.law.name());
        let _ = writeln!(out, "  {}", self.outcome());
        for record in self.built.system.records() {
            let _ = writeln!(out, "  {}", crate::records::line(&record));
        }
        let energy = run.last().energy;
        let before = run.start().energy.total();
        let scale = run.samples.iter().map(|s| s.energy.kinetic).fold(before.abs(), f64::max);
        let show = |value: f64| number::format(value, scale);
        let _ = write!(out, "  energy {} J -> {} J", show(before), show(energy.total()));
        let works = [
            ("impacts", energy.impacts),
            ("friction", energy.friction),
            ("supports", energy.supports),
            ("dampers", energy.damping),
            ("applied forces", energy.applied),
        ];
        for (name, work) in works.iter().filter(|(_, work)| work.abs() > 1e-13 * scale) {
            let _ = write!(out, ", {name} {}", show(*work));
        }
        let _ = writeln!(out, "; closed to {:.1e}", run.closure);
        if let Some(gain) = self.gain() {
            let _ = writeln!(out, "  {BAD}{gain}{BAD:#}");
        }
        out += &self.picture(width);
        let (single, whole): (Vec<_>, Vec<_>) = run.log.iter().partition(|remark| remark.of_one_impact);
        for (remarks, most, what) in [(whole, MOST_REMARKS, "remarks"), (single, 1, "remarks on single impacts")] {
            for remark in remarks.iter().take(most) {
                let _ = writeln!(out, "  {DIM}t = {}{DIM:#}  {}", number::format(remark.time, 0.0), remark.text);
            }
            if remarks.len() > most {
                let _ = writeln!(out, "  {DIM}and {} more {what} (--json){DIM:#}", remarks.len() - most);
            }
        }
        out
    }

    fn outcome(&self) -> String {
        let run = self.run;
        let mut text = ending(&run.end, run.time);
        let plural = |count: usize, one: &str| format!("{count} {one}{}", if count == 1 { "" } else { "s" });
        let uplifts = run.events.iter().filter(|e| matches!(e.kind, EventKind::TakeOff(_))).count();
        let _ = write!(text, "; {}, {}", plural(run.impact_count(), "impact"), plural(uplifts, "uplift"));
        let inelastic = run.impacts.iter().filter(|i| i.inelastic).count();
        if inelastic > 0 {
            let _ = write!(text, " ({inelastic} where impacts had accumulated)");
        }
        if let Some(time) = run.stepped_from {
            let _ = write!(text, "; by time-stepping from {} s on", number::format(time, 0.0));
        }
        if let Some(tilt) = largest_tilt(&self.built.system, run) {
            let _ = write!(text, "; largest θ/θ_c {}", number::format(tilt, 0.0));
        }
        text
    }

    /// Impacts in which the contacts did work on the system.
    fn gain(&self) -> Option<String> {
        let gains = self.run.impacts.iter().filter(|i| i.outcome.certificate.energetic > 1e-9);
        let (count, worst) = gains.fold((0, 0.0f64), |(n, w), i| (n + 1, w.max(i.outcome.certificate.energetic)));
        (count > 0).then(|| {
            format!(
                "energy grew in {count} impact{}, by up to {}: the law allows it",
                if count == 1 { "" } else { "s" },
                number::percent(worst)
            )
        })
    }

    fn picture(&self, width: usize) -> String {
        let shown = shown(self.scenario, &self.built.system, self.run);
        let Some((quantity, name)) = shown.first() else { return String::new() };
        let points: Vec<(f64, f64)> = self.run.samples.iter().map(|s| (s.time, quantity.read(s))).collect();
        if points.len() < 3 {
            return String::new();
        }
        let picture = delassus_report::terminal::plot(&points, width.min(90), 12);
        format!("\n  {name}(t)\n{picture}")
    }
}

/// A table of several runs.
#[derive(Default)]
pub struct Comparison {
    rows: Vec<Vec<String>>,
}

impl Comparison {
    /// Adds a run.
    pub fn add(&mut self, name: String, law: &LawSpec, run: &Trajectory) {
        let energy = run.last().energy;
        let lost = energy.impacts + energy.friction;
        let worst = run.impacts.iter().map(|i| i.outcome.certificate.energetic).fold(0.0, f64::max);
        self.rows.push(vec![
            name,
            law.name().to_owned(),
            run.end.as_str().to_owned(),
            number::format(run.time, 0.0),
            run.impact_count().to_string(),
            number::format(energy.total(), 0.0),
            number::format(lost, energy.total().abs()),
            if worst > 1e-9 { "grew".to_owned() } else { "no".to_owned() },
            format!("{:.1e}", run.closure),
        ]);
    }

    /// The table as text.
    pub fn text(&self) -> String {
        let heads = ["", "law", "end", "time", "impacts", "energy", "lost", "gain", "closure"];
        let named = self.rows.iter().any(|row| !row[0].is_empty());
        let width =
            |k: usize| self.rows.iter().map(|row| row[k].chars().count()).chain([heads[k].len()]).max().unwrap_or(0);
        let columns: Vec<usize> = (usize::from(!named)..heads.len()).collect();
        let line = |cells: &dyn Fn(usize) -> String| {
            let padded = columns.iter().map(|&k| format!("{:<1$}", cells(k), width(k)));
            format!("{}\n", padded.collect::<Vec<_>>().join("  ").trim_end())
        };
        let mut out = format!("{BOLD}{}{BOLD:#}", line(&|k| heads[k].to_owned()));
        for row in &self.rows {
            out += &line(&|k| row[k].clone());
        }
        out
    }
}
