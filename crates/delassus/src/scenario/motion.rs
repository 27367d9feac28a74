//! Motion of grounds and walls: as files hold it, and as models use it.

#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};

use super::build::unit;
use super::formula::{looks, span};
use crate::error::{ImpactError, at_least, finite, moderate};
use crate::model::{
    AccelerationUnit, Course, Expression, Motion, MotionPart, Pulse, PulseShape, Record, STANDARD_GRAVITY, Shake,
    System,
};

/// How a ground or wall moves.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(rename_all = "snake_case", deny_unknown_fields))]
#[cfg_attr(feature = "serde", serde(bound(deserialize = "D: Along + Deserialize<'de>", serialize = "D: Serialize")))]
pub enum MotionData<D = [f64; 2]> {
    /// d(t) = amplitude (sin(2π frequency t + phase) − sin phase).
    Harmonic {
        /// Direction; default along x.
        #[cfg_attr(feature = "serde", serde(default = "D::along_x"))]
        direction: D,
        /// Amplitude \[m\].
        amplitude: f64,
        /// Frequency \[Hz\].
        frequency: f64,
        /// Phase \[rad\].
        #[cfg_attr(feature = "serde", serde(default, deserialize_with = "super::angle::one"))]
        phase: f64,
    },
    /// One pulse of acceleration.
    Pulse {
        /// Direction; default along x.
        #[cfg_attr(feature = "serde", serde(default = "D::along_x"))]
        direction: D,
        /// Shape.
        shape: PulseShape,
        /// Largest acceleration \[m/s²\].
        acceleration: f64,
        /// Period \[s\].
        period: f64,
        /// Time of its beginning \[s\]; default 0.
        #[cfg_attr(feature = "serde", serde(default))]
        start: f64,
    },
    /// A displacement as an expression of time.
    Path {
        /// Direction; default along x.
        #[cfg_attr(feature = "serde", serde(default = "D::along_x"))]
        direction: D,
        /// The displacement \[m\], a smooth expression of `t`; measured from its value at 0.
        displacement: String,
    },
    /// An acceleration as an expression of time, integrated from rest.
    Shake {
        /// Direction; default along x.
        #[cfg_attr(feature = "serde", serde(default = "D::along_x"))]
        direction: D,
        /// The acceleration \[m/s²\], a smooth expression of `t`.
        acceleration: String,
    },
    /// A recorded acceleration, from a file or given here.
    Record(RecordSource<D>),
    /// Several motions that add up; files write a list.
    #[cfg_attr(feature = "serde", serde(skip))]
    Several(Vec<MotionData<D>>),
}

/// A recorded acceleration.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(deny_unknown_fields))]
#[cfg_attr(feature = "serde", serde(bound(deserialize = "D: Along + Deserialize<'de>", serialize = "D: Serialize")))]
pub struct RecordSource<D = [f64; 2]> {
    /// Direction; default along x.
    #[cfg_attr(feature = "serde", serde(default = "D::along_x"))]
    pub direction: D,
    /// File with the record: PEER .AT2, ESM ASCII, GeoNet .V1A or .V2A, or one or two columns of text.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub file: Option<String>,
    /// Which component of a file with several, by its name or its number from 1 on.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub component: Option<String>,
    /// Where accelerations that are given here come from, for the report.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub source: Option<String>,
    /// Unit, where the file does not say; of accelerations given here m/s² by default.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub units: Option<AccelerationUnit>,
    /// Time between samples \[s\], where the file does not say.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub interval: Option<f64>,
    /// Accelerations, in these units.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Vec::is_empty"))]
    pub acceleration: Vec<f64>,
    /// Factor on the accelerations; default 1.
    #[cfg_attr(feature = "serde", serde(default = "one"))]
    pub scale: f64,
}

/// A direction of the plane or of space.
pub trait Along: Copy {
    /// Along x.
    fn along_x() -> Self;
}

impl Along for [f64; 2] {
    fn along_x() -> Self {
        [1.0, 0.0]
    }
}

impl Along for [f64; 3] {
    fn along_x() -> Self {
        [1.0, 0.0, 0.0]
    }
}

#[cfg(feature = "serde")]
fn one() -> f64 {
    1.0
}

