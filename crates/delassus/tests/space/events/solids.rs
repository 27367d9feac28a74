//! Bodies with flat faces on each other by events: corners on faces, edges across edges.

use super::{G, events, under};
use crate::{Trajectory, apart, norm, position, scenario, spin, velocity};
use delassus::LawSpec;
use delassus::simulate::{Control, Scheme, simulate};

const FLOOR: &str = "[world]\ndimension = 3\n[[ground]]\nname = 'floor'\n";

fn cuboid(name: &str, size: [f64; 3], position: [f64; 3], more: &str) -> String {
    format!(
        "[[body]]\nname = '{name}'\nshape.cuboid.size = {size:?}\ndensity = 1000.0\nposition = {position:?}\n{more}\n"
    )
}

/// Cubes of 0.1 m on each other, each turned by its angle about the vertical.
fn stack(turns: &[f64], until: f64) -> String {
    let cubes = turns.iter().enumerate().map(|(k, turn)| {
        let turn = format!("orientation = {{ axis = [0, 0, 1], angle = {turn:?} }}");
        cuboid(&format!("c{k}"), [0.1; 3], [0.0, 0.0, 0.05 + 0.1 * k as f64], &turn)
    });
    let rest = format!("[material]\nfriction = 0.5\n[until]\ntime = {until:?}\nrest = false\n");
    format!("{FLOOR}{}{rest}", cubes.collect::<String>())
}

/// How far bodies have moved and turned since the start.
fn drift(run: &Trajectory) -> f64 {
    apart(&run.samples[0].q, &run.last().q)
}

#[test]
fn ten_cubes_stand_for_a_minute() {
    let run = events(&stack(&[0.0; 10], 60.0));
    assert_eq!(run.time, 60.0);
    // Drift of 1e-6 of the size is what is asked.
    assert!(drift(&run) < 1e-12, "{:e}", drift(&run));
    assert_eq!(run.impacts.len(), 0);
}

#[test]
fn turned_cubes_stand_on_crossing_edges() {
    let turns = [0.0, 0.25 * std::f64::consts::PI, 0.3, 1.0];
    let run = events(&stack(&turns, 10.0));
    assert!(drift(&run) < 1e-12, "{:e}", drift(&run));
    // The second cube has no corner above the first: eight crossings of edges carry it and what stands on it.
    let carries = run.contact_names.iter().zip(&run.last().forces).filter(|(_, force)| force[0] > 0.0);
    let names: Vec<_> = carries.filter(|(name, _)| name.contains("c0") && name.contains("c1")).collect();
    assert!(names.len() >= 3 && names.iter().all(|(name, _)| name.contains("edge")), "{names:?}");
    let sum: f64 = names.iter().map(|(_, force)| force[0]).sum();
    assert!((sum - 3.0 * G).abs() < 1e-9, "{sum}");
}

#[test]
fn a_cube_dropped_flat_on_a_cube_rebounds_without_spin() {
    for law in ["newton", "poisson", "moreau", "lzb"] {
        for turn in [0.0, 0.4] {
            let turn = format!("orientation = {{ axis = [0, 0, 1], angle = {turn} }}");
            let two = cuboid("low", [0.2, 0.2, 0.1], [0.0, 0.0, 0.05], "")
                + &cuboid("high", [0.1; 3], [0.02, 0.01, 0.25], &turn);
            let text =
                format!("{FLOOR}{two}[material]\nfriction = 0.3\nrestitution = 0.5\n[until]\ntime = 0.2\nrest = false\n");
            let run = under(law, &text);
            assert!(run.impacts.len() >= 1);
            assert!(norm(spin(&run, 1)) < 1e-9, "{law}: {:?}", spin(&run, 1));
            assert!(velocity(&run, 1)[0].abs() < 1e-9 && position(&run, 1)[2] > 0.15);
        }
    }
}
