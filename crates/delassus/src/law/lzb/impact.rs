//! The impact under way: state, buffers, and what an accepted step does to them.

use crate::answer::Options;
use crate::budget::Budget;
use crate::elementary::Elementary;
use crate::problem::ImpactProblem;

use super::Lzb;
use super::basis::Basis;
use super::cone::Cones;
use super::events::{Event, Kind};
use super::local::Local;
use super::repeat::Rounds;
use super::scaled::Scaled;
use super::state::{ContactState, Grip, Phase};
use super::step::Step;
use super::thresholds::{count, speed};
use crate::answer::ImpactPath;

/// Scratch memory of the law.
#[derive(Debug, Clone, Default)]
pub(crate) struct Buffers {
    pub(super) scaled: Scaled,
    pub(super) contacts: Vec<ContactState>,
    /// γ̂ and Λ̂ by rows of the problem.
    pub(super) gamma: Vec<f64>,
    pub(super) impulse: Vec<f64>,
    /// Contacts whose δ moves.
    pub(super) active: Vec<usize>,
    /// Whether the clutch in each row is locked.
    pub(super) locked: Vec<bool>,
    pub(super) local: Local,
    pub(super) basis: Basis,
    /// Joints and clutches, where it is asked what they rule.
    pub(super) ruling: Basis,
    pub(super) rounds: Rounds,
    pub(super) step: Step,
    pub(super) events: Vec<Event>,
    pub(super) hold: Hold,
    pub(super) cones: Cones,
    pub(super) velocity: Vec<f64>,
    pub(super) physical: Vec<f64>,
}

/// Rates of the held rows, in the order of the basis.
#[derive(Debug, Clone, Default)]
pub(super) struct Hold {
    /// Rows in order of preference.
    pub rows: Vec<usize>,
    /// Sticking contacts, at first by weight, largest first.
    pub stuck: Vec<(f64, usize)>,
    /// Group of each sticking contact, where there are many.
    pub groups: Vec<usize>,
    /// Where a row of the problem stands in `rates`.
    pub slot: Vec<usize>,
    pub rates: Vec<f64>,
    pub weights: Vec<f64>,
    /// Rates of contacts that bear what they can, zero for all others.
    pub bounds: Vec<f64>,
    /// The rates that the solver is asked for, beyond the bounds, so that those it finds come to lie on them.
    pub aims: Vec<f64>,
    /// How many contacts bear what they can; they come first in `stuck`.
    pub full: usize,
    /// Whether contacts with one tangent hold, together with contacts that have two, what neither hold alone: then the
    /// convex problem decides about both.
    pub shared: bool,
    /// Driving rates of the moment at which grips are decided.
    pub onset: Vec<f64>,
    /// Contacts at rest, about which a decision is made.
    pub candidates: Vec<usize>,
    /// Whether it is made for contacts with two tangents.
    pub decided: bool,
    /// Margin of static friction at the beginning and at the end of the step,
    /// once it is known.
    pub margin: Option<f64>,
    pub margin_end: Option<f64>,
    /// Where within the attempted step, as τ/h, an event comes and goes.
    pub dip: Option<(f64, Kind)>,
    /// First velocities of rows that start to slide.
    pub kick: Vec<f64>,
    /// Shares of the limits, by cone.
    pub shares: Vec<f64>,
}

/// One impact under way.
pub(super) struct Impact<'a> {
    pub problem: &'a ImpactProblem,
    pub data: &'a mut Buffers,
    pub path: Option<ImpactPath>,
    pub budget: Budget<'a>,
    /// Local error per step.
    pub tolerance: f64,
    /// Multiplications of a step, about.
    pub cost: f64,
    /// What a contact becomes when its force ends.
    pub rest: Phase,
    /// δ below this share of its scale is zero: its energy is round-off.
    pub touch: f64,
    /// Whether δ^η is singular at zero.
    pub singular: bool,
    /// Length proposed for the next step, and the longest one as a share of the
    /// time so far (of one unit at first): a path needs points to be drawn, but
    /// the last motions of an impact may take long.
    pub h: f64,
    pub longest: f64,
    /// Length proposed for the next step by the clock of slides.
    pub clock: f64,
    /// Longest step that may begin or end at a singular point.
    pub singular_step: f64,
    pub tau: f64,
    pub steps: usize,
    pub most_steps: usize,
    pub happened: usize,
    /// Changes of contacts so far.
    pub changes: usize,
    /// Changes since τ last grew.
    pub standing: usize,
    /// Whether sliding is stiff, and for how many steps explicit ones have been
    /// at the limit of their stability.
    pub stiff: bool,
    pub unstable: usize,
}

