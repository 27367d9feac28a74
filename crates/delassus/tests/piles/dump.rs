//! A scene as the JSON that scenario files hold, to be run by hand.

use delassus::scenario::{LineData, MotionData, ShapeData};

use crate::generate::Scene;

fn pair(v: [f64; 2]) -> String {
    format!("[{:?}, {:?}]", v[0], v[1])
}

fn shape(shape: &ShapeData) -> String {
    match shape {
        ShapeData::Box { width, height } => format!("{{\"box\": {{\"width\": {width:?}, \"height\": {height:?}}}}}"),
        ShapeData::Disk { radius } => format!("{{\"disk\": {{\"radius\": {radius:?}}}}}"),
        ShapeData::Rod { length } => format!("{{\"rod\": {{\"length\": {length:?}}}}}"),
        ShapeData::Polygon { vertices } => {
            let corners: Vec<String> = vertices.iter().map(|v| pair(*v)).collect();
            format!("{{\"polygon\": {{\"vertices\": [{}]}}}}", corners.join(", "))
        }
        ShapeData::Compound { part } => {
            let parts: Vec<String> = part
                .iter()
                .map(|p| {
                    let (what, at) = (self::shape(&p.shape), pair(p.position));
                    format!(
                        "{{\"shape\": {what}, \"mass\": {:?}, \"position\": {at}, \"angle\": {:?}}}",
                        p.mass, p.angle
                    )
                })
                .collect();
            format!("{{\"compound\": {{\"part\": [{}]}}}}", parts.join(", "))
        }
    }
}

fn line(line: &LineData) -> String {
    let mut text = format!("{{\"name\": {:?}, \"point\": {}", line.name, pair(line.point));
    if let Some(normal) = line.normal {
        text += &format!(", \"normal\": {}", pair(normal));
    }
    if let Some(MotionData::Harmonic { direction, amplitude, frequency, phase }) = &line.motion {
        text += &format!(
            ", \"motion\": {{\"harmonic\": {{\"direction\": {}, \"amplitude\": {amplitude:?}, \"frequency\": \
             {frequency:?}, \"phase\": {phase:?}}}}}",
            pair(*direction)
        );
    }
    text + "}"
}

pub fn json(scene: &Scene) -> String {
    let s = &scene.scenario;
    let bodies: Vec<String> = s
        .body
        .iter()
        .map(|b| {
            let mass = b.mass.map_or_else(String::new, |m| format!(", \"mass\": {m:?}"));
            format!(
                "{{\"name\": {:?}, \"shape\": {}{mass}, \"position\": {}, \"angle\": {:?}, \"velocity\": {}, \"rate\": {:?}}}",
                b.name,
                shape(&b.shape),
                pair(b.position),
                b.angle,
                pair(b.velocity),
                b.rate
            )
        })
        .collect();
    let lines = |list: &[LineData]| list.iter().map(line).collect::<Vec<_>>().join(", ");
    let material = &s.material[0];
    let given = [
        ("friction", material.friction),
        ("friction_static", material.friction_static),
        ("restitution", material.restitution),
    ];
    let surface: Vec<String> = given.iter().filter_map(|(k, v)| v.map(|v| format!("\"{k}\": {v:?}"))).collect();
    let law = match (scene.law.name(), material.restitution) {
        ("moreau", Some(e)) => format!("{{\"name\": \"moreau\", \"restitution\": {e:?}}}"),
        (name, _) => format!("{{\"name\": {name:?}}}"),
    };
    let time = s.until.time.unwrap_or(1.0);
    format!(
        "{{\"ground\": [{}], \"wall\": [{}],\n\"body\": [{}],\n\"material\": {{{}}}, \"law\": {law}, \"until\": {{\"time\": {time:?}}}}}\n",
        lines(&s.ground),
        lines(&s.wall),
        bodies.join(",\n"),
        surface.join(", ")
    )
}
