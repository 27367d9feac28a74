//! Bodies with flat faces on each other by events: corners on faces, edges across edges.

use super::random::Random;
use super::{G, events, under};
use crate::{Trajectory, apart, norm, position, scenario, spin, velocity};
use delassus::LawSpec;
use delassus::simulate::{Control, Energies, Scheme, simulate};

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
    // A hundredth of a millionth of their size.
    assert!(drift(&run) < 1e-9, "{:e}", drift(&run));
    assert_eq!(run.impacts.len(), 0);
}

#[test]
fn turned_cubes_stand_on_crossing_edges() {
    let turns = [0.0, 0.25 * std::f64::consts::PI, 0.3, 1.0];
    let run = events(&stack(&turns, 10.0));
    assert!(drift(&run) < 1e-9, "{:e}", drift(&run));
    // The second cube has no corner above the first: eight crossings of edges carry it and what stands on it.
    let carries = run.contact_names.iter().zip(&run.last().forces).filter(|(_, force)| force[0] > 0.0);
    let names: Vec<_> = carries.filter(|(name, _)| name.contains("c0") && name.contains("c1")).collect();
    assert!(names.len() >= 3 && names.iter().all(|(name, _)| name.contains("edge")), "{names:?}");
    let sum: f64 = names.iter().map(|(_, force)| force[0]).sum();
    assert!((sum - 3.0 * G).abs() < 1e-9, "{sum}");
}

#[test]
fn a_cube_dropped_flat_on_a_cube_rebounds_without_spin() {
    // Off the centre lzb, whose contacts yield one after the other, makes the lower one rock.
    for (law, aside) in [("newton", 0.02), ("poisson", 0.02), ("moreau", 0.02), ("lzb", 0.0)] {
        for turn in [0.0, 0.4] {
            let turn = format!("orientation = {{ axis = [0, 0, 1], angle = {turn} }}");
            let two = cuboid("low", [0.2, 0.2, 0.1], [0.0, 0.0, 0.05], "")
                + &cuboid("high", [0.1; 3], [aside, 0.5 * aside, 0.25], &turn);
            let text = format!(
                "{FLOOR}{two}[material]\nfriction = 0.3\nrestitution = 0.5\n[until]\ntime = 0.2\nrest = false\n"
            );
            let run = under(law, &text);
            // Its fall by 0.1 m takes √(2·0.1/g).
            let fall = (0.2 / G).sqrt();
            assert!((run.impacts[0].time - fall).abs() < 1e-12, "{law}: {}", run.impacts[0].time);
            assert!(norm(spin(&run, 1)) < 1e-9, "{law}: {:?}", spin(&run, 1));
            assert!(velocity(&run, 1)[0].abs() < 1e-9 && position(&run, 1)[2] > 0.15);
        }
    }
}

/// A cube that overhangs another by more than half tips over its edge.
const TIPPING: &str = "[material]\nfriction = 0.6\n[until]\ntime = 0.22\nrest = false\n";

#[test]
fn what_tips_over_an_edge_meets_time_stepping_at_first_order() {
    // The second scene is turned a little, so that its contacts are corners and crossing edges.
    for (what, turn, aside) in [("straight", 0.0, 0.0), ("turned", 0.5, 0.01)] {
        let turn = format!("orientation = {{ axis = [0, 0, 1], angle = {turn} }}");
        let two = cuboid("low", [0.2, 0.2, 0.2], [0.0, 0.0, 0.1], "")
            + &cuboid("high", [0.1; 3], [0.115, aside, 0.27], &turn);
        let text = format!("{FLOOR}{two}{TIPPING}");
        let exact = events(&text);
        let tilt = norm(spin(&exact, 1));
        assert!(tilt > 1.0 && position(&exact, 1)[2] > 0.2, "{what}: {tilt} {:?}", position(&exact, 1));
        let error = |step: f64| {
            let mut built = scenario(&text).build().unwrap();
            (built.settings.scheme, built.settings.step) = (Scheme::TimeStepping, Some(step));
            let law = LawSpec::by_name("newton").unwrap();
            let run = simulate(&built.system, &built.q, &built.u, &law, &built.settings, &built.until, &mut |_| {
                Control::Continue
            })
            .unwrap();
            apart(&run.last().q, &exact.last().q)
        };
        let (coarse, fine) = (error(3.2e-3), error(2e-4));
        println!("{what}: {coarse:e} {fine:e}");
        assert!(coarse < 0.1 && fine < 0.25 * coarse && fine < 5e-3, "{what}: {coarse:e} {fine:e}");
    }
}

