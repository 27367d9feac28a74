//! Supports of triangles: flat ones are planes, valleys hold balls, hills let nothing through.

use super::{apart, norm, position, run, scenario, velocity};

/// Heights of a grid as a file writes them.
fn terrain(columns: usize, rows: usize, spacing: f64, corner: [f64; 2], height: impl Fn(f64, f64) -> f64) -> String {
    let at = |i: usize, from: f64| from + spacing * i as f64;
    let row = |j: usize| -> Vec<f64> { (0..columns).map(|i| height(at(i, corner[0]), at(j, corner[1]))).collect() };
    let heights: Vec<Vec<f64>> = (0..rows).map(row).collect();
    format!(
        "[[terrain]]\nname = 'hills'\nheights = {heights:?}\nspacing = [{spacing}, {spacing}]\nposition = [{}, {}, 0.0]\n",
        corner[0], corner[1]
    )
}

const WORLD: &str = "[world]\ndimension = 3\n";

#[test]
fn a_flat_terrain_is_a_plane() {
    let flat = terrain(40, 30, 0.11, [-1.0, -1.0], |_, _| 0.0);
    let scenes = [
        "[[body]]\nname = 'b'\nshape.sphere.radius = 0.1\nmass = 2.0\nposition = [0.0, 0.0, 0.1]\nvelocity = [2.0, 0.3, 0.0]\n\
         spin = [0.0, -3.0, 4.0]\n[material]\nfriction = 0.2\n[integrator]\nstep = 1e-3\n[until]\ntime = 1.0\n",
        "[[body]]\nname = 'b'\nshape.cuboid.size = [0.3, 0.2, 0.1]\nmass = 2.0\nposition = [0.0, 0.0, 0.05]\nvelocity = [1.5, 0.5, 0.0]\n\
         [material]\nfriction = 0.3\n[integrator]\nstep = 1e-3\n[until]\ntime = 0.5\n",
        "[[body]]\nname = 'b'\nshape.capsule = { radius = 0.05, length = 0.2 }\nmass = 1.0\nposition = [0.0, 0.0, 0.3]\n\
         orientation = { axis = [1, 0.3, 0], angle = 1.0 }\n[material]\nfriction = 0.4\nrestitution = 0.3\n[integrator]\nstep = 1e-3\n\
         [until]\ntime = 0.5\n",
    ];
    for scene in scenes {
        let plane = run(&format!("{WORLD}[[ground]]\nname = 'floor'\n{scene}"));
        let hills = run(&format!("{WORLD}{flat}{scene}"));
        // A corner over an edge between two triangles touches both: the same force, shared.
        assert!(apart(&plane.last().q, &hills.last().q) < 1e-9, "{:?} {:?}", plane.last().q, hills.last().q);
        assert!(apart(&plane.last().u, &hills.last().u) < 1e-8, "{:?} {:?}", plane.last().u, hills.last().u);
    }
}