impl<D> MotionData<D> {
    /// The time at which it is over \[s\]; 0 for motions that go on.
    pub(super) fn end(&self) -> f64 {
        match self {
            Self::Harmonic { .. } | Self::Path { .. } | Self::Shake { .. } => 0.0,
            Self::Pulse { shape, acceleration, period, start, .. } => {
                let pulse = Pulse { shape: *shape, acceleration: *acceleration, period: *period, start: *start };
                Some(pulse.end()).filter(|end| end.is_finite()).unwrap_or(0.0)
            }
            Self::Record(record) => {
                let end = record.interval.unwrap_or(0.0) * record.acceleration.len().saturating_sub(1) as f64;
                Some(end).filter(|end| end.is_finite()).unwrap_or(0.0)
            }
            Self::Several(parts) => parts.iter().map(Self::end).fold(0.0, f64::max),
        }
    }
}

/// The motion at `path` in the file, of a run that lasts `time`.
pub(super) fn motion(path: &str, data: Option<&MotionData>, time: Option<f64>) -> Result<Motion, ImpactError> {
    let parts = parts(path, data, time, &|field: &str, direction: &[f64; 2]| unit(field, *direction))?;
    Ok(Motion { parts: parts.into_iter().map(|(direction, course)| MotionPart { direction, course }).collect() })
}

/// Unit directions, and what happens along them.
pub(super) fn parts<D, U>(
    path: &str,
    data: Option<&MotionData<D>>,
    time: Option<f64>,
    unit: &dyn Fn(&str, &D) -> Result<U, ImpactError>,
) -> Result<Vec<(U, Course)>, ImpactError> {
    match data {
        None => Ok(Vec::new()),
        Some(MotionData::Several(parts)) => {
            let part = |(i, data)| part(&format!("{path}[{i}]"), data, time, unit);
            parts.iter().enumerate().map(part).collect()
        }
        Some(one) => Ok(vec![part(path, one, time, unit)?]),
    }
}

fn part<D, U>(
    path: &str,
    data: &MotionData<D>,
    time: Option<f64>,
    unit: &dyn Fn(&str, &D) -> Result<U, ImpactError>,
) -> Result<(U, Course), ImpactError> {
    let at = |key: &str| format!("{path}.{key}");
    let positive = |key: &str, value: f64| {
        let sound = value.is_finite() && value > 0.0;
        if sound { Ok(value) } else { Err(ImpactError::out_of_range(at(key), value, "must be positive and finite")) }
    };
    Ok(match data {
        MotionData::Harmonic { direction, amplitude, frequency, phase } => {
            for (key, value) in [("amplitude", amplitude), ("frequency", frequency), ("phase", phase)] {
                moderate(|| at(&format!("harmonic.{key}")), *value)?;
            }
            let direction = unit(&at("harmonic.direction"), direction)?;
            (direction, Course::Harmonic { amplitude: *amplitude, frequency: *frequency, phase: *phase })
        }
        MotionData::Pulse { direction, shape, acceleration, period, start } => {
            let direction = unit(&at("pulse.direction"), direction)?;
            let acceleration = moderate(|| at("pulse.acceleration"), *acceleration)?;
            let start = at_least(|| at("pulse.start"), *start, 0.0)?;
            let period = positive("pulse.period", *period)?;
            (direction, Course::Pulse(Pulse { shape: *shape, acceleration, period, start }))
        }
        MotionData::Path { direction, displacement } => {
            let direction = unit(&at("path.direction"), direction)?;
            (direction, smooth_path(&at("path.displacement"), displacement, time)?)
        }
        MotionData::Shake { direction, acceleration } => {
            let direction = unit(&at("shake.direction"), direction)?;
            (direction, shake(&at("shake.acceleration"), acceleration, time)?)
        }
        MotionData::Record(source) => {
            (unit(&at("record.direction"), &source.direction)?, record(&at("record"), source)?)
        }
        MotionData::Several(_) => return Err(ImpactError::new(path, "a list", "a list of motions cannot hold lists")),
    })
}

