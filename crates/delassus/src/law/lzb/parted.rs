//! Steps that few contacts make short.
//!
//! A slide that is about to turn takes steps far shorter than those of contacts elsewhere. These are known by series
//! (`series`) for many such steps: only the *lively* contacts, whose series do not reach the end of the step, are followed
//! by stages, and all others move them as functions of τ,
//!
//! ```text
//! v = v₀ + b(τ) + H Q,   b(τ) = Σ_j H_j (Q_j(τ) − Q_j(0))  over the quiet contacts j
//! ```
//!
//! What lively contacts do to quiet ones is in the series as far as these go. At the end of each step all velocities follow
//! from all impulses, and where they are not those of the series contacts become lively and the step is made again.

use super::local::{Local, NOWHERE, Slide};
use super::scaled::Scaled;
use super::series::{DEGREE, Series};
use super::step::{Course, Step};
use super::tableau::A;
use super::thresholds::parted;

/// Velocities that known forces bring about in a step: polynomials in τ.
#[derive(Debug, Clone, Default)]
pub(super) struct Drift {
    /// Coefficients of τ, τ², … row by row; none if no such forces act.
    coefficients: Vec<f64>,
    /// Velocities at the beginning of the step, and where that is in τ.
    begin: Vec<f64>,
    at: f64,
    /// Sum of the fourth powers of the rates at which slides turn that are known too, at the beginning.
    pub turning: f64,
}

/// Modules for browsers have to be small and follow all contacts, to the same velocities.
const LARGE: bool = cfg!(not(target_arch = "wasm32"));

/// Powers of τ in a drift.
const POWERS: usize = DEGREE + 1;

impl Drift {
    /// Whether there is one.
    pub fn acts(&self) -> bool {
        !self.coefficients.is_empty()
    }

    /// What it adds to the velocity of row `i` between two times of the step.
    fn between(&self, i: usize, [from, to]: [f64; 2]) -> f64 {
        let line = &self.coefficients[i * POWERS..(i + 1) * POWERS];
        let value = |tau: f64| line.iter().rev().fold(0.0, |sum, c| (sum + c) * tau);
        value(self.at + to) - value(self.at + from)
    }
}

/// The contacts of a step by how they are followed.
#[derive(Debug, Clone, Default)]
pub(super) struct Parted {
    series: Series,
    /// Whether the attempted step was parted, and how long it takes.
    active: bool,
    taken: f64,
    tolerance: f64,
    /// By how much it misled quiet contacts, as a share of what is tolerated.
    astray: f64,
    /// Whether the next steps are made with all contacts.
    whole: bool,
    /// How often the step was made again.
    again: usize,
    /// Whether each of all drivers is lively.
    is_lively: Vec<bool>,
    /// Lively drivers, their slides and driving rates, and where each of all rates stands among these.
    drivers: Vec<usize>,
    slides: Vec<usize>,
    rates: Vec<usize>,
    column: Vec<usize>,
    local: Local,
    /// The step of the lively contacts.
    step: Option<Box<Step>>,
}

impl Parted {
    /// Forgets all series: contacts have changed.
    fn forget(&mut self) {
        self.series.known = false;
        (self.active, self.whole, self.again) = (false, false, 0);
    }

    /// The end becomes the beginning.
    fn advance(&mut self) {
        if !self.active {
            self.series.known = false;
        } else {
            self.series.advance(self.taken);
        }
        (self.whole, self.again) = (false, 0);
    }

    /// Lets the attempted step be made again, where it misled contacts. Returns whether it did.
    fn make_again(&mut self) -> bool {
        if self.astray <= parted::ASTRAY {
            return false;
        }
        self.again += 1;
        self.whole = self.again > parted::AGAIN;
        true
    }

    /// Whether the series of all quiet contacts reach the end of a step of this duration.
    fn covers(&self, duration: f64) -> bool {
        let doubt = parted::DOUBT * self.tolerance;
        let mut all = self.is_lively.iter().enumerate();
        all.all(|(a, &lively)| lively || self.series.reaches(a, duration, doubt))
    }

