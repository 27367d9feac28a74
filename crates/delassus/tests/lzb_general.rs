//! Friction in space, remembered gaps, joints and clutches together under the
//! law `lzb`, and input at the ends of the range.

mod lzb_support;

use delassus::law::Lzb;
use delassus::law::lzb::{NormalState, TangentialState};
use delassus::{
    ClutchData, ContactData, Direction, Friction, ImpactProblem, JointData, LawSpec, Mass, ProblemData, Status,
};
use lzb_support::{Random, block, check, distance, lzb, solve, spatial_contact, with_path};

/// A random body with 2 or 3 orthotropic contacts.
fn orthotropic(random: &mut Random) -> ProblemData {
    let inertia = [0; 3].map(|_| random.within(0.2, 1.0));
    let velocity: Vec<f64> =
        (0..6).map(|i| if i == 2 { random.within(-2.0, -1.0) } else { random.within(-1.0, 1.0) }).collect();
    let mut data = ProblemData::new(Mass::diagonal([[1.0; 3], inertia].concat()).unwrap(), velocity);
    for i in 0..2 + (2.0 * random.next()) as usize {
        let p = [random.within(-1.0, 1.0), random.within(-1.0, 1.0), random.within(-1.0, -0.3)];
        let mut contact = spatial_contact(&format!("c{i}"), p, 0.0)
            .restitution(random.within(0.0, 1.0))
            .stiffness(random.within(0.3, 3.0));
        contact.friction = Some(Friction::Orthotropic([random.within(0.05, 0.8), random.within(0.05, 0.8)]));
        data.contacts.push(contact);
    }
    data
}

/// A body hung from a second one by a joint along x and a clutch along y.
fn coupled(random: &mut Random) -> ProblemData {
    let mut data = orthotropic(random);
    let [m, inertia] = [1.0, 0.5];
    data.mass = Mass::diagonal(vec![m, m, m, inertia, inertia, inertia, 0.7, 0.7]).unwrap();
    let (vx, vy) = (data.velocity[0], data.velocity[1]);
    // The joint holds; the clutch is at its limit or running free.
    data.velocity.extend([vx, vy + if random.next() < 0.5 { 0.0 } else { 0.3 }]);
    let longer = |d: &Direction| match d {
        Direction::Dense(w) => Direction::Dense([w.clone(), vec![0.0; 2]].concat()),
        Direction::Sparse(w) => Direction::Sparse(w.clone()),
    };
    for contact in &mut data.contacts {
        contact.normal = longer(&contact.normal);
        contact.tangents = contact.tangents.iter().map(longer).collect();
    }
    data.joints.push(JointData {
        name: "joint".into(),
        directions: vec![Direction::Sparse(vec![(0, -1.0), (6, 1.0)])],
        restitution: 0.0,
        offset: vec![],
    });
    data.clutches.push(ClutchData {
        name: "clutch".into(),
        direction: Direction::Sparse(vec![(1, -1.0), (7, 1.0)]),
        restitution: 0.0,
        offset: 0.0,
    });
    data
}

