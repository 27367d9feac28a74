//! From shapes in space to mass properties.

use super::data::{Inertia, Orientation, SpatialPartData, SpatialShapeData};
use crate::error::{ImpactError, moderate};
use crate::model::{Form, Mat3, PRISM, Place, Polytope, Vec3, rotation};

/// A shape about its centre of mass.
pub(super) struct Solid {
    pub mass: f64,
    pub inertia: Mat3,
    /// Parts with their places, from the centre of mass.
    pub parts: Vec<(Place, Form)>,
}

impl Solid {
    /// Largest distance of a point from the centre of mass.
    pub fn size(&self) -> f64 {
        self.parts.iter().map(|(place, form)| place.position.norm() + form.reach()).fold(0.0, f64::max)
    }
}

/// Mass, or density.
#[derive(Clone, Copy)]
pub(super) struct Weight {
    pub mass: Option<f64>,
    pub density: Option<f64>,
}

impl Weight {
    /// The mass of a volume; none where neither is given.
    fn of(self, path: &str, volume: f64) -> Result<Option<f64>, ImpactError> {
        match (self.mass, self.density) {
            (Some(_), Some(density)) => {
                Err(ImpactError::new(format!("{path}.density"), density, "give either mass or density"))
            }
            (Some(mass), None) if mass.is_finite() && mass >= 0.0 => Ok(Some(mass)),
            (Some(mass), None) => Err(ImpactError::new(format!("{path}.mass"), mass, "must be at least 0 and finite")),
            (None, Some(density)) => Ok(Some(length(format!("{path}.density"), density)? * volume)),
            (None, None) => Ok(None),
        }
    }
}

/// Most points of a convex shape: all triples of them are looked at.
const MOST_POINTS: usize = 200;

fn length(field: String, value: f64) -> Result<f64, ImpactError> {
    let sound = value.is_finite() && value > 0.0;
    if sound { Ok(value) } else { Err(ImpactError::new(field, value, "must be positive and finite")) }
}

/// A shape with its mass.
pub(super) fn solid(path: &str, shape: &SpatialShapeData, weight: Weight) -> Result<Solid, ImpactError> {
    if let SpatialShapeData::Compound { part } = shape {
        return compound(path, part, weight);
    }
    let (form, volume, inertia, _) = simple(path, shape)?;
    let Some(mass) = weight.of(path, volume)? else {
        return Err(ImpactError::new(format!("{path}.mass"), "", "is missing: give mass or density"));
    };
    length(format!("{path}.mass"), mass)?;
    let here = Place { position: Vec3::zeros(), rotation: Mat3::identity() };
    Ok(Solid { mass, inertia: mass * inertia, parts: vec![(here, form)] })
}

