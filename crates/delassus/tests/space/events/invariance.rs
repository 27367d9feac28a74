//! Motions by events depend neither on the orientation of the scene nor on the order of the bodies.

use super::Trajectory;
use crate::invariance::{M, product, times, turned};
use crate::{apart, scenario};
use delassus::LawSpec;
use delassus::scenario::Scenario;
use delassus::simulate::{Control, simulate};

const BALLS: &str = "[world]\ndimension = 3\n[[ground]]\nname = 'floor'\n[[wall]]\nname = 'wall'\npoint = [0.9, 0.0, 0.0]\nnormal = [-1, 0.2, 0]\n\
    [[body]]\nname = 'a'\nshape.sphere.radius = 0.1\nmass = 1.0\nposition = [0.0, 0.0, 0.1]\nvelocity = [2.0, 0.1, 0.0]\nspin = [1.0, 0.0, 3.0]\n\
    [[body]]\nname = 'b'\nshape.sphere.radius = 0.08\nmass = 0.7\nposition = [0.4, 0.05, 0.08]\n\
    [[body]]\nname = 'c'\nshape.sphere.radius = 0.05\nmass = 0.2\nposition = [0.6, 0.1, 0.2]\nvelocity = [-0.3, 0.0, 0.0]\n\
    [material]\nfriction = 0.3\nrestitution = 0.6\n[integrator]\nscheme = 'events'\n[until]\ntime = 0.5\n";

const BLOCK: &str = "[world]\ndimension = 3\n[[ground]]\nname = 'floor'\n[[body]]\nname = 'cube'\nshape.cuboid.size = [0.1, 0.2, 0.15]\nmass = 1.0\n\
    position = [0.0, 0.0, 0.3]\norientation = { axis = [1, 2, 0.5], angle = 0.7 }\nvelocity = [1.0, 0.3, -1.0]\nspin = [2.0, -1.0, 3.0]\n\
    [material]\nfriction = 0.4\nrestitution = 0.3\n[integrator]\nscheme = 'events'\n[until]\ntime = 0.4\n";

fn go(scenario: &Scenario) -> Trajectory {
    let built = scenario.build().unwrap();
    let law = LawSpec::by_name("newton").unwrap();
    simulate(&built.system, &built.q, &built.u, &law, &built.settings, &built.until, &mut |_| Control::Continue)
        .unwrap()
}

#[test]
fn a_turned_scene_moves_alike() {
    for text in [BALLS, BLOCK] {
        let plain = scenario(text);
        let (turn, m, other) = turned(&plain);
        let _: M = m;
        let (run, other) = (go(&plain), go(&other));
        assert!(run.impacts.len() > 2 && run.impacts.len() == other.impacts.len(), "{}", run.impacts.len());
        for (a, b) in run.impacts.iter().zip(&other.impacts) {
            assert!((a.time - b.time).abs() < 1e-8, "{} {}", a.time, b.time);
        }
        let (a, b) = (&run.last(), &other.last());
        for i in 0..a.q.len() / 7 {
            let place = times(&m, std::array::from_fn(|k| a.q[7 * i + k]));
            assert!(apart(&place, &b.q[7 * i..7 * i + 3]) < 1e-7, "{i}");
            let q = product(turn, std::array::from_fn(|k| a.q[7 * i + 3 + k]));
            let sign = if q[0] * b.q[7 * i + 3] < 0.0 { -1.0 } else { 1.0 };
            assert!(apart(&q.map(|v| sign * v), &b.q[7 * i + 3..7 * i + 7]) < 1e-7, "{i}");
        }
    }
}

#[test]
fn the_order_of_the_bodies_does_not_matter() {
    let plain = scenario(BALLS);
    let mut space = plain.space.clone().unwrap();
    space.body.reverse();
    let (run, other) = (go(&plain), go(&Scenario { space: Some(space), ..Scenario::default() }));
    for i in 0..3 {
        let (a, b) = (&run.last().q[7 * i..7 * i + 7], &other.last().q[7 * (2 - i)..7 * (2 - i) + 7]);
        assert!(apart(a, b) < 1e-9, "{i}: {a:?} {b:?}");
    }
}
