//! Tables and figures for delassus: results become pictures and pages.
//!
//! - [`figure`]: all figures, as SVG and PNG.
//! - [`terminal`]: a curve as text.
//! - [`html`]: one self-contained page.
//! - [`map`]: regimes and fields over two parameters.
//! - [`reproduce`]: the figures and tables of the papers, computed and compared.
#![forbid(unsafe_code)]

mod csv;
pub mod figure;
pub mod html;
pub mod map;
pub mod reproduce;
pub mod terminal;
