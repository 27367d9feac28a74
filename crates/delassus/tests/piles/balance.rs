//! Whether contacts can carry a load: where shapes touch, found by the outlines
//! alone, and whether forces of these contacts within their friction cones add up
//! to given forces and moments on the bodies (the first phase of the simplex method).

use crate::bodies::World;
use crate::overlap::{Part, Point, cross, dot, norm, point_to_segment, sub};

/// A touching point with the directions in which body `a` can be pushed there.
pub struct Touch {
    pub a: usize,
    /// The other body; absent: a support.
    pub b: Option<usize>,
    pub line: Option<usize>,
    pub point: Point,
    pub gap: f64,
    /// Several where a corner meets a corner or a rod.
    pub normals: Vec<Point>,
}

/// All points where bodies are closer than `near` to each other or to a support.
pub fn touches(world: &World, t: f64, q: &[f64], near: f64) -> Vec<Touch> {
    let placed: Vec<Vec<Part>> = (0..world.bodies.len()).map(|b| world.placed(b, q)).collect();
    let mut found = Vec::new();
    for (a, parts) in placed.iter().enumerate() {
        for (l, line) in world.lines.iter().enumerate() {
            for (p, part) in parts.iter().flat_map(|part| part.core.iter().map(move |p| (*p, part))) {
                let gap = dot(sub(p, line.point(t)), line.normal) - part.radius;
                if gap.abs() <= near {
                    let point = sub(p, scaled(line.normal, part.radius));
                    found.push(Touch { a, b: None, line: Some(l), point, gap, normals: vec![line.normal] });
                }
            }
        }
        for b in (0..placed.len()).filter(|b| *b != a) {
            for (one, other) in parts.iter().flat_map(|one| placed[b].iter().map(move |other| (one, other))) {
                // Two disks are found once, from the first.
                if other.core.len() > 1 || (one.core.len() == 1 && a < b) {
                    found.extend(
                        one.core
                            .iter()
                            .filter_map(|p| on_part(*p, one.radius, other, near))
                            .map(|(point, gap, normals)| Touch { a, b: Some(b), line: None, point, gap, normals }),
                    );
                }
            }
        }
    }
    found
}

fn scaled(v: Point, by: f64) -> Point {
    [by * v[0], by * v[1]]
}

/// Where a corner or a disk about `p` touches a part: point, gap, normals.
fn on_part(p: Point, radius: f64, part: &Part, near: f64) -> Option<(Point, f64, Vec<Point>)> {
    let sum = radius + part.radius;
    if part.core.len() == 1 || sum > 0.0 {
        // The nearest point of the core gives the only normal.
        let foot = nearest(p, part);
        let span = sub(p, foot);
        let reach = norm(span);
        let gap = reach - sum;
        let normal = scaled(span, 1.0 / reach);
        return (gap.abs() <= near && reach > 0.0).then(|| (sub(p, scaled(normal, radius)), gap, vec![normal]));
    }
    let mut normals = Vec::new();
    let mut least = f64::INFINITY;
    for side in part.sides() {
        let away = point_to_segment(p, side);
        if away <= near {
            let along = sub(side[1], side[0]);
            let n = scaled([along[1], -along[0]], 1.0 / norm(along));
            normals.push(n);
            let ends = side.iter().any(|end| norm(sub(p, *end)) <= near);
            if part.core.len() == 2 && ends {
                normals.push([-n[1], n[0]]);
            }
            least = least.min(away);
        }
    }
    (!normals.is_empty()).then_some((p, least, normals))
}

fn nearest(p: Point, part: &Part) -> Point {
    let mut best = part.core[0];
    for [a, b] in part.sides() {
        let along = sub(b, a);
        let t = (dot(sub(p, a), along) / dot(along, along)).clamp(0.0, 1.0);
        let foot = [a[0] + t * along[0], a[1] + t * along[1]];
        if norm(sub(p, foot)) < norm(sub(p, best)) {
            best = foot;
        }
    }
    best
}

