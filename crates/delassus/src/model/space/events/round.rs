//! Contacts of a ball with a body that has flat faces, or with a capsule, which is a line with a radius.
//!
//! The ball touches where the solid is nearest to its centre: within a face, along an edge or at a corner. Each of them is
//! a piece on which gap and directions are smooth; gap and normal are continuous from one to the next, so that a ball that
//! rolls over an edge stays closed and only its acceleration jumps, which is an event.

use super::super::frame::{Place, Vec3};
use super::super::system::velocity;
use super::feature::{Local, frame};
use super::solid::{Solid, length_margin};

/// A ball leaves a piece this many margins beyond its end, so that one that rolls along the border of two does not change
/// between them without end. Gaps on both differ by the square of that.
const LEAVE: f64 = 2.0;

/// A possible contact of a ball and a solid.
#[derive(Debug, Clone)]
pub(super) struct Round {
    /// The ball's body, and its centre and radius there.
    pub body: usize,
    pub centre: Vec3,
    pub radius: f64,
    /// Number of the solid.
    pub solid: usize,
}

/// What of a solid is nearest to a point.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Nearest {
    Face(usize),
    Edge(usize),
    Corner(usize),
}

impl Nearest {
    /// Pieces are counted: faces, edges, corners.
    fn of(piece: usize, solid: &Solid) -> Self {
        let Some(rest) = piece.checked_sub(solid.faces.len()) else { return Self::Face(piece) };
        let Some(rest) = rest.checked_sub(solid.edges.len()) else { return Self::Edge(rest) };
        Self::Corner(rest)
    }

    /// How far a point, in the solid's frame, lies within the region whose nearest place this is; negative outside it.
    /// The regions fill the space around a convex solid.
    fn inside(self, solid: &Solid, point: Vec3) -> f64 {
        match self {
            Self::Face(k) => solid.faces[k].inside(point).min(solid.faces[k].height(point)),
            Self::Edge(k) => {
                let edge = &solid.edges[k];
                let at = edge.along.dot(&(point - edge.from));
                let beside = edge.outward.iter().map(|outward| outward.dot(&(point - edge.from)));
                beside.fold(at.min(edge.length - at), f64::min)
            }
            Self::Corner(k) => {
                let span = point - solid.vertices[k];
                solid.leaving[k].iter().map(|along| -along.dot(&span)).fold(f64::INFINITY, f64::min)
            }
        }
    }
}

impl Round {
    /// The centre of the ball in the frame of the solid's body.
    fn seen(&self, q: &[f64], solid: &Solid) -> Vec3 {
        let centre = Place::of(self.body, q).point(self.centre);
        Place::of(solid.body, q).seen(centre)
    }

    /// What of the solid is nearest.
    pub fn piece(&self, q: &[f64], solids: &[Solid]) -> usize {
        let solid = &solids[self.solid];
        let point = self.seen(q, solid);
        let (mut best, mut most) = (0, f64::NEG_INFINITY);
        for piece in 0..solid.faces.len() + solid.edges.len() + solid.vertices.len() {
            let inside = Nearest::of(piece, solid).inside(solid, point);
            if inside > most {
                (best, most) = (piece, inside);
            }
        }
        best
    }

    /// How far the contact is from the end of its piece \[m\]; negative beyond it.
    pub fn within(&self, piece: usize, q: &[f64], solids: &[Solid]) -> f64 {
        let solid = &solids[self.solid];
        Nearest::of(piece, solid).inside(solid, self.seen(q, solid)) + LEAVE * length_margin(solid)
    }

    /// The largest curvature of its gap \[1/m\].
    pub fn sharpness(&self, solids: &[Solid]) -> f64 {
        1.0 / (self.radius + solids[self.solid].skin)
    }

