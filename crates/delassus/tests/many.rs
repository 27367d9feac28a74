//! Laws on problems with many contacts: solved by blocks, certified as any other answer.

#[path = "common/packing.rs"]
mod packing;

use delassus::law::Reflections;
use delassus::{
    ContactData, Direction, ImpactOutcome, ImpactProblem, LawSpec, Limits, Mass, Method, Options, ProblemData,
    Solutions, Status, Workspace, resolve, resolve_into,
};
use packing::Packing;

/// The packing as an impact problem: six coordinates a sphere.
fn impact(packing: &Packing, friction: f64, restitution: impl Fn(usize) -> f64) -> ImpactProblem {
    let coordinates = 6 * packing.bodies();
    let mass = Mass::diagonal((0..coordinates).map(|c| 1.0 / packing.inverse_mass(c)).collect()).unwrap();
    let velocity: Vec<f64> = packing.velocities().iter().flatten().copied().collect();
    let mut data = ProblemData::new(mass, velocity);
    for contact in 0..packing.contacts() {
        let row = |k: usize| {
            let mut entries = Vec::new();
            for side in packing.sides(contact).into_iter().flatten() {
                let values = side.directions[6 * k..6 * k + 6].iter().enumerate();
                entries.extend(values.filter(|(_, v)| **v != 0.0).map(|(c, v)| (6 * side.body + c, *v)));
            }
            entries.sort_by_key(|(c, _)| *c);
            Direction::Sparse(entries)
        };
        let contact = ContactData::new(format!("c{contact}"), row(0))
            .tangent(row(1))
            .tangent(row(2))
            .friction(friction)
            .restitution(restitution(contact));
        data = data.with_contact(contact);
    }
    ImpactProblem::new(data).unwrap()
}

#[test]
fn packings_under_three_laws() {
    let packing = Packing::spheres(250, 4);
    for law in ["newton", "moreau", "poisson"] {
        let problem = impact(&packing, 0.2, |_| 0.5);
        let outcome = resolve(&problem, &LawSpec::by_name(law).unwrap()).unwrap();
        assert_eq!(outcome.status(), Status::Solved, "{law}: {:?}", outcome.certificate);
        assert!(outcome.certificate.satisfies_law(), "{law}: {:?}", outcome.certificate);
        // The momentum balance, written out: M(u⁺ − u⁻) = WΛ.
        for c in 0..problem.coordinates() {
            let mut change = (outcome.u_plus[c] - problem.u_minus()[c]) / packing.inverse_mass(c);
            for j in 0..problem.rows() {
                let column = problem.directions();
                if let Ok(k) = column.indices(j).binary_search(&c) {
                    change -= column.values(j)[k] * outcome.answer.impulses[j];
                }
            }
            assert!(change.abs() < 1e-12, "{law}: coordinate {c}: {change:e}");
        }
    }
}

/// Poisson's law with coefficients that differ: shifted radii of friction in decompression.
#[test]
fn unequal_coefficients_under_poisson() {
    let packing = Packing::spheres(120, 8);
    let problem = impact(&packing, 0.1, |contact| if contact % 2 == 0 { 0.3 } else { 0.6 });
    let outcome = resolve(&problem, &LawSpec::by_name("poisson").unwrap()).unwrap();
    assert_eq!(outcome.status(), Status::Solved, "{:?}", outcome.certificate);
}

/// A row of balls that are pressed against a wall without restitution: all stop, and the impulses are the sums of
/// the momenta that arrive.
#[test]
fn a_long_row_of_balls_against_a_wall() {
    let n = 3000;
    let mut data = ProblemData::new(Mass::diagonal(vec![2.0; n]).unwrap(), vec![-1.0; n]);
    for i in 0..n {
        let normal = if i == 0 { vec![(0, 1.0)] } else { vec![(i - 1, -1.0), (i, 1.0)] };
        data = data.with_contact(ContactData::new(format!("c{i}"), Direction::Sparse(normal)));
    }
    let problem = ImpactProblem::new(data).unwrap();
    let outcome = resolve(&problem, &LawSpec::by_name("newton").unwrap()).unwrap();
    assert_eq!(outcome.status(), Status::Solved, "{:?}", outcome.certificate);
    for (i, impulse) in outcome.answer.impulses.iter().enumerate() {
        assert!((impulse - 2.0 * (n - i) as f64).abs() < 1e-6 * n as f64, "{i}: {impulse}");
    }
    // All solutions of so many contacts are not looked for, and that is said.
    let all = Options { solutions: Solutions::All, ..Options::default() };
    let mut outcome = ImpactOutcome::default();
    let law = LawSpec::by_name("newton").unwrap();
    resolve_into(&problem, &law, &all, &mut Workspace::default(), &mut outcome).unwrap();
    assert!(outcome.answer.warnings.iter().any(|w| w.contains("too many contacts")), "{:?}", outcome.answer.warnings);
}

