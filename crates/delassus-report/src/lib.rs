//! Tables and figures for delassus: results become pictures and pages.
//!
//! - [`figure`]: all figures, as SVG and PNG.
#![forbid(unsafe_code)]

pub mod figure;
