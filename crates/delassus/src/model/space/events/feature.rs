//! Features that touch: points, balls and rims of a body on planes, and balls on balls.
//!
//! With ρ from a centre of mass to where a body touches, γ = d·(v_A + ω_A × ρ_A − v_B − ω_B × ρ_B) along a direction d, and
//!
//! ```text
//! γ̇ = d·(v̇_A + ω̇_A × ρ_A + ω_A × ρ̇_A − …) + ḋ·(v_A + ω_A × ρ_A − …)
//! ```
//!
//! where ρ̇ is how fast the place wanders, not the speed of the material there: the lowest point of a rim runs around
//! it. ḋ counts for the normal only: tangents matter where nothing slides, and there the last factor is zero.

use super::super::frame::{Place, Vec3, tangents};
use super::super::system::{SpatialSystem, velocity};
use crate::elementary::Elementary;

/// What touches, fixed to a body, in the body's frame.
#[derive(Debug, Clone)]
pub(super) enum Tip {
    /// A ball; a corner has the radius 0.
    Ball { centre: Vec3, radius: f64 },
    /// The edge of a cylinder's end, which touches with its lowest point; the axis points outwards.
    Rim { centre: Vec3, axis: Vec3, radius: f64 },
    /// A fixed point of a rim, which touches where the end lies flat.
    Flat { point: Vec3, axis: Vec3, radius: f64 },
}

/// What it touches.
#[derive(Debug, Clone)]
pub(super) enum Against {
    /// A plane, by its index, with a frame of tangents.
    Plane { plane: usize, tangents: [Vec3; 2] },
    /// A ball of another body.
    Ball { body: usize, centre: Vec3, radius: f64 },
}

/// A possible contact.
#[derive(Debug, Clone)]
pub(super) struct Feature {
    pub body: usize,
    pub tip: Tip,
    pub against: Against,
}

/// A contact at one state.
pub(super) struct Local {
    pub gap: f64,
    /// Normal, towards the first body, and tangents.
    pub directions: [Vec3; 3],
    /// From the centres of mass to the contact.
    pub arms: [Vec3; 2],
    /// The second body; none for a plane.
    pub other: Option<usize>,
    /// Relative velocity of the material that touches.
    pub relative: Vec3,
    /// Velocity of the support.
    pub support: Vec3,
    /// γ̇ at rest accelerations.
    pub bias: Vec3,
    /// ṅ · relative velocity.
    pub turning: f64,
}

/// Where a rim touches: its direction, how fast that turns, and the sine of the tilt. Past the flat position, seen from
/// where the contact was known to be, the sine is negative: on its side of the rim everything is smooth.
struct Lowest {
    down: Vec3,
    rate: Vec3,
    sine: f64,
}

/// Sines of tilts below this have no direction.
const NO_TILT: f64 = 1e-14;

fn lowest(normal: Vec3, axis: Vec3, omega: Vec3, known: Vec3) -> Lowest {
    let along = normal.dot(&axis);
    let across = normal - along * axis;
    let size = across.norm();
    if size <= NO_TILT {
        return Lowest { down: known, rate: Vec3::zeros(), sine: 0.0 };
    }
    let sine = if across.dot(&known) <= 0.0 { size } else { -size };
    let down = -across / sine;
    let turned = omega.cross(&axis);
    let change = -normal.dot(&turned) * axis - along * turned;
    Lowest { down, rate: -(change - down.dot(&change) * down) / sine, sine }
}

/// A direction of no scene's axes: frames of tangents are singular opposite to it.
const POLE: [Vec3; 3] = [Vec3::new(0.48, 0.64, -0.6), Vec3::new(-0.8, 0.6, 0.0), Vec3::new(0.36, 0.48, 0.8)];

/// Two tangents that turn with the normal, smoothly but for one place.
pub(super) fn frame(normal: Vec3) -> [Vec3; 2] {
    let pole = POLE[2];
    let lean = 1.0 + normal.dot(&pole);
    let axis = |e: Vec3| e - normal.dot(&e) / lean * (normal + pole);
    if lean > 1e-12 { [axis(POLE[0]), axis(POLE[1])] } else { [POLE[0], -POLE[1]] }
}

