//! The weight ε of the proximal term, relative to the diagonal of G.
//!
//! The smaller it is, the further a proximal step goes, and the harder its problem is for Newton's method. It shrinks while
//! Newton's method ends quickly. A problem that Newton's method does not solve is dear, so after one ε stays above
//! the weight that failed, at first by much and then, with each success, by less and less.

/// Least and largest weight.
const LEAST: f64 = 1e-10;
const LARGEST: f64 = 10.0;
const FIRST: f64 = 0.1;
/// What a failure multiplies the weight by, and where the floor is then.
const GROWTH: f64 = 4.0;
const ABOVE: f64 = 2.0;
/// What the k-th success in a row multiplies the floor by, to the power of k.
const SINKING: f64 = 0.8;

/// The weight, and what was learned about it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Weight {
    epsilon: f64,
    floor: f64,
    successes: i32,
}

impl Weight {
    pub(super) fn new() -> Self {
        Self { epsilon: FIRST, floor: 0.0, successes: 0 }
    }

    pub(super) fn value(&self) -> f64 {
        self.epsilon
    }

    /// After a problem that was not solved; `false` where no larger weight is left.
    pub(super) fn grow(&mut self) -> bool {
        let grows = self.epsilon < LARGEST;
        (self.floor, self.successes) = (ABOVE * self.epsilon, 0);
        self.epsilon = (GROWTH * self.epsilon).min(LARGEST);
        grows
    }

    /// After a problem that took so many steps of Newton's method.
    pub(super) fn shrink(&mut self, steps: usize) {
        let factor = match steps {
            0..=4 => 0.2,
            5..=8 => 0.3,
            _ => 1.0,
        };
        self.epsilon = (self.epsilon * factor).max(self.floor).max(LEAST);
        self.successes += 1;
        self.floor *= SINKING.powi(self.successes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_is_remembered_and_then_forgotten() {
        let mut weight = Weight::new();
        weight.shrink(3);
        let failed = weight.value();
        assert!(failed < FIRST && weight.grow());
        assert_eq!(weight.value(), GROWTH * failed);
        // The next success does not lead back to what failed, several do.
        weight.shrink(1);
        assert!(weight.value() > failed);
        (0..4).for_each(|_| weight.shrink(1));
        assert!(weight.value() < failed);
        // Hard problems leave it where it is.
        let hard = weight.value();
        weight.shrink(20);
        assert_eq!(weight.value(), hard);
    }

    #[test]
    fn it_ends_at_both_ends() {
        let mut weight = Weight::new();
        assert_eq!((0..20).filter(|_| weight.grow()).count(), 4);
        (0..100).for_each(|_| weight.shrink(1));
        assert_eq!(weight.value(), LEAST);
    }
}
