//! Tables and figures for delassus: results become pictures and pages.
//!
//! - [`figure`]: all figures, as SVG and PNG.
//! - [`terminal`]: a curve as text.
//! - [`html`]: one self-contained page.
//! - [`reproduce`]: the figures and tables of the papers, computed and compared.
#![forbid(unsafe_code)]

pub mod figure;
pub mod html;
pub mod reproduce;
pub mod terminal;
