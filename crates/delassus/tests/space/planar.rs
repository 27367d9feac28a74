//! Time-stepping in the plane meets the event-driven runs at first order.

use super::{apart, scenario};
use delassus::LawSpec;
use delassus::simulate::{Control, Scheme, Trajectory, simulate};

fn by(text: &str, scheme: Scheme, step: f64) -> Trajectory {
    let mut built = scenario(text).build().unwrap();
    (built.settings.scheme, built.settings.step) = (scheme, Some(step));
    let law = LawSpec::by_name("newton").unwrap();
    simulate(&built.system, &built.q, &built.u, &law, &built.settings, &built.until, &mut |_| Control::Continue)
        .unwrap()
}

/// Scenes that both schemes can run, up to a time at which they are not sensitive.
const SCENES: [(&str, &str); 5] = [
    (
        "a box slides up a slope and stops",
        "[[ground]]\nname = 'g'\nangle = 0.2\n[[body]]\nname = 'b'\nshape.box = { width = 0.3, height = 0.1 }\nmass = 1.0\n\
         position = [-0.009933466539753061, 0.04900332889206208]\nangle = 0.2\nvelocity = [1.4701, 0.298]\n\
         [material]\nfriction = 0.5\n[until]\ntime = 0.3\nrest = false\n",
    ),
    (
        "a disk bounces with friction and spin",
        "[[ground]]\nname = 'g'\n[[body]]\nname = 'b'\nshape.disk.radius = 0.1\nmass = 1.0\nposition = [0.0, 0.4]\nvelocity = [1.0, 0.0]\n\
         rate = 5.0\n[material]\nfriction = 0.2\nrestitution = 0.6\n[until]\ntime = 0.55\n",
    ),
    (
        "a block tips over its corner",
        "[[ground]]\nname = 'g'\n[[body]]\nname = 'b'\nshape.box = { width = 0.2, height = 0.4 }\nmass = 1.0\n\
         position = [0.0, 0.208984174720288]\nangle = -0.1\n[material]\nfriction = 0.6\n[until]\ntime = 0.15\noverturned = false\n",
    ),
    (
        "a pendulum swings",
        "[[body]]\nname = 'b'\nshape.rod.length = 1.0\nmass = 1.0\nposition = [0.5, 0.0]\n\
         [[joint]]\nname = 'pin'\ntype = 'pin'\nbetween = ['b', 'world']\npoint = [0.0, 0.0]\n[until]\ntime = 0.7\n",
    ),
    (
        "a disk rides on a shaken ground",
        "[[ground]]\nname = 'g'\nmotion.harmonic = { amplitude = 0.05, frequency = 1.0 }\n[[body]]\nname = 'b'\nshape.disk.radius = 0.1\n\
         mass = 1.0\nposition = [0.0, 0.1]\n[material]\nfriction = 0.05\n[until]\ntime = 0.8\n",
    ),
];

#[test]
fn errors_fall_with_the_step() {
    for (what, text) in SCENES {
        let exact = by(text, Scheme::Events, 1.0);
        let error = |step: f64| {
            let run = by(text, Scheme::TimeStepping, step);
            assert!(run.end == exact.end && run.time == exact.time, "{what}: {:?} {:?}", run.end, run.log);
            apart(&run.last().q, &exact.last().q)
        };
        // A sixteenth of the step: first order, whatever the phase of the impacts within a step.
        let (coarse, fine) = (error(3.2e-3), error(2e-4));
        assert!(coarse < 0.05 && fine < 0.25 * coarse + 1e-9, "{what}: {coarse:e} {fine:e}");
        assert!(fine < 2e-3, "{what}: {fine:e}");
    }
}

