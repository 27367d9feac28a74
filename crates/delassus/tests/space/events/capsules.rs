//! Balls on capsules by events.

use super::{G, events, under};
use crate::{norm, position, run, spin, velocity};

fn pair(ball: &str, capsule: &str, rest: &str) -> String {
    format!(
        "[world]\ndimension = 3\n[[body]]\nname = 'ball'\nshape.sphere.radius = 0.05\nmass = 1.0\n{ball}\n\
         [[body]]\nname = 'capsule'\nshape.capsule = {{ radius = 0.03, length = 0.4 }}\nmass = 2.0\n{capsule}\n{rest}\n"
    )
}

/// A ball that meets a capsule in the middle of its side, or at an end along its axis: two masses.
#[test]
fn central_impacts_are_those_of_two_masses() {
    for (place, v) in [("[-0.3, 0, 0]", [2.0, 0.0, 0.0]), ("[0, 0, 0.6]", [0.0, 0.0, -2.0])] {
        let text = pair(
            &format!("position = {place}\nvelocity = {v:?}"),
            "position = [0, 0, 0]",
            "[material]\nrestitution = 0.5\nfriction = 0.4\n[until]\ntime = 0.4\n",
        )
        .replace("dimension = 3", "dimension = 3\ngravity = 0.0");
        for law in ["newton", "poisson", "lzb", "moreau"] {
            let run = under(law, &text);
            assert_eq!(run.impacts.len(), 1, "{law}");
            // 1.5 · 2 / (1 + 1/2) on each.
            let after = velocity(&run, 1).map(|w| w * 2.0);
            assert!(crate::apart(&after, &v.map(|v| v * 1.0)) < 1e-9, "{law} {after:?}");
            assert!(norm(velocity(&run, 0)) < 1e-9 && norm(spin(&run, 1)) < 1e-9, "{law}");
        }
    }
}

/// A ball rests on a capsule that lies in a corner of two planes; then it rolls along, over the end and down.
#[test]
fn a_ball_rolls_along_a_capsule_and_over_its_end() {
    // The capsule is welded to the world, level along x; friction holds the ball's spin.
    let text = pair(
        "position = [0, 0, 0.08]\nvelocity = [0.5, 0, 0]\nspin = [0, 10, 0]",
        "orientation = { axis = [0, 1, 0], angle = '90deg' }",
        "[[joint]]\nname = 'w'\ntype = 'weld'\nbetween = ['capsule', 'world']\npoint = [0, 0, 0]\n\
         [material]\nfriction = 2.0\n[until]\ntime = 0.45\n[output]\ninterval = 0.01\n",
    );
    let rolled = events(&text);
    let along =
        rolled.samples.iter().filter(|s| s.time < 0.39).map(|s| (s.q[0] - 0.5 * s.time).abs() + (s.q[2] - 0.08).abs());
    assert!(along.fold(0.0, f64::max) < 1e-9);
    // Past the end at x = 0.2 it goes down around it, and keeps its energy while it rolls.
    let (end, start) = (rolled.last(), &rolled.samples[0]);
    assert!(end.q[2] < 0.08 - 1e-4 && (end.energy.total() - start.energy.total()).abs() < 1e-8, "{:?}", end.q);
    let round = ((end.q[0] - 0.2).powi(2) + end.q[2].powi(2)).sqrt();
    assert!((round - 0.08).abs() < 1e-9, "{round}");
    let speed = norm(velocity(&rolled, 0));
    let height = 0.5 * 1.4 * (speed * speed - 0.25) / G;
    assert!((0.08 - end.q[2] - height).abs() < 1e-8, "{height} {:?}", end.q);
}

/// Thrown at each other and at a floor, in no plane of symmetry: time-stepping meets it at first order.
#[test]
fn balls_and_capsules_meet_time_stepping() {
    let text = pair(
        "position = [-0.3, 0.02, 0.35]\nvelocity = [2.0, 0.1, 0.0]",
        "position = [0, 0, 0.3]\norientation = { axis = [1, 0.4, 0.2], angle = 0.7 }\nspin = [1, -2, 0.5]",
        "[[ground]]\nname = 'floor'\n[material]\nfriction = 0.3\nrestitution = 0.5\n[until]\ntime = 0.3\nrest = false\n",
    );
    let exact = events(&text);
    assert!(exact.impacts.iter().any(|impact| exact.contact_names[impact.contacts[0]] == "ball-capsule"));
    let error = |step: f64| {
        let stepped = run(&format!("{text}[integrator]\nscheme = 'time-stepping'\nstep = {step}\n"));
        crate::apart(&stepped.last().q, &exact.last().q)
    };
    let (coarse, fine) = (error(4e-4), error(5e-5));
    assert!(fine < 3e-3 && fine < 0.3 * coarse, "{coarse:e} {fine:e}");
    assert!(position(&exact, 0)[2] > 0.04);
}
