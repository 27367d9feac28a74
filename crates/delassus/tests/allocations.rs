//! The batch door allocates nothing once its buffers exist.

use delassus::{
    ContactData, ImpactOutcome, ImpactProblem, JointData, LawSpec, Mass, Options, ProblemData, Solutions, Workspace,
    resolve_into,
};

fn problem(contacts: usize, jointed: bool) -> ImpactProblem {
    let n = 6;
    let mass = (0..n * n).map(|k| if k % (n + 1) == 0 { 2.0 } else { 0.1 }).collect();
    let velocity: Vec<f64> = (0..n).map(|i| -1.0 - 0.1 * i as f64).collect();
    let mut data = ProblemData::new(Mass::dense(n, mass).unwrap(), velocity);
    for c in 0..contacts {
        let normal: Vec<f64> = (0..n).map(|i| 1.0 + 0.3 * ((i * (c + 2)) as f64).sin()).collect();
        let tangent: Vec<f64> = (0..n).map(|i| ((i + 3 * c) as f64).cos()).collect();
        data =
            data.with_contact(ContactData::new(format!("{c}"), normal).tangent(tangent).friction(0.3).restitution(0.5));
    }
    if jointed {
        // At rest before the impact.
        let joint: Vec<f64> = (0..n).map(|i| (2.0 * i as f64).cos()).collect();
        let along: f64 = joint.iter().zip(&data.velocity).map(|(w, u)| w * u).sum();
        let square: f64 = joint.iter().map(|w| w * w).sum();
        data.velocity.iter_mut().zip(&joint).for_each(|(u, w)| *u -= along / square * w);
        let directions = vec![joint.into()];
        data.joints.push(JointData { name: "joint".into(), directions, restitution: 0.0, offset: vec![] });
    }
    ImpactProblem::new(data).unwrap()
}

#[test]
fn nothing_is_allocated_per_impact() {
    let options = Options { solutions: Solutions::First, ..Options::default() };
    for (contacts, jointed) in [(1, false), (4, false), (1, true), (4, true)] {
        let mut problem = problem(contacts, jointed);
        let (mut work, mut outcome) = (Workspace::default(), ImpactOutcome::default());
        for name in ["newton", "moreau", "poisson", "lzb"] {
            let law = LawSpec::by_name(name).unwrap();
            let velocity = problem.u_minus().to_vec();
            resolve_into(&problem, &law, &options, &mut work, &mut outcome).unwrap();
            let info = allocation_counter::measure(|| {
                for _ in 0..10 {
                    problem.set_velocity(&velocity).unwrap();
                    resolve_into(&problem, &law, &options, &mut work, &mut outcome).unwrap();
                }
            });
            assert_eq!(info.count_total, 0, "{name} with {contacts} contacts, joint: {jointed}");
            assert!(outcome.status().has_answer());
        }
    }
}
