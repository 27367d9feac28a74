//! Short forms in space are the bodies they stand for.

use super::{apart, norm, scenario};
use delassus::model::System;
use delassus::scenario::Built;

fn built(form: &str) -> Built {
    scenario(&format!("[world]\ndimension = 3\n{form}\n")).build().unwrap_or_else(|e| panic!("{e}"))
}

fn error(form: &str) -> String {
    scenario(&format!("[world]\ndimension = 3\n{form}\n")).build().map(drop).unwrap_err().to_string()
}

/// The velocity of the lowest point of the first body's contacts with the first support, and the least gap.
fn lowest(built: &Built) -> (f64, [f64; 3]) {
    let listed = built.system.with_contacts(1e-9).unwrap().unwrap();
    let all = (0..listed.contacts().len()).map(|c| listed.approach(c, 0.0, &built.q, &built.u));
    all.min_by(|a, b| a.0.total_cmp(&b.0)).unwrap()
}

#[test]
fn a_block_stands_on_its_edge_as_the_planar_one_on_its_corner() {
    let form = "[rocking_block]\nwidth = 0.24\nheight = 0.48\nmass = 2.0\nrate = 0.3\n";
    for angle in [0.12, -0.2, 0.0] {
        let space = built(&format!("{form}depth = 0.1\nangle = {angle}"));
        let plane = scenario(&format!("{form}angle = {angle}")).build().unwrap();
        assert!(apart(&[space.q[0], space.q[2]], &plane.q[..2]) < 1e-15, "{:?} {:?}", space.q, plane.q);
        assert!(apart(&[space.u[0], space.u[2], -space.u[4]], &plane.u) < 1e-15, "{:?} {:?}", space.u, plane.u);
        let (gap, gamma) = lowest(&space);
        assert!(gap.abs() < 1e-15 && norm(gamma) < 1e-15, "{gap} {gamma:?}");
    }
    let leaning = built(&format!("{form}depth = 0.1\nangle = '7deg'\nlean = 0.05"));
    let (gap, gamma) = lowest(&leaning);
    assert!(gap.abs() < 1e-15 && norm(gamma) < 1e-15, "{gap} {gamma:?}");
    // One corner alone.
    let listed = leaning.system.with_contacts(1e-9).unwrap().unwrap();
    let touching = (0..8).filter(|&c| listed.approach(c, 0.0, &leaning.q, &leaning.u).0 < 1e-9).count();
    assert_eq!(touching, 1);
}

#[test]
fn a_coin_touches_with_its_rim_and_rolls() {
    let coin = built(
        "[coin]\nradius = 0.02\nthickness = 0.002\nmass = 0.01\ntilt = 0.4\nprecession = 3.0\nroll = -5.0\nrolling = true",
    );
    let (gap, gamma) = lowest(&coin);
    assert!(gap.abs() < 1e-15 && norm(gamma) < 1e-15, "{gap} {gamma:?}");
    assert!((coin.q[2] - 0.02 * 0.4f64.cos() - 0.001 * 0.4f64.sin()).abs() < 1e-15);
    let high = built("[coin]\nradius = 0.02\nthickness = 0.002\ndensity = 8000\nheight = 0.1\nprecession = 3.0");
    assert!((lowest(&high).0 - 0.1).abs() < 1e-14 && high.u[..3] == [0.0; 3] && high.u[5] == 3.0);
}

#[test]
fn a_foot_is_above_the_ground_and_a_packing_in_its_box() {
    let foot = "[foot]\nsize = [0.25, 0.1, 0.04]\nmass = 1.0\nleg_mass = 4.0\nleg_position = [-0.03, 0.0, 0.3]\n";
    for turn in ["", "roll = 0.2", "pitch = '10deg'\nroll = -0.1", "pitch = 2.0"] {
        let (gap, _) = lowest(&built(&format!("{foot}height = 0.05\n{turn}")));
        assert!((gap - 0.05).abs() < 1e-14, "{turn}: {gap}");
    }
    let flat = built(foot);
    assert!((flat.q[2] - 0.26).abs() < 1e-15, "{:?}", flat.q);
    let packing = built("[packing]\nballs = 50\nradius = 0.02\nspread = 0.5\nsize = [0.2, 0.1]\nseed = 9");
    for q in packing.q.chunks_exact(7) {
        assert!(q[0].abs() < 0.08 && q[1].abs() < 0.03 && q[2] > 0.02, "{q:?}");
    }
    // A box for 2³² balls along x and along y has more places than there are numbers.
    let wide = 2f64.powi(32) * 2.2 * 0.02 * 1.001;
    assert!(
        built(&format!("[packing]\nballs = 3\nradius = 0.02\nsize = [{wide}, {wide}]")).q.iter().all(|v| v.is_finite())
    );
}

#[test]
fn what_is_wrong_is_named() {
    let block = "[rocking_block]\nwidth = 0.2\nheight = 0.4\nmass = 1.0\n";
    let array =
        "[[array]]\nname = 'spheres'\nshape.sphere.radius = 0.1\nmass = 1\ncount = [2, 1, 1]\nspacing = [1, 1, 1]\n";
    let boxed =
        "[[container]]\nname = 'tank'\nsize = [2, 2, 2]\n[container.motion.harmonic]\namplitude = 1\nfrequency = 1\n";
    let cases = [
        (format!("{block}depth = -1.0"), "rocking_block.depth"),
        (format!("{block}depth = 0.1\nangle = 2.0"), "rocking_block.angle"),
        (format!("{block}depth = 0.1\n[coin]\nradius = 1\nthickness = 0.1\nmass = 1"), "one short form"),
        (
            format!("{block}depth = 0.1\n[[body]]\nname = 'b'\nshape.sphere.radius = 1\nmass = 1"),
            "beside the short form",
        ),
        ("[coin]\nradius = 0.1\nthickness = 0.01".to_owned(), "coin.mass"),
        ("[coin]\nradius = 0.1\nthickness = 0.01\nmass = 1\ntilt = 1.6".to_owned(), "coin.tilt"),
        ("[packing]\nballs = 0\nradius = 0.1".to_owned(), "packing.balls"),
        ("[packing]\nballs = 5\nradius = 0.1\nsize = [0.1, 1.0]".to_owned(), "packing.size[0]"),
        // What was written is named, not the bodies and walls that it became.
        (array.replace("0.1", "-1.0"), "array[0].shape.sphere.radius = -1"),
        (array.replace("mass = 1", "mass = 0"), "array[0].mass = 0"),
        (array.replace("spheres", ""), "array[0].name = \"\""),
        (format!("{array}position = [0, 0, 1e300]"), "array[0].position[2] = 1e300"),
        (format!("{array}orientation = {{ axis = [0, 0, 1], angle = 1e300 }}"), "array[0].orientation.angle = 1e300"),
        (format!("{boxed}direction = [0, 0, 0]\n{array}"), "container[0].motion.harmonic.direction"),
        (format!("{}{array}", boxed.replace("[2, 2, 2]", "[2, 0, 2]")), "container[0].size[1] = 0"),
        (format!("{}{array}", boxed.replace("tank", "")), "container[0].name = \"\""),
        (format!("{array}[[ground]]\nname = 'g'\npoint = [0, 1e300, 0]"), "ground[0].point[1] = 1e300"),
        ("[foot]\nsize = [1, 1, 0]\nmass = 1\nleg_mass = 1\nleg_position = [0, 0, 1]".to_owned(), "foot.size[2]"),
    ];
    for (form, expected) in cases {
        let text = error(&form);
        assert!(text.contains(expected), "{expected}: {text}");
    }
}
