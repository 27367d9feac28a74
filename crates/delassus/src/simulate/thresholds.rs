//! What counts as zero, as closed, as the same and as too often in runs by events, with the reasons for these sizes.
//!
//! Everything is relative: lengths to the bodies' size ℓ, speeds to √(gℓ) or the largest so far, accelerations and forces
//! (times the inverse mass they act on) to the largest acceleration at hand, times to the typical one 1/ω₀. Numbers of
//! type `f64` carry 1e-16, and a handful of operations on them 1e-15: that is where every ladder below starts.

/// Lengths, in units of the bodies' size unless another unit is named.
pub mod length {
    /// Residuals below this are round-off: there is nothing to project.
    pub const ROUND_OFF: f64 = 1e-15;
    /// A gap that starts at zero may fall this far below it before it counts as closing: a hundred times round-off, and
    /// ten thousand times less than the contact tolerance, so that small hops still are motions of their own.
    pub const SLACK: f64 = 1e-13;
    /// Gaps and open joints up to this size, a few contact tolerances, are left as they are where closing them would move
    /// bodies much farther than the gap is wide.
    pub const SMALL: f64 = 3e-9;
    /// From this many times the width on it is "much farther".
    pub const MOST_MOVED: f64 = 5.0;
    /// Residuals above this need a second sweep of the projection: the first leaves their square.
    pub const CURVED: f64 = 1e-8;
    /// Joints that are farther open at the start are an error of the input; what files round to six digits is not.
    pub const JOINT_OPEN: f64 = 1e-6;
    /// Bodies overlap where they do by this many contact tolerances: what closed contacts drift is less than one.
    pub const OVERLAP: f64 = 10.0;
    /// Gaps within this factor of the contact tolerance make it a close call whether a contact takes part in an impact.
    pub const CLOSE_CALL: f64 = 10.0;
    /// Pairs of outlines with a closed contact may overlap by this part of the contact tolerance, which closed contacts
    /// keep to themselves.
    pub const CLOSED_PAIR: f64 = 0.5;
    /// A step that ends deeper than this part of the contact tolerance beyond the event it looked for is taken back.
    pub const BEYOND: f64 = 0.1;
    /// Projections that move bodies by less than this part of the contact tolerance cannot push open contacts in.
    pub const COUNTS: f64 = 0.1;
    /// A body is upside down that is within this part of a quarter turn of it.
    pub const QUARTER_TURN: f64 = 1e-12;
}

/// Speeds.
pub mod speed {
    /// Speeds below this part of the typical one are round-off: steps are good to 1e-10 of positions.
    pub const ZERO: f64 = 1e-9;
    /// They stay below this part of the speed at which impacts accumulate: what accumulates is a motion, not round-off.
    pub const ZERO_OF_ACCUMULATION: f64 = 1e-2;
    /// Without gravity nothing brings bodies back, and impacts accumulate only below this part of the setting.
    pub const WEIGHTLESS: f64 = 1e-4;
    /// In space nothing slides up to this many times zero: slides pass it by a little more than round-off where they stop.
    pub const PASSING: f64 = 10.0;
    /// Hops are slower than this part of the speed at which impacts accumulate.
    pub const HOP: f64 = 0.1;
    /// Contacts that slide more slowly than this part of zero have no direction of their own,
    pub const SLOW: f64 = 1e-3;
    /// nor those that come to slide by this part of their speed at the start of a step: round-off would turn them.
    pub const SLOWER: f64 = 1e-2;
    /// Where a slide or a free clutch starts, its velocity may be this part of zero beyond the stop.
    pub const STOP_SLACK: f64 = 1e-2;
    /// Slides from rest creep up to this part of acceleration over rate; their directions are wrong by as much,
    pub const CREEP: f64 = 1e-6;
    /// and go by this part of their speed at least along the direction of slides from rest.
    pub const CREEPS_ALONG: f64 = 0.5;
    /// Velocities at the start that change by more than this part when joints are made to hold are told.
    pub const PROJECTED: f64 = 1e-6;
    /// Closing small speeds may change others by this factor of theirs.
    pub const DISTURBANCE: f64 = 4.0;
    /// Contacts that are pressed together without a collision approach by this part of the speeds: ten times what
    /// certificates take for zero. Where the law takes it for none, the next attempt is
    pub const PRESSED: f64 = 1e-8;
    /// so many times larger,
    pub const PRESSED_MORE: f64 = 30.0;
    /// up to this attempt.
    pub const PRESSED_MOST: usize = 4;
    /// A system rests whose velocities, in units of scale times rate, are below this
    pub const REST: f64 = 1e-9;
    /// and whose accelerations below this: in the typical time they would move it by less than round-off of a step.
    pub const REST_ACCELERATION: f64 = 1e-11;
}

