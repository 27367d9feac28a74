//! Motions with a known answer.

use super::{norm, position, run, spin, velocity};

const G: f64 = 9.81;

fn rolling(
    shape: &str,
    extra: &str,
    height: f64,
    velocity: f64,
    spin: f64,
    friction: f64,
    time: f64,
) -> super::Trajectory {
    run(&format!(
        "[world]\ndimension = 3\n[[ground]]\nname = 'floor'\n[[body]]\nname = 'body'\nshape.{shape}\n{extra}\nmass = 2.0\n\
         position = [0.0, 0.0, {height}]\nvelocity = [{velocity}, 0.0, 0.0]\nspin = [0.0, {spin}, 0.0]\n\
         [material]\nfriction = {friction}\n[integrator]\nstep = 1e-3\n[until]\ntime = {time}\nrest = false\n"
    ))
}

#[test]
fn a_sphere_slides_then_rolls_with_five_sevenths() {
    let (r, v0, mu) = (0.1, 2.0, 0.2);
    let stop = 2.0 * v0 / (7.0 * mu * G);
    let ball = format!("sphere.radius = {r}");
    for (time, spin0) in [(0.5 * stop, 0.0), (1.5 * stop, 0.0), (1.5 * stop, -8.0)] {
        let run = rolling(&ball, "", r, v0, spin0, mu, time);
        let ([vx, vy, vz], [wx, wy, wz]) = (velocity(&run, 0), spin(&run, 0));
        let rolls = (5.0 * v0 + 2.0 * r * spin0) / 7.0;
        if time < stop {
            assert!((vx - (v0 - mu * G * time)).abs() < 1e-12, "{vx}");
            assert!((wy - 2.5 * mu * G * time / r).abs() < 1e-10, "{wy}");
        } else {
            assert!((vx - rolls).abs() < 1e-12 && (wy * r - rolls).abs() < 1e-12, "{vx} {wy} {rolls}");
        }
        assert!(vy.abs().max(vz.abs()).max(wx.abs()).max(wz.abs()) < 1e-13);
        assert!((position(&run, 0)[2] - r).abs() < 1e-12);
        assert!(run.closure < 1e-12 && run.last().energy.friction < 0.0, "{}", run.closure);
        // It slides all the way to within a step of the time that is known.
        let slid = run.log.iter().all(|remark| remark.text.is_empty());
        assert!(slid, "{:?}", run.log);
    }
    let before = rolling(&ball, "", r, v0, 0.0, mu, stop - 2e-3);
    let after = rolling(&ball, "", r, v0, 0.0, mu, stop + 2e-3);
    let slip = |run: &super::Trajectory| velocity(run, 0)[0] - r * spin(run, 0)[1];
    assert!(slip(&before) > 1e-3 && slip(&after).abs() < 1e-12);
}

#[test]
fn hollow_spheres_and_cylinders_roll_by_their_inertia() {
    let (r, v0, mu) = (0.2, 1.0, 0.4);
    // v = v₀/(1 + I/(mr²)), from t = v₀/(μg(1 + mr²/I)) on.
    for (shape, extra, ratio) in [
        ("sphere.radius = 0.2", "inertia = [0.05333333333333333, 0.05333333333333333, 0.05333333333333333]", 2.0 / 3.0),
        (
            "cylinder = { radius = 0.2, height = 0.3 }",
            "orientation = { axis = [1, 0, 0], angle = 1.5707963267948966 }",
            0.5,
        ),
        (
            "cylinder = { radius = 0.2, height = 0.01 }",
            "orientation = { axis = [1, 0, 0], angle = 1.5707963267948966 }",
            0.5,
        ),
    ] {
        let stop = v0 / (mu * G * (1.0 + 1.0 / ratio));
        let run = rolling(shape, extra, r, v0, 0.0, mu, 1.2 * stop);
        let (vx, wy) = (velocity(&run, 0)[0], spin(&run, 0)[1]);
        let rolls = v0 / (1.0 + ratio);
        assert!((vx - rolls).abs() < 1e-9 && (wy * r - rolls).abs() < 1e-9, "{shape}: {vx} {wy} {rolls}");
    }
}

