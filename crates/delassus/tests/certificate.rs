//! The residuals of answers that are wrong: every number of the certificate, the energies and the
//! states, computed a second time from the formulas in the documentation of `certify`.
//!
//! Answers of laws make residuals of zero, which many a wrong formula gives too.

mod common;

use common::Random;
use delassus::certify::certify;
use delassus::claim::{Claim, ElementClaim, FrictionLimit};
use delassus::{
    ClutchData, ContactData, ElementKind, ElementState, Friction, ImpactOutcome, ImpactProblem, JointData, LawAnswer,
    Mass, ProblemData, Status,
};
use nalgebra::{DMatrix, DVector};

/// A problem with its matrices: contacts A (planar), B (spatial), C (without tangent), a clutch, a joint.
struct Drawn {
    problem: ImpactProblem,
    mass: DMatrix<f64>,
    directions: DMatrix<f64>,
    before: DVector<f64>,
    offset: DVector<f64>,
    force: DVector<f64>,
    /// Half axes of the kinetic and of the static limit of A and B.
    kinetic: [[f64; 2]; 2],
    fixed: [[f64; 2]; 2],
}

/// Coordinates and rows: A has rows 0 and 1, B 2 to 4, C 5, the clutch 6, the joint 7 and 8.
const SIZE: usize = 7;
const ROWS: usize = 9;

fn draw(random: &mut Random, driven: bool) -> Drawn {
    let root = DMatrix::from_fn(SIZE, SIZE, |i, j| random.next() + if i == j { 4.0 } else { 0.0 });
    let mass = &root * root.transpose();
    // Rows in different units.
    let units: Vec<f64> = (0..ROWS).map(|_| 10f64.powf(2.0 * random.next())).collect();
    let directions = DMatrix::from_fn(SIZE, ROWS, |_, j| units[j] * random.next());
    let before = DVector::from_fn(SIZE, |_, _| random.next());
    let part = if driven { 0.3 } else { 0.0 };
    let offset = DVector::from_fn(ROWS, |j, _| part * units[j] * random.next());
    let force = DVector::from_fn(SIZE, |_, _| part * random.next());
    // Some directions have no friction.
    let coefficient = |random: &mut Random| if random.next() > 0.6 { 0.0 } else { 0.6 + 0.5 * random.next() };
    let (a, b) = (coefficient(random), [coefficient(random), coefficient(random)]);
    let column = |j: usize| directions.column(j).iter().copied().collect::<Vec<f64>>();
    let offsets = |rows: std::ops::Range<usize>| if driven { offset.as_slice()[rows].to_vec() } else { Vec::new() };
    let contact = |name: &str, row: usize, tangents: usize| {
        let plain = ContactData { offset: offsets(row..row + tangents + 1), ..ContactData::new(name, column(row)) };
        (1..=tangents).fold(plain, |contact, k| contact.tangent(column(row + k)))
    };
    let mut data =
        ProblemData::new(Mass::dense(SIZE, mass.transpose().as_slice().to_vec()).unwrap(), before.as_slice().to_vec())
            .with_contact(contact("A", 0, 1).friction(a).friction_static(1.3 * a))
            .with_contact(
                contact("B", 2, 2)
                    .friction(Friction::Orthotropic(b))
                    .friction_static(Friction::Orthotropic([1.2 * b[0], 1.4 * b[1]])),
            )
            .with_contact(contact("C", 5, 0))
            .with_clutch(ClutchData { offset: offset[6], ..ClutchData::new("K", column(6)) })
            .with_joint(JointData { offset: offsets(7..9), ..JointData::new("J", [column(7), column(8)]) });
    if driven {
        data = data.with_impulse(force.as_slice().to_vec());
    }
    Drawn {
        problem: ImpactProblem::new(data).unwrap(),
        mass,
        directions,
        before,
        offset,
        force,
        kinetic: [[a, a], b],
        fixed: [[1.3 * a; 2], [1.2 * b[0], 1.4 * b[1]]],
    }
}

