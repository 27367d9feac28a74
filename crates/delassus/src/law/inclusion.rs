//! What Newton's, Moreau's and both phases of Poisson's law share: the
//! inclusion ξ = Gx + b over the elements' cones.

use super::Refusal;
use super::many::solve_many;
use super::split::SplitWork;
use crate::answer::{Alternative, LawAnswer, Solutions, Status, Uniqueness};
use crate::budget::{Budget, Method};
use crate::problem::{Element, ElementKind, ImpactProblem};
use crate::small::rank::FullPivot;
use crate::solve::enumerate::{self, EnumerateWork, Enumeration, Solution};
use crate::solve::least::{self, LeastWork};
use crate::solve::normal_form::Units;
use crate::solve::spatial::{self, SpatialWork};
use crate::solve::tolerance::{APART, CRITICAL};
use crate::solve::{self, Cone, Inclusion, SolveReport, SolveStatus, SolveWork, planar};

/// Up to this many frictional contacts enumeration is cheap.
const CHEAP: usize = 3;
/// Starts in the search for several spatial solutions.
const STARTS: u64 = 32;
/// Friction coefficient, in units of √(G_NN/G_TT), above which a solution found is not compared with others.
const GRIP: f64 = 1e6;
/// Pivots of the scaled G above this make it regular: errors within the certified tolerance
/// move impulses by less than is allowed to spread.
const REGULAR: f64 = CRITICAL;
/// Pivots of the scaled G above this are more than round-off.
const RANK: f64 = 1e-12;
/// Rows up to which another method is of use where Lemke's fails.
const MODERATE: usize = 120;
/// Rows up to which a full matrix may be made of a G that is stored by its entries.
const FULL: usize = 600;
/// b is in the range of G if no more of it, relative to its size, is outside.
const IN_RANGE: f64 = 1e-9;
/// Two velocities that differ less, in the kinetic metric, are the same.
const SAME: f64 = APART;

/// Buffers of an inclusion and its solvers.
#[derive(Debug, Clone, Default)]
pub(crate) struct InclusionWork {
    /// b (m).
    pub(crate) vector: Vec<f64>,
    /// x (m), the preferred solution.
    pub(crate) x: Vec<f64>,
    /// All solutions found, the preferred one first; empty where nobody looked for several.
    pub(crate) solutions: Vec<Solution>,
    /// Whether all solutions were asked for, but there are too many combinations to look at.
    pub(crate) too_many: bool,
    cones: Vec<Cone>,
    dense: Vec<f64>,
    solver: SolveWork,
    several: SpatialWork,
    enumerate: EnumerateWork,
    velocities: [Vec<f64>; 2],
    /// What velocities compare with when solutions are told apart.
    speed: f64,
    units: Units,
    system: FullPivot,
    least: LeastWork,
    split: SplitWork,
}

impl InclusionWork {
    /// Sets b = (1 + ε)γ⁻ + WᵀM⁻¹F with ε for each element.
    pub(crate) fn start(&mut self, problem: &ImpactProblem, restitution: impl Fn(&Element) -> f64) {
        self.vector.resize(problem.rows(), 0.0);
        self.speed = 0.0;
        let (b, gamma) = (&mut self.vector[..], problem.gamma_minus());
        for element in problem.elements() {
            let factor = 1.0 + restitution(element);
            element.each_row(|row| b[row] = factor * gamma[row]);
        }
        if let Some(change) = problem.external_relative_change() {
            self.vector.iter_mut().zip(change).for_each(|(b, d)| *b += d);
        }
    }

