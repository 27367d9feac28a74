//! Samples of distributions: reproducible, each computed from its index alone.

use std::f64::consts::SQRT_2;

/// How the points of a sample lie.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Sampling {
    /// Independent of each other.
    #[default]
    Random,
    /// The sequence of Sobol: spread evenly, for means that converge faster.
    Sobol,
}

/// The distribution of a parameter.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Distribution {
    /// Equal probability between two ends.
    Uniform(f64, f64),
    /// The logarithm is uniform between those of two ends.
    LogUniform(f64, f64),
    /// Mean and standard deviation.
    Normal(f64, f64),
    /// Median, and standard deviation of the logarithm.
    LogNormal(f64, f64),
}

impl Distribution {
    /// The value below which a part `p` in (0, 1) of the values lies.
    pub fn quantile(self, p: f64) -> f64 {
        match self {
            Self::Uniform(low, high) => low + (high - low) * p,
            Self::LogUniform(low, high) => {
                libm::exp(libm::log(low) + (libm::log(high) - libm::log(low)) * p).clamp(low, high)
            }
            Self::Normal(mean, deviation) => mean + deviation * normal_quantile(p),
            Self::LogNormal(median, deviation) => median * libm::exp(deviation * normal_quantile(p)),
        }
    }
}

/// Parameters of the sequence of Sobol in one dimension: degree and coefficients of a primitive
/// polynomial, and the first direction numbers (S. Joe and F. Y. Kuo, SIAM J. Sci. Comput. 30, 2008).
type SobolRow = (u32, u32, [u32; 7]);

const SOBOL: [SobolRow; 20] = [
    (1, 0, [1, 0, 0, 0, 0, 0, 0]),
    (2, 1, [1, 3, 0, 0, 0, 0, 0]),
    (3, 1, [1, 3, 1, 0, 0, 0, 0]),
    (3, 2, [1, 1, 1, 0, 0, 0, 0]),
    (4, 1, [1, 1, 3, 3, 0, 0, 0]),
    (4, 4, [1, 3, 5, 13, 0, 0, 0]),
    (5, 2, [1, 1, 5, 5, 17, 0, 0]),
    (5, 4, [1, 1, 5, 5, 5, 0, 0]),
    (5, 7, [1, 1, 7, 11, 19, 0, 0]),
    (5, 11, [1, 1, 5, 1, 1, 0, 0]),
    (5, 13, [1, 1, 1, 3, 11, 0, 0]),
    (5, 14, [1, 3, 5, 5, 31, 0, 0]),
    (6, 1, [1, 3, 3, 9, 7, 49, 0]),
    (6, 13, [1, 1, 1, 15, 21, 21, 0]),
    (6, 16, [1, 3, 1, 13, 27, 49, 0]),
    (6, 19, [1, 1, 1, 15, 7, 5, 0]),
    (6, 22, [1, 3, 1, 15, 13, 25, 0]),
    (6, 25, [1, 1, 5, 5, 19, 61, 0]),
    (7, 1, [1, 3, 7, 11, 23, 15, 103]),
    (7, 4, [1, 3, 7, 13, 13, 15, 69]),
];

/// Parameters that can be sampled by the sequence of Sobol.
pub const MOST_SOBOL: usize = SOBOL.len() + 1;

/// A number in (0, 1): the point of an index in one of the dimensions of a sample.
///
/// # Panics
/// Never for a dimension below [`MOST_SOBOL`].
pub fn unit(sampling: Sampling, seed: u64, dimension: usize, index: u64) -> f64 {
    match sampling {
        Sampling::Random => {
            let bits = mix(mix(seed ^ 0x5eed).wrapping_add(dimension as u64)).wrapping_add(index);
            ((mix(bits) >> 11) as f64 + 0.5) / (1u64 << 53) as f64
        }
        Sampling::Sobol => {
            // One shift of all points keeps how they are spread, and makes one sample of many.
            let shift = (mix(mix(seed).wrapping_add(dimension as u64)) >> 32) as u32;
            (f64::from(sobol(dimension, index as u32) ^ shift) + 0.5) / 4294967296.0
        }
    }
}

/// The point of an index in one dimension, as a fraction of 2³².
fn sobol(dimension: usize, index: u32) -> u32 {
    let directions: [u32; 32] = match dimension.checked_sub(1) {
        None => std::array::from_fn(|i| 1 << (31 - i)),
        Some(row) => {
            let (degree, polynomial, first) = SOBOL[row];
            let degree = degree as usize;
            let mut v = [0u32; 32];
            for i in 0..32 {
                v[i] = if i < degree {
                    first[i] << (31 - i)
                } else {
                    let mut next = v[i - degree] ^ (v[i - degree] >> degree);
                    for k in 1..degree {
                        if polynomial >> (degree - 1 - k) & 1 == 1 {
                            next ^= v[i - k];
                        }
                    }
                    next
                };
            }
            v
        }
    };
    let mut point = 0;
    for (i, direction) in directions.iter().enumerate() {
        if index >> i & 1 == 1 {
            point ^= direction;
        }
    }
    point
}

