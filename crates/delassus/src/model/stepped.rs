//! Planar bodies as time-stepping sees them.

use super::bodies::{Bodies, Free, Hold, SUPPORT, Scratch, Touch};
use super::contact::{ContactGeometry, Feature, Partner};
use super::joint::Anchor;
use super::near::Watch;
use super::pairs::Unlisted;
use super::planar::PlanarSystem;
use super::vector::{Vec2, tangent};
use super::{ContactFrame, Directions, Surface, System, overlap};

/// Rows of a joint or contact that concern one body.
fn of_body(direction: &Directions, body: usize) -> [f64; 3] {
    // A support moves nothing, and has no place.
    let at = direction.places().iter().position(|&place| Some(place) == body.checked_mul(3));
    at.map_or([0.0; 3], |at| std::array::from_fn(|i| direction.row(0)[at + i]))
}

impl Bodies<3, 2> for PlanarSystem {
    fn count(&self) -> usize {
        self.bodies.len()
    }

    fn ball(&self, body: usize, q: &[f64]) -> ([f64; 3], f64) {
        ([q[3 * body], q[3 * body + 1], 0.0], self.bodies[body].size)
    }

    fn inverse_masses(&self, _q: &[f64], out: &mut Vec<[[f64; 3]; 3]>) {
        out.clear();
        out.extend(self.bodies.iter().map(|b| {
            let (m, i) = (1.0 / b.mass, 1.0 / b.inertia);
            [[m, 0.0, 0.0], [0.0, m, 0.0], [0.0, 0.0, i]]
        }));
    }

    fn free(&self, t: f64, h: f64, theta: f64, q: &[f64], u: &[f64], asleep: &[bool], out: &mut Free) {
        out.u.resize(u.len(), 0.0);
        out.mean.resize(u.len(), 0.0);
        // Forces at the middle of the step, as far as it is known.
        out.middle.clear();
        out.middle.extend(q.iter().zip(u).map(|(q, u)| q + 0.5 * h * u));
        self.forces(t + 0.5 * h, &out.middle, u, &mut out.u);
        for (i, start) in u.iter().enumerate() {
            out.u[i] = start + h * out.u[i] / self.diagonal[i];
            out.mean[i] = (1.0 - theta) * start + theta * out.u[i];
        }
        for (body, _) in asleep.iter().enumerate().filter(|(_, asleep)| **asleep) {
            out.u[3 * body..3 * body + 3].fill(0.0);
            out.mean[3 * body..3 * body + 3].fill(0.0);
        }
    }

    fn is_driven(&self) -> bool {
        !(self.springs.is_empty() && self.applied.is_empty())
    }

    fn support_speed(&self, t: f64) -> f64 {
        let moving = self.supports.iter().filter(|support| !support.motion.is_none());
        moving.map(|support| support.motion.at(t).velocity.norm()).fold(0.0, f64::max)
    }

    fn carry(&self, h: f64, velocity: &[f64], q: &mut [f64]) {
        q.iter_mut().zip(velocity).for_each(|(q, v)| *q += h * v);
    }

    fn touches(
        &self,
        span: [f64; 2],
        q: &[f64],
        pairs: &[[u32; 2]],
        margin: f64,
        scratch: &mut Scratch,
        out: &mut Vec<Touch<3, 2>>,
    ) {
        // Bodies that are far from all lines, or from each other, are passed over before their contacts are looked up.
        let lines = &mut scratch.lines;
        lines.clear();
        lines.extend(self.lines_at(0.5 * (span[0] + span[1])));
        for (body, place) in self.bodies.iter().enumerate() {
            let (x, y, reach) = (q[3 * body], q[3 * body + 1], place.size + margin);
            let is_near = |(p, n): &([f64; 2], [f64; 2])| n[0] * (x - p[0]) + n[1] * (y - p[1]) <= reach;
            if lines.iter().any(is_near) {
                for &contact in self.of_support(body) {
                    self.touch(contact, span, q, margin, out);
                }
            }
        }
        for &[a, b] in pairs {
            let ([i, j], reach) = ([a, b].map(|body| 3 * body as usize), self.bodies[a as usize].size + margin);
            let reach = reach + self.bodies[b as usize].size;
            if (q[i] - q[j]).powi(2) + (q[i + 1] - q[j + 1]).powi(2) > reach * reach {
                continue;
            }
            let Some(unlisted) = &self.unlisted else {
                for &contact in self.of_pair(a, b) {
                    self.touch(contact, span, q, margin, out);
                }
                continue;
            };
            if self.is_exempt(a as usize, b as usize) {
                continue;
            }
            let surface = unlisted.surface([a, b]);
            for (number, possible) in unlisted.of([a, b]).enumerate() {
                let named = Named { surface, feature: number as u32, key: Unlisted::key([a, b], number) };
                self.touch_at(&possible.geometry, named, span, q, margin, out);
            }
        }
    }