    /// Solves ξ = Gx + b for the vector b set before; `shift` gives
    /// the constant part of each friction element's radius.
    pub(crate) fn solve(
        &mut self,
        problem: &ImpactProblem,
        wanted: Solutions,
        budget: &mut Budget<'_>,
        shift: impl Fn(&Element) -> f64,
    ) -> SolveReport {
        self.x.resize(problem.rows(), 0.0);
        self.solutions.clear();
        self.too_many = false;
        if let Some(report) = self.solve_one(problem, budget, &shift) {
            return report;
        }
        fill_cones(problem, &shift, &mut self.cones);
        let named = budget.method() != Method::Auto;
        let sparse = problem.operator().as_dense().is_none();
        if named || sparse && (wanted != Solutions::All || problem.rows() > FULL) {
            let report = solve_many(problem, &self.vector, budget, shift, &mut self.x);
            let last = named || problem.rows() > FULL || budget.left() == Some(0);
            if report.status == SolveStatus::Solved || last {
                self.too_many = wanted == Solutions::All;
                if report.status == SolveStatus::Solved {
                    self.split.choose(problem, &self.vector, &self.cones, self.speed, &mut self.x);
                }
                return report;
            }
        }
        let matrix = match problem.operator().as_dense() {
            Some(g) => g,
            None => {
                problem.operator().write_dense(&mut self.dense);
                &self.dense
            }
        };
        if self.speed == 0.0 {
            self.speed = speed(problem, &mut self.velocities[0]);
        }
        let inclusion = Inclusion { matrix, vector: &self.vector, cones: &self.cones, speed: self.speed };
        let planar = inclusion.is_planar();
        let further = wanted != Solutions::First;
        let mut proved = false;
        let mut several = false;
        if further && !planar {
            proved = spatial::is_unique(&inclusion, &mut self.several);
            let unilateral = self.cones.iter().filter(|c| matches!(c, Cone::Unilateral { .. })).count();
            several = !proved && (wanted == Solutions::All || unilateral == 1);
        }
        let mut report = if several {
            self.x.fill(0.0);
            spatial::find_several_within(&inclusion, self.speed, STARTS, budget, &mut self.several, &mut self.solutions)
        } else {
            solve::solve_within(&inclusion, budget, &mut self.solver, &mut self.x)
        };
        // Lemke's method may miss a solution. Where there must be one, another method is next,
        // else enumeration, which can tell that there is none.
        let missed =
            |report: &SolveReport| planar && matches!(report.status, SolveStatus::Stalled | SolveStatus::MaxIterations);
        let exists = missed(&report) && has_solution(&inclusion, &mut self.units, &mut self.system);
        if exists {
            report = solve_otherwise(&inclusion, report, budget, &mut self.solver, &mut self.x);
        }
        let solved = report.status == SolveStatus::Solved;
        let look = match wanted {
            _ if !solved => report.status != SolveStatus::NoSolution,
            Solutions::First => false,
            Solutions::Preferred => report.unique.is_none() && frictional(&self.cones) <= CHEAP,
            Solutions::All => true,
        };
        // Beyond this friction the tolerances of enumeration lose digits that the solution needs.
        if look && planar && !(solved && inclusion.grips(GRIP)) {
            let patience = if wanted == Solutions::All { enumerate::PATIENT } else { enumerate::CHEAP };
            let (work, found) = (&mut self.enumerate, &mut self.solutions);
            let extent = enumerate::enumerate_within(&inclusion, self.speed, patience, budget, work, found);
            self.too_many = wanted == Solutions::All && extent == Enumeration::TooMany;
            let examined = matches!(extent, Enumeration::Complete | Enumeration::Undecided);
            if !examined && solved && !found.is_empty() {
                // The solution that is known belongs to those found so far.
                let known = Solution::new(&inclusion, &self.x);
                if !found.iter().any(|s| s.has_velocity_of(&known, &inclusion, self.speed)) {
                    found.push(known);
                    enumerate::sort_by_effort(found);
                }
            }
            if !self.solutions.is_empty() {
                let complete = extent == Enumeration::Complete && !self.solutions.iter().any(|s| s.varies);
                let one = complete && self.solutions.len() == 1;
                let proof = report.unique.or(one.then_some("every combination of states examined"));
                report = SolveReport {
                    iterations: report.iterations,
                    restarts: report.restarts,
                    found: self.solutions.len(),
                    complete,
                    ..SolveReport::solved(proof)
                };
            } else if extent == Enumeration::Complete && !solved && !exists {
                report.status = SolveStatus::NoSolution;
            }
        }
        if missed(&report) && !exists {
            report = solve_otherwise(&inclusion, report, budget, &mut self.solver, &mut self.x);
        }
        let alone = report.found == 1 && report.unique.is_none() && !report.complete;
        if further && report.status == SolveStatus::Solved && alone {
            // A planar problem that was too large to enumerate, or not decided by that.
            proved |= planar && spatial::is_unique(&inclusion, &mut self.several);
            if proved {
                report = SolveReport { complete: true, unique: Some(spatial::WEAK_COUPLING), ..report };
            }
        }
        if let Some(preferred) = self.solutions.first_mut() {
            // Of the impulses with the preferred velocity those of the exact
            // solver stay, so that looking further does not change the answer.
            if solved
                && planar
                && preferred.has_velocity_of(&Solution::new(&inclusion, &self.x), &inclusion, self.speed)
            {
                preferred.x.copy_from_slice(&self.x);
            }
            self.x.copy_from_slice(&preferred.x);
        }
        if report.status == SolveStatus::Solved {
            // Redundant contacts: which of the impulses with these velocities does not depend on the solver.
            let (n, cones, speed) = (problem.coordinates(), &self.cones, self.speed);
            let mut choose = |x: &mut [f64]| {
                if x.len() <= least::MOST {
                    self.least.choose(&inclusion, n, x);
                } else {
                    self.split.choose(problem, &self.vector, cones, speed, x);
                }
            };
            choose(&mut self.x);
            for (i, solution) in self.solutions.iter_mut().enumerate() {
                if i == 0 {
                    solution.x.copy_from_slice(&self.x);
                } else {
                    choose(&mut solution.x);
                }
            }
        }
        report
    }

