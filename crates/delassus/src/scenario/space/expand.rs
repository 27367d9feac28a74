//! Short forms, arrays and containers become bodies, grounds and walls.

use super::array::{MOST_BODIES, Random};
use super::data::SpatialShapeData as Shape;
use super::data::{ContainerData, Orientation, PlaneData, SpatialBodyData, SpatialPartData, SpatialScenario};
use super::short::{Coin, Foot, Packing, SpatialRockingBlock};
use super::solid::turn;
use crate::elementary::Elementary;
use crate::error::{ImpactError, finite};
use crate::model::Vec3;
use crate::scenario::motion::MotionData;

impl SpatialScenario {
    /// The scenario without short forms, arrays and containers, its end settled.
    ///
    /// # Errors
    /// Numbers out of range; more than one short form, or one beside bodies.
    pub fn expand(&self) -> Result<SpatialScenario, ImpactError> {
        let mut full = self.clone();
        if full.world.dimension != 3 {
            return Err(ImpactError::new("world.dimension", full.world.dimension, "must be 2 or 3"));
        }
        full.expand_short_form()?;
        for (i, array) in std::mem::take(&mut full.array).iter().enumerate() {
            array.expand(&format!("array[{i}]"), &mut full.body)?;
        }
        let ends = full.motions().flat_map(|(_, _, motion)| motion.as_ref().map(MotionData::end)).fold(0.0, f64::max);
        full.until.settle(ends);
        for (i, container) in std::mem::take(&mut full.container).iter().enumerate() {
            container.expand(&format!("container[{i}]"), full.until.time, &mut full.wall)?;
        }
        Ok(full)
    }

    /// The motions of all supports: the table that each stands in, its number there, and what it is.
    pub fn motions(&mut self) -> impl Iterator<Item = (&'static str, usize, &mut Option<MotionData<[f64; 3]>>)> {
        let Self { ground, wall, container, terrain, mesh, .. } = self;
        let planes = ground.iter_mut().enumerate().map(|(i, plane)| ("ground", i, &mut plane.motion));
        let walls = wall.iter_mut().enumerate().map(|(i, plane)| ("wall", i, &mut plane.motion));
        let boxes = container.iter_mut().enumerate().map(|(i, walls)| ("container", i, &mut walls.motion));
        let terrains = terrain.iter_mut().enumerate().map(|(i, terrain)| ("terrain", i, &mut terrain.motion));
        let meshes = mesh.iter_mut().enumerate().map(|(i, mesh)| ("mesh", i, &mut mesh.motion));
        planes.chain(walls).chain(boxes).chain(terrains).chain(meshes)
    }

    fn expand_short_form(&mut self) -> Result<(), ImpactError> {
        let (block, coin, foot, packing) =
            (self.rocking_block.take(), self.coin.take(), self.foot.take(), self.packing.take());
        let forms = [
            ("rocking_block", block.is_some()),
            ("coin", coin.is_some()),
            ("foot", foot.is_some()),
            ("packing", packing.is_some()),
        ];
        let given: Vec<&str> = forms.iter().filter(|(_, there)| *there).map(|(name, _)| *name).collect();
        if let [first, second, ..] = given[..] {
            let problem = format!("there is a {first} already, and a file holds one short form at most");
            return Err(ImpactError::new(second, "", problem));
        }
        let Some(name) = given.first() else { return Ok(()) };
        for (key, there) in [("body", !self.body.is_empty()), ("array", !self.array.is_empty())] {
            if there {
                return Err(ImpactError::new(key, "", format!("cannot stand beside the short form {name}")));
            }
        }
        match (block, coin, foot, packing) {
            (Some(block), ..) => self.body.push(block.body()?),
            (_, Some(coin), ..) => self.body.push(coin.body()?),
            (_, _, Some(foot), _) => self.body.push(foot.body()?),
            (.., Some(packing)) => return packing.expand(self),
            _ => return Ok(()),
        }
        if self.ground.is_empty() {
            self.ground.push(PlaneData { name: "ground".to_owned(), ..PlaneData::default() });
        }
        Ok(())
    }
}

fn positive(field: &str, value: f64) -> Result<f64, ImpactError> {
    if value.is_finite() && value > 0.0 {
        return Ok(value);
    }
    Err(ImpactError::out_of_range(field, value, "must be positive and finite"))
}

fn not_negative(field: &str, value: f64) -> Result<f64, ImpactError> {
    if value.is_finite() && value >= 0.0 {
        return Ok(value);
    }
    Err(ImpactError::out_of_range(field, value, "must be at least 0"))
}