    fn holds(&self, span: [f64; 2], q: &[f64], u: &[f64], out: &mut Vec<Hold<3, 2>>) {
        let middle = 0.5 * (span[0] + span[1]);
        let mut direction = Directions::default();
        for (index, joint) in self.joints.iter().enumerate() {
            let body = |anchor: &Anchor| if let Anchor::Body(body, _) = anchor { *body } else { SUPPORT };
            let bodies = [body(&joint.a), body(&joint.b)];
            // Two rows a block: a point, and what is left.
            for first in (0..joint.kind.rows()).step_by(2) {
                let (directions, offset) = ([[[0.0; 3]; 2]; 2], [[0.0; 2]; 2]);
                let mut hold = Hold { joint: index, bodies, directions, offset, residual: [0.0; 2] };
                for row in first..joint.kind.rows().min(first + 2) {
                    let k = row - first;
                    hold.offset[0][k] = self.joint(index, row, span[0], q, u, &mut direction).offset;
                    hold.offset[1][k] = self.joint(index, row, span[1], q, u, &mut direction).offset;
                    hold.residual[k] = self.joint(index, row, middle, q, u, &mut direction).residual;
                    (0..2).for_each(|side| hold.directions[side][k] = of_body(&direction, bodies[side]));
                }
                out.push(hold);
            }
        }
    }

    fn kinetic(&self, _q: &[f64], u: &[f64]) -> f64 {
        0.5 * self.diagonal.iter().zip(u).map(|(m, u)| m * u * u).sum::<f64>()
    }

    fn nearest_watched(&self, t: f64, q: &[f64], watch: &mut Watch) -> Option<(f64, [&str; 2])> {
        overlap::nearest_watched(self, t, q, watch)
    }

    fn touch_name(&self, touch: &Touch<3, 2>) -> String {
        let number = touch.feature as usize;
        match (&self.unlisted, touch.bodies) {
            (Some(unlisted), [a, b]) if b != SUPPORT => unlisted.name([a.min(b) as u32, a.max(b) as u32], number),
            _ => self.contacts[number].name.clone(),
        }
    }

    fn touch_frame(&self, touch: &Touch<3, 2>, q: &[f64]) -> ContactFrame {
        ContactFrame::of_plane(&q[3 * touch.bodies[0]..], touch.directions[0])
    }

    fn listed(&self, touch: &Touch<3, 2>) -> Option<usize> {
        (self.unlisted.is_none() || touch.bodies[1] == SUPPORT).then_some(touch.feature as usize)
    }

    fn speed(&self, body: usize, u: &[f64; 3]) -> f64 {
        (u[0] * u[0] + u[1] * u[1]).sqrt() + self.bodies[body].size * u[2].abs()
    }
}

impl PlanarSystem {
    /// Whether the circle around a body shows that a contact with a line is open by more than `margin`.
    fn is_far(&self, geometry: &ContactGeometry, t: f64, q: &[f64], margin: f64) -> bool {
        let Partner::Line { support, point, normal } = &geometry.partner else { return false };
        let body = geometry.feature.body;
        let moved = self.supports[*support].motion.at(t).position;
        let (x, y) = (q[3 * body] - point[0] - moved.x, q[3 * body + 1] - point[1] - moved.y);
        normal[0] * x + normal[1] * y > self.bodies[body].size + margin
    }

    /// A contact of the list.
    fn touch(&self, contact: usize, span: [f64; 2], q: &[f64], margin: f64, out: &mut Vec<Touch<3, 2>>) {
        let surface = self.contacts[contact].surface;
        let named = Named { surface, feature: contact as u32, key: contact as u64 };
        self.touch_at(&self.geometries[contact], named, span, q, margin, out);
    }

