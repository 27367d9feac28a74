//! The law `chatterjee-ruina` against closed forms, a second method, and what it promises.

use delassus::law::{ChatterjeeRuina, Value, Walton};
use delassus::{
    ContactData, Friction, ImpactLaw, ImpactOutcome, ImpactProblem, JointData, LawSpec, Mass, ProblemData, Status,
    Theorem, Uniqueness, resolve,
};
use nalgebra::{DMatrix, DVector};

mod common;
use common::Random;

/// A problem in coordinates with unit mass whose directions are the rows of a root of G.
#[derive(Debug, Clone)]
struct Case {
    directions: DMatrix<f64>,
    velocity: DVector<f64>,
    friction: [f64; 2],
    e: f64,
    e_t: f64,
}

impl Case {
    fn random(random: &mut Random, tangents: usize) -> Self {
        let n = 4;
        let directions = DMatrix::from_fn(1 + tangents, n, |_, _| random.next());
        let velocity = DVector::from_fn(n, |_, _| random.next());
        let friction = [random.next().abs(), random.next().abs()];
        let friction = if random.next() > 0.0 { [friction[0]; 2] } else { friction };
        Self { directions, velocity, friction, e: random.next().abs(), e_t: random.next() }
    }

    fn law(&self) -> ChatterjeeRuina {
        ChatterjeeRuina { restitution: Some(self.e), restitution_tangential: Some(self.e_t) }
    }

    /// In coordinates u = A v and other units of mass and speed.
    fn problem_in(&self, change: &DMatrix<f64>, mass: f64, speed: f64) -> ImpactProblem {
        let n = self.velocity.len();
        let matrix = change.transpose() * change * mass;
        let velocity = change.clone().lu().solve(&self.velocity).unwrap() * speed;
        let row = |i: usize| (self.directions.row(i) * change).iter().copied().collect::<Vec<f64>>();
        let friction = if self.directions.nrows() == 2 {
            Friction::Isotropic(self.friction[0])
        } else {
            Friction::Orthotropic(self.friction)
        };
        let mut contact = ContactData::new("C", row(0)).friction(friction);
        contact.tangents = (1..self.directions.nrows()).map(|i| row(i).into()).collect();
        let symmetric = DMatrix::from_fn(n, n, |i, j| 0.5 * (matrix[(i, j)] + matrix[(j, i)]));
        let mass = Mass::dense(n, symmetric.as_slice().to_vec()).unwrap();
        ImpactProblem::new(ProblemData::new(mass, velocity.as_slice().to_vec()).with_contact(contact)).unwrap()
    }

    fn problem(&self) -> ImpactProblem {
        self.problem_in(&DMatrix::identity(4, 4), 1.0, 1.0)
    }

    /// Λ by a second method: equations solved by nalgebra, κ by bisection on the segment from
    /// the smooth answer to the candidate.
    fn expected(&self) -> DVector<f64> {
        let g = &self.directions * self.directions.transpose();
        let gamma = &self.directions * &self.velocity;
        let rows = g.nrows();
        if gamma[0] >= 0.0 {
            return DVector::zeros(rows);
        }
        let mut smooth = DVector::zeros(rows);
        smooth[0] = -gamma[0] / g[(0, 0)];
        let sticking = -g.lu().solve(&gamma).unwrap();
        let at = |b: f64| (1.0 + self.e) * &smooth + b * (&sticking - &smooth);
        let within = |x: &DVector<f64>| {
            let gauge = (1..rows).map(|i| (x[i] / self.friction[i - 1]).powi(2)).sum::<f64>().sqrt();
            gauge <= x[0]
        };
        if within(&at(1.0 + self.e_t)) {
            return at(1.0 + self.e_t);
        }
        let (mut low, mut high) = (0.0, 1.0 + self.e_t);
        for _ in 0..200 {
            let middle = 0.5 * (low + high);
            if within(&at(middle)) { low = middle } else { high = middle }
        }
        at(low)
    }
}

fn solved(problem: &ImpactProblem, law: &ChatterjeeRuina) -> ImpactOutcome {
    let outcome = resolve(problem, law).unwrap();
    assert_eq!(outcome.status(), Status::Solved, "{:?}", outcome.reason);
    assert!(outcome.certificate.is_consistent() && outcome.certificate.satisfies_law(), "{:?}", outcome.certificate);
    assert_eq!(outcome.certificate.theorem, Theorem::Unconditional);
    outcome
}

