//! Contacts of two bodies with flat faces: a corner of one on a face of the other, and crossing edges.
//!
//! On one face, or one pair of edges, gap and directions are smooth functions of the state; the pieces of a contact are
//! the faces or edges that it can be on. Faces that lie on each other touch where the corners of one lie within the
//! outline of the other and where the outlines cross. A point that is several of these at once counts once: crossing
//! edges end a margin before their corners, and of two corners that meet, that of the body whose face separates better
//! stands for both.

use super::super::frame::{Place, Vec3};
use super::super::system::velocity;
use super::feature::{Local, frame};
use super::solid::{Seen, Solid, across, far, margin, separation};

/// A corner leaves a face this many margins beyond its outline, so that it is not found on it again.
const LEAVE: f64 = 2.0;
/// Corners of both bodies that are nearer than this part of the margin are one point.
const ONE: f64 = 0.25;

/// What touches.
#[derive(Debug, Clone, Copy)]
pub(super) enum Kind {
    /// A corner of the first solid on faces of the second.
    Corner(usize),
    /// An edge of the first solid across edges of the second: the first or the last of them along it.
    Edge { edge: usize, last: bool },
}

/// A possible contact of two solids.
#[derive(Debug, Clone)]
pub(super) struct Meeting {
    pub solids: [usize; 2],
    pub kind: Kind,
    /// Number of the pair of solids.
    pub pair: usize,
}

/// Two edges at one state, in the world; the normal points to the first.
struct Crossing {
    normal: Vec3,
    /// 1, or −1 where the normal is opposite to the cross product of the edges.
    sign: f64,
    sine: f64,
    gap: f64,
    along: [Vec3; 2],
    /// From the centres of mass to the nearest points.
    arms: [Vec3; 2],
    /// How far along the edges these are.
    at: [f64; 2],
    /// How far from the ends of the edges, across the other edge; negative beyond an end.
    inside: f64,
}

impl Crossing {
    /// Of two edges, with the normal to the first where that is not given; none where they are parallel.
    fn of(solids: [&Solid; 2], edges: [usize; 2], sign: Option<f64>, places: [&Place; 2]) -> Option<Self> {
        let edge = [0, 1].map(|k| &solids[k].edges[edges[k]]);
        let along = [0, 1].map(|k| places[k].rotation * edge[k].along);
        let from = [0, 1].map(|k| places[k].rotation * edge[k].from);
        let (cross, sine) = across(along[0], along[1])?;
        let between = places[0].position - places[1].position;
        let sign = sign.unwrap_or_else(|| {
            let middle = [0, 1].map(|k| places[k].rotation * solids[k].centre);
            let sum = cross.dot(&(middle[0] - from[0])) - cross.dot(&(middle[1] - from[1]));
            if sum >= 0.0 { 1.0 } else { -1.0 }
        });
        let normal = sign * cross;
        let span = between + from[0] - from[1];
        let at =
            [-span.dot(&along[1].cross(&normal)) / (sign * sine), -span.dot(&along[0].cross(&normal)) / (sign * sine)];
        let inside = [0, 1].map(|k| at[k].min(edge[k].length - at[k]));
        Some(Self {
            normal,
            sign,
            sine,
            gap: normal.dot(&span),
            arms: [0, 1].map(|k| from[k] + at[k] * along[k]),
            along,
            at,
            inside: sine * inside[0].min(inside[1]),
        })
    }

    /// Whether the edges are the outermost of their bodies along the normal, which lie on its two sides.
    fn is_outermost(&self, solids: [&Solid; 2], places: [&Place; 2], slack: f64) -> bool {
        [(0, 1.0), (1, -1.0)].into_iter().all(|(k, sense): (usize, f64)| {
            let local = sense * places[k].rotation.tr_mul(&self.normal);
            let level = sense * self.normal.dot(&self.arms[k]) - slack;
            solids[k].vertices.iter().all(|v| local.dot(v) >= level)
        })
    }
}

