//! Seeded random problems to measure the program with.

use delassus::{
    ContactData, Direction, ImpactError, ImpactOutcome, ImpactProblem, LawSpec, Mass, Options, ProblemData, Solutions,
    Status, Workspace, resolve_into,
};

/// Impacts per batch.
pub const COUNT: usize = 1000;

/// Random configurations for one set of elements: M and W change from impact
/// to impact, so that factoring M and assembling G are part of the work.
///
/// Aligned to two cache lines: batches of different threads stand side by side
/// in memory, and none may write to a line that another one reads.
#[derive(Debug, Clone)]
#[repr(align(128))]
pub struct Batch {
    problem: ImpactProblem,
    masses: Vec<f64>,
    directions: Vec<f64>,
    velocities: Vec<f64>,
    /// How hard to look for other solutions.
    pub solutions: Solutions,
    /// Only u⁻ changes from impact to impact; M and G stay those of the first.
    pub prepared: bool,
    work: Workspace,
    outcome: ImpactOutcome,
}

impl Batch {
    /// `contacts` contacts with `tangents` tangents each on `n` coordinates, all approaching.
    pub fn new(contacts: usize, tangents: usize, n: usize) -> Result<Self, ImpactError> {
        let mut random = Random(7);
        let rows = (1 + tangents) * contacts;
        let (mut masses, mut directions, mut velocities) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..COUNT {
            random.mass(n, &mut masses);
            let first = directions.len();
            directions.extend((0..n * rows).map(|_| random.symmetric()));
            // Every contact approaches: u⁻ against the sum of the normals.
            for i in 0..n {
                let normals = (0..contacts).map(|c| directions[first + c * (1 + tangents) * n + i]);
                velocities.push(0.3 * random.symmetric() - normals.sum::<f64>());
            }
        }
        let mut data = ProblemData::new(Mass::dense(n, masses[..n * n].to_vec())?, vec![0.0; n]);
        for c in 0..contacts {
            let any = Direction::Dense(vec![1.0; n]);
            let mut contact = ContactData::new(c.to_string(), any.clone()).restitution(0.5).restitution_tangential(0.2);
            contact.tangents = vec![any; tangents];
            data = data.with_contact(contact.friction(0.3));
        }
        let problem = ImpactProblem::new(data)?;
        Ok(Self {
            problem,
            masses,
            directions,
            velocities,
            solutions: Solutions::First,
            prepared: false,
            work: Workspace::default(),
            outcome: ImpactOutcome::default(),
        })
    }

    /// A table of unit mass that lands on four legs, with random velocities.
    pub fn table() -> Result<Self, ImpactError> {
        let mut batch = Self::new(4, 2, 6)?;
        let legs = [(-0.5, -0.4), (0.5, -0.4), (0.5, 0.4), (-0.5, 0.4)];
        let rows = legs.map(|(x, y)| {
            let z = -0.7;
            [[0.0, 0.0, 1.0, y, -x, 0.0], [1.0, 0.0, 0.0, 0.0, z, -y], [0.0, 1.0, 0.0, -z, 0.0, x]]
        });
        let directions: Vec<f64> = rows.into_iter().flatten().flatten().collect();
        let inertia = [1.0, 1.0, 1.0, 0.1, 0.1, 0.15];
        let mass: Vec<f64> = (0..36).map(|k| if k % 7 == 0 { inertia[k / 7] } else { 0.0 }).collect();
        batch.masses = mass.repeat(COUNT);
        batch.directions = directions.repeat(COUNT);
        let mut random = Random(5);
        for u in batch.velocities.chunks_exact_mut(6) {
            u.iter_mut().for_each(|v| *v = 0.3 * random.symmetric());
            u[2] -= 1.0;
        }
        Ok(batch)
    }

    /// Resolves all of them; the number of impacts that were solved.
    pub fn run(&mut self, law: &LawSpec) -> Result<usize, ImpactError> {
        let (n, rows) = (self.problem.coordinates(), self.problem.rows());
        let options = Options { solutions: self.solutions, ..Options::default() };
        let mut solved = 0;
        for k in 0..COUNT {
            let velocity = &self.velocities[k * n..(k + 1) * n];
            if self.prepared && k > 0 {
                self.problem.set_velocity(velocity)?;
            } else {
                let mass = &self.masses[k * n * n..(k + 1) * n * n];
                let directions = &self.directions[k * n * rows..(k + 1) * n * rows];
                self.problem.set_configuration(mass, directions, velocity)?;
            }
            resolve_into(&self.problem, law, &options, &mut self.work, &mut self.outcome)?;
            solved += usize::from(self.outcome.status() == Status::Solved);
        }
        Ok(solved)
    }
}

/// A chain of equal balls, the first of which strikes at 1 m/s.
pub fn chain(balls: usize) -> Result<ImpactProblem, ImpactError> {
    let mut velocity = vec![0.0; balls];
    velocity[0] = 1.0;
    let mut data = ProblemData::new(Mass::diagonal(vec![1.0; balls])?, velocity);
    for i in 1..balls {
        let normal = Direction::Sparse(vec![(i - 1, -1.0), (i, 1.0)]);
        data = data.with_contact(ContactData::new(i.to_string(), normal).restitution(1.0));
    }
    ImpactProblem::new(data)
}

/// A block of 0.24 m × 0.48 m that lands on its right corner while the left one rests.
pub fn block() -> Result<ImpactProblem, ImpactError> {
    let mut data = ProblemData::new(Mass::diagonal(vec![2.0, 2.0, 0.048])?, [0.24, -0.12, -1.0]);
    for (name, arm) in [("A", -0.12), ("B", 0.12)] {
        data = data.with_contact(
            ContactData::new(name, [0.0, 1.0, arm])
                .tangent([1.0, 0.0, 0.24])
                .friction(0.15)
                .friction_static(0.3)
                .restitution(0.8),
        );
    }
    ImpactProblem::new(data)
}

/// A JSON batch of random problems with one planar frictional contact.
pub fn json(count: usize) -> String {
    let mut random = Random(11);
    let list = |values: &[f64]| serde_json::to_string(values).unwrap_or_default();
    let mut problems = Vec::with_capacity(count);
    for _ in 0..count {
        let mut mass = Vec::new();
        random.mass(3, &mut mass);
        let rows = mass.chunks(3).map(list).collect::<Vec<_>>().join(",");
        let mut vector = || list(&[random.symmetric(), random.symmetric(), random.symmetric()]);
        problems.push(format!(
            r#"{{"mass":[{rows}],"velocity":{},"contact":[{{"name":"C","normal":{},"tangent":{},"friction":0.3,"restitution":0.5}}]}}"#,
            vector(),
            vector(),
            vector()
        ));
    }
    format!("[{}]", problems.join(","))
}

/// The generator splitmix64.
struct Random(u64);

impl Random {
    /// Uniform in [−1, 1).
    fn symmetric(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut x = self.0;
        x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((x ^ (x >> 31)) >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    /// Appends a positive definite n × n matrix AAᵀ + ½I.
    fn mass(&mut self, n: usize, out: &mut Vec<f64>) {
        let a: Vec<f64> = (0..n * n).map(|_| self.symmetric()).collect();
        for i in 0..n {
            for j in 0..n {
                let product: f64 = (0..n).map(|k| a[i * n + k] * a[j * n + k]).sum();
                out.push(product + if i == j { 0.5 } else { 0.0 });
            }
        }
    }
}
