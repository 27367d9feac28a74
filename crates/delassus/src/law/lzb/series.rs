//! The motion of all contacts as power series in τ.
//!
//! With q and v as polynomials the equations give one coefficient after the other:
//!
//! ```text
//! v_{k+1} = H q_k/(k+1)      δ_{k+1} = −c v_k/(k+1)      q_{k+1}: from δ and v up to that power
//! ```
//!
//! Each power costs one product with H. Contacts that change slowly are known by their series for many short steps, which
//! others make short (`parted`); where the series does not converge within a step its last terms say so, also at the neighbours
//! of such a contact, by one power less for each further ring of contacts.

use super::local::Local;
use super::scaled::Power;
use super::step::Step;
use super::thresholds::parted;
use crate::elementary::Elementary;

/// Highest power of the rates.
pub(super) const DEGREE: usize = 5;

/// Coefficients, power by power.
#[derive(Debug, Clone, Default)]
pub(super) struct Series {
    /// Whether there is one.
    pub known: bool,
    /// How far the present beginning of steps is from where the series begin.
    pub at: f64,
    drivers: usize,
    rates: usize,
    slides: usize,
    /// δ, up to the power DEGREE + 1.
    delta: Vec<f64>,
    /// Driving rates q, and velocities of their rows, up to DEGREE.
    pub rate: Vec<f64>,
    pub velocity: Vec<f64>,
    /// Of slides: ‖Dv‖², its root's inverse, dP_n/‖Dv‖, and the power of friction.
    square: Vec<f64>,
    inverse: Vec<f64>,
    share: Vec<f64>,
    power: Vec<f64>,
    doubts: Vec<[f64; 3]>,
    /// At the present beginning, and where a step may end.
    pub begin: Reached,
    pub end: Reached,
}

/// What series say at one time; impulses and work from their beginning on.
#[derive(Debug, Clone, Default)]
pub(super) struct Reached {
    pub delta: Vec<f64>,
    pub velocity: Vec<f64>,
    pub rate: Vec<f64>,
    pub impulse: Vec<f64>,
    pub work: Vec<f64>,
}

/// Coefficient `n` of the power `exponent` of a series, from its own ones below.
fn power_coefficient(exponent: f64, n: usize, base: impl Fn(usize) -> f64, own: impl Fn(usize) -> f64) -> f64 {
    let sum: f64 = (1..=n).map(|k| (k as f64 * exponent - (n - k) as f64) * base(k) * own(n - k)).sum();
    sum / (n as f64 * base(0))
}

/// Coefficient `n` of a product of series.
fn product_coefficient(n: usize, a: impl Fn(usize) -> f64, b: impl Fn(usize) -> f64) -> f64 {
    (0..=n).map(|k| a(k) * b(n - k)).sum()
}

/// Σ c_k τ^k for all of `count` numbers at once, whose coefficients follow power by power.
fn evaluate(coefficients: &[f64], count: usize, tau: f64, out: &mut Vec<f64>) {
    out.clear();
    out.resize(count, 0.0);
    for line in coefficients.chunks_exact(count.max(1)).rev() {
        out.iter_mut().zip(line).for_each(|(sum, c)| *sum = *sum * tau + c);
    }
}

/// Σ c_k τ^{k+1}/(k+1), the same integrated.
fn integrate(coefficients: &[f64], count: usize, tau: f64, out: &mut Vec<f64>) {
    out.clear();
    out.resize(count, 0.0);
    for (k, line) in coefficients.chunks_exact(count.max(1)).enumerate().rev() {
        let share = 1.0 / (k + 1) as f64;
        out.iter_mut().zip(line).for_each(|(sum, c)| *sum = *sum * tau + c * share);
    }
    out.iter_mut().for_each(|sum| *sum *= tau);
}

