//! Closed forms for the planar rocking block [BZL 2012, §3–5], misprints corrected.
//!
//! A homogeneous block of height l and width L stands on corner A and strikes
//! with corner B at θ = 0: ẏ⁻ = (L/2)θ̇⁻, θ̇⁻ < 0. Coordinates (x, y, θ), normals
//! B = (0, 1, L/2) and A = (0, 1, −L/2), tangent (1, 0, l/2) for both. Coefficients:
//!
//! ```text
//! rocking        γ_B⁺ = 0          γ_A⁺ = −e γ_B⁻    θ̇⁺ =  e θ̇⁻    (e = e_n21 = −r)
//! half-rocking   γ_B⁺ = −e γ_B⁻    γ_A⁺ = 0          θ̇⁺ = −e θ̇⁻    (e = e_n1)
//! ```
//!
//! An interval holds the coefficients for which the corners do not pull
//! (Λ_N ≥ 0), do not penetrate (γ_N⁺ ≥ 0) and the energy does not grow; mass
//! cancels. Where friction slides, the energy depends on ẋ⁻ as well and has its
//! own limit, [`HomogeneousBlock::energetic_limit`].

use crate::elementary::Elementary;

/// A homogeneous rectangular block.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HomogeneousBlock {
    /// Height l \[m\], positive.
    pub height: f64,
    /// Width L \[m\], positive.
    pub width: f64,
}

/// Direction in which both corners slide after the impact.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Slide {
    /// γ_T⁺ > 0, superscript + of the paper.
    Right,
    /// γ_T⁺ < 0, superscript −.
    Left,
}

/// A closed interval of coefficients.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interval {
    /// Lower end.
    pub from: f64,
    /// Upper end.
    pub to: f64,
}

/// The three conditions on (e_n1, e_n21, e_t3) for a rebound at B with A
/// sticking before; each holds where its margin is not negative.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ReboundMargins {
    /// 4(l² + L²) minus the quadratic form [BZL 2012, (51)–(52)]: −(24/m)(T⁺ − T⁻)/θ̇⁻².
    pub energy: f64,
    /// [BZL 2012, (53)], corrected: −(12L/m)Λ_B/θ̇⁻.
    pub striking: f64,
    /// [BZL 2012, (54)], corrected: −(12L/m)Λ_A/θ̇⁻.
    pub resting: f64,
}

impl Interval {
    /// The interval, or `None` where it is empty.
    fn new(from: f64, to: f64) -> Option<Self> {
        (from <= to).then_some(Self { from, to })
    }

    /// Whether a coefficient lies inside, ends included.
    pub fn contains(self, coefficient: f64) -> bool {
        (self.from..=self.to).contains(&coefficient)
    }
}

impl HomogeneousBlock {
    fn squares(self) -> (f64, f64, f64) {
        (self.height * self.height, self.width * self.width, self.height * self.width)
    }

    /// Kinetic angle between the corners' constraints, π − arccos((a² − 2)/(a² + 4))
    /// with a = l/L [BZL 2012, (10)], written as 2 arctan √((1 + a²)/3).
    pub fn kinetic_angle(self) -> f64 {
        let a = self.height / self.width;
        2.0 * ((1.0 + a * a) / 3.0).sqrt().arctangent()
    }

    /// r_sli = (2L² − l²)/(4L² + l²): the ratio −θ̇⁺/θ̇⁻ without friction if only
    /// B gives an impulse and stays [BZL 2012, §3.7.1].
    pub fn sliding_ratio(self) -> f64 {
        let (l2, w2, _) = self.squares();
        (2.0 * w2 - l2) / (4.0 * w2 + l2)
    }

    /// r_H = (L² − 2l²)/(2(L² + l²)) = −(1 − (3/2) sin²α), α = arctan(L/l):
    /// Housner's ratio −θ̇⁺/θ̇⁻ [BZL 2012, §3.7.2].
    pub fn housner_ratio(self) -> f64 {
        let (l2, w2, _) = self.squares();
        (w2 - 2.0 * l2) / (2.0 * (w2 + l2))
    }

    /// Rocking without friction: e ∈ [max(0, −r_sli), 1] [BZL 2012, §3.3].
    pub fn rocking_sliding(self) -> Interval {
        Interval { from: (-self.sliding_ratio()).max(0.0), to: 1.0 }
    }

    /// Rocking with sticking corners: e ∈ [max(0, −r_H), 1] [BZL 2012, §3.4].
    pub fn rocking_sticking(self) -> Interval {
        Interval { from: (-self.housner_ratio()).max(0.0), to: 1.0 }
    }

    /// Half-rocking without friction: [0, 1] for l ≤ √2 L, else none [BZL 2012, §3.5].
    pub fn half_rocking(self) -> Option<Interval> {
        (self.sliding_ratio() >= 0.0).then_some(Interval { from: 0.0, to: 1.0 })
    }