impl Meeting {
    /// The two solids, and the frame of the first in that of the second.
    fn pair<'s>(&self, solids: &'s [Solid], q: &[f64]) -> ([&'s Solid; 2], Seen) {
        let pair = self.solids.map(|k| &solids[k]);
        let seen = Seen::from(pair[1], pair[0], q);
        (pair, seen)
    }

    /// The piece that the contact is on, or could close on, at a state.
    pub fn piece(&self, q: &[f64], solids: &[Solid]) -> Option<usize> {
        let ([own, other], seen) = self.pair(solids, q);
        if far(other, own, &seen) {
            return None;
        }
        match self.kind {
            Kind::Corner(corner) => self.face(corner, [own, other], &seen, q),
            Kind::Edge { edge, last } => {
                let places = [Place::of(own.body, q), Place::of(other.body, q)];
                let places = [&places[0], &places[1]];
                let slack = margin(own, other);
                let mut found: Option<(f64, usize, usize)> = None;
                for k in 0..other.edges.len() {
                    let Some(crossing) = Crossing::of([own, other], [edge, k], None, places) else { continue };
                    let at = crossing.at[0];
                    if crossing.inside <= slack || !crossing.is_outermost([own, other], places, slack) {
                        continue;
                    }
                    // Deep in each other only what separates best is a contact.
                    if crossing.gap < -slack && crossing.gap < self.separation(solids, q) - slack {
                        continue;
                    }
                    let piece = 2 * k + usize::from(crossing.sign < 0.0);
                    found = Some(match found {
                        None => (at, piece, 1),
                        Some((known, _, count)) if (at > known) == last => (at, piece, count + 1),
                        Some((known, before, count)) => (known, before, count + 1),
                    });
                }
                // An edge that crosses one other alone is the first.
                found.filter(|(_, _, count)| !last || *count > 1).map(|(_, piece, _)| piece)
            }
        }
    }

    fn separation(&self, solids: &[Solid], q: &[f64]) -> f64 {
        separation(&solids[self.solids[0]], &solids[self.solids[1]], q).1
    }

    /// The face of the other solid that a corner is above.
    fn face(&self, corner: usize, [own, other]: [&Solid; 2], seen: &Seen, q: &[f64]) -> Option<usize> {
        let point = seen.point(own.vertices[corner]);
        let (number, by_other) = other.best_face(seen, own);
        let face = &other.faces[number];
        let slack = margin(own, other);
        if face.inside(point) < -slack {
            return None;
        }
        let gap = face.height(point);
        if gap < -slack && gap < separation(own, other, q).1 - slack {
            return None;
        }
        // Corner on corner is one point.
        let aside = |v: &usize| {
            let span = point - other.vertices[*v];
            (span - face.normal.dot(&span) * face.normal).norm()
        };
        if face.corners.iter().any(|v| aside(v) <= ONE * slack) {
            let (facing, by_own) = own.best_face(&seen.back(), other);
            let equal = (by_own - by_other).abs() <= slack;
            let theirs = if equal { self.solids[0] < self.solids[1] } else { by_own > by_other };
            if theirs && own.faces[facing].corners.contains(&corner) {
                return None;
            }
        }
        Some(number)
    }

    /// How far the contact is from the end of its piece \[m\]; negative beyond it.
    pub fn within(&self, piece: usize, q: &[f64], solids: &[Solid]) -> f64 {
        let ([own, other], seen) = self.pair(solids, q);
        match self.kind {
            Kind::Corner(corner) => {
                other.faces[piece].inside(seen.point(own.vertices[corner])) + LEAVE * margin(own, other)
            }
            Kind::Edge { edge, .. } => {
                let places = [Place::of(own.body, q), Place::of(other.body, q)];
                self.crossing(edge, piece, [own, other], [&places[0], &places[1]]).map_or(-1.0, |c| c.inside)
            }
        }
    }

    fn crossing(&self, edge: usize, piece: usize, solids: [&Solid; 2], places: [&Place; 2]) -> Option<Crossing> {
        let sign = if piece.is_multiple_of(2) { 1.0 } else { -1.0 };
        Crossing::of(solids, [edge, piece / 2], Some(sign), places)
    }

    /// The first body.
    pub fn body(&self, solids: &[Solid]) -> usize {
        solids[self.solids[0]].body
    }

    /// The contact at a state.
    pub fn at(&self, piece: usize, q: &[f64], u: &[f64], solids: &[Solid]) -> Local {
        let pair = self.solids.map(|k| &solids[k]);
        let places = pair.map(|solid| Place::of(solid.body, q));
        let [(v, omega), (other_v, other_omega)] = pair.map(|solid| velocity(solid.body, u));
        let between = places[0].position - places[1].position;
        let relative = |arms: &[Vec3; 2]| v + omega.cross(&arms[0]) - other_v - other_omega.cross(&arms[1]);
        let local = |gap: f64, normal: Vec3, rate: Vec3, arms: [Vec3; 2], wander: [Vec3; 2]| {
            let [first, second] = frame(normal);
            let relative = relative(&arms);
            Local {
                gap,
                directions: [normal, first, second],
                arms,
                other: Some(pair[1].body),
                relative,
                support: Vec3::zeros(),
                bias: omega.cross(&wander[0]) - other_omega.cross(&wander[1]),
                turning: rate.dot(&relative),
            }
        };
        match self.kind {
            Kind::Corner(corner) => {
                let face = &pair[1].faces[piece];
                let arm = places[0].rotation * pair[0].vertices[corner];
                let normal = places[1].rotation * face.normal;
                // The place on the face runs along with the corner.
                let arms = [arm, between + arm];
                let turned = omega.cross(&arm);
                local(
                    normal.dot(&arms[1]) - face.offset,
                    normal,
                    other_omega.cross(&normal),
                    arms,
                    [turned, v + turned - other_v],
                )
            }
            Kind::Edge { edge, .. } => {
                let Some(crossing) = self.crossing(edge, piece, pair, [&places[0], &places[1]]) else {
                    return super::feature::apart();
                };
                let Crossing { normal, sign, sine, gap, along: [d, e], arms, .. } = crossing;
                let change = sign * (omega.cross(&d).cross(&e) + d.cross(&other_omega.cross(&e)));
                let rate = (change - normal.dot(&change) * normal) / sine;
                // Along the edges the nearest points run as the span between them stays along the normal.
                let left = gap * rate - relative(&arms);
                let run = [left.dot(&e.cross(&normal)), left.dot(&d.cross(&normal))].map(|x| x / (sign * sine));
                let wander = [omega.cross(&arms[0]) + run[0] * d, other_omega.cross(&arms[1]) + run[1] * e];
                local(gap, normal, rate, arms, wander)
            }
        }
    }
}
