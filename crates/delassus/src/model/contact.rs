//! Contact geometry: corners and disks on lines, edges and other disks.
//!
//! One side of a contact is always a round feature, a circle of radius R ≥ 0
//! around a point of body A (R = 0: a corner). The other side is a straight
//! line of a support, another round feature, or a convex polygon, on which the
//! nearest edge or corner counts.

use super::motion::Moved;
use super::planar::Pose;
use super::vector::{Vec2, cross, tangent, turn};
use super::{ContactState, Support};

/// A circle fixed to a body; radius 0 is a corner.
#[derive(Debug, Clone, PartialEq)]
pub struct Feature {
    /// Index of the body.
    pub body: usize,
    /// Centre in the body's frame, from its centre of mass \[m\].
    pub point: [f64; 2],
    /// Radius \[m\].
    pub radius: f64,
}

/// What a round feature touches.
#[derive(Debug, Clone, PartialEq)]
pub enum Partner {
    /// A straight line of a support; the free side is where the normal points.
    Line {
        /// Index of the support.
        support: usize,
        /// A point of the line \[m\].
        point: [f64; 2],
        /// Its unit normal.
        normal: [f64; 2],
    },
    /// A round feature of another body.
    Round(Feature),
    /// A convex polygon of another body.
    Polygon {
        /// Index of the body.
        body: usize,
        /// Corners in the body's frame, counter-clockwise \[m\]. Two: a segment.
        vertices: Vec<[f64; 2]>,
    },
}

/// The two sides of a possible contact.
#[derive(Debug, Clone, PartialEq)]
pub struct ContactGeometry {
    /// The round side, on body A.
    pub feature: Feature,
    /// The other side.
    pub partner: Partner,
}

/// Near the corners of a polygon its edges go on by this part of its size, so
/// that a corner on a corner finds an edge and not a point.
const CORNER: f64 = 1e-7;

/// The contact at one state. ρ points from a centre of mass to the centre of
/// the feature.
pub(super) struct Local {
    pub gap: f64,
    normal: Vec2,
    a: usize,
    omega_a: f64,
    rho_a: Vec2,
    radius: f64,
    /// Velocity of A's centre relative to the frame of B (v_r).
    relative: Vec2,
    /// γ̇ at rest accelerations, without the part of B's rotation.
    acceleration: Vec2,
    other: Other,
}

enum Other {
    Support {
        moved: Moved,
    },
    /// n turns with body B.
    Edge {
        b: usize,
        omega_b: f64,
        rho_b: Vec2,
    },
    /// n points from centre to centre.
    Round {
        b: usize,
        omega_b: f64,
        rho_b: Vec2,
        radius: f64,
        distance: f64,
    },
}

impl ContactGeometry {
    pub(super) fn at(&self, t: f64, q: &[f64], u: &[f64], supports: &[Support]) -> Local {
        let a = Pose::of(self.feature.body, q, u);
        let rho_a = a.turned(self.feature.point);
        let centre = a.position + rho_a;
        let velocity = a.velocity + a.rate * turn(rho_a);
        let radius = self.feature.radius;
        let acceleration = -a.rate * a.rate * rho_a;
        let base = |gap: f64, normal: Vec2, relative: Vec2, acceleration: Vec2, other: Other| Local {
            gap,
            normal,
            a: self.feature.body,
            omega_a: a.rate,
            rho_a,
            radius,
            relative,
            acceleration,
            other,
        };
        let round = |body: usize, b: &Pose, point: [f64; 2], other: f64| {
            let rho_b = b.turned(point);
            let span = centre - b.position - rho_b;
            let distance = span.norm();
            // Concentric circles have no normal; any will do, they are far from touching.
            let normal = if distance > 0.0 { span / distance } else { Vec2::new(0.0, 1.0) };
            let relative = velocity - b.velocity - b.rate * turn(rho_b);
            let kind = Other::Round { b: body, omega_b: b.rate, rho_b, radius: other, distance };
            base(distance - radius - other, normal, relative, acceleration + b.rate * b.rate * rho_b, kind)
        };
        match &self.partner {
            Partner::Line { support, point, normal } => {
                let moved = supports[*support].motion.at(t);
                let normal = Vec2::new(normal[0], normal[1]);
                let gap = normal.dot(&(centre - Vec2::new(point[0], point[1]) - moved.position)) - radius;
                let (relative, kind) = (velocity - moved.velocity, Other::Support { moved });
                base(gap, normal, relative, acceleration - moved.acceleration, kind)
            }
            Partner::Round(other) => round(other.body, &Pose::of(other.body, q, u), other.point, other.radius),
            Partner::Polygon { body, vertices } => {
                let b = Pose::of(*body, q, u);
                let rho_b = centre - b.position;
                let seen = b.turned_back(rho_b);
                let towards = b.turned_back(a.position - b.position);
                match nearest(vertices, seen, towards) {
                    Nearest::Corner(k) => round(*body, &b, vertices[k], 0.0),
                    Nearest::Edge(distance, normal) => {
                        let normal = b.turned([normal.x, normal.y]);
                        let relative = velocity - b.velocity - b.rate * turn(rho_b);
                        let kind = Other::Edge { b: *body, omega_b: b.rate, rho_b };
                        // Coriolis and centripetal terms of the frame of B.
                        let extra = -2.0 * b.rate * turn(relative) + b.rate * b.rate * rho_b;
                        base(distance - radius, normal, relative, acceleration + extra, kind)
                    }
                }
            }
        }
    }
}

