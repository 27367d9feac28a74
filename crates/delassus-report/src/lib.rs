//! Results of delassus shown: tables, figures and pages. Nothing is computed here.
//!
//! - [`contacts`]: profiles of contact solvers.
//! - [`map`]: regimes and fields over two parameters, as figure, CSV and text.
//! - [`impact`]: an impact under several laws, as figure and page.
//! - [`motion`]: a simulated motion, as figure, film and page.
//! - [`sweep`]: rows of sweeps as CSV, curves and maps as figures, a table as a part of a page.
//! - [`score`] and [`fit`]: laws held against measurements, and models.
//! - [`reproduce`]: the studies of papers, as files and one page.
//! - [`html`]: one self-contained page.
//! - [`terminal`]: a curve as text.
#![forbid(unsafe_code)]

pub mod contacts;
mod document;
pub mod fit;
pub mod html;
pub mod impact;
mod labels;
pub mod map;
pub mod motion;
pub mod reproduce;
pub mod score;
pub mod sweep;
pub mod terminal;

pub use document::{PLAYER, Repeat, STYLE};
pub use sweep::SweepTable;

/// Something that a page shows.
#[derive(Debug, Clone, Copy)]
pub enum Part<'a> {
    /// A motion, or several of one scenario.
    Motion(motion::Motion<'a>),
    /// An impact under several laws.
    Impact(impact::Impact<'a>),
    /// The table of a sweep.
    Table(&'a SweepTable),
}

/// One page of motions and impacts; `remarks` stand before them.
pub fn page(title: &str, parts: &[Part<'_>], remarks: &[String], repeat: &Repeat) -> String {
    let mut body: String = remarks.iter().map(|text| format!("<p>{}</p>\n", delassus_figure::escape(text))).collect();
    for part in parts {
        body += &section(part, parts.len() > 1);
    }
    let shows = |kind: fn(&Part<'_>) -> bool| parts.iter().any(kind);
    let lede = match (shows(|p| matches!(p, Part::Motion(_))), shows(|p| matches!(p, Part::Impact(_)))) {
        (true, _) => motion::LEDE,
        (false, true) => impact::LEDE,
        (false, false) => "",
    };
    document::document(title, lede, &(body + &repeat.section()))
}

/// The section of a page that shows one thing, with a heading where `headed`.
fn section(part: &Part<'_>, headed: bool) -> String {
    match part {
        Part::Motion(motion) => motion::part(motion, headed),
        Part::Impact(impact) => impact::part(impact, headed),
        Part::Table(table) => table.part(headed),
    }
}