/// In units of the tilt at which a rim lies down: it touches above this tilt,
const TILTED: f64 = 1.1;
/// points of the flat end touch below this one,
const LYING: f64 = 1.2;
/// and stay closed up to this one. Each leaves where the other surely touches and it does not itself.
const RAISED: f64 = 1.5;

/// Directions around a rim that are told apart.
const AROUND: usize = 1024;

/// The direction around an axis with a number.
fn around(axis: Vec3, number: usize) -> Vec3 {
    let [first, second] = tangents(axis);
    let (s, c) = (std::f64::consts::TAU * number as f64 / AROUND as f64).sine_cosine();
    c * first + s * second
}

impl Feature {
    /// The part of a plane's normal across a rim's axis, in the body's frame, and whether the end faces the plane.
    fn across(&self, q: &[f64], system: &SpatialSystem) -> Option<(Vec3, Vec3, bool)> {
        let (Tip::Rim { axis, .. } | Tip::Flat { axis, .. }, Against::Plane { plane, .. }) = (&self.tip, &self.against)
        else {
            return None;
        };
        let normal = Place::of(self.body, q).rotation.tr_mul(&system.planes[*plane].normal);
        Some((normal - normal.dot(axis) * axis, *axis, normal.dot(axis) < 0.0))
    }

    /// Of a rim against a plane the sine of its tilt, and how fast its axis turns \[rad/s\].
    pub fn tilt(&self, q: &[f64], u: &[f64], system: &SpatialSystem) -> Option<(f64, f64)> {
        let (Tip::Rim { .. }, Some((across, axis, _))) = (&self.tip, self.across(q, system)) else { return None };
        let omega = velocity(self.body, u).1;
        Some((across.norm(), omega.cross(&(Place::of(self.body, q).rotation * axis)).norm()))
    }

    /// Where around a rim it can touch as the bodies lie, for other features 0; what tilts less than `flat` is flat.
    pub fn piece(&self, q: &[f64], flat: f64, system: &SpatialSystem) -> Option<usize> {
        match (&self.tip, self.across(q, system)) {
            (Tip::Rim { .. }, Some((across, axis, _))) => {
                let [first, second] = tangents(axis);
                let angle = (-across.dot(&second)).arctangent2(-across.dot(&first)) / std::f64::consts::TAU;
                let number = (angle.rem_euclid(1.0) * AROUND as f64).round() as usize % AROUND;
                (across.norm() > TILTED * flat).then_some(number)
            }
            (Tip::Flat { .. }, Some((across, _, facing))) => (facing && across.norm() <= LYING * flat).then_some(0),
            _ => Some(0),
        }
    }

    /// How far it is from where it can no longer touch on its side, positive before it \[m\].
    pub fn within(&self, piece: usize, q: &[f64], flat: f64, system: &SpatialSystem) -> f64 {
        match (&self.tip, self.across(q, system)) {
            (Tip::Rim { radius, .. }, Some((across, axis, _))) => {
                let size = across.norm();
                radius * (if across.dot(&around(axis, piece)) <= 0.0 { size } else { -size } - flat)
            }
            (Tip::Flat { radius, .. }, Some((across, ..))) => radius * (RAISED * flat - across.norm()),
            _ => f64::INFINITY,
        }
    }

    /// The largest curvature \[1/m\].
    pub fn sharpness(&self) -> f64 {
        match (&self.tip, &self.against) {
            (Tip::Ball { radius, .. }, Against::Ball { radius: other, .. }) => 1.0 / (radius + other),
            _ => 0.0,
        }
    }

