//! Bodies in space as time-stepping sees them.

use super::frame::{POSITIONS, Place, VELOCITIES, Vec3, cayley, rotation, tangents, turned};
use super::shape::Spot;
use super::system::{SpatialSystem, orientation, velocity};
use super::touch::touch;
use crate::model::ContactFrame;
use crate::model::bodies::{Bodies, Free, Hold, SUPPORT, Scratch, Touch};
use crate::model::near::Watch;

impl SpatialSystem {
    /// The parts of a body.
    fn parts_of(&self, body: usize) -> std::ops::Range<usize> {
        self.parts[body]..self.parts[body + 1]
    }
}

/// The rows of a contact in the directions of normal and tangents.
fn directions(spot: &Spot, a: &Place, b: Option<&Place>) -> [[[f64; 6]; 3]; 2] {
    let [first, second] = tangents(spot.normal);
    let row = |direction: Vec3, place: &Place, sign: f64| {
        let (d, arm) = (sign * direction, spot.point - place.position);
        let moment = arm.cross(&d);
        [d.x, d.y, d.z, moment.x, moment.y, moment.z]
    };
    let rows = |place: &Place, sign: f64| [spot.normal, first, second].map(|d| row(d, place, sign));
    [rows(a, 1.0), b.map_or([[0.0; 6]; 3], |b| rows(b, -1.0))]
}

/// What a support of velocity `v` takes from the velocities of a contact, normal and tangential.
fn seen_along(normal: Vec3, v: Vec3) -> [f64; 3] {
    let [first, second] = tangents(normal);
    [normal, first, second].map(|d| -d.dot(&v))
}

/// A number that tells pairs of parts and their features apart.
fn key(part: usize, other: usize, feature: u32) -> u64 {
    let pair = (part as u64) << 32 | other as u64;
    (pair.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ u64::from(feature)).wrapping_mul(0xbf58_476d_1ce4_e5b9)
}

impl Bodies<6, 3> for SpatialSystem {
    fn count(&self) -> usize {
        self.bodies.len()
    }

    fn ball(&self, body: usize, q: &[f64]) -> ([f64; 3], f64) {
        let q = &q[POSITIONS * body..];
        ([q[0], q[1], q[2]], self.bodies[body].size)
    }

    fn inverse_masses(&self, q: &[f64], out: &mut Vec<[[f64; 6]; 6]>) {
        out.clear();
        for (b, body) in self.bodies.iter().enumerate() {
            let mut inverse = [[0.0; 6]; 6];
            let turned = if body.isotropic {
                body.inverse_inertia
            } else {
                let turn = rotation(orientation(b, q));
                turn * body.inverse_inertia * turn.transpose()
            };
            for i in 0..3 {
                inverse[i][i] = 1.0 / body.mass;
                (0..3).for_each(|j| inverse[3 + i][3 + j] = turned[(i, j)]);
            }
            out.push(inverse);
        }
    }

    fn free(&self, t: f64, h: f64, theta: f64, q: &[f64], u: &[f64], asleep: &[bool], out: &mut Free) {
        out.mean.resize(u.len(), 0.0);
        out.u.resize(u.len(), 0.0);
        // The loads first stand where the velocities will; those of springs at the middle of the step, as far as it is known.
        let driven = self.is_driven();
        if driven {
            out.middle.clear();
            out.middle.extend_from_slice(q);
            self.carry(0.5 * h, u, &mut out.middle);
        }
        self.loads(t + 0.5 * h, if driven { &out.middle } else { q }, u, &mut out.u);
        for (b, body) in self.bodies.iter().enumerate() {
            let (v, omega) = velocity(b, u);
            let here = VELOCITIES * b..VELOCITIES * (b + 1);
            let load = &mut out.u[here.clone()];
            if asleep.get(b) == Some(&true) {
                load.fill(0.0);
                out.mean[here].fill(0.0);
                continue;
            }
            let (force, moment) = (Vec3::new(load[0], load[1], load[2]), Vec3::new(load[3], load[4], load[5]));
            let end = v + h * force / body.mass;
            let mean = (1.0 - theta) * v + theta * end;
            let (spin, turning) = body.spin(h, orientation(b, q), omega, moment);
            load.copy_from_slice(&[end.x, end.y, end.z, spin.x, spin.y, spin.z]);
            out.mean[here].copy_from_slice(&[mean.x, mean.y, mean.z, turning.x, turning.y, turning.z]);
        }
    }

    fn is_driven(&self) -> bool {
        !(self.springs.is_empty() && self.applied.is_empty())
    }

    fn support_speed(&self, t: f64) -> f64 {
        let moving = self.supports.iter().filter(|support| !support.motion.parts.is_empty());
        moving.map(|support| support.motion.at(t).1.norm()).fold(0.0, f64::max)
    }

    fn carry(&self, h: f64, velocities: &[f64], q: &mut [f64]) {
        for (body, q) in q.chunks_exact_mut(POSITIONS).enumerate() {
            let (v, omega) = velocity(body, velocities);
            (0..3).for_each(|k| q[k] += h * v[k]);
            if omega != Vec3::zeros() {
                let next = turned(&cayley(h * omega), [q[3], q[4], q[5], q[6]]);
                q[3..].copy_from_slice(&next);
            }
        }
    }

