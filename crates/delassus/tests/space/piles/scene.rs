//! Piles drawn at random: shapes, places, velocities, materials.

use std::fmt::Write;

/// Random numbers in [0, 1).
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }

    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.next()
    }
}

/// A shape about its centre, in its own frame.
#[derive(Debug, Clone)]
pub enum Shape {
    /// The points of a convex body, or of none: a ball, a rod with round ends.
    Points(Vec<[f64; 3]>, f64),
    /// A cylinder along z.
    Cylinder(f64, f64),
}

/// A pile before it falls.
pub struct Pile {
    pub shapes: Vec<Shape>,
    /// Half the width of its box; none: a floor alone.
    pub half: Option<f64>,
    pub step: f64,
    text: String,
}

impl Pile {
    pub fn new(seed: u64) -> Self {
        let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(11));
        (0..3).for_each(|_| {
            random.next();
        });
        let count = 2 + (9.0 * random.next()) as usize;
        let half = (random.next() < 0.6).then(|| random.between(0.13, 0.3));
        let step = 1e-3;
        let mut text = String::from("[world]\ndimension = 3\n");
        match half {
            Some(half) => {
                let width = 2.0 * half;
                let _ = writeln!(text, "[[container]]\nname = 'box'\nsize = [{width}, {width}, 3.0]");
            }
            None => text.push_str("[[ground]]\nname = 'floor'\n"),
        }
        let mut shapes = Vec::new();
        for k in 0..count {
            let (shape, table) = shape(&mut random);
            // One above the other, so that none overlap: all fit into balls of radius 0.11.
            let spread = half.map_or(0.1, |half| half - 0.12);
            let place = [random.between(-spread, spread), random.between(-spread, spread), 0.12 + 0.23 * k as f64];
            let four: [f64; 4] = std::array::from_fn(|_| random.between(-1.0, 1.0));
            let velocity: [f64; 3] = std::array::from_fn(|_| random.between(-1.0, 1.0));
            let spin: [f64; 3] = std::array::from_fn(|_| random.between(-8.0, 8.0));
            let _ = writeln!(
                text,
                "[[body]]\nname = 'b{k}'\n{table}\nmass = {}\nposition = {place:?}\norientation = {four:?}\n\
                 velocity = {velocity:?}\nspin = {spin:?}",
                random.between(0.2, 3.0)
            );
            shapes.push(shape);
        }
        let (friction, restitution) = (random.between(0.0, 0.9), random.between(-0.2, 0.7).max(0.0));
        let _ = writeln!(
            text,
            "[material]\nfriction = {friction}\nrestitution = {restitution}\n[integrator]\nstep = {step:?}\n\
             [until]\ntime = 1.2\n[output]\ninterval = 0.02"
        );
        Self { shapes, half, step, text }
    }

    /// The pile as a scenario file.
    pub fn text(&self) -> String {
        self.text.clone()
    }
}

/// A shape within a ball of radius 0.11, and how files write it.
fn shape(random: &mut Random) -> (Shape, String) {
    let corners = |half: [f64; 3]| -> Vec<[f64; 3]> {
        (0..8).map(|k: usize| std::array::from_fn(|i| if k >> i & 1 == 1 { half[i] } else { -half[i] })).collect()
    };
    match (5.0 * random.next()) as usize {
        0 => {
            let radius = random.between(0.03, 0.1);
            (Shape::Points(vec![[0.0; 3]], radius), format!("shape.sphere.radius = {radius}"))
        }
        1 | 2 => {
            let size: [f64; 3] = std::array::from_fn(|_| random.between(0.04, 0.12));
            (Shape::Points(corners(size.map(|s| 0.5 * s)), 0.0), format!("shape.cuboid.size = {size:?}"))
        }
        3 => {
            let (radius, length) = (random.between(0.02, 0.04), random.between(0.04, 0.12));
            let ends = vec![[0.0, 0.0, -0.5 * length], [0.0, 0.0, 0.5 * length]];
            (Shape::Points(ends, radius), format!("shape.capsule = {{ radius = {radius}, length = {length} }}"))
        }
        _ => {
            let (radius, height) = (random.between(0.03, 0.07), random.between(0.02, 0.14));
            let table = format!("shape.cylinder = {{ radius = {radius}, height = {height} }}");
            (Shape::Cylinder(radius, 0.5 * height), table)
        }
    }
}