#[test]
fn results_have_the_contacts_of_event_driven_runs() {
    let (_, text) = SCENES[1];
    let (events, steps) = (by(text, Scheme::Events, 1.0), by(text, Scheme::TimeStepping, 1e-3));
    assert_eq!(events.contact_names, steps.contact_names);
    assert_eq!(events.impacts.len(), steps.impacts.len());
    for (a, b) in events.impacts.iter().zip(&steps.impacts) {
        assert_eq!(a.contacts, b.contacts);
        assert!((a.time - b.time).abs() < 5e-3 && apart(&a.u_plus, &b.u_plus) < 0.15, "{:?} {:?}", a.u_plus, b.u_plus);
        assert!(b.outcome.certificate.satisfies_law() && b.outcome.certificate.energetic < 1e-9);
    }
    assert_eq!(events.last().forces.len(), steps.last().forces.len());
    // At rest a contact force is the weight.
    let resting = by(SCENES[4].1, Scheme::TimeStepping, 1e-3);
    assert!((resting.last().forces[0][0] - 9.81).abs() < 1e-6, "{:?}", resting.last().forces);
}

/// A time that is no whole number of steps ends with a shorter one: its impulses are forces of its own length.
#[test]
fn forces_of_a_shorter_last_step_are_those_of_the_others() {
    for step in [3e-3, 0.15, 0.7] {
        let run = by(SCENES[4].1, Scheme::TimeStepping, step);
        let whole = (run.time / step).floor() * step;
        assert!(run.time - whole > 0.05 * step && run.time - whole < 0.95 * step, "the last step is shorter");
        assert!((run.last().forces[0][0] - 9.81).abs() < 1e-6, "{step}: {:?}", run.last().forces);
    }
}

#[test]
fn steps_longer_than_the_run_and_samples_closer_than_steps_end() {
    let go = |step: f64, interval: f64| {
        let mut built = scenario(SCENES[1].1).build().unwrap();
        (built.settings.scheme, built.settings.step) = (Scheme::TimeStepping, Some(step));
        built.settings.sample_interval = Some(interval);
        let law = LawSpec::by_name("newton").unwrap();
        simulate(&built.system, &built.q, &built.u, &law, &built.settings, &built.until, &mut |_| Control::Continue)
            .unwrap()
    };
    let whole = go(0.55, 1e-3);
    let told = |run: &Trajectory| run.log.iter().any(|remark| remark.text.contains("longer than the run"));
    assert!(whole.stats.steps == 1 && !told(&whole), "{:?}", whole.log);
    for step in [1.0, 1e9, 1e300] {
        let long = go(step, 1e-3);
        assert_eq!(
            (&long.last().q, &long.last().u, long.samples.len()),
            (&whole.last().q, &whole.last().u, 2),
            "{step}"
        );
        assert!(told(&long), "{:?}", long.log);
    }
    let close = go(0.01, 1e-6);
    assert_eq!(close.samples.len(), close.stats.steps + 1);
}

#[test]
fn other_laws_and_bad_steps_are_refused() {
    let mut built = scenario(SCENES[1].1).build().unwrap();
    (built.settings.scheme, built.settings.step) = (Scheme::TimeStepping, Some(1e-3));
    let go = |built: &delassus::scenario::Built, law: &str| {
        let law = LawSpec::by_name(law).unwrap();
        let done =
            simulate(&built.system, &built.q, &built.u, &law, &built.settings, &built.until, &mut |_| Control::Stop);
        done.map(|run| run.end).map_err(|e| e.to_string())
    };
    assert!(go(&built, "lzb").unwrap_err().contains("time-stepping takes the laws newton and moreau"));
    assert_eq!(go(&built, "moreau").unwrap().as_str(), "interrupted");
    for (step, theta) in [(Some(0.0), 0.5), (Some(f64::NAN), 0.5), (Some(1e-3), 0.4), (Some(1e-3), 1.1)] {
        (built.settings.step, built.settings.theta) = (step, theta);
        assert!(go(&built, "newton").unwrap_err().starts_with("integrator."));
    }
}