    fn touches(
        &self,
        span: [f64; 2],
        q: &[f64],
        pairs: &[[u32; 2]],
        margin: f64,
        scratch: &mut Scratch,
        out: &mut Vec<Touch<6, 3>>,
    ) {
        let Scratch { places, spots, .. } = scratch;
        places.clear();
        places.extend((0..self.bodies.len()).map(|b| Place::of(b, q)));
        let count = self.bodies.len();
        let middle = 0.5 * (span[0] + span[1]);
        for (k, plane) in self.planes.iter().enumerate() {
            let motion = &self.supports[plane.support].motion;
            let (shift, _) = motion.at(middle);
            let point = plane.point + shift;
            let speeds = span.map(|t| motion.at(t).1);
            for (b, place) in places.iter().enumerate() {
                if plane.normal.dot(&(place.position - point)) > self.bodies[b].size + margin {
                    continue;
                }
                for part in self.parts_of(b) {
                    let shape = &self.shapes[part];
                    spots.clear();
                    shape.form.on_plane(&shape.at(place), point, plane.normal, margin, spots);
                    for spot in &*spots {
                        out.push(Touch {
                            bodies: [b, SUPPORT],
                            directions: directions(spot, place, None),
                            offset: speeds.map(|v| seen_along(spot.normal, v)),
                            gap: spot.gap,
                            surface: self.surfaces.of(b, count + plane.support),
                            support: plane.support as u32,
                            feature: spot.feature,
                            key: key(part, self.shapes.len() + k, spot.feature),
                        });
                    }
                }
            }
        }
        for (k, relief) in self.reliefs.iter().enumerate() {
            let motion = &self.supports[relief.support].motion;
            let moves = !motion.parts.is_empty();
            let shift = motion.at(middle).0;
            let speeds = span.map(|t| motion.at(t).1);
            for (b, place) in places.iter().enumerate() {
                for part in self.parts_of(b) {
                    let shape = &self.shapes[part];
                    spots.clear();
                    // The triangles stand still in their own frame, in which the body is elsewhere.
                    let mut there = place.then(&shape.place);
                    there.position -= shift;
                    relief.touches(&shape.form, &there, margin, spots);
                    if moves {
                        spots.iter_mut().for_each(|spot| spot.point += shift);
                    }
                    out.extend(spots.iter().map(|spot| Touch {
                        bodies: [b, SUPPORT],
                        directions: directions(spot, place, None),
                        offset: if moves { speeds.map(|v| seen_along(spot.normal, v)) } else { [[0.0; 3]; 2] },
                        gap: spot.gap,
                        surface: self.surfaces.of(b, count + relief.support),
                        support: relief.support as u32,
                        feature: spot.feature,
                        key: key(part, self.shapes.len() + self.planes.len() + k, spot.feature),
                    }));
                }
            }
        }
        for &[a, b] in pairs {
            if self.exempt.contains(&[a, b]) {
                continue;
            }
            let (a, b) = (a as usize, b as usize);
            let reach = self.bodies[a].size + self.bodies[b].size + margin;
            if (places[a].position - places[b].position).norm_squared() > reach * reach {
                continue;
            }
            for one in self.parts_of(a) {
                for other in self.parts_of(b) {
                    let (p, r) = (&self.shapes[one], &self.shapes[other]);
                    let at = [p.at(&places[a]), r.at(&places[b])];
                    spots.clear();
                    touch((&p.form, &at[0]), (&r.form, &at[1]), margin, spots);
                    out.extend(spots.iter().map(|spot| Touch {
                        bodies: [a, b],
                        directions: directions(spot, &places[a], Some(&places[b])),
                        offset: [[0.0; 3]; 2],
                        gap: spot.gap,
                        surface: self.surfaces.of(a, b),
                        support: 0,
                        feature: spot.feature,
                        key: key(one, other, spot.feature),
                    }));
                }
            }
        }
    }

    fn holds(&self, span: [f64; 2], q: &[f64], u: &[f64], out: &mut Vec<Hold<6, 3>>) {
        self.joint_rows(span, q, u, out);
    }

    fn kinetic(&self, q: &[f64], u: &[f64]) -> f64 {
        let energy = |(b, body): (usize, &super::SpatialBody)| {
            let (v, omega) = velocity(b, u);
            let spin = if body.isotropic {
                body.inertia[(0, 0)] * omega.norm_squared()
            } else {
                let local = rotation(orientation(b, q)).tr_mul(&omega);
                local.dot(&(body.inertia * local))
            };
            0.5 * (body.mass * v.norm_squared() + spin)
        };
        self.bodies.iter().enumerate().map(energy).sum()
    }

    fn nearest_watched(&self, t: f64, q: &[f64], watch: &mut Watch) -> Option<(f64, [&str; 2])> {
        super::overlap::nearest_watched(self, t, q, Some(watch))
    }

    fn touch_name(&self, touch: &Touch<6, 3>) -> String {
        let [a, b] = touch.bodies;
        let first = &self.bodies[a].name;
        if b != SUPPORT {
            return format!("{first}-{}", self.bodies[b].name);
        }
        let parts = self.parts_of(a);
        let plain = parts.len() == 1 && matches!(self.shapes[parts.start].form, super::Form::Ball { .. });
        let support = &self.supports[touch.support as usize].name;
        // Features of triangles have no numbers that would say anything.
        let plain = plain || self.reliefs.iter().any(|relief| relief.support == touch.support as usize);
        if plain { format!("{first}-{support}") } else { format!("{first}.{}-{support}", touch.feature + 1) }
    }

    fn touch_frame(&self, touch: &Touch<6, 3>, q: &[f64]) -> ContactFrame {
        ContactFrame::of_space(&q[POSITIONS * touch.bodies[0]..], touch.directions[0])
    }

    fn listed(&self, _touch: &Touch<6, 3>) -> Option<usize> {
        None
    }

    fn speed(&self, body: usize, u: &[f64; 6]) -> f64 {
        let (v, omega) = velocity(0, u);
        v.norm() + self.bodies[body].size * omega.norm()
    }
}
