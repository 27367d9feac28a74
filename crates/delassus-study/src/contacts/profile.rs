//! Performance profiles: how often a solver is within a factor of the fastest.

/// One solver on one problem.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Run {
    /// Processor or wall time \[s\].
    pub seconds: f64,
    /// Whether the problem was solved to the tolerance.
    pub solved: bool,
}

/// For each solver the share of problems solved within τ times the least time of any solver.
#[derive(Debug, Clone, PartialEq)]
pub struct Profile {
    /// Names of the solvers.
    pub solvers: Vec<String>,
    /// Number of problems, those that no solver solves included.
    pub problems: usize,
    /// Ratios of each solver, increasing, of the problems that it solved.
    pub ratios: Vec<Vec<f64>>,
}

impl Profile {
    /// A profile from runs by solver, then by problem.
    pub fn new(solvers: Vec<String>, runs: &[Vec<Run>]) -> Self {
        let problems = runs.first().map_or(0, Vec::len);
        let best = |p: usize| {
            let times = runs.iter().filter_map(|runs| runs.get(p)).filter(|run| run.solved).map(|run| run.seconds);
            times.fold(f64::INFINITY, f64::min)
        };
        let of_solver = |runs: &Vec<Run>| {
            let solved = runs.iter().enumerate().filter(|(_, run)| run.solved);
            // A time of zero is below what the clock sees: then all such are alike.
            let ratio =
                |(p, run): (usize, &Run)| if run.seconds <= best(p) { 1.0 } else { run.seconds / best(p).max(1e-9) };
            let mut ratios: Vec<f64> = solved.map(ratio).collect();
            ratios.sort_by(f64::total_cmp);
            ratios
        };
        Self { solvers, problems, ratios: runs.iter().map(of_solver).collect() }
    }

    /// Share of the problems that a solver solves within τ times the least time.
    pub fn share(&self, solver: usize, tau: f64) -> f64 {
        let count = self.ratios[solver].partition_point(|&ratio| ratio <= tau);
        count as f64 / self.problems.max(1) as f64
    }

    /// All ratios at which some share changes, from 1.
    pub fn steps(&self) -> Vec<f64> {
        let mut steps: Vec<f64> = std::iter::once(1.0).chain(self.ratios.iter().flatten().copied()).collect();
        steps.sort_by(f64::total_cmp);
        steps.dedup();
        steps
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_count_what_was_solved() {
        let run = |seconds, solved| Run { seconds, solved };
        let runs = [
            vec![run(1.0, true), run(4.0, true), run(9.0, false)],
            vec![run(2.0, true), run(1.0, true), run(1.0, false)],
        ];
        let profile = Profile::new(vec!["a".into(), "b".into()], &runs);
        assert_eq!(profile.ratios, [vec![1.0, 4.0], vec![1.0, 2.0]]);
        assert_eq!(profile.steps(), [1.0, 2.0, 4.0]);
        let third = |k: usize| k as f64 / 3.0;
        assert_eq!(
            [profile.share(0, 1.0), profile.share(0, 4.0), profile.share(1, 2.0)],
            [third(1), third(2), third(2)]
        );
    }
}
