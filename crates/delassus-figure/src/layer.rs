//! What can be drawn in a panel. All coordinates are data coordinates.

use super::cells::{Field, Regions};
use super::style::{Color, Dash, Hatch, Marker};
use super::svg::Anchor;

/// One thing drawn in a panel; later layers lie above earlier ones.
#[derive(Clone, Debug, PartialEq)]
pub enum Layer {
    /// A curve or a cloud of points.
    Series(Series),
    /// A filled polygon.
    Area(Area),
    /// Coloured cells of a map of regimes.
    Regions(Regions),
    /// A heat map with a colour bar.
    Field(Field),
    /// Text at a point.
    Text(Text),
    /// An arrow.
    Arrow(Arrow),
    /// A horizontal or vertical line through the whole panel.
    Reference(Reference),
}

macro_rules! into_layer {
    ($($name:ident),*) => { $(
        impl From<$name> for Layer {
            fn from(layer: $name) -> Layer { Layer::$name(layer) }
        }
    )* };
}
into_layer!(Series, Area, Regions, Field, Text, Arrow, Reference);

/// Data points joined by a line, marked, or both. Missing values (NaN) break the line.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// Points (x, y).
    pub points: Vec<[f64; 2]>,
    /// Legend entry; empty for none.
    pub label: String,
    /// Place in the house style (colour, dash, marker); `None` takes the next free one. Give the
    /// same index to the same thing in several panels.
    pub index: Option<usize>,
    /// Colour other than that of the index. The line is then solid unless `dash` says otherwise.
    pub color: Option<Color>,
    /// Dash other than that of the index.
    pub dash: Option<Dash>,
    /// Line width in points; 0 draws no line.
    pub width: f64,
    /// Markers at the points.
    pub marker: MarkerChoice,
    /// Marker diameter in points.
    pub marker_size: f64,
}

/// Whether the points of a series are marked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MarkerChoice {
    /// Not at all.
    None,
    /// With the marker of the series index.
    OfIndex,
    /// With this one.
    Fixed(Marker),
}

impl Series {
    fn new(points: impl IntoIterator<Item = (f64, f64)>) -> Series {
        Series {
            points: points.into_iter().map(|(x, y)| [x, y]).collect(),
            label: String::new(),
            index: None,
            color: None,
            dash: None,
            width: 1.1,
            marker: MarkerChoice::None,
            marker_size: 4.0,
        }
    }

    /// A curve through the points.
    pub fn line(points: impl IntoIterator<Item = (f64, f64)>) -> Series {
        Series::new(points)
    }

    /// The curve of a function at `count` equally spaced points.
    pub fn function(from: f64, to: f64, count: usize, f: impl Fn(f64) -> f64) -> Series {
        let step = (to - from) / (count.max(2) - 1) as f64;
        Series::new((0..count.max(2)).map(|k| {
            let x = from + k as f64 * step;
            (x, f(x))
        }))
    }

    /// A curve that keeps its value until the next point.
    pub fn steps(points: impl IntoIterator<Item = (f64, f64)>) -> Series {
        let mut stairs: Vec<(f64, f64)> = Vec::new();
        for (x, y) in points {
            if let Some(&(_, before)) = stairs.last() {
                stairs.push((x, before));
            }
            stairs.push((x, y));
        }
        Series::new(stairs)
    }

    /// Markers without a line.
    pub fn scatter(points: impl IntoIterator<Item = (f64, f64)>) -> Series {
        Series { width: 0.0, marker: MarkerChoice::OfIndex, ..Series::new(points) }
    }

    /// Sets the legend entry.
    pub fn label(mut self, label: impl Into<String>) -> Series {
        self.label = label.into();
        self
    }

    /// Sets the place in the house style.
    pub fn index(mut self, index: usize) -> Series {
        self.index = Some(index);
        self
    }

    /// Sets the colour.
    pub fn color(mut self, color: Color) -> Series {
        self.color = Some(color);
        self
    }

    /// Sets the dash.
    pub fn dash(mut self, dash: Dash) -> Series {
        self.dash = Some(dash);
        self
    }

    /// Sets the line width in points; 0 draws no line.
    pub fn width(mut self, width: f64) -> Series {
        self.width = width;
        self
    }

    /// Marks the points.
    pub fn markers(mut self) -> Series {
        self.marker = MarkerChoice::OfIndex;
        self
    }

    /// Marks the points with a given shape.
    pub fn marker(mut self, marker: Marker) -> Series {
        self.marker = MarkerChoice::Fixed(marker);
        self
    }

    /// Sets the marker diameter in points.
    pub fn marker_size(mut self, size: f64) -> Series {
        self.marker_size = size;
        self
    }
}

