//! Contacts with two tangents at rest: which of them can hold, and how the
//! others start to slide.
//!
//! The tangents of one or several bodies have accelerations a = Lz, where LLᵀ
//! is their part of Ĝ. Given the normal rates, z minimises a convex function,
//!
//! ```text
//! ½‖z − z₀‖² + Σ dP_n ‖Da‖,      z = z₀ + Lᵀy,   y = −dP_n D²a/‖Da‖, or ‖D⁻¹y‖ ≤ dP_n where a = 0
//! ```
//!
//! with the rates y of friction. With s = √(‖Da‖² + ε²) for ‖Da‖ it is smooth;
//! ε falls to round-off. Newton's method is applied to ys + dP_n D²a = 0, which
//! unlike the gradient is hardly curved, with y as a variable of its own
//! [CGM 1999]. Along an impact the problems follow each other closely, so the last ε is tried first from the solution
//! before. z has as many entries as there are independent directions, so
//! that dependent ones need no special care.

use crate::elementary::Elementary;

use super::thresholds::{count, friction, rate};

/// One contact.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cone {
    pub contact: usize,
    /// dP_n.
    pub force: f64,
    /// D: static as long as the contact is held, kinetic once it is let go.
    pub friction: [f64; 2],
}

/// The convex problem and its solution.
#[derive(Debug, Clone, Default)]
pub(super) struct Cones {
    pub cones: Vec<Cone>,
    /// L, row by row, two rows per cone; and z₀.
    pub coordinates: Vec<f64>,
    pub drive: Vec<f64>,
    /// y and a.
    pub rates: Vec<f64>,
    pub acceleration: Vec<f64>,
    z: Vec<f64>,
    /// y as a variable of its own.
    dual: Vec<f64>,
    gradient: Vec<f64>,
    direction: Vec<f64>,
    hessian: Vec<f64>,
    line: Vec<f64>,
    /// By cones, where the two rows of L are not zero; and where rows of the Hessian begin not to be.
    spans: Vec<(usize, usize)>,
    first: Vec<usize>,
    /// The cones of the solution at hand, if there is one.
    before: Vec<Cone>,
}

/// How a step of Newton's method ended.
#[derive(Clone, Copy, PartialEq)]
enum Progress {
    /// Another one is worth it.
    More,
    Converged,
    /// Round-off leaves no direction that descends.
    Stuck,
}

impl Cones {
    /// Forgets the solution at hand: what follows has nothing to do with it.
    pub fn forget(&mut self) {
        self.before.clear();
    }

    /// Finds y and a.
    pub fn solve(&mut self) {
        self.find_spans();
        let largest = self.drive.iter().fold(0.0_f64, |m, z| m.max(z.abs()));
        let last = friction::SHARPEST * largest.max(1.0);
        if !(self.continues() && self.descend(last, count::NEXT_CONE_STEPS) == Progress::Converged) {
            self.solve_anew(largest, last);
        }
        self.before.clone_from(&self.cones);
        self.find_gradient(last);
        // Near a = 0 round-off spoils y(a), but not y itself.
        self.rates.clone_from(&self.dual);
    }

    /// Where rows are not zero: contacts that share no body have no entries of z in common.
    fn find_spans(&mut self) {
        let width = self.drive.len();
        self.spans.clear();
        self.first.clear();
        self.first.extend(0..width);
        for k in 0..self.cones.len() {
            let rows = [0, 1].map(|i| &self.coordinates[(2 * k + i) * width..(2 * k + i + 1) * width]);
            let used = |&p: &usize| rows[0][p] != 0.0 || rows[1][p] != 0.0;
            let begin = (0..width).find(used).unwrap_or(width);
            let end = (begin..width).rfind(used).map_or(begin, |p| p + 1);
            self.spans.push((begin, end));
            self.first[begin..end].iter_mut().for_each(|f| *f = begin.min(*f));
        }
    }

    /// Both rows of L of cone `k`, where they are not zero.
    fn rows(&self, k: usize) -> [&[f64]; 2] {
        let (width, (begin, end)) = (self.z.len(), self.spans[k]);
        [0, 1].map(|i| &self.coordinates[(2 * k + i) * width + begin..(2 * k + i) * width + end])
    }

    /// L z of cone `k`.
    fn along(&self, k: usize, z: &[f64]) -> [f64; 2] {
        let (begin, end) = self.spans[k];
        self.rows(k).map(|row| row.iter().zip(&z[begin..end]).map(|(l, z)| l * z).sum())
    }

