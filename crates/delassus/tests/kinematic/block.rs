//! The block without Coulomb friction: forms, imposed jumps, BZL §3.1–3.5, 3.7, 5.

use delassus::law::kinematic::block::HomogeneousBlock;
use delassus::law::{Form, Kinematic, NumberOrMatrix};
use delassus::{ContactData, ImpactProblem, LawSpec, Mass, ProblemData, Status, Theorem, resolve};

use crate::support::{Strike, close, energies, form, matrix, rocking, solved, theorem};

/// Height, width, mass, rate: flat, square, slender.
fn strikes() -> Vec<Strike> {
    [(0.4, 1.0, 2.0, -1.0), (1.0, 1.0, 0.5, -3.0), (2.4, 0.6, 7.0, -0.2)]
        .map(|(height, width, mass, rate)| Strike { mass, rate, ..Strike::new(height, width) })
        .to_vec()
}

/// The same block standing so that A has no tangential velocity.
fn sticking(strike: Strike) -> Strike {
    Strike { sliding: -0.5 * strike.block.height * strike.rate, ..strike }
}

/// §3.3, with the factor m/(12L) after (25).
#[test]
fn rocking_without_friction() {
    for s in strikes() {
        let HomogeneousBlock { height: l, width: w } = s.block;
        let (m, e) = (s.mass, 0.7);
        for law in [rocking(e), form(Form::RockingSliding, e)] {
            let outcome = solved(&s.problem(), &law);
            close(&outcome.u_plus, &[0.0, -0.5 * e * w * s.rate, e * s.rate], 1e-13);
            let k = m / (12.0 * w) * s.rate;
            let p1 = k * ((l * l - 2.0 * w * w) * e - (l * l + 4.0 * w * w));
            let p2 = k * (-(4.0 * w * w + l * l) * e - (2.0 * w * w - l * l));
            close(outcome.impulses(), &[p1, 0.0, p2, 0.0], 1e-12);
            // (42) as corrected, r = −e.
            let (a, b, r) = (0.25 * m * w, s.inertia() / w, -e);
            let y = 0.5 * w * s.rate;
            let p1 = ((a - b) * r - b) * s.rate - 0.5 * m * y;
            let p2 = ((a + b) * r + b) * s.rate - 0.5 * m * y;
            close(outcome.impulses(), &[p1, 0.0, p2, 0.0], 1e-12);
        }
    }
}

/// (21) corrected and (22): only B gives an impulse, so A moves. The normal
/// velocities are those of Newton's law for B alone.
#[test]
fn single_corner() {
    for s in strikes() {
        let (l2, w2) = (s.block.height.powi(2), s.block.width.powi(2));
        let data = |e: f64| {
            let mass = Mass::diagonal(vec![s.mass, s.mass, s.inertia()]).unwrap();
            let velocity = [0.0, 0.5 * s.block.width * s.rate, s.rate];
            let corner = ContactData::new("B", [0.0, 1.0, 0.5 * s.block.width]).restitution(e);
            ImpactProblem::new(ProblemData::new(mass, velocity).with_contact(corner)).unwrap()
        };
        for e in [0.0, 0.35, 1.0] {
            let outcome = solved(&data(e), &Kinematic::default());
            let y = (2.0 * w2 - l2 - 2.0 * (l2 + w2) * e) / (4.0 * w2 + l2) * 0.5 * s.block.width * s.rate;
            let theta = -(6.0 * w2 * e + 2.0 * w2 - l2) / (4.0 * w2 + l2) * s.rate;
            close(&outcome.u_plus, &[0.0, y, theta], 1e-13);
        }
        // (23) and r_sli.
        let outcome = solved(&data(0.0), &Kinematic::default());
        close(&[-outcome.u_plus[2] / s.rate], &[s.block.sliding_ratio()], 1e-13);
    }
}

