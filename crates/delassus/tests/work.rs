//! How much work searches take: sums of steps and iterations over fixed problems, and how often they ask whether to
//! stop (once in 500 000 multiplications). The bounds are five percent above what was counted, so that a method that
//! has become slower, or work that is no longer counted, is noticed; whoever makes one faster may lower them.

#[path = "common/asking.rs"]
mod asking;
mod common;
#[path = "lzb_support/general.rs"]
mod general;
mod lzb_support;
#[path = "common/packing.rs"]
mod packing;
#[path = "lzb_support/piles.rs"]
mod piles;
// Its types only.
#[allow(dead_code)]
#[path = "lzb_support/reference.rs"]
mod reference;

use std::sync::atomic::Ordering;

use asking::asking;
use common::{Case, planar_cones, spatial_cones};
use delassus::law::Lzb;
use delassus::solve::contact::{ContactSettings, Method, solve as solve_contacts};
use delassus::solve::{SolveStatus, SolveWork, solve_within};
use delassus::{
    Budget, ContactData, ImpactOutcome, ImpactProblem, LawSpec, Options, ProblemData, Solutions, Status, Workspace,
    resolve_into,
};
use lzb_support::{Random, chain, lzb, spatial_contact};
use packing::Packing;
use piles::Pile;

/// Sums are at most a few percent above what was counted.
fn at_most(what: &str, found: &[usize], counted: &[usize]) {
    let few = |(found, counted): (&usize, &usize)| *found <= counted + counted / 20;
    assert!(found.iter().zip(counted).all(few), "{what}: {found:?}, counted before: {counted:?}");
}

/// Steps and events of all these impacts under a law: of each the median of five that differ in the last bits, which
/// decide how many collisions an impact has that ends in ever smaller ones.
fn impacts(problems: impl Iterator<Item = ProblemData>, law: &LawSpec) -> [usize; 2] {
    let (mut work, mut outcome) = (Workspace::default(), ImpactOutcome::default());
    let mut sum = [0; 2];
    for data in problems {
        let mut counts = [0, 1, 2, 3, 4].map(|k| {
            let mut data = data.clone();
            data.velocity.iter_mut().for_each(|v| *v *= 1.0 + f64::from(k) * 1e-15);
            let problem = ImpactProblem::new(data).unwrap();
            resolve_into(&problem, law, &Options::default(), &mut work, &mut outcome).unwrap();
            assert_eq!(outcome.status(), Status::Solved);
            [outcome.answer.stats.iterations, outcome.answer.stats.events]
        });
        counts.sort_unstable();
        sum = [sum[0] + counts[2][0], sum[1] + counts[2][1]];
    }
    sum
}

fn chains(count: usize) -> impl Iterator<Item = ProblemData> {
    let mut random = Random(5);
    (0..count).map(move |k| {
        let balls = 3 + k % 6;
        let mass: Vec<f64> = (0..balls).map(|_| 10f64.powf(random.within(-0.7, 0.7))).collect();
        let mut velocity = vec![0.0; balls];
        velocity[0] = 1.0;
        let mut data = chain(&mass, &velocity, 1.0);
        for contact in &mut data.contacts {
            contact.restitution = random.within(0.3, 1.0);
            contact.stiffness = 10f64.powf(random.within(-1.0, 1.0));
        }
        data
    })
}

/// Bodies on three or four points that slide in two directions.
fn sliding(count: usize) -> impl Iterator<Item = ProblemData> {
    let mut random = Random(11);
    (0..count).map(move |k| {
        let inertia = [0; 3].map(|_| random.within(0.2, 1.0));
        let mass = delassus::Mass::diagonal([[1.0; 3], inertia].concat()).unwrap();
        let velocity: Vec<f64> = (0..6).map(|i| if i == 2 { -1.5 } else { random.within(-1.0, 1.0) }).collect();
        let mut data = ProblemData::new(mass, velocity);
        for i in 0..3 + k % 2 {
            let p = [random.within(-1.0, 1.0), random.within(-1.0, 1.0), random.within(-1.0, -0.3)];
            let friction = random.within(0.05, 0.8);
            data.contacts.push(
                spatial_contact(&format!("c{i}"), p, 0.0)
                    .restitution(random.within(0.0, 1.0))
                    .stiffness(random.within(0.3, 3.0))
                    .friction(friction)
                    .friction_static(friction * random.within(1.0, 1.3)),
            );
        }
        data
    })
}

