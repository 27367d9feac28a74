//! Properties that hold for all planar problems.

use delassus::law::{Newton, Poisson};
use delassus::{
    Certificate, ClutchData, ContactData, Direction, ImpactOutcome, ImpactProblem, JointData, LawSpec, Mass,
    ProblemData, Status, Theorem, resolve,
};
use proptest::prelude::*;

/// A problem in numbers that tests can transform before building it.
#[derive(Debug, Clone)]
struct Raw {
    n: usize,
    /// Row by row; M = AAᵀ + I/2.
    root: Vec<f64>,
    velocity: Vec<f64>,
    contacts: Vec<RawContact>,
    clutch: Option<Vec<f64>>,
    joint: Option<Vec<f64>>,
}

#[derive(Debug, Clone)]
struct RawContact {
    normal: Vec<f64>,
    tangent: Vec<f64>,
    friction: f64,
    restitution: f64,
    /// As a share of `restitution`, so that Poisson's law takes it.
    tangential: f64,
}

impl Raw {
    fn mass(&self) -> Vec<f64> {
        let n = self.n;
        let entry = |i: usize, j: usize| {
            let product: f64 = (0..n).map(|k| self.root[i * n + k] * self.root[j * n + k]).sum();
            product + if i == j { 0.5 } else { 0.0 }
        };
        (0..n * n).map(|k| entry(k / n, k % n)).collect()
    }

    fn data(&self) -> ProblemData {
        let mut data = ProblemData::new(Mass::dense(self.n, self.mass()).unwrap(), self.velocity.clone());
        for (i, c) in self.contacts.iter().enumerate() {
            data.contacts.push(
                ContactData::new(format!("c{i}"), c.normal.clone())
                    .tangent(c.tangent.clone())
                    .friction(c.friction)
                    .restitution(c.restitution)
                    .restitution_tangential(c.restitution * c.tangential),
            );
        }
        if let Some(direction) = &self.clutch {
            data.clutches.push(ClutchData {
                name: "clutch".into(),
                direction: direction.clone().into(),
                restitution: 0.0,
                offset: 0.0,
            });
        }
        if let Some(direction) = &self.joint {
            data.joints.push(JointData {
                name: "joint".into(),
                directions: vec![direction.clone().into()],
                restitution: 0.0,
                offset: vec![],
            });
        }
        data
    }

    fn problem(&self) -> ImpactProblem {
        ImpactProblem::new(self.data()).unwrap()
    }
}

fn vector(n: usize) -> impl Strategy<Value = Vec<f64>> {
    prop::collection::vec(-1.0..1.0f64, n).prop_filter("not zero", |v| v.iter().map(|x| x * x).sum::<f64>() > 1e-3)
}

fn contact(n: usize, friction: f64) -> impl Strategy<Value = RawContact> {
    (vector(n), vector(n), 0.0..friction, 0.0..1.0f64, 0.0..1.0f64).prop_map(
        |(normal, tangent, friction, restitution, tangential)| RawContact {
            normal,
            tangent,
            friction,
            restitution,
            tangential,
        },
    )
}

/// Problems with friction up to `friction`; with clutch and joint now and then.
fn raw(friction: f64, extras: bool) -> impl Strategy<Value = Raw> {
    (2usize..9).prop_flat_map(move |n| {
        let option = move || prop::option::weighted(0.4, vector(n)).prop_map(move |v| v.filter(|_| extras));
        let root = prop::collection::vec(-1.0..1.0f64, n * n);
        (root, vector(n), prop::collection::vec(contact(n, friction), 1..4), option(), option()).prop_map(
            move |(root, velocity, contacts, clutch, joint)| Raw { n, root, velocity, contacts, clutch, joint },
        )
    })
}

/// Whether u⁺ is the only answer of either law: with several solutions, or
/// impulses that can be split in several ways, the choice depends on round-off.
fn is_unique(problem: &ImpactProblem) -> bool {
    let all = brute_force(problem);
    problem.rows() <= problem.coordinates() && all.iter().all(|u| difference(u, &all[0]) < 1e-6)
}

fn laws() -> [LawSpec; 2] {
    [LawSpec::Newton(Newton::default()), LawSpec::Poisson(Poisson::default())]
}

