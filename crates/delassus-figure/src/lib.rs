//! All figures, in one style, from plain data. Nothing here knows what is drawn.
//!
//! A [`Figure`] holds panels, a [`Panel`] two axes and layers. [`to_svg`] draws it, and with the
//! feature `png` so does `to_png`; equal input gives equal bytes. Lengths are points (1/72 inch).
//!
//! ```
//! use delassus_figure::*;
//! let panel = Panel::new(Axis::new("t [s]"), Axis::new("θ [rad]"))
//!     .add(Series::function(0.0, 6.0, 400, |t| (-0.2 * t).exp() * t.cos()).label("ε = 0.9"))
//!     .add(Reference::horizontal(0.0));
//! let svg = to_svg(&Figure::single(panel));
//! assert!(svg.starts_with("<svg"));
//! ```
//!
//! # Why not a plotting crate
//!
//! Two were tried on the same data (six curves of 2000 points, one with a gap; a 400 × 400 map).
//! kuva 0.6 writes NaN into the path, so the rest of that curve is lost, and needs 11.6 MB for the
//! map (here 23 kB); plotters 0.3 draws the gap as a spike, folds curves along the border of the box,
//! puts its legend over the curves and wants the space for labels as a number. Neither thins curves
//! (233 and 112 kB, here 14 kB for twice the points). Font metrics, outlines and the rasteriser
//! are libraries (ttf-parser, tiny-skia).
#![forbid(unsafe_code)]

mod axis;
mod cells;
mod contour;
mod curve;
mod draw;
mod drawing;
#[cfg(feature = "gif")]
mod film;
mod layer;
mod layout;
mod legend;
mod limits;
mod paint;
#[cfg(feature = "png")]
mod raster;
mod style;
mod svg;
#[cfg(test)]
mod tests;
mod text;
mod ticks;
mod widths;

pub use axis::{Axis, Scale, Ticks};
pub use cells::{Category, CellGrid, Field, Regions};
pub use draw::{PanelPlace, places, to_svg};
pub use drawing::Drawing;
#[cfg(feature = "gif")]
pub use film::to_gif;
pub use layer::{Area, Arrow, Layer, MarkerChoice, Reference, Series, Text};
#[cfg(feature = "png")]
pub use raster::{PngError, to_png};
pub use style::{Color, ColorMap, Dash, Hatch, Marker, category_color, series_color};
pub use svg::Anchor;
pub use text::escape;

/// A figure of one or several panels.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    /// Heading; empty for none.
    pub title: String,
    /// Panels, row by row.
    pub panels: Vec<Panel>,
    /// Panels a row.
    pub columns: usize,
    /// Width of the figure in points; 480 fills a page.
    pub width: f64,
    /// Height over width of the axes boxes.
    pub aspect: f64,
    /// Whether panel titles begin with (a), (b), …
    pub letters: bool,
    /// One legend below all panels in place of one in each.
    pub shared_legend: bool,
}

impl Figure {
    /// A figure of one panel, 340 points wide.
    pub fn single(panel: Panel) -> Figure {
        Figure { width: 340.0, letters: false, ..Figure::grid(1, vec![panel]) }
    }

    /// Panels in rows of `columns`, lettered, over the width of a page.
    pub fn grid(columns: usize, panels: Vec<Panel>) -> Figure {
        Figure {
            title: String::new(),
            panels,
            columns: columns.max(1),
            width: 480.0,
            aspect: 0.7,
            letters: true,
            shared_legend: false,
        }
    }

    /// Sets the heading.
    pub fn title(mut self, title: impl Into<String>) -> Figure {
        self.title = title.into();
        self
    }

    /// Sets the width in points.
    pub fn width(mut self, width: f64) -> Figure {
        self.width = width;
        self
    }

    /// Sets height over width of the axes boxes.
    pub fn aspect(mut self, aspect: f64) -> Figure {
        self.aspect = aspect;
        self
    }

    /// One legend below all panels.
    pub fn shared_legend(mut self) -> Figure {
        self.shared_legend = true;
        self
    }
}

/// How the axes of a panel are drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Frame {
    /// A box with ticks outside.
    #[default]
    Box,
    /// Two arrows that cross at the origin, as for graphs of force laws; labels at the tips, and
    /// only ticks given with [`Axis::ticks_at`].
    Arrows,
}

/// Where the legend of a panel stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LegendPlace {
    /// In a corner that is free of data, else below the panel.
    #[default]
    Auto,
    /// Right of the panel.
    Right,
    /// Below the panel.
    Below,
    /// Nowhere.
    None,
}

/// Axes and what is drawn in them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Panel {
    /// Heading; empty for none.
    pub title: String,
    /// Horizontal axis.
    pub x: Axis,
    /// Vertical axis.
    pub y: Axis,
    /// What is drawn, from back to front.
    pub layers: Vec<Layer>,
    /// How the axes are drawn.
    pub frame: Frame,
    /// Where the legend stands.
    pub legend: LegendPlace,
}

impl Panel {
    /// An empty panel.
    pub fn new(x: Axis, y: Axis) -> Panel {
        Panel { x, y, ..Panel::default() }
    }

    /// Sets the heading.
    pub fn title(mut self, title: impl Into<String>) -> Panel {
        self.title = title.into();
        self
    }

    /// Draws one more thing, above the others.
    #[allow(clippy::should_implement_trait)]
    pub fn add(mut self, layer: impl Into<Layer>) -> Panel {
        self.layers.push(layer.into());
        self
    }

    /// Draws several things.
    pub fn extend<L: Into<Layer>>(mut self, layers: impl IntoIterator<Item = L>) -> Panel {
        self.layers.extend(layers.into_iter().map(Into::into));
        self
    }

    /// Draws the axes as arrows through the origin.
    pub fn arrows(mut self) -> Panel {
        self.frame = Frame::Arrows;
        self
    }

    /// Sets the place of the legend.
    pub fn legend(mut self, place: LegendPlace) -> Panel {
        self.legend = place;
        self
    }
}
