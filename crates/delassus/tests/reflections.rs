//! The law `reflections` against closed forms, a second method, and what it promises.

use delassus::law::{Moreau, Reflections};
use delassus::{
    ClutchData, ContactData, ImpactOutcome, ImpactProblem, JointData, Limits, Mass, Options, ProblemData, Status,
    Theorem, Uniqueness, Workspace, resolve, resolve_into,
};
use nalgebra::{DMatrix, DVector};

mod common;
use common::Random;

fn law(e: f64) -> Reflections {
    Reflections { restitution: Some(e) }
}

fn solved(problem: &ImpactProblem, e: f64) -> ImpactOutcome {
    let outcome = resolve(problem, &law(e)).unwrap();
    assert_eq!(outcome.status(), Status::Solved, "{:?}", outcome.reason);
    assert!(outcome.certificate.is_consistent() && outcome.certificate.satisfies_law(), "{:?}", outcome.certificate);
    assert_eq!((outcome.certificate.theorem, outcome.certificate.inclusion), (Theorem::Unconditional, None));
    if e == 1.0 && problem.external_impulse().is_none() {
        assert!(outcome.energy.contacts.abs() <= 1e-10 * outcome.energy.before, "{:?}", outcome.energy);
    }
    outcome
}

fn chain(masses: &[f64], velocity: &[f64]) -> ImpactProblem {
    let mut data = ProblemData::new(Mass::diagonal(masses.to_vec()).unwrap(), velocity);
    for i in 1..masses.len() {
        let mut normal = vec![0.0; masses.len()];
        (normal[i - 1], normal[i]) = (-1.0, 1.0);
        data = data.with_contact(ContactData::new(format!("{i}"), normal));
    }
    ImpactProblem::new(data).unwrap()
}

#[track_caller]
fn close(a: &[f64], b: &[f64], tolerance: f64) {
    let size = b.iter().fold(1.0f64, |m, v| m.max(v.abs()));
    assert_eq!(a.len(), b.len());
    assert!(a.iter().zip(b).all(|(a, b)| (a - b).abs() <= tolerance * size), "{a:?} is not {b:?}");
}

#[test]
fn chains_of_balls() {
    // One after the other through the chain, as in Newton's cradle.
    let three = chain(&[1.0; 3], &[1.0, 0.0, 0.0]);
    let outcome = solved(&three, 1.0);
    close(&outcome.u_plus, &[0.0, 0.0, 1.0], 1e-15);
    assert_eq!(outcome.answer.stats.iterations, 2);
    // The second contact neither approaches nor separates: the answer jumps there.
    assert_eq!(outcome.answer.uniqueness, Uniqueness::Unknown);
    close(&solved(&chain(&[1.0; 5], &[1.0, 0.0, 0.0, 0.0, 0.0]), 1.0).u_plus, &[0.0, 0.0, 0.0, 0.0, 1.0], 1e-15);
    // p = (⅓, ⅓, ⅓): half way between.
    close(&solved(&three, 0.5).u_plus, &[1.0 / 6.0, 1.0 / 6.0, 2.0 / 3.0], 1e-15);
    close(&solved(&three, 0.0).u_plus, &[1.0 / 3.0; 3], 1e-15);
    // Both at once keep the symmetry.
    let both = solved(&chain(&[1.0, 3.0, 1.0], &[1.0, 0.0, -1.0]), 1.0);
    close(&both.u_plus, &[-1.0, 0.0, 1.0], 1e-15);
    assert!(matches!(both.answer.uniqueness, Uniqueness::Proved(_)));
    // Two contacts that approach at different speeds: A⁻¹γ has one sign, so V reflects as a whole,
    // u = u⁻ − 2(u⁻ − p) with p = (2 + ½)/3: it is Moreau's answer for e = 1.
    let uneven = chain(&[1.0; 3], &[2.0, 0.5, 0.0]);
    let p = 2.5 / 3.0;
    close(&solved(&uneven, 1.0).u_plus, &[2.0 * p - 2.0, 2.0 * p - 0.5, 2.0 * p], 1e-15);
}

