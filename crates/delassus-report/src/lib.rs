//! Results of delassus shown: tables, figures and pages. Nothing is computed here.
//!
//! - [`map`]: regimes and fields over two parameters, as figure, CSV and text.
//! - [`motion`]: a simulated motion, as figure, film and page.
//! - [`sweep`]: rows of sweeps as CSV, curves as a figure.
//! - [`reproduce`]: the studies of papers, as files and one page.
//! - [`html`]: one self-contained page.
//! - [`terminal`]: a curve as text.
#![forbid(unsafe_code)]

mod document;
pub mod html;
mod labels;
pub mod map;
pub mod motion;
pub mod reproduce;
pub mod sweep;
pub mod terminal;

pub use document::{PLAYER, Repeat};
