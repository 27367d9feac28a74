//! Motions with a known answer.

use super::{G, body, events, under};
use crate::{norm, position, spin, velocity};

/// Times of events of a kind.
fn times(run: &crate::Trajectory, kind: &str) -> Vec<f64> {
    run.events.iter().filter(|e| e.kind.as_str() == kind).map(|e| e.time).collect()
}

#[test]
fn a_sphere_slides_then_rolls() {
    let (r, mu): (f64, f64) = (0.1, 0.2);
    // Along x with and without backspin; and across its spin: v and ω in any directions.
    for (v, w) in [([2.0, 0.0], [0.0, 0.0, 0.0]), ([2.0, 0.0], [0.0, -8.0, 0.0]), ([1.0, 0.4], [7.0, -3.0, 5.0])] {
        let start = format!("position = [0.0, 0.0, {r}]\nvelocity = [{}, {}, 0.0]\nspin = {w:?}", v[0], v[1]);
        let run = events(&body(&format!("sphere.radius = {r}"), &start, &format!("friction = {mu}"), "time = 1.0"));
        // Velocity of the lowest point; friction takes it away along a straight line, 7/2 μ g a second.
        let slip: [f64; 2] = [v[0] - r * w[1], v[1] + r * w[0]];
        let speed = slip[0].hypot(slip[1]);
        let stop = speed / (3.5 * mu * G);
        let stick = times(&run, "stick");
        assert!(stick.len() == 1 && (stick[0] - stop).abs() < 1e-11, "{stick:?} {stop}");
        for k in 0..2 {
            let rolls = v[k] - 2.0 / 7.0 * slip[k];
            assert!((velocity(&run, 0)[k] - rolls).abs() < 1e-10, "{:?} {rolls}", velocity(&run, 0));
            // A parabola, then a straight line.
            let x = stop * (v[k] + rolls) / 2.0 + rolls * (1.0 - stop);
            assert!((position(&run, 0)[k] - x).abs() < 1e-9, "{:?} {x}", position(&run, 0));
        }
        assert!((spin(&run, 0)[2] - w[2]).abs() < 1e-12 && (position(&run, 0)[2] - r).abs() < 1e-14);
        let lost = -run.last().energy.friction;
        assert!((lost - 0.5 * 2.0 * speed * speed * 2.0 / 7.0).abs() < 1e-9, "{lost}");
    }
}

#[test]
fn a_ball_bounces_to_rest_in_finite_time() {
    let (e, height) = (0.5, 1.0f64);
    let start = format!("position = [0.0, 0.0, {}]", 0.1 + height);
    let run = events(&body("sphere.radius = 0.1", &start, "restitution = 0.5", "time = 5.0"));
    let fall = (2.0 * height / G).sqrt();
    for (k, impact) in run.impacts.iter().enumerate().take(10) {
        let time = fall * (1.0 + 2.0 * (1..=k).map(|i| f64::powi(e, i as i32)).sum::<f64>());
        assert!((impact.time - time).abs() < 1e-11, "{k}: {} {time}", impact.time);
    }
    assert_eq!(run.end.as_str(), "at-rest");
    // 1e-5 of √(gℓ) ends it.
    assert!((run.time - fall * (1.0 + e) / (1.0 - e)).abs() < 1e-5, "{}", run.time);
}

#[test]
fn a_cube_dropped_flat_rebounds_without_spin() {
    for law in ["newton", "poisson", "moreau", "lzb"] {
        let start = "position = [0.0, 0.0, 0.1]\nvelocity = [0.0, 0.0, -2.0]";
        let material = "friction = 0.5\nrestitution = 0.6";
        let run = under(law, &body("cuboid.size = [0.1, 0.1, 0.1]", start, material, "impacts = 1"));
        let impact = &run.impacts[0];
        assert!((impact.u_plus[2] + 0.6 * impact.u_minus[2]).abs() < 1e-9, "{law}: {:?}", impact.u_plus);
        assert!(norm(spin(&run, 0)) < 1e-9 && norm([velocity(&run, 0)[0], velocity(&run, 0)[1], 0.0]) < 1e-9, "{law}");
        assert_eq!(impact.contacts.len(), 4);
    }
}

