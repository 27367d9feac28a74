//! Sweeps that are remembered, and the combination of them whose changes cancel best (Anderson's acceleration).

/// Sweeps that are combined.
pub(super) const MEMORY: usize = 6;
/// Growth of the changes after which sweeps are forgotten.
const WORSE: f64 = 2.0;
/// Factors of combinations beyond which these gain round-off rather than digits.
const FAR: f64 = 1e4;
/// Part of the trace that makes the squares of remembered steps a regular matrix.
const REGULAR: f64 = 1e-14;

/// Impulses and velocities after a sweep, and what it changed, in units of √energy. Velocities may be left out.
#[derive(Debug, Clone, Default)]
pub(super) struct Point<const D: usize, const R: usize> {
    pub x: Vec<[f64; R]>,
    pub v: Vec<[f64; D]>,
    pub change: Vec<[f64; R]>,
}

/// The last sweeps, in buffers that are kept from step to step.
#[derive(Debug, Clone, Default)]
pub(super) struct Memory<const D: usize, const R: usize> {
    /// The last sweep.
    last: Point<D, R>,
    /// Differences from sweep to sweep.
    steps: Vec<Point<D, R>>,
    /// How many of them hold, and which is the next to be replaced.
    held: usize,
    slot: usize,
    /// Products of their changes.
    products: [[f64; MEMORY]; MEMORY],
    /// The smallest change since sweeps were forgotten for the last time; none where no sweep is remembered.
    least: Option<f64>,
}

/// Differences and their factors.
type Taken<'a, const D: usize, const R: usize> =
    std::iter::Zip<std::slice::Iter<'a, Point<D, R>>, std::array::IntoIter<f64, MEMORY>>;

impl<const D: usize, const R: usize> Memory<D, R> {
    pub fn forget(&mut self) {
        (self.held, self.slot, self.least) = (0, 0, None);
    }

    pub fn is_empty(&self) -> bool {
        self.least.is_none()
    }

    /// Takes in a sweep, which `fill` writes down; gives differences with the factors by which they are to be taken off.
    pub fn learn(&mut self, fill: impl FnOnce(&mut Point<D, R>)) -> Taken<'_, D, R> {
        let (held, factors) = match self.factors(fill) {
            Some(factors) => (self.held, factors),
            None => (0, [0.0; MEMORY]),
        };
        self.steps[..held].iter().zip(factors)
    }

    fn factors(&mut self, fill: impl FnOnce(&mut Point<D, R>)) -> Option<[f64; MEMORY]> {
        if self.steps.len() < MEMORY {
            self.steps.resize_with(MEMORY, Point::default);
        }
        // The next difference is first filled with the new sweep and then the old one is taken off.
        let mut step = std::mem::take(&mut self.steps[self.slot % MEMORY]);
        step.x.clear();
        step.v.clear();
        step.change.clear();
        fill(&mut step);
        let size = product(&step.change, &step.change);
        if self.least.is_some_and(|least| size > WORSE * WORSE * least) {
            self.forget();
        }
        let begins = self.is_empty();
        self.least = Some(self.least.unwrap_or(size).min(size));
        std::mem::swap(&mut self.last, &mut step);
        let slot = self.slot % MEMORY;
        if begins {
            self.steps[slot] = step;
            return None;
        }
        differ(&self.last.x, &mut step.x);
        differ(&self.last.v, &mut step.v);
        differ(&self.last.change, &mut step.change);
        self.steps[slot] = step;
        self.slot += 1;
        self.held = self.slot.min(MEMORY);
        for k in 0..self.held {
            let entry = product(&self.steps[k].change, &self.steps[slot].change);
            (self.products[k][slot], self.products[slot][k]) = (entry, entry);
        }
        let mut factors = [0.0; MEMORY];
        (0..self.held).for_each(|k| factors[k] = product(&self.steps[k].change, &self.last.change));
        let sound = least_squares(&self.products, self.held, &mut factors);
        if !sound || factors.iter().any(|factor| factor.abs() > FAR) {
            self.forget();
            return None;
        }
        Some(factors)
    }
}

#[inline]
fn product<const N: usize>(a: &[[f64; N]], b: &[[f64; N]]) -> f64 {
    let mut sum = [0.0; N];
    for (a, b) in a.iter().zip(b) {
        (0..N).for_each(|i| sum[i] += a[i] * b[i]);
    }
    sum.iter().sum()
}

/// old = new − old.
#[inline]
fn differ<const N: usize>(new: &[[f64; N]], old: &mut [[f64; N]]) {
    for (old, new) in old.iter_mut().zip(new) {
        (0..N).for_each(|i| old[i] = new[i] - old[i]);
    }
}

/// Solves the first n rows of a symmetric system in place; `false` where it has no sound answer.
fn least_squares(products: &[[f64; MEMORY]; MEMORY], n: usize, b: &mut [f64; MEMORY]) -> bool {
    let mut m = *products;
    let trace = (0..n).map(|i| m[i][i]).sum::<f64>();
    (0..n).for_each(|i| m[i][i] += REGULAR * trace);
    for k in 0..n {
        if m[k][k] <= 0.0 {
            return false;
        }
        for i in k + 1..n {
            let factor = m[i][k] / m[k][k];
            let row = m[k];
            (k..n).for_each(|j| m[i][j] -= factor * row[j]);
            b[i] -= factor * b[k];
        }
    }
    for k in (0..n).rev() {
        let known: f64 = (k + 1..n).map(|j| m[k][j] * b[j]).sum();
        b[k] = (b[k] - known) / m[k][k];
    }
    b[..n].iter().all(|b| b.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sweeps that shrink each of a few parts by a factor of its own: as many combinations as there are parts find the end.
    #[test]
    fn combinations_end_what_shrinks_steadily() {
        let factors = [0.9, 0.5, 0.2, -0.7];
        let mut x = [[1.0], [-2.0], [0.5], [3.0]];
        let mut memory = Memory::<0, 1>::default();
        assert!(memory.is_empty());
        for _ in 0..factors.len() + 2 {
            let start = x;
            x.iter_mut().zip(factors).for_each(|(x, factor)| x[0] *= factor);
            let after = x;
            let taken = memory.learn(|sweep| {
                sweep.x.extend(after);
                sweep.change.extend(after.iter().zip(start).map(|(x, start)| [x[0] - start[0]]));
            });
            for (step, factor) in taken {
                x.iter_mut().zip(&step.x).for_each(|(x, d)| x[0] -= factor * d[0]);
            }
        }
        assert!(!memory.is_empty() && x.iter().all(|x| x[0].abs() < 1e-8), "{x:?}");
        memory.forget();
        assert!(memory.is_empty());
    }
}
