//! The convex program behind the least split of impulses: bisection in one
//! variable, an interior-point method in more.

use nalgebra::{DMatrix, DVector};

use crate::elementary::Elementary;
use crate::small::singular;

/// One contact's impulses in the coordinates of z.
#[derive(Debug, Clone, Copy)]
pub(super) struct Term {
    /// Index of the normal impulse.
    pub normal: usize,
    /// Friction coefficient in the units of z.
    pub friction: f64,
    /// The tangential impulse is `factor` times this entry.
    pub tangent: usize,
    /// See `tangent`.
    pub factor: f64,
    /// Weight of this contact in the sum.
    pub weight: f64,
    /// Whether the contact sticks, so that its bound matters.
    pub sticks: bool,
}

/// gradient · z + value.
#[derive(Debug, Clone)]
pub(super) struct Affine {
    pub gradient: DVector<f64>,
    pub value: f64,
}

/// A violation of a bound up to this part of the largest impulse is rounding.
pub(super) const ROUNDING: f64 = 1e-11;

/// A set less deep than this has no interior; bounds met to within `TIGHT` at
/// its deepest point are then equations.
const FLAT: f64 = 1e-9;
/// See [`FLAT`].
const TIGHT: f64 = 1e-6;

/// A null space whose parts in some entries are below this leaves them alone.
pub(super) const UNCHANGED: f64 = 1e-9;

/// min Σ w p²/c over y, with p and c affine in y and affine bounds that must
/// not be negative. Impulses are divided by the largest.
pub(super) struct Program {
    dimension: usize,
    /// (w, p, c) of each contact.
    terms: Vec<(f64, Affine, Affine)>,
    bounds: Vec<Affine>,
}

/// Value, gradient and Hessian of a function.
struct Jet {
    value: f64,
    gradient: DVector<f64>,
    hessian: DMatrix<f64>,
}

impl Jet {
    fn zero(dimension: usize) -> Self {
        Self { value: 0.0, gradient: DVector::zeros(dimension), hessian: DMatrix::zeros(dimension, dimension) }
    }

    /// Subtracts log of an affine quantity; false where it is not positive.
    fn barrier(&mut self, slack: f64, gradient: &DVector<f64>) -> bool {
        if slack <= 0.0 {
            return false;
        }
        self.value -= slack.logarithm();
        self.gradient -= gradient / slack;
        self.hessian += gradient * gradient.transpose() / (slack * slack);
        true
    }
}

impl Affine {
    fn at(&self, y: &DVector<f64>) -> f64 {
        self.gradient.dot(y) + self.value
    }

    fn combine(&self, factor: f64, other: &Affine) -> Affine {
        Affine { gradient: &self.gradient + &other.gradient * factor, value: self.value + factor * other.value }
    }
}

impl Program {
    /// The program of `point + null·y`, all divided by the largest impulse, with the
    /// normal impulses of the given signs.
    pub fn new(point: &DVector<f64>, null: &DMatrix<f64>, signs: &[f64], terms: &[Term], others: &[Affine]) -> Self {
        let size = point.amax();
        let entry = |row: usize, factor: f64| Affine {
            gradient: null.row(row).transpose() * factor,
            value: factor * point[row] / size,
        };
        let heaviest = terms.iter().fold(0.0, |w: f64, t| w.max(t.weight));
        let mut program = Self { dimension: null.ncols(), terms: Vec::new(), bounds: Vec::new() };
        for t in terms {
            let (p, c) = (entry(t.tangent, t.factor), entry(t.normal, t.friction * signs[t.normal]));
            if t.sticks {
                program.bounds.push(c.combine(1.0, &p));
                program.bounds.push(c.combine(-1.0, &p));
            }
            program.terms.push((t.weight / heaviest, p, c));
        }
        program.bounds.extend(signs.iter().enumerate().map(|(i, sign)| entry(i, *sign)));
        program.bounds.extend(
            others.iter().map(|o| Affine {
                gradient: null.tr_mul(&o.gradient),
                value: (o.gradient.dot(point) + o.value) / size,
            }),
        );
        program
    }