/// Scatters the bits of a number (the finaliser of `splitmix64`).
fn mix(value: u64) -> u64 {
    let mut z = value.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// The standard normal distribution Φ(x).
pub fn normal_probability(x: f64) -> f64 {
    0.5 * libm::erfc(-x / SQRT_2)
}

/// The inverse of Φ for p in (0, 1).
pub fn normal_quantile(p: f64) -> f64 {
    if p > 0.5 {
        return -lower_quantile(1.0 - p);
    }
    lower_quantile(p)
}

/// For p up to ½: a rational approximation (Abramowitz and Stegun, 26.2.23), then steps of Halley's method.
fn lower_quantile(p: f64) -> f64 {
    let t = (-2.0 * libm::log(p)).sqrt();
    let above = 2.515517 + t * (0.802853 + t * 0.010328);
    let below = 1.0 + t * (1.432788 + t * (0.189269 + t * 0.001308));
    let mut x = above / below - t;
    for _ in 0..3 {
        // The error of Φ over its slope.
        let slope = libm::exp(-0.5 * x * x) / (2.0 * std::f64::consts::PI).sqrt();
        let step = (normal_probability(x) - p) / slope;
        x -= step / (1.0 + 0.5 * x * step);
    }
    x
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_invert_probabilities() {
        // Values of tables.
        for (p, x) in [(0.975, 1.959963984540054), (0.5, 0.0), (1e-9, -5.997807015007686), (0.8413447460685429, 1.0)] {
            assert!((normal_quantile(p) - x).abs() < 1e-12 * f64::max(1.0, x.abs()), "{p}: {}", normal_quantile(p));
        }
        for k in 1..1000 {
            let p = f64::from(k) / 1000.0;
            assert!((normal_probability(normal_quantile(p)) - p).abs() < 1e-15);
        }
        assert_eq!(Distribution::Uniform(-1.0, 3.0).quantile(0.25), 0.0);
        assert!((Distribution::LogUniform(0.01, 1.0).quantile(0.5) - 0.1).abs() < 1e-15);
        assert!((Distribution::LogNormal(2.0, 0.5).quantile(0.5) - 2.0).abs() < 1e-15);
    }

    #[test]
    fn random_numbers_are_uniform_and_independent() {
        let n = 20_000;
        let mean = |f: &dyn Fn(u64) -> f64| (0..n).map(f).sum::<f64>() / n as f64;
        let at = |seed, dimension, index| unit(Sampling::Random, seed, dimension, index) - 0.5;
        for (seed, dimension) in [(0, 0), (0, 1), (1, 0), (77, 5)] {
            // Four standard deviations.
            assert!(mean(&|i| at(seed, dimension, i)).abs() < 4.0 * (1.0 / 12.0 / n as f64).sqrt());
            let variance = mean(&|i| at(seed, dimension, i).powi(2));
            assert!((variance - 1.0 / 12.0).abs() < 4.0 * (1.0 / 180.0 / n as f64).sqrt());
            let product = 4.0 / 12.0 / (n as f64).sqrt();
            assert!(mean(&|i| at(seed, dimension, i) * at(seed, dimension, i + 1)).abs() < product);
            assert!(mean(&|i| at(seed, dimension, i) * at(seed, dimension + 1, i)).abs() < product);
            assert!(mean(&|i| at(seed, dimension, i) * at(seed + 1, dimension, i)).abs() < product);
        }
    }

    #[test]
    fn sobol_points_are_those_of_the_literature_and_spread_evenly() {
        // The first points of the first three dimensions.
        let first: [[u32; 3]; 5] = [[0, 0, 0], [4, 4, 4], [2, 6, 6], [6, 2, 2], [1, 5, 3]];
        for (i, point) in first.iter().enumerate() {
            for (d, &eighths) in point.iter().enumerate() {
                assert_eq!(sobol(d, i as u32), eighths << 29, "point {i}, dimension {d}");
            }
        }
        for seed in [0, 9] {
            // Every interval of a grid of 256 holds one of the first 256 points, in every dimension.
            for d in 0..MOST_SOBOL {
                let mut seen = [false; 256];
                (0..256).for_each(|i| seen[(256.0 * unit(Sampling::Sobol, seed, d, i)) as usize] = true);
                assert!(seen.iter().all(|s| *s), "dimension {d}");
            }
            // In the first two dimensions also every box of 16 × 16, 4 × 64, …
            for log in 0..=8u32 {
                let (a, b) = (f64::from(1 << log), f64::from(1 << (8 - log)));
                let mut seen = [false; 256];
                for i in 0..256 {
                    let [x, y] = [0, 1].map(|d| unit(Sampling::Sobol, seed, d, i));
                    seen[(a * x) as usize * (1 << (8 - log)) + (b * y) as usize] = true;
                }
                assert!(seen.iter().all(|s| *s), "boxes of 2^-{log}");
            }
        }
    }
}
