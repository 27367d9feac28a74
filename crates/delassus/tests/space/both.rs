//! Every scene of `scenarios/` that both schemes can run: time-stepping meets the event-driven run at first order.

use delassus::LawSpec;
use delassus::simulate::{Control, Scheme, Trajectory, simulate};
use delassus_io::{Format, read_scenarios};

/// Scenes with a time up to which they are not sensitive, and a step h: errors are measured at h, h/4 and h/16.
const SCENES: [(&str, f64, f64); 29] = [
    ("block-on-slope", 0.3, 3.2e-3),
    ("bouncing-ball", 1.0, 3.2e-3),
    ("chain", 0.3, 3.2e-3),
    ("cradle", 0.35, 3.2e-3),
    ("dimer", 0.05, 1e-3),
    // Newton's law lets it gain energy, and so it does here.
    ("double-pendulum", 0.05, 1e-3),
    ("earthquake", 1.0, 3.2e-3),
    ("housner-block", 0.4, 3.2e-3),
    ("pulse", 0.5, 3.2e-3),
    ("rocking-block", 0.2, 3.2e-3),
    ("rod", 0.3, 3.2e-3),
    ("slider-crank", 0.1, 3.2e-3),
    ("stack", 0.5, 3.2e-3),
    ("tapered-chain", 0.02, 3.2e-5),
    ("space/balls-and-cushion", 0.2, 3.2e-3),
    ("space/bead-column", 0.12, 3.2e-3),
    ("space/billiard-break", 0.08, 3.2e-3),
    ("space/block-lzb", 0.15, 3.2e-3),
    ("space/coin-rolling", 0.3, 3.2e-3),
    ("space/coin", 0.1, 3.2e-3),
    ("space/cradle", 0.35, 3.2e-3),
    ("space/cube-on-floor", 0.28, 1e-3),
    ("space/disks-in-a-box", 0.05, 1e-3),
    ("space/foot", 0.1, 1e-3),
    ("space/packing", 0.05, 3.2e-3),
    ("space/rocking-block", 0.15, 3.2e-3),
    ("space/shaken-stack", 0.1, 3.2e-3),
    ("space/sliding-sphere", 0.5, 3.2e-3),
    ("space/spheres-in-a-box", 0.05, 3.2e-3),
];

/// A scene that stands still, by either scheme.
const STANDS: &str = "space/arch";

/// Scenes that events cannot run, and what they say of them.
const ALONE: [(&str, &str); 1] = [("space/terrain", "events know planes, not the triangles")];

fn folder() -> std::path::PathBuf {
    std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenarios")
}

/// The motion of a scene until `time` under Newton's law. Time-stepping knows no static friction, so none is left.
fn motion(name: &str, time: f64, scheme: Scheme, step: f64) -> Result<Trajectory, String> {
    let file = folder().join(format!("{name}.toml"));
    let text = std::fs::read_to_string(&file).map_err(|e| format!("{file:?}: {e}"))?;
    let read = |other: &str| std::fs::read_to_string(folder().join(other)).map_err(|e| e.to_string());
    let document = read_scenarios(&text, name, Format::Toml, &read).map_err(|e| e.to_string())?;
    let mut scenario = document.entries.into_iter().next().ok_or("no scene")?.scenario;
    scenario.material.iter_mut().for_each(|material| material.friction_static = None);
    if let Some(space) = &mut scenario.space {
        space.material.iter_mut().for_each(|material| material.friction_static = None);
    }
    let mut built = scenario.build().map_err(|e| e.to_string())?;
    (built.settings.scheme, built.settings.step) = (scheme, Some(step));
    (built.until.time, built.until.rest, built.until.overturned, built.until.impacts) = (time, false, false, None);
    let law = LawSpec::by_name("newton").ok_or("no law")?;
    let run =
        simulate(&built.system, &built.q, &built.u, &law, &built.settings, &built.until, &mut |_| Control::Continue)
            .map_err(|e| e.to_string())?;
    if run.time == time { Ok(run) } else { Err(format!("{:?} at {}", run.end, run.time)) }
}

/// Errors at three steps, in units of step times the largest velocity times one more than impacts.
fn errors(name: &str, time: f64, step: f64) -> Result<[f64; 3], String> {
    let exact = motion(name, time, Scheme::Events, 1.0)?;
    let fastest = exact.samples.iter().flat_map(|s| &s.u).fold(0.0f64, |m, v| m.max(v.abs()));
    let mut found = [0.0; 3];
    for (k, error) in found.iter_mut().enumerate() {
        let h = step / 4f64.powi(k as i32);
        let run = motion(name, time, Scheme::TimeStepping, h)?;
        let off = super::apart(&run.last().q, &exact.last().q);
        *error = off / (h * fastest * (1 + exact.impacts.len()) as f64);
    }
    Ok(found)
}

#[test]
fn time_stepping_meets_events_on_every_scene() {
    for (name, time, step) in SCENES {
        let errors = errors(name, time, step).unwrap_or_else(|e| panic!("{name}: {e}"));
        // First order: the same bound at every step, whatever the phase of the impacts within one.
        assert!(errors.iter().all(|error| *error < 1.5), "{name}: {errors:?}");
    }
    for scheme in [Scheme::Events, Scheme::TimeStepping] {
        let run = motion(STANDS, 0.2, scheme, 2e-3).unwrap();
        assert!(super::apart(&run.start().q, &run.last().q) < 1e-9, "{scheme}");
    }
    for (name, reason) in ALONE {
        let refused = motion(name, 0.01, Scheme::Events, 1.0).expect_err(name);
        assert!(refused.contains(reason), "{name}: {refused}");
    }
}

#[test]
fn no_scene_is_left_out() {
    for part in ["", "space/"] {
        for entry in std::fs::read_dir(folder().join(part)).unwrap() {
            let file = entry.unwrap().file_name().into_string().unwrap();
            let Some(name) = file.strip_suffix(".toml").map(|stem| format!("{part}{stem}")) else { continue };
            let known = SCENES.iter().map(|scene| scene.0).chain(ALONE.iter().map(|scene| scene.0)).chain([STANDS]);
            assert_eq!(known.filter(|known| *known == name).count(), 1, "{name}");
        }
    }
}