    /// One contact with friction in the plane and nothing else, the most common problem of all: what follows for others
    /// (cones, other solutions, impulses shared by dependent directions) has nothing to find where the velocities are
    /// known to be unique and G is regular. `None` where that is not so.
    #[inline]
    fn solve_one(
        &mut self,
        problem: &ImpactProblem,
        budget: &Budget<'_>,
        shift: impl Fn(&Element) -> f64,
    ) -> Option<SolveReport> {
        let ([normal, friction], &[b_n, b_t]) = (problem.elements(), &self.vector[..]) else { return None };
        let alone = normal.kind == ElementKind::Normal && friction.kind == ElementKind::Friction;
        let &[g_n, g_nt, _, g_t] = problem.operator().as_dense()? else { return None };
        if !alone || budget.method() != Method::Auto || !is_regular_pair(g_n, g_nt, g_t) {
            return None;
        }
        let (x, report) = planar::solve_one([g_n, g_nt, g_t], [b_n, b_t], friction.friction[0], shift(friction))?;
        report.unique?;
        self.x.copy_from_slice(&x);
        Some(report)
    }

    /// Whether G is regular, so that impulses are unique where velocities are.
    pub(crate) fn is_regular(&mut self, problem: &ImpactProblem) -> bool {
        let (g, m) = (problem.operator(), problem.rows());
        if m == 2 {
            return is_regular_pair(g.get(0, 0), g.get(0, 1), g.get(1, 1));
        }
        // Beyond that many rows it is not looked at.
        if m > problem.coordinates() || m > FULL {
            return false;
        }
        self.units.read((0..m).map(|i| g.get(i, i)));
        self.system.reset(m, m);
        for i in 0..m {
            let row = self.system.row_mut(i).0;
            g.for_row(i, |j, v| row[j] = self.units.entry(i, j, v));
        }
        self.system.eliminate(REGULAR) == m
    }

