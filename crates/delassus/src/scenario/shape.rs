//! From shapes to mass properties and contact features.

use super::data::{PartData, ShapeData};
use crate::error::ImpactError;
use crate::model::{Vec2, rotate};

/// A shape about its centre of mass.
#[derive(Debug, Clone, Default)]
pub(super) struct Solid {
    pub mass: f64,
    pub inertia: f64,
    /// Centre of mass in the frame the shape was given in.
    pub centre: Vec2,
    /// Corners, in the order of their names.
    pub corners: Vec<Vec2>,
    /// Per corner, the outline it belongs to.
    pub corner_outline: Vec<usize>,
    /// Disks: centre and radius.
    pub disks: Vec<(Vec2, f64)>,
    /// Convex outlines, counter-clockwise; two points are a segment.
    pub outlines: Vec<Vec<Vec2>>,
}

impl Solid {
    /// Largest distance of a point from the centre of mass.
    pub fn size(&self) -> f64 {
        let corners = self.corners.iter().map(|c| c.norm());
        corners.chain(self.disks.iter().map(|(c, r)| c.norm() + r)).fold(0.0, f64::max)
    }

    fn outlined(mut self, outline: Vec<Vec2>, corners: Vec<Vec2>) -> Self {
        self.corner_outline = vec![0; corners.len()];
        self.corners = corners;
        self.outlines = vec![outline];
        self
    }

    fn shifted(mut self, by: Vec2) -> Self {
        self.corners.iter_mut().for_each(|c| *c += by);
        self.disks.iter_mut().for_each(|(c, _)| *c += by);
        self.outlines.iter_mut().flatten().for_each(|c| *c += by);
        self
    }

    fn turned(mut self, angle: f64) -> Self {
        self.corners.iter_mut().for_each(|c| *c = rotate(*c, angle));
        self.disks.iter_mut().for_each(|(c, _)| *c = rotate(*c, angle));
        self.outlines.iter_mut().flatten().for_each(|c| *c = rotate(*c, angle));
        self
    }
}

fn length(field: String, value: f64) -> Result<f64, ImpactError> {
    if value.is_finite() && value > 0.0 {
        Ok(value)
    } else {
        Err(ImpactError::out_of_range(field, value, "must be positive and finite"))
    }
}

/// Builds a shape; `mass` is its mass, or nothing for a compound.
pub(super) fn solid(path: &str, shape: &ShapeData, mass: Option<f64>) -> Result<Solid, ImpactError> {
    if let ShapeData::Compound { part } = shape {
        if let Some(mass) = mass {
            let problem = "a compound has the mass of its parts; leave it out";
            return Err(ImpactError::new(format!("{path}.mass"), mass, problem));
        }
        return compound(path, part);
    }
    let Some(mass) = mass else {
        return Err(ImpactError::missing(format!("{path}.mass"), "", "is missing"));
    };
    length(format!("{path}.mass"), mass)?;
    simple(path, shape, mass)
}

fn simple(path: &str, shape: &ShapeData, mass: f64) -> Result<Solid, ImpactError> {
    let at = |key: &str| format!("{path}.shape.{key}");
    let base = Solid { mass, ..Solid::default() };
    Ok(match shape {
        ShapeData::Box { width, height } => {
            let (w, h) = (length(at("box.width"), *width)?, length(at("box.height"), *height)?);
            let corners: Vec<Vec2> =
                [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)].map(|(x, y)| 0.5 * Vec2::new(x * w, y * h)).into();
            Solid { inertia: mass * (w * w + h * h) / 12.0, ..base }.outlined(corners.clone(), corners)
        }
        ShapeData::Disk { radius } => {
            let r = length(at("disk.radius"), *radius)?;
            Solid { inertia: 0.5 * mass * r * r, disks: vec![(Vec2::zeros(), r)], ..base }
        }
        ShapeData::Rod { length: l } => {
            let l = length(at("rod.length"), *l)?;
            let ends = vec![Vec2::new(-0.5 * l, 0.0), Vec2::new(0.5 * l, 0.0)];
            Solid { inertia: mass * l * l / 12.0, ..base }.outlined(ends.clone(), ends)
        }
        ShapeData::Polygon { vertices } => polygon(&at("polygon.vertices"), vertices, mass)?,
        ShapeData::Compound { .. } => {
            return Err(ImpactError::new(at("compound"), "", "a part cannot be a compound itself"));
        }
    })
}

