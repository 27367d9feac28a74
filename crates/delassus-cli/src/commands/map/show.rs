//! A map in files, on the terminal and as JSON.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use delassus_figure::{to_png, to_svg};
use delassus_report::map::{boundaries_csv, csv, labelled_figure, symbol, text};
use delassus_report::sweep::Labels;
use delassus_study::map::{Computed, Map, MapAxis};
use serde_json::{Value, json};

use super::Files;
use crate::failure::Failure;
use crate::output::{width, write_whole};
use delassus_study::number;

const PIXELS_PER_INCH: f64 = 200.0;

impl Files {
    /// Draws and writes; nothing is written if the figure cannot be drawn. Where an earlier attempt
    /// at the map is `known`, files that it had written already are left as they are.
    pub fn write(
        self,
        map: &Map,
        labels: &Labels,
        followed: bool,
        known: bool,
        force: bool,
    ) -> Result<Vec<PathBuf>, Failure> {
        let figure = labelled_figure(map, labels);
        let figure = match self.png {
            true => to_png(&figure, PIXELS_PER_INCH).map_err(|e| Failure::Input(e.to_string()))?,
            false => to_svg(&figure).into_bytes(),
        };
        let write = |path: &Path, content: &[u8]| {
            let there = known && fs::read(path).is_ok_and(|old| old == content);
            if there { Ok(()) } else { write_whole(path, content, force) }
        };
        write(&self.values, csv(map).as_bytes())?;
        if followed {
            write(&self.boundaries, boundaries_csv(map).as_bytes())?;
        }
        write(&self.figure, &figure)?;
        let boundaries = followed.then_some(self.boundaries);
        Ok([self.figure, self.values].into_iter().chain(boundaries).collect())
    }
}

/// What is told about a map.
pub struct Summary<'a> {
    pub map: &'a Map,
    pub computed: &'a Computed,
    pub laws: &'a [&'static str],
    pub files: &'a [PathBuf],
    pub seconds: f64,
}

impl Summary<'_> {
    /// Prints the summary as JSON.
    pub fn json(&self) -> Result<(), Failure> {
        let map = self.map;
        let points = map.regimes.len();
        let axis = |axis: &MapAxis| {
            json!({
                "key": axis.key, "from": axis.values.first(), "to": axis.values.last(), "points": axis.values.len(),
            })
        };
        let regimes = map
            .shares()
            .into_iter()
            .map(|(k, count)| json!({ "name": map.names[k], "points": count, "share": count as f64 / points as f64 }));
        let boundaries = map.boundaries.iter().map(|b| {
            let [first, second] = b.between.map(|k| &map.names[k]);
            json!({ "between": [first, second], "points": b.points.len() })
        });
        let range = map.range().map_or(Value::Null, |(low, high)| json!([low, high]));
        let value = json!({
            "measure": map.measure,
            "laws": self.laws,
            "x": axis(&map.x),
            "y": axis(&map.y),
            "range": range,
            "regimes": regimes.collect::<Vec<_>>(),
            "boundaries": boundaries.collect::<Vec<_>>(),
            "undefined": self.computed.undefined.as_ref().map(ToString::to_string),
            "unsolved": self.computed.unsolved,
            "rough": self.computed.rough,
            "files": self.files.iter().map(|f| f.display().to_string()).collect::<Vec<_>>(),
            "seconds": self.seconds,
        });
        let mut out = std::io::stdout().lock();
        serde_json::to_writer_pretty(&mut out, &value).map_err(|e| Failure::Output(e.into()))?;
        writeln!(out)?;
        Ok(())
    }

    /// Prints the summary, with a small map where there is no figure.
    pub fn print(&self) -> Result<(), Failure> {
        let map = self.map;
        let mut out = anstream::stdout().lock();
        writeln!(out, "{}", map.title)?;
        if self.files.is_empty() {
            let ends = |axis: &MapAxis| match axis.values[..] {
                [from, .., to] => {
                    format!("{} from {} to {}", axis.key, number::format(from, 0.0), number::format(to, 0.0))
                }
                _ => axis.key.clone(),
            };
            write!(out, "\n{}", text(map, width().min(100), 30))?;
            writeln!(out, "right: {}; up: {}\n", ends(&map.x), ends(&map.y))?;
        }
        if let Some((low, high)) = map.range() {
            writeln!(out, "{}: {} to {}", map.measure, number::format(low, 0.0), number::format(high, 0.0))?;
        }
        let points = map.regimes.len();
        for (k, count) in map.shares() {
            let mark = if map.values.is_empty() && self.files.is_empty() { symbol(k) } else { ' ' };
            writeln!(out, "{mark} {:6.2} %  {}", 100.0 * count as f64 / points as f64, map.names[k])?;
        }
        if let Some(reason) = &self.computed.undefined {
            writeln!(out, "undefined: {reason}")?;
        }
        if self.computed.unsolved > 0 {
            writeln!(out, "not found or inaccurate: {} of {points} points", self.computed.unsolved)?;
        }
        let traced: usize = map.boundaries.iter().map(|b| b.points.len()).sum();
        writeln!(
            out,
            "{points} points and {} curves of {traced} points in {:.2} s",
            map.boundaries.len(),
            self.seconds
        )?;
        if self.computed.rough > 0 {
            let squares = (map.x.values.len() - 1) * (map.y.values.len() - 1);
            writeln!(
                out,
                "in {} of {squares} squares of the grid the boundary is too rough to be followed: \
                 regimes alternate there below the spacing",
                self.computed.rough
            )?;
        }
        for file in self.files {
            writeln!(out, "wrote {}", file.display())?;
        }
        Ok(())
    }
}
