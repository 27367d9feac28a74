//! Half of M: with M = LDLᵀ and H = √D Lᵀ, y = Hu has the Euclidean length √(uᵀMu).

use super::{Block, BlockKind, Mass};

impl Mass {
    /// u := Hu.
    pub(crate) fn half(&self, u: &mut [f64]) {
        for block in &self.blocks {
            let u = &mut u[block.offset..];
            match &block.kind {
                BlockKind::Diagonal { mass, .. } => u.iter_mut().zip(mass).for_each(|(u, m)| *u *= m.sqrt()),
                BlockKind::Dense { size, factor, .. } | BlockKind::Large { size, factor, .. } => {
                    let n = *size;
                    for i in 0..n {
                        let sum = (i + 1..n).fold(u[i], |sum, k| sum + factor[k * n + i] * u[k]);
                        u[i] = sum / factor[i * n + i].sqrt();
                    }
                }
            }
        }
    }

    /// y := H⁻¹y.
    pub(crate) fn undo_half(&self, y: &mut [f64]) {
        for block in &self.blocks {
            let y = &mut y[block.offset..];
            block.weigh(y);
            if let BlockKind::Dense { size, factor, .. } | BlockKind::Large { size, factor, .. } = &block.kind {
                let n = *size;
                // L⁻ᵀ by rows of L: what is known is taken out of all before it.
                for i in (1..n).rev() {
                    let (before, known) = y.split_at_mut(i);
                    before.iter_mut().zip(&factor[i * n..]).for_each(|(y, l)| *y -= l * known[0]);
                }
            }
        }
    }

    /// w := H⁻ᵀw: for a direction, so that wᵀu = (H⁻ᵀw)·(Hu).
    pub(crate) fn half_direction(&self, w: &mut [f64]) {
        for block in &self.blocks {
            let w = &mut w[block.offset..];
            if let BlockKind::Dense { size, factor, .. } | BlockKind::Large { size, factor, .. } = &block.kind {
                let n = *size;
                for i in 1..n {
                    w[i] = factor[i * n..i * n + i].iter().zip(&*w).fold(w[i], |sum, (l, w)| sum - l * w);
                }
            }
            block.weigh(w);
        }
    }
}

impl Block {
    /// x := x/√D.
    fn weigh(&self, x: &mut [f64]) {
        match &self.kind {
            BlockKind::Diagonal { inverse, .. } => x.iter_mut().zip(inverse).for_each(|(x, r)| *x *= r.sqrt()),
            BlockKind::Dense { size, factor, .. } | BlockKind::Large { size, factor, .. } => {
                let inverse = factor.iter().step_by(size + 1);
                x.iter_mut().zip(inverse).for_each(|(x, r)| *x *= r.sqrt());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_of_it_measures_lengths_and_can_be_undone() {
        let n = 40;
        let entry = |k: usize| if k.is_multiple_of(n + 1) { 50.0 } else { ((k / n) * (k % n)) as f64 / 1600.0 };
        let parts = [
            Mass::diagonal(vec![2.0, 3.0]),
            Mass::dense(2, vec![4.0, 1.0, 1.0, 3.0]),
            Mass::dense(n, (0..n * n).map(entry).collect()),
        ];
        let mass = Mass::block_diagonal(parts.into_iter().collect::<Result<_, _>>().unwrap()).unwrap();
        let u: Vec<f64> = (0..mass.size()).map(|i| (i as f64 * 0.7).sin()).collect();
        let w: Vec<f64> = (0..mass.size()).map(|i| (i as f64 * 1.3).cos()).collect();
        let (mut y, mut direction) = (u.clone(), w.clone());
        mass.half(&mut y);
        mass.half_direction(&mut direction);
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        assert!((dot(&y, &y) - 2.0 * mass.energy(&u)).abs() < 1e-11);
        assert!((dot(&direction, &y) - dot(&w, &u)).abs() < 1e-12);
        mass.undo_half(&mut y);
        assert!(y.iter().zip(&u).all(|(a, b)| (a - b).abs() < 1e-14));
    }
}