impl Series {
    /// Finds the series from the beginning of a step.
    pub fn expand(&mut self, step: &Step, local: &Local, power: Power, length: f64) {
        let (drivers, rates, slides) = (step.springs.len(), step.velocity.len(), step.slidings.len());
        (self.drivers, self.rates, self.slides) = (drivers, rates, slides);
        (self.known, self.at) = (true, 0.0);
        let fit = |list: &mut Vec<f64>, size: usize| {
            list.clear();
            list.resize(size, 0.0);
        };
        fit(&mut self.delta, (DEGREE + 2) * drivers);
        fit(&mut self.rate, (DEGREE + 1) * rates);
        fit(&mut self.velocity, (DEGREE + 1) * rates);
        for list in [&mut self.square, &mut self.inverse, &mut self.share, &mut self.power] {
            fit(list, (DEGREE + 1) * slides);
        }
        self.delta[..drivers].copy_from_slice(&step.begin[..drivers]);
        self.rate[..rates].copy_from_slice(step.driving());
        self.velocity[..rates].copy_from_slice(&step.gamma[..rates]);
        for n in 0..=DEGREE {
            if n > 0 {
                self.add_velocities(step, local, n);
                self.add_forces(step, power, length, n);
            }
            self.add_slides(step, n);
        }
        for a in 0..drivers {
            self.delta[(DEGREE + 1) * drivers + a] =
                -step.springs[a].rate * self.velocity[DEGREE * rates + a] / (DEGREE + 1) as f64;
        }
        self.find_doubts(step);
        self.begin.delta.clear();
        self.begin.delta.extend_from_slice(&self.delta[..drivers]);
        for (list, size) in [(&mut self.begin.impulse, rates), (&mut self.begin.work, slides)] {
            fit(list, size);
        }
    }

    /// v_n = H q_{n−1}/n
    fn add_velocities(&mut self, step: &Step, local: &Local, n: usize) {
        let (rates, over) = (self.rates, 1.0 / n as f64);
        let (before, q) = (&mut self.velocity[n * rates..(n + 1) * rates], &self.rate[(n - 1) * rates..n * rates]);
        for (a, _) in step.springs.iter().enumerate().filter(|(_, spring)| !spring.slides) {
            before[a] = over * local.response.dot(a, q);
        }
        for (s, slide) in step.slidings.iter().enumerate() {
            let v = local.sliding.dot(s, q);
            before[slide.driver] = over * v[0];
            before[slide.rate] = over * v[1];
            before[slide.rate + 1] = over * v[2];
        }
    }

    /// δ_n and the coefficients of normal forces.
    fn add_forces(&mut self, step: &Step, power: Power, length: f64, n: usize) {
        let (drivers, rates) = (self.drivers, self.rates);
        for (a, spring) in step.springs.iter().enumerate() {
            self.delta[n * drivers + a] = -spring.rate * self.velocity[(n - 1) * rates + a] / n as f64;
            let exponent = match power {
                Power::Linear => {
                    self.rate[n * rates + a] = spring.stiffness * self.delta[n * drivers + a];
                    continue;
                }
                Power::Hertz => 1.5,
                Power::Other(exponent) => exponent,
            };
            // Where a force begins it has no series; one about a point a step further on tells how much it changes.
            let least = (spring.rate * self.velocity[a] * length).abs().max(f64::MIN_POSITIVE);
            let delta = &self.delta;
            let start = delta[a].max(least);
            let base = |k: usize| if k == 0 { start } else { delta[k * drivers + a] };
            let first = if start == delta[a] {
                self.rate[a]
            } else {
                spring.stiffness * if exponent == 1.5 { start * start.sqrt() } else { start.power(exponent) }
            };
            let own = |k: usize| if k == 0 { first } else { self.rate[k * rates + a] };
            self.rate[n * rates + a] = power_coefficient(exponent, n, base, own);
        }
    }