    /// Whether two impulses give the same u⁺.
    pub(crate) fn same_velocity(&mut self, problem: &ImpactProblem, a: &[f64], b: &[f64]) -> bool {
        let [u, v] = &mut self.velocities;
        problem.apply_impulses(a, u);
        problem.apply_impulses(b, v);
        let size = problem.mass().energy(u).max(problem.mass().energy(problem.u_minus()));
        u.iter_mut().zip(v.iter()).for_each(|(u, v)| *u -= v);
        problem.mass().energy(u) <= SAME * SAME * size
    }
}

/// Whether two rows with these entries of G are clearly independent.
#[inline]
fn is_regular_pair(first: f64, between: f64, second: f64) -> bool {
    first * second * (1.0 - REGULAR) > between * between
}

/// Whether a planar inclusion is known to have a solution, found or not: b lies
/// in the range of G.
///
/// Written with the parts of x_T to both sides as unknowns, the inclusion is a
/// linear complementarity problem with a copositive matrix [ST 1996], which
/// has a solution if bᵀy ≥ 0 for every y that keeps its friction limits and
/// has Gy = 0 [CPS 2009, §3.8]. For b = Gc that product is zero.
fn has_solution(inclusion: &Inclusion<'_>, units: &mut Units, system: &mut FullPivot) -> bool {
    let m = inclusion.vector.len();
    units.read((0..m).map(|i| inclusion.matrix[i * (m + 1)]));
    units.measure(inclusion.vector.iter().copied(), 1.0);
    system.reset(m, m);
    for (i, row) in inclusion.matrix.chunks_exact(m.max(1)).enumerate() {
        let (a, rhs) = system.row_mut(i);
        a.iter_mut().zip(row).enumerate().for_each(|(j, (a, &g))| *a = units.entry(i, j, g));
        *rhs = units.velocity(i, inclusion.vector[i]);
    }
    system.eliminate(RANK);
    system.inconsistency() <= IN_RANGE
}

/// The largest of the speeds (√2T) before the impact, after the external impulse alone, and that
/// moving supports could give.
pub(crate) fn speed(problem: &ImpactProblem, velocity: &mut Vec<f64>) -> f64 {
    let mut energy = problem.energy_minus();
    if problem.external_impulse().is_some() {
        problem.apply_impulses(&[], velocity);
        energy = energy.max(problem.mass().energy(velocity));
    }
    if problem.has_moving_support() {
        energy = energy.max(problem.driving_energy());
    }
    (2.0 * energy).sqrt()
}

/// Tries another method on a planar inclusion of moderate size that Lemke's method has left with `report`.
fn solve_otherwise(
    inclusion: &Inclusion<'_>,
    report: SolveReport,
    budget: &mut Budget<'_>,
    solver: &mut SolveWork,
    x: &mut [f64],
) -> SolveReport {
    if inclusion.vector.len() > MODERATE || budget.left() == Some(0) {
        return report;
    }
    let second = solve::solve_otherwise(inclusion, budget, solver, x);
    SolveReport { iterations: report.iterations + second.iterations, ..second }
}

fn frictional(cones: &[Cone]) -> usize {
    cones.iter().filter(|c| matches!(c, Cone::Line { friction, .. } if *friction > 0.0)).count()
}

/// What a search says about the number of solutions; nothing where none was found.
#[inline]
pub(crate) fn uniqueness(answer: &LawAnswer, unique: Option<&'static str>, found: usize, complete: bool) -> Uniqueness {
    match unique {
        _ if answer.status != Status::Solved => Uniqueness::Unknown,
        Some(proof) => Uniqueness::Proved(proof),
        None if found > 1 => Uniqueness::Several { found, complete },
        None => Uniqueness::Unknown,
    }
}