/// Problems in coordinates with unit mass, with normals as rows.
struct Case {
    normals: DMatrix<f64>,
    velocity: DVector<f64>,
}

impl Case {
    fn random(random: &mut Random) -> Self {
        let n = 2 + (random.next().abs() * 4.0) as usize;
        let m = 1 + (random.next().abs() * 4.0) as usize;
        // Some with more contacts than coordinates; in one half space, else reflections never end.
        let mut normals = DMatrix::from_fn(m, n, |_, _| random.next());
        normals.column_mut(0).add_scalar_mut(1.01);
        Self { normals, velocity: DVector::from_fn(n, |_, _| random.next()) }
    }

    fn problem_in(&self, change: &DMatrix<f64>, mass: f64, speed: f64) -> ImpactProblem {
        let n = self.velocity.len();
        let matrix = change.transpose() * change * mass;
        let symmetric = DMatrix::from_fn(n, n, |i, j| 0.5 * (matrix[(i, j)] + matrix[(j, i)]));
        let velocity = change.clone().lu().solve(&self.velocity).unwrap() * speed;
        let mass = Mass::dense(n, symmetric.as_slice().to_vec()).unwrap();
        let mut data = ProblemData::new(mass, velocity.as_slice().to_vec());
        for i in 0..self.normals.nrows() {
            let normal: Vec<f64> = (self.normals.row(i) * change).iter().copied().collect();
            data = data.with_contact(ContactData::new(format!("{i}"), normal));
        }
        ImpactProblem::new(data).unwrap()
    }

    fn problem(&self) -> ImpactProblem {
        self.problem_in(&DMatrix::identity(self.velocity.len(), self.velocity.len()), 1.0, 1.0)
    }

    /// The nearest velocity with γ ≥ 0 for the contacts of V: of all sets of contacts held at
    /// zero the one whose projection is admissible and pushes.
    fn project(&self, u: &DVector<f64>, v: &[usize]) -> DVector<f64> {
        for subset in 0..1usize << v.len() {
            let rows: Vec<usize> = (0..v.len()).filter(|i| subset >> i & 1 == 1).map(|i| v[i]).collect();
            let w = self.normals.select_rows(&rows);
            let g = &w * w.transpose();
            if !rows.is_empty() && g.clone().symmetric_eigenvalues().min() < 1e-9 {
                continue;
            }
            let impulses = if rows.is_empty() { DVector::zeros(0) } else { g.lu().solve(&-(&w * u)).unwrap() };
            let after = u + w.transpose() * &impulses;
            let admissible = v.iter().all(|&i| (self.normals.row(i) * &after)[0] >= -1e-10);
            if impulses.iter().all(|x| *x >= -1e-10) && admissible {
                return after;
            }
        }
        panic!("a projection exists");
    }

    /// u⁺ at e = 1, and whether some contact was nearly at rest on the way.
    fn expected(&self) -> (DVector<f64>, bool) {
        let (mut u, mut close) = (self.velocity.clone(), false);
        for _ in 0..10_000 {
            let gamma = &self.normals * &u;
            close |= gamma.iter().any(|g| g.abs() < 1e-7 && g.abs() > 1e-13);
            let v: Vec<usize> = (0..gamma.len()).filter(|&i| gamma[i] < -1e-12).collect();
            if v.is_empty() {
                return (u, close);
            }
            u = 2.0 * self.project(&u, &v) - u;
        }
        panic!("no end");
    }
}