/// An angle that leaves a body standing rather than lying.
fn below_right_angle(field: &str, angle: f64) -> Result<f64, ImpactError> {
    if angle.abs() < std::f64::consts::FRAC_PI_2 {
        return Ok(angle);
    }
    let problem = "must lie between -pi/2 and pi/2 (radians; degrees are written \"30deg\")";
    Err(ImpactError::out_of_range(field, angle, problem))
}

impl SpatialRockingBlock {
    fn body(&self) -> Result<SpatialBodyData, ImpactError> {
        positive("rocking_block.width", self.width)?;
        positive("rocking_block.depth", self.depth)?;
        positive("rocking_block.height", self.height)?;
        positive("rocking_block.mass", self.mass)?;
        finite(|| "rocking_block.rate".to_owned(), self.rate)?;
        below_right_angle("rocking_block.angle", self.angle)?;
        below_right_angle("rocking_block.lean", self.lean)?;
        // Counter-clockwise in the plane of x and z is about −y.
        let orientation = Orientation::Euler { roll: 0.0, pitch: -self.angle, yaw: 0.0 };
        let leaning = Orientation::Euler { roll: self.lean, pitch: 0.0, yaw: 0.0 };
        let tilted = turn("rocking_block.lean", &leaning)? * turn("rocking_block.angle", &orientation)?;
        let right = self.angle < 0.0;
        let low = if self.lean == 0.0 { 0.0 } else { -self.lean.signum() };
        let side = if right { 0.5 } else { -0.5 };
        // Where it stands: the middle of an edge, or the lower end of it.
        let foot = Vec3::new(side * self.width, 0.5 * low * self.depth, -0.5 * self.height);
        let place = Vec3::new(if right { self.width } else { 0.0 }, foot.y, 0.0);
        let arm = -(tilted * foot);
        let spin = Vec3::new(0.0, -self.rate, 0.0);
        Ok(SpatialBodyData {
            name: "block".to_owned(),
            shape: Shape::Cuboid { size: [self.width, self.depth, self.height] },
            mass: Some(self.mass),
            position: (place + arm).into(),
            orientation: Orientation::Quaternion(crate::model::quaternion(&tilted)),
            velocity: spin.cross(&arm).into(),
            spin: spin.into(),
            ..SpatialBodyData::default()
        })
    }
}

impl Coin {
    fn body(&self) -> Result<SpatialBodyData, ImpactError> {
        let (radius, half) = (positive("coin.radius", self.radius)?, 0.5 * positive("coin.thickness", self.thickness)?);
        if !(0.0..std::f64::consts::FRAC_PI_2).contains(&self.tilt) {
            let problem = "must be at least 0 and below pi/2 (radians; degrees are written \"30deg\")";
            return Err(ImpactError::out_of_range("coin.tilt", self.tilt, problem));
        }
        if let (Some(_), Some(density)) = (self.mass, self.density) {
            return Err(ImpactError::new("coin.density", density, "give either mass or density"));
        }
        if self.mass.is_none() && self.density.is_none() {
            return Err(ImpactError::missing("coin.mass", "", "is missing: give mass or density"));
        }
        for (field, value) in [("coin.precession", self.precession), ("coin.roll", self.roll)] {
            finite(|| field.to_owned(), value)?;
        }
        let height = not_negative("coin.height", self.height)?;
        // Upright its axis lies along −y; tilted, the upper side faces up there.
        let angle = std::f64::consts::FRAC_PI_2 - self.tilt;
        let lowered = Orientation::Axis { axis: [1.0, 0.0, 0.0], angle };
        let (s, c) = angle.sine_cosine();
        let axis = Vec3::new(0.0, -s, c);
        // From the centre to the lowest point of the lower rim.
        let lowest = -half * axis + radius * Vec3::new(0.0, -c, -s);
        let spin = Vec3::new(0.0, 0.0, self.precession) + self.roll * axis;
        let velocity = if self.rolling { -spin.cross(&lowest) } else { Vec3::zeros() };
        Ok(SpatialBodyData {
            name: "coin".to_owned(),
            shape: Shape::Cylinder { radius, height: self.thickness },
            mass: self.mass,
            density: self.density,
            position: [0.0, 0.0, height - lowest.z],
            orientation: lowered,
            velocity: velocity.into(),
            spin: spin.into(),
            ..SpatialBodyData::default()
        })
    }
}