impl Drawn {
    fn velocity_after(&self, impulses: &DVector<f64>) -> DVector<f64> {
        let inverse = self.mass.clone().try_inverse().unwrap();
        &self.before + inverse * (&self.directions * impulses + &self.force)
    }

    fn relative(&self, velocity: &DVector<f64>) -> DVector<f64> {
        self.directions.tr_mul(velocity) + &self.offset
    }

    fn energy(&self, velocity: &DVector<f64>) -> f64 {
        0.5 * velocity.dot(&(&self.mass * velocity))
    }

    /// s of the element that a row belongs to.
    fn scale(&self, row: usize) -> f64 {
        let rows = match row {
            3 | 4 => 3..5,
            7 | 8 => 7..9,
            _ => row..row + 1,
        };
        let inverse = self.mass.clone().try_inverse().unwrap();
        let own = |j: usize| self.directions.column(j).dot(&(&inverse * self.directions.column(j)));
        (rows.clone().map(own).sum::<f64>() / rows.len() as f64).sqrt()
    }
}

/// The nearest point of an ellipse: the angle where the distance is stationary, by bisection.
fn nearest([p, q]: [f64; 2], [a, b]: [f64; 2]) -> [f64; 2] {
    if a == 0.0 || b == 0.0 || (p / a).hypot(q / b) <= 1.0 {
        return [p.clamp(-a, a), q.clamp(-b, b)];
    }
    let (mut low, mut high) = (0.0, std::f64::consts::FRAC_PI_2);
    for _ in 0..200 {
        let middle: f64 = 0.5 * (low + high);
        let (s, c) = middle.sin_cos();
        let slope = -a * s * (a * c - p.abs()) + b * c * (b * s - q.abs());
        if slope < 0.0 { low = middle } else { high = middle }
    }
    let (s, c) = low.sin_cos();
    [(a * c).copysign(p), (b * s).copysign(q)]
}

/// Residual of ξ ∈ N_C(−x) for the rows of an element, all in units in which they compare.
fn normal_cone(kind: ElementKind, x: &[f64], xi: &[f64], axes: [f64; 2], largest: f64) -> f64 {
    match kind {
        ElementKind::Normal | ElementKind::Clutch => (x[0] / largest).min(xi[0]).abs(),
        ElementKind::Joint => xi.iter().fold(0.0, |worst, v| worst.max(v.abs())),
        ElementKind::Friction if x.len() == 1 => (x[0] + (xi[0] - x[0]).clamp(-axes[0], axes[0])).abs() / largest,
        ElementKind::Friction => {
            let near = nearest([xi[0] - x[0], xi[1] - x[1]], axes);
            (x[0] + near[0]).hypot(x[1] + near[1]) / largest
        }
    }
}

