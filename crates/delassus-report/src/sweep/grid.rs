//! Measures over two parameters that are numbers, as maps.

use std::collections::HashMap;

use delassus_figure::{CellGrid, ColorMap, Field, LegendPlace, Panel, Regions, Scale};
use delassus_study::colors::categories;

use super::columns::{Columns, number};
use super::curves::{Curve, first_word, words, x_axis};
use crate::labels::Labels;

/// Two parameters whose combinations are all there: their indices and values, rising.
pub(crate) struct Plane {
    keys: [usize; 2],
    values: [Vec<f64>; 2],
}

impl Plane {
    /// The plane of two parameters; `None` where a combination is missing in one of the groups.
    pub(crate) fn new(table: &Columns, keys: [usize; 2], groups: &[Curve<'_>]) -> Option<Self> {
        let values = keys.map(|key| {
            let mut values: Vec<f64> = table.distinct(1 + key).into_iter().map(number).collect();
            values.sort_by(f64::total_cmp);
            values
        });
        let cells = values[0].len() * values[1].len();
        groups.iter().all(|group| group.rows.len() == cells).then_some(Self { keys, values })
    }

    /// A map of a measure for one group of rows.
    pub(crate) fn panel(&self, table: &Columns, group: &Curve<'_>, column: usize) -> Panel {
        let [x, y] = self.keys.map(|key| x_axis(table, key, &Labels::default()));
        // Edges of cells lie half-way between the points, also where those are spaced by ratios.
        let scaled = |axis: &delassus_figure::Axis, values: &[f64]| match axis.scale {
            Scale::Log => values.iter().map(|v| v.ln()).collect::<Vec<_>>(),
            Scale::Linear => values.to_vec(),
        };
        let mut grid = CellGrid::around(&scaled(&x, &self.values[0]), &scaled(&y, &self.values[1]));
        for (axis, edges) in [(&x, &mut grid.x), (&y, &mut grid.y)] {
            if axis.scale == Scale::Log {
                edges.iter_mut().for_each(|edge| *edge = edge.exp());
            }
        }
        let place = |row: &[String]| {
            let at = [0, 1].map(|k| {
                let value = number(&row[1 + self.keys[k]]);
                self.values[k].partition_point(|known| *known < value)
            });
            at[1] * self.values[0].len() + at[0]
        };
        let cells = self.values[0].len() * self.values[1].len();
        let by_cell: HashMap<usize, &[String]> = group.rows.iter().map(|row| (place(row), *row)).collect();
        let panel = Panel::new(x, y).title(&group.name);
        if table.is_number(column) {
            let values: Vec<f64> =
                (0..cells).map(|cell| by_cell.get(&cell).map_or(f64::NAN, |row| number(&row[column]))).collect();
            let signs = values.iter().any(|v| *v < 0.0) && values.iter().any(|v| *v > 0.0);
            let colors = if signs { ColorMap::Diverging } else { ColorMap::Viridis };
            return panel.add(Field::from_values(grid, values).label(table.label(column)).map(colors));
        }
        let words = words(table, column);
        let cells = (0..cells).map(|cell| {
            let word = by_cell.get(&cell).map_or("", |row| first_word(&row[column]));
            words.iter().position(|known| *known == word).unwrap_or(words.len())
        });
        let regions = Regions::from_cells(grid, categories(&words), cells.collect());
        panel.add(regions).legend(LegendPlace::Below)
    }
}
