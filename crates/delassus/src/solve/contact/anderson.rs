//! Anderson's acceleration of a map y ↦ g(y) whose fixed point is wanted [A 1965].
//!
//! Of the last iterates the combination is taken for which the changes f = g − y cancel best. Where a change is larger than the
//! least so far, what was learned is forgotten.

/// Changes of which a combination is made.
const MEMORY: usize = 6;
/// A change that is larger than the least so far by this factor ends a combination.
const WORSE: f64 = 2.0;

/// What was learned of a map.
#[derive(Debug, Default)]
pub(super) struct Anderson {
    /// g and f of the step before.
    before: [Vec<f64>; 2],
    /// Differences of g and of f between steps, at most [`MEMORY`] of each.
    steps: Vec<[Vec<f64>; 2]>,
    /// Where the next difference goes.
    slot: usize,
    /// The least change, once there is one.
    least: Option<f64>,
}

impl Anderson {
    /// Forgets what was learned; memory is kept.
    pub(super) fn forget(&mut self) {
        self.steps.clear();
        self.before[0].clear();
        (self.slot, self.least) = (0, None);
    }

    /// Takes the step y → g in; g becomes the combination and y the change f.
    pub(super) fn combine(&mut self, y: &mut [f64], g: &mut [f64]) {
        y.iter_mut().zip(&*g).for_each(|(y, g)| *y = g - *y);
        let f = &*y;
        let change = dot(f, f).sqrt();
        if self.least.is_some_and(|least| change > WORSE * least) {
            self.forget();
        }
        self.least = Some(self.least.map_or(change, |least| least.min(change)));
        if !self.before[0].is_empty() {
            let difference = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a - b).collect::<Vec<f64>>();
            let step = [difference(g, &self.before[0]), difference(f, &self.before[1])];
            if self.steps.len() < MEMORY {
                self.steps.push(step);
            } else {
                self.steps[self.slot % MEMORY] = step;
            }
            self.slot += 1;
        }
        for (before, now) in self.before.iter_mut().zip([&*g, f]) {
            before.clear();
            before.extend_from_slice(now);
        }
        for (step, factor) in self.steps.iter().zip(least_squares(&self.steps, f)) {
            g.iter_mut().zip(&step[0]).for_each(|(g, d)| *g -= factor * d);
        }
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// The combination of the steps' differences of f that comes nearest to f.
fn least_squares(steps: &[[Vec<f64>; 2]], f: &[f64]) -> Vec<f64> {
    let n = steps.len();
    let mut a = vec![0.0; n * n];
    for i in 0..n {
        for j in 0..=i {
            let entry = dot(&steps[i][1], &steps[j][1]);
            (a[i * n + j], a[j * n + i]) = (entry, entry);
        }
    }
    let trace = (0..n).map(|i| a[i * (n + 1)]).sum::<f64>();
    (0..n).for_each(|i| a[i * (n + 1)] += 1e-12 * trace + f64::MIN_POSITIVE);
    let mut x: Vec<f64> = steps.iter().map(|step| dot(&step[1], f)).collect();
    if !crate::small::lu::solve_in_place(&mut a, &mut x) {
        x.fill(0.0);
    }
    x
}
