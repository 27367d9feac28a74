//! Numbers at the ends of what f64 holds.

use std::time::Instant;

use delassus::law::*;
use delassus::{ContactData, ImpactProblem, LawSpec, Mass, ProblemData, Status, resolve};

fn laws() -> Vec<LawSpec> {
    vec![
        LawSpec::Newton(Newton::default()),
        LawSpec::Moreau(Moreau { restitution: Some(0.5) }),
        LawSpec::Poisson(Poisson::default()),
        LawSpec::Kinematic(Kinematic::default()),
        LawSpec::Lzb(Lzb::default()),
        LawSpec::Sequential(Sequential::default()),
        LawSpec::Walton(Walton::default()),
        LawSpec::Stronge(Stronge::default()),
    ]
}

struct Shape {
    name: &'static str,
    mass: Vec<f64>,
    contacts: Vec<Vec<Vec<f64>>>,
    velocity: Vec<f64>,
}

fn shapes() -> Vec<Shape> {
    let rod = |phi: f64| {
        let (s, c) = phi.sin_cos();
        vec![vec![0.0, 1.0, -c], vec![1.0, 0.0, -s]]
    };
    let ball = vec![
        vec![0.0, 0.0, 1.0, 0.0, 0.0, 0.0],
        vec![1.0, 0.0, 0.0, 0.0, -1.0, 0.0],
        vec![0.0, 1.0, 0.0, 1.0, 0.0, 0.0],
    ];
    let foot = |x: f64, y: f64, z: f64| {
        vec![vec![0.0, 0.0, 1.0, y, -x, 0.0], vec![1.0, 0.0, 0.0, 0.0, z, -y], vec![0.0, 1.0, 0.0, -z, 0.0, x]]
    };
    vec![
        Shape {
            name: "point",
            mass: vec![1.0, 1.0],
            contacts: vec![vec![vec![0.0, 1.0], vec![1.0, 0.0]]],
            velocity: vec![0.7, -1.0],
        },
        Shape {
            name: "rod",
            mass: vec![1.0, 1.0, 1.0 / 3.0],
            contacts: vec![rod(1.0)],
            velocity: vec![1.0, -0.5, 0.3],
        },
        Shape {
            name: "rod back",
            mass: vec![1.0, 1.0, 1.0 / 3.0],
            contacts: vec![rod(1.0)],
            velocity: vec![-1.0, -0.5, 0.3],
        },
        Shape {
            name: "block",
            mass: vec![1.0, 1.0, 0.3],
            contacts: vec![
                vec![vec![0.0, 1.0, -0.5], vec![1.0, 0.0, 0.7]],
                vec![vec![0.0, 1.0, 0.5], vec![1.0, 0.0, 0.7]],
            ],
            velocity: vec![0.4, -0.5, -0.9],
        },
        Shape {
            name: "twice",
            mass: vec![1.0, 1.0, 0.3],
            contacts: vec![
                vec![vec![0.0, 1.0, -0.5], vec![1.0, 0.0, 0.7]],
                vec![vec![0.0, 1.0, -0.5], vec![1.0, 0.0, 0.7]],
            ],
            velocity: vec![0.4, -0.5, -0.9],
        },
        Shape {
            name: "ball",
            mass: vec![1.0, 1.0, 1.0, 0.4, 0.4, 0.4],
            contacts: vec![ball],
            velocity: vec![0.6, 0.3, -1.0, 0.1, 0.2, 0.3],
        },
        Shape {
            name: "corner",
            mass: vec![1.0, 1.0, 1.0, 0.1, 0.2, 0.3],
            contacts: vec![foot(0.5, 0.4, -0.7)],
            velocity: vec![0.6, 0.3, -1.0, 0.1, 0.2, 0.3],
        },
        Shape {
            name: "table",
            mass: vec![1.0, 1.0, 1.0, 0.1, 0.2, 0.3],
            contacts: [(-0.5, -0.4), (0.5, -0.4), (0.5, 0.4), (-0.5, 0.4)].map(|(x, y)| foot(x, y, -0.7)).to_vec(),
            velocity: vec![0.6, 0.3, -1.0, 0.1, 0.2, 0.3],
        },
        Shape {
            name: "two feet twice",
            mass: vec![1.0, 1.0, 1.0, 0.1, 0.2, 0.3],
            contacts: [(-0.5, -0.4), (0.5, -0.4), (-0.5, -0.4)].map(|(x, y)| foot(x, y, -0.7)).to_vec(),
            velocity: vec![0.6, 0.3, -1.0, 0.1, 0.2, 0.3],
        },
    ]
}

fn build(shape: &Shape, friction: f64, e: f64, mass: f64, speed: f64) -> Option<ImpactProblem> {
    let m = Mass::diagonal(shape.mass.iter().map(|m| m * mass).collect::<Vec<_>>()).ok()?;
    let mut data = ProblemData::new(m, shape.velocity.iter().map(|u| u * speed).collect::<Vec<_>>());
    for (k, c) in shape.contacts.iter().enumerate() {
        let mut contact = ContactData::new(format!("C{k}"), c[0].clone()).friction(friction).restitution(e);
        for t in &c[1..] {
            contact = contact.tangent(t.clone());
        }
        data = data.with_contact(contact);
    }
    match ImpactProblem::new(data) {
        Ok(p) => Some(p),
        Err(e) => {
            println!("{e}");
            None
        }
    }
}

