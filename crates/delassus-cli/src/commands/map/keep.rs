//! Finished rows of a map, kept in a file beside its figure until that is
//! written: an interrupted map goes on where it was.

use std::fs::{self, File, OpenOptions};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use delassus::Status;
use delassus_study::map::{Curves, Rows, Source, steps};
use delassus_study::{Grid, Piece, Reading, Regime};
use serde::{Deserialize, Serialize};

use crate::failure::Failure;

/// Maps that take no longer leave no trace.
const PATIENCE: Duration = Duration::from_secs(1);
/// Begins the file, before the number of the study.
const MAGIC: &str = "finished rows of the delassus map";

/// Keeps finished rows, and knows those of an earlier attempt.
pub struct Keep {
    /// `None` where the map has no files: then nothing is kept.
    path: Option<PathBuf>,
    header: String,
    points: Vec<Option<Vec<Reading>>>,
    curves: Vec<Option<Curves>>,
    /// Rows of points, and of curves where they are followed.
    all: usize,
    /// Points of a row.
    columns: usize,
    /// Earlier attempts that had begun to write the files of the map, by the number of their process.
    writers: Vec<u32>,
    out: Mutex<Out>,
    begin: Instant,
    stop: Arc<AtomicBool>,
}

/// The end of the file.
#[derive(Default)]
struct Out {
    file: Option<File>,
    /// Bytes of an earlier attempt that are sound.
    sound: u64,
    /// Rows in the file.
    rows: usize,
    /// Lines that wait for the file to be opened, and their number.
    waiting: (Vec<u8>, usize),
    /// Whether writing failed: the map is computed all the same.
    failed: bool,
}

/// A line of the file. Numbers are given by their bits, which keeps them exactly.
#[derive(Serialize, Deserialize)]
enum Line {
    /// A row of points: its index; value, regime and status of each.
    Points(usize, Vec<(u64, u64, Option<u8>)>),
    /// A row of squares: its index; regimes and points of each piece; how many squares are too rough.
    Curves(usize, Vec<([u64; 2], Vec<[u64; 2]>)>, usize),
    /// All rows are there: the process of this number writes the files of the map.
    Writing(u32),
}

const STATUSES: [Status; 6] = [
    Status::Solved,
    Status::Inaccurate,
    Status::NoSolution,
    Status::MaxIterations,
    Status::Stalled,
    Status::NotApplicable,
];

impl Keep {
    /// Keeps nothing.
    pub fn nothing(probe: &impl Source, grid: &Grid) -> Self {
        Self {
            path: None,
            all: steps(probe, grid),
            columns: grid.x.len(),
            header: String::new(),
            points: vec![None; grid.y.len()],
            curves: vec![None; grid.y.len()],
            writers: Vec::new(),
            out: Mutex::default(),
            begin: Instant::now(),
            stop: Arc::default(),
        }
    }

    /// Keeps the rows of a map beside its figure, and reads those that are there.
    pub fn beside(figure: &Path, probe: &impl Source, grid: &Grid) -> Result<Self, Failure> {
        let mut name = figure.file_name().unwrap_or_default().to_owned();
        name.push(".partial");
        let path = figure.with_file_name(name);
        let read = match fs::read(&path) {
            Ok(bytes) => Some(bytes),
            Err(e) if e.kind() == io::ErrorKind::NotFound => None,
            Err(e) => return Err(Failure::Input(format!("{}: cannot read: {e}", path.display()))),
        };
        let mut keep = Self { path: Some(path), header: header(probe, grid), ..Self::nothing(probe, grid) };
        if let Some(bytes) = read {
            keep.read(&String::from_utf8_lossy(&bytes), grid)?;
        }
        Ok(keep)
    }

    /// Stops when the flag is set.
    pub fn until(self, stop: Arc<AtomicBool>) -> Self {
        Self { stop, ..self }
    }

