//! What the columns of a sweep are: `case`, parameters, measures, `status`, `certificate`.

use std::ops::Range;

use delassus_io::csv_fields;
use delassus_study::sweep::{FOUND, Sweep, Values};

use crate::labels::{coordinate_label, measure_label};

/// How the values of a parameter follow one another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Names.
    Words,
    /// Numbers in order.
    Numbers,
    /// Numbers in order, at equal ratios.
    Logarithmic,
    /// Numbers drawn at random.
    Sampled,
}

/// A table of a sweep with the kinds of its parameters.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Columns {
    pub head: Vec<String>,
    /// One for each parameter; they stand from the second column on.
    pub kinds: Vec<Kind>,
    /// In the order of cases.
    pub rows: Vec<Vec<String>>,
    /// What the sweep itself calls its columns, where it is at hand.
    names: Vec<Option<String>>,
}

impl Columns {
    /// The columns of a sweep and its rows as texts.
    pub(crate) fn of_sweep(sweep: &Sweep, rows: &[Vec<String>]) -> Self {
        let kind = |values: &Values| match values {
            Values::Words(_) => Kind::Words,
            Values::Sampled(_) => Kind::Sampled,
            Values::Numbers(list) if is_logarithmic(list) => Kind::Logarithmic,
            Values::Numbers(_) => Kind::Numbers,
        };
        let kinds = sweep.plan().vary().iter().map(|vary| kind(&vary.values)).collect();
        let head = sweep.columns();
        let name = |column| {
            let (name, unit) = sweep.coordinate(column)?;
            Some(coordinate_label(&name, unit))
        };
        let names = (0..head.len()).map(name).collect();
        Self { head, kinds, rows: rows.to_vec(), names }
    }

    /// Reads comma-separated values; lines that begin with `#` are remarks. Which columns are parameters is told by
    /// their names: paths of a file, or `law`.
    pub(crate) fn read(text: &str) -> Result<Self, String> {
        let mut lines = text.lines().enumerate().filter(|(_, line)| !line.starts_with('#') && !line.is_empty());
        let fields = |(k, line): (usize, &str)| {
            csv_fields(line).ok_or_else(|| format!("line {}: quotation marks do not match", k + 1))
        };
        let head = lines.next().map(fields).transpose()?.unwrap_or_default();
        let ends = head.iter().rev().take(2).map(String::as_str).collect::<Vec<_>>();
        if head.len() < 4 || head[0] != "case" || ends != ["certificate", "status"] {
            return Err(
                "is no table of a sweep: its columns are case, parameters, measures, status, certificate".into()
            );
        }
        let mut rows = Vec::new();
        for line in lines {
            let (number, row) = (line.0 + 1, fields(line)?);
            if row.len() != head.len() {
                return Err(format!("line {number} has {} fields, and there are {} columns", row.len(), head.len()));
            }
            rows.push(row);
        }
        let keys = key_count(&head[1..head.len() - 2]);
        let mut read = Self { head, kinds: Vec::new(), rows, names: Vec::new() };
        read.kinds = (1..=keys).map(|column| read.kind_of(column)).collect();
        Ok(read)
    }

    /// The measures among the columns; the status follows them.
    pub(crate) fn measured(&self) -> Range<usize> {
        1 + self.kinds.len()..self.head.len() - 2
    }

    /// What a measure is called along an axis, with its unit.
    pub(crate) fn label(&self, column: usize) -> String {
        let own = self.names.get(column).cloned().flatten();
        own.unwrap_or_else(|| measure_label(&self.head[column]))
    }

