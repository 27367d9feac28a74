//! What a user can say about solvers, in files.

use crate::error::ImpactError;

/// How to iterate on contact problems; see [`solve::contact`](crate::solve::contact).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum Method {
    /// All methods in turn, by their progress.
    #[default]
    Auto,
    /// Sweeps with acceleration.
    GaussSeidel,
    /// A few sweeps, then Newton's method.
    Newton,
    /// A few sweeps, then proximal steps.
    Proximal,
    /// Newton's method on laws without corners, which become Coulomb's step by step.
    Smoothing,
}

impl Method {
    /// All methods.
    pub const ALL: [Self; 5] = [Self::Auto, Self::GaussSeidel, Self::Newton, Self::Proximal, Self::Smoothing];

    /// The word used in files.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::GaussSeidel => "gauss-seidel",
            Self::Newton => "newton",
            Self::Proximal => "proximal",
            Self::Smoothing => "smoothing",
        }
    }

    /// The method of that name.
    pub fn by_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|method| method.as_str() == name)
    }
}

/// Residuals that can be asked for.
const TOLERANCES: std::ops::RangeInclusive<f64> = 1e-12..=1e-2;

/// The `[solver]` table of problem and scenario files: limits and wishes as a user writes them.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default, deny_unknown_fields))]
pub struct SolverData {
    /// Most iterations of one answer; see [`Limits::iterations`](super::Limits::iterations).
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub iterations: Option<usize>,
    /// Seconds that one answer, or one run, may take. Whoever has a clock
    /// makes a [`Stop`](super::Stop) of it; the library has none.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub time_limit: Option<f64>,
    /// How contact problems are iterated on: Newton's, Moreau's, Poisson's law and the steps of time-stepping. Without it,
    /// or with `auto`, the solver that suits the problem is taken: exact ones for few contacts, all methods in turn for
    /// many. A named one is used for any number of contacts, and no other solutions are looked for.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub method: Option<Method>,
    /// Residual at which iterations on contact problems end: relative, of impacts as in their certificates, of the steps of
    /// time-stepping in units of the largest velocity that calls for impulses. Default: 1e-11 of impacts, 1e-8 of
    /// steps and 1e-6 of steps with more than 100 contacts. Solvers of few contacts are exact and do not ask.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub tolerance: Option<f64>,
}

impl SolverData {
    /// Checks the ranges.
    ///
    /// # Errors
    /// The first value that is out of range.
    pub fn check(&self) -> Result<(), ImpactError> {
        if self.iterations == Some(0) {
            return Err(ImpactError::out_of_range("solver.iterations", 0, "must be at least 1"));
        }
        if let Some(tolerance) = self.tolerance.filter(|tolerance| !TOLERANCES.contains(tolerance)) {
            let problem = format!("must lie between {:e} and {:e}", TOLERANCES.start(), TOLERANCES.end());
            return Err(ImpactError::out_of_range("solver.tolerance", tolerance, problem));
        }
        match self.time_limit {
            Some(limit) if !(limit.is_finite() && limit > 0.0) => {
                Err(ImpactError::out_of_range("solver.time_limit", limit, "must be positive and finite (seconds)"))
            }
            _ => Ok(()),
        }
    }

    /// Whether nothing is limited.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Each limit, or that of `other` where there is none.
    pub fn or(self, other: Self) -> Self {
        Self {
            iterations: self.iterations.or(other.iterations),
            time_limit: self.time_limit.or(other.time_limit),
            method: self.method.or(other.method),
            tolerance: self.tolerance.or(other.tolerance),
        }
    }
}