    /// Whether the solution at hand is one of the same contacts with the same friction.
    fn continues(&self) -> bool {
        let same = |(a, b): (&Cone, &Cone)| a.contact == b.contact && a.friction == b.friction;
        !self.drive.is_empty()
            && self.z.len() == self.drive.len()
            && self.before.len() == self.cones.len()
            && self.before.iter().zip(&self.cones).all(same)
    }

    /// From nothing, with ever smaller ε.
    fn solve_anew(&mut self, largest: f64, last: f64) {
        self.z.clone_from(&self.drive);
        self.dual.clear();
        self.dual.resize(2 * self.cones.len(), 0.0);
        let mut epsilon = largest.max(last);
        while epsilon > last {
            epsilon = (0.01 * epsilon).max(last);
            self.descend(epsilon, if epsilon > last { count::CONE_STEPS } else { count::LAST_CONE_STEPS });
        }
    }

    /// Newton's method for one ε.
    fn descend(&mut self, epsilon: f64, most: usize) -> Progress {
        let mut progress = Progress::More;
        for _ in 0..most {
            progress = self.improve(epsilon);
            if progress != Progress::More {
                break;
            }
        }
        progress
    }

    /// ‖a‖ of cone `k`.
    pub fn speed_up(&self, k: usize) -> f64 {
        self.acceleration[2 * k].hypotenuse(self.acceleration[2 * k + 1])
    }

    /// Whether cone `k` is at its limit, so that it slides if anything does.
    /// Its velocity does not tell: where other contacts hold the body, a sliding contact hardly moves.
    pub fn slides(&self, k: usize) -> bool {
        let cone = &self.cones[k];
        // Where there is no friction along the second tangent there is no rate either.
        let acts = |i: usize| i == 0 || cone.friction[i] > 0.0;
        let part = |i: usize| if acts(i) { self.rates[2 * k + i] / (cone.friction[i] * cone.force) } else { 0.0 };
        let share = part(0).hypotenuse(part(1));
        if share.is_nan() { self.speed_up(k) > rate::NO_ACCELERATION } else { share >= 1.0 - friction::AT_LIMIT }
    }

    /// Largest ‖a‖.
    pub fn fastest(&self) -> f64 {
        (0..self.cones.len()).fold(0.0, |m, k| self.speed_up(k).max(m))
    }

    /// a, y, and the gradient z − z₀ − Lᵀy, at the present z.
    fn find_gradient(&mut self, epsilon: f64) {
        self.acceleration.clear();
        self.rates.clear();
        let mut gradient = std::mem::take(&mut self.gradient);
        gradient.clear();
        gradient.extend(self.z.iter().zip(&self.drive).map(|(z, z0)| z - z0));
        for k in 0..self.cones.len() {
            let (a, cone) = (self.along(k, &self.z), &self.cones[k]);
            let (x, _, _) = cone.normalised(&a, epsilon);
            let y = [0, 1].map(|i| -cone.force * cone.friction[i] * x[i]);
            let (begin, end) = self.spans[k];
            for (row, y) in self.rows(k).into_iter().zip(y) {
                gradient[begin..end].iter_mut().zip(row).for_each(|(g, l)| *g -= y * l);
            }
            self.acceleration.extend(a);
            self.rates.extend(y);
        }
        self.gradient = gradient;
    }

    /// ½‖z − z₀‖² + Σ dP_n s at the present z.
    fn value(&self, epsilon: f64) -> f64 {
        let away: f64 = self.z.iter().zip(&self.drive).map(|(z, z0)| 0.5 * (z - z0) * (z - z0)).sum();
        let loss = |(k, cone): (usize, &Cone)| {
            let (_, s, most) = cone.normalised(&self.along(k, &self.z), epsilon);
            cone.force * most * s
        };
        away + self.cones.iter().enumerate().map(loss).sum::<f64>()
    }

    /// 1 + LᵀCL, its lower half.
    fn find_hessian(&mut self, epsilon: f64) {
        let width = self.z.len();
        let mut hessian = std::mem::take(&mut self.hessian);
        hessian.clear();
        hessian.resize(width * width, 0.0);
        (0..width).for_each(|i| hessian[i * width + i] = 1.0);
        for (k, cone) in self.cones.iter().enumerate() {
            let c = cone.slope(&self.acceleration[2 * k..], &self.dual[2 * k..], epsilon);
            let (begin, [p, q]) = (self.spans[k].0, self.rows(k));
            for i in 0..p.len() {
                let own = [0, 1].map(|j| c[0][j] * p[i] + c[1][j] * q[i]);
                let start = (begin + i) * width + begin;
                let line = hessian[start..=start + i].iter_mut();
                line.zip(p).zip(q).for_each(|((h, p), q)| *h += own[0] * p + own[1] * q);
            }
        }
        self.hessian = hessian;
    }

