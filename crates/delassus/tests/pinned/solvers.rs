//! Solvers by themselves: inclusions, all their solutions, linear complementarity problems.

use std::sync::atomic::Ordering;

use delassus::Budget;
use delassus::solve::complementarity::{MOST_ROWS, decide};
use delassus::solve::enumerate::{EnumerateWork, combinations, enumerate};
use delassus::solve::lemke::{self, LemkeWork};
use delassus::solve::spatial::{self, SpatialWork, find_several};
use delassus::solve::{Cone, Inclusion, SolveReport, SolveStatus, SolveWork, planar as plane, solve_within};

use super::asking::asking;
use super::draw::Random;
use super::record::{Record, Records};

/// An inclusion that owns its data.
struct Case {
    matrix: Vec<f64>,
    vector: Vec<f64>,
    cones: Vec<Cone>,
}

impl Case {
    /// G = DDᵀ with directions at random: integers, few coordinates (redundant) or many, joints first.
    fn draw(random: &mut Random, tangents: usize, contacts: usize, degenerate: bool) -> Self {
        let joints = if random.chance(30) { 1 + random.below(2) } else { 0 };
        let rows = joints + contacts * (1 + tangents);
        let integers = degenerate && random.chance(50);
        let size = if degenerate && random.chance(50) { rows.div_ceil(2) + 1 } else { rows + 1 };
        let unit = random.pick(&[1.0, 1.0, 1e-3, 1e4]);
        let directions: Vec<Vec<f64>> = (0..rows)
            .map(|_| {
                let mut row = random.entries(size, integers);
                if row.iter().all(|v| *v == 0.0) {
                    row[0] = 1.0;
                }
                row.iter().map(|v| unit * v).collect()
            })
            .collect();
        let product = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let matrix =
            directions.iter().flat_map(|a| directions.iter().map(|b| product(a, b)).collect::<Vec<_>>()).collect();
        // In the range of G, mostly: velocities of a system.
        let before = random.entries(size, integers);
        let mut vector: Vec<f64> = directions.iter().map(|d| product(d, &before)).collect();
        if random.chance(15) {
            vector = random.entries(rows, integers);
        }
        if degenerate && random.chance(20) {
            // Decisions that hang on less than the certified tolerance.
            let little = random.pick(&[1e-15, -1e-15, 1e-10, -1e-10, 1e-8]);
            vector[joints] = little * unit;
        }
        let mut cones: Vec<Cone> = (0..joints).map(|row| Cone::Free { row }).collect();
        for c in 0..contacts {
            let normal = joints + c * (1 + tangents);
            cones.push(Cone::Unilateral { row: normal });
            let friction = random.pick(&[0.0, 0.1, 0.3, 0.6, 1.0, 2.5, 2000.0]);
            let shift = if random.chance(20) { random.unit() } else { 0.0 };
            match tangents {
                1 => cones.push(Cone::Line { row: normal + 1, normal, friction, shift }),
                2 => {
                    let other = if random.chance(50) { friction } else { random.pick(&[0.0, 0.2, 0.7, 1.3]) };
                    cones.push(Cone::Ellipse { row: normal + 1, normal, friction: [friction, other], shift });
                }
                _ => {}
            }
        }
        Self { matrix, vector, cones }
    }

    fn inclusion(&self) -> Inclusion<'_> {
        Inclusion { matrix: &self.matrix, vector: &self.vector, cones: &self.cones, speed: 0.0 }
    }
}

fn describe(record: &mut Record, report: &SolveReport, x: &[f64]) {
    record.word(format!("{:?} {}/{}", report.status, report.iterations, report.restarts));
    record.word(format!("{}{}", report.found, if report.complete { "" } else { "+" }));
    if report.unique.is_some() {
        record.word("one");
    }
    if report.status == SolveStatus::Solved {
        record.numbers('x', x);
    }
}

fn inclusions(records: &mut Records, name: &str, sizes: &[(usize, usize, usize)]) {
    let mut work = SolveWork::default();
    let mut random = Random(sizes.len() as u64 + 40);
    for &(tangents, contacts, count) in sizes {
        for k in 0..count {
            let case = Case::draw(&mut random, tangents, contacts, k % 3 != 0);
            let (mut limits, asked) = asking();
            limits.iterations = (k % 10 == 9).then_some(2 + k % 7);
            let mut x = vec![0.0; case.vector.len()];
            let report = solve_within(&case.inclusion(), &mut Budget::new(&limits), &mut work, &mut x);
            let mut record = Record::new(format!("{name}/{contacts}x{tangents}/{k}"));
            describe(&mut record, &report, &x);
            if asked.load(Ordering::Relaxed) > 0 {
                record.word(format!("asked{}", asked.load(Ordering::Relaxed)));
            }
            records.0.push(record);
        }
    }
}

