//! What outcomes say of themselves: states, checks, theorems, uniqueness and warnings in odd corners.

use delassus::{
    ClutchData, ContactData, ElementState, Friction, ImpactLaw, ImpactOutcome, ImpactProblem, JointData, LawSpec,
    Limits, Mass, Options, ProblemData, Solutions, Status, Theorem, Uniqueness, Workspace, resolve, resolve_into,
};

fn outcome(data: ProblemData, law: &str) -> ImpactOutcome {
    resolve(&ImpactProblem::new(data).unwrap(), &LawSpec::by_name(law).unwrap()).unwrap()
}

fn data(mass: &[f64], velocity: &[f64]) -> ProblemData {
    ProblemData::new(Mass::diagonal(mass.to_vec()).unwrap(), velocity.to_vec())
}

fn contact(name: &str, normal: &[f64], restitution: f64) -> ContactData {
    ContactData::new(name, normal.to_vec()).restitution(restitution)
}

#[test]
fn laws_of_one_contact_take_a_resting_joint() {
    for law in ["walton", "stronge", "newton", "lzb"] {
        let problem = data(&[1.0, 1.0], &[-1.0, 0.0])
            .with_contact(contact("c", &[1.0, 0.0], 0.5))
            .with_joint(JointData::new("j", [[0.0, 1.0]]));
        let found = outcome(problem, law);
        assert!((found.u_plus[0] - 0.5).abs() < 1e-9 && found.u_plus[1] == 0.0, "{law}: {:?}", found.u_plus);
    }
}

#[test]
fn under_lzb_a_contact_may_stick_up_to_its_static_limit() {
    // Friction of 0.4 holds: above the kinetic coefficient, below the static one.
    let sticking = |fixed: f64| {
        let across = (1.0f64 - 0.16).sqrt();
        let contact = contact("c", &[1.0, 0.0], 1.0).tangent([0.4, across]).friction(0.3).friction_static(fixed);
        outcome(data(&[1.0, 1.0], &[-1.0, 0.4 / across]).with_contact(contact), "lzb")
    };
    let found = sticking(0.5);
    assert_eq!(found.states[1], ElementState::Stick);
    assert!((found.impulses()[1] / found.impulses()[0] + 0.4).abs() < 1e-9);
    assert_eq!(found.certificate.kinetic, 0.0);
    assert_eq!(sticking(0.35).states[1], ElementState::Slip);
}

#[test]
fn no_energy_theorem_holds_with_an_external_impulse() {
    for law in ["newton", "moreau", "poisson"] {
        let problem = || data(&[1.0], &[1.0]).with_contact(contact("c", &[1.0], 0.5));
        let driven = outcome(problem().with_impulse([-10.0]), law);
        assert!(driven.certificate.energetic > 1e-9, "{law}");
        assert_eq!(driven.certificate.theorem, Theorem::None, "{law}");
        assert_ne!(outcome(problem(), law).certificate.theorem, Theorem::None, "{law}");
    }
}

#[test]
fn joints_and_clutches_answer_an_external_impulse_under_lzb() {
    let joint = data(&[1.0], &[0.0]).with_joint(JointData::new("j", [[1.0]]));
    let clutch = data(&[1.0], &[0.0]).with_clutch(ClutchData::new("k", [1.0]));
    for problem in [joint, clutch] {
        let found = outcome(problem.with_impulse([-1.0]), "lzb");
        assert!(found.u_plus[0].abs() < 1e-12 && (found.impulses()[0] - 1.0).abs() < 1e-12, "{found:?}");
        assert!(found.certificate.kinematic <= 1e-9);
    }
}

