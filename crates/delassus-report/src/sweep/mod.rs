//! Sweeps, shown: rows as comma-separated values, curves and maps as figures, a table as a part of a page.

mod columns;
mod curves;
mod fragility;
mod grid;
mod table;

use delassus_figure::Figure;
use delassus_io::{csv_number, push_csv_row};
use delassus_study::sweep::{Cell, Sweep};

use self::columns::{Columns, Kind};

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

/// The measures that are numbers as curves over one parameter that is one, a panel for each measure; other
/// parameters divide the curves. Where several parameters are numbers, `along` says which. Cases that overturn are
/// marked at the top, since their largest angle is only where the run ended. `rows` in the order of cases, as texts.
///
/// # Errors
/// Why there is no such figure.
pub fn figure(sweep: &Sweep, rows: &[Vec<String>], along: Option<&str>, labels: &Labels) -> Result<Figure, String> {
    let table = Columns::of_sweep(sweep, rows);
    let is_along = |k: &usize| match along {
        Some(key) => table.head[1 + k] == key,
        None => table.kinds[*k] != Kind::Words,
    };
    let numbers: Vec<usize> = (0..table.kinds.len()).filter(is_along).collect();
    let [along] = numbers[..] else {
        return Err(format!("a figure needs one parameter that is a number; here are {}", numbers.len()));
    };
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