#[test]
fn orthotropic_bodies_keep_every_invariance() {
    let mut random = Random(11);
    for round in 0..60 {
        let data = orthotropic(&mut random);
        let what = format!("body {round}");
        let (problem, outcome) = solve(&data, &lzb(1.5));
        check(&problem, &outcome, &what);
        let same = |other: &[f64], by: &str| {
            let difference = distance(&outcome.u_plus, other);
            assert!(difference < 1e-8, "{what}: {by} changes {difference:e}");
        };
        let mut other = data.clone();
        other.contacts.reverse();
        same(&solve(&other, &lzb(1.5)).1.u_plus, "the order of contacts");

        let (mass, speed) = (1e-9, 1e6);
        let mut other = data.clone();
        other.mass = Mass::dense(6, data.mass.to_dense().iter().map(|m| m * mass).collect()).unwrap();
        other.velocity.iter_mut().for_each(|v| *v *= speed);
        let scaled: Vec<f64> = solve(&other, &lzb(1.5)).1.u_plus.iter().map(|v| v / speed).collect();
        same(&scaled, "the unit of mass or speed");

        // Tangents exchanged, with their coefficients.
        let mut other = data.clone();
        for contact in &mut other.contacts {
            contact.tangents.reverse();
            let [a, b] = contact.friction.unwrap().coefficients();
            contact.friction = Some(Friction::Orthotropic([b, a]));
        }
        same(&solve(&other, &lzb(1.5)).1.u_plus, "the order of tangents");

        // u = Bq with B a shear of the first two coordinates.
        let shear = random.within(-0.8, 0.8);
        let mut other = data.clone();
        let mut m = data.mass.to_dense();
        (m[1], m[6], m[7]) = (shear * m[0], shear * m[0], m[7] + shear * shear * m[0]);
        other.mass = Mass::dense(6, m).unwrap();
        other.velocity[0] -= shear * other.velocity[1];
        let turn = |d: &mut Direction| {
            if let Direction::Dense(w) = d {
                w[1] += shear * w[0];
            }
        };
        for contact in &mut other.contacts {
            turn(&mut contact.normal);
            contact.tangents.iter_mut().for_each(turn);
        }
        let mut back = solve(&other, &lzb(1.5)).1.u_plus;
        back[0] += shear * back[1];
        same(&back, "the choice of coordinates");
    }
}

#[test]
fn weak_spatial_friction_tends_to_none() {
    let mut random = Random(12);
    for round in 0..40 {
        let mut data = orthotropic(&mut random);
        let with = |data: &mut ProblemData, friction: f64| {
            data.contacts.iter_mut().for_each(|c| c.friction = Some(Friction::Orthotropic([friction, 0.5 * friction])));
            solve(data, &lzb(1.5)).1.u_plus
        };
        let (weak, none) = (with(&mut data, 1e-10), with(&mut data, 0.0));
        assert!(distance(&weak, &none) < 2e-8, "body {round}: {weak:?} {none:?}");
    }
}

#[test]
fn remembered_gaps_with_friction_close_their_account() {
    let mut random = Random(13);
    let law = LawSpec::Lzb(Lzb { keep_gaps: true, ..Lzb::default() });
    for round in 0..60 {
        let data = orthotropic(&mut random);
        let (problem, outcome) = solve(&data, &law);
        check(&problem, &outcome, &format!("body {round}"));
    }
}

#[test]
fn joints_and_clutches_hold_with_friction() {
    let mut random = Random(14);
    for round in 0..60 {
        let data = coupled(&mut random);
        let what = format!("body {round}");
        let (problem, outcome) = solve(&data, &lzb(1.5));
        check(&problem, &outcome, &what);
        let rows = problem.rows();
        let (clutch, joint) = (rows - 2, rows - 1);
        assert!(outcome.gamma_plus[joint].abs() < 1e-9, "{what}: the joint gives");
        assert!(outcome.gamma_plus[clutch] > -1e-9, "{what}: the clutch slips back");
        assert!(outcome.impulses()[clutch] > -1e-12, "{what}: the clutch pulls");
        let mut other = data.clone();
        other.contacts.reverse();
        let difference = distance(&solve(&other, &lzb(1.5)).1.u_plus, &outcome.u_plus);
        assert!(difference < 1e-8, "{what}: the order of contacts changes {difference:e}");
    }
}