#[test]
fn boxes_in_a_plane_of_symmetry_are_the_planar_boxes() {
    // With restitution many impacts accumulate, in sequences that magnify round-off.
    for (x, angle, restitution, time) in [(0.03, 0.0, 0.3, 0.4), (0.06, 0.15, 0.0, 0.4), (0.12, 0.0, 0.0, 0.35)] {
        let material = format!("[material]\nfriction = 0.4\nrestitution = {restitution}\n");
        let plane = format!(
            "[[ground]]\nname = 'floor'\n[[body]]\nname = 'low'\nshape.box = {{ width = 0.2, height = 0.1 }}\nmass = 2.0\n\
             position = [0.0, 0.05]\n[[body]]\nname = 'high'\nshape.box = {{ width = 0.1, height = 0.08 }}\nmass = 0.8\n\
             position = [{x}, 0.2]\nangle = {angle}\n{material}[until]\ntime = {time}\nrest = false\n"
        );
        let space = format!(
            "{FLOOR}[[body]]\nname = 'low'\nshape.cuboid.size = [0.2, 0.1, 0.1]\nmass = 2.0\nposition = [0.0, 0.0, 0.05]\n\
             [[body]]\nname = 'high'\nshape.cuboid.size = [0.1, 0.1, 0.08]\nmass = 0.8\nposition = [{x}, 0.0, 0.2]\n\
             orientation = {{ axis = [0, -1, 0], angle = {angle} }}\n{material}[until]\ntime = {time}\nrest = false\n"
        );
        for law in ["newton", "poisson"] {
            let (flat, deep) = (under(law, &plane), under(law, &space));
            assert_eq!(flat.impacts.len(), deep.impacts.len(), "{law} {x}");
            let (a, b) = (flat.last(), deep.last());
            for body in 0..2 {
                let (p, s) = (&a.q[3 * body..], &b.q[7 * body..]);
                let turned = -2.0 * s[5].atan2(s[3]);
                let pairs = [(p[0], s[0]), (p[1], s[2]), (p[2], turned), (a.u[3 * body + 2], -b.u[6 * body + 4])];
                for (k, (plane, space)) in pairs.iter().enumerate() {
                    assert!((plane - space).abs() < 1e-8, "{law} {x} {body} {k}: {plane} {space}");
                }
                assert!(s[1].abs() < 1e-10, "{law} {x}: {s:?}");
            }
        }
    }
}

/// Two cuboids, one on the floor or above it, one thrown at it.
fn pair(seed: u64) -> String {
    let mut random = Random(seed + 1000);
    let mut sizes = || [0; 3].map(|_| random.between(0.05, 0.25));
    let (low, high) = (sizes(), sizes());
    let rests = seed.is_multiple_of(2);
    let height = if rests { 0.5 * low[2] } else { 0.3 };
    let turned = |random: &mut Random, angle: f64| {
        let axis = random.vector(1.0);
        format!("orientation = {{ axis = {axis:?}, angle = {} }}", random.between(-angle, angle))
    };
    let first = if rests { String::new() } else { turned(&mut random, 3.0) };
    let second = turned(&mut random, if seed.is_multiple_of(3) { 0.0 } else { 3.0 })
        + &format!("\nvelocity = {:?}\nspin = {:?}", random.vector(0.5), random.vector(3.0));
    let at = random.vector(0.08);
    format!(
        "{FLOOR}{}{}[material]\nfriction = {}\nrestitution = {}\n[until]\ntime = 0.8\n[output]\ninterval = 0.01\n",
        cuboid("low", low, [0.0, 0.0, height], &first),
        cuboid("high", high, [at[0], at[1], 0.75], &second),
        random.between(0.0, 1.0),
        random.between(0.0, 0.6),
    )
}

