//! Vectors of the plane.

use crate::elementary::Elementary;

/// A vector or point of the plane.
pub(crate) type Vec2 = nalgebra::Vector2<f64>;

/// `v` turned counter-clockwise by a quarter: ω × v = ω · turn(v).
#[inline]
pub(crate) fn turn(v: Vec2) -> Vec2 {
    Vec2::new(-v.y, v.x)
}

/// `v` turned clockwise by a quarter: the tangent that belongs to a normal.
#[inline]
pub(crate) fn tangent(normal: Vec2) -> Vec2 {
    Vec2::new(normal.y, -normal.x)
}

/// `v` turned counter-clockwise by `angle`.
#[inline]
pub(crate) fn rotate(v: Vec2, angle: f64) -> Vec2 {
    let (s, c) = angle.sine_cosine();
    Vec2::new(c * v.x - s * v.y, s * v.x + c * v.y)
}

/// The scalar a × b.
#[inline]
pub(crate) fn cross(a: Vec2, b: Vec2) -> f64 {
    a.x * b.y - a.y * b.x
}
