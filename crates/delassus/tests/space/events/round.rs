//! Balls on bodies with flat faces, by events: on faces, edges and corners.

use super::random::Random;
use super::{G, events, under};
use crate::{apart, norm, position, scenario, spin, velocity};
use delassus::LawSpec;
use delassus::simulate::{Control, Scheme, simulate};

/// A ball strikes a free cube along the line between their centres, at a face, an edge or a corner: as two balls would.
#[test]
fn central_impacts_are_those_of_two_masses() {
    let (m, big, e) = (1.5, 4.0, 0.6);
    for toward in [[1.0, 0.0, 0.0], [0.0, -1.0, 1.0], [1.0, 1.0, -1.0]] {
        let length = norm(toward);
        let way = toward.map(|v: f64| v / length);
        // The cube's half size is 0.2: its surface along the way.
        let surface = 0.2 * length;
        let start = way.map(|v| v * (surface + 0.1 + 0.3));
        let text = format!(
            "[world]\ndimension = 3\ngravity = 0\n[[body]]\nname = 'cube'\nshape.cuboid.size = [0.4, 0.4, 0.4]\nmass = {big}\n\
             [[body]]\nname = 'ball'\nshape.sphere.radius = 0.1\nmass = {m}\nposition = {start:?}\nvelocity = {:?}\n\
             [material]\nfriction = 0.5\nrestitution = {e}\n[until]\ntime = 0.5\n",
            way.map(|v| -v)
        );
        for law in ["newton", "poisson", "lzb"] {
            let run = under(law, &text);
            assert_eq!(run.impacts.len(), 1, "{toward:?} {law}");
            assert!((run.impacts[0].time - 0.3).abs() < 1e-9, "{}", run.impacts[0].time);
            assert_eq!(run.contact_names[run.impacts[0].contacts[0]], "cube-ball");
            // Velocities along the way: momentum, and restitution.
            let after = -(m - e * big) / (m + big);
            let pushed = -m * (1.0 + e) / (m + big);
            assert!(apart(&velocity(&run, 1), &way.map(|v| after * v)) < 1e-8, "{toward:?} {law}");
            assert!(apart(&velocity(&run, 0), &way.map(|v| pushed * v)) < 1e-8, "{toward:?} {law}");
            assert!(norm(spin(&run, 0)) < 1e-7 && norm(spin(&run, 1)) < 1e-7, "{toward:?} {law}");
        }
    }
}

/// On a box that is very heavy a ball moves as on the ground: it slides, bounces, rolls.
#[test]
fn on_a_heavy_box_a_ball_moves_as_on_the_ground() {
    let ball = |height: f64| {
        format!(
            "[[body]]\nname = 'ball'\nshape.sphere.radius = 0.1\nmass = 1.0\nposition = [-0.9, -0.5, {}]\nvelocity = [1.0, 0.4, 0.0]\n\
             spin = [3.0, -2.0, 5.0]\n[material]\nfriction = 0.2\nrestitution = 0.5\n[until]\ntime = 1.2\nrest = false\n",
            0.3 + height
        )
    };
    let floor = "[world]\ndimension = 3\n[[ground]]\nname = 'floor'\n";
    let plain = events(&format!("{floor}{}", ball(0.0)));
    let heavy =
        "[[body]]\nname = 'box'\nshape.cuboid.size = [4.0, 4.0, 0.5]\nmass = 1e9\nposition = [0.0, 0.0, 0.25]\n";
    let run = events(&format!("{floor}{heavy}{}", ball(0.5)));
    let [x, y, z] = position(&run, 1);
    assert!(apart(&[x, y, z - 0.5], &position(&plain, 0)) < 1e-7, "{:?}", position(&run, 1));
    assert!(apart(&velocity(&run, 1), &velocity(&plain, 0)) < 1e-7);
    assert!(apart(&spin(&run, 1), &spin(&plain, 0)) < 1e-6);
}

