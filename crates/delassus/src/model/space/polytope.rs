//! Convex bodies with flat faces.

use super::frame::Vec3;
use crate::elementary::Elementary;

/// A convex polytope about its centre of mass.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Polytope {
    pub vertices: Vec<Vec3>,
    pub faces: Vec<Face>,
    /// Edges as pairs of vertices, each once.
    pub edges: Vec<[usize; 2]>,
    /// Directions of the edges, parallel ones once, of unit length.
    pub directions: Vec<Vec3>,
    /// Largest distance of a vertex from the origin.
    pub size: f64,
}

/// A flat face.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Face {
    /// Vertices, counter-clockwise seen from outside.
    pub loop_: Vec<usize>,
    /// Outward unit normal.
    pub normal: Vec3,
    /// normal · x of its points.
    pub offset: f64,
}

/// Relative size below which points lie in one plane.
const FLAT: f64 = 1e-9;

impl Polytope {
    /// A cuboid with these half sides.
    pub fn cuboid(half: Vec3) -> Self {
        let corner = |k: usize| {
            let sign = |bit: usize| if k >> bit & 1 == 1 { 1.0 } else { -1.0 };
            Vec3::new(sign(0) * half.x, sign(1) * half.y, sign(2) * half.z)
        };
        let loops = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
        Self::new((0..8).map(corner).collect(), loops.iter().map(|l| l.to_vec()).collect())
    }

    /// An upright prism over a regular polygon with its corners on a circle about z.
    pub fn prism(sides: usize, radius: f64, half: f64) -> Self {
        let corner = |k: usize, z: f64| {
            let (s, c) = (std::f64::consts::TAU * k as f64 / sides as f64).sine_cosine();
            Vec3::new(radius * c, radius * s, z)
        };
        let vertices = (0..sides).map(|k| corner(k, -half)).chain((0..sides).map(|k| corner(k, half))).collect();
        let mut loops: Vec<Vec<usize>> = vec![(0..sides).rev().collect(), (sides..2 * sides).collect()];
        loops.extend((0..sides).map(|k| {
            let next = (k + 1) % sides;
            vec![k, next, sides + next, sides + k]
        }));
        Self::new(vertices, loops)
    }

    /// A triangle about its centre, flat: a face on either side.
    pub fn triangle(corners: [Vec3; 3]) -> Self {
        Self::new(corners.to_vec(), vec![vec![0, 1, 2], vec![2, 1, 0]])
    }

    fn new(vertices: Vec<Vec3>, loops: Vec<Vec<usize>>) -> Self {
        let mut edges: Vec<[usize; 2]> = Vec::new();
        for ring in &loops {
            for (k, &a) in ring.iter().enumerate() {
                let b = ring[(k + 1) % ring.len()];
                let edge = [a.min(b), a.max(b)];
                if !edges.contains(&edge) {
                    edges.push(edge);
                }
            }
        }
        let mut directions: Vec<Vec3> = Vec::new();
        for [a, b] in &edges {
            let along = (vertices[*b] - vertices[*a]).normalize();
            if directions.iter().all(|d| d.cross(&along).norm() > FLAT) {
                directions.push(along);
            }
        }
        let face = |ring: Vec<usize>| {
            let normal = area(&vertices, &ring).normalize();
            let offset = ring.iter().map(|&v| normal.dot(&vertices[v])).sum::<f64>() / ring.len() as f64;
            Face { loop_: ring, normal, offset }
        };
        let faces = loops.into_iter().map(face).collect();
        let size = vertices.iter().map(|v| v.norm()).fold(0.0, f64::max);
        Self { vertices, faces, edges, directions, size }
    }

