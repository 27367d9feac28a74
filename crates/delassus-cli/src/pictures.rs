//! Pictures of motions: which kind a file's name asks for, and drawing it.

use std::path::Path;

use delassus::LawSpec;
use delassus::scenario::Built;
use delassus::simulate::Trajectory;
use delassus_figure::{to_png, to_svg};
use delassus_io::ScenarioEntry;
use delassus_report::motion::{Motion, Run, Scene, figure, gif};
use delassus_report::{Part, Repeat, page};

use crate::failure::Failure;
use crate::input::file_name;

/// Pixels per inch of PNG files.
pub const PIXELS_PER_INCH: f64 = 200.0;

/// A kind of picture, by the suffix of its file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Picture {
    /// A page with a player.
    Html,
    /// The curves.
    Svg,
    /// The curves.
    Png,
    /// The animation.
    Gif,
}

/// Suffixes of pictures, films and tables that cannot be made: nobody means a directory by them.
const OTHERS: [&str; 23] = [
    "pdf", "jpg", "jpeg", "webp", "eps", "ps", "tif", "tiff", "svgz", "mp4", "webm", "mov", "avi", "csv", "tsv",
    "json", "npz", "npy", "parquet", "mat", "h5", "hdf5", "xlsx",
];

impl Picture {
    /// The kind that the name asks for; none for a name without a suffix of a picture, an error for
    /// suffixes of pictures that cannot be made.
    pub fn of(file: &Path) -> Result<Option<Picture>, Failure> {
        let suffix = file.extension().map(|s| s.to_string_lossy().to_ascii_lowercase());
        Ok(match suffix.as_deref() {
            Some("html" | "htm") => Some(Self::Html),
            Some("svg") => Some(Self::Svg),
            Some("png") => Some(Self::Png),
            Some("gif") => Some(Self::Gif),
            Some(other) if OTHERS.contains(&other) => {
                let samples = if matches!(other, "npz" | "npy" | "parquet") {
                    "; --samples npz writes the motion into it as arrays"
                } else {
                    ""
                };
                return Err(Failure::Input(format!(
                    "--out {}: .{other} is not written; .html, .svg, .png and .gif are pictures, and a name without \
                     a suffix is a directory for the results{samples}",
                    file.display()
                )));
            }
            _ => None,
        })
    }

    /// The bytes of the picture of these runs; runs of the same scenario lie above one another.
    pub fn draw(self, shown: &[Shown<'_>], repeat: &Repeat) -> Result<Vec<u8>, Failure> {
        let groups = Group::all(shown);
        let motions: Vec<Motion<'_>> = groups.iter().map(Group::motion).collect();
        let failed = |e: delassus_figure::PngError| Failure::Input(e.to_string());
        let only = || match &motions[..] {
            [one] => Ok(one),
            many => Err(Failure::Input(format!(
                "--out: a figure or film shows one scenario, and there are {}; use .html or a directory",
                many.len()
            ))),
        };
        Ok(match self {
            Self::Html => {
                let title = if let [one] = &motions[..] { one.title } else { "Motions" };
                let parts: Vec<Part<'_>> = motions.iter().map(|motion| Part::Motion(*motion)).collect();
                page(title, &parts, &[], repeat).into_bytes()
            }
            Self::Svg => to_svg(&figure(only()?)).into_bytes(),
            Self::Png => to_png(&figure(only()?), PIXELS_PER_INCH).map_err(failed)?,
            Self::Gif => {
                let one = only()?;
                gif(&Scene::new(one.built, one.runs)).map_err(failed)?
            }
        })
    }
}

/// The runs of one scenario.
pub struct Group<'a> {
    first: &'a Shown<'a>,
    runs: Vec<Run<'a>>,
}

impl<'a> Group<'a> {
    /// Runs of the same scenario together.
    pub fn all(shown: &'a [Shown<'a>]) -> Vec<Group<'a>> {
        let groups = shown.chunk_by(|a, b| std::ptr::eq(a.entry, b.entry));
        let run = |s: &Shown<'a>| Run { law: s.law.name(), trajectory: s.run };
        groups.map(|group| Group { first: &group[0], runs: group.iter().map(run).collect() }).collect()
    }

    /// What is shown of them.
    pub fn motion(&self) -> Motion<'_> {
        let Shown { title, entry, built, .. } = self.first;
        Motion { title, scenario: &entry.scenario, built, runs: &self.runs }
    }
}

/// One run to draw.
pub struct Shown<'a> {
    title: String,
    entry: &'a ScenarioEntry,
    built: &'a Built,
    law: &'a LawSpec,
    run: &'a Trajectory,
}

impl<'a> Shown<'a> {
    /// A run of a scenario of a file, by whose name it goes unless it has its own.
    pub fn new(file: &str, entry: &'a ScenarioEntry, built: &'a Built, law: &'a LawSpec, run: &'a Trajectory) -> Self {
        let unnamed = || format!("{} {}", file_name(file), entry.path).trim_end().to_owned();
        let title = entry.scenario.name.clone().unwrap_or_else(unnamed);
        Self { title, entry, built, law, run }
    }
}

/// How the program was called, and with what.
pub fn repeat(input: Vec<(String, String)>) -> Repeat {
    let plain = |word: &str| !word.is_empty() && word.chars().all(|c| c.is_alphanumeric() || "-_=./:,+@%".contains(c));
    let quoted = |word: String| if plain(&word) { word } else { format!("'{}'", word.replace('\'', "'\\''")) };
    let words = std::env::args_os().skip(1).map(|word| quoted(word.to_string_lossy().into_owned()));
    let command = std::iter::once("delassus".to_owned()).chain(words).collect::<Vec<_>>().join(" ");
    Repeat { version: format!("delassus {}", env!("CARGO_PKG_VERSION")), command, input }
}
