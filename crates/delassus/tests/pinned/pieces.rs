//! Small functions that others are made of, or that figures are drawn from: projections, graphs of laws, the structure of
//! contact problems, closed forms of the block.

use delassus::ImpactProblem;
use delassus::law::contact_problem;
use delassus::law::graphs::{Phase, graph};
use delassus::law::kinematic::block::{HomogeneousBlock, Slide};
use delassus::solve::contact::{ContactLaw, ContactProblem};
use delassus::solve::ellipse::project_ellipse;

use super::draw::{self, Random};
use super::impacts::Kind;
use super::record::{Record, Records};
use super::sparse::lattice;

fn ellipses(records: &mut Records) {
    let mut random = Random(31);
    for k in 0..24 {
        let mut values = Vec::new();
        for _ in 0..10 {
            let axis = |random: &mut Random| random.unit() * random.pick(&[1.0, 1.0, 1e-3, 0.0, 1e-200]);
            let axes = if random.chance(20) { [random.unit(); 2] } else { [axis(&mut random), axis(&mut random)] };
            let size = random.pick(&[0.5, 2.0, 2.0, 1e3, 1e160]);
            let point = [size * random.within(-1.0, 1.0), size * random.within(-1.0, 1.0)];
            values.extend(project_ellipse(point, axes));
        }
        let mut record = Record::new(format!("ellipse/{k}"));
        record.numbers('x', &values);
        records.0.push(record);
    }
}

/// Entries, rank and what is left without joints.
fn structure(name: String, problem: &ContactProblem) -> Record {
    let mut record = Record::new(name);
    let entries = |problem: &ContactProblem| -> Vec<f64> {
        let rows = 0..problem.contacts();
        rows.flat_map(|i| problem.matrix.row(i).1.to_vec()).chain(problem.vector.iter().copied()).collect()
    };
    record.word(format!("{} blocks, rank {:?}", problem.matrix.blocks(), problem.rank()));
    record.numbers('g', &entries(problem));
    match problem.without_joints() {
        Ok(free) => {
            let joints = free.laws.iter().filter(|law| **law == ContactLaw::Joint).count();
            record.word(format!("free {} blocks, rank {:?}, {joints} joints", free.matrix.blocks(), free.rank()));
            record.numbers('f', &entries(&free));
        }
        Err(error) => record.word(format!("refused:{}", error.field)),
    }
    // A matrix that is not symmetric: every third entry is another one.
    let mut spoiled = problem.clone();
    let d = problem.dimension();
    let blocks: Vec<(usize, usize, Vec<f64>)> = (0..problem.contacts())
        .flat_map(|i| {
            let (columns, values) = problem.matrix.row(i);
            let block = move |(k, &j): (usize, &u32)| (i, j as usize, values[k * d * d..(k + 1) * d * d].to_vec());
            columns.iter().enumerate().map(block).collect::<Vec<_>>()
        })
        .collect();
    for (at, (i, j, block)) in blocks.iter().enumerate().filter(|(at, _)| at % 3 == 0) {
        spoiled.matrix.add(*i, *j, block.iter().map(|v| 1e-3 * (1 + at % 5) as f64 * v));
    }
    record.numbers('a', &[problem.matrix.asymmetry(), spoiled.matrix.asymmetry()]);
    record
}

fn structures(records: &mut Records) {
    let mut random = Random(33);
    for k in 0..24 {
        let problem = lattice(&mut random, 1 + k % 3, [3, 8, 20][k / 8], k % 2 == 1);
        records.0.push(structure(format!("lattice/{k}"), &problem));
    }
    let kinds: [Kind; 4] = [
        ("stack", |random| draw::stack(random, 4)),
        ("constrained", |random| draw::system(random, true, 1, 3, true)),
        ("space", |random| draw::system(random, true, 2, 2, true)),
        ("chain", |random| draw::chain(random, 6)),
    ];
    for (kind, draw) in kinds {
        for k in 0..8 {
            let problem = ImpactProblem::new(draw(&mut random)).unwrap();
            let name = format!("impact/{kind}/{k}");
            records.0.push(match contact_problem(&problem, |element| element.restitution) {
                Ok(contacts) => structure(name, &contacts),
                Err(error) => {
                    let mut record = Record::new(name);
                    record.word(format!("refused:{}", error.field));
                    record
                }
            });
        }
    }
}

fn graphs(records: &mut Records) {
    let mut random = Random(35);
    for k in 0..12 {
        let data = draw::system(&mut random, false, 1 + k % 2, 2, true);
        let problem = ImpactProblem::new(data).unwrap();
        let impulses: Vec<f64> = (0..problem.rows()).map(|_| random.unit()).collect();
        let other: Vec<f64> = (0..problem.rows()).map(|_| 2.0 * random.unit()).collect();
        let phases = [
            Phase::Newton { impulses: &impulses },
            Phase::Compression { compression: &impulses },
            Phase::Decompression { compression: &impulses, decompression: &other },
        ];
        for (name, phase) in ["newton", "compression", "decompression"].into_iter().zip(phases) {
            let mut values = Vec::new();
            for element in problem.elements() {
                let graph = graph(&problem, element, phase);
                values.extend(graph.polyline(1.5).into_iter().flatten());
                values.extend(graph.boundary(7).into_iter().flat_map(|(point, normal)| [point, normal]).flatten());
            }
            let mut record = Record::new(format!("graph/{name}/{k}"));
            record.word(values.len());
            record.numbers('x', &values);
            records.0.push(record);
        }
    }
}

fn blocks(records: &mut Records) {
    let mut random = Random(37);
    for k in 0..10 {
        let block = HomogeneousBlock { height: random.within(0.2, 3.0), width: random.within(0.2, 3.0) };
        let mut values = vec![block.kinetic_angle(), block.sliding_ratio(), block.housner_ratio()];
        values.push(block.critical_friction());
        let friction = random.within(0.0, 2.0);
        let mut intervals = vec![Some(block.rocking_sliding()), Some(block.rocking_sticking()), block.half_rocking()];
        intervals.push(Some(block.rocking_held(friction)));
        for slide in [Slide::Left, Slide::Right] {
            values.extend([block.critical_rocking(friction, slide), block.energetic_limit(friction, slide, 0.7)]);
            intervals.extend([block.rocking_rough(friction, slide), block.half_rocking_friction(slide)]);
        }
        let margins = block.rebound(0.3, random.within(-0.5, 0.5), 0.4);
        values.extend([margins.energy, margins.striking, margins.resting]);
        let mut record = Record::new(format!("block/{k}"));
        record.word(intervals.iter().map(|i| if i.is_some() { 'y' } else { 'n' }).collect::<String>());
        values.extend(intervals.into_iter().flatten().flat_map(|i| [i.from, i.to]));
        record.numbers('x', &values);
        records.0.push(record);
    }
}

pub fn all() -> Records {
    let mut records = Records::default();
    ellipses(&mut records);
    structures(&mut records);
    graphs(&mut records);
    blocks(&mut records);
    records
}
