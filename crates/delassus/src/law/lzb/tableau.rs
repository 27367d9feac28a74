//! Coefficients of the explicit Runge–Kutta method of order 8 of Dormand and
//! Prince with error estimates of orders 5 and 3 (DOP853) [HNW 1993, II.5].

/// Number of stages.
pub(super) const STAGES: usize = 12;

/// Nodes c_i.
pub(super) const C: [f64; STAGES] = [
    0.0,
    0.052_600_151_958_767_73,
    0.078_900_227_938_151_6,
    0.118_350_341_907_227_4,
    0.281_649_658_092_772_6,
    1.0 / 3.0,
    0.25,
    4.0 / 13.0,
    127.0 / 195.0,
    0.6,
    6.0 / 7.0,
    1.0,
];

/// Non-zero entries (j, a_ij) of the rows i = 1, …, 11 (row 0 is empty).
pub(super) const A: [&[(usize, f64)]; STAGES] = [
    &[],
    &[(0, 5.260_015_195_876_773e-2)],
    &[(0, 1.972_505_698_453_79e-2), (1, 5.917_517_095_361_37e-2)],
    &[(0, 2.958_758_547_680_685e-2), (2, 8.876_275_643_042_055e-2)],
    &[(0, 2.413_651_341_592_667e-1), (2, -8.845_494_793_282_861e-1), (3, 9.248_340_032_617_92e-1)],
    &[(0, 1.0 / 27.0), (3, 1.708_286_087_294_738_7e-1), (4, 1.254_676_875_668_224_2e-1)],
    &[(0, 3.710_937_5e-2), (3, 1.702_522_110_195_440_4e-1), (4, 6.021_653_898_045_596e-2), (5, -1.757_812_5e-2)],
    &[
        (0, 3.709_200_011_850_479e-2),
        (3, 1.703_839_257_122_399_9e-1),
        (4, 1.072_620_304_463_732_8e-1),
        (5, -1.531_943_774_862_440_2e-2),
        (6, 8.273_789_163_814_023e-3),
    ],
    &[
        (0, 6.241_109_587_160_757e-1),
        (3, -3.360_892_629_446_941_4),
        (4, -8.682_193_468_417_26e-1),
        (5, 2.759_209_969_944_671e1),
        (6, 2.015_406_755_047_789_4e1),
        (7, -4.348_988_418_106_996e1),
    ],
    &[
        (0, 4.776_625_364_382_643_4e-1),
        (3, -2.488_114_619_971_667_7),
        (4, -5.902_908_268_368_43e-1),
        (5, 2.123_005_144_818_119_3e1),
        (6, 1.527_923_363_288_242_3e1),
        (7, -3.328_821_096_898_486e1),
        (8, -2.033_120_170_850_862_7e-2),
    ],
    &[
        (0, -9.371_424_300_859_873e-1),
        (3, 5.186_372_428_844_064),
        (4, 1.091_437_348_996_729_5),
        (5, -8.149_787_010_746_927),
        (6, -1.852_006_565_999_696e1),
        (7, 2.273_948_709_935_050_5e1),
        (8, 2.493_605_552_679_652_3),
        (9, -3.046_764_471_898_219_6),
    ],
    &[
        (0, 2.273_310_147_516_538),
        (3, -1.053_449_546_673_725e1),
        (4, -2.000_872_058_224_862_5),
        (5, -1.795_893_186_311_88e1),
        (6, 2.794_888_452_941_996e1),
        (7, -2.858_998_277_135_023_5),
        (8, -8.872_856_933_530_63),
        (9, 1.236_056_717_579_430_3e1),
        (10, 6.433_927_460_157_636e-1),
    ],
];

/// Non-zero weights (j, b_j) of the solution of order 8.
pub(super) const B: [(usize, f64); 8] = [
    (0, 5.429_373_411_656_876_5e-2),
    (5, 4.450_312_892_752_409),
    (6, 1.891_517_899_314_500_3),
    (7, -5.801_203_960_010_585),
    (8, 3.111_643_669_578_199e-1),
    (9, -1.521_609_496_625_161e-1),
    (10, 2.013_654_008_040_303_4e-1),
    (11, 4.471_061_572_777_259e-2),
];