#[test]
fn second_method() {
    let mut random = Random(5);
    let mut several = 0;
    for _ in 0..2000 {
        let case = Case::random(&mut random);
        let (elastic, close_call) = case.expected();
        if close_call {
            continue;
        }
        let all: Vec<usize> = (0..case.normals.nrows()).collect();
        let plastic = case.project(&case.velocity, &all);
        let e = random.next().abs();
        let expected = &plastic + e * (&elastic - &plastic);
        let outcome = solved(&case.problem(), e);
        close(&outcome.u_plus, expected.as_slice(), 1e-8);
        several += usize::from(outcome.answer.stats.iterations > 1);
        let outcome = solved(&case.problem(), 1.0);
        close(&outcome.u_plus, elastic.as_slice(), 1e-8);
        // e = 0 is Moreau's law with 0.
        let moreau = resolve(&case.problem(), &Moreau { restitution: Some(0.0) }).unwrap();
        close(&solved(&case.problem(), 0.0).u_plus, &moreau.u_plus, 1e-9);
    }
    assert!(several > 50, "{several}");
}

#[test]
fn coordinates_and_units_do_not_matter() {
    let mut random = Random(13);
    let mut compared = 0;
    for _ in 0..200 {
        let case = Case::random(&mut random);
        if case.expected().1 {
            continue;
        }
        let n = case.velocity.len();
        let change = DMatrix::from_fn(n, n, |i, j| random.next() + if i == j { 4.0 } else { 0.0 });
        let (mass, speed) = (10f64.powf(9.0 * random.next()), 10f64.powf(9.0 * random.next()));
        let outcome = solved(&case.problem_in(&change, mass, speed), 0.7);
        let back = &change * DVector::from_vec(outcome.u_plus) / speed;
        close(back.as_slice(), &solved(&case.problem(), 0.7).u_plus, 1e-8);
        compared += 1;
    }
    assert!(compared > 150, "{compared}");
}

/// A contact given twice changes no velocity; nor does a joint that holds.
#[test]
fn redundant_contacts_and_joints() {
    let masses = [1.0, 2.0, 3.0];
    let mut data = ProblemData::new(Mass::diagonal(masses.to_vec()).unwrap(), [1.0, 0.2, -0.5]);
    data = data
        .with_contact(ContactData::new("1", [-1.0, 1.0, 0.0]))
        .with_contact(ContactData::new("2", [0.0, -1.0, 1.0]));
    let single = solved(&ImpactProblem::new(data.clone()).unwrap(), 1.0);
    let double = data.clone().with_contact(ContactData::new("again", [0.0, -2.0, 2.0]));
    close(&solved(&ImpactProblem::new(double).unwrap(), 1.0).u_plus, &single.u_plus, 1e-13);
    // Balls 2 and 3 joined are one of mass 5.
    let joint = |velocity: [f64; 3]| {
        let mut data = ProblemData::new(Mass::diagonal(masses.to_vec()).unwrap(), velocity);
        data = data.with_contact(ContactData::new("1", [-1.0, 1.0, 0.0]));
        let directions = vec![vec![0.0, 1.0, -1.0].into()];
        data.joints.push(JointData { name: "J".into(), directions, restitution: 0.0, offset: vec![] });
        data
    };
    let joined = solved(&ImpactProblem::new(joint([1.0, -0.5, -0.5])).unwrap(), 1.0);
    let two = solved(&chain(&[1.0, 5.0], &[1.0, -0.5]), 1.0);
    close(&joined.u_plus, &[two.u_plus[0], two.u_plus[1], two.u_plus[1]], 1e-14);
    // An external impulse acts first, on what the joint makes one.
    let mut driven = joint([1.0, 0.0, 0.0]);
    driven.impulse = vec![0.0, -2.5, 0.0];
    for e in [0.0, 0.5, 1.0] {
        let outcome = resolve(&ImpactProblem::new(driven.clone()).unwrap(), &law(e)).unwrap();
        let two = solved(&chain(&[1.0, 5.0], &[1.0, -0.5]), e);
        close(&outcome.u_plus, &[two.u_plus[0], two.u_plus[1], two.u_plus[1]], 1e-13);
        assert_eq!(outcome.status(), Status::Solved);
    }
}

