//! A problem whose configuration changes from impact to impact.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use delassus::law::Newton;
use delassus::{
    Budget, ClutchData, ContactData, ErrorKind, ImpactError, ImpactProblem, KineticMetric, LawSpec, Limits, Mass,
    MassEntries, ProblemData, Stop, resolve,
};

const MASS: [f64; 9] = [2.0, 0.1, 0.0, 0.1, 2.0, 0.3, 0.0, 0.3, 0.5];
const DIRECTIONS: [f64; 6] = [0.0, 1.0, 0.4, 1.0, 0.0, -0.7];
const VELOCITY: [f64; 3] = [0.5, -1.0, 0.2];

fn problem(mass: &[f64], directions: &[f64], velocity: &[f64]) -> ImpactProblem {
    let mass = Mass::dense(3, mass.to_vec()).unwrap();
    let contact = ContactData::new("A", directions[..3].to_vec()).tangent(directions[3..].to_vec());
    let contact = contact.friction(0.4).restitution(0.6).restitution_tangential(0.1);
    ImpactProblem::new(ProblemData::new(mass, velocity).with_contact(contact)).unwrap()
}

/// The same elements in another configuration.
fn other() -> ImpactProblem {
    problem(&[1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0], &[1.0, 0.0, 0.0, 0.0, 1.0, 0.0], &[1.0, 1.0, 1.0])
}

#[test]
fn a_new_configuration_equals_a_new_problem() {
    let fresh = problem(&MASS, &DIRECTIONS, &VELOCITY);
    let mut reused = other();
    reused.set_configuration(&MASS, &DIRECTIONS, &VELOCITY).unwrap();
    assert_eq!(reused.operator(), fresh.operator());
    assert_eq!(reused.gamma_minus(), fresh.gamma_minus());
    assert_eq!(reused.energy_minus(), fresh.energy_minus());
    let law = LawSpec::Newton(Newton::default());
    assert_eq!(resolve(&reused, &law).unwrap().u_plus, resolve(&fresh, &law).unwrap().u_plus);
}

/// Diagonal masses stay diagonal, and what is not given stays as it was.
#[test]
fn parts_of_a_configuration_equal_a_new_problem() {
    let diagonal = |mass: [f64; 3], directions: &[f64]| {
        let contact = ContactData::new("A", directions[..3].to_vec()).tangent(directions[3..].to_vec());
        let contact = contact.friction(0.4).restitution(0.6).restitution_tangential(0.1);
        let mass = Mass::diagonal(mass.to_vec()).unwrap();
        ImpactProblem::new(ProblemData::new(mass, VELOCITY).with_contact(contact)).unwrap()
    };
    let same = |reused: &ImpactProblem, fresh: &ImpactProblem| {
        assert_eq!(reused.mass(), fresh.mass());
        assert_eq!(reused.operator(), fresh.operator());
        assert_eq!(reused.energy_minus(), fresh.energy_minus());
        let law = LawSpec::Newton(Newton::default());
        assert_eq!(resolve(reused, &law).unwrap().u_plus, resolve(fresh, &law).unwrap().u_plus);
    };
    let mut reused = diagonal([1.0, 1.0, 1.0], &[1.0; 6]);
    reused.configure(Some(MassEntries::Diagonal(&[2.0, 3.0, 0.7])), Some(&DIRECTIONS), &VELOCITY).unwrap();
    assert!(reused.mass().is_diagonal());
    same(&reused, &diagonal([2.0, 3.0, 0.7], &DIRECTIONS));
    reused.configure(Some(MassEntries::Diagonal(&[5.0, 3.0, 0.7])), None, &VELOCITY).unwrap();
    same(&reused, &diagonal([5.0, 3.0, 0.7], &DIRECTIONS));
    reused.configure(None, Some(&[0.5; 6]), &VELOCITY).unwrap();
    same(&reused, &diagonal([5.0, 3.0, 0.7], &[0.5; 6]));
    for (entries, words) in [(vec![1.0, -2.0, 1.0], "mass[1] = -2"), (vec![1.0; 2], "needs 3 entries")] {
        let error = reused.configure(Some(MassEntries::Diagonal(&entries)), None, &VELOCITY).unwrap_err();
        assert!(error.to_string().contains(words), "{error}");
    }
    reused.configure(Some(MassEntries::Diagonal(&[2.0, 3.0, 0.7])), Some(&DIRECTIONS), &VELOCITY).unwrap();
    same(&reused, &diagonal([2.0, 3.0, 0.7], &DIRECTIONS));
}