#[test]
fn table() {
    let mut cases = Vec::new();
    for f in [0.0, 1e-300, 1e-9, 1.0, 1e6, 1e12, 1e20, 1e100, 1e308] {
        for e in [0.0, 0.5, 1.0] {
            cases.push((f, e, 1.0, 1.0));
        }
    }
    for m in [1e-300, 1e-9, 1e9, 1e300] {
        for v in [1e-200, 1e-9, 0.0, 1.0, 1e9, 1e100, 1e200, 1e300] {
            cases.push((0.5, 0.5, m, v));
        }
    }
    let only = std::env::var("ONLY").unwrap_or_default();
    for shape in shapes() {
        for &(f, e, m, v) in &cases {
            let Some(problem) = build(&shape, f, e, m, v) else { continue };
            for law in laws() {
                if !law.name().contains(&only) {
                    continue;
                }
                let start = Instant::now();
                let label = format!("{:14} {:10} mu {f:e} e {e} m {m:e} v {v:e}", shape.name, law.name());
                let outcome = match std::panic::catch_unwind(|| resolve(&problem, &law)) {
                    Ok(Ok(o)) => o,
                    Ok(Err(e)) => {
                        println!("{label} ERR {e}");
                        continue;
                    }
                    Err(_) => {
                        println!("{label} PANIC");
                        continue;
                    }
                };
                let took = start.elapsed().as_secs_f64();
                let finite =
                    outcome.u_plus.iter().chain(outcome.impulses()).chain(&outcome.gamma_plus).all(|v| v.is_finite());
                let status = outcome.status();
                if status == Status::NotApplicable {
                    continue;
                }
                if took > 0.2 || !finite || status != Status::Solved {
                    println!(
                        "{label} {status:?} finite {finite} {took:.2}s incl {:?} kin {:e} kt {:e} en {:e} mom {:e}",
                        outcome.certificate.inclusion,
                        outcome.certificate.kinematic,
                        outcome.certificate.kinetic,
                        outcome.certificate.energetic,
                        outcome.certificate.momentum
                    );
                }
            }
        }
    }
}

#[test]
fn random_grip() {
    use delassus::*;
    let number = |name: &str, or: u64| std::env::var(name).ok().and_then(|v| v.parse().ok()).unwrap_or(or);
    let only = std::env::var("ONLY").unwrap_or_default();
    let mut state = 7u64;
    let mut next = || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((state >> 11) as f64 / (1u64 << 53) as f64) * 2.0 - 1.0
    };
    let mut shown = std::collections::HashMap::new();
    let mut fails = std::collections::BTreeMap::new();
    for trial in 0..number("TRIALS", 60) {
        for &(n, t, dim) in &[(1usize, 1usize, 3usize), (1, 2, 6), (2, 1, 3), (2, 1, 6), (2, 2, 6), (4, 2, 6)] {
            let dirs: Vec<Vec<f64>> = (0..n * (1 + t)).map(|_| (0..dim).map(|_| next()).collect()).collect();
            let u: Vec<f64> = (0..dim).map(|_| next()).collect();
            for mu in [1e4, 1e6, 1e8, 1e10, 1e12, 1e16, 1e20] {
                let mut data = ProblemData::new(Mass::diagonal(vec![1.0; dim]).unwrap(), u.clone());
                for k in 0..n {
                    let g: f64 = dirs[k * (1 + t)].iter().zip(&u).map(|(a, b)| a * b).sum();
                    let mut c = ContactData::new(
                        format!("C{k}"),
                        dirs[k * (1 + t)].iter().map(|a| -a * g.signum()).collect::<Vec<_>>(),
                    )
                    .friction(mu)
                    .restitution(0.5);
                    for d in 0..t {
                        c = c.tangent(dirs[k * (1 + t) + 1 + d].clone());
                    }
                    data = data.with_contact(c);
                }
                let problem = ImpactProblem::new(data).unwrap();
                for law in laws() {
                    if !only.is_empty() && !only.contains(law.name()) {
                        continue;
                    }
                    for solutions in [Solutions::First, Solutions::Preferred] {
                        let mut o = ImpactOutcome::default();
                        let start = Instant::now();
                        resolve_into(
                            &problem,
                            &law,
                            &Options { solutions, ..Options::default() },
                            &mut Workspace::default(),
                            &mut o,
                        )
                        .unwrap();
                        let took = start.elapsed().as_secs_f64();
                        if matches!(o.status(), Status::NotApplicable) {
                            continue;
                        }
                        let key = format!("{} {n} contacts {t} tangents {dim} dof mu {mu:e} {solutions:?}", law.name());
                        if o.status() != Status::Solved || took > 0.3 {
                            *fails.entry(format!("{key} {:?}", o.status())).or_insert(0) += 1;
                            let c = shown.entry(key.clone()).or_insert(0);
                            *c += 1;
                            if *c < 2 && law.name() == "newton" && n == 1 {
                                println!(
                                    "{trial} {key}: {:?} {:?} mom {:e} {took:.2}",
                                    o.status(),
                                    o.certificate.inclusion,
                                    o.certificate.momentum
                                );
                            }
                        }
                    }
                }
            }
        }
    }
    for (k, v) in fails {
        println!("{v:4} {k}");
    }
}
