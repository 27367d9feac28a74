//! The checks of an answer, from (problem, law data, impulses) alone.
//!
//! No law grades itself: everything here follows from Λ, the same for all
//! laws. Residuals are free of scale, so that they do not depend on units or
//! on the choice of generalized coordinates:
//!
//! ```text
//! T* = max(T⁻, T⁺),  v = √(2T*),  s_i = √(tr G_ii / dim)
//! Λ̂ = Λ_i s_i / v,  γ̂ = γ_i / (s_i v),  ξ̂ likewise,  λ = max(1, |Λ̂|_∞)
//!
//! kinematic   max(0, −γ̂⁺) unilateral;  |γ̂⁺| joint
//! kinetic     max(0, −Λ̂_N)/λ;  friction max(0, gauge_A(Λ̂_T) − Λ̂_N s_T/s_N)/λ
//! inclusion   |min(Λ̂_N/λ, ξ̂_N)|,  |ξ̂_J|,  ‖Λ̂_T + proj_Ĉ(−Λ̂_T + ξ̂_T)‖/λ
//! energetic   max(0, D)/T*,  D = ½Λᵀ(γ⁺ + γ⁻)
//! momentum    √(rᵀM⁻¹r)/v,  r = M(u⁺ − u⁻) − WΛ − F
//! ```

mod ledger;
mod range;
mod residuals;
mod theorem;

pub use theorem::Theorem;

pub(crate) use residuals::judge;

/// Relative residuals of an answer; see the formulas in the module's source.
///
/// A check holds when its residual is at most [`Certificate::TOLERANCE`].
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Certificate {
    /// γ⁺ admissible: no penetration after the impact, joints at rest.
    pub kinematic: f64,
    /// Λ in its reservoir: no pulling contact, friction within its limit.
    pub kinetic: f64,
    /// The contacts did no work on the system: max(0, D)/T*.
    pub energetic: f64,
    /// M(u⁺ − u⁻) = WΛ + F.
    pub momentum: f64,
    /// The law's own inclusion; `None` for laws that are no inclusion.
    pub inclusion: Option<f64>,
    /// The theorem that guarantees the energy a priori.
    pub theorem: Theorem,
}

impl Certificate {
    /// A check holds when its relative residual is at most this.
    pub const TOLERANCE: f64 = crate::solve::tolerance::RESIDUAL;

    /// Whether γ⁺, Λ and the energy are all consistent.
    pub fn is_consistent(&self) -> bool {
        [self.kinematic, self.kinetic, self.energetic].iter().all(|&r| r <= Self::TOLERANCE)
    }

    /// Whether the law itself and the momentum balance hold.
    pub fn satisfies_law(&self) -> bool {
        self.momentum <= Self::TOLERANCE && self.inclusion.is_none_or(|r| r <= Self::TOLERANCE)
    }
}
