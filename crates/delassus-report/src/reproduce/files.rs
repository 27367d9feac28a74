//! The files of a study: CSV, SVG and PNG, in memory.

use delassus_figure::to_svg;
use delassus_io::{csv_number, push_csv_row};
use delassus_study::reproduce::{Datum, Findings, Study, StudyError, Table};

/// Resolution of the PNG files.
#[cfg(feature = "png")]
const PIXELS_PER_INCH: f64 = 200.0;

/// A file of a study.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StudyFile {
    /// Path below the output folder, with forward slashes.
    pub path: String,
    /// Content.
    pub bytes: Vec<u8>,
}

/// All files of a study.
///
/// # Errors
/// A figure that cannot be drawn as PNG.
pub fn files(study: &Study, findings: &Findings) -> Result<Vec<StudyFile>, StudyError> {
    let path = |part: &str, suffix: &str| {
        let dash = if part.is_empty() { "" } else { "-" };
        format!("{}{dash}{part}.{suffix}", study.id)
    };
    let mut files = Vec::new();
    for table in &findings.tables {
        files.push(StudyFile { path: path(&table.part, "csv"), bytes: csv(table).into_bytes() });
    }
    for drawn in &findings.figures {
        files.push(StudyFile { path: path(&drawn.part, "svg"), bytes: to_svg(&drawn.figure).into_bytes() });
        #[cfg(feature = "png")]
        {
            let png = delassus_figure::to_png(&drawn.figure, PIXELS_PER_INCH);
            let bytes = png.map_err(|e| StudyError::new(format!("{}: {e}", study.id)))?;
            files.push(StudyFile { path: path(&drawn.part, "png"), bytes });
        }
    }
    Ok(files)
}

/// Comma-separated values; a number that is not finite is an empty field.
fn csv(table: &Table) -> String {
    let mut out = String::new();
    push_csv_row(&mut out, &table.columns);
    for row in &table.rows {
        push_csv_row(
            &mut out,
            row.iter().map(|datum| match datum {
                Datum::Number(v) => csv_number(*v),
                Datum::Text(text) => text.clone(),
            }),
        );
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn csv_quotes_words_and_leaves_missing_numbers_empty() {
        let mut table = Table::new("", ["a", "b, c"]);
        table.numbers([0.1, f64::NAN]);
        table.row(["say \"x\"".into(), 2.0.into()]);
        assert_eq!(csv(&table), "a,\"b, c\"\n0.1,\n\"say \"\"x\"\"\",2\n");
    }

    #[test]
    fn files_of_equal_findings_are_equal_bytes() {
        for study in delassus_study::reproduce::studies().iter().step_by(5) {
            let (one, two) = (files(study, &study.run()).unwrap(), files(study, &study.run()).unwrap());
            assert_eq!(one, two, "{}", study.id);
        }
    }
}
