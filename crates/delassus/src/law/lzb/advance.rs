//! Steps, their control, and the location of events: the state at an event is
//! the end of a step, never an interpolant.

use super::events::{Event, Kind};
use super::impact::{Halted, Impact};
use super::state::{Grip, Phase};
use super::step::Course;
use super::thresholds::{friction, speed, step};
use crate::elementary::Elementary;

/// What the end of an attempted step asks for.
enum Attempt {
    /// Take it; the events listed are reached.
    Accept,
    /// Events belong to the beginning: change, then try again.
    Change,
    /// Try this length, looking for that event.
    Retry(f64, Kind),
}

/// A length and the function of an event there.
type Point = (f64, f64);

/// Lengths between which an event lies, and its function there.
#[derive(Debug, Clone, Copy)]
struct Bracket {
    low: f64,
    high: f64,
    g_low: f64,
    g_high: f64,
    kind: Option<Kind>,
    /// The last two lengths short of the event and beyond it, the newest first.
    short: [Point; 2],
    beyond: [Point; 2],
    /// Where the line through those beyond vanishes, and by how much that differed from the line before.
    aim: f64,
    miss: f64,
    /// How often lines were followed since the bracket had this width.
    lines: usize,
    width: f64,
}

/// So many lines must halve a bracket, else it is halved without them.
const LINES: usize = 4;

const UNKNOWN: f64 = f64::NAN;

impl Default for Bracket {
    fn default() -> Self {
        let (kind, short) = (None, [(UNKNOWN, UNKNOWN); 2]);
        let (low, high, g_low, g_high, aim, miss) = (0.0, f64::INFINITY, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN);
        Self { low, high, g_low, g_high, kind, short, beyond: short, aim, miss, lines: 0, width: f64::INFINITY }
    }
}

/// Where the line through two points vanishes; NaN if one is not known.
fn root_of_line([(a, g_a), (b, g_b)]: [Point; 2]) -> f64 {
    a - g_a * (b - a) / (g_b - g_a)
}

impl Bracket {
    fn take(&mut self, event: &Event) {
        if self.kind != Some(event.kind) {
            let g_low = if self.low == 0.0 { event.begin } else { UNKNOWN };
            *self = Self { low: self.low, high: self.high, g_low, kind: Some(event.kind), ..Self::default() };
            self.short[0] = (self.low, g_low);
        }
    }

    /// The event is passed at `h`. If it was so the last time too, the other
    /// end counts half (the Illinois method).
    fn shorten(&mut self, h: f64, event: &Event) {
        self.take(event);
        if !self.g_high.is_nan() {
            self.g_low *= 0.5;
        }
        (self.high, self.g_high) = (h, event.end);
        self.beyond = [(h, event.end), self.beyond[0]];
    }

    /// The event is not reached at `h`.
    fn lengthen(&mut self, h: f64, event: &Event) {
        self.take(event);
        self.g_high *= 0.5;
        (self.low, self.g_low) = (h, event.end);
        self.short = [(h, event.end), self.short[0]];
    }

    /// Where the function should vanish; NaN if that cannot be said.
    fn middle(&mut self) -> f64 {
        if self.kind == Some(Kind::BreakAway) {
            return self.bend();
        }
        self.low + (self.high - self.low) * self.g_low / (self.g_low - self.g_high)
    }

    /// Where the margin of static friction vanishes. It falls along one line until nothing can be held, or only says that all is
    /// held, and along another one beyond. So the lines through the last two lengths of either side lead to the place.
    fn bend(&mut self) -> f64 {
        self.lines += 1;
        if self.lines > LINES {
            let slow = self.high - self.low > 0.5 * self.width;
            (self.lines, self.width) = (0, self.high - self.low);
            if slow {
                return 0.5 * (self.low + self.high);
            }
        }
        let within = |x: f64| x > self.low && x < self.high;
        let aim = root_of_line(self.beyond);
        if within(aim) {
            (self.miss, self.aim) = ((aim - self.aim).abs(), aim);
            return aim;
        }
        let [short, beyond] = [self.short[0], self.beyond[0]];
        let ahead = root_of_line(self.short);
        if short.1 > friction::FLAT && within(ahead) {
            return ahead;
        }
        if short.1 > friction::FLAT && beyond.1.abs() > 0.05 * short.1 {
            return root_of_line([short, beyond]);
        }
        // The line from beyond was tried: it may lack about as much as it has moved the last time.
        let ahead = self.miss.min(0.1 * (self.high - self.low));
        self.miss *= 4.0;
        if aim.is_nan() { 0.5 * (self.low + self.high) } else { self.low + ahead }
    }
}

