//! Colours, dashes and markers of the house style.
//!
//! Series use the palette of Okabe and Ito (without yellow, too faint on paper), and every series
//! also has its own dash pattern and marker, so that figures survive grey printing. Regions and
//! fields use colours ordered by lightness for the same reason.

/// An sRGB colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Color {
    /// Red, 0–255.
    pub r: u8,
    /// Green, 0–255.
    pub g: u8,
    /// Blue, 0–255.
    pub b: u8,
}

impl Color {
    /// Ink of axes and text.
    pub const BLACK: Color = Color::hex(0x000000);
    /// Mid grey, for reference lines.
    pub const GREY: Color = Color::hex(0x777777);
    /// Pale grey, for regions that mean "none".
    pub const PALE: Color = Color::hex(0xe9e9e9);
    /// Paper.
    pub const WHITE: Color = Color::hex(0xffffff);

    /// From `0xRRGGBB`.
    pub const fn hex(rgb: u32) -> Color {
        Color { r: (rgb >> 16) as u8, g: (rgb >> 8) as u8, b: rgb as u8 }
    }

    /// Perceived lightness between 0 (black) and 1 (white), Rec. 601 luma.
    pub fn lightness(self) -> f64 {
        (0.299 * f64::from(self.r) + 0.587 * f64::from(self.g) + 0.114 * f64::from(self.b)) / 255.0
    }

    /// Black or white, whichever reads better on this colour.
    pub fn ink(self) -> Color {
        if self.lightness() > 0.5 { Color::BLACK } else { Color::WHITE }
    }

    fn mix(self, other: Color, t: f64) -> Color {
        let lerp = |a: u8, b: u8| (f64::from(a) + t * (f64::from(b) - f64::from(a))).round() as u8;
        Color { r: lerp(self.r, other.r), g: lerp(self.g, other.g), b: lerp(self.b, other.b) }
    }
}

impl std::fmt::Display for Color {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "#{:02x}{:02x}{:02x}", self.r, self.g, self.b)
    }
}

const SERIES: [Color; 7] = [
    Color::hex(0x0072b2),
    Color::hex(0xd55e00),
    Color::hex(0x009e73),
    Color::hex(0xcc79a7),
    Color::hex(0xe69f00),
    Color::hex(0x56b4e9),
    Color::hex(0x000000),
];

/// Colour of series `index` (repeats after seven).
pub fn series_color(index: usize) -> Color {
    SERIES[index % SERIES.len()]
}

/// Dash pattern of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dash {
    /// Unbroken.
    Solid,
    /// Even dashes.
    Dashed,
    /// Dots.
    Dotted,
    /// Dash, dot.
    DashDot,
    /// Long dashes.
    LongDash,
    /// Dash, two dots.
    DashDotDot,
    /// Short dashes; reference lines use it.
    ShortDash,
}

impl Dash {
    const ALL: [Dash; 7] =
        [Dash::Solid, Dash::Dashed, Dash::DashDot, Dash::Dotted, Dash::LongDash, Dash::DashDotDot, Dash::ShortDash];

    /// Dash of series `index`; changes its phase against the colours after seven, so 49 series differ.
    pub fn of_series(index: usize) -> Dash {
        Self::ALL[(index + index / SERIES.len()) % Self::ALL.len()]
    }

    /// The SVG `stroke-dasharray` in points, none for a solid line.
    pub(crate) fn array(self) -> Option<&'static str> {
        match self {
            Dash::Solid => None,
            Dash::Dashed => Some("4.5 2"),
            Dash::Dotted => Some("1.1 1.5"),
            Dash::DashDot => Some("6 1.8 1.1 1.8"),
            Dash::LongDash => Some("9 2.5"),
            Dash::DashDotDot => Some("6 1.6 1.1 1.6 1.1 1.6"),
            Dash::ShortDash => Some("2.4 1.4"),
        }
    }
}

/// Shape drawn at a data point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Marker {
    /// Filled circle.
    Circle,
    /// Circle.
    OpenCircle,
    /// Filled square.
    Square,
    /// Square.
    OpenSquare,
    /// Filled triangle.
    Triangle,
    /// Triangle.
    OpenTriangle,
    /// Filled diamond.
    Diamond,
    /// Diamond.
    OpenDiamond,
    /// Upright cross.
    Plus,
    /// Slanted cross.
    Cross,
}

impl Marker {
    const ALL: [Marker; 7] = [
        Marker::Circle,
        Marker::OpenSquare,
        Marker::Triangle,
        Marker::OpenDiamond,
        Marker::Cross,
        Marker::OpenCircle,
        Marker::Square,
    ];

    /// Marker of series `index`.
    pub fn of_series(index: usize) -> Marker {
        Self::ALL[(index + index / SERIES.len()) % Self::ALL.len()]
    }
}

/// Line pattern over a region, so that it is told apart without colour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Hatch {
    /// No pattern.
    #[default]
    None,
    /// Lines rising to the right.
    Rising,
    /// Lines falling to the right.
    Falling,
    /// Both.
    Crossed,
}

/// Colour scale of a continuous field.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ColorMap {
    /// Dark violet to yellow; lightness rises steadily.
    #[default]
    Viridis,
    /// Dark blue to yellow, made for colour-blind readers.
    Cividis,
    /// Black to white.
    Grey,
    /// Blue – white – red, for signed quantities; the range is made symmetric about 0.
    Diverging,
}

/// Light yellow to dark blue (ColorBrewer YlGnBu), for categories.
const CATEGORY: [u32; 8] = [0xfff9c9, 0xe0f3b2, 0xb2e1b6, 0x73c8bd, 0x41b0c4, 0x2486bb, 0x24569f, 0x0c2c74];

impl ColorMap {
    fn stops(self) -> &'static [u32] {
        match self {
            ColorMap::Viridis => {
                &[0x440154, 0x482878, 0x3e4989, 0x31688e, 0x26828e, 0x1f9e89, 0x35b779, 0x6ece58, 0xb5de2b, 0xfde725]
            }
            ColorMap::Cividis => {
                &[0x00224e, 0x123570, 0x3b496c, 0x575d6d, 0x707173, 0x8a8678, 0xa59c74, 0xc3b369, 0xe1cc55, 0xfee838]
            }
            ColorMap::Grey => &[0x000000, 0xffffff],
            ColorMap::Diverging => &[
                0x053061, 0x2166ac, 0x4393c3, 0x92c5de, 0xd1e5f0, 0xf7f7f7, 0xfddbc7, 0xf4a582, 0xd6604d, 0xb2182b,
                0x67001f,
            ],
        }
    }

    /// The colour at `t` in 0..1 (clamped).
    pub fn at(self, t: f64) -> Color {
        interpolate(self.stops(), t)
    }
}

fn interpolate(stops: &[u32], t: f64) -> Color {
    let position = t.clamp(0.0, 1.0) * (stops.len() - 1) as f64;
    let low = (position.floor() as usize).min(stops.len() - 2);
    Color::hex(stops[low]).mix(Color::hex(stops[low + 1]), position - low as f64)
}

/// Fill of category `index` of `count`: from light to dark, evenly spaced.
pub fn category_color(index: usize, count: usize) -> Color {
    // Few categories stay in the middle of the ramp, where black labels remain legible.
    let last = match count {
        0..=2 => 0.45,
        3..=4 => 0.52,
        _ => 0.9,
    };
    let t = index as f64 / (count.max(2) - 1) as f64;
    interpolate(&CATEGORY, last * t)
}
