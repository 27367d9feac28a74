//! The answer depends neither on the orientation of the scene nor on the order of the bodies.

use super::{apart, go, scenario};
use delassus::scenario::{Orientation, Scenario, SpatialGravity};

const SCENE: &str = "[world]\ndimension = 3\n[[ground]]\nname = 'floor'\n[[body]]\nname = 'cube'\nshape.cuboid.size = [0.1, 0.2, 0.15]\nmass = 1.0\n\
    position = [0.0, 0.0, 0.3]\norientation = { axis = [1, 2, 0.5], angle = 0.7 }\nvelocity = [1.0, 0.3, -1.0]\nspin = [2.0, -1.0, 3.0]\n\
    [[body]]\nname = 'ball'\nshape.sphere.radius = 0.08\nmass = 0.7\nposition = [0.25, 0.05, 0.1]\nvelocity = [-0.5, 0.0, 0.0]\n\
    [[body]]\nname = 'can'\nshape.cylinder = { radius = 0.05, height = 0.12 }\nmass = 0.5\nposition = [-0.3, 0.1, 0.2]\nspin = [1.0, 0.5, 0.0]\n\
    [material]\nfriction = 0.4\nrestitution = 0.3\n[integrator]\nstep = 1e-3\n[until]\ntime = 0.4\n";

pub type M = [[f64; 3]; 3];

pub fn times(m: &M, v: [f64; 3]) -> [f64; 3] {
    std::array::from_fn(|i| (0..3).map(|j| m[i][j] * v[j]).sum())
}

pub fn product(a: [f64; 4], b: [f64; 4]) -> [f64; 4] {
    [
        a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
        a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
        a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
        a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
    ]
}

/// A scene turned about (1, 1, 1) by 100°, with the turn as quaternion and as matrix.
pub fn turned(plain: &Scenario) -> ([f64; 4], M, Scenario) {
    let half = 50f64.to_radians();
    let s = half.sin() / 3f64.sqrt();
    let turn = [half.cos(), s, s, s];
    let [w, x, y, z] = turn;
    let m: M = [
        [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y)],
        [2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x)],
        [2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y)],
    ];
    let built = plain.build().unwrap();
    let mut scene = plain.space.clone().unwrap();
    scene.world.gravity = SpatialGravity::Vector(times(&m, [0.0, 0.0, -9.81]));
    scene.ground[0].normal = Some(times(&m, [0.0, 0.0, 1.0]));
    for wall in &mut scene.wall {
        wall.point = times(&m, wall.point);
        wall.normal = wall.normal.map(|normal| times(&m, normal));
    }
    for (i, body) in scene.body.iter_mut().enumerate() {
        let q = &built.q[7 * i..];
        body.position = times(&m, body.position);
        body.velocity = times(&m, body.velocity);
        body.spin = times(&m, body.spin);
        body.orientation = Orientation::Quaternion(product(turn, [q[3], q[4], q[5], q[6]]));
    }
    (turn, m, Scenario { space: Some(scene), ..Scenario::default() })
}

#[test]
fn a_turned_scene_moves_alike() {
    let plain = scenario(SCENE);
    let run = go(&plain);
    let (turn, m, other) = turned(&plain);
    let other = go(&other);
    assert!(run.impacts.len() > 5 && run.impacts.len() == other.impacts.len(), "{}", run.impacts.len());
    for i in 0..3 {
        let (a, b) = (&run.last(), &other.last());
        let place = times(&m, std::array::from_fn(|k| a.q[7 * i + k]));
        assert!(apart(&place, &b.q[7 * i..7 * i + 3]) < 1e-6, "{i}");
        let q = product(turn, std::array::from_fn(|k| a.q[7 * i + 3 + k]));
        let sign = if q[0] * b.q[7 * i + 3] < 0.0 { -1.0 } else { 1.0 };
        assert!(apart(&q.map(|v| sign * v), &b.q[7 * i + 3..7 * i + 7]) < 1e-6, "{i}");
    }
}

#[test]
fn the_order_of_the_bodies_does_not_matter() {
    let plain = scenario(SCENE);
    let mut space = plain.space.clone().unwrap();
    space.body.reverse();
    let other = go(&Scenario { space: Some(space), ..Scenario::default() });
    let run = go(&plain);
    for i in 0..3 {
        let (a, b) = (&run.last().q[7 * i..7 * i + 7], &other.last().q[7 * (2 - i)..7 * (2 - i) + 7]);
        assert!(apart(a, b) < 1e-6, "{i}: {a:?} {b:?}");
    }
}
