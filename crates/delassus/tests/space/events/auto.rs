//! Runs that go on by time-stepping where events come to no end.

use super::{G, body};
use crate::{Trajectory, norm, position, scenario, velocity};
use delassus::LawSpec;
use delassus::simulate::{Control, Scheme, simulate};

fn auto(law: &str, text: &str, events: usize) -> Trajectory {
    let mut built = scenario(text).build().unwrap();
    (built.settings.scheme, built.settings.max_events) = (Scheme::Auto, events);
    let law = LawSpec::by_name(law).unwrap();
    simulate(&built.system, &built.q, &built.u, &law, &built.settings, &built.until, &mut |_| Control::Continue)
        .unwrap()
}

/// A ball that bounces and slides, in space and in the plane.
fn balls() -> [String; 2] {
    let end = "[material]\nfriction = 0.2\nrestitution = 0.8\n[integrator]\nstep = 1e-4\n[until]\ntime = 2.5\n[output]\ninterval = 0.1\n";
    [
        format!(
            "[world]\ndimension = 3\n[[ground]]\nname = 'floor'\n[[body]]\nname = 'ball'\nshape.sphere.radius = 0.1\nmass = 1.0\n\
             position = [0.0, 0.0, 0.6]\nvelocity = [1.0, 0.0, 0.0]\n{end}"
        ),
        format!(
            "[[ground]]\nname = 'floor'\n[[body]]\nname = 'ball'\nshape.disk.radius = 0.1\nmass = 1.0\n\
             position = [0.0, 0.6]\nvelocity = [1.0, 0.0]\n{end}"
        ),
    ]
}

#[test]
fn what_has_an_end_stays_by_events() {
    for text in balls() {
        let run = auto("newton", &text, 1_000_000);
        assert!(run.stepped_from.is_none() && run.end.as_str() == "completed" && run.closure < 1e-9, "{:?}", run.log);
    }
}

#[test]
fn few_bodies_that_events_know_are_by_events_without_being_asked() {
    let scene = |body: &str, rest: &str| {
        format!("[world]\ndimension = 3\n[[ground]]\nname = 'floor'\n[[body]]\nname = 'b'\nmass = 1.0\n{body}\n{rest}")
    };
    let chosen = |text: &str| scenario(text).build().unwrap().settings.scheme;
    let ball = "shape.sphere.radius = 0.1\nposition = [0.0, 0.0, 0.6]";
    let cube = "shape.cuboid.size = [0.1, 0.1, 0.1]\nposition = [0.0, 0.0, 0.6]";
    let other = "[[body]]\nname = 'c'\nmass = 1.0\nshape.cuboid.size = [0.1, 0.1, 0.1]\nposition = [0.0, 0.0, 0.2]";
    let balls = |n: usize| {
        format!(
            "[[array]]\nname = 'a'\nshape.sphere.radius = 0.01\nmass = 0.1\ncount = [{n}, 1, 1]\nspacing = [0.03, 0.03, 0.03]\nposition = [1.0, 0.0, 0.1]"
        )
    };
    let joints = |n: usize| {
        let joint = |k: usize| {
            let place = format!("[0.0, 0.0, {}]", 0.6 + 0.01 * k as f64);
            format!("[[joint]]\nname = 'j{k}'\ntype = 'ball'\nbetween = ['b', 'world']\npoint = {place}\n")
        };
        (0..n).map(joint).collect::<String>()
    };
    for (text, expected) in [
        (scene(ball, &joints(13)), Scheme::Auto),
        (scene(ball, &joints(14)), Scheme::TimeStepping),
        (scene(ball, ""), Scheme::Auto),
        (scene(cube, ""), Scheme::Auto),
        (scene(ball, &balls(19)), Scheme::Auto),
        (scene(ball, &balls(20)), Scheme::TimeStepping),
        (scene(cube, other), Scheme::TimeStepping),
        (scene(ball, "[integrator]\nstep = 1e-3"), Scheme::TimeStepping),
        (scene(ball, "[integrator]\nscheme = 'events'\nstep = 1e-3"), Scheme::Events),
    ] {
        assert_eq!(chosen(&text), expected, "{text}");
    }
    let twice = scenario(&scene(ball, &[joints(1), joints(1)].concat())).build().unwrap_err().to_string();
    assert!(twice.contains("joint[1].name"), "{twice}");
    // Its first impact is at the time that the fall takes, and any law can be asked.
    let built = scenario(&scene(ball, "[material]\nrestitution = 0.5\n[until]\ntime = 0.4")).build().unwrap();
    let law = LawSpec::by_name("lzb").unwrap();
    let run =
        simulate(&built.system, &built.q, &built.u, &law, &built.settings, &built.until, &mut |_| Control::Continue)
            .unwrap();
    assert!((run.impacts[0].time - (2.0 * 0.5 / G).sqrt()).abs() < 1e-12, "{}", run.impacts[0].time);
}

