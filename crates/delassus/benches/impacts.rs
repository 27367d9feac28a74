//! Impacts per second through the batch door: M and W change from impact to
//! impact, so that factoring M and assembling G are included.

use std::hint::black_box;

use delassus::law::{Newton, Poisson};
use delassus::{
    ContactData, ImpactOutcome, ImpactProblem, LawSpec, Mass, Options, ProblemData, Solutions, Workspace, resolve_into,
};

fn main() {
    divan::main();
}

/// A number in [0, 1) from a 64-bit state (splitmix64).
fn unit(state: &mut u64) -> f64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut x = *state;
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    ((x ^ (x >> 31)) >> 11) as f64 / (1u64 << 53) as f64
}

struct Batch {
    problem: ImpactProblem,
    n: usize,
    rows: usize,
    masses: Vec<f64>,
    directions: Vec<f64>,
    velocities: Vec<f64>,
}

const COUNT: usize = 1000;

/// Random problems: `contacts` frictional contacts with `tangents` tangents on `n` coordinates.
fn batch(contacts: usize, tangents: usize, n: usize) -> Batch {
    let mut state = 7;
    let symmetric = |state: &mut u64| 2.0 * unit(state) - 1.0;
    let rows = (1 + tangents) * contacts;
    let (mut masses, mut directions, mut velocities) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..COUNT {
        let a: Vec<f64> = (0..n * n).map(|_| symmetric(&mut state)).collect();
        for i in 0..n {
            for j in 0..n {
                let product: f64 = (0..n).map(|k| a[i * n + k] * a[j * n + k]).sum();
                masses.push(product + if i == j { 0.5 } else { 0.0 });
            }
        }
        let w: Vec<f64> = (0..n * rows).map(|_| symmetric(&mut state)).collect();
        // Every contact approaches: u⁻ against the sum of the normals.
        let mut u: Vec<f64> = (0..n).map(|_| 0.3 * symmetric(&mut state)).collect();
        for c in 0..contacts {
            (0..n).for_each(|i| u[i] -= w[(1 + tangents) * c * n + i]);
        }
        directions.extend(w);
        velocities.extend(u);
    }
    let identity = (0..n * n).map(|k| f64::from(u8::from(k % (n + 1) == 0))).collect();
    let mut data = ProblemData::new(Mass::dense(n, identity).unwrap(), vec![0.0; n]);
    for c in 0..contacts {
        let direction = vec![1.0; n];
        let mut contact =
            ContactData::new(format!("{c}"), direction.clone()).restitution(0.5).restitution_tangential(0.2);
        contact.tangents = vec![direction.into(); tangents];
        data = data.with_contact(contact.friction(0.3));
    }
    Batch { problem: ImpactProblem::new(data).unwrap(), n, rows, masses, directions, velocities }
}

fn run(bencher: divan::Bencher<'_, '_>, contacts: usize, tangents: usize, n: usize, law: LawSpec) {
    let mut batch = batch(contacts, tangents, n);
    let (mut work, mut outcome) = (Workspace::default(), ImpactOutcome::default());
    let options = Options { solutions: Solutions::First, ..Options::default() };
    bencher.counter(divan::counter::ItemsCount::new(COUNT)).bench_local(|| {
        let (n, rows) = (batch.n, batch.rows);
        for k in 0..COUNT {
            let mass = &batch.masses[k * n * n..(k + 1) * n * n];
            let directions = &batch.directions[k * n * rows..(k + 1) * n * rows];
            let velocity = &batch.velocities[k * n..(k + 1) * n];
            batch.problem.set_configuration(mass, directions, velocity).unwrap();
            resolve_into(&batch.problem, &law, &options, &mut work, &mut outcome).unwrap();
            black_box(&outcome);
        }
    });
}

#[divan::bench]
fn newton_one_contact(bencher: divan::Bencher<'_, '_>) {
    run(bencher, 1, 1, 3, LawSpec::Newton(Newton::default()));
}

#[divan::bench]
fn poisson_one_contact(bencher: divan::Bencher<'_, '_>) {
    run(bencher, 1, 1, 3, LawSpec::Poisson(Poisson::default()));
}

#[divan::bench]
fn newton_four_contacts(bencher: divan::Bencher<'_, '_>) {
    run(bencher, 4, 1, 6, LawSpec::Newton(Newton::default()));
}

#[divan::bench]
fn poisson_four_contacts(bencher: divan::Bencher<'_, '_>) {
    run(bencher, 4, 1, 6, LawSpec::Poisson(Poisson::default()));
}

#[divan::bench]
fn newton_one_spatial_contact(bencher: divan::Bencher<'_, '_>) {
    run(bencher, 1, 2, 6, LawSpec::Newton(Newton::default()));
}

#[divan::bench]
fn newton_three_spatial_contacts(bencher: divan::Bencher<'_, '_>) {
    run(bencher, 3, 2, 9, LawSpec::Newton(Newton::default()));
}

/// Factoring M and assembling G alone.
#[divan::bench]
fn assemble_one_contact(bencher: divan::Bencher<'_, '_>) {
    let mut batch = batch(1, 1, 3);
    bencher.counter(divan::counter::ItemsCount::new(COUNT)).bench_local(|| {
        for k in 0..COUNT {
            let mass = &batch.masses[k * 9..(k + 1) * 9];
            let directions = &batch.directions[k * 6..(k + 1) * 6];
            let velocity = &batch.velocities[k * 3..(k + 1) * 3];
            batch.problem.set_configuration(mass, directions, velocity).unwrap();
            black_box(&batch.problem);
        }
    });
}

/// The law and its checks alone, with M and G at hand.
#[divan::bench]
fn newton_one_contact_prepared(bencher: divan::Bencher<'_, '_>) {
    let mut batch = batch(1, 1, 3);
    let problems: Vec<ImpactProblem> = (0..COUNT)
        .map(|k| {
            let mass = &batch.masses[k * 9..(k + 1) * 9];
            let directions = &batch.directions[k * 6..(k + 1) * 6];
            batch.problem.set_configuration(mass, directions, &batch.velocities[k * 3..(k + 1) * 3]).unwrap();
            batch.problem.clone()
        })
        .collect();
    let law = LawSpec::Newton(Newton::default());
    let (mut work, mut outcome) = (Workspace::default(), ImpactOutcome::default());
    let options = Options { solutions: Solutions::First, ..Options::default() };
    bencher.counter(divan::counter::ItemsCount::new(COUNT)).bench_local(|| {
        for problem in &problems {
            resolve_into(problem, &law, &options, &mut work, &mut outcome).unwrap();
            black_box(&outcome);
        }
    });
}