/// A cylinder that rolls on triangles is round, on a slope and from one slope to another: it does not stumble over the sides of
/// a prism. Standing and tumbling it is as on planes.
#[test]
fn cylinders_roll_on_triangles_as_on_planes() {
    let fine = terrain(60, 20, 0.13, [-1.0, -1.3], |x, _| -0.3 * x);
    let normal = "normal = [0.3, 0, 1]";
    let coarse = "[[mesh]]\nname = 'hills'\nvertices = [[-9, -9, 2.7], [9, -9, -2.7], [9, 9, -2.7], [-9, 9, 2.7]]\n\
                  triangles = [[0, 1, 2], [0, 2, 3]]\n";
    let cylinder = "[[body]]\nname = 'log'\nshape.cylinder = { radius = 0.1, height = 0.3 }\nmass = 2.0\n";
    let settings = "[material]\nfriction = 0.6\n[integrator]\nstep = 1e-3\n[until]\ntime = 1.0\n";
    let (s, c) = (0.3f64.atan().sin(), 0.3f64.atan().cos());
    for place in [
        // Rolling: g sin(slope) / (1 + 1/2), so half of it along the slope in a second.
        format!("orientation = {{ axis = [1, 0, 0], angle = '90deg' }}\nposition = [{}, 0.02, {}]\n", 0.1 * s, 0.1 * c),
        // Standing.
        format!(
            "orientation = {{ axis = [0, 1, 0], angle = {} }}\nposition = [{}, 0.02, {}]\n",
            0.3f64.atan(),
            0.15 * s,
            0.15 * c
        ),
        // Falling on a rim.
        "orientation = { axis = [1, 0.3, 0], angle = 0.6 }\nposition = [0, 0, 0.3]\n".to_owned(),
    ] {
        let plane = run(&format!("{WORLD}[[ground]]\nname = 'hills'\n{normal}\n{cylinder}{place}{settings}"));
        for hills in [&fine[..], coarse] {
            let hills = run(&format!("{WORLD}{hills}{cylinder}{place}{settings}"));
            assert!(apart(&plane.last().q, &hills.last().q) < 1e-9, "{:?} {:?}", plane.last().q, hills.last().q);
            assert!(apart(&plane.last().u, &hills.last().u) < 1e-8, "{:?} {:?}", plane.last().u, hills.last().u);
            assert!(hills.log.iter().any(|remark| remark.text.contains("24 sides")), "{:?}", hills.log);
        }
    }
    // Over a ridge so blunt that the lowest point of the log lies over no triangle for a while, and down on the other side.
    let roof = terrain(21, 9, 0.1, [-1.0, -0.4], |x, _| -0.1 * x.abs());
    let up = "orientation = { axis = [1, 0, 0], angle = '90deg' }\nposition = [-0.3, 0.02, 0.0704987563]\nvelocity = [1.0, 0, 0]\nspin = [0, 10, 0]\n";
    let over = run(&format!(
        "{WORLD}{roof}{cylinder}{up}[material]\nfriction = 0.6\n[integrator]\nstep = 1e-3\n[until]\ntime = 0.8\n"
    ));
    let energy = over.last().energy.total() - over.start().energy.total();
    assert!(
        position(&over, 0)[0] > 0.35 && energy.abs() < 0.02 * over.start().energy.kinetic,
        "{:?} {energy}",
        position(&over, 0)
    );
}

/// A ground that shakes along several directions at once, as a plane, as a height field and as a mesh.
#[test]
fn triangles_move_as_planes_do() {
    let motion = "motion = [{ harmonic = { direction = [1, 0.5, 0], amplitude = 0.02, frequency = 3 } }, \
                  { harmonic = { direction = [0, 0.3, 1], amplitude = 0.004, frequency = 5, phase = 1 } }]\n";
    let flat = terrain(40, 30, 0.11, [-1.0, -1.0], |_, _| 0.0) + motion;
    let mesh = format!(
        "[[mesh]]\nname = 'hills'\nvertices = [[-2, -2, 0], [2, -2, 0], [2, 2, 0], [-2, 2, 0]]\ntriangles = [[0, 1, 2], [0, 2, 3]]\n{motion}"
    );
    let scenes = [
        "[[body]]\nname = 'b'\nshape.sphere.radius = 0.1\nmass = 2.0\nposition = [0.0, 0.0, 0.1]\nvelocity = [0.5, 0.3, 0.0]\n\
         spin = [0.0, -3.0, 4.0]\n[material]\nfriction = 0.2\n[integrator]\nstep = 1e-3\n[until]\ntime = 1.0\n",
        "[[body]]\nname = 'b'\nshape.cuboid.size = [0.3, 0.2, 0.1]\nmass = 2.0\nposition = [0.0, 0.0, 0.05]\n\
         [material]\nfriction = 0.3\n[integrator]\nstep = 1e-3\n[until]\ntime = 0.5\n",
    ];
    for scene in scenes {
        let plane = run(&format!("{WORLD}[[ground]]\nname = 'hills'\n{motion}{scene}"));
        for hills in [&flat, &mesh] {
            let hills = run(&format!("{WORLD}{hills}{scene}"));
            assert_eq!(hills.end.as_str(), "completed");
            assert!(apart(&plane.last().q, &hills.last().q) < 1e-9, "{:?} {:?}", plane.last().q, hills.last().q);
            assert!(apart(&plane.last().u, &hills.last().u) < 1e-8, "{:?} {:?}", plane.last().u, hills.last().u);
            let works = [&plane, &hills].map(|run| run.last().energy.supports);
            assert!(works[0].abs() > 1e-3 && (works[0] - works[1]).abs() < 1e-8, "{works:?}");
            assert!(hills.closure < 1e-6, "{}", hills.closure);
        }
    }
}