/// Without friction one contact pushes a resting clutch one way all along: the clutch is then a joint, or not there.
#[test]
fn a_clutch_is_a_joint_one_way() {
    let mut random = Random(23);
    let mut locked = 0;
    for round in 0..100 {
        let mut line = || -> Vec<f64> { (0..4).map(|_| random.within(-1.0, 1.0)).collect() };
        let (normal, clutch, mut velocity) = (line(), line(), line());
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        // The clutch rests, the contact approaches.
        let part = dot(&velocity, &clutch) / dot(&clutch, &clutch);
        velocity.iter_mut().zip(&clutch).for_each(|(u, w)| *u -= part * w);
        let sign = -dot(&velocity, &normal).signum();
        velocity.iter_mut().for_each(|u| *u *= sign);
        let plain = ProblemData::new(Mass::diagonal(vec![1.0; 4]).unwrap(), velocity)
            .with_contact(ContactData::new("c", normal.clone()).restitution(0.6));
        let blocks = dot(&normal, &clutch) < 0.0;
        let expected =
            if blocks { plain.clone().with_joint(JointData::new("j", [clutch.clone()])) } else { plain.clone() };
        let found = solve(&plain.with_clutch(ClutchData::new("k", clutch)), &lzb(1.5)).1;
        let difference = distance(&found.u_plus, &solve(&expected, &lzb(1.5)).1.u_plus);
        assert!(found.status() == Status::Solved && difference < 1e-9, "round {round}: {difference:e}");
        locked += usize::from(blocks);
    }
    assert!((30..70).contains(&locked), "{locked}");
}

/// A ball on a spring kδ^η: ½mv² = kδ^(η+1)/(η+1) at the deepest point, and back after 2δ/v ∫dx/√(1 − x^(η+1)).
#[test]
fn the_path_of_a_ball_has_closed_forms() {
    // The integral is √π Γ(1 + 1/p)/Γ(½ + 1/p) with p = η + 1.
    for (exponent, integral) in [(1.0, std::f64::consts::FRAC_PI_2), (1.5, 1.471_637_465)] {
        for (m, v, k) in [(1.0, 1.0, 1.0), (3.0, 0.2, 70.0), (1e-6, 1e3, 1e5), (1e4, 1e-6, 1e-3)] {
            let data = ProblemData::new(Mass::diagonal(vec![m]).unwrap(), [-v])
                .with_contact(ContactData::new("c", [1.0]).restitution(1.0).stiffness(k));
            let path = with_path(&ImpactProblem::new(data).unwrap(), &lzb(exponent)).answer.path.unwrap();
            let deepest = (0.5 * (exponent + 1.0) * m * v * v / k).powf(1.0 / (exponent + 1.0));
            let found = path.compressions.iter().fold(0.0f64, |most, d| most.max(*d));
            assert!((found / deepest - 1.0).abs() < 1e-6, "{m} {v} {k}: {found} is not {deepest}");
            let duration = path.tau.last().unwrap() - path.tau[0];
            assert!((duration / (2.0 * integral * deepest / v) - 1.0).abs() < 1e-6, "{m} {v} {k}: {duration}");
        }
    }
}

/// A moving joint drives a contact shut: no impulse can stop it.
#[test]
fn what_is_driven_shut_has_no_solution() {
    let mut data = ProblemData::new(Mass::diagonal(vec![1.0, 2.0]).unwrap(), [-1.0, 0.0]);
    data.contacts.push(ContactData::new("stop", [1.0, 0.0]).restitution(0.5));
    data.joints.push(JointData {
        name: "guide".into(),
        directions: vec![Direction::Dense(vec![1.0, 0.0])],
        restitution: 0.0,
        offset: vec![1.0],
    });
    let outcome = solve(&data, &lzb(1.5)).1;
    assert_eq!(outcome.status(), Status::NoSolution);
    assert!(outcome.answer.warnings[0].contains("stop approaches"), "{:?}", outcome.answer.warnings);
}

