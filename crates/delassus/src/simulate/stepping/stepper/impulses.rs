//! The contact problem of a step: solved, and solved again without restitution where bodies are held from several sides.

use super::Stepper;
use crate::model::SUPPORT;
use crate::simulate::stepping::blocks::Block;
use crate::simulate::stepping::sweep::Solved;
use crate::simulate::trajectory::StepReport;
use crate::solve::contact::ContactSettings;

/// Residual of the contact problem, in units of the largest velocity that calls for impulses: of up to that many
/// contacts, and of more.
const TOLERANCE: (usize, f64, f64) = (100, 1e-8, 1e-6);
/// Velocities of contacts and joints that are round-off, in units of that of what they are summed up from.
const ROUND_OFF: f64 = 16.0;
/// Work of contacts in a step, in units of what its parts add up to without their signs, that no residual makes.
const GAIN: f64 = 1e-5;

impl<const D: usize, const R: usize> Stepper<'_, D, R> {
    /// Gives the contacts of a step of size `h` the impulses that they had in the last one, and tells which were there.
    pub(super) fn recall(&mut self, h: f64) {
        let mut at = 0;
        self.places.clear();
        self.lasting.clear();
        for (touch, block) in self.touches.iter().zip(&mut self.blocks) {
            // Contacts come in much the same order from step to step; others are looked up.
            let next = self.last.get(at).is_some_and(|(key, _)| *key == touch.key);
            let mut place = next.then_some(at);
            if !next && !self.last.is_empty() {
                if self.places.is_empty() {
                    self.places.extend(self.last.iter().enumerate().map(|(k, (key, _))| (*key, k)));
                    crate::small::sort(&mut self.places);
                }
                let found = self.places.binary_search_by_key(&touch.key, |(key, _)| *key);
                place = found.ok().map(|k| self.places[k].1);
            }
            self.lasting.push(place.is_some());
            if let Some(k) = place {
                at = k + 1;
                block.x = self.last[k].1.map(|x| x * h / self.h);
            }
        }
    }

    /// The residual wanted for the contacts at hand.
    pub fn tolerance(&self) -> f64 {
        self.tolerance_of(self.blocks.len())
    }

    /// The residual wanted for so many contacts and joints.
    pub(super) fn tolerance_of(&self, count: usize) -> f64 {
        let (few, fine, coarse) = TOLERANCE;
        self.settings.limits.tolerance.unwrap_or(if count <= few { fine } else { coarse })
    }

    /// The impulses of a step of size `h`.
    pub(super) fn impulses(&mut self, h: f64) {
        let tolerance = self.tolerance();
        let before = self.trajectory.stats.selections;
        let mut solved = self.solve(tolerance);
        if self.bounces.iter().any(|bounce| *bounce != [0.0; R]) && self.calm(solved.residual > tolerance) {
            self.jammed += 1;
            self.v.clear();
            self.v.extend_from_slice(self.free.u.as_chunks().0);
            solved = self.solve(tolerance);
        }
        let stats = &mut self.trajectory.stats;
        stats.residual = stats.residual.max(solved.residual);
        let (contacts, iterations) = (self.blocks.len(), stats.selections - before);
        self.untold = self.untold.and(StepReport { count: 1, contacts, iterations, residual: solved.residual });
        self.unsolved += usize::from(solved.residual > tolerance);
        // In a shorter last step nothing is to be remembered wrongly.
        let scale = self.h / h;
        self.last.clear();
        let contacts = self.touches.len();
        self.last.extend(self.touches.iter().zip(&self.blocks).map(|(t, b)| (t.key, b.x.map(|x| x * scale))));
        self.joint_impulses.clear();
        self.joint_impulses.extend(self.blocks[contacts..].iter().map(|b| b.x));
    }

    /// Solves the problem of the step from the impulses at hand.
    fn solve(&mut self, tolerance: f64) -> Solved {
        let (mut unit, mut size) = (0.0f64, 0.0f64);
        for block in &self.blocks {
            let (gamma, terms) = (block.velocity(&self.v), block.terms(&self.v));
            for r in 0..R {
                unit = unit.max((gamma[r] + block.constant[r]).abs());
                size = size.max(terms[r] + block.constant[r].abs());
            }
        }
        // What is left of velocities that cancel calls for nothing: no impulses, those of the last step neither.
        let round_off = ROUND_OFF * f64::EPSILON * size;
        if unit <= round_off {
            self.called = 0.0;
            self.blocks.iter_mut().for_each(|block| block.x = [0.0; R]);
            return Solved::default();
        }
        // Nor can a residual be less than round-off is.
        let unit = unit.max(round_off / tolerance);
        self.called = unit;
        for block in &self.blocks {
            block.push(&block.x, &mut self.v);
        }
        let wanted = ContactSettings { method: self.settings.limits.method, tolerance, warm: true };
        let solved = self.sweeper.solve(&mut self.blocks, &mut self.v, &self.inverse_masses, &wanted, unit);
        self.trajectory.stats.selections += solved.sweeps;
        solved
    }

    /// Takes restitution from the groups of bodies whose contacts would add energy with it, or, where the problem was
    /// left `unsolved`, from all: a body held from two sides cannot bounce off one of them, while without restitution
    /// there is always an answer, and it never adds energy. One contact alone can always bounce; what its law adds then
    /// is the law's. Gives whether there was any to take.
    fn calm(&mut self, unsolved: bool) -> bool {
        let groups = self.groups();
        let mut works = vec![Work::default(); self.system.count()];
        let contacts = self.blocks[..self.touches.len()].iter().zip(&self.touches).zip(&self.before);
        for (k, ((block, touch), before)) in contacts.enumerate() {
            let work = &mut works[groups[k]];
            let end = block.velocity(&self.v);
            work.contacts += 1;
            for r in 0..R {
                let end = end[r] + touch.offset[1][r];
                work.sum += 0.5 * block.x[r] * (before[r] + end);
                work.size += 0.5 * block.x[r].abs() * (before[r].abs() + end.abs());
            }
        }
        let mut any = false;
        for (k, bounce) in self.bounces.iter_mut().enumerate() {
            let work = &works[groups[k]];
            let jams = work.contacts > 1 && (unsolved || work.sum > GAIN * work.size);
            if jams && *bounce != [0.0; R] {
                let block = &mut self.blocks[k];
                (0..R).for_each(|r| block.constant[r] -= bounce[r]);
                (block.x, *bounce, any) = ([0.0; R], [0.0; R], true);
            }
        }
        any
    }

    /// For each body one that stands for its group: all that contacts and joints of this step hold together.
    pub(super) fn leaders(&self) -> Vec<usize> {
        let mut leader: Vec<usize> = (0..self.system.count()).collect();
        for block in &self.blocks {
            if let [a, b] = block.bodies
                && a != SUPPORT
                && b != SUPPORT
            {
                let [a, b] = [a, b].map(|body| lead(&mut leader, body));
                leader[a] = b;
            }
        }
        (0..leader.len()).map(|body| lead(&mut leader, body)).collect()
    }

    /// The same for each block.
    fn groups(&self) -> Vec<usize> {
        let leaders = self.leaders();
        let moving = |block: &Block<D, R>| if block.bodies[0] == SUPPORT { block.bodies[1] } else { block.bodies[0] };
        self.blocks.iter().map(|block| leaders[moving(block)]).collect()
    }
}

/// The one that stands for the group of a body.
pub(super) fn lead(leader: &mut [usize], mut body: usize) -> usize {
    while leader[body] != body {
        leader[body] = leader[leader[body]];
        body = leader[body];
    }
    body
}

/// What the contacts of a group of bodies do on them.
#[derive(Debug, Clone, Default)]
struct Work {
    contacts: usize,
    sum: f64,
    /// What its parts add up to without their signs.
    size: f64,
}