/// Without contacts an external impulse leaves clutches and joints one answer, 0 ≤ Λ ⟂ γ⁺ ≥ 0.
#[test]
fn clutches_answer_a_push_alike_under_all_laws_that_know_them() {
    let mut state = 5u64;
    let mut number = || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    };
    let mut locked = 0;
    for case in 0..60 {
        let mut vector = || (0..5).map(|_| number()).collect::<Vec<f64>>();
        let problem = data(&[1.0, 2.0, 0.5, 1.0, 3.0], &[0.0; 5]).with_impulse(vector());
        let problem = (0..1 + case % 4).fold(problem, |p, k| p.with_clutch(ClutchData::new(format!("k{k}"), vector())));
        let problem = if case % 2 == 0 { problem } else { problem.with_joint(JointData::new("j", [vector()])) };
        let expected = outcome(problem.clone(), "newton");
        locked += expected.impulses().iter().filter(|l| **l > 1e-9).count();
        for law in ["moreau", "poisson", "lzb"] {
            let found = outcome(problem.clone(), law);
            let apart = found.u_plus.iter().zip(&expected.u_plus).fold(0.0f64, |m, (a, b)| m.max((a - b).abs()));
            assert!(found.status() == Status::Solved && apart < 1e-9, "case {case}, {law}: {apart}");
        }
    }
    assert!(locked > 40, "{locked}");
}

#[test]
fn a_contact_that_answers_a_push_is_closed_though_nothing_moves() {
    let problem = data(&[1.0], &[0.0]).with_contact(contact("a", &[1.0], 0.5));
    let found = outcome(problem.with_impulse([-3.0]), "newton");
    assert_eq!((found.impulses()[0], found.states[0]), (3.0, ElementState::Closed));
    assert_eq!(
        outcome(data(&[1.0], &[0.0]).with_contact(contact("a", &[1.0], 0.5)), "newton").states[0],
        ElementState::Open
    );
}

#[test]
fn round_off_of_a_push_that_a_joint_holds_is_no_motion() {
    let problem = data(&[1.0], &[0.0]).with_contact(contact("a", &[0.7], 0.5)).with_joint(JointData::new("j", [[3.0]]));
    for law in ["newton", "poisson", "walton"] {
        let found = outcome(problem.clone().with_impulse([-0.1]), law);
        assert_eq!(found.status(), Status::Solved, "{law}");
        assert!(found.certificate.is_consistent(), "{law}: {:?}", found.certificate);
    }
}

#[test]
fn a_split_that_decides_the_velocity_is_told() {
    let twice = |first: f64, second: f64| {
        let contacts = data(&[1.0], &[-1.0]).with_contact(contact("a", &[1.0], first));
        outcome(contacts.with_contact(contact("b", &[1.0], second)), "poisson")
    };
    let unequal = twice(0.5, 0.2);
    assert!(unequal.answer.warnings.iter().any(|w| w.contains("other splits give other velocities")));
    assert_eq!(unequal.answer.uniqueness, Uniqueness::Unknown);
    let equal = twice(0.5, 0.5);
    assert!(equal.answer.warnings.is_empty() && matches!(equal.answer.uniqueness, Uniqueness::Proved(_)));
}

#[test]
fn impulses_that_are_not_unique_are_told_with_their_dimension() {
    for (law, copies) in ["newton", "moreau", "poisson"].into_iter().flat_map(|law| (1..5).map(move |n| (law, n))) {
        let contacts =
            (0..copies).fold(data(&[1.0], &[-1.0]), |d, k| d.with_contact(contact(&k.to_string(), &[1.0], 0.5)));
        let options = Options { solutions: Solutions::All, ..Options::default() };
        let mut found = ImpactOutcome::default();
        let (problem, law) = (ImpactProblem::new(contacts).unwrap(), LawSpec::by_name(law).unwrap());
        resolve_into(&problem, &law, &options, &mut Workspace::default(), &mut found).unwrap();
        let told: Vec<&String> = found.answer.warnings.iter().filter(|w| w.contains("a set of dimension")).collect();
        let expected = format!("a set of dimension {},", copies - 1);
        assert!(told.iter().all(|w| w.contains(&expected)), "{} {told:?}", law.name());
        assert_eq!(told.len(), usize::from(copies > 1), "{} with {copies}: {told:?}", law.name());
    }
}

