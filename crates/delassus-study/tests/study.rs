//! Maps over two parameters: traced boundaries against closed forms, parameters against problems
//! built by hand, regimes and their names.

use std::f64::consts::PI;

use delassus::{
    BlockHeight, BlockImpact, ContactData, ImpactProblem, LawSpec, Mass, ProblemData, ProblemSource, RodImpact,
    TangentialVelocity, resolve,
};
use delassus_study::{Boundary, Case, Grid, Measure, Parameter, Probe, Reading, Regime, boundaries};

fn law(name: &str) -> LawSpec {
    LawSpec::by_name(name).unwrap()
}

fn probe(case: Case, keys: [&str; 2], measure: &str) -> Probe {
    let axes = keys.map(|key| Parameter::parse(key, &case).unwrap());
    let measure = Measure::parse(measure, &case).unwrap();
    Probe::new(case, axes, measure).unwrap()
}

/// Points of the curves and points half-way between them, with the regimes divided.
fn along(curves: &[Boundary]) -> impl Iterator<Item = ([f64; 2], [Regime; 2])> + '_ {
    curves.iter().flat_map(|curve| {
        let middle = curve.points.windows(2).map(|p| [0, 1].map(|k| 0.5 * (p[0][k] + p[1][k])));
        curve.points.iter().copied().chain(middle).map(|p| (p, curve.between))
    })
}

#[test]
fn a_circle_is_one_closed_curve_and_its_chords_are_short_enough() {
    let grid = Grid::uniform([(-2.0, 2.0), (-2.0, 2.0)], [20, 23]).unwrap();
    let curves = boundaries(&grid, |x, y| Regime::new(u64::from(x * x + y * y < 1.0)));
    assert_eq!(curves.len(), 1);
    assert_eq!(curves[0].points.first(), curves[0].points.last());
    for ([x, y], _) in along(&curves) {
        assert!((x.hypot(y) - 1.0).abs() < 1e-6 * 4.0, "{x} {y}");
    }
}

#[test]
fn three_regimes_meet_in_a_point() {
    let (px, py) = (0.3137, 0.6411);
    let sector = |x: f64, y: f64| ((y - py).atan2(x - px) + PI) / (2.0 * PI) * 3.0;
    let grid = Grid::uniform([(0.0, 1.0), (0.0, 1.0)], [11, 11]).unwrap();
    let curves = boundaries(&grid, |x, y| Regime::new(sector(x, y).clamp(0.0, 2.99) as u64));
    assert_eq!(curves.len(), 3);
    let mut pairs: Vec<_> = curves.iter().map(|c| c.between).collect();
    pairs.sort_unstable();
    pairs.dedup();
    assert_eq!(pairs.len(), 3, "one curve for each pair");
    for curve in &curves {
        let ends = [curve.points.first(), curve.points.last()].map(Option::unwrap);
        let nearest = ends.iter().map(|p| (p[0] - px).hypot(p[1] - py)).fold(f64::INFINITY, f64::min);
        assert!(nearest < 1e-6, "{nearest}");
    }
}

#[test]
fn a_chessboard_corner_is_a_saddle_of_four_arms() {
    let (px, py) = (0.437, 0.529);
    let grid = Grid::uniform([(0.0, 1.0), (0.0, 1.0)], [9, 8]).unwrap();
    let curves = boundaries(&grid, |x, y| Regime::new(u64::from((x > px) != (y > py))));
    for ([x, y], _) in along(&curves) {
        assert!((x - px).abs().min((y - py).abs()) < 1e-6, "{x} {y}");
    }
    // Each side of the map is reached once.
    let ends: Vec<[f64; 2]> = curves.iter().flat_map(|c| [c.points[0], c.points[c.points.len() - 1]]).collect();
    for (axis, side) in [(0, 0.0), (0, 1.0), (1, 0.0), (1, 1.0)] {
        assert_eq!(ends.iter().filter(|p| p[axis] == side).count(), 1);
    }
}

