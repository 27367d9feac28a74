//! How redundant contacts share impulses in problems of any size: group by group, since contacts that no body connects
//! cannot take over anything from each other.

use crate::problem::ImpactProblem;
use crate::solve::least::LeastWork;
use crate::solve::{Cone, Inclusion};

/// Rows of a group up to which the least impulses are looked for: a full matrix is made of it.
const MOST_ROWS: usize = 600;

/// Buffers, reused from call to call.
#[derive(Debug, Clone, Default)]
pub(super) struct SplitWork {
    least: LeastWork,
    /// Of each row one row of the same group that stands for it, in the end the first.
    first: Vec<usize>,
    /// Rows and cones by group.
    rows: Vec<usize>,
    cones: Vec<(usize, Cone)>,
    /// Where each row stands in its group.
    place: Vec<usize>,
    matrix: Vec<f64>,
    vector: Vec<f64>,
    group: Vec<Cone>,
    x: Vec<f64>,
}

impl SplitWork {
    /// Replaces a solution `x` of ξ = Gx + b over the cones by the least one with its velocities, see [`LeastWork`].
    pub(super) fn choose(
        &mut self,
        problem: &ImpactProblem,
        vector: &[f64],
        cones: &[Cone],
        speed: f64,
        x: &mut [f64],
    ) {
        self.find_groups(problem, cones, x.len());
        let (mut row, mut cone) = (0, 0);
        while row < self.rows.len() {
            let name = self.first[self.rows[row]];
            let rows = row..row + self.rows[row..].iter().take_while(|&&i| self.first[i] == name).count();
            let cones = cone..cone + self.cones[cone..].iter().take_while(|(first, _)| *first == name).count();
            (row, cone) = (rows.end, cones.end);
            if !(2..=MOST_ROWS).contains(&rows.len()) {
                continue;
            }
            let (rows, m) = (&self.rows[rows.clone()], rows.len());
            rows.iter().enumerate().for_each(|(k, &i)| self.place[i] = k);
            self.matrix.clear();
            self.matrix.resize(m * m, 0.0);
            for (line, &i) in self.matrix.chunks_exact_mut(m).zip(rows) {
                problem.operator().for_row(i, |j, value| {
                    if value != 0.0 {
                        line[self.place[j]] = value;
                    }
                });
            }
            self.vector.clear();
            self.vector.extend(rows.iter().map(|&i| vector[i]));
            self.x.clear();
            self.x.extend(rows.iter().map(|&i| x[i]));
            self.group.clear();
            self.group.extend(self.cones[cones].iter().map(|(_, cone)| moved(*cone, &self.place)));
            let inclusion = Inclusion { matrix: &self.matrix, vector: &self.vector, cones: &self.group, speed };
            self.least.choose(&inclusion, problem.coordinates(), &mut self.x);
            rows.iter().zip(&self.x).for_each(|(&i, &chosen)| x[i] = chosen);
        }
    }

    fn find_groups(&mut self, problem: &ImpactProblem, cones: &[Cone], rows: usize) {
        self.first.clear();
        self.first.extend(0..rows);
        for i in 0..rows {
            problem.operator().for_row(i, |j, value| {
                if value != 0.0 {
                    join(&mut self.first, i, j);
                }
            });
        }
        for cone in cones {
            match *cone {
                Cone::Line { row, normal, .. } => join(&mut self.first, row, normal),
                Cone::Ellipse { row, normal, .. } => {
                    join(&mut self.first, row, normal);
                    join(&mut self.first, row + 1, normal);
                }
                Cone::Free { .. } | Cone::Unilateral { .. } => {}
            }
        }
        // What stands for a row is no later than it, so one pass in order is enough.
        (0..rows).for_each(|i| self.first[i] = self.first[self.first[i]]);
        self.place.resize(rows, 0);
        self.rows.clear();
        self.rows.extend(0..rows);
        crate::small::sort_by(&mut self.rows, |&a, &b| self.first[a].cmp(&self.first[b]));
        self.cones.clear();
        self.cones.extend(cones.iter().map(|cone| (self.first[row_of(cone)], *cone)));
        crate::small::sort_by(&mut self.cones, |a, b| a.0.cmp(&b.0));
    }
}

/// The row that stands for a row, with shorter ways for the next question.
fn stands_for(first: &mut [usize], mut i: usize) -> usize {
    while first[i] != i {
        first[i] = first[first[i]];
        i = first[i];
    }
    i
}

/// Makes one group of those of two rows.
fn join(first: &mut [usize], i: usize, j: usize) {
    let (i, j) = (stands_for(first, i), stands_for(first, j));
    first[i.max(j)] = i.min(j);
}

fn row_of(cone: &Cone) -> usize {
    match *cone {
        Cone::Free { row } | Cone::Unilateral { row } | Cone::Line { row, .. } | Cone::Ellipse { row, .. } => row,
    }
}

/// The cone with its rows as they stand in their group.
fn moved(cone: Cone, place: &[usize]) -> Cone {
    match cone {
        Cone::Free { row } => Cone::Free { row: place[row] },
        Cone::Unilateral { row } => Cone::Unilateral { row: place[row] },
        Cone::Line { row, normal, friction, shift } => {
            Cone::Line { row: place[row], normal: place[normal], friction, shift }
        }
        Cone::Ellipse { row, normal, friction, shift } => {
            Cone::Ellipse { row: place[row], normal: place[normal], friction, shift }
        }
    }
}