#[test]
fn a_coefficient_above_one_is_told_even_where_energy_falls() {
    for law in ["newton", "poisson", "sequential"] {
        let problem = data(&[1.0, 1.0], &[-1.0, 1.0])
            .with_contact(contact("a", &[1.0, 0.0], 1.2))
            .with_contact(contact("b", &[0.0, -1.0], 0.0));
        let found = outcome(problem, law);
        assert!(found.energy.change() < 0.0);
        assert!(found.answer.warnings.iter().any(|w| w.contains("contact a is active")), "{law}");
    }
}

#[test]
fn what_has_no_solution_is_not_unique() {
    let problem =
        data(&[1.0], &[-1.0]).with_contact(contact("c", &[1.0], 0.5)).with_clutch(ClutchData::new("k", [-1.0]));
    let found = outcome(problem, "newton");
    assert_eq!((found.status(), found.answer.uniqueness), (Status::NoSolution, Uniqueness::Unknown));
}

/// Stronge's law follows the impact in time, so there is one answer; but not half way.
#[test]
fn what_was_given_up_is_not_proved_to_be_the_only_answer() {
    let (s, c) = 1.0f64.sin_cos();
    let rod = contact("c", &[0.0, 1.0, -c], 0.5).tangent([1.0, 0.0, -s]).friction(0.3);
    let problem = ImpactProblem::new(data(&[1.0, 1.0, 1.0 / 3.0], &[1.0, -1.0, 0.0]).with_contact(rod)).unwrap();
    for law in ["stronge", "newton", "sequential", "lzb"] {
        let law = LawSpec::by_name(law).unwrap();
        let within = |iterations: usize| {
            let options =
                Options { limits: Limits { iterations: Some(iterations), ..Limits::default() }, ..Options::default() };
            let mut found = ImpactOutcome::default();
            resolve_into(&problem, &law, &options, &mut Workspace::default(), &mut found).unwrap();
            found
        };
        let counts = [1, 2, 3, 5, 1000];
        let found = counts.map(within);
        assert_eq!(found[4].status(), Status::Solved);
        let given_up = found.iter().filter(|f| f.status() != Status::Solved).count();
        assert!(given_up > 0 || ["newton", "sequential"].contains(&law.name()), "{}", law.name());
        for found in found.iter().filter(|f| f.status() != Status::Solved) {
            assert_eq!(found.answer.uniqueness, Uniqueness::Unknown, "{}: {:?}", law.name(), found.answer);
        }
    }
}

/// −0.1 − 0.2 + 0.3 and three times that are zero up to round-off, and differ: that is no contradiction.
#[test]
fn round_off_of_redundant_joints_is_no_contradiction() {
    for contact_normal in [[2.0, -1.0, 0.0], [1.0, 0.0, 1.0]] {
        let problem = data(&[1.0, 1.0, 1.0], &[-0.1, -0.2, 0.3])
            .with_contact(contact("c", &contact_normal, 0.5))
            .with_joint(JointData::new("j", [[1.0, 1.0, 1.0], [3.0, 3.0, 3.0], [0.7, 0.7, 0.7]]));
        for law in ["newton", "moreau", "poisson", "kinematic", "lzb", "sequential", "reflections", "walton"] {
            let found = outcome(problem.clone(), law);
            assert_eq!(found.status(), Status::Solved, "{law}: {:?}", found.answer);
        }
    }
}