    /// The contact at a state.
    pub fn at(&self, piece: usize, q: &[f64], u: &[f64], solids: &[Solid]) -> Local {
        let solid = &solids[self.solid];
        let (own, other) = (Place::of(self.body, q), Place::of(solid.body, q));
        let ((v, omega), (other_v, other_omega)) = (velocity(self.body, u), velocity(solid.body, u));
        // From the solid's centre of mass to the ball's centre, and how fast that changes.
        let arm = own.rotation * self.centre;
        let (x, x_rate) = (own.position - other.position + arm, v + omega.cross(&arm) - other_v);
        let carried = |local: Vec3| {
            let vector = other.rotation * local;
            (vector, other_omega.cross(&vector))
        };
        // The nearest place, and how fast it wanders.
        let nearest = Nearest::of(piece, solid);
        let (foot, wander) = match nearest {
            Nearest::Face(k) => {
                let (n, n_rate) = carried(solid.faces[k].normal);
                let height = n.dot(&x) - solid.faces[k].offset;
                let rising = n_rate.dot(&x) + n.dot(&x_rate);
                (x - height * n, x_rate - rising * n - height * n_rate)
            }
            Nearest::Edge(k) => {
                let ((from, from_rate), (e, e_rate)) = (carried(solid.edges[k].from), carried(solid.edges[k].along));
                let at = e.dot(&(x - from));
                let running = e_rate.dot(&(x - from)) + e.dot(&(x_rate - from_rate));
                (from + at * e, from_rate + running * e + at * e_rate)
            }
            Nearest::Corner(k) => carried(solid.vertices[k]),
        };
        let span = x - foot;
        let (distance, normal, rate) = match nearest {
            // Also where the centre is below the face.
            Nearest::Face(k) => {
                let (n, n_rate) = carried(solid.faces[k].normal);
                (n.dot(&span), n, n_rate)
            }
            _ => {
                let distance = span.norm();
                if distance == 0.0 {
                    return super::feature::apart();
                }
                let (n, drift) = (span / distance, x_rate - wander);
                (distance, n, (drift - n.dot(&drift) * n) / distance)
            }
        };
        let arms = [arm - self.radius * normal, foot + solid.skin * normal];
        let relative = v + omega.cross(&arms[0]) - other_v - other_omega.cross(&arms[1]);
        let [first, second] = frame(normal);
        Local {
            gap: distance - self.radius - solid.skin,
            directions: [normal, first, second],
            arms,
            other: Some(solid.body),
            relative,
            support: Vec3::zeros(),
            bias: omega.cross(&(omega.cross(&arm) - self.radius * rate))
                - other_omega.cross(&(wander + solid.skin * rate)),
            turning: rate.dot(&relative),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::frame::Mat3;
    use super::super::super::polytope::Polytope;
    use super::*;

    /// A ball of radius 0.3 that is off its body's centre, and a box, both moving and turning; h is the time.
    fn states(at: [f64; 3], h: f64) -> (Vec<f64>, Vec<f64>) {
        let (v, w) = ([0.3, -0.2, 0.7], [0.9, 0.4, -0.3]);
        let (other_v, other_w) = ([-0.1, 0.5, 0.2], [-0.6, 0.8, 0.5]);
        let turned = |w: [f64; 3]| {
            let w = Vec3::from(w);
            let (s, c) = (0.5 * h * w.norm()).sin_cos();
            let axis = s * w.normalize();
            [c, axis.x, axis.y, axis.z]
        };
        let moved = |x: [f64; 3], v: [f64; 3]| [x[0] + h * v[0], x[1] + h * v[1], x[2] + h * v[2]];
        let q = [&moved(at, v)[..], &turned(w), &moved([0.0; 3], other_v), &turned(other_w)].concat();
        (q, [v, w, other_v, other_w].concat())
    }

    fn round() -> (Round, Vec<Solid>) {
        let place = Place { position: Vec3::zeros(), rotation: Mat3::identity() };
        let solid = Solid::new(1, &Polytope::cuboid(Vec3::new(0.5, 0.4, 0.3)), &place);
        (Round { body: 0, centre: Vec3::new(0.05, -0.02, 0.03), radius: 0.3, solid: 0 }, vec![solid])
    }

    /// On faces, edges and corners the gap is the distance, changes at γ_N, and that changes at the bias where nothing
    /// accelerates.
    #[test]
    fn gaps_change_at_their_rates() {
        let (round, solids) = round();
        let mut kinds = [0; 3];
        for at in [
            [0.1, 0.1, 0.8],
            [-0.9, 0.1, 0.1],
            [0.1, 0.75, 0.72],
            [-0.8, 0.7, 0.0],
            [0.8, 0.7, 0.6],
            [-0.7, -0.8, -0.6],
            [0.1, 0.1, 0.35],
        ] {
            let (q, u) = states(at, 0.0);
            let piece = round.piece(&q, &solids);
            kinds[match Nearest::of(piece, &solids[0]) {
                Nearest::Face(_) => 0,
                Nearest::Edge(_) => 1,
                Nearest::Corner(_) => 2,
            }] += 1;
            let here = round.at(piece, &q, &u, &solids);
            // The distance by brute force.
            let x = Vec3::from(at) + round.centre;
            let beyond = Vec3::new((x.x.abs() - 0.5).max(0.0), (x.y.abs() - 0.4).max(0.0), (x.z.abs() - 0.3).max(0.0));
            assert!((here.gap - (beyond.norm() - 0.3)).abs() < 1e-14, "{at:?} {}", here.gap);
            let near = |h: f64| {
                let (q, u) = states(at, h);
                round.at(piece, &q, &u, &solids)
            };
            let h = 1e-5;
            let (before, after) = (near(-h), near(h));
            let rate = (after.gap - before.gap) / (2.0 * h);
            assert!((rate - here.gamma()[0]).abs() < 1e-8, "{at:?} {rate} {}", here.gamma()[0]);
            let change = (after.gamma()[0] - before.gamma()[0]) / (2.0 * h);
            let bias = here.directions[0].dot(&here.bias) + here.turning;
            assert!((change - bias).abs() < 1e-7, "{at:?} {change} {bias}");
        }
        assert_eq!(kinds, [3, 2, 2]);
    }

    /// Regions of faces, edges and corners fill the space around a solid, and none meets another.
    #[test]
    fn every_place_has_one_piece() {
        let (_, solids) = round();
        let solid = &solids[0];
        let count = solid.faces.len() + solid.edges.len() + solid.vertices.len();
        for k in 0..2000 {
            let part = |step: f64| 4.0 * ((0.5 + step * f64::from(k)) % 1.0) - 2.0;
            let point = Vec3::new(part(0.618_033_988), part(0.754_877_666), part(0.569_840_291));
            let within = (0..count).filter(|piece| Nearest::of(*piece, solid).inside(solid, point) > 0.0).count();
            let inner = point.x.abs() < 0.5 && point.y.abs() < 0.4 && point.z.abs() < 0.3;
            assert_eq!(within, usize::from(!inner), "{point}");
        }
    }
}