    /// The coefficients of friction of slides.
    fn add_slides(&mut self, step: &Step, n: usize) {
        let (rates, slides) = (self.rates, self.slides);
        for (s, slide) in step.slidings.iter().enumerate() {
            let m = slide.friction;
            let velocity = &self.velocity;
            let along = |i: usize| move |k: usize| m[i] * velocity[k * rates + slide.rate + i];
            self.square[n * slides + s] =
                product_coefficient(n, along(0), along(0)) + product_coefficient(n, along(1), along(1));
            let square = |k: usize| self.square[k * slides + s];
            let inverse = if n == 0 {
                1.0 / square(0).sqrt()
            } else {
                power_coefficient(-0.5, n, square, |k| self.inverse[k * slides + s])
            };
            self.inverse[n * slides + s] = inverse;
            let force = |k: usize| self.rate[k * rates + slide.driver];
            self.share[n * slides + s] = product_coefficient(n, force, |k| self.inverse[k * slides + s]);
            let share = |k: usize| self.share[k * slides + s];
            self.power[n * slides + s] = -product_coefficient(n, share, |k| self.square[k * slides + s]);
            if n > 0 {
                let f = [0, 1].map(|i| -m[i] * product_coefficient(n, share, along(i)));
                self.rate[n * rates + slide.rate..][..2].copy_from_slice(&f);
            }
        }
    }

    /// Whether the series of a driver go to this distance from the present beginning, with errors of its impulses and its δ
    /// below `doubt`.
    pub fn reaches(&self, driver: usize, tau: f64, doubt: f64) -> bool {
        let tau = self.at + tau;
        let power = (0..DEGREE).fold(1.0, |power, _| power * tau);
        let [last, before, turning] = self.doubts[driver];
        // Not for what is not a number.
        power * (tau * last + before) <= doubt && tau * turning <= parted::RADIUS
    }

    /// Does not trust the series of a driver any more.
    pub fn give_up(&mut self, driver: usize) {
        self.doubts[driver][0] = f64::INFINITY;
    }

    /// By which terms the error of a driver's impulses and of its δ is judged: the last one, and a hundredth of that before.
    fn find_doubts(&mut self, step: &Step) {
        let (drivers, rates) = (self.drivers, self.rates);
        self.doubts.clear();
        self.doubts.extend((0..drivers).map(|a| {
            let delta = self.delta[(DEGREE + 1) * drivers + a].abs() / step.springs[a].reach;
            let [last, before] = [0, 1].map(|k| self.rate[(DEGREE - k) * rates + a].abs() / DEGREE as f64);
            [
                delta + last,
                0.01 * before,
                if step.springs[a].stiffness > 0.0 {
                    step.springs[a].rate * self.velocity[a].abs() / self.delta[a].max(f64::MIN_POSITIVE)
                } else {
                    0.0
                },
            ]
        }));
        for slide in &step.slidings {
            let own = &mut self.doubts[slide.driver];
            for i in [slide.rate, slide.rate + 1] {
                let [last, before] = [0, 1].map(|k| self.rate[(DEGREE - k) * rates + i].abs() / DEGREE as f64);
                *own = [own[0] + last, own[1] + 0.01 * before, own[2]];
            }
            let turning = slide.turning([0, 1].map(|k| step.gamma[slide.rate + k]), step.driving()[slide.driver]);
            own[2] = own[2].max(turning);
        }
    }

    /// Evaluates δ, impulses, velocities and work of friction at this distance from the present beginning.
    pub fn go_to(&mut self, tau: f64) {
        let tau = self.at + tau;
        evaluate(&self.delta, self.drivers, tau, &mut self.end.delta);
        evaluate(&self.velocity, self.rates, tau, &mut self.end.velocity);
        evaluate(&self.rate, self.rates, tau, &mut self.end.rate);
        integrate(&self.rate, self.rates, tau, &mut self.end.impulse);
        integrate(&self.power, self.slides, tau, &mut self.end.work);
    }

    /// Makes the end the beginning, `tau` further on.
    pub fn advance(&mut self, tau: f64) {
        self.at += tau;
        std::mem::swap(&mut self.begin, &mut self.end);
    }

    /// Driving rate `i` at this distance from the present beginning.
    pub fn rate_after(&self, i: usize, tau: f64) -> f64 {
        let powers = self.rate[i..].iter().step_by(self.rates);
        powers.rev().fold(0.0, |sum, c| sum * (self.at + tau) + c)
    }
}