/// A ball at the bottom of a valley that moves at a constant speed stays there; so it does on ground that no plane could be.
#[test]
fn a_valley_carries_a_ball_along() {
    let valley = terrain(9, 9, 0.25, [-1.0, -1.0], |x, y| 0.4 * (x * x + y * y));
    let scene = |motion: &str, velocity: &str| {
        run(&format!(
            "{WORLD}{valley}{motion}[[body]]\nname = 'b'\nshape.sphere.radius = 0.1\nmass = 1.0\nposition = [0.1, -0.05, 0.3]\n\
             velocity = {velocity}\n[material]\nfriction = 0.4\n[integrator]\nstep = 1e-3\n[until]\ntime = 0.8\nrest = false\n"
        ))
    };
    let still = scene("", "[0.0, 0.0, 0.0]");
    let carried = scene("motion.path = { direction = [3, 0, 4], displacement = '0.5*t' }\n", "[0.3, 0.0, 0.4]");
    assert_eq!(carried.end.as_str(), "completed");
    let by = [0.3 * still.time, 0.0, 0.4 * still.time];
    let expected: [f64; 3] = std::array::from_fn(|k| position(&still, 0)[k] + by[k]);
    assert!(apart(&position(&carried, 0), &expected) < 1e-9, "{:?} {expected:?}", position(&carried, 0));
}

#[test]
fn a_box_on_a_slope_of_triangles_stays_or_slides_as_friction_says() {
    let beta = 0.5f64.atan();
    let (s, c) = beta.sin_cos();
    let slope = terrain(30, 10, 0.13, [-3.5, -0.6], |x, _| 0.5 * x);
    for (mu, slides) in [(0.55, false), (0.45, true)] {
        let run = run(&format!(
            "{WORLD}{slope}[[body]]\nname = 'block'\nshape.cuboid.size = [0.3, 0.2, 0.1]\nmass = 1.0\nposition = [{}, 0.0, {}]\n\
             orientation = {{ axis = [0, -1, 0], angle = {beta} }}\n[material]\nfriction = {mu}\n[integrator]\nstep = 1e-3\n\
             [until]\ntime = 1.5\nrest = false\n",
            -0.05 * s,
            0.05 * c
        ));
        let moved = apart(&position(&run, 0), &[-0.05 * s, 0.0, 0.05 * c]);
        if slides {
            let speed = (9.81 * (s - mu * c)) * run.time;
            assert!((norm(velocity(&run, 0)) - speed).abs() < 1e-6 * speed, "{:?} {speed}", velocity(&run, 0));
        } else {
            assert!(moved < 1e-9, "crept by {moved}");
        }
    }
}

#[test]
fn a_ball_comes_to_rest_in_a_valley() {
    let valley = terrain(21, 11, 0.1, [-1.0, -0.5], |x, _| x.abs());
    let run = run(&format!(
        "{WORLD}{valley}[[body]]\nname = 'ball'\nshape.sphere.radius = 0.1\nmass = 1.0\nposition = [0.3, 0.03, 0.6]\n\
         [material]\nfriction = 0.6\n[integrator]\nstep = 1e-3\n[until]\ntime = 6.0\n"
    ));
    let [x, _, z] = position(&run, 0);
    assert!(x.abs() < 1e-3 && (z - 0.1 * 2f64.sqrt()).abs() < 1e-3, "{x} {z} {:?}", run.end);
    assert!(run.last().energy.total() < run.start().energy.total());
}

#[test]
fn nothing_sinks_into_hills() {
    let height = |x: f64, y: f64| 0.08 * (5.0 * x).sin() * (4.0 * y + 1.0).cos() - 0.1 * x;
    let hills = terrain(31, 31, 0.1, [-1.5, -1.5], height);
    let text = format!(
        "{WORLD}{hills}[[array]]\nname = 'stone'\nshape.cuboid.size = [0.12, 0.1, 0.08]\ndensity = 2000.0\ncount = [2, 2, 1]\n\
         spacing = [0.4, 0.4, 0.3]\nposition = [-0.6, -0.3, 0.4]\nrandom_orientation = true\nseed = 3\n\
         [[body]]\nname = 'ball'\nshape.sphere.radius = 0.06\nmass = 1.0\nposition = [0.0, -0.6, 0.4]\n\
         [material]\nfriction = 0.5\nrestitution = 0.2\n[integrator]\nstep = 1e-3\n[until]\ntime = 1.2\n[output]\ninterval = 0.05\n"
    );
    let run = run(&text);
    assert!(run.end.is_regular(), "{:?} {:?}", run.end, run.log);
    assert!(run.last().energy.total() < run.start().energy.total());
    // The surface itself, by interpolation over its triangles.
    let surface = |x: f64, y: f64| -> f64 {
        let (i, j) = (((x + 1.5) / 0.1).floor(), ((y + 1.5) / 0.1).floor());
        let (a, b) = ((x + 1.5) / 0.1 - i, (y + 1.5) / 0.1 - j);
        let at = |di: f64, dj: f64| height(-1.5 + 0.1 * (i + di), -1.5 + 0.1 * (j + dj));
        if a >= b {
            at(0.0, 0.0) + a * (at(1.0, 0.0) - at(0.0, 0.0)) + b * (at(1.0, 1.0) - at(1.0, 0.0))
        } else {
            at(0.0, 0.0) + b * (at(0.0, 1.0) - at(0.0, 0.0)) + a * (at(1.0, 1.0) - at(0.0, 1.0))
        }
    };
    for sample in &run.samples {
        for (k, q) in sample.q.chunks_exact(7).enumerate() {
            // Points on the surface of the body, densely.
            for point in points(k == 0) {
                let world = turned(&q[3..], point);
                let [x, y, z] = std::array::from_fn(|i| q[i] + world[i]);
                if x.abs() < 1.4 && y.abs() < 1.4 {
                    assert!(z - surface(x, y) > -4e-3, "t = {}: body {k}: {}", sample.time, z - surface(x, y));
                }
            }
        }
    }
}

