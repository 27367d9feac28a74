//! Small scenes in space made from bytes, simulated for some steps under every scheme.

use arbitrary::{Result, Unstructured};
use delassus::LawSpec;
use delassus::scenario::{
    Formula, IntegratorData, MaterialData, MotionData, Orientation, PlaneData, Scenario, SpatialBodyData,
    SpatialForceData, SpatialGravity, SpatialJointData, SpatialJointType, SpatialPartData, SpatialScenario,
    SpatialShapeData, SpatialSpringData, SpatialWorld, UntilData,
};
use delassus::simulate::Scheme;

use crate::number::Number;
use crate::scene::{length, place, steps};

fn three<T>(u: &mut Unstructured, mut one: impl FnMut(&mut Unstructured) -> Result<T>) -> Result<[T; 3]> {
    Ok([one(u)?, one(u)?, one(u)?])
}

fn shape(u: &mut Unstructured, part: bool) -> Result<SpatialShapeData> {
    Ok(match u.int_in_range(0..=if part { 8 } else { 9u8 })? {
        0..=2 => SpatialShapeData::Sphere { radius: length(u)? },
        3..=5 => SpatialShapeData::Cuboid { size: three(u, length)? },
        6 => SpatialShapeData::Cylinder { radius: length(u)?, height: length(u)? },
        7 => SpatialShapeData::Capsule { radius: length(u)?, length: length(u)? },
        8 => {
            let count = u.int_in_range(3..=7usize)?;
            let vertices = (0..count).map(|_| three(u, place)).collect::<Result<_>>()?;
            SpatialShapeData::Convex { vertices }
        }
        _ => {
            let mut part = || -> Result<SpatialPartData> {
                let (shape, mass) = (shape(u, true)?, length(u)?);
                Ok(SpatialPartData {
                    shape,
                    mass: Some(mass),
                    density: None,
                    position: three(u, place)?,
                    orientation: orientation(u)?,
                })
            };
            SpatialShapeData::Compound { part: vec![part()?, part()?] }
        }
    })
}

fn orientation(u: &mut Unstructured) -> Result<Orientation> {
    Ok(match u.int_in_range(0..=3u8)? {
        0 => Orientation::Axis { axis: three(u, place)?, angle: place(u)? },
        1 => Orientation::Euler { roll: place(u)?, pitch: place(u)?, yaw: place(u)? },
        _ => Orientation::default(),
    })
}

fn body(u: &mut Unstructured, index: usize) -> Result<SpatialBodyData> {
    let shape = shape(u, false)?;
    let [x, y, z] = three(u, place)?;
    Ok(SpatialBodyData {
        name: format!("b{index}"),
        mass: if matches!(shape, SpatialShapeData::Compound { .. }) { None } else { Some(length(u)?) },
        shape,
        position: [x, y, z + 1.0 + index as f64],
        orientation: orientation(u)?,
        velocity: if u.ratio(1, 2)? { [0.0; 3] } else { three(u, place)? },
        spin: if u.ratio(1, 2)? { [0.0; 3] } else { three(u, place)? },
        ..SpatialBodyData::default()
    })
}

/// A scene of up to three bodies.
pub fn scenario(u: &mut Unstructured) -> Result<Scenario> {
    let scheme = *u.choose(&[Scheme::TimeStepping, Scheme::Events, Scheme::Auto])?;
    let gravity = if u.ratio(7, 8)? { 10.0 } else { u.arbitrary::<Number>()?.0 };
    let mut scenario = SpatialScenario {
        world: SpatialWorld { dimension: 3, gravity: SpatialGravity::Down(gravity) },
        until: UntilData { time: Some(0.5), impacts: Some(40), ..UntilData::default() },
        integrator: IntegratorData { max_events: 300, scheme: Some(scheme), ..IntegratorData::default() },
        ..SpatialScenario::default()
    };
    let bodies = u.int_in_range(1..=3usize)?;
    for index in 0..bodies {
        scenario.body.push(body(u, index)?);
    }
    let side = |u: &mut Unstructured| {
        Ok(match u.int_in_range(0..=bodies)? {
            0 => if u.arbitrary()? { "world" } else { "ground" }.to_owned(),
            k => format!("b{}", k - 1),
        })
    };
    if u.ratio(15, 16)? {
        let motion = match u.int_in_range(0..=7u8)? {
            0 => Some(MotionData::Harmonic {
                direction: three(u, place)?,
                amplitude: place(u)?,
                frequency: length(u)?,
                phase: place(u)?,
            }),
            _ => None,
        };
        let angle = if u.ratio(1, 4)? { Some(place(u)?) } else { None };
        scenario.ground.push(PlaneData { name: "ground".into(), angle, motion, ..PlaneData::default() });
    }
    if u.ratio(1, 4)? {
        let (name, normal) = ("wall".into(), Some(three(u, place)?));
        scenario.wall.push(PlaneData { name, point: [-2.0, 0.0, 0.0], normal, ..PlaneData::default() });
    }
    if u.ratio(1, 4)? {
        use SpatialJointType::{Ball, Hinge, Rod, Slider, Weld};
        let kind = *u.choose(&[Ball, Hinge, Slider, Weld, Rod])?;
        scenario.joint.push(SpatialJointData {
            name: "joint".into(),
            kind,
            between: [side(u)?, side(u)?],
            point: if kind == Rod { None } else { Some(three(u, place)?) },
            points: if kind == Rod { Some([three(u, place)?, three(u, place)?]) } else { None },
            axis: if matches!(kind, Hinge | Slider) { Some(three(u, place)?) } else { None },
        });
    }
    if u.ratio(1, 4)? {
        scenario.spring.push(SpatialSpringData {
            between: [side(u)?, side(u)?],
            points: [three(u, place)?, three(u, place)?],
            stiffness: length(u)? * 40.0,
            damping: length(u)?,
            length: None,
        });
    }
    if u.ratio(1, 8)? {
        let text = *u.choose(&["3*sin(20*t)", "-step(t-0.1)", "1/t", "sqrt(0.2-t)"])?;
        let force = [Formula::Number(place(u)?), Formula::Text(text.to_owned()), Formula::Number(0.0)];
        let torque = three(u, |u| Ok(Formula::Number(place(u)?)))?;
        scenario.force.push(SpatialForceData { body: "b0".into(), point: None, force, torque });
    }
    scenario.material.push(MaterialData {
        friction: if u.ratio(3, 4)? { Some(place(u)?.abs()) } else { None },
        restitution: Some(u.arbitrary::<Number>()?.0.abs().min(1.0)),
        ..MaterialData::default()
    });
    Ok(scenario.into())
}

/// Makes a scene and simulates it for some steps.
pub fn run(bytes: &[u8]) {
    let mut u = Unstructured::new(bytes);
    let Ok(scenario) = scenario(&mut u) else { return };
    let laws = LawSpec::all();
    // Time-stepping has one law, which is the first.
    let law = match u.int_in_range(0..=1u8) {
        Ok(1) => &laws[usize::from(u.arbitrary::<u8>().unwrap_or(0)) % laws.len()],
        _ => &laws[0],
    };
    let Ok(built) = scenario.build() else { return };
    steps(&built, law, 200);
}
