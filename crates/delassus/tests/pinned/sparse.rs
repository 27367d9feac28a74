//! Many contacts by blocks: every method, from zero and from a start, with joints, shifts and limits.

use std::sync::atomic::Ordering;

use delassus::Budget;
use delassus::solve::SolveStatus;
use delassus::solve::contact::{BlockMatrix, ContactLaw, ContactProblem, ContactSettings, Method, solve};

use super::asking::asking;
use super::draw::Random;
use super::packing::Packing;
use super::record::{Record, Records};

const METHODS: [Method; 4] = [Method::Auto, Method::GaussSeidel, Method::Newton, Method::Proximal];

/// Solves by each method, then anew from a start that is near.
fn all_methods(records: &mut Records, name: &str, problem: &ContactProblem, limit: Option<usize>) {
    for method in METHODS {
        let (mut limits, asked) = asking();
        limits.iterations = limit;
        let mut settings = ContactSettings { method, ..ContactSettings::default() };
        let mut r = Vec::new();
        for warm in [false, true] {
            settings.warm = warm;
            let report = solve(problem, &settings, &mut Budget::new(&limits), &mut r).unwrap();
            let mut record = Record::new(format!("{name}/{method:?}/{}", if warm { "warm" } else { "cold" }));
            record
                .word(format!("{:?} {}/{}/{}", report.status, report.iterations, report.sweeps, report.factorisations));
            record.word(format!("{}x{} asked{}", report.groups, report.largest, asked.load(Ordering::Relaxed)));
            let stages = report.stages.iter().map(|s| format!("{}{}", &s.method.as_str()[..1], s.iterations));
            record.word(stages.collect::<Vec<_>>().join(","));
            let mut u = Vec::new();
            problem.velocity(&r, &mut u);
            let tenth = problem.residual(&r.iter().map(|r| 0.9 * r).collect::<Vec<_>>(), &u);
            record.numbers('r', &[tenth.natural, tenth.scale_free]);
            if report.status == SolveStatus::Solved {
                record.numbers('x', &r);
                record.numbers('u', &u);
            }
            records.0.push(record);
            r.iter_mut().enumerate().for_each(|(i, r)| *r *= 1.0 + 0.01 * (i % 3) as f64);
        }
    }
}

/// Bodies in a row and between rows, d rows a contact, some joints: a matrix of blocks from directions at random.
pub fn lattice(random: &mut Random, dimension: usize, contacts: usize, redundant: bool) -> ContactProblem {
    let coordinates = if dimension == 3 { 6 } else { 3 };
    let bodies = if redundant { contacts / 3 + 1 } else { contacts + 1 };
    let square = coordinates * coordinates;
    let mut inverse = vec![0.0; bodies * square];
    for body in 0..bodies {
        (0..coordinates).for_each(|k| inverse[body * square + k * (coordinates + 1)] = random.pick(&[0.5, 1.0, 3.0]));
    }
    let pairs: Vec<[usize; 2]> = (0..contacts).map(|c| [c % bodies, (c + 1 + c / bodies) % bodies]).collect();
    let rows: Vec<[Vec<f64>; 2]> =
        (0..contacts).map(|_| [0; 2].map(|_| random.entries(dimension * coordinates, false))).collect();
    let matrix = ContactProblem::delassus(dimension, contacts, coordinates, &inverse, |c| {
        let side = |k: usize| delassus::solve::contact::ContactSide { body: pairs[c][k], directions: &rows[c][k] };
        let second = (pairs[c][1] != pairs[c][0]).then(|| side(1));
        [Some(side(0)), second]
    });
    let before: Vec<Vec<f64>> = (0..bodies).map(|_| random.entries(coordinates, false)).collect();
    let vector = (0..contacts * dimension).map(|row| {
        let (c, k) = (row / dimension, row % dimension);
        let part = |side: usize| {
            let w = &rows[c][side][k * coordinates..(k + 1) * coordinates];
            w.iter().zip(&before[pairs[c][side]]).map(|(w, u)| w * u).sum::<f64>()
        };
        part(0) + if pairs[c][1] != pairs[c][0] { part(1) } else { 0.0 }
    });
    let vector = vector.collect();
    let laws = (0..contacts).map(|_| {
        if random.chance(12) {
            return ContactLaw::Joint;
        }
        let mu = random.pick(&[0.0, 0.2, 0.5, 1.0]);
        let other = if random.chance(30) { random.pick(&[0.1, 0.7]) } else { mu };
        ContactLaw::Contact { friction: [mu, other], shift: if random.chance(15) { random.unit() } else { 0.0 } }
    });
    ContactProblem { matrix, vector, laws: laws.collect() }
}

/// Groups of contacts that share no body.
fn apart(random: &mut Random) -> ContactProblem {
    let mut blocks = Vec::new();
    for c in 0..6 {
        let w = random.entries(9, false);
        let entry = |i: usize, j: usize| -> f64 {
            (0..3).map(|k| w[3 * i + k] * w[3 * j + k]).sum::<f64>() + f64::from(u8::from(i == j))
        };
        blocks.push((c, c, (0..9).map(|k| entry(k / 3, k % 3)).collect::<Vec<f64>>()));
    }
    let matrix = BlockMatrix::from_blocks(3, 6, blocks.iter().map(|(i, j, b)| (*i, *j, &b[..])));
    ContactProblem::coulomb(matrix, random.entries(18, false), &[0.0, 0.2, 0.5, 0.8, 2.0, 0.3])
}

pub fn plane() -> Records {
    let (mut records, mut random) = (Records::default(), Random(21));
    for k in 0..8 {
        let dimension = 1 + k % 2;
        let problem = lattice(&mut random, dimension, [6, 14, 30, 60][k / 2], k % 3 == 2);
        all_methods(&mut records, &format!("lattice-{dimension}/{k}"), &problem, None);
    }
    records
}

pub fn space() -> Records {
    let (mut records, mut random) = (Records::default(), Random(22));
    for k in 0..6 {
        let problem = lattice(&mut random, 3, [4, 12, 30][k / 2], k % 2 == 1);
        all_methods(&mut records, &format!("lattice-3/{k}"), &problem, None);
    }
    all_methods(&mut records, "apart", &apart(&mut random), None);
    for (contacts, seed, friction) in [(60, 1, 0.3), (150, 2, 0.6)] {
        all_methods(
            &mut records,
            &format!("spheres-{contacts}"),
            &Packing::spheres(contacts, seed).problem(friction),
            None,
        );
    }
    all_methods(&mut records, "few", &Packing::spheres(60, 3).problem(0.4), Some(7));
    records
}