/// What is expected of an answer: kinematic, kinetic, energetic and the claim.
fn expected(drawn: &Drawn, claim: &Claim, impulses: &[f64], compression: &[f64]) -> [f64; 4] {
    let impulses = DVector::from_column_slice(impulses);
    let after = drawn.velocity_after(&impulses);
    let (minus, plus) = (drawn.relative(&drawn.before), drawn.relative(&after));
    let most = drawn.energy(&drawn.before).max(drawn.energy(&after));
    let v = (2.0 * most).sqrt();
    let s: Vec<f64> = (0..ROWS).map(|row| drawn.scale(row)).collect();
    let largest = (0..ROWS).map(|row| (impulses[row] * s[row] / v).abs()).fold(1.0, f64::max);
    let half = if compression.is_empty() { DVector::zeros(ROWS) } else { DVector::from_column_slice(compression) };
    let middle = drawn.relative(&drawn.velocity_after(&half));
    let mut worst = [0.0f64; 4];
    worst[2] = (0.5 * impulses.dot(&(&plus + &minus)) / most).max(0.0);
    for (element, claim_of) in drawn.problem.elements().iter().zip(claim.elements()) {
        let rows: Vec<usize> = element.rows.clone().collect();
        let first = rows[0];
        let (to_impulse, to_velocity) = (s[first] / v, 1.0 / (s[first] * v));
        let kinetic = if first == 1 { drawn.kinetic[0] } else { drawn.kinetic[1] };
        match element.kind {
            ElementKind::Normal | ElementKind::Clutch => {
                worst[0] = worst[0].max(-plus[first] * to_velocity);
                worst[1] = worst[1].max(-impulses[first] * to_impulse / largest);
            }
            ElementKind::Joint => rows.iter().for_each(|&row| worst[0] = worst[0].max(plus[row].abs() * to_velocity)),
            ElementKind::Friction if claim.friction == FrictionLimit::Unbounded => {}
            ElementKind::Friction => {
                let [a, b] = match claim.friction {
                    FrictionLimit::Static => drawn.fixed[usize::from(first > 1)],
                    _ => kinetic,
                };
                let axes = rows.iter().zip([a, b]).map(|(&row, mu)| (impulses[row].abs(), mu));
                let (free, bound): (Vec<_>, Vec<_>) = axes.partition(|(_, mu)| *mu == 0.0);
                let gauge = bound.iter().fold(0.0f64, |sum, (x, mu)| sum.hypot(x / mu));
                if !bound.is_empty() {
                    worst[1] = worst[1].max((gauge - impulses[element.normal]) * to_impulse / largest);
                }
                free.iter().for_each(|(x, _)| worst[1] = worst[1].max(x * to_impulse / largest));
            }
        }
        let natural = |x: &dyn Fn(usize) -> f64, xi: &dyn Fn(usize) -> f64| {
            let x_of: Vec<f64> = rows.iter().map(|&row| x(row) * to_impulse).collect();
            let xi_of: Vec<f64> = rows.iter().map(|&row| xi(row) * to_velocity).collect();
            let radius = x(element.normal).max(0.0) * to_impulse;
            normal_cone(element.kind, &x_of, &xi_of, kinetic.map(|mu| mu * radius), largest)
        };
        let all = |f: &dyn Fn(usize) -> f64| rows.iter().fold(0.0, |most: f64, &row| most.max(f(row).abs()));
        let residual = match *claim_of {
            ElementClaim::Newton { restitution } => {
                natural(&|row| impulses[row], &|row| plus[row] + restitution * minus[row])
            }
            ElementClaim::Poisson { restitution } => natural(&|row| half[row], &|row| middle[row])
                .max(natural(&|row| impulses[row] - (1.0 + restitution) * half[row], &|row| plus[row])),
            ElementClaim::Velocity { restitution } => all(&|row| (plus[row] + restitution * minus[row]) * to_velocity),
            ElementClaim::VelocityOf { restitution, row: other } => {
                all(&|row| (plus[row] + restitution * minus[other as usize]) * to_velocity)
            }
            ElementClaim::NoImpulse => all(&|row| impulses[row] * to_impulse / largest),
            ElementClaim::CoulombEitherSign => {
                let sign = if impulses[element.normal] < 0.0 { -1.0 } else { 1.0 };
                let x = |row: usize| sign * impulses[row];
                natural(&|row| if row == element.normal { impulses[row].abs() } else { x(row) }, &|row| plus[row])
            }
            _ => 0.0,
        };
        worst[3] = worst[3].max(residual);
    }
    worst
}

fn answer(impulses: &[f64], compression: &[f64]) -> LawAnswer {
    LawAnswer { impulses: impulses.to_vec(), compression: compression.to_vec(), ..LawAnswer::default() }
}

fn residuals(outcome: &ImpactOutcome) -> [f64; 4] {
    let c = outcome.certificate;
    [c.kinematic, c.kinetic, c.energetic, c.inclusion.unwrap_or(0.0)]
}

/// Impulses of which one or all are wrong, weak or strong beside the motion.
fn impulses(random: &mut Random, drawn: &Drawn) -> Vec<f64> {
    let size = 10f64.powf(1.5 * random.next());
    let only = (random.next() > 0.0).then(|| ((random.next() + 1.0) * 0.5 * ROWS as f64) as usize);
    let mut list: Vec<f64> = (0..ROWS).map(|row| size * random.next() / drawn.scale(row)).collect();
    // Contacts push more often than not.
    list.iter_mut().zip(0..).for_each(|(x, row)| {
        if [0, 2, 5, 6].contains(&row) && random.next() > -0.6 {
            *x = x.abs();
        }
        if only.is_some_and(|only| only != row) {
            *x *= 1e-3;
        }
    });
    list
}