#[test]
fn mirror_images_give_mirrored_answers() {
    // Two legs at (±a, 0): reflection in x leaves the body as it is.
    let mut random = Random(15);
    for round in 0..30 {
        let (a, z) = (random.within(0.2, 1.0), random.within(-1.0, -0.3));
        let mass = Mass::diagonal(vec![1.0, 1.0, 1.0, 0.4, 0.5, 0.7]).unwrap();
        let velocity = [0.0, random.within(-1.0, 1.0), -1.0, random.within(-0.5, 0.5), 0.0, 0.0];
        let mut data = ProblemData::new(mass, velocity);
        let (mu, e) = (random.within(0.1, 0.8), random.within(0.0, 1.0));
        for x in [-a, a] {
            data.contacts.push(spatial_contact(&format!("x{x}"), [x, 0.0, z], 0.0).friction(mu).restitution(e));
        }
        let (problem, outcome) = solve(&data, &lzb(1.5));
        check(&problem, &outcome, &format!("body {round}"));
        let u = &outcome.u_plus;
        assert!(u[0].abs().max(u[4].abs()).max(u[5].abs()) < 1e-9, "body {round}: {u:?}");
    }
}

/// Directions in general position make impacts whose last motions take long.
#[test]
fn recording_the_path_does_not_change_the_answer() {
    let mut random = Random(17);
    for round in 0..100 {
        let mut matrix = vec![0.0; 36];
        let factor: Vec<f64> = (0..36).map(|_| random.within(-0.5, 0.5)).collect();
        for i in 0..6 {
            for j in 0..6 {
                let product: f64 = (0..6).map(|k| factor[6 * i + k] * factor[6 * j + k]).sum();
                matrix[6 * i + j] = product + if i == j { 0.5 } else { 0.0 };
            }
        }
        let mut line = |size: f64| -> Vec<f64> { (0..6).map(|_| random.within(-size, size)).collect() };
        let mut data = ProblemData::new(Mass::dense(6, matrix).unwrap(), line(1.5));
        for i in 0..3 {
            let contact = ContactData::new(format!("c{i}"), line(2.0)).tangent(line(2.0)).tangent(line(2.0));
            data.contacts.push(contact.friction(0.2 + 0.2 * i as f64).restitution(0.0));
        }
        let what = format!("problem {round}");
        let (problem, outcome) = solve(&data, &lzb(1.5));
        check(&problem, &outcome, &what);
        let recorded = with_path(&problem, &lzb(1.5));
        check(&problem, &recorded, &what);
        let largest = problem.gamma_minus().iter().fold(0.0_f64, |m, v| m.max(v.abs()));
        let difference = distance(&outcome.u_plus, &recorded.u_plus) / largest;
        assert!(difference < 1e-9, "{what}: the path changes {difference:e}");
        let (points, steps) = (recorded.answer.path.unwrap().len(), outcome.answer.stats.iterations);
        assert!(points < 1000 + 2 * steps, "{what}: {points} points, {steps} steps without");
    }
}

/// Whatever the numbers, work is bounded: with ratios of stiffness of 1e12 the
/// stiff contact hits some ten thousand times while the soft one gives way.
#[test]
fn extreme_input_ends_in_bounded_work() {
    let mut random = Random(16);
    for round in 0..40 {
        let plain = orthotropic(&mut random);
        let set = |change: &dyn Fn(usize, &mut delassus::ContactData)| {
            let mut data = plain.clone();
            data.contacts.iter_mut().enumerate().for_each(|(i, c)| change(i, c));
            data
        };
        let cases = [
            set(&|_, c| c.friction = Some(1e20.into())),
            set(&|_, c| c.friction = Some(1e308.into())),
            set(&|i, c| c.stiffness = if i == 0 { 1e12 } else { 1.0 }),
            set(&|i, c| c.friction = Some(Friction::Orthotropic(if i == 0 { [0.5, 0.0] } else { [0.0, 0.4] }))),
            set(&|_, c| c.friction = Some(Friction::Orthotropic([0.8, 1e-9]))),
            set(&|_, c| c.restitution = 0.0),
        ];
        for (k, data) in cases.iter().enumerate() {
            let (problem, outcome) = solve(data, &lzb(1.5));
            assert_eq!(outcome.status(), Status::Solved, "body {round}, case {k}: {:?}", outcome.answer.warnings);
            assert!(outcome.answer.stats.iterations <= 200_000, "body {round}, case {k}");
            let (before, after) = (problem.mass().energy(problem.u_minus()), problem.mass().energy(&outcome.u_plus));
            assert!(after <= before * (1.0 + 1e-9), "body {round}, case {k}: gains energy");
        }
    }
    for friction in [1e20, 1e308] {
        let outcome = solve(&block(1.0, friction, friction, 0.0), &lzb(1.5)).1;
        assert_eq!(outcome.status(), Status::Solved);
    }
}