#[track_caller]
fn close(a: &[f64], b: &[f64], tolerance: f64) {
    let size = b.iter().fold(1.0f64, |m, v| m.max(v.abs()));
    assert_eq!(a.len(), b.len());
    assert!(a.iter().zip(b).all(|(a, b)| (a - b).abs() <= tolerance * size), "{a:?} is not {b:?}");
}

/// G = (α, δ; δ, β) through a root of it, with γ⁻ = (n, t).
fn planar([alpha, beta, delta]: [f64; 3], [n, t]: [f64; 2], mu: f64) -> ImpactProblem {
    let a = alpha.sqrt();
    let (b, c) = (delta / a, (beta - delta * delta / alpha).sqrt());
    let contact = ContactData::new("C", [a, 0.0]).tangent([b, c]).friction(mu);
    let velocity = [n / a, (t - b * n / a) / c];
    ImpactProblem::new(ProblemData::new(Mass::diagonal(vec![1.0; 2]).unwrap(), velocity).with_contact(contact)).unwrap()
}

/// G = (2, 1; 1, 2), γ⁻ = (−1, 2): Λ_I = (½, 0), Λ_II = −G⁻¹γ⁻ = (4/3, −5/3).
#[test]
fn by_hand() {
    let g = [2.0, 2.0, 1.0];
    let law = |e, e_t| ChatterjeeRuina { restitution: Some(e), restitution_tangential: Some(e_t) };
    // Strong friction: Λ̂ = 3/2 Λ_I + 3/2 (5/6, −5/3) = (2, −5/2).
    let stick = solved(&planar(g, [-1.0, 2.0], 2.0), &law(0.5, 0.5));
    close(stick.impulses(), &[2.0, -2.5], 1e-14);
    close(&stick.gamma_plus, &[0.5, -1.0], 1e-14);
    // μ = ½: κ = ½ · 3/2 · ½ / (5/3 − ½ · 5/6) = 0.3, Λ = (3/4 + ¼, −½).
    let slip = solved(&planar(g, [-1.0, 2.0], 0.5), &law(0.5, 0.5));
    close(slip.impulses(), &[1.0, -0.5], 1e-14);
    // e_t = −1 is smooth, whatever friction; e_t = 1 and e = 1 reverse everything and keep the energy.
    close(solved(&planar(g, [-1.0, 2.0], 2.0), &law(0.5, -1.0)).impulses(), &[0.75, 0.0], 1e-14);
    let elastic = solved(&planar(g, [-1.0, 2.0], 2.0), &law(1.0, 1.0));
    close(&elastic.gamma_plus, &[1.0, -2.0], 1e-14);
    assert!(elastic.energy.change().abs() < 1e-14 * elastic.energy.before);
    let plastic = solved(&planar(g, [-1.0, 2.0], 2.0), &law(0.0, 0.0));
    close(&plastic.gamma_plus, &[0.0, 0.0], 1e-14);
}

/// Where the directions do not couple, the law is Walton's, in the plane and in space.
#[test]
fn walton_on_spheres() {
    let mut random = Random(3);
    for tangents in [1, 2] {
        for _ in 0..200 {
            let mut contact = ContactData::new("C", [0.0, 0.0, 1.0]).tangent([1.8, 0.0, 0.0]);
            if tangents == 2 {
                contact = contact.tangent([0.0, 1.8, 0.0]);
            }
            let [e, t, mu] = [random.next().abs(), random.next().abs(), random.next().abs()];
            let contact = contact.friction(mu).restitution(e).restitution_tangential(t);
            let mass = Mass::diagonal(vec![2.0; 3]).unwrap();
            let data = ProblemData::new(mass, random.vector(3)).with_contact(contact);
            let problem = ImpactProblem::new(data).unwrap();
            let walton = resolve(&problem, &Walton {}).unwrap();
            close(&solved(&problem, &ChatterjeeRuina::default()).u_plus, &walton.u_plus, 1e-13);
        }
    }
}

