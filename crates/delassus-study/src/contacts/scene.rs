//! Bodies that touch, turned into a contact problem.

use delassus::solve::contact::{ContactProblem, ContactSide};

/// Where two bodies touch, or a body and the ground.
#[derive(Debug, Clone, Copy)]
pub(super) struct Touch {
    pub(super) body: usize,
    pub(super) other: Option<usize>,
    pub(super) point: [f64; 3],
    /// From the other body to the first.
    pub(super) normal: [f64; 3],
}

/// Bodies, in space or in the plane of the first two axes.
#[derive(Debug, Clone, Default)]
pub(super) struct Scene {
    pub(super) planar: bool,
    pub(super) centres: Vec<[f64; 3]>,
    /// Mass and moments of inertia about the axes; in the plane the last one counts.
    pub(super) masses: Vec<(f64, [f64; 3])>,
    /// Velocities of centre and rotation; in the plane x, y and the rotation in the last place.
    pub(super) velocities: Vec<[f64; 6]>,
    pub(super) touches: Vec<Touch>,
}

impl Scene {
    /// The contact problem with one coefficient of friction.
    pub(super) fn problem(&self, friction: f64) -> ContactProblem {
        let (dimension, coordinates) = if self.planar { (2, 3) } else { (3, 6) };
        let chosen: &[usize] = if self.planar { &[0, 1, 5] } else { &[0, 1, 2, 3, 4, 5] };
        let mut inverse = vec![0.0; self.centres.len() * coordinates * coordinates];
        for (block, (mass, inertia)) in inverse.chunks_exact_mut(coordinates * coordinates).zip(&self.masses) {
            let diagonal = [*mass, *mass, *mass, inertia[0], inertia[1], inertia[2]];
            for (k, &place) in chosen.iter().enumerate() {
                block[k * (coordinates + 1)] = 1.0 / diagonal[place];
            }
        }
        // All in one list, both sides of each contact: many small ones would leave the memory in pieces.
        let size = dimension * coordinates;
        let mut directions = vec![0.0; 2 * size * self.touches.len()];
        let mut q = Vec::with_capacity(self.touches.len() * dimension);
        for (touch, sides) in self.touches.iter().zip(directions.chunks_exact_mut(2 * size)) {
            let axes = axes(touch.normal, self.planar);
            let fill = |side: &mut [f64], body: usize, sign: f64| {
                let arm = minus(touch.point, self.centres[body]);
                let rows = axes[..dimension].iter().flat_map(|&axis| {
                    let moment = cross(arm, axis);
                    let row = [axis[0], axis[1], axis[2], moment[0], moment[1], moment[2]];
                    chosen.iter().map(move |&place| sign * row[place])
                });
                side.iter_mut().zip(rows).for_each(|(entry, value)| *entry = value);
            };
            let (first, second) = sides.split_at_mut(size);
            fill(first, touch.body, 1.0);
            if let Some(other) = touch.other {
                fill(second, other, -1.0);
            }
            let along = |rows: &[f64], body: usize, k: usize| -> f64 {
                let row = &rows[k * coordinates..(k + 1) * coordinates];
                row.iter().zip(chosen).map(|(d, &place)| d * self.velocities[body][place]).sum()
            };
            for k in 0..dimension {
                q.push(along(first, touch.body, k) + touch.other.map_or(0.0, |other| along(second, other, k)));
            }
        }
        let matrix = ContactProblem::delassus(dimension, self.touches.len(), coordinates, &inverse, |i| {
            let touch = &self.touches[i];
            let (first, second) = directions[2 * size * i..][..2 * size].split_at(size);
            [
                Some(ContactSide { body: touch.body, directions: first }),
                touch.other.map(|body| ContactSide { body, directions: second }),
            ]
        });
        ContactProblem::coulomb(matrix, q, &vec![friction; self.touches.len()])
    }
}

/// Normal and tangents.
fn axes(normal: [f64; 3], planar: bool) -> [[f64; 3]; 3] {
    if planar {
        return [normal, [-normal[1], normal[0], 0.0], [0.0, 0.0, 1.0]];
    }
    let helper = if normal[0].abs() < 0.6 { [1.0, 0.0, 0.0] } else { [0.0, 1.0, 0.0] };
    let first = unit(cross(normal, helper));
    [normal, first, cross(normal, first)]
}

pub(super) fn minus(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

pub(super) fn length(a: [f64; 3]) -> f64 {
    (a[0] * a[0] + a[1] * a[1] + a[2] * a[2]).sqrt()
}

pub(super) fn unit(a: [f64; 3]) -> [f64; 3] {
    let length = length(a);
    a.map(|v| v / length)
}

fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}