    /// The contact at a state, on its side of a rim.
    pub fn at(&self, piece: usize, t: f64, q: &[f64], u: &[f64], system: &SpatialSystem) -> Local {
        let place = Place::of(self.body, q);
        let (v, omega) = velocity(self.body, u);
        match &self.against {
            Against::Plane { plane, tangents } => {
                let half_space = &system.planes[*plane];
                let normal = half_space.normal;
                let [shift, speed, change] = system.supports[half_space.support].motion.derivatives(t);
                let level = half_space.point + shift;
                // Centre of what touches, its radius, the arm and how fast it wanders.
                let (centre, depth, arm, wander) = match &self.tip {
                    Tip::Ball { centre, radius } => {
                        let centre = place.rotation * centre;
                        (centre, *radius, centre - *radius * normal, omega.cross(&centre))
                    }
                    Tip::Flat { point, .. } => {
                        let point = place.rotation * point;
                        (point, 0.0, point, omega.cross(&point))
                    }
                    Tip::Rim { centre, axis, radius } => {
                        let centre = place.rotation * centre;
                        let known = place.rotation * around(*axis, piece);
                        let Lowest { down, rate, sine } = lowest(normal, place.rotation * axis, omega, known);
                        (centre, radius * sine, centre + *radius * down, omega.cross(&centre) + *radius * rate)
                    }
                };
                Local {
                    gap: normal.dot(&(place.position - level + centre)) - depth,
                    directions: [normal, tangents[0], tangents[1]],
                    arms: [arm, Vec3::zeros()],
                    other: None,
                    relative: v + omega.cross(&arm) - speed,
                    support: speed,
                    bias: omega.cross(&wander) - change,
                    turning: 0.0,
                }
            }
            Against::Ball { body, centre: other_centre, radius: other_radius } => {
                let Tip::Ball { centre, radius } = &self.tip else { return apart() };
                let other = Place::of(*body, q);
                let (other_v, other_omega) = velocity(*body, u);
                let (s, r) = (place.rotation * centre, other.rotation * other_centre);
                let span = place.position - other.position + s - r;
                let distance = span.norm();
                // Concentric balls have no normal; any will do, they are far from touching.
                let normal = if distance > 0.0 { span / distance } else { Vec3::z() };
                let drift = v + omega.cross(&s) - other_v - other_omega.cross(&r);
                let rate =
                    if distance > 0.0 { (drift - normal.dot(&drift) * normal) / distance } else { Vec3::zeros() };
                let arms = [s - *radius * normal, r + *other_radius * normal];
                let wander = [omega.cross(&s) - *radius * rate, other_omega.cross(&r) + *other_radius * rate];
                let relative = v + omega.cross(&arms[0]) - other_v - other_omega.cross(&arms[1]);
                let [first, second] = frame(normal);
                Local {
                    gap: distance - radius - other_radius,
                    directions: [normal, first, second],
                    arms,
                    other: Some(*body),
                    relative,
                    support: Vec3::zeros(),
                    bias: omega.cross(&wander[0]) - other_omega.cross(&wander[1]),
                    turning: rate.dot(&relative),
                }
            }
        }
    }
}

/// A contact that nothing can close.
pub(super) fn apart() -> Local {
    let zero = Vec3::zeros();
    Local {
        gap: f64::INFINITY,
        directions: [Vec3::z(), Vec3::x(), Vec3::y()],
        arms: [zero; 2],
        other: None,
        relative: zero,
        support: zero,
        bias: zero,
        turning: 0.0,
    }
}

impl Local {
    /// γ in (normal, tangents).
    pub fn gamma(&self) -> [f64; 3] {
        self.directions.map(|d| d.dot(&self.relative))
    }

    /// The rows of one body for a direction.
    pub fn row(&self, direction: usize, side: usize) -> [f64; 6] {
        let d = if side == 0 { self.directions[direction] } else { -self.directions[direction] };
        let moment = self.arms[side].cross(&d);
        [d.x, d.y, d.z, moment.x, moment.y, moment.z]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_of_normals_are_right_handed_and_smooth() {
        assert!((POLE[0].cross(&POLE[1]) - POLE[2]).norm() < 1e-15);
        for n in [[0.0, 0.0, 1.0], [0.0, 0.0, -1.0], [1.0, 0.0, 1e-17], [1.0, 0.0, -1e-17], [0.6, -0.64, 0.48]] {
            let n = Vec3::from(n).normalize();
            let [a, b] = frame(n);
            assert!((a.cross(&b) - n).norm() < 1e-14 && (a.norm() - 1.0).abs() < 1e-14, "{n} {a} {b}");
            let near = (n + Vec3::new(1e-9, -2e-9, 1e-9)).normalize();
            assert!((frame(near)[0] - a).norm() < 1e-7);
        }
    }
}