/// Spoils one entry and expects an error with these words, after which a sound configuration works.
fn expect_error(words: &[&str], spoil: impl Fn(&mut Vec<f64>, &mut Vec<f64>, &mut Vec<f64>)) {
    let mut problem = other();
    let (mut mass, mut directions, mut velocity) = (MASS.to_vec(), DIRECTIONS.to_vec(), VELOCITY.to_vec());
    spoil(&mut mass, &mut directions, &mut velocity);
    let message = problem.set_configuration(&mass, &directions, &velocity).unwrap_err().to_string();
    for word in words {
        assert!(message.contains(word), "{message:?} does not say {word:?}");
    }
    problem.set_configuration(&MASS, &DIRECTIONS, &VELOCITY).unwrap();
}

#[test]
fn spoilt_configurations_are_refused() {
    expect_error(&["velocity", "3 entries"], |_, _, u| u.truncate(2));
    expect_error(&["velocity[1]", "NaN"], |_, _, u| u[1] = f64::NAN);
    expect_error(&["velocity[2]", "inf"], |_, _, u| u[2] = f64::INFINITY);
    expect_error(&["velocity", "energy"], |_, _, u| u[0] = 1e200);
    expect_error(&["directions", "2 directions of 3"], |_, w, _| w.truncate(5));
    expect_error(&["directions[0]", "NaN"], |_, w, _| w[1] = f64::NAN);
    expect_error(&["directions[1]", "zero"], |_, w, _| w[3..].fill(0.0));
    expect_error(&["contact[0].tangent", "large"], |_, w, _| w[3] = 1e200);
    expect_error(&["mass", "3 × 3"], |m, _, _| m.truncate(8));
    expect_error(&["mass[0][1]", "NaN"], |m, _, _| m[1] = f64::NAN);
    expect_error(&["mass[1][0]", "symmetric"], |m, _, _| m[3] = 0.2);
    expect_error(&["mass[2][2]", "positive definite"], |m, _, _| m[8] = -1.0);
    expect_error(&["pivot", "positive definite"], |m, _, _| m[8] = 0.045);
    expect_error(&["inverse"], |m, _, _| m.iter_mut().for_each(|v| *v *= 1e-310));
}

#[test]
fn round_off_in_the_symmetry_of_mass_is_evened_out() {
    let mut mass = MASS;
    mass[1] += 1e-12;
    let mut reused = other();
    reused.set_configuration(&mass, &DIRECTIONS, &VELOCITY).unwrap();
    let dense = reused.mass().to_dense();
    assert_eq!(dense[1], dense[3]);
    assert!((dense[1] - 0.1).abs() < 1e-12);
}

/// Offsets and the restitution of clutches are set in place too.
#[test]
fn moving_supports_and_clutches_equal_a_new_problem() {
    let built = |offset: [f64; 3], restitution: f64| {
        let mass = Mass::dense(3, MASS.to_vec()).unwrap();
        let contact = ContactData::new("A", DIRECTIONS[..3].to_vec()).tangent(DIRECTIONS[3..].to_vec());
        let mut contact = contact.friction(0.4).restitution(0.6);
        contact.offset = offset[..2].to_vec();
        let mut data = ProblemData::new(mass, VELOCITY).with_contact(contact);
        let direction = vec![0.3, -0.2, -1.0].into();
        data.clutches.push(ClutchData { name: "C".into(), direction, restitution, offset: offset[2] });
        ImpactProblem::new(data).unwrap()
    };
    let (offset, law) = ([0.2, -0.1, 0.3], LawSpec::Newton(Newton::default()));
    let fresh = built(offset, -0.3);
    let mut reused = built([0.0; 3], 0.0);
    assert!(!reused.has_moving_support());
    reused.set_offset(&offset).unwrap();
    reused.set_element_restitution(2, -0.3).unwrap();
    assert!(reused.has_moving_support());
    assert_eq!(reused.gamma_minus(), fresh.gamma_minus());
    assert_eq!(resolve(&reused, &law).unwrap().u_plus, resolve(&fresh, &law).unwrap().u_plus);
    let mut again = built([0.0; 3], -0.3);
    again.set_numbers(None, None, Some(&offset), &VELOCITY).unwrap();
    assert_eq!(again.gamma_minus(), fresh.gamma_minus());

    let refused = reused.set_offset(&[1.0, 2.0]).unwrap_err();
    assert!(refused.to_string().contains("one per direction"), "{refused}");
    assert!(reused.set_offset(&[1.0, f64::NAN, 0.0]).is_err());
    assert!(reused.set_element_restitution(0, 0.5).is_err(), "the normal of a contact");
    assert!(reused.set_element_restitution(7, 0.5).is_err());
    assert!(reused.set_element_restitution(2, -1.0).is_err());
    assert_eq!(reused.gamma_minus(), fresh.gamma_minus());
}

