//! Claims of the papers that are wrong or incomplete as printed and that no
//! other test settles. `docs/corrections.md` lists all of them.

mod lzb_support;

use std::f64::consts::{FRAC_PI_2, SQRT_2};

use delassus::law::Stronge;
use delassus::model::{Directions, System};
use delassus::scenario::{Built, MaterialData, RockingBlock, Scenario};
use delassus::simulate::{Control, SimulatedImpact, Until, simulate};
use delassus::{
    ContactData, ImpactOutcome, ImpactProblem, LawSpec, Mass, Options, ProblemData, Theorem, Workspace, resolve,
    resolve_into,
};
use lzb_support::{dispersion, lzb};

/// [PG 2005, eq. (58)]: slip in one direction, γ_N⁻ = −1, with coupled directions.
#[test]
fn gross_slip_of_a_bar() {
    let (angle, friction, e) = (0.7f64, 0.3, 0.6);
    let (sin, cos) = angle.sin_cos();
    let (alpha, beta, delta) = (1.0 + 3.0 * cos * cos, 1.0 + 3.0 * sin * sin, 3.0 * sin * cos);
    for slide in [-10.0, 10.0f64] {
        let contact = ContactData::new("C", [0.0, 1.0, cos]).tangent([1.0, 0.0, sin]).friction(friction).restitution(e);
        let mass = Mass::diagonal(vec![1.0, 1.0, 1.0 / 3.0]).unwrap();
        let problem = ImpactProblem::new(ProblemData::new(mass, [slide, -1.0, 0.0]).with_contact(contact)).unwrap();
        let ratio = |push: f64| (delta + push * beta) / (alpha + push * delta) * (1.0 + e) / e + slide / e;
        let (right, printed) = (ratio(-friction * slide.signum()), ratio(friction * slide.signum()));
        assert!((right - printed).abs() > 0.1);
        for law in [LawSpec::Stronge(Stronge::default()), LawSpec::by_name("newton").unwrap()] {
            let gamma = resolve(&problem, &law).unwrap().gamma_plus;
            assert!((gamma[0] - e).abs() < 1e-12, "{}: {gamma:?}", law.name());
            assert!((gamma[1] / gamma[0] - right).abs() < 1e-10, "{}: {gamma:?}, {right}", law.name());
        }
    }
}

/// [PG 2005, §7]: μη² is the largest |v₁(0)/v₃(0)| of initial stick. For e = 0 the spring of a
/// sphere that sticks turns by a quarter of the normal period, whatever μ and ε_T are.
#[test]
fn stick_of_stronges_sphere_is_no_restitution() {
    let (beta, stiffness_ratio) = (3.5f64, 1.21);
    let law = LawSpec::Stronge(Stronge { stiffness_ratio });
    let share = |friction: f64, slide: f64, restitution_tangential: f64| {
        let contact = ContactData::new("C", [0.0, 1.0, 0.0])
            .tangent([1.0, 0.0, -1.0])
            .friction(friction)
            .restitution_tangential(restitution_tangential);
        let mass = Mass::diagonal(vec![1.0, 1.0, 0.4]).unwrap();
        let problem = ImpactProblem::new(ProblemData::new(mass, [slide, -1.0, 0.0]).with_contact(contact)).unwrap();
        resolve(&problem, &law).unwrap().gamma_plus[1] / slide
    };
    let stuck = (FRAC_PI_2 * (beta / stiffness_ratio).sqrt()).cos();
    assert!((stuck + 0.605).abs() > 0.2);
    for friction in [0.5, 0.8] {
        let threshold = friction * stiffness_ratio;
        for part in [-0.999, 0.1, 0.5, 0.999] {
            for restitution_tangential in [0.0, 0.605] {
                let share = share(friction, part * threshold, restitution_tangential);
                assert!((share - stuck).abs() < 1e-9, "μ = {friction}, {part}: {share} and {stuck}");
            }
        }
        let share = share(friction, 1.1 * threshold, 0.0);
        assert!((share - stuck).abs() > 1e-4, "μ = {friction}: slips first, {share}");
    }
}

/// Two bodies in the plane; the first contact feels the height of the second body too.
fn two_bodies() -> ProblemData {
    let mass = Mass::diagonal(vec![1.0; 4]).unwrap();
    let first = ContactData::new("1", [0.0, 1.0, 0.0, 0.3]).tangent([1.0, 0.0, 0.0, 0.0]);
    let second = ContactData::new("2", [0.0, 0.0, 0.0, 1.0]).tangent([0.0, 0.0, 1.0, 0.0]);
    ProblemData::new(mass, [0.5, -1.0, -0.5, -1.0])
        .with_contact(first.friction(0.5).restitution(0.01))
        .with_contact(second.friction(0.5).restitution(0.02))
}