#[test]
fn a_box_pushed_across_a_slope_turns_towards_the_line_of_fall() {
    // Sliding friction is against the velocity: v̇ = g sin β e − μ g cos β v/|v|, here by a fine second method.
    let (beta, mu, time): (f64, f64, f64) = (0.3, 0.25, 0.6);
    let exact = {
        let (mut v, steps) = ([0.0, 1.5], 60_000);
        let h = time / f64::from(steps);
        let rate = |v: [f64; 2]| {
            let size = v[0].hypot(v[1]);
            [-G * beta.sin() - mu * G * beta.cos() * v[0] / size, -mu * G * beta.cos() * v[1] / size]
        };
        for _ in 0..steps {
            let a = rate(v);
            let b = rate([v[0] + 0.5 * h * a[0], v[1] + 0.5 * h * a[1]]);
            v = [v[0] + h * b[0], v[1] + h * b[1]];
        }
        v
    };
    let error = |step: f64| {
        let (s, c) = beta.sin_cos();
        // A flat box, so that it does not tip; x' rises along the slope.
        let half = 0.01;
        let run = run(&format!(
            "[world]\ndimension = 3\n[[ground]]\nname = 'slope'\nangle = {beta}\n[[body]]\nname = 'box'\n\
             shape.cuboid.size = [0.2, 0.2, {}]\nmass = 1.0\nposition = [{}, 0.0, {}]\n\
             orientation = {{ axis = [0, -1, 0], angle = {beta} }}\nvelocity = [0.0, 1.5, 0.0]\n\
             [material]\nfriction = {mu}\n[integrator]\nstep = {step}\n[until]\ntime = {time}\n",
            2.0 * half,
            -half * s,
            half * c
        ));
        let v = velocity(&run, 0);
        let along = v[0] * c + v[2] * s;
        assert!((v[2] * c - v[0] * s).abs() < 1e-9 && run.closure < 1e-6, "{v:?} {}", run.closure);
        (along - exact[0]).hypot(v[1] - exact[1])
    };
    let (coarse, fine) = (error(4e-3), error(1e-3));
    assert!(fine < 2e-2 && fine < 0.35 * coarse, "{coarse} {fine}");
}

#[test]
fn a_cube_dropped_flat_rebounds_without_spin() {
    for restitution in [0.0, 0.5, 1.0] {
        let run = run(&format!(
            "[world]\ndimension = 3\n[[ground]]\nname = 'floor'\n[[body]]\nname = 'cube'\nshape.cuboid.size = [0.1, 0.1, 0.1]\n\
             mass = 1.0\nposition = [0.0, 0.0, 0.1]\nvelocity = [0.0, 0.0, -2.0]\n[material]\nfriction = 0.5\n\
             restitution = {restitution}\n[integrator]\nstep = 1e-3\n[until]\nimpacts = 1\n"
        ));
        assert_eq!(run.impacts.len(), 1);
        let impact = &run.impacts[0];
        assert!((impact.u_plus[2] + restitution * impact.u_minus[2]).abs() < 1e-11, "{:?}", impact.u_plus);
        assert!(norm(spin(&run, 0)) < 1e-10 && norm([velocity(&run, 0)[0], velocity(&run, 0)[1], 0.0]) < 1e-11);
        // Four corners share the impulse alike, and the certificate says that Newton's law holds.
        assert_eq!(impact.contacts.len(), 4);
        assert!(impact.outcome.certificate.satisfies_law(), "{:?}", impact.outcome.certificate);
        assert_eq!(run.contact_names, ["cube.1-floor", "cube.2-floor", "cube.3-floor", "cube.4-floor"]);
    }
}