    /// The convex hull of points; `None` where they lie in one plane. Points inside are left out.
    pub fn hull(points: &[Vec3]) -> Option<Self> {
        let centre = points.iter().sum::<Vec3>() / points.len().max(1) as f64;
        let size = points.iter().map(|p| (p - centre).norm()).fold(0.0, f64::max);
        let slack = FLAT * size;
        let mut planes: Vec<(Vec3, Vec<usize>)> = Vec::new();
        for i in 0..points.len() {
            for j in i + 1..points.len() {
                for k in j + 1..points.len() {
                    let normal = (points[j] - points[i]).cross(&(points[k] - points[i]));
                    if normal.norm() <= FLAT * size * size {
                        continue;
                    }
                    let normal = normal.normalize();
                    for normal in [normal, -normal] {
                        let height = |p: &Vec3| normal.dot(&(p - points[i]));
                        let known = |(other, on): &(Vec3, Vec<usize>)| {
                            other.dot(&normal) > 0.5 && on.contains(&i) && on.contains(&j) && on.contains(&k)
                        };
                        if points.iter().any(|p| height(p) > slack) || planes.iter().any(known) {
                            continue;
                        }
                        let on = (0..points.len()).filter(|&p| height(&points[p]) >= -slack).collect();
                        planes.push((normal, on));
                    }
                }
            }
        }
        // Points in one plane have two planes through all of them; those of numbers that overflow have none through any.
        if planes.len() < 4 || planes.iter().any(|(_, on)| on.len() < 3 || on.len() == points.len()) {
            return None;
        }
        let mut loops: Vec<Vec<usize>> =
            planes.iter().map(|(normal, on)| outline(points, on, *normal, slack)).collect();
        let mut used: Vec<usize> = loops.iter().flatten().copied().collect();
        crate::small::sort(&mut used);
        used.dedup();
        for ring in &mut loops {
            ring.iter_mut().for_each(|v| *v = used.binary_search(v).unwrap_or(0));
        }
        Some(Self::new(used.iter().map(|&v| points[v]).collect(), loops))
    }

    /// Volume, centroid and second moments ∫ x xᵀ dV about the origin.
    pub fn moments(&self) -> (f64, Vec3, nalgebra::Matrix3<f64>) {
        let (mut volume, mut first, mut second) = (0.0, Vec3::zeros(), nalgebra::Matrix3::zeros());
        // About a vertex, so that a far origin costs no digits.
        let base = self.vertices[0];
        for face in &self.faces {
            let a = self.vertices[face.loop_[0]] - base;
            for pair in face.loop_[1..].windows(2) {
                let (b, c) = (self.vertices[pair[0]] - base, self.vertices[pair[1]] - base);
                let part = a.dot(&b.cross(&c)) / 6.0;
                let sum = a + b + c;
                volume += part;
                first += part * sum / 4.0;
                second +=
                    part / 20.0 * (a * a.transpose() + b * b.transpose() + c * c.transpose() + sum * sum.transpose());
            }
        }
        let moved = second + base * first.transpose() + first * base.transpose() + volume * base * base.transpose();
        (volume, first / volume + base, moved)
    }

    /// The same about another origin.
    pub fn shifted(mut self, by: Vec3) -> Self {
        self.vertices.iter_mut().for_each(|v| *v += by);
        self.faces.iter_mut().for_each(|f| f.offset += f.normal.dot(&by));
        self.size = self.vertices.iter().map(|v| v.norm()).fold(0.0, f64::max);
        self
    }

    /// Nearest point of the surface to a point in the same frame, the outward direction from it, and the
    /// distance, negative inside.
    pub fn nearest(&self, point: Vec3) -> (Vec3, Vec3, f64) {
        let (mut best, mut height) = (0, f64::NEG_INFINITY);
        for (k, face) in self.faces.iter().enumerate() {
            let here = face.normal.dot(&point) - face.offset;
            if here > height {
                (best, height) = (k, here);
            }
        }
        let face = &self.faces[best];
        let on_plane = point - height * face.normal;
        if height <= 0.0 || self.covers(face, on_plane) {
            return (on_plane, face.normal, height);
        }
        // Above several faces: the nearest point lies on a face that covers its foot, else on an edge.
        let (mut nearest, mut least) = (on_plane, f64::INFINITY);
        for face in &self.faces {
            let here = face.normal.dot(&point) - face.offset;
            let foot = point - here * face.normal;
            if here > 0.0 && here < least && self.covers(face, foot) {
                (nearest, least) = (foot, here);
            }
        }
        for [a, b] in &self.edges {
            let foot = on_segment(self.vertices[*a], self.vertices[*b], point);
            let distance = (point - foot).norm();
            if distance < least {
                (nearest, least) = (foot, distance);
            }
        }
        let away = if least > 0.0 { (point - nearest) / least } else { face.normal };
        (nearest, away, least)
    }