#[test]
fn a_strip_that_the_grid_loses_has_no_false_ends() {
    // A wedge that becomes narrower than the spacing: every point of a curve lies on one of its sides.
    let grid = Grid::uniform([(0.0, 1.0), (0.0, 1.0)], [20, 20]).unwrap();
    let side = |x: f64, y: f64| (y - 0.1 - 0.83 * x).abs() - 0.2 * (0.9 - x);
    let curves = boundaries(&grid, |x, y| Regime::new(u64::from(side(x, y) < 0.0)));
    assert!(along(&curves).count() > 20);
    for ([x, y], _) in along(&curves) {
        assert!(side(x, y).abs() < 2e-6, "{x} {y}");
    }
}

#[test]
fn a_regime_narrower_than_the_tolerance_does_not_break_a_curve() {
    let grid = Grid::uniform([(0.0, 1.0), (0.0, 1.0)], [40, 40]).unwrap();
    let curves = boundaries(&grid, |x, y| {
        let v = x - 0.21 - 0.3 * y * y;
        Regime::new(if v.abs() < 3e-9 { 1 } else { 2 * u64::from(v > 0.0) })
    });
    assert_eq!(curves.len(), 1);
    assert_eq!(curves[0].between, [Regime::new(0), Regime::new(2)]);
}

/// [PG 2005, eqs. (34) and (47)]: γ_T⁻/γ_N⁻ at the end of stick, by α, β, δ of (22).
fn stick_ends(rod: &RodImpact, phi: f64, side: f64) -> Option<f64> {
    let (s, m) = (rod.half_length, rod.mass);
    let theta = rod.inertia.unwrap_or(m * s * s / 3.0);
    let (sin, cos) = phi.sin_cos();
    let [alpha, beta] = [cos, sin].map(|c| 1.0 / m + s * s * c * c / theta);
    let delta = s * s * sin * cos / theta;
    let mu = side * rod.friction;
    let slope = (delta + mu * beta) / (alpha + mu * delta);
    (alpha + mu * delta > 0.0).then(|| slope * (1.0 + rod.restitution) / (1.0 + rod.restitution_tangential))
}

#[test]
fn stick_and_slip_of_the_rod_are_divided_by_the_closed_form() {
    let thick = RodImpact {
        mass: 3e-6,
        half_length: 250.0,
        inertia: Some(0.09),
        friction: 0.8,
        restitution: 0.7,
        restitution_tangential: 0.25,
        normal_velocity: -4e5,
        ..RodImpact::default()
    };
    let slender =
        |friction, e| RodImpact { friction, restitution: e, restitution_tangential: e, ..RodImpact::default() };
    for (rod, half) in
        [(slender(0.5, 1.0), 6.0), (slender(5.0 / 3.0, 1.0), 10.0), (slender(0.3, 0.0), 6.0), (thick, 6.0)]
    {
        let case = Case::new(ProblemSource::Rod(rod.clone()), [law("newton")]);
        let mut probe = probe(case, ["rod.velocity_ratio", "rod_impact.angle"], "state");
        let (range, angles) = ((-half, half + 0.1), (0.0, PI));
        let grid = Grid::uniform([range, angles], [60, 47]).unwrap();
        let curves = boundaries(&grid, |x, y| probe.read(x, y).regime);
        let mut points = 0;
        for ([x, phi], between) in along(&curves) {
            let names = between.map(|r| probe.name(r));
            let side = if names.contains(&"backward slip".into()) { 1.0 } else { -1.0 };
            assert!(names.contains(&"stick".into()) && names.iter().any(|n| n.contains("slip")), "{names:?}");
            // Distance from the curve, with the slope of the closed form, in parts of the ranges.
            let ratio = |phi: f64| stick_ends(&rod, phi, side).unwrap();
            let h = 1e-5;
            let slope = (ratio(phi + h) - ratio(phi - h)) / (2.0 * h) * (angles.1 - angles.0);
            let distance = (x - ratio(phi)).abs() / (range.1 - range.0).hypot(slope);
            assert!(distance < 1e-6, "{names:?} at {x}, {phi}: {distance:e}");
            points += 1;
        }
        assert!(points > 200, "{points}");
        // Both curves are there wherever the closed form is within the map.
        for side in [-1.0, 1.0] {
            for phi in [0.4, 1.0, 2.0, 2.9] {
                if let Some(ratio) = stick_ends(&rod, phi, side).filter(|r| r.abs() < half) {
                    let [below, above] = [ratio - 1e-4, ratio + 1e-4].map(|r| probe.read(r, phi).regime);
                    assert_ne!(below, above);
                }
            }
        }
    }
}