/// One contact after the other spins a cube that is dropped flat; which way hangs on the order of corners that tie, and
/// that is told. Under a law with one answer nothing is.
#[test]
fn an_answer_that_hangs_on_the_order_of_contacts_is_told() {
    let start = "position = [0.0, 0.0, 0.1]\nvelocity = [0.0, 0.0, -2.0]";
    let scene = body("cuboid.size = [0.1, 0.1, 0.1]", start, "friction = 0.5\nrestitution = 0.6", "impacts = 1");
    for (law, told) in [("sequential", 1), ("newton", 0)] {
        let run = under(law, &scene);
        let remarks = run.log.iter().filter(|remark| remark.of_one_impact && remark.text.contains("several answers"));
        assert_eq!(remarks.count(), told, "{law}: {:?}", run.log);
    }
}

#[test]
fn cylinders_and_hollow_spheres_roll_by_their_inertia() {
    let (v0, mu) = (1.0, 0.4);
    let lying = "orientation = { axis = [1, 0, 0], angle = 1.5707963267948966 }";
    for (shape, extra, ratio) in [
        ("sphere.radius = 0.2", "inertia = [0.05333333333333333, 0.05333333333333333, 0.05333333333333333]", 2.0 / 3.0),
        ("cylinder = { radius = 0.2, height = 0.3 }", lying, 0.5),
        ("cylinder = { radius = 0.2, height = 0.01 }", lying, 0.5),
    ] {
        let start = format!("position = [0.0, 0.0, 0.2]\nvelocity = [{v0}, 0.0, 0.0]\n{extra}");
        let run = events(&body(shape, &start, &format!("friction = {mu}"), "time = 1.0"));
        let (stop, rolls) = (v0 / (mu * G * (1.0 + 1.0 / ratio)), v0 / (1.0 + ratio));
        let stick = times(&run, "stick");
        assert!(!stick.is_empty() && stick.iter().all(|t| (t - stop).abs() < 1e-9), "{shape}: {stick:?} {stop}");
        let (vx, wy) = (velocity(&run, 0)[0], spin(&run, 0)[1]);
        assert!((vx - rolls).abs() < 1e-9 && (wy * 0.2 - rolls).abs() < 1e-9, "{shape}: {vx} {wy} {rolls}");
    }
}

#[test]
fn a_box_pushed_across_a_slope_turns_towards_the_line_of_fall() {
    // Sliding friction is against the velocity: v̇ = g sin β e − μ g cos β v/|v|, here by a second method.
    let (beta, time): (f64, f64) = (0.3, 0.6);
    for mu in [0.25, 0.6] {
        let rate = |v: [f64; 2]| {
            let size = v[0].hypot(v[1]);
            [-G * beta.sin() - mu * G * beta.cos() * v[0] / size, -mu * G * beta.cos() * v[1] / size]
        };
        let (mut v, steps) = ([0.0, 1.5], 20_000);
        let h = time / f64::from(steps);
        let mut stopped = None;
        for k in 0..steps {
            let add = |v: [f64; 2], s: f64, a: [f64; 2]| [v[0] + s * a[0], v[1] + s * a[1]];
            let a = rate(v);
            let b = rate(add(v, 0.5 * h, a));
            let c = rate(add(v, 0.5 * h, b));
            let d = rate(add(v, h, c));
            let next = [0, 1].map(|i| v[i] + h / 6.0 * (a[i] + 2.0 * b[i] + 2.0 * c[i] + d[i]));
            if v[0].hypot(v[1]) < 1e-3 {
                stopped = Some(f64::from(k) * h);
                break;
            }
            v = next;
        }
        let ((s, c), half) = (beta.sin_cos(), 0.01);
        let run = events(&format!(
            "[world]\ndimension = 3\n[[ground]]\nname = 'slope'\nangle = {beta}\n[[body]]\nname = 'box'\n\
             shape.cuboid.size = [0.2, 0.2, {}]\nmass = 1.0\nposition = [{}, 0.0, {}]\n\
             orientation = {{ axis = [0, 1, 0], angle = {} }}\nvelocity = [0.0, 1.5, 0.0]\n\
             [material]\nfriction = {mu}\n[until]\ntime = {time}\nrest = false\n",
            2.0 * half,
            -half * s,
            half * c,
            -beta
        ));
        let [x, y, z] = velocity(&run, 0);
        match stopped {
            None => assert!((x * c + z * s - v[0]).abs() < 1e-8 && (y - v[1]).abs() < 1e-8, "{x} {y} {z} {v:?}"),
            Some(time) => {
                let stick = times(&run, "stick");
                assert!(stick.len() == 4 && (stick[0] - time).abs() < 2e-3, "{stick:?} {time}");
                assert!(norm([x, y, z]) < 1e-12 && mu > beta.tan());
            }
        }
    }
}
