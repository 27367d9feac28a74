//! A problem whose configuration changes from impact to impact.

use delassus::law::Newton;
use delassus::{ClutchData, ContactData, ImpactProblem, LawSpec, Mass, MassEntries, ProblemData, resolve};

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