/// A smooth expression, the time over which it is looked at, and the largest values of it and its two derivatives.
fn looked_at(field: &str, text: &str, time: Option<f64>) -> Result<(Expression, f64, [f64; 3]), ImpactError> {
    let expression = Expression::parse(text).map_err(|e| e.within(field))?;
    let wrong = |problem: String| ImpactError::new(field, format!("{text:?}"), problem);
    if !expression.is_smooth() {
        return Err(wrong("must be smooth: a support does not jump, so abs, sign and step are not allowed".to_owned()));
    }
    let mut largest = [0.0f64; 3];
    for t in looks(time) {
        let values = expression.derivatives(t);
        if values.iter().any(|value| !value.is_finite()) {
            return Err(wrong(format!("it, its rate or that of its rate is not a finite number at t = {t}")));
        }
        largest.iter_mut().zip(values).for_each(|(largest, value)| *largest = largest.max(value.abs()));
    }
    Ok((expression, span(time), largest))
}

fn smooth_path(field: &str, text: &str, time: Option<f64>) -> Result<Course, ImpactError> {
    let (displacement, _, [_, fastest, hardest]) = looked_at(field, text, time)?;
    // a/v is the rate of a swing; a tenth of the swing is seen.
    let step = if hardest > 0.0 { 0.6 * fastest / hardest } else { f64::INFINITY };
    Ok(Course::Path { displacement, step: if step > 0.0 { step } else { f64::INFINITY } })
}

/// Steps in which an acceleration is integrated, at most.
const FINEST: f64 = 1e6;

fn shake(field: &str, text: &str, time: Option<f64>) -> Result<Course, ImpactError> {
    let (acceleration, span, [a, rate, bend]) = looked_at(field, text, time)?;
    // The rate of its swings; half a radian of each goes into a step.
    let swings = if a > 0.0 { (rate / a).max((bend / a).sqrt()) } else { 0.0 };
    let steps = (2.0 * swings * span).max(100.0);
    if steps > FINEST {
        let problem = format!(
            "swings {:.3e} times a second, too often to be integrated over {span} s (until.time)",
            swings / std::f64::consts::TAU
        );
        return Err(ImpactError::new(field, format!("{text:?}"), problem));
    }
    Ok(Course::Shake(Shake::new(acceleration, span / steps, span)))
}

fn record<D>(path: &str, source: &RecordSource<D>) -> Result<Course, ImpactError> {
    let at = |key: &str| format!("{path}.{key}");
    let RecordSource { file, component, source: origin, units, interval, acceleration, scale, .. } = source;
    if let Some(file) = file {
        return Err(ImpactError::missing(at("file"), format!("{file:?}"), "has not been read"));
    }
    if let Some(component) = component {
        let problem = "only files have components; leave it out";
        return Err(ImpactError::new(at("component"), format!("{component:?}"), problem));
    }
    let Some(interval) = interval else {
        let problem = "the time between samples is missing: give it in seconds, such as interval = 0.005";
        return Err(ImpactError::new(at("interval"), "", problem));
    };
    let units = units.unwrap_or(AccelerationUnit::Metre);
    let factor = units.size() * finite(|| at("scale"), *scale)?;
    let scaled = acceleration.iter().map(|a| a * factor).collect();
    let record = Record::new(*interval, scaled).map_err(|e| e.within(path))?;
    Ok(Course::Record(record.with_origin(origin.clone().unwrap_or_default(), units)))
}

/// What a user should know about the records of a run that lasts `time`.
pub(super) fn remarks(system: &dyn System, time: f64) -> Vec<String> {
    let (mut remarks, gravity) = (Vec::new(), system.gravity());
    for record in system.records() {
        let name = if record.name.is_empty() { "the record".to_owned() } else { format!("record {}", record.name) };
        remarks.extend(record.doubts().into_iter().map(|doubt| format!("{name}: {doubt}")));
        if record.units == AccelerationUnit::G && (gravity - STANDARD_GRAVITY).abs() > 1e-9 * STANDARD_GRAVITY {
            remarks.push(format!(
                "{name}: its g is {STANDARD_GRAVITY} m/s², but gravity here is {gravity}; \
                 world.gravity = {STANDARD_GRAVITY} makes them equal"
            ));
        }
        if time < record.duration * (1.0 - 1e-9) {
            remarks.push(format!("{name}: the run ends at {time} s, the record lasts {} s", record.duration));
        }
    }
    remarks
}
