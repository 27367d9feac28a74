//! From a scenario to a system and its start.

use std::collections::HashSet;

use super::contacts::{Line, contacts, outlines, unlisted, untouching};
use super::data::{
    Formula, Gravity, IntegratorData, JointType, LONGEST, LineData, MaterialData, OutputData, Scenario, ShapeData,
    UntilData,
};
use super::motion::{motion, remarks};
use super::shape::{Solid, solid};
use crate::budget::{Limits, SolverData};
use crate::elementary::Elementary;
use crate::error::{ImpactError, finite, moderate, moderate_positive};
use crate::model::{
    Anchor, Applied, Clutch, ClutchElement, HalfPlane, Joint, JointElement, JointKind, Model, PLANE, PlanarBody,
    PlanarSystem, Sense, Shape, Spring, Support, Vec2, absent, rotate,
};
use crate::simulate::{Quantity, Scheme, Settings, Until};

/// A system with its start and what to compute.
#[derive(Debug, Clone)]
pub struct Built {
    /// The system.
    pub system: Model,
    /// Positions at time 0.
    pub q: Vec<f64>,
    /// Velocities at time 0.
    pub u: Vec<f64>,
    /// Accuracy.
    pub settings: Settings,
    /// When the run ends.
    pub until: Until,
}

impl Scenario {
    /// Builds the system; short forms are expanded first.
    ///
    /// # Errors
    /// Any number out of range, unknown or repeated names, shapes that are no
    /// shapes: named by field, value and what is allowed.
    pub fn build(&self) -> Result<Built, ImpactError> {
        let full = self.expand()?;
        if let Some(space) = &full.space {
            return space.build();
        }
        if !PLANE {
            return Err(absent(2));
        }
        let mut builder = Builder { scenario: &full, solids: Vec::new(), system: PlanarSystem::default() };
        builder.names()?;
        let gravity = full.world.gravity.vector();
        for g in gravity {
            moderate(|| "world.gravity".to_owned(), g)?;
        }
        builder.system.gravity = gravity;
        let lines = builder.lines()?;
        let (q, u) = builder.bodies()?;
        let jointed = builder.joints(&q)?;
        builder.springs(&q)?;
        builder.clutches()?;
        builder.forces(&q)?;
        builder.system.outlines = outlines(&builder.solids);
        let exempt = untouching(&builder.solids, &jointed);
        let settings = settings(&full.integrator, &full.solver, &full.output, Scheme::Events);
        let listed = lists_pairs(&full, settings.scheme);
        let (points, geometries) = contacts(&full, &builder.solids, &builder.system.outlines, &lines, &exempt, listed)?;
        builder.system.set_contacts(points, geometries);
        if !listed {
            builder.system.unlisted = Some(unlisted(&full, &builder.solids, &builder.system.outlines)?);
            builder.system.remarks.push(UNLISTED.to_owned());
        }
        builder.shapes(&lines, exempt);
        if let [ShapeData::Box { width, height }] = full.body.iter().map(|b| b.shape.clone()).collect::<Vec<_>>()[..] {
            (builder.system.tilt, builder.system.balance) = (Some(2), Some((width / height).arctangent()));
        }
        full.solver.check()?;
        settings.check()?;
        let overturned = full.until.overturned.unwrap_or(false);
        if overturned && builder.system.tilt.is_none() {
            return Err(ImpactError::new("until.overturned", true, "needs a scenario of one box"));
        }
        let until = until(&full.until, overturned)?;
        builder.system.remarks.extend(remarks(&builder.system, until.time));
        builder.system.remarks.extend(no_static_friction(settings.scheme, &full.material));
        builder.system.remarks.extend(of_other_schemes(settings.scheme, &full.integrator));
        let springs = full.spring.iter().map(|spring| [spring.stiffness, spring.damping] == [0.0; 2]);
        let forces = full.force.iter().map(|force| is_none(force.force.iter().chain([&force.torque])));
        builder.system.remarks.extend(idle(springs, forces));
        if let Gravity::Down(down) = full.world.gravity {
            builder.system.remarks.extend(upwards(down, "y"));
        }
        for name in &full.output.plot {
            Quantity::parse(&builder.system, name).map_err(|e| e.within("output"))?;
        }
        Ok(Built { system: Model::of_plane(builder.system)?, q, u, settings, until })
    }
}

