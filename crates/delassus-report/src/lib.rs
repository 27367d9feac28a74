//! Tables and figures for delassus: results become pictures and pages.
//!
//! - [`terminal`]: a curve as text.
//! - [`html`]: one self-contained page.
//! - [`map`]: regimes and fields over two parameters.
//! - [`reproduce`]: the figures and tables of the papers, computed and compared.
#![forbid(unsafe_code)]

mod csv;
pub mod html;
pub mod map;
pub mod reproduce;
pub mod terminal;
