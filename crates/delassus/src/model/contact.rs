//! Contact geometry: corners and disks on lines, outlines and other disks.
//!
//! One side of a contact is always a round feature, a circle of radius R ≥ 0
//! around a point of body A (R = 0: a corner). The other side is a straight
//! line of a support, another round feature, or a convex outline. An outline
//! has several pieces: its sides and, for disks, its corners. On one piece gap
//! and directions are smooth functions of the state; a contact that reaches
//! the end of its piece changes to another or ends.

use super::motion::Moved;
use super::outline::{Outline, equally_good, margin};
use super::planar::Pose;
use super::vector::{Vec2, cross, tangent, turn};
use super::{ContactState, Directions, Support};

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

impl Feature {
    /// Whether it turns in itself as its body turns.
    pub(super) fn is_centred(&self) -> bool {
        self.point == [0.0; 2]
    }
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
    /// A disk's partner: the sides and corners of an outline of another body.
    Outline(usize),
    /// A corner's partner: the sides of an outline of another body.
    Sides {
        /// Index of the outline that the corner belongs to.
        own: usize,
        /// Index of the outline that it touches.
        other: usize,
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

/// A corner leaves a side this many margins beyond the end, so that it is not found on it again.
const LEAVE: f64 = 2.0;
/// A disk changes its piece this part of the size beyond the end, so that the next one is found
/// there; the normal has hardly turned by then.
const TURNED: f64 = 1e-12;

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

/// A body with normal and tangent in its velocities.
pub(super) type Sided = (usize, [[f64; 3]; 2]);

enum Other {
    Support {
        moved: Moved,
    },
    /// n turns with body B.
    Side {
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
    /// The piece of the partner that the feature faces: a side by its index, a
    /// corner by its index after the sides. None where a corner faces no side.
    pub(super) fn piece(&self, q: &[f64], u: &[f64], outlines: &[Outline]) -> Option<usize> {
        match self.partner {
            Partner::Line { .. } | Partner::Round(_) => Some(0),
            Partner::Outline(outline) => {
                let outline = &outlines[outline];
                let (_, seen) = self.seen_from(outline.body, q, u);
                Some(nearest_piece(outline, seen))
            }
            Partner::Sides { own: own_index, other: other_index } => {
                let (own, other) = (&outlines[own_index], &outlines[other_index]);
                let (a, b) = (Pose::of(own.body, q, u), Pose::of(other.body, q, u));
                if other.apart(&b, own, &a) > 0.0 {
                    return None;
                }
                let (side, _) = other.best_side(&b, own, &a);
                let margin = margin(own, other);
                let seen = b.turned_back(a.position + a.turned(self.feature.point) - b.position);
                let inside = other.sides[side].inside(seen);
                if inside < -margin {
                    return None;
                }
                let gap = other.sides[side].distance(seen) - own.half_thickness - other.half_thickness;
                let (facing, separation_by_own) = own.best_side(&a, other, &b);
                // Where a side of its own body separates them better, only that one touches.
                let equal = equally_good(own, other);
                if gap < separation_by_own - equal {
                    return None;
                }
                // Corner on corner of flush sides is one point: the later outline's corner stands for it.
                let corner = Vec2::from(self.feature.point);
                let facing = &own.sides[facing];
                // Well within the margin, so that the other corner surely faces this one's side.
                let near = 0.25 * margin;
                let twice = inside.abs() <= near
                    && separation_by_own >= gap - 0.25 * equal
                    && facing.inside(corner) >= -near
                    && facing.distance(corner).abs() <= near;
                (!twice || own_index > other_index).then_some(side)
            }
        }
    }

    /// How far the feature is from the end of a piece, positive on it.
    pub(super) fn within(&self, piece: usize, q: &[f64], u: &[f64], outlines: &[Outline]) -> f64 {
        let (outline, beyond) = match self.partner {
            Partner::Line { .. } | Partner::Round(_) => return f64::INFINITY,
            Partner::Outline(outline) => (&outlines[outline], TURNED * outlines[outline].size),
            Partner::Sides { own, other } => (&outlines[other], LEAVE * margin(&outlines[own], &outlines[other])),
        };
        let (_, seen) = self.seen_from(outline.body, q, u);
        let inside = match piece.checked_sub(outline.sides.len()) {
            None => outline.sides[piece].inside(seen),
            Some(corner) => {
                let count = outline.vertices.len();
                let (before, after) = (&outline.sides[(corner + count - 1) % count], &outline.sides[corner]);
                (before.along(seen) - before.length).min(-after.along(seen))
            }
        };
        inside + beyond
    }

    /// Pose of a body and the feature's centre in its frame.
    fn seen_from(&self, body: usize, q: &[f64], u: &[f64]) -> (Pose, Vec2) {
        let (a, b) = (Pose::of(self.feature.body, q, u), Pose::of(body, q, u));
        let seen = b.turned_back(a.position + a.turned(self.feature.point) - b.position);
        (b, seen)
    }

    /// The contact on a piece.
    pub(super) fn at(
        &self,
        piece: usize,
        t: f64,
        q: &[f64],
        u: &[f64],
        supports: &[Support],
        outlines: &[Outline],
    ) -> Local {
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
            Partner::Outline(outline) | Partner::Sides { other: outline, .. } => {
                let outline = &outlines[*outline];
                let b = Pose::of(outline.body, q, u);
                let rho_b = centre - b.position;
                match piece.checked_sub(outline.sides.len()) {
                    Some(corner) => round(outline.body, &b, outline.vertices[corner], 0.0),
                    None => {
                        let side = &outline.sides[piece];
                        let mut distance = side.distance(b.turned_back(rho_b));
                        if let Partner::Sides { own, .. } = self.partner {
                            distance -= outline.half_thickness + outlines[own].half_thickness;
                        }
                        let normal = b.turned(side.normal);
                        let relative = velocity - b.velocity - b.rate * turn(rho_b);
                        let kind = Other::Side { b: outline.body, omega_b: b.rate, rho_b };
                        // Coriolis and centripetal terms of the frame of B.
                        let extra = -2.0 * b.rate * turn(relative) + b.rate * b.rate * rho_b;
                        base(distance - radius, normal, relative, acceleration + extra, kind)
                    }
                }
            }
        }
    }
}

/// The side or corner of a convex outline that is nearest to a point outside.
fn nearest_piece(outline: &Outline, point: Vec2) -> usize {
    let count = outline.vertices.len();
    // The ends of a rod are its corners.
    let sides = &outline.sides[..count];
    let distances = sides.iter().map(|side| side.distance(point)).enumerate();
    let (best, distance) = distances.fold((0, f64::NEG_INFINITY), |m, (k, d)| if d > m.1 { (k, d) } else { m });
    let along = sides[best].along(point);
    if distance <= 0.0 && count > 2 || (0.0..=sides[best].length).contains(&along) {
        return best;
    }
    let corner = if along < 0.0 { best } else { (best + 1) % count };
    outline.sides.len() + corner
}

impl Local {
    /// (γ_N, γ_T).
    pub fn gamma(&self) -> [f64; 2] {
        let spin = match self.other {
            Other::Support { .. } => self.radius * self.omega_a,
            Other::Side { omega_b, .. } => self.radius * (self.omega_a - omega_b),
            Other::Round { omega_b, radius, .. } => self.radius * self.omega_a + radius * omega_b,
        };
        [self.normal.dot(&self.relative), tangent(self.normal).dot(&self.relative) + spin]
    }

    /// Normal and tangent by body: those of A, and of B where it is a body.
    pub fn directions(&self) -> (Sided, Option<Sided>) {
        let (n, t) = (self.normal, tangent(self.normal));
        let row = |v: Vec2, spin: f64| [v.x, v.y, spin];
        let a = [row(n, cross(self.rho_a, n)), row(t, cross(self.rho_a, t) + self.radius)];
        let b = match &self.other {
            Other::Support { .. } => None,
            Other::Side { b, rho_b, .. } => {
                Some((*b, [row(-n, -cross(*rho_b, n)), row(-t, -cross(*rho_b, t) - self.radius)]))
            }
            Other::Round { b, rho_b, radius, .. } => {
                Some((*b, [row(-n, -cross(*rho_b, n)), row(-t, -cross(*rho_b, t) + radius)]))
            }
        };
        ((self.a, a), b)
    }

    /// Writes the directions and returns gap, χ and Ẇᵀu + χ̇.
    pub fn rows(&self, directions: &mut Directions) -> ContactState {
        let (n, t) = (self.normal, tangent(self.normal));
        directions.clear();
        let ((a, rows), other) = self.directions();
        directions.add(3 * a, &rows);
        if let Some((b, rows)) = other {
            directions.add(3 * b, &rows);
        }
        let mut state = ContactState {
            gap: self.gap,
            offset: [0.0; 3],
            bias: [n.dot(&self.acceleration), t.dot(&self.acceleration), 0.0],
        };
        match &self.other {
            Other::Support { moved } => state.offset = [-n.dot(&moved.velocity), -t.dot(&moved.velocity), 0.0],
            Other::Side { .. } => {}
            Other::Round { distance, .. } => {
                // n turns with the line of centres.
                let turning = (self.relative - n * n.dot(&self.relative)) / *distance;
                state.bias[0] += turning.dot(&self.relative);
                state.bias[1] += tangent(turning).dot(&self.relative);
            }
        }
        state
    }
}