    /// The minimiser, or `None` where the bounds contradict each other.
    pub fn solve(mut self) -> Option<DVector<f64>> {
        // Quantities that y does not change are only checked.
        let fixed = |b: &Affine| b.gradient.amax() <= UNCHANGED;
        if self.bounds.iter().any(|b| fixed(b) && b.value < -ROUNDING) {
            return None;
        }
        self.bounds.retain(|b| !fixed(b));
        match self.dimension {
            0 => return Some(DVector::zeros(0)),
            1 => return Some(DVector::from_element(1, self.on_line()?)),
            _ => {}
        }
        let (mut y, depth) = self.inside();
        if depth < -ROUNDING {
            return None;
        }
        if depth <= FLAT {
            return self.flat(&y);
        }
        let mut sharpness = 1.0;
        while sharpness < 1e13 {
            sharpness *= 10.0;
            newton(&mut y, |y| self.objective(y, sharpness));
        }
        Some(y)
    }

    /// The minimiser of one variable: the bounds are an interval, and the slope of
    /// the convex sum changes sign once.
    fn on_line(&self) -> Option<f64> {
        let (mut low, mut high) = (f64::NEG_INFINITY, f64::INFINITY);
        for b in &self.bounds {
            let end = -b.value / b.gradient[0];
            if b.gradient[0] > 0.0 { low = low.max(end) } else { high = high.min(end) }
        }
        if low > high {
            // Ends that pass each other by rounding are one point.
            let middle = 0.5 * (low + high);
            let kept = self.bounds.iter().all(|b| b.gradient[0] * middle + b.value >= -ROUNDING);
            return kept.then_some(middle);
        }
        let slope = |y: f64| {
            let term = |(w, tangential, radius): &(f64, Affine, Affine)| {
                let (dp, dc) = (tangential.gradient[0], radius.gradient[0]);
                let (p, c) = (dp * y + tangential.value, dc * y + radius.value);
                if c <= ROUNDING { 0.0 } else { w * p / c * (2.0 * dp - dc * p / c) }
            };
            self.terms.iter().map(term).sum::<f64>()
        };
        // An open end is moved out until the sum grows towards it.
        let mut reach = 1.0;
        while low.is_infinite() || high.is_infinite() {
            let inner = if low.is_finite() { low } else { high.min(0.0) };
            if low.is_infinite() && (slope(inner - reach) <= 0.0 || reach > 1e15) {
                low = inner - reach;
            }
            let inner = if low.is_finite() { low } else { 0.0 };
            if high.is_infinite() && (slope(inner + reach) >= 0.0 || reach > 1e15) {
                high = inner + reach;
            }
            reach *= 2.0;
        }
        for _ in 0..100 {
            let middle = 0.5 * (low + high);
            if slope(middle) < 0.0 { low = middle } else { high = middle }
        }
        Some(0.5 * (low + high))
    }

    /// Solves a problem without interior on the subspace y₀ + Zw in which the
    /// tight bounds are equations.
    fn flat(self, deepest: &DVector<f64>) -> Option<DVector<f64>> {
        let tight: Vec<&Affine> = self.bounds.iter().filter(|b| b.at(deepest) <= TIGHT).collect();
        let rows = DMatrix::from_fn(tight.len(), self.dimension, |i, j| tight[i].gradient[j]);
        let excess = DVector::from_fn(tight.len(), |i, _| tight[i].at(deepest));
        let solved = singular::solve(rows, &excess, 0.0)?;
        let (offset, basis) = (deepest - solved.point, solved.null);
        let reduce = |a: &Affine| Affine { gradient: basis.tr_mul(&a.gradient), value: a.at(&offset) };
        let part = Self {
            dimension: basis.ncols(),
            terms: self.terms.iter().map(|(w, p, c)| (*w, reduce(p), reduce(c))).collect(),
            bounds: self.bounds.iter().map(reduce).collect(),
        };
        Some(&offset + &basis * part.solve()?)
    }

    fn objective(&self, y: &DVector<f64>, sharpness: f64) -> Option<Jet> {
        let mut jet = Jet::zero(self.dimension);
        for (w, tangential, radius) in &self.terms {
            let (p, c) = (tangential.at(y), radius.at(y));
            // Without normal impulse there is no tangential one either.
            if c <= ROUNDING {
                continue;
            }
            let (dp, dc, factor) = (&tangential.gradient, &radius.gradient, sharpness * w / c);
            let slope = dp - dc * (p / c);
            jet.value += factor * p * p;
            jet.gradient += (dp * 2.0 - dc * (p / c)) * (factor * p);
            jet.hessian += &slope * slope.transpose() * (2.0 * factor);
        }
        self.bounds.iter().all(|b| jet.barrier(b.at(y), &b.gradient)).then_some(jet)
    }