    /// Finds the lively contacts of a step of this duration. Returns whether they are few.
    fn choose(&mut self, step: &Step, local: &Local, duration: f64) -> bool {
        let (drivers, doubt) = (step.springs.len(), parted::DOUBT * self.tolerance);
        let count = (0..drivers).filter(|&a| !self.series.reaches(a, duration, doubt)).count();
        if count > drivers / parted::FEW {
            return false;
        }
        let covered = self.is_lively.len() == drivers
            && self.drivers.len() <= parted::TIMES * count + parted::SPARE
            && self.covers(duration);
        if covered {
            return true;
        }
        // A little further, so that they are the same for some steps.
        let ahead = parted::AHEAD * (self.series.at + duration) - self.series.at;
        self.is_lively.clear();
        self.is_lively.extend((0..drivers).map(|a| !self.series.reaches(a, ahead, doubt)));
        self.drivers.clear();
        self.drivers.extend((0..drivers).filter(|&a| self.is_lively[a]));
        self.slides.clear();
        self.slides.extend((0..step.slidings.len()).filter(|&s| self.is_lively[step.slidings[s].driver]));
        self.rates.clear();
        self.rates.extend_from_slice(&self.drivers);
        self.rates.extend(self.slides.iter().flat_map(|&s| [step.slidings[s].rate, step.slidings[s].rate + 1]));
        self.column.clear();
        self.column.resize(local.rates, NOWHERE);
        for (i, &rate) in self.rates.iter().enumerate() {
            self.column[rate] = i;
        }
        let column = &self.column;
        let slides = self.slides.iter().map(|&s| {
            let slide = &step.slidings[s];
            Slide { driver: column[slide.driver], rate: column[slide.rate] }
        });
        local.part(&self.rates, &self.column, slides, &mut self.local);
        self.load_drift(local);
        true
    }

    /// What quiet contacts do to the lively ones.
    fn load_drift(&mut self, local: &Local) {
        let drift = &mut self.step.get_or_insert_default().drift;
        drift.coefficients.clear();
        drift.coefficients.resize(self.rates.len() * POWERS, 0.0);
        for (line, &row) in drift.coefficients.chunks_exact_mut(POWERS).zip(&self.rates) {
            for &(b, h) in local.response.line(row).iter().filter(|entry| self.column[entry.0] == NOWHERE) {
                for (k, c) in line.iter_mut().enumerate() {
                    *c += h * self.series.rate[k * local.rates + b];
                }
            }
            line.iter_mut().enumerate().for_each(|(k, c)| *c /= (k + 1) as f64);
        }
    }

    /// Sets up the step of the lively contacts at the present beginning.
    fn load(&mut self, whole: &Step) {
        let (rates, local) = (&self.rates, &self.local);
        let step = &mut **self.step.get_or_insert_default();
        step.springs.clear();
        step.springs.extend(self.drivers.iter().map(|&a| whole.springs[a]));
        step.slidings.clear();
        step.slidings.extend(self.slides.iter().zip(&local.slides).map(|(&s, slide)| {
            let mut sliding = whole.slidings[s];
            (sliding.driver, sliding.rate) = (slide.driver, slide.rate);
            sliding
        }));
        step.fit(self.drivers.len(), rates.len());
        let driving = whole.driving();
        step.gamma.clear();
        step.gamma.extend(rates.iter().map(|&p| whole.gamma[p]));
        for (i, &a) in self.drivers.iter().enumerate() {
            step.begin[i] = whole.begin[a];
            step.rate_begin[i] = whole.rate_begin[a];
        }
        for (i, &p) in rates.iter().enumerate() {
            step.rate_begin[step.offset + i] = driving[p];
        }
        step.drift.begin.clone_from(&step.gamma);
        step.drift.at = self.series.at;
        let quiet = whole.slidings.iter().filter(|slide| !self.is_lively[slide.driver]);
        step.drift.turning = quiet
            .map(|slide| {
                let turning = slide.turning([0, 1].map(|k| whole.gamma[slide.rate + k]), driving[slide.driver]);
                (turning * turning) * (turning * turning)
            })
            .sum();
    }
}

