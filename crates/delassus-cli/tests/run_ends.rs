//! How runs end that once went wrong, end to end.

mod common;

use std::path::Path;

use common::{delassus, json_of_success as json, scratch};

fn write(folder: &Path, name: &str, text: &str) -> String {
    let file = folder.join(name).display().to_string();
    std::fs::write(&file, text).unwrap();
    file
}

/// The lowest point of a rim wanders ever faster while a cylinder falls flat: these gained 1e7 times their energy.
#[test]
fn cylinders_fall_flat() {
    let folder = scratch("cylinders");
    for (k, (radius, height, friction, turn)) in [
        (0.2, 0.2, 0.8, [-0.8378985538812205, -1.3209454167963839, 1.5025678022730566, 0.0001538419264695536]),
        (0.1, 0.1, 0.0, [0.11208029830110267, -1.6758255298907239, 0.12658241346888707, 0.021459299020133445]),
    ]
    .into_iter()
    .enumerate()
    {
        let text = format!(
            "material = {{ friction = {friction:?}, restitution = 0.0 }}\nuntil = {{ time = 1.5 }}\nworld.dimension = 3\n\
             [[ground]]\nname = \"floor\"\n[[body]]\nname = \"cylinder\"\n\
             shape.cylinder = {{ radius = {radius}, height = {height} }}\nmass = 1.0\n\
             position = [0.0, 0.0, 0.4]\norientation = {turn:?}\n"
        );
        let run = json(&delassus(&["run", &write(&folder, &format!("{k}.toml"), &text), "--json"]));
        assert_eq!(run["status"], "at-rest", "{k}: {}", run["status"]);
        // It rests on its end or on its side.
        let energy = run["energy"]["final"].as_f64().unwrap() / 9.81;
        assert!([0.5 * height, radius].iter().any(|h| (energy - h).abs() < 1e-6), "{k}: {energy}");
        assert!(run["energy"]["closure"].as_f64().unwrap() < 1e-6);
    }
}

/// A force that is zero at first acts when it comes.
#[test]
fn forces_that_come_later_are_waited_for() {
    let folder = scratch("late");
    let text = r#"
        material = { friction = 0.0, restitution = 0.0 }
        until = { time = 2.0 }
        world.dimension = 3
        integrator.scheme = "events"
        ground = [{ name = "floor" }]
        body = [{ name = "ball", shape = { sphere = { radius = 0.1 } }, mass = 1.0, position = [0.0, 0.0, 0.1] }]
        force = [{ body = "ball", force = ["5*step(t-1)", 0.0, 0.0] }]
    "#;
    let run = json(&delassus(&["run", &write(&folder, "late.toml", text), "--json"]));
    assert_eq!(run["status"], "completed", "{run}");
    assert!((run["q"][0].as_f64().unwrap() - 2.5).abs() < 1e-6, "{}", run["q"]);
}

/// What stands beside a motion is not dropped.
#[test]
fn keys_beside_a_motion_are_refused() {
    let folder = scratch("beside");
    for beside in
        ["direction = [0.0, 1.0]", "foo = 1", "pulse = { shape = \"one-sine\", acceleration = 1.0, period = 1.0 }"]
    {
        let text = format!(
            "[rocking_block]\nwidth = 0.2\nheight = 0.4\nmass = 1.0\n[[ground]]\nname = \"floor\"\n\
             motion = {{ harmonic = {{ amplitude = 0.01, frequency = 1.0 }}, {beside} }}\n"
        );
        let output = delassus(&["run", &write(&folder, "beside.toml", &text)]);
        assert_eq!(output.status.code(), Some(2), "{beside}");
        let words = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(words.contains("ground[0].motion"), "{words}");
    }
}

/// A heavy load at the end of a light chain tears the joints of steps that are too long: no good end.
#[test]
fn joints_that_come_apart_are_no_good_end() {
    let folder = scratch("apart");
    let link = |k: usize, mass: f64| {
        let x = 0.05 + 0.1 * k as f64;
        format!(
            "[[body]]\nname = \"l{k}\"\nshape.capsule = {{ radius = 0.02, length = 0.05 }}\nmass = {mass:?}\n\
             position = [{x}, 0.0, 0.0]\norientation = {{ axis = [0.0, 1.0, 0.0], angle = \"90deg\" }}\n"
        )
    };
    let joint = |k: usize| {
        let before = if k == 0 { "world".to_owned() } else { format!("l{}", k - 1) };
        let x = 0.1 * k as f64;
        format!(
            "[[joint]]\nname = \"j{k}\"\ntype = \"ball\"\nbetween = [\"{before}\", \"l{k}\"]\npoint = [{x}, 0.0, 0.0]\n"
        )
    };
    let mut text = "world.dimension = 3\nintegrator.step = 0.001\nuntil.time = 0.5\n".to_owned();
    (0..5).for_each(|k| text += &link(k, if k == 4 { 1000.0 } else { 0.1 }));
    (0..5).for_each(|k| text += &joint(k));
    let output = delassus(&["run", &write(&folder, "chain.toml", &text), "--json"]);
    let run = common::json(&output);
    let drift = run["stats"]["joint_drift"].as_f64().unwrap();
    // Either it is computed well or it is not called good.
    let good = drift < 0.1 && run["energy"]["final"].as_f64().unwrap() < 1.0;
    assert_eq!(output.status.code(), Some(i32::from(!good)), "{}", run["status"]);
    assert!(good || run["status"] == "penetration", "{}", run["status"]);
}
