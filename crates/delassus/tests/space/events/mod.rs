//! Bodies in space by events: the same closed forms to the accuracy of the integrator, with exact times.

mod auto;
mod block;
mod capsules;
mod coin;
mod forms;
mod free;
mod gallery;
mod invariance;
mod joints;
mod random;
mod round;
mod schemes;
mod solids;

use super::{Trajectory, scenario};
use delassus::LawSpec;
use delassus::simulate::{Control, simulate};

const G: f64 = 9.81;

/// The motion of a scenario by events under a law.
fn under(law: &str, text: &str) -> Trajectory {
    let mut built = scenario(text).build().unwrap_or_else(|e| panic!("{e}"));
    built.settings.scheme = delassus::simulate::Scheme::Events;
    let law = LawSpec::by_name(law).unwrap();
    let run =
        simulate(&built.system, &built.q, &built.u, &law, &built.settings, &built.until, &mut |_| Control::Continue);
    let run = run.unwrap_or_else(|e| panic!("{e}"));
    assert!(run.end.is_regular(), "{:?} at {}: {:?} {:?}", run.end, run.time, run.log, run.stats);
    assert!(run.closure < 1e-9, "{}", run.closure);
    run
}

fn events(text: &str) -> Trajectory {
    under("newton", text)
}

/// One body on a floor.
fn body(shape: &str, start: &str, material: &str, until: &str) -> String {
    format!(
        "[world]\ndimension = 3\n[[ground]]\nname = 'floor'\n[[body]]\nname = 'body'\nshape.{shape}\nmass = 2.0\n{start}\n\
         [material]\n{material}\n[until]\n{until}\n"
    )
}