/// A ball that rolls slowly over the edge of a heavy box turns about it without sliding until it leaves: with the angle φ of its
/// centre from the vertical v² = 10/7 g r (1 − cos φ) + v₀², and it leaves where v² = g r cos φ: cos φ = 10/17 from rest.
#[test]
fn a_ball_rolls_over_an_edge_and_leaves_where_it_must() {
    let (r, v): (f64, f64) = (0.1, 0.05);
    let text = format!(
        "[world]\ndimension = 3\n[[ground]]\nname = 'floor'\n[[body]]\nname = 'box'\nshape.cuboid.size = [2.0, 2.0, 1.0]\nmass = 1e9\n\
         position = [-1.0, 0.0, 0.5]\n[[body]]\nname = 'ball'\nshape.sphere.radius = {r}\nmass = 1.0\nposition = [-0.02, 0.3, {}]\n\
         velocity = [{v}, 0.0, 0.0]\nspin = [0.0, {}, 0.0]\n[material]\nfriction = 50.0\n[until]\ntime = 1.2\n[output]\ninterval = 1e-3\n",
        1.0 + r,
        v / r
    );
    let run = events(&text);
    let edge = run.contact_names.iter().position(|name| name == "box-ball").unwrap();
    let off =
        run.events.iter().find(|event| matches!(event.kind, delassus::simulate::EventKind::TakeOff(c) if c == edge));
    let off = off.expect("it leaves").time;
    let sample = run.samples.iter().rfind(|s| s.time <= off).unwrap();
    // From the sample on to the event, less than a millisecond.
    let speed = norm([sample.u[6], sample.u[7], sample.u[8]]);
    let (x, z) = (sample.q[7], sample.q[9] - 1.0);
    let cosine = z / x.hypot(z);
    assert!((x.hypot(z) - r).abs() < 1e-9, "it rolls about the edge: {x} {z}");
    let energy = v * v + 10.0 / 7.0 * G * r * (1.0 - cosine);
    assert!((speed * speed - energy).abs() < 1e-7, "{} {energy}", speed * speed);
    let leaves = (v * v / (G * r) + 10.0 / 7.0) / (17.0 / 7.0);
    assert!((cosine - leaves).abs() < 5e-3 && cosine >= leaves - 1e-9, "{cosine} {leaves}");
    assert!((off - sample.time) < 1e-3);
}

/// Balls and boxes thrown at each other never overlap, by a measure of the test's own, and their energy only falls.
#[test]
fn random_balls_and_boxes_are_never_wrong() {
    let mut ended = 0;
    for seed in 0..16u64 {
        let mut random = Random(seed + 77);
        let size = [0; 3].map(|_| random.between(0.1, 0.3));
        let radius = random.between(0.04, 0.12);
        let (axis, angle) = (random.vector(1.0), random.between(-3.0, 3.0));
        let at = random.vector(0.1);
        let ball = format!(
            "[[body]]\nname = 'ball'\nshape.sphere.radius = {radius}\nmass = {}\nposition = {:?}\nvelocity = {:?}\nspin = {:?}\n",
            random.between(0.3, 3.0),
            [at[0], at[1], 0.9],
            random.vector(0.5),
            random.vector(5.0)
        );
        let cuboid = format!(
            "[[body]]\nname = 'box'\nshape.cuboid.size = {size:?}\nmass = 1.0\nposition = [0.0, 0.0, 0.4]\n\
             orientation = {{ axis = {axis:?}, angle = {angle} }}\nspin = {:?}\n",
            random.vector(2.0)
        );
        let text = format!(
            "[world]\ndimension = 3\n[[ground]]\nname = 'floor'\n{ball}{cuboid}[material]\nfriction = {}\nrestitution = {}\n\
             [until]\ntime = 1.0\n[output]\ninterval = 0.01\n",
            random.between(0.0, 1.0),
            random.between(0.0, 0.7)
        );
        let mut built = scenario(&text).build().unwrap();
        built.settings.scheme = Scheme::Events;
        let law = LawSpec::by_name(["newton", "poisson"][(seed % 2) as usize]).unwrap();
        let run = simulate(&built.system, &built.q, &built.u, &law, &built.settings, &built.until, &mut |_| {
            Control::Continue
        });
        let run = run.unwrap();
        let mut touched = false;
        for sample in &run.samples {
            // The centre of the ball in the frame of the box, by its quaternion.
            let (w, v) = (sample.q[10], [sample.q[11], sample.q[12], sample.q[13]]);
            let span = [0, 1, 2].map(|k| sample.q[k] - sample.q[7 + k]);
            let cross = |a: [f64; 3], b: [f64; 3]| {
                [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
            };
            let once = cross(v, span);
            let twice = cross(v, once);
            let seen = [0, 1, 2].map(|k| span[k] - 2.0 * w * once[k] + 2.0 * twice[k]);
            let beyond = [0, 1, 2].map(|k| (seen[k].abs() - 0.5 * size[k]).max(0.0));
            let gap = norm(beyond) - radius;
            assert!(gap > -1e-8, "seed {seed}: {gap} at {}", sample.time);
            touched |= gap < 0.05;
            assert!(sample.q[2] > radius - 1e-8, "seed {seed}: in the floor");
        }
        let total: Vec<f64> = run.samples.iter().map(|s| s.energy.total()).collect();
        assert!(total.windows(2).all(|w| w[1] <= w[0] + 1e-7 * total[0]), "seed {seed}: energy grows");
        assert!(run.closure < 1e-7, "seed {seed}: {}", run.closure);
        println!("{seed}: {:?} {} impacts {touched} {:?}", run.end, run.impacts.len(), run.log.last());
        ended += usize::from(run.end.is_regular());
    }
    assert!(ended >= 15, "{ended} of 16 came to their end");
}