/// Points on the surface of the ball, or of a stone.
fn points(ball: bool) -> Vec<[f64; 3]> {
    let parts = || (0..=6).map(|k| f64::from(k) / 3.0 - 1.0);
    let all = parts().flat_map(|x| parts().flat_map(move |y| parts().map(move |z| [x, y, z])));
    let outer = all.filter(|p| p.iter().any(|v| v.abs() == 1.0));
    if ball {
        return outer.map(|p| p.map(|v| 0.06 * v / norm(p))).collect();
    }
    outer.map(|[x, y, z]| [0.06 * x, 0.05 * y, 0.04 * z]).collect()
}

fn turned(q: &[f64], v: [f64; 3]) -> [f64; 3] {
    let (w, p) = (q[0], [q[1], q[2], q[3]]);
    let cross =
        |a: [f64; 3], b: [f64; 3]| [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
    let t = cross(p, v).map(|x| 2.0 * x);
    let more = cross(p, t);
    std::array::from_fn(|i| v[i] + w * t[i] + more[i])
}

#[test]
fn bad_ones_are_named_and_events_refuse_them() {
    let body = "[[body]]\nname = 'b'\nshape.sphere.radius = 0.1\nmass = 1.0\nposition = [0.2, 0.2, 1.0]\n";
    let error = |table: &str| scenario(&format!("{WORLD}{table}\n{body}")).build().map(drop).unwrap_err().to_string();
    let points = "vertices = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [2, 0, 0]]";
    let cases = [
        (
            "[[terrain]]\nname = 't'\nheights = [[0.0, 0.0], [0.0]]\nspacing = [1, 1]".to_owned(),
            "terrain[0].heights[1]",
        ),
        ("[[terrain]]\nname = 't'\nheights = [[0.0, 0.0]]\nspacing = [1, 1]".to_owned(), "terrain[0].heights"),
        ("[[terrain]]\nname = 't'\nheights = [[0, 0], [0, 0]]\nspacing = [1, 0]".to_owned(), "terrain[0].spacing[1]"),
        (format!("[[mesh]]\nname = 'm'\n{points}\ntriangles = [[0, 1, 4]]"), "mesh[0].triangles[0]"),
        (format!("[[mesh]]\nname = 'm'\n{points}\ntriangles = [[0, 1, 3]]"), "one line"),
        (format!("[[mesh]]\nname = 'm'\n{points}\ntriangles = [[0, 1, 2], [0, 1, 2]]"), "either side"),
        (format!("[[mesh]]\nname = 'b'\n{points}\ntriangles = [[0, 1, 2]]"), "unique"),
    ];
    for (table, expected) in cases {
        let text = error(&table);
        assert!(text.contains(expected), "{expected}: {text}");
    }
    let mesh = format!(
        "{WORLD}[[mesh]]\nname = 'm'\n{points}\ntriangles = [[0, 1, 2]]\n{body}[integrator]\nscheme = 'auto'\n"
    );
    let run = super::go(&scenario(&format!("{mesh}[until]\ntime = 0.1\n")));
    assert_eq!(run.stepped_from, Some(0.0));
    assert!(run.log[0].text.contains("triangles of m"), "{:?}", run.log);
}