pub fn planar() -> Records {
    let mut records = Records::default();
    inclusions(
        &mut records,
        "planar",
        &[(1, 1, 60), (1, 2, 40), (1, 5, 40), (1, 12, 20), (0, 6, 30), (0, 30, 6), (1, 35, 4)],
    );
    // The exact method alone, also for what is held so strongly that another is tried first.
    let (mut random, mut work) = (Random(3), plane::PlanarWork::default());
    for k in 0..40 {
        let case = Case::draw(&mut random, 1, 1 + k % 4, true);
        let mut x = vec![0.0; case.vector.len()];
        let report = plane::solve(&case.inclusion(), &mut work, &mut x);
        let mut record = Record::new(format!("exact/{k}"));
        describe(&mut record, &report, &x);
        records.0.push(record);
    }
    records
}

pub fn spatial() -> Records {
    let mut records = Records::default();
    inclusions(&mut records, "spatial", &[(2, 1, 80), (2, 2, 30), (2, 4, 20), (2, 9, 6), (2, 30, 1)]);
    let (mut random, mut work, mut solutions) = (Random(5), SpatialWork::default(), Vec::new());
    for k in 0..90 {
        let case = Case::draw(&mut random, 2, if k < 70 { 1 } else { 2 + k % 2 }, k % 4 != 0);
        let report = find_several(&case.inclusion(), 6, &mut work, &mut solutions);
        let mut record = Record::new(format!("several/{k}"));
        describe(&mut record, &report, &[]);
        record.numbers('x', solutions.iter().flat_map(|s| &s.x));
        record.numbers('e', solutions.iter().map(|s| &s.effort));
        if spatial::is_unique(&case.inclusion(), &mut work) {
            record.word("weak");
        }
        records.0.push(record);
    }
    records
}

pub fn enumerations() -> Records {
    let mut records = Records::default();
    let (mut random, mut work, mut solutions) = (Random(9), EnumerateWork::default(), Vec::new());
    for k in 0..150 {
        let case = Case::draw(&mut random, k % 7 % 2, 1 + k % 4, k % 3 != 0);
        let found = enumerate(&case.inclusion(), &mut work, &mut solutions);
        let mut record = Record::new(format!("enumerate/{k}"));
        record.word(format!("{found:?} {} of {}", solutions.len(), combinations(&case.inclusion(), &mut work)));
        for s in &solutions {
            let mark = |set: bool, mark: &'static str| if set { mark } else { "" };
            record.word(format!("{}{}{}", s.dimension, mark(s.varies, "v"), mark(s.loose, "l")));
        }
        // A set of solutions is told by its ξ; which x stands for it is a choice.
        record.numbers('x', solutions.iter().flat_map(|s| s.x.iter().chain(&s.xi)));
        record.numbers('e', solutions.iter().map(|s| &s.effort));
        records.0.push(record);
    }
    records
}

pub fn complementarity() -> Records {
    let mut records = Records::default();
    let (mut random, mut work) = (Random(13), LemkeWork::default());
    for k in 0..150 {
        let n = [1, 2, 3, 5, 8, 14, 30, 70][k % 8];
        let integers = k % 3 == 1;
        let mut matrix = random.entries(n * n, integers);
        // Symmetric and semidefinite, skew with some diagonal, or anything.
        if k % 3 < 2 {
            let root = matrix.clone();
            let rank = if k % 5 == 0 { n.div_ceil(2) } else { n };
            for i in 0..n {
                for j in 0..n {
                    matrix[i * n + j] = (0..rank).map(|l| root[i * n + l] * root[j * n + l]).sum::<f64>()
                        + if k % 4 == 0 { 0.3 * (root[i * n + j] - root[j * n + i]) } else { 0.0 };
                }
            }
        }
        let vector: Vec<f64> = random.entries(n, integers).iter().map(|q| q - 0.2).collect();
        let (limits, asked) = asking();
        let mut z = vec![0.0; n];
        let report = lemke::solve_within(&matrix, &vector, &mut Budget::new(&limits), &mut work, &mut z);
        let mut record = Record::new(format!("lemke/{n}/{k}"));
        let asked = asked.load(Ordering::Relaxed);
        record.word(format!("{:?} {}/{} asked{asked}", report.status, report.pivots, report.restarts));
        record.numbers('x', &z);
        if n <= MOST_ROWS {
            let (decision, cases) = decide(&matrix, &vector, 1e-9, &mut z);
            record.word(format!("{decision:?} {cases}"));
            record.numbers('z', &z);
        }
        records.0.push(record);
    }
    records
}