/// Form, volume, inertia of unit mass about the centre, and the centre in the given frame.
fn simple(path: &str, shape: &SpatialShapeData) -> Result<(Form, f64, Mat3, Vec3), ImpactError> {
    let at = |key: &str| format!("{path}.shape.{key}");
    let diagonal = |x: f64, y: f64, z: f64| Mat3::from_diagonal(&Vec3::new(x, y, z));
    let zero = Vec3::zeros();
    Ok(match shape {
        SpatialShapeData::Sphere { radius } => {
            let r = length(at("sphere.radius"), *radius)?;
            let i = 0.4 * r * r;
            (Form::Ball { radius: r }, 4.0 / 3.0 * std::f64::consts::PI * r * r * r, diagonal(i, i, i), zero)
        }
        SpatialShapeData::Cuboid { size } => {
            for (i, side) in size.iter().enumerate() {
                length(at(&format!("cuboid.size[{i}]")), *side)?;
            }
            let [x, y, z] = size.map(|v| v * v / 12.0);
            let half = 0.5 * Vec3::from(*size);
            let form = Form::Polytope(Box::new(Polytope::cuboid(half)));
            (form, size.iter().product(), diagonal(y + z, x + z, x + y), zero)
        }
        SpatialShapeData::Cylinder { radius, height } => {
            let (r, h) = (length(at("cylinder.radius"), *radius)?, length(at("cylinder.height"), *height)?);
            let across = r * r / 4.0 + h * h / 12.0;
            let prism = Box::new(Polytope::prism(PRISM, r, 0.5 * h));
            let form = Form::Cylinder { radius: r, half: 0.5 * h, prism };
            (form, std::f64::consts::PI * r * r * h, diagonal(across, across, 0.5 * r * r), zero)
        }
        SpatialShapeData::Capsule { radius, length: l } => {
            let (r, l) = (length(at("capsule.radius"), *radius)?, length(at("capsule.length"), *l)?);
            let pi = std::f64::consts::PI;
            let (tube, ball) = (pi * r * r * l, 4.0 / 3.0 * pi * r * r * r);
            let along = tube * 0.5 * r * r + ball * 0.4 * r * r;
            // Each half ball about its own centre of mass, 3r/8 beyond the end of the tube.
            let away = 0.5 * l + 0.375 * r;
            let across =
                tube * (r * r / 4.0 + l * l / 12.0) + ball * (0.4 * r * r - (0.375 * r) * (0.375 * r) + away * away);
            let volume = tube + ball;
            let form = Form::Capsule { radius: r, half: 0.5 * l };
            (form, volume, diagonal(across, across, along) / volume, zero)
        }
        SpatialShapeData::Convex { vertices } => {
            let field = at("convex.vertices");
            let count = vertices.len();
            if !(4..=MOST_POINTS).contains(&count) || vertices.iter().flatten().any(|v| !v.is_finite()) {
                let problem = format!("needs 4 to {MOST_POINTS} points, all finite");
                return Err(ImpactError::new(field, format!("{count} points"), problem));
            }
            let points: Vec<Vec3> = vertices.iter().map(|v| Vec3::from(*v)).collect();
            let Some(hull) = Polytope::hull(&points) else {
                return Err(ImpactError::new(field, format!("{count} points"), "must not all lie in one plane"));
            };
            let (volume, centre, _) = hull.moments();
            let hull = hull.shifted(-centre);
            let second = hull.moments().2 / volume;
            let inertia = Mat3::from_diagonal_element(second.trace()) - second;
            (Form::Polytope(Box::new(hull)), volume, inertia, centre)
        }
        SpatialShapeData::Compound { .. } => {
            return Err(ImpactError::new(at("compound"), "", "a part cannot be a compound itself"));
        }
    })
}

/// The mass of a part of a compound: its own, else by the mass or the density of the whole, of that volume.
fn part_mass(
    path: &str,
    here: &str,
    part: &SpatialPartData,
    whole: Weight,
    [volume, total]: [f64; 2],
) -> Result<f64, ImpactError> {
    let own = Weight { mass: part.mass, density: part.density }.of(here, volume)?;
    match (own, whole.mass) {
        (Some(_), Some(mass)) => {
            let problem = "give the mass of a compound or those of its parts";
            Err(ImpactError::new(format!("{path}.mass"), mass, problem))
        }
        (Some(mass), None) => Ok(mass),
        (None, _) => whole.of(path, total)?.map(|mass| mass * volume / total).ok_or_else(|| {
            let problem = "is missing: give mass or density of the part, or of the body";
            ImpactError::new(format!("{here}.mass"), "", problem)
        }),
    }
}

fn compound(path: &str, parts: &[SpatialPartData], weight: Weight) -> Result<Solid, ImpactError> {
    if parts.is_empty() {
        return Err(ImpactError::wrong_size(format!("{path}.shape.compound.part"), "[]", "needs at least one part"));
    }
    let at = |i: usize| format!("{path}.shape.compound.part[{i}]");
    let volumes = parts.iter().enumerate().map(|(i, part)| Ok(simple(&at(i), &part.shape)?.1));
    let volumes = volumes.collect::<Result<Vec<f64>, ImpactError>>()?;
    let total: f64 = volumes.iter().sum();
    let mut built = Vec::new();
    for (i, part) in parts.iter().enumerate() {
        let here = at(i);
        let mass = part_mass(path, &here, part, weight, [volumes[i], total])?;
        if part.position.iter().any(|v| !v.is_finite()) {
            return Err(ImpactError::new(format!("{here}.position"), format!("{:?}", part.position), "must be finite"));
        }
        let turn = turn(&format!("{here}.orientation"), &part.orientation)?;
        let (form, _, inertia, own) = simple(&here, &part.shape)?;
        // A convex shape's given frame need not have its centre at the origin.
        let place = Place { position: Vec3::from(part.position) + turn * own, rotation: turn };
        built.push((mass, place, mass * turn * inertia * turn.transpose(), form));
    }
    let mass: f64 = built.iter().map(|(m, ..)| m).sum();
    if mass.is_nan() || mass <= 0.0 {
        let field = format!("{path}.shape.compound.part");
        return Err(ImpactError::new(field, format!("total mass {mass}"), "must be positive"));
    }
    let centre = built.iter().map(|(m, place, ..)| *m * place.position).sum::<Vec3>() / mass;
    let mut whole = Solid { mass, inertia: Mat3::zeros(), parts: Vec::new() };
    for (m, mut place, inertia, form) in built {
        place.position -= centre;
        let p = place.position;
        whole.inertia += inertia + m * (Mat3::from_diagonal_element(p.norm_squared()) - p * p.transpose());
        whole.parts.push((place, form));
    }
    Ok(whole)
}

