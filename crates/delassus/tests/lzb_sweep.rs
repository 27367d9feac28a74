//! Random bodies with spatial friction under the law `lzb`: every one ends.

mod lzb_support;

use delassus::{ContactData, Friction, ImpactOutcome, ImpactProblem, Mass, ProblemData, Status, resolve};
use lzb_support::{distance, lzb};

/// A small deterministic generator of numbers in [0, 1).
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }
    fn within(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.next()
    }
}

#[derive(Clone, Copy, Debug)]
struct Kind {
    orthotropic: bool,
    coplanar: bool,
    redundant: bool,
    fixed: bool,
}

fn contact(name: &str, p: [f64; 3], angle: f64) -> ContactData {
    let x = [1.0, 0.0, 0.0, 0.0, p[2], -p[1]];
    let y = [0.0, 1.0, 0.0, -p[2], 0.0, p[0]];
    let z = [0.0, 0.0, 1.0, p[1], -p[0], 0.0];
    let (c, s) = (angle.cos(), angle.sin());
    let mix = |a: f64, b: f64| -> Vec<f64> { (0..6).map(|i| a * x[i] + b * y[i]).collect() };
    ContactData::new(name, z).tangent(mix(c, s)).tangent(mix(-s, c))
}

fn body(kind: Kind, seed: u64, angle: f64) -> ProblemData {
    let mut r = Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 0x1234_5678);
    for _ in 0..4 {
        r.next();
    }
    let mass = Mass::diagonal(vec![1.0, 1.0, 1.0, r.within(0.2, 1.0), r.within(0.2, 1.0), r.within(0.2, 1.0)]).unwrap();
    let velocity: Vec<f64> = (0..6).map(|i| if i == 2 { r.within(-2.0, -1.0) } else { r.within(-1.0, 1.0) }).collect();
    let mut data = ProblemData::new(mass, velocity);
    let count = if kind.redundant { 3 } else { 2 } + (3.0 * r.next()) as usize;
    let depth = r.within(-1.0, -0.3);
    for i in 0..count {
        let p = [r.within(-1.0, 1.0), r.within(-1.0, 1.0), if kind.coplanar { depth } else { r.within(-1.0, -0.3) }];
        let (m1, m2) = (r.within(0.05, 0.8), r.within(0.05, 0.8));
        let ratio = r.within(1.0, 1.5);
        let friction = if kind.orthotropic { Friction::Orthotropic([m1, m2]) } else { Friction::Isotropic(m1) };
        let fixed = if kind.orthotropic {
            Friction::Orthotropic([ratio * m1, ratio * m2])
        } else {
            Friction::Isotropic(ratio * m1)
        };
        let mut c = contact(&format!("c{i}"), p, angle).restitution(r.within(0.0, 1.0)).stiffness(r.within(0.3, 3.0));
        c.friction = Some(friction);
        if kind.fixed {
            c.friction_static = Some(fixed);
        }
        data.contacts.push(c);
    }
    data
}

fn solve(data: &ProblemData) -> (ImpactProblem, ImpactOutcome) {
    let problem = ImpactProblem::new(data.clone()).unwrap();
    let outcome = resolve(&problem, &lzb(1.5)).unwrap();
    (problem, outcome)
}

fn ledger(problem: &ImpactProblem, outcome: &ImpactOutcome) -> f64 {
    let before = problem.mass().energy(problem.u_minus());
    let change = problem.mass().energy(&outcome.u_plus) - before;
    let sum: f64 = outcome.answer.contact_energy.iter().map(|a| a.returned - a.stored + a.friction).sum();
    (sum - change).abs() / before
}

#[test]
#[ignore]
fn sweep() {
    let count: u64 = std::env::var("COUNT").ok().and_then(|s| s.parse().ok()).unwrap_or(500);
    for redundant in [false, true] {
        for coplanar in [false, true] {
            for orthotropic in [false, true] {
                for fixed in [false, true] {
                    let kind = Kind { orthotropic, coplanar, redundant, fixed };
                    let start = std::time::Instant::now();
                    let (mut failed, mut steps, mut total) = (vec![], 0, 0);
                    let mut unbalanced = vec![];
                    let mut turned = vec![];
                    let mut slow = 0;
                    for seed in 0..count {
                        let (problem, outcome) = solve(&body(kind, seed, 0.0));
                        if outcome.status() != Status::Solved {
                            failed.push(seed);
                            continue;
                        }
                        let n = outcome.answer.stats.iterations;
                        steps = steps.max(n);
                        total += n;
                        if n > 2000 {
                            slow += 1;
                        }
                        let l = ledger(&problem, &outcome);
                        if l > 1e-9 {
                            unbalanced.push((seed, l as f32));
                        }
                        if !orthotropic {
                            let (_, other) = solve(&body(kind, seed, 0.7));
                            let d = distance(&other.u_plus, &outcome.u_plus);
                            if d > 1e-8 {
                                turned.push((seed, d as f32));
                            }
                        }
                    }
                    println!(
                        "red {} copl {} orth {} fixed {}: failed {:?} max steps {steps} mean {} slow {slow} ledger {:?} turned {:?} {:.1?}",
                        redundant as u8,
                        coplanar as u8,
                        orthotropic as u8,
                        fixed as u8,
                        failed,
                        total / count as usize,
                        unbalanced,
                        turned,
                        start.elapsed()
                    );
                }
            }
        }
    }
}

