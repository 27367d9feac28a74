//! Shapes of bodies in a pile: none reaches farther than 0.24 m from its centre of mass.

use delassus::scenario::{PartData, ShapeData};

use crate::random::Random;

pub fn rectangle(width: f64, height: f64) -> ShapeData {
    ShapeData::Box { width, height }
}

pub fn any_shape(random: &mut Random) -> ShapeData {
    match random.integer(0, 11) {
        0..=3 => rectangle(random.round(0.1, 0.33), random.round(0.1, 0.33)),
        4..=6 => ShapeData::Disk { radius: random.round(0.04, 0.15) },
        7..=8 => polygon(random),
        9 => ShapeData::Rod { length: random.round(0.1, 0.45) },
        _ => compound(random),
    }
}

/// Corners on a circle of radius 0.15: convex, and never thin.
fn polygon(random: &mut Random) -> ShapeData {
    let count = random.integer(3, 6);
    let first = random.between(0.0, 6.0);
    let angle = |k: usize, random: &mut Random| {
        first + (k as f64 + random.between(-0.3, 0.3)) * std::f64::consts::TAU / count as f64
    };
    let corner = |a: f64| [0.15 * a.cos(), 0.15 * a.sin()].map(|v| (1e4 * v).round() / 1e4);
    ShapeData::Polygon { vertices: (0..count).map(|k| corner(angle(k, random))).collect() }
}

fn part(shape: ShapeData, mass: f64, position: [f64; 2], angle: f64) -> PartData {
    PartData { shape, mass, position, angle }
}

fn compound(random: &mut Random) -> ShapeData {
    let mass = random.one_of(&[0.5, 1.0, 2.0]);
    let part = match random.integer(0, 2) {
        // A dumb-bell.
        0 => {
            let half = random.round(0.05, 0.12);
            let disk = || ShapeData::Disk { radius: 0.05 };
            vec![part(disk(), mass, [-half, 0.0], 0.0), part(disk(), 1.0, [half, 0.0], 0.0)]
        }
        // An L of two boxes.
        1 => vec![
            part(rectangle(0.2, 0.06), mass, [0.0, 0.0], 0.0),
            part(rectangle(0.06, 0.14), mass, [-0.07, 0.1], 0.0),
        ],
        // A disk on the end of a bar.
        _ => vec![
            part(rectangle(0.2, 0.04), mass, [0.0, 0.0], random.round(-0.5, 0.5)),
            part(ShapeData::Disk { radius: 0.05 }, mass, [0.1, 0.0], 0.0),
        ],
    };
    ShapeData::Compound { part }
}