impl Step {
    /// Whether the attempted step was parted.
    pub fn is_parted(&self) -> bool {
        self.parted.as_ref().is_some_and(|parted| parted.active)
    }

    /// Lets the attempted step be made again, if it was parted and misled contacts. Returns whether it did.
    pub fn goes_again(&mut self) -> bool {
        self.is_parted() && self.parted.as_mut().is_some_and(|parted| parted.make_again())
    }

    /// Forgets all series: contacts have changed.
    pub(super) fn forget_parted(&mut self) {
        if let Some(parted) = &mut self.parted {
            parted.forget();
        }
    }

    /// Series go on from the end of the step.
    pub(super) fn advance_parted(&mut self) {
        if let Some(parted) = &mut self.parted {
            parted.advance();
        }
    }

    /// Lets the velocities drift to this time of the step.
    #[inline]
    pub(super) fn drift_to(&mut self, tau: f64) {
        if self.drift.acts() {
            for (i, v) in self.gamma.iter_mut().enumerate() {
                *v = self.drift.begin[i] + self.drift.between(i, [0.0, tau]);
            }
        }
    }

    /// Adds what velocities from row `first` on gain by the drift between two times of the step.
    #[inline]
    pub(super) fn add_drift(&self, first: usize, between: [f64; 2], velocities: &mut [f64; 2]) {
        if self.drift.acts() {
            for (k, v) in velocities.iter_mut().enumerate() {
                *v += self.drift.between(first + k, between);
            }
        }
    }

    /// Tries a step in which most contacts move as their series say. Returns its error, or nothing if that does not pay.
    pub(super) fn attempt_parted(
        &mut self,
        local: &Local,
        scaled: &Scaled,
        h: f64,
        course: Course,
        tolerance: f64,
    ) -> Option<f64> {
        if let Some(parted) = &mut self.parted {
            (parted.active, parted.astray) = (false, 0.0);
        }
        let stiff = matches!(course, Course::Clock | Course::Implicit);
        if !LARGE || !stiff || self.springs.len() < parted::MANY || self.drift.acts() {
            return None;
        }
        // Work of slips along one line is not in the series.
        if !self.may_part || !self.slips.is_empty() {
            return None;
        }
        let mut parted = self.parted.take().unwrap_or_default();
        if !parted.whole {
            let error = self.follow_lively(&mut parted, local, scaled, h, course, tolerance);
            parted.active = error.is_some();
            self.parted = Some(parted);
            return error;
        }
        self.parted = Some(parted);
        None
    }

    /// The same with the parts at hand.
    fn follow_lively(
        &mut self,
        parted: &mut Parted,
        local: &Local,
        scaled: &Scaled,
        h: f64,
        course: Course,
        tolerance: f64,
    ) -> Option<f64> {
        parted.tolerance = tolerance;
        // A clock slows down as slides do; where they become faster, the step may be longer than this.
        let mut duration = if course == Course::Clock { h * self.pace_begin() } else { h };
        for _ in 0..3 {
            let known = parted.series.known;
            let stale = known && parted.series.at > parted::STALE * duration;
            if !known || !parted.choose(self, local, duration) {
                if known && !stale {
                    return None;
                }
                parted.series.expand(self, local, scaled.power, duration);
                parted.is_lively.clear();
                if !parted.choose(self, local, duration) {
                    return None;
                }
            }
            parted.load(self);
            let step = &mut **parted.step.get_or_insert_default();
            let error = step.attempt(&parted.local, scaled, h, course, tolerance);
            if error.is_nan() || error > 1.0 {
                return Some(error);
            }
            parted.taken = step.duration(h);
            if parted.taken <= duration || parted.covers(parted.taken) {
                self.take_parted(parted);
                return Some(error);
            }
            duration = parted.taken;
        }
        None
    }

