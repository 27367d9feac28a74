//! Ground-motion records in words.

use delassus::model::RecordSummary;
use delassus_io::in_g;

use delassus_study::number;

/// Points, step and duration.
pub fn samples(record: &RecordSummary) -> String {
    let [interval, duration] = [record.interval, record.duration].map(|v| number::format(v, 0.0));
    format!("{} points every {interval} s, {duration} s", record.points)
}

/// Peaks of acceleration, velocity and displacement.
pub fn peaks(record: &RecordSummary) -> String {
    let [pga, g, pgv, pgd] = [record.pga, in_g(record.pga), record.pgv, record.pgd].map(|v| number::format(v, 0.0));
    format!("{pga} m/s² ({g} g), {pgv} m/s, {pgd} m")
}

/// What is left at the end.
pub fn drift(record: &RecordSummary) -> String {
    let velocity = number::format(record.end_velocity, record.pgv);
    let displacement = number::format(record.end_displacement, record.pgd);
    format!("velocity {velocity} m/s, displacement {displacement} m")
}

/// A record in one line.
pub fn line(record: &RecordSummary) -> String {
    let name = if record.name.is_empty() { "given in the file" } else { &record.name };
    format!("record {name} (in {}): {}; peaks {}", record.units.name(), samples(record), peaks(record))
}
