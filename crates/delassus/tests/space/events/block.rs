//! Blocks that rock: in a plane of symmetry the motion is the planar one.

use super::{Trajectory, events, under};
use crate::scenario;
use delassus::LawSpec;
use delassus::simulate::{Control, simulate};

const MATERIAL: &str = "[material]\nfriction = 0.3\nfriction_static = 0.5\nrestitution = 0.8\n";

fn planar(law: &str, material: &str, time: f64) -> Trajectory {
    let built = scenario(&format!(
        "[rocking_block]\nwidth = 0.24\nheight = 0.48\nmass = 2.0\nangle = 0.12\n{material}[until]\ntime = {time}\nrest = false\n"
    ))
    .build()
    .unwrap();
    let law = LawSpec::by_name(law).unwrap();
    simulate(&built.system, &built.q, &built.u, &law, &built.settings, &built.until, &mut |_| Control::Continue)
        .unwrap()
}

/// The same block with depth, tilted by `roll` as well and turned by `yaw`.
fn spatial(roll: f64, yaw: f64, height: f64, material: &str, time: f64) -> String {
    let (s, c) = 0.12f64.sin_cos();
    format!(
        "[world]\ndimension = 3\n[[ground]]\nname = 'ground'\n[[body]]\nname = 'block'\nshape.cuboid.size = [0.24, 0.2, 0.48]\n\
         mass = 2.0\nposition = [{}, 0.0, {height}]\norientation = {{ roll = {roll}, pitch = -0.12, yaw = {yaw} }}\n\
         {material}[until]\ntime = {time}\nrest = false\n",
        0.12 * c - 0.24 * s,
    )
}

#[test]
fn in_a_plane_of_symmetry_it_is_the_planar_block() {
    let height = 0.12 * 0.12f64.sin() + 0.24 * 0.12f64.cos();
    // With e = 0.8 impacts under Newton's law soon accumulate, in a sequence that magnifies round-off.
    let plastic = "[material]\nfriction = 0.6\nrestitution = 0.0\n";
    for (law, material, time) in
        [("newton", plastic, 2.0), ("newton", MATERIAL, 0.36), ("poisson", MATERIAL, 0.36), ("lzb", MATERIAL, 0.36)]
    {
        let flat = planar(law, material, time);
        let deep = under(law, &spatial(0.0, 0.0, height, material, time));
        assert!(flat.impacts.len() > 2 && flat.impacts.len() == deep.impacts.len(), "{law}: {}", deep.impacts.len());
        for (a, b) in flat.impacts.iter().zip(&deep.impacts) {
            assert!((a.time - b.time).abs() < 1e-8 && 2 * a.contacts.len() == b.contacts.len(), "{law} {}", a.time);
        }
        let (a, b) = (flat.last(), deep.last());
        // θ turns x towards z: about −y.
        let angle = -2.0 * b.q[5].atan2(b.q[3]);
        let pairs = [(a.q[0], b.q[0]), (a.q[1], b.q[2]), (a.q[2], angle), (a.u[0], b.u[0]), (a.u[2], -b.u[4])];
        for (k, (plane, space)) in pairs.iter().enumerate() {
            assert!((plane - space).abs() < 1e-8, "{law} {k}: {plane} {space}");
        }
        assert!(b.q[1].abs() < 1e-10 && b.u[3].abs().max(b.u[5].abs()) < 1e-9, "{law}: {:?} {:?}", b.q, b.u);
    }
}

#[test]
fn off_its_plane_it_rocks_and_walks() {
    let run = events(&spatial(0.03, 0.5, 0.26, MATERIAL, 1.2));
    assert!(run.impacts.len() > 5 && run.stats.penetration < 1e-9, "{:?}", run.stats);
    let q = &run.last().q;
    // It comes to stand on its base, turned from where it was.
    assert!((q[2] - 0.24).abs() < 1e-9 && (q[6].abs() - 0.25f64.sin()).abs() > 0.01, "{q:?}");
    for impact in &run.impacts {
        assert!(impact.outcome.certificate.satisfies_law(), "{} {:?}", impact.time, impact.outcome.certificate);
    }
}

#[test]
fn under_lzb_it_loses_energy_at_every_impact() {
    let run = under("lzb", &spatial(0.03, 0.5, 0.26, MATERIAL, 0.8));
    assert!(run.impacts.len() > 3, "{}", run.impacts.len());
    for impact in &run.impacts {
        let before = impact.outcome.energy.before;
        assert!(impact.kinetic_after <= before * (1.0 + 1e-9) && impact.outcome.certificate.kinetic < 1e-9);
    }
}

#[test]
fn a_block_stands_on_a_slope_below_friction_and_slides_above() {
    // Static friction 0.5: sticks at tan β = 0.4, slides at 0.6 with the kinetic 0.3.
    for (tangent, slides) in [(0.4f64, false), (0.6, true)] {
        let beta = tangent.atan();
        let (s, c) = beta.sin_cos();
        let run = events(&format!(
            "[world]\ndimension = 3\n[[ground]]\nname = 'slope'\nangle = {beta}\n[[body]]\nname = 'box'\n\
             shape.cuboid.size = [0.2, 0.3, 0.1]\nmass = 1.0\nposition = [{}, 0.0, {}]\n\
             orientation = {{ axis = [0, 1, 0], angle = {} }}\n{MATERIAL}[until]\ntime = 0.5\nrest = false\n",
            -0.05 * s,
            0.05 * c,
            -beta,
        ));
        let u = &run.last().u;
        let speed = if slides { 0.5 * 9.81 * (s - 0.3 * c) } else { 0.0 };
        let along = [-speed * c, 0.0, -speed * s, 0.0, 0.0, 0.0];
        assert!(crate::apart(u, &along) < 1e-10, "{tangent}: {u:?} {along:?}");
    }
}

#[test]
#[ignore = "prints how long ten seconds of a rocking block take"]
fn ten_seconds_of_rocking() {
    let height = 0.12 * 0.12f64.sin() + 0.24 * 0.12f64.cos();
    let plastic = "[material]\nfriction = 0.6\nrestitution = 0.0\n";
    for (law, material, roll, yaw, height) in [
        ("newton", plastic, 0.0, 0.0, height),
        ("newton", plastic, 0.03, 0.5, 0.26),
        ("newton", MATERIAL, 0.03, 0.5, 0.26),
        ("lzb", MATERIAL, 0.03, 0.5, 0.26),
    ] {
        let text = spatial(roll, yaw, height, material, 10.0);
        under(law, &text);
        let start = std::time::Instant::now();
        let run = under(law, &text);
        println!("{law} roll {roll}: {:?}, {} impacts, {:?}", start.elapsed(), run.impacts.len(), run.stats);
    }
}
