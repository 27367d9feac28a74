//! Bodies without symmetry that are struck while they turn: what contacts work is what the energy changes by, and angular momentum
//! stays, both to round-off at any step.

use super::run;
use delassus::simulate::Trajectory;

/// How far the account of energy is off after any step, and how much the energy grew over any steps, in units of the largest
/// kinetic energy.
pub fn faults(run: &Trajectory) -> [f64; 2] {
    let scale = run.samples.iter().map(|s| s.energy.kinetic).fold(0.0, f64::max);
    let account = |k: usize| run.samples[k].energy.total() - run.samples[k].energy.work();
    let (mut off, mut grown, mut least) = (0.0f64, 0.0f64, f64::INFINITY);
    for (k, sample) in run.samples.iter().enumerate() {
        off = off.max((account(k) - account(0)).abs());
        least = least.min(sample.energy.total());
        grown = grown.max(sample.energy.total() - least);
    }
    [off / scale, grown / scale]
}

const SIZES: [[f64; 3]; 2] = [[0.1, 0.06, 0.03], [0.05, 0.12, 0.08]];

fn brick(k: usize, place: [f64; 3], velocity: [f64; 3], spin: [f64; 3]) -> String {
    format!(
        "[[body]]\nname = 'b{k}'\nshape.cuboid.size = {:?}\nmass = {:?}\nposition = {place:?}\n\
         orientation = [0.8, 0.1, -0.5, 0.3]\nvelocity = {velocity:?}\nspin = {spin:?}\n",
        SIZES[k],
        1.0 + 0.7 * k as f64
    )
}

#[test]
fn a_brick_that_tumbles_over_a_floor_never_gains_energy() {
    for step in ["2e-3", "5e-4"] {
        for restitution in [0.0, 0.6] {
            let run = run(&format!(
                "[world]\ndimension = 3\n[[ground]]\nname = 'floor'\n{}[material]\nfriction = 0.4\n\
                 restitution = {restitution:?}\n[integrator]\nscheme = 'time-stepping'\nstep = {step}\n[until]\ntime = 0.8\n\
                 [output]\ninterval = {step}",
                brick(0, [0.0, 0.0, 0.2], [0.8, 0.3, -1.0], [9.0, -17.0, 5.0])
            ));
            assert!(run.stats.steps > 100 && run.impacts.len() > 3);
            let [off, grown] = faults(&run);
            assert!(off < 1e-13 && grown < 1e-7, "e = {restitution}, h = {step}: off by {off:e}, grown by {grown:e}");
        }
    }
}

/// The angular momentum about the origin.
fn angular_momentum(q: &[f64], u: &[f64]) -> [f64; 3] {
    let cross =
        |a: [f64; 3], b: [f64; 3]| [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
    let mut sum = [0.0; 3];
    for (k, (q, u)) in q.chunks_exact(7).zip(u.chunks_exact(6)).enumerate() {
        let mass = 1.0 + 0.7 * k as f64;
        let square = SIZES[k].map(|s| s * s);
        let inertia: [f64; 3] = std::array::from_fn(|i| mass * (square.iter().sum::<f64>() - square[i]) / 12.0);
        // v + 2w(p × v) + 2p × (p × v), and with −p to the frame of the body.
        let turn = |p: [f64; 3], v: [f64; 3]| -> [f64; 3] {
            let (t, w) = (cross(p, v).map(|x| 2.0 * x), q[3]);
            let more = cross(p, t);
            std::array::from_fn(|i| v[i] + w * t[i] + more[i])
        };
        let p = [q[4], q[5], q[6]];
        let local = turn(p.map(|x| -x), [u[3], u[4], u[5]]);
        let spin = turn(p, std::array::from_fn(|i| inertia[i] * local[i]));
        let orbit = cross([q[0], q[1], q[2]], [u[0], u[1], u[2]]);
        sum = std::array::from_fn(|i| sum[i] + spin[i] + mass * orbit[i]);
    }
    sum
}

#[test]
fn bricks_that_collide_while_they_turn_keep_their_angular_momentum() {
    let run = run(&format!(
        "[world]\ndimension = 3\ngravity = [0, 0, 0]\n{}{}[material]\nfriction = 0.3\nrestitution = 0.5\n\
         [integrator]\nscheme = 'time-stepping'\nstep = 2e-3\n[until]\ntime = 0.4\n[output]\ninterval = 2e-3",
        brick(0, [0.0, 0.0, 0.0], [0.1, 0.0, 0.9], [12.0, -9.0, 4.0]),
        brick(1, [0.02, 0.01, 0.25], [0.0, 0.1, -0.7], [-5.0, 3.0, 14.0])
    ));
    assert!(!run.impacts.is_empty(), "{:?}", run.stats);
    let first = angular_momentum(&run.samples[0].q, &run.samples[0].u);
    for sample in &run.samples {
        let now = angular_momentum(&sample.q, &sample.u);
        for (a, b) in first.iter().zip(now) {
            assert!((a - b).abs() < 1e-13, "t = {}: {now:?} instead of {first:?}", sample.time);
        }
    }
    assert!(faults(&run)[0] < 1e-13 && faults(&run)[1] < 1e-10, "{:?}", faults(&run));
}
