//! What is balanced, or called for by nothing, stays as it is; and steps that nobody named follow what drives the bodies.

use super::{position, run, velocity};

const FLOOR: &str = "[world]\ndimension = 3\n[[ground]]\nname = 'floor'\n";
const STEPS: &str = "[integrator]\nscheme = 'time-stepping'\n";

/// A force takes the weight off the floor: the impulses of the step before must not throw the body up, and the account of
/// energies, in which nothing is left but round-off, is no fault.
#[test]
fn a_body_whose_weight_is_taken_stays_on_its_floor() {
    for shape in ["sphere.radius = 0.1", "cuboid.size = [0.2, 0.2, 0.2]"] {
        for (mass, step) in [(1.0, "1e-3"), (0.7, "1e-3"), (3.3, "0.0009765625")] {
            let run = run(&format!(
                "{FLOOR}[[body]]\nname = 'b'\nshape.{shape}\nmass = {mass}\nposition = [0, 0, 0.1]\n[[force]]\nbody = 'b'\n\
                 force = [0, 0, '{} * step(t - 0.5)']\n{STEPS}step = {step}\n[until]\ntime = 1.0\nrest = false\n",
                9.81 * mass
            ));
            let lifted = position(&run, 0)[2] - 0.1;
            assert!(lifted.abs() < 1e-12, "{shape} of {mass} kg: lifted by {lifted}");
            assert!(run.closure < 1e-6 && run.log.is_empty(), "{shape} of {mass} kg: {} {:?}", run.closure, run.log);
        }
    }
}

/// A force that stands for gravity presses as gravity does: what rests is not struck in every step.
#[test]
fn what_a_force_presses_rests_without_impacts() {
    for e in [0.0, 0.5] {
        let run = run(&format!(
            "[world]\ndimension = 3\ngravity = 0\n[[ground]]\nname = 'slope'\nnormal = [-0.3, 0, 1]\n[[body]]\nname = 'b'\n\
             shape.cuboid.size = [0.2, 0.2, 0.2]\nmass = 1.0\nposition = [{}, 0, {}]\norientation = {{ axis = [0, -1, 0], angle = {} }}\n\
             [[force]]\nbody = 'b'\nforce = [0, 0, -9.81]\n[material]\nfriction = 0.5\nrestitution = {e}\n{STEPS}step = 1e-3\n\
             [until]\ntime = 1.0\nrest = false\n",
            -0.1 * 0.3f64.atan().sin(),
            0.1 * 0.3f64.atan().cos(),
            0.3f64.atan()
        ));
        assert!(run.impacts.is_empty() && run.log.is_empty(), "{e}: {} impacts {:?}", run.impacts.len(), run.log);
        assert!(run.last().energy.kinetic < 1e-20, "{e}: {:?}", run.last().energy);
    }
}

/// Bodies of different mass that fall together call for no impulse of their joint but round-off.
#[test]
fn joints_that_hold_nothing_leave_no_residual() {
    for joint in [
        "type = 'ball'\npoint = [0.15, 0, 1]",
        "type = 'slider'\npoint = [0.15, 0, 1]\naxis = [0.3, 0.2, 1]",
        "type = 'weld'\npoint = [0.15, 0.02, 1]",
        "type = 'rod'\npoints = [[0, 0, 1], [0.3, 0, 1]]",
    ] {
        let run = run(&format!(
            "[world]\ndimension = 3\n[[body]]\nname = 'a'\nshape.cuboid.size = [0.13, 0.07, 0.05]\ndensity = 300\nposition = [0, 0, 1]\n\
             orientation = [0.3, 0.5, 0.2, 0.7]\n[[body]]\nname = 'b'\nshape.cuboid.size = [0.1, 0.07, 0.05]\ndensity = 300\n\
             position = [0.3, 0, 1]\n[[joint]]\nname = 'j'\nbetween = ['a', 'b']\n{joint}\n{STEPS}[until]\ntime = 0.4\n"
        ));
        assert!(run.stats.residual < 1e-8 && run.log.is_empty(), "{joint}: {} {:?}", run.stats.residual, run.log);
        let fallen = 0.5 * 9.81 * 0.4 * 0.4;
        assert!((1.0 - position(&run, 0)[2] - fallen).abs() < 1e-9, "{joint}: {:?}", position(&run, 0));
    }
}

/// Without gravity and without a start velocity a step cannot follow from either.
#[test]
fn steps_follow_forces_and_supports_where_there_is_no_gravity() {
    let ball = "[world]\ndimension = 3\ngravity = 0\n[[body]]\nname = 'b'\nshape.sphere.radius = 0.1\nmass = 1.0\nposition = [0, 0, 0.2]\n";
    let end = format!("{STEPS}[until]\ntime = 1.0\nrest = false\n");
    let spring =
        "[[spring]]\nbetween = ['b', 'world']\npoints = [[0, 0, 0.2], [0.7, 0, 0.2]]\nstiffness = 98.1\nlength = 0.5\n";
    let swung = run(&format!("{ball}{spring}{end}"));
    let exact = 0.2 - 0.2 * 98.1f64.sqrt().cos();
    assert!((position(&swung, 0)[0] - exact).abs() < 1e-3 && swung.closure < 1e-4, "{:?} {exact}", position(&swung, 0));
    let force = "[[force]]\nbody = 'b'\nforce = ['20 * sin(10 * t)', 0, 0]\n";
    let pushed = run(&format!("{ball}{force}{end}"));
    let exact = 2.0 - 0.2 * 10f64.sin();
    assert!((position(&pushed, 0)[0] - exact).abs() < 1e-3, "{:?} {exact}", position(&pushed, 0));
    let box_ = "[[container]]\nname = 'c'\nsize = [0.5, 0.5, 0.5]\nlid = true\n\
                motion.harmonic = { amplitude = 0.3, frequency = 2, direction = [1, 0, 0] }\n";
    let shaken = run(&format!("{ball}{box_}{end}"));
    assert!(
        shaken.end.is_regular() && shaken.impacts.len() > 2 && shaken.log.is_empty(),
        "{:?} {:?}",
        shaken.end,
        shaken.log
    );
}

/// A wall comes at 3 m/s to a ball at rest. Wherever in a step it arrives, it strikes the ball: e = 0.5 leaves it 1.5 times as fast.
#[test]
fn what_a_wall_strikes_is_not_called_overlapping() {
    for k in 0..8 {
        let wall = -0.5 - 0.0005 * f64::from(k);
        let run = run(&format!(
            "[world]\ndimension = 3\ngravity = 0\n[[wall]]\nname = 'bat'\npoint = [{wall}, 0, 0]\nnormal = [1, 0, 0]\n\
             motion.path = {{ displacement = '3 * t', direction = [1, 0, 0] }}\n[[body]]\nname = 'b'\nshape.sphere.radius = 0.1\nmass = 1.0\n\
             position = [0, 0, 0.1]\n[material]\nrestitution = 0.5\n{STEPS}step = 1e-3\n[until]\ntime = 0.3\nrest = false\n"
        ));
        assert_eq!(run.end.as_str(), "completed", "{wall}: {:?}", run.log);
        assert!((velocity(&run, 0)[0] - 4.5).abs() < 1e-9, "{wall}: {:?}", velocity(&run, 0));
    }
}
