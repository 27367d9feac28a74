//! Large matrices: eight right sides at a time.
//!
//! Entry i of all of them stands together, so that a row of the factor is read once for eight and their sums need not
//! wait for each other (building a dense problem of 2500 coordinates and contacts takes 3.5 s instead of 43 s of processor
//! time). Every single sum has the order that the kernels for one right side have, and so the same bits.

/// Right sides that are worked on together.
pub(crate) const LANES: usize = 8;

/// One entry of each right side.
pub(crate) type Lanes = [f64; LANES];

/// Matrices of so many rows are factored here.
pub(crate) const WIDE: usize = 32;

/// `sum` with all products row_k x_k, one after the other.
#[inline(always)]
fn accumulate(mut sum: Lanes, row: &[f64], x: &[Lanes], with: impl Fn(f64, f64) -> f64) -> Lanes {
    for (factor, x) in row.iter().zip(x) {
        for lane in 0..LANES {
            sum[lane] = with(sum[lane], factor * x[lane]);
        }
    }
    sum
}

/// Factors M = LDLᵀ as [`small::factorize`](super::factorize) does, and puts Lᵀ above the diagonal, so that solving
/// reads rows only. `lanes` is memory for it. `ask` learns the multiplications done and says whether to go on.
///
/// `Err(Some((row, pivot)))` as there, `Err(None)` where `ask` said no.
pub(crate) fn factorize(
    n: usize,
    matrix: &[f64],
    factor: &mut [f64],
    lanes: &mut Vec<Lanes>,
    ask: &mut dyn FnMut(f64) -> bool,
) -> Result<(), Option<(usize, f64)>> {
    for first in (0..n).step_by(LANES) {
        let rows = first..n.min(first + LANES);
        // c_ik = l_ik d_k of eight rows i and all k before them: m_i = (c_i) Lᵀ there.
        lanes.clear();
        lanes.resize(first, [0.0; LANES]);
        for (lane, i) in rows.clone().enumerate() {
            lanes.iter_mut().zip(&matrix[i * n..]).for_each(|(c, m)| c[lane] = *m);
            if (0..i).any(|k| matrix[i * n + k] != matrix[k * n + i]) {
                return Err(Some((i, f64::NAN)));
            }
        }
        forward(n, factor, lanes);
        for (lane, i) in rows.clone().enumerate() {
            lanes.iter().zip(&mut factor[i * n..]).for_each(|(c, entry)| *entry = c[lane]);
            super::finish_row(n, i, first, matrix, factor).map_err(Some)?;
            (0..i).for_each(|k| factor[k * n + i] = factor[i * n + k]);
        }
        if !ask((LANES * first * first) as f64 / 2.0) {
            return Err(None);
        }
    }
    Ok(())
}

/// x := L⁻¹x, as many rows of it as x has.
fn forward(n: usize, factor: &[f64], x: &mut [Lanes]) {
    for i in 1..x.len() {
        let (known, rest) = x.split_at_mut(i);
        rest[0] = accumulate(rest[0], &factor[i * n..i * n + i], known, |sum, product| sum - product);
    }
}

/// x := M⁻¹x with the factor of M and Lᵀ above it.
pub(crate) fn solve_lanes(n: usize, factor: &[f64], x: &mut [Lanes]) {
    let x = &mut x[..n];
    forward(n, factor, x);
    for i in (0..n).rev() {
        let (rest, known) = x.split_at_mut(i + 1);
        let row = &factor[i * n + i..(i + 1) * n];
        let scaled = rest[i].map(|entry| entry * row[0]);
        rest[i] = accumulate(scaled, &row[1..], known, |sum, product| sum - product);
    }
}

/// x := M⁻¹x for one right side.
pub(crate) fn solve(n: usize, factor: &[f64], x: &mut [f64]) {
    let x = &mut x[..n];
    super::forward_kernel(n, factor, x);
    for i in (0..n).rev() {
        let row = &factor[i * n + i..(i + 1) * n];
        let mut sum = x[i] * row[0];
        row[1..].iter().zip(&x[i + 1..]).for_each(|(factor, x)| sum -= factor * x);
        x[i] = sum;
    }
}

