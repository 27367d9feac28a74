//! The scenes in `scenarios/space` run to their end, keep their account of energy, and do what they show.

use super::{Trajectory, norm, position, run, velocity};

fn scene(name: &str) -> Trajectory {
    let file = format!("{}/../../scenarios/space/{name}.toml", env!("CARGO_MANIFEST_DIR"));
    let run = run(&std::fs::read_to_string(file).unwrap());
    assert!(run.end.is_regular(), "{name}: {:?} {:?}", run.end, run.log);
    assert!(run.closure < 2e-2, "{name}: {}", run.closure);
    assert!(run.stats.residual < 1e-6, "{name}: {:?}", run.stats);
    run
}

/// Energy that is not fed from outside never grows.
fn loses(run: &Trajectory, slack: f64) {
    let start = run.start().energy.total();
    assert!(run.last().energy.total() <= start + slack * start.abs(), "{start} {:?}", run.last().energy);
}

#[test]
fn a_cube_comes_to_rest_on_a_face() {
    let run = scene("cube-on-floor");
    loses(&run, 0.0);
    assert!((position(&run, 0)[2] - 0.05).abs() < 1e-4, "{:?}", position(&run, 0));
    assert!(run.impacts.len() > 5);
    for impact in &run.impacts {
        assert!(impact.outcome.certificate.satisfies_law(), "{} {:?}", impact.time, impact.outcome.certificate);
    }
    assert!(run.is_solved());
}

#[test]
fn a_block_rocks_and_leaves_its_plane() {
    let run = scene("rocking-block");
    loses(&run, 1e-3);
    assert!(run.impacts.len() > 3 && position(&run, 0)[2] > 0.2);
}

#[test]
fn a_coin_gets_flatter() {
    let run = scene("coin");
    loses(&run, 1e-3);
    // The height of its centre falls from leaning on the rim towards half its thickness.
    assert!(position(&run, 0)[2] < 0.0115, "{:?}", position(&run, 0));
}

#[test]
fn a_sphere_rolls() {
    let run = scene("sliding-sphere");
    assert!((velocity(&run, 0)[0] - 10.0 / 7.0).abs() < 1e-12);
}

#[test]
fn a_break_spreads_the_balls() {
    let run = scene("billiard-break");
    loses(&run, 0.0);
    let moving = (1..7).filter(|&b| norm(velocity(&run, b)) > 0.05).count();
    assert!(moving >= 5, "{moving}");
    // No momentum across but what friction on the table and the offset of the cue ball give.
    let forward: f64 = (0..7).map(|b| velocity(&run, b)[0]).sum();
    assert!((1.0..4.0).contains(&forward), "{forward}");
}

#[test]
fn a_foot_stands_on_its_sole() {
    let run = scene("foot");
    loses(&run, 0.0);
    // Centre of mass 0.26 above the sole.
    assert!((position(&run, 0)[2] - 0.26).abs() < 1e-3, "{:?}", position(&run, 0));
}

#[test]
fn slabs_slide_on_a_shaken_table_and_stay_on_each_other() {
    let run = scene("shaken-stack");
    for k in 0..4 {
        assert!((position(&run, k)[2] - 0.05 - 0.1 * k as f64).abs() < 1e-5, "{k}: {:?}", position(&run, k));
    }
    assert!(run.last().energy.friction < 0.0 && run.last().energy.supports > 0.0, "{:?}", run.last().energy);
}

#[test]
fn an_arch_stands() {
    let run = scene("arch");
    for (k, (a, b)) in run.start().q.chunks_exact(7).zip(run.last().q.chunks_exact(7)).enumerate() {
        assert!(super::apart(a, b) < 1e-4, "stone {k}: {a:?} {b:?}");
    }
}

#[test]
fn spheres_fill_a_box() {
    let run = scene("spheres-in-a-box");
    loses(&run, 0.0);
    for ball in run.last().q.chunks_exact(7) {
        assert!(ball[0].abs() < 0.1202 && ball[1].abs() < 0.1202 && ball[2] > 0.0298, "{ball:?}");
    }
}

#[test]
fn beads_settle_in_order() {
    let run = scene("bead-column");
    loses(&run, 0.0);
    // So many bodies have no list of impacts, but a number of them.
    assert!(run.impacts.is_empty() && run.impact_count() > 10, "{}", run.impact_count());
    let heights: Vec<f64> = run.last().q.chunks_exact(7).map(|q| q[2]).collect();
    assert!(heights.windows(2).all(|w| w[1] - w[0] > 0.1 - 1e-3), "{heights:?}");
}

#[test]
fn the_last_ball_of_a_cradle_leaves_and_the_energy_stays() {
    let run = scene("cradle");
    let (start, end) = (run.start().energy, run.last().energy);
    let lifted = run.start().q[2] * 9.81 * 0.1;
    assert!((end.total() - start.total()).abs() < 1e-4 * lifted, "{start:?} {end:?}");
    // It rises nearly as high as the first was let go, and the others hang.
    let heights: Vec<f64> = run.last().q.chunks_exact(7).map(|q| q[2]).collect();
    assert!(heights[4] > 0.9 * run.start().q[2], "{heights:?}");
    assert!(heights[..4].iter().all(|z| *z < 0.02 * run.start().q[2]), "{heights:?}");
    assert!(run.last().q.chunks_exact(7).all(|q| q[1].abs() < 1e-9));
    assert!(run.stats.joint_drift < 1e-5, "{:?}", run.stats);
}

#[test]
fn disks_fill_a_box() {
    let run = scene("disks-in-a-box");
    loses(&run, 0.0);
    let places: Vec<&[f64]> = run.last().q.chunks_exact(3).collect();
    for (i, a) in places.iter().enumerate() {
        assert!(a[0].abs() < 0.2901 && a[1] > 0.0499, "{a:?}");
        for b in &places[i + 1..] {
            assert!((a[0] - b[0]).hypot(a[1] - b[1]) > 0.0999, "{a:?} {b:?}");
        }
    }
}

#[test]
fn a_packing_settles() {
    let run = scene("packing");
    loses(&run, 0.0);
    assert_eq!(run.last().q.len(), 7 * 120);
    // Five balls a side: a pitch of 2.2 radii each.
    assert!(run.last().q.chunks_exact(7).all(|q| q[0].abs() < 0.11 && q[1].abs() < 0.11 && q[2] > 0.0), "{run:?}");
    assert!(run.last().energy.potential < 0.85 * run.start().energy.potential);
}

#[test]
fn stones_go_down_a_hill() {
    let run = scene("terrain");
    loses(&run, 0.0);
    // The hill falls by 0.25 m a metre.
    for (k, q) in run.last().q.chunks_exact(7).enumerate() {
        assert!(q[2] > -0.25 * q[0] - 0.04 && q[2] < -0.25 * q[0] + 0.3, "{k}: {q:?}");
    }
    // The ball, which comes before the array.
    assert!(position(&run, 0)[0] > -0.5, "{:?}", position(&run, 0));
}