/// Bodies up to which contacts of all pairs are listed for time-stepping: beyond, samples would not hold their forces anyway.
const LISTED: usize = 141;
const UNLISTED: &str =
    "so many pairs of bodies could touch that samples hold forces of contacts with grounds and walls alone";

/// Whether contacts of pairs of bodies are listed. Events need them all; so does a material that names one.
fn lists_pairs(scenario: &Scenario, scheme: Scheme) -> bool {
    let named = scenario.material.iter().any(|material| material.contact.is_some());
    scheme != Scheme::TimeStepping || named || scenario.body.len() <= LISTED
}

/// What is to be said of static friction that time-stepping does not know.
pub(super) fn no_static_friction(scheme: Scheme, materials: &[MaterialData]) -> Option<String> {
    let higher = |m: &MaterialData| m.friction_static.is_some_and(|fixed| Some(fixed) != m.friction);
    let text = "friction_static is for events: by time-stepping contacts slide from friction on";
    (scheme == Scheme::TimeStepping && materials.iter().any(higher)).then(|| text.to_owned())
}

/// What is to be said of settings that only another scheme than this one reads.
pub(super) fn of_other_schemes(scheme: Scheme, given: &IntegratorData) -> Option<String> {
    let usual = IntegratorData::default();
    let by_steps = [("step", given.step.is_some()), ("theta", given.theta != usual.theta), ("sleep", given.sleep)];
    let by_events = [
        ("tolerance", given.tolerance != usual.tolerance),
        ("accumulation", given.accumulation != usual.accumulation),
        ("max_step", given.max_step.is_some()),
        ("max_events", given.max_events != usual.max_events),
    ];
    let (unread, reader): (&[_], _) = match scheme {
        Scheme::Events => (&by_steps, Scheme::TimeStepping),
        Scheme::TimeStepping => (&by_events, Scheme::Events),
        Scheme::Auto => return None,
    };
    let keys: Vec<_> = unread.iter().filter(|(_, given)| *given).map(|(key, _)| format!("integrator.{key}")).collect();
    let text = || format!("without effect: {}; integrator.scheme = {reader} reads it", keys.join(", "));
    (!keys.is_empty()).then(text)
}

/// What is to be said of springs and forces that do nothing, because what would make them act is left out or 0.
pub(super) fn idle(springs: impl Iterator<Item = bool>, forces: impl Iterator<Item = bool>) -> Option<String> {
    let mut idle = Vec::new();
    let mut add = |what: &str, k: usize, is_idle: bool| {
        if is_idle {
            idle.push(format!("{what}[{k}]"));
        }
    };
    springs.enumerate().for_each(|(k, idle)| add("spring", k, idle));
    forces.enumerate().for_each(|(k, idle)| add("force", k, idle));
    let text = || {
        format!("without effect: {}; springs need a stiffness or damping, forces a force or torque", idle.join(", "))
    };
    (!idle.is_empty()).then(text)
}

/// Whether all of these components are the number 0.
pub(super) fn is_none<'a>(mut components: impl Iterator<Item = &'a Formula>) -> bool {
    components.all(|component| *component == Formula::default())
}

/// What is to be said of a gravity that points up, because a number with a sign was meant as a coordinate.
pub(super) fn upwards(down: f64, axis: &str) -> Option<String> {
    (down < 0.0)
        .then(|| format!("world.gravity = {down} points up: a number is along -{axis}, so {} is downwards", -down))
}

/// The settings of a run; `scheme` is that of files that name none.
pub(super) fn settings(
    integrator: &IntegratorData,
    solver: &SolverData,
    output: &OutputData,
    scheme: Scheme,
) -> Settings {
    Settings {
        tolerance: integrator.tolerance,
        contact_tolerance: integrator.contact_tolerance,
        accumulation: integrator.accumulation,
        max_step: integrator.max_step,
        max_events: integrator.max_events,
        sample_interval: output.interval,
        limits: Limits::from(solver),
        scheme: integrator.scheme.unwrap_or(scheme),
        step: integrator.step,
        theta: integrator.theta,
        sleep: integrator.sleep,
        ..Settings::default()
    }
}