    /// One Newton step, (1 + LᵀCL)Δz = −gradient with the symmetric part of
    /// C = (dP_n D² + y ∂s/∂a)/s.
    fn improve(&mut self, epsilon: f64) -> Progress {
        self.find_gradient(epsilon);
        self.find_hessian(epsilon);
        self.direction.clear();
        self.direction.extend(self.gradient.iter().map(|g| -g));
        if !solve_positive(&mut self.hessian, &self.first, &mut self.direction) {
            return Progress::Stuck;
        }
        let along = |g: &[f64], d: &[f64]| -> f64 { g.iter().zip(d).map(|(g, d)| g * d).sum() };
        let fall = -along(&self.gradient, &self.direction);
        if fall.is_nan() || fall <= 0.0 {
            return Progress::Stuck;
        }
        self.follow(epsilon);
        self.line.clone_from(&self.z);
        let value = self.value(epsilon);
        let mut length = 1.0;
        for _ in 0..count::CONE_TRIALS {
            for (i, z) in self.z.iter_mut().enumerate() {
                *z = self.line[i] + length * self.direction[i];
            }
            if self.value(epsilon) <= value * (1.0 + 1e-15) {
                break;
            }
            length *= 0.4;
        }
        let step = self.direction.iter().fold(0.0_f64, |m, d| m.max(d.abs()));
        if step > 1e-3 * epsilon { Progress::More } else { Progress::Converged }
    }
}

impl Cones {
    /// y := y(a) − CΔa, drawn back into the limit.
    fn follow(&mut self, epsilon: f64) {
        for (k, cone) in self.cones.iter().enumerate() {
            let c = cone.slope(&self.acceleration[2 * k..], &self.dual[2 * k..], epsilon);
            let change = self.along(k, &self.direction);
            let y = [0, 1].map(|i| self.rates[2 * k + i] - c[i][0] * change[0] - c[i][1] * change[1]);
            let part = |i: usize| if cone.friction[i] > 0.0 { y[i] / cone.friction[i] } else { 0.0 };
            let shrink = (cone.force / part(0).hypotenuse(part(1))).min(1.0);
            for (i, y) in y.iter().enumerate() {
                self.dual[2 * k + i] = if cone.friction[i] > 0.0 && shrink > 0.0 { shrink * y } else { 0.0 };
            }
        }
    }
}

/// x := A⁻¹x for a positive definite A, whose factor replaces it (only its lower half is looked at); row i is zero before
/// `first[i]`. Returns whether it is positive definite.
fn solve_positive(a: &mut [f64], first: &[usize], x: &mut [f64]) -> bool {
    let n = x.len();
    for i in 0..n {
        let (above, own) = a.split_at_mut(i * n);
        for j in first[i]..i {
            let begin = first[i].max(first[j]);
            let other = &above[j * n..=j * n + j];
            let sum: f64 = own[begin..j].iter().zip(&other[begin..j]).map(|(p, q)| p * q).sum();
            own[j] = (own[j] - sum) / other[j];
        }
        let pivot = own[i] - own[first[i]..i].iter().map(|l| l * l).sum::<f64>();
        if pivot.is_nan() || pivot <= 0.0 {
            return false;
        }
        own[i] = pivot.sqrt();
    }
    for i in 0..n {
        let line = &a[i * n..=i * n + i];
        let sum: f64 = line[first[i]..i].iter().zip(&x[first[i]..i]).map(|(l, x)| l * x).sum();
        x[i] = (x[i] - sum) / line[i];
    }
    for i in (0..n).rev() {
        let line = &a[i * n..=i * n + i];
        x[i] /= line[i];
        let known = x[i];
        x[first[i]..i].iter_mut().zip(&line[first[i]..i]).for_each(|(x, l)| *x -= l * known);
    }
    true
}

impl Cone {
    /// The symmetric part of C.
    fn slope(&self, a: &[f64], y: &[f64], epsilon: f64) -> [[f64; 2]; 2] {
        let (x, s, most) = self.normalised(a, epsilon);
        let d = self.friction.map(|d| d / most);
        [0, 1].map(|i| {
            [0, 1].map(|j| {
                let own = if i == j { self.force * most * d[i] * d[i] } else { 0.0 };
                (own + 0.5 * (y[i] * d[j] * x[j] + y[j] * d[i] * x[i])) / s
            })
        })
    }