/// [G 2014, eqs. (115), (117), (119), (121)] with coefficients of both signs: the printed conditions
/// hold, yet G − εGε is indefinite.
#[test]
fn conditions_on_coefficients_need_one_sign() {
    let problem = ImpactProblem::new(two_bodies()).unwrap();
    // The normals: unit rows, G₁₂ = c.
    let scale = (problem.operator().get(0, 0) * problem.operator().get(2, 2)).sqrt();
    let c = problem.operator().get(0, 2) / scale;
    let ratio = (1.0 - c) / (1.0 + c);
    let (low, high) = (-0.99f64, 0.1f64);
    let determinant = (1.0 - low * low) * (1.0 - high * high) - (c * (1.0 - low * high)).powi(2);
    assert!(determinant < 0.0, "{determinant}");
    let similar = |spread: f64| spread / (1.0 - low * low);
    assert!(high * high <= ratio, "(121) as printed");
    assert!(similar(high * high - low * low) <= ratio, "(117) as printed");
    let largest = low.abs().max(high.abs());
    assert!(similar(largest * largest - low * low) <= ratio, "(117) with max|ε| is not enough");
    assert!(largest * largest > ratio, "(121) with max|ε|");
    assert!(similar((high - low) * (high + low).abs().max(2.0 * low.abs())) > ratio, "(117) with the norms of (115)");
    // Poisson's law takes no such coefficients.
    let mut data = two_bodies();
    data.contacts[0].restitution = low;
    assert_eq!(ImpactProblem::new(data).unwrap_err().field, "contact[0].restitution");
}

/// [G 2014, eqs. (117), (121)] say nothing about redundant contacts, except for equal coefficients.
#[test]
fn conditions_on_coefficients_are_void_for_redundant_contacts() {
    let theorem = |data: ProblemData| {
        let options = Options { eigenvalues: true, ..Options::default() };
        let mut outcome = ImpactOutcome::default();
        let problem = ImpactProblem::new(data).unwrap();
        let law = LawSpec::by_name("poisson").unwrap();
        resolve_into(&problem, &law, &options, &mut Workspace::default(), &mut outcome).unwrap();
        outcome.certificate.theorem
    };
    assert_eq!(theorem(two_bodies()), Theorem::SmallCoefficients);
    let mut redundant = two_bodies();
    redundant.contacts.push(ContactData { name: "3".into(), ..redundant.contacts[0].clone() });
    assert_eq!(theorem(redundant.clone()), Theorem::None);
    for contact in &mut redundant.contacts {
        (contact.restitution, contact.restitution_tangential) = (0.02, 0.02);
    }
    assert_eq!(theorem(redundant), Theorem::EqualCoefficients);
}

/// The block of ZBL on the ground, tilted about A.
fn rocking(width: f64, aspect: f64, angle: f64, friction: [f64; 2], e: f64) -> Built {
    let short = RockingBlock { width, height: aspect * width, mass: 0.02, angle, rate: 0.0 };
    let material = MaterialData {
        friction: Some(friction[0]),
        friction_static: Some(friction[1]),
        restitution: Some(e),
        ..MaterialData::default()
    };
    Scenario { rocking_block: Some(short), material: vec![material], ..Scenario::default() }.build().unwrap()
}

fn first_impacts(built: &Built, count: usize) -> Vec<SimulatedImpact> {
    let until = Until { impacts: Some(count), ..Until::time(100.0) };
    let go = &mut |_: &_| Control::Continue;
    simulate(&built.system, &built.q, &built.u, &lzb(1.5), &built.settings, &until, go).unwrap().impacts
}

/// Upward velocities of A and B.
fn corners(u: &[f64], width: f64) -> [f64; 2] {
    [u[1] - 0.5 * width * u[2], u[1] + 0.5 * width * u[2]]
}

