//! `delassus record`.

use std::fmt::Write as _;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anstyle::{AnsiColor, Style};
use delassus::model::{AccelerationUnit, Record, RecordSummary};
use delassus_figure::{Axis, Figure, Panel, Series, to_png, to_svg};
use delassus_io::{GroundRecord, RecordData, RecordFormat, read_records};
use serde::Serialize;

use crate::failure::Failure;
use crate::output;
use crate::records::{drift, peaks, samples};

/// Show ground-motion records: unit, duration, peaks, drift, and a small picture
///
/// Reads PEER .AT2, ESM ASCII, GeoNet .V1A and .V2A (all components), one column of accelerations or
/// two of time and acceleration. The unit comes from the file, or from --units where the file
/// does not say; a velocity or a displacement is refused.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub struct Args {
    /// Record files
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Unit of files that do not say: g, m/s2, cm/s2, gal, mm/s2
    #[arg(long, value_name = "UNIT", value_parser = unit)]
    units: Option<AccelerationUnit>,
    /// Seconds between samples of files that do not say
    #[arg(long, value_name = "SECONDS")]
    interval: Option<f64>,
    /// Figure of acceleration, velocity and displacement: .svg or .png
    #[arg(long, value_name = "FIGURE")]
    out: Option<PathBuf>,
    /// Replace the figure if it exists
    #[arg(long, requires = "out")]
    force: bool,
    /// Print JSON, SI units: one object, or an array of them for several files or components
    #[arg(long)]
    json: bool,
}

const AFTER_HELP: &str = "\
The acceleration is taken as linear between its points and zero after the last; velocity and
displacement start at zero and are integrated exactly, as in delassus run. No baseline is corrected:
what is left at the end is shown. One g is 9.80665 m/s².

Examples:
  delassus record quake.AT2
  delassus record acceleration.txt --units g --interval 0.005
  delassus record east.AT2 up.AT2 --out records.svg --json";

/// Pixels of figures \[1/inch\].
const PIXELS_PER_INCH: f64 = 200.0;
const BOLD: Style = Style::new().bold();
const DIM: Style = Style::new().dimmed();
const WARN: Style = AnsiColor::Yellow.on_default();

/// A record that was read.
#[derive(Clone)]
struct Shown {
    format: RecordFormat,
    record: Record,
    summary: RecordSummary,
    warnings: Vec<String>,
}

