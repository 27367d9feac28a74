//! Every law, refusals included: the same answer in other units, with joints eliminated by hand, and
//! with joints given twice.

mod common;

use common::Random;
use delassus::law::{Form, Kinematic, Moreau};
use delassus::{
    ContactData, Direction, ImpactOutcome, ImpactProblem, JointData, LawSpec, Mass, ProblemData, Status, resolve,
};
use nalgebra::{DMatrix, DVector};

/// Every law, Moreau's with an index that suits all, and the forms of the kinematic law.
fn laws() -> Vec<LawSpec> {
    let mut laws = LawSpec::all();
    laws.retain(|law| law.name() != "moreau");
    laws.push(LawSpec::Moreau(Moreau { restitution: Some(0.5) }));
    for form in [Form::Housner, Form::RockingSliding, Form::RockingSticking, Form::HalfRocking] {
        let restitution = (form != Form::Housner).then_some(0.5);
        laws.push(LawSpec::Kinematic(Kinematic { form: Some(form), restitution, ..Kinematic::default() }));
    }
    laws
}

/// Matrices of a problem whose contacts have rows (normal, tangents); `tangents` says how many each has.
#[derive(Clone)]
struct Plain {
    mass: DMatrix<f64>,
    velocity: DVector<f64>,
    force: Option<DVector<f64>>,
    directions: DMatrix<f64>,
    tangents: Vec<usize>,
    friction: f64,
    joints: DMatrix<f64>,
}

impl Plain {
    fn problem(&self) -> ImpactProblem {
        let n = self.mass.nrows();
        let mass = Mass::dense(n, self.mass.as_slice().to_vec()).unwrap();
        let mut data = ProblemData::new(mass, self.velocity.as_slice().to_vec());
        let column = |matrix: &DMatrix<f64>, j: usize| matrix.column(j).iter().copied().collect::<Vec<f64>>();
        let mut row = 0;
        for (k, &tangents) in self.tangents.iter().enumerate() {
            let contact = ContactData::new(format!("C{k}"), column(&self.directions, row)).restitution(0.5);
            let contact = (1..=tangents).fold(contact, |c, t| c.tangent(column(&self.directions, row + t)));
            data = data.with_contact(if tangents > 0 { contact.friction(self.friction) } else { contact });
            row += 1 + tangents;
        }
        for j in 0..self.joints.ncols() {
            data = data.with_joint(JointData::new(format!("J{j}"), [Direction::from(column(&self.joints, j))]));
        }
        if let Some(force) = &self.force {
            data = data.with_impulse(force.as_slice().to_vec());
        }
        ImpactProblem::new(data).unwrap()
    }

    /// The problem in coordinates v, u = Bv, without joints.
    fn eliminated(&self, basis: &DMatrix<f64>, v: &DVector<f64>) -> Self {
        Self {
            mass: basis.tr_mul(&(&self.mass * basis)),
            velocity: v.clone(),
            force: self.force.as_ref().map(|force| basis.tr_mul(force)),
            directions: basis.tr_mul(&self.directions),
            joints: DMatrix::zeros(basis.ncols(), 0),
            ..self.clone()
        }
    }
}

fn outcome(plain: &Plain, law: &LawSpec) -> ImpactOutcome {
    resolve(&plain.problem(), law).unwrap()
}

/// The largest difference of two velocities, relative to the larger of them.
fn difference(a: &[f64], b: &[f64]) -> f64 {
    let size = a.iter().chain(b).fold(0.0f64, |m, v| m.max(v.abs()));
    a.iter().zip(b).fold(0.0f64, |m, (a, b)| m.max((a - b).abs())) / size.max(f64::MIN_POSITIVE)
}

/// A ball of unit mass and radius in the plane, (x, y, ω), whose directions couple by this much.
fn ball(coupling: f64) -> Plain {
    Plain {
        mass: DMatrix::from_diagonal(&DVector::from_vec(vec![1.0, 1.0, 0.4])),
        velocity: DVector::from_vec(vec![0.7, -1.0, 0.2]),
        force: None,
        directions: DMatrix::from_column_slice(3, 2, &[0.0, 1.0, 0.4 * coupling, 1.0, 0.0, -1.0]),
        tangents: vec![1],
        friction: 0.3,
        joints: DMatrix::zeros(3, 0),
    }
}

/// A block on two corners that strikes with the first, while the second hardly moves.
fn block(rest: f64, friction: f64) -> Plain {
    let (width, height) = (1.0, 1.5);
    let corner = |arm: f64| [0.0, 1.0, arm, 1.0, 0.0, 0.5 * height];
    Plain {
        mass: DMatrix::from_diagonal(&DVector::from_vec(vec![1.0, 1.0, (width * width + height * height) / 12.0])),
        velocity: DVector::from_vec(vec![0.2, -0.5 * width + rest, -1.0]),
        force: None,
        directions: DMatrix::from_column_slice(3, 4, &[corner(0.5 * width), corner(-0.5 * width)].concat()),
        tangents: vec![1, 1],
        friction,
        joints: DMatrix::zeros(3, 0),
    }
}

/// Contacts in general position, with so little friction that there is one solution.
fn general(random: &mut Random, tangents: Vec<usize>, joints: usize) -> Plain {
    let (n, rows) = (8, tangents.iter().map(|t| t + 1).sum());
    let root = DMatrix::from_fn(n, n, |i, j| random.next() + if i == j { 3.0 } else { 0.0 });
    Plain {
        mass: &root * root.transpose(),
        velocity: DVector::from_fn(n, |_, _| random.next()),
        force: None,
        directions: DMatrix::from_fn(n, rows, |_, _| random.next()),
        tangents,
        friction: 0.1,
        joints: DMatrix::from_fn(n, joints, |_, _| random.next()),
    }
}