/// The rotation of an orientation.
pub(super) fn turn(field: &str, orientation: &Orientation) -> Result<Mat3, ImpactError> {
    let wrong = |problem: &str| ImpactError::new(field, orientation, problem);
    let about = |axis: Vec3, angle: f64| *nalgebra::Rotation3::new(axis * angle).matrix();
    match *orientation {
        Orientation::Quaternion([w, x, y, z]) => {
            let size = (w * w + x * x + y * y + z * z).sqrt();
            if !(size.is_finite() && size > 0.0) {
                return Err(wrong("must be a finite quaternion that is not zero"));
            }
            Ok(rotation([w, x, y, z].map(|v| v / size)))
        }
        Orientation::Axis { axis, angle } => {
            let axis = Vec3::from(axis);
            let size = axis.norm();
            if !(size.is_finite() && size > 0.0) {
                return Err(wrong("needs an axis that is not zero, of a length whose square is a number"));
            }
            moderate(|| format!("{field}.angle"), angle)?;
            Ok(about(axis / size, angle))
        }
        Orientation::Euler { roll, pitch, yaw } => {
            for (key, angle) in [("roll", roll), ("pitch", pitch), ("yaw", yaw)] {
                moderate(|| format!("{field}.{key}"), angle)?;
            }
            Ok(about(Vec3::z(), yaw) * about(Vec3::y(), pitch) * about(Vec3::x(), roll))
        }
    }
}

