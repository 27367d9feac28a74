//! A scene of run.py in Rapier: prints the places at the end.

/// The scene's numbers, line by line.
struct Scene {
    dimension: usize,
    steps: usize,
    step: f32,
    radius: f32,
    friction: f32,
    restitution: f32,
    walls: Vec<Vec<f32>>,
    places: Vec<Vec<f32>>,
}

fn read(path: &str) -> Scene {
    let text = std::fs::read_to_string(path).expect("the scene");
    let rows: Vec<Vec<f32>> =
        text.lines().map(|line| line.split_whitespace().map(|x| x.parse().expect("a number")).collect()).collect();
    let walls = rows[1][0] as usize;
    Scene {
        dimension: rows[0][0] as usize,
        steps: rows[0][1] as usize,
        step: rows[0][2],
        radius: rows[0][3],
        friction: rows[0][4],
        restitution: rows[0][5],
        walls: rows[2..2 + walls].to_vec(),
        places: rows[3 + walls..].to_vec(),
    }
}

/// The same lines for both dimensions, whose types have the same names. Defaults of the engine; nothing falls asleep.
macro_rules! simulate {
    ($scene:expr, $gravity:expr, $vector:expr, $print:expr) => {{
        let scene: &Scene = $scene;
        let (mut bodies, mut colliders) = (RigidBodySet::new(), ColliderSet::new());
        let mut handles = Vec::new();
        for place in &scene.places {
            let body = RigidBodyBuilder::dynamic().translation($vector(place)).can_sleep(false);
            let handle = bodies.insert(body);
            let ball = ColliderBuilder::ball(scene.radius).mass(1.0);
            let ball = ball.friction(scene.friction).restitution(scene.restitution);
            colliders.insert_with_parent(ball, handle, &mut bodies);
            handles.push(handle);
        }
        for wall in &scene.walls {
            let (point, normal) = wall.split_at(wall.len() / 2);
            let plane = ColliderBuilder::halfspace(UnitVector::new_normalize($vector(normal))).translation($vector(point));
            colliders.insert(plane.friction(scene.friction).restitution(scene.restitution));
        }
        let parameters = IntegrationParameters { dt: scene.step, ..IntegrationParameters::default() };
        let (mut pipeline, mut islands) = (PhysicsPipeline::new(), IslandManager::new());
        let (mut broad, mut narrow) = (DefaultBroadPhase::new(), NarrowPhase::new());
        let (mut joints, mut multibody, mut ccd) =
            (ImpulseJointSet::new(), MultibodyJointSet::new(), CCDSolver::new());
        for _ in 0..scene.steps {
            pipeline.step(
                &$gravity,
                &parameters,
                &mut islands,
                &mut broad,
                &mut narrow,
                &mut bodies,
                &mut colliders,
                &mut joints,
                &mut multibody,
                &mut ccd,
                &(),
                &(),
            );
        }
        for handle in handles {
            $print(bodies[handle].translation());
        }
    }};
}

fn plane(scene: &Scene) {
    use rapier2d::prelude::*;
    let vector = |v: &[f32]| vector![v[0], v[1]];
    simulate!(scene, vector![0.0, -9.81], |v: &[f32]| vector(v), |p: &Vector<f32>| println!("{} {}", p.x, p.y));
}

fn space(scene: &Scene) {
    use rapier3d::prelude::*;
    let vector = |v: &[f32]| vector![v[0], v[1], v[2]];
    simulate!(scene, vector![0.0, 0.0, -9.81], |v: &[f32]| vector(v), |p: &Vector<f32>| println!("{} {} {}", p.x, p.y, p.z));
}

fn main() {
    let scene = read(&std::env::args().nth(1).expect("the scene"));
    if scene.dimension == 2 {
        plane(&scene);
    } else {
        space(&scene);
    }
}