#[test]
fn second_method_and_energy() {
    let mut random = Random(7);
    let mut slips = 0;
    for k in 0..2000 {
        let case = Case::random(&mut random, 1 + k % 2);
        let (problem, expected) = (case.problem(), case.expected());
        let outcome = solved(&problem, &case.law());
        let g = &case.directions * case.directions.transpose();
        // Random directions may be nearly dependent.
        let condition = g.norm() * g.clone().try_inverse().unwrap().norm();
        close(outcome.impulses(), expected.as_slice(), 1e-14 * condition);
        // The formula of the energy, with κ from the tangential impulse.
        let gamma = &case.directions * &case.velocity;
        if gamma[0] < 0.0 {
            let mut smooth = DVector::zeros(g.nrows());
            smooth[0] = -gamma[0] / g[(0, 0)];
            let difference = -g.clone().lu().solve(&gamma).unwrap() - &smooth;
            let norm = |x: &DVector<f64>| x.dot(&(&g * x));
            let (a, b) = (1.0 + case.e, outcome.impulses()[1] / difference[1]);
            slips += usize::from(b < 1.0 + case.e_t - 1e-9);
            let change = -0.5 * a * (2.0 - a) * norm(&smooth) - 0.5 * b * (2.0 - b) * norm(&difference);
            close(&[outcome.energy.change()], &[change], 1e-13 * condition);
        }
    }
    assert!((100..1000).contains(&slips), "{slips}");
}

#[test]
fn coordinates_and_units_do_not_matter() {
    let mut random = Random(11);
    for k in 0..200 {
        let case = Case::random(&mut random, 1 + k % 2);
        let change = DMatrix::from_fn(4, 4, |i, j| random.next() + if i == j { 3.0 } else { 0.0 });
        let plain = solved(&case.problem(), &case.law());
        let (mass, speed) = (10f64.powf(9.0 * random.next()), 10f64.powf(9.0 * random.next()));
        let outcome = solved(&case.problem_in(&change, mass, speed), &case.law());
        let impulses: Vec<f64> = outcome.impulses().iter().map(|x| x / (mass * speed)).collect();
        let g = &case.directions * case.directions.transpose();
        let condition = g.norm() * g.try_inverse().unwrap().norm();
        close(&impulses, plain.impulses(), 1e-13 * condition);
        assert_eq!(outcome.states, plain.states);
    }
}

/// Two tangents that are one: the impulse is shared, so that friction acts as √2 times as much.
#[test]
fn dependent_tangents() {
    let law = ChatterjeeRuina { restitution: Some(0.5), restitution_tangential: Some(0.3) };
    for mu in [0.1, 0.3, 1.0] {
        let problem = |twice: bool, mu: f64| {
            let contact = ContactData::new("C", [0.0, 1.0, 0.3]).tangent([1.0, 0.0, 0.5]).friction(mu);
            let contact = if twice { contact.tangent([1.0, 0.0, 0.5]) } else { contact };
            let mass = Mass::diagonal(vec![1.0, 1.0, 0.4]).unwrap();
            ImpactProblem::new(ProblemData::new(mass, [1.0, -1.0, 0.2]).with_contact(contact)).unwrap()
        };
        let double = solved(&problem(true, mu), &law);
        assert!((double.impulses()[1] - double.impulses()[2]).abs() < 1e-14);
        close(&double.u_plus, &solved(&problem(false, mu * 2f64.sqrt()), &law).u_plus, 1e-13);
    }
    // A support that slides between the two cannot be followed by sticking; the normal is stopped all the same.
    let contact = ContactData::new("C", [0.0, 1.0]).tangent([1.0, 0.0]).tangent([1.0, 0.0]).friction(0.5);
    let mut data = ProblemData::new(Mass::diagonal(vec![1.0; 2]).unwrap(), [0.3, -1.0]).with_contact(contact);
    data.contacts[0].offset = vec![0.0, 0.0, 0.5];
    solved(&ImpactProblem::new(data.clone()).unwrap(), &law);
    // Along the normal it is a contradiction.
    data.contacts[0] = ContactData::new("C", [0.0, 1.0]).tangent([0.0, 2.0]).friction(0.5);
    data.contacts[0].offset = vec![0.0, 0.5];
    let outcome = resolve(&ImpactProblem::new(data).unwrap(), &law).unwrap();
    assert_eq!(outcome.status(), Status::NotApplicable);
}

#[test]
fn contacts_that_do_not_approach() {
    let law = ChatterjeeRuina { restitution: Some(0.5), restitution_tangential: Some(0.0) };
    let separates = solved(&planar([2.0, 2.0, 1.0], [1.0, 2.0], 5.0), &law);
    assert_eq!(separates.impulses(), [0.0, 0.0]);
    let rests = solved(&planar([2.0, 2.0, 1.0], [0.0, -2.0], 0.1), &law);
    assert_eq!(
        (rests.impulses(), rests.answer.uniqueness),
        (&[0.0, 0.0][..], Uniqueness::Proved("the law is an explicit formula"))
    );
    // Λ_II = (2/3, −4/3) · (−1): strong friction draws the contact in.
    let drawn = solved(&planar([2.0, 2.0, 1.0], [0.0, 2.0], 5.0), &law);
    assert_eq!(drawn.impulses(), [0.0, 0.0]);
    assert_eq!(drawn.answer.uniqueness, Uniqueness::Several { found: 2, complete: false });
    close(&drawn.answer.alternatives[0].impulses, &[2.0 / 3.0, -4.0 / 3.0], 1e-8);
    let still = solved(&planar([2.0, 2.0, 1.0], [0.0, 0.0], 0.5), &law);
    assert_eq!(still.energy.after, 0.0);
}

