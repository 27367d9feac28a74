//! What stands must stand.

use super::{apart, position, run, velocity};

#[test]
fn a_block_on_a_slope_does_not_creep_below_the_friction_angle_and_slides_above() {
    for (mu, slides) in [(0.55, false), (0.45, true)] {
        // tan 0.4636 = 0.5.
        let beta = 0.5f64.atan();
        let (s, c) = beta.sin_cos();
        let text = format!(
            "[world]\ndimension = 3\n[[ground]]\nname = 'slope'\nangle = {beta}\n[[body]]\nname = 'block'\n\
             shape.cuboid.size = [0.3, 0.2, 0.1]\nmass = 1.0\nposition = [{}, 0.0, {}]\n\
             orientation = {{ axis = [0, -1, 0], angle = {beta} }}\n[material]\nfriction = {mu}\n\
             [integrator]\nstep = 1e-3\n[until]\ntime = 10.0\nrest = {slides}\n",
            -0.05 * s,
            0.05 * c
        );
        let run = run(&text);
        let start = [-0.05 * s, 0.0, 0.05 * c];
        let moved = apart(&position(&run, 0), &start);
        if slides {
            let speed = (9.81 * (s - mu * c)) * run.time;
            let v = velocity(&run, 0);
            assert!((super::norm(v) - speed).abs() < 1e-6 * speed, "{v:?} {speed}");
        } else {
            assert!(moved < 1e-10, "crept by {moved}");
            assert!(run.stats.residual < 1e-8);
        }
    }
}

#[test]
fn what_begins_to_move_slowly_is_not_at_rest() {
    // Friction that lacks a ten-thousandth of what would hold the disk's box; a block a millionth beyond its balance.
    let beta = 0.5f64.atan();
    let (s, c) = beta.sin_cos();
    let sliding = format!(
        "[[ground]]\nname = 'slope'\nangle = {beta}\n[[body]]\nname = 'block'\nshape.box = {{ width = 0.3, height = 0.1 }}\n\
         mass = 1.0\nposition = [{}, {}]\nangle = {beta}\n[material]\nfriction = {}\n",
        -0.05 * s,
        0.05 * c,
        0.5 * 0.9999
    );
    let tipped = 1.0f64.atan2(4.0) + 1e-4;
    let tipping = format!(
        "[rocking_block]\nwidth = 0.1\nheight = 0.4\nmass = 1.0\nangle = {tipped}\n[material]\nfriction = 1.0\n"
    );
    for text in [sliding, tipping] {
        let end = "[integrator]\nscheme = 'time-stepping'\nstep = 1e-3\n[until]\ntime = 2.0\nrest = true\n";
        let run = run(&format!("{text}{end}"));
        assert_ne!(run.end, delassus::simulate::End::AtRest, "{text} after {} s", run.time);
    }
}

#[test]
fn a_stack_of_ten_cubes_stands_for_a_minute() {
    let run = run(
        "[world]\ndimension = 3\n[[ground]]\nname = 'floor'\n[[array]]\nname = 'cube'\nshape.cuboid.size = [0.1, 0.1, 0.1]\nmass = 1.0\n\
         count = [1, 1, 10]\nspacing = [0.0, 0.0, 0.1]\nposition = [0.0, 0.0, 0.05]\n[material]\nfriction = 0.5\n\
         [integrator]\nstep = 0.01\n[until]\ntime = 60.0\nrest = false\n",
    );
    for (k, cube) in run.last().q.chunks_exact(7).enumerate() {
        let place = [0.0, 0.0, 0.05 + 0.1 * k as f64, 1.0, 0.0, 0.0, 0.0];
        assert!(apart(cube, &place) < 1e-7, "cube {k}: {cube:?}");
    }
    assert!(run.last().energy.kinetic < 1e-12);
}