#[test]
fn the_block_parts_from_its_resting_corner_at_the_aspect_of_housner() {
    // Sticking and e = 0: the resting corner stays down up to l/L = 1/√2.
    let block = BlockImpact { friction: 1.5, ..BlockImpact::default() };
    let case = Case::new(ProblemSource::Block(block), [law("lzb")]);
    let mut probe = probe(case, ["block.aspect", "block.friction"], "state");
    let grid = Grid::uniform([(0.5, 1.0), (1.0, 2.0)], [6, 3]).unwrap();
    let curves = boundaries(&grid, |x, y| probe.read(x, y).regime);
    assert_eq!(curves.len(), 1);
    for ([x, _], between) in along(&curves) {
        assert!((x - 0.5f64.sqrt()).abs() < 0.5e-6, "{x}");
        assert_eq!(between.map(|r| probe.name(r)), ["A open, B stick", "A stick, B stick"]);
    }
}

fn contact(name: &str) -> ContactData {
    ContactData::new(name, [0.0, 1.0, -0.5]).tangent([1.0, 0.0, 0.8]).friction(0.5).restitution(0.4)
}

fn two_contacts() -> ProblemData {
    let right = ContactData { normal: [0.0, 1.0, 0.5].into(), ..contact("right.foot") };
    ProblemData::new(Mass::diagonal(vec![3.0, 3.0, 1.0]).unwrap(), [0.5, -1.0, 0.2])
        .with_contact(contact("left"))
        .with_contact(right)
}

#[test]
fn parameters_reach_the_number_they_name() {
    type Change = fn(&mut ProblemData);
    let changes: [(&str, f64, Change); 14] = [
        ("velocity[1]", -2.0, |d| d.velocity[1] = -2.0),
        ("impulse[0]", 0.7, |d| d.impulse = vec![0.7, 0.0, 0.0]),
        ("mass[2]", 5.0, |d| d.mass = Mass::diagonal(vec![3.0, 3.0, 5.0]).unwrap()),
        ("mass[0][1]", 0.5, |d| {
            d.mass = Mass::dense(3, vec![3.0, 0.5, 0.0, 0.5, 3.0, 0.0, 0.0, 0.0, 1.0]).unwrap();
        }),
        ("contact[0].friction", 0.1, |d| d.contacts[0].friction = Some(0.1.into())),
        ("contact.right.foot.friction", 0.1, |d| d.contacts[1].friction = Some(0.1.into())),
        ("contact[*].friction", 0.1, |d| d.contacts.iter_mut().for_each(|c| c.friction = Some(0.1.into()))),
        ("contact.left.friction_static", 0.9, |d| d.contacts[0].friction_static = Some(0.9.into())),
        ("contact.left.restitution", 0.9, |d| d.contacts[0].restitution = 0.9),
        ("contact.left.restitution_tangential", 0.2, |d| d.contacts[0].restitution_tangential = 0.2),
        ("contact[1].stiffness", 4.0, |d| d.contacts[1].stiffness = 4.0),
        ("contact[1].offset[1]", 0.3, |d| d.contacts[1].offset = vec![0.0, 0.3]),
        ("contact[1].normal[2]", 0.3, |d| d.contacts[1].normal = [0.0, 1.0, 0.3].into()),
        ("contact[1].tangent[0]", 0.3, |d| d.contacts[1].tangents = vec![[0.3, 0.0, 0.8].into()]),
    ];
    for (key, value, change) in changes {
        let mut expected = two_contacts();
        change(&mut expected);
        let expected = resolve(&ImpactProblem::new(expected).unwrap(), &law("lzb")).unwrap();
        let case = Case::new(ProblemSource::Full(two_contacts()), [law("lzb")]);
        for (element, row) in [("left", 0), ("left.friction", 1), ("right.foot", 2), ("right.foot.friction", 3)] {
            // The other parameter keeps its value.
            let mut probe = probe(case.clone(), [key, "velocity[0]"], &format!("impulse:{element}"));
            assert_eq!(probe.read(value, 0.5).value, expected.impulses()[row], "{key}");
        }
    }
}

