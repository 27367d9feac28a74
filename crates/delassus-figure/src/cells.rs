//! Quantities on a grid of cells: maps of regimes and continuous fields.

use super::axis::Map;
use super::style::{Color, ColorMap, Hatch, category_color};
use super::svg::{Cells, Rect, number};

/// Edges of the cells of a rectangular grid, rising.
#[derive(Clone, Debug, PartialEq)]
pub struct CellGrid {
    /// Vertical edges, one more than columns.
    pub x: Vec<f64>,
    /// Horizontal edges, one more than rows.
    pub y: Vec<f64>,
}

impl CellGrid {
    /// `columns` × `rows` equal cells over the given intervals.
    pub fn uniform(x: (f64, f64), columns: usize, y: (f64, f64), rows: usize) -> CellGrid {
        let edges = |(a, b): (f64, f64), n: usize| {
            let step = (b - a) / n.max(1) as f64;
            (0..=n).map(|k| if k == n { b } else { a + k as f64 * step }).collect()
        };
        CellGrid { x: edges(x, columns), y: edges(y, rows) }
    }

    /// Cells around the points of a sweep (rising): the edges lie half-way between neighbours.
    pub fn around(x: &[f64], y: &[f64]) -> CellGrid {
        CellGrid { x: halfway(x), y: halfway(y) }
    }

    /// Number of columns.
    pub fn columns(&self) -> usize {
        self.x.len().saturating_sub(1)
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.y.len().saturating_sub(1)
    }
}

fn halfway(points: &[f64]) -> Vec<f64> {
    match points {
        [] => Vec::new(),
        [only] => vec![only - 0.5, only + 0.5],
        [first, second, ..] => {
            let n = points.len();
            let mut edges = vec![1.5 * first - 0.5 * second];
            edges.extend(points.windows(2).map(|p| 0.5 * (p[0] + p[1])));
            edges.push(1.5 * points[n - 1] - 0.5 * points[n - 2]);
            edges
        }
    }
}

/// Index of the cell that holds the value.
fn cell(edges: &[f64], v: f64) -> Option<usize> {
    let k = edges.partition_point(|e| *e <= v);
    match k {
        _ if edges.last() == Some(&v) && k >= 2 => Some(k - 2),
        0 => None,
        _ if k == edges.len() => None,
        _ => Some(k - 1),
    }
}

/// One kind of cell in a map of regimes.
#[derive(Clone, Debug, PartialEq)]
pub struct Category {
    /// Legend entry.
    pub name: String,
    /// Fill; `None` takes the place in the ramp from light to dark.
    pub color: Option<Color>,
    /// Pattern.
    pub hatch: Hatch,
}

impl Category {
    /// A category filled from the ramp.
    pub fn new(name: impl Into<String>) -> Category {
        Category { name: name.into(), color: None, hatch: Hatch::None }
    }

    /// Sets the fill.
    pub fn color(mut self, color: Color) -> Category {
        self.color = Some(color);
        self
    }

    /// Sets the pattern.
    pub fn hatch(mut self, hatch: Hatch) -> Category {
        self.hatch = hatch;
        self
    }
}

/// A map of regimes: every cell belongs to a category.
#[derive(Clone, Debug, PartialEq)]
pub struct Regions {
    /// The cells.
    pub grid: CellGrid,
    /// Category of every cell, row by row from the smallest y; an index outside `categories`
    /// leaves the cell blank.
    pub cells: Vec<usize>,
    /// What the indices mean.
    pub categories: Vec<Category>,
    /// Whether edges between categories are drawn.
    pub edges: bool,
}

impl Regions {
    /// Evaluates the category at the centre of every cell.
    pub fn new(grid: CellGrid, categories: Vec<Category>, f: impl Fn(f64, f64) -> usize) -> Regions {
        let cells = centres(&grid).map(|(x, y)| f(x, y)).collect();
        Regions { grid, cells, categories, edges: false }
    }

    /// From computed categories, row by row from the smallest y.
    pub fn from_cells(grid: CellGrid, categories: Vec<Category>, cells: Vec<usize>) -> Regions {
        Regions { grid, cells, categories, edges: false }
    }

    /// Draws the edges between categories.
    pub fn edges(mut self) -> Regions {
        self.edges = true;
        self
    }

    /// Fill of a category.
    pub fn color(&self, category: usize) -> Color {
        let own = self.categories.get(category).and_then(|c| c.color);
        own.unwrap_or_else(|| category_color(category, self.categories.len()))
    }

    fn category(&self, row: usize, column: usize) -> Option<usize> {
        let k = *self.cells.get(row * self.grid.columns() + column)?;
        (k < self.categories.len()).then_some(k)
    }

