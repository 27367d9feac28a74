//! The form of the finished file: comma-separated values, or the same as Parquet.

use std::path::Path;

use delassus_io::{ColumnKind, csv_to_parquet};
use delassus_study::sweep::Sweep;

use crate::failure::Failure;

/// Whether a file of this name is to be Parquet.
pub fn is_parquet_name(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("parquet"))
}

/// A table as Parquet.
pub fn as_parquet(content: &str, kinds: &[ColumnKind]) -> Result<Vec<u8>, Failure> {
    csv_to_parquet(content, kinds).map_err(|e| Failure::Input(format!("the table cannot be written as Parquet: {e}")))
}

/// What the columns of a sweep are.
pub fn kinds(sweep: &Sweep) -> Vec<ColumnKind> {
    let kind = |(k, number): (usize, bool)| match (k, number) {
        (0, _) => ColumnKind::Whole,
        (_, true) => ColumnKind::Number,
        (_, false) => ColumnKind::Word,
    };
    sweep.are_numbers().into_iter().enumerate().map(kind).collect()
}