/// How deep points of the edges of one cuboid lie in the other, by coordinates: most of them, at one sample.
fn depth(sizes: &[[f64; 3]; 2], q: &[f64]) -> f64 {
    let turn = |q: &[f64], v: [f64; 3], back: f64| {
        let (w, r) = (q[3], [back * q[4], back * q[5], back * q[6]]);
        let cross = |a: [f64; 3], b: [f64; 3]| {
            [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
        };
        let once = cross(r, v);
        let twice = cross(r, once);
        [0, 1, 2].map(|k| v[k] + 2.0 * (w * once[k] + twice[k]))
    };
    let mut deepest = f64::NEG_INFINITY;
    for (own, other) in [(0, 1), (1, 0)] {
        let (a, b) = (&q[7 * own..7 * own + 7], &q[7 * other..7 * other + 7]);
        for axis in 0..3 {
            for k in 0..4 * 41 {
                let mut local = [0.0; 3];
                local[axis] = (k / 4) as f64 / 40.0 - 0.5;
                local[(axis + 1) % 3] = if k % 2 == 0 { 0.5 } else { -0.5 };
                local[(axis + 2) % 3] = if k / 2 % 2 == 0 { 0.5 } else { -0.5 };
                let point = turn(a, [0, 1, 2].map(|i| local[i] * sizes[own][i]), 1.0);
                let point = [0, 1, 2].map(|i| point[i] + a[i]);
                assert!(point[2] > -1e-8, "below the floor: {point:?}");
                let seen = turn(b, [0, 1, 2].map(|i| point[i] - b[i]), -1.0);
                let inside = (0..3).map(|i| 0.5 * sizes[other][i] - seen[i].abs()).fold(f64::INFINITY, f64::min);
                deepest = deepest.max(inside);
            }
        }
    }
    deepest
}

/// What is wrong with the run of a seed, if anything; and whether it came to its end.
fn fault(seed: u64) -> (Option<String>, bool) {
    let text = pair(seed);
    let mut built = scenario(&text).build().unwrap();
    built.settings.scheme = Scheme::Events;
    built.settings.max_events = 20_000;
    let law = LawSpec::by_name(["newton", "poisson"][(seed / 2 % 2) as usize]).unwrap();
    let run =
        simulate(&built.system, &built.q, &built.u, &law, &built.settings, &built.until, &mut |_| Control::Continue)
            .unwrap();
    let bodies = text.split("shape.cuboid.size = [").skip(1);
    let sizes: Vec<[f64; 3]> = bodies
        .map(|rest| {
            let list: Vec<f64> =
                rest.split(']').next().unwrap().split(',').map(|v| v.trim().parse().unwrap()).collect();
            [list[0], list[1], list[2]]
        })
        .collect();
    let sizes = [sizes[0], sizes[1]];
    let deepest = run.samples.iter().map(|s| depth(&sizes, &s.q)).fold(f64::NEG_INFINITY, f64::max);
    let works = |e: Energies| e.friction <= 1e-12 && e.impacts <= 1e-9;
    let total: Vec<f64> = run.samples.iter().map(|s| s.energy.total()).collect();
    let grows = total.windows(2).any(|w| w[1] > w[0] + 1e-7 * total[0]);
    let right = deepest < 1e-8 && run.closure < 1e-7 && works(run.last().energy) && !grows;
    let told = format!(
        "{seed}: {:?} at {}, {deepest:e} deep, closure {:e}, {} impacts, {:?}",
        run.end,
        run.time,
        run.closure,
        run.impacts.len(),
        run.log.last()
    );
    println!("{told}");
    ((!right).then_some(told), run.end.is_regular())
}

/// One of them: `SEED=52 cargo test -p delassus --test space -- --ignored --nocapture one_pair_of_cuboids` tells its scene and log.
#[test]
#[ignore = "looks at one seed"]
fn one_pair_of_cuboids() {
    let seed = std::env::var("SEED").ok().and_then(|n| n.parse().ok()).unwrap_or(0);
    println!("{}", pair(seed));
    println!("{:?}", fault(seed));
}

/// A box that turns at next to nothing under another that slides over it; modes once did not settle.
#[test]
fn a_box_that_hardly_turns_under_a_slide_comes_to_its_end() {
    assert_eq!(fault(129), (None, true));
}

/// Seeds 0 to 19 in CI; DELASSUS_SEEDS=200 looks further.
#[test]
fn random_pairs_of_cuboids_are_never_wrong() {
    let seeds = std::env::var("DELASSUS_SEEDS").ok().and_then(|n| n.parse().ok()).unwrap_or(20);
    let runs: Vec<_> = (0..seeds).map(fault).collect();
    let wrong: Vec<_> = runs.iter().filter_map(|(fault, _)| fault.clone()).collect();
    assert!(wrong.is_empty(), "{} of {seeds}:\n{}", wrong.len(), wrong.join("\n"));
    let ended = runs.iter().filter(|(_, ended)| *ended).count();
    assert!(10 * ended >= 9 * runs.len(), "{ended} of {seeds} came to their end");
}