fn polygon(path: &str, vertices: &[[f64; 2]], mass: f64) -> Result<Solid, ImpactError> {
    let count = vertices.len();
    if count < 3 || vertices.iter().flatten().any(|v| !v.is_finite()) {
        return Err(ImpactError::wrong_size(path, format!("{count} corners"), "needs at least 3 corners, all finite"));
    }
    let corners: Vec<Vec2> = vertices.iter().map(|v| Vec2::new(v[0], v[1])).collect();
    let side = |k: usize| corners[(k + 1) % count] - corners[k];
    let cross = |a: Vec2, b: Vec2| a.x * b.y - a.y * b.x;
    for k in 0..count {
        let (a, b) = (side(k), side((k + 1) % count));
        // Straight corners are allowed: several contacts in a row.
        if a.norm() == 0.0 || cross(a, b) < -1e-12 * a.norm() * b.norm() {
            let corner = format!("{:?}", vertices[(k + 1) % count]);
            return Err(ImpactError::new(
                format!("{path}[{}]", (k + 1) % count),
                corner,
                "corners must be distinct, counter-clockwise and make a convex polygon; use a compound for others",
            ));
        }
    }
    let mut area = 0.0;
    let mut centre = Vec2::zeros();
    let mut second = 0.0;
    // About the first corner, so that a far origin costs no digits.
    let at = |k: usize| corners[k % count] - corners[0];
    for k in 0..count {
        let (a, b) = (at(k), at(k + 1));
        let part = 0.5 * cross(a, b);
        area += part;
        centre += part * (a + b) / 3.0;
        second += part * (a.dot(&a) + a.dot(&b) + b.dot(&b)) / 6.0;
    }
    let span = corners.iter().map(|c| (c - corners[0]).norm()).fold(0.0, f64::max);
    if area <= 1e-12 * span * span {
        return Err(ImpactError::new(path, format!("area {area:e}"), "the corners must be counter-clockwise"));
    }
    centre /= area;
    let inertia = mass * (second / area - centre.dot(&centre));
    centre += corners[0];
    let corners: Vec<Vec2> = corners.iter().map(|c| c - centre).collect();
    // Outlines leave straight corners out.
    let outline = (0..count)
        .filter(|&k| {
            let (a, b) = (corners[k] - corners[(k + count - 1) % count], corners[(k + 1) % count] - corners[k]);
            cross(a, b) > 1e-12 * a.norm() * b.norm()
        })
        .map(|k| corners[k])
        .collect();
    Ok(Solid { mass, inertia, centre, ..Solid::default() }.outlined(outline, corners))
}

fn compound(path: &str, parts: &[PartData]) -> Result<Solid, ImpactError> {
    if parts.is_empty() {
        return Err(ImpactError::wrong_size(format!("{path}.shape.compound.part"), "[]", "needs at least one part"));
    }
    let mut solids = Vec::new();
    for (i, part) in parts.iter().enumerate() {
        let here = format!("{path}.shape.compound.part[{i}]");
        if !(part.mass.is_finite() && part.mass >= 0.0) {
            return Err(ImpactError::out_of_range(format!("{here}.mass"), part.mass, "must be at least 0"));
        }
        if part.position.iter().chain([&part.angle]).any(|v| !v.is_finite()) {
            return Err(ImpactError::not_finite(format!("{here}.position"), "", "position and angle must be finite"));
        }
        let solid = simple(&here, &part.shape, part.mass)?;
        // A polygon's given frame need not have its centre at the origin.
        let own = rotate(solid.centre, part.angle);
        solids.push((Vec2::new(part.position[0], part.position[1]) + own, solid.turned(part.angle)));
    }
    let mass: f64 = solids.iter().map(|(_, s)| s.mass).sum();
    if mass.is_nan() || mass <= 0.0 {
        let field = format!("{path}.shape.compound.part");
        return Err(ImpactError::out_of_range(field, format!("total mass {mass}"), "must be positive"));
    }
    let centre = solids.iter().fold(Vec2::zeros(), |sum, (c, s)| sum + s.mass * c) / mass;
    let mut whole = Solid { mass, centre, ..Solid::default() };
    for (place, part) in solids {
        let lever = place - centre;
        whole.inertia += part.inertia + part.mass * lever.dot(&lever);
        let part = part.shifted(lever);
        let before = whole.outlines.len();
        whole.corner_outline.extend(part.corner_outline.iter().map(|own| before + own));
        whole.corners.extend(part.corners);
        whole.disks.extend(part.disks);
        whole.outlines.extend(part.outlines);
    }
    Ok(whole)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_box_as_polygon_has_the_same_inertia() {
        let plain = solid("body", &ShapeData::Box { width: 2.0, height: 1.0 }, Some(3.0)).unwrap();
        let vertices = vec![[10.0, 5.0], [11.0, 5.0], [12.0, 5.0], [12.0, 6.0], [10.0, 6.0]];
        let drawn = solid("body", &ShapeData::Polygon { vertices }, Some(3.0)).unwrap();
        assert!((plain.inertia - drawn.inertia).abs() < 1e-12);
        assert!((drawn.centre - Vec2::new(11.0, 5.5)).norm() < 1e-12);
        assert_eq!((drawn.corners.len(), drawn.outlines[0].len()), (5, 4));
    }

    #[test]
    fn dimer_is_two_disks_about_their_middle() {
        let disk =
            |x: f64| PartData { shape: ShapeData::Disk { radius: 0.1 }, mass: 1.0, position: [x, 0.0], angle: 0.0 };
        let dimer = solid("body", &ShapeData::Compound { part: vec![disk(0.0), disk(1.0)] }, None).unwrap();
        assert!((dimer.inertia - (2.0 * 0.005 + 2.0 * 0.25)).abs() < 1e-14);
        assert!((dimer.centre.x - 0.5).abs() < 1e-15 && (dimer.size() - 0.6).abs() < 1e-15);
    }

    #[test]
    fn spoilt_shapes_are_named() {
        let message = |shape: ShapeData| solid("body[0]", &shape, Some(1.0)).unwrap_err().to_string();
        assert!(message(ShapeData::Disk { radius: -1.0 }).starts_with("body[0].shape.disk.radius = -1"));
        let clockwise = vec![[0.0, 0.0], [0.0, 1.0], [1.0, 0.0]];
        assert!(message(ShapeData::Polygon { vertices: clockwise }).contains("counter-clockwise"));
        let dent = vec![[0.0, 0.0], [2.0, 0.0], [1.0, 0.1], [1.0, 2.0]];
        assert!(message(ShapeData::Polygon { vertices: dent }).contains("convex"));
    }
}
