//! Steps by extrapolation of the midpoint rule (Gragg, Bulirsch, Stoer).

/// Rows of the table of extrapolation; the order of a step is twice that.
const ROWS: usize = 6;

/// Order of the error that is estimated.
pub const ORDER: f64 = 2.0 * ROWS as f64 - 1.0;

/// A step.
pub struct Step {
    /// Its length.
    pub length: f64,
    /// The state at its end.
    pub end: Vec<f64>,
    /// Change of the state over the step.
    pub change: Vec<f64>,
    /// The same by one row less.
    pub coarse: Vec<f64>,
    /// States on the way, to second order.
    pub passed: Vec<Vec<f64>>,
}

/// to += factor · what.
pub fn add(to: &mut [f64], factor: f64, what: &[f64]) {
    to.iter_mut().zip(what).for_each(|(to, w)| *to += factor * w);
}

/// One step of length `h` from `y`, where the derivative is `slope`. Changes of
/// state are computed rather than states, to lose fewer digits.
pub fn step(y: &[f64], slope: &[f64], h: f64, derivative: impl Fn(&[f64]) -> Vec<f64>) -> Step {
    let mut passed = Vec::new();
    let mut table: Vec<Vec<f64>> = Vec::new();
    for row in 1..=ROWS {
        let count = 2 * row;
        let part = h / count as f64;
        let mut before = vec![0.0; y.len()];
        let mut now: Vec<f64> = slope.iter().map(|s| part * s).collect();
        for _ in 1..count {
            let state: Vec<f64> = y.iter().zip(&now).map(|(a, b)| a + b).collect();
            add(&mut before, 2.0 * part, &derivative(&state));
            std::mem::swap(&mut before, &mut now);
            if row == ROWS {
                passed.push(state);
            }
        }
        let mut next = vec![now];
        for (back, old) in table.iter().enumerate() {
            let ratio = row as f64 / (row - 1 - back) as f64;
            let mut better = next[back].clone();
            let difference: Vec<f64> = better.iter().zip(old).map(|(a, b)| a - b).collect();
            add(&mut better, 1.0 / (ratio * ratio - 1.0), &difference);
            next.push(better);
        }
        table = next;
    }
    let change = table.swap_remove(ROWS - 1);
    let end = y.iter().zip(&change).map(|(a, b)| a + b).collect();
    Step { length: h, end, change, coarse: table.swap_remove(ROWS - 2), passed }
}