impl Foot {
    fn body(&self) -> Result<SpatialBodyData, ImpactError> {
        for (k, side) in self.size.iter().enumerate() {
            positive(&format!("foot.size[{k}]"), *side)?;
        }
        let (mass, leg) = (positive("foot.mass", self.mass)?, positive("foot.leg_mass", self.leg_mass)?);
        let radius = positive("foot.leg_radius", self.leg_radius.unwrap_or(0.5 * self.size[1]))?;
        let height = not_negative("foot.height", self.height)?;
        for (k, v) in self.leg_position.iter().enumerate() {
            finite(|| format!("foot.leg_position[{k}]"), *v)?;
        }
        let orientation = Orientation::Euler { roll: self.roll, pitch: self.pitch, yaw: 0.0 };
        let turned = turn("foot.pitch", &orientation)?;
        let offset = Vec3::from(self.leg_position);
        let centre = leg / (mass + leg) * offset;
        let corner = |k: usize| -> f64 {
            let signs = Vec3::new([-0.5, 0.5][k & 1], [-0.5, 0.5][k >> 1 & 1], [-0.5, 0.5][k >> 2]);
            (turned * (signs.component_mul(&Vec3::from(self.size)) - centre)).z
        };
        let lowest = (0..8).map(corner).fold((turned * (offset - centre)).z - radius, f64::min);
        let part = |shape: Shape, mass: f64, position: [f64; 3]| SpatialPartData {
            shape,
            mass: Some(mass),
            density: None,
            position,
            orientation: Orientation::default(),
        };
        let sole = part(Shape::Cuboid { size: self.size }, mass, [0.0; 3]);
        let above = part(Shape::Sphere { radius }, leg, self.leg_position);
        Ok(SpatialBodyData {
            name: "foot".to_owned(),
            shape: Shape::Compound { part: vec![sole, above] },
            position: [0.0, 0.0, height - lowest],
            orientation,
            velocity: self.velocity,
            spin: self.spin,
            ..SpatialBodyData::default()
        })
    }
}

/// Distance of the centres of largest balls at the start, in radii.
const PITCH: f64 = 2.2;
/// Largest shift of a centre, in radii: balls stay apart.
const SHIFT: f64 = 0.08;

impl Packing {
    fn expand(&self, full: &mut SpatialScenario) -> Result<(), ImpactError> {
        if !(1..=MOST_BODIES).contains(&self.balls) {
            let problem = format!("needs 1 to {MOST_BODIES}");
            return Err(ImpactError::out_of_range("packing.balls", self.balls, problem));
        }
        let radius = positive("packing.radius", self.radius)?;
        if !(0.0..1.0).contains(&self.spread) {
            return Err(ImpactError::out_of_range("packing.spread", self.spread, "must be at least 0 and below 1"));
        }
        let density = positive("packing.density", self.density.unwrap_or(1000.0))?;
        let pitch = PITCH * radius;
        let cube = pitch * (self.balls as f64).cube_root().ceil();
        let size = self.size.unwrap_or([cube; 2]);
        for (k, side) in size.iter().enumerate() {
            if !(side.is_finite() && *side >= pitch) {
                let problem = format!("must be at least {PITCH} radii");
                return Err(ImpactError::out_of_range(format!("packing.size[{k}]"), side, problem));
            }
        }
        let [columns, rows] = size.map(|side| (side / pitch * (1.0 + 1e-12)) as usize);
        let layers = self.balls.div_ceil(columns.saturating_mul(rows));
        full.container.push(ContainerData {
            name: "box".to_owned(),
            size: [size[0], size[1], pitch * layers as f64],
            position: [0.0; 3],
            lid: false,
            motion: None,
        });
        let mut random = Random::new(self.seed);
        for k in 0..self.balls {
            let cell = [k % columns, k / columns % rows, k / columns / rows];
            let middle = [0.5 * (columns as f64 - 1.0), 0.5 * (rows as f64 - 1.0), -0.5];
            let position = std::array::from_fn(|i| {
                (cell[i] as f64 - middle[i]) * pitch + SHIFT * radius * (2.0 * random.next() - 1.0)
            });
            full.body.push(SpatialBodyData {
                name: format!("ball{}", k + 1),
                shape: Shape::Sphere { radius: radius * (1.0 - self.spread * random.next()) },
                density: Some(density),
                position,
                ..SpatialBodyData::default()
            });
        }
        Ok(())
    }
}