    /// Category at a data point.
    pub(crate) fn at(&self, x: f64, y: f64) -> Option<usize> {
        self.category(cell(&self.grid.y, y)?, cell(&self.grid.x, x)?)
    }

    /// Path that covers all cells of a category: runs along a row, joined over rows where equal.
    pub(crate) fn path(&self, category: usize, x: &Map, y: &Map) -> String {
        let runs_of = |row: usize| {
            let mut runs: Vec<(usize, usize)> = Vec::new();
            for column in 0..self.grid.columns() {
                if self.category(row, column) == Some(category) {
                    match runs.last_mut() {
                        Some(run) if run.1 == column => run.1 += 1,
                        _ => runs.push((column, column + 1)),
                    }
                }
            }
            runs
        };
        let mut d = String::new();
        let mut open: Vec<((usize, usize), usize)> = Vec::new(); // run, first row
        for row in 0..=self.grid.rows() {
            let runs = if row < self.grid.rows() { runs_of(row) } else { Vec::new() };
            open.retain(|&(run, first)| {
                let goes_on = runs.contains(&run);
                if !goes_on {
                    d += &self.block(run, (first, row), x, y);
                }
                goes_on
            });
            for run in runs {
                if !open.iter().any(|o| o.0 == run) {
                    open.push((run, row));
                }
            }
        }
        d
    }

    fn block(&self, columns: (usize, usize), rows: (usize, usize), x: &Map, y: &Map) -> String {
        let (a, b) = (x.clamped(self.grid.x[columns.0]), x.clamped(self.grid.x[columns.1]));
        let (c, d) = (y.clamped(self.grid.y[rows.0]), y.clamped(self.grid.y[rows.1]));
        if (b - a).abs() < 1e-9 || (d - c).abs() < 1e-9 {
            return String::new();
        }
        let [a, b, c, d] = [a, b, c, d].map(number);
        format!("M{a} {c}H{b}V{d}H{a}Z")
    }

    /// Path of the edges between different categories.
    pub(crate) fn edge_path(&self, x: &Map, y: &Map) -> String {
        let mut d = String::new();
        let (columns, rows) = (self.grid.columns(), self.grid.rows());
        let differ = |a: (usize, usize), b: (usize, usize)| self.category(a.0, a.1) != self.category(b.0, b.1);
        for row in 1..rows {
            let cut = |column: usize| differ((row, column), (row - 1, column));
            for (from, to) in runs(columns, cut) {
                let [y0, a, b] =
                    [y.clamped(self.grid.y[row]), x.clamped(self.grid.x[from]), x.clamped(self.grid.x[to])].map(number);
                d += &format!("M{a} {y0}H{b}");
            }
        }
        for column in 1..columns {
            let cut = |row: usize| differ((row, column), (row, column - 1));
            for (from, to) in runs(rows, cut) {
                let [x0, a, b] =
                    [x.clamped(self.grid.x[column]), y.clamped(self.grid.y[from]), y.clamped(self.grid.y[to])]
                        .map(number);
                d += &format!("M{x0} {a}V{b}");
            }
        }
        d
    }
}

/// Maximal runs of indices below `n` for which `test` holds, as half-open intervals.
fn runs(n: usize, test: impl Fn(usize) -> bool) -> Vec<(usize, usize)> {
    let mut out: Vec<(usize, usize)> = Vec::new();
    for k in (0..n).filter(|&k| test(k)) {
        match out.last_mut() {
            Some(run) if run.1 == k => run.1 += 1,
            _ => out.push((k, k + 1)),
        }
    }
    out
}

fn centres(grid: &CellGrid) -> impl Iterator<Item = (f64, f64)> {
    let middle = |e: &[f64]| 0.5 * (e[0] + e[1]);
    grid.y.windows(2).flat_map(move |y| grid.x.windows(2).map(move |x| (middle(x), middle(y))))
}

/// A continuous quantity on a grid, drawn as a heat map with a colour bar.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    /// The cells.
    pub grid: CellGrid,
    /// Value of every cell, row by row from the smallest y; NaN leaves the cell blank.
    pub values: Vec<f64>,
    /// Label of the colour bar.
    pub label: String,
    /// Colour scale.
    pub map: ColorMap,
    /// Values at the ends of the colour bar; `None` fits the data.
    pub range: Option<(f64, f64)>,
}

impl Field {
    /// Evaluates the quantity at the centre of every cell.
    pub fn new(grid: CellGrid, f: impl Fn(f64, f64) -> f64) -> Field {
        let values = centres(&grid).map(|(x, y)| f(x, y)).collect();
        Field::from_values(grid, values)
    }