/// A dense problem of that many coordinates and contacts.
fn dense(n: usize, contacts: usize, budget: &mut Budget<'_>) -> Result<ImpactProblem, ImpactError> {
    let entry = |k: usize| if k.is_multiple_of(n + 1) { n as f64 } else { (1.0 + (k / n * (k % n)) as f64).sin() };
    let mass = Mass::dense_within(n, (0..n * n).map(entry).collect(), budget)?;
    let mut data = ProblemData::new(mass, vec![-1.0; n]);
    for c in 0..contacts {
        let normal: Vec<f64> = (0..n).map(|i| 1.1 + ((7 * c + 3) as f64 * (i + 1) as f64).cos()).collect();
        data = data.with_contact(ContactData::new(c.to_string(), normal));
    }
    ImpactProblem::new_within(data, budget)
}

#[test]
fn large_problems_are_right_and_can_be_set_again() {
    for (n, contacts) in [(33, 5), (70, 70)] {
        let mut problem = dense(n, contacts, &mut Budget::unlimited()).unwrap();
        let full = problem.mass().to_dense();
        let normals: Vec<f64> = (0..contacts).flat_map(|j| problem.directions().values(j).to_vec()).collect();
        for round in 0..2 {
            for i in 0..contacts {
                let mut y = problem.response().values(i).to_vec();
                let mut product = vec![0.0; n];
                problem.mass().multiply(&y, &mut product);
                let w = problem.directions().values(i);
                assert!(product.iter().zip(w).all(|(a, b)| (a - b).abs() < 1e-13 * n as f64), "M M⁻¹w = w, {n}");
                for j in 0..contacts {
                    let expected: f64 = problem.directions().dot(j, &y);
                    assert!((problem.operator().get(j, i) - expected).abs() < 1e-13 * n as f64, "wᵀM⁻¹w, {n}");
                    assert!(problem.operator().get(i, j) == problem.operator().get(j, i));
                }
                y.copy_from_slice(w);
                problem.mass().solve(&mut y);
                assert_eq!(y, problem.response().values(i), "one right side at a time");
            }
            // The same numbers twice as heavy, through the door of batches.
            if round == 0 {
                let heavier: Vec<f64> = full.iter().map(|m| 2.0 * m).collect();
                let before = problem.operator().get(0, 0);
                problem.set_configuration(&heavier, &normals, &vec![-1.0; n]).unwrap();
                assert!((2.0 * problem.operator().get(0, 0) - before).abs() < 1e-13 * before);
            }
        }
        let mut spoilt = full.clone();
        spoilt[n + 2] += 1.0;
        assert!(problem.set_configuration(&spoilt, &normals, &vec![-1.0; n]).unwrap_err().field.starts_with("mass["));
        spoilt[n + 2] = f64::NAN;
        let error = problem.set_configuration(&spoilt, &normals, &vec![-1.0; n]).unwrap_err();
        assert_eq!(error.field, "mass[1][2]");
        assert_eq!(problem.set_configuration(&full[1..], &normals, &vec![-1.0; n]).unwrap_err().field, "mass");
    }
}

#[test]
fn building_can_be_stopped_at_every_question() {
    let (n, contacts) = (260, 260);
    let asked = Arc::new(AtomicUsize::new(0));
    let limits = |last: usize| {
        asked.store(0, Ordering::Relaxed);
        let asked = Arc::clone(&asked);
        let stop = Stop::new("a key", move || asked.fetch_add(1, Ordering::Relaxed) >= last);
        Limits { stop: Some(stop), ..Limits::default() }
    };
    let never = limits(usize::MAX);
    let mut budget = Budget::new(&never);
    let problem = dense(n, contacts, &mut budget).unwrap();
    let built = asked.load(Ordering::Relaxed);
    KineticMetric::new_within(&problem, &mut budget).unwrap();
    let all = asked.load(Ordering::Relaxed);
    // 29 million multiplications of the problem and 35 of the metric, half a million or somewhat more between two questions.
    assert!((45..=58).contains(&built) && (50..=70).contains(&(all - built)), "{built} {all}");
    for last in (0..all).step_by(9) {
        let limits = limits(last);
        let mut budget = Budget::new(&limits);
        let error = match dense(n, contacts, &mut budget) {
            Ok(problem) => KineticMetric::new_within(&problem, &mut budget).map(|_| ()).unwrap_err(),
            Err(error) => error,
        };
        assert_eq!(error.kind, ErrorKind::Stopped, "{error}");
        assert!(error.problem.contains("a key was reached"), "{error}");
        assert_eq!(asked.load(Ordering::Relaxed), last + 1, "nothing is asked after that");
    }
}