    fn touch_at(
        &self,
        geometry: &ContactGeometry,
        named: Named,
        span: [f64; 2],
        q: &[f64],
        margin: f64,
        out: &mut Vec<Touch<3, 2>>,
    ) {
        if self.is_far(geometry, 0.5 * (span[0] + span[1]), q, margin) {
            return;
        }
        let found = match &geometry.partner {
            Partner::Round(other) if geometry.feature.is_centred() && other.is_centred() => {
                between_disks(&geometry.feature, other, q)
            }
            Partner::Line { support, point, normal } if geometry.feature.is_centred() => {
                let shift = self.supports[*support].motion.at(0.5 * (span[0] + span[1])).position;
                on_line(&geometry.feature, Vec2::from(*point) + shift, Vec2::from(*normal), q)
            }
            _ => match self.general(geometry, 0.5 * (span[0] + span[1]), q, margin) {
                Some(found) => found,
                None => return,
            },
        };
        if found.gap > margin {
            return;
        }
        let mut touch = Touch {
            bodies: found.bodies,
            directions: found.directions,
            offset: [[0.0; 2]; 2],
            gap: found.gap,
            surface: named.surface,
            support: 0,
            feature: named.feature,
            key: named.key,
        };
        if let Partner::Line { support, normal, .. } = &geometry.partner {
            touch.support = *support as u32;
            let motion = &self.supports[*support].motion;
            if !motion.is_none() {
                let normal = Vec2::from(*normal);
                touch.offset = span.map(|t| {
                    let seen = -motion.at(t).velocity;
                    [normal.dot(&seen), tangent(normal).dot(&seen)]
                });
            }
        }
        out.push(touch);
    }

    /// A contact of any kind: none where there is nothing to touch.
    fn general(&self, geometry: &ContactGeometry, t: f64, q: &[f64], margin: f64) -> Option<Found> {
        let still = &self.zeros;
        let piece = geometry.piece(q, still, &self.outlines)?;
        let local = geometry.at(piece, t, q, still, &self.supports, &self.outlines);
        // Beyond the end of a side there is nothing to touch.
        if local.gap > margin || geometry.within(piece, q, still, &self.outlines) < 0.0 {
            return None;
        }
        let ((a, rows_a), other) = local.directions();
        let (b, rows_b) = other.unwrap_or((SUPPORT, [[0.0; 3]; 2]));
        Some(Found { bodies: [a, b], directions: [rows_a, rows_b], gap: local.gap })
    }
}

/// What a contact is made of, and how it is told from others.
struct Named {
    surface: Surface,
    feature: u32,
    key: u64,
}

/// Where two sides are near each other.
struct Found {
    bodies: [usize; 2],
    directions: [[[f64; 3]; 2]; 2],
    gap: f64,
}

/// Disks about the centres of their bodies: most of what many bodies are, and their angles do not matter.
fn between_disks(one: &Feature, other: &Feature, q: &[f64]) -> Found {
    let at = |feature: &Feature| Vec2::new(q[3 * feature.body], q[3 * feature.body + 1]);
    let span = at(one) - at(other);
    let distance = span.norm();
    // Concentric circles have no normal; any will do, they are far from touching.
    let n = if distance > 0.0 { span / distance } else { Vec2::new(0.0, 1.0) };
    let t = tangent(n);
    Found {
        bodies: [one.body, other.body],
        directions: [[[n.x, n.y, 0.0], [t.x, t.y, one.radius]], [[-n.x, -n.y, 0.0], [-t.x, -t.y, other.radius]]],
        gap: distance - one.radius - other.radius,
    }
}

/// The same against the line through `point`.
fn on_line(disk: &Feature, point: Vec2, n: Vec2, q: &[f64]) -> Found {
    let centre = Vec2::new(q[3 * disk.body], q[3 * disk.body + 1]);
    let t = tangent(n);
    Found {
        bodies: [disk.body, SUPPORT],
        directions: [[[n.x, n.y, 0.0], [t.x, t.y, disk.radius]], [[0.0; 3]; 2]],
        gap: n.dot(&(centre - point)) - disk.radius,
    }
}