    /// From computed values, row by row from the smallest y.
    pub fn from_values(grid: CellGrid, values: Vec<f64>) -> Field {
        Field { grid, values, label: String::new(), map: ColorMap::Viridis, range: None }
    }

    /// Sets the label of the colour bar.
    pub fn label(mut self, label: impl Into<String>) -> Field {
        self.label = label.into();
        self
    }

    /// Sets the colour scale.
    pub fn map(mut self, map: ColorMap) -> Field {
        self.map = map;
        self
    }

    /// Sets the values at the ends of the colour bar.
    pub fn range(mut self, lo: f64, hi: f64) -> Field {
        self.range = Some((lo, hi));
        self
    }

    /// Ends of the colour bar.
    pub(crate) fn limits(&self) -> (f64, f64) {
        let axis = super::axis::Axis { range: self.range, ..Default::default() };
        let (lo, hi) = axis.limits(self.values.iter().copied(), 0.0);
        if self.map == ColorMap::Diverging && self.range.is_none() {
            let m = lo.abs().max(hi.abs());
            return (-m, m);
        }
        (lo, hi)
    }

    /// The visible part as a picture that covers the whole axes box.
    pub(crate) fn image(&self, x: &Map, y: &Map) -> Cells {
        let across = pixels(&self.grid.x, x);
        let up = pixels(&self.grid.y, y);
        let (lo, hi) = self.limits();
        let columns: Vec<_> =
            (0..across).map(|i| cell(&self.grid.x, x.value((i as f64 + 0.5) / across as f64))).collect();
        let mut rgba = Vec::with_capacity(4 * across * up);
        for j in (0..up).rev() {
            let row = cell(&self.grid.y, y.value((j as f64 + 0.5) / up as f64));
            for column in &columns {
                let value = match (row, column) {
                    (Some(r), Some(c)) => self.values.get(r * self.grid.columns() + c),
                    _ => None,
                };
                match value {
                    Some(v) if !v.is_nan() => {
                        let c = self.map.at((v - lo) / (hi - lo));
                        rgba.extend([c.r, c.g, c.b, 255]);
                    }
                    _ => rgba.extend([255, 255, 255, 0]),
                }
            }
        }
        Cells { width: across as u32, height: up as u32, rgba }
    }
}

/// Pixels along one side: one a cell when the cells are equal and fill the axis, else fine enough
/// to look the same.
fn pixels(edges: &[f64], map: &Map) -> usize {
    let n = edges.len().saturating_sub(1).max(1);
    let exact = edges.iter().enumerate().all(|(k, e)| {
        let wanted = map.start + k as f64 / n as f64 * (map.end - map.start);
        (map.at(*e) - wanted).abs() < 1e-6 * (map.end - map.start).abs()
    });
    if exact { n } else { (4 * n).clamp(400, 1600) }
}

/// A vertical strip of the colour scale, top = 1.
pub(crate) fn strip(map: ColorMap) -> Cells {
    let rgba: Vec<u8> =
        (0..256).rev().map(|k| map.at(f64::from(k) / 255.0)).flat_map(|c| [c.r, c.g, c.b, 255]).collect();
    Cells { width: 1, height: 256, rgba }
}

/// Hatch lines over the part of `frame` where `inside` holds.
pub(crate) fn hatch_path(hatch: Hatch, frame: Rect, inside: impl Fn(f64, f64) -> bool) -> String {
    const SPACING: f64 = 5.0;
    const STEP: f64 = 0.5;
    let slopes: &[f64] = match hatch {
        Hatch::None => &[],
        Hatch::Rising => &[-1.0],
        Hatch::Falling => &[1.0],
        Hatch::Crossed => &[-1.0, 1.0],
    };
    let mut d = String::new();
    for slope in slopes {
        let count = ((frame.w + frame.h) / SPACING).ceil() as i32;
        for k in -count..=2 * count {
            // Lines y = slope (x − left) + top + k·spacing·√2, sampled in small steps.
            let height = |x: f64| slope * (x - frame.x) + frame.y + f64::from(k) * SPACING * 1.414;
            let at = |i: usize| frame.x + i as f64 * STEP;
            let test = |i: usize| {
                let (x, y) = (at(i), height(at(i)));
                frame.contains([x, y]) && inside(x, y)
            };
            for (from, to) in runs((frame.w / STEP) as usize + 1, test) {
                let [a, b, c, e] = [at(from), height(at(from)), at(to - 1), height(at(to - 1))].map(number);
                d += &format!("M{a} {b}L{c} {e}");
            }
        }
    }
    d
}
