//! The batch door allocates nothing once its buffers exist, and an impact of a run its record alone.

use delassus::scenario::{MaterialData, RockingBlock, Scenario};
use delassus::simulate::{Control, Records, simulate};
use delassus::{
    ContactData, Friction, ImpactOutcome, ImpactProblem, JointData, LawSpec, Mass, MassEntries, Options, ProblemData,
    Solutions, Workspace, resolve_into,
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

/// What a problem gets from impact to impact is set in place: mass, directions, offsets, velocity, coefficients.
#[test]
fn nothing_is_allocated_where_numbers_change() {
    let options = Options { solutions: Solutions::First, ..Options::default() };
    for (contacts, jointed) in [(1, false), (4, true)] {
        let mut problem = problem(contacts, jointed);
        let (mut work, mut outcome) = (Workspace::default(), ImpactOutcome::default());
        let law = LawSpec::by_name("newton").unwrap();
        let (n, m) = (problem.coordinates(), problem.rows());
        let mass: Vec<f64> = (0..n * n).map(|k| if k % (n + 1) == 0 { 2.5 } else { 0.2 }).collect();
        let directions: Vec<f64> = (0..n * m).map(|k| (k as f64).cos()).collect();
        let offset: Vec<f64> = (0..m).map(|k| 0.1 * k as f64).collect();
        let velocity = problem.u_minus().to_vec();
        let mut once = || {
            problem.set_numbers(Some(MassEntries::Dense(&mass)), Some(&directions), Some(&offset), &velocity).unwrap();
            problem.set_restitution(0, 0.4, 0.1).unwrap();
            problem.set_friction(0, Friction::Isotropic(0.2)).unwrap();
            resolve_into(&problem, &law, &options, &mut work, &mut outcome).unwrap();
        };
        once();
        let info = allocation_counter::measure(|| (0..10).for_each(|_| once()));
        assert_eq!(info.count_total, 0, "{contacts} contacts, joint: {jointed}");
    }
}

/// An impact of a run allocates the lists of its record and nothing else, steps and events included; a brief record has no
/// lists. What grows by doubling (the list of impacts itself) is less than one allocation an impact.
#[test]
fn an_impact_of_a_run_allocates_its_record_alone() {
    let block = RockingBlock { width: 0.24, height: 0.48, mass: 2.0, angle: 0.2, rate: 0.0 };
    let material = MaterialData {
        friction: Some(0.3),
        friction_static: Some(0.5),
        restitution: Some(0.8),
        ..MaterialData::default()
    };
    let scenario = Scenario { rocking_block: Some(block), material: vec![material], ..Scenario::default() };
    let mut built = scenario.build().unwrap();
    for (name, records) in
        ["newton", "poisson", "lzb"].into_iter().flat_map(|name| [Records::Full, Records::Brief].map(|r| (name, r)))
    {
        let law = LawSpec::by_name(name).unwrap();
        built.settings.records = records;
        let allocations = |impacts: usize| {
            let mut until = built.until.clone();
            until.impacts = Some(impacts);
            let (mut count, mut lists) = (0, 0);
            let info = allocation_counter::measure(|| {
                let run = simulate(&built.system, &built.q, &built.u, &law, &built.settings, &until, &mut |_| {
                    Control::Continue
                });
                let run = run.unwrap();
                count = run.impacts.len();
                let copied = allocation_counter::measure(|| drop(run.impacts.clone()));
                lists = copied.count_total - 1;
            });
            // The copies are counted too.
            ((info.count_total - lists - 1) as f64, lists as f64, count as f64)
        };
        let ((few, few_lists, first), (many, many_lists, last)) = (allocations(8), allocations(40));
        assert!(last > first + 8.0, "{name}: {last} impacts");
        let each = (many - few) / (last - first);
        let record = (many_lists - few_lists) / (last - first);
        eprintln!("{name}, {records:?}: {each:.1} allocations an impact, {record:.1} of them its lists");
        assert!(each <= record + 0.5, "{name}, {records:?}: {each} allocations an impact, {record} lists");
        assert!(records == Records::Full || record == 0.0);
    }
}