/// Three or four rough contacts in general position that approach without sliding, as they are, and with a second
/// tangent along coordinates of its own for some of them. Nothing moves these, so the answer must be the same, whether
/// it comes from limits along one tangent, from disks, or from both at once.
#[test]
fn a_tangent_that_nothing_moves_changes_nothing() {
    let mut random = Random(29);
    let (size, mut slid) = (7, 0);
    for round in 0..150 {
        let contacts = 3 + round % 2;
        let mut line = || -> Vec<f64> { (0..size).map(|_| random.within(-1.0, 1.0)).collect() };
        let mut tangents: Vec<Vec<f64>> = (0..contacts).map(|_| line()).collect();
        if round % 3 == 0 {
            // Two contacts hold one direction together.
            tangents[1] = tangents[0].clone();
        }
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let mut velocity = line();
        for _ in 0..200 {
            for t in &tangents {
                let along = dot(t, &velocity) / dot(t, t);
                velocity.iter_mut().zip(t).for_each(|(u, t)| *u -= along * t);
            }
        }
        let mass: Vec<f64> = line().iter().map(|v| 10f64.powf(0.5 * v)).collect();
        let mut plain = ProblemData::new(Mass::diagonal(mass.clone()).unwrap(), velocity.clone());
        let mut extended = plain.clone();
        let wide = (0..contacts).filter(|c| (round / 3 + c) % 2 == 0).count();
        extended.mass = Mass::diagonal([mass, vec![0.7; wide]].concat()).unwrap();
        extended.velocity = [velocity.clone(), vec![0.0; wide]].concat();
        let mut place = size;
        for (c, own) in tangents.iter().enumerate() {
            let mut normal = line();
            if dot(&normal, &velocity) > 0.0 {
                normal.iter_mut().for_each(|n| *n = -*n);
            }
            let longer = |w: &[f64]| [w, &vec![0.0; wide]].concat();
            let data = [line()[0], line()[0], line()[0]].map(f64::abs);
            let contact = |normal: Vec<f64>| {
                let contact = ContactData::new(format!("c{c}"), normal).friction(0.1 + data[0]);
                contact.restitution(data[1]).stiffness(0.3 + data[2])
            };
            plain.contacts.push(contact(normal.clone()).tangent(own.clone()));
            let mut wider = contact(longer(&normal));
            if (round / 3 + c) % 2 == 0 {
                // Both tangents turned, which matters as little.
                let (sine, cosine) = (2.0 * data[0] + data[1]).sin_cos();
                for (along, across) in [(cosine, sine), (-sine, cosine)] {
                    let mut tangent: Vec<f64> = longer(own).iter().map(|t| along * t).collect();
                    tangent[place] = across;
                    wider = wider.tangent(tangent);
                }
                place += 1;
            } else {
                wider = wider.tangent(longer(own));
            }
            extended.contacts.push(wider);
        }
        let (problem, expected) = solve(&plain, &lzb(1.5));
        check(&problem, &expected, &format!("plain {round}"));
        let (problem, outcome) = solve(&extended, &lzb(1.5));
        check(&problem, &outcome, &format!("extended {round}"));
        let difference = distance(&outcome.u_plus[..size], &expected.u_plus);
        assert!(difference < 1e-8, "{round}: {difference:e}");
        assert!(outcome.u_plus[size..].iter().all(|u| u.abs() < 1e-10), "{round}: {:?}", &outcome.u_plus[size..]);
        slid += usize::from((0..contacts).any(|c| expected.gamma_plus[2 * c + 1].abs() > 1e-3));
    }
    assert!(slid > 100, "{slid} slid");
}