/// The symmetric product G_ij = a_i · b_j of m rows of n entries; `false` where `ask` ended it.
pub(crate) fn gram(n: usize, m: usize, a: &[f64], b: &[f64], g: &mut [f64], ask: &mut dyn FnMut(f64) -> bool) -> bool {
    let mut x = vec![[0.0; LANES]; n];
    for first in (0..m).step_by(LANES) {
        let rows = first..m.min(first + LANES);
        for (lane, i) in rows.clone().enumerate() {
            x.iter_mut().zip(&a[i * n..]).for_each(|(x, a)| x[lane] = *a);
        }
        for j in 0..rows.end {
            let sums = accumulate([0.0; LANES], &b[j * n..(j + 1) * n], &x, |sum, product| sum + product);
            for (i, sum) in rows.clone().zip(sums).filter(|(i, _)| j <= *i) {
                g[i * m + j] = sum;
                g[j * m + i] = sum;
            }
        }
        if !ask((LANES * rows.end * n) as f64) {
            return false;
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::small;

    /// A positive definite matrix, not well conditioned, and vectors.
    fn numbers(n: usize, count: usize) -> (Vec<f64>, Vec<f64>) {
        let mut seed = 5u32;
        let mut next = || {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            f64::from(seed >> 8) / f64::from(1 << 23) - 1.0
        };
        let a: Vec<f64> = (0..n * n).map(|_| next()).collect();
        let entry = |i: usize, j: usize| small::dot(&a[i * n..(i + 1) * n], &a[j * n..(j + 1) * n]);
        let matrix = (0..n * n).map(|k| entry((k / n).max(k % n), (k / n).min(k % n))).collect();
        (matrix, (0..n * count).map(|_| next()).collect())
    }

    #[test]
    fn eight_at_a_time_have_the_bits_of_one() {
        for n in [1, 2, 7, 8, 9, 31, 40, 67] {
            let (matrix, vectors) = numbers(n, 11);
            let (mut plain, mut wide) = (vec![0.0; n * n], vec![0.0; n * n]);
            small::factorize(n, &matrix, &mut plain).unwrap();
            factorize(n, &matrix, &mut wide, &mut Vec::new(), &mut |_| true).unwrap();
            for i in 0..n {
                for j in 0..=i {
                    assert_eq!(wide[i * n + j], plain[i * n + j], "n = {n}, l[{i}][{j}]");
                    assert_eq!(wide[j * n + i], plain[i * n + j], "n = {n}, l[{i}][{j}] above the diagonal");
                }
            }
            let mut lanes: Vec<Lanes> = (0..n).map(|i| std::array::from_fn(|lane| vectors[lane * n + i])).collect();
            solve_lanes(n, &wide, &mut lanes);
            for lane in 0..LANES {
                let (mut one, mut row_wise) = (vectors[lane * n..][..n].to_vec(), vectors[lane * n..][..n].to_vec());
                small::solve(n, &plain, &mut one);
                solve(n, &wide, &mut row_wise);
                assert_eq!(one, row_wise);
                assert_eq!(one, lanes.iter().map(|x| x[lane]).collect::<Vec<_>>());
            }
            let (mut g, mut expected) = (vec![0.0; 121], vec![0.0; 121]);
            small::gram(n, 11, &vectors, &vectors, &mut expected);
            assert!(gram(n, 11, &vectors, &vectors, &mut g, &mut |_| true));
            assert_eq!(g, expected);
        }
    }

    #[test]
    fn what_is_not_positive_definite_or_symmetric_is_named_and_work_can_be_stopped() {
        let n = 40;
        let (matrix, vectors) = numbers(n, 20);
        let factor = |matrix: &[f64], ask: &mut dyn FnMut(f64) -> bool| {
            factorize(n, matrix, &mut vec![0.0; n * n], &mut Vec::new(), ask)
        };
        let mut wrong = matrix.clone();
        wrong[33 * n + 33] = 0.0;
        assert!(matches!(factor(&wrong, &mut |_| true), Err(Some((33, pivot))) if pivot < 0.0));
        wrong.clone_from(&matrix);
        wrong[3 * n + 20] += 1e-9;
        assert!(matches!(factor(&wrong, &mut |_| true), Err(Some((20, pivot))) if pivot.is_nan()));
        let mut asked = 0;
        let mut twice = |_: f64| {
            asked += 1;
            asked < 2
        };
        assert_eq!(factor(&matrix, &mut twice), Err(None));
        assert!(!gram(n, 20, &vectors, &vectors, &mut vec![0.0; 400], &mut twice));
        assert_eq!(asked, 3);
    }
}