impl Impact<'_> {
    /// Makes one step. Returns whether a contact changed.
    pub fn advance(&mut self) -> Result<bool, Halted> {
        if let Some(h) = self.leap() {
            self.count_step()?;
            self.commit(h);
            self.fade();
            self.apply(true);
            return Ok(true);
        }
        let (mut h, mut course, mut target) = self.propose();
        let mut bracket = Bracket::default();
        let mut rejected = false;
        loop {
            self.count_step()?;
            let data = &mut *self.data;
            let error = data.step.attempt(&data.local, &data.scaled, h, course, self.tolerance);
            if error.is_nan() || error > 1.0 {
                rejected = true;
                h *= if error.is_finite() { (0.9 * course.growth(error)).clamp(0.1, 0.8) } else { 0.1 };
                if matches!(course, Course::Begin | Course::End) {
                    self.singular_step = h;
                }
                if h < step::SHORTEST * (1.0 + self.tau) {
                    return Err(Halted::Stalled);
                }
                if course == Course::Clock {
                    self.clock = h;
                } else {
                    self.h = h;
                }
                (bracket, target) = (Bracket::default(), None);
                if course == Course::End {
                    course = Course::Plain;
                }
                continue;
            }
            data.step.finish(&data.local, &data.scaled);
            if data.step.goes_again() {
                continue;
            }
            data.scan(h, self.touch, target);
            match self.judge(h, &mut bracket, target) {
                Attempt::Retry(length, kind) => {
                    h = length;
                    target = Some(kind);
                    course = match (course, kind) {
                        (Course::Begin | Course::Implicit, _) => course,
                        (Course::Clock, _) => course,
                        (_, Kind::Open(_)) if self.singular => Course::End,
                        _ => Course::Plain,
                    };
                }
                Attempt::Change => {
                    self.standing += 1;
                    if self.standing > 50 + 4 * self.data.contacts.len() {
                        return Err(Halted::Stalled);
                    }
                    self.apply(false);
                    return Ok(true);
                }
                Attempt::Accept => {
                    if matches!(course, Course::Begin | Course::End) {
                        self.singular_step =
                            h * if error > 0.0 { (0.9 * course.growth(error)).clamp(0.3, 3.0) } else { 3.0 };
                    }
                    let next = if course == Course::Implicit { course } else { Course::Plain };
                    // Towards rest, what was too long just now will hardly be short enough in the next step.
                    let most = if rejected && course == Course::Clock { 1.0 } else { 6.0 };
                    let grown = h * if error > 0.0 { (0.9 * next.growth(error)).clamp(0.3, most) } else { most };
                    let duration = self.data.step.duration(h);
                    self.watch_stiffness(course, duration, grown);
                    let length = if course == Course::Clock { &mut self.clock } else { &mut self.h };
                    *length = if self.data.events.is_empty() { grown } else { length.max(grown) };
                    // Towards rest steps by the clock become longer, which says nothing about those after it.
                    self.clock =
                        self.clock.min(if self.data.events.is_empty() { f64::INFINITY } else { step::CLOCKED });
                    self.commit(duration);
                    let faded = self.fade();
                    if self.data.events.is_empty() && !faded {
                        self.data.step.advance();
                        self.data.hold.margin = self.data.hold.margin_end.take();
                        return Ok(false);
                    }
                    self.apply(true);
                    return Ok(true);
                }
            }
        }
    }

    fn count_step(&mut self) -> Result<(), Halted> {
        self.steps += 1;
        let within = self.steps <= self.most_steps && self.budget.take(self.cost);
        if within { Ok(()) } else { Err(Halted::TooManySteps) }
    }

    /// Chooses between explicit and implicit steps, by whether stability rather
    /// than accuracy limits the explicit ones.
    fn watch_stiffness(&mut self, course: Course, h: f64, grown: f64) {
        if self.data.local.slides.is_empty() {
            (self.stiff, self.unstable) = (false, 0);
            return;
        }
        let (rate, _) = self.data.step.fastest_turn(&self.data.local);
        if course == Course::Implicit {
            self.stiff = grown * rate > step::STABLE;
            self.unstable = 0;
        } else if h * rate > 0.5 * step::STABLE {
            self.unstable += 1;
            self.stiff = self.unstable >= step::PATIENCE;
            if self.stiff {
                // The length remembered may be that of steps long ago, which others made short.
                self.h = self.h.max(step::IMPLICIT * h);
            }
        } else {
            self.unstable = 0;
        }
    }

    /// Length and course of the next step, and the opening it aims at.
    fn propose(&self) -> (f64, Course, Option<Kind>) {
        let data = &self.data;
        let (rate, slower) = data.step.fastest_turn(&data.local);
        let longest = self.longest * self.tau.max(1.0);
        let mut h = self.h.min(longest);
        let very_stiff = self.h * rate > step::VERY_STIFF || rate > step::SLOWEST;
        if self.stiff || very_stiff && !slower {
            return (h, Course::Implicit, None);
        }
        let pace = data.step.pace_begin();
        if pace < step::BEHIND {
            h = (self.clock * pace).min(longest);
        }
        let forceless = data.step.forceless();
        let mut first = f64::INFINITY;
        let (mut course, mut target) = (Course::Plain, None);
        for (a, &c) in data.local.drivers.iter().enumerate() {
            let (v, delta) = (data.step.gamma[a], data.step.delta(a));
            match data.contacts[c].phase {
                Phase::Compression if delta == 0.0 && v < -speed::SLOW && self.singular => course = Course::Begin,
                Phase::Expansion if self.singular && delta > 0.0 => {
                    let acceleration = data.local.response.dot(a, data.step.driving()).max(0.0);
                    let time = opening(delta, data.step.factor(a), v, acceleration);
                    if time >= self.singular_step {
                        if data.step.driving()[a] * time > step::NOTICED * self.tolerance {
                            h = h.min(step::TOWARDS_OPENING * time);
                        }
                    } else if time < first {
                        (first, target) = (time, Some(Kind::Open(c)));
                    }
                }
                // Nothing but free motion: go to where the first gap closes.
                Phase::Gap if forceless && v < -speed::SLOW && delta < 0.0 => first = first.min(delta / v),
                _ => {}
            }
        }
        if forceless && first.is_finite() && target.is_none() && !data.contacts.iter().any(|c| c.phase.pushes()) {
            return (first, Course::Plain, None);
        }
        if course == Course::Begin || target.is_none() {
            if course == Course::Begin {
                h = h.min(self.singular_step);
            }
            if course == Course::Plain && pace < step::BEHIND {
                return (h / pace, Course::Clock, None);
            }
            return (h, course, None);
        }
        (first, Course::End, target)
    }

    /// Judges the end of an attempted step by the events listed.
    fn judge(&mut self, h: f64, bracket: &mut Bracket, target: Option<Kind>) -> Attempt {
        let touch = self.touch;
        let data = &mut *self.data;
        if data.step.forceless() && data.events.iter().any(Event::passed) {
            data.find_onset();
        }
        let mut events = std::mem::take(&mut data.events);
        let at_begin = |e: &Event| {
            // A function that first rises belongs to a later point of the step.
            let rises = || e.slope_begin > 0.0 || data.rises_at_onset(e);
            e.passed()
                && match e.kind {
                    Kind::Approach(c) => e.begin <= speed::SLOW && !rises() && !data.waits(c, e),
                    Kind::Turn(c) => {
                        let a = data.local.find(data.scaled.contacts[c].normal).unwrap_or(0);
                        let never = data.step.delta_end(a) <= touch * data.step.reach(a);
                        !e.armed() && (e.slope_begin < 0.0 || never && !rises())
                    }
                    _ => !e.armed() && !rises(),
                }
        };
        if events.iter().any(at_begin) {
            events.retain(at_begin);
            data.events = events;
            return Attempt::Change;
        }
        data.events = events;
        let root = |e: &Event| match e.kind {
            // Where forces begin v grows as τ^{η+1} or faster: to the middle of what is late.
            Kind::Approach(c) if !e.armed() && data.waits(c, e) => {
                h * (-5.0 * speed::SLOW / e.end).power(1.0 / (data.scaled.exponent + 1.0))
            }
            _ => e.root(h, data.step.clock),
        };
        let first =
            (data.events.iter().filter(|e| e.passed())).map(|e| (root(e), *e)).min_by(|a, b| a.0.total_cmp(&b.0));
        let dip = data.hold.dip.filter(|dip| target.is_none() && first.is_none_or(|f| dip.0 * h < f.0));
        if let Some((place, kind)) = dip {
            return Attempt::Retry(place * h, kind);
        }
        let (guess, kind) = match (first, target) {
            (Some((root, event)), _) => {
                bracket.shorten(h, &event);
                (if event.slope_end.is_nan() { bracket.middle() } else { root }, event.kind)
            }
            (None, Some(kind)) => match data.events.iter().find(|e| e.kind == kind) {
                // Short of the event: go on from here by its slope.
                Some(e) if e.end > e.tolerance => {
                    bracket.lengthen(h, e);
                    let ahead = if e.slope_end < 0.0 {
                        h - e.end / (data.step.clock[1] * e.slope_end)
                    } else {
                        bracket.middle()
                    };
                    if bracket.high.is_infinite() && (ahead.is_nan() || ahead >= 1.5 * h) {
                        return self.accept();
                    }
                    (ahead, kind)
                }
                _ => return self.accept(),
            },
            (None, None) => return self.accept(),
        };
        let (low, high) = (bracket.low, bracket.high);
        if high - low <= 4.0 * f64::EPSILON * high.min(1e300) {
            // As close as numbers allow: the event is here.
            return Attempt::Accept;
        }
        let length = if guess > low && guess < high { guess } else { 0.5 * (low + high) };
        Attempt::Retry(length, kind)
    }

    fn accept(&mut self) -> Attempt {
        self.data.events.retain(|e| e.reached() || e.late());
        Attempt::Accept
    }

    /// Lets the listed events happen. `after` a step, or else at its beginning.
    fn apply(&mut self, after: bool) {
        let mut events = std::mem::take(&mut self.data.events);
        for event in events.drain(..) {
            self.happened += 1;
            let data = &mut *self.data;
            match event.kind {
                Kind::Turn(c) => {
                    data.contacts[c].turn(&data.scaled, c, self.rest);
                }
                Kind::Open(c) => data.contacts[c].open(&data.scaled, c, self.rest),
                Kind::Recompress(c) | Kind::Approach(c) => self.compress(c),
                Kind::Close(c) => {
                    data.contacts[c].delta = 0.0;
                    self.compress(c);
                }
                Kind::Rest(c) => data.contacts[c].grip = Grip::Undecided,
                Kind::BreakAway | Kind::Engage(_) => {}
            }
        }
        self.data.events = events;
        self.drop_idle();
        if after {
            self.rest_together();
        }
    }

    /// Lets go of contacts with neither energy nor velocity. Returns whether
    /// there were any.
    fn fade(&mut self) -> bool {
        let data = &mut *self.data;
        let mut any = false;
        for (a, &c) in data.local.drivers.iter().enumerate() {
            let step = &data.step;
            let empty = step.delta_end(a) <= self.touch * step.reach(a) && step.gamma_end[a].abs() <= speed::SLOW;
            if empty && data.contacts[c].phase.pushes() {
                data.contacts[c].open(&data.scaled, c, self.rest);
                any = true;
            }
        }
        any
    }

    /// Contacts that share a tangential velocity, or stop with everything else,
    /// come to rest together.
    fn rest_together(&mut self) {
        let data = &mut *self.data;
        for &c in &data.active {
            let row = data.scaled.contacts[c].tangent;
            let rests = match data.contacts[c].grip {
                Grip::Slip(_) => {
                    let was = data.local.find(row).map_or(0.0, |p| data.step.gamma[p]);
                    data.gamma[row].abs() <= 10.0 * speed::SLOW && was.abs() > 100.0 * speed::SLOW
                }
                Grip::Slide { slow, .. } => {
                    let speed = data.gamma[row].hypotenuse(data.gamma[row + 1]);
                    let was =
                        data.local.find(row).map_or(0.0, |p| data.step.gamma[p].hypotenuse(data.step.gamma[p + 1]));
                    speed <= speed::HOVERING && (!slow || speed < was)
                }
                _ => false,
            };
            if rests {
                data.contacts[c].grip = Grip::Undecided;
            }
        }
    }
}

/// Time until δ = 0 with dδ = −cv dτ and v growing at the present rate.
fn opening(delta: f64, factor: f64, v: f64, acceleration: f64) -> f64 {
    let way = delta / factor;
    let root = (v * v + 2.0 * acceleration * way).sqrt();
    2.0 * way / (v.max(0.0) + root)
}