/// §3.4 and (29); r = −e, (45): the tangential impulse is shared equally.
#[test]
fn rocking_with_sticking_corners() {
    for s in strikes().into_iter().map(sticking) {
        let (l, w) = (s.block.height, s.block.width);
        let e = 0.8;
        let expected = [-0.5 * l * e * s.rate, -0.5 * w * e * s.rate, e * s.rate];
        let k = s.mass / (6.0 * w) * s.rate;
        let p1 = k * ((2.0 * l * l - w * w) * e - 2.0 * (l * l + w * w));
        let p2 = -k * (2.0 * (l * l + w * w) * e + w * w - 2.0 * l * l);
        let pt = 0.5 * s.mass * (expected[0] - s.sliding);
        // Remark 7: E_tan = −e_n21.
        let imposed = Kinematic { tangential_matrix: Some(NumberOrMatrix::Uniform(-e)), ..rocking(e) };
        for law in [form(Form::RockingSticking, e), imposed] {
            let outcome = solved(&s.problem(), &law);
            close(&outcome.u_plus, &expected, 1e-13);
            close(outcome.impulses(), &[p1, pt, p2, pt], 1e-12);
        }
        // After (45), p_n1 corrected, with r = −e.
        let r = -e;
        let q = (4.0 * s.inertia() + s.mass * l * l) / (4.0 * w);
        close(&[p1], &[(s.mass * w / 4.0 * (r - 1.0) - q * (r + 1.0)) * s.rate], 1e-12);
        close(&[p2], &[(s.mass * w / 4.0 * (r - 1.0) + q * (r + 1.0)) * s.rate], 1e-12);
    }
}

/// (26).
#[test]
fn half_rocking() {
    for s in strikes() {
        let (l2, w) = (s.block.height.powi(2), s.block.width);
        let e = 0.6;
        let k = s.mass / (12.0 * w) * (e + 1.0) * s.rate;
        for law in [form(Form::HalfRocking, e), matrix([[e, 0.0], [0.0, 0.0]])] {
            let outcome = solved(&s.problem(), &law);
            close(&outcome.u_plus, &[0.0, -0.5 * e * w * s.rate, -e * s.rate], 1e-13);
            close(outcome.impulses(), &[-k * (4.0 * w * w + l2), 0.0, k * (l2 - 2.0 * w * w), 0.0], 1e-12);
        }
        // After (46): half of what is printed, r = e.
        let (a, b) = (0.5 * s.mass * w, 2.0 * s.inertia() / w);
        let outcome = solved(&s.problem(), &form(Form::HalfRocking, e));
        let expected = [-0.5 * (e + 1.0) * (a + b) * s.rate, 0.5 * (e + 1.0) * (b - a) * s.rate];
        close(&[outcome.impulses()[0], outcome.impulses()[2]], &expected, 1e-12);
    }
}

/// r_H = −(1 − (3/2) sin²α) with α = atan(L/l), without an impulse at A.
#[test]
fn housner() {
    for s in strikes().into_iter().map(sticking) {
        let law = Kinematic { form: Some(Form::Housner), ..Kinematic::default() };
        let outcome = solved(&s.problem(), &law);
        let alpha = (s.block.width / s.block.height).atan();
        let ratio = -outcome.u_plus[2] / s.rate;
        close(&[ratio, ratio], &[-(1.0 - 1.5 * alpha.sin().powi(2)), s.block.housner_ratio()], 1e-13);
        close(&outcome.impulses()[2..], &[0.0, 0.0], 0.0);
        close(&outcome.gamma_plus[..2], &[0.0, 0.0], 1e-13);
        // Rocking-sticking with that coefficient is the same motion.
        if ratio < 0.0 {
            let rocking = solved(&s.problem(), &form(Form::RockingSticking, -ratio));
            close(&rocking.u_plus, &outcome.u_plus, 1e-13);
        }
    }
}

/// The forms find the striking corner whatever the order, and take its restitution.
#[test]
fn striking_corner_from_velocities() {
    let s = Strike::new(2.0, 1.0);
    let corner = |name: &str, arm: f64, e: f64| ContactData::new(name, [0.0, 1.0, arm]).restitution(e);
    let mass = Mass::diagonal(vec![1.0, 1.0, s.inertia()]).unwrap();
    let data = ProblemData::new(mass, [0.0, -0.5, -1.0]).with_contact(corner("A", -0.5, 0.9));
    let problem = ImpactProblem::new(data.with_contact(corner("B", 0.5, 0.4))).unwrap();
    let law = Kinematic { form: Some(Form::RockingSliding), ..Kinematic::default() };
    close(&solved(&problem, &law).u_plus, &[0.0, 0.2, -0.4], 1e-14);
    // Both approach, none approaches.
    for velocity in [[0.0, -1.0, 0.1], [0.0, 0.5, 1.0]] {
        let mut problem = problem.clone();
        problem.set_velocity(&velocity).unwrap();
        let outcome = resolve(&problem, &LawSpec::Kinematic(law.clone())).unwrap();
        assert_eq!(outcome.status(), Status::NotApplicable);
        assert!(outcome.reason.unwrap().contains("approaches"));
    }
}