/// The part of a load (force, force, moment per body) that no contact forces
/// balance, relative to the load's own size. `pulling`: also forces outside cones.
pub fn unbalanced(world: &World, q: &[f64], touches: &[Touch], load: &[f64], pulling: bool) -> f64 {
    let size = world.bodies.iter().map(|b| b.size).fold(0.0, f64::max);
    let scale = |row: usize| if row % 3 == 2 { 1.0 / size } else { 1.0 };
    let total: f64 = load.iter().enumerate().map(|(i, v)| (v * scale(i)).abs()).sum();
    if total == 0.0 {
        return 0.0;
    }
    let mut columns = Vec::new();
    for touch in touches {
        for n in &touch.normals {
            let t = [n[1], -n[0]];
            for mu in [world.friction, -world.friction] {
                let force = [n[0] + mu * t[0], n[1] + mu * t[1]];
                let mut column = vec![0.0; load.len()];
                for (body, sign) in [(Some(touch.a), 1.0), (touch.b, -1.0)] {
                    let Some(body) = body else { continue };
                    let lever = sub(touch.point, [q[3 * body], q[3 * body + 1]]);
                    column[3 * body] += sign * force[0];
                    column[3 * body + 1] += sign * force[1];
                    column[3 * body + 2] += sign * cross(lever, force) / size;
                }
                if pulling {
                    columns.push(column.iter().map(|v| -v).collect());
                }
                columns.push(column);
            }
        }
    }
    let target: Vec<f64> = load.iter().enumerate().map(|(i, v)| v * scale(i) / total).collect();
    infeasibility(&columns, &target)
}

/// The least Σ|Ax − b| over x ≥ 0 that is found. Contacts that differ by a tilt of 1e-9
/// make rows that are nearly one, and pivots among them are noise; which pivots are too
/// small is not known beforehand, so several limits are tried. Every x is put into the
/// equations as they were: an answer near zero is a proof.
fn infeasibility(columns: &[Vec<f64>], target: &[f64]) -> f64 {
    let mut least = f64::INFINITY;
    for small in [1e-7, 1e-5, 1e-9, 1e-4, 1e-11, 1e-3] {
        let x = first_phase(columns, target, small);
        let row = |i: usize| columns.iter().zip(&x).map(|(c, x)| c[i] * x).sum::<f64>();
        least = least.min(target.iter().enumerate().map(|(i, b)| (row(i) - b).abs()).sum());
        if least < 1e-8 {
            break;
        }
    }
    least
}

