//! Shapes of bodies, and where they touch planes.

use super::frame::{Place, Vec3, tangents};
use super::polytope::Polytope;
use crate::elementary::Elementary;

/// A cylinder touches shapes other than planes and balls as a prism with that many sides, its corners on
/// the circle.
pub(crate) const PRISM: usize = 24;

/// What a part of a body looks like, about its own centre.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Form {
    /// A ball.
    Ball { radius: f64 },
    /// A cylinder along z with half balls at its ends.
    Capsule { radius: f64, half: f64 },
    /// A cylinder along z.
    Cylinder { radius: f64, half: f64, prism: Box<Polytope> },
    /// Flat faces.
    Polytope(Box<Polytope>),
}

/// A part of a body.
#[derive(Debug, Clone)]
pub(crate) struct SpatialShape {
    /// Its place in the body's frame, from the centre of mass.
    pub place: Place,
    pub form: Form,
}

impl SpatialShape {
    /// Where it is when its body is there; how a ball is turned does not matter.
    pub fn at(&self, body: &Place) -> Place {
        match self.form {
            Form::Ball { .. } => Place { position: body.point(self.place.position), rotation: body.rotation },
            _ => body.then(&self.place),
        }
    }
}

/// A plane that bounds space on one side.
#[derive(Debug, Clone)]
pub(crate) struct HalfSpace {
    /// Index of the support.
    pub support: usize,
    pub point: Vec3,
    /// Unit normal, towards the free side.
    pub normal: Vec3,
}

/// A point at which two shapes touch or nearly do.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Spot {
    /// Unit normal from the second side to the first.
    pub normal: Vec3,
    /// Midway between the two surfaces.
    pub point: Vec3,
    /// Distance, negative where they overlap.
    pub gap: f64,
    /// Which features touch, the same from step to step.
    pub feature: u32,
}

impl Form {
    /// Largest distance of a point from the centre.
    pub fn reach(&self) -> f64 {
        match self {
            Self::Ball { radius } => *radius,
            Self::Capsule { radius, half } => radius + half,
            Self::Cylinder { radius, half, .. } => radius.hypotenuse(*half),
            Self::Polytope(polytope) => polytope.size,
        }
    }

    /// The flat faces that stand for it between bodies.
    pub fn faces(&self) -> Option<&Polytope> {
        match self {
            Self::Polytope(polytope) => Some(polytope),
            Self::Cylinder { prism, .. } => Some(prism),
            _ => None,
        }
    }

    /// The points nearest to a plane through `point`, those closer than `margin`.
    pub fn on_plane(&self, place: &Place, point: Vec3, normal: Vec3, margin: f64, out: &mut Vec<Spot>) {
        let mut add = |p: Vec3, radius: f64, feature: u32| {
            let gap = normal.dot(&(p - point)) - radius;
            if gap <= margin {
                out.push(Spot { normal, point: p - (radius + 0.5 * gap) * normal, gap, feature });
            }
        };
        match self {
            Self::Ball { radius } => add(place.position, *radius, 0),
            Self::Capsule { radius, half } => {
                for (k, end) in [-half, *half].into_iter().enumerate() {
                    add(place.point(Vec3::new(0.0, 0.0, end)), *radius, k as u32);
                }
            }
            Self::Cylinder { radius, half, .. } => {
                for (k, rim) in rims(*radius, *half, place, normal).into_iter().enumerate() {
                    for (i, p) in rim.into_iter().enumerate() {
                        add(p, 0.0, (4 * k + i) as u32);
                    }
                }
            }
            Self::Polytope(polytope) => {
                for (k, v) in polytope.vertices.iter().enumerate() {
                    add(place.point(*v), 0.0, k as u32);
                }
            }
        }
    }
}

/// Four points of each rim of a cylinder, that below and that above its centre: the lowest along a normal, and a quarter
/// of a turn from one to the next.
pub(super) fn rims(radius: f64, half: f64, place: &Place, normal: Vec3) -> [[Vec3; 4]; 2] {
    let axis: Vec3 = place.rotation.column(2).into();
    let across = normal - normal.dot(&axis) * axis;
    // Where a rim lies flat, any point is the lowest.
    let down = if across.norm() > 1e-12 { -across.normalize() } else { tangents(axis)[0] };
    let side = axis.cross(&down);
    [-half, half].map(|end| {
        let middle = place.position + end * axis;
        [down, side, -down, -side].map(|d| middle + radius * d)
    })
}