    /// The end of a step by the lively contacts' stages and the series of all others.
    fn take_parted(&mut self, parted: &mut Parted) {
        let (taken, offset) = (parted.taken, self.offset);
        let step = &mut **parted.step.get_or_insert_default();
        parted.series.go_to(taken);
        let (begin, end) = (&parted.series.begin, &parted.series.end);
        // Changes, not values: contacts that were followed for a while are not where their series say.
        for (k, (to, from)) in end.delta.iter().zip(&begin.delta).enumerate() {
            self.end[k] = self.begin[k] + (to - from);
        }
        for ((gained, to), from) in self.end[offset..].iter_mut().zip(&end.impulse).zip(&begin.impulse) {
            *gained = to - from;
        }
        let mut work = std::mem::take(&mut self.implicit.work);
        work.clear();
        work.resize(self.springs.len(), 0.0);
        for (s, slide) in self.slidings.iter().enumerate() {
            work[slide.driver] = end.work[s] - begin.work[s];
        }
        for (i, &a) in parted.drivers.iter().enumerate() {
            self.end[a] = step.end[i];
        }
        for (i, &rate) in parted.rates.iter().enumerate() {
            self.end[offset + rate] = step.end[step.offset + i];
        }
        for (s, slide) in step.slidings.iter().enumerate() {
            work[parted.drivers[slide.driver]] = match step.course {
                Course::Implicit => step.implicit.work[slide.driver],
                _ => step.slide_work(s),
            };
        }
        self.implicit.work = work;
        (self.length, self.paces, self.clock) = (Some(taken), step.paces, step.clock);
    }

    /// After a parted step: how far velocities at its end are from those of the series. Contacts that were misled are lively
    /// from now on.
    pub(super) fn compare_parted(&mut self) {
        if !LARGE || !self.is_parted() {
            return;
        }
        let Some(mut parted) = self.parted.take() else { return };
        let taken = parted.taken;
        let mut most = 0.0_f64;
        let mut note = |parted: &mut Parted, driver: usize, error: f64| {
            let share = if error.is_nan() { f64::INFINITY } else { error * taken / parted.tolerance };
            if share > parted::DRIFTED {
                parted.series.give_up(driver);
            }
            most = most.max(share);
        };
        let end = std::mem::take(&mut parted.series.end);
        let rates = self.driving_end();
        let miss = |i: usize| (rates[i] - end.rate[i]).abs();
        for (a, spring) in self.springs.iter().enumerate() {
            if !parted.is_lively[a] {
                let depth = (self.gamma_end[a] - end.velocity[a]).abs() * spring.rate / spring.reach;
                note(&mut parted, a, depth.max(miss(a)));
            }
        }
        for slide in &self.slidings {
            if !parted.is_lively[slide.driver] {
                note(&mut parted, slide.driver, miss(slide.rate).max(miss(slide.rate + 1)));
            }
        }
        parted.series.end = end;
        parted.astray = most;
        self.parted = Some(parted);
    }

    /// Sets up the slopes of stage `i` of a parted step.
    pub(super) fn fill_stage(&mut self, i: usize) {
        if !LARGE || !self.is_parted() {
            return;
        }
        let Some(parted) = &self.parted else { return };
        let Some(step) = &parted.step else { return };
        // As functions of τ, without the factor of this stage. (Of implicit steps there are no stages.)
        let (tau, factor) = (A[i].iter().map(|&(j, a)| a * step.paces[j]).sum(), step.paces[i]);
        let at = i * self.width + self.offset;
        for (rate, slope) in self.slopes[at..at + self.velocity.len()].iter_mut().enumerate() {
            *slope = match parted.column[rate] {
                NOWHERE => parted.series.rate_after(rate, tau),
                own => step.slopes[i * step.width + step.offset + own] / factor,
            };
        }
    }
}
