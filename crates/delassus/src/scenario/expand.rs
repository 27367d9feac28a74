//! Short forms become bodies, supports and joints.

use std::f64::consts::FRAC_PI_2;

use super::data::{BodyData, Gravity, JointType, LineData, MaterialData, PlanarJointData, Scenario, ShapeData};
use super::short::{Chain, DoublePendulumForm, RockingBlock, Rod};
use crate::elementary::Elementary;
use crate::error::{ImpactError, finite};
use crate::model::{PLANE, SPACE, Vec2, absent, rotate};

impl Scenario {
    /// The scenario without short forms.
    ///
    /// # Errors
    /// More than one short form, or one beside bodies; numbers out of range.
    pub fn expand(&self) -> Result<Scenario, ImpactError> {
        let mut full = self.clone();
        if let Some(space) = &self.space {
            if !SPACE {
                return Err(absent(3));
            }
            let space = space.expand()?;
            full.until = space.until.clone();
            full.space = Some(Box::new(space));
            return Ok(full);
        }
        if full.world.dimension != 2 {
            let problem = "must be 2, or 3 for all scenarios of a file";
            return Err(ImpactError::new("world.dimension", full.world.dimension, problem));
        }
        if !PLANE {
            return Err(absent(2));
        }
        // Before short forms add ends of their own.
        full.settle_end();
        let forms = [
            ("rocking_block", full.rocking_block.is_some()),
            ("chain", full.chain.is_some()),
            ("rod", full.rod.is_some()),
            ("double_pendulum", full.double_pendulum.is_some()),
        ];
        let given: Vec<&str> = forms.iter().filter(|(_, there)| *there).map(|(name, _)| *name).collect();
        if let [first, second, ..] = given[..] {
            let problem = format!("there is a {first} already, and a file holds one short form at most");
            return Err(ImpactError::new(second, "", problem));
        }
        if let (Some(name), false) = (given.first(), full.body.is_empty()) {
            return Err(ImpactError::new("body", "", format!("cannot stand beside the short form {name}")));
        }
        if let Some(block) = full.rocking_block.take() {
            block.expand(&mut full)?;
        } else if let Some(chain) = full.chain.take() {
            chain.expand(&mut full)?;
        } else if let Some(rod) = full.rod.take() {
            rod.expand(&mut full)?;
        } else if let Some(pendulum) = full.double_pendulum.take() {
            pendulum.expand(&mut full)?;
        }
        if let Some(i) = full.material.iter().position(|m| m.stiffness_ratio.is_some()) {
            let value = full.material[i].stiffness_ratio.unwrap_or(0.0);
            let field = format!("material[{i}].stiffness_ratio");
            return Err(ImpactError::new(
                field,
                value,
                "belongs to [rocking_block]; elsewhere give stiffness per contact",
            ));
        }
        Ok(full)
    }
}

fn positive(field: &str, value: f64) -> Result<f64, ImpactError> {
    if value.is_finite() && value > 0.0 {
        Ok(value)
    } else {
        Err(ImpactError::out_of_range(field, value, "must be positive and finite"))
    }
}

fn ground(full: &mut Scenario, height: f64) {
    if full.ground.is_empty() {
        let point = [0.0, height];
        full.ground.push(LineData { name: "ground".to_owned(), point, normal: None, angle: None, motion: None });
    }
}

impl RockingBlock {
    fn expand(&self, full: &mut Scenario) -> Result<(), ImpactError> {
        positive("rocking_block.width", self.width)?;
        positive("rocking_block.height", self.height)?;
        positive("rocking_block.mass", self.mass)?;
        finite(|| "rocking_block.rate".to_owned(), self.rate)?;
        if !(-FRAC_PI_2..FRAC_PI_2).contains(&self.angle) {
            return Err(ImpactError::out_of_range(
                "rocking_block.angle",
                self.angle,
                "must lie between -pi/2 and pi/2 (radians; degrees are written \"30deg\")",
            ));
        }
        let side = if self.angle < 0.0 { -1.0 } else { 1.0 };
        let lever = rotate(Vec2::new(0.5 * side * self.width, 0.5 * self.height), self.angle);
        let foot = if self.angle < 0.0 { self.width } else { 0.0 };
        full.body.push(BodyData {
            name: "block".to_owned(),
            shape: ShapeData::Box { width: self.width, height: self.height },
            mass: Some(self.mass),
            position: [foot + lever.x, lever.y],
            angle: self.angle,
            velocity: [-self.rate * lever.y, self.rate * lever.x],
            rate: self.rate,
            corners: ["A", "B", "C", "D"].map(str::to_owned).to_vec(),
            ..BodyData::default()
        });
        ground(full, 0.0);
        full.until.overturned.get_or_insert(true);
        let ratio = full.material.iter_mut().find_map(|m| m.stiffness_ratio.take());
        if let Some(ratio) = ratio {
            positive("material.stiffness_ratio", ratio)?;
            let contact = Some("A".to_owned());
            full.material.push(MaterialData { contact, stiffness: Some(ratio), ..MaterialData::default() });
        }
        Ok(())
    }
}

impl Chain {
    fn masses(&self) -> Result<Vec<f64>, ImpactError> {
        positive("chain.mass", self.mass)?;
        positive("chain.radius", self.radius)?;
        positive("chain.taper", self.taper)?;
        if !self.masses.is_empty() {
            if self.balls.is_some_and(|n| n != self.masses.len()) {
                let problem = format!("differs from the {} masses listed", self.masses.len());
                return Err(ImpactError::new("chain.balls", self.balls.unwrap_or(0), problem));
            }
            for (i, &m) in self.masses.iter().enumerate() {
                positive(&format!("chain.masses[{i}]"), m)?;
            }
            return Ok(self.masses.clone());
        }
        let count = self.balls.unwrap_or(0);
        if !(1..=1000).contains(&count) {
            return Err(ImpactError::out_of_range("chain.balls", count, "needs 1 to 1000 balls, or a list of masses"));
        }
        Ok((0..count).map(|i| self.mass * self.taper.powi(i as i32)).collect())
    }