#[test]
fn units_decide_neither_answers_nor_refusals() {
    let mut random = Random(30);
    let mut problems = vec![
        ("ball", ball(0.0)),
        ("ball, round-off couples", ball(1e-12)),
        ("coupled ball", ball(1e-3)),
        ("block", block(0.0, 0.0)),
        ("block, round-off moves it", block(1e-13, 0.0)),
        ("block that falls", block(-1e-3, 0.0)),
        ("rough block", block(0.0, 0.4)),
    ];
    problems.push(("pair", general(&mut random, vec![1, 1], 0)));
    problems.push(("corner", general(&mut random, vec![2], 0)));
    let mut pushed = general(&mut random, vec![1], 0);
    pushed.force = Some(DVector::from_fn(8, |_, _| random.next()));
    problems.push(("pushed", pushed));
    let mut solved = 0;
    for (name, plain) in problems {
        for law in laws() {
            let usual = outcome(&plain, &law);
            for (kg, speed, length) in [(1e9, 1e-9, 1.0), (1e-9, 1e9, 1.0), (1.0, 1e9, 1e-6), (1.0, 1e-9, 1e6)] {
                let scaled = Plain {
                    mass: &plain.mass * kg,
                    velocity: &plain.velocity * speed,
                    force: plain.force.as_ref().map(|force| force * (kg * speed)),
                    directions: &plain.directions * length,
                    ..plain.clone()
                };
                let other = outcome(&scaled, &law);
                let label = format!("{name}, {}, {kg:e} {speed:e} {length:e}", law.name());
                assert_eq!(usual.status(), other.status(), "{label}: {:?} {:?}", usual.reason, other.reason);
                assert_eq!(usual.states, other.states, "{label}");
                let same_proof = usual.answer.uniqueness == other.answer.uniqueness;
                assert!(same_proof, "{label}: {:?} {:?}", usual.answer.uniqueness, other.answer.uniqueness);
                if usual.status() == Status::Solved {
                    solved += 1;
                    let back: Vec<f64> = other.u_plus.iter().map(|u| u / speed).collect();
                    assert!(difference(&usual.u_plus, &back) < 1e-9, "{label}: {:?} {back:?}", usual.u_plus);
                }
            }
        }
    }
    assert!(solved > 200, "{solved} solved");
}

/// Joints at rest take what acts on them: u = Bv with JᵀB = 0 leaves a problem without joints.
#[test]
fn joints_may_be_eliminated() {
    let mut random = Random(31);
    let mut compared = std::collections::BTreeMap::new();
    for case in 0..60 {
        let pushed = case % 2 == 1;
        let mut plain = match case % 5 {
            0 => general(&mut random, vec![1], 3),
            1 => general(&mut random, vec![2], 2),
            2 => general(&mut random, vec![1, 1], 3),
            3 => general(&mut random, vec![0, 0], 4),
            _ => {
                // A ball that carries two masses along: its directions stay uncoupled.
                let mut directions = ball(0.0).directions.insert_rows(3, 2, 0.0);
                directions.scale_mut(1.0 + 0.5 * random.next());
                let masses: Vec<f64> = (0..5).map(|i| if i == 2 { 0.4 } else { 1.0 + 0.5 * random.next() }).collect();
                Plain {
                    mass: DMatrix::from_diagonal(&DVector::from_vec(masses)),
                    joints: DMatrix::from_column_slice(5, 2, &[-1.0, 0.0, 0.0, 1.0, 0.0, 0.0, -1.0, 0.0, 0.0, 1.0]),
                    directions,
                    ..ball(0.0)
                }
            }
        };
        let (n, held) = plain.joints.shape();
        let gram = plain.joints.tr_mul(&plain.joints).try_inverse().unwrap();
        let free = DMatrix::from_fn(n, n - held, |_, _| random.next());
        let basis = &free - &plain.joints * gram * plain.joints.tr_mul(&free);
        let mut v = DVector::from_fn(n - held, |_, _| random.next());
        // The first contact approaches.
        if plain.directions.column(0).dot(&(&basis * &v)) > 0.0 {
            v = -v;
        }
        plain.velocity = &basis * &v;
        plain.force = pushed.then(|| DVector::from_fn(n, |_, _| 0.3 * random.next()));
        let bare = plain.eliminated(&basis, &v);
        let mut doubled = plain.clone();
        doubled.joints = doubled.joints.insert_column(held, 0.0);
        doubled.joints.set_column(held, &(plain.joints.column(0) * 2.0 - plain.joints.column(held - 1)));
        for law in laws() {
            let (a, b, twice) = (outcome(&plain, &law), outcome(&bare, &law), outcome(&doubled, &law));
            let label = format!("case {case}, {}", law.name());
            assert_eq!(a.status(), b.status(), "{label}: {:?} {:?}", a.reason, b.reason);
            assert_eq!(a.status(), twice.status(), "{label}: {:?} {:?}", a.reason, twice.reason);
            if a.status() == Status::Solved {
                let back = &basis * DVector::from_vec(b.u_plus);
                assert!(difference(&a.u_plus, back.as_slice()) < 1e-8, "{label}: {:?} {back:?}", a.u_plus);
                assert!(difference(&a.u_plus, &twice.u_plus) < 1e-8, "{label}: {:?} {:?}", a.u_plus, twice.u_plus);
                *compared.entry((law.name(), pushed)).or_insert(0) += 1;
            }
        }
    }
    println!("{compared:?}");
    for law in LawSpec::all() {
        assert!(compared.get(&(law.name(), false)).is_some_and(|&n| n > 3), "{} in {compared:?}", law.name());
    }
}