/// §5: rebound at B with an imposed ẋ⁺ = −e_t3 ẋ⁻; (49), (51), (53), (54) corrected.
#[test]
fn rebound_with_imposed_jump() {
    for s in strikes().into_iter().map(sticking) {
        for (e1, e21, et) in [(0.3, 0.5, -0.2), (0.0, 0.9, -0.9), (0.8, 0.1, 0.7)] {
            let law = matrix([[e1, 0.0], [e21, 0.0]]);
            let law = Kinematic { tangential_matrix: Some(NumberOrMatrix::Full(vec![vec![et]])), ..law };
            let problem = s.problem();
            let outcome = solved(&problem, &law);
            let expected = [-et * s.sliding, -0.5 * (e1 + e21) * s.block.width * s.rate, (e21 - e1) * s.rate];
            close(&outcome.u_plus, &expected, 1e-13);
            let margins = s.block.rebound(e1, e21, et);
            let (before, after) = energies(&problem, &outcome);
            close(&[(after - before) * -24.0 / (s.mass * s.rate * s.rate)], &[margins.energy], 1e-11);
            let unit = -12.0 * s.block.width / (s.mass * s.rate);
            let impulses = [outcome.impulses()[0] * unit, outcome.impulses()[2] * unit];
            close(&impulses, &[margins.striking, margins.resting], 1e-11);
            // (55): the relation suffices for a local tangential restitution e_t.
            if et == e1 - e21 {
                let v = |u: &[f64]| u[0] + 0.5 * s.block.height * u[2];
                close(&[v(&outcome.u_plus)], &[-et * v(problem.u_minus())], 1e-13);
            }
        }
    }
}

/// A basis with the other sign, and a basis that is none.
#[test]
fn given_tangential_basis() {
    let s = sticking(Strike { mass: 4.0, ..Strike::new(1.0, 1.0) });
    let law = |basis: Vec<f64>| Kinematic {
        tangential_matrix: Some(NumberOrMatrix::Full(vec![vec![0.5]])),
        tangential_basis: Some(vec![basis]),
        ..rocking(0.5)
    };
    let outcome = solved(&s.problem(), &law(vec![-0.5, 0.0, 0.0]));
    close(&outcome.u_plus[..1], &[-0.5 * s.sliding], 1e-14);
    for bad in [vec![1.0, 0.0, 0.0], vec![0.0, 0.5, 0.0], vec![0.5, 0.0]] {
        let error = resolve(&s.problem(), &LawSpec::Kinematic(law(bad))).unwrap_err();
        assert_eq!(error.field, "law.tangential_basis[0]");
    }
}

/// Without tangents nothing can carry an imposed jump, unless none is asked for.
#[test]
fn jump_without_tangents() {
    let s = Strike::new(1.0, 1.0);
    let mass = Mass::diagonal(vec![1.0, 1.0, s.inertia()]).unwrap();
    let data = ProblemData::new(mass, [2.0, -0.5, -1.0]).with_contact(ContactData::new("B", [0.0, 1.0, 0.5]));
    let problem = ImpactProblem::new(data).unwrap();
    let law = |e| Kinematic { tangential_matrix: Some(NumberOrMatrix::Uniform(e)), ..Kinematic::default() };
    let outcome = resolve(&problem, &LawSpec::Kinematic(law(0.5))).unwrap();
    assert_eq!(outcome.status(), Status::NoSolution);
    close(&solved(&problem, &law(-1.0)).u_plus[..1], &[2.0], 0.0);
}

/// Normal and tangential coefficients of at most one keep the energy from growing; a
/// tangential one above proves nothing.
#[test]
fn an_imposed_jump_that_contracts_is_proved_to_lose_energy() {
    for strike in strikes() {
        let problem = sticking(strike).problem();
        let law = |normal: f64, tangential: f64| Kinematic {
            tangential_matrix: Some(NumberOrMatrix::Uniform(tangential)),
            ..matrix([[normal, 0.0], [0.0, normal]])
        };
        for (normal, tangential) in [(0.0, 0.0), (0.6, 0.3), (1.0, 1.0), (0.5, -1.0)] {
            assert_eq!(theorem(&problem, &law(normal, tangential)), Theorem::Contraction, "{normal} {tangential}");
            let (before, after) = energies(&problem, &solved(&problem, &law(normal, tangential)));
            assert!(after <= before * (1.0 + 1e-12), "{normal} {tangential}: {before} {after}");
        }
        assert_eq!(theorem(&problem, &law(0.5, 1.1)), Theorem::None);
    }
}