/// Normals that nearly coincide hardly see the motion between them: what the checks allow, 1e-9 of the speed, moves it
/// by a thousandth, and nothing is proved of velocities to 1e-6. The body comes to rest between them by impulses a
/// million times as large as its momentum; to find these is hard, to say that there are none is wrong.
#[test]
fn between_normals_that_nearly_coincide_nothing_is_proved() {
    for (gap, clear) in [(1e-6, false), (1e-5, false), (1e-4, false), (1e-1, true)] {
        let problem = data(&[1.0, 1.0], &[0.0, -1.0])
            .with_contact(contact("a", &[1.0, 0.0], 0.0))
            .with_contact(contact("b", &[-1.0, gap], 0.0));
        for law in ["newton", "moreau", "poisson", "kinematic", "sequential", "reflections", "lzb"] {
            let found = outcome(problem.clone(), law);
            assert_ne!(found.status(), Status::NoSolution, "{law}, {gap:e}");
            let speed = found.u_plus.iter().fold(0.0f64, |m, u| m.max(u.abs()));
            assert!(found.status() != Status::Solved || speed <= 1e-8 / gap, "{law}, {gap:e}: {:?}", found.u_plus);
            let proved = matches!(found.answer.uniqueness, Uniqueness::Proved(_));
            assert_eq!(proved, clear && law != "lzb", "{law}, {gap:e}: {:?}", found.answer);
            assert!(!clear || found.status() == Status::Solved, "{law}: {:?}", found.status());
        }
    }
}

#[test]
fn bodies_pressed_against_each_other_at_rest_have_one_velocity() {
    let mut last = contact("c", &[-1.0], 0.0).friction(0.5);
    last.tangents = vec![[1.0].into(), [0.5].into()];
    let problem = data(&[1.0], &[0.0])
        .with_contact(contact("a", &[2.0], 0.0).tangent([1.0]).friction(0.5))
        .with_contact(contact("b", &[2.0], 0.0).tangent([1.0]).friction(0.5))
        .with_contact(last);
    let options = Options { solutions: Solutions::All, ..Options::default() };
    let (problem, mut found) = (ImpactProblem::new(problem).unwrap(), ImpactOutcome::default());
    let law = LawSpec::by_name("newton").unwrap();
    resolve_into(&problem, &law, &options, &mut Workspace::default(), &mut found).unwrap();
    assert_eq!(found.status(), Status::Solved);
    assert!(found.impulses().iter().all(|l| *l == 0.0) && found.answer.alternatives.is_empty(), "{found:?}");
}

#[test]
fn under_stronge_a_grazing_contact_that_friction_draws_in_has_two_outcomes() {
    // A rod that slides with friction above its critical value; whether it approaches is round-off.
    let (s, c) = 1.0f64.sin_cos();
    for approach in [0.0, 1e-17, -1e-17, 1e-12, -1e-12] {
        let rod = contact("c", &[0.0, 1.0, -c], 0.5).tangent([1.0, 0.0, -s]).friction(5.0 / 3.0);
        let found = outcome(data(&[1.0, 1.0, 1.0 / 3.0], &[1.0, -approach, 0.0]).with_contact(rod), "stronge");
        assert_eq!(found.answer.uniqueness, Uniqueness::Several { found: 2, complete: false }, "{approach:e}");
        let impulses = [found.impulses()[0], found.answer.alternatives[0].impulses[0]];
        assert!(impulses.iter().any(|&x| x < 1e-9) && impulses.iter().any(|&x| x > 1e-3), "{impulses:?}");
    }
    let rod = contact("c", &[0.0, 1.0, -c], 0.5).tangent([1.0, 0.0, -s]).friction(5.0 / 3.0);
    let found = outcome(data(&[1.0, 1.0, 1.0 / 3.0], &[1.0, -1e-3, 0.0]).with_contact(rod), "stronge");
    assert!(matches!(found.answer.uniqueness, Uniqueness::Proved(_)));
}

#[test]
fn in_a_sequence_a_joint_that_moves_waits_for_a_collision_that_may_not_come() {
    // Round-off decides whether the contact collides, and only then the joint stops.
    for (approach, proved) in [(0.0, false), (1e-17, false), (1e-3, true), (-1e-3, true)] {
        let problem = data(&[1.0, 1.0], &[-approach, 1.0])
            .with_contact(contact("c", &[1.0, 0.0], 0.5))
            .with_joint(JointData::new("j", [[0.0, 1.0]]));
        let found = outcome(problem, "sequential");
        assert_eq!(matches!(found.answer.uniqueness, Uniqueness::Proved(_)), proved, "{approach:e}");
    }
}