/// The end of a run.
pub(super) fn until(data: &UntilData, overturned: bool) -> Result<Until, ImpactError> {
    let until = Until {
        time: data.time.unwrap_or(LONGEST),
        bound: data.time.is_none(),
        impacts: data.impacts,
        rest: data.rest.unwrap_or(true),
        overturned,
    };
    until.check()?;
    Ok(until)
}

struct Builder<'a> {
    scenario: &'a Scenario,
    solids: Vec<Solid>,
    system: PlanarSystem,
}

impl Builder<'_> {
    fn names(&self) -> Result<(), ImpactError> {
        let s = self.scenario;
        if s.body.is_empty() {
            return Err(ImpactError::new("body", "[]", "a scenario needs a body or a short form"));
        }
        let bodies = s.body.iter().enumerate().map(|(i, b)| (format!("body[{i}].name"), &b.name));
        let grounds = s.ground.iter().enumerate().map(|(i, l)| (format!("ground[{i}].name"), &l.name));
        let walls = s.wall.iter().enumerate().map(|(i, l)| (format!("wall[{i}].name"), &l.name));
        let joints = s.joint.iter().enumerate().map(|(i, j)| (format!("joint[{i}].name"), &j.name));
        let clutches = s.clutch.iter().enumerate().map(|(i, c)| (format!("clutch[{i}].name"), &c.name));
        let mut seen: Vec<(String, &String)> = Vec::new();
        for (field, name) in bodies.chain(grounds).chain(walls).chain(joints).chain(clutches) {
            if name.is_empty() || name == "world" {
                return Err(ImpactError::missing(field, format!("{name:?}"), "needs a name other than \"world\""));
            }
            if let Some((first, _)) = seen.iter().find(|(_, other)| *other == name) {
                let problem = format!("names must be unique, and {first} is the same");
                return Err(ImpactError::duplicate(field, format!("{name:?}"), problem));
            }
            seen.push((field, name));
        }
        Ok(())
    }

    fn lines(&mut self) -> Result<Vec<Line>, ImpactError> {
        let mut lines = Vec::new();
        let grounds = self.scenario.ground.iter().enumerate().map(|(i, l)| (format!("ground[{i}]"), l));
        let walls = self.scenario.wall.iter().enumerate().map(|(i, l)| (format!("wall[{i}]"), l));
        for (path, line) in grounds.chain(walls) {
            let normal = self.normal(&path, line)?;
            for v in line.point {
                finite(|| format!("{path}.point"), v)?;
            }
            lines.push(Line { point: line.point, normal, name: line.name.clone() });
            let motion = motion(&format!("{path}.motion"), line.motion.as_ref(), self.scenario.until.time)?;
            self.system.supports.push(Support { name: line.name.clone(), motion });
        }
        Ok(lines)
    }

    fn normal(&self, path: &str, line: &LineData) -> Result<[f64; 2], ImpactError> {
        match (line.normal, line.angle) {
            (Some(_), Some(angle)) => {
                Err(ImpactError::new(format!("{path}.angle"), angle, "give either a normal or an angle"))
            }
            (Some(normal), None) => unit(&format!("{path}.normal"), normal),
            (None, None) if path.starts_with("wall") => {
                Err(ImpactError::missing(format!("{path}.normal"), "", "a wall needs a normal, towards its free side"))
            }
            (None, angle) => {
                let angle = finite(|| format!("{path}.angle"), angle.unwrap_or(0.0))?;
                Ok([-angle.sine(), angle.cosine()])
            }
        }
    }

    fn bodies(&mut self) -> Result<(Vec<f64>, Vec<f64>), ImpactError> {
        let (mut q, mut u) = (Vec::new(), Vec::new());
        for (i, body) in self.scenario.body.iter().enumerate() {
            let path = format!("body[{i}]");
            let solid = solid(&path, &body.shape, body.mass)?;
            let features = solid.corners.len() + solid.disks.len();
            if !body.corners.is_empty() && body.corners.len() != features {
                let given = format!("{} names", body.corners.len());
                return Err(ImpactError::wrong_size(
                    format!("{path}.corners"),
                    given,
                    format!("needs {features} or none"),
                ));
            }
            let inertia = body.inertia.unwrap_or(solid.inertia);
            for (key, value) in [("inertia", inertia), ("mass", solid.mass), ("shape", solid.size())] {
                moderate_positive(|| format!("{path}.{key}"), value)?;
            }
            let start = [body.position[0], body.position[1], body.angle, body.velocity[0], body.velocity[1], body.rate];
            let keys = ["position[0]", "position[1]", "angle", "velocity[0]", "velocity[1]", "rate"];
            for (key, value) in keys.iter().zip(start) {
                moderate(|| format!("{path}.{key}"), value)?;
            }
            q.extend_from_slice(&start[..3]);
            u.extend_from_slice(&start[3..]);
            self.system.diagonal.extend([solid.mass, solid.mass, inertia]);
            let size = solid.size();
            self.system.bodies.push(PlanarBody { name: body.name.clone(), mass: solid.mass, inertia, size });
            self.solids.push(solid);
        }
        Ok((q, u))
    }

    /// What overlap is measured on: the shapes themselves, not their contacts.
    fn shapes(&mut self, lines: &[Line], exempt: HashSet<[usize; 2]>) {
        for (body, solid) in self.solids.iter().enumerate() {
            let array = |v: &Vec2| [v.x, v.y];
            let outlines = solid.outlines.iter().map(|o| (o.iter().map(array).collect(), 0.0));
            let disks = solid.disks.iter().map(|(centre, radius)| (vec![array(centre)], *radius));
            self.system.shapes.extend(outlines.chain(disks).map(|(points, radius)| Shape::new(body, points, radius)));
        }
        let plane = |(support, line): (usize, &Line)| HalfPlane { support, point: line.point, normal: line.normal };
        self.system.half_planes = lines.iter().enumerate().map(plane).collect();
        self.system.exempt = exempt;
    }

    /// The side of that name, held at a point given in the plane at the start.
    fn anchor(&self, field: &str, name: &str, point: [f64; 2], q: &[f64]) -> Result<Anchor, ImpactError> {
        for v in point {
            finite(|| field.to_owned(), v)?;
        }
        if let Some(i) = self.scenario.body.iter().position(|b| b.name == name) {
            let lever = Vec2::new(point[0] - q[3 * i], point[1] - q[3 * i + 1]);
            let local = rotate(lever, -q[3 * i + 2]);
            return Ok(Anchor::Body(i, [local.x, local.y]));
        }
        if let Some(i) = self.system.supports.iter().position(|s| s.name == name) {
            return Ok(Anchor::Support(i, point));
        }
        if name == "world" {
            return Ok(Anchor::World(point));
        }
        Err(ImpactError::new(field, format!("{name:?}"), "is no body, no ground, no wall and not \"world\""))
    }

    fn pair(
        &self,
        path: &str,
        between: &[String; 2],
        points: [[f64; 2]; 2],
        q: &[f64],
    ) -> Result<[Anchor; 2], ImpactError> {
        let a = self.anchor(&format!("{path}.between[0]"), &between[0], points[0], q)?;
        let b = self.anchor(&format!("{path}.between[1]"), &between[1], points[1], q)?;
        let fixed = |anchor: &Anchor| !matches!(anchor, Anchor::Body(..));
        if between[0] == between[1] || (fixed(&a) && fixed(&b)) {
            let given = format!("{between:?}");
            return Err(ImpactError::new(format!("{path}.between"), given, "needs two sides, one of them a body"));
        }
        Ok([a, b])
    }

    fn joints(&mut self, q: &[f64]) -> Result<Vec<[usize; 2]>, ImpactError> {
        let mut jointed = Vec::new();
        for (i, joint) in self.scenario.joint.iter().enumerate() {
            let path = format!("joint[{i}]");
            let [a, b] = self.pair(&path, &joint.between, [joint.point; 2], q)?;
            let angle = |anchor: &Anchor| if let Anchor::Body(body, _) = anchor { q[3 * body + 2] } else { 0.0 };
            let turn = angle(&a) - angle(&b);
            let kind = match (joint.kind, joint.axis) {
                (JointType::Slider, Some(axis)) => {
                    let axis = unit(&format!("{path}.axis"), axis)?;
                    let normal = rotate(Vec2::new(-axis[1], axis[0]), -angle(&b));
                    JointKind::Slider { normal: [normal.x, normal.y], angle: turn }
                }
                (JointType::Slider, None) => {
                    return Err(ImpactError::missing(format!("{path}.axis"), "", "a slider needs its direction"));
                }
                (_, Some(axis)) => {
                    return Err(ImpactError::new(format!("{path}.axis"), format!("{axis:?}"), "is for sliders only"));
                }
                (JointType::Pin, None) => JointKind::Pin,
                (JointType::Weld, None) => JointKind::Weld { angle: turn },
            };
            if let (Anchor::Body(a, _), Anchor::Body(b, _)) = (a, b) {
                jointed.push([a, b]);
            }
            self.system.joints.push(Joint { a, b, kind });
            self.system.joint_elements.push(JointElement { name: joint.name.clone(), rows: kind.rows() });
        }
        Ok(jointed)
    }

    fn springs(&mut self, q: &[f64]) -> Result<(), ImpactError> {
        for (i, spring) in self.scenario.spring.iter().enumerate() {
            let path = format!("spring[{i}]");
            let [a, b] = self.pair(&path, &spring.between, spring.points, q)?;
            for (key, value) in [("stiffness", spring.stiffness), ("damping", spring.damping)] {
                if !(value.is_finite() && value >= 0.0) {
                    return Err(ImpactError::out_of_range(format!("{path}.{key}"), value, "must be at least 0"));
                }
                moderate(|| format!("{path}.{key}"), value)?;
            }
            let angle = |anchor: &Anchor| if let Anchor::Body(body, _) = anchor { q[3 * body + 2] } else { 0.0 };
            let [p, r] = spring.points;
            let here = if spring.torsion { angle(&a) - angle(&b) } else { (p[0] - r[0]).hypotenuse(p[1] - r[1]) };
            let length = finite(|| format!("{path}.length"), spring.length.unwrap_or(here))?;
            self.system.springs.push(Spring {
                a,
                b,
                stiffness: spring.stiffness,
                damping: spring.damping,
                length,
                torsion: spring.torsion,
            });
        }
        Ok(())
    }

    fn clutches(&mut self) -> Result<(), ImpactError> {
        for (i, clutch) in self.scenario.clutch.iter().enumerate() {
            let path = format!("clutch[{i}]");
            // A clutch acts on centres: no lever, whatever the start.
            let side = |k: usize| {
                let name = &clutch.between[k];
                let centre = self.scenario.body.iter().position(|b| &b.name == name);
                centre.map_or_else(
                    || self.anchor(&format!("{path}.between[{k}]"), name, [0.0; 2], &[]),
                    |b| Ok(Anchor::Body(b, [0.0; 2])),
                )
            };
            let (a, b) = (side(0)?, side(1)?);
            let sense = match clutch.axis {
                Some(axis) => Sense::Axis(unit(&format!("{path}.axis"), axis)?),
                None => Sense::Rotation(if clutch.reversed { -1.0 } else { 1.0 }),
            };
            finite(|| format!("{path}.restitution"), clutch.restitution)?;
            self.system.clutches.push(Clutch { a, b, sense });
            let (name, restitution) = (clutch.name.clone(), clutch.restitution);
            self.system.clutch_elements.push(ClutchElement { name, restitution });
        }
        Ok(())
    }

    fn forces(&mut self, q: &[f64]) -> Result<(), ImpactError> {
        for (i, force) in self.scenario.force.iter().enumerate() {
            let path = format!("force[{i}]");
            let Some(body) = self.scenario.body.iter().position(|b| b.name == force.body) else {
                return Err(ImpactError::new(format!("{path}.body"), format!("{:?}", force.body), "is no body"));
            };
            let at = match force.point {
                Some(point) => self.anchor(&format!("{path}.point"), &force.body, point, q)?,
                None => Anchor::Body(body, [0.0; 2]),
            };
            let time = self.scenario.until.time;
            let x = force.force[0].expression(&format!("{path}.force[0]"), time)?;
            let y = force.force[1].expression(&format!("{path}.force[1]"), time)?;
            let torque = force.torque.expression(&format!("{path}.torque"), time)?;
            self.system.applied.push(Applied { at, force: [x, y], torque });
        }
        Ok(())
    }
}

pub(super) fn unit(field: &str, v: [f64; 2]) -> Result<[f64; 2], ImpactError> {
    let size = v[0].hypotenuse(v[1]);
    if size.is_finite() && size > 0.0 {
        return Ok([v[0] / size, v[1] / size]);
    }
    Err(ImpactError::not_finite(field, format!("{v:?}"), "must be a finite vector that is not zero"))
}