/// Why the integration ended early.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Halted {
    TooManySteps,
    Stalled,
    /// Joints and clutches keep closing this contact whatever it pushes, so that its compression never ends.
    Driven(usize),
    /// Supports that move keep closing this contact, so that its compression never ends.
    Pressed(usize),
    /// After this number of changes between stick, slip and separation the first state is back: they would go on for ever.
    Repeats(usize),
}

impl<'a> Impact<'a> {
    /// The impact before it begins, to be followed in steps of at most `longest` (see [`step::LONGEST`](super::thresholds::step::LONGEST)).
    pub fn new(
        law: &Lzb,
        problem: &'a ImpactProblem,
        options: &'a Options,
        longest: f64,
        data: &'a mut Buffers,
    ) -> Self {
        data.scaled.read(problem, law.exponent, &mut data.gamma);
        let rows = problem.rows();
        data.impulse.clear();
        data.impulse.resize(rows, 0.0);
        data.locked.clear();
        data.locked.resize(rows, false);
        data.hold.slot.clear();
        data.hold.slot.resize(rows, 0);
        data.local.reset(rows);
        data.basis.forget();
        data.active.clear();
        data.contacts.clear();
        data.rounds.clear();
        data.cones.forget();
        let rest = if law.keep_gaps { Phase::Gap } else { Phase::Idle };
        data.contacts.extend(data.scaled.contacts.iter().map(|c| ContactState::new(rest, c.tangents > 0)));
        let budget = Budget::new(&options.limits);
        let own_limit = count::STEPS + 2_000 * problem.contacts().len();
        let path = options.path.then(|| ImpactPath {
            rows,
            coordinates: problem.coordinates(),
            contacts: problem.contacts().len(),
            ..ImpactPath::default()
        });
        Self {
            problem,
            data,
            path,
            tolerance: law.tolerance,
            cost: 0.0,
            rest,
            touch: 10f64.power(-24.0 / (law.exponent + 1.0)),
            singular: law.exponent.fract() != 0.0,
            h: 0.2,
            clock: 0.1,
            singular_step: 8.0 * law.tolerance.power(0.25),
            longest,
            tau: 0.0,
            steps: 0,
            most_steps: law.max_steps.unwrap_or(if budget.is_set() { usize::MAX } else { own_limit }),
            budget,
            happened: 0,
            changes: 0,
            standing: 0,
            stiff: false,
            unstable: 0,
        }
    }

    /// Follows the impact to its end.
    pub fn run(&mut self) -> Result<(), Halted> {
        if self.data.scaled.velocity == 0.0 {
            return Ok(());
        }
        self.react_to_external();
        for c in 0..self.data.contacts.len() {
            if self.data.gamma[self.data.scaled.contacts[c].normal] < -speed::SLOW {
                self.compress(c);
            } else if self.rest == Phase::Gap {
                self.data.active.push(c);
            }
        }
        self.record();
        let (mut steps, mut idle) = (0, 0);
        loop {
            // Round-off of badly scaled masses can make changes undo each other.
            idle = if self.steps == steps { idle + 1 } else { 0 };
            steps = self.steps;
            if idle > count::IDLE {
                return Err(Halted::Stalled);
            }
            self.close_gaps();
            self.settle();
            let wedged = self.moving() && self.stands_still();
            if wedged && self.end_compressions() {
                continue;
            }
            if wedged || !self.moving() {
                if self.start_without_approach() {
                    continue;
                }
                self.hold_energy();
                return Ok(());
            }
            if let Some(c) = self.driven() {
                return Err(Halted::Driven(c));
            }
            if self.repeat()? {
                continue;
            }
            self.cost = self.data.local.cost();
            while !self.advance()? {
                if self.steps.is_multiple_of(count::BETWEEN_CHECKS) {
                    self.check_pressed()?;
                }
            }
            self.check_pressed()?;
        }
    }

    /// Whether the way was lost by round-off, so that other steps may find it.
    pub fn is_lost(&self, ended: Result<(), Halted>) -> bool {
        ended == Err(Halted::Stalled) || self.data.impulse.iter().any(|v| !v.is_finite())
    }

    /// Whether energy is stored, or a contact approaches or closes its gap.
    fn moving(&self) -> bool {
        let data = &self.data;
        data.active.iter().any(|&c| data.stores(c) || data.gamma[data.scaled.contacts[c].normal] < -speed::SLOW)
    }

    /// Begins a compression of contact `c`.
    pub fn compress(&mut self, c: usize) {
        let data = &mut *self.data;
        data.contacts[c].compress(&data.scaled, c);
        if !data.active.contains(&c) {
            data.active.push(c);
        }
    }