    /// Rocking with corners that Coulomb friction holds: the interval of
    /// [`rocking_sticking`](Self::rocking_sticking) within (l/L)(1 − e)/(1 + e) ≤ μ
    /// [BZL 2012, (30)].
    pub fn rocking_held(self, friction: f64) -> Interval {
        let free = self.rocking_sticking();
        let held = (self.height - friction * self.width) / (self.height + friction * self.width);
        Interval { from: free.from.max(held), to: 1.0 }
    }

    /// e_c1^±: the rocking coefficient at which A's impulse vanishes while both
    /// corners slide [BZL 2012, §3.6.3]; infinite where the denominator vanishes.
    pub fn critical_rocking(self, friction: f64, slide: Slide) -> f64 {
        let (l2, w2, lw) = self.squares();
        let f = 3.0 * slide.sign() * friction * lw;
        (l2 - 2.0 * w2 + f) / (4.0 * w2 + l2 - f)
    }

    /// Rocking with sliding corners: coefficients with Λ_N ≥ 0 and γ_N⁺ ≥ 0, at
    /// most 1. To the right: [max(0, e_c1⁺), 1], only for μ ≤ L/l. To the left:
    /// from max(0, e_c1⁻), with (l² − 2L² + 3μlL)e ≤ l² + 4L² − 3μlL for Λ_B ≥ 0.
    pub fn rocking_rough(self, friction: f64, slide: Slide) -> Option<Interval> {
        let (l2, w2, lw) = self.squares();
        let f = 3.0 * friction * lw;
        let from = self.critical_rocking(friction, slide).max(0.0);
        match slide {
            Slide::Right if f >= 4.0 * w2 + l2 => None,
            Slide::Right => Interval::new(from, 1.0),
            Slide::Left => {
                let (factor, limit) = (l2 - 2.0 * w2 + f, l2 + 4.0 * w2 - f);
                Interval::new(from, if factor > 0.0 { (limit / factor).min(1.0) } else { 1.0 })
            }
        }
    }

    /// Half-rocking with sliding corners is possible for friction in this
    /// interval: to the right μ ≤ (2L² − l²)/(3lL) [BZL 2012, (36)], to the left
    /// (l² − 2L²)/(3lL) ≤ μ ≤ (4L² + l²)/(3lL).
    pub fn half_rocking_friction(self, slide: Slide) -> Option<Interval> {
        let (l2, w2, lw) = self.squares();
        match slide {
            Slide::Right => Interval::new(0.0, (2.0 * w2 - l2) / (3.0 * lw)),
            Slide::Left => Interval::new(((l2 - 2.0 * w2) / (3.0 * lw)).max(0.0), (4.0 * w2 + l2) / (3.0 * lw)),
        }
    }

    /// The largest coefficient for which sliding rocking or half-rocking does not
    /// gain energy [BZL 2012, (35), (37)], for the pre-impact ratio ρ = ẋ⁻/|θ̇⁻|:
    ///
    /// ```text
    /// e ≤ (4L² + l² − 3μ²L² ± 12μLρ) / (4L² + l² + 3μ²L²)        + to the right, − to the left
    /// ```
    ///
    /// With ρ = 0 it is e_c2 = e_c3, which suffices while ±ρ ≥ 0 (no reversal).
    pub fn energetic_limit(self, friction: f64, slide: Slide, ratio: f64) -> f64 {
        let (l2, w2, _) = self.squares();
        let (inertia, f) = (4.0 * w2 + l2, 3.0 * friction * friction * w2);
        (inertia - f + 12.0 * slide.sign() * friction * self.width * ratio) / (inertia + f)
    }

    /// μ_c = √((4L² + l²)/(3L²)): above it e_c2 = e_c3 is negative.
    pub fn critical_friction(self) -> f64 {
        let (l2, w2, _) = self.squares();
        ((4.0 * w2 + l2) / (3.0 * w2)).sqrt()
    }

    /// Rebound at B, A sticking before and lifting off: margins of the region
    /// [BZL 2012, (51)–(54)] for E_n = (e_n1, ·; e_n21, ·) and ẋ⁺ = −e_t3 ẋ⁻.
    pub fn rebound(self, e_n1: f64, e_n21: f64, e_t3: f64) -> ReboundMargins {
        let (l2, w2, _) = self.squares();
        let (long, mixed) = (l2 + 4.0 * w2, 2.0 * w2 - l2);
        let form = long * (e_n1 * e_n1 + e_n21 * e_n21) + 2.0 * mixed * e_n1 * e_n21 + 3.0 * l2 * e_t3 * e_t3;
        ReboundMargins {
            energy: 4.0 * (l2 + w2) - form,
            striking: long * e_n1 + mixed * e_n21 + 3.0 * l2 * e_t3 + 4.0 * (l2 + w2),
            resting: mixed * e_n1 + long * e_n21 - 3.0 * l2 * e_t3 + 2.0 * (w2 - 2.0 * l2),
        }
    }
}

impl Slide {
    /// σ: +1 to the right.
    pub fn sign(self) -> f64 {
        match self {
            Self::Right => 1.0,
            Self::Left => -1.0,
        }
    }
}