    /// A point whose smallest bound, the depth, is as large as possible or at
    /// least 1e-3: a barrier method in (y, depth).
    fn inside(&self) -> (DVector<f64>, f64) {
        let n = self.dimension;
        let depth_at = |y: &DVector<f64>| self.bounds.iter().map(|b| b.at(y)).fold(f64::INFINITY, f64::min);
        let start = DVector::zeros(n);
        let mut best = (start.clone(), depth_at(&start));
        let mut state = start.insert_row(n, best.1 - 1.0);
        let gradients: Vec<_> = self.bounds.iter().map(|b| b.gradient.clone().insert_row(n, -1.0)).collect();
        let mut sharpness = 0.1;
        while sharpness < 1e13 && best.1 < 1e-3 {
            sharpness *= 10.0;
            newton(&mut state, |state| {
                let (y, depth) = (state.rows(0, n).into_owned(), state[n]);
                let mut jet = Jet::zero(n + 1);
                // Depth below 1 and a weak spring on y keep the problem bounded.
                let spring = 1e-3;
                jet.value += 0.5 * spring * y.norm_squared() - sharpness * depth;
                jet.gradient.rows_mut(0, n).axpy(spring, &y, 1.0);
                jet.gradient[n] -= sharpness;
                (0..n).for_each(|i| jet.hessian[(i, i)] += spring);
                let down = DVector::from_fn(n + 1, |i, _| if i == n { -1.0 } else { 0.0 });
                let inside = jet.barrier(1.0 - depth, &down)
                    && self.bounds.iter().zip(&gradients).all(|(b, g)| jet.barrier(b.at(&y) - depth, g));
                inside.then_some(jet)
            });
            let y = state.rows(0, n).into_owned();
            let depth = depth_at(&y);
            if depth > best.1 {
                best = (y, depth);
            }
        }
        best
    }
}

