//! Impacts under every law.

use delassus::law::{
    ContactEnergy, Form, Kinematic, Lzb, Moreau, NumberOrMatrix, Order, Reflections, Sequential, Stronge,
};
use delassus::{
    Certificate, ElementState, ImpactOutcome, ImpactProblem, LawSpec, Limits, Method, Options, ProblemData, Solutions,
    Status, Theorem, Uniqueness, Workspace, resolve_into,
};

use super::draw::{self, Random};
use super::hard;
use super::record::{Record, Records};

/// Problems of one kind: its name, and how to draw one.
pub type Kind = (&'static str, fn(&mut Random) -> ProblemData);

const PLANAR: [Kind; 8] = [
    ("one", |random| draw::system(random, true, 1, 1, false)),
    ("plain", |random| draw::system(random, false, 1, 2, false)),
    ("degenerate", |random| draw::system(random, true, 1, 3, false)),
    ("constrained", |random| draw::system(random, true, 1, 2, true)),
    ("feet", |random| draw::feet(random, 3)),
    ("stack", |random| draw::stack(random, 2)),
    ("jam", |random| {
        let data = draw::system(random, false, 1, 3, false);
        draw::rough(random, data)
    }),
    ("wedge", |random| {
        let data = draw::feet(random, 2);
        draw::rough(random, data)
    }),
];
const SPATIAL: [Kind; 5] = [
    ("space-one", |random| draw::system(random, true, 2, 1, false)),
    ("space-rough", |random| draw::system(random, false, 2, 1, true)),
    ("space", |random| draw::system(random, false, 2, 2, false)),
    ("space-degenerate", |random| draw::system(random, true, 2, 3, true)),
    ("space-feet", |random| draw::feet_in_space(random, 4)),
];
/// Enough rows that the operator is stored by its entries.
const MANY: [Kind; 2] = [("many", |random| draw::stack(random, 30)), ("many-chain", |random| draw::chain(random, 70))];

/// Problems that share a line.
const BATCH: usize = 15;

/// Resolves problems of these kinds, that many of each, under one law.
struct Series {
    records: Records,
    work: Workspace,
}

impl Series {
    fn new() -> Self {
        Self { records: Records::default(), work: Workspace::default() }
    }

    fn run(&mut self, law: &LawSpec, name: &str, kinds: &[Kind], count: usize, options: impl Fn(usize) -> Options) {
        for (kind, draw) in kinds {
            let mut random = Random(kind.bytes().fold(7, |seed, b| (31 * seed + u64::from(b)) % 1_000_003));
            for k in 0..count {
                let data = draw(&mut random);
                self.one(law, format!("{name}/{kind}/{k}"), data, &options(k));
            }
        }
    }

    /// As `run`, with one line for `BATCH` problems together: rare events need many problems.
    fn sums(&mut self, law: &LawSpec, name: &str, kinds: &[Kind], lines: usize, options: impl Fn(usize) -> Options) {
        for (kind, draw) in kinds {
            let mut random = Random(kind.bytes().fold(11, |seed, b| (37 * seed + u64::from(b)) % 1_000_003));
            for line in 0..lines {
                let (first, last) = (line * BATCH, (line + 1) * BATCH - 1);
                let mut record = Record::new(format!("{name}/{kind}/{first} to {last} together"));
                let mut sum = Sum::default();
                for k in first..=last {
                    let Ok(problem) = ImpactProblem::new(draw(&mut random)) else { continue };
                    let mut outcome = ImpactOutcome::default();
                    if resolve_into(&problem, law, &options(k), &mut self.work, &mut outcome).is_ok() {
                        sum.add(&outcome);
                    }
                }
                sum.describe(&mut record);
                self.records.0.push(record);
            }
        }
    }

    fn one(&mut self, law: &LawSpec, name: String, data: ProblemData, options: &Options) {
        let mut record = Record::new(name);
        match ImpactProblem::new(data) {
            Err(error) => record.word(format!("refused:{}", error.field)),
            Ok(problem) => {
                let mut outcome = ImpactOutcome::default();
                match resolve_into(&problem, law, options, &mut self.work, &mut outcome) {
                    Err(error) => record.word(format!("refused:{}", error.field)),
                    Ok(()) => describe(&problem, &outcome, &mut record),
                }
            }
        }
        self.records.0.push(record);
    }
}

/// What is told of several problems together.
#[derive(Default)]
struct Sum {
    solved: usize,
    unique: usize,
    stats: [usize; 3],
    states: [usize; 4],
    velocities: Vec<f64>,
    impulses: Vec<f64>,
    energies: Vec<f64>,
}

impl Sum {
    fn add(&mut self, outcome: &ImpactOutcome) {
        let (answer, stats) = (&outcome.answer, outcome.answer.stats);
        self.unique += usize::from(matches!(answer.uniqueness, Uniqueness::Proved(_)));
        let counts = [stats.iterations, stats.restarts, stats.events];
        self.stats.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
        if outcome.status() == Status::Solved {
            self.solved += 1;
            outcome.states.iter().for_each(|state| self.states[*state as usize] += 1);
            // Relative to the largest, so that no problem hides the others.
            let speed = 1.0 / outcome.energy.before.max(outcome.energy.after).max(1e-300).sqrt();
            self.velocities.extend(outcome.u_plus.iter().map(|u| u * speed));
            let largest = answer.impulses.iter().fold(0.0f64, |most, p| most.max(p.abs()));
            self.impulses.extend(answer.impulses.iter().map(|p| if largest > 0.0 { p / largest } else { 0.0 }));
            self.energies.extend(answer.contact_energy.iter().flat_map(energies).map(|e| e * speed * speed));
        }
    }

    fn describe(&self, record: &mut Record) {
        let ([i, r, e], [o, c, s, l]) = (self.stats, self.states);
        record.word(format!("{} solved {} one {i}/{r}/{e} {o}o{c}c{s}s{l}l", self.solved, self.unique));
        record.numbers('u', &self.velocities);
        record.numbers('p', &self.impulses);
        record.numbers('e', &self.energies);
    }
}

fn energies(of: &ContactEnergy) -> [f64; 5] {
    [of.stored, of.returned, of.lost, of.held, of.friction]
}

fn describe(problem: &ImpactProblem, outcome: &ImpactOutcome, record: &mut Record) {
    let (answer, c) = (&outcome.answer, &outcome.certificate);
    record.word(outcome.status().as_str());
    if !outcome.status().has_answer() {
        return;
    }
    record.word(match answer.uniqueness {
        Uniqueness::Proved(_) => "one".to_owned(),
        Uniqueness::Several { found, complete } => format!("{found}{}", if complete { "" } else { "+" }),
        Uniqueness::Unknown => "?".to_owned(),
    });
    let stats = answer.stats;
    record.word(format!("{}/{}/{}", stats.iterations, stats.restarts, stats.events));
    let states = outcome.states.iter().map(|s| match s {
        ElementState::Open => 'o',
        ElementState::Closed => 'c',
        ElementState::Stick => 's',
        ElementState::Slip => 'l',
    });
    record.word(states.take(12).collect::<String>());
    if c.theorem != Theorem::None {
        record.word(format!("t{}", Theorem::ALL.iter().position(|t| *t == c.theorem).unwrap()));
    }
    if !answer.warnings.is_empty() {
        record.word(format!("w{}", answer.warnings.len()));
    }
    let residuals = [("m", c.momentum), ("k", c.kinematic), ("f", c.kinetic), ("d", c.energetic)];
    let failed =
        residuals.into_iter().chain(c.inclusion.map(|r| ("i", r))).filter(|(_, r)| *r > Certificate::TOLERANCE);
    let failed: Vec<(&str, f64)> = failed.collect();
    if !failed.is_empty() {
        record.word(format!("fails:{}", failed.iter().map(|(name, _)| *name).collect::<String>()));
    }
    let speed = problem.u_minus().iter().fold(0.0f64, |most, u| most.max(u.abs()));
    record.numbers_beside('u', speed, &outcome.u_plus);
    record.numbers('p', &answer.impulses);
    record.numbers('c', &answer.compression);
    record.numbers('a', answer.alternatives.iter().flat_map(|a| &a.impulses));
    let energies: Vec<f64> = answer.contact_energy.iter().flat_map(energies).collect();
    record.numbers('e', &energies);
    if let Some(path) = &answer.path {
        record.word(format!("path{}", path.len()));
        record.numbers('g', path.gamma.iter().chain(&path.compressions));
    }
    let failed: Vec<f64> = failed.iter().map(|(_, r)| *r).collect();
    record.numbers('r', &failed);
}

/// Every wish in turn, so that all ways through a law are taken.
fn in_turn(k: usize) -> Options {
    let solutions = [Solutions::Preferred, Solutions::All, Solutions::First][k % 3];
    Options { solutions, eigenvalues: k % 2 == 1, ..Options::default() }
}

/// By a method of many contacts, or with few iterations.
fn bounded(k: usize) -> Options {
    let method = [Method::GaussSeidel, Method::Newton, Method::Proximal, Method::Auto][k % 4];
    let iterations = Some(if k % 4 == 3 { 1 + k % 9 } else { 300 });
    Options { limits: Limits { method, iterations, ..Limits::default() }, ..in_turn(k) }
}

/// So that impacts with endlessly many events do not take longer than all others.
fn short(k: usize) -> Options {
    Options { limits: Limits { iterations: Some(1500), ..Limits::default() }, ..in_turn(k) }
}

fn law(name: &str) -> LawSpec {
    LawSpec::by_name(name).unwrap()
}

/// A law whose impulses follow from inclusions.
fn inclusion(law: LawSpec, count: usize) -> Records {
    let (mut series, law) = (Series::new(), law);
    series.run(&law, "all", &PLANAR, count, in_turn);
    series.run(&law, "all", &SPATIAL, count, in_turn);
    series.sums(&law, "all", &PLANAR, 3, in_turn);
    series.sums(&law, "all", &SPATIAL[..3], 3, in_turn);
    series.run(&law, "bounded", &PLANAR[2..], count / 2, bounded);
    series.run(&law, "bounded", &SPATIAL[2..], count / 2, bounded);
    series.run(&law, "first", &MANY, 3, |k| Options {
        solutions: [Solutions::Preferred, Solutions::First][k % 2],
        ..Options::default()
    });
    series.records
}

pub fn newton() -> Records {
    inclusion(law("newton"), 22)
}

pub fn moreau() -> Records {
    inclusion(LawSpec::Moreau(Moreau { restitution: Some(0.6) }), 10)
}

pub fn poisson() -> Records {
    inclusion(law("poisson"), 18)
}

pub fn kinematic() -> Records {
    let mut series = Series::new();
    series.run(&law("kinematic"), "friction", &PLANAR, 20, in_turn);
    series.run(&law("kinematic"), "friction", &SPATIAL, 2, in_turn);
    series.sums(&law("kinematic"), "friction", &PLANAR, 4, in_turn);
    series.run(&law("kinematic"), "few", &PLANAR[1..4], 8, bounded);
    let blocks: [Kind; 1] = [("block", draw::block)];
    for form in [Form::Housner, Form::RockingSliding, Form::RockingSticking, Form::HalfRocking] {
        for restitution in [None, Some(0.7)] {
            let law = LawSpec::Kinematic(Kinematic { form: Some(form), restitution, ..Kinematic::default() });
            series.run(&law, &format!("{form:?}-{}", restitution.is_some()), &blocks, 5, in_turn);
        }
    }
    let matrix = Some(vec![vec![0.4, 0.2], vec![-0.1, 0.6]]);
    for tangential in [None, Some(NumberOrMatrix::Uniform(0.3))] {
        let imposed = tangential.is_some();
        let law =
            Kinematic { restitution_matrix: matrix.clone(), tangential_matrix: tangential, ..Kinematic::default() };
        let kinds: [Kind; 3] = [("block", draw::block), PLANAR[1], ("smooth", |random| draw::chain(random, 3))];
        series.run(&LawSpec::Kinematic(law), &format!("matrix-{imposed}"), &kinds, 10, in_turn);
    }
    series.records
}

pub fn single_contacts() -> Records {
    let mut series = Series::new();
    let jointed: Kind = ("joint", |random| draw::system(random, false, 1, 1, true));
    let kinds = [PLANAR[0], jointed, SPATIAL[0], SPATIAL[1]];
    let body: Kind = ("foot", |random| draw::feet(random, 1));
    let ball: Kind = ("ball", |random| {
        // Walton's law wants the normal and tangents uncoupled.
        let mut data = draw::feet_in_space(random, 1);
        data.contacts.truncate(1);
        data.contacts[0].normal = [0.0, 0.0, 1.0, 0.0, 0.0, 0.0].into();
        data
    });
    for name in ["walton", "stronge", "chatterjee-ruina"] {
        // Each where it applies: stronge in the plane, walton where normal and tangents do not couple.
        let own: &[Kind] = match name {
            "walton" => &[ball],
            "stronge" => &[PLANAR[0], jointed, body],
            _ => &[PLANAR[0], jointed, body, SPATIAL[0], SPATIAL[1], ball],
        };
        series.run(&law(name), name, own, 30, |k| Options { path: k % 3 == 0, ..in_turn(k) });
        series.run(&law(name), name, &kinds, 3, in_turn);
        series.run(&law(name), "bounded", &own[..1], 8, bounded);
    }
    for stiffness_ratio in [0.6, 1.0, 2.5] {
        let law = LawSpec::Stronge(Stronge { stiffness_ratio });
        series.run(&law, &format!("stronge-{stiffness_ratio}"), &[PLANAR[0], body], 12, in_turn);
    }
    series.records
}

pub fn sequences() -> Records {
    let mut series = Series::new();
    let chains: [Kind; 2] = [("chain", |random| draw::chain(random, 5)), ("long", |random| draw::chain(random, 9))];
    for (name, order) in [("fastest", Order::Fastest), ("listed", Order::Listed)] {
        let law = LawSpec::Sequential(Sequential { order });
        series.run(&law, name, &chains, 12, in_turn);
        series.run(&law, name, &PLANAR[1..], 10, in_turn);
        series.run(&law, name, &SPATIAL[2..4], 6, in_turn);
        series.run(&law, &format!("{name}-bounded"), &PLANAR[2..5], 8, bounded);
    }
    let law = LawSpec::Reflections(Reflections { restitution: Some(0.7) });
    series.run(&law, "reflections", &chains, 12, in_turn);
    series.run(&law, "reflections", &PLANAR[3..5], 2, in_turn);
    let smooth: [Kind; 2] = [
        ("smooth", |random| draw::system(random, false, 0, 4, false)),
        ("smooth-degenerate", |random| draw::system(random, true, 0, 3, true)),
    ];
    series.run(&law, "reflections", &smooth, 30, in_turn);
    series.run(&law, "reflections-bounded", &smooth, 8, bounded);
    series.records
}

pub fn lzb() -> Records {
    let mut series = Series::new();
    series.run(&law("lzb"), "lzb", &PLANAR, 20, in_turn);
    let chains: [Kind; 1] = [("chain", |random| draw::chain(random, 6))];
    series.run(&law("lzb"), "lzb", &chains, 10, in_turn);
    series.sums(&law("lzb"), "lzb", &PLANAR, 8, short);
    series.records
}

pub fn lzb_variants() -> Records {
    let mut series = Series::new();
    let chains: [Kind; 2] = [("chain", |random| draw::chain(random, 5)), ("block", draw::block)];
    for (name, exponent, keep_gaps) in [("linear", 1.0, false), ("square", 2.0, false), ("gaps", 1.5, true)] {
        let law = LawSpec::Lzb(Lzb { exponent, keep_gaps, ..Lzb::default() });
        series.run(&law, name, &chains, 6, in_turn);
        series.sums(&law, name, &PLANAR[1..], 2, short);
        series.run(&law, name, &PLANAR[1..5], 5, |k| Options { path: k % 2 == 0, ..in_turn(k) });
    }
    let hard = hard::wedged().into_iter().chain([(1.5, hard::stopping_body())]);
    for (k, (exponent, data)) in hard.enumerate() {
        let law = LawSpec::Lzb(Lzb { exponent, ..Lzb::default() });
        series.one(&law, format!("hard/{k}"), data, &short(k));
    }
    series.run(&law("lzb"), "few", &PLANAR[1..4], 6, |k| Options {
        limits: Limits { iterations: Some(3 + 10 * k), ..Limits::default() },
        ..Options::default()
    });
    series.records
}

pub fn lzb_space() -> Records {
    let mut series = Series::new();
    series.run(&law("lzb"), "lzb", &SPATIAL, 9, |k| Options { path: k % 4 == 3, ..short(k) });
    let linear = LawSpec::Lzb(Lzb { exponent: 1.0, ..Lzb::default() });
    series.run(&linear, "linear", &SPATIAL[2..], 5, in_turn);
    series.sums(&law("lzb"), "lzb", &SPATIAL, 4, short);
    series.records
}
