//! Arrays and containers become bodies and walls.

use super::build::{named, sound, unit};
use super::data::{ArrayData, ContainerData, Orientation, PlaneData, SpatialBodyData};
use crate::elementary::Elementary;
use crate::error::{ImpactError, moderate, moderate_positive};
use crate::scenario::motion::parts;

/// Most bodies of a scenario.
pub(super) const MOST_BODIES: usize = 2_000_000;

/// Random numbers in [0, 1).
pub(super) struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut x = self.0;
        x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((x ^ (x >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }

    /// A normally distributed number.
    fn normal(&mut self) -> f64 {
        let (a, b) = (1.0 - self.next(), self.next());
        (-2.0 * a.logarithm()).sqrt() * (std::f64::consts::TAU * b).cosine()
    }
}

impl ArrayData {
    pub(super) fn expand(&self, path: &str, bodies: &mut Vec<SpatialBodyData>) -> Result<(), ImpactError> {
        let total = self.count.iter().try_fold(1usize, |product, n| product.checked_mul(*n)).unwrap_or(usize::MAX);
        if !(1..=MOST_BODIES).contains(&total) {
            let problem = format!("needs 1 to {MOST_BODIES} bodies in all");
            return Err(ImpactError::new(format!("{path}.count"), format!("{:?}", self.count), problem));
        }
        if moderate(|| format!("{path}.jitter"), self.jitter)? < 0.0 {
            return Err(ImpactError::new(format!("{path}.jitter"), self.jitter, "must be at least 0"));
        }
        for (k, v) in self.spacing.iter().enumerate() {
            moderate(|| format!("{path}.spacing[{k}]"), *v)?;
        }
        named(|| format!("{path}.name"), &self.name)?;
        let first = SpatialBodyData {
            name: String::new(),
            shape: self.shape.clone(),
            mass: self.mass,
            density: self.density,
            inertia: None,
            position: self.position,
            orientation: self.orientation,
            velocity: self.velocity,
            spin: [0.0; 3],
        };
        // What is wrong with each is wrong with what was written of all.
        sound(path, &first)?;
        let mut random = Random(self.seed);
        let [columns, rows, layers] = self.count;
        let mut number = 0;
        for layer in 0..layers {
            for row in 0..rows {
                for column in 0..columns {
                    number += 1;
                    let place = [column, row, layer];
                    let position = std::array::from_fn(|k| {
                        let shift = if self.jitter > 0.0 { self.jitter * (2.0 * random.next() - 1.0) } else { 0.0 };
                        self.position[k] + place[k] as f64 * self.spacing[k] + shift
                    });
                    let orientation = if self.random_orientation {
                        // Four normal numbers point in all directions alike.
                        Orientation::Quaternion(std::array::from_fn(|_| random.normal()))
                    } else {
                        self.orientation
                    };
                    let name = format!("{}{number}", self.name);
                    bodies.push(SpatialBodyData { name, position, orientation, ..first.clone() });
                }
            }
        }
        Ok(())
    }
}

impl ContainerData {
    /// Its walls, in a run that takes so long where that is known.
    pub(super) fn expand(&self, path: &str, time: Option<f64>, walls: &mut Vec<PlaneData>) -> Result<(), ImpactError> {
        named(|| format!("{path}.name"), &self.name)?;
        for (k, side) in self.size.iter().enumerate() {
            moderate_positive(|| format!("{path}.size[{k}]"), *side)?;
        }
        for (k, v) in self.position.iter().enumerate() {
            moderate(|| format!("{path}.position[{k}]"), *v)?;
        }
        // What is wrong with the motion of each is wrong with that of all.
        parts(&format!("{path}.motion"), self.motion.as_ref(), time, &unit)?;
        let ([w, d, h], [x, y, z]) = (self.size, self.position);
        let planes = [
            ("floor", [x, y, z], [0.0, 0.0, 1.0]),
            ("left", [x - 0.5 * w, y, z], [1.0, 0.0, 0.0]),
            ("right", [x + 0.5 * w, y, z], [-1.0, 0.0, 0.0]),
            ("front", [x, y - 0.5 * d, z], [0.0, 1.0, 0.0]),
            ("back", [x, y + 0.5 * d, z], [0.0, -1.0, 0.0]),
            ("lid", [x, y, z + h], [0.0, 0.0, -1.0]),
        ];
        let planes = planes.into_iter().take(if self.lid { 6 } else { 5 });
        walls.extend(planes.map(|(side, point, normal)| PlaneData {
            name: format!("{}.{side}", self.name),
            point,
            normal: Some(normal),
            angle: None,
            motion: self.motion.clone(),
        }));
        Ok(())
    }
}