    /// Contacts that approach with no gap left begin to compress.
    fn close_gaps(&mut self) {
        for k in 0..self.data.active.len() {
            let c = self.data.active[k];
            let (state, row) = (&self.data.contacts[c], self.data.scaled.contacts[c].normal);
            if state.phase == Phase::Gap && state.delta == 0.0 && self.data.gamma[row] < -speed::SLOW {
                self.compress(c);
            }
        }
    }

    /// Takes contacts without force out of the moving ones, unless their gap is remembered.
    pub fn drop_idle(&mut self) {
        let contacts = &self.data.contacts;
        self.data.active.retain(|&c| contacts[c].phase != Phase::Idle);
    }

    /// Takes over the end of the attempted step of length `h`.
    pub fn commit(&mut self, h: f64) {
        // Steps too short to count leave the impact where it stands.
        if self.tau + h > self.tau {
            self.standing = 0;
        }
        self.tau += h;
        self.book_friction();
        self.book_held();
        let data = &mut *self.data;
        for (p, &row) in data.local.rows.iter().enumerate() {
            data.gamma[row] = data.step.gamma_end[p];
        }
        for (a, &gain) in data.step.gained().iter().enumerate() {
            for &(row, value) in data.local.reaction(a) {
                data.impulse[row] += value * gain;
            }
        }
        for (a, &c) in data.local.drivers.iter().enumerate() {
            let delta = data.step.delta_end(a);
            data.contacts[c].delta = if data.contacts[c].phase == Phase::Gap { delta.min(0.0) } else { delta };
        }
        for slide in &data.local.slides {
            let v = [0, 1].map(|k| data.step.gamma_end[slide.rate + k]);
            if let Grip::Slide { slow, .. } = &mut data.contacts[data.local.drivers[slide.driver]].grip {
                *slow &= v[0].hypotenuse(v[1]) <= 2.0 * speed::HOVERING;
            }
        }
        self.record();
    }

    /// Work of friction over the attempted step, ∫ v_t dP_t.
    fn book_friction(&mut self) {
        let data = &mut *self.data;
        if data.step.length.is_some() {
            for (&c, work) in data.local.drivers.iter().zip(&data.step.implicit.work) {
                data.contacts[c].account.friction += work;
            }
            return;
        }
        for (a, &c) in data.local.drivers.iter().enumerate() {
            let contact = &data.scaled.contacts[c];
            let (Grip::Slip(sign), true) = (data.contacts[c].grip, data.contacts[c].phase.pushes()) else { continue };
            let Some(p) = data.local.find(contact.tangent) else { continue };
            let mut work = 0.0;
            data.step.along(|weight, state, slope| {
                let v = data.step.gamma[p] + data.local.response.dot(p, state);
                work -= weight * sign * contact.kinetic[0] * slope[a] * v;
            });
            data.contacts[c].account.friction += work;
        }
        for (s, slide) in data.local.slides.iter().enumerate() {
            data.contacts[data.local.drivers[slide.driver]].account.friction += data.step.slide_work(s);
        }
    }

    /// Where held directions are dependent, F has only one of the possible
    /// splits; adds the difference to the one of least Σ dP_t²/(μ_s dP_n).
    fn book_held(&mut self) {
        if self.data.basis.dependent.is_empty() {
            return;
        }
        let data = &mut *self.data;
        let step = std::mem::take(&mut data.step);
        step.along(|weight, _, slope| {
            data.basic_rates(slope);
            for (i, &row) in data.basis.independent.iter().enumerate() {
                data.impulse[row] -= weight * data.hold.rates[i];
            }
            data.spread_rates(slope);
            for (i, row) in data.basis.rows().enumerate() {
                data.impulse[row] += weight * data.hold.rates[i];
            }
        });
        data.step = step;
    }

    /// Adds the present state to the path.
    pub fn record(&mut self) {
        let Some(path) = &mut self.path else { return };
        let data = &mut *self.data;
        let scaled = &data.scaled;
        path.tau.push(self.tau * scaled.time);
        data.physical.clear();
        data.physical.extend(data.impulse.iter().zip(&scaled.units.inverse).map(|(l, s)| l * s * scaled.velocity));
        self.problem.apply_impulses(&data.physical, &mut data.velocity);
        path.velocities.extend_from_slice(&data.velocity);
        path.impulses.extend_from_slice(&data.physical);
        path.gamma.extend(data.gamma.iter().zip(&scaled.units.size).map(|(v, s)| v * s * scaled.velocity));
        for (state, contact) in data.contacts.iter().zip(&scaled.contacts) {
            path.compressions.push(state.delta * scaled.units.size[contact.normal] * scaled.velocity * scaled.time);
            path.states.push(state.path_state());
        }
    }
}
