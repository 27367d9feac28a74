//! Results of delassus shown: tables, figures and pages. Nothing is computed here.
//!
//! - [`map`]: regimes and fields over two parameters, as figure, CSV and text.
//! - [`motion`]: a simulated motion, as figure, film and page.
//! - [`reproduce`]: the studies of papers, as files and one page.
//! - [`html`]: one self-contained page.
//! - [`terminal`]: a curve as text.
#![forbid(unsafe_code)]

mod document;
pub mod html;
pub mod map;
pub mod motion;
pub mod reproduce;
pub mod terminal;

pub use document::{PLAYER, Repeat};
