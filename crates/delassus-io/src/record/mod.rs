//! Ground-motion records: PEER .AT2, ESM ASCII, GeoNet .V1A and .V2A, and columns of text.
//!
//! A record read in the wrong unit gives a run that looks right and is not. So
//! the unit comes from the file where it states one, else from whoever names
//! the file, else reading fails; velocities and displacements are refused.

mod columns;
mod esm;
mod geonet;
mod peer;
#[cfg(test)]
mod tests;
mod units;

use delassus::ImpactError;
use delassus::model::{AccelerationUnit, Record, STANDARD_GRAVITY};

/// The kind of a record file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RecordFormat {
    /// PEER .AT2: a header that ends with NPTS and DT.
    Peer,
    /// ESM ASCII: 64 lines of `KEY: value`.
    Esm,
    /// GeoNet .V1A or .V2A: three components in columns of eight characters.
    GeoNet,
    /// One column of accelerations, or two of time and acceleration.
    Columns,
}

impl RecordFormat {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Peer => "PEER AT2",
            Self::Esm => "ESM ASCII",
            Self::GeoNet => "GeoNet",
            Self::Columns => "columns",
        }
    }
}

/// A recorded acceleration as its file has it.
#[derive(Debug, Clone, PartialEq)]
pub struct RecordData {
    /// The kind of file.
    pub format: RecordFormat,
    /// Name of the component, where a file holds several.
    pub component: Option<String>,
    /// Unit of the values, where the file states it.
    pub units: Option<AccelerationUnit>,
    /// Time between samples \[s\], where the file says it.
    pub interval: Option<f64>,
    /// Accelerations, in the unit of the file.
    pub acceleration: Vec<f64>,
    /// What was done or seen and should be known.
    pub remarks: Vec<String>,
}

/// A record with nothing left open.
#[derive(Debug, Clone, PartialEq)]
pub struct SettledRecord {
    /// Unit of the values.
    pub units: AccelerationUnit,
    /// Time between samples \[s\].
    pub interval: f64,
    /// Accelerations, in that unit.
    pub acceleration: Vec<f64>,
}

/// Reads the text of a record file of that name: its components, of most files one.
///
/// # Errors
/// What is wrong, in words, with the line: damaged or unknown contents, a
/// velocity or a displacement, a unit that is not known.
pub fn read_records(name: &str, text: &str) -> Result<Vec<RecordData>, String> {
    let ending = name.rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase());
    for (known, quantity) in [("vt2", "velocity"), ("dt2", "displacement")] {
        if ending.as_deref() == Some(known) {
            return Err(refused(quantity, &format!("its name ends in .{known}")));
        }
    }
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let lines: Vec<&str> = text.lines().collect();
    if lines.iter().all(|line| line.trim().is_empty()) {
        return Err("is empty; needs accelerations".to_owned());
    }
    if geonet::is(&lines) {
        return geonet::read(&lines);
    }
    let one = match (esm::header(&lines), peer::header(&lines)) {
        (Some(header), _) => esm::read(&lines, header),
        (None, Some(header)) => peer::read(&lines, header),
        (None, None) => columns::read(&lines),
    };
    Ok(vec![one?])
}

/// The component of a file that is asked for: by its name, or its number from 1 on.
///
/// # Errors
/// No such component, or none asked for where there are several; the field is `component`.
pub fn choose_component(mut records: Vec<RecordData>, wanted: Option<&str>) -> Result<RecordData, ImpactError> {
    let place = match wanted {
        None if records.len() == 1 => Some(0),
        None => None,
        Some(wanted) => {
            let named = |record: &RecordData| {
                record.component.as_deref().is_some_and(|name| name.eq_ignore_ascii_case(wanted.trim()))
            };
            let numbered = wanted.trim().parse::<usize>().ok().filter(|k| (1..=records.len()).contains(k));
            records.iter().position(named).or(numbered.map(|k| k - 1))
        }
    };
    match place {
        Some(place) => Ok(records.swap_remove(place)),
        None => {
            let one = |(k, record): (usize, &RecordData)| match &record.component {
                Some(name) => format!("{name:?} (or \"{}\")", k + 1),
                None => format!("\"{}\"", k + 1),
            };
            let known: Vec<String> = records.iter().enumerate().map(one).collect();
            let value = wanted.map(|wanted| format!("{wanted:?}")).unwrap_or_default();
            let problem = format!("the file has the components {}: name one", known.join(", "));
            Err(ImpactError::new("component", value, problem))
        }
    }
}