/// Without friction: at e = 0 the projection, as Moreau's law has it; at e = 1 no energy is lost and nothing approaches.
#[test]
fn reflections_of_a_packing() {
    let packing = Packing::spheres(260, 11);
    let problem = impact(&packing, 0.0, |_| 0.0);
    let plastic = resolve(&problem, &Reflections { restitution: Some(0.0) }).unwrap();
    let moreau = resolve(&problem, &LawSpec::by_name("moreau").unwrap()).unwrap();
    assert_eq!((plastic.status(), moreau.status()), (Status::Solved, Status::Solved));
    for (a, b) in plastic.u_plus.iter().zip(&moreau.u_plus) {
        assert!((a - b).abs() < 1e-10, "{a} {b}");
    }
    let elastic = resolve(&problem, &Reflections { restitution: Some(1.0) }).unwrap();
    assert_eq!(elastic.status(), Status::Solved, "{:?}", elastic.reason);
    assert!(elastic.energy.contacts.abs() < 1e-9 * elastic.energy.before, "{:?}", elastic.energy);
    assert!(elastic.gamma_plus.iter().step_by(3).all(|gamma| *gamma > -1e-10));
}

/// A method that is named solves problems of any size, to the residual that is asked for; the certificate judges.
#[test]
fn methods_and_tolerances_of_the_user() {
    let law = LawSpec::by_name("newton").unwrap();
    let limited = |problem: &ImpactProblem, method, tolerance| {
        let limits = Limits { method, tolerance, ..Limits::default() };
        let options = Options { limits, ..Options::default() };
        let mut outcome = ImpactOutcome::default();
        resolve_into(problem, &law, &options, &mut Workspace::default(), &mut outcome).unwrap();
        outcome
    };
    for contacts in [6, 150] {
        let packing = Packing::spheres(contacts, 5);
        let problem = impact(&packing, 0.2, |_| 0.3);
        let plain = limited(&problem, Method::Auto, None);
        assert_eq!(plain.status(), Status::Solved);
        let fine = limited(&problem, Method::Proximal, None);
        assert_eq!(fine.status(), Status::Solved, "{contacts}: {:?}", fine.certificate);
        for (a, b) in fine.u_plus.iter().zip(&plain.u_plus) {
            assert!((a - b).abs() < 1e-9, "{contacts} contacts: {a} instead of {b}");
        }
        let residual = |outcome: &ImpactOutcome| outcome.certificate.inclusion.unwrap();
        assert!(residual(&fine) <= 1e-9);
        let coarse = limited(&problem, Method::GaussSeidel, Some(1e-3));
        assert!(residual(&coarse) < 1e-2, "{contacts}: {:e}", residual(&coarse));
        assert!(contacts < 100 || residual(&coarse) > 1e-9, "{:e}", residual(&coarse));
        let expected = if residual(&coarse) > 1e-9 { Status::Inaccurate } else { Status::Solved };
        assert_eq!(coarse.status(), expected);
    }
}

/// Time and memory of laws on many contacts: `CONTACTS=100000 LAWS=newton cargo test --release -p delassus --test many --
/// --ignored --nocapture`, one law a process for its memory.
#[test]
#[ignore = "long"]
fn laws_at_scale() {
    let contacts = std::env::var("CONTACTS").map_or(10_000, |text| text.parse().expect("a number of contacts"));
    let packing = Packing::spheres(contacts, 1);
    let laws: Vec<String> = std::env::var("LAWS")
        .map_or("newton moreau poisson reflections".into(), |laws: String| laws)
        .split_whitespace()
        .map(str::to_owned)
        .collect();
    for law in &laws {
        let friction = if law == "reflections" { 0.0 } else { 0.1 };
        let start = std::time::Instant::now();
        let problem = impact(&packing, friction, |_| 0.5);
        let made = start.elapsed();
        let outcome = resolve(&problem, &LawSpec::by_name(law).unwrap()).unwrap();
        println!(
            "{law}: {} contacts, {:?}, problem {made:.2?}, with the answer {:.2?}, residual {:?}, {}",
            packing.contacts(),
            outcome.status(),
            start.elapsed(),
            outcome.certificate.inclusion,
            peak()
        );
        assert_eq!(outcome.status(), Status::Solved, "{law}: {:?}", outcome.reason);
    }
}

/// The peak of the memory of this process, where the system tells.
fn peak() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    status.lines().find(|line| line.starts_with("VmHWM")).unwrap_or_default().to_owned()
}

/// Pairs of equal balls above one another on the ground, the upper ones falling on those that rest: as many reflections
/// as for one pair, however many there are, and the same velocities.
#[test]
fn many_pairs_are_reflected_as_one() {
    let pairs = |count: usize| {
        let mut velocity = vec![0.0; 2 * count];
        velocity.iter_mut().skip(1).step_by(2).for_each(|u| *u = -1.0);
        let mut data = ProblemData::new(Mass::diagonal(vec![1.0; 2 * count]).unwrap(), velocity);
        for k in 0..count {
            let (ground, between) = (vec![(2 * k, 1.0)], vec![(2 * k, -1.0), (2 * k + 1, 1.0)]);
            data = data
                .with_contact(ContactData::new(format!("ground {k}"), Direction::Sparse(ground)))
                .with_contact(ContactData::new(format!("between {k}"), Direction::Sparse(between)));
        }
        let law = LawSpec::from(Reflections { restitution: Some(1.0) });
        resolve(&ImpactProblem::new(data).unwrap(), &law).unwrap()
    };
    let (one, many) = (pairs(1), pairs(2300));
    // The blow passes through the lower ball to the ground and back.
    assert_eq!(one.u_plus, [0.0, 1.0]);
    assert_eq!(
        (many.status(), many.answer.stats.iterations),
        (Status::Solved, one.answer.stats.iterations),
        "{:?}",
        many.answer.reason
    );
    assert!(many.u_plus.chunks(2).all(|u| u[0].abs() < 1e-9 && (u[1] - 1.0).abs() < 1e-9));
}
