//! Trajectories as CSV: samples, impacts, and what the columns mean.

use std::io::{self, Write};

use delassus::model::{Model, System};
use delassus::simulate::{Energies, Sample, StepReport, Trajectory};

use crate::csv::push_csv_row;

/// A column of the samples.
struct Column {
    name: String,
    unit: &'static str,
    meaning: String,
}

pub(crate) const ENERGIES: [(&str, &str); 7] = [
    ("kinetic", "kinetic energy"),
    ("potential", "potential energy of gravity and springs"),
    ("friction", "work of sliding friction since the start"),
    ("supports", "work of supports that move"),
    ("damping", "work of dampers"),
    ("applied", "work of applied forces"),
    ("impacts", "work of the contacts in impacts"),
];

/// What is told of the steps of time-stepping since the sample before.
pub(crate) const STEPS: [(&str, &str); 4] = [
    ("solver.steps", "steps of time-stepping since the row before"),
    ("solver.contacts", "most contacts and joints of one of these steps"),
    ("solver.iterations", "iterations on the contact problems of these steps"),
    ("solver.residual", "largest residual of these steps, relative to the velocities that call for impulses"),
];

/// The numbers of [`STEPS`]; none where no sample has them.
pub(crate) fn steps_of(run: &Trajectory) -> Option<impl Fn(&Sample) -> [f64; 4] + use<>> {
    run.samples.iter().any(|sample| sample.steps.is_some()).then_some(|sample: &Sample| {
        let StepReport { count, contacts, iterations, residual } = sample.steps.unwrap_or_default();
        [count as f64, contacts as f64, iterations as f64, residual]
    })
}

fn columns(system: &Model, run: &Trajectory) -> Vec<Column> {
    let column = |name: &str, unit, meaning: &str| Column { name: name.to_owned(), unit, meaning: meaning.to_owned() };
    let mut all = vec![column("time", "s", "time")];
    for name in system.position_names() {
        let meaning = match state_unit(&name) {
            "rad" => "angle, counter-clockwise",
            "1" => "unit quaternion of the orientation",
            _ => "position of the centre of mass",
        };
        all.push(column(&name, state_unit(&name), meaning));
    }
    for name in system.velocity_names() {
        let unit = state_unit(&name);
        let meaning = if unit == "rad/s" { "angular velocity" } else { "velocity of the centre of mass" };
        all.push(column(&name, unit, meaning));
    }
    for name in run.force_names() {
        all.push(column(&format!("{name}.normal"), "N", "normal force of the contact, between impacts"));
        all.push(column(&format!("{name}.tangential"), "N", "tangential force of the contact, between impacts"));
    }
    all.extend(ENERGIES.iter().map(|(name, meaning)| column(name, "J", meaning)));
    for (name, position) in displacements(system, 0.0) {
        for axis in &["x", "y", "z"][..position.len()] {
            all.push(column(&format!("{name}.{axis}"), "m", "displacement of the support since the start"));
        }
    }
    if steps_of(run).is_some() {
        all.extend(STEPS.iter().map(|(name, meaning)| column(name, "1", meaning)));
    }
    all
}

/// The unit of a position or velocity, by its name.
pub fn state_unit(name: &str) -> &'static str {
    match name.rsplit('.').next().unwrap_or(name) {
        "theta" => "rad",
        "qw" | "qx" | "qy" | "qz" => "1",
        "x" | "y" | "z" => "m",
        "theta_rate" | "wx" | "wy" | "wz" => "rad/s",
        _ => "m/s",
    }
}

/// Displacements of supports that move, two entries in the plane and three in space.
pub fn displacements(system: &Model, t: f64) -> Vec<(&str, Vec<f64>)> {
    fn lists<const D: usize>(positions: Vec<(&str, [f64; D])>) -> Vec<(&str, Vec<f64>)> {
        positions.into_iter().map(|(name, position)| (name, position.to_vec())).collect()
    }
    match (system.planar(), system.spatial()) {
        (Some(planar), _) => lists(planar.support_positions(t)),
        (None, Some(spatial)) => lists(spatial.support_positions(t)),
        (None, None) => Vec::new(),
    }
}

/// Writes name, unit and meaning of the columns of [`write_csv`].
///
/// # Errors
/// Whatever the writer reports.
pub fn write_columns(out: &mut impl Write, system: &Model, run: &Trajectory) -> io::Result<()> {
    let mut text = String::new();
    push_csv_row(&mut text, ["column", "unit", "meaning"]);
    for Column { name, unit, meaning } in columns(system, run) {
        push_csv_row(&mut text, [&name, unit, &meaning]);
    }
    out.write_all(text.as_bytes())
}

/// Writes the samples: time, positions, velocities, contact forces, energies, displacements of supports that move, and of
/// time-stepping how its steps were solved.
///
/// # Errors
/// Whatever the writer reports.
pub fn write_csv(out: &mut impl Write, system: &Model, run: &Trajectory) -> io::Result<()> {
    let mut heading = String::new();
    push_csv_row(&mut heading, columns(system, run).into_iter().map(|column| column.name));
    out.write_all(heading.as_bytes())?;
    let steps_of = steps_of(run);
    for sample in &run.samples {
        let Energies { kinetic, potential, friction, supports, damping, applied, impacts } = sample.energy;
        write!(out, "{}", sample.time)?;
        let forces: Vec<f64> = run.forces(sample).collect();
        let energies = [kinetic, potential, friction, supports, damping, applied, impacts];
        let grounds = displacements(system, sample.time);
        let grounds = grounds.iter().flat_map(|(_, position)| position);
        let steps = steps_of.as_ref().map(|of| of(sample));
        let steps = steps.iter().flatten();
        for value in sample.q.iter().chain(&sample.u).chain(&forces).chain(&energies).chain(grounds).chain(steps) {
            write!(out, ",{value}")?;
        }
        writeln!(out)?;
    }
    Ok(())
}

/// Writes both sides of every impact: time, contacts, positions, velocities before and after, kinetic energies.
///
/// # Errors
/// Whatever the writer reports.
pub fn write_impacts(out: &mut impl Write, system: &Model, run: &Trajectory) -> io::Result<()> {
    let rates = system.velocity_names();
    let mut text = String::new();
    let with = |end: &str| rates.iter().map(|name| format!("{name}{end}")).collect::<Vec<_>>();
    let first = ["impact", "time", "contacts"].map(str::to_owned);
    let last = ["kinetic_before", "kinetic_after", "status"].map(str::to_owned);
    let sides = [system.position_names(), with("_before"), with("_after")].concat();
    push_csv_row(&mut text, first.into_iter().chain(sides).chain(last));
    for (k, impact) in run.impacts.iter().enumerate() {
        let contacts: Vec<&str> = impact.contacts.iter().map(|&c| run.contact_names[c].as_str()).collect();
        let numbers = impact.q.iter().chain(&impact.u_minus).chain(&impact.u_plus);
        let numbers = numbers.chain([&impact.outcome.energy.before, &impact.kinetic_after]).map(f64::to_string);
        let head = [(k + 1).to_string(), impact.time.to_string(), contacts.join(" ")];
        let status = impact.outcome.status().as_str().to_owned();
        push_csv_row(&mut text, head.into_iter().chain(numbers).chain([status]));
    }
    out.write_all(text.as_bytes())
}