/// A body lands on a skate, which has friction across its blade only, and on three rough feet beside it. Their
/// directions depend on each other, and which of them give way is decided together: it tends to what a skate with ever
/// less friction along its blade does, and does not depend on the order of the contacts.
#[test]
fn a_skate_and_feet_hold_together() {
    let mut random = Random(43);
    let (mut slid, mut compared) = (0, 0);
    for round in 0..30 {
        let inertia = [0; 3].map(|_| random.within(0.2, 1.0));
        let mass = Mass::diagonal([[1.0; 3], inertia].concat()).unwrap();
        let mut data = ProblemData::new(mass, [0.0, 0.0, -1.0, 0.0, 0.0, 0.0]);
        let depth = random.within(-1.0, -0.3);
        for i in 0..4 {
            let p = [random.within(-1.0, 1.0), random.within(-1.0, 1.0), depth];
            let mu = random.within(0.02, 0.4);
            let contact = spatial_contact(&format!("c{i}"), p, random.within(0.0, 6.0)).friction(mu);
            data.contacts.push(contact.restitution(random.within(0.2, 0.9)).stiffness(random.within(0.3, 3.0)));
        }
        let along = |part: f64| {
            let mut data = data.clone();
            let mu = data.contacts[0].friction.unwrap().coefficients()[0];
            data.contacts[0].friction = Some(Friction::Orthotropic([mu, part * mu]));
            data
        };
        let (problem, skate) = solve(&along(0.0), &lzb(1.5));
        check(&problem, &skate, &format!("skate {round}"));
        // So unequal coefficients are too stiff to be followed now and then, which the status says.
        let short = LawSpec::Lzb(Lzb { max_steps: Some(2000), ..Lzb::default() });
        let (_, nearly) = solve(&along(1e-6), &short);
        if nearly.status() == Status::Solved {
            let difference = distance(&skate.u_plus, &nearly.u_plus);
            assert!(difference < 1e-5, "{round}: {difference:e}");
            compared += 1;
        }
        let mut turned = along(0.0);
        turned.contacts.reverse();
        let difference = distance(&skate.u_plus, &solve(&turned, &lzb(1.5)).1.u_plus);
        assert!(difference < 1e-8, "{round}: {difference:e}");
        slid += usize::from(skate.gamma_plus.iter().enumerate().any(|(row, v)| row % 3 > 0 && v.abs() > 1e-3));
    }
    assert!(slid > 15 && compared > 24, "{slid} {compared}");
}

/// A disc that slides onto the ground slips until friction has stopped it, and then sticks; the path tells so while the
/// contact pushes, and nothing of a contact that does not.
#[test]
fn the_path_tells_how_contacts_grip() {
    let mut data = ProblemData::new(Mass::diagonal(vec![1.0, 1.0, 0.5]).unwrap(), [0.5, -1.0, 0.0]);
    data.contacts.push(ContactData::new("ground", [0.0, 1.0, 0.0]).tangent([1.0, 0.0, 1.0]).friction(0.6));
    data.contacts.push(ContactData::new("wall", [1.0, 0.0, 0.0]).tangent([0.0, 1.0, 0.0]).friction(0.6));
    let outcome = with_path(&ImpactProblem::new(data).unwrap(), &lzb(1.5));
    let path = outcome.answer.path.unwrap();
    let mut grips = Vec::new();
    for i in 0..path.len() {
        let [ground, wall] = path.states_at(i) else { panic!("two contacts") };
        assert_eq!((wall.normal, wall.tangential), (NormalState::Open, None));
        // Before the first step nothing is decided.
        let grips_now = i > 0 && ground.normal != NormalState::Open;
        assert_eq!(ground.tangential.is_some(), grips_now, "{i}: {ground:?}");
        grips.extend(ground.tangential);
    }
    grips.dedup();
    assert_eq!(grips, [TangentialState::Slip, TangentialState::Stick]);
}
