//! Planar friction as a linear complementarity problem [PG 2005; G 2014].
//!
//! ```text
//! N unilateral rows, T friction rows, ξ = Hx + h;   m_ik = μ_i if friction i belongs to k, c_i = μ_i s_i
//! x_TR = m x_N + c + x_T,  x_TL = m x_N + c − x_T,  ξ_T = ξ_TR − ξ_TL
//! ⎛ξ_N ⎞ ⎛H_NN − H_NT m  H_NT   0⎞⎛x_N ⎞ ⎛h_N − H_NT c⎞
//! ⎜ξ_TR⎟=⎜H_TN − H_TT m  H_TT   I⎟⎜x_TR⎟+⎜h_T − H_TT c⎟ ,  0 ≤ left ⟂ (x_N, x_TR, ξ_TL) ≥ 0
//! ⎝x_TL⎠ ⎝2m             −I     0⎠⎝ξ_TL⎠ ⎝2c          ⎠
//! ```

/// A friction row: |x_T| ≤ friction · (x of its normal + shift).
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct FrictionRow {
    /// Place of its normal among the unilateral rows.
    pub(crate) normal: usize,
    /// μ in the units of H.
    pub(crate) friction: f64,
    /// s in the units of H.
    pub(crate) shift: f64,
}

/// The problem w = Az + q, 0 ≤ w ⟂ z ≥ 0, with z = (x_N, x_TR, ξ_TL). Buffers are reused.
#[derive(Debug, Clone, Default)]
pub(crate) struct FrictionLcp {
    normals: usize,
    tangents: usize,
    /// A, row by row.
    pub(crate) matrix: Vec<f64>,
    /// q.
    pub(crate) vector: Vec<f64>,
    /// z, as a solver leaves it.
    pub(crate) z: Vec<f64>,
}

impl FrictionLcp {
    /// Fills A and q from H and h, rows N before rows T, and sets z to zero.
    pub(crate) fn fill(&mut self, h: &[f64], b: &[f64], frictions: &[FrictionRow]) {
        let (kept, tangents) = (b.len(), frictions.len());
        let size = kept + tangents;
        (self.normals, self.tangents) = (kept - tangents, tangents);
        self.matrix.clear();
        self.matrix.resize(size * size, 0.0);
        self.vector.clear();
        self.vector.resize(size, 0.0);
        for (p, &b) in b.iter().enumerate() {
            let h = &h[p * kept..(p + 1) * kept];
            let row = &mut self.matrix[p * size..(p + 1) * size];
            row[..kept].copy_from_slice(h);
            let mut constant = b;
            for (f, h) in frictions.iter().zip(&h[kept - tangents..]) {
                row[f.normal] -= h * f.friction;
                constant -= h * f.friction * f.shift;
            }
            if p >= self.normals {
                row[p + tangents] = 1.0;
            }
            self.vector[p] = constant;
        }
        for (t, f) in frictions.iter().enumerate() {
            let row = &mut self.matrix[(kept + t) * size..(kept + t + 1) * size];
            row[f.normal] = 2.0 * f.friction;
            row[self.normals + t] = -1.0;
            self.vector[kept + t] = 2.0 * f.friction * f.shift;
        }
        self.z.clear();
        self.z.resize(size, 0.0);
    }

    /// w = Az + q of one row.
    pub(crate) fn slack(&self, row: usize) -> f64 {
        let size = self.vector.len();
        let row_of_a = &self.matrix[row * size..(row + 1) * size];
        row_of_a.iter().zip(&self.z).map(|(a, z)| a * z).sum::<f64>() + self.vector[row]
    }

    /// Writes (x_N, x_T) of the solution, friction within its limits.
    pub(crate) fn read(&self, frictions: &[FrictionRow], x: &mut [f64]) {
        let normals = self.normals;
        x[..normals].copy_from_slice(&self.z[..normals]);
        for (t, f) in frictions.iter().enumerate() {
            let radius = f.friction * (self.z[f.normal] + f.shift);
            x[normals + t] = (self.z[normals + t] - radius).max(-radius).min(radius);
        }
    }

    /// ξ_T of friction row `t` where its force is at a limit; none where both x_TR and x_TL are positive. With much
    /// friction ξ_TR − ξ_TL would be round-off of the force.
    pub(crate) fn sliding(&self, t: usize) -> Option<f64> {
        let right = self.normals + t;
        let left = right + self.tangents;
        if self.z[left] > 0.0 {
            return Some(-self.z[left]);
        }
        (self.z[right] <= 0.0).then(|| self.slack(right))
    }
}
