//! What counts as zero, as the same and as too often while an impact is followed, with the reasons for these sizes.
//!
//! An impact is followed in scaled numbers (`scaled`): the diagonal of Ĝ is 1, all velocities are at most 1 at the start,
//! energies are in units of the kinetic energy, rates in units of the largest at hand. Steps are exact to 1e-13
//! ([`speed::EXACT`]); whatever is decided is decided above that, and what an event has found must be beyond what the
//! choice of the next mode forgives, or the same event would be found again:
//!
//! ```text
//! 1e-14 NOT_STARTED < 1e-13 EXACT < 1e-12 SLOW < 3e-12 FIRST < 1e-11 STANDSTILL < 1e-10 HOVERING < 1e-9 STILL
//! ```

/// Scaled velocities.
pub mod speed {
    /// A slide that starts and falls below this has not started.
    pub const NOT_STARTED: f64 = 1e-14;
    /// Tolerance of velocities in a step: well below [`SLOW`], so that the last motions of an impact are still followed
    /// rightly.
    pub const EXACT: f64 = 1e-13;
    /// Speeds below this are zero.
    pub const SLOW: f64 = 1e-12;
    /// First velocity of what starts to slide: beyond zero, and below a standstill of what slides already.
    pub const FIRST: f64 = 3e-12;
    /// Below this speed a contact that slides in two directions stands still.
    pub const STANDSTILL: f64 = 1e-11;
    /// Below this it stands still as well if it stays there for a whole step: then it hovers about zero.
    pub const HOVERING: f64 = 1e-10;
    /// Velocities that held directions determine are known to this.
    pub const STILL: f64 = 1e-9;
    /// γ of joints and clutches may be this share of the largest velocity.
    pub const CONSISTENT: f64 = 1e-9;
    /// The path that leaves rest is joined at this share of the sliding speed.
    pub const JOIN: f64 = 1e-6;
    /// Of directions that start to slide, one that is slower than this share of the fastest stays at rest for now.
    pub const HARDLY: f64 = 1e-4;
    /// A sliding velocity, however small, is known to this share: it has a direction.
    pub const STRAYING: f64 = 0.01;
}

/// Rates of change along the path, as shares of the largest.
pub mod rate {
    /// Sweeps that change rates by less have settled.
    pub const SETTLED: f64 = 1e-15;
    /// Rates up to this are round-off.
    pub const NO_RATE: f64 = 1e-13;
    /// Rates up to this share of the forces that cancel in them are none.
    pub const BALANCED: f64 = 1e-11;
    /// A slope −dv/dP above this makes rest unstable.
    pub const UNSTABLE: f64 = 1e-9;
    /// Accelerations below this are none. Let go too late, a contact misses the square of this velocity.
    pub const NO_ACCELERATION: f64 = 1e-8;
}

/// Energies.
pub mod energy {
    /// Energies below this are nothing: the square of [`speed::SLOW`](super::speed::SLOW).
    pub const NONE: f64 = 1e-24;
    /// Shares of energy below this are not worth mentioning.
    pub const MENTIONED: f64 = 1e-12;
    /// Energies so many times that of the motion before come from supports that go on pressing;
    pub const PUMPED: f64 = 1e12;
    /// fewer times where nothing but a support moves the contact.
    pub const PRESSED: f64 = 1e4;
}

/// Friction: shares of its limit, coefficients, and weights of the split among dependent directions.
pub mod friction {
    /// Friction holds up to this share of its static limit. Break-away is noticed above twice the excess, so that
    /// deciding and noticing cannot alternate.
    pub const LIMIT: f64 = 1.0 + 1e-11;
    /// Contacts that bear all they can bear this share: so near to where they are found out that what others have to bear
    /// besides does not jump there. (With a jump, break-away would be noticed where deciding still finds all held.)
    pub const FULL: f64 = 1.0 + 0.99 * (LIMIT - 1.0);
    /// Contacts that bear all they can, and share what is beyond it, use more than this.
    pub const TOGETHER: f64 = 1.0 + 1e-12;
    /// Margins of static friction (1 minus the share) up to this only say that it still holds.
    pub const FLAT: f64 = 4.0 * (LIMIT - 1.0);
    /// Margins above this are not looked at within a step.
    pub const NEAR: f64 = 0.3;
    /// Where one of them is below this, more stages of the step are looked at.
    pub const CLOSE: f64 = 0.1;
    /// In the smoothed problem of contacts at rest in space a share of the limit this close to 1 is at the limit.
    pub const AT_LIMIT: f64 = 1e-8;
    /// Last ε of that smoothing. Friction lacks ½(ε/a)² of its limit at the acceleration a, which must not matter at
    /// [`rate::NO_ACCELERATION`](super::rate::NO_ACCELERATION).
    pub const SHARPEST: f64 = 1e-13;
    /// Scaled coefficients above this act as this one: slip then ends after a normal impulse of about its inverse.
    pub const ROUGHEST: f64 = 1e9;
    /// A coefficient below this share of that along the other tangent is none.
    pub const SMOOTHEST: f64 = 1e-8;
    /// A pivot below this share of its diagonal entry (1) marks a direction that depends on others.
    pub const DEPENDENT: f64 = 1e-10;
    /// Of what a direction depends on, shares below this are round-off.
    pub const UNCOUPLED: f64 = 1e-14;
    /// Weights below this share of the largest count as this: their quotients would magnify the round-off of directions
    /// that are not coupled.
    pub const FAINT: f64 = 1e-14;
    /// Contacts that bear what they can get this share of their weight in the split of the rest.
    pub const STIFF: f64 = 1e-6;
    /// Weight of rows whose reaction costs nothing.
    pub const FREE: f64 = 1e300;
}