/// Accelerations and forces, in units of the largest acceleration. They are a ladder: what an event finds must be beyond
/// what the choice of the next mode forgives, or the same event would be found again.
pub mod force {
    /// In a problem of modes smaller accelerations are zero (planar ones are solved exactly).
    pub const ZERO_PLANAR: f64 = 1e-13;
    /// The same in space, where solutions are iterated, without contacts that slide
    pub const ZERO_SPATIAL: f64 = 1e-10;
    /// and with them: their large part along the slide costs four digits.
    pub const ZERO_SPATIAL_SLIDING: f64 = 1e-8;
    /// That large part.
    pub const AHEAD: f64 = 1e4;
    /// Directions of slides from rest are found to this.
    pub const DIRECTION: f64 = 1e-12;
    /// Forces may leave their sets by this before it is an event, so that at the event it is definite;
    pub const MARGIN: f64 = 1e-11;
    /// redundant ones, which are the least of many, by this.
    pub const MARGIN_REDUNDANT: f64 = 1e-10;
    /// A mode fits whose forces and accelerations violate it by no more than this.
    pub const FITS: f64 = 1e-10;
    /// Forces that are farther outside are so beyond doubt, wherever within a step they are seen.
    pub const OUTSIDE: f64 = 1e-9;
    /// Accelerations below this need no force to hold them.
    pub const IDLE: f64 = 1e-8;
    /// Conditions that differ by more contradict each other: a body cannot stick to two supports that move apart.
    pub const CONTRADICTION: f64 = 1e-7;
    /// A slide may start aside of its acceleration by this.
    pub const ASIDE: f64 = 1e-6;
    /// Redundant forces below this part of the largest are zero.
    pub const ROUND_OFF: f64 = 1e-14;
    /// A force may leave its disk by this part of the radius before the disk is cut there.
    pub const CUT: f64 = 1e-12;
    /// A contact without pressure shares redundant friction with this weight against the one with most.
    pub const LEAST_WEIGHT: f64 = 1e-3;
    /// Friction coefficients above this are strong: stick and slip are told apart by the tangential force, which the solver
    /// has as a difference of two numbers of the size of μ times the normal force, so that digits are lost.
    pub const STRONG: f64 = 10.0;
    /// Forces of a slide above so many times those that can press on it are those of a slide that jams.
    pub const JAMMED: f64 = 1e3;
    /// Peaks of forces in space are searched where they rise by more than this part of the contact's pressure: below it
    /// the forces that redundant contacts share are round-off.
    pub const SHARED: f64 = 1e-10;
    /// Forces below this part of the largest so far are not searched for their peak within a step.
    pub const FAR_BELOW: f64 = 0.8;
    /// The most by which the doubt in forces grows; it starts at 1 and grows by
    pub const MOST_DOUBT: f64 = 1e5;
    /// this factor where an event changes no mode.
    pub const MORE_DOUBT: f64 = 10.0;
}

/// Energies.
pub mod energy {
    /// Energies and works that differ by more than this part of the largest energy are told.
    pub const CLOSED: f64 = 1e-6;
    /// An impact that gains more than this part of its energy has gained some; certificates hold to it.
    pub const GAIN: f64 = 1e-9;
    /// Round-off of the potential, in units of the last digit.
    pub const ROUND_OFF: f64 = 16.0;
    /// Energies below this part of the potential, or of what moving by the bodies' size against the forces on them takes,
    /// are those of nothing that moves.
    pub const UNMOVED: f64 = 1e-9;
}