#[test]
fn impacts_under_lzb_take_few_steps() {
    let keep = LawSpec::Lzb(Lzb { keep_gaps: true, ..Lzb::default() });
    let general = |kind: &'static str, seed: u64| (0..60).map(move |round| general::problem(kind, seed, round));
    let counted = [
        ("chains, η = 3/2", impacts(chains(60), &lzb(1.5)), [14769, 1847]),
        ("chains, η = 1", impacts(chains(60), &lzb(1.0)), [9703, 1605]),
        ("chains, η = 2", impacts(chains(60), &lzb(2.0)), [18754, 2168]),
        ("chains with gaps", impacts(chains(60), &keep), [18764, 1992]),
        ("bodies in a corner", impacts(general("body", 3), &lzb(1.5)), [4676, 893]),
        ("general position", impacts(general("gauss", 3), &lzb(1.5)), [23041, 4226]),
        ("with joints", impacts(general("jointed", 3), &lzb(1.5)), [38468, 7901]),
        ("slides in space", impacts(sliding(60), &lzb(1.5)), [8650, 476]),
        ("packings", impacts((2..5).map(|seed| Pile::spheres(30, seed).problem(0.3, 0.5)), &lzb(1.5)), [4406, 284]),
    ];
    counted.iter().for_each(|(what, found, expected)| at_most(what, found, expected));
}

/// Sums over packings of sweeps, steps of Newton's method, factors, and questions.
fn packings(method: Method) -> [usize; 4] {
    let mut sum = [0; 4];
    for (contacts, seed, friction) in [(100, 1, 0.1), (200, 2, 0.3), (200, 3, 0.6), (400, 4, 0.3)] {
        let problem = Packing::spheres(contacts, seed).problem(friction);
        let (limits, asked) = asking();
        let settings = ContactSettings { method, ..ContactSettings::default() };
        let report = solve_contacts(&problem, &settings, &mut Budget::new(&limits), &mut Vec::new()).unwrap();
        assert!(report.status == SolveStatus::Solved || method != Method::Auto, "{report:?}");
        sum[0] += report.sweeps;
        sum[1] += report.iterations - report.sweeps;
        sum[2] += report.factorisations;
        sum[3] += asked.load(Ordering::Relaxed);
    }
    sum
}

#[test]
fn packings_take_few_iterations() {
    let counted = [
        ("all", packings(Method::Auto), [32, 621, 574, 540]),
        ("sweeps", packings(Method::GaussSeidel), [1280, 0, 0, 133]),
        ("Newton", packings(Method::Newton), [40, 298, 272, 153]),
        ("proximal", packings(Method::Proximal), [40, 377, 223, 226]),
    ];
    counted.iter().for_each(|(what, found, expected)| at_most(what, found, expected));
}

/// Iterations, restarts and questions of random inclusions with that many contacts.
fn inclusions(spatial: bool, contacts: usize, friction: f64, count: usize) -> [usize; 3] {
    let mut random = common::Random(23);
    let mut sum = [0; 3];
    let mut work = SolveWork::default();
    for _ in 0..count {
        let rows = if spatial { 3 } else { 2 } * contacts;
        let directions: Vec<Vec<f64>> = (0..rows).map(|_| random.vector(rows + 1)).collect();
        let vector: Vec<f64> = (0..rows).map(|_| random.next() - 0.3).collect();
        let cones = if spatial {
            spatial_cones(&vec![[friction, friction]; contacts], 0.0)
        } else {
            planar_cones(&vec![friction; contacts], 0.0)
        };
        let case = Case::from_directions(&directions, vector, cones);
        let (limits, asked) = asking();
        let mut x = vec![0.0; rows];
        let report = solve_within(&case.inclusion(), &mut Budget::new(&limits), &mut work, &mut x);
        if report.status == SolveStatus::Solved {
            assert!(case.residual(&x) <= 1e-8);
        }
        sum[0] += report.iterations;
        sum[1] += report.restarts;
        sum[2] += asked.load(Ordering::Relaxed);
    }
    sum
}

