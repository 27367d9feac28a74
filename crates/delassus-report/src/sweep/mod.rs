//! Sweeps, shown: rows as comma-separated values, curves and maps as figures, a table as a part of a page.

mod columns;
mod curves;
mod fragility;
mod grid;
mod table;

use delassus_figure::Figure;
use delassus_io::{csv_number, push_csv_row};
use delassus_study::sweep::{Cell, Sweep, Values};

use self::columns::Columns;

pub use self::fragility::{fragility_figure, incremental_figure};
pub use self::table::SweepTable;
pub use crate::labels::{Labels, parameter_unit};

/// A row as a line, with its end.
pub fn csv_line(row: &[Cell]) -> String {
    let mut line = String::new();
    push_csv_row(
        &mut line,
        row.iter().map(|cell| match cell {
            Cell::Number(value) => csv_number(*value),
            Cell::Word(word) => word.clone(),
        }),
    );
    line
}

/// The names of the columns as a line, with its end.
pub fn csv_head(sweep: &Sweep) -> String {
    let mut line = String::new();
    push_csv_row(&mut line, sweep.columns());
    line
}

/// The parameter over which [`figure`] draws, by its index: the one of this name, or the only number that takes several values.
///
/// # Errors
/// Why there is none.
pub fn drawn_along(sweep: &Sweep, along: Option<&str>) -> Result<usize, String> {
    let vary = sweep.plan().vary();
    let is_number = |k: &usize| !matches!(vary[*k].values, Values::Words(_));
    let varies = |k: &usize| !matches!(&vary[*k].values, Values::Numbers(values) if values.len() == 1);
    let all: Vec<usize> = (0..vary.len()).filter(is_number).collect();
    let several: Vec<usize> = all.iter().copied().filter(varies).collect();
    let chosen = match along {
        Some(key) => all.iter().copied().filter(|&k| vary[k].key == key).collect(),
        None if several.is_empty() => all,
        None => several,
    };
    match chosen[..] {
        [along] => Ok(along),
        _ => {
            Err(format!("a figure needs one parameter that is a number with several values; here are {}", chosen.len()))
        }
    }
}

/// The measures that are numbers as curves over one parameter that is one, a panel for each measure; other
/// parameters divide the curves. Where several parameters are numbers, `along` says which. Cases that overturn are
/// marked at the top, since their largest angle is only where the run ended. `rows` in the order of cases, as texts.
///
/// # Errors
/// Why there is no such figure.
pub fn figure(sweep: &Sweep, rows: &[Vec<String>], along: Option<&str>, labels: &Labels) -> Result<Figure, String> {
    let along = drawn_along(sweep, along)?;
    let table = Columns::of_sweep(sweep, rows);
    let curves = curves::curves(&table, &[along]);
    let drawn = table.measured().filter_map(|column| curves::panel(&table, &curves, along, column, labels));
    let mut panels: Vec<_> = drawn.collect();
    let figure = match panels.len() {
        0 => return Err("none of the measures is a number".to_owned()),
        1 => Figure::single(panels.remove(0)),
        _ => Figure::grid(2, panels),
    };
    Ok(figure.title(labels.title.clone().unwrap_or_default()))
}
