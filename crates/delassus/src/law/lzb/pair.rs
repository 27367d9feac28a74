//! The stages of a step of at most two contacts that slip along one line or not at all: most impacts of blocks.
//!
//! The same sums in the same order as in [`Step`](super::step::Step), without loops over sparse rows.

use super::scaled::Power;
use super::step::{Course, Step};
use super::tableau::{A, B, C, E3, E5, STAGES};

/// δ₁, δ₂, Q₁, Q₂, or their rates.
pub(super) type Pair = [f64; 4];

/// States or slopes of all stages.
pub(super) type Stages = [Pair; STAGES];

/// Whether each force law has its own sequence of instructions. Modules that know bodies in space alone have to be small, and such
/// bodies rarely take these steps; the numbers are the same.
const PER_FORCE_LAW: bool = cfg!(feature = "plane");

/// What rates depend on; the second contact has zeros where there is none.
#[derive(Clone, Copy, Default)]
pub(super) struct Contacts {
    gamma: [f64; 2],
    response: [[f64; 2]; 2],
    rate: [f64; 2],
    stiffness: [f64; 2],
}

impl Contacts {
    /// Takes the contacts of a step, if there are at most two and none slides in two directions.
    pub fn new(step: &Step, line: impl Fn(usize) -> [f64; 2]) -> Option<Self> {
        if step.width != 4 || !step.slidings.is_empty() {
            return None;
        }
        let mut found = Self::default();
        for (a, spring) in step.springs.iter().enumerate() {
            (found.gamma[a], found.rate[a], found.stiffness[a]) = (step.gamma[a], spring.rate, spring.stiffness);
            found.response[a] = line(a);
        }
        Some(found)
    }

    /// `factor` times the rates at a state.
    #[inline(always)]
    fn rates(&self, power: Power, state: Pair, factor: f64) -> Pair {
        let mut rates = [0.0; 4];
        for a in 0..2 {
            let v = self.gamma[a] + (self.response[a][0] * state[2] + self.response[a][1] * state[3]);
            rates[a] = -factor * self.rate[a] * v;
            rates[2 + a] = factor * self.stiffness[a] * power.extended(state[a]);
        }
        rates
    }

    /// Fills the states and slopes of a step of length `h`, whose first ones are known. Gives its end, and its errors
    /// of order 5 and 3.
    pub fn stages(&self, power: Power, h: f64, course: Course, states: &mut Stages, slopes: &mut Stages) -> [Pair; 3] {
        // One sequence per force law, so that the common ones have no branch inside.
        match power {
            Power::Linear if PER_FORCE_LAW => self.fill(Power::Linear, h, course, states, slopes),
            Power::Hertz if PER_FORCE_LAW => self.fill(Power::Hertz, h, course, states, slopes),
            other => self.fill(other, h, course, states, slopes),
        }
        let (mut fifth, mut third) = ([0.0; 4], [0.0; 4]);
        for (k, &(j, _)) in B.iter().enumerate() {
            for i in 0..4 {
                fifth[i] += E5[k] * slopes[j][i];
                third[i] += E3[k] * slopes[j][i];
            }
        }
        [combined(states[0], slopes, &B), fifth, third]
    }

    /// Every stage is code of its own, in which indices and weights are constants.
    #[inline(always)]
    fn fill(&self, power: Power, h: f64, course: Course, states: &mut Stages, slopes: &mut Stages) {
        macro_rules! stage {
            ($($i:literal)*) => {$(
                states[$i] = combined(states[0], slopes, const { A[$i] });
                slopes[$i] = self.rates(power, states[$i], h * course.weight(const { C[$i] }));
            )*};
        }
        stage!(1 2 3 4 5 6 7 8 9 10 11);
    }
}

/// begin + Σ a_j slope_j.
#[inline(always)]
fn combined(begin: Pair, slopes: &Stages, weights: &[(usize, f64)]) -> Pair {
    let mut sum = begin;
    for &(j, a) in weights {
        for (sum, slope) in sum.iter_mut().zip(slopes[j]) {
            *sum += a * slope;
        }
    }
    sum
}
