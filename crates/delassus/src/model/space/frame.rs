//! Vectors, rotations and places of bodies in space.

/// A vector or point of space.
pub(crate) type Vec3 = nalgebra::Vector3<f64>;
/// A 3 × 3 matrix.
pub(crate) type Mat3 = nalgebra::Matrix3<f64>;
/// A quaternion.
pub(crate) type Quaternion = nalgebra::Quaternion<f64>;

/// Positions of a body in q: x, y, z and the unit quaternion w, x, y, z.
pub(crate) const POSITIONS: usize = 7;
/// Velocities of a body in u: v and ω, both in the world frame.
pub(crate) const VELOCITIES: usize = 6;

/// Place and orientation of a body.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Place {
    pub position: Vec3,
    /// From the body's frame to the world frame.
    pub rotation: Mat3,
}

impl Place {
    /// The place of a body from all positions q.
    pub fn of(body: usize, q: &[f64]) -> Self {
        let q = &q[POSITIONS * body..POSITIONS * (body + 1)];
        Self { position: Vec3::new(q[0], q[1], q[2]), rotation: rotation([q[3], q[4], q[5], q[6]]) }
    }

    /// A point of the body's frame in the world.
    pub fn point(&self, local: Vec3) -> Vec3 {
        self.position + self.rotation * local
    }

    /// A point of the world in the body's frame.
    pub fn seen(&self, point: Vec3) -> Vec3 {
        self.rotation.tr_mul(&(point - self.position))
    }

    /// The place of something that is placed in the body's frame.
    pub fn then(&self, inner: &Place) -> Place {
        Place { position: self.point(inner.position), rotation: self.rotation * inner.rotation }
    }
}

/// The rotation of a unit quaternion (w, x, y, z).
pub(crate) fn rotation([w, x, y, z]: [f64; 4]) -> Mat3 {
    Mat3::new(
        1.0 - 2.0 * (y * y + z * z),
        2.0 * (x * y - w * z),
        2.0 * (x * z + w * y),
        2.0 * (x * y + w * z),
        1.0 - 2.0 * (x * x + z * z),
        2.0 * (y * z - w * x),
        2.0 * (x * z - w * y),
        2.0 * (y * z + w * x),
        1.0 - 2.0 * (x * x + y * y),
    )
}

/// The quaternion of a rotation matrix, w ≥ 0: from its largest part, which is never small (Shepperd).
pub(crate) fn quaternion(rotation: &Mat3) -> [f64; 4] {
    let m = |i: usize, j: usize| rotation[(i, j)];
    let (trace, diagonal) = (rotation.trace(), [m(0, 0), m(1, 1), m(2, 2)]);
    let largest = (0..3).fold(
        None,
        |best: Option<usize>, k| {
            if diagonal[k] > best.map_or(trace, |b| diagonal[b]) { Some(k) } else { best }
        },
    );
    let parts = match largest {
        None => [1.0 + trace, m(2, 1) - m(1, 2), m(0, 2) - m(2, 0), m(1, 0) - m(0, 1)],
        Some(0) => [m(2, 1) - m(1, 2), 1.0 + 2.0 * m(0, 0) - trace, m(1, 0) + m(0, 1), m(0, 2) + m(2, 0)],
        Some(1) => [m(0, 2) - m(2, 0), m(1, 0) + m(0, 1), 1.0 + 2.0 * m(1, 1) - trace, m(2, 1) + m(1, 2)],
        Some(_) => [m(1, 0) - m(0, 1), m(0, 2) + m(2, 0), m(2, 1) + m(1, 2), 1.0 + 2.0 * m(2, 2) - trace],
    };
    let length = parts.iter().map(|v| v * v).sum::<f64>().sqrt().copysign(parts[0]);
    parts.map(|v| v / length)
}

/// The quaternion `turn · orientation`, of unit length again.
pub(crate) fn turned(turn: &Quaternion, orientation: [f64; 4]) -> [f64; 4] {
    let [w, x, y, z] = orientation;
    let next = (turn * Quaternion::new(w, x, y, z)).normalize();
    [next.w, next.i, next.j, next.k]
}

/// The turn by Cayley's map of h·ω: the rotation by 2 atan(h|ω|/2) about ω. Over a step of the midpoint
/// rule it keeps the angular momentum of a free body exactly.
pub(crate) fn cayley(step: Vec3) -> Quaternion {
    let half = 0.5 * step;
    Quaternion::new(1.0, half.x, half.y, half.z)
}

/// The matrix of the cross product: `skew(a) b = a × b`.
pub(crate) fn skew(a: Vec3) -> Mat3 {
    Mat3::new(0.0, -a.z, a.y, a.z, 0.0, -a.x, -a.y, a.x, 0.0)
}

/// Two unit vectors that make a right-handed frame with the unit vector `n`, continuous in n except
/// where n crosses the horizontal plane.
pub(crate) fn tangents(n: Vec3) -> [Vec3; 2] {
    let sign = 1f64.copysign(n.z);
    let a = -1.0 / (sign + n.z);
    let b = n.x * n.y * a;
    [Vec3::new(1.0 + sign * n.x * n.x * a, sign * b, -sign * n.x), Vec3::new(b, sign + n.y * n.y * a, -n.y)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_are_right_handed_for_all_normals() {
        for n in [[0.0, 0.0, 1.0], [0.0, 0.0, -1.0], [1.0, 0.0, 0.0], [0.6, -0.64, 0.48], [0.0, -1.0, -0.0]] {
            let n = Vec3::from(n);
            let [a, b] = tangents(n);
            assert!((a.cross(&b) - n).norm() < 1e-14 && (a.norm() - 1.0).abs() < 1e-14, "{n} {a} {b}");
        }
    }

    #[test]
    fn quaternions_and_matrices_turn_alike() {
        let q =
            turned(&cayley(Vec3::new(0.3, -0.2, 0.9)), turned(&cayley(Vec3::new(2.0, 0.1, 0.0)), [1.0, 0.0, 0.0, 0.0]));
        let back = quaternion(&rotation(q));
        let sign = if q[0] < 0.0 { -1.0 } else { 1.0 };
        assert!(q.iter().zip(back).all(|(a, b)| (sign * a - b).abs() < 1e-14), "{q:?} {back:?}");
        // Half turns, and nearly so: an iteration may never end there.
        for axis in [[1.0, 0.0, 0.0], [0.0, -1.0, 0.0], [0.0, 0.0, 1.0], [0.6, -0.8, 0.0], [2.0529, -2.0, 0.25]] {
            for angle in [std::f64::consts::PI, std::f64::consts::PI - 1e-8, -3.1, 2.0, 1e-9, 0.0, 1e300] {
                let (axis, (s, c)) = (Vec3::from(axis).normalize(), (0.5f64 * angle).sin_cos());
                let q = [c, s * axis.x, s * axis.y, s * axis.z];
                let back = rotation(quaternion(&rotation(q)));
                assert!((back - rotation(q)).norm() < 1e-14, "{axis} {angle}");
            }
        }
        let half: f64 = 0.5;
        let turn = cayley(Vec3::new(0.0, 0.0, 2.0 * half.tan()));
        let r = rotation(turned(&turn, [1.0, 0.0, 0.0, 0.0]));
        assert!((r * Vec3::x() - Vec3::new((2.0 * half).cos(), (2.0 * half).sin(), 0.0)).norm() < 1e-14);
    }
}