/// ZBL Fig. 4, e = 0, l = 2L, no friction: each impact is double and leaves (a² − 2)/(a² + 4) = ¼
/// of the velocity to the other corner, so the block does not rest after the second. With friction
/// the impacts are double, too.
#[test]
fn double_impacts_repeat_without_restitution() {
    let width = 0.1;
    let impacts = first_impacts(&rocking(width, 2.0, 0.2, [0.0; 2], 0.0), 5);
    assert_eq!(impacts.len(), 5);
    for (k, impact) in impacts.iter().enumerate() {
        assert!(!impact.inelastic);
        assert_eq!(impact.contacts.len(), 2, "impact {k}");
        let (before, after) = (corners(&impact.u_minus, width), corners(&impact.u_plus, width));
        let (rest, strike) = (k % 2, (k + 1) % 2);
        assert!(before[strike] < 0.0 && before[rest].abs() < 1e-9, "impact {k}: {before:?}");
        let share = after[rest] / -before[strike];
        assert!((share - 0.25).abs() < 1e-8 && after[strike].abs() < 1e-9, "impact {k}: {share}, {after:?}");
    }
    for friction in [[0.01, 0.02], [0.3, 0.5]] {
        let rough = first_impacts(&rocking(width, 2.0, 0.2, friction, 0.0), 5);
        assert!(rough.len() == 5 && rough.iter().all(|i| i.contacts.len() == 2 && !i.inelastic), "{friction:?}");
    }
}

/// ZBL Fig. 5, e = 0.8, l = √2 L, no friction: A stays on the ground and every impact is double.
#[test]
fn double_impacts_repeat_at_the_right_kinetic_angle() {
    let width = 0.1;
    let impacts = first_impacts(&rocking(width, SQRT_2, 0.2, [0.0; 2], 0.8), 5);
    assert_eq!(impacts.len(), 5);
    for (k, impact) in impacts.iter().enumerate() {
        assert_eq!(impact.contacts.len(), 2, "impact {k}");
        let (before, after) = (corners(&impact.u_minus, width), corners(&impact.u_plus, width));
        assert!((after[1] / -before[1] - 0.8).abs() < 1e-8 && after[0].abs() < 1e-9, "impact {k}: {after:?}");
    }
}

/// ZBL after (4): tangential velocities of the corners of a tilted block, B right and A left.
#[test]
fn tangential_velocities_of_the_corners() {
    let (width, aspect, theta) = (0.4, 1.7, 0.3f64);
    let built = rocking(width, aspect, theta, [0.3; 2], 0.0);
    let (sin, cos) = theta.sin_cos();
    for (corner, side) in [("A", -1.0), ("B", 1.0)] {
        let index = built.system.contacts().iter().position(|c| c.name == corner).unwrap();
        let mut directions = Directions::default();
        built.system.contact(index, 0, 0.0, &built.q, &built.u, &mut directions);
        let tangent = directions.row(1);
        let arm = 0.5 * width * (aspect * cos - side * sin);
        assert!((tangent[0] - 1.0).abs() < 1e-12 && (tangent[2] - arm).abs() < 1e-12, "{corner}: {tangent:?}, {arm}");
    }
}

/// Aspect ratio of the least |d| of a block that falls as in ZBL Fig. 6.
fn critical_aspect(friction: [f64; 2], e: f64) -> f64 {
    let width = 0.24;
    let d = |aspect: f64| {
        let impact = &first_impacts(&rocking(width, aspect, 0.12, friction, e), 1)[0];
        (corners(&impact.u_plus, width)[0] / corners(&impact.u_minus, width)[1]).abs()
    };
    let golden = 0.5 * (5f64.sqrt() - 1.0);
    let (mut low, mut high) = (0.9, 1.6);
    let mut inner = [high - golden * (high - low), low + golden * (high - low)];
    let mut values = inner.map(d);
    while high - low > 1e-5 {
        if values[0] < values[1] {
            high = inner[1];
            inner = [high - golden * (high - low), inner[0]];
            values = [d(inner[0]), values[0]];
        } else {
            low = inner[0];
            inner = [inner[1], low + golden * (high - low)];
            values = [values[1], d(inner[1])];
        }
    }
    0.5 * (low + high)
}

/// ZBL §5, item 10: a block that slides on arrival has its least |d| at an aspect ratio that moves
/// with e; one whose A does not slide has d = 0 where a² + 3μa = 2, for every e.
#[test]
fn critical_aspect_moves_with_restitution() {
    let known = [
        ([0.01, 0.02], [1.4139, 1.4154, 1.4186]),
        ([0.15, 0.3], [1.3326, 1.3417, 1.3681]),
        ([0.3, 0.5], [1.0810, 1.0813, 1.0832]),
    ];
    for (friction, expected) in known {
        for (e, expected) in [1.0, 0.8, 0.5].into_iter().zip(expected) {
            let place = critical_aspect(friction, e);
            assert!((place - expected).abs() < 7e-5, "{friction:?}, e = {e}: {place}");
        }
        let still = 0.5 * ((9.0 * friction[0] * friction[0] + 8.0).sqrt() - 3.0 * friction[0]);
        for e in [1.0, 0.8, 0.5] {
            let d = dispersion(still, friction[0], friction[1], e);
            assert!(d.abs() < 1e-9, "{friction:?}, e = {e}: {d}");
        }
    }
}
