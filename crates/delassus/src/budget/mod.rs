//! Bounds on the work of one answer.
//!
//! The library has no clock, so that it runs anywhere. What it has is a count
//! of iterations, the same on every machine, and a question that the caller
//! answers now and then: whether to stop.
//!
//! ```
//! use delassus::{Limits, Options, Stop};
//! use std::time::{Duration, Instant};
//!
//! let deadline = Instant::now() + Duration::from_secs(5);
//! let stop = Stop::new("the time limit of 5 s", move || Instant::now() >= deadline);
//! let options = Options { limits: Limits { iterations: Some(10_000), stop: Some(stop), ..Limits::default() }, ..Options::default() };
//! # let _ = options;
//! ```
//!
//! What counts as one iteration:
//!
//! | law | iteration | by default at most |
//! |---|---|---|
//! | `newton`, `moreau`, both phases of `poisson` | a pivot, a sweep or a step of Newton's method; a combination of states | 12 runs of 50 pivots a row, or 10¹⁰ multiplications; 10¹¹ in space; 2·10⁸ for combinations, 3·10⁹ where all solutions are asked for |
//! | `kinematic` | a combination of stick and slip | 3⁸ combinations |
//! | `lzb` | a step along the impact | 250 000 steps, 2000 more a contact |
//! | `sequential` | a collision; a pivot, a sweep or a step of Newton's method within it | 10⁵ collisions, 10¹⁰ multiplications |
//! | `reflections` | a reflection; a pivot, a sweep or a step within it | 10⁴ reflections, 10¹⁰ multiplications |
//! | `stronge` | a step along the impact | 10⁶ steps |
//! | `walton`, `chatterjee-ruina` | – | a closed form, nothing to bound |

mod solver;

use std::fmt;
use std::sync::Arc;

use crate::error::{ErrorKind, ImpactError};

pub use solver::{Method, SolverData};

/// Bounds that a user sets on the work of one answer, and wishes about how it is done; by default each law has its own.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Limits {
    /// Most iterations, in place of the law's own limit.
    pub iterations: Option<usize>,
    /// Asked now and then whether the search should stop.
    pub stop: Option<Stop>,
    /// How contact problems are iterated on; see [`SolverData::method`].
    pub method: Method,
    /// Residual at which iterations on contact problems end; see [`SolverData::tolerance`].
    pub tolerance: Option<f64>,
}

impl From<&SolverData> for Limits {
    /// All but the time limit, for which the library has no clock.
    fn from(solver: &SolverData) -> Self {
        let method = solver.method.unwrap_or_default();
        Self { iterations: solver.iterations, stop: None, method, tolerance: solver.tolerance }
    }
}

/// A question that a search asks about every millisecond: whether to stop.
#[derive(Clone)]
pub struct Stop {
    reason: Arc<str>,
    ask: Arc<dyn Fn() -> bool + Send + Sync>,
}

impl Stop {
    /// Stops when `ask` says so, for that reason: "the time limit of 5 s".
    pub fn new(reason: impl Into<Arc<str>>, ask: impl Fn() -> bool + Send + Sync + 'static) -> Self {
        Self { reason: reason.into(), ask: Arc::new(ask) }
    }

    /// Whether to stop now.
    pub fn is_due(&self) -> bool {
        (self.ask)()
    }
}

impl fmt::Debug for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Stop").field(&self.reason).finish()
    }
}

/// Two are equal where they ask the same.
impl PartialEq for Stop {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.ask, &other.ask)
    }
}

/// What a search may still spend. Searches that follow each other in one
/// answer share it.
#[derive(Debug, Clone)]
pub struct Budget<'a> {
    /// Most iterations, where the user set them.
    allowed: Option<usize>,
    stop: Option<&'a Stop>,
    method: Method,
    tolerance: Option<f64>,
    spent: usize,
    /// Multiplications so far.
    multiplications: f64,
    /// Those since `stop` was asked last.
    unasked: f64,
    stopped: bool,
}

/// Multiplications between two questions: about a millisecond.
const BETWEEN_QUESTIONS: f64 = 5e5;

/// See [`Budget::is_worn`].
const WORN: f64 = 1e10;

impl<'a> Budget<'a> {
    /// Nothing spent yet.
    pub fn new(limits: &'a Limits) -> Self {
        Self {
            allowed: limits.iterations,
            stop: limits.stop.as_ref(),
            method: limits.method,
            tolerance: limits.tolerance,
            spent: 0,
            multiplications: 0.0,
            unasked: 0.0,
            stopped: false,
        }
    }