#[test]
fn names_that_are_no_parameter_are_refused() {
    let case = Case::new(ProblemSource::Full(two_contacts()), [law("newton")]);
    for key in [
        "velocity",
        "velocity[3]",
        "velocity[-1]",
        "velocity[0][0]",
        "mass[0][3]",
        "contact[2].friction",
        "contact.middle.friction",
        "contact[0].colour",
        "contact[0]",
        "contact[0].tangent[1][0]",
        "law.exponent",
        "rod.angle",
        "",
    ] {
        assert!(Parameter::parse(key, &case).is_err(), "{key}");
    }
    for key in Parameter::known(&case) {
        assert_eq!(Parameter::parse(&key, &case).unwrap().key(), key);
    }
}

#[test]
fn law_data_is_a_parameter_of_laws_that_have_it() {
    let data = two_contacts();
    let case = Case::new(ProblemSource::Full(data), [law("lzb"), law("moreau")]);
    let mut probe = probe(case, ["law.exponent", "law.restitution"], "difference");
    let values = [(1.0, 0.2), (1.5, 0.2), (1.5, 0.6)].map(|(x, y)| probe.read(x, y).value);
    assert!(values.iter().all(|v| v.is_finite() && *v > 0.0), "{values:?}");
    assert!(values[0] != values[1] && values[1] != values[2], "{values:?}");
}

#[test]
fn short_forms_are_the_problems_they_stand_for() {
    let rod = RodImpact {
        mass: 3.0,
        half_length: 0.7,
        angle: 1.1,
        rate: 0.4,
        normal_velocity: -2.0,
        tangential: TangentialVelocity::Ratio(-0.3),
        friction: 0.5,
        restitution: 0.4,
        ..RodImpact::default()
    };
    let problem = ImpactProblem::new(ProblemSource::Rod(rod.clone()).data().unwrap()).unwrap();
    let gamma = problem.gamma_minus();
    assert!((gamma[0] + 2.0).abs() < 1e-15 && (gamma[1] - 0.6).abs() < 1e-15, "{gamma:?}");
    let [alpha, delta] = [problem.operator().get(0, 0), problem.operator().get(0, 1)];
    let k = 0.49 / (3.0 * 0.49 / 3.0);
    assert!((alpha - (1.0 / 3.0 + k * 1.1f64.cos().powi(2))).abs() < 1e-15);
    assert!((delta - k * 1.1f64.cos() * 1.1f64.sin()).abs() < 1e-15);

    let block = BlockImpact { width: 0.24, height: BlockHeight::Absolute(0.48), mass: 2.0, ..BlockImpact::default() };
    let problem = ImpactProblem::new(ProblemSource::Block(block.clone()).data().unwrap()).unwrap();
    assert!(problem.gamma_minus()[..2].iter().all(|g| g.abs() < 1e-16), "A rests: {:?}", problem.gamma_minus());
    assert!((problem.gamma_minus()[2] + 0.24).abs() < 1e-16);
    assert!((problem.mass().to_dense()[8] - 0.048).abs() < 1e-17);

    // A quantity that is asked for is the one that stays.
    let mut rod = rod;
    assert_eq!(*rod.quantity("tangential_velocity").unwrap(), 0.6);
    *rod.quantity("normal_velocity").unwrap() = -1.0;
    assert_eq!(*rod.quantity("velocity_ratio").unwrap(), -0.6);
    let mut block = block;
    assert_eq!(*block.quantity("aspect").unwrap(), 2.0);
    *block.quantity("width").unwrap() = 1.0;
    assert_eq!(*block.quantity("height").unwrap(), 2.0);
    assert!(RodImpact::QUANTITIES.iter().all(|q| rod.quantity(q).is_some()));
    assert!(BlockImpact::QUANTITIES.iter().all(|q| block.quantity(q).is_some()));
    for (name, value) in [("mass", 0.0), ("angle", f64::NAN), ("friction", -0.1), ("restitution_tangential", 1.5)] {
        let mut bad = RodImpact::default();
        *bad.quantity(name).unwrap() = value;
        let error = ProblemSource::Rod(bad).data().unwrap_err();
        assert_eq!(error.field, format!("rod_impact.{name}"));
    }
}

