//! What is recorded along the impact.

/// The course of an impact, sample by sample, ready to plot.
///
/// The parameter τ is the time of the compliant model behind the law: with
/// stiffnesses in N/m^η it is seconds, otherwise only its ratios mean something.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ImpactPath {
    /// Number of impulses per sample (m).
    pub rows: usize,
    /// Number of velocities per sample (n).
    pub coordinates: usize,
    /// Number of contacts.
    pub contacts: usize,
    /// Parameter τ of each sample.
    pub tau: Vec<f64>,
    /// Impulses Λ so far, `rows` per sample.
    pub impulses: Vec<f64>,
    /// Generalized velocities u, `coordinates` per sample.
    pub velocities: Vec<f64>,
    /// Relative velocities γ, `rows` per sample.
    pub gamma: Vec<f64>,
    /// Compressions δ, `contacts` per sample; negative is a gap.
    pub compressions: Vec<f64>,
    /// States, `contacts` per sample.
    pub states: Vec<PathState>,
}

impl ImpactPath {
    /// Number of samples.
    pub fn len(&self) -> usize {
        self.tau.len()
    }

    /// Whether there is no sample.
    pub fn is_empty(&self) -> bool {
        self.tau.is_empty()
    }

    /// Impulses Λ (m) of sample `i`.
    pub fn impulses_at(&self, i: usize) -> &[f64] {
        &self.impulses[i * self.rows..(i + 1) * self.rows]
    }

    /// Generalized velocities u (n) of sample `i`.
    pub fn velocities_at(&self, i: usize) -> &[f64] {
        &self.velocities[i * self.coordinates..(i + 1) * self.coordinates]
    }

    /// Relative velocities γ (m) of sample `i`.
    pub fn gamma_at(&self, i: usize) -> &[f64] {
        &self.gamma[i * self.rows..(i + 1) * self.rows]
    }

    /// Compressions δ per contact of sample `i`.
    pub fn compressions_at(&self, i: usize) -> &[f64] {
        &self.compressions[i * self.contacts..(i + 1) * self.contacts]
    }

    /// Puts the answer itself in place of the last sample, which short steps may have missed by round-off.
    pub(crate) fn end_at(&mut self, impulses: &[f64], velocities: &[f64], gamma: &[f64]) {
        for (all, end) in [(&mut self.impulses, impulses), (&mut self.velocities, velocities), (&mut self.gamma, gamma)]
        {
            if let Some(start) = all.len().checked_sub(end.len()) {
                all[start..].copy_from_slice(end);
            }
        }
    }

    /// States per contact of sample `i`.
    pub fn states_at(&self, i: usize) -> &[PathState] {
        &self.states[i * self.contacts..(i + 1) * self.contacts]
    }
}

/// What a contact does at a point of the path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PathState {
    /// In the normal direction.
    pub normal: NormalState,
    /// In the tangential direction; `None` without friction or while no force acts.
    pub tangential: Option<TangentialState>,
}

/// The normal direction of a contact along the path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NormalState {
    /// No force.
    Open,
    /// Stores energy.
    Compression,
    /// Returns energy.
    Expansion,
}

/// The tangential direction of a contact along the path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TangentialState {
    /// Friction holds.
    Stick,
    /// Friction slides.
    Slip,
}

/// The energy account of one contact over the whole impact \[J\].
///
/// The sum of −stored + returned + friction over all contacts is the work D
/// of the contacts, and stored = returned + lost + held.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct ContactEnergy {
    /// Taken from the motion in compressions.
    pub stored: f64,
    /// Given back in expansions.
    pub returned: f64,
    /// Kept by the contact because of restitution below 1.
    pub lost: f64,
    /// Still stored when the impact ended: friction wedges the contact.
    pub held: f64,
    /// Work of friction, ∫ v_t dP_t ≤ 0.
    pub friction: f64,
    /// Number of compressions.
    pub compressions: usize,
}