    fn expand(&self, full: &mut Scenario) -> Result<(), ImpactError> {
        let masses = self.masses()?;
        if !(self.gap >= 0.0 && self.gap.is_finite()) {
            return Err(ImpactError::out_of_range("chain.gap", self.gap, "must be at least 0"));
        }
        if !self.velocities.is_empty() && self.velocities.len() != masses.len() {
            let given = format!("{} entries", self.velocities.len());
            return Err(ImpactError::wrong_size(
                "chain.velocities",
                given,
                format!("needs {}, one per ball", masses.len()),
            ));
        }
        let mut x = 0.0;
        let mut last = 0.0;
        for (i, &mass) in masses.iter().enumerate() {
            let radius = self.radius * (mass / masses[0]).cube_root();
            if i > 0 {
                x += last + radius + if i == 1 { self.first_gap.unwrap_or(self.gap) } else { self.gap };
            }
            last = radius;
            let name = format!("ball{}", i + 1);
            let first = if i == 0 { self.velocity } else { 0.0 };
            let speed = self.velocities.get(i).copied().unwrap_or(first);
            let mut body = BodyData {
                name: name.clone(),
                shape: ShapeData::Disk { radius },
                mass: Some(mass),
                inertia: Some(0.4 * mass * radius * radius),
                position: [x, 0.0],
                velocity: [speed, 0.0],
                ..BodyData::default()
            };
            if let Some(length) = self.cradle {
                positive("chain.cradle", length)?;
                let pivot = Vec2::new(x, length);
                if i == 0 {
                    let place = pivot + rotate(Vec2::new(0.0, -length), -self.angle);
                    body.position = [place.x, place.y];
                    body.angle = -self.angle;
                }
                let arm = Vec2::new(body.position[0], body.position[1]) - pivot;
                // A given velocity is along the path of the ball.
                body.rate = speed / length;
                body.velocity = [-body.rate * arm.y, body.rate * arm.x];
                full.joint.push(PlanarJointData {
                    name: format!("pivot{}", i + 1),
                    kind: JointType::Pin,
                    between: [name, "world".to_owned()],
                    point: [pivot.x, pivot.y],
                    axis: None,
                });
            }
            full.body.push(body);
        }
        if self.cradle.is_none() {
            full.world.gravity = Gravity::Down(0.0);
        }
        if self.wall {
            full.wall.push(LineData {
                name: "wall".to_owned(),
                point: [x + last + self.gap, 0.0],
                normal: Some([-1.0, 0.0]),
                angle: None,
                motion: None,
            });
        }
        Ok(())
    }
}

impl Rod {
    fn expand(&self, full: &mut Scenario) -> Result<(), ImpactError> {
        positive("rod.length", self.length)?;
        positive("rod.mass", self.mass)?;
        finite(|| "rod.angle".to_owned(), self.angle)?;
        if !(self.height >= 0.0 && self.height.is_finite()) {
            return Err(ImpactError::out_of_range("rod.height", self.height, "must be at least 0"));
        }
        let half = 0.5 * self.length * self.angle.sine().abs();
        full.body.push(BodyData {
            name: "rod".to_owned(),
            shape: ShapeData::Rod { length: self.length },
            mass: Some(self.mass),
            position: [0.5 * self.length * self.angle.cosine(), self.height + half],
            angle: self.angle,
            velocity: self.velocity,
            rate: self.rate,
            corners: ["A", "B"].map(str::to_owned).to_vec(),
            ..BodyData::default()
        });
        ground(full, 0.0);
        Ok(())
    }
}

impl DoublePendulumForm {
    fn expand(&self, full: &mut Scenario) -> Result<(), ImpactError> {
        let mut hinge = Vec2::zeros();
        let mut speed = Vec2::zeros();
        for i in 0..2 {
            let length = positive(&format!("double_pendulum.lengths[{i}]"), self.lengths[i])?;
            let mass = positive(&format!("double_pendulum.masses[{i}]"), self.masses[i])?;
            let arm = rotate(Vec2::new(0.0, -length), self.angles[i]);
            let swing = self.rates[i] * Vec2::new(-arm.y, arm.x);
            let (centre, velocity) = (hinge + 0.5 * arm, speed + 0.5 * swing);
            let other = if i == 0 { "world" } else { "rod1" };
            full.body.push(BodyData {
                name: format!("rod{}", i + 1),
                shape: ShapeData::Rod { length },
                mass: Some(mass),
                position: [centre.x, centre.y],
                // A rod lies along x at angle 0, and hangs at φ = 0.
                angle: self.angles[i] - FRAC_PI_2,
                velocity: [velocity.x, velocity.y],
                rate: self.rates[i],
                corners: [["O", "elbow1"], ["elbow2", "C"]][i].map(str::to_owned).to_vec(),
                ..BodyData::default()
            });
            full.joint.push(PlanarJointData {
                name: ["hinge", "elbow"][i].to_owned(),
                kind: JointType::Pin,
                between: [format!("rod{}", i + 1), other.to_owned()],
                point: [hinge.x, hinge.y],
                axis: None,
            });
            hinge += arm;
            speed += swing;
        }
        ground(full, self.depth.map_or(hinge.y, |depth| -depth));
        Ok(())
    }
}