#[derive(Serialize)]
struct ShownRecord {
    #[serde(flatten)]
    record: GroundRecord,
    format: &'static str,
    warnings: Vec<String>,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<ExitCode, Failure> {
    let figure = args.out.as_deref().map(|out| FigureFile::new(out, args.force)).transpose()?;
    let shown = args.files.iter().map(|file| read(args, file)).collect::<Result<Vec<_>, _>>()?.concat();
    if let Some(figure) = &figure {
        figure.write(&shown, args.force)?;
    }
    if args.json {
        let record = |shown: &Shown| ShownRecord {
            record: GroundRecord::from(&shown.summary),
            format: shown.format.name(),
            warnings: shown.warnings.clone(),
        };
        let records: Vec<ShownRecord> = shown.iter().map(record).collect();
        let text = match &records[..] {
            [one] => serde_json::to_string(one),
            many => serde_json::to_string(many),
        };
        writeln!(std::io::stdout().lock(), "{}", text.map_err(|e| Failure::Output(e.into()))?)?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut out = anstream::AutoStream::auto(std::io::stdout());
    for (i, shown) in shown.iter().enumerate() {
        writeln!(out, "{}{}", if i > 0 { "\n" } else { "" }, text(shown, output::width()).trim_end())?;
    }
    if let Some(path) = &args.out {
        writeln!(out, "\nFigure in {}", path.display())?;
    }
    Ok(ExitCode::SUCCESS)
}

/// A unit by its name in files.
fn unit(name: &str) -> Result<AccelerationUnit, String> {
    let known = AccelerationUnit::ALL.map(AccelerationUnit::name);
    let found = AccelerationUnit::ALL.into_iter().find(|unit| unit.name() == name);
    found.ok_or_else(|| format!("there are {}", known.join(", ")))
}

/// The components of a file.
fn read(args: &Args, file: &Path) -> Result<Vec<Shown>, Failure> {
    let name = file.display().to_string();
    let wrong = |problem: String| Failure::Input(format!("{name}: {problem}"));
    let bytes = fs::read(file).map_err(|e| wrong(format!("cannot read: {e}")))?;
    // Names in headers need not be UTF-8.
    let records = read_records(&name, &String::from_utf8_lossy(&bytes)).map_err(wrong)?;
    let shown = |data: &RecordData| {
        let settled = data.settle(args.units, args.interval).map_err(|e| wrong(format!("--{e}")))?;
        let record = settled.record(&data.named(&name)).map_err(|e| wrong(e.to_string()))?;
        let summary = record.summary();
        let warnings = data.remarks.iter().cloned().chain(summary.doubts()).collect();
        Ok(Shown { format: data.format, record, summary, warnings })
    };
    records.iter().map(shown).collect()
}

fn text(shown: &Shown, width: usize) -> String {
    let Shown { format, record, summary, warnings } = shown;
    let units = summary.units.name();
    let mut out = format!("{BOLD}{}{BOLD:#}  {DIM}{}, in {units}{DIM:#}\n", summary.name, format.name());
    let _ = writeln!(out, "  {}", samples(summary));
    let _ = writeln!(out, "  peaks: {}", peaks(summary));
    let _ = writeln!(out, "  at the end: {}", drift(summary));
    for warning in warnings {
        let _ = writeln!(out, "  {WARN}{warning}{WARN:#}");
    }
    let points: Vec<(f64, f64)> = curve(record, 2).collect();
    if points.len() >= 3 {
        let picture = delassus_report::terminal::plot(&points, width.min(90), 12);
        let _ = write!(out, "\n  acceleration [m/s²] over time [s]\n{picture}");
    }
    out
}

/// Times with displacement (0), velocity (1) or acceleration (2).
fn curve(record: &Record, which: usize) -> impl Iterator<Item = (f64, f64)> {
    let (last, step) = (record.acceleration().len() - 1, record.interval());
    (0..=last).map(move |k| {
        let t = k as f64 * step;
        // After the last sample the acceleration is zero.
        (t, if which == 2 { record.acceleration()[k] } else { record.at(t)[which] })
    })
}

/// Where a figure goes, and how.
struct FigureFile<'a> {
    path: &'a Path,
    png: bool,
}

impl<'a> FigureFile<'a> {
    fn new(path: &'a Path, force: bool) -> Result<Self, Failure> {
        let png = match path.extension().and_then(|e| e.to_str()).map(str::to_ascii_lowercase).as_deref() {
            Some("svg") => false,
            Some("png") => true,
            _ => return Err(Failure::Input(format!("--out {}: must end in .svg or .png", path.display()))),
        };
        output::refuse_file(path, force)?;
        Ok(Self { path, png })
    }

    fn write(&self, shown: &[Shown], force: bool) -> Result<(), Failure> {
        let panel = |which: usize, label: &str| {
            let series = shown.iter().enumerate().map(|(i, one)| {
                let series = Series::line(curve(&one.record, which)).index(i);
                let name = Path::new(&one.summary.name).file_name().unwrap_or_default().to_string_lossy().into_owned();
                if shown.len() > 1 { series.label(name) } else { series }
            });
            Panel::new(Axis::new("time [s]"), Axis::new(label)).extend(series)
        };
        let panels = vec![panel(2, "acceleration [m/s²]"), panel(1, "velocity [m/s]"), panel(0, "displacement [m]")];
        let mut figure = Figure::grid(1, panels).aspect(0.3);
        match shown {
            [one] => figure = figure.title(one.summary.name.clone()),
            _ => figure = figure.shared_legend(),
        }
        let bytes = match self.png {
            true => to_png(&figure, PIXELS_PER_INCH).map_err(|e| Failure::Input(e.to_string()))?,
            false => to_svg(&figure).into_bytes(),
        };
        output::write_whole(self.path, &bytes, force)
    }
}
