//! Bodies that rest sleep, and what disturbs them wakes them.

use super::{Trajectory, apart, go, scenario};

/// Two stacks of cubes; a ball falls on the first after a while, or is not there.
fn heap(ball: bool, more: &str, time: f64) -> String {
    let cubes: String = (0..6)
        .map(|k| {
            let (x, z) = (0.5 * f64::from(k / 3), 0.05 + 0.1 * f64::from(k % 3));
            format!(
                "[[body]]\nname = 'c{k}'\nshape.cuboid.size = [0.1, 0.1, 0.1]\nmass = 1.0\nposition = [{x}, 0.0, {z}]\n"
            )
        })
        .collect();
    let ball = if ball {
        "[[body]]\nname = 'ball'\nshape.sphere.radius = 0.05\nmass = 2.0\nposition = [-1.8, 0.01, 3.0]\nvelocity = [2.5, 0.0, 0.0]\n"
    } else {
        ""
    };
    format!(
        "[world]\ndimension = 3\n[[ground]]\nname = 'floor'\n{cubes}{ball}{more}[material]\nfriction = 0.5\n\
         [integrator]\nscheme = 'time-stepping'\nstep = 1e-3\n[until]\ntime = {time}\nrest = false\n[output]\ninterval = 0.01\n"
    )
}

fn both(text: &str) -> [Trajectory; 2] {
    [text.to_owned(), text.replace("step = 1e-3", "step = 1e-3\nsleep = true")].map(|text| go(&scenario(&text)))
}

fn told(run: &Trajectory) -> Option<&str> {
    run.log.iter().map(|remark| remark.text.as_str()).find(|text| text.contains("slept"))
}

#[test]
fn a_heap_asleep_that_is_struck_moves_as_one_awake() {
    let [awake, slept] = both(&heap(true, "", 1.2));
    assert_eq!((awake.stats.slept, told(&awake)), (0, None));
    // The stack that is struck slept until then, the other until the end.
    let asleep = slept.stats.slept;
    assert!(asleep > 3 * 600 && asleep < 6 * 1200, "{asleep}");
    let text = told(&slept).unwrap();
    assert!(text.contains("at most 6 of 7") && !text.contains("woken 0 times"), "{text}");
    // The ball has thrown cubes down: that is a motion of half a metre and more.
    let moved = apart(&slept.samples[0].q[..42], &slept.last().q[..42]);
    assert!(moved > 0.1, "{moved}");
    // Contacts are solved to 1e-8 of the velocities, and heaps that fall magnify that.
    let off = apart(&awake.last().q, &slept.last().q);
    assert!(off < 1e-5, "{off:e}");
    for run in [&awake, &slept] {
        assert!(run.closure < 1e-6, "{:e}", run.closure);
    }
    assert!((awake.closure - slept.closure).abs() < 1e-8);
    let other = |run: &Trajectory| run.last().q[21..42].to_vec();
    assert!(apart(&other(&awake), &other(&slept)) < 1e-9);
}

#[test]
fn forces_and_supports_that_begin_to_move_wake() {
    // A force on the lowest cube of the second stack from 0.6 s on; a floor that is shaken from 0.6 s on.
    let pushed = heap(false, "[[force]]\nbody = 'c3'\nforce = ['40 * step(t - 0.6)', 0, 0]\n", 1.0);
    let shaken = heap(false, "", 1.0).replace(
        "name = 'floor'\n",
        "name = 'floor'\nmotion.pulse = { shape = 'one-sine', direction = [1, 0, 0], start = 0.6, period = 0.2, acceleration = 3.0 }\n",
    );
    for text in [pushed, shaken] {
        let [awake, slept] = both(&text);
        assert!(slept.stats.slept > 3 * 300, "{:?}", slept.log);
        assert!(told(&slept).is_some_and(|text| !text.contains("woken 0 times")), "{:?}", slept.log);
        let (moved, off) = (apart(&slept.samples[0].q, &slept.last().q), apart(&awake.last().q, &slept.last().q));
        assert!(moved > 1e-3 && off < 1e-6 && slept.closure < 1e-6, "{moved} {off:e} {:e}", slept.closure);
    }
}