/// Weights of the error estimate of order 5, for the stages of [`B`].
pub(super) const E5: [f64; 8] = [
    0.131_200_449_941_948_8e-1,
    -0.122_515_644_637_620_44e1,
    -0.495_758_949_657_250_2,
    0.166_437_718_245_498_65e1,
    -0.350_328_848_749_973_7,
    0.334_179_118_713_017_5,
    0.819_232_064_851_157_1e-1,
    -0.223_553_078_638_862_95e-1,
];

/// Weights of the error estimate of order 3, for the stages of [`B`].
pub(super) const E3: [f64; 8] = [
    5.429_373_411_656_876_5e-2 - 0.244_094_488_188_976_4,
    4.450_312_892_752_409,
    1.891_517_899_314_500_3,
    -5.801_203_960_010_585,
    3.111_643_669_578_199e-1 - 0.733_846_688_281_611_9,
    -1.521_609_496_625_161e-1,
    2.013_654_008_040_303_4e-1,
    4.471_061_572_777_259e-2 - 0.220_588_235_294_117_65e-1,
];

/// States from this length on are combined eight numbers at a time.
const MANY: usize = 64;

/// Parts of states are rounded up to so many numbers, which are computed together: two contacts have short states, long
/// ones keep registers busy.
pub(super) fn lanes(drivers: usize, rates: usize) -> usize {
    match drivers {
        0..=2 => 2,
        _ if drivers + rates < MANY - 8 => 4,
        _ => 8,
    }
}

/// out = begin + Σ a_j slope_j.
#[inline(always)]
pub(super) fn combine(begin: &[f64], slopes: &[f64], weights: &[(usize, f64)], out: &mut [f64]) {
    match begin.len() {
        MANY.. => combine_many(begin, slopes, weights, out),
        width if width.is_multiple_of(4) => combine_by::<4>(begin, slopes, weights, out),
        _ => combine_by::<2>(begin, slopes, weights, out),
    }
}

/// The same for long states.
#[inline(never)]
fn combine_many(begin: &[f64], slopes: &[f64], weights: &[(usize, f64)], out: &mut [f64]) {
    combine_by::<8>(begin, slopes, weights, out);
}

#[inline(always)]
fn combine_by<const LANES: usize>(begin: &[f64], slopes: &[f64], weights: &[(usize, f64)], out: &mut [f64]) {
    let width = begin.len();
    for (lane, (out, begin)) in out.chunks_exact_mut(LANES).zip(begin.chunks_exact(LANES)).enumerate() {
        let mut sum = [0.0; LANES];
        sum.copy_from_slice(begin);
        for &(j, a) in weights {
            let slope = &slopes[j * width + lane * LANES..][..LANES];
            for k in 0..LANES {
                sum[k] += a * slope[k];
            }
        }
        out.copy_from_slice(&sum);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order_conditions_hold() {
        for i in 1..STAGES {
            let sum: f64 = A[i].iter().map(|&(_, a)| a).sum();
            assert!((sum - C[i]).abs() < 1e-13, "row {i}");
        }
        for p in 0..8 {
            let sum: f64 = B.iter().map(|&(j, b)| b * C[j].powi(p)).sum();
            assert!((sum - 1.0 / f64::from(p + 1)).abs() < 1e-13, "quadrature of order {p}");
        }
        // Σ b_i c_i^p Σ a_ij c_j^q = 1/((q+1)(p+q+2)) up to order 8.
        for (p, q) in [(0, 1), (0, 3), (0, 6), (1, 4), (2, 3), (5, 1)] {
            let inner = |i: usize| A[i].iter().map(|&(j, a)| a * C[j].powi(q)).sum::<f64>();
            let sum: f64 = B.iter().map(|&(i, b)| b * C[i].powi(p) * inner(i)).sum();
            assert!((sum - 1.0 / f64::from((q + 1) * (p + q + 2))).abs() < 1e-13, "tree ({p}, {q})");
        }
        for (weights, order) in [(E5, 5), (E3, 3)] {
            for p in 0..order {
                let sum: f64 = B.iter().zip(weights).map(|(&(j, _), e)| e * C[j].powi(p)).sum();
                assert!(sum.abs() < 1e-12, "estimate of order {order} at {p}");
            }
        }
    }
}