fn answer(raw: &Raw, law: &LawSpec) -> ImpactOutcome {
    resolve(&raw.problem(), law).unwrap()
}

/// Largest difference, relative to the largest entry of either or to u⁻, which is of order one.
fn difference(a: &[f64], b: &[f64]) -> f64 {
    // `f64::max` would drop what is not a number.
    if a.iter().chain(b).any(|v| !v.is_finite()) {
        return f64::INFINITY;
    }
    let size = a.iter().chain(b).fold(0.1, |m: f64, v| m.max(v.abs()));
    a.iter().zip(b).fold(0.0, |m: f64, (x, y)| m.max((x - y).abs())) / size
}

/// u⁺ of every solution of Newton's law, by trying all combinations of open,
/// stick and slip (contacts), open and closed (clutches).
fn brute_force(problem: &ImpactProblem) -> Vec<Vec<f64>> {
    #[derive(Clone, Copy, PartialEq)]
    enum Mode {
        Open,
        Stick,
        Slip(f64),
    }
    let m = problem.rows();
    let g = nalgebra::DMatrix::from_fn(m, m, |i, j| problem.operator().get(i, j));
    let mut b = nalgebra::DVector::zeros(m);
    for element in problem.elements() {
        for row in element.rows.clone() {
            b[row] = (1.0 + element.restitution) * problem.gamma_minus()[row];
        }
    }
    let contacts = problem.contacts();
    let clutches: Vec<_> = problem.elements().iter().filter(|e| e.kind == delassus::ElementKind::Clutch).collect();
    let joints: Vec<_> = problem.elements().iter().filter(|e| e.kind == delassus::ElementKind::Joint).collect();
    let modes = [Mode::Open, Mode::Stick, Mode::Slip(1.0), Mode::Slip(-1.0)];
    let total = 4usize.pow(contacts.len() as u32) * 2usize.pow(clutches.len() as u32);
    let mut found = Vec::new();
    for code in 0..total {
        // Rows of the linear system: x_i = 0, ξ_i = 0 or x_T = −σμx_N.
        let mut a = nalgebra::DMatrix::zeros(m, m);
        let mut rhs = nalgebra::DVector::zeros(m);
        let closed = |a: &mut nalgebra::DMatrix<f64>, rhs: &mut nalgebra::DVector<f64>, row: usize| {
            a.set_row(row, &g.row(row));
            rhs[row] = -b[row];
        };
        let mut rest = code;
        let mut chosen = Vec::new();
        for contact in contacts {
            let mode = modes[rest % 4];
            rest /= 4;
            chosen.push(mode);
            let (n, t) = (contact.normal, contact.tangents.start);
            match mode {
                Mode::Open => (a[(n, n)], a[(t, t)]) = (1.0, 1.0),
                Mode::Stick => {
                    closed(&mut a, &mut rhs, n);
                    closed(&mut a, &mut rhs, t);
                }
                Mode::Slip(sigma) => {
                    closed(&mut a, &mut rhs, n);
                    a[(t, t)] = 1.0;
                    a[(t, n)] = sigma * contact.friction.unwrap().coefficients()[0];
                }
            }
        }
        for clutch in &clutches {
            let row = clutch.rows.start;
            if rest % 2 == 0 {
                a[(row, row)] = 1.0
            } else {
                closed(&mut a, &mut rhs, row)
            }
            rest /= 2;
        }
        for joint in &joints {
            joint.rows.clone().for_each(|row| closed(&mut a, &mut rhs, row));
        }
        let Some(x) = a.lu().solve(&rhs) else { continue };
        let xi = &g * &x + &b;
        let tolerance = 1e-9 * (1.0 + x.amax() + xi.amax());
        let contacts_hold = contacts.iter().zip(&chosen).all(|(contact, mode)| {
            let (n, t) = (contact.normal, contact.tangents.start);
            let friction = contact.friction.unwrap().coefficients()[0];
            x[n] >= -tolerance
                && xi[n] >= -tolerance
                && match mode {
                    Mode::Open => true,
                    Mode::Stick => x[t].abs() <= friction * x[n] + tolerance,
                    Mode::Slip(sigma) => sigma * xi[t] >= -tolerance,
                }
        });
        let clutches_hold = clutches.iter().all(|c| x[c.rows.start] >= -tolerance && xi[c.rows.start] >= -tolerance);
        if contacts_hold && clutches_hold && x.amax() < 1e7 {
            let mut u_plus = Vec::new();
            problem.apply_impulses(x.as_slice(), &mut u_plus);
            found.push(u_plus);
        }
    }
    found
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, max_global_rejects: 10_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn newton_agrees_with_brute_force(raw in raw(1.5, true)) {
        let problem = raw.problem();
        let outcome = resolve(&problem, &laws()[0]).unwrap();
        let all = brute_force(&problem);
        if outcome.status() == Status::NoSolution {
            prop_assert!(all.is_empty(), "missed {:?}", all);
        } else {
            prop_assert_eq!(outcome.status(), Status::Solved);
            let nearest = all.iter().map(|u| difference(u, &outcome.u_plus)).fold(f64::INFINITY, f64::min);
            prop_assert!(nearest < 1e-7, "{:?} is not among {:?}", outcome.u_plus, all);
        }
    }

    #[test]
    fn answers_satisfy_law_and_momentum(raw in raw(1.5, true)) {
        for law in laws() {
            let outcome = answer(&raw, &law);
            if outcome.status() == Status::NoSolution {
                continue; // told apart from a failure by brute force above
            }
            prop_assert_eq!(outcome.status(), Status::Solved, "{:?}", outcome.certificate);
            prop_assert!(outcome.certificate.kinetic <= Certificate::TOLERANCE);
            // The ledger closes: T⁺ − T⁻ is the work of the elements.
            let gap = outcome.energy.change() - outcome.energy.contacts;
            prop_assert!(gap.abs() <= 1e-9 * outcome.energy.before.max(outcome.energy.after));
            if outcome.certificate.theorem != Theorem::None {
                prop_assert!(outcome.certificate.energetic <= Certificate::TOLERANCE);
            }
        }
        // Poisson never penetrates.
        let poisson = answer(&raw, &laws()[1]);
        prop_assume!(poisson.status() == Status::Solved);
        prop_assert!(poisson.certificate.kinematic <= Certificate::TOLERANCE);
    }

    #[test]
    fn newton_equals_poisson_for_equal_coefficients(raw in raw(0.5, false), e in 0.0..1.0f64) {
        let mut raw = raw;
        for c in &mut raw.contacts {
            c.restitution = e;
            c.tangential = 1.0;
        }
        // The law equality needs admissible γ⁻: turn normals that separate.
        let gamma = raw.problem().gamma_minus().to_vec();
        for (c, _) in raw.contacts.iter_mut().zip(gamma.iter().step_by(2)).filter(|(_, g)| **g > 0.0) {
            c.normal.iter_mut().for_each(|v| *v = -*v);
        }
        let [newton, poisson] = laws().map(|law| answer(&raw, &law));
        prop_assume!(newton.status() == Status::Solved);
        prop_assert!(difference(&newton.u_plus, &poisson.u_plus) < 1e-9);
        for outcome in [newton, poisson] {
            prop_assert!(outcome.certificate.energetic <= Certificate::TOLERANCE);
            prop_assert!(outcome.certificate.theorem != Theorem::None);
        }
    }

    #[test]
    fn coordinates_do_not_matter(raw in raw(0.3, true), t in prop::collection::vec(-1.0..1.0f64, 64)) {
        // u = Tv with T = I + small random part; M' = TᵀMT, W' = TᵀW, v⁻ = T⁻¹u⁻.
        let n = raw.n;
        let at = |i: usize, j: usize| 0.2 * t[i * 8 + j] + if i == j { 1.5 } else { 0.0 };
        let transposed = |w: &[f64]| -> Vec<f64> { (0..n).map(|j| (0..n).map(|i| at(i, j) * w[i]).sum()).collect() };
        let mass = raw.mass();
        let half: Vec<Vec<f64>> = (0..n).map(|i| transposed(&mass[i * n..(i + 1) * n])).collect();
        let full: Vec<f64> = (0..n)
            .flat_map(|i| {
                let half = &half;
                (0..n).map(move |j| (0..n).map(|k| at(k, i) * half[k][j]).sum::<f64>())
            })
            .collect();
        let matrix = nalgebra::DMatrix::from_fn(n, n, at);
        let inverse = matrix.clone().try_inverse();
        prop_assume!(inverse.is_some());
        let v = inverse.unwrap() * nalgebra::DVector::from_column_slice(&raw.velocity);
        let mut data = raw.data();
        data.mass = Mass::dense(n, full).unwrap();
        data.velocity = v.as_slice().to_vec();
        let turn = |d: &mut Direction| {
            if let Direction::Dense(w) = d {
                *w = transposed(w);
            }
        };
        for c in &mut data.contacts {
            turn(&mut c.normal);
            c.tangents.iter_mut().for_each(turn);
        }
        data.clutches.iter_mut().for_each(|c| turn(&mut c.direction));
        data.joints.iter_mut().for_each(|c| c.directions.iter_mut().for_each(turn));
        let turned = ImpactProblem::new(data).unwrap();
        for law in laws() {
            let (a, b) = (answer(&raw, &law), resolve(&turned, &law).unwrap());
            prop_assume!(a.status() == Status::Solved && is_unique(&raw.problem()));
            prop_assert!(difference(&a.gamma_plus, &b.gamma_plus) < 1e-8);
            prop_assert_eq!(a.status(), b.status());
        }
    }

    #[test]
    fn units_do_not_matter(raw in raw(0.5, true), kg in -9.0..9.0f64, speed in -9.0..9.0f64) {
        // Mass times 10^kg, velocity times 10^speed: impulses times both, velocities times the second.
        let (kg, speed) = (10f64.powf(kg), 10f64.powf(speed));
        let mut data = raw.data();
        data.mass = Mass::dense(raw.n, raw.mass().iter().map(|m| m * kg).collect()).unwrap();
        data.velocity.iter_mut().for_each(|v| *v *= speed);
        let scaled = ImpactProblem::new(data).unwrap();
        for law in laws() {
            let (a, b) = (answer(&raw, &law), resolve(&scaled, &law).unwrap());
            prop_assume!(a.status() == Status::Solved && is_unique(&raw.problem()));
            let back: Vec<f64> = b.u_plus.iter().map(|u| u / speed).collect();
            prop_assert!(difference(&a.u_plus, &back) < 1e-9);
            prop_assert_eq!(&a.states, &b.states);
            prop_assert!(b.certificate.inclusion.unwrap() <= Certificate::TOLERANCE);
        }
    }

    #[test]
    fn order_of_contacts_does_not_matter(raw in raw(0.3, true)) {
        let mut reversed = raw.clone();
        reversed.contacts.reverse();
        for law in laws() {
            let (a, b) = (answer(&raw, &law), answer(&reversed, &law));
            prop_assume!(a.status() == Status::Solved && is_unique(&raw.problem()));
            prop_assert!(difference(&a.u_plus, &b.u_plus) < 1e-9);
        }
    }

    #[test]
    fn duplicated_contacts_change_nothing(raw in raw(0.3, false), e in 0.0..1.0f64) {
        let mut raw = raw;
        for c in &mut raw.contacts {
            c.restitution = e;
            c.tangential = 1.0;
        }
        let mut twice = raw.clone();
        twice.contacts.push(raw.contacts[0].clone());
        for law in laws() {
            let (a, b) = (answer(&raw, &law), answer(&twice, &law));
            prop_assume!(a.status() == Status::Solved && is_unique(&raw.problem()));
            prop_assert_eq!(b.status(), Status::Solved);
            prop_assert!(difference(&a.u_plus, &b.u_plus) < 1e-8);
        }
    }

    #[test]
    fn no_friction_is_the_limit_of_little_friction(raw in raw(1.0, true)) {
        let (mut little, mut none) = (raw.clone(), raw);
        little.contacts.iter_mut().for_each(|c| c.friction = 1e-12);
        none.contacts.iter_mut().for_each(|c| c.friction = 0.0);
        for law in laws() {
            let (a, b) = (answer(&little, &law), answer(&none, &law));
            // Friction of 1e-12 acts through the normal impulse: where a joint all but blocks a
            // contact, that is large and the limit is approached more slowly.
            let largest = b.impulses().iter().fold(0.0, |m: f64, v| m.max(v.abs()));
            prop_assert!(difference(&a.u_plus, &b.u_plus) < 1e-9 * (1.0 + largest));
        }
    }
}
