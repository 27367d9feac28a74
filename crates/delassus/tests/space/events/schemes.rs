//! Events and time-stepping meet as the step shrinks; what events cannot do is said.

use super::events;
use crate::{apart, scenario};
use delassus::LawSpec;
use delassus::simulate::{Control, Scheme, simulate};

const FLOOR: &str = "[world]\ndimension = 3\n[[ground]]\nname = 'floor'\n";

/// Scenes that both schemes can run, up to a time at which they are not sensitive.
const SCENES: [(&str, &str); 8] = [
    (
        "a ball bounces with friction and spin",
        "[[body]]\nname = 'b'\nshape.sphere.radius = 0.1\nmass = 1.0\nposition = [0.0, 0.0, 0.4]\nvelocity = [1.0, 0.3, 0.0]\n\
         spin = [5.0, 3.0, 2.0]\n[material]\nfriction = 0.2\nrestitution = 0.6\n[until]\ntime = 0.55\n",
    ),
    (
        "a cube strikes with a corner",
        "[[body]]\nname = 'b'\nshape.cuboid.size = [0.1, 0.1, 0.1]\nmass = 1.0\nposition = [0.0, 0.0, 0.2]\n\
         orientation = { axis = [1, 2, 0.5], angle = 0.7 }\nvelocity = [0.5, 0.2, 0.0]\nspin = [1.0, -2.0, 1.0]\n\
         [material]\nfriction = 0.4\nrestitution = 0.4\n[until]\ntime = 0.2\n",
    ),
    (
        "a box slides and stops",
        "[[body]]\nname = 'b'\nshape.cuboid.size = [0.3, 0.2, 0.1]\nmass = 1.0\nposition = [0.0, 0.0, 0.05]\n\
         velocity = [1.0, 0.7, 0.0]\n[material]\nfriction = 0.5\n[until]\ntime = 0.4\nrest = false\n",
    ),
    (
        "two balls collide",
        "[[body]]\nname = 'a'\nshape.sphere.radius = 0.1\nmass = 1.0\nposition = [0.0, 0.0, 0.1]\nvelocity = [1.0, 0.0, 0.0]\n\
         [[body]]\nname = 'b'\nshape.sphere.radius = 0.1\nmass = 2.0\nposition = [0.35, 0.08, 0.1]\n\
         [material]\nfriction = 0.2\nrestitution = 0.7\n[until]\ntime = 0.3\n",
    ),
    (
        "a coin rolls on its rim",
        "[[body]]\nname = 'b'\nshape.cylinder = { radius = 0.1, height = 0.01 }\nmass = 1.0\nposition = [0.0, 0.0, 0.0996242984559722]\n\
         orientation = { axis = [1, 0, 0], angle = 1.4207963267948966 }\nvelocity = [1.0, 0.0, 0.0]\nspin = [0.0, 10.0, 0.0]\n\
         [material]\nfriction = 0.8\n[until]\ntime = 0.3\n",
    ),
    (
        "a ball rides on a shaken floor",
        "motion.harmonic = { direction = [1, 0.5, 0], amplitude = 0.05, frequency = 1.0 }\n[[body]]\nname = 'b'\nshape.sphere.radius = 0.1\n\
         mass = 1.0\nposition = [0.0, 0.0, 0.1]\n[material]\nfriction = 0.05\n[until]\ntime = 0.8\n",
    ),
    (
        "a ball rolls off a box",
        "[[body]]\nname = 'box'\nshape.cuboid.size = [0.4, 0.4, 0.2]\nmass = 3.0\nposition = [0.0, 0.0, 0.1]\n\
         [[body]]\nname = 'ball'\nshape.sphere.radius = 0.1\nmass = 1.0\nposition = [0.05, 0.0, 0.3]\nvelocity = [0.5, 0.05, 0.0]\n\
         spin = [0.0, 5.0, 0.0]\n[material]\nfriction = 0.6\nrestitution = 0.2\n[until]\ntime = 0.45\n",
    ),
    (
        "a ball strikes the corner of a cube",
        "[[body]]\nname = 'ball'\nshape.sphere.radius = 0.1\nmass = 1.0\nposition = [0.33, 0.31, 0.5]\nvelocity = [-0.5, -0.4, 0.0]\n\
         [[body]]\nname = 'box'\nshape.cuboid.size = [0.3, 0.3, 0.3]\nmass = 3.0\nposition = [0.0, 0.0, 0.15]\n\
         [material]\nfriction = 0.3\nrestitution = 0.5\n[until]\ntime = 0.3\n",
    ),
];

#[test]
fn errors_fall_with_the_step() {
    for (what, scene) in SCENES {
        let text = format!("{FLOOR}{scene}");
        let exact = events(&text);
        let error = |step: f64| {
            let mut built = scenario(&text).build().unwrap();
            (built.settings.scheme, built.settings.step) = (Scheme::TimeStepping, Some(step));
            let law = LawSpec::by_name("newton").unwrap();
            let run = simulate(&built.system, &built.q, &built.u, &law, &built.settings, &built.until, &mut |_| {
                Control::Continue
            })
            .unwrap();
            assert!(run.end == exact.end && run.time == exact.time, "{what}: {:?} {:?}", run.end, run.log);
            apart(&run.last().q, &exact.last().q)
        };
        let (coarse, fine) = (error(3.2e-3), error(2e-4));
        println!("{what}: {coarse:e} {fine:e}");
        assert!(coarse < 0.05 && fine < 0.25 * coarse + 1e-9, "{what}: {coarse:e} {fine:e}");
        assert!(fine < 2e-3, "{what}: {fine:e}");
    }
}

#[test]
fn pairs_that_events_do_not_know_are_named() {
    let two = "[[body]]\nname = 'cube'\nshape.cuboid.size = [0.1, 0.1, 0.1]\nmass = 1.0\nposition = [0.0, 0.0, 0.2]\n\
        [[body]]\nname = 'can'\nshape.cylinder = { radius = 0.1, height = 0.1 }\nmass = 1.0\nposition = [1.0, 0.0, 0.2]\n\
        [integrator]\nscheme = 'event-driven'\n[until]\ntime = 0.1\n";
    let built = scenario(&format!("{FLOOR}{two}")).build().unwrap();
    let law = LawSpec::by_name("newton").unwrap();
    let refused =
        simulate(&built.system, &built.q, &built.u, &law, &built.settings, &built.until, &mut |_| Control::Continue);
    let text = refused.unwrap_err().to_string();
    assert!(text.contains("cube") && text.contains("can") && text.contains("time-stepping"), "{text}");
}