/// A joint that is at rest is projected out; a moving support and an external impulse.
#[test]
fn joints_supports_and_external_impulses() {
    let law = ChatterjeeRuina { restitution: Some(0.4), restitution_tangential: Some(0.2) };
    let contact = |normal: Vec<f64>, tangent: Vec<f64>| ContactData::new("C", normal).tangent(tangent).friction(0.3);
    // Two bodies that a joint makes one.
    let mass = Mass::diagonal(vec![1.0, 2.0, 3.0]).unwrap();
    let mut data =
        ProblemData::new(mass, [0.5, -1.0, -1.0]).with_contact(contact(vec![0.2, 1.0, 0.0], vec![1.0, 0.3, 0.0]));
    data.joints.push(JointData {
        name: "J".into(),
        directions: vec![vec![0.0, 1.0, -1.0].into()],
        restitution: 0.0,
        offset: vec![],
    });
    let joined = solved(&ImpactProblem::new(data).unwrap(), &law);
    let mass = Mass::diagonal(vec![1.0, 5.0]).unwrap();
    let free = ProblemData::new(mass, [0.5, -1.0]).with_contact(contact(vec![0.2, 1.0], vec![1.0, 0.3]));
    let free_outcome = solved(&ImpactProblem::new(free.clone()).unwrap(), &law);
    close(&joined.u_plus[..2], &free_outcome.u_plus, 1e-14);
    // A support that moves as the body would: everything relative to it.
    let mut moving = free.clone();
    moving.velocity = vec![0.0, 0.0];
    moving.contacts[0].offset = vec![0.2 * 0.5 - 1.0, 0.5 - 0.3];
    let relative = solved(&ImpactProblem::new(moving).unwrap(), &law);
    close(relative.impulses(), free_outcome.impulses(), 1e-14);
    // An external impulse acts first.
    let mut driven = free.clone();
    driven.velocity = vec![0.0, 0.0];
    driven.impulse = vec![0.5, -5.0];
    let outcome = resolve(&ImpactProblem::new(driven).unwrap(), &law).unwrap();
    close(outcome.impulses(), free_outcome.impulses(), 1e-14);
    assert_eq!((outcome.status(), outcome.certificate.theorem), (Status::Solved, Theorem::None));
}

#[test]
fn data_and_refusals() {
    let mut law = LawSpec::by_name("chatterjee-ruina").unwrap();
    law.set("restitution_tangential", Value::Number(-0.5)).unwrap();
    assert_eq!(law, ChatterjeeRuina { restitution: None, restitution_tangential: Some(-0.5) }.into());
    assert!(law.set("restitution_tangential", Value::Number(-1.5)).is_err());
    assert!(law.set("restitution", Value::Number(1.1)).is_err());
    let bad = ChatterjeeRuina { restitution: Some(2.0), ..ChatterjeeRuina::default() };
    let error = resolve(&planar([1.0, 1.0, 0.0], [-1.0, 0.0], 0.5), &bad).unwrap_err();
    assert_eq!(error.to_string(), "law.restitution = 2: must be a finite number of at least 0 and at most 1");
    let active = ContactData::new("C", [1.0]).restitution(1.5);
    let active = ProblemData::new(Mass::diagonal(vec![1.0]).unwrap(), [-1.0]).with_contact(active);
    let active = ImpactProblem::new(active).unwrap();
    assert!(ChatterjeeRuina::default().check(&active).is_err());
    assert!(ChatterjeeRuina { restitution: Some(1.0), ..ChatterjeeRuina::default() }.check(&active).is_ok());
    let two = ProblemData::new(Mass::diagonal(vec![1.0; 2]).unwrap(), [-1.0; 2]);
    let two = two.with_contact(ContactData::new("A", [1.0, 0.0])).with_contact(ContactData::new("B", [0.0, 1.0]));
    let outcome = resolve(&ImpactProblem::new(two).unwrap(), &ChatterjeeRuina::default()).unwrap();
    assert!(outcome.reason.unwrap().contains("one contact"));
}
