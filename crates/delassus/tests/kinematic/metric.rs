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

/// BZL (16), (17) and (20) as corrected, and §7's q̇_norm.
#[test]
fn scales_of_block_and_balls() {
    let (l, w, m, theta) = (1.3_f64, 0.8_f64, 2.5_f64, 0.3_f64);
    let inertia = m / 12.0 * (l * l + w * w);
    let arms = [l * theta.sin() + w * theta.cos(), l * theta.sin() - w * theta.cos()];
    let mut data = ProblemData::new(Mass::diagonal(vec![m, m, inertia]).unwrap(), [0.0; 3]);
    for (name, arm) in ["B", "A"].into_iter().zip(arms) {
        data = data.with_contact(ContactData::new(name, [0.0, 1.0, 0.5 * arm]));
    }
    let metric = KineticMetric::new(&ImpactProblem::new(data).unwrap()).unwrap();
    let scales = arms.map(|arm| (1.0 / m + arm * arm / (4.0 * inertia)).sqrt());
    close(&[metric.scale(0), metric.scale(1)], &scales, 1e-14);

    // nᵀ∇f of (20) is A_ij s_j: the Delassus entries divided by s.
    let metric = KineticMetric::new(&Strike { mass: m, ..Strike::new(l, w) }.problem()).unwrap();
    let sum = m * (l * l + w * w);
    let s = ((4.0 * w * w + l * l) / sum).sqrt();
    let entries = [metric.gram(0, 0) * metric.scale(0), metric.gram(0, 1) * metric.scale(1)];
    close(&entries, &[(4.0 * w * w + l * l) / sum / s, (l * l - 2.0 * w * w) / sum / s], 1e-14);

    let metric = KineticMetric::new(&chain(&[m; 4], &[0.0; 4])).unwrap();
    let split = metric.split(&[1.0, 0.0, 0.5, -2.0]).unwrap();
    close(&split.normal, &[-1.0, 0.5, -2.5].map(|v| v * (m / 2.0).sqrt()), 1e-14);
    close(&split.tangential, &[0.5 * m.sqrt() * -0.5], 1e-14);
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