/// Lengths of steps.
pub mod step {
    /// A step this much shorter than the time so far makes no progress.
    pub const SHORTEST: f64 = 1e-15;
    /// The longest step of an impact as a share of the time since it began. Where contacts change without progress at
    /// the level of round-off, or numbers grow beyond all bounds, other steps lead past that place.
    pub const LONGEST: [f64; 3] = [f64::INFINITY, 0.05, 0.013];
    /// Steps towards an opening, where δ^η is singular, succeed up to about this share of the way.
    pub const TOWARDS_OPENING: f64 = 0.45;
    /// An impulse still to come, in tolerances, that makes itself felt there.
    pub const NOTICED: f64 = 1e7;
    /// How much a clock slows down that follows slides: c of dτ = dσ/(1 + cρ).
    pub const CLOCK: f64 = 0.2;
    /// The longest step by it after an event.
    pub const CLOCKED: f64 = 0.1;
    /// Where it is slower than this it is used.
    pub const BEHIND: f64 = 0.9;
    /// Explicit steps are stable up to about this length times the rate at which slides turn.
    pub const STABLE: f64 = 5.0;
    /// So many explicit steps at the limit of stability are cheaper than going implicit.
    pub const PATIENCE: usize = 15;
    /// How many times as long as these the first implicit step is at least.
    pub const IMPLICIT: f64 = 4.0;
    /// Up to this product of length and rate an implicit step need not be so for a slide.
    pub const NOT_STIFF: f64 = 0.1;
    /// Beyond this product of length and rate no explicit step is tried.
    pub const VERY_STIFF: f64 = 1e3;
    /// Above this rate velocities are so small that explicit steps do not know their direction.
    pub const SLOWEST: f64 = 1e8;
    /// The extrapolation of implicit steps knows differences no better than this.
    pub const ROUND_OFF: f64 = 1e-12;
    /// The error of a step that goes beyond rest: about half the length is tried next.
    pub const TURNS_BACK: f64 = 128.0;
}

/// Steps in which only lively contacts are followed (`parted`).
pub mod parted {
    /// With fewer pushing contacts all are followed.
    pub const MANY: usize = 64;
    /// One of so many may be lively.
    pub const FEW: usize = 3;
    /// Up to so many times as many as need be, and so many more, are followed rather than to choose them again.
    pub const TIMES: usize = 4;
    pub const SPARE: usize = 8;
    /// They are chosen for a time so much longer, so that the next steps need no others.
    pub const AHEAD: f64 = 1.25;
    /// What impulses by series may lack, as a share of what they may in a step.
    pub const DOUBT: f64 = 0.01;
    /// How far series are used, as a share of the time in which a slide or a spring changes altogether.
    pub const RADIUS: f64 = 0.1;
    /// Series that began further back than this share of a step give way to new ones if too few reach its end.
    pub const STALE: f64 = 0.25;
    /// A contact that its series misleads by this share of what a step may lack is lively from the next choice on.
    pub const DRIFTED: f64 = 0.005;
    /// A step that misleads one by this share is made again.
    pub const ASTRAY: f64 = 0.02;
    /// So often; then all contacts are followed.
    pub const AGAIN: usize = 3;
}

/// Changes of contacts that come again and again, and the limit that they tend to (`repeat`).
pub mod rounds {
    /// Changes of contacts after which rounds are looked for,
    pub const PATIENCE: usize = 100;
    /// and so many more for each contact.
    pub const PATIENCE_EACH: usize = 20;
    /// Most changes in a round.
    pub const LONGEST: usize = 400;
    /// States that are compared.
    pub const COMPARED: usize = 5;
    /// Rounds after which another length is tried.
    pub const ROUNDS: usize = 30;
    /// Limits that change by less from round to round are found; so are those that change by less than ten times that
    /// and ten times less each time.
    pub const FOUND: f64 = 1e-11;
    /// Velocities, and roots of energies, below this are nothing in a limit.
    pub const NOTHING: f64 = 1e-9;
    /// Smaller motions are not said to be endless.
    pub const SWINGS: f64 = 1e-4;
}

/// How often something is tried. None of them decides an answer: each ends what would otherwise never end.
pub mod count {
    /// Most steps of an impact with few contacts. With ratios of stiffness of 1e12 one needs up to 150 000.
    pub const STEPS: usize = 250_000;
    /// Steps without event after which it is asked whether supports go on pressing.
    pub const BETWEEN_CHECKS: usize = 64;
    /// Changes of contacts without a step between them after which the impact is given up.
    pub const IDLE: usize = 10_000;
    /// Sweeps of the projection that decides contacts and clutches at rest together.
    pub const SWEEPS: usize = 20_000;
    /// Corrections that bring contacts which bear what they can to their limits.
    pub const CORRECTIONS: usize = 3;
    /// Newton steps of contacts at rest in space for each smoothing,
    pub const CONE_STEPS: usize = 20;
    /// for the last one,
    pub const LAST_CONE_STEPS: usize = 60;
    /// and from the solution before.
    pub const NEXT_CONE_STEPS: usize = 6;
    /// Trials of the length of each of them.
    pub const CONE_TRIALS: usize = 30;
}