#[test]
fn a_reading_depends_on_its_point_alone() {
    // Entries of M that are only together positive definite, and a range that leaves it.
    let case = Case::new(ProblemSource::Full(two_contacts()), [law("poisson")]);
    let mut used = probe(case, ["mass[0]", "mass[0][1]"], "energy");
    let fresh = used.clone();
    let bits = |r: Reading| (r.value.to_bits(), r.regime, r.status);
    let points: Vec<(f64, f64)> = (0..60).map(|k| (f64::from(k % 7) - 1.0, f64::from(k % 5) - 2.0)).collect();
    let mut undefined = 0;
    for &(x, y) in &points {
        let reading = used.read(x, y);
        assert_eq!(bits(reading), bits(fresh.clone().read(x, y)));
        // M is positive definite iff 3x > y², and then the impact is defined.
        assert_eq!(reading.status.is_some(), 3.0 * x > y * y, "{x} {y}");
        undefined += usize::from(reading.regime == Regime::UNDEFINED);
    }
    assert!(undefined > 0 && undefined < points.len());
    assert_eq!(used.try_read(-1.0, 0.0).unwrap_err().field, "mass[0]");
}

/// Coefficients that a problem takes without being built anew: allowed ones, refused ones and
/// allowed ones again, against the problem built from the same numbers.
#[test]
fn coefficients_set_in_place_leave_no_trace() {
    let case = Case::new(ProblemSource::Full(two_contacts()), [law("newton")]);
    let mut used = probe(case, ["contact.left.friction", "contact[*].restitution"], "energy");
    let (mut defined, mut refused) = (0, 0);
    for k in 0..80 {
        let (x, y) = (0.15 * f64::from(k % 9) - 0.3, 0.3 * f64::from(k % 5) - 0.3);
        let mut data = two_contacts();
        data.contacts[0].friction = Some(x.into());
        data.contacts.iter_mut().for_each(|c| c.restitution = y);
        match ImpactProblem::new(data) {
            Ok(problem) => {
                let energy = resolve(&problem, &law("newton")).unwrap().energy;
                assert_eq!(used.try_read(x, y).unwrap().value, energy.change() / energy.before, "{x} {y}");
                defined += 1;
            }
            Err(error) => {
                assert_eq!(used.try_read(x, y).unwrap_err(), error);
                refused += 1;
            }
        }
    }
    assert!(defined > 20 && refused > 20);
}