/// Another solution for the answer.
pub(crate) fn alternative(impulses: &[f64], compression: &[f64], dimension: usize) -> Alternative {
    Alternative { impulses: impulses.to_vec(), compression: compression.to_vec(), dimension }
}

/// Says in words that impulses are not unique, where that was looked at.
#[inline]
pub(crate) fn warn_of_dimension(preferred: Option<&Solution>, answer: &mut LawAnswer) {
    let Some(solution) = preferred else { return };
    if solution.varies {
        answer.warnings.push("this solution belongs to a continuum of solutions with different velocities".into());
    } else if solution.dimension > 0 {
        answer.warnings.push(format!(
            "the impulses are not unique: they form a set of dimension {}, all with the same velocities",
            solution.dimension
        ));
    }
}

/// Says that looking for all solutions was given up.
#[inline]
pub(crate) fn warn_of_size(inclusion: &InclusionWork, answer: &mut LawAnswer) {
    if inclusion.too_many {
        let words = "too many contacts to look at every combination of states: there may be other solutions";
        answer.warnings.push(words.into());
    }
}

/// Says which coefficients above 1 make contacts active; `index` stands for all of them where given.
pub(crate) fn warn_of_active(problem: &ImpactProblem, index: Option<f64>, answer: &mut LawAnswer) {
    for contact in problem.contacts() {
        let restitution = index.unwrap_or(contact.restitution);
        if restitution > 1.0 {
            answer.warnings.push(format!(
                "contact {} is active: its restitution {restitution} above 1 gives back more than it took",
                contact.name
            ));
        }
    }
}

/// The cones of the problem's elements; `shift` gives the constant part of a friction element's radius.
pub(crate) fn fill_cones(problem: &ImpactProblem, shift: impl Fn(&Element) -> f64, cones: &mut Vec<Cone>) {
    cones.clear();
    for element in problem.elements() {
        let row = element.rows.start;
        match element.kind {
            ElementKind::Normal | ElementKind::Clutch => cones.push(Cone::Unilateral { row }),
            ElementKind::Joint => cones.extend(element.rows.clone().map(|row| Cone::Free { row })),
            ElementKind::Friction => {
                let (normal, mu) = (element.normal, element.friction);
                let shift = shift(element);
                cones.push(if element.rows.len() == 1 {
                    Cone::Line { row, normal, friction: mu[0], shift }
                } else {
                    Cone::Ellipse { row, normal, friction: mu, shift }
                });
            }
        }
    }
}

/// Problems that inclusion laws cover.
pub(crate) fn check_friction_given(problem: &ImpactProblem) -> Result<(), Refusal> {
    for contact in problem.contacts() {
        if !contact.tangents.is_empty() && contact.friction.is_none() {
            let name = &contact.name;
            return Err(Refusal::NotApplicable(format!(
                "contact {name} has a tangent but no friction coefficient; give `friction` (0 for a smooth contact)"
            )));
        }
    }
    Ok(())
}

/// Takes a solver's report over into an answer.
#[inline]
pub(crate) fn record(report: SolveReport, budget: &Budget<'_>, answer: &mut LawAnswer) {
    answer.stats.iterations += report.iterations;
    // Asked first, since both counts added as one vector wait for the two stores that wrote them just before.
    if report.restarts > 0 {
        answer.stats.restarts += report.restarts;
    }
    if report.status == SolveStatus::Stalled && report.restarts > 0 {
        let starts = report.restarts + 1;
        answer.warnings.push(format!(
            "no solution was found from {starts} starts; where strong friction jams contacts and their coefficients \
             contradict each other there may be none"
        ));
    }
    answer.status = match report.status {
        SolveStatus::Solved => answer.status,
        SolveStatus::NoSolution => Status::NoSolution,
        SolveStatus::MaxIterations => Status::MaxIterations,
        SolveStatus::Stalled => Status::Stalled,
    };
    if answer.status == Status::MaxIterations {
        answer.give_up(budget, report.iterations);
    }
}