/// Times and steps, in units of the typical time unless another unit is named.
pub mod time {
    /// Samples of a run whose end is not known fill this time at first, short enough that a run of a single swing has as
    /// many as are asked for; they are thinned out where it goes on.
    pub const SAMPLED: f64 = 0.25;
    /// The first step of a run.
    pub const FIRST_STEP: f64 = 1e-3;
    /// Steps below this are not shortened for what closed contacts drift.
    pub const SHORT: f64 = 1e-5;
    /// The error, in units of the tolerance, that a step is given whose closed contacts drift: it is tried again at
    /// about half its size.
    pub const DRIFTED: f64 = 20.0;
    /// The first step of a contact that hops, in units of half the time that the hop lasts.
    pub const HOP: f64 = 0.1;
    /// Steps are not made smaller than this: the time itself is known no better.
    pub const LEAST_STEP: f64 = 1e-15;
    /// A last step this part of the one before is made with it.
    pub const LAST_STEP: f64 = 1e-3;
    /// Least number of steps of a run whose forces depend on time.
    pub const LEAST_STEPS: f64 = 200.0;
    /// Events that are nearer to each other are at one time.
    pub const SAME: f64 = 1e-12;
    /// The interpolant locates events to this part of a step at least.
    pub const CORRECTION: f64 = 1e-4;
    /// Slopes at the end of a step are differences over this part of it.
    pub const DIFFERENCE: f64 = 1e-4;
    /// Roots within a step are found to this part of it: its interpolant is no better.
    pub const ROOT: f64 = 1e-13;
    /// A gap is nearly straight where its slope changes by less than this part of it until it closes.
    pub const STRAIGHT: f64 = 0.1;
    /// [`count::RUSH`](super::count::RUSH) events within this time are a rush.
    pub const RUSH: f64 = 1e-3;
}

/// How often something is tried. None of them decides an answer: each ends what would otherwise never end, and all
/// but those of loops that halve end it with a remark or a status.
pub mod count {
    /// Events at one time after which contact modes do not settle.
    pub const EVENTS_AT_ONCE: usize = 200;
    /// So many events within [`time::RUSH`](super::time::RUSH) make a run go on by time-stepping where that is wanted: a
    /// ball that bounces with e = 0.99 has fewer.
    pub const RUSH: usize = 1000;
    /// Impacts at one time before restitution is dropped;
    pub const REPEATED: usize = 50;
    /// so many more, and the law gives no answer;
    pub const REPEATED_INELASTIC: usize = 10;
    /// impacts at one time after which small speeds are no longer closed, because that makes others approach.
    pub const CLOSINGS: usize = 3;
    /// Impacts without collision at one time (Painlevé).
    pub const PAINLEVE: usize = 20;
    /// Searches for an event before which forces left their sets.
    pub const LEFT_SETS: usize = 4;
    /// Corrections of the size of the step that ends at an event; two are common.
    pub const CORRECTIONS: usize = 6;
    /// Halvings of a step where the interpolant does not locate an event, or of an interval for a root or a peak.
    pub const HALVINGS: usize = 40;
    /// Steps of the Illinois rule; ten are common.
    pub const ROOT: usize = 80;
    /// Looks at a step to see whether a gap closes within it,
    pub const LOOKS: usize = 120;
    /// the last ones of them evenly.
    pub const EVEN_LOOKS: usize = 16;
    /// Sides that take turns in separating two outlines within a step.
    pub const SIDES: usize = 16;
    /// Cuts of disks down to what forces need.
    pub const CUTS: usize = 12;
    /// Corrections of the directions of slides from rest,
    pub const TURNS: usize = 20;
    /// by this angle at most \[rad\].
    pub const LARGEST_TURN: f64 = 0.5;
}