#[test]
fn residuals_of_wrong_answers_follow_the_formulas() {
    let mut random = Random(20);
    let mut counts = [0; 4];
    for case in 0..600 {
        let drawn = draw(&mut random, case % 3 == 0);
        let e = 0.5 + 0.5 * random.next();
        let mut claim = Claim::default();
        claim.each(&drawn.problem, |element| match (case % 6, element.kind) {
            (0 | 1, _) => ElementClaim::Newton { restitution: e },
            (2 | 3, _) => ElementClaim::Poisson { restitution: e },
            (4, ElementKind::Friction) => ElementClaim::CoulombEitherSign,
            (4, ElementKind::Clutch) => ElementClaim::VelocityOf { restitution: e, row: 5 },
            (4, _) => ElementClaim::Velocity { restitution: e },
            (_, ElementKind::Normal) => ElementClaim::Newton { restitution: e },
            (_, _) => ElementClaim::NoImpulse,
        });
        claim.friction = [FrictionLimit::Kinetic, FrictionLimit::Static, FrictionLimit::Unbounded][case / 6 % 3];
        let total = impulses(&mut random, &drawn);
        let compression = if matches!(case % 6, 2 | 3) { impulses(&mut random, &drawn) } else { Vec::new() };
        let outcome = certify(&drawn.problem, &claim, answer(&total, &compression));
        let (found, wanted) = (residuals(&outcome), expected(&drawn, &claim, &total, &compression));
        for (k, (found, wanted)) in found.into_iter().zip(wanted).enumerate() {
            assert!(
                (found - wanted).abs() <= 1e-9 * (1.0 + wanted),
                "case {case}, number {k}: {found} is not {wanted}"
            );
            counts[k] += usize::from(wanted > 1e-6);
        }
        assert!(outcome.certificate.momentum <= 1e-10 && outcome.status() == Status::Inaccurate);
        let energy = &outcome.energy;
        let after = drawn.velocity_after(&DVector::from_vec(total.clone()));
        let supports = -DVector::from_vec(total).dot(&drawn.offset);
        let external = 0.5 * drawn.force.dot(&(&after + &drawn.before));
        let size = energy.before + energy.after + energy.contacts.abs();
        assert!((energy.after - drawn.energy(&after)).abs() <= 1e-9 * size);
        assert!((energy.supports - supports).abs() <= 1e-9 * size && (energy.external - external).abs() <= 1e-9 * size);
        assert!((energy.work.iter().sum::<f64>() - energy.contacts).abs() <= 1e-12 * size);
        assert!((energy.change() - energy.contacts - supports - external).abs() <= 1e-9 * size);
    }
    assert!(counts.iter().all(|&count| count > 100), "{counts:?}");
}

/// Contacts with almost no impulse beside the others and the motion are open; friction slips where it moves.
#[test]
fn states_follow_impulses_and_velocities() {
    let mut random = Random(21);
    for case in 0..100 {
        let drawn = draw(&mut random, false);
        let speed = (2.0 * drawn.energy(&drawn.before)).sqrt();
        let size = [1e-3, 1.0, 1e3][case % 3] * speed;
        for part in [1e-12, 1e-11, 1e-9, 1e-8, 1e-6, 1.0] {
            // A and the clutch get that part of what the others get.
            let impulse = |row: usize| size / drawn.scale(row) * if matches!(row, 0 | 1 | 6) { part } else { 1.0 };
            let list: Vec<f64> = (0..ROWS).map(impulse).collect();
            let outcome = certify(&drawn.problem, &Claim::default(), answer(&list, &[]));
            let state = |name: &str| {
                let place = drawn.problem.elements().iter().position(|e| e.name == name).unwrap();
                outcome.states[place]
            };
            let motion = (2.0 * outcome.energy.before.max(outcome.energy.after)).sqrt();
            let share = part * size / size.max(motion);
            let (closed, slips) = if share > 1e-10 {
                (ElementState::Closed, ElementState::Slip)
            } else {
                (ElementState::Open, ElementState::Open)
            };
            assert_eq!((state("A"), state("A.friction"), state("K")), (closed, slips, closed), "{share}");
            assert_eq!((state("B.friction"), state("J")), (ElementState::Slip, ElementState::Closed));
        }
    }
}

