//! Axes: what the caller asks for, and the map from data to points that comes out.

use super::ticks::TickMarks;

/// Values beyond this are treated as missing, so that ranges never overflow.
const LARGEST: f64 = 1e300;

/// Spacing of an axis.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scale {
    /// Equal steps.
    #[default]
    Linear,
    /// Equal factors; values ≤ 0 are missing.
    Log,
}

/// Where the ticks of an axis stand.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Ticks {
    /// Multiples of 1, 2 or 5 times a power of ten; decades on a logarithmic axis.
    #[default]
    Auto,
    /// Multiples of simple fractions of π.
    Pi,
    /// Exactly these values with these labels.
    At(Vec<(f64, String)>),
    /// None.
    None,
}

/// One axis of a panel.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Axis {
    /// Symbol and unit, such as `"γ⁺ [m/s]"`.
    pub label: String,
    /// Linear or logarithmic.
    pub scale: Scale,
    /// Limits; `None` fits the data. `lo > hi` gives a reversed axis.
    pub range: Option<(f64, f64)>,
    /// Ticks.
    pub ticks: Ticks,
}

impl Axis {
    /// A linear axis that fits its data.
    pub fn new(label: impl Into<String>) -> Axis {
        Axis { label: label.into(), ..Axis::default() }
    }

    /// Logarithmic.
    pub fn log(mut self) -> Axis {
        self.scale = Scale::Log;
        self
    }

    /// Fixed limits. Limits that cannot be drawn (equal, not finite, ≤ 0 on a logarithmic axis)
    /// are ignored.
    pub fn range(mut self, lo: f64, hi: f64) -> Axis {
        self.range = Some((lo, hi));
        self
    }

    /// Ticks at multiples of fractions of π.
    pub fn pi(mut self) -> Axis {
        self.ticks = Ticks::Pi;
        self
    }

    /// Ticks at these values.
    pub fn ticks_at<S: Into<String>>(mut self, ticks: impl IntoIterator<Item = (f64, S)>) -> Axis {
        self.ticks = Ticks::At(ticks.into_iter().map(|(v, s)| (v, s.into())).collect());
        self
    }

    /// No ticks.
    pub fn no_ticks(mut self) -> Axis {
        self.ticks = Ticks::None;
        self
    }

    /// Whether the axis can show the value at all.
    pub(crate) fn shows(&self, v: f64) -> bool {
        v.abs() <= LARGEST && (self.scale == Scale::Linear || v > 0.0)
    }

    /// The limits: as asked, or the extent of the data widened by `pad` of its length.
    pub(crate) fn limits(&self, data: impl Iterator<Item = f64>, pad: f64) -> (f64, f64) {
        if let Some((lo, hi)) = self.range
            && self.shows(lo)
            && self.shows(hi)
            && apart(lo, hi)
        {
            return (lo, hi);
        }
        let (lo, hi) =
            data.filter(|&v| self.shows(v)).fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), v| (a.min(v), b.max(v)));
        match self.scale {
            Scale::Log => {
                if lo > hi {
                    return (0.1, 10.0);
                }
                let (a, b) = (lo.log10(), hi.log10());
                let widen = if b - a > 1e-9 { pad * (b - a) } else { 0.5 };
                (10f64.powf(a - widen), 10f64.powf(b + widen))
            }
            Scale::Linear if lo > hi => (0.0, 1.0),
            Scale::Linear if apart(lo, hi) => (lo - pad * (hi - lo), hi + pad * (hi - lo)),
            // One value: it stands in the middle of a range of its own size.
            Scale::Linear => {
                let half = if lo == 0.0 && hi == 0.0 { 1.0 } else { (0.1 * lo.abs().max(hi.abs())).max(1e-290) };
                (lo - half, hi + half)
            }
        }
    }
}

/// Whether two limits differ by more than rounding.
fn apart(lo: f64, hi: f64) -> bool {
    (hi - lo).abs() > 1e-12 * lo.abs().max(hi.abs()) && (hi - lo).abs() > 1e-290
}

/// A resolved axis: data limits on a stretch of the sheet.
#[derive(Clone, Debug)]
pub(crate) struct Map {
    pub scale: Scale,
    pub lo: f64,
    pub hi: f64,
    /// Positions of `lo` and `hi` in points.
    pub start: f64,
    pub end: f64,
    pub marks: TickMarks,
}

impl Map {
    fn linearise(&self, v: f64) -> f64 {
        match self.scale {
            Scale::Linear => v,
            Scale::Log if v > 0.0 => v.log10(),
            Scale::Log => f64::NAN,
        }
    }

    /// Position of a value; NaN where the axis has none.
    pub fn at(&self, v: f64) -> f64 {
        let (a, b) = (self.linearise(self.lo), self.linearise(self.hi));
        self.start + (self.linearise(v) - a) / (b - a) * (self.end - self.start)
    }

    /// Position of a value, held inside the axis.
    pub fn clamped(&self, v: f64) -> f64 {
        let p = match self.scale {
            Scale::Log if v <= 0.0 => self.start,
            _ => self.at(v),
        };
        p.clamp(self.start.min(self.end), self.start.max(self.end))
    }

    /// The value at a fraction 0..1 of the way from `lo` to `hi`.
    pub fn value(&self, fraction: f64) -> f64 {
        let (a, b) = (self.linearise(self.lo), self.linearise(self.hi));
        let v = a + fraction * (b - a);
        match self.scale {
            Scale::Linear => v,
            Scale::Log => 10f64.powf(v),
        }
    }

    /// Whether the value lies within the limits.
    pub fn holds(&self, v: f64) -> bool {
        v >= self.lo.min(self.hi) && v <= self.lo.max(self.hi)
    }
}