    /// No limits but those that each solver has by itself.
    pub fn unlimited() -> Budget<'static> {
        const NONE: Limits = Limits { iterations: None, stop: None, method: Method::Auto, tolerance: None };
        Budget::new(&NONE)
    }

    /// How contact problems are to be iterated on.
    pub fn method(&self) -> Method {
        self.method
    }

    /// The residual that is wanted of contact problems, where the user set one.
    pub fn tolerance(&self) -> Option<f64> {
        self.tolerance
    }

    /// Iterations that may still follow, at most; `None` where the user set no limit.
    pub fn left(&self) -> Option<usize> {
        if self.stopped { Some(0) } else { self.allowed.map(|allowed| allowed.saturating_sub(self.spent)) }
    }

    /// Whether the user set the number of iterations, so that solvers put their own limits aside.
    pub fn is_set(&self) -> bool {
        self.allowed.is_some()
    }

    /// Whether laws that solve one problem after the other have done as much as they do unasked: some ten seconds. The
    /// number of problems alone does not bound it, because single ones may be hard.
    pub fn is_worn(&self) -> bool {
        !self.is_set() && self.multiplications > WORN
    }

    /// Takes one iteration of that many multiplications; `false` where there is none left.
    pub fn take(&mut self, multiplications: f64) -> bool {
        if self.left() == Some(0) {
            return false;
        }
        self.spent += 1;
        self.work(multiplications)
    }

    /// Counts multiplications that are no iteration; `false` where the search is to stop.
    pub fn work(&mut self, multiplications: f64) -> bool {
        self.multiplications += multiplications;
        self.unasked += multiplications;
        if self.unasked >= BETWEEN_QUESTIONS
            && let Some(stop) = self.stop
        {
            self.unasked = 0.0;
            self.stopped |= stop.is_due();
        }
        !self.stopped
    }

    /// For problems within one iteration: only `stop` bounds them.
    /// [`join`](Self::join) takes back what it learned.
    pub fn within_iteration(&self) -> Budget<'a> {
        Budget { allowed: None, spent: 0, ..self.clone() }
    }

    /// Takes over what a budget [`within_iteration`](Self::within_iteration) learned.
    pub fn join(&mut self, inner: &Budget<'_>) {
        (self.unasked, self.stopped) = (inner.unasked, inner.stopped);
    }

    /// The error of work whose result cannot be had in part: a problem that was not built to its end.
    pub(crate) fn stopped(&self, field: &str) -> ImpactError {
        let reason = self.ended_by().unwrap_or_default();
        ImpactError::of(ErrorKind::Stopped, field, "", format!("building was stopped: {reason}"))
    }

    /// Why nothing is left, in words.
    pub fn ended_by(&self) -> Option<String> {
        match (self.stop, self.allowed) {
            (Some(stop), _) if self.stopped => Some(format!("{} was reached", stop.reason)),
            (_, Some(allowed)) if self.spent >= allowed => {
                Some(format!("the limit of {allowed} iterations was reached"))
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[test]
    fn iterations_are_counted() {
        let limits = Limits { iterations: Some(3), ..Limits::default() };
        let mut budget = Budget::new(&limits);
        assert_eq!((0..10).filter(|_| budget.take(1e9)).count(), 3);
        assert_eq!(budget.left(), Some(0));
        assert_eq!(budget.ended_by().unwrap(), "the limit of 3 iterations was reached");
        assert!(Budget::unlimited().take(1e9) && Budget::unlimited().left().is_none());
    }

    #[test]
    fn work_that_nobody_limits_wears_out() {
        let mut budget = Budget::unlimited();
        assert_eq!((0..100).take_while(|_| !budget.is_worn() && budget.take(1e9)).count(), 11);
        let limits = Limits { iterations: Some(1000), ..Limits::default() };
        let mut limited = Budget::new(&limits);
        assert!(limited.take(1e12) && !limited.is_worn());
    }

    #[test]
    fn stop_is_asked_by_work_and_remembered() {
        let asked = Arc::new(AtomicUsize::new(0));
        let count = asked.clone();
        let stop = Stop::new("the time limit of 1 s", move || count.fetch_add(1, Ordering::Relaxed) == 2);
        let limits = Limits { stop: Some(stop), ..Limits::default() };
        let mut budget = Budget::new(&limits);
        // Small iterations ask seldom, large ones each time.
        assert!((0..1000).all(|_| budget.take(1.0)));
        assert_eq!(asked.load(Ordering::Relaxed), 0);
        let mut inner = budget.within_iteration();
        assert!(inner.take(1e6) && inner.take(1e6) && !inner.take(1e6));
        assert!(budget.ended_by().is_none());
        budget.join(&inner);
        assert!(!budget.take(0.0));
        assert_eq!(budget.ended_by().unwrap(), "the time limit of 1 s was reached");
        assert_eq!(asked.load(Ordering::Relaxed), 3);
    }
}