#[test]
fn measures_read_what_outcomes_hold() {
    let data = two_contacts();
    let outcome = resolve(&ImpactProblem::new(data.clone()).unwrap(), &law("newton")).unwrap();
    let case = Case::new(ProblemSource::Full(data), [law("newton")]);
    let read = |measure: &str| {
        let mut probe = probe(case.clone(), ["velocity[0]", "velocity[1]"], measure);
        let reading = probe.read(0.5, -1.0);
        (reading.value, probe.name(reading.regime))
    };
    let c = &outcome.certificate;
    for (measure, value) in [
        ("energy", outcome.energy.change() / outcome.energy.before),
        ("kinematic", c.kinematic),
        ("kinetic", c.kinetic),
        ("energetic", c.energetic),
        ("momentum", c.momentum),
        ("inclusion", c.inclusion.unwrap()),
        ("velocity[2]", outcome.u_plus[2]),
        ("gamma:left", outcome.gamma_plus[0]),
        ("gamma:right.foot.friction", outcome.gamma_plus[3]),
        ("impulse:right.foot", outcome.impulses()[2]),
        ("solutions", 1.0),
    ] {
        assert_eq!(read(measure).0, value, "{measure}");
    }
    assert_eq!(read("theorem").1, c.theorem.as_str());
    assert_eq!(read("kinetic").1, "holds");
    let case_of =
        |laws: &[&str]| Case::new(ProblemSource::Full(two_contacts()), laws.iter().map(|l| law(l)).collect::<Vec<_>>());
    for (measure, laws) in [
        ("difference", &["newton"][..]),
        ("state", &["newton", "poisson"]),
        ("velocity[3]", &["newton"]),
        ("gamma:middle", &["newton"]),
        ("states", &["newton"]),
    ] {
        assert!(Measure::parse(measure, &case_of(laws)).is_err(), "{measure}");
    }
    // Walton's law takes one contact only.
    let mut walton = probe(case_of(&["walton"]), ["velocity[0]", "velocity[1]"], "energy");
    assert_eq!(walton.read(0.5, -1.0).regime, Regime::NOT_APPLICABLE);
}

#[test]
fn supercritical_friction_without_approach_has_two_solutions() {
    // [PG 2005, §6]: at tan φ = 2 the critical friction of a slender rod is 4/3.
    let rod = RodImpact {
        angle: 2f64.atan(),
        normal_velocity: 0.0,
        tangential: TangentialVelocity::Absolute(1.0),
        restitution: 0.5,
        restitution_tangential: 0.5,
        ..RodImpact::default()
    };
    let case = Case::new(ProblemSource::Rod(rod), [law("newton")]);
    let mut probe = probe(case, ["rod.friction", "rod.tangential_velocity"], "solutions");
    let grid = Grid::uniform([(1.0, 2.0), (0.5, 1.5)], [12, 3]).unwrap();
    let curves = boundaries(&grid, |x, y| probe.read(x, y).regime);
    assert_eq!((probe.read(1.2, 1.0).value, probe.read(1.5, 1.0).value), (1.0, 2.0));
    assert_eq!(curves.len(), 1);
    for ([mu, _], _) in along(&curves) {
        assert!((mu - 4.0 / 3.0).abs() < 1e-6, "{mu}");
    }
}

#[test]
fn a_boundary_as_rough_as_dust_takes_bounded_work() {
    use delassus_study::{Accuracy, Regime, trace_square};
    // Regimes at random: between two points lie as many changes as one looks for.
    let dust = |x: f64, y: f64| {
        let mixed = (x.to_bits() ^ y.to_bits().rotate_left(17)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        Regime::new((mixed ^ (mixed >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 63)
    };
    let grid = Grid::uniform([(0.1, 1.0), (0.1, 1.0)], [8, 8]).unwrap();
    let regimes: Vec<Regime> = grid.y.iter().flat_map(|&y| grid.x.iter().map(move |&x| dust(x, y))).collect();
    let (mut evaluations, mut rough, mut mixed) = (0, 0, 0);
    for row in 0..7 {
        for column in 0..7 {
            let corner = |c: usize, r: usize| regimes[(row + r) * 8 + column + c];
            let corners = [corner(0, 0), corner(1, 0), corner(0, 1), corner(1, 1)];
            mixed += usize::from(corners.iter().any(|c| *c != corners[0]));
            let read = |x, y| {
                evaluations += 1;
                dust(x, y)
            };
            rough +=
                usize::from(!trace_square(&grid, &regimes, [column, row], Accuracy::COARSE, read, &mut Vec::new()));
        }
    }
    assert!(mixed > 20 && rough >= 10, "{rough} of {mixed}");
    assert!(evaluations <= 150 * mixed, "{evaluations} evaluations in {mixed} squares");
}