#[test]
fn inclusions_take_few_iterations() {
    let counted = [
        ("planar", inclusions(false, 8, 0.3, 100), [1711, 0, 0]),
        ("planar, many", inclusions(false, 40, 0.2, 5), [391, 0, 10]),
        ("planar, rough", inclusions(false, 6, 2.0, 100), [1376, 0, 0]),
        ("spatial, one", inclusions(true, 1, 0.5, 300), [300, 0, 0]),
        ("spatial, one rough", inclusions(true, 1, 2.5, 300), [300, 0, 0]),
        ("spatial, two", inclusions(true, 2, 0.4, 200), [668, 0, 0]),
        ("spatial", inclusions(true, 4, 0.3, 100), [477, 0, 0]),
        ("spatial, rough", inclusions(true, 4, 1.5, 60), [586, 0, 0]),
        ("spatial, many", inclusions(true, 30, 0.1, 3), [17, 0, 5]),
    ];
    counted.iter().for_each(|(what, found, expected)| at_most(what, found, expected));
}

/// Questions during one impact.
fn questions(data: ProblemData, law: &LawSpec, solutions: Solutions) -> usize {
    let (limits, asked) = asking();
    let options = Options { limits, solutions, ..Options::default() };
    let mut outcome = ImpactOutcome::default();
    resolve_into(&ImpactProblem::new(data).unwrap(), law, &options, &mut Workspace::default(), &mut outcome).unwrap();
    assert_eq!(outcome.status(), Status::Solved);
    asked.load(Ordering::Relaxed)
}

/// A box on the ground with that many rough feet in a row, and a ball that falls on it.
fn feet(count: usize) -> ProblemData {
    let mass = delassus::Mass::diagonal(vec![1.0, 1.0, 0.4, 0.5]).unwrap();
    let mut data = ProblemData::new(mass, [0.3, -0.1, 0.1, -1.0]);
    for i in 0..count {
        let x = -1.0 + 2.0 * i as f64 / (count - 1) as f64;
        let contact = ContactData::new(format!("c{i}"), [0.0, 1.0, x, 0.0]).tangent([1.0, 0.0, 0.5 - 0.1 * x * x, 0.0]);
        data.contacts.push(contact.friction(0.3).restitution(0.3));
    }
    data.contacts.push(ContactData::new("ball", [0.0, -1.0, -0.2, 1.0]).restitution(0.5));
    data
}

/// Searches ask in proportion to their work, whatever part of it is at hand.
#[test]
fn searches_ask_whether_to_stop() {
    let equal = |balls: usize| {
        let mut velocity = vec![0.0; balls];
        velocity[0] = 1.0;
        chain(&vec![1.0; balls], &velocity, 1.0)
    };
    let newton = LawSpec::Newton(Default::default());
    let counted = [
        ("a chain under lzb", questions(equal(400), &lzb(1.5), Solutions::First), 13),
        ("feet under newton", questions(feet(7), &newton, Solutions::All), 53),
    ];
    counted.iter().for_each(|(what, found, expected)| at_most(what, &[*found], &[*expected]));
}

/// A light ball between heavy ones: endlessly many collisions are summed up after a few hundred.
#[test]
fn endless_collisions_are_summed_up_early() {
    let cases = [([1e6, 1.0, 1e6], 0.5), ([1e6, 1.0, 3e6], 0.5), ([1e7, 1.0, 1e5], 0.9)];
    let counted = cases.map(|(mass, e)| {
        impacts(std::iter::once(chain(&mass, &[1.0, 0.0, -1.0], e)), &LawSpec::Sequential(Default::default()))[1]
    });
    at_most("collisions", &counted, &[299, 286, 297]);
}

/// Two contacts on a wall hold a body together, one of them with more friction at rest than in motion. Where they reached
/// their limits at once, break-away was noticed and not decided, again and again, in half of the cases.
#[test]
fn contacts_that_break_away_together_do_so_whatever_the_last_bits() {
    let (mut work, mut outcome) = (Workspace::default(), ImpactOutcome::default());
    for k in 0..200 {
        let mut data = general::problem("body", 3, 58);
        data.velocity.iter_mut().for_each(|v| *v *= 1.0 + f64::from(k) * 1e-15);
        let problem = ImpactProblem::new(data).unwrap();
        resolve_into(&problem, &lzb(1.5), &Options::default(), &mut work, &mut outcome).unwrap();
        assert_eq!(outcome.status(), Status::Solved, "{k}");
        assert_eq!(outcome.answer.stats.restarts, 0, "{k}");
        assert!(outcome.answer.stats.iterations < 3000, "{k}: {:?}", outcome.answer.stats);
        assert!(outcome.u_plus.iter().all(|u| u.abs() < 1e-9), "{k}: {:?}", outcome.u_plus);
    }
}
