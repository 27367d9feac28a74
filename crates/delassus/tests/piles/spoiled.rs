//! The judge is judged: a run that is right, spoiled in one thing at a time, must be
//! found wrong for that very reason.

use delassus::simulate::{Control, End, Trajectory, simulate};

use crate::check::check;
use crate::generate::{Kind, Scene, scene};

/// A box that falls on its ground and rests there, run by the library.
fn right() -> (Scene, Trajectory) {
    let mut scene = scene(Kind::Stacks, 0);
    scene.scenario.body.truncate(1);
    scene.scenario.body[0].position[1] += 0.05;
    scene.scenario.ground[0].motion = None;
    scene.scenario.material[0].friction = Some(0.4);
    scene.scenario.material[0].friction_static = None;
    scene.scenario.material[0].restitution = Some(0.3);
    let built = scene.scenario.build().unwrap();
    scene.law = delassus::LawSpec::by_name("newton").unwrap();
    let run = simulate(&built.system, &built.q, &built.u, &scene.law, &built.settings, &built.until, &mut |_| {
        Control::Continue
    });
    (scene, run.unwrap())
}

fn words(spoil: impl Fn(&mut Trajectory)) -> Vec<&'static str> {
    let (scene, mut run) = right();
    spoil(&mut run);
    check(&scene, &run).0.iter().map(|(what, _)| *what).collect()
}

#[test]
fn a_run_that_is_right_is_found_right() {
    let (_, run) = right();
    assert!(run.end == End::AtRest && run.impacts.len() > 3 && run.samples.len() > 50, "{:?}", run.end);
    assert!(words(|_| ()).is_empty());
}

#[test]
fn every_fault_is_found() {
    let finds = |what: &str, spoil: &dyn Fn(&mut Trajectory)| {
        let words = words(spoil);
        assert!(words.contains(&what), "{what}: {words:?}");
    };
    let last = |run: &Trajectory| run.samples.len() - 1;
    finds("not-finite", &|run| run.samples[3].u[0] = f64::NAN);
    finds("overlap", &|run| {
        let k = last(run);
        run.samples[k].q[1] -= 1e-6;
    });
    finds("overlap", &|run| run.impacts[0].q[1] -= 1e-6);
    finds("energy-told", &|run| run.samples[20].energy.kinetic *= 1.0 + 1e-3);
    finds("energy-open", &|run| run.samples[20].u[1] *= 1.0 + 1e-4);
    finds("energy-grows", &|run| run.samples[20].u[1] *= 1.1);
    finds("work-of-supports", &|run| run.samples[20].energy.supports = 1e-4);
    finds("friction-gives", &|run| run.samples[20].energy.friction = -1e-2);
    finds("closure", &|run| run.closure = 1e-5);
    finds("pulls", &|run| run.samples[20].forces[0][0] = -1e-3);
    finds("cone", &|run| run.samples[20].forces[0] = [1.0, 0.41]);
    finds("jumps", &|run| run.samples[20].q[0] += 1e-4);
    finds("not-free", &|run| run.samples[20].u[0] += 1e-6);
    finds("rest-moves", &|run| {
        let k = last(run);
        run.samples[k].u[0] = 1e-4;
    });
    finds("rest-unsupported", &|run| {
        let k = last(run);
        run.samples[k].q[1] += 1e-5;
    });
    finds("impact-momentum", &|run| run.impacts[0].u_plus[0] += 0.8 * run.impacts[0].u_minus[1].abs());
    finds("impact-momentum", &|run| run.impacts[0].u_plus[2] += 100.0);
    finds("impact-approach", &|run| run.impacts[0].u_plus[1] = -0.01);
    finds("impact-gains", &|run| run.impacts[0].u_plus[1] = -1.001 * run.impacts[0].u_minus[1]);
}