/// The inertia given in place of that of the shape.
pub(super) fn inertia(field: &str, given: &Inertia) -> Result<Mat3, ImpactError> {
    let matrix = match given {
        Inertia::Principal(values) => Mat3::from_diagonal(&Vec3::from(*values)),
        Inertia::Matrix(rows) => Mat3::from_fn(|i, j| rows[i][j]),
    };
    let size = matrix.amax();
    let symmetric = (matrix - matrix.transpose()).amax() <= 1e-9 * size;
    if !(size.is_finite() && symmetric && matrix.cholesky().is_some()) {
        let problem = "must be finite, symmetric and positive definite";
        return Err(ImpactError::new(field, given, problem));
    }
    let moments = matrix.symmetric_eigenvalues();
    let [a, b, c] = [moments[0], moments[1], moments[2]];
    if a.max(b).max(c) > (1.0 + 1e-9) * (a + b + c) / 2.0 {
        let problem = "no body has a principal moment larger than the sum of the other two";
        return Err(ImpactError::new(field, given, problem));
    }
    Ok(0.5 * (matrix + matrix.transpose()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn made(shape: SpatialShapeData) -> Solid {
        solid("body[0]", &shape, Weight { mass: Some(2.0), density: None }).unwrap()
    }

    #[test]
    fn a_cuboid_as_hull_has_the_same_inertia() {
        let plain = made(SpatialShapeData::Cuboid { size: [1.0, 2.0, 3.0] });
        let corner = |k: usize| std::array::from_fn(|i| 10.0 + [1.0, 2.0, 3.0][i] * (k >> i & 1) as f64);
        let drawn = made(SpatialShapeData::Convex { vertices: (0..8).map(corner).collect() });
        assert!((plain.inertia - drawn.inertia).amax() < 1e-12, "{} {}", plain.inertia, drawn.inertia);
        assert!((plain.size() - drawn.size()).abs() < 1e-12);
    }

    #[test]
    fn a_capsule_of_no_length_is_nearly_a_ball_and_a_dumbbell_obeys_steiner() {
        let ball = made(SpatialShapeData::Sphere { radius: 0.3 });
        let capsule = made(SpatialShapeData::Capsule { radius: 0.3, length: 1e-9 });
        assert!((ball.inertia - capsule.inertia).amax() < 1e-9);
        let part = |x: f64, mass: Option<f64>| SpatialPartData {
            shape: SpatialShapeData::Sphere { radius: 0.1 },
            mass,
            density: None,
            position: [x, 0.0, 0.0],
            orientation: Orientation::default(),
        };
        let shape = SpatialShapeData::Compound { part: vec![part(0.0, Some(1.0)), part(1.0, Some(1.0))] };
        let none = Weight { mass: None, density: None };
        let dumbbell = solid("b", &shape, none).unwrap();
        let own = 2.0 * 0.4 * 0.01;
        assert!((dumbbell.inertia[(0, 0)] - own).abs() < 1e-15);
        assert!((dumbbell.inertia[(1, 1)] - own - 0.5).abs() < 1e-15 && (dumbbell.size() - 0.6).abs() < 1e-15);
    }

    /// The mass of a compound is that of its parts, or is spread over them, or follows from a density.
    #[test]
    fn a_compound_weighs_what_is_said_of_it_or_of_its_parts() {
        let part = |radius: f64, mass: Option<f64>, density: Option<f64>| SpatialPartData {
            shape: SpatialShapeData::Sphere { radius },
            mass,
            density,
            position: [10.0 * radius, 0.0, 0.0],
            orientation: Orientation::default(),
        };
        let weigh = |parts: Vec<SpatialPartData>, mass: Option<f64>, density: Option<f64>| {
            solid("b", &SpatialShapeData::Compound { part: parts }, Weight { mass, density }).map_err(|e| e.to_string())
        };
        let unit = 4.0 / 3.0 * std::f64::consts::PI * 1e-3;
        let plain = || vec![part(0.1, None, None), part(0.2, None, None)];
        let whole = weigh(plain(), Some(18.0), None).unwrap();
        let dense = weigh(plain(), None, Some(2.0 / unit)).unwrap();
        let each = weigh(vec![part(0.1, Some(2.0), None), part(0.2, None, Some(2.0 / unit))], None, None).unwrap();
        for solid in [&whole, &dense, &each] {
            assert!((solid.mass - 18.0).abs() < 1e-12 && (solid.inertia - whole.inertia).amax() < 1e-12);
        }
        let mixed = weigh(vec![part(0.1, Some(5.0), None), part(0.2, None, None)], None, Some(2.0 / unit)).unwrap();
        assert!((mixed.mass - 21.0).abs() < 1e-12);
        for (wrong, word) in [
            (weigh(plain(), None, None), "part[0].mass"),
            (weigh(vec![part(0.1, Some(1.0), None)], Some(1.0), None), "b.mass"),
            (weigh(vec![part(0.1, Some(1.0), Some(1.0))], None, None), "part[0].density"),
            (weigh(vec![part(0.1, Some(-1.0), None)], None, None), "part[0].mass"),
            (weigh(vec![part(0.1, Some(0.0), None)], None, None), "total mass 0"),
        ] {
            let text = wrong.err().unwrap_or_default();
            assert!(text.contains(word), "{word}: {text}");
        }
    }

    #[test]
    fn orientations_agree() {
        let half = std::f64::consts::FRAC_PI_2;
        let axis = turn("o", &Orientation::Axis { axis: [0.0, 0.0, 2.0], angle: half }).unwrap();
        let euler = turn("o", &Orientation::Euler { roll: 0.0, pitch: 0.0, yaw: half }).unwrap();
        let four = turn("o", &Orientation::Quaternion([1.0, 0.0, 0.0, 1.0])).unwrap();
        assert!((axis - euler).amax() < 1e-15 && (axis - four).amax() < 1e-15);
        // About x first: then the nose that points along y goes up, and yaw does not move it.
        let both = turn("o", &Orientation::Euler { roll: half, pitch: 0.0, yaw: 1.0 }).unwrap();
        assert!((both * Vec3::y() - Vec3::z()).norm() < 1e-15);
        assert!(inertia("i", &Inertia::Principal([1.0, 1.0, 3.0])).is_err());
    }
}