#[test]
fn beyond_the_events_allowed_it_goes_on_by_steps_and_says_so() {
    for text in balls() {
        let exact = auto("newton", &text, 1_000_000);
        let run = auto("newton", &text, 3);
        let from = run.stepped_from.expect("time-stepping");
        assert!(run.end.as_str() == "completed" && run.time == exact.time, "{:?} {:?}", run.end, run.log);
        assert!(run.log.iter().any(|remark| remark.time == from && remark.text.contains("by time-stepping")));
        // Impacts before are the same, those after at first order in the step; names and numbers go on.
        let early =
            |run: &Trajectory| run.impacts.iter().filter(|i| i.time <= from).map(|i| i.time).collect::<Vec<_>>();
        assert_eq!(early(&exact), early(&run));
        assert!(run.impacts.len() > early(&run).len() + 3);
        assert_eq!(run.impacts.last().unwrap().contacts, exact.impacts[0].contacts);
        let counted = run.events.iter().filter(|e| e.kind.as_str() == "impact").count();
        assert_eq!(counted, run.impacts.len());
        let (a, b) = (run.last(), exact.last());
        assert!((a.q[0] - b.q[0]).abs() < 2e-2 && (a.u[0] - b.u[0]).abs() < 2e-2, "{:?} {:?}", a.q, b.q);
        // Samples go on at their interval, and so does the account.
        // Two more: where the schemes meet, and the end of a last step that is shorter.
        assert!((exact.samples.len()..=exact.samples.len() + 2).contains(&run.samples.len()));
        assert!(run.samples.windows(2).all(|w| w[0].time < w[1].time));
        let e = &a.energy;
        let off = e.total() - run.start().energy.total() - e.work();
        assert!(off.abs() < 1e-3 * run.start().energy.total() && run.closure < 1e-3, "{off} {}", run.closure);
    }
}

#[test]
fn shapes_without_events_are_stepped_from_the_start() {
    let two = "[world]\ndimension = 3\n[[ground]]\nname = 'floor'\n[[body]]\nname = 'cube'\nshape.cuboid.size = [0.1, 0.1, 0.1]\nmass = 1.0\n\
        position = [0.0, 0.0, 0.05]\n[[body]]\nname = 'rod'\nshape.capsule = { radius = 0.1, length = 0.2 }\nmass = 1.0\nposition = [1.0, 0.0, 0.2]\n[until]\ntime = 0.1\n";
    let run = auto("newton", two, 100);
    assert_eq!(run.stepped_from, Some(0.0));
    assert!(run.log[0].text.contains("cube with rod"), "{:?}", run.log);
}

#[test]
fn a_law_that_has_no_steps_stays_where_it_is() {
    let run = auto("lzb", &balls()[0], 6);
    assert!(run.stepped_from.is_none() && run.end.as_str() == "max-events");
    assert!(run.log.iter().any(|remark| remark.text.contains("not lzb")), "{:?}", run.log);
}

#[test]
fn a_ball_at_the_limit_of_restitution_is_not_taken_for_endless() {
    let start = "position = [0.0, 0.0, 0.3]";
    let text = body("sphere.radius = 0.1", start, "restitution = 0.95", "time = 20.0");
    let run = auto("newton", &text, 1_000_000);
    assert!(run.stepped_from.is_none() && run.end.as_str() == "at-rest", "{:?} {:?}", run.end, run.log);
    let fall = (2.0 * 0.2 / G).sqrt();
    assert!((run.time - fall * 1.95 / 0.05).abs() < 1e-3 && norm(velocity(&run, 0)) < 1e-9);
    assert!((position(&run, 0)[2] - 0.1).abs() < 1e-12);
}
