//! Small scenes made from bytes, simulated for some steps.

use arbitrary::{Result, Unstructured};
use delassus::LawSpec;
use delassus::scenario::{
    BodyData, Built, ForceData, Formula, Gravity, IntegratorData, JointType, LineData, MaterialData, MotionData,
    PartData, PlanarClutchData, PlanarJointData, Scenario, ShapeData, SpringData, UntilData, World,
};
use delassus::simulate::{Control, Trajectory, simulate};

use crate::number::Number;

/// A length, mostly of ordinary size.
pub fn length(u: &mut Unstructured) -> Result<f64> {
    Ok(match u.int_in_range(0..=15u8)? {
        0 => u.arbitrary::<Number>()?.0,
        k => f64::from(1 + k % 4) * 0.25,
    })
}

/// A place, often on a grid so that corners and sides meet.
pub fn place(u: &mut Unstructured) -> Result<f64> {
    Ok(match u.int_in_range(0..=7u8)? {
        0 => u.arbitrary::<Number>()?.0,
        1..=2 => f64::from(u.arbitrary::<i16>()?) / 10_000.0,
        _ => f64::from(u.int_in_range(-8..=8i8)?) * 0.25,
    })
}

fn pair<T>(u: &mut Unstructured, mut one: impl FnMut(&mut Unstructured) -> Result<T>) -> Result<[T; 2]> {
    Ok([one(u)?, one(u)?])
}

fn shape(u: &mut Unstructured, part: bool) -> Result<ShapeData> {
    Ok(match u.int_in_range(0..=if part { 6 } else { 7u8 })? {
        0..=2 => ShapeData::Box { width: length(u)?, height: length(u)? },
        3..=4 => ShapeData::Disk { radius: length(u)? },
        5 => ShapeData::Rod { length: length(u)? },
        6 => {
            let (count, size) = (u.int_in_range(3..=6usize)?, length(u)?);
            let corner = |k: usize| {
                let angle = std::f64::consts::TAU * k as f64 / count as f64;
                [size * angle.cos(), size * angle.sin()]
            };
            ShapeData::Polygon { vertices: (0..count).map(corner).collect() }
        }
        _ => {
            let part = |u: &mut Unstructured| {
                Ok(PartData { shape: shape(u, true)?, mass: length(u)?, position: pair(u, place)?, angle: place(u)? })
            };
            ShapeData::Compound { part: pair(u, part)?.into() }
        }
    })
}

fn body(u: &mut Unstructured, index: usize) -> Result<BodyData> {
    let shape = shape(u, false)?;
    Ok(BodyData {
        name: format!("b{index}"),
        mass: if matches!(shape, ShapeData::Compound { .. }) { None } else { Some(length(u)?) },
        shape,
        position: [place(u)?, place(u)? + index as f64],
        angle: if u.ratio(1, 2)? { 0.0 } else { place(u)? },
        velocity: if u.ratio(1, 2)? { [0.0; 2] } else { pair(u, place)? },
        rate: if u.ratio(1, 2)? { 0.0 } else { place(u)? },
        ..BodyData::default()
    })
}