    fn covers(&self, face: &Face, point: Vec3) -> bool {
        let ring = &face.loop_;
        (0..ring.len()).all(|k| {
            let (a, b) = (self.vertices[ring[k]], self.vertices[ring[(k + 1) % ring.len()]]);
            face.normal.dot(&(b - a).cross(&(point - a))) >= 0.0
        })
    }
}

/// The nearest point of a segment.
pub(crate) fn on_segment(a: Vec3, b: Vec3, point: Vec3) -> Vec3 {
    let along = b - a;
    let length = along.norm_squared();
    let part = if length > 0.0 { (along.dot(&(point - a)) / length).clamp(0.0, 1.0) } else { 0.0 };
    a + part * along
}

/// Twice the area of a plane polygon, along its normal.
fn area(vertices: &[Vec3], ring: &[usize]) -> Vec3 {
    let first = vertices[ring[0]];
    ring[1..].windows(2).map(|p| (vertices[p[0]] - first).cross(&(vertices[p[1]] - first))).sum()
}

/// The corners of coplanar points, counter-clockwise about the normal.
fn outline(points: &[Vec3], on: &[usize], normal: Vec3, slack: f64) -> Vec<usize> {
    let middle = on.iter().map(|&p| points[p]).sum::<Vec3>() / on.len() as f64;
    let [a, b] = super::frame::tangents(normal);
    let angle = |p: usize| {
        let d = points[p] - middle;
        d.dot(&b).arctangent2(d.dot(&a))
    };
    let mut ring = on.to_vec();
    crate::small::sort_by(&mut ring, |&p, &q| angle(p).total_cmp(&angle(q)));
    // Points on the sides, and inside, are no corners.
    let mut k = 0;
    while ring.len() > 3 && k < ring.len() {
        let count = ring.len();
        let (p, q, r) = (points[ring[(k + count - 1) % count]], points[ring[k]], points[ring[(k + 1) % count]]);
        if normal.dot(&(q - p).cross(&(r - q))) <= slack * ((q - p).norm() + (r - q).norm()) {
            ring.remove(k);
            k = k.saturating_sub(1);
        } else {
            k += 1;
        }
    }
    ring
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hull_of_a_cuboids_corners_is_the_cuboid() {
        let half = Vec3::new(0.5, 1.0, 1.5);
        let cuboid = Polytope::cuboid(half);
        let mut points = cuboid.vertices.clone();
        points.push(Vec3::new(0.1, 0.2, -0.3));
        points.push(Vec3::new(0.5, 0.0, 0.0));
        let hull = Polytope::hull(&points).unwrap();
        assert_eq!((hull.vertices.len(), hull.faces.len(), hull.edges.len(), hull.directions.len()), (8, 6, 12, 3));
        let (volume, centre, second) = hull.moments();
        assert!((volume - 6.0).abs() < 1e-12 && centre.norm() < 1e-14);
        assert!((second[(2, 2)] - 6.0 * 9.0 / 12.0).abs() < 1e-12, "{second}");
        let (far, at, _) = hull.shifted(Vec3::new(1e3, 0.0, 0.0)).moments();
        assert!((far - 6.0).abs() < 1e-9 && (at.x - 1e3).abs() < 1e-9);
        assert!(Polytope::hull(&points[..4]).is_none());
        // Products of such numbers overflow.
        let vast: Vec<Vec3> = points.iter().map(|p| 1e200 * p).collect();
        assert!(Polytope::hull(&vast).is_none());
    }

    #[test]
    fn distances_to_a_cube() {
        let cube = Polytope::cuboid(Vec3::new(1.0, 1.0, 1.0));
        for (point, distance) in [
            ([2.0, 0.0, 0.5], 1.0),
            ([2.0, 2.0, 0.0], 2f64.sqrt()),
            ([2.0, 2.0, 2.0], 3f64.sqrt()),
            ([0.5, 0.2, 0.1], -0.5),
        ] {
            let point = Vec3::from(point);
            let (on, away, found) = cube.nearest(point);
            assert!((found - distance).abs() < 1e-14 && (on + found * away - point).norm() < 1e-14);
        }
        let prism = Polytope::prism(6, 1.0, 0.5);
        assert_eq!((prism.vertices.len(), prism.faces.len(), prism.directions.len()), (12, 8, 4));
        assert!((prism.moments().0 - 1.5 * 3f64.sqrt()).abs() < 1e-12);
    }
}