/// The message for a file that holds something else than accelerations.
fn refused(quantity: &str, reason: &str) -> String {
    format!("holds a {quantity} ({reason}); only accelerations are read, so take the acceleration of the same record")
}

/// The `count` values after a header, line by line; text that follows the last one is ignored.
fn values(lines: &[&str], from: usize, count: usize, promise: &str) -> Result<Vec<f64>, String> {
    let mut values = Vec::with_capacity(count.min(1 << 20));
    for (i, line) in lines.iter().enumerate().skip(from) {
        for word in line.split_whitespace() {
            match number(word) {
                Some(value) if !value.is_finite() => {
                    return Err(format!("line {}: {word:?} is no finite number", i + 1));
                }
                Some(_) if values.len() == count => {
                    return Err(format!("line {}: {promise} {count} values, but more numbers follow", i + 1));
                }
                Some(value) => values.push(value),
                // What follows all values, `*** End Data ***` say, is no data.
                None if values.len() == count => return Ok(values),
                None => {
                    let found = values.len();
                    let problem =
                        format!("{word:?} is not a number, and only {found} of the {count} values of {promise}");
                    return Err(format!("line {}: {problem} stand before it", i + 1));
                }
            }
        }
    }
    if values.len() < count {
        return Err(format!("{promise} {count} values, but the file holds {}", values.len()));
    }
    Ok(values)
}

/// A number; also as Fortran writes it, `-.4382586E-03` or `1.5D-03`.
fn number(word: &str) -> Option<f64> {
    word.parse().ok().or_else(|| word.replace(['D', 'd'], "E").parse().ok())
}

impl RecordData {
    /// The name of its file, with that of the component where there are several.
    pub fn named(&self, file: &str) -> String {
        self.component.as_ref().map_or_else(|| file.to_owned(), |component| format!("{file}, {component}"))
    }

    /// The record with the unit and the interval that whoever uses it gives.
    ///
    /// # Errors
    /// One that is missing in both places, or that contradicts the file;
    /// the field is `units` or `interval`.
    pub fn settle(&self, units: Option<AccelerationUnit>, interval: Option<f64>) -> Result<SettledRecord, ImpactError> {
        let units = match (self.units, units) {
            (None, None) => {
                let problem = "the file does not say its unit: give \"g\", \"m/s2\", \"cm/s2\" or \"gal\"";
                return Err(ImpactError::new("units", "", problem));
            }
            (Some(own), Some(given)) if own.size() != given.size() => {
                let problem = format!("the file itself says {}; leave it out", own.name());
                return Err(ImpactError::new("units", format!("{:?}", given.name()), problem));
            }
            (Some(own), _) => own,
            (None, Some(given)) => given,
        };
        let interval = match (self.interval, interval) {
            (None, None) => {
                let problem = "the file does not say the time between samples: give it in seconds, such as 0.005";
                return Err(ImpactError::new("interval", "", problem));
            }
            (Some(own), Some(given)) if (own - given).abs() > 1e-6 * own => {
                let problem = format!("the file itself says {own}; leave it out");
                return Err(ImpactError::new("interval", given, problem));
            }
            (Some(own), _) => own,
            (None, Some(given)) => given,
        };
        Ok(SettledRecord { units, interval, acceleration: self.acceleration.clone() })
    }
}

impl SettledRecord {
    /// The record in SI units, under a name.
    ///
    /// # Errors
    /// An interval that is not positive, displacements that leave the range of numbers.
    pub fn record(&self, name: &str) -> Result<Record, ImpactError> {
        let acceleration = self.acceleration.iter().map(|a| a * self.units.size()).collect();
        Ok(Record::new(self.interval, acceleration)?.with_origin(name, self.units))
    }
}

/// An acceleration in g, for messages.
pub fn in_g(acceleration: f64) -> f64 {
    acceleration / STANDARD_GRAVITY
}