#[test]
fn a_support_that_moves() {
    // Relative to the support the ball falls with 3.
    let mut data =
        ProblemData::new(Mass::diagonal(vec![2.0]).unwrap(), [-1.0]).with_contact(ContactData::new("C", [1.0]));
    data.contacts[0].offset = vec![-2.0];
    for (e, after) in [(1.0, 5.0), (0.5, 3.5), (0.0, 2.0)] {
        close(&solved(&ImpactProblem::new(data.clone()).unwrap(), e).u_plus, &[after], 1e-15);
    }
}

#[test]
fn nothing_approaches() {
    let outcome = solved(&chain(&[1.0; 3], &[0.0, 1.0, 2.0]), 1.0);
    assert_eq!((outcome.impulses(), outcome.answer.stats.iterations), (&[0.0, 0.0][..], 0));
    assert_eq!(solved(&chain(&[1.0; 3], &[0.0; 3]), 1.0).impulses(), [0.0, 0.0]);
}

#[test]
fn limits_are_kept() {
    let problem = chain(&[1.0; 5], &[1.0, 0.0, 0.0, 0.0, 0.0]);
    let options = Options { limits: Limits { iterations: Some(3), ..Limits::default() }, ..Options::default() };
    let mut outcome = ImpactOutcome::default();
    resolve_into(&problem, &law(1.0), &options, &mut Workspace::default(), &mut outcome).unwrap();
    assert_eq!((outcome.status(), outcome.answer.stats.iterations), (Status::MaxIterations, 3));
    assert_eq!(outcome.reason.as_deref(), Some("the limit of 3 iterations was reached"));
}

/// A body between two walls cannot keep its energy and come away from both.
#[test]
fn no_end_between_walls() {
    let data = ProblemData::new(Mass::diagonal(vec![1.0]).unwrap(), [1.0]);
    let data = data.with_contact(ContactData::new("left", [1.0])).with_contact(ContactData::new("right", [-1.0]));
    let problem = ImpactProblem::new(data).unwrap();
    let outcome = resolve(&problem, &law(1.0)).unwrap();
    assert_eq!((outcome.status(), outcome.answer.stats.iterations), (Status::MaxIterations, 10_000));
    assert_eq!(solved(&problem, 0.0).u_plus, [0.0]);
}

#[test]
fn refusals() {
    let refused = |data: ProblemData, word: &str| {
        let outcome = resolve(&ImpactProblem::new(data).unwrap(), &Reflections::default()).unwrap();
        assert_eq!(outcome.status(), Status::NotApplicable);
        assert!(outcome.reason.as_deref().unwrap().contains(word), "{:?}", outcome.reason);
    };
    let data = || ProblemData::new(Mass::diagonal(vec![1.0; 2]).unwrap(), [0.0, -1.0]);
    let contact = |name: &str| ContactData::new(name, [0.0, 1.0]);
    refused(data().with_contact(contact("C").tangent([1.0, 0.0]).friction(0.5)), "friction");
    refused(data().with_contact(contact("C").tangent([1.0, 0.0])), "friction");
    refused(data().with_contact(contact("C")).with_contact(contact("D").restitution(0.5)), "different restitutions");
    let mut clutch = data().with_contact(contact("C"));
    clutch.clutches.push(ClutchData {
        name: "K".into(),
        direction: vec![1.0, 0.0].into(),
        restitution: 0.0,
        offset: 0.0,
    });
    refused(clutch, "clutches");
    // Smooth tangents carry nothing; a coefficient above 1 is not defined.
    let smooth = ImpactProblem::new(data().with_contact(contact("C").tangent([1.0, 0.0]).friction(0.0))).unwrap();
    assert_eq!(solved(&smooth, 1.0).impulses(), [2.0, 0.0]);
    let active = ImpactProblem::new(data().with_contact(contact("C").restitution(1.5))).unwrap();
    let error = resolve(&active, &Reflections::default()).unwrap_err();
    assert_eq!(error.to_string(), "contact[0].restitution = 1.5: reflections need 0 <= restitution <= 1");
}