#[test]
fn an_elastic_ball_keeps_its_energy_and_its_height() {
    let run = run(
        "[world]\ndimension = 3\n[[ground]]\nname = 'floor'\n[[body]]\nname = 'ball'\nshape.sphere.radius = 0.1\ndensity = 1000.0\n\
         position = [0.0, 0.0, 1.1]\n[material]\nrestitution = 1.0\n[integrator]\nstep = 1e-3\n[until]\ntime = 20.0\n\
         [output]\ninterval = 0.01\n",
    );
    let energy = |s: &delassus::simulate::Sample| s.energy.total();
    let start = energy(run.start());
    assert!(run.samples.iter().all(|s| (energy(s) - start).abs() < 1e-12 * start));
    let high = run.samples.iter().filter(|s| s.time > 15.0).map(|s| s.q[2]).fold(0.0, f64::max);
    assert!((high - 1.1).abs() < 5e-3, "{high}");
    assert_eq!(run.impacts.len(), 22);
    let mass = 1000.0 * 4.0 / 3.0 * std::f64::consts::PI * 1e-3;
    assert!((start - mass * G * 1.1).abs() < 1e-9);
}

#[test]
fn five_balls_in_a_row_keep_momentum_and_energy() {
    // Newton's law with e = 1 for all contacts at once: no energy is lost or made (physics: moreau, e = 1).
    let ball = |i: usize, x: f64, v: f64| {
        format!(
            "[[body]]\nname = 'b{i}'\nshape.sphere.radius = 0.5\nmass = 1.0\nposition = [{x}, 0.0, 0.0]\n\
             velocity = [{v}, 0.0, 0.0]\n"
        )
    };
    let balls: String =
        (0..5).map(|i| ball(i, i as f64 - if i == 0 { 0.2003 } else { 0.0 }, if i == 0 { 1.0 } else { 0.0 })).collect();
    let run = run(&format!(
        "[world]\ndimension = 3\ngravity = 0\n{balls}[material]\nrestitution = 1.0\nfriction = 0.3\n\
         [integrator]\nstep = 1e-3\n[until]\ntime = 0.5\n"
    ));
    let u: Vec<f64> = (0..5).map(|i| velocity(&run, i)[0]).collect();
    assert!((u.iter().sum::<f64>() - 1.0).abs() < 1e-10, "{u:?}");
    assert!((u.iter().map(|v| v * v).sum::<f64>() - 1.0).abs() < 1e-7, "{u:?}");
    // The projection 2P − 1 on the velocities of all balls together: (2/5 − 1, 2/5, …).
    assert!(u.iter().enumerate().all(|(i, v)| (v - if i == 0 { -0.6 } else { 0.4 }).abs() < 1e-7), "{u:?}");
}

/// The rim of a coin that rolls approaches the table in every step because the coin turns, by more than its weight brings: no
/// impact, and nothing that bounces, is that.
#[test]
fn a_coin_that_rolls_strikes_nothing() {
    let run = run(
        "[world]\ndimension = 3\n[coin]\nradius = 0.04\nthickness = 0.004\nmass = 0.4\ntilt = 0.5\nprecession = 25.0\n\
         [material]\nfriction = 1.0\nrestitution = 0.5\n[integrator]\nscheme = 'time-stepping'\nstep = 1e-4\n[until]\ntime = 0.2\n",
    );
    assert_eq!(run.impact_count(), 0, "{:?}", run.impacts.iter().map(|impact| impact.time).take(5).collect::<Vec<_>>());
    let gap = |q: &[f64]| {
        // The lowest point of the rim, from the axis of the coin in the world.
        let axis = 1.0 - 2.0 * (q[4] * q[4] + q[5] * q[5]);
        q[2] - 0.04 * (1.0 - axis * axis).sqrt() - 0.002 * axis.abs()
    };
    let open = run.samples.iter().map(|sample| gap(&sample.q)).fold(0.0, f64::max);
    assert!(open < 1e-5, "{open}");
}