    /// Takes over the rows of an earlier attempt, up to the first that is not whole.
    fn read(&mut self, text: &str, grid: &Grid) -> Result<(), Failure> {
        let name = self.path.as_deref().unwrap_or(Path::new("")).display().to_string();
        let Some(lines) = text.strip_prefix(&self.header) else {
            if self.header.starts_with(text) {
                // It broke off in its first line.
                return Ok(());
            }
            if !MAGIC.starts_with(text) && !text.starts_with(MAGIC) {
                return Err(Failure::Input(format!("{name}: is in the way, and no file of delassus; move it")));
            }
            anstream::eprintln!("note: {name} is of another map or program and is not used");
            return Ok(());
        };
        let mut sound = self.header.len();
        for line in lines.split_inclusive('\n') {
            let whole = line.strip_suffix('\n').and_then(|line| serde_json::from_str(line).ok());
            if whole.and_then(|line| self.accept(line, grid)).is_none() {
                break;
            }
            sound += line.len();
        }
        let rows = self.points.iter().flatten().count() + self.curves.iter().flatten().count();
        let all = self.all;
        anstream::eprintln!("note: goes on from {name}, where {rows} of {all} rows are finished");
        self.out = Mutex::new(Out { sound: sound as u64, rows, ..Out::default() });
        Ok(())
    }

    fn accept(&mut self, line: Line, grid: &Grid) -> Option<()> {
        match line {
            Line::Points(row, points) => {
                let reading = |(value, regime, status): (u64, u64, Option<u8>)| {
                    let status = match status {
                        None => None,
                        Some(code) => Some(STATUSES.into_iter().find(|s| *s as u8 == code)?),
                    };
                    Some(Reading { value: f64::from_bits(value), regime: Regime::new(regime), status })
                };
                let points: Vec<Reading> = points.into_iter().map(reading).collect::<Option<_>>()?;
                let place = self.points.get_mut(row).filter(|_| points.len() == grid.x.len())?;
                *place = Some(points);
            }
            Line::Curves(row, pieces, rough) => {
                let piece = |(between, points): ([u64; 2], Vec<[u64; 2]>)| Piece {
                    between: between.map(Regime::new),
                    points: points.into_iter().map(|point| point.map(f64::from_bits)).collect(),
                };
                *self.curves.get_mut(row)? = Some((pieces.into_iter().map(piece).collect(), rough));
            }
            Line::Writing(process) => self.writers.push(process),
        }
        Some(())
    }

    /// Notes that the files of the map are being written. Killed from now on, the map is known to be
    /// its own when the same command comes upon some of its files.
    pub fn writing(&self) {
        let Some(path) = &self.path else { return };
        self.append(|| Line::Writing(std::process::id()));
        if let Ok(mut out) = self.out.lock()
            && !out.failed
        {
            out.failed = out.write(path, &self.header).is_err();
        }
    }

    /// The processes that had begun to write the files of this map and did not come to its end.
    pub fn writers(&self) -> &[u32] {
        &self.writers
    }

    fn append(&self, line: impl FnOnce() -> Line) {
        let Some(path) = &self.path else { return };
        let Ok(line) = serde_json::to_vec(&line()) else { return };
        let Ok(mut out) = self.out.lock() else { return };
        if out.failed {
            return;
        }
        let (waiting, count) = &mut out.waiting;
        waiting.extend(line);
        waiting.push(b'\n');
        *count += 1;
        if self.begin.elapsed() >= PATIENCE {
            out.failed = out.write(path, &self.header).is_err();
        }
    }

    /// Removes the file: the map is written.
    pub fn finish(&self) {
        if let Some(path) = &self.path {
            // Left behind, it is only read in vain.
            let _ = fs::remove_file(path);
        }
    }

    /// What there is to say after the map was given up.
    pub fn interrupted(&self) -> Failure {
        let rows = self.out.lock().map_or(0, |out| out.rows);
        Failure::Interrupted(match &self.path {
            Some(path) if rows > 0 => {
                let all = self.all;
                format!("{rows} of {all} rows are in {}; the same command goes on from there", path.display())
            }
            _ => "nothing was written".to_owned(),
        })
    }
}

