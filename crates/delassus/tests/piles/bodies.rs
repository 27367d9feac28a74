//! Masses, outlines and supports of a scenario, computed here a second time.

use delassus::scenario::{LineData, MotionData, Scenario, ShapeData};

use crate::overlap::{Part, Point, add, cross, dot, sub};

pub struct Body {
    pub mass: f64,
    pub inertia: f64,
    /// About the centre of mass at angle 0.
    pub parts: Vec<Part>,
    /// Largest distance of a point from the centre of mass.
    pub size: f64,
}

/// A straight support with its motion.
pub struct Line {
    pub name: String,
    point: Point,
    pub normal: Point,
    /// Direction, amplitude, circular frequency, phase.
    motion: Option<(Point, f64, f64, f64)>,
}

impl Line {
    /// A point of it at time `t`.
    pub fn point(&self, t: f64) -> Point {
        let Some((d, a, w, phase)) = self.motion else { return self.point };
        let s = a * ((w * t + phase).sin() - phase.sin());
        add(self.point, [s * d[0], s * d[1]])
    }

    /// Its velocity at time `t`.
    pub fn velocity(&self, t: f64) -> Point {
        let Some((d, a, w, phase)) = self.motion else { return [0.0; 2] };
        let v = a * w * (w * t + phase).cos();
        [v * d[0], v * d[1]]
    }

    pub fn moves(&self) -> bool {
        self.motion.is_some()
    }
}

/// What the checks know about a scene.
pub struct World {
    pub bodies: Vec<Body>,
    pub lines: Vec<Line>,
    pub gravity: f64,
    pub friction: f64,
    pub restitution: f64,
}

impl World {
    pub fn new(scenario: &Scenario) -> Self {
        let material = &scenario.material[0];
        assert!(scenario.material.len() == 1 && material.between.is_none() && material.contact.is_none());
        let bodies = scenario.body.iter().map(|b| body(&b.shape, b.mass)).collect();
        let lines = scenario.ground.iter().chain(&scenario.wall).map(line).collect();
        Self {
            bodies,
            lines,
            gravity: -scenario.world.gravity.vector()[1],
            friction: material.friction_static.or(material.friction).unwrap_or(0.0),
            restitution: material.restitution.unwrap_or(0.0),
        }
    }

    /// The parts of a body where `q` puts it.
    pub fn placed(&self, body: usize, q: &[f64]) -> Vec<Part> {
        let q = &q[3 * body..3 * body + 3];
        self.bodies[body].parts.iter().map(|p| p.placed([q[0], q[1]], q[2])).collect()
    }

    /// Kinetic energy as seen from a frame that moves with velocity `frame`.
    pub fn kinetic(&self, u: &[f64], frame: Point) -> f64 {
        let one = |(b, u): (&Body, &[f64])| {
            let v = sub([u[0], u[1]], frame);
            0.5 * (b.mass * dot(v, v) + b.inertia * u[2] * u[2])
        };
        self.bodies.iter().zip(u.chunks_exact(3)).map(one).sum()
    }

    /// Potential energy of gravity.
    pub fn potential(&self, q: &[f64]) -> f64 {
        self.bodies.iter().zip(q.chunks_exact(3)).map(|(b, q)| b.mass * self.gravity * q[1]).sum()
    }

    pub fn shaken(&self) -> bool {
        self.lines.iter().any(Line::moves)
    }
}

fn line(data: &LineData) -> Line {
    let angle = data.angle.unwrap_or(0.0);
    let normal = data.normal.unwrap_or([-angle.sin(), angle.cos()]);
    let motion = data.motion.as_ref().map(|motion| match motion {
        MotionData::Harmonic { direction, amplitude, frequency, phase } => {
            (*direction, *amplitude, std::f64::consts::TAU * frequency, *phase)
        }
        _ => unreachable!("only harmonic motions in these scenes"),
    });
    Line { name: data.name.clone(), point: data.point, normal, motion }
}

/// Area, centre and second moment about that centre of a convex polygon: a fan of
/// triangles, each with its own parallel shift.
fn polygon(corners: &[Point]) -> (f64, Point, f64) {
    let triangles: Vec<(f64, Point, f64)> = (1..corners.len() - 1)
        .map(|k| {
            let [a, b, c] = [corners[0], corners[k], corners[k + 1]];
            let area = 0.5 * cross(sub(b, a), sub(c, a));
            let centre = [(a[0] + b[0] + c[0]) / 3.0, (a[1] + b[1] + c[1]) / 3.0];
            let square = |p: Point, q: Point| dot(sub(p, q), sub(p, q));
            (area, centre, area * (square(a, b) + square(b, c) + square(c, a)) / 36.0)
        })
        .collect();
    let area: f64 = triangles.iter().map(|t| t.0).sum();
    let centre = [0, 1].map(|i| triangles.iter().map(|t| t.0 * t.1[i]).sum::<f64>() / area);
    let moment = triangles.iter().map(|t| t.2 + t.0 * dot(sub(t.1, centre), sub(t.1, centre))).sum();
    (area, centre, moment)
}

/// Inertia per mass, centre in the given frame, and outline in that frame.
fn simple(shape: &ShapeData) -> (f64, Point, Part) {
    let outline = |core: Vec<Point>| Part { core, radius: 0.0 };
    match shape {
        ShapeData::Box { width: w, height: h } => {
            let (x, y) = (0.5 * w, 0.5 * h);
            ((w * w + h * h) / 12.0, [0.0; 2], outline(vec![[-x, -y], [x, -y], [x, y], [-x, y]]))
        }
        ShapeData::Disk { radius } => (0.5 * radius * radius, [0.0; 2], Part { core: vec![[0.0; 2]], radius: *radius }),
        ShapeData::Rod { length: l } => (l * l / 12.0, [0.0; 2], outline(vec![[-0.5 * l, 0.0], [0.5 * l, 0.0]])),
        ShapeData::Polygon { vertices } => {
            let (area, centre, moment) = polygon(vertices);
            (moment / area, centre, outline(vertices.clone()))
        }
        ShapeData::Compound { .. } => unreachable!("compounds are no parts"),
    }
}

fn body(shape: &ShapeData, mass: Option<f64>) -> Body {
    // (mass, inertia, centre, part), all in the body's given frame.
    let pieces: Vec<(f64, f64, Point, Part)> = match shape {
        ShapeData::Compound { part } => {
            let placed = |p: &delassus::scenario::PartData| {
                let (inertia, centre, outline) = simple(&p.shape);
                let middle = Part { core: vec![centre], radius: 0.0 }.placed(p.position, p.angle).core[0];
                (p.mass, p.mass * inertia, middle, outline.placed(p.position, p.angle))
            };
            part.iter().map(placed).collect()
        }
        plain => {
            let (inertia, centre, outline) = simple(plain);
            let mass = mass.expect("a plain shape has a mass");
            vec![(mass, mass * inertia, centre, outline)]
        }
    };
    let mass: f64 = pieces.iter().map(|p| p.0).sum();
    let centre = [0, 1].map(|i| pieces.iter().map(|p| p.0 * p.2[i]).sum::<f64>() / mass);
    let inertia = pieces.iter().map(|p| p.1 + p.0 * dot(sub(p.2, centre), sub(p.2, centre))).sum();
    let parts: Vec<Part> = pieces.iter().map(|p| p.3.placed([-centre[0], -centre[1]], 0.0)).collect();
    let size = parts.iter().map(Part::reach).fold(0.0, f64::max);
    Body { mass, inertia, parts, size }
}