#[cfg(test)]
mod tests {
    use super::super::impact::Buffers;
    use super::super::state::{ContactState, Grip, Phase};
    use super::super::step::Course;
    use super::*;
    use crate::problem::{ContactData, ImpactProblem, ProblemData};
    use crate::{Direction, Mass};

    /// Bodies in a ring, each of which touches the next one; every third contact has no friction.
    fn ring(bodies: usize) -> ImpactProblem {
        let number = |k: usize| (1.7 * (k * k + 3 * k) as f64).sin();
        let masses = (0..6 * bodies).map(|k| 1.0 + 0.3 * number(k)).collect();
        let mut data =
            ProblemData::new(Mass::diagonal(masses).unwrap(), (0..6 * bodies).map(number).collect::<Vec<f64>>());
        for i in 0..bodies {
            let pair = [i.min((i + 1) % bodies), i.max((i + 1) % bodies)];
            let direction = |shift: usize| {
                let entries = pair
                    .iter()
                    .flat_map(|&body| (0..6).map(move |k| (6 * body + k, number(18 * i + 7 * k + shift + body))));
                Direction::Sparse(entries.collect())
            };
            let contact = ContactData::new(format!("c{i}"), direction(0)).restitution(0.8).friction(if i % 3 == 0 {
                0.0
            } else {
                0.4
            });
            data.contacts.push(contact.tangent(direction(1)).tangent(direction(2)));
        }
        ImpactProblem::new(data).unwrap()
    }

    /// Where series say that they reach, stages of order eight come to the same end.
    #[test]
    fn series_and_stages_agree() {
        let problem = ring(12);
        for exponent in [1.0, 1.5, 2.2] {
            let mut data = Buffers::default();
            data.scaled.read(&problem, exponent, &mut data.gamma);
            data.hold.slot.resize(problem.rows(), 0);
            data.local.reset(problem.rows());
            for (c, contact) in data.scaled.contacts.iter().enumerate() {
                let mut state = ContactState::new(Phase::Compression, contact.tangents > 0);
                state.phase = if c % 2 == 0 { Phase::Compression } else { Phase::Expansion };
                state.delta = 0.3 + 0.02 * c as f64;
                if contact.tangents == 2 {
                    state.grip = Grip::Slide { direction: [1.0, 0.0], slow: false };
                }
                data.contacts.push(state);
            }
            data.active.extend(0..12);
            data.rebuild(&problem);
            data.step.load(&data.local, &data.scaled, &data.contacts, &data.gamma);
            let mut series = Series::default();
            let length = 0.004;
            series.expand(&data.step, &data.local, data.scaled.power, length);
            let error = data.step.attempt(&data.local, &data.scaled, length, Course::Plain, 1e-11);
            assert!(error < 1.0, "{error}");
            data.step.finish(&data.local, &data.scaled);
            series.go_to(length);
            let reached: Vec<usize> = (0..12).filter(|&a| series.reaches(a, length, 1e-12)).collect();
            assert!(reached.len() > 6, "exponent {exponent}: {reached:?}");
            let mut rates = reached.clone();
            rates.extend(
                data.local.slides.iter().filter(|s| reached.contains(&s.driver)).flat_map(|s| [s.rate, s.rate + 1]),
            );
            for &a in &reached {
                assert!((series.end.delta[a] - data.step.delta_end(a)).abs() < 1e-11, "exponent {exponent}, δ of {a}");
            }
            for i in rates {
                let [x, y] = [series.end.impulse[i], data.step.gained()[i]];
                assert!((x - y).abs() < 1e-11, "exponent {exponent}, impulse {i}: {x} and {y}");
                let [x, y] = [series.end.rate[i], data.step.driving_end()[i]];
                assert!((x - y).abs() < 1e-8, "exponent {exponent}, rate {i}: {x} and {y}");
            }
            for (s, slide) in data.local.slides.iter().enumerate().filter(|(_, s)| reached.contains(&s.driver)) {
                let [x, y] = [series.end.work[s], data.step.slide_work(s)];
                assert!((x - y).abs() < 1e-11, "exponent {exponent}, work of slide {}: {x} and {y}", slide.driver);
            }
        }
    }
}