enum Nearest {
    Corner(usize),
    /// Distance and outward normal, in the frame of the polygon.
    Edge(f64, Vec2),
}

/// The edge or corner of a convex polygon that is nearest to `point`; among
/// edges equally near, the one that faces `towards`.
fn nearest(vertices: &[[f64; 2]], point: Vec2, towards: Vec2) -> Nearest {
    let corner = |k: usize| Vec2::new(vertices[k][0], vertices[k][1]);
    let count = vertices.len();
    let size = (0..count).map(|k| corner(k).norm()).fold(0.0, f64::max);
    let reach = towards.norm();
    let facing = if reach > 0.0 { towards / reach } else { towards };
    let mut best = (f64::NEG_INFINITY, 0.0, Vec2::zeros(), 0, 0);
    for k in 0..count {
        let (from, to) = (k, (k + 1) % count);
        let edge = corner(to) - corner(from);
        let normal = tangent(edge) / edge.norm();
        let distance = normal.dot(&(point - corner(from)));
        let score = distance + CORNER * size * normal.dot(&facing);
        if score > best.0 {
            best = (score, distance, normal, from, to);
        }
    }
    let (_, distance, normal, from, to) = best;
    let edge = corner(to) - corner(from);
    let length = edge.norm();
    let along = edge.dot(&(point - corner(from))) / length;
    let margin = CORNER * size;
    if distance <= margin || (-margin..=length + margin).contains(&along) {
        return Nearest::Edge(distance, normal);
    }
    Nearest::Corner(if along < 0.0 { from } else { to })
}

impl Local {
    /// (γ_N, γ_T).
    pub fn gamma(&self) -> [f64; 2] {
        let spin = match self.other {
            Other::Support { .. } => self.radius * self.omega_a,
            Other::Edge { omega_b, .. } => self.radius * (self.omega_a - omega_b),
            Other::Round { omega_b, radius, .. } => self.radius * self.omega_a + radius * omega_b,
        };
        [self.normal.dot(&self.relative), tangent(self.normal).dot(&self.relative) + spin]
    }

    /// Writes the directions and returns gap, χ and Ẇᵀu + χ̇.
    pub fn rows(&self, normal: &mut [f64], along: &mut [f64]) -> ContactState {
        let (n, t) = (self.normal, tangent(self.normal));
        normal.fill(0.0);
        along.fill(0.0);
        let put = |row: &mut [f64], body: usize, v: Vec2, spin: f64| {
            row[3 * body] += v.x;
            row[3 * body + 1] += v.y;
            row[3 * body + 2] += spin;
        };
        put(normal, self.a, n, cross(self.rho_a, n));
        put(along, self.a, t, cross(self.rho_a, t) + self.radius);
        let mut state = ContactState {
            gap: self.gap,
            offset: [0.0; 2],
            bias: [n.dot(&self.acceleration), t.dot(&self.acceleration)],
        };
        match &self.other {
            Other::Support { moved } => state.offset = [-n.dot(&moved.velocity), -t.dot(&moved.velocity)],
            Other::Edge { b, rho_b, .. } => {
                put(normal, *b, -n, -cross(*rho_b, n));
                put(along, *b, -t, -cross(*rho_b, t) - self.radius);
            }
            Other::Round { b, rho_b, radius, distance, .. } => {
                put(normal, *b, -n, -cross(*rho_b, n));
                put(along, *b, -t, -cross(*rho_b, t) + radius);
                // n turns with the line of centres.
                let turning = (self.relative - n * n.dot(&self.relative)) / *distance;
                state.bias[0] += turning.dot(&self.relative);
                state.bias[1] += tangent(turning).dot(&self.relative);
            }
        }
        state
    }
}
