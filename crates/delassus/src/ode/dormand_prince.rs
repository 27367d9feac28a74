//! The pair of orders 5 and 4 of Dormand and Prince with its dense output of order 4.

/// Nodes c of the stages 2 to 7.
const NODES: [f64; 6] = [0.2, 0.3, 0.8, 8.0 / 9.0, 1.0, 1.0];

/// Rows 2 to 7 of the tableau; the last one holds the weights of order 5.
const STAGES: [&[f64]; 6] = [
    &[1.0 / 5.0],
    &[3.0 / 40.0, 9.0 / 40.0],
    &[44.0 / 45.0, -56.0 / 15.0, 32.0 / 9.0],
    &[19372.0 / 6561.0, -25360.0 / 2187.0, 64448.0 / 6561.0, -212.0 / 729.0],
    &[9017.0 / 3168.0, -355.0 / 33.0, 46732.0 / 5247.0, 49.0 / 176.0, -5103.0 / 18656.0],
    &[35.0 / 384.0, 0.0, 500.0 / 1113.0, 125.0 / 192.0, -2187.0 / 6784.0, 11.0 / 84.0],
];

/// Weights of order 5 minus those of order 4.
const ERROR: [f64; 7] =
    [71.0 / 57600.0, 0.0, -71.0 / 16695.0, 71.0 / 1920.0, -17253.0 / 339200.0, 22.0 / 525.0, -1.0 / 40.0];

/// Weights of the fifth coefficient of the dense output (Hairer, Nørsett, Wanner, II.6).
const DENSE: [f64; 7] = [
    -12715105075.0 / 11282082432.0,
    0.0,
    87487479700.0 / 32700410799.0,
    -10690763975.0 / 1880347072.0,
    701980252875.0 / 199316789632.0,
    -1453857185.0 / 822651844.0,
    69997945.0 / 29380423.0,
];

/// One step of the method: its stages and its end point, in reused buffers.
#[derive(Debug, Clone, Default)]
pub(crate) struct DormandPrince {
    stages: [Vec<f64>; 7],
    point: Vec<f64>,
    start: Vec<f64>,
    end: Vec<f64>,
    /// The fifth coefficient of the dense output.
    fifth: Vec<f64>,
    step: f64,
}

impl DormandPrince {
    /// Buffers for `size` unknowns.
    pub fn new(size: usize) -> Self {
        let zeros = || vec![0.0; size];
        Self {
            stages: std::array::from_fn(|_| zeros()),
            point: zeros(),
            start: zeros(),
            end: zeros(),
            fifth: zeros(),
            step: 0.0,
        }
    }

    /// Evaluates the first stage at the start of a step.
    pub fn begin(&mut self, t: f64, y: &[f64], rate: &mut impl FnMut(f64, &[f64], &mut [f64])) {
        self.start.copy_from_slice(y);
        rate(t, y, &mut self.stages[0]);
    }

    /// As [`begin`](Self::begin), where the derivative is known: it is what the answer holds, or is to hold.
    pub fn begin_known(&mut self, y: &[f64]) -> &mut [f64] {
        self.start.copy_from_slice(y);
        &mut self.stages[0]
    }

    /// The derivative at the end of the last step.
    pub fn end_rate(&self) -> &[f64] {
        &self.stages[6]
    }

    /// The derivative at the start of the step.
    pub fn start_rate(&self) -> &[f64] {
        &self.stages[0]
    }

    /// Steps from the point given to [`begin`](Self::begin) by `h`. The last
    /// evaluation is at the end point.
    pub fn step(&mut self, t: f64, h: f64, rate: &mut impl FnMut(f64, &[f64], &mut [f64])) {
        self.step = h;
        for (s, (row, node)) in STAGES.iter().zip(NODES).enumerate() {
            let (done, rest) = self.stages.split_at_mut(s + 1);
            for (i, y) in self.point.iter_mut().enumerate() {
                let mut sum = 0.0;
                for (a, k) in row.iter().zip(done.iter()) {
                    sum += a * k[i];
                }
                *y = self.start[i] + h * sum;
            }
            rate(t + node * h, &self.point, &mut rest[0]);
        }
        self.end.copy_from_slice(&self.point);
        for (i, fifth) in self.fifth.iter_mut().enumerate() {
            *fifth = h * DENSE.iter().zip(&self.stages).map(|(d, k)| d * k[i]).sum::<f64>();
        }
    }

    /// Makes the end of the last step the start of the next, whose first stage
    /// is the last one of the old. `y` may differ from the end by round-off.
    pub fn advance(&mut self, y: &[f64]) {
        self.start.copy_from_slice(y);
        self.stages.swap(0, 6);
    }

    /// The end point of the step.
    pub fn end(&self) -> &[f64] {
        &self.end
    }

    /// Estimated error of unknown `i` over the step.
    pub fn error(&self, i: usize) -> f64 {
        self.step * ERROR.iter().zip(&self.stages).map(|(e, k)| e * k[i]).sum::<f64>()
    }

    /// The state at the fraction `x` of the step, of order 4.
    pub fn interpolate(&self, x: f64, out: &mut [f64]) {
        for (i, value) in out.iter_mut().enumerate() {
            let (y0, change) = (self.start[i], self.end[i] - self.start[i]);
            let bow = self.step * self.stages[0][i] - change;
            let skew = change - self.step * self.stages[6][i] - bow;
            *value = y0 + x * (change + (1.0 - x) * (bow + x * (skew + (1.0 - x) * self.fifth[i])));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// y'' = −y, one step from t = 0: error of end point and of the middle.
    fn errors(h: f64) -> (f64, f64, f64) {
        let mut rate = |_: f64, y: &[f64], d: &mut [f64]| {
            d[0] = y[1];
            d[1] = -y[0];
        };
        let mut method = DormandPrince::new(2);
        method.begin(0.0, &[0.0, 1.0], &mut rate);
        method.step(0.0, h, &mut rate);
        let mut middle = [0.0; 2];
        method.interpolate(0.5, &mut middle);
        (method.end()[0] - h.sin(), middle[0] - (0.5 * h).sin(), method.error(0))
    }

    #[test]
    fn orders_are_five_and_four() {
        let (a, b) = (errors(0.2), errors(0.1));
        let order = |x: f64, y: f64| (x / y).abs().log2();
        assert!(order(a.0, b.0) > 5.8, "end point: local order {}", order(a.0, b.0));
        assert!(order(a.1, b.1) > 4.8, "dense output: local order {}", order(a.1, b.1));
        assert!(order(a.2, b.2) > 4.8, "estimate: local order {}", order(a.2, b.2));
    }

    #[test]
    fn interpolant_meets_both_ends() {
        let mut rate = |t: f64, _: &[f64], d: &mut [f64]| d[0] = t.cos();
        let mut method = DormandPrince::new(1);
        method.begin(0.3, &[2.0], &mut rate);
        method.step(0.3, 0.5, &mut rate);
        let mut y = [0.0];
        method.interpolate(0.0, &mut y);
        assert_eq!(y[0], 2.0);
        method.interpolate(1.0, &mut y);
        assert!((y[0] - method.end()[0]).abs() < 1e-15);
    }
}