/// A body that flies to and fro between two walls for ever. Its collisions with friction in space are solved by steps, and
/// the limit of the work bounds these too, not the collisions alone. Friction of 2e-14 along one axis is none.
#[test]
fn a_limit_counts_what_single_collisions_take() {
    let walls = |faint: f64| {
        let c1 = contact("c1", &[2.2854, 0.0, 0.0], 1.0).tangent([0.5, -2.0, 2.0]).tangent([0.0, 0.0, -0.734]);
        data(&[0.56, 1.38, 2.0], &[3.0, -0.8, 3e-10])
            .with_contact(contact("c0", &[-2.2854, 0.0, 0.0], 1.0).tangent([0.5, -2.0, 2.0]).friction(0.87))
            .with_contact(c1.friction(Friction::Orthotropic([2.34, faint])))
            .with_clutch(ClutchData::new("k0", [0.0, -0.8, 0.0]))
            .with_clutch(ClutchData::new("k1", [0.0, 3.0, 0.0]))
    };
    let run = |faint: f64, iterations: usize| {
        let limits = Limits { iterations: Some(iterations), ..Limits::default() };
        let problem = ImpactProblem::new(walls(faint)).unwrap();
        let (law, mut found) = (LawSpec::by_name("sequential").unwrap(), ImpactOutcome::default());
        let options = Options { limits, ..Options::default() };
        resolve_into(&problem, &law, &options, &mut Workspace::default(), &mut found).unwrap();
        found
    };
    let (few, many) = (run(2e-14, 40), run(2e-14, 400));
    for (found, limit) in [(&few, 40), (&many, 400)] {
        assert_eq!(found.status(), Status::MaxIterations);
        assert_eq!(found.reason, Some(format!("the limit of {limit} iterations was reached")));
        assert!(found.answer.stats.events < limit, "{:?}", found.answer.stats);
    }
    assert!(many.answer.stats.events > 4 * few.answer.stats.events, "{:?}", many.answer.stats);
    assert_eq!(many.answer.impulses, run(0.0, 400).answer.impulses);
}

/// Coefficients of Newton's law prove that energy is lost where they are equal and at most one; contacts that do not
/// move before the impact do not count.
#[test]
fn equal_newton_coefficients_are_a_theorem_and_others_are_not() {
    let theorem = |coefficients: [f64; 2], velocity: [f64; 2]| {
        let problem = ProblemData::new(Mass::dense(2, vec![2.0, 0.5, 0.5, 1.0]).unwrap(), velocity)
            .with_contact(contact("a", &[1.0, 0.0], coefficients[0]))
            .with_contact(contact("b", &[0.0, 1.0], coefficients[1]));
        outcome(problem, "newton").certificate.theorem
    };
    assert_eq!(theorem([0.4, 0.4], [-1.0, -1.0]), Theorem::EqualNewtonCoefficients);
    assert_eq!(theorem([0.4, 0.7], [-1.0, -1.0]), Theorem::None);
    assert_eq!(theorem([0.4, 0.7], [-1.0, 0.0]), Theorem::EqualNewtonCoefficients);
}

/// A tangent needs a coefficient of friction, except under the law that can impose tangential velocities.
#[test]
fn all_laws_but_kinematic_need_friction() {
    for law in LawSpec::all() {
        assert_eq!(law.needs_friction(), law.about().name != "kinematic", "{}", law.about().name);
    }
}

/// One collision is the only one there can be, unless a coefficient above one lets energy grow: then nothing is claimed.
#[test]
fn gains_of_energy_leave_sequences_unproved() {
    let unique =
        |e: f64| outcome(data(&[1.0], &[-1.0]).with_contact(contact("c", &[1.0], e)), "sequential").answer.uniqueness;
    assert!(matches!(unique(0.5), Uniqueness::Proved(_)));
    assert_eq!(unique(1.2), Uniqueness::Unknown);
}
