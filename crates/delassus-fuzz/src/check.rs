//! An outcome judged a second time, from the problem's data and the impulses.

use delassus::{Direction, ImpactOutcome, ImpactProblem, ProblemData, Status};

/// Sums in double precision, relative to the sum of their terms.
const ROUND_OFF: f64 = 1e-9;

/// Whether a sum vanishes as far as its terms let it, or beside something of that size.
fn vanishes(terms: impl IntoIterator<Item = f64>, beside: f64) -> bool {
    let (mut sum, mut size) = (0.0, beside);
    for term in terms {
        sum += term;
        size += term.abs();
    }
    // Where terms overflow or vanish below the smallest number nothing can be said.
    !(1e-280..1e300).contains(&size) || sum.abs() <= ROUND_OFF * size
}

fn along(direction: &Direction, n: usize) -> Vec<f64> {
    match direction {
        Direction::Dense(values) => values.clone(),
        Direction::Sparse(entries) => {
            let mut values = vec![0.0; n];
            entries.iter().for_each(|&(index, value)| values[index] += value);
            values
        }
    }
}

/// All directions with their offsets, row by row as in the problem.
fn rows(data: &ProblemData) -> Vec<(Vec<f64>, f64)> {
    let n = data.velocity.len();
    let mut rows = Vec::new();
    let mut push = |direction: &Direction, offset: Option<&f64>| {
        rows.push((along(direction, n), offset.copied().unwrap_or(0.0)));
    };
    for contact in &data.contacts {
        let directions = std::iter::once(&contact.normal).chain(&contact.tangents);
        directions.enumerate().for_each(|(k, d)| push(d, contact.offset.get(k)));
    }
    data.clutches.iter().for_each(|clutch| push(&clutch.direction, Some(&clutch.offset)));
    for joint in &data.joints {
        joint.directions.iter().enumerate().for_each(|(k, d)| push(d, joint.offset.get(k)));
    }
    rows
}

/// Panics where an outcome holds what is not finite, or where velocities,
/// energies or checks do not follow from its impulses.
pub fn check(data: &ProblemData, problem: &ImpactProblem, outcome: &ImpactOutcome) {
    let status = outcome.status();
    if !status.has_answer() {
        return;
    }
    let answer = &outcome.answer;
    let finite = |name: &str, values: &[f64]| {
        assert!(values.iter().all(|v| v.is_finite()), "{status:?}: {name} is not finite: {values:?}");
    };
    finite("the impulse", &answer.impulses);
    finite("the impulse of compression", &answer.compression);
    finite("the velocity", &outcome.u_plus);
    finite("the relative velocity", &outcome.gamma_plus);
    finite("the relative velocity after compression", &outcome.gamma_compression);
    let energy = &outcome.energy;
    finite("the work", &energy.work);
    finite("the energy", &[energy.before, energy.after, energy.contacts, energy.supports, energy.external]);
    let c = &outcome.certificate;
    finite("the certificate", &[c.kinematic, c.kinetic, c.energetic, c.momentum, c.inclusion.unwrap_or(0.0)]);
    for other in &answer.alternatives {
        finite("another solution", &other.impulses);
        finite("another solution's compression", &other.compression);
    }

    let (n, rows) = (data.velocity.len(), rows(data));
    assert_eq!(rows.len(), answer.impulses.len());
    let mass = data.mass.to_dense();
    let m = |i: usize, j: usize| mass[i * n + j];
    let (before, after) = (&data.velocity, &outcome.u_plus);
    let largest = energy.before.max(energy.after);
    // Where a force far greater is held, what moves is its round-off.
    let held = largest <= 1e-20 * driving(data, &mass_inverse_times(data), problem);
    for i in 0..n {
        let inertia = (0..n).flat_map(|j| [m(i, j) * after[j], -m(i, j) * before[j]]);
        let impulses = rows.iter().zip(&answer.impulses).map(|(row, impulse)| -row.0[i] * impulse);
        let external = data.impulse.get(i).map(|f| -f);
        assert!(
            status != Status::Solved
                || held
                || vanishes(inertia.chain(impulses).chain(external), (2.0 * largest * m(i, i)).sqrt()),
            "momentum {i} is not balanced"
        );
    }
    for (k, (row, offset)) in rows.iter().enumerate() {
        let terms = row.iter().zip(after).map(|(w, u)| w * u);
        assert!(vanishes(terms.chain([*offset, -outcome.gamma_plus[k]]), 0.0), "γ⁺ of row {k} is not Wᵀu⁺ + χ");
    }
    let squares = (0..n * n).map(|k| 0.5 * after[k / n] * m(k / n, k % n) * after[k % n]);
    assert!(vanishes(squares.chain([-energy.after]), 0.0), "T⁺ is not ½u⁺ᵀMu⁺");
    let total = [energy.after, -energy.before, -energy.contacts, -energy.supports, -energy.external];
    let works = energy.work.iter().copied().chain([-energy.contacts]);
    assert!(vanishes(works, 0.0), "the work of all contacts is not the sum of their works");
    let nothing = held && energy.before == 0.0;
    assert!(status != Status::Solved || nothing || vanishes(total, 0.0), "the energies are not balanced: {energy:?}");
    residuals(problem, outcome);
}

/// M⁻¹F.
fn mass_inverse_times(data: &ProblemData) -> Vec<f64> {
    let mut velocity = data.impulse.clone();
    if !velocity.is_empty() {
        data.mass.solve(&mut velocity);
    }
    velocity
}

/// The energy that the external impulse or a moving support could give.
fn driving(data: &ProblemData, change: &[f64], problem: &ImpactProblem) -> f64 {
    let external: f64 = data.impulse.iter().zip(change).map(|(f, v)| 0.5 * f * v).sum();
    let support = |(i, chi): (usize, &f64)| 0.5 * chi * chi / problem.operator().get(i, i);
    problem.offset().iter().enumerate().map(support).fold(external, f64::max)
}

/// The admissibility of velocities and impulses, recomputed.
fn residuals(problem: &ImpactProblem, outcome: &ImpactOutcome) {
    let energy = outcome.energy.before.max(outcome.energy.after);
    let driven = problem.external_impulse().is_some() || problem.has_moving_support();
    if outcome.status() != Status::Solved || driven || !(1e-250..1e250).contains(&energy) {
        return;
    }
    let speed = (2.0 * energy).sqrt();
    let (mut penetration, mut pull, mut largest) = (0f64, 0f64, 1f64);
    for element in problem.elements() {
        let rows = element.rows.clone();
        let scale = (rows.clone().map(|r| problem.operator().get(r, r)).sum::<f64>() / rows.len() as f64).sqrt();
        rows.clone().for_each(|r| largest = largest.max(outcome.impulses()[r].abs() * scale / speed));
        match element.kind {
            delassus::ElementKind::Normal | delassus::ElementKind::Clutch => {
                penetration = penetration.max(-outcome.gamma_plus[rows.start] / (scale * speed));
                pull = pull.max(-outcome.impulses()[rows.start] * scale / speed);
            }
            delassus::ElementKind::Joint => {
                rows.for_each(|r| penetration = penetration.max(outcome.gamma_plus[r].abs() / (scale * speed)));
            }
            delassus::ElementKind::Friction => {}
        }
    }
    let (told, least) = (&outcome.certificate, 1e-10);
    assert!(
        (penetration - told.kinematic).abs() <= least + 1e-6 * penetration,
        "penetration is {penetration:e}, not {:e}",
        told.kinematic
    );
    assert!(
        pull / largest <= told.kinetic + least,
        "a contact pulls with {:e}, not {:e}",
        pull / largest,
        told.kinetic
    );
}