impl Rows for Keep {
    fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    fn points(&self, row: usize, compute: &mut dyn FnMut() -> Option<Vec<Reading>>) -> Option<Vec<Reading>> {
        if let Some(known) = &self.points[row] {
            return Some(known.clone());
        }
        let points = match compute() {
            Some(points) => points,
            // Without a file what there is is shown.
            None if self.path.is_none() => {
                let none = Reading { value: f64::NAN, regime: Regime::NOT_COMPUTED, status: None };
                return Some(vec![none; self.columns]);
            }
            None => return None,
        };
        let bits = |r: &Reading| (r.value.to_bits(), r.regime.number(), r.status.map(|s| s as u8));
        self.append(|| Line::Points(row, points.iter().map(bits).collect()));
        Some(points)
    }

    fn curves(&self, row: usize, compute: &mut dyn FnMut() -> Option<Curves>) -> Option<Curves> {
        if let Some(known) = &self.curves[row] {
            return Some(known.clone());
        }
        let (pieces, rough) = match compute() {
            Some(curves) => curves,
            None if self.path.is_none() => return Some((Vec::new(), 0)),
            None => return None,
        };
        let bits =
            |p: &Piece| (p.between.map(Regime::number), p.points.iter().map(|point| point.map(f64::to_bits)).collect());
        self.append(|| Line::Curves(row, pieces.iter().map(bits).collect(), rough));
        Some((pieces, rough))
    }
}

impl Out {
    /// Writes the lines that wait, in one piece, behind what is sound.
    fn write(&mut self, path: &Path, header: &str) -> io::Result<()> {
        let file = match &mut self.file {
            Some(file) => file,
            None => {
                let mut file = OpenOptions::new().create(true).write(true).truncate(false).open(path)?;
                file.set_len(self.sound)?;
                file.seek(SeekFrom::End(0))?;
                if self.sound == 0 {
                    file.write_all(header.as_bytes())?;
                }
                self.file.insert(file)
            }
        };
        let (lines, count) = std::mem::take(&mut self.waiting);
        file.write_all(&lines)?;
        self.rows += count;
        Ok(())
    }
}

/// The first line. It stands for everything that rows depend on: the problem
/// or scenario, its laws, the axes, the measure, and the very program.
fn header(probe: &impl Source, grid: &Grid) -> String {
    let program = std::env::current_exe().and_then(fs::metadata).map(|m| (m.len(), m.modified().ok())).ok();
    let mut hasher = DefaultHasher::new();
    format!("{} {program:?} {probe:?} {grid:?}", env!("CARGO_PKG_VERSION")).hash(&mut hasher);
    format!("{MAGIC} {:016x}\n", hasher.finish())
}

#[cfg(test)]
mod tests {
    use delassus::{LawSpec, ProblemSource, RodImpact};
    use delassus_report::map::{boundaries_csv, csv};
    use delassus_study::map::{Computed, compute};
    use delassus_study::{Case, Measure, Parameter, Probe};

    use super::*;

    fn probe(friction: f64, measure: &str) -> Probe {
        let rod = RodImpact { friction, restitution: 0.5, ..RodImpact::default() };
        let case = Case::new(ProblemSource::Rod(rod), [LawSpec::by_name("newton").unwrap()]);
        let axes = ["rod.velocity_ratio", "rod.angle"].map(|key| Parameter::parse(key, &case).unwrap());
        let measure = Measure::parse(measure, &case).unwrap();
        Probe::new(case, axes, measure).unwrap()
    }

    fn grid() -> Grid {
        Grid::uniform([(-6.0, 6.0), (-1.0, 3.0)], [13, 9]).unwrap()
    }

