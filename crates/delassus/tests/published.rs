//! Published and closed-form answers, small enough to read.

use delassus::law::{Moreau, Newton, Poisson};
use delassus::{
    ContactData, ElementState, ImpactProblem, LawSpec, Mass, ProblemData, Status, Theorem, Uniqueness, resolve,
};

fn balls(masses: &[f64], u_minus: &[f64], e: &[f64]) -> ImpactProblem {
    let mut data = ProblemData::new(Mass::diagonal(masses.to_vec()).unwrap(), u_minus);
    for (i, &e) in e.iter().enumerate() {
        let mut normal = vec![0.0; masses.len()];
        normal[i] = -1.0;
        normal[i + 1] = 1.0;
        data = data.with_contact(ContactData::new(format!("{}-{}", i + 1, i + 2), normal).restitution(e));
    }
    ImpactProblem::new(data).unwrap()
}

fn newton() -> LawSpec {
    LawSpec::Newton(Newton::default())
}

fn poisson() -> LawSpec {
    LawSpec::Poisson(Poisson::default())
}

fn close(a: &[f64], b: &[f64], tolerance: f64) {
    assert_eq!(a.len(), b.len());
    for (x, y) in a.iter().zip(b) {
        assert!((x - y).abs() <= tolerance, "{a:?} is not {b:?}");
    }
}

/// Kane's double pendulum [G 2014, §9.2]: m = 3 kg, l = 2 m, angles 20° and 30°.
fn kane(restitution: f64) -> ImpactProblem {
    let (m, l) = (3.0, 2.0);
    let (a, b) = (20f64.to_radians(), 30f64.to_radians());
    let mass =
        vec![4.0 / 3.0 * m * l * l, 0.5 * m * l * l * (b - a).cos(), 0.5 * m * l * l * (b - a).cos(), m * l * l / 3.0];
    let data = ProblemData::new(Mass::dense(2, mass).unwrap(), [-0.1, -0.2]).with_contact(
        ContactData::new("C", [l * a.sin(), l * b.sin()])
            .tangent([-l * a.cos(), -l * b.cos()])
            .friction(0.5)
            .restitution(restitution),
    );
    ImpactProblem::new(data).unwrap()
}

#[test]
fn three_elastic_balls_under_newton() {
    let outcome = resolve(&balls(&[1.0; 3], &[1.0, 0.0, 0.0], &[1.0, 1.0]), &newton()).unwrap();
    close(&outcome.u_plus, &[-1.0 / 3.0, 2.0 / 3.0, 2.0 / 3.0], 1e-14);
    assert_eq!(outcome.certificate.theorem, Theorem::EqualNewtonCoefficients);
    assert!(matches!(outcome.answer.uniqueness, Uniqueness::Proved(_)));
}

#[test]
fn cradle_with_an_active_contact_under_poisson() {
    // G 2014, §9.3: ε_A = 0, ε_B = 2 hands the velocity to the last ball.
    let outcome = resolve(&balls(&[1.0; 3], &[1.0, 0.0, 0.0], &[0.0, 2.0]), &poisson()).unwrap();
    close(&outcome.u_plus, &[0.0, 0.0, 1.0], 1e-14);
    assert_eq!(outcome.certificate.theorem, Theorem::None);
}

#[test]
fn kane_gains_energy_under_newton_and_not_under_poisson() {
    let problem = kane(0.5);
    close(problem.gamma_minus(), &[-0.2684, 0.5343], 5e-5);
    let n = resolve(&problem, &newton()).unwrap();
    let p = resolve(&problem, &poisson()).unwrap();
    assert!(n.energy.change() > 0.0 && n.certificate.energetic > 1e-3);
    assert!(p.energy.change() < 0.0 && p.certificate.energetic == 0.0);
    assert_eq!(p.certificate.theorem, Theorem::OneFrictionalContact);
    assert_eq!(n.certificate.theorem, Theorem::None);
    for outcome in [&n, &p] {
        assert_eq!(outcome.status(), Status::Solved);
        assert!(outcome.certificate.inclusion.unwrap() < 1e-13);
        assert!(outcome.certificate.momentum < 1e-13);
    }
}

#[test]
fn moreau_is_newton_with_one_index() {
    let problem = kane(0.5);
    let moreau = resolve(&problem, &LawSpec::Moreau(Moreau { restitution: Some(0.0) })).unwrap();
    let inelastic = resolve(&kane(0.0), &newton()).unwrap();
    close(&moreau.u_plus, &inelastic.u_plus, 1e-14);
    assert_eq!(moreau.states[0], ElementState::Closed);
}