/// Disks in a box, in layers that fall onto each other.
fn box_of_disks(columns: usize, rows: usize, end: f64) -> String {
    let half = 0.056 * columns as f64;
    let mut text = format!(
        "integrator = {{ scheme = \"time-stepping\", step = 1e-3 }}\nsolver.tolerance = 1e-4\n\
         until = {{ time = {end}, rest = false }}\noutput.interval = {}\nmaterial = {{ friction = 0.3, restitution = 0.3 }}\n",
        0.5 * end
    );
    let walls = [([0.0, 0.0], [0.0, 1.0]), ([-half, 0.0], [1.0, 0.0]), ([half, 0.0], [-1.0, 0.0])];
    for (k, (point, normal)) in walls.iter().enumerate() {
        text += &format!("[[wall]]\nname = \"wall{k}\"\npoint = {point:?}\nnormal = {normal:?}\n");
    }
    for k in 0..columns * rows {
        let (row, column) = (k / columns, k % columns);
        let x = 0.11 * (column as f64 - 0.5 * (columns - 1) as f64) + 0.004 * ((7 * k % 11) as f64 / 11.0 - 0.5);
        text += &format!(
            "[[body]]\nname = \"b{k}\"\nshape.disk.radius = 0.05\nmass = 1.0\nposition = [{x}, {}]\n",
            0.06 + 0.11 * row as f64
        );
    }
    text
}

/// How deep disks of radius 0.05 are in each other.
fn deepest(q: &[f64]) -> f64 {
    let places = q.as_chunks::<3>().0;
    let pairs = places.iter().enumerate().flat_map(|(i, a)| places[..i].iter().map(move |b| (a, b)));
    pairs.map(|(a, b)| 0.1 - (a[0] - b[0]).hypot(a[1] - b[1])).fold(0.0, f64::max)
}

/// Contact problems solved coarsely let bodies creep into each other by next to nothing in every step.
#[test]
fn a_pile_at_rest_does_not_sink_by_and_by() {
    let run = super::run(&box_of_disks(6, 5, 3.0));
    let [.., middle, last] = &run.samples[..] else { panic!() };
    let depths = [middle, last].map(|sample| deepest(&sample.q));
    assert!(depths[1] < 1e-5 * 0.05 && depths[1] < depths[0] + 1e-6 * 0.05, "{depths:?}");
    assert!(last.energy.kinetic < 1e-9 && run.closure < 1e-9, "{last:?}");
}

#[test]
fn samples_of_many_bodies_hold_forces_of_supports_alone() {
    let few = super::run(&box_of_disks(10, 5, 2e-3));
    assert_eq!(few.force_names().len(), 50 * 49 / 2 + 3 * 50);
    let many = super::run(&box_of_disks(15, 10, 2e-3));
    assert_eq!((many.force_names().len(), many.last().forces.len()), (3 * 150, 3 * 150));
    assert!(many.log.iter().any(|remark| remark.text.contains("grounds and walls alone")), "{:?}", many.log);
}

#[test]
fn a_slider_beside_a_weld_lets_two_bodies_turn_together() {
    let (masses, places, rate) = ([1.1, 2.3], [[0.0, 0.0], [0.5, 0.2]], 4.0);
    let middle: [f64; 2] =
        std::array::from_fn(|k| (masses[0] * places[0][k] + masses[1] * places[1][k]) / (masses[0] + masses[1]));
    let body = |k: usize| {
        let ([x, y], name) = (places[k], ["a", "b"][k]);
        let velocity = [-rate * (y - middle[1]), rate * (x - middle[0])];
        format!(
            "[[body]]\nname = '{name}'\nshape.disk.radius = 0.05\nmass = {}\nposition = [{x}, {y}]\nvelocity = {velocity:?}\n\
             rate = {rate}\n",
            masses[k]
        )
    };
    let bodies = format!("[world]\ngravity = 0.0\n[until]\ntime = 1.0\nrest = false\n{}{}", body(0), body(1));
    let weld = "[[joint]]\nname = 'weld'\ntype = 'weld'\nbetween = ['a', 'b']\npoint = [0.2, 0.3]\n";
    let slider =
        "[[joint]]\nname = 'slider'\ntype = 'slider'\nbetween = ['b', 'a']\npoint = [0.4, -0.1]\naxis = [1.0, 0.5]\n";
    let one = by(&format!("{bodies}{weld}"), Scheme::TimeStepping, 2e-3);
    let both = by(&format!("{bodies}{weld}{slider}"), Scheme::TimeStepping, 2e-3);
    assert!((one.last().q[2] - rate).abs() < 1e-4 && both.time == 1.0, "{:?}", both.end);
    let worst = apart(&one.last().q, &both.last().q);
    assert!(worst < 1e-5 && both.closure < 1e-9 && both.stats.residual < 1e-8, "{worst} {:?}", both.stats);
}
