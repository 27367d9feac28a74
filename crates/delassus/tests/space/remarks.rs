//! What a run tells of its file before it begins: settings that its scheme does not read, gravity that points up.

use super::scenario;

/// What is told of a ball in free flight, in the plane or in space.
fn told(space: bool, world: &str, integrator: &str) -> Vec<String> {
    let (dimension, shape, place) = if space { (3, "sphere", "[0, 0, 1]") } else { (2, "disk", "[0, 1]") };
    let text = format!(
        "[world]\ndimension = {dimension}\n{world}\n[[body]]\nname = 'b'\nshape.{shape}.radius = 0.1\nmass = 1\n\
         position = {place}\n[integrator]\n{integrator}\n[until]\ntime = 0.1\n"
    );
    super::run(&text).log.into_iter().map(|remark| remark.text).collect()
}

#[test]
fn settings_that_the_scheme_does_not_read_are_told() {
    for space in [false, true] {
        for (given, keys) in [
            ("scheme = 'events'\nstep = 1e-3", "without effect: integrator.step;"),
            ("scheme = 'events'\ntheta = 1\nsleep = true", "without effect: integrator.theta, integrator.sleep;"),
            ("scheme = 'time-stepping'\nstep = 1e-3\ntolerance = 1e-6", "without effect: integrator.tolerance;"),
            ("scheme = 'time-stepping'\nstep = 1e-3\nmax_step = 1e-6", "without effect: integrator.max_step;"),
        ] {
            let log = told(space, "", given);
            assert!(log.len() == 1 && log[0].starts_with(keys), "{given}: {log:?}");
        }
        for read in [
            "scheme = 'events'\ntolerance = 1e-6\nmax_step = 0.1\nmax_events = 10\naccumulation = 1e-4",
            "scheme = 'time-stepping'\nstep = 1e-3\ntheta = 1\nsleep = true\ncontact_tolerance = 1e-8",
            "scheme = 'auto'\ntolerance = 1e-6\nstep = 1e-3",
        ] {
            let log = told(space, "", read);
            assert!(!log.iter().any(|text| text.contains("without effect")), "{read}: {log:?}");
        }
    }
    // In the plane a step alone does not choose time-stepping, as it does in space.
    assert!(told(false, "", "step = 1e-3")[0].ends_with("integrator.scheme = \"time-stepping\" reads it"));
    assert_eq!(told(true, "", "step = 1e-3"), [""; 0]);
}

#[test]
fn springs_and_forces_that_do_nothing_are_told() {
    for (space, ends, torque) in [(false, "[[0, 1], [0, 2]]", "0.1"), (true, "[[0, 0, 1], [0, 0, 2]]", "[0, 0, 0.1]")] {
        let spring = |more: &str| format!("[[spring]]\nbetween = ['b', 'world']\npoints = {ends}\n{more}\n");
        let force = |more: &str| format!("[[force]]\nbody = 'b'\n{more}\n");
        let idle = format!("{}{}", spring(""), force(""));
        let log = told(space, &idle, "");
        assert!(log.len() == 1 && log[0].starts_with("without effect: spring[0], force[0]; "), "{log:?}");
        let acting =
            format!("{}{}{}", spring("stiffness = 1"), spring("damping = 1"), force(&format!("torque = {torque}")));
        assert_eq!(told(space, &acting, ""), [""; 0]);
    }
}

#[test]
fn gravity_that_points_up_is_told() {
    for (space, axis, vector) in [(false, "-y", "[0, -9.81]"), (true, "-z", "[0, 0, -9.81]")] {
        let log = told(space, "gravity = -9.81", "");
        let text = format!("world.gravity = -9.81 points up: a number is along {axis}, so 9.81 is downwards");
        assert_eq!(log, [text]);
        for meant in ["9.81", "0", vector] {
            assert_eq!(told(space, &format!("gravity = {meant}"), ""), [""; 0], "{meant}");
        }
    }
}

/// Messages of starts that cannot be say by how much, and where.
#[test]
fn overlaps_at_the_start_are_told_with_their_depth() {
    let scene = |integrator: &str| {
        let text = format!(
            "[world]\ndimension = 3\n[[ground]]\nname = 'floor'\n[[body]]\nname = 'b'\nshape.sphere.radius = 0.1\nmass = 1\n\
             position = [0, 0, 0.08]\n[integrator]\n{integrator}\n"
        );
        let built = scenario(&text).build().unwrap();
        let law = delassus::LawSpec::by_name("newton").unwrap();
        let done = delassus::simulate::simulate(
            &built.system,
            &built.q,
            &built.u,
            &law,
            &built.settings,
            &built.until,
            &mut |_| delassus::simulate::Control::Continue,
        );
        done.map(|run| run.end).unwrap_err().to_string()
    };
    for scheme in ["events", "time-stepping"] {
        let error = scene(&format!("scheme = '{scheme}'"));
        assert!(error.contains("overlap at the start, by 2.0000e-2 m at the contact b-floor"), "{scheme}: {error}");
    }
}