    /// A folder of its own, and a figure in it.
    fn figure(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("delassus-{name}-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        folder.join("map.svg")
    }

    fn impatient(figure: &Path, probe: &Probe) -> Keep {
        let keep = Keep::beside(figure, probe, &grid()).unwrap();
        Keep { begin: Instant::now().checked_sub(PATIENCE).unwrap(), ..keep }
    }

    fn computed(probe: &Probe, keep: &Keep) -> Option<Computed> {
        compute(probe, &grid(), keep, &|| ())
    }

    fn texts(probe: &Probe, keep: &Keep) -> [String; 2] {
        let map = computed(probe, keep).unwrap().map(probe, &grid(), "", "");
        [csv(&map), boundaries_csv(&map)]
    }

    #[test]
    fn a_map_goes_on_from_any_place_to_the_same_end() {
        let figure = figure("keep");
        let partial = figure.with_file_name("map.svg.partial");
        for measure in ["state", "energy"] {
            let probe = probe(0.5, measure);
            let whole = texts(&probe, &Keep::nothing(&probe, &grid()));
            // A quick map leaves nothing.
            assert_eq!(texts(&probe, &Keep::beside(&figure, &probe, &grid()).unwrap()), whole);
            assert!(!partial.exists());

            assert_eq!(texts(&probe, &impatient(&figure, &probe)), whole);
            let text = fs::read_to_string(&partial).unwrap();
            assert_eq!(text.lines().count(), 1 + 9 + 8);
            for length in (0..text.len()).step_by(text.len() / 10) {
                fs::write(&partial, &text[..length]).unwrap();
                let keep = Keep::beside(&figure, &probe, &grid()).unwrap();
                let lines = text[..length].matches('\n').count().saturating_sub(1);
                let known = keep.points.iter().flatten().count() + keep.curves.iter().flatten().count();
                assert_eq!(known, lines);
                assert_eq!(texts(&probe, &impatient(&figure, &probe)), whole);
                // What was torn is mended.
                assert_eq!(fs::read_to_string(&partial).unwrap().lines().count(), 1 + 9 + 8);
            }
            impatient(&figure, &probe).finish();
            assert!(!partial.exists());
        }
        fs::remove_dir_all(figure.parent().unwrap()).unwrap();
    }

    #[test]
    fn rows_of_another_map_are_not_used_and_other_files_not_touched() {
        let figure = figure("keep-other");
        let partial = figure.with_file_name("map.svg.partial");
        texts(&probe(0.5, "energy"), &impatient(&figure, &probe(0.5, "energy")));
        for other in [probe(0.25, "energy"), probe(0.5, "kinetic")] {
            let keep = impatient(&figure, &other);
            assert!(keep.points.iter().all(Option::is_none));
            assert_eq!(texts(&other, &keep), texts(&other, &Keep::nothing(&other, &grid())));
            assert!(impatient(&figure, &other).points.iter().all(Option::is_some));
        }
        fs::write(&partial, "mine").unwrap();
        assert!(Keep::beside(&figure, &probe(0.5, "energy"), &grid()).is_err());
        assert_eq!(fs::read_to_string(&partial).unwrap(), "mine");
        fs::remove_dir_all(figure.parent().unwrap()).unwrap();
    }

    #[test]
    fn a_stopped_map_says_how_to_go_on() {
        let figure = figure("keep-stop");
        let probe = probe(0.5, "energy");
        let whole = texts(&probe, &impatient(&figure, &probe));
        let partial = figure.with_file_name("map.svg.partial");
        let text = fs::read_to_string(&partial).unwrap();
        let half: String = text.split_inclusive('\n').take(5).collect();
        fs::write(&partial, half).unwrap();
        let stopped = impatient(&figure, &probe).until(Arc::new(AtomicBool::new(true)));
        assert!(computed(&probe, &stopped).is_none());
        let Failure::Interrupted(message) = stopped.interrupted() else { panic!() };
        assert!(message.starts_with("4 of 17 rows are in "), "{message}");
        assert_eq!(texts(&probe, &impatient(&figure, &probe)), whole);
        fs::remove_dir_all(figure.parent().unwrap()).unwrap();
    }
}