/// x ≥ 0 for which Σ|Ax − b| is least, by the first phase of the simplex method, with
/// Bland's rule once it has run for long. Pivots are larger than `small`.
fn first_phase(columns: &[Vec<f64>], target: &[f64], small: f64) -> Vec<f64> {
    let (rows, count) = (target.len(), columns.len());
    let width = count + 1;
    let mut table = vec![0.0; rows * width];
    for (i, b) in target.iter().enumerate() {
        let sign = if *b < 0.0 { -1.0 } else { 1.0 };
        columns.iter().enumerate().for_each(|(j, c)| table[i * width + j] = sign * c[i]);
        table[i * width + count] = sign * b;
    }
    let mut basis: Vec<usize> = (0..rows).map(|i| count + i).collect();
    for round in 0..1000 {
        // Cost 1 on every slack that is still in the basis.
        let gain = |j: usize| -> f64 {
            basis.iter().enumerate().filter(|(_, b)| **b >= count).map(|(i, _)| table[i * width + j]).sum()
        };
        let mut candidates = (0..count).filter(|j| !basis.contains(j)).map(|j| (j, gain(j))).filter(|c| c.1 > small);
        let entering = if round < 200 { candidates.max_by(|a, b| a.1.total_cmp(&b.1)) } else { candidates.next() };
        let Some((j, _)) = entering else { break };
        let mut leaving: Option<(usize, f64)> = None;
        for i in 0..rows {
            let pivot = table[i * width + j];
            if pivot > small {
                let ratio = table[i * width + count].max(0.0) / pivot;
                if leaving.is_none_or(|(k, r)| ratio < r || (ratio == r && basis[i] < basis[k])) {
                    leaving = Some((i, ratio));
                }
            }
        }
        let Some((i, _)) = leaving else { break };
        let pivot = table[i * width + j];
        table[i * width..(i + 1) * width].iter_mut().for_each(|v| *v /= pivot);
        for k in (0..rows).filter(|k| *k != i) {
            let factor = table[k * width + j];
            if factor != 0.0 {
                (0..width).for_each(|c| table[k * width + c] -= factor * table[i * width + c]);
            }
        }
        basis[i] = j;
    }
    let mut x = vec![0.0; count];
    for (i, j) in basis.into_iter().enumerate().filter(|(_, j)| *j < count) {
        x[j] = table[i * width + count].max(0.0);
    }
    x
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::{Kind, scene};

    #[test]
    fn a_box_across_the_edge_of_another_is_held_up_to_the_middle() {
        let mut scenario = scene(Kind::Stacks, 1).scenario;
        scenario.body.truncate(2);
        let world = World::new(&scenario);
        let crate::ShapeData::Box { width, height } = scenario.body[0].shape else { panic!("stacks are of boxes") };
        let load = |k: usize| if k % 3 == 1 { world.bodies[k / 3].mass * world.gravity } else { 0.0 };
        let load: Vec<f64> = (0..6).map(load).collect();
        for (aside, held) in [(0.0, true), (0.499, true), (0.501, false), (-0.5, true), (0.9, false), (1.5, false)] {
            let q = [0.0, 0.5 * height, 0.0, aside * width, 1.5 * height, 0.0];
            let missing = unbalanced(&world, &q, &touches(&world, 0.0, &q, 1e-9), &load, false);
            assert_eq!(missing < 1e-9, held, "{aside}: {missing}");
        }
    }

    /// Loads that random contact forces give must be found balanced, however nearly equal
    /// some contacts are.
    #[test]
    fn what_forces_give_is_balanced() {
        let mut random = crate::random::Random::new(5);
        for case in 0..2000 {
            let (rows, count) = (random.integer(3, 12), random.integer(1, 12));
            let mut columns: Vec<Vec<f64>> =
                (0..count).map(|_| (0..rows).map(|_| random.integer(0, 2) as f64 - 1.0).collect()).collect();
            for k in 0..count {
                // Some columns are others with a tilt.
                let (from, tilt) = (random.integer(0, count - 1), 10f64.powf(random.between(-12.0, -5.0)));
                if random.chance(0.3) {
                    columns[k] = columns[from].iter().map(|v| v + tilt * random.between(-1.0, 1.0)).collect();
                }
            }
            let forces: Vec<f64> = (0..count).map(|_| random.between(-0.5, 1.0).max(0.0)).collect();
            let load = |i: usize| columns.iter().zip(&forces).map(|(c, f)| c[i] * f).sum();
            let load: Vec<f64> = (0..rows).map(load).collect();
            let missing = infeasibility(&columns, &load);
            assert!(missing < 1e-6, "{case}: {missing}");
        }
    }

    #[test]
    fn the_first_phase_finds_what_is_missing() {
        let columns = [vec![1.0, 0.0], vec![1.0, 1.0]];
        assert!(infeasibility(&columns, &[2.0, 1.0]) < 1e-15);
        assert!((infeasibility(&columns, &[1.0, 2.0]) - 1.0).abs() < 1e-15);
        assert!((infeasibility(&columns, &[-1.0, 0.0]) - 1.0).abs() < 1e-15);
        // Two rows that are one but for round-off.
        let columns = [vec![1.0, 1.0, 1.0], vec![1.0 + 1e-9, 1.0, -1.0]];
        assert!(infeasibility(&columns, &[0.7 + 5e-10, 0.7, -0.3]) < 1e-8);
    }
}
