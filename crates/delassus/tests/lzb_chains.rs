//! Chains of balls under the law `lzb`.

mod lzb_support;

use delassus::law::Lzb;
use delassus::{ImpactProblem, LawSpec, resolve};
use lzb_support::{Random, chain, distance, equal_chain, lzb};

#[test]
fn verified_chains() {
    let cases: [(usize, f64, &[f64], f64); 5] = [
        (3, 1.0, &[-0.130261695064521, 0.150229569434774, 0.980032125629747], 1e-10),
        (3, 1.5, &[-0.07095235365, 0.07640303907, 0.99454931458], 1e-10),
        (5, 1.0, &[-0.1322794847, -0.0753291698, -0.0310108290, 0.2962177501, 0.9424017334], 2e-10),
        (5, 1.5, &[-0.0710850171, -0.0302737641, -0.0144636290, 0.1270449861, 0.9887774241], 2e-10),
        (
            10,
            1.5,
            &[
                -0.0710850, -0.0302738, -0.0158334, -0.0088857, -0.0051266, -0.0029860, -0.0017377, 0.0026720,
                0.1473903, 0.9858659,
            ],
            1e-7,
        ),
    ];
    for (balls, exponent, expected, tolerance) in cases {
        let outcome = resolve(&equal_chain(balls, 1.0), &lzb(exponent)).unwrap();
        let error = distance(&outcome.u_plus, expected);
        assert!(error < tolerance, "{balls} balls, η = {exponent}: {:?}", outcome.u_plus);
    }
}

/// Balls on springs kδ^η that push only, followed in time by Runge–Kutta steps of order four until all separate.
/// In expansion δ shrinks by v/e², with a gap it goes on by v. The second number says how often a contact closed again.
fn springs(mass: &[f64], stiffness: &[f64], e: f64, start: &[f64]) -> (Vec<f64>, usize) {
    let (n, m) = (mass.len(), mass.len() - 1);
    let rate = |state: &[f64]| -> Vec<f64> {
        let mut rate = vec![0.0; n + m];
        for i in 0..m {
            let (v, delta) = (state[i + 1] - state[i], state[n + i]);
            let force = if delta > 0.0 { stiffness[i] * delta.powf(1.5) } else { 0.0 };
            rate[i] -= force / mass[i];
            rate[i + 1] += force / mass[i + 1];
            rate[n + i] = if delta > 0.0 && v > 0.0 { -v / (e * e) } else { -v };
        }
        rate
    };
    let mut state = [start, &vec![0.0; m]].concat();
    let (h, mut closed_again) = (1e-3, 0);
    for _ in 0..400_000 {
        let along =
            |slope: &[f64], part: f64| -> Vec<f64> { state.iter().zip(slope).map(|(y, k)| y + part * k).collect() };
        let k1 = rate(&state);
        let k2 = rate(&along(&k1, 0.5 * h));
        let k3 = rate(&along(&k2, 0.5 * h));
        let k4 = rate(&along(&k3, h));
        let next: Vec<f64> =
            (0..n + m).map(|i| state[i] + h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i])).collect();
        closed_again += (n..n + m).filter(|&i| state[i] < 0.0 && next[i] >= 0.0).count();
        state = next;
        if (0..m).all(|i| state[n + i] <= 0.0 && state[i + 1] >= state[i]) {
            return (state[..n].to_vec(), closed_again);
        }
    }
    panic!("no end: {mass:?} {stiffness:?} {e}");
}

/// With gaps kept the law is what elastic bodies do in time; where contacts close again that is another answer than
/// with gaps forgotten.
#[test]
fn remembered_gaps_are_followed_in_time() {
    let mut random = Random(17);
    let keep = LawSpec::Lzb(Lzb { keep_gaps: true, ..Lzb::default() });
    let (mut closed_again, mut differ) = (0, 0);
    for case in 0..60 {
        let balls = 3 + case % 4;
        let mass: Vec<f64> = (0..balls).map(|_| 10f64.powf(random.within(-1.0, 1.0))).collect();
        let stiffness: Vec<f64> = (1..balls).map(|_| 10f64.powf(random.within(-0.5, 0.5))).collect();
        let e = if case % 8 < 4 { 1.0 } else { random.within(0.7, 1.0) };
        let mut velocity = vec![0.0; balls];
        velocity[0] = 1.0;
        let mut data = chain(&mass, &velocity, e);
        data.contacts.iter_mut().zip(&stiffness).for_each(|(contact, k)| contact.stiffness = *k);
        let problem = ImpactProblem::new(data).unwrap();
        let (expected, again) = springs(&mass, &stiffness, e, &velocity);
        let kept = resolve(&problem, &keep).unwrap();
        assert!(distance(&kept.u_plus, &expected) < 1e-5, "case {case}: {:?} is not {expected:?}", kept.u_plus);
        closed_again += usize::from(again > 0);
        differ += usize::from(distance(&resolve(&problem, &lzb(1.5)).unwrap().u_plus, &expected) > 1e-3);
    }
    assert!(closed_again > 15 && differ > 10, "{closed_again} closed again, {differ} differ");
}