/// Damped Newton steps until the decrease is below rounding. `function` gives
/// `None` outside its domain.
fn newton(y: &mut DVector<f64>, function: impl Fn(&DVector<f64>) -> Option<Jet>) {
    for _ in 0..50 {
        let Some(Jet { value, gradient, hessian }) = function(y) else { return };
        // Cholesky, not a truncated inverse: near a bound the Hessian is badly scaled but sound.
        let Some(step) = hessian.cholesky().map(|c| -c.solve(&gradient)) else { return };
        let decrease = -gradient.dot(&step);
        if decrease <= 1e-14 * value.abs().max(1.0) {
            return;
        }
        let mut length = 1.0;
        loop {
            let trial = &*y + &step * length;
            if function(&trial).is_some_and(|jet| jet.value <= value - 0.1 * length * decrease) {
                *y = trial;
                break;
            }
            length *= 0.5;
            if length < 1e-10 {
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers in [−1, 1).
    struct Random(u64);

    impl Random {
        fn next(&mut self) -> f64 {
            self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            ((self.0 >> 11) as f64 / (1u64 << 53) as f64) * 2.0 - 1.0
        }

        fn vector(&mut self, n: usize) -> DVector<f64> {
            DVector::from_fn(n, |_, _| self.next())
        }
    }

    /// Three contacts and a box around a point inside all bounds, which is not where the search begins.
    fn draw(random: &mut Random, dimension: usize) -> Program {
        let inside = random.vector(dimension);
        let affine = |gradient: DVector<f64>, there: f64| Affine { value: there - gradient.dot(&inside), gradient };
        let (mut terms, mut bounds) = (Vec::new(), Vec::new());
        for _ in 0..3 {
            let there = 0.65 + 0.35 * random.next();
            let c = affine(random.vector(dimension), there);
            let p = affine(random.vector(dimension), 0.9 * there * random.next());
            bounds.extend([c.combine(1.0, &p), c.combine(-1.0, &p)]);
            bounds.push(c.clone());
            terms.push((0.6 + 0.4 * random.next(), p, c));
        }
        for i in 0..dimension {
            for sign in [-1.0, 1.0] {
                let mut side = DVector::zeros(dimension);
                side[i] = sign;
                bounds.push(affine(side, 2.0));
            }
        }
        Program { dimension, terms, bounds }
    }

    fn sum(terms: &[(f64, Affine, Affine)], y: &DVector<f64>) -> f64 {
        terms.iter().map(|(w, p, c)| w * p.at(y) * p.at(y) / c.at(y).max(1e-300)).sum()
    }

    fn depth(bounds: &[Affine], y: &DVector<f64>) -> f64 {
        bounds.iter().map(|b| b.at(y)).fold(f64::INFINITY, f64::min)
    }

    /// The problem is convex: a point that no small step improves is the minimiser.
    #[track_caller]
    fn check_least(
        terms: &[(f64, Affine, Affine)],
        bounds: &[Affine],
        y: &DVector<f64>,
        mut step: impl FnMut() -> DVector<f64>,
    ) {
        assert!(depth(bounds, y) > -1e-9, "{}", depth(bounds, y));
        let least = sum(terms, y);
        for k in 0..600 {
            let other = y + step() * [0.1, 1e-2, 1e-3][k % 3];
            if depth(bounds, &other) >= 0.0 {
                assert!(sum(terms, &other) >= least - 1e-9, "{} is below {least}", sum(terms, &other));
            }
        }
    }

    #[test]
    fn no_step_improves_a_minimum() {
        let mut random = Random(7);
        for case in 0..90 {
            let dimension = 1 + case % 3;
            let program = draw(&mut random, dimension);
            let (terms, bounds) = (program.terms.clone(), program.bounds.clone());
            let y = program.solve().unwrap();
            check_least(&terms, &bounds, &y, || random.vector(dimension));
        }
    }

    /// One variable with an open end: p²/c with c constant is least where p = 0, however far that is.
    #[test]
    fn an_open_end_is_no_bound() {
        let line = |slope: f64, value: f64| Affine { gradient: DVector::from_element(1, slope), value };
        for place in [-3e4, -5.0, 0.0, 0.3, 8.0, 1e5] {
            let mut bounds = vec![vec![]];
            for gap in [0.5, 3.0, 70.0, 1e6] {
                bounds.extend([vec![line(1.0, gap - place)], vec![line(-1.0, gap + place)]]);
            }
            for bound in bounds {
                let terms = vec![(1.0, line(2.0, -2.0 * place), line(0.0, 1.0))];
                let y = Program { dimension: 1, terms, bounds: bound }.solve().unwrap();
                assert!((y[0] - place).abs() <= 1e-9 * place.abs().max(1.0), "{} is not {place}", y[0]);
            }
        }
    }

    /// Two bounds that leave a plane between them: the minimum within it. Bounds that pass each other leave nothing.
    #[test]
    fn bounds_may_leave_a_plane_or_nothing() {
        let mut random = Random(8);
        for case in 0..60 {
            let dimension = 2 + case % 2;
            let mut program = draw(&mut random, dimension);
            let normal = random.vector(dimension).normalize();
            // Through the point in the middle of the box.
            let middle = DVector::from_fn(dimension, |i, _| {
                let sides = &program.bounds[9 + 2 * i..11 + 2 * i];
                0.5 * (sides[0].value - sides[1].value)
            });
            let through =
                |sign: f64, gap: f64| Affine { gradient: &normal * sign, value: gap - sign * normal.dot(&middle) };
            let contrary = Program {
                bounds: [program.bounds.clone(), vec![through(1.0, -1e-3), through(-1.0, -1e-3)]].concat(),
                terms: program.terms.clone(),
                dimension,
            };
            assert!(contrary.solve().is_none());
            program.bounds.extend([through(1.0, 0.0), through(-1.0, 0.0)]);
            let terms = program.terms.clone();
            let bounds = program.bounds[..program.bounds.len() - 2].to_vec();
            let y = program.solve().unwrap();
            assert!(normal.dot(&(&y - &middle)).abs() < 1e-9);
            check_least(&terms, &bounds, &y, || {
                let step = random.vector(dimension);
                &step - &normal * normal.dot(&step)
            });
        }
    }
}