    /// With D/d for D, d = max D: z = Da/s, s = √(‖Da‖² + ε²), and d.
    fn normalised(&self, a: &[f64], epsilon: f64) -> ([f64; 2], f64, f64) {
        let most = self.friction[0].max(self.friction[1]).max(f64::MIN_POSITIVE);
        let [x, y] = [0, 1].map(|i| self.friction[i] / most * a[i]);
        // In units of the driving rates nothing overflows; what underflows is far below ε.
        let s = (x * x + y * y + epsilon * epsilon).sqrt();
        ([x / s, y / s], s, most)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers in [−1, 1).
    fn random(state: &mut u64) -> f64 {
        *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (*state >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    /// Contacts in one plane: z has three entries, however many there are.
    #[test]
    fn friction_opposes_the_accelerations_it_leaves() {
        let mut seed = 1;
        let (mut held, mut sliding) = (0, 0);
        for round in 0..500 {
            let mut cones = Cones::default();
            for contact in 0..2 + round % 4 {
                let (x, y) = (random(&mut seed), random(&mut seed));
                cones.coordinates.extend([1.0, 0.0, -y, 0.0, 1.0, x]);
                let friction = [0, 1].map(|_| 0.5 + 0.4 * random(&mut seed));
                cones.cones.push(Cone { contact, force: 0.5 + 0.5 * random(&mut seed), friction });
            }
            cones.drive = (0..3).map(|_| 1.5 * random(&mut seed)).collect();
            cones.solve();
            let mut z = cones.drive.clone();
            for (k, cone) in cones.cones.iter().enumerate() {
                let (y, a) = (&cones.rates[2 * k..2 * k + 2], &cones.acceleration[2 * k..2 * k + 2]);
                for (i, z) in z.iter_mut().enumerate() {
                    *z += cones.coordinates[6 * k + i] * y[0] + cones.coordinates[6 * k + 3 + i] * y[1];
                }
                let norm = (cone.friction[0] * a[0]).hypot(cone.friction[1] * a[1]);
                let share = (y[0] / cone.friction[0]).hypot(y[1] / cone.friction[1]) / cone.force;
                assert!(share < 1.0 + 1e-12);
                if cones.speed_up(k) > rate::NO_ACCELERATION {
                    sliding += 1;
                    for i in 0..2 {
                        let expected = -cone.force * cone.friction[i] * cone.friction[i] * a[i] / norm;
                        assert!((y[i] - expected).abs() < 1e-10, "{round}: {} {expected}", y[i]);
                    }
                } else {
                    held += 1;
                }
            }
            for (z, found) in z.iter().zip(&cones.z) {
                assert!((z - found).abs() < 1e-10, "{round}: {z} {found}");
            }
        }
        assert!(held > 100 && sliding > 100, "{held} {sliding}");
    }

    /// A problem that follows another closely has the solution that it has by itself.
    #[test]
    fn the_solution_before_changes_nothing() {
        let mut seed = 7;
        let mut quick = 0;
        for round in 0..200 {
            let mut cones = Cones::default();
            for contact in 0..2 + round % 4 {
                let (x, y) = (random(&mut seed), random(&mut seed));
                cones.coordinates.extend([1.0, 0.0, -y, 0.0, 1.0, x]);
                cones.cones.push(Cone { contact, force: 0.6 + 0.4 * random(&mut seed), friction: [0.5; 2] });
            }
            cones.drive = (0..3).map(|_| random(&mut seed)).collect();
            cones.solve();
            for cone in &mut cones.cones {
                cone.force *= 1.0 + 1e-3 * random(&mut seed);
            }
            cones.drive.iter_mut().for_each(|z| *z *= 1.0 + 1e-3 * random(&mut seed));
            let mut alone = Cones {
                cones: cones.cones.clone(),
                coordinates: cones.coordinates.clone(),
                drive: cones.drive.clone(),
                ..Cones::default()
            };
            alone.solve();
            let mut next = cones.clone();
            next.find_spans();
            quick += usize::from(next.descend(friction::SHARPEST, count::NEXT_CONE_STEPS) == Progress::Converged);
            cones.solve();
            for (a, b) in cones.z.iter().chain(&cones.acceleration).zip(alone.z.iter().chain(&alone.acceleration)) {
                assert!((a - b).abs() < 1e-10, "{round}: {a} {b}");
            }
            for (a, b) in cones.rates.iter().zip(&alone.rates) {
                assert!((a - b).abs() < 1e-7, "{round}: {a} {b}");
            }
        }
        assert!(quick > 100, "{quick}");
    }
}