/// A capsule whose ends reach beyond a cube, or one of them, lies on its edges: it neither rocks from one to the other nor creeps.
#[test]
fn a_capsule_lies_across_a_cube() {
    for place in [0.0, 0.01, 0.07] {
        let run = run(&format!(
            "[world]\ndimension = 3\n[[ground]]\nname = 'floor'\n[[body]]\nname = 'cube'\nshape.cuboid.size = [0.2, 0.2, 0.2]\nmass = 1.0\n\
             position = [0, 0, 0.1]\n[[body]]\nname = 'rod'\nshape.capsule = {{ radius = 0.05, length = 0.3 }}\nmass = 1.0\n\
             position = [0, {place}, 0.25]\norientation = {{ axis = [1, 0, 0], angle = '90deg' }}\n[material]\nfriction = 0.3\n\
             [integrator]\nscheme = 'time-stepping'\nstep = 1e-3\n[until]\ntime = 3.0\nrest = false\n"
        ));
        let moved = apart(&position(&run, 1), &[0.0, place, 0.25]);
        assert!(moved < 1e-9 && run.last().energy.kinetic < 1e-15, "{place}: {moved} {:?}", run.last().energy);
    }
}

#[test]
fn a_pile_never_gains_energy_and_does_not_sink() {
    let run = run(
        "[world]\ndimension = 3\n[[container]]\nname = 'box'\nsize = [0.5, 0.5, 1.0]\n[[array]]\nname = 'ball'\nshape.sphere.radius = 0.05\n\
         density = 1000.0\ncount = [3, 3, 2]\nspacing = [0.12, 0.12, 0.12]\nposition = [-0.12, -0.12, 0.1]\njitter = 0.008\nseed = 5\n\
         [material]\nfriction = 0.4\n[integrator]\nstep = 1e-3\n[until]\ntime = 1.2\n[output]\ninterval = 0.01\n",
    );
    // Every step is accounted for with its residual.
    let told = run.samples.iter().filter_map(|s| s.steps).reduce(|a, b| a.and(b)).unwrap();
    assert_eq!((told.count, told.iterations), (run.stats.steps, run.stats.selections));
    assert!(told.residual == run.stats.residual && told.residual < 1e-6 && told.contacts >= 18, "{told:?}");
    let total: Vec<f64> = run.samples.iter().map(|s| s.energy.total()).collect();
    let scale = total[0];
    // Contacts are solved to 1e-8 of the velocities.
    assert!(total.windows(2).all(|w| w[1] <= w[0] + 1e-8 * scale), "{total:?}");
    assert!(run.closure < 1e-9, "{}", run.closure);
    // Independent distances: centres of balls and walls.
    let last = &run.last().q;
    for (i, a) in last.chunks_exact(7).enumerate() {
        assert!(a[0].abs() < 0.2 + 1e-6 && a[1].abs() < 0.2 + 1e-6 && a[2] > 0.05 - 1e-6, "{a:?}");
        for b in last.chunks_exact(7).skip(i + 1) {
            let distance = ((a[0] - b[0]).powi(2) + (a[1] - b[1]).powi(2) + (a[2] - b[2]).powi(2)).sqrt();
            assert!(distance > 0.1 - 1e-6, "{distance}");
        }
    }
    // What is left rolls on the floor, which nothing stops.
    assert!(run.last().energy.kinetic < 1e-2 * scale, "{} {scale}", run.last().energy.kinetic);
}

#[test]
fn a_stack_of_ten_squares_stands_for_a_minute_by_events() {
    let squares: String = (0..10)
        .map(|k| {
            let height = 0.05 + 0.1 * f64::from(k);
            format!(
                "[[body]]\nname = 's{k}'\nshape.box = {{ width = 0.1, height = 0.1 }}\nmass = 1.0\nposition = [0.0, {height}]\n"
            )
        })
        .collect();
    let run = run(&format!(
        "[[ground]]\nname = 'floor'\n{squares}[material]\nfriction = 0.5\n[until]\ntime = 60.0\nrest = false\n"
    ));
    assert_eq!(run.time, 60.0);
    assert!(run.stats.steps > 0 && run.stats.residual == 0.0, "by events: {:?}", run.stats);
    assert!(apart(&run.start().q, &run.last().q) < 1e-7, "{:?}", run.last().q);
}