#[test]
#[ignore]
fn trace() {
    let text = std::env::var("CASE").unwrap();
    let w: Vec<u64> = text.split(',').map(|s| s.parse().unwrap()).collect();
    let kind = Kind { redundant: w[0] == 1, coplanar: w[1] == 1, orthotropic: w[2] == 1, fixed: w[3] == 1 };
    let data = body(kind, w[4], if w.len() > 5 { 0.7 } else { 0.0 });
    let problem = ImpactProblem::new(data).unwrap();
    let outcome = lzb_support::with_path(&problem, &lzb(1.5));
    println!("{:?} {:?} {:?}", outcome.status(), outcome.answer.stats, outcome.answer.warnings);
    for c in problem.contacts() {
        println!("{} {:?} {:?} e {} k {}", c.name, c.friction, c.friction_static, c.restitution, c.stiffness);
    }
    let path = outcome.answer.path.as_ref().unwrap();
    let n = problem.contacts().len();
    let mut last = None;
    let mut runs: Vec<(usize, usize)> = vec![];
    for i in 0..path.len() {
        let s: Vec<_> = (0..n).map(|c| path.states[i * n + c]).collect();
        if last.as_ref() != Some(&s) {
            runs.push((i, i));
            last = Some(s);
        } else {
            runs.last_mut().unwrap().1 = i;
        }
    }
    let show = |i: usize| {
        let g = path.gamma_at(i);
        print!("{i:6} tau {:.12}", path.tau[i]);
        for (c, contact) in problem.contacts().iter().enumerate() {
            let s = path.states[i * n + c];
            let t = contact.tangents.start;
            print!(
                " | {:?}/{} d {:.3e} vn {:.2e} vt {:.2e}",
                s.normal,
                s.tangential.map_or("-".into(), |t| format!("{t:?}")),
                path.compressions[i * n + c],
                g[contact.normal],
                g[t].hypot(g[t + 1])
            );
        }
        println!();
    };
    if let Ok(c) = std::env::var("EVERY") {
        let every: usize = c.parse().unwrap();
        for i in (0..path.len()).filter(|i| i % every == 0) {
            let g = path.gamma_at(i);
            print!("{i:6} {:.10}", path.tau[i]);
            for contact in problem.contacts() {
                let t = contact.tangents.start;
                print!(" | {:+.3e} {:+.3e}", g[t], g[t + 1]);
            }
            println!();
        }
    }
    let total = runs.len();
    for (k, (a, b)) in runs.into_iter().enumerate() {
        if k > 40 && k + 20 < total {
            continue;
        }
        show(a);
        show(b);
    }
}

#[test]
#[ignore]
fn converge() {
    let text = std::env::var("CASE").unwrap();
    let w: Vec<u64> = text.split(',').map(|s| s.parse().unwrap()).collect();
    let kind = Kind { redundant: w[0] == 1, coplanar: w[1] == 1, orthotropic: w[2] == 1, fixed: w[3] == 1 };
    let run = |angle: f64, tolerance: f64| {
        let law = delassus::LawSpec::Lzb(delassus::law::Lzb { tolerance, ..Default::default() });
        let o = resolve(&ImpactProblem::new(body(kind, w[4], angle)).unwrap(), &law).unwrap();
        (o.u_plus.clone(), o.answer.stats.iterations)
    };
    let exact = run(0.0, 1e-13);
    for t in [1e-9, 1e-10, 1e-11, 1e-12, 1e-13, 1e-14] {
        for a in [0.0, 0.7, 1.3] {
            let (u, n) = run(a, t);
            print!("{t:e} {a} {:.2e} ({n})   ", distance(&u, &exact.0));
        }
        println!();
    }
}

#[test]
#[ignore]
fn one() {
    let text = std::env::var("CASE").unwrap();
    let w: Vec<u64> = text.split(',').map(|s| s.parse().unwrap()).collect();
    let kind = Kind { redundant: w[0] == 1, coplanar: w[1] == 1, orthotropic: w[2] == 1, fixed: w[3] == 1 };
    let (_, o) = solve(&body(kind, w[4], if w.len() > 5 { 0.7 } else { 0.0 }));
    println!("{:?} {:?} {:?}", o.status(), o.answer.stats, o.answer.warnings);
}
