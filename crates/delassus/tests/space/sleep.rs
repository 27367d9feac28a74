//! Bodies that rest sleep, and what disturbs them wakes them.

use super::{Trajectory, apart, go, scenario};

const FLOOR: &str = "[world]\ndimension = 3\n[[ground]]\nname = 'floor'\n";

fn rest(time: f64) -> String {
    format!(
        "[material]\nfriction = 0.5\n[integrator]\nscheme = 'time-stepping'\nstep = 1e-3\n\
         [until]\ntime = {time}\nrest = false\n[output]\ninterval = 0.01\n"
    )
}

/// Two heaps of four balls of the radius r, two metres apart, and one that flies at the first. Their forces are
/// determined, unlike those of faces on each other, of which the sharing depends on where an iteration begins.
fn heaps() -> String {
    let r = 0.05;
    let mut balls = Vec::new();
    for y in [0.0, 2.0] {
        for k in 0..3 {
            let (s, c) = (std::f64::consts::TAU * f64::from(k) / 3.0).sin_cos();
            let aside = 2.0 * r / 3f64.sqrt();
            balls.push(([aside * c, y + aside * s, r], [0.0; 3]));
        }
        balls.push(([0.0, y, r + 2.0 * r * (2f64 / 3.0).sqrt()], [0.0; 3]));
    }
    balls.push(([-1.3, 0.01, 1.9], [2.0, 0.0, 0.0]));
    let body = |(k, (place, velocity)): (usize, &([f64; 3], [f64; 3]))| {
        format!(
            "[[body]]\nname = 'b{k}'\nshape.sphere.radius = {r}\nmass = 1.0\nposition = {place:?}\nvelocity = {velocity:?}\n"
        )
    };
    format!("{FLOOR}{}{}", balls.iter().enumerate().map(body).collect::<String>(), rest(1.2))
}

/// Two stacks of three cubes.
fn stacks() -> String {
    let cube = |k: u8| {
        let (y, z) = (0.5 * f64::from(k / 3), 0.05 + 0.1 * f64::from(k % 3));
        format!(
            "[[body]]\nname = 'c{k}'\nshape.cuboid.size = [0.1, 0.1, 0.1]\nmass = 1.0\nposition = [0.0, {y}, {z}]\n"
        )
    };
    format!("{FLOOR}{}{}", (0..6).map(cube).collect::<String>(), rest(1.0))
}

fn both(text: &str) -> [Trajectory; 2] {
    [text.to_owned(), text.replace("step = 1e-3", "step = 1e-3\nsleep = true")].map(|text| go(&scenario(&text)))
}

fn told(run: &Trajectory) -> Option<&str> {
    run.log.iter().map(|remark| remark.text.as_str()).find(|text| text.contains("slept"))
}

#[test]
fn a_heap_asleep_that_is_struck_moves_as_one_awake() {
    let [awake, slept] = both(&heaps());
    assert_eq!((awake.stats.slept, told(&awake)), (0, None));
    // The heap that is struck slept until then, the other until the end.
    let asleep = slept.stats.slept;
    assert!(asleep > 4 * 1000 + 4 * 400 && asleep < 8 * 1100, "{asleep}");
    let text = told(&slept).unwrap();
    assert!(text.contains("at most 8 of 9") && text.contains("woken 1 times"), "{text}");
    let moved = apart(&slept.samples[0].q[..28], &slept.last().q[..28]);
    assert!(moved > 0.5, "{moved}");
    // Contacts are solved to 1e-8 of the velocities.
    let off = apart(&awake.last().q, &slept.last().q);
    assert!(off < 1e-6, "{off:e}");
    let other = |run: &Trajectory| run.last().q[28..56].to_vec();
    assert!(apart(&other(&awake), &other(&slept)) < 1e-10);
    assert!(awake.closure < 1e-10 && slept.closure < 1e-10, "{:e} {:e}", awake.closure, slept.closure);
}

#[test]
fn forces_and_supports_that_begin_to_move_wake() {
    // A force on the ball on top of the second heap from 0.6 s on (cubes that are pushed over share forces in more than one way);
    // a floor that is shaken from 0.6 s on.
    let pushed = format!("{}[[force]]\nbody = 'b7'\nforce = ['4 * step(t - 0.6)', 0, 0]\n", heaps());
    let shaken = stacks().replace(
        "name = 'floor'\n",
        "name = 'floor'\nmotion.pulse = { shape = 'one-sine', direction = [1, 0, 0], start = 0.6, period = 0.2, acceleration = 3.0 }\n",
    );
    for (text, most) in [(pushed, 3), (shaken, 6)] {
        let [awake, slept] = both(&text);
        assert!(slept.stats.slept > most * 300, "{:?}", slept.log);
        assert!(told(&slept).is_some_and(|text| !text.contains("woken 0 times")), "{:?}", slept.log);
        let (moved, off) = (apart(&slept.samples[0].q, &slept.last().q), apart(&awake.last().q, &slept.last().q));
        assert!(moved > 1e-3 && off < 1e-5, "{moved} {off:e}");
        // Cubes that tumble leave the account open by as much awake.
        assert!(slept.closure < 1.1 * awake.closure + 1e-9, "{:e} {:e}", awake.closure, slept.closure);
    }
}