    /// The numbers of a column; NaN where there is none.
    pub(crate) fn numbers(&self, column: usize) -> impl Iterator<Item = f64> + '_ {
        self.rows.iter().map(move |row| number(&row[column]))
    }

    /// Whether a measure is a number: some of its fields are, and none is a word.
    pub(crate) fn is_number(&self, column: usize) -> bool {
        let mut given = self.rows.iter().map(|row| &row[column]).filter(|text| !text.is_empty()).peekable();
        given.peek().is_some() && given.all(|text| text.parse::<f64>().is_ok())
    }

    /// The different entries of a column in the order in which they appear.
    pub(crate) fn distinct(&self, column: usize) -> Vec<&str> {
        let mut known = std::collections::HashSet::new();
        self.rows.iter().map(|row| row[column].as_str()).filter(|text| known.insert(*text)).collect()
    }

    /// The status of a row without its reason, and the reason.
    pub(crate) fn status<'a>(&self, row: &'a [String]) -> (&'a str, &'a str) {
        let text = &row[self.measured().end];
        text.split_once(": ").unwrap_or((text, ""))
    }

    /// Whether everything was found in a case.
    pub(crate) fn is_found(&self, row: &[String]) -> bool {
        FOUND.contains(&self.status(row).0)
    }

    /// How the values of a parameter follow one another, from the values alone.
    fn kind_of(&self, column: usize) -> Kind {
        /// Lists that people write are shorter.
        const MOST_LISTED: usize = 12;
        if !self.is_number(column) {
            return Kind::Words;
        }
        let values: Vec<f64> = self.distinct(column).into_iter().map(number).collect();
        let rises = values.windows(2).all(|w| w[0] < w[1]) || values.windows(2).all(|w| w[0] > w[1]);
        match rises {
            true if is_logarithmic(&values) => Kind::Logarithmic,
            false if values.len() > MOST_LISTED => Kind::Sampled,
            _ => Kind::Numbers,
        }
    }
}

/// How many of the columns behind `case` are parameters: at least one, and up to the last that only a parameter can be.
fn key_count(names: &[String]) -> usize {
    let is_path = |name: &str| name == "law" || (name.contains('.') && !name.contains(':'));
    names.iter().rposition(|name| is_path(name)).map_or(1, |last| last + 1).min(names.len())
}

pub(crate) fn number(text: &str) -> f64 {
    text.parse().unwrap_or(f64::NAN)
}

/// Whether values are spaced evenly by their logarithms.
fn is_logarithmic(values: &[f64]) -> bool {
    match values[..] {
        [a, b, .., y, z] if a > 0.0 && z > a => (b / a - z / y).abs() < 1e-6 * b / a && z / a > 5.0,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(head: &str, rows: impl Iterator<Item = String>) -> Columns {
        Columns::read(&format!("# a part\n{head}\n{}", rows.collect::<String>())).unwrap()
    }

    #[test]
    fn kinds_of_parameters_are_told_by_their_values() {
        let row = |k: i32| {
            let random = (f64::from(k) * 0.61803).fract();
            format!("{k},{},{},law,{random},{},solved,holds\n", 0.1 * f64::from(k), 2f64.powi(k), k * k)
        };
        let table = read("case,a.x,a.y,law,a.z,energy,status,certificate", (0..20).map(row));
        assert_eq!(table.kinds, [Kind::Numbers, Kind::Logarithmic, Kind::Words, Kind::Sampled]);
        assert_eq!(table.measured(), 5..6);
        assert!(table.is_number(5) && !table.is_number(3));
    }

    #[test]
    fn measures_are_told_from_parameters_by_their_names() {
        let count = |names: &str| key_count(&names.split(',').map(str::to_owned).collect::<Vec<_>>());
        assert_eq!(count("velocity[0],contact.C.friction,energy"), 2);
        assert_eq!(count("velocity[0],velocity[1],impulse:C.friction"), 1);
        assert_eq!(count("law,verdict"), 1);
        assert_eq!(count("ground.floor.motion.record.pga,law,force:A,tilt"), 2);
    }

    #[test]
    fn what_is_no_table_is_refused() {
        for (text, problem) in [
            ("a,b\n1,2\n", "is no table of a sweep"),
            ("", "is no table of a sweep"),
            ("case,x,energy,status,certificate\n0,1\n", "line 2 has 2 fields"),
            ("case,x,energy,status,certificate\n0,\"1\n", "line 2: quotation marks"),
        ] {
            assert!(Columns::read(text).unwrap_err().contains(problem), "{text}");
        }
    }
}
