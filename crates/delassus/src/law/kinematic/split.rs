//! Where the impulses of a combination of stick and slip are not unique: those
//! that minimise Σ Λ_T²/(μ|Λ_N|) within |Λ_T| ≤ μ|Λ_N|.
//!
//! A convex problem in the few coordinates y of the null space, z = z₀ + Ny,
//! once the signs of Λ_N are fixed: all positive if possible, else those of the
//! point of least norm. The sum grows without bound along every direction in
//! which impulses could, because the normals are independent.

use nalgebra::{DMatrix, DVector};

use super::linear;

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
const ROUNDING: f64 = 1e-11;

/// A set less deep than this has no interior; bounds met to within `TIGHT` at
/// its deepest point are then equations.
const FLAT: f64 = 1e-9;
/// See [`FLAT`].
const TIGHT: f64 = 1e-6;

/// A null space whose parts in some entries are below this leaves them alone.
const UNCHANGED: f64 = 1e-9;

/// The least among `point + null·y` with the quantities of `others` not
/// negative; the first `normals` entries are normal impulses. `None` where
/// nothing keeps the bounds.
pub(super) fn least(
    point: &DVector<f64>,
    null: &DMatrix<f64>,
    normals: usize,
    terms: &[Term],
    others: &[Affine],
) -> Option<DVector<f64>> {
    let size = point.amax();
    if size == 0.0 {
        return Some(point.clone());
    }
    let sticks: Vec<Term> = terms.iter().copied().filter(|t| t.sticks).collect();
    if null.rows(0, normals).amax() <= UNCHANGED
        && let Some(z) = fixed_normals(point, null, &sticks)
    {
        return Some(z);
    }
    let positive = vec![1.0; normals];
    let own: Vec<f64> = (0..normals).map(|i| if point[i] < -ROUNDING * size { -1.0 } else { 1.0 }).collect();
    let signs = if own == positive { vec![positive] } else { vec![positive, own] };
    signs.iter().find_map(|signs| {
        let y = Program::new(point, null, signs, terms, others).solve()?;
        Some(point + null * y * size)
    })
}

/// With Λ_N given the sum is quadratic: Λ_T = C Bᵀ(B C Bᵀ)⁺ B Λ_T⁰ with
/// C = diag(μ|Λ_N|/weight) and B the equations that the tangential impulses
/// satisfy. A contact beyond its bound is put on it and the rest solved again.
fn fixed_normals(point: &DVector<f64>, null: &DMatrix<f64>, sticks: &[Term]) -> Option<DVector<f64>> {
    let count = sticks.len();
    let rows: Vec<usize> = sticks.iter().map(|s| s.tangent).collect();
    // Projector on the complement of the null space: its rows are the equations.
    let directions = null.select_rows(&rows);
    let b = DMatrix::identity(count, count) - &directions * linear::pseudo_inverse(&directions)?;
    let bound: Vec<f64> = sticks.iter().map(|s| s.friction * point[s.normal].abs()).collect();
    let size = point.amax();
    let heaviest = sticks.iter().fold(0.0, |w: f64, s| w.max(s.weight));
    let wanted = &b * point.select_rows(&rows);
    let mut held: Vec<Option<f64>> = vec![None; count];
    for _ in 0..=count {
        let on_bound = DVector::from_fn(count, |i, _| held[i].unwrap_or(0.0));
        let c = DMatrix::from_fn(count, count, |i, j| {
            if i == j && held[i].is_none() { bound[i] * heaviest / (sticks[i].weight * size) } else { 0.0 }
        });
        let right = &wanted - &b * &on_bound;
        let solved = linear::solve(&b * &c * b.transpose(), &right)?;
        let tangential = c * b.transpose() * solved.point + &on_bound;
        if (&b * &tangential - &wanted).amax() > ROUNDING * size {
            return None;
        }
        let excess = |i: usize| tangential[i].abs() - bound[i];
        let free = (0..count).filter(|&i| held[i].is_none());
        match free.max_by(|&i, &j| excess(i).total_cmp(&excess(j))) {
            Some(i) if excess(i) > ROUNDING * size => held[i] = Some(bound[i].copysign(tangential[i])),
            _ => {
                let mut z = point.clone();
                rows.iter().zip(tangential.iter()).for_each(|(&row, &value)| z[row] = value);
                return Some(z);
            }
        }
    }
    None
}

/// min Σ w p²/c over y, with p and c affine in y and affine bounds that must
/// not be negative: an interior-point method. Impulses are divided by the
/// largest.
struct Program {
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
        self.value -= slack.ln();
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
    fn new(point: &DVector<f64>, null: &DMatrix<f64>, signs: &[f64], terms: &[Term], others: &[Affine]) -> Self {
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
    fn solve(mut self) -> Option<DVector<f64>> {
        // Quantities that y does not change are only checked.
        let fixed = |b: &Affine| b.gradient.amax() <= UNCHANGED;
        if self.bounds.iter().any(|b| fixed(b) && b.value < -ROUNDING) {
            return None;
        }
        self.bounds.retain(|b| !fixed(b));
        if self.dimension == 0 {
            return Some(DVector::zeros(0));
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

    /// Solves a problem without interior on the subspace y₀ + Zw in which the
    /// tight bounds are equations.
    fn flat(self, deepest: &DVector<f64>) -> Option<DVector<f64>> {
        let tight: Vec<&Affine> = self.bounds.iter().filter(|b| b.at(deepest) <= TIGHT).collect();
        let rows = DMatrix::from_fn(tight.len(), self.dimension, |i, j| tight[i].gradient[j]);
        let excess = DVector::from_fn(tight.len(), |i, _| tight[i].at(deepest));
        let solved = linear::solve(rows, &excess)?;
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
