//! When an answer under `sequential` says that it hangs on the order of collisions, and what asking costs.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use delassus::law::{Order, Sequential};
use delassus::{
    ContactData, ImpactOutcome, ImpactProblem, LawSpec, Limits, Mass, Options, ProblemData, Stop, Uniqueness,
    Workspace, resolve, resolve_into,
};

/// A cube of 1 kg and edge 2 with the corners listed, above a floor, its velocity and spin (v_z, ω_x, ω_y).
fn cube(corners: &[[f64; 2]], [v, wx, wy]: [f64; 3]) -> ImpactProblem {
    let inertia = 4.0 / 6.0;
    let mut data = ProblemData::new(Mass::diagonal(vec![1.0, inertia, inertia]).unwrap(), [v, wx, wy]);
    for (k, [x, y]) in corners.iter().enumerate() {
        data = data.with_contact(ContactData::new(format!("{k}"), [1.0, *y, -x]).restitution(0.5));
    }
    ImpactProblem::new(data).unwrap()
}

const FLAT: [[f64; 2]; 4] = [[-1.0, -1.0], [1.0, -1.0], [-1.0, 1.0], [1.0, 1.0]];

fn sequential(problem: &ImpactProblem) -> ImpactOutcome {
    resolve(problem, &LawSpec::Sequential(Sequential::default())).unwrap()
}

fn warns(outcome: &ImpactOutcome) -> bool {
    let told = outcome.answer.warnings.iter().any(|w| w.contains("other order"));
    assert_eq!(told, matches!(outcome.answer.uniqueness, Uniqueness::Several { .. }), "{:?}", outcome.answer);
    assert_eq!(told, !outcome.answer.alternatives.is_empty());
    told
}

#[test]
fn a_cube_that_falls_flat_is_told_of() {
    let outcome = sequential(&cube(&FLAT, [-1.0, 0.0, 0.0]));
    assert!(outcome.u_plus[1].abs() > 0.01, "it spins: {:?}", outcome.u_plus);
    assert!(warns(&outcome));
    // The same cube with its corners in another order spins the other way.
    let turned: Vec<_> = FLAT.iter().rev().copied().collect();
    let other = sequential(&cube(&turned, [-1.0, 0.0, 0.0]));
    assert!((outcome.u_plus[1] + other.u_plus[1]).abs() < 1e-12);
}

#[test]
fn a_tie_of_corners_to_round_off_is_one() {
    // Velocities that a computation leaves: the last digits would choose.
    assert!(warns(&sequential(&cube(&FLAT, [-1.0, 3e-14, -2e-14]))));
}

#[test]
fn one_contact_and_different_velocities_are_not() {
    assert!(!warns(&sequential(&cube(&FLAT[..1], [-1.0, 0.0, 0.0]))));
    assert!(!warns(&sequential(&cube(&FLAT, [-1.0, 0.11, 0.05]))));
}

#[test]
fn asking_for_the_other_order_takes_as_long_as_the_first_and_only_where_contacts_tie() {
    // Two heavy balls close in on a light one: a hundred thousand collisions.
    let questions = |velocity: [f64; 3], order: Order| {
        let mut data = ProblemData::new(Mass::diagonal(vec![1e9, 1.0, 1e9]).unwrap(), velocity);
        for (name, normal) in [("left", [-1.0, 1.0, 0.0]), ("right", [0.0, -1.0, 1.0])] {
            data = data.with_contact(ContactData::new(name, normal).restitution(1.0));
        }
        let asked = Arc::new(AtomicUsize::new(0));
        let count = asked.clone();
        let stop = Stop::new("nothing", move || {
            count.fetch_add(1, Relaxed);
            false
        });
        let options = Options { limits: Limits { stop: Some(stop), ..Limits::default() }, ..Options::default() };
        let law = LawSpec::Sequential(Sequential { order });
        let (problem, mut outcome) = (ImpactProblem::new(data).unwrap(), ImpactOutcome::default());
        resolve_into(&problem, &law, &options, &mut Workspace::default(), &mut outcome).unwrap();
        asked.load(Relaxed)
    };
    let once = questions([1.01, 0.0, -1.0], Order::Listed);
    assert!(once > 5, "{once}");
    assert!(questions([1.01, 0.0, -1.0], Order::Fastest) <= once + 1);
    let tied = questions([1.0, 0.0, -1.0], Order::Fastest);
    assert!(tied > once + 3 && tied <= 2 * once + 2, "{tied} instead of {once}");
}