/// A filled polygon: a region with a known outline, or the band between two curves.
#[derive(Clone, Debug, PartialEq)]
pub struct Area {
    /// Outline; closed by itself.
    pub outline: Vec<[f64; 2]>,
    /// Legend entry; empty for none.
    pub label: String,
    /// Fill.
    pub color: Color,
    /// 0 (clear) to 1.
    pub opacity: f64,
    /// Pattern over the fill.
    pub hatch: Hatch,
}

impl Area {
    /// The inside of a polygon.
    pub fn polygon(outline: impl IntoIterator<Item = (f64, f64)>) -> Area {
        Area {
            outline: outline.into_iter().map(|(x, y)| [x, y]).collect(),
            label: String::new(),
            color: Color::hex(0xb2e1b6),
            opacity: 1.0,
            hatch: Hatch::None,
        }
    }

    /// The band between two curves over the same abscissae: (x, lower, upper).
    pub fn band(points: impl IntoIterator<Item = (f64, f64, f64)>) -> Area {
        let points: Vec<_> = points.into_iter().collect();
        let lower = points.iter().map(|p| (p.0, p.1));
        let upper = points.iter().rev().map(|p| (p.0, p.2));
        Area::polygon(lower.chain(upper))
    }

    /// Sets the legend entry.
    pub fn label(mut self, label: impl Into<String>) -> Area {
        self.label = label.into();
        self
    }

    /// Sets the fill.
    pub fn fill(mut self, color: Color, opacity: f64) -> Area {
        (self.color, self.opacity) = (color, opacity);
        self
    }

    /// Sets the pattern.
    pub fn hatch(mut self, hatch: Hatch) -> Area {
        self.hatch = hatch;
        self
    }
}

/// Text at a point.
#[derive(Clone, Debug, PartialEq)]
pub struct Text {
    /// The point.
    pub at: [f64; 2],
    /// What it says.
    pub text: String,
    /// Which end of the text stands at the point.
    pub anchor: Anchor,
    /// Shift in points, right and up.
    pub offset: [f64; 2],
    /// Colour of the letters.
    pub color: Color,
    /// Font size in points.
    pub size: f64,
}

impl Text {
    /// Black text centred on a point.
    pub fn new(x: f64, y: f64, text: impl Into<String>) -> Text {
        Text {
            at: [x, y],
            text: text.into(),
            anchor: Anchor::Middle,
            offset: [0.0, 0.0],
            color: Color::BLACK,
            size: 8.0,
        }
    }

    /// Sets which end stands at the point.
    pub fn anchor(mut self, anchor: Anchor) -> Text {
        self.anchor = anchor;
        self
    }

    /// Shifts the text by points, right and up.
    pub fn offset(mut self, right: f64, up: f64) -> Text {
        self.offset = [right, up];
        self
    }

    /// Sets the colour.
    pub fn color(mut self, color: Color) -> Text {
        self.color = color;
        self
    }
}

/// An arrow between two points.
#[derive(Clone, Debug, PartialEq)]
pub struct Arrow {
    /// Tail.
    pub from: [f64; 2],
    /// Tip.
    pub to: [f64; 2],
    /// Colour.
    pub color: Color,
}

impl Arrow {
    /// A black arrow.
    pub fn new(from: (f64, f64), to: (f64, f64)) -> Arrow {
        Arrow { from: [from.0, from.1], to: [to.0, to.1], color: Color::BLACK }
    }

    /// Sets the colour.
    pub fn color(mut self, color: Color) -> Arrow {
        self.color = color;
        self
    }
}

/// A line through the whole panel.
#[derive(Clone, Debug, PartialEq)]
pub struct Reference {
    /// Ordinate of a horizontal line, abscissa of a vertical one.
    pub value: f64,
    /// Horizontal or vertical.
    pub horizontal: bool,
    /// Legend entry; empty for none.
    pub label: String,
    /// Colour.
    pub color: Color,
    /// Dash.
    pub dash: Dash,
}

impl Reference {
    /// The line y = value.
    pub fn horizontal(value: f64) -> Reference {
        Reference { value, horizontal: true, label: String::new(), color: Color::GREY, dash: Dash::ShortDash }
    }

    /// The line x = value.
    pub fn vertical(value: f64) -> Reference {
        Reference { horizontal: false, ..Reference::horizontal(value) }
    }

    /// Sets the legend entry.
    pub fn label(mut self, label: impl Into<String>) -> Reference {
        self.label = label.into();
        self
    }

    /// Sets colour and dash.
    pub fn style(mut self, color: Color, dash: Dash) -> Reference {
        (self.color, self.dash) = (color, dash);
        self
    }
}
