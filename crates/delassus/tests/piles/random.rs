//! A small seeded generator of numbers (splitmix64): the same scenes everywhere.

pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x2545_f491_4f6c_dd1d))
    }

    /// A number in [0, 1).
    pub fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut x = self.0;
        x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((x ^ (x >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }

    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.next()
    }

    /// A number with three decimals, as people write them.
    pub fn round(&mut self, low: f64, high: f64) -> f64 {
        (1000.0 * self.between(low, high)).round() / 1000.0
    }

    /// An integer from `low` to `high`, both included.
    pub fn integer(&mut self, low: usize, high: usize) -> usize {
        low + (self.next() * (high - low + 1) as f64) as usize
    }

    pub fn chance(&mut self, probability: f64) -> bool {
        self.next() < probability
    }

    pub fn one_of<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.integer(0, choices.len() - 1)]
    }
}