/// A scene of up to three bodies.
pub fn scenario(u: &mut Unstructured) -> Result<Scenario> {
    let mut scenario = Scenario {
        world: World {
            dimension: 2,
            gravity: Gravity::Down(if u.ratio(7, 8)? { 10.0 } else { u.arbitrary::<Number>()?.0 }),
        },
        until: UntilData { time: Some(0.5), impacts: Some(40), ..UntilData::default() },
        integrator: IntegratorData { max_events: 300, ..IntegratorData::default() },
        ..Scenario::default()
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
                direction: pair(u, place)?,
                amplitude: place(u)?,
                frequency: length(u)?,
                phase: place(u)?,
            }),
            _ => None,
        };
        let angle = if u.ratio(1, 4)? { Some(place(u)?) } else { None };
        let point = if u.ratio(1, 4)? { pair(u, place)? } else { [0.0, -1.0] };
        scenario.ground.push(LineData { name: "ground".into(), point, normal: None, angle, motion });
    }
    if u.ratio(1, 4)? {
        let normal = Some(pair(u, place)?);
        scenario.wall.push(LineData { name: "wall".into(), point: [-2.0, 0.0], normal, angle: None, motion: None });
    }
    if u.ratio(1, 4)? {
        let kind = *u.choose(&[JointType::Pin, JointType::Slider, JointType::Weld])?;
        let axis = if kind == JointType::Slider { Some(pair(u, place)?) } else { None };
        scenario.joint.push(PlanarJointData {
            name: "joint".into(),
            kind,
            between: pair(u, side)?,
            point: pair(u, place)?,
            axis,
        });
    }
    if u.ratio(1, 4)? {
        scenario.spring.push(SpringData {
            between: pair(u, side)?,
            points: pair(u, |u| pair(u, place))?,
            stiffness: length(u)? * 40.0,
            damping: length(u)?,
            length: None,
            torsion: u.arbitrary()?,
        });
    }
    if u.ratio(1, 8)? {
        let axis = if u.arbitrary()? { Some(pair(u, place)?) } else { None };
        scenario.clutch.push(PlanarClutchData {
            name: "clutch".into(),
            between: pair(u, side)?,
            axis,
            reversed: u.arbitrary()?,
            restitution: 0.0,
        });
    }
    if u.ratio(1, 8)? {
        let formula = Formula::Text((*u.choose(&["3*sin(20*t)", "-step(t-0.1)", "1/t", "sqrt(0.2-t)"])?).to_owned());
        let force = [Formula::Number(place(u)?), formula];
        scenario.force.push(ForceData { body: "b0".into(), point: None, force, torque: Formula::Number(place(u)?) });
    }
    scenario.material.push(MaterialData {
        friction: if u.ratio(3, 4)? { Some(place(u)?.abs()) } else { None },
        restitution: Some(u.arbitrary::<Number>()?.0.abs().min(1.0)),
        ..MaterialData::default()
    });
    Ok(scenario)
}

/// Makes a scene and simulates it for some steps.
pub fn run(bytes: &[u8]) {
    let mut u = Unstructured::new(bytes);
    let Ok(scenario) = scenario(&mut u) else { return };
    let laws = LawSpec::all();
    // Mostly the laws for several contacts.
    let law = &laws[usize::from(u.arbitrary::<u8>().unwrap_or(0)) % 11 % laws.len()];
    let Ok(built) = scenario.build() else { return };
    steps(&built, law, 200);
}

/// Takes that many steps at most, and checks that all that is told is finite.
pub fn steps(built: &Built, law: &LawSpec, most: usize) {
    let mut count = 0;
    let mut law = law.clone();
    if let LawSpec::Lzb(lzb) = &mut law {
        lzb.max_steps = Some(lzb.max_steps.unwrap_or(2000).min(2000));
    }
    let mut settings = built.settings.clone();
    settings.max_events = settings.max_events.min(300);
    let mut until = built.until.clone();
    until.impacts = Some(until.impacts.unwrap_or(40).min(40));
    settings.sample_interval = settings.sample_interval.filter(|dt| until.time / dt <= 1e4);
    let mut observer = |_: &_| {
        count += 1;
        if count < most { Control::Continue } else { Control::Stop }
    };
    let run = simulate(&built.system, &built.q, &built.u, &law, &settings, &until, &mut observer);
    if let Ok(run) = run {
        finite(&run);
    }
}

fn finite(run: &Trajectory) {
    for sample in &run.samples {
        let e = &sample.energy;
        let energies = [e.kinetic, e.potential, e.friction, e.supports, e.damping, e.applied, e.impacts];
        let values = sample.q.iter().chain(&sample.u).chain(sample.forces.iter().flatten()).chain(&energies);
        assert!(
            sample.time.is_finite() && values.into_iter().all(|v| v.is_finite()),
            "{}: not finite at {}: {sample:?}",
            run.end.as_str(),
            sample.time
        );
    }
    for impact in &run.impacts {
        let values = impact.q.iter().chain(&impact.u_minus).chain(&impact.u_plus);
        assert!(values.into_iter().all(|v| v.is_finite()), "{}: {impact:?}", run.end.as_str());
    }
    let mut times = run.samples.windows(2).map(|w| w[1].time - w[0].time);
    assert!(times.all(|step| step >= 0.0), "time goes back");
}
