use std::f64::consts::{FRAC_PI_2, FRAC_PI_3, PI};

use delassus::{ContactData, ImpactProblem, JointData, KineticMetric, Mass, ProblemData, Split};

use crate::support::{Strike, chain, close};

#[test]
fn angle_of_the_block() {
    for a in [1e-3, 0.3, 1.0, 2.0_f64.sqrt(), 2.0, 6.0, 1e3] {
        let strike = Strike { mass: 3.0, ..Strike::new(0.7 * a, 0.7) };
        let metric = KineticMetric::new(&strike.problem()).unwrap();
        let printed = PI - ((a * a - 2.0) / (a * a + 4.0)).acos();
        // arccos loses digits near its ends, the library's angle does not.
        close(&[metric.angle(0, 1), metric.angle(1, 0)], &[printed; 2], 1e-8);
        close(&[metric.angle(0, 1)], &[strike.block.kinetic_angle()], 1e-12);
    }
    let flat = KineticMetric::new(&Strike::new(1e-9, 1.0).problem()).unwrap();
    close(&[flat.angle(0, 1)], &[FRAC_PI_3], 1e-12);
    let right = KineticMetric::new(&Strike::new(2.0_f64.sqrt(), 1.0).problem()).unwrap();
    close(&[right.angle(0, 1)], &[FRAC_PI_2], 1e-12);
}

#[test]
fn angle_of_three_balls() {
    for (m1, m2, m3) in [(1.0, 1.0, 1.0), (2.0, 0.5, 7.0), (1e-9, 1.0, 1e9)] {
        let metric = KineticMetric::new(&chain(&[m1, m2, m3], &[0.0; 3])).unwrap();
        let expected = (m1 * m3 / ((m1 + m2) * (m2 + m3))).sqrt().acos();
        close(&[metric.angle(0, 1)], &[expected], 1e-12);
    }
}

/// ZBL Remark 1: two unit spheres and a unit rod; inertia by the parallel axis theorem.
#[test]
fn angle_of_the_dimer() {
    for a in [1e-6, 0.1, 1.0, 30.0] {
        let (length, radius) = (1.0, a);
        let arm = 0.5 * length + radius;
        let inertia = 2.0 * (0.4 * radius * radius + arm * arm) + length * length / 12.0;
        let mass = Mass::diagonal(vec![3.0, 3.0, inertia]).unwrap();
        let data = ProblemData::new(mass, [0.0; 3])
            .with_contact(ContactData::new("1", [0.0, 1.0, arm]))
            .with_contact(ContactData::new("2", [0.0, 1.0, -arm]));
        let metric = KineticMetric::new(&ImpactProblem::new(data).unwrap()).unwrap();
        let s = (1.0 + 2.0 * a) * (1.0 + 2.0 * a);
        let alpha = s / (16.0 * a * a / 5.0 + 1.0 / 3.0 + 2.0 * s);
        let third = 1.0 / 3.0;
        close(&[metric.angle(0, 1)], &[PI - ((third - alpha) / (third + alpha)).acos()], 1e-12);
    }
}

#[test]
fn split_and_reconstruction_of_the_block() {
    let strike = Strike { mass: 2.5, ..Strike::new(1.3, 0.8) };
    let metric = KineticMetric::new(&strike.problem()).unwrap();
    // BZL (16)–(18) at θ = 0.
    let u = [0.4, -0.7, 0.9];
    let scale = (1.0 / 2.5 + 0.16 / strike.inertia()).sqrt();
    let split = metric.split(&u).unwrap();
    close(&split.normal, &[(-0.7 + 0.4 * 0.9) / scale, (-0.7 - 0.4 * 0.9) / scale], 1e-14);
    close(&split.tangential, &[2.5_f64.sqrt() * 0.4], 1e-14);
    close(&metric.tangential_basis()[0], &[1.0 / 2.5_f64.sqrt(), 0.0, 0.0], 1e-14);
    close(&metric.reconstruct(&split).unwrap(), &u, 1e-13);
    close(&[metric.gram(0, 0), metric.gram(1, 1)], &[1.0; 2], 1e-14);
}

#[test]
fn dependent_normals_have_angles_but_no_inverse() {
    let data = ProblemData::new(Mass::diagonal(vec![2.0, 1.0]).unwrap(), [0.0, 0.0])
        .with_contact(ContactData::new("one", [1.0, 0.0]))
        .with_contact(ContactData::new("two", [1.0, 1.0]))
        .with_contact(ContactData::new("three", [0.0, 1.0]));
    let metric = KineticMetric::new(&ImpactProblem::new(data).unwrap()).unwrap();
    close(&[metric.angle(0, 2)], &[FRAC_PI_2], 1e-14);
    assert!(metric.tangential_basis().is_empty());
    let split = metric.split(&[1.0, 2.0]).unwrap();
    assert!(metric.reconstruct(&split).unwrap_err().problem.contains("depend"));
}

/// A joint that welds two masses gives the metric of the welded body.
#[test]
fn joints_are_projected_out() {
    let mut data = ProblemData::new(Mass::diagonal(vec![1.0, 2.0, 4.0]).unwrap(), [0.0; 3])
        .with_contact(ContactData::new("12", [-1.0, 1.0, 0.0]));
    let joint = |name: &str| JointData {
        name: name.into(),
        directions: vec![[0.0, -1.0, 1.0].into()],
        restitution: 0.0,
        offset: vec![],
    };
    // The second joint repeats the first.
    data.joints = vec![joint("weld"), joint("weld again")];
    let metric = KineticMetric::new(&ImpactProblem::new(data).unwrap()).unwrap();
    close(&[metric.scale(0)], &[(1.0_f64 + 1.0 / 6.0).sqrt()], 1e-14);
    let split = metric.split(&[3.0, 5.0, 5.0]).unwrap();
    assert_eq!(split.tangential.len(), 1);
    close(&metric.reconstruct(&split).unwrap(), &[3.0, 5.0, 5.0], 1e-13);
    close(&metric.reconstruct(&Split { normal: vec![0.0], ..split }).unwrap(), &[33.0 / 7.0; 3], 1e-13);
}

#[test]
fn a_normal_that_joints_block_is_an_error() {
    let mut data = ProblemData::new(Mass::diagonal(vec![1.0, 2.0]).unwrap(), [0.0; 2])
        .with_contact(ContactData::new("c", [1.0, -1.0]));
    data.joints =
        vec![JointData { name: "j".into(), directions: vec![[-1.0, 1.0].into()], restitution: 0.0, offset: vec![] }];
    let error = KineticMetric::new(&ImpactProblem::new(data).unwrap()).unwrap_err();
    assert_eq!(error.field, "contact[0].normal");
}