/// Everything is held before and after, so that velocities tell nothing: impulses are checked all the same.
#[test]
fn impulses_are_checked_where_nothing_moves() {
    let at_rest = |push: f64| {
        let floor = ContactData::new("floor", [0.0, 2.0]).tangent([1.0, 0.0]).friction(0.5);
        let ceiling = ContactData::new("ceiling", [0.0, -1.0]);
        let data = ProblemData::new(Mass::diagonal(vec![3.0, 5.0]).unwrap(), [0.0, 0.0]);
        let data = data.with_contact(floor).with_contact(ceiling);
        ImpactProblem::new(if push == 0.0 { data } else { data.with_impulse([0.0, push]) }).unwrap()
    };
    let judged = |push: f64, impulses: [f64; 3]| {
        let problem = at_rest(push);
        let mut claim = Claim::default();
        claim.each(&problem, |_| ElementClaim::Newton { restitution: 0.0 });
        let outcome = certify(&problem, &claim, LawAnswer { impulses: impulses.to_vec(), ..LawAnswer::default() });
        assert_eq!(outcome.u_plus, [0.0, 0.0]);
        outcome
    };
    // (push, impulses of floor, its friction and ceiling, whether they keep the law)
    for (push, impulses, kept) in [
        (-4.0, [2.0, 0.0, 0.0], true),
        (4.0, [0.0, 0.0, 4.0], true),
        (4.0, [-2.0, 0.0, 0.0], false),
        (-4.0, [0.0, 0.0, -4.0], false),
        (0.0, [1.0, 0.0, 2.0], true),
        (0.0, [-1.0, 0.0, -2.0], false),
        (0.0, [0.0; 3], true),
    ] {
        let outcome = judged(push, impulses);
        let c = &outcome.certificate;
        assert_eq!(c.satisfies_law() && c.is_consistent(), kept, "{push}, {impulses:?}: {c:?}");
        let status = if kept { Status::Solved } else { Status::Inaccurate };
        assert_eq!(outcome.status(), status, "{push}, {impulses:?}");
        // 2 N s on the floor, in units of the velocity that the push alone would give: 2·2/√5 to 4/√5.
        let worst = if kept { 0.0 } else { 1.0 };
        assert!((c.kinetic - worst).abs() < 1e-12 && c.kinematic < 1e-12, "{push}, {impulses:?}: {c:?}");
        let closed = |impulse: f64| if impulse == 0.0 { ElementState::Open } else { ElementState::Closed };
        assert_eq!([outcome.states[0], outcome.states[2]], [closed(impulses[0]), closed(impulses[2])]);
    }
}

/// A law of two phases that gives its final impulses only is held to what every answer must satisfy, and to no more.
#[test]
fn impulses_of_compression_that_are_not_given_are_not_checked() {
    let mut random = Random(22);
    for case in 0..50 {
        let drawn = draw(&mut random, case % 2 == 0);
        let (mut poisson, nothing) = (Claim::default(), Claim::default());
        poisson.each(&drawn.problem, |_| ElementClaim::Poisson { restitution: 0.5 });
        let total = impulses(&mut random, &drawn);
        let [two, none] =
            [&poisson, &nothing].map(|claim| certify(&drawn.problem, claim, answer(&total, &[])).certificate);
        assert_eq!(two.inclusion.unwrap_or(0.0), 0.0, "case {case}");
        assert_eq!([two.kinematic, two.kinetic, two.momentum], [none.kinematic, none.kinetic, none.momentum]);
    }
}
